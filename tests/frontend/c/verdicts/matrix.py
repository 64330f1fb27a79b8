#!/usr/bin/env python3
"""Engines, options and grains do not contradict each other, and no verdict is another one than the program's.

The programs are the cases of this folder (check.py), the examples, and the public hostile ones where they are there.  A question is a program, a property
and a grain; it is put to `auto`, to each engine by name, and to the explicit engine with each of its reductions switched off.  Answers that
are SAFE or UNSAFE must agree, and be what the case says where it asks the same.  UNKNOWN is no answer.

usage: matrix.py COHORT [--sample N] [--seed S] [--limit SECONDS] [--public] FILE ...

--sample N puts N of the questions, drawn by the seed; 0 puts all of them."""
import argparse
import csv
import itertools
import os
import random
import re
import shlex
import subprocess
import sys

import check

HERE = os.path.dirname(os.path.abspath(__file__))
PROPERTIES = ["assertions", "races", "deadlock", "locks", "faults", "overflow", "all"]
GRAINS = ["access", "statement"]
WAYS = [[], ["--engine", "explicit"], ["--engine", "explicit", "--no-por"], ["--engine", "explicit", "--no-symmetry"], ["--engine", "explicit", "--no-simplify"],
        ["--engine", "explicit", "--no-late-naming"], ["--engine", "bmc"], ["--engine", "coverability"], ["--engine", "karp-miller"], ["--engine", "cegar"],
        ["--engine", "modular"], ["--engine", "symbolic"], ["--self-check"]]
VERDICTS = {0: "safe", 10: "unsafe"}


def split(options):
    """The property and the grain that the options ask for, and the rest of them."""
    asked, grain, rest = "assertions", "access", []
    words = iter(options)
    for word in words:
        if word == "--property":
            asked = next(words)
        elif word.startswith("--interleave="):
            grain = word.split("=")[1]
        else:
            rest.append(word)
    return asked, grain, rest


def cases(path):
    with open(path, errors="replace") as file:
        text = file.read()
    if re.search(r"^// case \w+(?: [^:]+)?: (?:safe|unsafe|unknown)", text, re.MULTILINE):
        for _, name, options, verdict, _ in check.cases(path):
            yield ["-D", name], options.split(), verdict
        return
    options, verdict = re.search(r"^// options: (.*)$", text, re.MULTILINE), re.search(r"^// (?:expect|verdict): (\w+)", text, re.MULTILINE)
    yield [], shlex.split(options.group(1)) if options else [], verdict.group(1) if verdict else "unknown"


def public():
    root = os.path.join(os.environ.get("COHORT_BENCHMARKS", os.path.join(HERE, "../../../../../shared/benchmarks")), "hostile")
    if not os.path.exists(os.path.join(root, "manifest.csv")):
        print(f"no public programs: {root} is absent")
        return
    with open(os.path.join(root, "manifest.csv")) as file:
        for row in csv.DictReader(file):
            yield os.path.join(root, row["file"]), shlex.split(row.get("defines") or ""), shlex.split(row.get("options") or ""), "unknown"


def questions(paths, with_public):
    """(path, options) -> {(property, grain): verdict or None}"""
    found = {}
    known = [(path, defines, options, verdict) for path in paths for defines, options, verdict in cases(path)]
    for path, defines, options, verdict in [*known, *(public() if with_public else [])]:
        asked, grain, rest = split(options)
        if any(word.startswith(("--engine", "--threads", "--unbounded")) for word in rest):
            continue
        program = found.setdefault((path, *defines, *rest), {})
        for other in itertools.product(PROPERTIES, GRAINS):
            program.setdefault(other, None)
        if verdict in ("safe", "unsafe"):
            program[asked, grain] = verdict
    return [(program, *asked, verdict) for program, all_of in found.items() for asked, verdict in all_of.items()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cohort")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", default="5")
    parser.add_argument("--public", action="store_true")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    chosen = questions(arguments.files, arguments.public)
    if arguments.sample:
        chosen = random.Random(arguments.seed).sample(chosen, min(arguments.sample, len(chosen)))
    wrong = decided = asked = 0
    for program, kind, grain, verdict in chosen:
        answers = {}
        for way in WAYS:
            command = [arguments.cohort, "verify", *program, "--property", kind, f"--interleave={grain}", "--time-limit", arguments.limit, "--memory-limit", "3000", *way]
            run = subprocess.run(command, capture_output=True, text=True)
            asked += 1
            if run.returncode in VERDICTS:
                answers.setdefault(VERDICTS[run.returncode], command)
            elif run.returncode not in (1, 2, 5):
                wrong += 1
                print(f"exit code {run.returncode}: {shlex.join(command)}\n{run.stderr[:400]}", flush=True)
        decided += bool(answers)
        if len(answers) > 1 or (verdict and answers and verdict not in answers):
            wrong += 1
            print(f"expected {verdict or 'one answer'}, got", *(f"\n  {got}: {shlex.join(command)}" for got, command in answers.items()), flush=True)
    print(f"{len(chosen)} questions, {asked} runs, {decided} decided, {wrong} wrong")
    return wrong != 0 or not chosen


if __name__ == "__main__":
    sys.exit(main())
