#!/usr/bin/env python3
"""Random programs of a few threads have exactly the outcomes in Cohort that their interleavings have.

Each program is made twice: as C, and as code for the small machine below, which knows nothing of Cohort and tries all interleavings
of loads, stores and atomic steps.  The values of all objects at the end are an outcome.  gcc's binary may show only outcomes that the
machine found; `cohort verify` must find the program SAFE when it asserts that the outcome is one of them, and UNSAFE when it asserts
that it is not some chosen one.  Options of the engines vary from program to program.

Usage: random_threads.py COHORT [--programs N] [--seed S] [--runs N] [--keep FOLDER]
"""

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

TYPES = {"int": (32, True), "short": (16, True), "unsigned char": (8, False), "signed char": (8, True)}
VARIANTS = [[], ["--por"], ["--no-simplify"], ["--no-symmetry"], ["--search", "dfs"], ["--engine", "explicit"], ["--spurious-wakeups"]]
MOST_STATES = 60000
# Members of a union: the whole, the bit where the part begins, and its type.
PARTS = {"u.h.low": ("u.whole", 0, "short"), "u.h.high": ("u.whole", 16, "short"), "u.bytes[1]": ("u.whole", 8, "unsigned char")}
LOCALS = 3


def wrap(value, name):
    width, signed = TYPES[name]
    value &= (1 << width) - 1
    return value - (1 << width) if signed and value >> (width - 1) else value


def calculate(op, left, right):
    return {"+": left + right, "-": left - right, "^": left ^ right, "&": left & right, "|": left | right, "=": right,
            ">": int(left > right), "==": int(left == right), "!=": int(left != right), "<": int(left < right)}[op]


class Generator:
    """Writes each statement as C and as instructions; registers 0 to 2 are the thread's locals, higher ones temporaries."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.plain = {f"g{i}": self.random.choice(list(TYPES)) for i in range(2)}
        self.plain |= {"s.x": "int", "s.y": "unsigned char", "h->z": "short", "u.whole": "int"}
        self.array = self.random.choice(["int", "unsigned char"])
        self.atomics = {"a0": self.random.choice(["int", "unsigned char"])}
        self.cells = {**self.plain, "arr[0]": self.array, "arr[1]": self.array, **self.atomics}
        self.pointed = [name for name, kind in self.cells.items() if kind == "int" and name not in self.atomics]
        self.plain |= {name: kind for name, (_, _, kind) in PARTS.items()}
        self.held = False

    def local(self):
        return self.random.randrange(LOCALS)

    def operand(self):
        """A local or a constant: C, and an instruction operand."""
        if self.random.random() < 0.5:
            number = self.local()
            return f"l{number}", ("r", number)
        number = self.random.choice([0, 1, 2, 3, 200])
        return str(number), ("c", number)

    def update(self, place, c, code):
        """What is done with an object: read, write, increment or a compound assignment."""
        kind = self.random.randrange(5)
        text, value = self.operand()
        if kind == 0:
            number = self.local()
            return f"l{number} = {c};", code + [("load", number, place)]
        if kind == 1:
            return f"{c} = {text};", code + [("store", place, value)]
        if kind == 2:
            return f"{c}++;", code + [("load", 8, place), ("op", 8, "+", ("r", 8), ("c", 1)), ("store", place, ("r", 8))]
        op = self.random.choice("+-^|")
        if kind == 3:
            return f"{c} {op}= {text};", code + [("load", 8, place), ("op", 8, op, ("r", 8), value), ("store", place, ("r", 8))]
        other = self.random.choice(list(self.plain))
        # C leaves open whether the value or the place is computed first; Cohort takes the value.
        return (f"{c} = {other} {op} {text};",
                [("load", 8, ("v", other)), ("op", 8, op, ("r", 8), value), *code, ("store", place, ("r", 8))])

    def atomic(self):
        name = self.random.choice(list(self.atomics))
        place, number = ("v", name), self.local()
        text, value = self.operand()
        kind = self.random.randrange(5)
        if kind == 0:
            return f"{name}++;", [("rmw", 8, place, "+", ("c", 1))]
        if kind == 1:
            return f"l{number} = atomic_exchange(&{name}, {text});", [("rmw", number, place, "=", value)]
        if kind == 2:
            return f"l{number} = atomic_fetch_sub(&{name}, {text});", [("rmw", number, place, "-", value)]
        if kind == 3:
            expected = (number + 1) % LOCALS
            return (f"{{ {self.atomics[name].replace('unsigned ', 'u')} e = l{expected}; l{number} = "
                    f"atomic_compare_exchange_strong(&{name}, &e, {text}); l{expected} = e; }}",
                    [("cas", number, expected, place, value)])
        plain = self.random.choice(list(self.plain))
        return f"l{number} = __sync_fetch_and_xor(&{plain}, 3);", [("rmw", number, ("v", plain), "^", ("c", 3))]

    def condition(self):
        first, second = self.random.choice(list(self.cells)), self.random.choice(list(self.plain))
        text, value = self.operand()
        kind = self.random.randrange(4)
        if kind < 2:
            op = self.random.choice([">", "==", "!=", "<"])
            return f"{first} {op} {text}", [("load", 9, ("v", first)), ("op", 9, op, ("r", 9), value)]
        both = kind == 2
        skip = ("jz" if both else "jnz", ("r", 9), 2)
        return f"{first} {'&&' if both else '||'} {second}", [("load", 9, ("v", first)), skip, ("load", 9, ("v", second))]

    def statement(self, depth):
        kind = self.random.randrange(11 if depth else 6)
        if kind < 2:
            name = self.random.choice(list(self.plain))
            return self.update(("v", name), name, [])
        if kind == 2:
            number = self.local()
            if self.random.random() < 0.5:
                return self.update(("a", ("r", number)), f"arr[l{number} & 1]", [])
            name = self.random.choice(list(self.plain))
            return self.update(("a", ("r", 7)), f"arr[{name} & 1]", [("load", 7, ("v", name))])
        if kind == 3:
            if self.random.random() < 0.4:
                target = self.random.choice(self.pointed)
                return f"p = &{target};", [("store", ("v", "p"), ("c", target))]
            return self.update(("p", ("r", 6)), "(*p)", [("load", 6, ("v", "p"))])
        if kind == 4:
            return self.atomic()
        if kind == 5:
            target, (text, value) = self.random.choice(self.pointed), self.operand()
            return (f"add(&{target}, {text});",
                    [("load", 8, ("v", target)), ("op", 8, "+", ("r", 8), value), ("store", ("v", target), ("r", 8))])
        if kind < 8:
            text, code = self.condition()
            yes, no = self.block(depth - 1, 1), self.block(depth - 1, 1)
            return (f"if ({text}) {{ {yes[0]} }} else {{ {no[0]} }}",
                    code + [("jz", ("r", 9), len(yes[1]) + 2), *yes[1], ("jump", len(no[1]) + 1), *no[1]])
        if kind == 8:
            text, code = self.block(depth - 1, 1)
            return f"for (int i = 0; i < 2; i++) {{ {text} }}", code + code
        if self.held:
            return self.statement(0)
        self.held = True
        text, code = self.block(depth - 1, 2)
        self.held = False
        if kind == 9:
            return f"pthread_mutex_lock(&m); {text} pthread_mutex_unlock(&m);", [("lock",), *code, ("unlock",)]
        return (f"if (pthread_mutex_trylock(&m) == 0) {{ {text} pthread_mutex_unlock(&m); }}",
                [("try", 9), ("jz", ("r", 9), len(code) + 2), *code, ("unlock",)])

    def block(self, depth, count):
        parts = [self.statement(depth) for _ in range(count)]
        return " ".join(text for text, _ in parts), [step for _, code in parts for step in code]

    def program(self):
        """C text, and the code of each thread."""
        threads = []
        for number in range(self.random.choice([2, 2, 3])):
            count = 3 if number < 2 else 1
            parts = [self.statement(2) for _ in range(count)]
            text = "\n  ".join(part for part, _ in parts)
            code = [step for _, part in parts for step in part] + [("store", ("v", f"r{number}"), ("r", 0))]
            threads.append((text, code))
        for number in range(len(threads)):
            self.cells[f"r{number}"] = "int"
        return self.text([text for text, _ in threads]), [code for _, code in threads]

    def text(self, bodies):
        lines = ["#include <assert.h>", "#include <pthread.h>", "#include <stdatomic.h>", "#include <stdio.h>", "#include <stdlib.h>",
                 "typedef unsigned char uchar;",
                 *(f"{kind} {name};" for name, kind in self.plain.items() if name[0] == "g"),
                 "struct { int x; unsigned char y; } s;", "struct node { short z; } *h;", f"{self.array} arr[2];",
                 "union { int whole; struct { short low, high; } h; unsigned char bytes[4]; } u;",
                 *(f"_Atomic {kind} {name};" for name, kind in self.atomics.items()),
                 f"int *p = &{self.pointed[0]};", f"int r[{len(bodies)}];",
                 "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;", "static void add(int *to, int n) { *to += n; }"]
        for number, body in enumerate(bodies):
            lines += [f"void *thread{number}(void *argument) {{", "  int l0 = (int)(long)argument, l1 = 1, l2 = 0;", f"  {body}",
                      f"  r[{number}] = l0; (void)l1; (void)l2;", "  return NULL;", "}"]
        names = [f"r[{name[1:]}]" if name[0] == "r" else name for name in self.cells]
        shown = " && ".join(f"{name} == %d" for name in names)
        lines += ["int main(void) {", f"  pthread_t t[{len(bodies)}];", "  h = malloc(sizeof *h);", "  h->z = 0;",
                  *(f"  pthread_create(&t[{i}], NULL, thread{i}, (void *){i + 1}L);" for i in range(len(bodies))),
                  *(f"  pthread_join(t[{i}], NULL);" for i in range(len(bodies))),
                  "#ifdef OUTCOME", "  assert(OUTCOME);", "#else", f'  printf("{shown}\\n", {", ".join(names)});', "#endif", "  return 0;", "}"]
        return "\n".join(lines) + "\n"


class Machine:
    """All interleavings of the threads' code.  A state: memory, the lock, and for each thread its place and registers."""

    def __init__(self, cells, pointer, codes):
        self.names = [*cells, "p"]
        self.types = cells
        self.index = {name: i for i, name in enumerate(self.names)}
        memory = tuple([0] * len(cells) + [pointer])
        self.start = (memory, False, tuple((0, (i + 1, 1, 0) + (0,) * 7) for i in range(len(codes))))
        self.codes = codes

    def cell(self, place, registers):
        kind, what = place
        if kind == "v":
            return what
        value = registers[what[1]]
        return value if kind == "p" else f"arr[{value & 1}]"

    def get(self, memory, name):
        if name not in PARTS:
            return memory[self.index[name]]
        whole, shift, kind = PARTS[name]
        return wrap(memory[self.index[whole]] >> shift, kind)

    def put(self, memory, name, value):
        if name in PARTS:
            whole, shift, kind = PARTS[name]
            mask = (1 << TYPES[kind][0]) - 1
            name, value = whole, (memory[self.index[whole]] & ~(mask << shift)) | ((value & mask) << shift)
        cell = self.index[name]
        stored = value if name == "p" else wrap(value, self.types[name])
        return memory[:cell] + (stored,) + memory[cell + 1:]

    def step(self, state, thread):
        """The state after one step of the thread and the local ones behind it; None if it waits."""
        memory, locked, threads = state
        place, registers = threads[thread]
        registers = list(registers)
        value = lambda operand: registers[operand[1]] if operand[0] == "r" else operand[1]

        def set_register(number, result):
            registers[number] = wrap(result, "int") if isinstance(result, int) else result

        kind, *rest = self.codes[thread][place]
        if kind == "load":
            set_register(rest[0], self.get(memory, self.cell(rest[1], registers)))
        elif kind == "store":
            memory = self.put(memory, self.cell(rest[0], registers), value(rest[1]))
        elif kind == "rmw":
            cell = self.cell(rest[1], registers)
            old = self.get(memory, cell)
            memory = self.put(memory, cell, calculate(rest[2], old, value(rest[3])))
            set_register(rest[0], old)
        elif kind == "cas":
            cell = self.cell(rest[2], registers)
            old, new = self.get(memory, cell), value(rest[3])
            same = wrap(registers[rest[1]], self.types[cell]) == old
            if same:
                memory = self.put(memory, cell, new)
            registers[rest[1]] = old
            registers[rest[0]] = int(same)
        elif kind == "lock":
            if locked:
                return None
            locked = True
        elif kind == "try":
            registers[rest[0]] = int(not locked)
            locked = True
        elif kind == "unlock":
            locked = False
        place = self.settle(thread, place if kind in ("op", "jz", "jnz", "jump") else place + 1, registers)
        return memory, locked, threads[:thread] + ((place, tuple(registers)),) + threads[thread + 1:]

    def settle(self, thread, place, registers):
        code = self.codes[thread]
        while place < len(code) and code[place][0] in ("op", "jz", "jnz", "jump"):
            kind, *rest = code[place]
            value = lambda operand: registers[operand[1]] if operand[0] == "r" else operand[1]
            if kind == "op":
                registers[rest[0]] = wrap(calculate(rest[1], value(rest[2]), value(rest[3])), "int")
                place += 1
            elif kind == "jump":
                place += rest[0]
            else:
                place += rest[1] if (value(rest[0]) == 0) == (kind == "jz") else 1
        return place

    def outcomes(self):
        """The final memories; None where there are too many states."""
        seen, pending, found = {self.start}, [self.start], set()
        while pending:
            state = pending.pop()
            ended = True
            for thread, code in enumerate(self.codes):
                if state[2][thread][0] >= len(code):
                    continue
                ended = False
                after = self.step(state, thread)
                if after is not None and after not in seen:
                    seen.add(after)
                    pending.append(after)
            if ended:
                found.add(state[0][:-1])
            if len(seen) > MOST_STATES:
                return None
        return found


def condition(names, outcome):
    return " && ".join(f"{f'r[{name[1:]}]' if name[0] == 'r' else name} == {value}" for name, value in zip(names, outcome))


def verify(cohort, source, outcome, options):
    command = [cohort, "verify", str(source), "-q", "--threads", "4", "--time-limit", "60", f"-DOUTCOME={outcome}", *options]
    return subprocess.run(command, capture_output=True, text=True)


def check(cohort, seed, folder, runs):
    """None if all agree, "" if the program is too large, else what is wrong."""
    generator = Generator(seed)
    text, codes = generator.program()
    machine = Machine(generator.cells, generator.pointed[0], codes)
    outcomes = machine.outcomes()
    if outcomes is None or len(outcomes) > 150:
        return ""
    source = folder / f"threads{seed}.c"
    source.write_text(text)
    shown = sorted(condition(generator.cells, outcome) for outcome in outcomes)
    if runs:
        binary = folder / f"threads{seed}"
        subprocess.run(["gcc", "-O0", "-w", "-pthread", str(source), "-o", str(binary)], check=True)
        for _ in range(runs):
            seen = subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout.strip()
            if seen not in shown:
                return f"the binary shows {seen}, which no interleaving has"
    options = VARIANTS[seed % len(VARIANTS)]
    done = verify(cohort, source, "||".join(f"({one})" for one in shown), options)
    if done.returncode != 0:
        return f"{options}: not SAFE for all {len(shown)} outcomes: {done.stdout}{done.stderr}"
    chosen = random.Random(seed).choice(shown)
    done = verify(cohort, source, f"!({chosen})", options)
    if done.returncode != 10:
        return f"{options}: exit code {done.returncode}, misses {chosen}: {done.stdout}{done.stderr}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cohort")
    parser.add_argument("--programs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    failures = skipped = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        for seed in range(options.seed, options.seed + options.programs):
            problem = check(options.cohort, seed, folder, options.runs)
            if problem == "":
                skipped += 1
            elif problem:
                failures += 1
                print(f"seed {seed}: {problem}\n{(folder / f'threads{seed}.c').read_text()}", flush=True)
    print(f"{options.programs} programs, {skipped} too large, {failures} failures")
    return 1 if failures or skipped == options.programs else 0


if __name__ == "__main__":
    sys.exit(main())
