#!/bin/sh
# Compiles floats/float_numbers.c with the models of floating-point arithmetic and compares them with the machine.
# usage: floats.sh LIBRARY [SEED COUNT]
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
gcc -O2 -w -fno-builtin -ffp-contract=off -I"$1" "$(dirname "$0")/floats/float_numbers.c" -o "$folder/floats" -lm
"$folder/floats" "${2:-1}" "${3:-300000}"
