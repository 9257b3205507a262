# Sourced by the other scripts: an environment of our own in .venv, with bgrace compiled and installed for editing, first
# on PATH.  LOCK names a list of requirements/, which scripts/lock.sh writes: use.txt, develop.txt or quick.txt; nothing
# is installed whose hash is not there.  BGRACE_WASM=1 also installs the compiler of the WebAssembly module (379 MB).
# Needs Python 3.11 or later, a C compiler, and PyPI.  BGRACE_ENVIRONMENT=active takes the environment that is active
# instead, and installs nothing.
set -eu
[ -f scripts/environment.sh ] || cd "$(dirname "$0")/.." # a script further down goes there itself
if [ "${BGRACE_ENVIRONMENT:-}" != active ]; then
    if [ ! -x .venv/bin/python ]; then
        echo "Making .venv" >&2
        "${PYTHON:-python3}" -m venv .venv || {
            echo "cannot make .venv: on Debian and Ubuntu, install python3-venv and python3-dev" >&2
            exit 1
        }
    fi
    # What is imported is compiled when it is; to compile all that is installed takes longer than to install it.
    pip=".venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile"
    echo "Installing packages into .venv" >&2
    $pip --require-hashes --requirement "requirements/${LOCK:-use.txt}" \
        ${BGRACE_WASM:+--requirement requirements/wasm.txt}
    # An editable installation compiles everything in a new folder, each time.
    echo "Compiling bgrace (a minute or two)" >&2
    ccache=$(command -v ccache || true)
    CC="${CC:-${ccache:+ccache }cc}" $pip --no-deps --no-build-isolation --editable .
    if [ -n "${PYTHONDONTWRITEBYTECODE:-}" ]; then # then each command would compile what it imports, each time
        .venv/bin/python -m compileall -q -j 0 -x '/tests?/' .venv/lib bgrace || true # some of it is for other Pythons
    fi
    PATH="$PWD/.venv/bin:$PATH"
fi
