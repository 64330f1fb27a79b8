#!/usr/bin/env python3
"""The programs beside this script have the verdicts that their headers state.

A line `// case N: safe|unsafe|unknown [OPTIONS]` asks for one run of `cohort verify FILE -DCASE=N OPTIONS`.  Cases without options are
compiled with gcc, too, unless `not native` stands at the end of the line: the binary must run through where the verdict is `safe` and
fail its assertion where it is `unsafe`.  `--sanitize` compiles all cases with gcc's address and undefined-behaviour sanitizers, those
that ask for faults as well, which must be reported then.  `--preprocess` gives Cohort what gcc makes of the file with -O2 and
-D_FORTIFY_SOURCE=2, where headers define functions in place of those of the library; no binaries then.

Usage: check.py COHORT [--only TEXT] [--sanitize] [--preprocess] [--jobs N]
"""

import argparse
import concurrent.futures
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
CODES = {"safe": 0, "unsafe": 10, "unknown": 5}
CASE = re.compile(r"^// case (\d+): (safe|unsafe|unknown)(.*)$", re.MULTILINE)


def cases(only):
    for source in sorted(FOLDER.glob("*.c")):
        found = CASE.findall(source.read_text())
        if not found:
            sys.exit(f"{source.name} states no verdict")
        for number, verdict, rest in found:
            native = "not native" not in rest
            options = shlex.split(rest.replace("not native", ""))
            if only in f"{source.name} {number}":
                yield source, number, verdict, options, native


def preprocessed(source, number, options, folder):
    """The file for Cohort, and the options that are left: gcc has taken its part of them."""
    taken = [option for option in options if option.startswith(("-D", "-U", "-I", "-std="))]
    result = Path(folder) / f"{source.stem}.i"
    subprocess.run(["gcc", "-E", "-O2", "-D_FORTIFY_SOURCE=2", f"-DCASE={number}", *taken, str(source), "-o", str(result)], check=True)
    return result, [option for option in options if option not in taken]


def verify(cohort, source, number, verdict, options):
    command = [cohort, "verify", str(source), "-q", f"-DCASE={number}", "--time-limit", "90", *options]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    except subprocess.TimeoutExpired:
        return f"{source.name} case {number}: no answer within 200 s: {' '.join(command)}"
    if done.returncode == CODES[verdict]:
        return None
    return f"{source.name} case {number}: not {verdict} {' '.join(options)} (exit code {done.returncode})\n{done.stdout}{done.stderr}"


def run_native(source, number, verdict, options, sanitize):
    if verdict == "unknown" or (options and not (sanitize and options == ["--property", "faults"])):
        return None
    flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g"] if sanitize else []
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "program"
        built = subprocess.run(["gcc", "-w", "-O0", *flags, f"-DCASE={number}", "-pthread", str(source), "-o", str(binary), "-lm"], capture_output=True, text=True)
        if built.returncode != 0:
            return f"{source.name} case {number}: gcc refuses it\n{built.stderr}"
        done = subprocess.run([str(binary)], capture_output=True, text=True)
    if (done.returncode == 0) == (verdict == "safe"):
        return None
    return f"{source.name} case {number}: {verdict}, but the binary ends with {done.returncode}\n{done.stderr}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cohort")
    parser.add_argument("--only", default="")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--preprocess", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    chosen = list(cases(arguments.only))

    def check(case):
        source, number, verdict, options, native = case
        if arguments.preprocess:
            with tempfile.TemporaryDirectory() as folder:
                expanded, left = preprocessed(source, number, options, folder)
                problem = verify(arguments.cohort, expanded, number, verdict, left)
            return [problem] if problem else []
        problems = [verify(arguments.cohort, source, number, verdict, options)]
        if native:
            problems.append(run_native(source, number, verdict, options, arguments.sanitize))
        return [problem for problem in problems if problem]

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        problems = [problem for found in pool.map(check, chosen) for problem in found]
    print("\n".join(problems))
    print(f"{len(chosen)} cases, {len(problems)} problems")
    return 1 if problems or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
