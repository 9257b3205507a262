#!/bin/sh
# Make a Python 3.11 for another processor or C library, to try wheels with: foreign_python.sh TARGET FOLDER ZIG.
#
#   TARGET   aarch64-manylinux, x86_64-musllinux or aarch64-musllinux
#   FOLDER   where it goes; what is there already is kept.  FOLDER/TARGET/python starts it
#   ZIG      the program of ziglang
#
# No container and no root: Debian's packages are fetched with lists of their own and only unpacked, so that the system stays
# as it is.  A Python for glibc is Debian's.  None for musl is to be had there, so Debian's sources of Python and zlib
# are compiled with ziglang, and musl itself is Debian's.  Other processors are emulated by qemu-user.
set -eu
target=$1
mkdir -p "$2/$1"
folder=$(cd "$2" && pwd)
home=$folder/$target
machine=${target%-*}
[ ! -x "$home/python" ] || exit 0
case $machine in
aarch64) architecture=arm64 ;;
*) architecture=amd64 ;;
esac
grep -q "^ID=debian" /etc/os-release || {
    echo "foreign_python.sh: works on Debian only, with its packages" >&2
    exit 1
}
if [ "$machine" != "$(uname -m)" ] && ! command -v "qemu-$machine" >/dev/null; then
    echo "foreign_python.sh: needs qemu-$machine: install Debian's qemu-user" >&2
    exit 1
fi

codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
packages_of() { # SUITE: apt-get then knows its packages, by lists of their own, and that nothing is installed
    lists=$folder/$architecture-$1
    mkdir -p "$lists/state/lists/partial" "$lists/cache/archives/partial" "$lists/sources"
    : >"$lists/status"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
        [ ! -f "$file" ] || sed -e 's/^Types: deb$/Types: deb deb-src/' -e '/^Architectures:/d' \
            -e 's/^deb \(.*\)/&\ndeb-src \1/' -e "s/\b$codename\b/$1/g" "$file" >"$lists/sources/${file##*/}"
    done
    cat >"$lists/apt.conf" <<CONFIGURATION
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Install-Recommends "false";
APT::Sandbox::User "$(id -un)";
Dir::State "$lists/state";
Dir::State::status "$lists/status";
Dir::Cache "$lists/cache";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$lists/sources";
CONFIGURATION
    export APT_CONFIG="$lists/apt.conf"
    ls "$lists"/state/lists/*Packages* >/dev/null 2>&1 || apt-get update -qq
}

unpack() { # PACKAGE...: with all that they need, in $home/root
    rm -f "$lists"/cache/archives/*.deb
    apt-get install -qq -y --download-only "$@" >"$home/apt.log"
    for package in "$lists"/cache/archives/*.deb; do
        dpkg -x "$package" "$home/root"
    done
}

source_of() { # PACKAGE: unpacked in $folder/source/PACKAGE, for every target
    if [ ! -d "$folder/source/$1" ]; then
        mkdir -p "$folder/source/fetched"
        (cd "$folder/source/fetched" && apt-get source -qq --tar-only "$1" >/dev/null)
        mkdir "$folder/source/$1"
        tar -xf "$folder/source/fetched/$1"_*.orig.tar.* -C "$folder/source/$1" --strip-components 1
    fi
}

libraries=""
# What starts programs: an emulator, or the system's loader of programs.  The Python takes its wrapper for itself.
if [ "$machine" != "$(uname -m)" ]; then
    # Debian's musl looks for libraries where Debian has them; the emulator itself keeps to the system's.
    starter="qemu-$machine -L \"$home/root\" -E LD_LIBRARY_PATH=\"$home/root/lib\" -0 \"$home/python\""
else
    libraries=$home/root/lib
    starter="\"$home/root/lib/ld-musl-$machine.so.1\" --argv0 \"$home/python\""
fi
case $target in
*-manylinux)
    packages_of bookworm
    unpack python3.11-minimal libpython3.11-stdlib libstdc++6 # the last for NumPy
    program=$home/root/usr/bin/python3.11
    prefix=$home/root/usr
    ;;
*-musllinux)
    packages_of trixie # its musl is 1.2.5; NumPy's wheels, though they say 1.2, want 1.2.4 (relative relocations)
    mkdir -p "$home/root/usr/lib"
    ln -sf usr/lib "$home/root/lib"
    unpack musl
    ln -sf "ld-musl-$machine.so.1" "$home/root/lib/libc.musl-$machine.so.1" # as systems with musl call it
    prefix=$home/prefix
    program=$prefix/bin/python3.11
    mkdir -p "$home/build/python" "$prefix/bin" "$prefix/lib" "$prefix/include"
    # Zig would stop programs at what Python does on purpose, such as numbers that overflow.
    printf '#!/bin/sh\nexec "%s" cc -target %s-linux-musl -dynamic -fno-sanitize=undefined "$@"\n' "$3" "$machine" >"$home/cc"
    printf '#!/bin/sh\nexec "%s" ar "$@"\n' "$3" >"$home/ar"
    chmod +x "$home/cc" "$home/ar"
    export CC="$home/cc" AR="$home/ar" CFLAGS="-O1 -g0 -w" CPPFLAGS="-I$prefix/include" LDFLAGS="-L$prefix/lib"
    packages_of bookworm
    source_of zlib
    source_of python3.11
    (
        cd "$folder/source/zlib"
        for file in *.c; do
            case $file in gz*) ;; *) "$CC" $CFLAGS -fPIC -c "$file" -o "$home/build/${file%.c}.o" ;; esac
        done
        "$AR" crs "$prefix/lib/libz.a" "$home"/build/*.o
        "$CC" -shared -Wl,-soname,libz.so.1 "$home"/build/*.o -o "$home/root/lib/libz.so.1" # of every system with musl
        cp zlib.h zconf.h "$prefix/include"
    )
    (
        cd "$home/build/python"
        # Modules of the standard library become a part of the program: what compiles them otherwise looks into the
        # system's own headers.  Those that need further libraries are left out.
        mkdir -p Modules
        {
            echo "*static*"
            for module in _asyncio _bisect _contextvars _csv _datetime _heapq _json _lsprof _multiprocessing _opcode _pickle \
                _posixsubprocess _queue _random _socket _statistics _struct _typing _zoneinfo array binascii cmath math mmap \
                select _elementtree pyexpat _blake2 _md5 _sha1 _sha256 _sha512 _sha3 unicodedata fcntl grp resource syslog \
                termios; do
                sed -n "s/^#\($module .*\)/\1/p" "$folder/source/python3.11/Modules/Setup"
            done
            echo "zlib zlibmodule.c -lz"
        } >Modules/Setup.local
        "$folder/source/python3.11/configure" -q --host="$machine-linux-musl" --build="$(uname -m)-here-linux-musl" \
            --prefix="$prefix" --with-build-python="$(command -v python3.11)" --without-ensurepip --disable-ipv6 \
            READELF="$(command -v readelf)" ac_cv_file__dev_ptmx=yes ac_cv_file__dev_ptc=no \
            ac_cv_func_preadv2=no ac_cv_func_pwritev2=no # which older musls have not
        make -s -j"$(nproc)" python pybuilddir.txt
        # As much of an installation as is needed: the standard library, and what it knows about how it was compiled.
        cp python "$program"
        cp -r "$folder/source/python3.11/Lib" "$prefix/lib/python3.11"
        rm -rf "$prefix/lib/python3.11/test"
        mkdir -p "$prefix/lib/python3.11/lib-dynload"
        cp "$(cat pybuilddir.txt)"/_sysconfigdata_*.py "$prefix/lib/python3.11/lib-dynload"
    ) >"$home/build.log" 2>&1 &
    wait $! || {
        tail -n 50 "$home/build.log" >&2
        exit 1
    }
    rm -rf "$home/build"
    ;;
esac
{
    echo "#!/bin/sh"
    echo "export PYTHONHOME=\"$prefix\" LD_LIBRARY_PATH=\"$libraries\""
    echo "exec $starter \"$program\" \"\$@\""
} >"$home/python"
chmod +x "$home/python"
