#!/usr/bin/env python3
"""Random single-threaded C functions go wrong in Cohort exactly where gcc's sanitizers say that they do.

The functions compute with boundary values: sums and products may overflow, divisors be zero, shift counts too large, indices out of
bounds, pointers NULL or freed, and what guards such an operation may be right or wrong.  Some values are constants that the front end
knows, some are in memory, and some nobody reads (but in a variable: gcc drops an expression that is a statement before it looks).  Each function runs alone: first compiled with all sanitizers, against
`--property overflow,faults`, then with signed arithmetic that wraps around and without a look at it, against `--property faults`.

Usage: random_faults.py COHORT [--functions N] [--seed S]
"""

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

CONSTANTS = ["0", "1", "1", "1", "2", "2", "2", "3", "-1", "7", "31", "46341", "2147483647", "(-2147483647-1)"]
NAMES = ["g0", "g1", "l0", "l1", "arr[1]"]
SANITIZERS = {"overflow,faults": ["-fsanitize=undefined,address"],
              "faults": ["-fwrapv", "-fsanitize=undefined,address", "-fno-sanitize=signed-integer-overflow"]}
PRELUDE = """#include <stdlib.h>
#include <string.h>
static int g0, g1, unread, arr[3], other[3];
static struct pair { int first; int second; } pair, *link;
"""


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def atom(self):
        return self.random.choice(NAMES) if self.random.random() < 0.7 else self.random.choice(CONSTANTS)

    def expression(self, depth):
        if depth == 0:
            return self.atom()
        left, right, name = self.expression(depth - 1), self.expression(depth - 1), self.random.choice(NAMES)
        return self.random.choice([
            f"({left} + {right})", f"({left} - {right})", f"({left} * {right})", f"({left} / {right})", f"({left} % {right})",
            f"(-{name})", f"(int)((unsigned){left} << {right})", f"({left} >> {right})", f"arr[{right}]", f"({left} < {right})",
            f"({name} != 0 && {left} / {name} > 1)", f"({name} < 2147483647 ? {name} + 1 : {left})",
            f"({name} >= 0 && {name} < 32 ? 1u << {name} : 0)", f"({name} < 0 || {name} >= 3 || arr[{name}])",
            f"(link && link->first)", f"({left} ^ {right})", f"(int)(short){left}"])

    def statement(self, depth):
        target, value = self.random.choice(NAMES), self.expression(self.random.randrange(1, 3))
        choices = [f"{target} = {value};", f"{target} += {self.atom()};", f"{target}++;", f"{target} -= {self.atom()};", f"unread = {value};",
                   f"arr[{self.atom()}] = {target};", f"other[{self.atom()}] = 1;", f"{target} = link->first;",
                   "link->second = 2;", "*link;", "link = &pair;", "link = 0;", "pair = *link;", f"{{ int dead = {value}; }}",
                   f"{{ int *p = malloc(2 * sizeof *p); p[{self.random.choice('0012')}] = {target}; free(p); }}",
                   f"{{ int *p = malloc(sizeof *p); free(p); if ({target} == 1) *p = 1; }}",
                   f"{{ int *p = malloc(sizeof *p); *p = {target}; if ({target} > 1) free(p); free(p); }}",
                   f"{{ struct pair copy; memcpy(&copy, link, sizeof copy); {target} = copy.first; }}"]
        if depth:
            inner = " ".join(self.statement(depth - 1) for _ in range(2))
            choices += 3 * [f"if ({value}) {{ {inner} }}", f"for (int i = 0; i < 3; i++) {{ l0 = i; {inner} }}",
                            f"if (link) {{ {inner} }} else {{ link = &pair; }}"]
        return self.random.choice(choices)

    def function(self, number):
        start = " ".join(f"{name} = {self.random.choice(CONSTANTS)};" for name in NAMES[:2] + ["arr[0]", "arr[1]", "arr[2]"])
        declare = " ".join(f"int {name} = {self.random.choice(CONSTANTS)};" for name in ("l0", "l1"))
        body = "\n  ".join(self.statement(2) for _ in range(3))
        result = self.random.choice(["0", "l0", "l0 + l1", "arr[l1]", "10 / l0"])
        return f"#if ONLY == {number}\nint main(void) {{\n  {declare} {start} link = &pair;\n  {body}\n  return {result};\n}}\n#endif\n"


def goes_wrong(source, number, options):
    """None where the processor gave up for a reason that the sanitizers do not name."""
    binary = source.with_suffix(f".{number}")
    subprocess.run(["gcc", "-w", "-g", f"-DONLY={number}", *options, "-fno-sanitize-recover=all", str(source), "-o", str(binary)], check=True)
    done = subprocess.run([str(binary)], capture_output=True, text=True, env={"ASAN_OPTIONS": "detect_leaks=0"})
    text = done.stderr
    if "runtime error" in text or "AddressSanitizer" in text and "FPE" not in text:
        return True
    return False if done.returncode >= 0 and not text else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cohort")
    parser.add_argument("--functions", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failures = 0
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "faults.c"
        for number in range(options.seed, options.seed + options.functions):
            source.write_text(PRELUDE + Generator(number).function(number))
            for kinds, sanitizers in SANITIZERS.items():
                bad = goes_wrong(source, number, sanitizers)
                if bad is None:
                    continue
                wrong += bad
                done = subprocess.run([options.cohort, "verify", str(source), "-q", f"-DONLY={number}", "--property", kinds],
                                      capture_output=True, text=True)
                if done.returncode != (10 if bad else 0):
                    failures += 1
                    print(f"seed {number}, {kinds}: exit code {done.returncode}, and it {'goes' if bad else 'does not go'} wrong\n"
                          f"{source.read_text()}{done.stdout}{done.stderr}")
    print(f"{options.functions} functions, wrong {wrong} times: {failures} times judged otherwise")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
