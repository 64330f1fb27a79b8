#!/usr/bin/env python3
"""Invariants of a few threads on the examples: which programs are proved for any number of threads, and what it takes.

For each right program of examples/scpl and examples/counting and each engine, one row: verdict, threads in view (k), which part proved it, ghost counters,
queries to the solver, processor seconds.  Wrong programs are run as well: SAFE on one of them ends the benchmark with exit code 1.

Usage: bench.py --cohort BUILD/cohort [--limit SECONDS] [--engines modular,cegar,karp-miller] [--out FOLDER]
"""

import argparse
import csv
import resource
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "common"))
from measure import ROOT, limit_processor_time, wall_clock_limit

FIELDS = ["program", "engine", "expected", "verdict", "k", "part", "ghosts", "queries", "seconds"]
STATISTICS = {"k": "threads in view", "part": "proved by", "ghosts": "ghost counters", "queries": "queries"}


def programs():
    for folder in ("scpl", "counting"):
        for path in sorted((ROOT / "examples" / folder).glob("*.scpl")):
            yield path, "unsafe" if "// expect: unsafe" in path.read_text() else "safe"


def run(cohort, path, expected, engine, limit):
    command = [cohort, "verify", str(path), "--unbounded", "--engine", engine, "--stats"]
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
    said = dict(line.split(": ", 1) for line in lines if ": " in line)
    row = {"program": path.stem, "engine": engine, "expected": expected, "verdict": verdict, "seconds": f"{seconds:.1f}"}
    for field, name in STATISTICS.items():
        row[field] = said.get(name, "") if verdict == "safe" else ""
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohort", required=True)
    parser.add_argument("--limit", type=float, default=60, help="processor seconds for each run")
    parser.add_argument("--engines", default="modular,cegar,karp-miller")
    parser.add_argument("--out", type=Path, default=Path("build/results/modular"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rows = []
    with open(options.out / "runs.csv", "w", newline="") as stream:
        table = csv.DictWriter(stream, FIELDS)
        table.writeheader()
        for path, expected in programs():
            for engine in options.engines.split(","):
                rows.append(run(options.cohort, path, expected, engine, options.limit))
                table.writerow(rows[-1])
                stream.flush()
    wrong = [row for row in rows if {row["expected"], row["verdict"]} == {"safe", "unsafe"}]
    for engine in options.engines.split(","):
        right = [row for row in rows if row["engine"] == engine and row["expected"] == "safe"]
        proved = [row for row in right if row["verdict"] == "safe"]
        seconds = sum(float(row["seconds"]) for row in proved)
        by_k = ", ".join(f"{sum(row['k'] == k for row in proved)} with k = {k}" for k in sorted({row["k"] for row in proved if row["k"]}))
        print(f"{engine}: {len(proved)} of {len(right)} right programs proved in {seconds:.1f} s" + (f" ({by_k})" if by_k else ""))
        for part in sorted({row["part"] for row in proved if row["part"]}):
            print(f"  by {part}: {', '.join(row['program'] for row in proved if row['part'] == part)}")
        for row in right:
            if row["verdict"] != "safe":
                print(f"  not proved: {row['program']} ({row['verdict']})")
    for row in wrong:
        print(f"WRONG: {row['engine']} says {row['verdict']} of {row['program']}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
