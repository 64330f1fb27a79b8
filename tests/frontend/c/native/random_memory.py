#!/usr/bin/env python3
"""Random programs that treat memory as bytes give the same values in Cohort as in gcc's binary.

Each function has a few objects (structs with padding, packed ones, unions, arrays of every width, allocations with a header and a tail,
flexible arrays) and works on them by members, by copies of any length between any two of them, through `char *` and `void *`, by pointers
of other types to their bytes, by formatted text and by numbers in text.  All bytes are written before they are read.  The values that
gcc's binary prints must hold in Cohort (SAFE), and the last of them changed must not (UNSAFE).  UNKNOWN is no answer, and counted: the
bytes of a scalar that are written one by one are chosen before, which the explicit engine only samples.

Usage: random_memory.py COHORT [--programs N] [--functions N] [--seed S]
"""

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

PRELUDE = """#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct mixed { char c; int n; short s; };
struct __attribute__((packed)) tight { char c; int n; short s; };
union view { unsigned char bytes[8]; int words[2]; long long whole; short half; };
struct nest { short k; union view u; struct mixed m[2]; };
struct flexible { int count; short data[]; };
struct head { long tag; int size; };
static void copy(void *to, const void *from, unsigned long n) { memcpy(to, from, n); }
static void clear(void *to, int byte, unsigned long n) { memset(to, byte, n); }
static void move(void *to, const void *from, unsigned long n) { memmove(to, from, n); }
static unsigned sum(const void *p, unsigned long n) {
  const unsigned char *b = p;
  unsigned s = 0;
  for (unsigned long i = 0; i < n; i++) s = s * 31 + b[i];
  return s;
}
"""

# Declaration, name of the object as bytes, and how many bytes it has.
OBJECTS = [
    ("struct mixed o{n}; clear(&o{n}, {v}, sizeof o{n});", "(char *)&o{n}", 12),
    ("struct tight o{n}; clear(&o{n}, {v}, sizeof o{n});", "(char *)&o{n}", 7),
    ("union view o{n}; o{n}.whole = {v};", "(char *)&o{n}", 8),
    ("struct nest o{n}; memset(&o{n}, {v}, sizeof o{n});", "(char *)&o{n}", 40),
    ("char o{n}[9]; memset(o{n}, {v}, 9);", "(char *)o{n}", 9),
    ("short o{n}[5]; for (int i = 0; i < 5; i++) o{n}[i] = i * {v};", "(char *)o{n}", 10),
    ("int o{n}[3] = {{{v}, 2, -3}};", "(char *)o{n}", 12),
    ("long long o{n}[2] = {{{v}, -1}};", "(char *)o{n}", 16),
    ("struct flexible *o{n} = malloc(sizeof *o{n} + 6); o{n}->count = {v}; for (int i = 0; i < 3; i++) o{n}->data[i] = i;", "(char *)o{n}", 10),
    ("struct head *o{n} = malloc(sizeof *o{n} + 8); memset(o{n}, {v}, sizeof *o{n} + 8); ((int *)(o{n} + 1))[1] = {v};", "(char *)o{n}", 24),
    ("char *o{n} = malloc(11); memset(o{n}, {v}, 11);", "o{n}", 11),
    ("int *o{n} = calloc(2, 4); o{n}[1] = {v};", "(char *)o{n}", 8),
]
MEMBERS = {0: ["o{n}.c", "o{n}.n", "o{n}.s"], 1: ["o{n}.c", "o{n}.n", "o{n}.s"], 2: ["o{n}.bytes[3]", "o{n}.words[1]", "o{n}.whole", "o{n}.half"],
           3: ["o{n}.k", "o{n}.u.words[0]", "o{n}.m[1].n", "o{n}.m[0].c"], 4: ["o{n}[{i}]"], 5: ["o{n}[{i} % 5]"], 6: ["o{n}[{i} % 3]"],
           7: ["o{n}[{i} & 1]"], 8: ["o{n}->count", "o{n}->data[{i} % 3]"], 9: ["o{n}->tag", "o{n}->size", "((int *)(o{n} + 1))[{i} & 1]"],
           10: ["o{n}[{i}]"], 11: ["o{n}[{i} & 1]"]}
TYPES = [("char", 1), ("unsigned char", 1), ("short", 2), ("int", 4), ("unsigned", 4), ("long long", 8)]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def member(self, objects):
        number, kind = self.random.choice(objects)
        return self.random.choice(MEMBERS[kind]).format(n=number, i=self.random.randrange(8))

    def bytes(self, objects):
        number, kind = self.random.choice(objects)
        return OBJECTS[kind][1].format(n=number), OBJECTS[kind][2]

    def region(self, objects, most=16):
        """A place in an object, and how many bytes there are from it on."""
        base, size = self.bytes(objects)
        at = self.random.randrange(size)
        return f"{base} + {at}", min(size - at, most)

    def number(self):
        return self.random.choice([0, 1, 5, 77, 127, 200, 1000, 65535, 123456789])

    def typed(self, objects):
        """Some bytes of an object as a number, by a copy: C lets that be at any place."""
        place, room = self.region(objects)
        name, size = self.random.choice([pair for pair in TYPES if pair[1] <= room])
        return place, name, size

    def statement(self, objects):
        kind = self.random.randrange(11)
        if kind <= 1:
            return f"{self.member(objects)} = {self.member(objects)} ^ {self.number()};"
        if kind == 2:
            place, name, size = self.typed(objects)
            return f"{{ {name} t = ({name})({self.member(objects)}); {self.random.choice(['copy', 'memcpy'])}({place}, &t, {size}); }}"
        if kind == 3:
            place, name, size = self.typed(objects)
            return f"{{ {name} t; memcpy(&t, {place}, {size}); s = s * 7 + (unsigned)t; }}"
        if kind == 4:
            to, left = self.region(objects)
            source, right = self.region(objects)
            length = self.random.randrange(min(left, right) + 1)
            return f"{self.random.choice(['move', 'memmove'])}({to}, {source}, {length});"
        if kind == 5:
            place, room = self.region(objects)
            return f"{self.random.choice(['clear', 'memset'])}({place}, {self.number()}, {self.random.randrange(room + 1)});"
        if kind == 6:
            base, size = self.bytes(objects)
            return f"{{ char *p = {base}; p[(unsigned)({self.member(objects)}) % {size}] = {self.number()}; }}"
        if kind == 7:
            base, size = self.bytes(objects)
            return f"s ^= sum({base}, {size});"
        if kind == 8:
            return f"{{ char t[24]; int n = snprintf(t, sizeof t, \"%{self.random.choice(['d', 'u', 'x', '5d', '-4d|', '04x', 'o'])}\", (int)({self.member(objects)})); s = s * 3 + n + sum(t, strlen(t)); }}"
        if kind == 9:
            return f"{{ int a = 0, b = 0; int n = sscanf(\"{self.number()} {self.random.choice(['x', '-3', ' 19'])}\", \"%d %d\", &a, &b); s = s * 5 + n * 100 + a - b + atoi(\" {self.number()}z\"); }}"
        return f"if ({self.member(objects)} > {self.number()}) {{ {self.member(objects)} = {self.number()}; }}"

    def function(self, number):
        kinds = [self.random.randrange(len(OBJECTS)) for _ in range(3)]
        objects = list(enumerate(kinds))
        begin = [OBJECTS[kind][0].format(n=n, v=self.random.randrange(100)) for n, kind in objects]
        body = [self.statement(objects) for _ in range(self.random.randrange(2, 7))]
        end = [f"s ^= sum({OBJECTS[kind][1].format(n=n)}, {OBJECTS[kind][2]});" for n, kind in objects]
        return f"static unsigned f{number}(void) {{\n  unsigned s = 1;\n  " + "\n  ".join(begin + body + end) + "\n  return s;\n}\n"

    def program(self, functions):
        parts = [PRELUDE] + [self.function(number) for number in range(functions)]
        parts.append("#ifdef V0\n#define CHECK(value, expected) assert((value) == (expected))\n#else\n"
                     '#define CHECK(value, expected) printf("%u\\n", value)\n#endif\n')
        parts.append("int main(void) {\n" + "\n".join(f"  CHECK(f{number}(), V{number});" for number in range(functions)) + "\n  return 0;\n}\n")
        return "\n".join(parts)


def compare(cohort, source):
    """Whether Cohort knew, and None if the two agree, else what went wrong."""
    knew = True
    binary = source.with_suffix("")
    subprocess.run(["gcc", "-O0", "-w", "-fno-strict-aliasing", str(source), "-o", str(binary)], check=True)
    values = [int(line) for line in subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout.split()]
    for changed, expected in ((0, 0), (1, 10)):
        wanted = values[:-1] + [values[-1] ^ changed]
        defines = [f"-DV{number}={value}u" for number, value in enumerate(wanted)]
        done = subprocess.run([cohort, "verify", str(source), "--threads", "1", "-q", "--engine", "explicit", "--time-limit", "20", *defines], capture_output=True, text=True)
        if done.returncode == 5:
            knew = False
        elif done.returncode != expected:
            return knew, f"exit code {done.returncode}, expected {expected}\n{' '.join(defines)}\n{done.stdout}{done.stderr}"
    return knew, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cohort")
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--functions", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failures = known = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.programs):
            seed = options.seed + number
            source = Path(folder) / f"memory{seed}.c"
            source.write_text(Generator(seed).program(options.functions))
            knew, problem = compare(options.cohort, source)
            known += knew
            if problem:
                failures += 1
                print(f"seed {seed}: {problem}\n{source.read_text()}")
    print(f"{options.programs} programs with {options.functions} functions each: {known} decided, {failures} differ from gcc")
    return 1 if failures or not known else 0


if __name__ == "__main__":
    sys.exit(main())
