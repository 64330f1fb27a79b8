#!/usr/bin/env python3
"""Calls of the library race for what C and POSIX say that they read or write, and for nothing else.

A row of effects.txt is a call and a byte of what it is given.  Another thread writes the byte, or reads it, at any time: a race, unless
the call does not touch it or both only read.

usage: effects.py COHORT [--every N] [TEXT]      only rows whose call contains the text; the cheap half of the runs of N rows in N"""
import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

HEADERS = """assert ctype errno fcntl getopt locale poll pthread sched semaphore setjmp signal stdarg stdio stdlib string sys/epoll sys/eventfd
sys/mman sys/select sys/socket sys/time threads time unistd""".split()
PROGRAM = """#define _GNU_SOURCE
{includes}
{declarations}
int sink;
void *other(void *unused) {{ {touch} return unused; }}
int main(void) {{
  pthread_t t;
  {before}
  pthread_create(&t, 0, other, 0);
  {call}
  return 0;
}}
"""
TOUCHES = {"write": "(*(volatile unsigned char *)&({what}))++;", "read": "if (*(unsigned char *)&({what})) sink = 1;"}
RACES = {"R": {"write": True, "read": False}, "W": {"read": True, "write": True}, "N": {"write": False}}
CODES = {True: 10, False: 0}


def rows():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "effects.txt")) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                yield [part.strip() for part in line.split(" | " if line.count(" | ") == 4 else "|")]


def run(cohort, folder, number, row, how, race):
    declarations, before, call, what, kind = row
    path = os.path.join(folder, f"{number}{how}.c")
    with open(path, "w") as file:
        file.write(PROGRAM.format(includes="\n".join(f"#include <{name}.h>" for name in HEADERS), declarations=declarations, before=before,
                                  call=call, touch=TOUCHES[how].format(what=what)))
    done = subprocess.run([cohort, "verify", path, "--property", "races", "--time-limit", "60"], capture_output=True, text=True)
    if done.returncode == CODES[race]:
        return None
    return f"{call}: another thread {how}s {what}: expected {'a race' if race else 'no race'}, got\n{(done.stdout + done.stderr)[:600]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cohort")
    parser.add_argument("text", nargs="?", default="")
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    jobs = []
    for number, row in enumerate(rows()):
        if len(row) != 5 or row[4] not in RACES:
            sys.exit(f"no row: {row}")
        if arguments.text not in row[2]:
            continue
        for how, race in RACES[row[4]].items():
            # Whoever writes races with everything: the run that tells most is always made.
            if how == next(iter(RACES[row[4]])) or number % arguments.every == 0:
                jobs.append((number, row, how, race))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        problems = [found for found in pool.map(lambda job: run(arguments.cohort, folder, *job), jobs) if found]
    for problem in problems:
        print(problem)
    print(f"{len(jobs)} programs, {len(problems)} wrong")
    return 1 if problems or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
