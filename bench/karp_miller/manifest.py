#!/usr/bin/env python3
"""Verifies every thread transition system, Petri net and Boolean program of the benchmark folder for any number of threads.

Compares the verdicts with the manifests, and the times with those that other tools needed (the folder `peers` beside the
benchmarks).  Thread transition systems are taken with the initial configurations of the manifest, Boolean programs beside them
with one initial thread.  Times and limits are processor times.  Writes manifest.csv and prints, for each folder, how many files
were solved, left open or answered wrongly, and how many of the same files each other tool solved within the limit.

Exit code 1 when a verdict is wrong.
"""

import argparse
import csv
import os
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERDICTS = {0: "safe", 10: "unsafe", 5: "unknown"}
FIELDS = ["folder", "file", "expected", "verdict", "seconds", "reason"]


class Runner:
    def __init__(self, options):
        self.cohort = options.cohort.resolve()
        self.limit = options.limit
        self.memory = options.memory
        self.more = options.more.split()

    def verify(self, path, more):
        command = [self.cohort, "verify", path, "--unbounded", "-q", "--memory-limit", str(self.memory), *more, *self.more]

        def restrict():
            resource.setrlimit(resource.RLIMIT_CPU, (self.limit, self.limit + 1))

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=restrict)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if done.returncode < 0:
            return "unknown", seconds, f"ended by the limit of {self.limit} s"
        first = (done.stdout.splitlines() or done.stderr.splitlines() or [""])[0]
        return VERDICTS.get(done.returncode, f"error {done.returncode}"), seconds, first


def tasks(benchmarks):
    """(folder, name, path, expected verdict, more arguments) of every file."""
    for collection in ["tts", "coverability"]:
        folder = benchmarks / collection
        with (folder / "manifest.csv").open() as file:
            for row in csv.DictReader(file):
                path = folder / row["file"]
                group = f"{collection}/{Path(row['file']).parts[0]}"
                init = ["--init", row["init"]] if row.get("init") else []
                yield group, row["file"], path, row["expected"], init
                program = path.with_suffix(".bp")
                if row.get("expected-single-init") and program.exists():
                    yield f"{group} (.bp)", row["file"], program, row["expected-single-init"], []


def peers(folder):
    """Processor seconds of correct answers, by tool and file."""
    times = {}
    for path in sorted(folder.glob("coverability-*.csv")):
        with path.open() as file:
            for row in csv.DictReader(file):
                if row["correct"] == "yes" and row["cpu_s"]:
                    times.setdefault(row["tool"], {})[row["file"]] = float(row["cpu_s"])
    return times


def summarize(rows, times, limit):
    for folder in dict.fromkeys(row["folder"] for row in rows):
        mine = [row for row in rows if row["folder"] == folder]
        solved = [row for row in mine if row["verdict"] == row["expected"]]
        unknown = [row for row in mine if row["verdict"] == "unknown"]
        print(f"{folder}: {len(mine)} files: {len(solved)} solved in {sum(row['seconds'] for row in solved):.1f} s, "
              f"{len(unknown)} unknown, {len(mine) - len(solved) - len(unknown)} wrong")
        for row in mine:
            if row["verdict"] != row["expected"]:
                print(f"    {row['verdict']:8} {row['file']} ({row['expected']}): {row['reason'][:100]}")
        for tool, seconds in times.items():
            theirs = [seconds[row["file"]] for row in mine if seconds.get(row["file"], limit + 1) <= limit]
            if theirs and ".bp" not in folder:
                print(f"    {tool}: {len(theirs)} solved in {sum(theirs):.1f} s")
    solved = sum(row["verdict"] == row["expected"] for row in rows)
    unknown = sum(row["verdict"] == "unknown" for row in rows)
    print(f"in all: {len(rows)} files, {solved} solved, {unknown} unknown, {len(rows) - solved - unknown} wrong, limit {limit} s")
    return len(rows) - solved - unknown


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohort", type=Path, required=True, help="the program to measure")
    parser.add_argument("--limit", type=int, default=int(os.environ.get("LIMIT", "10")), help="seconds for each file (or LIMIT)")
    parser.add_argument("--memory", type=int, default=4096, help="MiB for each file")
    parser.add_argument("--folder", type=Path, default=Path(os.environ.get("COHORT_BENCHMARKS", ROOT / "../shared/benchmarks")))
    parser.add_argument("--pattern", default="", help="only files whose folder and name contain this")
    parser.add_argument("--more", default="", help="more arguments for `cohort verify`")
    parser.add_argument("--out", type=Path, default=Path("results/karp_miller"))
    options = parser.parse_args()
    if not (options.folder / "tts").is_dir():
        sys.exit(f"{options.folder}: no such folder; name the benchmark folder by --folder or COHORT_BENCHMARKS")
    options.out.mkdir(parents=True, exist_ok=True)
    runner = Runner(options)
    rows = []
    with (options.out / "manifest.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        for folder, name, path, expected, more in tasks(options.folder):
            if options.pattern not in f"{folder}/{name}":
                continue
            verdict, seconds, reason = runner.verify(path, more)
            rows.append({"folder": folder, "file": name, "expected": expected, "verdict": verdict,
                         "seconds": round(seconds, 3), "reason": "" if verdict == expected else reason})
            writer.writerow(rows[-1])
            file.flush()
    wrong = summarize(rows, peers(options.folder.parent / "peers"), options.limit)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
