#!/bin/bash
# Runs every benchmark below bench/.  Usage: bench/run_all.sh BUILD_FOLDER [SECONDS_FOR_EACH_RUN]
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
limit=${2:-60}

bench/explicit/bench.py --cohort "$build/cohort" --limit "$limit" --out "$build/results/explicit"
bench/explicit/scale.sh "$build/cohort"
bench/scaling/bench.py --cohort "$build/cohort" --out "$build/results/scaling.csv"
bench/symbolic/bench.py --cohort "$build/cohort" --limit "$limit" --out "$build/results/symbolic"
bench/symbolic/bench.py --cohort "$build/cohort" --limit "$limit" --simplified --out "$build/results/symbolic-simplified"
bench/pbmc/bench.py --cohort "$build/cohort" --limit "$limit" --out "$build/results/pbmc"
bench/karp_miller/bench.py --cohort "$build/cohort" --limit "$limit" --out "$build/results/karp_miller"
bench/coverability/bench.py --cohort "$build/cohort" --limit "$limit" --out "$build/results/coverability"
bench/c_suite/bench.py --cohort "$build/cohort" --limit "$limit" --out "$build/results/c_suite"
bench/identity/bench.py --cohort "$build/cohort" --limit "$limit" --out "$build/results/identity"
bench/modular/bench.py --cohort "$build/cohort" --limit "$limit" --out "$build/results/modular"
bench/symmpa/bench.py --cohort "$build/cohort" --limit "$limit" --out "$build/results/symmpa"
bench/red/bench.py --cohort "$build/cohort" --limit "$limit" --out "$build/results/red"
bench/strategy/bench.py --cohort "$build/cohort" --limit "$limit" --out "$build/results/strategy"
