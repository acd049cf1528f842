#!/bin/sh
# As a new user's system, which Debian's packages alone are in: installs libstowage from its published package, builds
# the example project by CMake and by pkg-config, and runs its programs, all without Node. As root, in a system that
# scripts/in-debian.mjs made: fresh-system.sh PACKAGE.tgz VIEW.cpp
set -e
tarball=$1
view=$2
# libc++ has <mdspan> from 17 on: bookworm's default is 14.
version=
if apt-cache show clang-19 > /dev/null 2>&1; then version=-19; fi
export DEBIAN_FRONTEND=noninteractive
apt-get -q install -y --no-install-recommends cmake make gcc g++ gfortran pkg-config \
  "clang$version" "libc++$version-dev" "libc++abi$version-dev" > /dev/null

# Nothing of the caller's environment: it has Node.
if [ -z "$FRESH" ]; then exec env -i FRESH=1 PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$0" "$@"; fi
if command -v node npm; then echo "expected no Node, got one"; exit 1; fi
if [ -e /usr/local/include/stowage.h ]; then echo "expected no libstowage, got one"; exit 1; fi

folder=$(mktemp -d)
leave() {
  if [ -e "$folder/build/install_manifest.txt" ]; then xargs rm -f < "$folder/build/install_manifest.txt"; fi
  rm -rf "$folder"
  ldconfig
}
trap leave EXIT
cd "$folder"
tar xzf "$tarball"
user=package/examples/user

step() {
  echo "== $*"
}
# What a command prints is shown where it fails.
quietly() {
  "$@" > said 2>&1 || { status=$?; cat said; exit "$status"; }
}

step compilers
echo "gcc $(gcc -dumpfullversion), clang $("clang$version" -dumpversion), CMake $(cmake --version | sed -n '1s/.* //p')"
quietly cmake -S package -B build -DCMAKE_C_FLAGS="-Wall -Wextra -Wpedantic -Werror"
quietly cmake --build build
quietly ctest --test-dir build
quietly cmake --install build
ldconfig

step find_package
quietly cmake -S "$user" -B user
quietly cmake --build user
for program in column halo plane; do "user/$program"; done

step pkg-config
flags=$(pkg-config --cflags --libs stowage)
gcc -Wall -Wextra -Werror -o column "$user/column.c" $flags
g++ -std=c++20 -Wall -Wextra -Werror -o halo "$user/halo.cpp" $flags
gfortran -o plane "$user/plane.f90" $flags
for program in column halo plane; do "./$program"; done

step pkg-config --static
gcc -static -o fixed "$user/column.c" $(pkg-config --static --cflags --libs stowage)
./fixed

step std::mdspan of libc++
"clang++$version" -stdlib=libc++ -std=c++23 -Wall -Wextra -Werror -o view "$view" $flags
./view

step std::mdspan of libstdc++
if echo '#include <mdspan>' | g++ -std=c++23 -fsyntax-only -x c++ - 2> said; then
  g++ -std=c++23 -Wall -Wextra -Werror -o view "$view" $flags
  ./view
else
  sed -n '1s/.*fatal error: //p' said
fi

step manual pages
ls /usr/local/share/man/man3
