#!/usr/bin/env python3
"""Every outcome that native runs show is an outcome that Cohort finds.

The programs beside this script end by showing their outcome as a C condition, such as `left == 0 && right == 1`.  Each is compiled and
run many times; for each outcome seen, `cohort verify -DOUTCOME=...` asserts that it does not happen and must be UNSAFE.  The outcome
`IMPOSSIBLE` that a program's header names must be SAFE.

Usage: outcomes.py COHORT [--runs N]
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def native_outcomes(source, folder, runs):
    binary = folder / source.stem
    subprocess.run(["gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", str(source), "-o", str(binary)], check=True)
    return {subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout.strip() for _ in range(runs)}


def verify(cohort, source, outcome):
    return subprocess.run([cohort, "verify", str(source), "-q", "--threads", "4", f"-DOUTCOME={outcome}"], capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cohort")
    parser.add_argument("--runs", type=int, default=40)
    options = parser.parse_args()
    failures = seen = 0
    sources = sorted(FOLDER.glob("*.c"))
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            for outcome in sorted(native_outcomes(source, Path(folder), options.runs)):
                seen += 1
                done = verify(options.cohort, source, outcome)
                if done.returncode != 10:
                    failures += 1
                    print(f"{source.name}: Cohort does not find {outcome}\n{done.stdout}{done.stderr}")
            impossible = re.search(r"^// impossible: (.*)$", source.read_text(), re.MULTILINE)
            done = verify(options.cohort, source, impossible[1])
            if done.returncode != 0:
                failures += 1
                print(f"{source.name}: not SAFE: {impossible[1]}\n{done.stdout}{done.stderr}")
    print(f"{len(sources)} programs, {seen} outcomes seen, {failures} failures")
    return 1 if failures or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
