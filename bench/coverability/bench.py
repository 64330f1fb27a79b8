#!/usr/bin/env python3
"""Compares the methods for any number of threads with each other, and with what other tools needed.

Every net and thread transition system of the benchmark folder, and the Boolean programs beside them, is verified by the engine
`coverability` (all methods in turns) and by each method alone.  Times and limits are processor times.  Writes results.csv and a
cactus plot (cactus.svg, where gnuplot is installed; cactus.csv always) and prints, for each method and each other tool in the
folder `peers` beside the benchmarks: how many files were solved, and how the times compare in the geometric mean over the files
that both solved and of which one took more than 0.02 s.

Exit code 1 when a verdict is wrong.
"""

import argparse
import csv
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/common"))
sys.path.insert(0, str(ROOT / "bench/karp_miller"))

from manifest import VERDICTS, tasks  # noqa: E402
from measure import limit_processor_time, wall_clock_limit  # noqa: E402

METHODS = ["coverability", "karp-miller", "backward", "widening", "dynamic-cutoff", "marking-equation", "directed"]
FIELDS = ["folder", "file", "expected", "method", "verdict", "seconds", "mebibytes", "decided_by"]
SHORT = 0.02


def run(options, path, more, method):
    command = [options.cohort, "verify", path, "--unbounded", "-q", "--stats", "--engine", method, "--memory-limit",
               str(options.memory), *more]
    child = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                             preexec_fn=lambda: limit_processor_time(options.limit))
    try:
        output, _ = child.communicate(timeout=wall_clock_limit(options.limit))
    except subprocess.TimeoutExpired:
        child.kill()
        output, _ = child.communicate()
    decided = [line.split(":")[1].strip() for line in output.splitlines() if line.startswith("decided_by:")]
    memory = [line.split(":")[1] for line in output.splitlines() if line.startswith("peak_memory_mib:")]
    return child.returncode, decided, float(memory[0]) if memory else 0.0


def measure(options, path, more, method):
    before = os.times()
    code, decided, memory = run(options, path, more, method)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    verdict = "unknown" if code < 0 else VERDICTS.get(code, f"error {code}")
    return {"verdict": verdict, "seconds": round(seconds, 3), "mebibytes": round(memory, 1),
            "decided_by": decided[0] if decided else ""}


def peers(folder, limit):
    """Processor seconds (wall-clock seconds where there are no others) of correct answers, by tool and file."""
    times = {}
    for path in sorted(folder.glob("coverability-*.csv")):
        with path.open() as file:
            for row in csv.DictReader(file):
                seconds = row["cpu_s"] or row["wall_s"]
                if row["verdict"] == row["expected"] and seconds and float(seconds) <= limit:
                    times.setdefault(row["tool"], {})[row["file"]] = float(seconds)
    return times


def ratio(mine, theirs):
    """How many times longer `theirs` took, in the geometric mean, and over how many files."""
    logs = [math.log(max(theirs[file], 0.001) / max(mine[file], 0.001)) for file in theirs
            if file in mine and max(mine[file], theirs[file]) > SHORT]
    return (math.exp(sum(logs) / len(logs)) if logs else math.nan), len(logs)


def print_peers(mine, times, files):
    for tool, seconds in times.items():
        here = {file: time for file, time in seconds.items() if file in files}
        if not here:
            continue
        factor, count = ratio(mine, here)
        lost = sorted(file for file in here if file not in mine)
        print(f"  {tool}: {len(here)} solved; coverability is {factor:.2f} times as fast over {count} files"
              + (f"; solved only there: {', '.join(lost)}" if lost else ""))
    best = {}
    for seconds in times.values():
        for file, time in seconds.items():
            if file in files:
                best[file] = min(time, best.get(file, math.inf))
    factor, count = ratio(mine, best)
    print(f"  the best of them for each file: {len(best)} solved; coverability is {factor:.2f} times as fast over {count} files")


def solved(rows, method):
    return {row["file"]: row["seconds"] for row in rows if row["method"] == method and row["verdict"] == row["expected"]}


def summarize(rows, times, options):
    wrong = 0
    for kind in ["nets and transition systems of coverability/", "thread transition systems of tts/", "Boolean programs of tts/"]:
        def belongs(row):
            if row["folder"].endswith("(.bp)"):
                return kind.startswith("Boolean")
            return kind.endswith(row["folder"].split("/")[0] + "/") and not kind.startswith("Boolean")
        mine = [row for row in rows if belongs(row)]
        files = {row["file"] for row in mine}
        if not files:
            continue
        print(f"{kind}: {len(files)} files, limit {options.limit} s of processor time")
        for method in options.methods:
            its = [row for row in mine if row["method"] == method]
            bad = [row for row in its if row["verdict"] not in (row["expected"], "unknown")]
            good = solved(its, method)
            wrong += len(bad)
            print(f"  {method}: {len(good)} solved in {sum(good.values()):.1f} s, slowest {max(good.values(), default=0):.2f} s, "
                  f"{len(bad)} wrong, at most {max((row['mebibytes'] for row in its), default=0):.0f} MiB")
            for row in bad if bad else [row for row in its if method == "coverability" and row["verdict"] == "unknown"]:
                print(f"    {row['verdict']}: {row['file']} ({row['expected']})")
        if not kind.startswith("Boolean"):
            print_peers(solved(mine, options.methods[0]), times, files)
    decided = {}
    for row in rows:
        if row["method"] == "coverability" and row["decided_by"]:
            decided[row["decided_by"]] = decided.get(row["decided_by"], 0) + 1
    print("answers of coverability by method: " + ", ".join(f"{name} {count}" for name, count in sorted(decided.items())))
    return wrong


def draw_cactus(rows, times, options):
    """Files solved within how many seconds each, for every method, and for other tools on the files of coverability/."""
    nets = {row["file"] for row in rows if row["folder"].startswith("coverability")}
    lines = {method: sorted(t for f, t in solved(rows, method).items() if f in nets) for method in options.methods}
    for tool, seconds in times.items():
        line = sorted(time for file, time in seconds.items() if file in nets)
        if line:
            lines[tool] = line
    table = options.out / "cactus.csv"
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["tool", "solved", "seconds"])
        for name, line in lines.items():
            for index, seconds in enumerate(line):
                writer.writerow([name, index + 1, max(seconds, 0.001)])
    if shutil.which("gnuplot") is None:
        return
    script = ['set terminal svg size 900,600', f'set output "{options.out / "cactus.svg"}"', "set logscale y", "set key left top",
              'set xlabel "files solved"', 'set ylabel "seconds for the last of them"', 'set title "Nets of coverability/"']
    blocks = []
    for name, line in lines.items():
        data = "\n".join(f"{index + 1} {max(seconds, 0.001)}" for index, seconds in enumerate(line))
        blocks.append(f"${len(blocks)}_ << EOD\n{data}\nEOD".replace("$", "$d", 1))
    plots = ", ".join(f'$d{i}_ with linespoints title "{name}"' for i, name in enumerate(lines))
    subprocess.run(["gnuplot"], input="\n".join(script + blocks + [f"plot {plots}"]) + "\n", text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohort", type=Path, required=True, help="the program to measure")
    parser.add_argument("--limit", type=int, default=int(os.environ.get("LIMIT", "60")), help="seconds for each file (or LIMIT)")
    parser.add_argument("--memory", type=int, default=4096, help="MiB for each file")
    parser.add_argument("--methods", type=lambda text: text.split(","), default=METHODS, help="separated by commas")
    parser.add_argument("--folder", type=Path, default=Path(os.environ.get("COHORT_BENCHMARKS", ROOT / "../shared/benchmarks")))
    parser.add_argument("--pattern", default="", help="only files whose folder and name contain this")
    parser.add_argument("--out", type=Path, default=Path("results/coverability"))
    options = parser.parse_args()
    options.cohort = options.cohort.resolve()
    if not (options.folder / "coverability").is_dir():
        sys.exit(f"{options.folder}: no such folder; name the benchmark folder by --folder or COHORT_BENCHMARKS")
    options.out.mkdir(parents=True, exist_ok=True)
    rows = []
    with (options.out / "results.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        for folder, name, path, expected, more in tasks(options.folder):
            if options.pattern not in f"{folder}/{name}":
                continue
            for method in options.methods:
                row = {"folder": folder, "file": name, "expected": expected, "method": method,
                       **measure(options, path, more, method)}
                rows.append(row)
                writer.writerow(row)
                file.flush()
    times = peers(options.folder.parent / "peers", options.limit)
    wrong = summarize(rows, times, options)
    draw_cactus(rows, times, options)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
