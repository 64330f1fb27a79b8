#!/usr/bin/env python3
"""No program passes for safe because its executions end too early.

Each program given is wrapped: its main is called by another one, which then fails an assertion.  That is found, unless no
execution comes to the end, and then the answer says why: an execution ends in undefined behaviour, or main does not return.

usage: ends.py COHORT [--benchmarks N] FILE ...

With --benchmarks also N of the public programs, from $COHORT_BENCHMARKS or ../shared/benchmarks beside the project."""
import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile

REASONS = ["up to undefined behaviour", "main does not return", "no execution comes to undefined behaviour", "unsupported"]
MAIN = re.compile(r"^[ \t]*(?:extern[ \t]+)?(?:(?:int|void|unsigned)\s+)?main\s*\(([^)]*)\)", re.MULTILINE)
HERE = os.path.dirname(os.path.abspath(__file__))


def wrapped(path):
    with open(path, errors="replace") as file:
        found = MAIN.search(file.read())
    if not found:
        return None
    parameters = found.group(1).strip()
    arguments = "" if parameters in ("", "void") else "count, words" if "," in parameters else "count"
    return (f'#define main cohort_inner_main\n#include "{path}"\n#undef main\n'
            "extern void __assert_fail(const char *, const char *, unsigned, const char *);\n"
            f'int main(int count, char **words) {{ cohort_inner_main({arguments}); __assert_fail("0", "end", 1, "main"); }}\n')


def options_of(path):
    with open(path, errors="replace") as file:
        found = re.search(r"// options: (.*)", file.read())
    return found.group(1).split() if found else []


def benchmarks(count):
    root = os.environ.get("COHORT_BENCHMARKS", os.path.join(HERE, "../../../../../shared/benchmarks"))
    manifest = os.path.join(root, "c", "manifest.csv")
    if not os.path.exists(manifest):
        print(f"no public programs: {manifest} is absent")
        return []
    with open(manifest) as file:
        files = [row[0] for row in csv.reader(file)][1:]
    paths = sorted({os.path.join(root, "c", name) for name in files if name.endswith((".c", ".i"))})
    step = max(1, len(paths) // count)
    return [path for path in paths[::step] if os.path.exists(path)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cohort")
    parser.add_argument("--benchmarks", type=int, default=0)
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    counts = dict.fromkeys(["found", "explained", "unknown", "not wrapped", "wrong"], 0)
    paths = [os.path.abspath(path) for path in arguments.files]
    if arguments.benchmarks:
        paths += benchmarks(arguments.benchmarks)
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            text = wrapped(path)
            if text is None:
                counts["not wrapped"] += 1
                continue
            wrapper = os.path.join(folder, "wrapper.c")
            with open(wrapper, "w") as file:
                file.write(text)
            command = [arguments.cohort, "verify", wrapper, "-I", os.path.dirname(path), "--time-limit", "10", *options_of(path)]
            answer = subprocess.run(command, capture_output=True, text=True)
            said = answer.stdout + answer.stderr
            if answer.returncode == 10:
                counts["found"] += 1
            elif answer.returncode == 0 and any(reason in said for reason in REASONS):
                counts["explained"] += 1
            elif answer.returncode in (2, 5):
                counts["unknown"] += 1
            else:
                counts["wrong"] += 1
                print(f"{path}: exit code {answer.returncode}\n{said[:600]}")
    print(", ".join(f"{name}: {count}" for name, count in counts.items()))
    if sum(counts.values()) == 0:
        sys.exit("no programs")
    return counts["wrong"] != 0


if __name__ == "__main__":
    sys.exit(main())
