#!/usr/bin/env python3
"""How the states of C programs grow with the number of their threads, with and without each part of what docs/identity.md describes.

Each program of bench/identity/programs is run with N = 2, 3, ... threads by the explicit engine, as far as one run stays below the limit:

  cohort      as it is
  named       with --no-late-naming: threads that are joined, and objects on the heap, are told apart from their creation on
  all-orders  with --no-por: all interleavings
  neither     with both
  told-apart  with both and --no-symmetry

Writes results.csv and growth.svg (states by N, one panel for each program) into the folder --out and prints a table.

With --first, asks `cohort verify` about each program as a user would, right and with -D WRONG where it has a wrong twin, and prints verdicts and
processor seconds; a verdict that is wrong is an error.
"""

import argparse
import json
import math
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common.measure import ROOT, Table, limit_processor_time, wall_clock_limit

CONFIGURATIONS = {
    "cohort": [],
    "named": ["--no-late-naming"],
    "all-orders": ["--no-por"],
    "neither": ["--no-late-naming", "--no-por"],
    "told-apart": ["--no-late-naming", "--no-por", "--no-symmetry"],
}
PROPERTIES = {"slices": ["assertions", "races", "faults"]}
COLOURS = ["#1b6ca8", "#d1495b", "#2e8b57", "#8e6c8a", "#edae49"]


@dataclass
class Run:
    program: str
    threads: int
    configuration: str
    verdict: str
    states: int
    seconds: float

    def finished(self):
        return self.verdict in ("SAFE", "UNSAFE")


def execute(cohort, file, name, prop, threads, configuration, limit):
    command = [cohort, "verify", file, "-D", f"N={threads}", "--property", prop, "--engine", "explicit", "--format", "json", "--stats",
               *CONFIGURATIONS[configuration]]
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=wall_clock_limit(limit),
                              preexec_fn=lambda: limit_processor_time(limit))
        document = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return Run(name, threads, configuration, "LIMIT", 0, float(limit))
    statistics = document.get("statistics", {})
    return Run(name, threads, configuration, document["verdict"].upper(), int(statistics.get("states", 0)),
               float(statistics.get("search_seconds", 0)))


def programs(arguments):
    files = sorted((ROOT / "bench/identity/programs").glob("*.c"))
    return [file for file in files if not arguments.only or file.stem in arguments.only]


def ask(cohort, file, threads, wrong, limit):
    """The verdict of a plain `cohort verify` and the processor seconds it took, of all its processes."""
    command = [str(cohort), "verify", str(file), "-D", f"N={threads}", *(["-D", "WRONG"] if wrong else []), "--quiet", "--time-limit", str(limit),
               "--memory-limit", "3000"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = subprocess.run(command, capture_output=True, text=True).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {0: "SAFE", 5: "UNKNOWN", 10: "UNSAFE"}.get(code, f"exit {code}"), seconds


def ask_first(arguments):
    """Returns whether all verdicts are right or open."""
    counts = [threads for threads in arguments.threads if threads in (2, 4, 8, 20)]
    print("| program | " + " | ".join(f"N = {count}" for count in counts) + " |\n" + "|---" * (len(counts) + 1) + "|")
    right = True
    for file in programs(arguments):
        text = file.read_text()
        for wrong in ([False, True] if "WRONG" in text else [False]):
            cells = []
            for count in counts if "#define N " in text else counts[:1]:
                verdict, seconds = ask(arguments.cohort, file, count, wrong, arguments.limit)
                cells.append(f"{verdict} {seconds:.1f}")
                # Two philosophers hold both forks with one each, and two threads are never too many for two places.
                harmless = {("mutex_array", 2), ("connections", 2), ("bounded_buffer", 2)}
                expected = "UNSAFE" if wrong and (file.stem, count) not in harmless else "SAFE"
                right = right and verdict in (expected, "UNKNOWN")
            print(f"| {file.stem}{', wrong' if wrong else ''} | " + " | ".join(cells) + " |", flush=True)
    return right


def measure(arguments, table):
    runs = []
    for file in programs(arguments):
        if "#define N " not in file.read_text():
            continue
        for prop in PROPERTIES.get(file.stem, ["assertions"]):
            name = file.stem if prop == "assertions" else f"{file.stem}, {prop}"
            for configuration in CONFIGURATIONS:
                for threads in arguments.threads:
                    run = execute(arguments.cohort, file, name, prop, threads, configuration, arguments.limit)
                    table.add(run)
                    runs.append(run)
                    if not run.finished():
                        break
    return runs


def summary(runs, counts):
    lines = ["states by the number of threads; - where a run took longer than the limit or was not decided", ""]
    for program in dict.fromkeys(run.program for run in runs):
        lines += [f"| {program} | " + " | ".join(str(count) for count in counts) + " |", "|---" * (len(counts) + 1) + "|"]
        for configuration in CONFIGURATIONS:
            found = {run.threads: run for run in runs if (run.program, run.configuration) == (program, configuration)}
            cells = [f"{found[count].states:,}" if count in found and found[count].finished() else "-" for count in counts]
            lines.append(f"| {configuration} | " + " | ".join(cells) + " |")
        lines.append("")
    return lines


def panel(runs, program, left, width, height):
    """One diagram: N to the right, states upwards by their logarithm."""
    own = [run for run in runs if run.program == program and run.finished() and run.states > 0]
    most_threads = max((run.threads for run in own), default=1)
    most_states = max((math.log10(run.states) for run in own), default=1) or 1
    parts = [f'<text x="{left}" y="14" font-size="12">{program}</text>',
             f'<rect x="{left}" y="20" width="{width}" height="{height}" fill="none" stroke="#999"/>']
    for configuration, colour in zip(CONFIGURATIONS, COLOURS):
        points = [(left + width * run.threads / most_threads, 20 + height * (1 - math.log10(run.states) / most_states))
                  for run in own if run.configuration == configuration]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
    parts.append(f'<text x="{left}" y="{height + 34}" font-size="10">N up to {most_threads}, states up to 10^{most_states:.1f}</text>')
    return parts


def plot(runs):
    width, height, gap = 180, 160, 20
    programs = list(dict.fromkeys(run.program for run in runs))
    parts = []
    for index, program in enumerate(programs):
        parts += panel(runs, program, gap + index * (width + gap), width, height)
    for index, (configuration, colour) in enumerate(zip(CONFIGURATIONS, COLOURS)):
        parts.append(f'<text x="{gap + 110 * index}" y="{height + 56}" font-size="12" fill="{colour}">{configuration}</text>')
    total = gap + len(programs) * (width + gap)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{height + 66}">' + "\n".join(parts) + "</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohort", type=Path, default=ROOT / "build/cohort")
    parser.add_argument("--limit", type=float, default=10, help="processor seconds for each run")
    parser.add_argument("--threads", type=lambda text: [int(part) for part in text.split(",")], default=[2, 3, 4, 5, 6, 8, 12, 20, 32],
                        help="values of N, with commas")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[], help="names of programs, with commas")
    parser.add_argument("--first", action="store_true", help="ask as a user would, and write nothing")
    parser.add_argument("--out", type=Path, default=ROOT / "build/results/identity")
    arguments = parser.parse_args()
    if arguments.first:
        sys.exit(0 if ask_first(arguments) else 1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    with open(arguments.out / "results.csv", "w", newline="") as sink:
        runs = measure(arguments, Table(sink, Run))
    lines = summary(runs, arguments.threads)
    (arguments.out / "summary.txt").write_text("\n".join(lines) + "\n")
    (arguments.out / "growth.svg").write_text(plot(runs))
    print("\n".join(lines))
    wrong = [run for run in runs if run.verdict == "UNSAFE"]
    for run in wrong:
        print(f"{run.program} with {run.threads} threads is UNSAFE with {run.configuration}, and should be SAFE")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
