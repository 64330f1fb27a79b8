#!/usr/bin/env python3
"""Every model of a library function against the GNU C library.

models/glibc.c asserts what the functions return and store.  It is run natively, where no assertion may fail, and given to Cohort
part by part, which must find that none can.  A function that `cohort calls` says is modelled must be called there, unless
it is listed here with the reason why a native run shows nothing.

usage: models.py COHORT"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PARTS = 11

# Conventions of verifiers, which no library has.
VERIFIERS = re.compile(r"reach_error|__VERIFIER_|__CPROVER_|assume_abort_if_not|nondet_|atomic_begin|atomic_end")
SHOWS_NOTHING = {
    "pthread_yield": "not declared any more; sched_yield is the same",
    "pthread_cleanup_push": "a macro; see examples and tests of the language",
    "pthread_setcanceltype": "changes nothing here",
    "pthread_attr_setstacksize": "depends on the machine",
    "pthread_attr_setschedparam": "depends on the machine",
    "pthread_setschedparam": "depends on rights",
    "pthread_setname_np": "nothing asks for the name",
    "pthread_setaffinity_np": "depends on the machine",
    "pthread_cond_wait": "needs a partner; see the outcomes of concurrent programs",
    "cnd_wait": "needs a partner",
    "sem_open": "names are those of the whole machine",
    "sem_close": "see sem_open",
    "sem_unlink": "see sem_open",
    "strlcpy": "glibc has none before 2.38",
    "strlcat": "glibc has none before 2.38",
    "freeaddrinfo": "gives nothing back",
    "closedir": "needs a folder",
    "thrd_detach": "glibc gives no result that differs",
    "thrd_sleep": "time is not modelled",
    "assert": "everywhere",
    "exit": "ends the run",
    "_Exit": "ends the run",
    "_exit": "ends the run",
    "abort": "ends the run",
    "free": "see the random programs with memory",
    "srand": "see rand",
    "srandom": "see rand",
    "srand48": "see rand",
    "__errno_location": "errno",
    "setjmp": "see cases/unwinding.c, which runs natively, too",
    "longjmp": "see cases/unwinding.c, which runs natively, too",
    "epoll_ctl": "see cases/idioms.c, which runs natively, too",
    **{name: "compared with the machine by floats.sh" for name in ("fabs", "trunc", "floor", "ceil", "round", "sqrt", "fmin", "fmax")},
}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def missing_functions(cohort, text):
    for line in run(cohort, "calls").stdout.splitlines():
        cells = [cell.strip(" `") for cell in line.split("|")]
        if len(cells) < 5 or cells[3] != "modelled":
            continue
        name = cells[1]
        if VERIFIERS.match(name) or name in SHOWS_NOTHING or re.search(rf"\b{name}\(", text):
            continue
        yield name


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    cohort, source = sys.argv[1], os.path.join(HERE, "models", "glibc.c")
    wrong = []
    with open(source) as file:
        text = file.read()
    wrong += [f"{name} is modelled and not compared with the library" for name in missing_functions(cohort, text)]
    with tempfile.TemporaryDirectory() as folder:
        binary = os.path.join(folder, "glibc")
        subprocess.run(["gcc", "-O1", "-w", "-pthread", source, "-o", binary], check=True)
        native = run("timeout", "60", binary)
        if native.returncode != 0:
            wrong.append(f"natively: {native.stderr.strip()}")
    for part in range(1, PARTS + 1):
        answer = run(cohort, "verify", source, "-D", f"PART_{part}", "--time-limit", "60")
        if answer.returncode != 0 or " up to undefined" in answer.stdout:
            wrong.append(f"part {part}: {answer.stdout[:600]}{answer.stderr[:300]}")
    print("\n".join(wrong))
    print(f"{PARTS} parts, {len(wrong)} wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
