#!/usr/bin/env python3
"""Stops Cohort at each of its stopping points.  usage: stop_points.py COHORT SOURCE_FOLDER

The names in src/base/stop_points.cpp, those that the sources ask at, and those that CASES below stops at must be the same: a
point that is new and has no case fails, and so does a case whose run never comes to its point.  Places that ask without a name
are counted: only those listed here, which ask why something else ended, may do so."""
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

UNNAMED = {  # they say why a library gave up, after it did
    "src/engine/symbolic/engine.cpp": 1,
    "src/engine/pointer/symbolic_pointer_engine.cpp": 2,
    "src/smt/solver.cpp": 1,
}

LOCK = """decl m := 0; decl x := 0;
void main() begin
  decl t;
  atomic_begin; assume(!m); m := 1; atomic_end;
  assert(!x); x := 1; t := x; x := 0; m := 0;
end
"""
CALLS = "decl x := 0;\nvoid set() begin x := 1; x := 0; end\nvoid main() begin decl y; set(); y := x; set(); assert(!x | y); end\n"
C = """#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void add(int *p) { int y = *p; *p = y + 1; }
void *work(void *a) { pthread_mutex_lock(&m); add(&x); pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t[2]; int i, r, s = rand();
  for (i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (i = 0; i < 2; i++) pthread_join(t[i], 0);
  if (s > 3) r = 1; else r = 2;
  assert(x == 2 && r);
  return 0;
}
"""
SPEC = "vars a b c d\nrules\na>=1 -> a'=a-1, b'=b+1;\nb>=1 -> b'=b-1, c'=c+1;\nc>=1, d>=1 -> c'=c-1;\ninit a>=1, b=0, c=0, d=0\ntarget d>=1\n"
PNML = """<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>3</text></initialMarking></place><place id="q"/>
<transition id="t"/><arc id="a" source="p" target="t"/><arc id="b" source="t" target="q"/></page></net></pnml>
"""
# Halves of halves: one thread is left of 256, and no search meets it soon.
DEEP = ("vars " + " ".join(f"p{i}" for i in range(9)) + "\nrules\n" +
        "".join(f"p{i}>=2 -> p{i}'=p{i}-2, p{i + 1}'=p{i + 1}+1;\n" for i in range(8)) +
        "init p0=300, " + ", ".join(f"p{i}=0" for i in range(1, 9)) + "\ntarget p8>=1\n")


def one_bit_mutex(processes):
    """Everybody raises a flag and waits for all others in turn; who meets the flag of one before gives up."""
    others = [[other for other in range(processes) if other != own] for own in range(processes)]
    states = [f"{name}{own}" for own in range(processes) for name in ("idle", "up", "down", "in")]
    states += [f"w{own}_{other}" for own in range(processes) for other in others[own]]
    rules = ""

    def move(taken, given):
        moved = [f"{p}'={p}-1" for p in taken if p not in given] + [f"{p}'={p}+1" for p in given if p not in taken]
        return ", ".join(f"{p}>=1" for p in taken) + " -> " + ", ".join(moved) + ";\n"

    for own in range(processes):
        waits = [f"w{own}_{other}" for other in others[own]] + [f"in{own}"]
        rules += move([f"idle{own}", f"down{own}"], [waits[0], f"up{own}"])
        rules += move([f"in{own}", f"up{own}"], [f"idle{own}", f"down{own}"])
        for place, other in enumerate(others[own]):
            rules += move([waits[place], f"down{other}"], [waits[place + 1], f"down{other}"])
            if other < own:
                rules += move([waits[place], f"up{other}", f"up{own}"], [f"idle{own}", f"down{own}", f"up{other}"])
    starts = ", ".join(f"{state}={int(state.startswith(('idle', 'down')))}" for state in states)
    targets = "\n".join(f"in{own}>=1, in{other}>=1" for own in range(processes) for other in range(own))
    return f"vars {' '.join(states)}\nrules\n{rules}init {starts}\ntarget {targets}\n"


ENDS = "void main() begin skip; goto E; assert(0); E: skip; end\n"
LOLA = "PLACE p, q; MARKING p: 1; TRANSITION t CONSUME p: 1; PRODUCE q: 1;\nFORMULA EF q > 1\n"

WITNESS = """- entry_type: violation_sequence
  metadata:
    format_version: "2.2"
    task: {input_file_hashes: {program.c: "0"}, specification: G ! call(reach_error()), data_model: LP64}
  content: [segment: [waypoint: {type: target, action: follow, location: {file_name: program.c, line: 12}}]]
"""

OBJECTS = """void *malloc(unsigned long); void assert(int);
int main(void) { int *p = 0; for (int i = 0; i < 9; i++) { p = malloc(4); *p = i; } assert(*p == 8); return 0; }
"""

LOCALS = "int look(int *p) { return *p; }\nint main(void) { int *q; { int x = 1; q = &x; } return look(q); }\n"

FILES = {"witness.yml": WITNESS, "locals.c": LOCALS, "objects.c": OBJECTS, "lock.bp": LOCK, "calls.bp": CALLS, "program.c": C, "ends.bp": ENDS, "deep.spec": DEEP, "mutex.spec": one_bit_mutex(9), "net.spec": SPEC,
         "net.pnml": PNML, "net.lola": LOLA, "system.tts": "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n"}

EXAMPLES = "{source}/examples/"
ANY = "verify lock.bp --unbounded --initial any --engine "
UNIT = "tests/strategy/stop_points_test.cpp"  # no command ends there: what is stopped has an answer, or is a part of one job of many

# By point: the command that comes to it.
CASES = {
    "backward": "verify " + EXAMPLES + "bp/readers_writers.bp --unbounded --engine backward",
    "backward-broadcast": "verify " + EXAMPLES + "bp/broadcast_wake_early.bp --unbounded --engine backward",
    "backward-origins": "verify " + EXAMPLES + "bp/readers_writers.bp --unbounded --engine backward",
    "bmc-depth": "verify lock.bp --engine bmc -n 2 --initial any --depth 3",
    "bmc-induction": "verify " + EXAMPLES + "pbmc/peterson.pbmc --engine bmc",
    "bmc-step": "verify lock.bp --engine bmc -n 2 --initial any --depth 3",
    "bmc-unroll": "verify " + EXAMPLES + "pbmc/free_start.pbmc --engine bmc --depth 1..12",
    "bmc-walk": "verify " + EXAMPLES + "pbmc/lost_update.pbmc --engine bmc",
    "bounded-search": "cutoff " + EXAMPLES + "bp/cutoff_5.bp --initial any",
    "build-net": "verify net.spec --unbounded",
    "cegar-counting": "verify " + EXAMPLES + "scpl/inc_race.scpl --engine cegar -n 2",
    "cegar-cubes": "verify " + EXAMPLES + "scpl/inc_lock.scpl --engine cegar --threads 2 --abstraction c1",
    "cegar-views": "verify " + EXAMPLES + "scpl/inc_lock.scpl --engine cegar --unbounded",
    "certificate-cubes": "check-certificate SYMBOLIC",
    "certificate-solver": "check-certificate MODULAR",
    "certificate-tables": "check-certificate COUNTER",
    "check-control-flow": "check-certificate CONTROL",
    "check-counter-set": "check-certificate COUNTER",
    "check-modular": "check-certificate MODULAR",
    "check-modular-query": "check-certificate MODULAR",
    "check-named-set": "check-certificate NAMED",
    "check-omega-set": "check-certificate OMEGA",
    "check-symbolic-omega-set": "check-certificate SYMBOLIC-OMEGA",
    "check-symbolic-set": "check-certificate SYMBOLIC",
    "check-upward-set": "check-certificate UPWARD",
    "check-weightings": "check-certificate WEIGHTS",
    "count-threads": "verify program.c",
    "cover": "cover " + EXAMPLES + "bp/cutoff_3.bp --classic",
    "coverability": "verify mutex.spec --unbounded --engine coverability",
    "cutoff": "cutoff " + EXAMPLES + "bp/cutoff_5.bp",
    "deepen": "verify objects.c",
    "deviate": "verify lock.bp -n 2 --initial any --engine explicit --search deviations",
    "deviation-search": "verify lock.bp -n 2 --initial any --engine explicit --search deviations",
    "directed": ANY + "directed",
    "dynamic-cutoff": "verify " + EXAMPLES + "bp/readers_writers.bp --unbounded --engine dynamic-cutoff",
    "engine": ANY + "karp-miller",
    "explicit-search": "verify lock.bp -n 2 --initial any --engine explicit",
    "partitioned-search": "verify lock.bp -n 2 --initial any --engine explicit --jobs 2 --checkpoint kept",
    "follow-witness": "replay program.c witness.yml",
    "forward": "verify program.c",
    "handle-rows": "verify program.c",
    "hide": UNIT,
    "initial-configurations": "check-certificate OMEGA",
    "inline": "verify calls.bp",
    "inline-c": "verify program.c",
    "interpreter": UNIT,
    "karp-miller": ANY + "karp-miller",
    "karp-miller-check": ANY + "karp-miller --self-check",
    "karp-miller-diagrams": "verify " + EXAMPLES + "bp/readers_writers.bp --unbounded --engine karp-miller --km symbolic",
    "lemma-clauses": "verify " + EXAMPLES + "scpl/inc_lock.scpl --engine modular --unbounded",
    "lemma-exclude": "verify deep.spec --unbounded --engine modular",
    "lemma-faults": "verify " + EXAMPLES + "scpl/inc_lock.scpl --engine modular --unbounded",
    "lemma-horn": "verify " + EXAMPLES + "scpl/inc_race.scpl --engine modular --unbounded",
    "lemma-ranges": "verify " + EXAMPLES + "counting/bounded_buffer.scpl --engine modular --unbounded",
    "lemma-sampling": "verify " + EXAMPLES + "scpl/inc_lock.scpl --engine modular --unbounded",
    "lemma-saturate": "verify " + EXAMPLES + "scpl/inc_lock.scpl --engine modular --unbounded",
    "lift": UNIT,
    "linear-program": "verify " + EXAMPLES + "bp/apache_workers.bp --unbounded --engine marking-equation",
    "liveness": "verify calls.bp",
    "lives": "verify locals.c --property faults",
    "load": "verify lock.bp",
    "load-lola": "verify net.lola",
    "load-scpl": "verify " + EXAMPLES + "scpl/inc_lock.scpl",
    "localize": UNIT,
    "localize-choices": UNIT,
    "localize-hide": UNIT,
    "localize-refine": UNIT,
    "lower-bp": "verify lock.bp",
    "lower-c": "verify program.c",
    "lower-pbmc": "verify " + EXAMPLES + "pbmc/peterson.pbmc",
    "lower-red": "verify " + EXAMPLES + "red/ring.red",
    "merge": "verify lock.bp",
    "movers": "verify program.c",
    "nameless-objects": "verify " + EXAMPLES + "c/heap_handover.c",
    "narrow-choices": "verify program.c",
    "parse-bp": "verify lock.bp",
    "parse-c": "verify program.c",
    "parse-pbmc": "verify " + EXAMPLES + "pbmc/peterson.pbmc",
    "parse-red": "verify " + EXAMPLES + "red/ring.red",
    "pointer-certificate": "verify " + EXAMPLES + "red/ring.red --engine pointer --certificate named.json",
    "pointer-diagrams": "verify " + EXAMPLES + "red/ring.red --engine pointer-symbolic",
    "pointer-image": "verify " + EXAMPLES + "red/ring.red --engine pointer-symbolic",
    "pointer-initial": "verify " + EXAMPLES + "red/ring.red --engine pointer",
    "pointer-search": "verify " + EXAMPLES + "red/ring.red --engine pointer",
    "points-to": "verify program.c",
    "portfolio": "verify lock.bp",
    "portfolio-wait": "verify " + EXAMPLES + "pbmc/indexer.pbmc",
    "possible-states": ANY + "backward",
    "propagate": "verify program.c",
    "random-start": "verify lock.bp -n 2 --initial any --engine explicit --search random",
    "random-walk": "verify lock.bp -n 2 --initial any --engine explicit --search random",
    "read-json": "check-certificate COUNTER",
    "read-pnml": "verify net.pnml --target q",
    "read-spec": "verify net.spec",
    "read-tts": "verify system.tts",
    "realize": "verify " + EXAMPLES + "bp/barrier_single_phase.bp --unbounded --engine backward",
    "reduce-net": "verify " + EXAMPLES + "bp/apache_workers.bp --unbounded --engine directed",
    "relevance": "verify lock.bp",
    "replay": UNIT,
    "shorten": UNIT,
    "smt-check": "verify " + EXAMPLES + "pbmc/peterson.pbmc --engine bmc --depth 12",
    "solitude": "verify program.c",
    "step-outcomes": "verify lock.bp -n 2 --initial any --engine explicit",
    "symbolic-counter": "verify lock.bp -n 2 --initial any --engine symbolic",
    "symbolic-diagrams": "verify " + EXAMPLES + "bp/readers_writers.bp --engine symbolic -n 4",
    "symbolic-karp-miller": "verify " + EXAMPLES + "bp/readers_writers.bp --unbounded --engine karp-miller --km symbolic",
    "symbolic-karp-miller-check": "verify " + EXAMPLES + "bp/readers_writers.bp --unbounded --engine karp-miller --km symbolic",
    "symbolic-plain": "verify lock.bp -n 2 --initial any --engine symbolic --no-symmetry",
    "uninitialised": "verify program.c",
    "unreachable": "verify lock.bp",
    "untangle": UNIT,
    "validate": "verify lock.bp",
    "verify-each": "verify --each-file lock.bp calls.bp",
    "view-levels": "cutoff " + EXAMPLES + "bp/cutoff_3.bp --initial any --uniform",
    "waiting-threads": "verify program.c --property deadlock --engine explicit",
}

# By the word in the cases: the program, and the options of `verify` with which it gets its certificate.
CERTIFICATES = {
    "COUNTER": ("lock.bp", "-n 2 --initial any --engine explicit"),
    "SYMBOLIC": ("lock.bp", "-n 2 --initial any --engine symbolic"),
    "CONTROL": ("ends.bp", "-n 2 --engine control-flow"),
    "OMEGA": ("lock.bp", "--unbounded --initial any --engine karp-miller"),
    "SYMBOLIC-OMEGA": ("lock.bp", "--unbounded --initial any --engine karp-miller --km symbolic"),
    "UPWARD": ("lock.bp", "--unbounded --initial any --engine backward"),
    "WEIGHTS": ("lock.bp", "--unbounded --initial any --engine marking-equation"),
    "NAMED": (EXAMPLES + "red/ring.red", "--engine pointer"),
    "MODULAR": (EXAMPLES + "scpl/inc_lock.scpl", "--unbounded --engine modular"),
}


def asked_in(source):
    """The names that the sources ask at, and how often a file asks without one."""
    named, unnamed = set(), {}
    for file in sorted(source.glob("src/**/*.?pp")):
        name = str(file.relative_to(source))
        if name.startswith("src/base/"):
            continue
        text = re.sub(r"//.*", "", file.read_text())
        named |= set(re.findall(r"\b(?:stop_requested|poll_now|poll)\(\s*(?:[\w.>-]+,\s*)?\"([a-z-]+)\"\s*\)", text))
        count = len(re.findall(r"\b(?:stop_requested|poll_now)\(\)", text)) + len(re.findall(r"env_?(?:\.|->)poll\(\)", text))
        if count:
            unnamed[name] = count
    return named, unnamed


def differences(what, left, right):
    return [f"{name}: {what}" for name in sorted(left - right)]


def run(cohort, folder, command):
    return subprocess.run([cohort, *command], cwd=folder, capture_output=True, text=True, timeout=300)


def main():
    cohort, source = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
    listed = set(re.findall(r'^    "([a-z-]+)",$', (source / "src/base/stop_points.cpp").read_text(), re.MULTILINE))
    named, unnamed = asked_in(source)
    faults = differences("asked at in the sources, and missing in stop_points.cpp", named, listed)
    faults += differences("in stop_points.cpp, and asked at nowhere", listed, named)
    faults += differences("no case stops there", listed, set(CASES))
    faults += differences("a case for no point", set(CASES), listed)
    if unnamed != UNNAMED:
        faults.append(f"asked without a name: {unnamed}")
    unit = (source / UNIT).read_text()
    faults += [f"{point}: not in {UNIT}" for point, case in CASES.items() if case == UNIT and f'"{point}"' not in unit]

    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            (Path(folder) / name).write_text(text)
        proofs = {}
        for kind, (program, options) in CERTIFICATES.items():
            program = program.format(source=source)
            done = run(cohort, folder, ["verify", program, *options.split(), "--certificate", f"{kind}.json"])
            if done.returncode != 0:
                faults.append(f"{kind}: no certificate: {done.stdout}{done.stderr}")
            bound = [word for word in options.split() if word in ("--unbounded", "--initial", "any", "-n", "2")]
            proofs[kind] = [program, f"{kind}.json", *bound]

        def stop(point):
            if CASES[point] == UNIT:
                return None
            words = CASES[point].format(source=source).split()
            if words[0] == "check-certificate":
                words = ["check-certificate", *proofs[words[1]]]
            done = run(cohort, folder, [*words, "--stop-at", point, "--time-limit", "100"])
            if done.returncode == 5 and f"stopped at the point '{point}'" in done.stdout + done.stderr:
                return None
            return f"{point}: {' '.join(words)}: exit code {done.returncode}: {(done.stdout + done.stderr)[:300]}"

        with ThreadPoolExecutor(2) as pool:
            faults += [fault for fault in pool.map(stop, sorted(set(CASES) & listed)) if fault]
        refused = run(cohort, folder, ["verify", "lock.bp", "--stop-at", "nowhere"])
        if refused.returncode != 1 or "no point 'nowhere'" not in refused.stderr:
            faults.append(f"a point that does not exist is not refused: {refused.stdout}{refused.stderr}")
    print("\n".join(faults) if faults else f"stopped at {len(listed)} points")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
