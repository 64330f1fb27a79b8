#!/usr/bin/env python3
"""Redoes the experiments of the STAR paper on the Boolean programs of a folder, side by side in one run.

For every program, once as it is ("kept") and once with every `*` replaced by a random constant ("determinized"):
  karp-miller   cohort verify --unbounded --engine karp-miller
  symbolic      the same with sets of data in the nodes (--km=symbolic)
  backward      cohort verify --unbounded --engine backward
  cutoff        cohort cutoff: all reachable thread states, and how many threads reach them
  bounded       cohort verify --engine explicit with the cutoff number of threads
and, for the construction alone, which does not stop at the first violation (--whole-cover):
  whole         with all improvements
  bfs, dfs      breadth first, depth first
  no-...        without one of the improvements (--km-off)
  classic       without any of them (--km=classic)

Programs are given to the engines as they are written (--no-simplify) unless --simplified says otherwise.  Times are processor
times of whole runs, so they do not depend on what else the machine does; limits are on processor time, too.  `classic` and what
comes near it have a lower limit, --slow-limit: a run that reaches it counts with the limit, so ratios are lower bounds.  Writes
results.csv, summary.txt and, where gnuplot is installed, the plots: possible and occupied local states (figure 3.2), run times
(3.5), the distribution of cutoffs (4.1), Karp-Miller and bounded search (4.2).
"""

import argparse
import csv
import json
import math
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common.measure import ROOT, draw, draws

KARP_MILLER = ["--engine", "karp-miller"]
VARIANTS = {
    "karp-miller": KARP_MILLER,
    "symbolic": [*KARP_MILLER, "--km", "symbolic"],
    "backward": ["--engine", "backward"],
}
WHOLE = [*KARP_MILLER, "--whole-cover"]
CONSTRUCTIONS = {
    "whole": WHOLE,
    "bfs": [*WHOLE, "--search", "bfs"],
    "dfs": [*WHOLE, "--search", "dfs"],
    **{f"no-{name}": [*WHOLE, "--km-off", name] for name in ["shared-first", "minimal-chains", "subtrees", "index", "coverage"]},
    "classic": [*WHOLE, "--km", "classic"],
}
FIELDS = ["program", "form", "tool", "verdict", "seconds", "threads", "nodes", "possible", "reached", "occupied_most", "occupied_average"]


class Bench:
    def __init__(self, options):
        self.cohort = options.cohort.resolve()
        self.limit = options.limit
        self.slow_limit = options.slow_limit
        self.memory = options.memory
        self.known = {}
        self.simplify = [] if options.simplified else ["--no-simplify"]

    def execute(self, arguments, limit):
        """Processor seconds, exit code (none: the limit was reached) and output."""
        command = [self.cohort, *arguments, "--memory-limit", str(self.memory)]

        def restrict():
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=restrict)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return seconds, done.returncode if done.returncode >= 0 else None, done.stdout

    def verify(self, program, form, tool, more, limit=None):
        if (program.name_in_folder, form, tool) in self.known:
            return self.known[program.name_in_folder, form, tool]
        arguments = ["verify", program, "--format", "json", *self.simplify, *self.form(form), *more]
        seconds, code, output = self.execute(arguments, limit or self.limit)
        row = {"program": program.name_in_folder, "form": form, "tool": tool, "seconds": f"{seconds:.3f}",
               "verdict": {0: "SAFE", 10: "UNSAFE", 5: "UNKNOWN", None: "TIMEOUT"}.get(code, f"ERROR {code}")}
        try:
            statistics = json.loads(output).get("statistics", {})
        except json.JSONDecodeError:
            statistics = {}
        for name, key in [("nodes", "tree_nodes"), ("possible", "local_states_possible"), ("reached", "local_states"),
                          ("occupied_most", "occupied_local_states_most"),
                          ("occupied_average", "occupied_local_states_average")]:
            row[name] = statistics.get(key, "")
        return row

    def cutoff(self, program, form):
        if (program.name_in_folder, form, "cutoff") in self.known:
            return self.known[program.name_in_folder, form, "cutoff"]
        seconds, code, output = self.execute(["cutoff", program, "--format", "json", *self.form(form)], self.limit)
        threads = json.loads(output)["threads"] if code == 0 else ""
        return {"program": program.name_in_folder, "form": form, "tool": "cutoff", "seconds": f"{seconds:.3f}",
                "verdict": "FOUND" if code == 0 else "UNKNOWN", "threads": threads}

    @staticmethod
    def form(form):
        return ["--determinize", "1"] if form == "determinized" else []

    def rows(self, program, variants):
        for form in ["kept", "determinized"]:
            for tool in variants:
                if tool in VARIANTS:
                    yield self.verify(program, form, tool, ["--unbounded", *VARIANTS[tool]])
                else:
                    limit = self.limit if tool == "whole" else self.slow_limit
                    yield self.verify(program, form, tool, ["--unbounded", *CONSTRUCTIONS[tool]], limit)
            cutoff = self.cutoff(program, form)
            yield cutoff
            if cutoff["threads"] != "":
                more = ["--engine", "explicit", "--threads", str(cutoff["threads"])]
                row = self.verify(program, form, "bounded", more)
                row["threads"] = cutoff["threads"]
                yield row


class Program(type(Path())):
    """A path that remembers its name below the benchmark folder."""

    name_in_folder = ""


def programs_below(folder, pattern):
    found = []
    for path in sorted(folder.rglob("*.bp")):
        name = str(path.relative_to(folder))
        if re.search(pattern, name):
            program = Program(path)
            program.name_in_folder = name
            found.append(program)
    return found


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def solved(row):
    return row["verdict"] in ("SAFE", "UNSAFE")


def compare(here, tools, reference):
    """Lines that compare the tools with one of them; a run that reached its limit counts with it."""
    base = {row["program"]: row for row in here if row["tool"] == reference}
    for tool in tools:
        mine = [row for row in here if row["tool"] == tool]
        if not mine:
            continue
        ratios = [max(float(row["seconds"]), 0.001) / max(float(base[row["program"]]["seconds"]), 0.001)
                  for row in mine if row["program"] in base and solved(base[row["program"]])]
        slowest = max(float(row["seconds"]) for row in mine)
        yield (f"  {tool}: {sum(map(solved, mine))} of {len(mine)} solved, slowest {slowest:.2f} s, "
               f"{geometric_mean(ratios):.2f} times the time of {reference} (geometric mean)")


def summarize(rows, limit, slow_limit):
    lines = []
    for form in ["kept", "determinized"]:
        here = [row for row in rows if row["form"] == form]
        base = {row["program"]: row for row in here if row["tool"] == "karp-miller"}
        lines.append(f"nondeterminism {form}: {len(base)} programs, limit {limit} s of processor time")
        lines += compare(here, [*VARIANTS, "bounded"], "karp-miller")
        lines.append(f"  the whole cover, without stopping at a violation (limit {slow_limit} s but for `whole`):")
        lines += compare(here, CONSTRUCTIONS, "whole")
        verdicts = {}
        for row in here:
            if solved(row) and row["tool"] != "bounded":
                verdicts.setdefault(row["program"], set()).add(row["verdict"])
        lines.append(f"  programs on which two tools disagree: {sum(len(v) > 1 for v in verdicts.values())}")
        cutoffs = [int(row["threads"]) for row in here if row["tool"] == "cutoff" and row.get("threads", "") != ""]
        if cutoffs:
            counts = ", ".join(f"{n}: {cutoffs.count(n)}" for n in sorted(set(cutoffs)))
            lines.append(f"  cutoffs (threads: programs): {counts}")
        most = [int(row["occupied_most"]) for row in base.values() if row.get("occupied_most", "") != ""]
        average = [float(row["occupied_average"]) for row in base.values() if row.get("occupied_average", "") != ""]
        if most:
            lines.append(f"  occupied local states: {sum(average) / len(average):.1f} on average, {max(most)} at most")
    return "\n".join(lines) + "\n"


def plot(out, rows):
    if not draws():
        return
    for form in ["kept", "determinized"]:
        here = [row for row in rows if row["form"] == form]
        base = [row for row in here if row["tool"] == "karp-miller" and solved(row)]
        bounded = {row["program"]: row for row in here if row["tool"] == "bounded" and solved(row)}
        cutoffs = [int(row["threads"]) for row in here if row["tool"] == "cutoff" and row.get("threads", "") != ""]
        data = {
            "local_states": [(i, row["possible"], row["occupied_average"]) for i, row in
                             enumerate(sorted(base, key=lambda row: float(row["possible"] or 0))) if row["possible"] != ""],
            "run_times": [(i, seconds) for i, seconds in enumerate(sorted(float(row["seconds"]) for row in base))],
            "cutoffs": [(n, cutoffs.count(n)) for n in sorted(set(cutoffs))],
            "bounded": [(row["seconds"], bounded[row["program"]]["seconds"]) for row in base if row["program"] in bounded],
        }
        commands = {
            "local_states": "set logscale y; set xlabel 'program'; set ylabel 'local states'; "
                            "plot '{0}' using 1:2 title 'possible', '{0}' using 1:3 title 'occupied, average'",
            "run_times": "set logscale y; set xlabel 'program'; set ylabel 'seconds'; plot '{0}' with linespoints notitle",
            "cutoffs": "set boxwidth 0.8; set style fill solid; set xlabel 'cutoff'; set ylabel 'programs'; set yrange [0:*]; "
                       "plot '{0}' with boxes notitle",
            "bounded": "set logscale xy; set xlabel 'karp-miller, seconds'; set ylabel 'explicit search at the cutoff, seconds'; "
                       "plot '{0}' notitle, x notitle",
        }
        for name, points in data.items():
            if not points:
                continue
            table = out / f"{name}_{form}.dat"
            table.write_text("".join(" ".join(map(str, point)) + "\n" for point in points))
            script = f"set terminal svg; set output '{out / f'{name}_{form}.svg'}'; " + commands[name].format(table)
            draw(script)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohort", type=Path, required=True, help="the program to measure")
    parser.add_argument("--limit", type=int, default=int(os.environ.get("LIMIT", "60")), help="seconds for each run (or LIMIT)")
    parser.add_argument("--slow-limit", type=int, default=int(os.environ.get("SLOW_LIMIT", "10")), help="for classic and its like (or SLOW_LIMIT)")
    parser.add_argument("--memory", type=int, default=4096, help="MiB for each run")
    parser.add_argument("--folder", type=Path, default=Path(os.environ.get("COHORT_BENCHMARKS", ROOT / "../shared/benchmarks")))
    parser.add_argument("--pattern", default="", help="only programs whose name below the folder matches")
    parser.add_argument("--variants", default=",".join([*VARIANTS, *CONSTRUCTIONS]), help="of the engines and constructions, separated by commas")
    parser.add_argument("--simplified", action="store_true", help="let Cohort simplify the programs first")
    parser.add_argument("--resume", action="store_true", help="keep the results of a run that was broken off")
    parser.add_argument("--out", type=Path, default=Path("results/karp_miller"))
    options = parser.parse_args()
    folder = options.folder / "tts"
    if not folder.is_dir():
        sys.exit(f"{folder}: no such folder; name the benchmark folder by --folder or COHORT_BENCHMARKS")
    options.out.mkdir(parents=True, exist_ok=True)
    bench = Bench(options)
    if options.resume:
        with (options.out / "results.csv").open() as file:
            bench.known = {(row["program"], row["form"], row["tool"]): row for row in csv.DictReader(file)}
    rows = []
    with (options.out / "results.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, restval="")
        writer.writeheader()
        for program in programs_below(folder, options.pattern):
            for row in bench.rows(program, options.variants.split(",")):
                writer.writerow(row)
                file.flush()
                rows.append(row)
    text = summarize(rows, options.limit, options.slow_limit)
    (options.out / "summary.txt").write_text(text)
    print(text, end="")
    plot(options.out, rows)


if __name__ == "__main__":
    main()
