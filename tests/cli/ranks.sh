#!/bin/bash
# One search by several processes under mpirun: the same verdicts, counts and traces as by one, one voice, and an end when a rank is killed.
# Usage: tests/cli/ranks.sh PROGRAM     (in the source folder)
set -euo pipefail
cohort=$(realpath "$1")
if ! command -v mpirun >/dev/null || [[ ! -e $(dirname "$cohort")/cohort_mpi.so ]]; then
  echo "mpirun or cohort_mpi.so is missing: scripts/install_packages.sh build test, and configure again"
  exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# mpirun gives its processes a terminal, where verdicts have colours.
export OMPI_MCA_btl=self,vader NO_COLOR=1
ranks() { mpirun --allow-run-as-root --oversubscribe -q -n "$@"; }
fail() { echo "FAILED: $*"; exit 1; }

figures() { grep -E '^(SAFE|states:|transitions:)' "$1"; }
safe=(verify examples/bp/semaphore_mutex.bp --threads 12 --no-simplify --engine explicit --no-por --stats)
"$cohort" "${safe[@]}" >"$folder/alone"
for n in 2 4 8; do
  ranks "$n" "$cohort" "${safe[@]}" >"$folder/ranks"
  [[ $(grep -c '^SAFE' "$folder/ranks") == 1 ]] || fail "$n ranks speak with one voice: $(cat "$folder/ranks")"
  diff <(figures "$folder/alone") <(figures "$folder/ranks") || fail "the counts of $n ranks"
done

# A certificate is gathered from all of them.
ranks 3 "$cohort" verify examples/bp/semaphore_mutex.bp --threads 3 --engine explicit --certificate "$folder/proof" >/dev/null
"$cohort" check-certificate examples/bp/semaphore_mutex.bp "$folder/proof" --threads 3 >/dev/null || fail "the certificate of 3 ranks"

# A violation has the same length, and the exit code is that of the answer.
unsafe=(verify examples/c/lock_any_number_wrong.c --threads 3 --engine explicit --no-por --format json)
"$cohort" "${unsafe[@]}" >"$folder/alone" && fail "the wrong lock is unsafe" || [[ $? == 10 ]]
set +e
ranks 4 "$cohort" "${unsafe[@]}" >"$folder/ranks" 2>/dev/null
code=$?
set -e
[[ $code == 10 ]] || fail "the exit code under mpirun is $code"
python3 - "$folder/alone" "$folder/ranks" <<'END'
import json, sys
alone, ranks = (json.loads(text[text.index("{"):text.rindex("}") + 1]) for text in (open(name).read() for name in sys.argv[1:]))
assert alone["verdict"] == ranks["verdict"] == "UNSAFE"
assert len(alone["trace"]) == len(ranks["trace"]), (len(alone["trace"]), len(ranks["trace"]))
END

# Programs are given to the ranks one at a time, and the table, the summary and the exit code are those of one machine.
mkdir "$folder/programs"
cp examples/bp/s*.bp "$folder/programs"
echo 'nothing that can be read' >"$folder/programs/bad.bp"
rows() { sed -E 's/ +[0-9.]+ s( |$)/ /' "$1"; }
set +e
"$cohort" verify "$folder/programs" --time-limit 30 >"$folder/alone"
alone=$?
for n in 2 3; do
  ranks "$n" "$cohort" verify "$folder/programs" --time-limit 30 --sarif "$folder/sarif-$n" >"$folder/ranks" 2>/dev/null
  code=$?
  [[ $code == "$alone" ]] || fail "the exit code of a folder is $code with $n ranks, $alone without"
  diff <(rows "$folder/alone") <(rows "$folder/ranks") || fail "the table of a folder with $n ranks"
  python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["runs"][0]["results"]' "$folder/sarif-$n" || fail "the report of a folder with $n ranks"
done
ranks 2 "$cohort" verify examples/bp/semaphore_mutex.bp --each --threads 3 >"$folder/ranks" 2>/dev/null
grep -q '^1 property: 1 SAFE' "$folder/ranks" || fail "each property of a program with 2 ranks"
set -e

# A limit ends all of them, and so does the death of one.
set +e
ranks 2 "$cohort" verify examples/bp/semaphore_mutex.bp --threads 400 --no-simplify --engine explicit --no-por --time-limit 1 >"$folder/limit" 2>/dev/null
[[ $? == 5 ]] || fail "the time limit under mpirun: $(cat "$folder/limit")"
timeout 60 mpirun --allow-run-as-root --oversubscribe -q -n 2 bash -c \
  'if [[ $OMPI_COMM_WORLD_RANK == 1 ]]; then timeout -s KILL 1 "$0" "$@"; else "$0" "$@"; fi' \
  "$cohort" verify examples/bp/semaphore_mutex.bp --threads 400 --no-simplify --engine explicit --no-por >"$folder/killed" 2>/dev/null
code=$?
set -e
[[ $code != 0 && $code != 10 && $code != 124 ]] || fail "a killed rank ends the run: exit code $code"
grep -q '^SAFE' "$folder/killed" && fail "no verdict after a rank was killed"

# What a killed rank left behind in checkpoints is taken up by as many ranks, more or fewer, and ends with the same figures.
kept=(verify examples/bp/semaphore_mutex.bp --threads 20 --no-simplify --engine explicit --no-por --stats --checkpoint-every 0)
"$cohort" "${kept[@]}" >"$folder/alone"
set +e
timeout 60 mpirun --allow-run-as-root --oversubscribe -q -n 2 bash -c '
  if [[ $OMPI_COMM_WORLD_RANK != 1 ]]; then exec "$0" "$@"; fi
  "$0" "$@" &
  until compgen -G "${@: -1}/*/manifest*" >/dev/null; do sleep 0.02; done
  kill -KILL $!' "$cohort" "${kept[@]}" --checkpoint "$folder/kept" >"$folder/killed" 2>/dev/null
code=$?
set -e
[[ $code != 0 && $code != 10 && $code != 124 ]] || fail "a rank killed between checkpoints ends the run: exit code $code"
grep -q '^SAFE' "$folder/killed" && fail "no verdict after a rank was killed between checkpoints"
for n in 1 2 3; do
  cp -r "$folder/kept" "$folder/kept-$n"
  ranks "$n" "$cohort" "${kept[@]}" --checkpoint "$folder/kept-$n" >"$folder/ranks"
  diff <(figures "$folder/alone") <(figures "$folder/ranks") || fail "$n ranks after one of two was killed"
done
ranks 2 "$cohort" verify examples/bp/semaphore_mutex.bp >/dev/null 2>&1 && fail "an engine that divides its work is asked for by name"
echo "ranks: as one"
