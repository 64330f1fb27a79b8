#!/usr/bin/env python3
"""Runs Cohort on a suite of C programs with known verdicts, and says per family what was taken, decided, wrong, unknown and refused.

The suite is a folder with manifest.csv (file, expected, threads, defines, notes).  `threads: fixed N` means that N threads are created
besides main: the program runs with that many.  Large numbers and `unbounded` are left to Cohort, and there SAFE counts as decided
only where it holds for any number of threads.  Rows tagged NOSCORE are run and listed, but not judged.

Limits are of processor time, so that other load on the machine matters little.  A peer's results on the same files (CSV with file,
expected and the tool's answer in the third column) are printed beside ours; "no violation within bound" is not a proof and is counted apart.

Writes results.csv and summary.txt into the output folder.  Exit code 1 when a verdict is wrong.
"""

import argparse
import csv
import json
import re
import resource
import shlex
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIELDS = ["file", "expected", "threads", "defines", "scored", "verdict", "judgement", "scope", "engine", "seconds", "reason"]
MOST_FIXED_THREADS = 100


def threads_options(threads):
    """Command-line options for the manifest's word, and whether SAFE must hold for any number of threads."""
    number = re.fullmatch(r"fixed (?:<=)?(\d+)", threads)
    if number and int(number[1]) <= MOST_FIXED_THREADS:
        return ["--threads", str(int(number[1]) + 1)], False
    return [], True


def compiler_options(defines, folder):
    """The manifest's flags as Cohort spells them; folders are relative to the suite."""
    options, words = [], shlex.split(defines)
    while words:
        word = words.pop(0)
        if word == "-I":
            options += ["-I", str(folder / words.pop(0))]
        elif word == "-include":
            options += ["--include", words.pop(0)]
        else:
            options.append(word)
    return options


def run(row, options):
    thread_options, needs_any = threads_options(row["threads"])
    command = [str(options.cohort), "verify", str(options.suite / row["file"]), "--format", "json",
               "--memory-limit", str(options.memory), "--time-limit", str(options.limit * options.load), *thread_options, *compiler_options(row["defines"], options.suite), *options.more]

    def limit():
        # Two seconds of grace let Cohort say UNKNOWN itself.
        resource.setrlimit(resource.RLIMIT_CPU, (options.limit + 2, options.limit + 3))

    # Other load slows the wall clock down, not the processor time.
    wall = (options.limit + 3) * options.load * 4
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=wall, preexec_fn=limit, errors="replace")
        code, output, errors = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        code, output, errors = None, "", ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime if options.jobs == 1 else time.monotonic() - started
    return judge(row, code, output, errors, needs_any) | {"seconds": f"{seconds:.2f}"}


def judge(row, code, output, errors, needs_any):
    result = {name: row.get(name, "") for name in ("file", "expected", "threads", "defines")}
    result["scored"] = "no" if "NOSCORE" in row["notes"] else "yes"
    result |= {"scope": "", "engine": "", "reason": ""}
    if code is None or code < 0:
        stopped = code is None or -code in (9, 24)
        result |= {"verdict": "UNKNOWN", "reason": "time limit" if stopped else f"killed by signal {-code}"}
        result["judgement"] = "unknown" if stopped else "failed"
        return result
    try:
        answer = json.loads(output)
    except json.JSONDecodeError:
        first = next((line for line in errors.splitlines() if line.strip()), "no output")
        result |= {"verdict": "ERROR", "judgement": "refused" if code in (1, 2) else "failed", "reason": first[:300]}
        return result
    result |= {"verdict": answer["verdict"], "engine": answer["engine"] or "", "scope": answer["scope"]["words"], "reason": answer["reason"] or ""}
    any_number = answer["scope"]["threads"] is None
    if answer["verdict"] == "UNKNOWN":
        result["judgement"] = "refused" if result["reason"].startswith("unsupported") else "unknown"
    elif answer["verdict"] == "SAFE" and needs_any and not any_number:
        result["judgement"] = "bounded" if row["expected"] == "safe" else "unknown"
        result["reason"] = "safe for " + result["scope"]
    else:
        result["judgement"] = "right" if answer["verdict"].lower() == row["expected"] else "wrong"
    return result


def reason_class(reason):
    """Reasons without their places and numbers, for the histogram."""
    reason = re.sub(r" at \S+:\d+:\d+.*", "", reason)
    reason = re.sub(r"^\S*?:\d+:\d+: ", "", reason)
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'|`[^`]*`", "'...'", reason))[:110]


def family_of(file):
    return file.split("/")[0]


def read_peer(path):
    if path is None or not path.exists():
        return {}
    with open(path, newline="") as stream:
        rows = list(csv.reader(stream))
    return {(row[0], row[1]): row[2] for row in rows[1:] if len(row) > 2}


def summarise(results, peer, limit):
    lines = []
    scored = [row for row in results if row["scored"] == "yes"]
    families = sorted({family_of(row["file"]) for row in scored})
    header = f"{'family':<10}{'files':>6}{'taken':>7}{'decided':>9}{'safe':>6}{'unsafe':>8}{'wrong':>7}{'bounded':>9}{'unknown':>9}{'refused':>9}{'failed':>8}{'seconds':>9}"
    header += f" |{'cbmc unsafe':>12}{'bounded':>9}{'wrong':>7}" if peer else ""
    lines += [f"Limit: {limit} s of processor time for each file.", "", header]
    for family in families + ["all"]:
        rows = [row for row in scored if family in ("all", family_of(row["file"]))]
        count = Counter(row["judgement"] for row in rows)
        right = Counter(row["expected"] for row in rows if row["judgement"] == "right")
        taken = len(rows) - count["refused"] - count["failed"]
        seconds = sum(float(row["seconds"]) for row in rows if row["judgement"] == "right")
        line = (f"{family:<10}{len(rows):>6}{taken:>7}{count['right']:>9}{right['safe']:>6}{right['unsafe']:>8}{count['wrong']:>7}"
                f"{count['bounded']:>9}{count['unknown']:>9}{count['refused']:>9}{count['failed']:>8}{seconds:>9.1f}")
        if peer:
            answers = [(row["expected"], peer.get((row["file"], row["expected"]))) for row in rows]
            unsafe = sum(answer == "unsafe" == expected for expected, answer in answers)
            bounded = sum(answer == "no violation within bound" and expected == "safe" for expected, answer in answers)
            wrong = sum(answer == "unsafe" and expected == "safe" for expected, answer in answers)
            line += f" |{unsafe:>12}{bounded:>9}{wrong:>7}"
        lines.append(line)
    lines += ["", "bounded: SAFE up to a number of threads, where the program may create any number; seconds: of the files decided."]
    if peer:
        lines.append("cbmc: violations found; 'bounded' are safe programs without a violation within its unwinding, which is no proof.")
    for kind in ("refused", "unknown", "failed"):
        reasons = Counter(reason_class(row["reason"]) for row in scored if row["judgement"] == kind)
        if reasons:
            lines += ["", f"{kind}:"] + [f"{number:>5}  {reason}" for reason, number in reasons.most_common()]
    wrong = [row for row in scored if row["judgement"] == "wrong"]
    if wrong:
        lines += ["", "WRONG:"] + [f"  {row['file']} {row['defines']}: {row['verdict']}, expected {row['expected']}" for row in wrong]
    unscored = [row for row in results if row["scored"] == "no"]
    if unscored:
        lines += ["", "Not judged (the verdict depends on a convention):"]
        for row in unscored:
            lines.append(f"  {row['file']}: {row['verdict']} {row['scope']} (listed as {row['expected']})")
    return "\n".join(lines) + "\n"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cohort", type=Path, default=ROOT / "build" / "cohort")
    parser.add_argument("--suite", type=Path, default=ROOT.parent / "shared" / "benchmarks" / "c")
    parser.add_argument("--peer", type=Path, default=ROOT.parent / "shared" / "peers" / "cbmc-c-public.csv")
    parser.add_argument("--out", type=Path, default=ROOT / "build-bench" / "results" / "c_suite")
    parser.add_argument("--limit", type=int, default=20, help="seconds of processor time for each file")
    parser.add_argument("--memory", type=int, default=4000, help="MiB for each file")
    parser.add_argument("--load", type=int, default=1, help="how busy the machine is: Cohort's own limit, of wall-clock time, in multiples of --limit")
    parser.add_argument("--family", action="append", help="only this family (the first folder); several allowed")
    parser.add_argument("--only", help="only files that match this regular expression")
    parser.add_argument("--jobs", type=int, default=1, help="files at a time; with more than one, times are wall-clock times")
    parser.add_argument("--again", type=Path, help="summarise this results.csv again instead of running anything")
    parser.add_argument("more", nargs="*", help="further options for cohort verify, after --")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if options.again:
        with open(options.again, newline="") as stream:
            results = list(csv.DictReader(stream))
        print(summarise(results, read_peer(options.peer), options.limit), end="")
        return 0
    manifest = options.suite / "manifest.csv"
    if not manifest.exists():
        print(f"{manifest} is not there: nothing to run")
        return 0
    options.cohort = options.cohort.resolve()
    with open(manifest, newline="") as stream:
        rows = list(csv.DictReader(stream))
    rows = [row for row in rows if not options.family or family_of(row["file"]) in options.family]
    rows = [row for row in rows if not options.only or re.search(options.only, row["file"])]
    results = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda row: run(row, options), rows):
            results.append(result)
            print(f"{result['judgement']:<8} {result['seconds']:>7} s  {result['file']} {result['defines']}  {result['reason'][:150]}", flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "results.csv", "w", newline="") as stream:
        writer = csv.DictWriter(stream, FIELDS)
        writer.writeheader()
        writer.writerows(results)
    summary = summarise(results, read_peer(options.peer), options.limit)
    (options.out / "summary.txt").write_text(summary)
    print("\n" + summary, end="")
    return 1 if any(row["judgement"] == "wrong" and row["scored"] == "yes" for row in results) else 0


if __name__ == "__main__":
    sys.exit(main())
