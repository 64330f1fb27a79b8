#!/usr/bin/env python3
"""Threads and objects without names and skipped interleavings change no verdict.

Random programs create two or three threads in a loop or one by one, with or without steps of main in between that others see, with the same
argument, an index or a pointer to a slot of their own; the threads work on shared variables, locks, their slots, ask who they are and return
values; main joins all, some or none of them, in either order, detaches some, and looks at slots and returned values.  At the end it asserts
that the shared variables do not have certain values.  Every fourth program works on nodes from malloc that threads push, pop, hand to each
other, compare, keep and free, through shared and own pointers; every fourth one on arrays of which each thread has an element, where others
now and then look, too; and every fourth one waits for locks, semaphores, conditions and flags, and is asked about deadlocks (--only makes
programs of one kind).  Each program is decided with threads told apart and all interleavings, which is
the baseline, and then with each of the parts that docs/identity.md describes: the verdicts must be the same.

Usage: random_identity.py COHORT [--programs N] [--seed S] [--keep FOLDER] [--only KIND]
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
            if self.returns and self.random.random() < 0.6:
                look = f"z = (2 * z + (long)r) % 4; {look}"
            return [f"for (int i = 0; i < {self.count}; i++) {{ pthread_join(t[i], &r); {look} }}"]
        order = self.random.sample(range(self.count), self.random.randint(1, self.count))
        lines = []
        for index in order:
            if self.returns:
                use = self.pick("z = (z + (long)r) % 4;", "z = (2 * z + (long)r) % 4;", "if ((long)r == 1) y = x;")
                lines.append(f"pthread_join(t[{index}], &r); {use}")
                if self.random.random() < 0.05:
                    lines.append(f"pthread_join(t[{index}], &r); {use}")
            else:
                lines.append(f"pthread_join(t[{index}], 0);")
            if self.random.random() < 0.3:
                lines.append(self.pick(self.shared_step(), f"z = (z + slot[{index}]) % 4;"))
        return lines

    def program(self):
        steps = [self.worker_step() for _ in range(self.random.randint(1, 3))]
        result = self.pick("(void *)(long)x", "(void *)(long)x", "(void *)1", "p") if self.returns else "0"
        steps.append(self.pick(f"return {result};", f"if (y == 2) pthread_exit({result}); return (void *)2;"))
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


class ColumnGenerator:
    """Programs whose threads have elements of arrays of their own, or nearly so.

    A trick is something that columns are not for, together with a claim that tells whether it was noticed."""

    TRICKS = ["neighbour", "neighbour", "look", "store", "starts", "section", "inside", "shared", "pointer", "helper", "kept",
              "others", "compare"]

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = self.random.choice([2, 2, 3])
        self.by_pointer = self.random.random() < 0.5
        self.property = self.random.choice(["assertions"] * 4 + ["races", "assertions,faults"])
        self.trick = self.random.choice(self.TRICKS) if self.random.random() < 0.7 else ""
        if self.trick == "inside":
            self.by_pointer = False
        if self.trick and self.random.random() < 0.7:
            self.property = "assertions"

    def own(self, field):
        return f"own->{field}" if self.by_pointer else f"s[own].{field}"

    def step(self):
        out, start = self.own("out"), self.own("start")
        return self.random.choice(
            [f"{out} = x;", f"{out} += 1;", f"{out} = {start};", f"if ({start} == 1) y = 2;", f"x = (x + {out} + 1) % 4;",
             f"if (x == 1) {out} = 3;", "x = (x + 1) % 4;", "if (y == 0) y = x;", f"{start} = 2;",
             f"pthread_mutex_lock(&m); {out} = x; x = (x + 1) % 4; pthread_mutex_unlock(&m);"])

    def strange_step(self):
        """What the trick has the threads do; the others are tricks of main."""
        neighbour = "own[1]" if self.by_pointer else "s[own + 1]"
        here = "own" if self.by_pointer else "&s[own]"
        pick = self.random.choice
        return {"neighbour": pick([f"{neighbour}.out = 2;", f"{neighbour}.start += 1;", f"{self.own('out')} = {neighbour}.out + 1;"]),
                "inside": pick(["u[0].of[own] = 1;", "u[0].of[own] += 1;", "((int *)s)[own] += 1;"]),
                "shared": pick(["s[1].out = 2;", "if (x == 1) s[0].start = 1;", "x = 1; s[0].out += 1;"]),
                "pointer": f"if (other) other->out = 3; other = {here};",
                "compare": "if (own == other) x = 3; other = own;".replace("other", "other" if self.by_pointer else "last"),
                "starts": f"{self.own('out')} += {self.own('start')};", "look": f"{self.own('out')} = 1;",
                "store": f"if ({self.own('start')}) x = 3;",
                "helper": pick([f"if ({self.own('out')} == 3) v = 3;", f"{self.own('out')} = 1;", f"if ({self.own('start')} == 3) v = 3;"]),
                "kept": pick(["", f"{self.own('out')} = 1;", "if (other) other->out = 3;"])}.get(self.trick, "")

    def claims(self):
        """About what the trick does, where it can be seen well."""
        value = self.random.randrange(4)
        return {"neighbour": [f"s[{self.count}].out + s[{self.count}].start == 0"] * 2 + ["s[1].out != 2", "s[0].start == 0"],
                "inside": ["u[0].of[1] == 0", "u[1].of[0] == 1", "s[1].start == 0", "s[0].out == 0"], "look": ["z == 0", "z != 1", "v == 0"],
                "store": ["x != 3", "s[0].start != 3", "s[1].start == 0"], "starts": ["s[0].out == s[1].out", "s[1].out == 0", "x == y"],
                "helper": ["v != 3"], "kept": ["s[0].out != 3", "z == 0", "z != 1"],
                "section": ["0", "x == 0", "s[0].out == s[1].out"]}.get(
                    self.trick, [f"z != {value}", f"!(x == {value} && z == 1)", f"s[0].out != {value}", "s[0].out <= s[1].out"])

    def program(self):
        pick = self.random.choice
        trick = self.trick
        steps = [self.step() for _ in range(self.random.randint(1, 2 if trick else 3))]
        if self.strange_step():
            steps.insert(self.random.randint(0, len(steps)), self.strange_step())
        index = pick(["i", "i", "i", f"{self.count - 1} - i", "i / 2" if trick == "others" else "i"])
        argument = f"&s[{index}]" if self.by_pointer else f"(void *)(long)({index})"
        before = pick(["", f"s[{index}].start = 1;", f"s[{index}].out = 2;", "s[i].start = 0;"])
        if trick == "starts":
            before = pick([f"s[{index}].start = i;", f"if (i == 1) s[{index}].start = 2;", f"if (i) s[{index}].start = 1;"])
        middle = pick(["", "", "z = x;"])
        after = ""
        if trick == "look":
            middle = pick(["z = s[0].out;", "z = s[1].out;", "v = s[1].out; if (v) z = 1;"])
        if trick == "store":
            after, middle = pick([(f"s[{index}].start = 3;", middle), ("", "s[1].start = 3;"), ("if (i) s[0].start = 3;", "")])
        helper = pick(["s[1].out = 3;", "if (s[1].out) v = 3;", "s[0].start = 3;"])
        if trick == "helper":
            middle = f"pthread_t h; pthread_create(&h, 0, helper, 0); {middle} pthread_join(h, 0);"
        if trick == "kept":
            before = pick(["", "if (i == 0) other = &s[0];"])
            middle = pick(["other = &s[0]; z = other->out;", "struct slot *k = s; k->out = 3;", "if (other) z = other->out;"])
        look = pick(["z = (2 * z + s[i].out) % 4;", "z = (z + s[i].out) % 4;", "", "y = x;", "z = s[0].out;", "if (s[i].start == 2) z = 1;"])
        if trick in ("look", "kept"):
            look = ""
        joined = pick([f"i = 0; i < {self.count}; i++"] * 3 + [f"i = {self.count - 1}; i >= 0; i--", f"i = 0; i < {self.count - 1}; i++"])
        wait = f"for (int {joined}) {{ pthread_join(t[i], 0); {look} }}"
        if trick == "section":
            one = f"for (int {joined}) {{ __VERIFIER_atomic_begin(); pthread_join(t[i], 0); __VERIFIER_atomic_end(); {look} }}"
            wait = pick([f"__VERIFIER_atomic_begin(); {wait} __VERIFIER_atomic_end();", one])
        late = "" if trick in ("look", "kept") else pick(["", f"for (int i = 0; i < {self.count}; i++) z = (z + s[i].out) % 4;", "z = s[1].out;"])
        again = f"for (int i = 0; i < {self.count}; i++) pthread_create(&t[i], 0, worker, {argument});" if trick == "others" and pick([0, 1]) else ""
        given = "struct slot *own = p;" if self.by_pointer else "long own = (long)p;"
        lines = ["#include <assert.h>", "#include <pthread.h>", "void __VERIFIER_atomic_begin(void);", "void __VERIFIER_atomic_end(void);",
                 "struct slot { int start, out; };", "struct rows { int of[4]; };", "int x, y, z, v;", f"struct slot s[{self.count + 1}];",
                 f"struct rows u[{self.count}];", "struct slot *other;", "long last = -1;", f"pthread_t t[{self.count}];",
                 "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;", "void *worker(void *p) {", f"  {given}", *("  " + step for step in steps),
                 "  return 0;", "}", f"void *helper(void *p) {{ {helper} return 0; }}", "int main(void) {",
                 f"  for (int i = 0; i < {self.count}; i++) {{ {before} pthread_create(&t[i], 0, worker, {argument}); {after} }}",
                 f"  {middle}", f"  {wait}", f"  {late}", f"  {again}", f"  assert({pick(self.claims())});", "  return 0;", "}"]
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


class WaitingGenerator:
    """Programs whose threads wait for locks, semaphores, conditions, flags and each other, perhaps for ever."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = self.random.choice([1, 2, 2])
        self.property = "deadlock"

    def step(self):
        one, other = self.random.sample(["m", "l"], 2)
        work = self.random.choice(["x++;", "x = 1;", "if (x == 1) y = 1;", "y = x;"])
        return self.random.choice([
            f"pthread_mutex_lock(&{one}); {work} pthread_mutex_unlock(&{one});",
            f"pthread_mutex_lock(&m); pthread_mutex_lock(&l); {work} pthread_mutex_unlock(&l); pthread_mutex_unlock(&m);",
            f"pthread_mutex_lock(&{one}); pthread_mutex_lock(&{other}); pthread_mutex_unlock(&{other}); pthread_mutex_unlock(&{one});",
            f"pthread_mutex_lock(&{one}); if (x) sem_wait(&s); pthread_mutex_unlock(&{one});",
            "sem_wait(&s); sem_post(&s);", "sem_post(&s);", "sem_post(&s);", f"sem_wait(&s); {work}",
            "pthread_mutex_lock(&m); while (!flag) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&m); flag = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&m); flag = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);",
            "while (!ready) ;", "ready = 1;", "ready = 1;", f"ready = !ready; {work}", work])

    def steps(self):
        return [self.step() for _ in range(self.random.randint(1, 3))]

    def program(self):
        main = [f"sem_init(&s, 0, {self.random.randrange(2)});", f"for (int i = 0; i < {self.count}; i++) pthread_create(&t[i], 0, worker, 0);"]
        other = self.random.random() < 0.4
        if other:
            main.append("pthread_create(&o, 0, another, 0);")
        if self.random.random() < 0.4:
            main.append(self.step())
        if self.random.random() < 0.8:
            main.append(f"for (int i = 0; i < {self.count}; i++) pthread_join(t[i], 0);")
        if other and self.random.random() < 0.8:
            main.append("pthread_join(o, 0);")
        main.append(self.random.choice(["return 0;", "pthread_exit(0);", "for (;;) ;"]))
        lines = ["#include <pthread.h>", "#include <semaphore.h>", "#include <stdatomic.h>", "atomic_int x, y, ready;", "int flag;", "sem_t s;",
                 f"pthread_t t[{self.count}], o;", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, l = PTHREAD_MUTEX_INITIALIZER;",
                 "pthread_cond_t c = PTHREAD_COND_INITIALIZER;", "void *worker(void *p) {", *("  " + step for step in self.steps()), "  return 0;",
                 "}", "void *another(void *p) {", *("  " + step for step in self.steps()), "  return 0;", "}", "int main(void) {",
                 *("  " + line for line in main), "}"]
        return "\n".join(lines) + "\n"


GENERATORS = {"heap": HeapGenerator, "threads": Generator, "columns": ColumnGenerator, "waits": WaitingGenerator}


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
    parser.add_argument("--only", choices=list(GENERATORS), help="make no programs of the other kinds")
    arguments = parser.parse_args()
    counts = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for seed in range(arguments.seed, arguments.seed + arguments.programs):
            kind = GENERATORS[arguments.only] if arguments.only else list(GENERATORS.values())[seed % len(GENERATORS)]
            generator = kind(seed)
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
