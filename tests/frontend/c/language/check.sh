#!/bin/bash
# The program beside this script means the same to gcc and to Cohort.
# Usage: check.sh COHORT
set -euo pipefail
cohort=$1
source=$(dirname "$0")/language.c
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

expect() {  # CODE COMMAND...
  local wanted=$1 code=0
  shift
  "$@" >"$folder/out" 2>&1 || code=$?
  if ((code != wanted)); then
    echo "exit code $code instead of $wanted: $*"
    cat "$folder/out"
    exit 1
  fi
}

gcc -w "$source" -o "$folder/right"
gcc -w -DEND=0 "$source" -o "$folder/wrong"
expect 0 "$folder/right"
expect 134 "$folder/wrong"
expect 0 "$cohort" verify "$source"
expect 10 "$cohort" verify "$source" -DEND=0
