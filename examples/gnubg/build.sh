#!/bin/sh
# Build GNU Backgammon in text mode, with bgrace for its races: FOLDER/bgrace/gnubg.
#
#   sh build.sh FOLDER [plain]
#
# The source is that of the system's package; it is downloaded into FOLDER, without changing the system's lists of
# packages.  `plain` builds the unchanged program instead: FOLDER/plain/gnubg.  Needs Debian or Ubuntu, dpkg-dev,
# libglib2.0-dev, libreadline-dev, a C compiler, and a python3 with bgrace.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
kind=${2:-bgrace}
mkdir -p "$1/apt/lists/partial" "$1/apt/sources"
cd "$1"
if [ "$kind" = bgrace ] && ! sources=$(python3 -m bgrace.embed --sources); then
    echo "python3 has no bgrace: activate the environment that it is installed in" >&2
    exit 1
fi
if [ ! -d source ]; then
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        [ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/; s/^deb /deb-src /' "$file" >"apt/sources/${file##*/}"
    done
    set -- -qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$PWD/apt/sources" \
        -o "Dir::State::Lists=$PWD/apt/lists" -o APT::Sandbox::User=
    apt-get "$@" update
    apt-get "$@" source gnubg >source.log
    mv gnubg-*/ source
fi
[ -d "$kind" ] || cp -a source "$kind"
cd "$kind"
if [ ! -f Makefile ]; then
    ./configure --without-gtk --without-python --without-libcurl --without-sqlite --enable-simd=sse2 >build.log
fi
libraries=-lm
if [ "$kind" = bgrace ]; then
    python3 "$here/patch.py" .
    eval cp "$sources" '"$here/bgrace_gnubg.h" "$here/bgrace_gnubg.c" .'
    # The program's own flags have -ffast-math, which would change answers.
    for file in bgrace.c bgrace_gnubg.c; do
        ${CC:-cc} -std=gnu11 -O2 -pthread -DHAVE_CONFIG_H -I. -Ilib $(pkg-config --cflags glib-2.0) -c $file
    done
    libraries="bgrace_gnubg.o bgrace.o -lm"
fi
make -C lib >>build.log 2>&1
make gnubg LIBS="$libraries" >>build.log 2>&1
echo "$PWD/gnubg"
