#!/bin/bash
# Makes a Debian package of what is built in BUILD (build), and leaves it there.  The libraries that it depends on are
# found by dpkg-shlibdeps; C programs also need Clang's own headers and those of the C library, and the check of some certificates cvc5.
# Usage: scripts/make_deb.sh [BUILD]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
version=$("$build/cohort" --version | head -n 1)
architecture=$(dpkg --print-architecture)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
staging=$root/staging
DESTDIR=$staging cmake --install "$build" --prefix /usr > /dev/null
strip --strip-unneeded "$staging/usr/bin/cohort" "$staging"/usr/lib/cohort/*.so
gzip -9n "$staging/usr/share/man/man1/cohort.1"
install -D -m 644 LICENSE "$staging/usr/share/doc/cohort/copyright"
install -m 644 README.md NEWS.md "$staging/usr/share/doc/cohort/"
# dpkg-shlibdeps wants a source package to look at.
mkdir "$root/debian"
printf 'Source: cohort\n' > "$root/debian/control"
# The module for MPI is loaded under mpirun only, whose package brings the library: nobody else needs it.
depends=$(cd "$root" && find staging/usr/bin staging/usr/lib -type f ! -name cohort_mpi.so \( -name cohort -o -name '*.so' \) -exec dpkg-shlibdeps -O --ignore-missing-info {} + 2> /dev/null | sed 's/^shlibs:Depends=//')
mkdir "$staging/DEBIAN"
cat > "$staging/DEBIAN/control" << CONTROL
Package: cohort
Version: $version
Architecture: $architecture
Maintainer: The Cohort developers <cohort@localhost>
Section: devel
Priority: optional
Depends: $depends, libclang-common-19-dev, libc6-dev
Recommends: cvc5
Suggests: openmpi-bin
Installed-Size: $(du -sk "$staging/usr" | cut -f 1)
Description: model checker for programs in which many threads run the same code
 Cohort checks multi-threaded C programs, Boolean programs, Petri nets and other
 models. It answers SAFE, UNSAFE with an interleaving that can be replayed, or
 UNKNOWN with the reason.
CONTROL
package=$build/cohort_${version}_$architecture.deb
fakeroot dpkg-deb --build --root-owner-group "$staging" "$package" > /dev/null
echo "$package"
