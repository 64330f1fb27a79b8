#!/bin/bash
# Installs the Debian 12 packages that the named groups need, and only those that are missing; with everything in
# place it neither touches the network nor asks for a password.
# Usage: scripts/install_packages.sh GROUP...    groups: build test bench lint coverage package
set -euo pipefail

declare -A packages=(
  [build]="make g++ cmake ninja-build ccache pkg-config libfmt-dev libcli11-dev nlohmann-json3-dev libxxhash-dev libpugixml-dev libyaml-cpp-dev
           libbdd-dev libbliss-dev libgmp-dev libz3-dev cvc5 coinor-libclp-dev libgtest-dev libgmock-dev librapidcheck-dev llvm-19-dev libclang-19-dev libclang-cpp19-dev
           libclang-common-19-dev libopenmpi-dev libc6-dev"
  [test]="gcc clang libc6-dev python3 python3-jsonschema python3-yaml rumur spin openmpi-bin chromium zsh fish mandoc"
  [bench]="gcc libc6-dev python3 time rumur spin openmpi-bin gnuplot-nox"
  [lint]="clang-format clang-tidy"
  [coverage]="gcovr"
  [package]="dpkg-dev fakeroot"
)

if (($# == 0)); then
  echo "usage: $0 GROUP...   groups: ${!packages[*]}" >&2
  exit 1
fi

missing=()
for group in "$@"; do
  if [[ -z ${packages[$group]:-} ]]; then
    echo "$0: no package group '$group'; groups: ${!packages[*]}" >&2
    exit 1
  fi
  for package in ${packages[$group]}; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed* ]] || missing+=("$package")
  done
done
((${#missing[@]} > 0)) || exit 0

as_root=()
if (($(id -u) != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "$0: these packages are missing, and without root or sudo they cannot be installed: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
