#!/bin/bash
# Checks that every source file is formatted and passes clang-tidy (which reads g++'s flags and does not know all of them).
# Usage: scripts/lint.sh BUILD_FOLDER [JOBS]    the folder holds compile_commands.json
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
jobs=${2:-1}

find src tests bench \( -name '*.hpp' -o -name '*.cpp' \) -print0 2>/dev/null |
  xargs -0 -r clang-format --dry-run -Werror
echo "clang-format: clean"
find src -name '*.cpp' -print0 | xargs -0 -r -n 4 -P "$jobs" clang-tidy -p "$build" --quiet \
  --extra-arg=-Wno-unknown-warning-option --warnings-as-errors='*'
echo "clang-tidy: clean"
