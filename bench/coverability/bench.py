#!/usr/bin/env python3
"""Compares the methods for any number of threads with each other, and with what other tools needed.

Every net and thread transition system of the benchmark folder, and the Boolean programs beside them, is verified by the engine
`coverability` (all methods in turns) and by each method alone.  Times and limits are processor times.  Writes results.csv,
cactus.csv and a cactus plot (cactus.svg) and prints, for each method and each other tool in the folder `peers` beside the
benchmarks: how many files were solved, and how the times compare in the geometric mean over the files that both solved and of
which one took more than 0.02 s.  Other tools were measured on some systems with several initial configurations; only those of
the manifest count, for others are other questions.

With --resume, runs that results.csv has already are not done again.  With --document, what is printed replaces the text between
two marks in docs/coverability.md, and the plot goes to docs/images.

Exit code 1 when a verdict is wrong.
"""

import argparse
import contextlib
import csv
import io
import math
import os
import resource
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
DOCUMENT = ROOT / "docs/coverability.md"
MARKS = "<!-- printed by bench/coverability -->", "<!-- to here -->"
COLOURS = ["#000000", "#d62728", "#1f77b4", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"]


def limit_of(options, method):
    return options.limit if method == options.methods[0] else options.alone_limit


def run(options, path, more, method):
    limit = limit_of(options, method)
    command = [options.cohort, "verify", path, "--unbounded", "-q", "--stats", "--engine", method, "--memory-limit",
               str(options.memory), *more]
    child = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                             preexec_fn=lambda: limit_processor_time(limit))
    try:
        output, _ = child.communicate(timeout=wall_clock_limit(limit))
    except subprocess.TimeoutExpired:
        child.kill()
        output, _ = child.communicate()
    decided = [line.split(":")[1].strip() for line in output.splitlines() if line.startswith("decided_by:")]
    memory = [line.split(":")[1] for line in output.splitlines() if line.startswith("peak_memory_mib:")]
    return child.returncode, decided, float(memory[0]) if memory else 0.0


def measure(options, path, more, method):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code, decided, memory = run(options, path, more, method)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    verdict = "unknown" if code < 0 else VERDICTS.get(code, f"error {code}")
    return {"verdict": verdict, "seconds": round(seconds, 3), "mebibytes": round(memory, 1),
            "decided_by": decided[0] if decided else ""}


def peers(folder, limit, initial):
    """Processor seconds (wall-clock seconds where there are no others) of correct answers, by tool and file."""
    times = {}
    for path in sorted(folder.glob("coverability-*.csv")):
        with path.open() as file:
            for row in csv.DictReader(file):
                seconds = row["cpu_s"] or row["wall_s"]
                tool, _, question = row["tool"].partition(" (init ")
                if question and question.rstrip(")") != initial.get(row["file"]):
                    continue
                if row["verdict"] == row["expected"] and seconds and float(seconds) <= limit:
                    key = (path.stem, row["file"])
                    times.setdefault(tool, {})[key] = min(float(seconds), times.get(tool, {}).get(key, math.inf))
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
        lost = sorted(file for kind, file in here if (kind, file) not in mine)
        print(f"  {tool}: {len(here)} solved; coverability is {factor:.2f} times as fast over {count} files"
              + (f"; solved only there: {', '.join(lost)}" if lost else ""))
    best = {}
    for seconds in times.values():
        for file, time in seconds.items():
            if file in files:
                best[file] = min(time, best.get(file, math.inf))
    factor, count = ratio(mine, best)
    print(f"  the best of them for each file: {len(best)} solved; coverability is {factor:.2f} times as fast over {count} files")


def key_of(row):
    """The file, as the measurements of other tools name it."""
    return ("coverability-tts-public" if row["folder"].startswith("tts") else "coverability-spec-public", row["file"])


def solved(rows, method):
    return {key_of(row): row["seconds"] for row in rows if row["method"] == method and row["verdict"] == row["expected"]}


def summarize(rows, times, options):
    wrong = 0
    for kind in ["nets and transition systems of coverability/", "thread transition systems of tts/", "Boolean programs of tts/"]:
        def belongs(row):
            if row["folder"].endswith("(.bp)"):
                return kind.startswith("Boolean")
            return kind.endswith(row["folder"].split("/")[0] + "/") and not kind.startswith("Boolean")
        mine = [row for row in rows if belongs(row)]
        files = {key_of(row) for row in mine}
        if not files:
            continue
        print(f"{kind}: {len(files)} files, limit {options.limit} s of processor time")
        for method in options.methods:
            if limit_of(options, method) != options.limit and method == options.methods[1]:
                print(f"  each method alone, limit {options.alone_limit} s:")
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


def cactus_lines(rows, times, options):
    """Files of coverability/ solved within how many seconds each, for every method and every other tool."""
    nets = {key_of(row) for row in rows if row["folder"].startswith("coverability")}
    lines = {method: sorted(t for f, t in solved(rows, method).items() if f in nets) for method in options.methods}
    for tool, seconds in times.items():
        line = sorted(time for file, time in seconds.items() if file in nets)
        if line:
            lines[tool] = line
    return lines


def write_cactus_table(lines, path):
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["tool", "solved", "seconds"])
        for name, line in lines.items():
            for index, seconds in enumerate(line):
                writer.writerow([name, index + 1, max(seconds, 0.001)])


def cactus_svg(lines, limit):
    """The plot: how many files each solves within how much time for each of them."""
    width, height, left, bottom, right, top = 960, 560, 70, 50, 230, 30
    most = max((len(line) for line in lines.values()), default=1)
    low, high = math.log10(0.001), math.log10(max(limit, 1))

    def x(count):
        return left + (width - left - right) * count / most

    def y(seconds):
        return height - bottom - (height - bottom - top) * (math.log10(max(seconds, 0.001)) - low) / (high - low)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<text x="{left}" y="18">Files of coverability/ solved, and the processor seconds of the last of them</text>']
    for power in range(math.ceil(low), math.floor(high) + 1):
        parts.append(f'<line x1="{left}" x2="{width - right}" y1="{y(10 ** power):.1f}" y2="{y(10 ** power):.1f}" stroke="#dddddd"/>'
                     f'<text x="{left - 8}" y="{y(10 ** power) + 4:.1f}" text-anchor="end">{10.0 ** power:g}</text>')
    for count in range(0, most + 1, 10):
        parts.append(f'<text x="{x(count):.1f}" y="{height - bottom + 18}" text-anchor="middle">{count}</text>')
    for number, (name, line) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        dash = "" if number < len(COLOURS) else ' stroke-dasharray="5 3"'
        points = " ".join(f"{x(index + 1):.1f},{y(seconds):.1f}" for index, seconds in enumerate(line))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>')
        place = top + 18 * number
        parts.append(f'<line x1="{width - right + 10}" x2="{width - right + 34}" y1="{place}" y2="{place}" stroke="{colour}" '
                     f'stroke-width="2"{dash}/><text x="{width - right + 40}" y="{place + 4}">{name} ({len(line)})</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def document_command(options):
    alone = f" --alone-limit {options.alone_limit}" if options.alone_limit != options.limit else ""
    methods = "" if options.methods == METHODS else f" --methods {','.join(options.methods)}"
    return f"bench/coverability/bench.py --cohort build/cohort --limit {options.limit}{alone}{methods} --document"


def write_document(printed, command, svg):
    before, _, rest = DOCUMENT.read_text().partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    text = f"{MARKS[0]}\n\n`{command}`, in processor seconds, printed:\n\n```\n{printed}```\n\n"
    text += "![How many nets each method and each other tool solves, and how fast](images/coverability.svg)\n\n"
    DOCUMENT.write_text(before + text + MARKS[1] + after)
    (ROOT / "docs/images/coverability.svg").write_text(svg)


def initial_configurations(folder):
    with (folder / "tts/manifest.csv").open() as file:
        return {row["file"]: row["init"] for row in csv.DictReader(file)}


def read_rows(path):
    if not path.exists():
        return []
    with path.open() as file:
        return [{**row, "seconds": float(row["seconds"]), "mebibytes": float(row["mebibytes"])} for row in csv.DictReader(file)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohort", type=Path, required=True, help="the program to measure")
    parser.add_argument("--limit", type=int, default=int(os.environ.get("LIMIT", "60")), help="seconds for each file (or LIMIT)")
    parser.add_argument("--memory", type=int, default=4096, help="MiB for each file")
    parser.add_argument("--methods", type=lambda text: text.split(","), default=METHODS, help="separated by commas")
    parser.add_argument("--folder", type=Path, default=Path(os.environ.get("COHORT_BENCHMARKS", ROOT / "../shared/benchmarks")))
    parser.add_argument("--pattern", default="", help="only files whose folder and name contain this")
    parser.add_argument("--alone-limit", type=int, help="seconds for each file and each method but the first of them")
    parser.add_argument("--resume", action="store_true", help="go on with the runs that results.csv does not have")
    parser.add_argument("--document", action="store_true", help="write what is printed, and the plot, into docs")
    parser.add_argument("--out", type=Path, default=Path("results/coverability"))
    options = parser.parse_args()
    options.cohort = options.cohort.resolve()
    options.alone_limit = options.alone_limit or options.limit
    if not (options.folder / "coverability").is_dir():
        sys.exit(f"{options.folder}: no such folder; name the benchmark folder by --folder or COHORT_BENCHMARKS")
    options.out.mkdir(parents=True, exist_ok=True)
    table = options.out / "results.csv"
    rows = read_rows(table) if options.resume else []
    done = {(row["folder"], row["file"], row["method"]) for row in rows}
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)
        for folder, name, path, expected, more in tasks(options.folder):
            if options.pattern not in f"{folder}/{name}":
                continue
            for method in options.methods:
                if (folder, name, method) in done:
                    continue
                row = {"folder": folder, "file": name, "expected": expected, "method": method,
                       **measure(options, path, more, method)}
                rows.append(row)
                writer.writerow(row)
                file.flush()
    times = peers(options.folder.parent / "peers", options.limit, initial_configurations(options.folder))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        wrong = summarize(rows, times, options)
    print(printed.getvalue(), end="")
    lines = cactus_lines(rows, times, options)
    write_cactus_table(lines, options.out / "cactus.csv")
    svg = cactus_svg(lines, options.limit)
    (options.out / "cactus.svg").write_text(svg)
    if options.document:
        write_document(printed.getvalue(), document_command(options), svg)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
