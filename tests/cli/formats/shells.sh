#!/bin/bash
# The manual page and the completions are what their readers take: mandoc finds no fault, each shell reads its script, and
# bash completes commands and options.
# Usage: shells.sh COHORT
set -euo pipefail
cohort=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1"; exit 1; }

"$cohort" man > "$folder/cohort.1"
mandoc -T lint -W warning "$folder/cohort.1" || fail "the manual page has faults"
page=$(mandoc -T utf8 "$folder/cohort.1" | col -b 2>/dev/null || mandoc -T ascii "$folder/cohort.1" | sed 's/.\x08//g')
# Every command, and every option that the list of options has.
for command in $("$cohort" options | sed -n 's/^## cohort //p'); do
  grep -q "cohort $command" <<< "$page" || fail "the manual page lacks cohort $command"
done
while read -r option; do
  grep -qe "$option" <<< "$page" || fail "the manual page lacks $option"
done < <("$cohort" options | grep -o '^| `--[a-z-]*' | sed 's/^| `//' | sort -u)

"$cohort" completion bash > "$folder/bash"
"$cohort" completion zsh > "$folder/zsh"
"$cohort" completion fish > "$folder/fish"
bash -n "$folder/bash" || fail "bash does not read its completion"
zsh -n "$folder/zsh" || fail "zsh does not read its completion"
fish --no-execute "$folder/fish" || fail "fish does not read its completion"
complete_bash() {
  # shellcheck disable=SC1090
  bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cohort; printf "%s\n" "${COMPREPLY[@]}"' "$folder/bash" "$@"
}
[[ $(complete_bash cohort veri) == verify ]] || fail "bash does not complete a command"
complete_bash cohort verify x.c --thr | grep -qx -e --threads || fail "bash does not complete an option"
[[ -z $(complete_bash cohort replay x.c --junit) ]] || fail "bash completes an option of another command"
cd "$folder" && touch 'a file.c'
[[ $(complete_bash cohort verify --sarif a) == 'a file.c' ]] || fail "bash does not complete the value of an option"
answer=$(fish --no-config -c "source $folder/fish; complete -C 'cohort verify --each-f'")
[[ $answer == --each-file* ]] || fail "fish does not complete an option: $answer"
"$cohort" completion tcsh > /dev/null 2>&1 && fail "there is no completion for tcsh"
echo "the manual page and three completions are read"
