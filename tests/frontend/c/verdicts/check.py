#!/usr/bin/env python3
"""Small C programs with the verdicts that C11 and POSIX give.

Each file of this folder holds the programs of one class.  A comment names a program, the options and what is expected:

    // case NAME [OPTION ...]: safe | unsafe | unknown [, TEXT that the answer contains]

The program is what is left of the file with -DNAME; several cases may look at one program.

usage: check.py COHORT FILE ..."""
import re
import subprocess
import sys

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


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
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
