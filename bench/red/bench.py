#!/usr/bin/env python3
"""Redoes table 1 of the RED paper: the MCS lock, the double-linked ring and the leader election, for more and more processes.

  pointer               explicit states with exact canonical forms
  pointer-plain         the same with all processes told apart (--no-symmetry)
  symbolic              decision diagrams with the IbSINC reduction, forward
  symbolic-plain        the same without symmetry
  spin                  Spin on a Promela version (bench/red/*.pml), compiled with -O2 -DSAFETY

Each series goes on until a run exceeds the limit of processor time or memory, or a run is wrong.  Times are processor times of whole runs (for
Spin, of the verifier alone, without its generation and compilation), memory is the peak of the resident set.  Writes results.csv and summary.txt;
the summary ends each program with the growth: how many times longer the last run took than the one before it, with one process fewer.
"""

import argparse
import csv
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ["mcs", "ring", "forest"]
VARIANTS = {
    "pointer": ["--engine", "pointer"],
    "pointer-plain": ["--engine", "pointer", "--no-symmetry"],
    "symbolic": ["--engine", "pointer-symbolic"],
    "symbolic-plain": ["--engine", "pointer-symbolic", "--no-symmetry"],
}
TOOLS = [*VARIANTS, "spin"]
FIELDS = ["program", "tool", "processes", "verdict", "seconds", "memory_mib", "states"]
# Seconds of `red -fSp` (with symmetry) in table 1, on a 450 MHz Sparc, and of `red -f` (without).
PAPER = {
    "mcs": {3: 0.98, 4: 5.25, 5: 27.09, 6: 141.56, 7: 928.26, 8: 8584.44, 9: 115072.26},
    "forest": {3: 0.02, 4: 0.08, 5: 0.23, 6: 0.59, 7: 1.55, 8: 4.43, 9: 15.12},
    "ring": {3: 0.06, 4: 0.26, 5: 0.95, 6: 3.59, 7: 14.86, 8: 59.65, 9: 228.72},
}
PAPER_PLAIN = {
    "mcs": {3: 2.33, 4: 23.13, 5: 291.21, 6: 5442.33},
    "forest": {3: 0.02, 4: 0.05, 5: 0.10, 6: 0.16, 7: 0.25, 8: 0.35, 9: 0.54},
    "ring": {3: 0.93, 4: 67.89},
}


def run_limited(command, seconds, memory_mib, folder=None):
    """Exit code (negative: a signal), output, processor seconds and peak memory in MiB."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))

    with tempfile.TemporaryFile(mode="w+") as output:
        process = subprocess.Popen([str(part) for part in command], stdout=output, stderr=subprocess.DEVNULL, cwd=folder, preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        memory = usage.ru_maxrss / 1024
        code = process.returncode if memory <= memory_mib else None
        return code, output.read(), usage.ru_utime + usage.ru_stime, memory


def statistic(output, name):
    for line in output.splitlines():
        if line.startswith(name + ": "):
            return line.split(": ")[1]
    return ""


def run_cohort(options, program, variant, processes):
    command = [options.cohort.resolve(), "verify", ROOT / f"examples/red/{program}.red", "--processes", processes, "--stats", "--memory-limit",
               options.memory, *VARIANTS[variant]]
    code, output, seconds, memory = run_limited(command, options.limit, options.memory)
    verdict = {0: "SAFE", 10: "UNSAFE", 5: "LIMIT"}.get(code, "LIMIT")
    return {"verdict": verdict, "seconds": f"{seconds:.3f}", "memory_mib": f"{memory:.1f}", "states": statistic(output, "states")}


def run_spin(options, program, processes):
    with tempfile.TemporaryDirectory() as folder:
        source = ROOT / f"bench/red/{program}.pml"
        subprocess.run(["spin", "-a", f"-DM={processes}", source], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["gcc", "-O2", "-w", "-DSAFETY", f"-DMEMLIM={options.memory}", "-o", "pan", "pan.c"], cwd=folder, check=True)
        code, output, seconds, memory = run_limited(["./pan", "-m1000000", "-w24", "-E"], options.limit, options.memory, folder)
        done = code == 0 and "errors: 0" in output and "Search not completed" not in output
        states = next((line.split()[0] for line in output.splitlines() if "states, stored" in line), "")
        return {"verdict": "SAFE" if done else "LIMIT", "seconds": f"{seconds:.3f}", "memory_mib": f"{memory:.1f}", "states": states}


def measure(options):
    tools = [tool for tool in TOOLS if tool in options.tools and (tool != "spin" or shutil.which("spin"))]
    for program in options.programs:
        for tool in tools:
            for processes in range(options.first, options.most + 1):
                row = run_spin(options, program, processes) if tool == "spin" else run_cohort(options, program, tool, processes)
                row |= {"program": program, "tool": tool, "processes": processes}
                print(" ".join(str(row[field]) for field in FIELDS), flush=True)
                yield row
                if row["verdict"] != "SAFE":
                    break


def summarize(rows, limit):
    lines = [f"processor seconds and peak memory (MiB); '-': more than {limit} s or the memory limit", ""]
    tools = list(dict.fromkeys(row["tool"] for row in rows))
    for program in PROGRAMS:
        if not any(row["program"] == program for row in rows):
            continue
        lines.append(f"{program:<8}" + "".join(f"{tool:>20}" for tool in tools) + f"{'paper':>14}{'paper-plain':>14}")
        counts = sorted({int(row["processes"]) for row in rows if row["program"] == program})
        for processes in counts:
            line = f"{processes:<8}"
            for tool in tools:
                row = next((r for r in rows if (r["program"], r["tool"], int(r["processes"])) == (program, tool, processes)), None)
                safe = row is not None and row["verdict"] == "SAFE"
                line += f"{row['seconds'] + ' s ' + row['memory_mib'] if safe else '-':>20}"
            for paper in (PAPER, PAPER_PLAIN):
                line += f"{str(paper[program][processes]) + ' s' if processes in paper[program] else '':>14}"
            lines.append(line)
        series = [{int(r["processes"]): float(r["seconds"]) for r in rows if (r["program"], r["tool"], r["verdict"]) == (program, tool, "SAFE")}
                  for tool in tools]
        lines.append("growth  " + "".join(f"{growth(seconds):>20}" for seconds in series) + f"{growth(PAPER[program]):>14}{growth(PAPER_PLAIN[program]):>14}")
        lines.append("")
    return "\n".join(lines)


def growth(seconds):
    last = max(seconds, default=0)
    return f"{seconds[last] / seconds[last - 1]:.1f}" if last - 1 in seconds else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cohort", type=Path, default=ROOT / "build/cohort")
    parser.add_argument("--limit", type=float, default=60, help="processor seconds for each run")
    parser.add_argument("--memory", type=int, default=4096, help="MiB for each run")
    parser.add_argument("--first", type=int, default=3, help="the smallest number of processes")
    parser.add_argument("--most", type=int, default=12, help="the largest number of processes")
    parser.add_argument("--programs", nargs="+", choices=PROGRAMS, default=PROGRAMS)
    parser.add_argument("--tools", nargs="+", choices=TOOLS, default=TOOLS)
    parser.add_argument("--out", type=Path, default=ROOT / "build/results/red")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rows = []
    with (options.out / "results.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        for row in measure(options):
            rows.append(row)
            writer.writerow(row)
            file.flush()
    summary = summarize(rows, options.limit)
    (options.out / "summary.txt").write_text(summary)
    print(summary)
    wrong = [row for row in rows if row["verdict"] == "UNSAFE"]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
