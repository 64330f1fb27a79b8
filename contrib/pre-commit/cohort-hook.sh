#!/bin/bash
# A hook for pre-commit: verifies each changed file by itself, for at most COHORT_TIME seconds (10), and stops the commit
# when a violation is found or a file cannot be read.  What could not be decided in that time passes.
# In a repository's .pre-commit-config.yaml:
#   - repo: local
#     hooks:
#       - {id: cohort, name: cohort, entry: contrib/pre-commit/cohort-hook.sh, language: script, files: '\.(c|i|bp)$'}
# Options for `cohort verify` go into COHORT_OPTIONS, the program into COHORT (`cohort`).
set -euo pipefail
(($# > 0)) || exit 0
read -r -a options <<< "${COHORT_OPTIONS:-}"
code=0
"${COHORT:-cohort}" verify --each-file "$@" --time-limit "${COHORT_TIME:-10}" "${options[@]}" || code=$?
((code == 5)) && exit 0
exit "$code"
