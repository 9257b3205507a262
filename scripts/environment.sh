# Other scripts source this.  It makes an environment in .venv, with bgrace compiled and installed for editing, and
# puts it first on PATH.  LOCK names a list of requirements/, which scripts/lock.sh writes: use.txt, develop.txt or
# quick.txt; pip installs only releases whose hashes are there.  BGRACE_WASM=1 also installs the compiler of the
# WebAssembly module (379 MB).  Needs Python 3.11 or later, a C compiler, and PyPI.  BGRACE_ENVIRONMENT=active uses the
# active environment instead, and installs nothing.
set -eu
[ -f scripts/environment.sh ] || cd "$(dirname "$0")/.." # unless the calling script has changed to the root
if [ "${BGRACE_ENVIRONMENT:-}" != active ]; then
    if [ ! -x .venv/bin/python ]; then
        echo "Making .venv" >&2
        "${PYTHON:-python3}" -m venv .venv || {
            echo "cannot make .venv: on Debian and Ubuntu, install python3-venv and python3-dev" >&2
            exit 1
        }
    fi
    # Python compiles each module on its first import; to compile all of them takes longer than to install them.
    pip=".venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile"
    echo "Installing packages into .venv" >&2
    $pip --require-hashes --requirement "requirements/${LOCK:-use.txt}" \
        ${BGRACE_WASM:+--requirement requirements/wasm.txt}
    # An editable installation compiles everything again, in a new folder.
    echo "Compiling bgrace (a minute or two)" >&2
    ccache=$(command -v ccache || true)
    CC="${CC:-${ccache:+ccache }cc}" $pip --no-deps --no-build-isolation --editable .
    if [ -n "${PYTHONDONTWRITEBYTECODE:-}" ]; then # or each command would compile all that it imports
        .venv/bin/python -m compileall -q -j 0 -x '/tests?/' .venv/lib bgrace || true # some modules are for other Pythons
    fi
    PATH="$PWD/.venv/bin:$PATH"
fi
