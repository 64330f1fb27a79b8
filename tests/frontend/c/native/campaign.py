"""A campaign of random programs against gcc's sanitizers: what those that draw the programs share.

A batch of programs runs natively with the thread sanitizer, with the address and undefined-behaviour sanitizers, and plainly; the campaign
says what follows from these runs for a program, and expect() asks Cohort."""
import argparse
import os
import re
import subprocess
import tempfile

import native_batch

UNSAFE, SAFE, UNKNOWN = 10, 0, 5


def raced(runs):
    return any("WARNING: ThreadSanitizer: data race" in run.errors for run in runs)


def went_wrong(runs):
    return any(re.search(r"ERROR: AddressSanitizer|runtime error", run.errors) for run in runs)


def outcomes_of(runs):
    return sorted({int(number) for run in runs if run.status == 0 for number in re.findall(r"outcome (-?\d+)", run.output)})


class Campaign:
    """A campaign of its own has: counted, what it counts; batch_size; variants, options of Cohort of which a program gets one by its seed;
    names, the global names of its programs; limits, options of every question; other_runs, how often the address sanitizer's binary
    runs (all runs without it); Generator, made from a seed; and one(seed, generator, program, threads, others, plain), which is given the runs."""
    other_runs = None

    def __init__(self, cohort, folder, runs, keep):
        self.cohort, self.folder, self.runs, self.keep = cohort, folder, runs, keep
        self.counts = dict.fromkeys([*self.counted, "undecided", "refused"], 0)
        self.wrong = self.asked = 0

    def holds(self, code, answer):
        """Is this the answer that was expected?"""
        return answer.returncode in (code, UNKNOWN)

    def expect(self, code, what, seed, program, outcome, *options, same=False):
        path = os.path.join(self.folder, "program.c")
        with open(path, "w") as file:
            file.write(native_batch.cohort_text(program, outcome, same))
        command = [self.cohort, "verify", path, *self.limits, *options, *self.variants[seed % len(self.variants)]]
        answer = subprocess.run(command, capture_output=True, text=True)
        self.asked += 1
        if answer.returncode == UNKNOWN:
            self.counts["refused" if "unsupported" in answer.stderr or "not modelled" in answer.stdout else "undecided"] += 1
        if self.holds(code, answer):
            return
        self.wrong += 1
        print(f"seed {seed}: {what}: expected exit code {code}, got {answer.returncode} ({' '.join(answer.args[3:])})\n"
              f"{answer.stdout[:400]}{answer.stderr[:300]}", flush=True)
        if self.keep:
            os.makedirs(self.keep, exist_ok=True)
            with open(os.path.join(self.keep, f"seed{seed}.c"), "w") as file:
                file.write(native_batch.cohort_text(program, outcome, same))

    def batch(self, seeds):
        generators = [self.Generator(seed) for seed in seeds]
        programs = [generator.program() for generator in generators]
        text, count = native_batch.native_text(programs, self.names), len(programs)
        threads = native_batch.run_batch(self.folder, text, count, self.runs, "-fsanitize=thread")
        others = native_batch.run_batch(self.folder, text, count, self.other_runs or self.runs, "-fsanitize=address,undefined")
        plain = native_batch.run_batch(self.folder, text, count, self.runs)
        for seed, generator, program, *runs in zip(seeds, generators, programs, threads, others, plain):
            self.one(seed, generator, program, *runs)


def run(kind, programs, runs):
    """Runs a campaign of this kind as the command line says; true: something is wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("cohort")
    parser.add_argument("--programs", type=int, default=programs)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=runs)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        campaign = kind(arguments.cohort, folder, arguments.runs, arguments.keep)
        last = arguments.seed + arguments.programs
        for first in range(arguments.seed, last, campaign.batch_size):
            campaign.batch(range(first, min(first + campaign.batch_size, last)))
    answered = campaign.asked - campaign.counts["undecided"] - campaign.counts["refused"]
    if 2 * answered < campaign.asked:
        campaign.wrong += 1
        print(f"only {answered} of {campaign.asked} questions were answered")
    counts = ", ".join(f"{name}: {count}" for name, count in campaign.counts.items())
    print(f"{arguments.programs} programs, {campaign.wrong} wrong ({counts})")
    return campaign.wrong != 0
