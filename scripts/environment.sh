# Sourced by the other scripts: an environment of our own in .venv, with bgrace compiled and installed for editing.
# EXTRAS names the optional dependencies to install, such as "test,lint".  Needs Python 3.11 or later, a C compiler, and
# PyPI.
set -eu
cd "$(dirname "$0")/.."
if [ ! -x .venv/bin/python ]; then
    "${PYTHON:-python3}" -m venv .venv || {
        echo "cannot make .venv: on Debian and Ubuntu, install python3-venv and python3-dev" >&2
        exit 1
    }
fi
.venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".${EXTRAS:+[$EXTRAS]}"
