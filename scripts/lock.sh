#!/bin/sh
# Write the lock files of the other scripts anew: lock.sh [--upgrade].
#
#   requirements/use.txt       what bgrace needs, and what builds it
#   requirements/develop.txt   all optional dependencies, too: tests, lint, coverage
#
# For Python 3.11 and later on every system, with the hashes of all files of each release.  Releases stay as they are
# unless --upgrade asks for the newest, or pyproject.toml for others.  Needs PyPI.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/uv"
"$folder/uv/bin/python" -m pip install --quiet --disable-pip-version-check "uv>=0.5"
"$folder/uv/bin/python" - <<'PYTHON' >"$folder/build.in"
import tomllib
with open("pyproject.toml", "rb") as file:
    print(*tomllib.load(file)["build-system"]["requires"], sep="\n")
PYTHON
lock() {
    target=$1
    shift
    "$folder/uv/bin/uv" pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
        --no-header --no-annotate "$@" -o "requirements/$target" pyproject.toml "$folder/build.in"
}
lock develop.txt --all-extras "$@"
lock use.txt --constraints requirements/develop.txt "$@"
