#!/usr/bin/env python3
"""Reads what `cohort verify` tells of each program here as its author would: the header of a program says with which
options it is asked (`// ask:`), what the answer has (`// has:`, in this order) and what it does not have (`// hasnot:`).  Of these
programs and of all C examples nothing is told that only the model has, and no line is told twice in a row.

Usage: check.py COHORT
"""
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[2] / "examples" / "c"
# Words of the model: temporaries, numbers of variables, marks and tables of the front end, unions of thread states.
INTERNAL = [r"\$\d", r"\w#\d", r"@\d", r"\bwritten\b", r"\bfinished\b", r"thread number", r"\b[iu]\d+ (value|address)", r"cohort_",
            r"__cohort", r"\bowner\b", r"NULL or outside", r"violates the property", r"\bthreads created\b"]
LONGEST = 60  # lines of an answer: a run is on one page


def headers(path):
    return re.findall(r"^// (ask|has|hasnot|expect|property|options): ?(.*)$", path.read_text(encoding="utf-8"), re.M)


def answer(cohort, path, options):
    command = [cohort, "verify", path.name, *options, "--time-limit", "60"]
    return subprocess.run(command, cwd=path.parent, capture_output=True, text=True, timeout=200, check=False)


def complaints_about(text):
    found = []
    for word in INTERNAL:
        match = re.search(word, text)
        if match:
            found.append(f"says {match.group(0)!r}, which nobody wrote")
    lines = text.splitlines()
    if len(lines) > LONGEST:
        found.append(f"has {len(lines)} lines")
    if "" in lines:
        found.append("has an empty line")
    steps = [re.sub(r"^ *\d+ +", "", line) for line in lines if re.match(r" +\d+ +T\d", line)]
    found += [f"says twice: {one}" for one, other in zip(steps, steps[1:]) if one == other]
    if text.startswith("UNSAFE") and not any(line.startswith("why: ") for line in lines):
        found.append("does not say why")
    return found


def check(cohort, path):
    asked = headers(path)
    options = [word for kind, text in asked if kind in ("ask", "options") for word in text.split()]
    options += [word for kind, text in asked if kind == "property" for word in ("--property", text)]
    done = answer(cohort, path, options)
    found = complaints_about(done.stdout)
    if done.returncode not in (0, 10):
        found.append(f"ends with {done.returncode}: {done.stderr}")
    at = 0
    for kind, text in asked:
        if kind == "has":
            next_at = done.stdout.find(text, at)
            if next_at < 0:
                found.append(f"has no (or has too early) {text!r}")
            else:
                at = next_at + len(text)
        if kind == "hasnot" and text in done.stdout:
            found.append(f"has {text!r}")
    return [f"{path.name}: {one}\n{done.stdout}" for one in found]


def main():
    cohort = str(pathlib.Path(sys.argv[1]).resolve())
    paths = sorted(HERE.glob("*.c"))
    paths += [path for path in sorted(EXAMPLES.glob("*.c")) if any(k == "expect" and "UNSAFE" in t.upper() for k, t in headers(path))]
    with ThreadPoolExecutor(2) as pool:
        failures = [failure for found in pool.map(lambda path: check(cohort, path), paths) for failure in found]
    for failure in failures:
        print(failure)
    print(f"{len(paths)} answers read: {len(failures)} complaints")
    return 1 if failures or len(paths) < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
