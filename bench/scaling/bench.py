#!/usr/bin/env python3
"""One search on one worker, on threads and on ranks: does the work divide?

Every run is `cohort verify PROGRAM --engine explicit --no-por` on large state spaces, first alone, then with --jobs 2 and 4, then under mpirun with 2, 4 and more
ranks. Numbers of states and transitions must agree, or the benchmark fails. The figures are wall clock and processor seconds, the speed-up of both kinds (wall
clock alone over divided; and what it would be on a machine with nothing else to do: workers times processor time alone over processor time divided), messages and
bytes a state, and how even the parts are. With more ranks than processors only counts, messages and balance mean something.

The extrapolation takes from the largest number of ranks the bytes that a state costs on the wire, the processor time of a state, and the imbalance, and says what K ranks
would take if the wire carried 1 GB/s for each rank and the parts stayed as even: a model, not a measurement."""
import argparse
import csv
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = [("examples/bp/semaphore_mutex.bp", ["--threads", "170", "--no-simplify"]), ("examples/bp/semaphore_mutex.bp", ["--threads", "60", "--no-simplify"])]


def run(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode not in (0, 10):
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout[-500:]}{done.stderr[-500:]}")
    answer = json.loads(done.stdout[done.stdout.index("{"):done.stdout.rindex("}") + 1])
    return answer["verdict"], answer["statistics"], wall, processor


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohort", default="build/cohort")
    parser.add_argument("--program", action="append", help="'FILE OPTIONS', instead of the usual ones")
    parser.add_argument("--threads", default="2,4", help="numbers of threads (%(default)s)")
    parser.add_argument("--ranks", default="2,4,8", help="numbers of ranks (%(default)s); up to 64 fit on one machine")
    parser.add_argument("--out", default="-", help="CSV file")
    arguments = parser.parse_args()
    cohort = os.path.abspath(arguments.cohort)
    programs = [(p.split()[0], p.split()[1:]) for p in arguments.program] if arguments.program else PROGRAMS
    mpirun = shutil.which("mpirun")
    if mpirun is None:
        print("mpirun is missing: ranks are left out", file=sys.stderr)
    launcher = [mpirun, "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,vader", "-n"]
    sink = sys.stdout if arguments.out == "-" else open(arguments.out, "w", newline="")
    table = csv.writer(sink)
    table.writerow(["program", "kind", "workers", "states", "transitions", "wall", "processor", "speedup_wall", "speedup_processor", "messages", "bytes_per_state_sent", "imbalance"])
    for file, options in programs:
        base = [cohort, "verify", file, *options, "--engine", "explicit", "--no-por", "--format", "json"]
        kinds = [("alone", 1, base)]
        kinds += [("threads", n, [*base, "--jobs", str(n)]) for n in map(int, filter(None, arguments.threads.split(",")))]
        if mpirun:
            kinds += [("ranks", n, [*launcher, str(n), *base]) for n in map(int, filter(None, arguments.ranks.split(",")))]
        alone = None
        last = None
        for kind, workers, command in kinds:
            verdict, statistics, wall, processor = run(command)
            counts = (verdict, statistics["states"], statistics["transitions"] if verdict == "SAFE" else None)
            alone = alone or (counts, wall, processor)
            if counts != alone[0]:
                sys.exit(f"{file}: {kind} {workers} has {counts}, one worker {alone[0]}")
            sent = statistics.get("sent_bytes_per_state", 0)
            imbalance = statistics.get("imbalance", 1)
            table.writerow([" ".join([file, *options]), kind, workers, statistics["states"], statistics["transitions"], f"{wall:.2f}", f"{processor:.2f}",
                            f"{alone[1] / wall:.2f}", f"{workers * alone[2] / processor:.2f}", statistics.get("messages", 0), f"{float(sent):.1f}", f"{float(imbalance):.3f}"])
            sink.flush()
            if kind == "ranks":
                last = (workers, statistics["states"], processor, float(sent), float(imbalance))
        if last:
            extrapolate(file, alone, last)


def extrapolate(file, alone, last):
    ranks, states, processor, sent, imbalance = last
    share = sent * ranks / (ranks - 1)  # bytes a state if every successor went to somebody else
    for many in (16, 64, 256, 1000):
        compute = processor / many * imbalance
        wire = states * share / many / 1e9
        print(f"model: {file} on {many} ranks: {compute + wire:.3f} s, {alone[2] / (compute + wire):.0f} times one worker", file=sys.stderr)


if __name__ == "__main__":
    main()
