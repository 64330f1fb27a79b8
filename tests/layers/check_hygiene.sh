#!/bin/bash
# Checks what keeps the sources readable: no file in src above 700 lines, every header guarded and opening with a comment
# that says what it is, and no unfinished work, tabs or trailing blanks in src and tests.  Layout is clang-format's business.
# Usage: check_hygiene.sh PROJECT_FOLDER    prints each offence; exit code 1 when there is one
set -euo pipefail
cd "$1"
folders=(src)
[[ -d tests ]] && folders+=(tests)

find "${folders[@]}" \( -name '*.hpp' -o -name '*.cpp' \) -print | sort | awk '
  function complain(number, text) {
    printf "%s:%d: %s\n", file, number, text
    failures++
  }
  function check_file(    text, number, guarded, header) {
    header = file ~ /\.hpp$/
    while ((getline text < file) > 0) {
      number++
      if (header && number == 1 && text !~ /^\/\/ /) complain(1, "a header opens with a comment that says what it is")
      if (text ~ /^#pragma once/) guarded = 1
      if (text ~ /(TODO|FIXME|XXX)/) complain(number, "unfinished work")
      if (text ~ /\t/) complain(number, "a tab; write \\t in strings")
      if (text ~ /[ \r]$/) complain(number, "trailing blanks")
    }
    close(file)
    if (header && !guarded) complain(1, "no #pragma once")
    if (file ~ /^src\// && number > 700) complain(number, "longer than 700 lines: one concept a file")
  }
  { file = $0; files++; check_file() }
  END {
    if (files == 0) { print "no source files found"; exit 1 }
    if (failures > 0) { printf "%d offences\n", failures; exit 1 }
    printf "%d files are tidy\n", files
  }
'
