#!/bin/bash
# What `make install` installs works where it is put, under a path with a blank, and reads C with the parser beside it.
# Usage: install.sh COHORT BUILD
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
DESTDIR="$folder/a root" cmake --install "$2" --prefix /usr > /dev/null
root="$folder/a root/usr"
for file in bin/cohort lib/cohort/cohort_clang.so lib/cohort/cohort_clp.so share/man/man1/cohort.1 share/bash-completion/completions/cohort \
  share/zsh/site-functions/_cohort share/fish/vendor_completions.d/cohort.fish; do
  [[ -s $root/$file ]] || { echo "not installed: $file"; exit 1; }
done
printf 'int x;\nint main(void) { __VERIFIER_assert(x == 1); return 0; }\n' > "$folder/f.c"
code=0
"$root/bin/cohort" verify -q "$folder/f.c" || code=$?
((code == 10)) || { echo "the installed program gives exit code $code"; exit 1; }
