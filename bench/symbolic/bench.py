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
  explicit          cohort verify --engine explicit --no-por        for comparison
  explicit+por      the same with --por

By default the programs are taken as they are (--no-simplify), as the paper's tool did; --simplified measures what users get, where Cohort's
passes have merged local steps already and leave the reductions less to do.

Times and limits are processor times, less what starting the process takes, and the least of three for short runs, so that other load on the machine matters little.  Writes results.csv, summary.txt and the
scatter plots fig4.svg, fig6.svg, fig7.svg and fig8.svg into the output folder.

With --largest one configuration is run alone, and the table largest.csv says for each program up to how many threads it finishes within
the limit.
"""

import argparse
import csv
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common.measure import (ROOT, Table, conclude, geometric_mean, limit_processor_time, pairs_of, percent, read_runs, scatter,
                            wall_clock_limit)

CONFIGURATIONS = {
    "counter": ["--engine", "symbolic"],
    "no-merging": ["--engine", "symbolic", "--no-merging"],
    "counter+por": ["--engine", "symbolic", "--por"],
    "plain": ["--engine", "symbolic", "--no-symmetry"],
    "plain+por": ["--engine", "symbolic", "--no-symmetry", "--por"],
    "explicit": ["--engine", "explicit", "--no-por"],
    "explicit+por": ["--engine", "explicit", "--por"],
}
# Figure of the paper: horizontal and vertical configuration, and what the axes are called.
FIGURES = {
    "fig4": ("plain", "counter"),
    "fig6": ("plain+por", "counter+por"),
    "fig7": ("counter", "counter+por"),
    "fig8": ("plain+por", "counter"),
}
THREADS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 30, 40, 60, 100]
# Below this, ratios say nothing.
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
        self.startup = min(self.processor_time([self.cohort, "--version"], subprocess.DEVNULL)[0] for _ in range(5))

    def processor_time(self, command, sink):
        """Runs the command; returns what it used in seconds, its peak memory in KiB and its exit code."""
        process = subprocess.Popen([str(word) for word in command], stdout=sink, stderr=subprocess.DEVNULL,
                                   preexec_fn=lambda: limit_processor_time(self.limit, grace=5))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss, process.returncode

    def prepare(self, path):
        text = path.read_text(errors="replace")
        file = self.scratch / f"{len(list(self.scratch.iterdir()))}.bp"
        file.write_text(without_assertions(text))
        creates = re.search(r"\bstart_thread\b|\bASYNC_", text) is not None
        return file, [] if creates else ["--initial", "any"]

    def run(self, program, file, extra, threads, configuration):
        """Short runs are repeated, if they count at all, and the fastest is taken: their times are mostly noise of the machine."""
        best = self.run_once(program, file, extra, threads, configuration)
        for _ in range(2 if MEASURABLE <= best.seconds < 0.5 else 0):
            again = self.run_once(program, file, extra, threads, configuration)
            if again.finished() and again.seconds < best.seconds:
                best = again
        return best

    def run_once(self, program, file, extra, threads, configuration):
        command = [self.cohort, "verify", file, "--threads", threads, "--format", "json", "--stats",
                   "--time-limit", wall_clock_limit(self.limit), "--memory-limit", self.memory_mib]
        command += CONFIGURATIONS[configuration] + self.passes + extra
        with open(self.scratch / "output", "w+") as sink:
            used, peak_kib, code = self.processor_time(command, sink)
            sink.seek(0)
            output = sink.read()
        run = Run(program, threads, configuration, "ERROR", max(0.001, used - self.startup), peak_kib)
        try:
            answer = json.loads(output)
        except ValueError:
            if used >= self.limit or code == -signal.SIGXCPU:
                run.verdict = "UNKNOWN"
            run.note = (output.strip().splitlines() or [f"exit code {code}"])[-1][:120]
            return run
        run.verdict = answer["verdict"]
        run.note = (answer.get("reason") or "")[:120]
        if run.verdict == "UNKNOWN" and run.note.startswith("time limit") and used < self.limit:
            run.verdict = "ERROR"  # the wall clock ended it, so the machine was too busy to tell
        for field in fields(Run):
            # Cohort's own `seconds` are of the wall clock.
            if field.name in answer["statistics"] and field.name != "seconds":
                setattr(run, field.name, answer["statistics"][field.name])
        return run


def run_all(bench, programs, configurations, max_threads, table):
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
                table.add(run)
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


def write_largest(runs, limit, folder):
    """For each program the largest bound with which the run finished, and whether larger ones make no difference."""
    by_program = {}
    for run in runs:
        by_program.setdefault(run.program, []).append(run)
    rows = []
    for program, own in by_program.items():
        done = [run for run in own if run.finished()]
        # Both a program that stops growing and one that reaches the end of the list end with a finished run.
        open_end = len(done) == len(own)
        rows.append((program, done[-1].threads if done else 0, "and more" if open_end else "", f"{done[-1].seconds:.2f}" if done else "",
                     done[-1].symbolic_states if done else 0))
    with open(folder / "largest.csv", "w", newline="") as sink:
        writer = csv.writer(sink)
        writer.writerow(["program", "threads", "", "seconds", "symbolic_states"])
        writer.writerows(rows)
    lines = [f"{program:40} {threads:>4} {more:9} {seconds:>7} s {states:>9} symbolic states" for program, threads, more, seconds, states in rows]
    for least in [2, 3, 4, 5, 6, 8, 10, 20, 100]:
        count = sum(bool(more) or threads >= least for _, threads, more, _, _ in rows)
        lines.append(f"{least} threads or more within {limit:g} s of processor time: {percent(count, len(rows))}")
    return lines


def measurable(pairs):
    return [pair for pair in pairs if max(run.seconds for run in pair) >= MEASURABLE]


def ratio(slow, fast):
    """How many times faster the second is; a run that hit the limit counts with the time it had used."""
    return slow.seconds / max(fast.seconds, 0.001)


def wins(pairs):
    """How often the second configuration is the faster one."""
    return sum(b.finished() and (not a.finished() or b.seconds < a.seconds) for a, b in pairs)


def gain(runs, slow, fast):
    pairs = measurable(pairs_of(runs, "configuration", slow, fast))
    if not pairs:
        return f"{slow} -> {fast}: nothing measurable"
    ratios = [ratio(*pair) for pair in pairs]
    total = sum(a.seconds for a, _ in pairs) / max(sum(b.seconds for _, b in pairs), 0.001)
    alone = sum(b.finished() and not a.finished() for a, b in pairs)
    return (f"{slow} -> {fast}: {statistics.mean(ratios):.1f} times faster on average, {geometric_mean(ratios):.2f} in the geometric mean, "
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
    pairs = measurable(pairs_of(runs, "configuration", "plain", "counter"))
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
    pairs = [(ours, theirs) for theirs, ours in pairs_of(runs, "configuration", horizontal, vertical)]
    scatter(pairs, folder / f"{figure}.svg", limit, 0.003, (vertical, horizontal), classes)


def find_programs(options):
    folders = [] if options.only_benchmarks else [ROOT / "bench" / "explicit" / "programs", ROOT / "examples" / "bp"]
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
    if options.sample:
        # In the order in which they are drawn: a run that is stopped early has measured a sample, too.
        programs = random.Random(options.seed).sample(programs, min(options.sample, len(programs)))
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
    parser.add_argument("--only-benchmarks", action="store_true", help="leave out the programs of this repository")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="run only N programs, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--max-threads", type=int, default=10**9)
    parser.add_argument("--configurations", default=",".join(CONFIGURATIONS))
    parser.add_argument("--largest", metavar="CONFIGURATION", choices=CONFIGURATIONS,
                        help="only find the largest number of threads for each program")
    parser.add_argument("--from", type=Path, dest="results", metavar="CSV", nargs="+",
                        help="run nothing: summarise and plot earlier tables, complete or not")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.results:
        runs = [run for results in options.results for run in read_runs(results, Run)]
    else:
        configurations = [options.largest] if options.largest else options.configurations.split(",")
        with tempfile.TemporaryDirectory(prefix="cohort-bench-") as folder, open(options.out / "results.csv", "w", newline="") as sink:
            runs = run_all(Bench(options, Path(folder)), find_programs(options), configurations, options.max_threads, Table(sink, Run))
    if options.largest:
        conclude(runs, "configuration", write_largest(runs, options.limit, options.out), options.out)
    for figure in FIGURES:
        plot(runs, figure, options.limit, options.out)
    conclude(runs, "configuration", summarise(runs), options.out)


if __name__ == "__main__":
    main()
