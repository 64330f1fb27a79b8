#!/usr/bin/env python3
"""Runs Cohort on programs as working developers have them: each right, and with a seeded bug (-DBUG).

The programs are those in programs/, whose second line of the head comment says `bug (PROPERTY): what`, and those in the shared
folder of applications, if it is there.  Three runs for each:

  right  verify FILE --property PROPERTY: SAFE is expected
  bug    verify FILE --property PROPERTY -DBUG: UNSAFE is expected
  end    after a SAFE: can main come to its end at all?  With `-Dmain=...` and a main that calls reach_error afterwards the program
         must be UNSAFE; otherwise the SAFE says nothing.  Programs that never end are listed as such.

Limits are of processor time.  Writes results.csv and summary.txt into the output folder; exit code 1 when a verdict is wrong.
"""

import argparse
import csv
import json
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
FIELDS = ["program", "lines", "run", "property", "verdict", "judgement", "scope", "seconds", "reason"]
BUG = re.compile(r"bug \((\w+)\)")
# The shared programs do not name their properties.
SHARED_PROPERTIES = {"threadpool.c": "deadlock", "connpool.c": "assertions", "bank.c": "deadlock"}
END = "int cohort_app_main();\nvoid reach_error(void);\nint main(int argc, char **argv) {\n  cohort_app_main(argc, argv);\n  reach_error();\n}\n"


def programs(options):
    for source in sorted((HERE / "programs").glob("*.c")):
        found = BUG.search(source.read_text())
        if not found:
            sys.exit(f"{source.name} does not name its bug")
        yield source, found[1], True
    if options.shared.is_dir():
        for source in sorted(options.shared.glob("*.c")):
            yield source, SHARED_PROPERTIES.get(source.name, "assertions"), "BUG" in source.read_text()


def run(options, files, more):
    command = [str(options.cohort), "verify", *map(str, files), "--format", "json", "--memory-limit", str(options.memory),
               "--time-limit", str(options.limit * options.load), *more, *options.more]

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (options.limit + 2, options.limit + 3))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=(options.limit + 3) * options.load * 4, preexec_fn=limit)
        output, errors = done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        output, errors = "", "time limit"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    try:
        answer = json.loads(output)
    except json.JSONDecodeError:
        return {"verdict": "UNKNOWN", "scope": "", "seconds": f"{seconds:.2f}", "reason": (errors.strip().splitlines() or ["no output"])[0][:300]}
    return {"verdict": answer["verdict"], "scope": answer["scope"]["words"], "seconds": f"{seconds:.2f}", "reason": answer["reason"] or ""}


def judge(verdict, expected):
    if verdict == expected:
        return "right"
    return "unknown" if verdict == "UNKNOWN" else "wrong"


def runs_of(options, source, property_name, has_bug, folder):
    lines = len(source.read_text().splitlines())
    about = {"program": source.name, "lines": lines, "property": property_name}
    right = run(options, [source], ["--property", property_name])
    yield about | {"run": "right"} | right | {"judgement": judge(right["verdict"], "SAFE")}
    if has_bug:
        bug = run(options, [source], ["--property", property_name, "-DBUG"])
        yield about | {"run": "bug"} | bug | {"judgement": judge(bug["verdict"], "UNSAFE")}
    if right["verdict"] == "SAFE":
        end = folder / "end.c"
        end.write_text(END)
        renamed = folder / source.name
        renamed.write_text(f'#define main cohort_app_main\n#include "{source.resolve()}"\n')
        reached = run(options, [renamed, end], ["--property", "assertions"])
        judgement = {"UNSAFE": "right", "SAFE": "vacuous"}.get(reached["verdict"], "unknown")
        yield about | {"run": "end"} | reached | {"judgement": judgement}


def summarise(results, limit):
    lines = [f"Limit: {limit} s of processor time for each run.", "",
             f"{'program':<20}{'lines':>6}  {'property':<11}{'right':>9}{'s':>7}{'bug':>9}{'s':>7}  {'end':<8} what blocked"]
    names = list(dict.fromkeys(row["program"] for row in results))
    for name in names:
        rows = {row["run"]: row for row in results if row["program"] == name}
        right, bug, end = rows.get("right"), rows.get("bug"), rows.get("end")
        cells = [(row["verdict"], row["seconds"]) if row else ("-", "") for row in (right, bug)]
        reached = {"right": "reached", "vacuous": "never", "unknown": "?"}[end["judgement"]] if end else ""
        blocked = next((row["reason"] for row in (right, bug) if row and row["judgement"] == "unknown"), "")
        lines.append(f"{name:<20}{right['lines']:>6}  {right['property']:<11}{cells[0][0]:>9}{cells[0][1]:>7}{cells[1][0]:>9}{cells[1][1]:>7}  {reached:<8} {blocked[:110]}")
    count = Counter((row["run"], row["judgement"]) for row in results)
    bugs = sum(row["run"] == "bug" for row in results)
    lines += ["", f"{len(names)} programs: {count['right', 'right']} safe, {count['bug', 'right']} of {bugs} bugs found, {count['right', 'wrong'] + count['bug', 'wrong']} wrong; "
              f"of the safe ones {count['end', 'right']} come to their end, {count['end', 'vacuous']} never do, {count['end', 'unknown']} undecided"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cohort", type=Path, default=ROOT / "build" / "cohort")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "benchmarks" / "apps")
    parser.add_argument("--out", type=Path, default=ROOT / "build-bench" / "results" / "c_apps")
    parser.add_argument("--limit", type=int, default=30, help="seconds of processor time for each run")
    parser.add_argument("--memory", type=int, default=4000, help="MiB for each run")
    parser.add_argument("--load", type=int, default=1, help="how busy the machine is: Cohort's own limit, of wall-clock time, in multiples of --limit")
    parser.add_argument("--only", default="", help="only programs whose name contains this")
    parser.add_argument("more", nargs="*", help="further options for cohort verify, after --")
    options = parser.parse_args()
    options.cohort = options.cohort.resolve()
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for source, property_name, has_bug in programs(options):
            if options.only not in source.name:
                continue
            for result in runs_of(options, source, property_name, has_bug, Path(folder)):
                results.append(result)
                print(f"{result['judgement']:<8} {result['seconds']:>7} s  {result['program']} {result['run']}: {result['verdict']} {result['reason'][:150]}", flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "results.csv", "w", newline="") as stream:
        writer = csv.DictWriter(stream, FIELDS)
        writer.writeheader()
        writer.writerows(results)
    summary = summarise(results, options.limit)
    (options.out / "summary.txt").write_text(summary)
    print(summary, end="")
    return any(row["judgement"] == "wrong" for row in results)


if __name__ == "__main__":
    sys.exit(main())
