#!/bin/sh
# Write the lock files of the other scripts anew: lock.sh [--upgrade].
#
#   requirements/use.txt       what bgrace needs, and what builds it
#   requirements/quick.txt     that, and what the step quick of test.sh runs with
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
"$folder/uv/bin/python" - "$folder" <<'PYTHON'
import re, sys, tomllib
from pathlib import Path
with open("pyproject.toml", "rb") as file:
    settings = tomllib.load(file)
build = settings["build-system"]["requires"]
tests = settings["project"]["optional-dependencies"]["test"]
quick = [one for one in tests if re.match(r"[\w-]+", one)[0] in {"defusedxml", "hypothesis", "pytest", "pytest-xdist"}]
for name, wanted in {"use": build, "quick": build + quick, "develop": build}.items():
    Path(sys.argv[1], f"{name}.in").write_text("\n".join(wanted) + "\n")
PYTHON
lock() {
    name=$1
    shift
    "$folder/uv/bin/uv" pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
        --no-header --no-annotate "$@" -o "requirements/$name.txt" pyproject.toml "$folder/$name.in"
}
lock develop --all-extras "$@"
lock use --constraints requirements/develop.txt "$@"
lock quick --constraints requirements/develop.txt "$@"
