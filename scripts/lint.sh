#!/bin/bash
# Checks that every source file is formatted and that sources pass clang-tidy (which reads g++'s flags and does not know all of them).
# Usage: scripts/lint.sh format
#        scripts/lint.sh tidy BUILD_FOLDER JOBS [BASE]   the folder holds compile_commands.json; with BASE, a commit, only
#                                                        sources that changed since then
set -euo pipefail
cd "$(dirname "$0")/.."

check_format() {
  find src tests bench \( -name '*.hpp' -o -name '*.cpp' \) -print0 | xargs -0 -r clang-format --dry-run -Werror
  echo "clang-format: clean"
}

check_tidy() {
  local build=$1 jobs=$2 base=${3:-} sources
  if [[ -n $base ]]; then
    sources=$(git diff --name-only --diff-filter=d "$base" -- 'src/*.cpp')
  else
    sources=$(find src -name '*.cpp')
  fi
  # Sources of Clang's module cost minutes each in clang-tidy 14, which does not know Clang 19's headers.
  sources=$(grep -v '^src/frontend/c/parse/' <<<"$sources" || true)
  xargs -r -n 1 -P "$jobs" clang-tidy -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option \
    --warnings-as-errors='*' <<<"$sources"
  echo "clang-tidy: $(grep -c . <<<"$sources") sources, clean"
}

case ${1:-} in
  format) check_format ;;
  tidy) check_tidy "${@:2}" ;;
  *)
    sed -n '2,5p' "$0" >&2
    exit 1
    ;;
esac
