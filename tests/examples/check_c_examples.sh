#!/bin/bash
# The C examples are real programs: gcc and clang compile them without a warning, and those that terminate are run.
# A right program ends with exit code 0 in every run; a wrong one may fail its assertion, but must end.
# Usage: check_c_examples.sh PROJECT_FOLDER [RUNS]    prints each offence; exit code 1 when there is one
set -uo pipefail
cd "$1/examples/c" || exit 1
runs=${2:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0 files=0 executions=0

complain() {
  printf '%s: %s\n' "$1" "$2"
  failures=$((failures + 1))
}

header() { sed -n "s|^// $2: ||p" "$1" | head -1; }

# run FILE: the program ends by itself, with 0 if it is right.
run() {
  local code
  for ((i = 0; i < runs; i++)); do
    # Wrong programs abort on purpose: no message of the shell, no core file.
    code=0
    { (ulimit -c 0; exec timeout 10 "$folder/program"); } > /dev/null 2>&1 || code=$?
    executions=$((executions + 1))
    if ((code == 124)); then complain "$1" "does not terminate"; return; fi
    if ((code != 0)) && [[ $(header "$1" expect) == safe ]]; then complain "$1" "ends with exit code $code"; return; fi
  done
}

for file in *.c; do
  files=$((files + 1))
  flags=(-std=gnu11 -Wall -Wextra -Werror -O1 -pthread)
  [[ $(header "$file" options) == *--linux* ]] && flags+=(-include ../../src/frontend/c/library/cohort_linux.h)
  clang "${flags[@]}" -fsyntax-only "$file" || complain "$file" "clang does not take it"
  if [[ $(header "$file" native) == terminates ]]; then
    if gcc "${flags[@]}" "$file" -o "$folder/program"; then run "$file"; else complain "$file" "gcc does not take it"; fi
  else
    gcc "${flags[@]}" -fsyntax-only "$file" || complain "$file" "gcc does not take it"
  fi
done
((files >= 40)) || complain "examples/c" "holds only $files programs"
printf '%d programs, %d native runs, %d offences\n' "$files" "$executions" "$failures"
((failures == 0))
