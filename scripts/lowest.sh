#!/bin/sh
# Build with the lowest releases that pyproject.toml allows, run with the lowest that it allows, and pass the tests that
# touch every one of them: lowest.sh [PYTEST ARGUMENT...].  The other end is what scripts/test.sh runs with.  Needs
# Python 3.11, a C compiler, and PyPI.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/env"
python="$folder/env/bin/python"
"$python" - "$folder" <<'PYTHON'
import re, sys, tomllib
with open("pyproject.toml", "rb") as file:
    settings = tomllib.load(file)
def lowest(name, wanted):
    with open(f"{sys.argv[1]}/{name}.txt", "w") as file:
        for one in wanted:
            file.write(re.sub(r"^([\w.\[\]-]+)>=([\w.]+).*$", r"\1==\2", one) + "\n")
project = settings["project"]
extras = project["optional-dependencies"]
lowest("build", settings["build-system"]["requires"])
lowest("run", project["dependencies"] + extras["plot"] + extras["match"] + extras["web"] + extras["xarray"])
PYTHON
pip="$python -m pip install --quiet --disable-pip-version-check --only-binary :all:"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents --target-directory "$folder"
cd "$folder"
$pip --requirement build.txt
$python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir wheels .
# What matplotlib brings along is as new as it gets, but for pyparsing: later ones warn of what its lowest release does.
$pip --requirement run.txt "pyparsing<3.3" pytest hypothesis jsonschema
$pip --no-deps wheels/*.whl
"$python" -m pip list --disable-pip-version-check
rm -rf bgrace # the one that is installed is meant
"$python" -m pytest --quiet -p no:cacheprovider tests/board/test_spaces.py tests/database/test_access.py \
    tests/database/test_store_archive.py tests/match/test_match_met.py tests/plot tests/cli/test_cli_query.py \
    tests/web/test_api.py tests/interop/test_xarray.py "$@"
