#!/bin/sh
# Make the source distribution and the wheels for Linux, check them, and try them: wheels.sh [--full] [TARGET...].
#
#   x86_64-manylinux   x86_64-musllinux   aarch64-manylinux   aarch64-musllinux     the TARGETs; all unless some are named
#   --full                                                        run the whole suite against a wheel, not a part of it
#
# Everything appears in dist/.  One wheel serves every Python from 3.11 on (the stable ABI) and every Linux with glibc 2.17
# or musl 1.2, because ziglang compiles it: no other compiler is needed, nor are containers.  The one for this machine is
# tried in an empty environment.  Needs Python 3.11, its venv, and PyPI.
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
if [ ! -x "$tools/bin/check-wheel-contents" ]; then
    "${PYTHON:-python3}" -m venv "$tools"
    "$tools/bin/pip" install -q --disable-pip-version-check build "setuptools>=77" "cython>=3.2" "numpy>=2.0" ziglang \
        auditwheel abi3audit check-wheel-contents
fi
PATH="$tools/bin:$PATH"

echo "== source"
rm -f dist/bgrace-*.tar.gz
python -m build -q --sdist --no-isolation
set -- dist/bgrace-*.tar.gz
version=${1#dist/bgrace-}
version=${version%.tar.gz}

for target in ${targets:-x86_64-manylinux x86_64-musllinux aarch64-manylinux aarch64-musllinux}; do
    machine=${target%-*}
    case $target in
    *-manylinux) zig=$machine-linux-gnu.2.17 tag=manylinux2014_$machine ;;
    *) zig=$machine-linux-musl tag=musllinux_1_2_$machine ;;
    esac
    echo "== $target"
    # From what is distributed, so that nothing is missing there.
    tree=$work/$target
    rm -rf "$tree"
    mkdir -p "$tree"
    tar -xzf "$1" -C "$tree" --strip-components 1
    printf '#!/bin/sh\nexec "%s" -m ziglang cc -target %s "$@"\n' "$tools/bin/python" "$zig" >"$tree/cc"
    printf '#!/bin/sh\nexec "%s" -m ziglang ar "$@"\n' "$tools/bin/python" >"$tree/ar"
    chmod +x "$tree/cc" "$tree/ar"
    wheel=dist/bgrace-$version-cp311-abi3-$tag.whl
    (
        cd "$tree"
        export CC="$tree/cc" AR="$tree/ar" LDSHARED="$tree/cc -shared" LDFLAGS="" CFLAGS=""
        export BGRACE_LIMITED=1 _PYTHON_HOST_PLATFORM="linux-$machine"
        python setup.py -q bdist_wheel --plat-name "$tag" --dist-dir "$root/dist"
    )
    check-wheel-contents --config pyproject.toml "$wheel"
    abi3audit --assume-minimum-abi3 3.11 --strict "$wheel"
    case $target in
    *-manylinux)
        auditwheel show "$wheel" >"$work/audit"
        grep -q "manylinux_2_17_$machine\|manylinux2014_$machine" "$work/audit"
        ;;
    esac
    python - "$wheel" <<'PYTHON'
import sys
import zipfile

names = set(zipfile.ZipFile(sys.argv[1]).namelist())
for name in ("embed/lib/bgrace.wasm", "embed/lib/libbgrace.a", "embed/include/bgrace.h", "web/site/engine.js", "py.typed"):
    if f"bgrace/{name}" not in names:
        raise SystemExit(f"{sys.argv[1]} lacks bgrace/{name}")
PYTHON

    case $target in
    "$(uname -m)-manylinux") ;;
    *)
        echo "not tried: there is no such Python here"
        continue
        ;;
    esac
    # Beside the wheel only the tests and what they read; the package's own folder must not be what is imported.
    trial=$work/trial
    rm -rf "$trial" "$work/empty"
    "${PYTHON:-python3}" -m venv "$work/empty"
    "$work/empty/bin/pip" install -q --disable-pip-version-check "$wheel${full:+[plot,review,web,test]}" \
        defusedxml hypothesis pytest
    mkdir "$trial"
    cp -r tests scripts data csrc examples docs pyproject.toml CONTRIBUTING.md README.md CHANGELOG.md LICENSE "$trial"
    (
        cd "$trial"
        PATH="$work/empty/bin:$PATH"
        export PYTHONPATH=""
        bgrace --version
        bgrace query data/small.h5 6x1 1x1 >/dev/null
        if [ -n "$full" ]; then
            # What reads the source of the package stays out; scripts/test.sh has run it.
            python -m pytest -q --numprocesses "${BGRACE_WORKERS:-auto}" tests --ignore tests/project --ignore tests/typing
        else
            python -m pytest -q tests/board tests/tables/test_one_sided.py tests/tables/test_two_sided.py \
                tests/database/test_database.py tests/cube/test_cube_action.py
        fi
    )
done
ls -l dist
