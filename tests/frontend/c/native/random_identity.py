#!/usr/bin/env python3
"""Threads and objects without names and skipped interleavings change no verdict.

Random programs create two or three threads in a loop or one by one, with or without steps of main in between that others see, with the same
argument, an index or a pointer to a slot of their own; the threads work on shared variables, locks, their slots, ask who they are and return
values; main joins all, some or none of them, in either order, detaches some, and looks at slots and returned values.  At the end it asserts
that the shared variables do not have certain values.  Every third program works on nodes from malloc that threads push, pop, hand to each
other, compare, keep and free, through shared and own pointers.  Each program is decided with threads told apart and all interleavings, which is
the baseline, and then with each of the parts that docs/identity.md describes: the verdicts must be the same.

Usage: random_identity.py COHORT [--programs N] [--seed S] [--keep FOLDER]
"""

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

BASELINE = ["--engine", "explicit", "--no-late-naming", "--no-por", "--no-symmetry"]
VARIANTS = [[], ["--engine", "explicit"], ["--engine", "explicit", "--no-por"], ["--engine", "explicit", "--no-late-naming"],
            ["--engine", "explicit", "--por", "--search", "dfs"], ["--engine", "explicit", "--no-simplify"]]
VERDICTS = {0: "SAFE", 10: "UNSAFE", 5: "UNKNOWN"}


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = self.random.choice([2, 2, 3])
        self.argument = self.random.choice(["none", "none", "index", "slot"])
        self.returns = self.random.random() < 0.25
        self.property = self.random.choice(["assertions"] * 4 + ["races", "assertions,faults"])

    def pick(self, *choices):
        return self.random.choice(choices)

    def shared_step(self):
        """A statement that other threads may see, for any thread."""
        return self.pick("x = (x + 1) % 4;", "y = x;", "x = 2;", "if (x == 1) y = 3;", "z = (z + x + 1) % 4;", "if (y == 0) x = 3;",
                         "pthread_mutex_lock(&m); y = (y + 1) % 4; pthread_mutex_unlock(&m);", "if (z > 1) y = 2;")

    def worker_step(self):
        own = {"none": [], "index": ["slot[(long)p] = x;", "if ((long)p == 1) x = 0;", "slot[(long)p] += 1;"],
               "slot": ["*(int *)p = x;", "*(int *)p += 1;", "if (*(int *)p == 2) y = 1;"]}[self.argument]
        if self.random.random() < 0.04:
            return "if (pthread_equal(pthread_self(), t[0])) x = 1;"
        return self.pick(*own) if own and self.random.random() < 0.4 else self.shared_step()

    def creation(self, index):
        argument = {"none": "0", "index": f"(void *)(long){index}", "slot": f"&slot[{index}]"}[self.argument]
        return f"pthread_create(&t[{index}], 0, worker, {argument});"

    def creations(self):
        if self.random.random() < 0.6:
            between = self.shared_step() if self.random.random() < 0.3 else self.pick("", "int unused = i;")
            return [f"for (int i = 0; i < {self.count}; i++) {{ {self.creation('i')} {between} }}"]
        lines = []
        for index in range(self.count):
            lines.append(self.creation(index))
            if self.random.random() < 0.3:
                lines.append(self.shared_step())
        return lines

    def joins(self):
        how = self.random.random()
        if how < 0.1:
            return [f"pthread_detach(t[{self.random.randrange(self.count)}]);"]
        if how < 0.5:
            look = self.pick("", "", self.shared_step(), "z = (z + slot[i]) % 4;")
            return [f"for (int i = 0; i < {self.count}; i++) {{ pthread_join(t[i], 0); {look} }}"]
        order = self.random.sample(range(self.count), self.random.randint(1, self.count))
        lines = []
        for index in order:
            if self.returns:
                lines.append(f"pthread_join(t[{index}], &r); z = (z + (long)r) % 4;")
            else:
                lines.append(f"pthread_join(t[{index}], 0);")
            if self.random.random() < 0.3:
                lines.append(self.pick(self.shared_step(), f"z = (z + slot[{index}]) % 4;"))
        return lines

    def program(self):
        steps = [self.worker_step() for _ in range(self.random.randint(1, 3))]
        steps.append(f"return {self.pick('(void *)(long)x', '(void *)1') if self.returns else '0'};")
        middle = [self.shared_step()] if self.random.random() < 0.3 else []
        main = ["void *r = 0;", *self.creations(), *middle, *self.joins()]
        values = [self.random.randrange(4) for _ in range(3)]
        main.append(self.pick(f"assert(!(x == {values[0]} && z == {values[2]}));", f"assert(!(x == {values[0]} && y == {values[1]}));",
                              f"assert(!(y == {values[1]} && slot[0] == {values[2]}));", f"assert(x != {values[0]});", f"assert(z != {values[2]});",
                              f"assert(y != {values[1]});"))
        lines = ["#include <assert.h>", "#include <pthread.h>", "int x, y, z;", f"int slot[{self.count}];", f"pthread_t t[{self.count}];",
                 "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;", "void *worker(void *p) {", *("  " + step for step in steps), "}",
                 "int main(void) {", *("  " + line for line in main), "  return 0;", "}"]
        return "\n".join(lines) + "\n"


class HeapGenerator:
    """Programs whose threads allocate, in an order that must not matter."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = self.random.choice([2, 2, 3])
        self.property = self.random.choice(["assertions"] * 3 + ["assertions,faults"])

    def step(self):
        made = f"struct node *n = malloc(sizeof *n); n->value = {self.random.choice(['1', '2', 'x'])};"
        push = f"{{ {made} n->next = g; g = n; }}"
        pop = "{ struct node *n = g; if (n) { g = n->next; x = n->value; free(n); } }"
        other = [push, push, pop, f"{{ {made} n->next = 0; own = n; }}", "if (!own) own = g;", "if (own) { g = own; own = 0; }",
                 "if (own && own == g) y = 1;", "if (own != h) z = 1;", "h = g;", "if (h) h->value = 3;", "if (g && g->next) x = g->next->value;",
                 "if (own && own->next == h) y = 2;", "{ struct node *n = own; own = 0; free(n); }", "if (h && own) h->next = own;", "g = 0;"]
        text = self.random.choice(other)
        if self.random.random() < 0.7:
            text = f"pthread_mutex_lock(&m); {text} pthread_mutex_unlock(&m);"
        return text

    def program(self):
        steps = [self.step() for _ in range(self.random.randint(2, 3))]
        main = [f"for (int i = 0; i < {self.count}; i++) pthread_create(&t[i], 0, worker, 0);"]
        if self.random.random() < 0.3:
            main.append("struct node *own = 0; " + self.step())
        if self.random.random() < 0.8:
            main.append(f"for (int i = 0; i < {self.count}; i++) pthread_join(t[i], 0);")
        value = self.random.randrange(4)
        main.append(self.random.choice([f"assert(x != {value});", f"assert(!(y == {value} && z));", "assert(!g || g != h);",
                                        f"assert(!g || g->value != {value});", f"assert(!g || !g->next || g->next->value != {value});"]))
        lines = ["#include <assert.h>", "#include <pthread.h>", "#include <stdlib.h>", "struct node { int value; struct node *next; };",
                 "struct node *g, *h;", "int x, y, z;", f"pthread_t t[{self.count}];", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
                 "void *worker(void *p) {", "  struct node *own = 0;", *("  " + step for step in steps), "  return 0;", "}",
                 "int main(void) {", *("  " + line for line in main), "  return 0;", "}"]
        return "\n".join(lines) + "\n"


def verdict(cohort, file, prop, options):
    command = [cohort, "verify", file, "--property", prop, "--quiet", "--time-limit", "30", *options]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    return VERDICTS.get(done.returncode, f"exit code {done.returncode}: {done.stderr.strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cohort", type=Path)
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    counts = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for seed in range(arguments.seed, arguments.seed + arguments.programs):
            generator = HeapGenerator(seed) if seed % 3 == 0 else Generator(seed)
            file = folder / f"identity_{seed}.c"
            text = generator.program()
            file.write_text(text)
            expected = verdict(arguments.cohort, file, generator.property, BASELINE)
            counts[expected] = counts.get(expected, 0) + 1
            for options in ([], VARIANTS[1 + seed % (len(VARIANTS) - 1)]):
                found = verdict(arguments.cohort, file, generator.property, options)
                if found != expected and "UNKNOWN" not in (found, expected):
                    sys.exit(f"{text}\nseed {seed}, --property {generator.property}: {expected} by {' '.join(BASELINE)}, "
                             f"{found} by {' '.join(options) or 'default'}")
                counts["undecided"] = counts.get("undecided", 0) + (found == "UNKNOWN" and expected != "UNKNOWN")
    print(counts)
    if counts.get("undecided", 0) > arguments.programs / 10 or min(counts.get("SAFE", 0), counts.get("UNSAFE", 0)) < arguments.programs / 10:
        sys.exit("hardly anything was compared")


if __name__ == "__main__":
    main()
