#!/usr/bin/env python3
"""Random single-threaded C programs give the same values in Cohort as in gcc's binary.

Each program has functions without undefined behaviour (signed arithmetic stays in range by casts through unsigned types, divisors and
shift counts are masked) that compute with integers of every width, arrays, structs, unions, pointers, loops, switches and calls.  gcc's binary
prints what each returns; then `cohort verify` must find the program SAFE when it asserts those values, and UNSAFE when it asserts that
the last of them is another.

Usage: random_programs.py COHORT [--programs N] [--functions N] [--seed S]
"""

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

TYPES = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long long", "unsigned long long", "_Bool"]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def constant(self):
        return str(self.random.choice([0, 1, 2, 3, 5, 7, 100, 127, 128, 255, 256, 32767, 65535, 1000003, 2147483647]))

    def atom(self, names):
        return self.random.choice(names) if self.random.random() < 0.7 else self.constant()

    def expression(self, names, depth):
        if depth == 0:
            return self.atom(names)
        left, right = self.expression(names, depth - 1), self.expression(names, depth - 1)
        kind = self.random.randrange(12)
        # Unsigned arithmetic wraps around; signed arithmetic would be undefined where it overflows.
        if kind < 3:
            return f"(long long)((unsigned long long)({left}) {self.random.choice('+-*')} (unsigned long long)({right}))"
        if kind == 3:
            # One of both is small and positive: neither zero nor the one quotient that overflows.
            return f"(({left}) {self.random.choice('/%')} ((({right}) & 15) + 1))"
        if kind == 4:
            return f"({left}) {self.random.choice(['&', '|', '^'])} ({right})"
        if kind == 5:
            return f"((unsigned)({left}) {self.random.choice(['<<', '>>'])} (({right}) & 7))"
        if kind == 6:
            return f"(({left}) {self.random.choice(['<', '<=', '==', '!=', '>', '>='])} ({right}))"
        if kind == 7:
            return f"(({left}) {self.random.choice(['&&', '||'])} ({right}))"
        if kind == 8:
            return f"(({left}) ? ({right}) : ({self.atom(names)}))"
        if kind == 9:
            return f"({self.random.choice(TYPES)})({left})"
        return f"{self.random.choice(['!', '~'])}({left})"

    def statement(self, names, depth):
        target = self.random.choice(names)
        value = self.expression(names, 2)
        kind = self.random.randrange(9 if depth > 0 else 4)
        if self.random.random() < 0.15:
            return self.part_statement(target, value)
        if kind == 0:
            return f"{target} = {value};"
        if kind == 1:
            return f"{target} {self.random.choice(['&=', '|=', '^='])} {value};"
        if kind == 2:
            return f"table[({value}) & 3] = {self.atom(names)};"
        if kind == 3:
            return f"{target} = table[({value}) & 3];"
        inner = " ".join(self.statement(names, depth - 1) for _ in range(2))
        if kind == 4:
            return f"if ({value}) {{ {inner} }} else {{ {self.statement(names, depth - 1)} }}"
        if kind == 5:
            return f"for (int i = 0; i < {self.random.randrange(1, 4)}; i++) {{ {inner} }}"
        if kind == 6:
            return f"switch (({value}) & 3) {{ case 0: {inner} break; case 1: {self.statement(names, 0)} default: {self.statement(names, 0)} }}"
        if kind == 7:
            return f"{{ long long *p = &table[({value}) & 3]; *p = (long long)((unsigned long long)*p + 1); }}"
        return f"pair.{self.random.choice(['low', 'high'])} = {value}; {target} = pair.low + pair.high;"

    def part_statement(self, target, value):
        """Some bytes of a union, by a member or through a pointer."""
        index = self.random.randrange(8)
        return self.random.choice([
            f"u.bytes[({value}) & 7] = {target};", f"{target} = u.bytes[({value}) & 7];", f"u.half[{index & 3}] ^= {value};",
            f"{target} = u.half[({value}) & 3] + u.word;", f"u.word = {value};", f"{target} ^= u.whole;",
            f"{{ unsigned char *p = (unsigned char *)&u.whole + {index}; *p = *p + 1; }}",
            f"{{ unsigned char *p = (unsigned char *)table; p[({value}) & 31] = {target}; }}",
            "v.whole = 5; memcpy(&v, &u, sizeof u); v.half[1]--; u = v;"])

    def function(self, number):
        names = [f"v{i}" for i in range(4)]
        declarations = " ".join(f"{self.random.choice(TYPES)} {name} = {self.constant()};" for name in names)
        body = "\n  ".join(self.statement(names, 2) for _ in range(5))
        mix = " ^ ".join(f"(unsigned long long){name}" for name in names)
        call = f" ^ (unsigned long long)f{number - 1}()" if number > 0 and self.random.random() < 0.3 else ""
        return (f"static long long f{number}(void) {{\n"
                f"  union {{ unsigned long long whole; unsigned short half[4]; unsigned char bytes[8]; int word; }} u = {{{self.constant()}}}, v;\n"
                f"  struct {{ short low; unsigned char high; }} pair = {{1, 2}};\n"
                f"  long long table[4] = {{1, 2, 3, 4}};\n  {declarations}\n  {body}\n"
                f"  pair.low = (short)(pair.low ^ pair.high);\n"
                f"  return (long long)({mix} ^ (unsigned long long)table[0] ^ (unsigned long long)pair.low ^ u.whole{call});\n}}\n")

    def program(self, functions):
        parts = ["#include <assert.h>\n#include <stdio.h>\n#include <string.h>\n"]
        parts += [self.function(number) for number in range(functions)]
        lines = [f"  CHECK(f{number}(), V{number});" for number in range(functions)]
        parts.append("#ifdef V0\n#define CHECK(value, expected) assert((value) == (expected))\n#else\n"
                     '#define CHECK(value, expected) printf("%lld\\n", value)\n#endif\n')
        parts.append("int main(void) {\n" + "\n".join(lines) + "\n  return 0;\n}\n")
        return "\n".join(parts)


def literal(value):
    return "(-9223372036854775807LL-1)" if value == -(2**63) else f"{value}LL"


def compare(cohort, source, functions):
    """None if the two agree, else what went wrong."""
    binary = source.with_suffix("")
    subprocess.run(["gcc", "-O1", "-w", str(source), "-o", str(binary)], check=True)
    values = [int(line) for line in subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout.split()]
    for changed, expected in ((0, 0), (1, 10)):
        wanted = values[:-1] + [values[-1] ^ changed]
        defines = [f"-DV{number}={literal(value)}" for number, value in enumerate(wanted)]
        done = subprocess.run([cohort, "verify", str(source), "--threads", "1", "-q", *defines], capture_output=True, text=True)
        if done.returncode != expected:
            return f"exit code {done.returncode}, expected {expected}\n{' '.join(defines)}\n{done.stdout}{done.stderr}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cohort")
    parser.add_argument("--programs", type=int, default=6)
    parser.add_argument("--functions", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.programs):
            seed = options.seed + number
            source = Path(folder) / f"random{seed}.c"
            source.write_text(Generator(seed).program(options.functions))
            problem = compare(options.cohort, source, options.functions)
            if problem:
                failures += 1
                print(f"seed {seed}: {problem}\n{source.read_text()}")
    print(f"{options.programs} programs with {options.functions} functions each: {failures} differ from gcc")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
