#!/bin/bash
# Checks that every source file is formatted and that sources pass clang-tidy (which reads g++'s flags and does not know all of them).
# Usage: scripts/lint.sh format
#        scripts/lint.sh tidy BUILD_FOLDER JOBS [BASE]   the folder holds compile_commands.json; with BASE, a commit, only
#                                                        sources that changed since then
#        scripts/lint.sh changed BUILD_FOLDER JOBS [N]   what continuous integration has time for: the N sources (12) that
#                                                        changed last, in the last 20 commits that there are
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
  tidy_sources "$build" "$jobs" "$sources"
}

# The sources that changed last, the latest first.  A clone without history has the one commit that made everything: then nothing is known to have changed.
check_changed() {
  local build=$1 jobs=$2 most=${3:-12} commits sources=""
  commits=$(git rev-list --no-merges --max-count=21 HEAD 2>/dev/null | sed '$d' || true)
  if [[ -n $commits ]]; then
    sources=$(for commit in $commits; do git diff-tree --no-commit-id --name-only -r --diff-filter=d "$commit" -- 'src/*.cpp'; done |
      awk '!seen[$0]++' | while read -r source; do [[ ! -f $source ]] || echo "$source"; done | grep -v '^src/frontend/c/parse/' | head -n "$most" || true)
  fi
  tidy_sources "$build" "$jobs" "$sources"
}

tidy_sources() {
  local build=$1 jobs=$2 sources
  # Sources of Clang's module cost minutes each in clang-tidy 14, which does not know Clang 19's headers.
  sources=$(grep -v '^src/frontend/c/parse/' <<<"$3" || true)
  xargs -r -n 1 -P "$jobs" clang-tidy -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option \
    --warnings-as-errors='*' <<<"$sources"
  echo "clang-tidy: $(grep -c . <<<"$sources") sources, clean"
}

case ${1:-} in
  format) check_format ;;
  tidy) check_tidy "${@:2}" ;;
  changed) check_changed "${@:2}" ;;
  *)
    sed -n '2,7p' "$0" >&2
    exit 1
    ;;
esac
