#!/bin/bash
# Plants untidy files and expects check_hygiene.sh to name each.
# Usage: check_hygiene_selftest.sh LAYERS_FOLDER
set -euo pipefail
folder=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
failures=0

# expect WORD FILE CONTENT [TEXT]: a project with this one file is tidy or untidy; a complaint contains TEXT.
expect() {
  local wanted=$1 file=$2 content=$3 text=${4:-} verdict=tidy output
  rm -rf "$root/src"
  mkdir -p "$root/src/$(dirname "$file")"
  printf '%b' "$content" >"$root/src/$file"
  output=$("$folder/check_hygiene.sh" "$root") || verdict=untidy
  if [[ $verdict != "$wanted" || $output != *"$text"* ]]; then
    printf '%s: expected %s (%s), got %s: %s\n' "$file" "$wanted" "$text" "$verdict" "$output"
    failures=$((failures + 1))
  fi
}

lines() { printf 'int x;\\n%.0s' $(seq "$1"); }

expect tidy base/a.hpp '// What a is.\n#pragma once\n'
expect tidy base/a.cpp "$(lines 700)"
expect untidy base/a.cpp "$(lines 701)" 'longer than 700 lines'
expect untidy base/a.hpp '#pragma once\n' 'opens with a comment'
expect untidy base/a.hpp '// What a is.\n' 'no #pragma once'
expect untidy base/a.cpp 'int x;  // TO''DO\n' 'unfinished work'
expect untidy base/a.cpp '\tint x;\n' 'a tab'
expect untidy base/a.cpp 'int x; \n' 'trailing blanks'

((failures == 0)) || exit 1
echo "every planted offence was named"
