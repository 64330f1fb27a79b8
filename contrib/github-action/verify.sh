#!/bin/bash
# Runs Cohort as the action's inputs say: COHORT, PATHS, OPTIONS, FAIL_ON_UNKNOWN.  Writes SARIF and JUnit files to
# RUNNER_TEMP and their names to GITHUB_OUTPUT.
set -euo pipefail
program=${COHORT:-$(dirname "$0")/../../build/cohort}
folder=${RUNNER_TEMP:-/tmp}
sarif=$folder/cohort.sarif
junit=$folder/cohort.xml
read -r -a paths <<< "$PATHS"
read -r -a options <<< "${OPTIONS:-}"
code=0
"$program" verify --each-file "${paths[@]}" "${options[@]}" --sarif "$sarif" --junit "$junit" || code=$?
printf 'sarif=%s\njunit=%s\n' "$sarif" "$junit" >> "${GITHUB_OUTPUT:-/dev/null}"
# 5 is UNKNOWN: nothing wrong was found.
if ((code == 5)) && [[ ${FAIL_ON_UNKNOWN:-false} != true ]]; then code=0; fi
exit "$code"
