#!/usr/bin/env python3
"""Behind the shares of src/strategy/plan.cpp: which row of the plan decides which programs, and how much of the time each row gets for it.

Every example program (or those below FOLDERs) goes through `auto` with one process, so that rows take turns and their times add up.  For each
row by its title (engine, number of threads, order): in how many programs it took part, how many it decided, the seconds that it got.  A row that
decides much in few seconds deserves its place in front; one that gets much and decides nothing has too large a share.

Usage: bench.py --cohort BUILD/cohort [--limit SECONDS] [--sample N] [--seed N] [--out FOLDER] [FOLDER ...]
"""

import argparse
import csv
import json
import random
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "common"))
from measure import ROOT, wall_clock_limit

ENDINGS = (".bp", ".c", ".pbmc", ".scpl", ".red", ".spec", ".tts", ".pnml")


def ask(cohort, path, limit):
    command = [cohort, "verify", str(path), "--jobs", "1", "--time-limit", str(limit), "--format", "json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=wall_clock_limit(limit))
        return json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohort", required=True)
    parser.add_argument("--limit", type=float, default=10, help="seconds for each program")
    parser.add_argument("--sample", type=int, default=0, help="so many programs, drawn by --seed; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("build/results/strategy"))
    parser.add_argument("folders", nargs="*", type=Path, default=[ROOT / "examples"])
    options = parser.parse_args()
    programs = sorted(path for folder in options.folders for path in folder.rglob("*") if path.suffix in ENDINGS)
    if options.sample:
        programs = random.Random(options.seed).sample(programs, min(options.sample, len(programs)))
    rows = defaultdict(lambda: {"took part": 0, "decided": 0, "seconds": 0.0})
    verdicts = defaultdict(int)
    for path in programs:
        answer = ask(options.cohort, path, options.limit)
        verdicts[answer.get("verdict", "none") if answer else "none"] += 1
        attempts = (answer or {}).get("attempts") or []
        for attempt in attempts:
            row = rows[attempt["title"]]
            row["took part"] += 1
            row["seconds"] += attempt["seconds"]
        decided = [attempt for attempt in attempts if attempt["engine"] == answer["engine"]]
        if answer and answer.get("verdict") in ("SAFE", "UNSAFE") and decided:
            rows[decided[0]["title"]]["decided"] += 1
    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "rows.csv", "w", newline="") as stream:
        table = csv.writer(stream)
        table.writerow(["row", "took part", "decided", "seconds"])
        for title, row in sorted(rows.items(), key=lambda item: -item[1]["decided"]):
            table.writerow([title, row["took part"], row["decided"], f"{row['seconds']:.1f}"])
            print(f"{title:44} took part {row['took part']:4}  decided {row['decided']:4}  {row['seconds']:8.1f} s")
    print(f"{len(programs)} programs, {options.limit} s each: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))


main()
