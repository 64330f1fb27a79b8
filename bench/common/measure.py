"""What the benchmarks share: limits on processor time, tables of runs, comparisons of two kinds of run, scatter plots.

A run is an object with the fields program, threads, verdict and seconds, a method finished(), and one field that says what was
run (a tool, a configuration), whose name the functions take as `kind`.
"""

import csv
import functools
import math
import resource
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The wall clock is watched too, for a command that hangs without using the processor; other load on the machine must not matter.
WALL_CLOCK_FACTOR = 60


def limit_processor_time(seconds, grace=1):
    """For the child before it starts: SIGXCPU at the limit, in whole seconds, and the end some seconds later."""
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + grace))


def wall_clock_limit(seconds):
    return WALL_CLOCK_FACTOR * seconds + 60


def need(*programs):
    for program in programs:
        if shutil.which(program) is None:
            sys.exit(f"{program} is missing: run scripts/install_packages.sh bench")


@functools.cache
def draws():
    """Is there a program that draws plots?  Where there is none, says so, once: everything else is done all the same."""
    found = shutil.which("gnuplot") is not None
    if not found:
        print("no plots: gnuplot is not installed (scripts/install_packages.sh bench)", file=sys.stderr)
    return found


def draw(script):
    if draws():
        subprocess.run(["gnuplot"], input=script, text=True, check=True)


class Table:
    """A CSV file with a row for each run, written at once."""

    def __init__(self, sink, run_type):
        self.sink = sink
        self.writer = csv.writer(sink)
        self.writer.writerow(field.name for field in fields(run_type))

    def add(self, run):
        self.writer.writerow(f"{value:.4f}" if isinstance(value, float) else value for value in vars(run).values())
        self.sink.flush()


def read_runs(results, run_type):
    """The runs of an earlier results.csv."""
    with open(results, newline="") as source:
        return [run_type(**{field.name: field.type(row[field.name]) for field in fields(run_type)}) for row in csv.DictReader(source)]


def pairs_of(runs, kind, one, other):
    """Runs of both kinds on the same program and bound, of which at least one finished."""
    table = {(run.program, run.threads, getattr(run, kind)): run for run in runs}
    pairs = []
    for run in runs:
        partner = table.get((run.program, run.threads, other))
        if getattr(run, kind) == one and partner and (run.finished() or partner.finished()):
            if "ERROR" not in (run.verdict, partner.verdict):
                pairs.append((run, partner))
    return pairs


def disagreements(runs, kind):
    """Programs and bounds on which two runs gave different verdicts."""
    verdicts = {}
    for run in runs:
        if run.finished():
            verdicts.setdefault((run.program, run.threads), {})[getattr(run, kind)] = run.verdict
    return [(key, given) for key, given in verdicts.items() if len(set(given.values())) > 1]


def conclude(runs, kind, lines, folder):
    """Writes and prints the summary; the exit code says whether all runs agree."""
    (folder / "summary.txt").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    print(f"written: {folder}/summary.txt, the table and the plots")
    wrong = disagreements(runs, kind)
    for (program, threads), given in wrong:
        print(f"DISAGREEMENT on {program} with {threads} threads: {given}")
    sys.exit(1 if wrong else 0)


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values)) if values else float("nan")


def percent(part, whole):
    return f"{100 * part / whole:.0f} % ({part} of {whole})" if whole else "none"


def scatter(pairs, file, limit, floor, labels, classes, times=None):
    """Running times of pairs of runs, the first along the horizontal axis, one mark for each class (name, from, to) of thread counts.

    Runs that did not finish are drawn at the limit.  `times`: also draws the line of this factor.
    """
    blocks, curves = [], []
    for name, low, high in classes:
        points = [pair for pair in pairs if low <= pair[0].threads <= high]
        if points:
            curves.append(f"$points index {len(blocks)} using 1:2 with points pointtype {len(blocks) + 4} title '{name}'")
            blocks.append("\n".join(
                " ".join(f"{limit if not run.finished() else max(floor, run.seconds):.4f}" for run in pair) for pair in points))
    if not blocks:
        return
    if times:
        curves.insert(0, f"{times}*x title '{times} times' with lines linecolor 'grey'")
    script = f"""
set terminal svg size 640,640 dynamic background rgb 'white'
set output '{file}'
set logscale xy
set xrange [{floor}:{limit * 1.5}]
set yrange [{floor}:{limit * 1.5}]
set size square
set grid
set key bottom right
set xlabel '{labels[0]} [s]'
set ylabel '{labels[1]} [s]'
set arrow from {floor},{limit} to {limit * 1.5},{limit} nohead dashtype 2
set arrow from {limit},{floor} to {limit},{limit * 1.5} nohead dashtype 2
$points << END
{(chr(10) * 3).join(blocks)}
END
plot x notitle with lines linecolor 'black', {", ".join(curves)}
"""
    draw(script)
