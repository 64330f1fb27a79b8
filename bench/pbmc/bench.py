#!/usr/bin/env python3
"""Redoes table 1 and figure 2 of the PBMC paper: what restricting a bounded model checker to projections brings.

The families, sizes and depths are those of the paper, and some more for harder rows; families.py makes the programs.  Every row is run four times, one run after the other:
  bmc        cohort verify --engine bmc --no-projection          all executions
  pbmc       cohort verify --engine bmc                          projections only, from 1000 conflicts of the solver on
  mpor       the first with --mpor                               one order of independent steps only
  pbmc+mpor  both
Programs are taken as written (--no-simplify), so that one step is one statement, as in the paper.  --simplified lets Cohort merge steps first,
which users get; a depth then reaches farther.

Times are processor times of the whole process; "solve" is the solver's share of it, the rest is reading and building.  The same limit holds for
every run.  Writes results.csv, summary.txt and, where gnuplot is installed, fig2.svg into the output folder, and prints the summary: beside each
reduction of the total time (pbmc against bmc) the paper's, and at the end where the aims are missed, or cannot be judged because a run took too little time.
With --seeds N the random programs are made N times, and a second table has the least, the median and the greatest reduction of each row.
"""

import argparse
import csv
import functools
import itertools
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, fields
from pathlib import Path

import families

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common.measure import ROOT, draw, draws

MODES = {
    "bmc": ["--no-projection"],
    "pbmc": [],
    "mpor": ["--no-projection", "--mpor"],
    "pbmc+mpor": ["--mpor"],
}
# Family, processes, depth, whether the violation exists, and the reduction of the total time in the paper (none: it shows none).
TABLE_1 = [
    ("indexer", 2, 10, False, 71.30),
    ("indexer", 4, 15, False, 63.18),
    ("file-system", 5, 30, False, None),
    ("file-system", 5, 60, False, None),
    ("file-system", 5, 70, False, 50.0),
    ("file-system", 5, 90, False, 52.37),
    ("file-system", 5, 100, False, 19.90),
    ("philosophers", 5, 10, True, None),
    ("philosophers", 7, 10, True, None),
    ("philosophers", 10, 10, True, 12.31),
    ("philosophers", 12, 10, True, 6.14),
    ("philosophers", 15, 10, True, 13.08),
    ("litmus", 4, 20, True, None),
    ("litmus", 5, 20, True, None),
    ("litmus", 6, 20, True, 76.56),
    ("litmus", 7, 20, True, 86.46),
    ("litmus", 8, 20, True, 100.0),  # the paper's BMC did not end within two hours
]
FIGURE_2 = [("litmus", 5, depth, False, None) for depth in range(4, 31, 2)]
# Beyond the paper: where the rows of table 1 end too soon to tell.
DEEPER = [
    ("indexer", 4, 20, False, None),
    ("indexer", 4, 25, False, None),
    ("indexer", 6, 18, False, None),
    ("litmus", 6, 32, False, None),
    ("litmus", 7, 32, False, None),
    ("litmus", 8, 32, False, None),
    ("litmus-sums", 5, 18, False, None),
    ("litmus-sums", 5, 20, False, None),
    ("litmus-sums", 5, 22, False, None),
    ("philosophers", 15, 9, False, None),
    ("file-system-shared", 3, 20, False, None),
]
FAMILIES = ["indexer", "file-system", "philosophers", "litmus", "litmus-sums", "file-system-shared"]
EXPERIMENTS = {"table 1": TABLE_1, "figure 2": FIGURE_2, "deeper": DEEPER}
# Ratios of times below this say nothing.
MEASURABLE = 0.1


@dataclass
class Run:
    experiment: str
    family: str
    processes: int
    depth: int
    mode: str
    answer: str  # SAT, UNSAT (no violation up to the depth), LIMIT or ERROR
    total: float
    solve: float = 0.0
    build: float = 0.0
    peak_kib: int = 0
    terms: int = 0
    note: str = ""
    seed: int = 1

    def finished(self):
        return self.answer in ("SAT", "UNSAT")

    def row(self):
        return (self.experiment, self.family, self.processes, self.depth)


def is_random(row):
    return row[0].startswith("litmus")


@functools.cache
def program_text(family, processes, satisfiable, seed):
    if family.startswith("litmus"):
        refuted = "never" if family == "litmus-sums" else "apart"
        return families.litmus(processes, seed, values="reached" if satisfiable else refuted)
    return families.FIXED[family](processes)


class Bench:
    def __init__(self, options, scratch):
        self.cohort = options.cohort.resolve()
        self.limit = options.limit
        self.memory_mib = options.memory
        self.scratch = scratch
        self.repeat = options.repeat
        self.extra = [] if options.simplified else ["--no-simplify"]

    def run(self, experiment, row, mode, seed):
        runs = [self.run_once(experiment, row, mode, seed)]
        while len(runs) < self.repeat and runs[0].total < 5:
            runs.append(self.run_once(experiment, row, mode, seed))
        wrong = [run for run in runs if not run.finished() or run.note]
        return wrong[0] if wrong else min(runs, key=lambda run: run.total)

    def run_once(self, experiment, row, mode, seed):
        family, processes, depth, satisfiable, _ = row
        file = self.scratch / "program.pbmc"
        file.write_text(program_text(family, processes, satisfiable, seed))
        command = [self.cohort, "verify", file, "--engine", "bmc", "--depth", depth, "--format", "json", "--stats",
                   "--memory-limit", self.memory_mib] + MODES[mode] + self.extra
        seconds = math.ceil(self.limit)
        with open(self.scratch / "output", "w+") as sink:
            process = subprocess.Popen([str(word) for word in command], stdout=sink, stderr=subprocess.DEVNULL,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5)))
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            sink.seek(0)
            output = sink.read()
        run = Run(experiment, family, processes, depth, mode, "ERROR", usage.ru_utime + usage.ru_stime, peak_kib=usage.ru_maxrss,
                  seed=seed)
        self.read_answer(run, output, satisfiable)
        return run

    def read_answer(self, run, output, satisfiable):
        try:
            document = json.loads(output)
        except json.JSONDecodeError:
            run.answer = "LIMIT" if run.total >= self.limit * 0.98 else "ERROR"
            run.note = "no answer"
            return
        figures = document.get("statistics", {})
        # The engine tells elapsed time; other load on the machine stretches both parts alike, so they are taken as shares.
        solve, build = figures.get("solve_seconds", 0.0), figures.get("build_seconds", 0.0)
        if solve + build > 0:
            run.solve = run.total * solve / (solve + build)
            run.build = run.total - run.solve
        run.terms = figures.get("terms", 0)
        reason = document.get("reason") or ""
        if document["verdict"] == "UNSAFE":
            run.answer = "SAT"
        elif document["verdict"] == "SAFE" or reason.startswith("no violation up to depth"):
            run.answer = "UNSAT"
        else:
            run.answer = "LIMIT"
            run.note = reason
        if run.finished() and (run.answer == "SAT") != satisfiable:
            # Values that random executions did not reach together may yet be reached; only for seed 1 it is known that they are not.
            guessed = run.family == "litmus" and not satisfiable and run.seed != 1
            run.note = "the values are reached after all" if guessed else "WRONG ANSWER"


def reduction(runs, row, base="bmc", other="pbmc"):
    """Per cent of the total time; none where it cannot be told."""
    before, after = runs.get((row, base)), runs.get((row, other))
    if not before or not after or not after.finished():
        return None
    if not before.finished() or before.total >= MEASURABLE:
        return 100.0 * (1.0 - after.total / before.total)
    return None


def summary_table(results, rows):
    runs = {(run.row(), run.mode): run for run in results}
    lines = [f"{'row':<20}{'depth':>6}  " + "".join(f"{mode + ' solve':>16}{'total':>9}" for mode in MODES) + f"{'reduction':>12}{'paper':>9}"]
    for experiment, row in rows:
        key = (experiment, *row[:3])
        if not any((key, mode) in runs for mode in MODES):
            continue
        cells = ""
        for mode in MODES:
            run = runs.get((key, mode))
            if run is None:
                cells += f"{'-':>16}{'-':>9}"
            elif run.finished():
                cells += f"{run.solve:>16.2f}{run.total:>9.2f}"
            else:
                cells += f"{run.answer:>16}{'>' + format(run.total, '.0f'):>9}"
        gain = reduction(runs, key)
        bounded = gain is not None and not runs[(key, "bmc")].finished()
        gain_text = "-" if gain is None else f"{'>' if bounded else ''}{gain:.1f} %"
        paper = "-" if row[4] is None else f"{row[4]:.1f} %"
        lines.append(f"{row[0] + ' ' + str(row[1]):<20}{row[2]:>6}  {cells}{gain_text:>12}{paper:>9}")
    return lines


def spread_table(results, rows, seeds):
    """Of the rows with random programs: the reductions that can be told, over all seeds."""
    lines = [f"{'row':<20}{'depth':>6}{'seeds':>7}{'least':>9}{'median':>9}{'most':>9}"]
    for experiment, row in rows:
        gains = []
        for seed in seeds:
            runs = {(run.row(), run.mode): run for run in results if run.seed == seed and run.note == ""}
            gain = reduction(runs, (experiment, *row[:3]))
            gains += [] if gain is None else [gain]
        if is_random(row) and gains:
            told = "".join(f"{gain:>7.1f} %" for gain in (min(gains), statistics.median(gains), max(gains)))
            lines.append(f"{row[0] + ' ' + str(row[1]):<20}{row[2]:>6}{len(gains):>7}{told}")
    return lines


def missed_aims(results, rows):
    """What of the aims is not met, a line each."""
    runs = {(run.row(), run.mode): run for run in results}
    lines = []
    for run in results:
        name = f"{run.family} {run.processes} at depth {run.depth}, {run.mode}"
        if run.note == "WRONG ANSWER" or run.answer == "ERROR":
            lines.append(f"{name}: {run.answer} {run.note}")
        if run.finished() and run.total > 10 and run.total - run.solve > 0.1 * run.total:
            lines.append(f"{name}: building takes {100 * (1 - run.solve / run.total):.0f} % of {run.total:.1f} s")
    for experiment, row in rows:
        key = (experiment, *row[:3])
        name = f"{row[0]} {row[1]} at depth {row[2]}"
        answers = {runs[(key, mode)].answer for mode in MODES if (key, mode) in runs and runs[(key, mode)].finished()}
        if len(answers) > 1:
            lines.append(f"{name}: the modes disagree")
        if experiment != "table 1" or (key, "pbmc") not in runs:
            continue
        if not runs[(key, "pbmc")].finished():
            lines.append(f"{name}: pbmc does not end within the limit")
        gain = reduction(runs, key)
        if gain is None:
            if row[4] is not None:
                lines.append(f"{name}: no reduction can be told, the paper's is {row[4]:.1f} %")
            continue
        if row[4] is not None and row[4] < 100 and gain < row[4]:
            lines.append(f"{name}: a reduction of {gain:.1f} %, the paper's is {row[4]:.1f} %")
        if gain < -10:
            lines.append(f"{name}: pbmc costs {-gain:.1f} % extra")
    return lines


def draw_figure_2(results, out):
    if not any(run.experiment == "figure 2" for run in results) or not draws():
        return
    with open(out / "fig2.dat", "w") as data:
        for mode in MODES:
            data.write(f'"{mode}"\n')
            for run in results:
                if run.experiment == "figure 2" and run.mode == mode and run.finished():
                    data.write(f"{run.depth} {max(run.total, 0.01):.3f}\n")
            data.write("\n\n")
    plots = ", ".join(f'"{out}/fig2.dat" index {i} using 1:2 with linespoints title "{mode}"' for i, mode in enumerate(MODES))
    script = (f'set terminal svg size 640,480; set output "{out}/fig2.svg"; set logscale y; set key left top; '
              f'set xlabel "depth"; set ylabel "total processor time (s)"; set title "litmus 5, no violation"; plot {plots}')
    draw(script)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohort", type=Path, default=ROOT / "build/cohort", help="the program to run")
    parser.add_argument("--out", type=Path, default=ROOT / "build/results/pbmc", help="folder for the results")
    parser.add_argument("--limit", type=float, default=600, help="processor seconds for each run")
    parser.add_argument("--memory", type=int, default=8192, help="MiB for each run")
    parser.add_argument("--family", action="append", choices=FAMILIES, help="only these families (repeatable)")
    parser.add_argument("--experiment", choices=list(EXPERIMENTS), help="only this one")
    parser.add_argument("--mode", action="append", choices=list(MODES), help="only these (repeatable)")
    parser.add_argument("--repeat", type=int, default=1, help="times to run what takes less than 5 s; the least time counts")
    parser.add_argument("--seed", type=int, default=1, help="of the random programs")
    parser.add_argument("--seeds", type=int, default=1, help="so many seeds, from --seed on; the table of rows is that of the first")
    parser.add_argument("--simplified", action="store_true", help="let Cohort simplify the programs first")
    return parser.parse_args()


def main():
    options = read_arguments()
    wanted = options.family or FAMILIES
    rows = [(name, row) for name, experiment in EXPERIMENTS.items() for row in experiment]
    rows = [(experiment, row) for experiment, row in rows if row[0] in wanted and options.experiment in (None, experiment)]
    modes = options.mode or list(MODES)
    seeds = list(range(options.seed, options.seed + options.seeds))
    options.out.mkdir(parents=True, exist_ok=True)
    results, given_up = [], set()
    with tempfile.TemporaryDirectory() as scratch, open(options.out / "results.csv", "w", newline="") as sink:
        bench = Bench(options, Path(scratch))
        writer = csv.writer(sink)
        writer.writerow([field.name for field in fields(Run)])
        for experiment, row in rows:
            for seed, mode in itertools.product(seeds if is_random(row) else seeds[:1], modes):
                if experiment == "figure 2" and (seed, mode) in given_up:
                    continue  # it would not end at a larger depth either
                run = bench.run(experiment, row, mode, seed)
                results.append(run)
                if experiment == "figure 2" and not run.finished():
                    given_up.add((seed, mode))
                writer.writerow([getattr(run, field.name) for field in fields(Run)])
                sink.flush()
                print(f"{experiment}: {row[0]} {row[1]} depth {row[2]} {mode}{f' seed {seed}' if seed != 1 else ''}: {run.answer} "
                      f"{run.total:.2f} s {run.note}", file=sys.stderr)
    first = [run for run in results if run.seed == options.seed]
    lines = summary_table(first, rows)
    if len(seeds) > 1:
        lines += ["", f"reductions with {len(seeds)} seeds:"] + spread_table(results, rows, seeds)
    missed = missed_aims(first, rows)
    lines += ["", "missed:" if missed else "nothing is missed in the rows that were run"] + [f"  {line}" for line in missed]
    text = "\n".join(lines) + "\n"
    (options.out / "summary.txt").write_text(text)
    print(text, end="")
    draw_figure_2(first, options.out)


if __name__ == "__main__":
    main()
