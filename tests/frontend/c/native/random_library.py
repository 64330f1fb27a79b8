#!/usr/bin/env python3
"""Random C programs with threads, pointers and library calls: what gcc's sanitizers see, Cohort must see.

Each program has two threads and main, which work on numbers, bit-fields, a union, texts, memory of odd sizes and locks,
and call memcpy, memset, strcpy, snprintf, printf, free and functions of the thread library on them.  It is run natively
several times, with pauses drawn from a seed between its statements, under gcc's thread sanitizer, under its address and
undefined-behaviour sanitizers, and plainly.

  - a data race that the thread sanitizer reports must make `--property races` UNSAFE;
  - an error that the other sanitizers report must make `--property faults,overflow` UNSAFE;
  - every outcome of a plain run must be one that Cohort finds: the assertion that there is another outcome is UNSAFE;
  - a program that is disciplined, in which every access is made holding one lock, must be SAFE for races and locks, and
    without frees and odd indices also for faults.

Programs are compiled natively in batches, one file for many of them.

usage: random_library.py COHORT [--programs N] [--seed S] [--runs N] [--keep FOLDER]"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

BATCH = 25
UNSAFE, SAFE, UNKNOWN = 10, 0, 5

PRELUDE = r"""
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef NATIVE
static _Thread_local unsigned cohort_seed;
static unsigned cohort_base;
static void cohort_pause(int who) {
  if (cohort_seed == 0) cohort_seed = cohort_base * 2654435761u + who * 40503u + 1;
  cohort_seed = cohort_seed * 1103515245u + 12345u;
  if ((cohort_seed >> 16 & 3) == 0) usleep(cohort_seed >> 20 & 63);
}
#else
#define cohort_pause(who) ((void)0)
#endif
"""

OBJECTS = """
static int g0, g1, *p;
static struct { int a; char b; short c; unsigned f : 3, h : 5; } s;
static union { int all; short halves[2]; char bytes[4]; } u;
static char text[8], *q;
static long now;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static sem_t z;
static FILE *out;
"""


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.size = self.random.choice([3, 5, 7])
        self.disciplined = self.random.random() < 0.3
        self.frees = not self.disciplined and self.random.random() < 0.25
        self.odd = not self.disciplined and self.random.random() < 0.2

    def number(self):
        return self.random.choice([0, 1, 2, 3, 5])

    def index(self, count):
        return self.random.randrange(count + (2 if self.odd and self.random.random() < 0.2 else 0))

    def plain(self):
        k, choose = self.number(), self.random.choice
        place = choose(["g0", "g1", "(*p)", "s.a", "s.b", "s.c", "s.f", "s.h", "u.all", f"u.halves[{self.random.randrange(2)}]",
                        f"u.bytes[{self.random.randrange(4)}]", f"text[{self.random.randrange(3)}]", f"q[{self.index(self.size)}]"])
        value = choose([str(k), place, "g0", "g1", "s.a", "*p"])
        return choose([f"{place} = {value}", f"{place} = {place} + {k}", f"{place}++", f"v += {place}", f"if ({place} == {k}) {place} = {k + 1}"])

    def library(self):
        k, choose = self.number(), self.random.choice
        calls = [f"memset(q, {k}, {choose([1, 2, self.size])})", "memcpy(text, \"abc\", 3)", f"memcpy(q, text, {choose([1, 3])})",
                 "strcpy(text, \"xy\")", "v += strlen(text)", "v += strcmp(text, \"xy\") == 0", f"snprintf(text, 4, \"{k}\")",
                 "fprintf(out, \"%d\", g0)", "fprintf(out, \"%d %s\", s.a, text)", "sem_getvalue(&z, &g1)", "time(&now)",
                 "memmove(&u, &s.a, 2)", "v += memcmp(&g0, &g1, 4) == 0", "s.f = g0 & 7", "u.all = (int)now & 0"]
        return choose(calls)

    def locked(self, inner):
        if self.disciplined:
            return f"pthread_mutex_lock(&m); {inner}; pthread_mutex_unlock(&m)"
        return self.random.choice([inner, inner, f"pthread_mutex_lock(&m); {inner}; pthread_mutex_unlock(&m)",
                                   f"pthread_mutex_lock(&n); {inner}; pthread_mutex_unlock(&n)",
                                   f"if (pthread_mutex_trylock(&m) == 0) {{ {inner}; pthread_mutex_unlock(&m); }}",
                                   f"pthread_rwlock_rdlock(&l); {inner}; pthread_rwlock_unlock(&l)",
                                   f"pthread_rwlock_wrlock(&l); {inner}; pthread_rwlock_unlock(&l)",
                                   f"sem_wait(&z); {inner}; sem_post(&z)", f"__atomic_fetch_add(&g0, {self.number()}, 5)"])

    def statement(self):
        if self.frees and self.random.random() < 0.15:
            return "free(p)"
        return self.locked(self.plain() if self.random.random() < 0.6 else self.library())

    def block(self, who, most):
        lines = [f"  cohort_pause({who}); {self.statement()};" for _ in range(self.random.randint(1, most))]
        return "\n".join(lines)

    def program(self):
        start = "" if self.frees else "free(p); "
        return f"""{OBJECTS}
static void *first(void *a) {{ int v = 0;
{self.block(1, 3)}
  return a; }}
static void *second(void *a) {{ int v = 0;
{self.block(2, 3)}
  return a; }}
int MAIN(void) {{
  pthread_t t, o; int v = 0;
  p = malloc(4); *p = 1; q = malloc({self.size}); memset(q, 0, {self.size}); sem_init(&z, 0, 1); out = OUT;
  pthread_create(&t, 0, first, 0); pthread_create(&o, 0, second, 0);
{self.block(3, 2)}
  pthread_join(t, 0); pthread_join(o, 0);
  int outcome = g0 * 31 + s.a * 7 + s.b + s.c * 3 + s.f * 5 + s.h + (unsigned char)u.bytes[1] + text[0] % 5 + q[0];
  RESULT(outcome);
  {start}free(q);
  return 0;
}}
"""


def native_file(programs):
    parts = [PRELUDE, "#define OUT fopen(\"/dev/null\", \"w\")\n#define RESULT(outcome) printf(\"outcome %d\\n\", outcome)\n"]
    names = ["g0", "g1", "p", "s", "u", "text", "q", "now", "m", "n", "l", "z", "out", "first", "second", "MAIN"]
    for number, program in enumerate(programs):
        parts += [f"#define {name} p{number}_{name}\n" for name in names]
        parts.append(program)
        parts += [f"#undef {name}\n" for name in names]
    cases = "".join(f"    case {number}: return p{number}_MAIN();\n" for number in range(len(programs)))
    parts.append("int main(int argc, char **argv) {\n  cohort_base = atoi(argv[2]) + 1;\n  switch (atoi(argv[1])) {\n" + cases + "  }\n  return 1;\n}\n")
    return "".join(parts)


def cohort_file(program, outcome):
    """Without an outcome nothing is asserted, which would end executions early."""
    result = "((void)(outcome))" if outcome is None else f"assert((outcome) != ({outcome}))"
    return PRELUDE + f"#define OUT stdout\n#define MAIN main\n#define RESULT(outcome) {result}\n" + program


class Campaign:
    def __init__(self, cohort, folder, runs, keep):
        self.cohort, self.folder, self.runs, self.keep = cohort, folder, runs, keep
        self.counts = dict.fromkeys(["races seen", "errors seen", "outcomes", "disciplined", "undecided", "refused"], 0)
        self.wrong = 0

    def build(self, name, programs, *flags):
        source = os.path.join(self.folder, "batch.c")
        with open(source, "w") as file:
            file.write(native_file(programs))
        binary = os.path.join(self.folder, name)
        subprocess.run(["gcc", "-O0", "-g", "-w", "-pthread", "-DNATIVE", *flags, source, "-o", binary], check=True)
        return binary

    def native(self, binary, number, run):
        environment = dict(os.environ, TSAN_OPTIONS="halt_on_error=0 exitcode=66", ASAN_OPTIONS="detect_leaks=0")
        try:
            return subprocess.run([binary, str(number), str(run)], capture_output=True, text=True, errors="replace",
                                  timeout=20, env=environment)
        except subprocess.TimeoutExpired:
            return None

    def verify(self, program, outcome, *options):
        path = os.path.join(self.folder, "program.c")
        with open(path, "w") as file:
            file.write(cohort_file(program, outcome))
        answer = subprocess.run([self.cohort, "verify", path, "--time-limit", "10", *options], capture_output=True, text=True)
        if answer.returncode == UNKNOWN:
            self.counts["refused" if "unsupported" in answer.stderr or "not modelled" in answer.stdout else "undecided"] += 1
        return answer

    def expect(self, code, answer, what, seed, program, outcome=None):
        if answer.returncode in (code, UNKNOWN):
            return
        self.wrong += 1
        print(f"seed {seed}: {what}: expected exit code {code}, got {answer.returncode}\n{answer.stdout[:400]}{answer.stderr[:300]}", flush=True)
        if self.keep:
            os.makedirs(self.keep, exist_ok=True)
            with open(os.path.join(self.keep, f"seed{seed}.c"), "w") as file:
                file.write(cohort_file(program, outcome))

    def batch(self, seeds):
        generators = [Generator(seed) for seed in seeds]
        programs = [generator.program() for generator in generators]
        plain = self.build("plain", programs)
        threads = self.build("threads", programs, "-fsanitize=thread")
        others = self.build("others", programs, "-fsanitize=address,undefined")
        for number, (seed, generator, program) in enumerate(zip(seeds, generators, programs)):
            self.one(number, seed, generator, program, plain, threads, others)

    def one(self, number, seed, generator, program, plain, threads, others):
        runs = [self.native(threads, number, run) for run in range(self.runs)]
        if any(run and "WARNING: ThreadSanitizer: data race" in run.stderr for run in runs):
            self.counts["races seen"] += 1
            self.expect(UNSAFE, self.verify(program, None, "--property", "races"), "a race", seed, program)
        if generator.disciplined:
            self.counts["disciplined"] += 1
            self.expect(SAFE, self.verify(program, None, "--property", "races"), "no race", seed, program)
            self.expect(SAFE, self.verify(program, None, "--property", "locks"), "no misuse of locks", seed, program)
            self.expect(SAFE, self.verify(program, None, "--property", "faults"), "no fault", seed, program)
        error = re.compile(r"ERROR: AddressSanitizer|runtime error")
        if any(run and error.search(run.stderr) for run in (self.native(others, number, run) for run in range(self.runs))):
            self.counts["errors seen"] += 1
            self.expect(UNSAFE, self.verify(program, None, "--property", "faults,overflow"), "an error", seed, program)
            return
        outcomes = set()
        for run in range(self.runs):
            seen = self.native(plain, number, run)
            outcomes |= {int(text) for text in re.findall(r"outcome (-?\d+)", seen.stdout)} if seen and seen.returncode == 0 else set()
        for outcome in sorted(outcomes)[:2]:
            self.counts["outcomes"] += 1
            self.expect(UNSAFE, self.verify(program, outcome), f"the outcome {outcome}", seed, program, outcome)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cohort")
    parser.add_argument("--programs", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(arguments.cohort, folder, arguments.runs, arguments.keep)
        last = arguments.seed + arguments.programs
        for first in range(arguments.seed, last, BATCH):
            campaign.batch(range(first, min(first + BATCH, last)))
    counts = ", ".join(f"{name}: {count}" for name, count in campaign.counts.items())
    print(f"{arguments.programs} programs, {campaign.wrong} wrong ({counts})")
    return campaign.wrong != 0


if __name__ == "__main__":
    sys.exit(main())
