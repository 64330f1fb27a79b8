#!/usr/bin/env python3
"""Programs in the manner of abstracted device drivers, for the symbolic engine: many open locals in threads that are copies
of each other.

An environment thread starts copies of itself, each of which runs routines that it chooses. A routine computes with its
locals (predicates about what nobody else sees), looks at shared flags, and has an uninterruptible part under a lock. A share
of the statements ties shared to local values (splice statements; 12 % in the BOOM paper). The programs are right: the lock
excludes. With --wrong one routine forgets it.

    bench/symbolic/drivers.py --cohort build/cohort --locals 6,10,14,21 --threads 2,3 --limit 60 --memory 2048

prints one line for each size: the verdict, processor seconds, memory, symbolic states and tied sets, the same without symmetry.
    bench/symbolic/drivers.py --print --locals 21      writes a program instead.
"""

import argparse
import random
import re
import resource
import subprocess
import sys
import tempfile


def routine(rng, number, shape, wrong):
    lines = []
    locals_, shared = shape.locals, shape.shared

    def local():
        return f"l{rng.randrange(locals_)}"

    def flag():
        return f"s{rng.randrange(shared)}"

    def step():
        kind = rng.random()
        if kind < shape.splices / 2:
            return f"{flag()} := {local()};"
        if kind < shape.splices:
            return f"assume({flag()} | {local()});"
        if kind < 0.4:
            return f"{local()} := {local()} & !{local()};"
        if kind < 0.5:
            return f"{local()} := *;"
        if kind < 0.8:
            return f"if ({local()}) then {local()} := {rng.choice('TF')}; else skip; fi"
        return f"{flag()} := {rng.choice('TF')};"

    body = max(1, shape.locations // shape.routines // 2)
    lines.append(f"R{number}:")
    lines += ["  " + step() for _ in range(body // 2)]
    if not wrong:
        lines.append("  atomic_begin; assume(!busy); busy := T; atomic_end;")
    lines += ["  inside := T;", "  assert(inside);", f"  {local()} := !{local()};", "  inside := F;"]
    if not wrong:
        lines.append("  busy := F;")
    lines += ["  " + step() for _ in range(body - body // 2)]
    lines.append("  goto DONE;")
    return lines


def program(shape, seed, wrong):
    rng = random.Random(seed)
    names = [f"s{i}" for i in range(shape.shared)]
    lines = ["decl busy := F, inside := F;", "decl " + ", ".join(f"{name} := F" for name in names) + ";", "", "void main() begin"]
    lines.append("  decl " + ", ".join(f"l{i}" for i in range(shape.locals)) + ";")
    routines = ", ".join(f"R{i}" for i in range(shape.routines))
    lines += ["ENV:", "  goto START, DISPATCH;", "START: start_thread DISPATCH;", "  goto ENV;", f"DISPATCH: goto {routines};"]
    for i in range(shape.routines):
        lines += routine(rng, i, shape, wrong and i == 0)
    lines += ["DONE: end_thread;", "end"]
    return "\n".join(lines) + "\n"


def run(command, limit, memory):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = command + ["--time-limit", str(limit), "--memory-limit", str(memory), "--stats"]
    out = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = out.stdout + out.stderr
    figures = dict(re.findall(r"^(\w+): (\S+)$", text, re.M))
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return out.stdout.split()[0] if out.stdout else "?", seconds, figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohort", default="build/cohort")
    parser.add_argument("--locals", default="6,10,14,21")
    parser.add_argument("--shared", type=int, default=24)
    parser.add_argument("--locations", type=int, default=200)
    parser.add_argument("--routines", type=int, default=6)
    parser.add_argument("--splices", type=float, default=0.12)
    parser.add_argument("--threads", default="2,3")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--memory", type=int, default=2048, help="MiB")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--print", action="store_true", dest="only_print")
    shape = parser.parse_args()
    sizes = [int(size) for size in shape.locals.split(",")]
    for size in sizes:
        shape.locals = size
        text = program(shape, shape.seed, shape.wrong)
        if shape.only_print:
            sys.stdout.write(text)
            return
        with tempfile.NamedTemporaryFile("w", suffix=".bp") as file:
            file.write(text)
            file.flush()
            for threads in shape.threads.split(","):
                base = [shape.cohort, "verify", file.name, "--engine", "symbolic", "--threads", threads]
                for name, more in (("counters", []), ("plain", ["--no-symmetry"])):
                    verdict, seconds, figures = run(base + more, shape.limit, shape.memory)
                    print(f"{size} locals, {threads} threads, {name}: {verdict} {seconds:.2f} s, "
                          f"{figures.get('symbolic_states_expanded', '-')} states, "
                          f"{figures.get('tied_sets', '-')} tied, "
                          f"{figures.get('peak_memory_mib', figures.get('memory_mib', '-'))} MiB", flush=True)


if __name__ == "__main__":
    main()
