#!/bin/bash
# Two figures of scale of the explicit engine: 100 threads on the semaphore mutex as users run it, and more than ten million counter states, of the
# same program without Cohort's passes, under a memory limit of 2 GiB.  Fails when a run does not end SAFE.
# Usage: bench/explicit/scale.sh PROGRAM
set -euo pipefail
cohort=$(realpath "$1")
cd "$(dirname "$0")/../.."
program=examples/bp/semaphore_mutex.bp

# The given run's verdict and the figures of interest, one a line.
show() {
  printf '$ cohort verify %s\n' "$*"
  "$cohort" verify "$@" --engine explicit --no-por --memory-limit 2048 --stats |
    grep -E '^(SAFE|states|transitions|bytes_per_state|seconds|peak_memory_mib)'
}

show $program --threads 100
show $program --threads 170 --no-simplify
