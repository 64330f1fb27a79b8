#!/usr/bin/env python3
"""Small C programs with the verdicts that C11 and POSIX give.

Each file of this folder holds the programs of one class.  A comment names a program, the options and what is expected:

    // case NAME [OPTION ...]: safe | unsafe | unknown [, TEXT that the answer contains]

The program is what is left of the file with -DNAME; several cases may look at one program.

With `native` for COHORT the programs of the safe cases are compiled with gcc and run, under the sanitizer that looks for the same: nothing is
reported and no assertion fails.  Those that gcc cannot link (functions of verifiers, of the kernel) or that ask for what it has not are left out.

usage: check.py COHORT|native FILE ..."""
import os
import re
import subprocess
import sys
import tempfile

CASE = re.compile(r"// case (\w+)((?: [^:]+)?): (safe|unsafe|unknown)(?:, (.*))?$")
CODES = {"safe": 0, "unsafe": 10, "unknown": 5}


def cases(path):
    with open(path) as file:
        for number, line in enumerate(file, 1):
            found = CASE.match(line.strip())
            if found:
                yield number, *found.groups()
            elif line.startswith("// case"):
                sys.exit(f"{path}:{number}: not a case: {line.strip()}")


SANITIZERS = {"assertions": [], "races": ["-fsanitize=thread"], "locks": [], "deadlock": [],
              "faults": ["-fsanitize=address", "-fno-sanitize-recover=all"], "overflow": ["-fsanitize=signed-integer-overflow", "-fno-sanitize-recover=all"]}
REPORT = re.compile(r"Assertion .* failed|ERROR: AddressSanitizer|runtime error|ThreadSanitizer: data race")


def native_flags(options):
    """What gcc is given; None where the case asks for something that gcc has not."""
    words, flags, kind = options.split(), [], "assertions"
    while words:
        word = words.pop(0)
        if word == "--property":
            kind = words.pop(0)
        elif word.startswith(("-D", "-U", "-m")):
            flags.append(word)
        else:
            return None
    return [*flags, *SANITIZERS[kind]] if kind in SANITIZERS else None


def run_native(path, name, flags, folder):
    """None where all is well, "" where there is nothing to run."""
    binary = os.path.join(folder, "program")
    built = subprocess.run(["gcc", "-w", "-O0", "-pthread", "-D", name, *flags, path, "-o", binary], capture_output=True, text=True)
    if built.returncode != 0:
        return ""
    try:
        done = subprocess.run([binary], capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=20)
    except subprocess.TimeoutExpired:
        return None  # waits for something from outside, or for ever
    return done.stderr[:1000] if REPORT.search(done.stderr) else None


def native(paths):
    ran = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            for number, name, options, verdict, _ in cases(path):
                flags = native_flags(options)
                if verdict != "safe" or flags is None:
                    continue
                problem = run_native(path, name, flags, folder)
                ran += problem != ""
                if problem:
                    wrong += 1
                    print(f"{path}:{number}: {name}{options}: safe, but natively\n{problem}")
    print(f"{ran} programs ran, {wrong} wrong")
    return wrong != 0 or ran == 0


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if sys.argv[1] == "native":
        return native(sys.argv[2:])
    cohort, wrong, count = sys.argv[1], 0, 0
    for path in sys.argv[2:]:
        for number, name, options, verdict, text in cases(path):
            command = [cohort, "verify", path, "-D", name, "--time-limit", "60", *options.split()]
            run = subprocess.run(command, capture_output=True, text=True)
            answer = run.stdout + run.stderr
            count += 1
            if run.returncode == CODES[verdict] and (text is None or text in answer):
                continue
            wrong += 1
            expected = verdict + (f" with '{text}'" if text else "")
            print(f"{path}:{number}: {name}{options}: expected {expected}, got\n{answer[:1500]}")
    print(f"{count} cases, {wrong} wrong")
    if count == 0:
        sys.exit("no cases")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
