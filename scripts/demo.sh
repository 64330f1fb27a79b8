#!/bin/bash
# Shows what Cohort does: proves one example program, finds the bug in its neighbour, and replays the bug.
# Usage: scripts/demo.sh PROGRAM    fails when a verdict is not the expected one
set -euo pipefail
cohort=$(realpath "${1:-build/cohort}")
cd "$(dirname "$0")/.."

# expect CODE COMMAND...: shows and runs the command, and insists on its exit code.
expect() {
  local wanted=$1 code=0
  shift
  printf '\n$ cohort %s\n' "$*"
  "$cohort" "$@" || code=$?
  if ((code != wanted)); then
    printf '\nThe demonstration failed: exit code %d, expected %d.\n' "$code" "$wanted" >&2
    exit 1
  fi
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat <<'END'
1. A lock that works. examples/c/lock_any_number.c is a C program: threads are created without end, and each takes a
   test-and-set lock before it enters. Its threads run the same code, so Cohort counts the threads in each local state
   instead of telling them apart, up to "any number". The program is proved safe for any number of threads (exit code
   0), and the proof is written down and checked again without the engine.
END
expect 0 verify examples/c/lock_any_number.c --unbounded --stats --certificate "$folder/proof.json"
expect 0 check-certificate examples/c/lock_any_number.c "$folder/proof.json"

cat <<'END'

2. A lock that does not. examples/c/lock_any_number_wrong.c looks whether the lock is free and takes it, in two steps.
   Two threads can both look before either takes it. Cohort finds the bug (exit code 10) and prints the shortest
   interleaving that shows it, line by line of the C program, with the threads named and only the variables that change;
   it has replayed it before printing.
END
expect 10 verify examples/c/lock_any_number_wrong.c --threads 3

cat <<'END'

3. Two locks in two orders. Nothing is asserted in examples/c/deadlock_order.c, but its threads can wait for each other
   for ever.
END
expect 10 verify examples/c/deadlock_order.c --property deadlock --threads 3

printf '\nAll verdicts are the expected ones: the first program is safe for any number of threads, the others are not safe.\n'
