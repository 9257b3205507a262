#!/bin/sh
# Make the source distribution and the wheels for Linux, check them, and try them: wheels.sh [--full] [TARGET...].
#
#   x86_64-manylinux   x86_64-musllinux   aarch64-manylinux   aarch64-musllinux     the TARGETs; all unless some are named
#   --full                                                        run the whole suite against a wheel, not a part of it
#
# Everything appears in dist/.  One wheel serves every Python from 3.11 on (the stable
# ABI) and every Linux with glibc 2.17 or musl 1.2, because ziglang compiles it: no other compiler is needed, nor are
# containers.  Each is tried in an empty environment: with the Python that is here if it is for this machine, else with
# one that foreign_python.sh makes, on Debian only, where a database has to get the same bytes as here.  Needs Python 3.11,
# its venv, and PyPI.
set -eu
cd "$(dirname "$0")/.."
targets=""
full=""
for word in "$@"; do
    case $word in
    --full) full=1 ;;
    *-manylinux | *-musllinux) targets="$targets $word" ;;
    *) echo "wheels.sh: $word: give --full or x86_64-manylinux, aarch64-musllinux, ..." >&2 && exit 2 ;;
    esac
done
root=$PWD
work=$root/build/wheels
tools=$work/tools
mkdir -p "$work" dist
# What is imported and compared has to be what was installed, not this folder.
unset PYTHONPATH
# Zig keeps what it has compiled here, and not with the user's.
export ZIG_GLOBAL_CACHE_DIR="$work/zig"
export SOURCE_DATE_EPOCH=1735689600
if ! cmp -s requirements/release.txt "$tools/installed"; then
    rm -rf "$tools"
    "${PYTHON:-python3}" -m venv "$tools"
    "$tools/bin/pip" install -q --disable-pip-version-check --require-hashes -r requirements/release.txt
    cp requirements/release.txt "$tools/installed"
fi
PATH="$tools/bin:$PATH"
zig=$(python -c "import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).with_name('zig'))")

# Tests that need no compiler, browser or other process: a part of the suite, and the least, for what is emulated.
LEAST="tests/board/test_dice.py tests/board/test_spaces.py tests/cube/test_cube_action.py tests/answers/test_ends.py"
PART="tests/board tests/cube/test_cube_action.py tests/answers/test_ends.py tests/database/test_database.py"

try() { # PYTHON: a database, questions, tests; what came of it is written to $work/$target.tried
    (
        cd "$trial"
        rm -f try.h5
        "$1" -m bgrace --version
        "$1" -m bgrace build try.h5 --checkers 6 --two-sided 6 2>"$work/$target.build" || {
            cat "$work/$target.build"
            exit 1
        }
        sha256sum <try.h5 >"$work/$target.sum"
        "$1" -m bgrace query "$("$1" -c 'import bgrace; print(bgrace.example_file())')" 6x1 1x1 --json >"$work/$target.query"
        "$1" -m bgrace solve 5x1,6x1 4x1,5x1 --json >"$work/$target.solve"
        chosen=$LEAST
        [ "$machine" != "$(uname -m)" ] || chosen=$PART
        # What reads the source of the package stays out of the whole; scripts/test.sh has run it.
        [ -z "$full" ] || [ "$target" != "$here" ] ||
            chosen="tests --ignore tests/project --ignore tests/typing --ignore tests/web/test_page_types.py \
                -rs --numprocesses ${BGRACE_WORKERS:-auto}"
        "$1" -m pytest -q -p no:cacheprovider --basetemp "$work/scratch" $chosen >"$work/$target.pytest" || {
            cat "$work/$target.pytest"
            exit 1
        }
        grep "^SKIPPED" "$work/$target.pytest" || true
        tail -n 1 "$work/$target.pytest"
    )
}

echo "== source"
rm -f dist/bgrace-*.tar.gz
python -m build -q --sdist --no-isolation
set -- dist/bgrace-*.tar.gz
version=${1#dist/bgrace-}
version=${version%.tar.gz}
# Wheels come from what is distributed, so that nothing is missing there; and what Cython writes is the same for all.
tree=$work/tree
rm -rf "$tree"
mkdir -p "$tree"
tar -xzf "$1" -C "$tree" --strip-components 1
# Beside a wheel only the tests and what they read: the package's own folder must not be what is imported.
trial=$work/trial
rm -rf "$trial"
mkdir "$trial"
cp -r tests scripts data csrc examples docs pyproject.toml CONTRIBUTING.md README.md CHANGELOG.md LICENSE "$trial"
if [ -n "$full" ] && ! { command -v npm && npm ci --silent --prefix "$trial/tests/web"; } >/dev/null; then
    echo "npm does not work here: what axe-core finds in the page is left out"
fi

here=$(uname -m)-manylinux
for target in ${targets:-x86_64-manylinux x86_64-musllinux aarch64-manylinux aarch64-musllinux}; do
    machine=${target%-*}
    case $target in
    *-manylinux) triple=$machine-linux-gnu.2.17 tag=manylinux2014_$machine policies="manylinux_2_17_$machine manylinux2014_$machine" musl="" ;;
    *) triple=$machine-linux-musl tag=musllinux_1_2_$machine policies="musllinux_1_[12]_$machine" musl=libc.musl-$machine.so.1 ;;
    esac
    echo "== $target"
    # Zig calls musl's library libc.so, which systems with musl take; they themselves, and auditwheel, call it otherwise.
    cat >"$tree/cc" <<COMPILER
#!/bin/sh
set -e
"$zig" cc -target $triple "\$@"
[ -n "$musl" ] || exit 0
case " \$* " in
*" -shared "*)
    while [ "\$1" != -o ]; do shift; done
    patchelf --replace-needed libc.so "$musl" "\$2"
    ;;
esac
COMPILER
    printf '#!/bin/sh\nexec "%s" ar "$@"\n' "$zig" >"$tree/ar"
    chmod +x "$tree/cc" "$tree/ar"
    wheel=dist/bgrace-$version-cp311-abi3-$tag.whl
    rm -f "$wheel" "$work/$target.tried"
    (
        cd "$tree"
        rm -rf build
        export CC="$tree/cc" AR="$tree/ar" LDSHARED="$tree/cc -shared" LDFLAGS="" CFLAGS=""
        export BGRACE_LIMITED=1 _PYTHON_HOST_PLATFORM="linux-$machine"
        python -m build -q --wheel --no-isolation -C--build-option=--plat-name="$tag" --outdir "$root/dist" >"$work/$target.log" || {
            cat "$work/$target.log"
            exit 1
        }
    )
    check-wheel-contents --config pyproject.toml "$wheel"
    abi3audit --assume-minimum-abi3 3.11 --strict "$wheel"
    auditwheel show "$wheel" >"$work/$target.audit"
    found=""
    for policy in $policies; do
        ! grep -q "$policy" "$work/$target.audit" || found=1
    done
    [ -n "$found" ] || {
        cat "$work/$target.audit"
        exit 1
    }
    python - "$wheel" <<'PYTHON'
import sys
import zipfile

names = set(zipfile.ZipFile(sys.argv[1]).namelist())
for name in ("embed/lib/bgrace.wasm", "embed/lib/libbgrace.a", "embed/include/bgrace.h", "web/site/engine.js", "py.typed"):
    if f"bgrace/{name}" not in names:
        raise SystemExit(f"{sys.argv[1]} lacks bgrace/{name}")
PYTHON

    if [ "$target" != "$here" ] && ! grep -q "^ID=debian" /etc/os-release; then
        echo "not tried: that takes Debian's packages"
        continue
    fi
    empty=$work/empty/$target
    rm -rf "$empty"
    if [ "$target" = "$here" ]; then
        "${PYTHON:-python3}" -m venv "$empty"
        lock=quick
        [ -z "$full" ] || lock=develop
        "$empty/bin/pip" install -q --disable-pip-version-check --require-hashes -r "requirements/$lock.txt"
        "$empty/bin/pip" install -q --disable-pip-version-check --no-deps "$wheel"
        "$empty/bin/bgrace" --version >/dev/null
        start=$empty/bin/python
    else
        sh scripts/foreign_python.sh "$target" "$work/python" "$zig"
        start=$work/python/$target/python
        case $target in
        *-manylinux) kinds="manylinux_2_28 manylinux_2_27 manylinux_2_26 manylinux2014 manylinux_2_17" ;;
        *) kinds="musllinux_1_2 musllinux_1_1" ;;
        esac
        platforms=""
        for kind in $kinds; do
            platforms="$platforms --platform ${kind}_$machine"
        done
        into="pip install -q --disable-pip-version-check --target $empty --only-binary :all: --python-version 3.11 $platforms"
        $into --require-hashes -r requirements/quick.txt
        $into --no-deps "$wheel"
        export PYTHONPATH="$empty"
    fi
    try "$start"
    unset PYTHONPATH
    "$start" -c "
import platform, sys
print('CPython', platform.python_version(), 'on', platform.machine())" >"$work/$target.python"
    for what in sum query solve; do
        [ ! -f "$work/$here.$what" ] || cmp "$work/$here.$what" "$work/$target.$what"
    done
    touch "$work/$target.tried"
done

for tried in "$work"/*.tried; do
    target=$(basename "$tried" .tried)
    echo "$target: $(cat "$work/$target.python"), database $(cut -c1-8 "$work/$target.sum"), $(tail -1 "$work/$target.pytest")"
done
ls -l dist
