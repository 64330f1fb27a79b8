"""Many small programs in one binary, run under many schedules: what the campaigns against gcc's sanitizers share.

Programs are text that uses MAIN for main, OUT for a file that takes output, RESULT(n) for the outcome, and cohort_pause(who) where
threads may change over.  All programs of a batch are compiled into one file, with their names made different; the binary
forks for each program and each schedule, so that a batch costs one compilation and one start for each sanitizer.

The scheduler is part of the binary: at each pause a number drawn from the seed says who goes on, and the others wait for their turn,
for a moment only, since who has the turn may be waiting for a lock.  It is hidden from the thread sanitizer (raw system calls,
functions that are not instrumented), which would take it for synchronisation."""
import os
import re
import subprocess

PRELUDE = r"""
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#ifdef NATIVE
#include <sys/syscall.h>
#include <sys/wait.h>
static volatile unsigned cohort_state, cohort_turn;
#define HIDDEN __attribute__((no_sanitize("thread", "address", "undefined"), noinline))
HIDDEN static void cohort_pause(unsigned who) {
  cohort_state = cohort_state * 1103515245u + 12345u;
  cohort_turn = (cohort_state >> 16) % 4;
  for (int i = 0; i < 12 && cohort_turn != who; i++) {
    struct timespec moment = {0, 20000};
    syscall(SYS_nanosleep, &moment, 0);
  }
}
#else
#define cohort_pause(who) ((void)0)
#endif
"""

DRIVER = r"""
int main(int argc, char **argv) {
  int programs = atoi(argv[1]), runs = atoi(argv[2]);
  for (int i = 0; i < programs; i++)
    for (int run = 0; run < runs; run++) {
      fflush(stdout);
      int child = fork();
      if (child == 0) {
        alarm(20);
        cohort_state = (run + 1) * 2654435761u + i;
        int code = cohort_mains[i]();
        fflush(stdout);
        exit(code);
      }
      int status = 0;
      waitpid(child, &status, 0);
      dprintf(1, "\n@@ %d %d %d\n", i, run, status);
      dprintf(2, "\n@@ %d %d %d\n", i, run, status);
    }
  return 0;
}
"""

MARK = re.compile(r"\n@@ (\d+) (\d+) (\d+)\n")


def native_text(programs, names):
    """One file; `names` are the global names of each program, which get a number in front."""
    parts = [PRELUDE, '#define OUT fopen("/dev/null", "w")\n#define RESULT(outcome) printf("outcome %d\\n", outcome)\n']
    for number, program in enumerate(programs):
        parts += [f"#define {name} p{number}_{name}\n" for name in names]
        parts.append(program)
        parts += [f"#undef {name}\n" for name in names]
    mains = ", ".join(f"p{number}_MAIN" for number in range(len(programs)))
    return "".join([*parts, f"static int (*cohort_mains[])(void) = {{{mains}}};\n", DRIVER])


def cohort_text(program, outcome, same=False):
    """For Cohort: the outcome is another, or the same; without an outcome nothing is asserted, which would end executions early."""
    result = "((void)(outcome))" if outcome is None else f"assert((outcome) {'==' if same else '!='} ({outcome}))"
    return PRELUDE + f"#define OUT stdout\n#define MAIN main\n#define RESULT(outcome) {result}\n" + program


class Run:
    """What one program printed under one schedule, and how it ended (a status as of wait)."""

    def __init__(self, output, errors, status):
        self.output, self.errors, self.status = output, errors, status


def run_batch(folder, text, count, runs, *flags):
    """The runs of each program, compiled with the flags."""
    source, binary = os.path.join(folder, "batch.c"), os.path.join(folder, "batch")
    with open(source, "w") as file:
        file.write(text)
    subprocess.run(["gcc", "-O0", "-g", "-w", "-pthread", "-DNATIVE", *flags, source, "-o", binary], check=True)
    environment = dict(os.environ, TSAN_OPTIONS="halt_on_error=0 exitcode=66 die_after_fork=0", ASAN_OPTIONS="detect_leaks=0")
    done = subprocess.run([binary, str(count), str(runs)], capture_output=True, text=True, errors="replace", env=environment)
    result = [[None] * runs for _ in range(count)]
    outputs, errors = MARK.split(done.stdout), MARK.split(done.stderr)
    if len(outputs) != 4 * count * runs + 1 or len(errors) != len(outputs):
        raise RuntimeError(f"the batch ended early: {done.stdout[-300:]}{done.stderr[-300:]}")
    for at in range(0, len(outputs) - 1, 4):
        program, run, status = (int(cell) for cell in outputs[at + 1:at + 4])
        result[program][run] = Run(outputs[at], errors[at], status)
    return result
