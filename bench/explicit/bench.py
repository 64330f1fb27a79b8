#!/usr/bin/env python3
"""Compares explicit counter abstraction with what else can be run on the same programs, side by side in one run.

For every program and bound on threads listed in programs.txt:
  cohort        cohort verify --engine explicit --no-por
  as-written    the same with --no-simplify: the very program that Rumur gets, without Cohort's passes
  plain         cohort with --no-symmetry
  rumur         the program converted to Murphi with the threads as a scalarset, Rumur with exhaustive symmetry reduction:
                its only mode that, as counters do, explores one state for each class of equivalent ones
  rumur-sort    Rumur's default, the sorting heuristic: faster a state, but it may explore several of a class
  spin          the program converted to Promela, Spin's default search for safety (no symmetry, partial-order reduction)

Times are processor times, as everyone runs on one core, and the same whether or not the machine is busy with other things.  Those of
Rumur and Spin are of the search alone: generating and compiling their verifiers is not counted.  The limits of time and memory are
the same for everyone; memory is the peak of resident memory.  A program's header says which labels it must not reach and
whether it starts with as many threads as the bound allows (see examples/README.md).

Writes results.csv, summary.txt and the scatter plots into the output folder.
"""

import argparse
import json
import math
import re
import resource
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common.measure import (ROOT, Table, conclude, geometric_mean, limit_processor_time, need, pairs_of, percent, read_runs, scatter,
                            wall_clock_limit)

TOOLS = ["cohort", "as-written", "plain", "rumur", "rumur-sort", "spin"]
# What `timeout` and the limit of processor time leave as exit code.
STOPPED_BY_TIME = (124, 128 + signal.SIGXCPU, 128 + signal.SIGKILL)
# Spin allocates its stack in advance: the first of these depths that suffices is the run that counts.
SEARCH_DEPTHS_OF_SPIN = [10_000, 1_000_000, 50_000_000]


@dataclass
class Run:
    program: str
    threads: int
    tool: str
    verdict: str  # SAFE, UNSAFE, TIMEOUT, MEMORY or ERROR
    seconds: float
    states: int = 0
    transitions: int = 0
    peak_kib: int = 0
    note: str = ""

    def finished(self):
        return self.verdict in ("SAFE", "UNSAFE")


@dataclass
class Outcome:
    """What running one command gave."""

    seconds: float
    timed_out: bool
    code: int
    output: str
    peak_kib: int


def processor_seconds():
    """Used so far by all commands that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def reading_options(file):
    """How the program wants to be read, from its header."""
    options = []
    for line in file.read_text().splitlines():
        if line.startswith("// label:"):
            options += ["-l", line.split(":")[1].strip()]
        elif line.startswith("// initial: N"):
            options += ["--initial", "any"]
    return options


class Bench:
    def __init__(self, options):
        self.cohort = options.cohort.resolve()
        self.limit = options.limit
        self.memory_mib = options.memory
        self.scratch = None

    def execute(self, command, limit):
        """Runs the command in the scratch folder; GNU time tells its peak memory without the interpreter's own.

        Cohort watches its resident memory itself and reserves address space in advance; the others are confined.
        """
        report = self.scratch / "time.txt"
        log = self.scratch / "output.txt"
        report.unlink(missing_ok=True)

        def confine():
            address_space = resource.RLIM_INFINITY if command[0] == self.cohort else self.memory_mib << 20
            resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
            limit_processor_time(limit)

        before = processor_seconds()
        with open(log, "w") as sink:
            code = subprocess.call(
                ["time", "-q", "-f", "%M", "-o", report, "timeout", str(wall_clock_limit(limit))] + [str(word) for word in command],
                cwd=self.scratch, stdout=sink, stderr=subprocess.STDOUT, preexec_fn=confine)
        seconds = processor_seconds() - before
        words = report.read_text().split() if report.exists() else []
        # Cohort takes the signal at the limit as a request to stop, and says UNKNOWN.
        timed_out = code in STOPPED_BY_TIME or seconds >= math.ceil(limit)
        return Outcome(limit if timed_out else seconds, timed_out, code, log.read_text(errors="replace"), int(words[-1]) if words else 0)

    def prepare(self, command):
        """Generates or compiles; returns what went wrong, or None."""
        outcome = self.execute(command, 120)
        if outcome.timed_out or outcome.code != 0:
            last = outcome.output.strip().splitlines()[-1:] or ["no output"]
            return f"{command[0]}: {last[0][:120]}"
        return None

    def failed(self, outcome, program, threads, tool):
        note = ""
        if outcome.timed_out:
            verdict = "TIMEOUT"
        elif re.search(r"memory limit|out of memory|bad_alloc|failed to (m|re)?alloc", outcome.output):
            verdict = "MEMORY"
        else:
            verdict = "ERROR"
            note = (outcome.output.strip().splitlines()[-1:] or [f"exit code {outcome.code}"])[0][:120]
        return Run(program, threads, tool, verdict, outcome.seconds, peak_kib=outcome.peak_kib, note=note)

    def run_cohort(self, file, program, threads, tool):
        command = [self.cohort, "verify", file, "--threads", threads, "--engine", "explicit", "--no-por", "--format", "json", "--stats",
                   "--memory-limit", self.memory_mib] + reading_options(file)
        command += {"plain": ["--no-symmetry"], "as-written": ["--no-simplify"]}.get(tool, [])
        outcome = self.execute(command, self.limit)
        try:
            result = json.loads(outcome.output)
        except ValueError:
            return self.failed(outcome, program, threads, tool)
        if result["verdict"] not in ("SAFE", "UNSAFE"):
            return self.failed(outcome, program, threads, tool)
        statistics = result["statistics"]
        return Run(program, threads, tool, result["verdict"], outcome.seconds, statistics["states"],
                   statistics["transitions"], outcome.peak_kib)

    def convert(self, file, target, threads):
        return self.prepare([self.cohort, "convert", file, "-o", target, "--threads", threads] + reading_options(file))

    def run_rumur(self, file, program, threads, tool):
        symmetry = "exhaustive" if tool == "rumur" else "heuristic"
        trouble = (self.convert(file, "model.m", threads)
                   or self.prepare(["rumur", "--threads", "1", "--deadlock-detection", "off", "--quiet",
                                    "--symmetry-reduction", symmetry, "-o", "model.c", "model.m"])
                   or self.prepare(["cc", "-std=c11", "-O3", "-march=native", "-mcx16", "-o", "verifier", "model.c", "-lpthread"]))
        if trouble:
            return Run(program, threads, tool, "ERROR", 0, note=trouble)
        outcome = self.execute(["./verifier"], self.limit)
        counts = re.search(r"(\d+) states, (\d+) rules fired", outcome.output)
        if counts is None or outcome.timed_out:
            return self.failed(outcome, program, threads, tool)
        verdict = "SAFE" if "No error found" in outcome.output else "UNSAFE"
        return Run(program, threads, tool, verdict, outcome.seconds, int(counts[1]), int(counts[2]), outcome.peak_kib)

    def run_spin(self, file, program, threads, tool):
        trouble = (self.convert(file, "model.pml", threads)
                   or self.prepare(["spin", "-a", "model.pml"])
                   or self.prepare(["cc", "-O3", "-march=native", "-DSAFETY", f"-DMEMLIM={self.memory_mib}", "-w", "-o", "pan", "pan.c"]))
        if trouble:
            return Run(program, threads, tool, "ERROR", 0, note=trouble)
        for depth in SEARCH_DEPTHS_OF_SPIN:
            outcome = self.execute(["./pan", "-E", f"-m{depth}"], self.limit)
            if "max search depth too small" not in outcome.output or "errors: 0" not in outcome.output:
                break
        errors = re.search(r"errors: (\d+)", outcome.output)
        states = re.search(r"(\d+) states, stored", outcome.output)
        transitions = re.search(r"(\d+) transitions", outcome.output)
        incomplete = "max search depth too small" in outcome.output or "out of memory" in outcome.output
        if outcome.timed_out or not (errors and states and transitions) or (incomplete and errors[1] == "0"):
            return self.failed(outcome, program, threads, tool)
        verdict = "SAFE" if errors[1] == "0" else "UNSAFE"
        return Run(program, threads, tool, verdict, outcome.seconds, int(states[1]), int(transitions[1]), outcome.peak_kib)

    def run(self, path, threads, tool):
        runner = self.run_spin if tool == "spin" else self.run_rumur if tool.startswith("rumur") else self.run_cohort
        with tempfile.TemporaryDirectory(prefix="cohort-bench-") as folder:
            self.scratch = Path(folder)
            return runner(path.resolve(), path.stem, threads, tool)


def read_programs(list_file):
    programs = []
    for line in list_file.read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            programs.append((ROOT / words[0], [int(word) for word in words[1:]]))
    return programs


def run_all(bench, programs, tools, table):
    runs = []
    for path, thread_counts in programs:
        given_up = set()
        for threads in thread_counts:
            for tool in tools:
                if tool in given_up:
                    continue
                run = bench.run(path, threads, tool)
                runs.append(run)
                table.add(run)
                print(f"{run.program:24} n={threads:<3} {tool:11} {run.verdict:8} {run.seconds:9.3f} s {run.states:>11} states "
                      f"{run.transitions:>12} transitions {run.peak_kib / 1024:9.1f} MiB {run.note}", flush=True)
                if not run.finished():
                    given_up.add(tool)
            if len(given_up) == len(tools):
                break
    return runs


def compare(runs, ours, theirs):
    """The summary of Cohort against another tool.  A run that hit a limit counts with the time it had used."""
    pairs = pairs_of(runs, "tool", ours, theirs)
    if not pairs:
        return []
    speedup = lambda some: geometric_mean([other.seconds / run.seconds for run, other in some])
    faster = lambda some: sum(run.finished() and (run.seconds < other.seconds or not other.finished()) for run, other in some)
    long = [pair for pair in pairs if max(pair[0].seconds, pair[1].seconds) > 1]
    alone = sum(run.finished() and not other.finished() for run, other in pairs)
    lines = [f"{ours} vs {theirs}: faster on {percent(faster(pairs), len(pairs))}, speed-up {speedup(pairs):.1f} (geometric mean); "
             f"of the runs above 1 s faster on {percent(faster(long), len(long))}, speed-up {speedup(long):.1f}; "
             f"only {ours} finished {alone}"]
    large = [pair for pair in pairs if all(run.finished() and run.states >= 20_000 for run in pair)]
    if large:
        # What the program itself takes, whatever it searches, is the peak of its smallest run.
        fixed = {tool: min(run.peak_kib for run in runs if run.tool == tool and run.finished()) for tool in (ours, theirs)}
        bytes_a_state = [1024 * sum(pair[i].peak_kib - fixed[pair[i].tool] for pair in large) / sum(pair[i].states for pair in large)
                         for i in range(2)]
        lines.append(f"  memory a state beyond the smallest run, where both have 20,000 states or more: "
                     f"{ours} {bytes_a_state[0]:.0f} bytes, {theirs} {bytes_a_state[1]:.0f} bytes ({len(large)} runs)")
    return lines


def throughput(runs):
    lines = []
    for tool in TOOLS:
        own = [run for run in runs if run.tool == tool and run.finished()]
        long = [run for run in own if run.seconds > 1]
        some = long or [max(own, key=lambda run: run.seconds)] if own else []
        if some:
            rate = sum(run.transitions for run in some) / sum(run.seconds for run in some)
            scope = f"{len(long)} runs above 1 s" if long else "its longest run"
            lines.append(f"{tool}: {rate / 1e6:.2f} million transitions a second over {scope}, largest {max(run.states for run in own)} states")
    return lines


def summarise(runs):
    lines = []
    for theirs in TOOLS[1:]:
        lines += compare(runs, "cohort", theirs)
    for theirs in TOOLS[3:]:
        lines += compare(runs, "as-written", theirs)
    lines += throughput(runs)
    return lines


def plot(runs, theirs, limit, folder):
    classes = [("2-3 threads", 2, 3), ("4-5 threads", 4, 5), ("6-7 threads", 6, 7), ("8-12 threads", 8, 12), ("more", 13, 10**9)]
    scatter(pairs_of(runs, "tool", "cohort", theirs), folder / f"cohort-vs-{theirs}.svg", limit, 0.001,
            ("cohort, explicit counter abstraction", theirs), classes, times=10)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohort", type=Path, default=ROOT / "build-bench" / "cohort", help="the program to measure")
    parser.add_argument("--limit", type=float, default=60, help="seconds for each run")
    parser.add_argument("--memory", type=int, default=4096, help="MiB for each run")
    parser.add_argument("--out", type=Path, default=ROOT / "build-bench" / "results" / "explicit")
    parser.add_argument("--programs", type=Path, default=ROOT / "bench" / "explicit" / "programs.txt")
    parser.add_argument("--only", default="", help="run only programs whose name contains this")
    parser.add_argument("--max-threads", type=int, default=10**9)
    parser.add_argument("--tools", default=",".join(TOOLS), help="comma-separated, from: " + " ".join(TOOLS))
    parser.add_argument("--from", type=Path, dest="results", metavar="CSV",
                        help="run nothing: summarise and plot an earlier results.csv, complete or not")
    options = parser.parse_args()
    tools = options.tools.split(",")
    need("time", *["rumur"] * any("rumur" in tool for tool in tools), *["spin"] * ("spin" in tools))
    programs = [(path, [n for n in threads if n <= options.max_threads])
                for path, threads in read_programs(options.programs) if options.only in path.stem]
    options.out.mkdir(parents=True, exist_ok=True)
    if options.results:
        runs = read_runs(options.results, Run)
    else:
        with open(options.out / "results.csv", "w", newline="") as sink:
            runs = run_all(Bench(options), programs, tools, Table(sink, Run))
    for theirs in tools:
        if theirs != "cohort":
            plot(runs, theirs, options.limit, options.out)
    conclude(runs, "tool", summarise(runs), options.out)


if __name__ == "__main__":
    main()
