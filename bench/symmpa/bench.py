#!/usr/bin/env python3
"""Table 1 and figure 5 of the SymmPA paper on programs of examples/scpl that are rebuilt from their descriptions.

For each program, configuration (the Cartesian abstractions c0, c1 and c2, and the image oracle) and number of threads, one run:
verdict, predicates (local, mixed, shared), iterations, transition refinements, queries, processor seconds and what they were spent
on.  Any number of threads is the last question.  A program with a fixed number of threads has one run for each configuration.
After a run that did not end, larger numbers of threads are not tried, but any number is.  A wrong verdict ends the benchmark with exit code 1.

Usage: bench.py --cohort BUILD/cohort [--limit SECONDS] [--threads 2,3,4] [--configurations c0,c1,c2,oracle] [--only NAME,...]
                [--out FOLDER]

Writes results.csv, table.txt (a row for each program: for each configuration the largest number of threads, iterations,
refinements and seconds there), shares.txt (time in abstraction, checking, simulation, refinement) and, where gnuplot is
installed, cactus.svg (how many runs end within a time, a curve for each configuration).
"""

import argparse
import csv
import resource
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "common"))
from measure import ROOT, draw, limit_processor_time, wall_clock_limit

# Rows of the paper's table 1: name there, right program, wrong program (none: there is no such example), threads if they are fixed,
# the paper's best time.
TABLE = [
    ("Inc-L", "inc_lock", "inc_lock_after", None, 1),
    ("Inc-C", "inc_cas", "inc_cas_wrong", None, 2),
    ("IncDec-L", "incdec_lock", "incdec_lock_late", None, 10),
    ("IncDec-C", "incdec_cas", "incdec_cas_wrong", None, 908),
    ("TAS-L", "tas_lock", "tas_lock_split", None, 1),
    ("Ticket-L", "ticket_once", "ticket_two_steps", None, 15),
    ("PRNG-L", "prng_lock", "prng_wrong", None, 1),
    ("PRNG-C", "prng_cas", "prng_wrong", None, 834),
    ("MaxSimp-L", "max_lock", "max_no_lock", None, 8),
    ("MaxSimp-C", "max_cas", "max_cas_wrong", None, 1515),
    ("MaxOpt-L", "max_opt_lock", "max_opt_no_lock", None, 5),
    ("MaxOpt-C", "max_opt_cas", "max_opt_no_lock", None, 1460),
    ("UnverEx", "unver", "unver_late", None, 2),
    ("Spin", "spin", "spin_no_lock", None, 1),
    ("Dekker", "dekker", "dekker_hasty", 2, 12),
    ("Peterson", "peterson", "peterson_polite", 2, 12),
    ("Szymanski", "szymanski", "szymanski_open", 2, 12),
    ("Readers-writers", "readers_writers", "readers_writers_late", 3, 12),
    ("Time-varying mutex", "time_varying_mutex", "time_varying_mutex_wrong", 2, 12),
    ("Lamport", "lamport", "lamport_wrong", 2, 12),
    ("QRCU 2", "qrcu_two", "qrcu_wrong", 2, 12),
    ("Mozilla fix", "mozilla", "mozilla_wrong", None, 12),
    ("Scull", "scull", "scull_wrong", None, 12),
]
STATISTICS = {
    "local": "local predicates",
    "mixed": "mixed predicates",
    "shared": "shared predicates",
    "iterations": "iterations",
    "refinements": "transition refinements",
    "queries": "queries",
    "abstraction": "abstraction seconds",
    "checking": "checking seconds",
    "simulation": "simulation seconds",
    "refinement": "refinement seconds",
}
PHASES = ["abstraction", "checking", "simulation", "refinement"]
FIELDS = ["row", "program", "configuration", "threads", "expected", "verdict", "seconds", *STATISTICS]


def expectation(path, threads):
    """What the example's header says of this number of threads (none: any number)."""
    text = path.read_text()
    if "// expect: safe" in text:
        return "safe"
    least = int(text.split("// unsafe-from: ")[1].split()[0])
    return "unsafe" if threads is None or threads >= least else "safe"


def run(cohort, row, program, configuration, threads, limit):
    path = ROOT / "examples" / "scpl" / f"{program}.scpl"
    bound = ["--unbounded"] if threads is None else ["--threads", str(threads)]
    command = [cohort, "verify", str(path), *bound, "--engine", "cegar", "--abstraction", configuration, "--stats"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=wall_clock_limit(limit),
                              preexec_fn=lambda: limit_processor_time(limit))
        verdict = {0: "safe", 10: "unsafe", 5: "unknown"}.get(done.returncode, "time-out")
        lines = done.stdout.splitlines()
    except subprocess.TimeoutExpired:
        verdict, lines = "time-out", []
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = {name.strip(): value for name, found, value in (line.partition(": ") for line in lines) if found}
    result = {"row": row, "program": program, "configuration": configuration, "threads": "any" if threads is None else threads,
              "expected": expectation(path, threads), "verdict": verdict, "seconds": f"{seconds:.2f}"}
    for field, name in STATISTICS.items():
        result[field] = said.get(name, said.get(name.replace(" ", "_"), ""))
    return result


def ended(result):
    return result["verdict"] in ("safe", "unsafe")


def cell(results):
    """The run with the most threads that ended."""
    done = [result for result in results if ended(result)]
    if not done:
        return "-"
    last = done[-1]
    refinements = last["refinements"] or "0"
    return f"{last['threads']}: {last['iterations']}/{refinements}/{last['seconds']}"


def write_table(results, configurations, file):
    lines = [f"{'program':24}" + "".join(f"{name:>20}" for name in configurations) + "   L/M/S   paper [s]"]
    for name, right, wrong, _, paper in TABLE:
        for program in filter(None, (right, wrong)):
            mine = [result for result in results if result["row"] == name and result["program"] == program]
            if not mine:
                continue
            cells = [cell([result for result in mine if result["configuration"] == one]) for one in configurations]
            last = [result for result in mine if ended(result)]
            predicates = "/".join(last[-1][kind] for kind in ("local", "mixed", "shared")) if last else "-"
            lines.append(f"{program:24}" + "".join(f"{one:>20}" for one in cells) + f"   {predicates:7} {paper if program == right else ''}")
    file.write_text("\n".join(lines) + "\n")
    return lines


def write_shares(results, configurations, file):
    lines = [f"{'configuration':14}" + "".join(f"{phase:>14}" for phase in PHASES)]
    for configuration in configurations:
        mine = [result for result in results if result["configuration"] == configuration and ended(result)]
        sums = [sum(float(result[phase] or 0) for result in mine) for phase in PHASES]
        total = sum(sums) or 1
        lines.append(f"{configuration:14}" + "".join(f"{100 * one / total:12.0f} %" for one in sums))
    file.write_text("\n".join(lines) + "\n")
    return lines


def plot(results, configurations, limit, file):
    blocks, curves = [], []
    for configuration in configurations:
        for any_number in (False, True):
            times = sorted(max(0.01, float(result["seconds"])) for result in results if result["configuration"] == configuration
                           and ended(result) and (result["threads"] == "any") == any_number)
            if times:
                title = configuration + (", any number" if any_number else "")
                curves.append(f"$runs index {len(blocks)} using 1:2 with linespoints title '{title}'")
                blocks.append("\n".join(f"{count + 1} {seconds}" for count, seconds in enumerate(times)))
    script = f"""
set terminal svg size 720,480 dynamic background rgb 'white'
set output '{file}'
set logscale y
set yrange [0.01:{limit * 1.5}]
set grid
set key top left
set xlabel 'runs that end'
set ylabel 'processor time [s]'
$runs << END
{(chr(10) * 3).join(blocks)}
END
plot {", ".join(curves)}
"""
    if curves:
        draw(script)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohort", required=True)
    parser.add_argument("--limit", type=float, default=60, help="processor seconds for each run")
    parser.add_argument("--threads", default="2,3,4")
    parser.add_argument("--configurations", default="c0,c1,c2,oracle")
    parser.add_argument("--only", help="names of programs, with commas")
    parser.add_argument("--out", type=Path, default=Path("build/results/symmpa"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    configurations = options.configurations.split(",")
    numbers = [int(one) for one in options.threads.split(",")]
    results = []
    with open(options.out / "results.csv", "w", newline="") as stream:
        table = csv.DictWriter(stream, FIELDS)
        table.writeheader()
        seen = set()
        for name, right, wrong, fixed, _ in TABLE:
            for program in filter(None, (right, wrong)):
                if (options.only and program not in options.only.split(",")) or program in seen:
                    continue
                seen.add(program)
                for configuration in configurations:
                    asked = [fixed] if fixed else [*numbers, None]
                    hopeless = False
                    for threads in asked:
                        if hopeless and threads is not None:
                            continue
                        results.append(run(options.cohort, name, program, configuration, threads, options.limit))
                        table.writerow(results[-1])
                        stream.flush()
                        hopeless = not ended(results[-1]) and configuration != "oracle"
    print("\n".join(write_table(results, configurations, options.out / "table.txt")))
    print("\n".join(write_shares(results, configurations, options.out / "shares.txt")))
    plot(results, configurations, options.limit, options.out / "cactus.svg")
    for configuration in configurations:
        mine = [result for result in results if result["configuration"] == configuration]
        seconds = sum(float(result["seconds"]) for result in mine)
        print(f"{configuration}: {sum(ended(result) for result in mine)} of {len(mine)} runs ended, {seconds:.0f} s in all")
    wrong = [result for result in results if ended(result) and result["verdict"] != result["expected"]]
    for result in wrong:
        print(f"WRONG: {result['configuration']} says {result['verdict']} of {result['program']} with {result['threads']} threads")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
