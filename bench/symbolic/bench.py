#!/usr/bin/env python3
"""Redoes the symbolic experiments of the BOOM paper (sections 7.1 and 7.3): figures 4, 6, 7 and 8 and the summary figures.

Every program is explored in full, as in the paper: assertions are replaced by branches that read the same variables, so that no
violation ends a run early.  A program without thread creation runs one copy of main in each thread.  The bound on threads grows until
the limit; a configuration that does not finish is not tried on larger bounds.  Configurations, side by side in one run:
  counter           cohort verify --engine symbolic                 symbolic counter abstraction
  no-merging        the same with --no-merging
  counter+por       the same with --por
  plain             cohort verify --engine symbolic --no-symmetry   the baseline that ignores symmetry
  plain+por         the same with --por
  explicit          cohort verify --engine explicit                 for comparison
  explicit+por      the same with --por

By default the programs are taken as they are (--no-simplify), as the paper's tool did; --simplified measures what users get, where Cohort's
passes have merged local steps already and leave the reductions less to do.

Times are processor times of the whole process, the least of three for short runs, so that other load on the machine matters little.  Writes results.csv, summary.txt and the
scatter plots fig4.svg, fig6.svg, fig7.svg and fig8.svg into the output folder.
"""

import argparse
import csv
import json
import math
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, fields
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATIONS = {
    "counter": ["--engine", "symbolic"],
    "no-merging": ["--engine", "symbolic", "--no-merging"],
    "counter+por": ["--engine", "symbolic", "--por"],
    "plain": ["--engine", "symbolic", "--no-symmetry"],
    "plain+por": ["--engine", "symbolic", "--no-symmetry", "--por"],
    "explicit": ["--engine", "explicit"],
    "explicit+por": ["--engine", "explicit", "--por"],
}
# Figure of the paper: horizontal and vertical configuration, and what the axes are called.
FIGURES = {
    "fig4": ("plain", "counter"),
    "fig6": ("plain+por", "counter+por"),
    "fig7": ("counter", "counter+por"),
    "fig8": ("plain+por", "counter"),
}
THREADS = [2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 30]
# Below this, starting the process is most of the time, and ratios say nothing.
MEASURABLE = 0.02


@dataclass
class Run:
    program: str
    threads: int
    configuration: str
    verdict: str
    seconds: float
    peak_kib: int = 0
    symbolic_states: int = 0
    edges: int = 0
    splice_candidate_edges: int = 0
    splice_edges: int = 0
    splice_variables: str = ""
    splice_candidates: int = 0
    candidates_with_two_cofactors: int = 0
    note: str = ""

    def finished(self):
        return self.verdict in ("SAFE", "UNSAFE")


def balanced_end(text, start):
    """The index behind the parenthesis that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    return len(text)


def without_assertions(text):
    """The program with `assert(E)` replaced by a branch on E, and the label SLIC_ERROR renamed."""
    text = re.sub(r"//[^\n]*", "", text)
    result, at = [], 0
    for match in re.finditer(r"\bassert\s*\(", text):
        if match.start() < at:
            continue
        end = balanced_end(text, match.end() - 1)
        result.append(text[at:match.start()])
        result.append(f"if {text[match.end() - 1:end]} then skip; fi")
        at = end
    result.append(text[at:])
    return "".join(result).replace("SLIC_ERROR", "NO_ERROR")


class Bench:
    def __init__(self, options, scratch):
        self.cohort = options.cohort.resolve()
        self.limit = options.limit
        self.memory_mib = options.memory
        self.scratch = scratch
        self.passes = [] if options.simplified else ["--no-simplify"]

    def prepare(self, path):
        text = path.read_text(errors="replace")
        file = self.scratch / f"{len(list(self.scratch.iterdir()))}.bp"
        file.write_text(without_assertions(text))
        creates = re.search(r"\bstart_thread\b|\bASYNC_", text) is not None
        return file, [] if creates else ["--initial", "any"]

    def run(self, program, file, extra, threads, configuration):
        """Short runs are repeated, and the fastest counts: their times are mostly noise of the machine."""
        best = self.run_once(program, file, extra, threads, configuration)
        for _ in range(2 if best.seconds < 0.5 else 0):
            again = self.run_once(program, file, extra, threads, configuration)
            if again.finished() and again.seconds < best.seconds:
                best = again
        return best

    def run_once(self, program, file, extra, threads, configuration):
        command = [self.cohort, "verify", file, "--threads", threads, "--format", "json", "--stats", "--time-limit", self.limit,
                   "--memory-limit", self.memory_mib] + CONFIGURATIONS[configuration] + self.passes + extra
        with open(self.scratch / "output", "w+") as sink:
            process = subprocess.Popen([str(word) for word in command], stdout=sink, stderr=subprocess.DEVNULL,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(self.limit * 1.2) + 5,) * 2))
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            sink.seek(0)
            output = sink.read()
        run = Run(program, threads, configuration, "ERROR", usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
        try:
            answer = json.loads(output)
        except ValueError:
            run.note = (output.strip().splitlines() or [f"exit code {process.returncode}"])[-1][:120]
            return run
        run.verdict = answer["verdict"]
        run.note = (answer.get("reason") or "")[:120]
        for field in fields(Run):
            if field.name in answer["statistics"]:
                setattr(run, field.name, answer["statistics"][field.name])
        return run


def run_all(bench, programs, configurations, max_threads, sink):
    writer = csv.writer(sink)
    writer.writerow(field.name for field in fields(Run))
    runs = []
    for name, path in programs:
        file, extra = bench.prepare(path)
        given_up = set()
        previous = None
        for threads in [n for n in THREADS if n <= max_threads]:
            round_runs = []
            for configuration in configurations:
                if configuration in given_up:
                    continue
                run = bench.run(name, file, extra, threads, configuration)
                round_runs.append(run)
                writer.writerow(f"{value:.4f}" if isinstance(value, float) else value for value in vars(run).values())
                sink.flush()
                if not run.finished():
                    given_up.add(configuration)
            runs += round_runs
            print(f"{name:40} n={threads:<3} " + "  ".join(f"{run.configuration} {run.seconds:.2f}{'' if run.finished() else '!'}"
                                                            for run in round_runs), flush=True)
            # A program that makes fewer threads than the bound allows does not grow any more.
            states = [(run.configuration, run.symbolic_states) for run in round_runs if run.finished()]
            if len(given_up) == len(configurations) or (states and states == previous):
                break
            previous = states
    return runs


def pairs_of(runs, one, other):
    """Runs of both configurations on the same program and bound, of which at least one finished."""
    table = {(run.program, run.threads, run.configuration): run for run in runs}
    pairs = []
    for run in runs:
        partner = table.get((run.program, run.threads, other))
        if run.configuration == one and partner and (run.finished() or partner.finished()):
            if "ERROR" not in (run.verdict, partner.verdict):
                pairs.append((run, partner))
    return pairs


def measurable(pairs):
    return [pair for pair in pairs if max(run.seconds for run in pair) >= MEASURABLE]


def ratio(slow, fast):
    """How many times faster the second is; a run that hit the limit counts with the time it had used."""
    return slow.seconds / max(fast.seconds, 0.001)


def wins(pairs):
    """How often the second configuration is the faster one."""
    return sum(b.finished() and (not a.finished() or b.seconds < a.seconds) for a, b in pairs)


def percent(part, whole):
    return f"{100 * part / whole:.0f} % ({part} of {whole})" if whole else "none measurable"


def gain(runs, slow, fast):
    pairs = measurable(pairs_of(runs, slow, fast))
    if not pairs:
        return f"{slow} -> {fast}: nothing measurable"
    ratios = [ratio(*pair) for pair in pairs]
    total = sum(a.seconds for a, _ in pairs) / max(sum(b.seconds for _, b in pairs), 0.001)
    geometric = math.exp(sum(map(math.log, ratios)) / len(ratios))
    alone = sum(b.finished() and not a.finished() for a, b in pairs)
    return (f"{slow} -> {fast}: {statistics.mean(ratios):.1f} times faster on average, {geometric:.2f} in the geometric mean, "
            f"{total:.2f} over the total time, at most {max(ratios):.0f} ({len(pairs)} runs, {alone} finished by {fast} only)")


def splice_lines(runs):
    largest = {}
    for run in runs:
        if run.configuration == "counter" and run.edges > 0:
            largest[run.program] = run
    some = list(largest.values())
    edges = sum(run.edges for run in some)
    lines = [f"splice statements: {percent(sum(run.splice_candidate_edges for run in some), edges)} by the syntactic test, "
             f"{percent(sum(run.splice_edges for run in some), edges)} ever spliced [paper: below 12 %]"]
    counts = []
    for run in some:
        for item in run.splice_variables.split():
            variables, times = item.split(":")
            counts += [int(variables)] * int(times)
    if counts:
        lines.append(f"splice variables: mean {statistics.mean(counts):.1f}, median {statistics.median(counts):.0f} [2.1, 1]")
    candidates = sum(run.splice_candidates for run in some)
    both = sum(run.candidates_with_two_cofactors for run in some)
    lines.append(f"of the shared variables that the test names, at each image: two satisfiable cofactors {percent(both, candidates)} [10 %]")
    return lines


def summarise(runs):
    pairs = measurable(pairs_of(runs, "plain", "counter"))
    many = [pair for pair in pairs if pair[0].threads >= 3]
    lines = [
        f"counter abstraction faster than plain: {percent(wins(pairs), len(pairs))} [paper: 83 %]; "
        f"with three or more threads: {percent(wins(many), len(many))} [96 %]",
        gain(runs, "plain", "counter") + " [largest: five orders of magnitude]",
        gain(runs, "no-merging", "counter") + " [83 % = 1.83]",
        gain(runs, "plain", "plain+por") + " [4.2]",
        gain(runs, "counter", "counter+por") + " [140]",
        gain(runs, "plain+por", "counter+por") + " [156]",
        gain(runs, "plain+por", "counter") + " [4.2]",
        gain(runs, "explicit", "explicit+por"),
        gain(runs, "explicit", "counter"),
    ]
    return lines + splice_lines(runs)


def plot(runs, figure, limit, folder):
    horizontal, vertical = FIGURES[figure]
    classes = [("2 threads", 2, 2), ("3 threads", 3, 3), ("4-5 threads", 4, 5), ("6-8 threads", 6, 8), ("more", 9, 10**9)]
    pairs = pairs_of(runs, horizontal, vertical)
    floor = 0.003
    blocks, curves = [], []
    for name, low, high in classes:
        points = [pair for pair in pairs if low <= pair[0].threads <= high]
        if points:
            curves.append(f"$points index {len(blocks)} using 2:1 with points pointtype {len(blocks) + 4} title '{name}'")
            blocks.append("\n".join(
                " ".join(f"{limit if not run.finished() else max(floor, run.seconds):.4f}" for run in pair) for pair in points))
    if not blocks:
        return
    script = f"""
set terminal svg size 640,640 dynamic background rgb 'white'
set output '{folder / f"{figure}.svg"}'
set logscale xy
set xrange [{floor}:{limit * 1.5}]
set yrange [{floor}:{limit * 1.5}]
set size square
set grid
set key bottom right
set xlabel '{vertical} [s]'
set ylabel '{horizontal} [s]'
$points << END
{(chr(10) * 3).join(blocks)}
END
plot x notitle with lines linecolor 'black', {", ".join(curves)}
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def disagreements(runs):
    verdicts = {}
    for run in runs:
        if run.finished():
            verdicts.setdefault((run.program, run.threads), {})[run.configuration] = run.verdict
    return [(key, given) for key, given in verdicts.items() if len(set(given.values())) > 1]


def find_programs(options):
    folders = [ROOT / "bench" / "symbolic" / "programs", ROOT / "bench" / "explicit" / "programs", ROOT / "examples" / "bp"]
    if options.benchmarks.is_dir():
        folders.append(options.benchmarks)
    else:
        print(f"no benchmark folder at {options.benchmarks}: only the programs of this repository")
    programs = []
    for folder in folders:
        for path in sorted(folder.rglob("*.bp")):
            name = str(path.relative_to(folder).with_suffix(""))
            if options.only in name:
                programs.append((name, path))
    return programs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohort", type=Path, default=ROOT / "build-bench" / "cohort", help="the program to measure")
    parser.add_argument("--limit", type=float, default=float(os.environ.get("LIMIT", "60")), help="seconds for each run (or $LIMIT)")
    parser.add_argument("--memory", type=int, default=4096, help="MiB for each run")
    parser.add_argument("--out", type=Path, default=ROOT / "build-bench" / "results" / "symbolic")
    parser.add_argument("--benchmarks", type=Path,
                        default=Path(os.environ.get("COHORT_BENCHMARKS", ROOT / ".." / "shared" / "benchmarks")))
    parser.add_argument("--simplified", action="store_true", help="let Cohort simplify the programs first")
    parser.add_argument("--only", default="", help="run only programs whose name contains this")
    parser.add_argument("--max-threads", type=int, default=10**9)
    parser.add_argument("--configurations", default=",".join(CONFIGURATIONS))
    options = parser.parse_args()
    if shutil.which("gnuplot") is None:
        sys.exit("gnuplot is missing: run scripts/install_packages.sh bench")
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="cohort-bench-") as folder, open(options.out / "results.csv", "w", newline="") as sink:
        bench = Bench(options, Path(folder))
        runs = run_all(bench, find_programs(options), options.configurations.split(","), options.max_threads, sink)
    for figure in FIGURES:
        plot(runs, figure, options.limit, options.out)
    lines = summarise(runs)
    (options.out / "summary.txt").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    print(f"written: {options.out}/results.csv, summary.txt and the plots")
    wrong = disagreements(runs)
    for (program, threads), given in wrong:
        print(f"DISAGREEMENT on {program} with {threads} threads: {given}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
