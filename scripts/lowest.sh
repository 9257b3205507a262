#!/bin/sh
# Build and test with the lowest releases that pyproject.toml allows: lowest.sh [PYTEST ARGUMENT...].  The tests below
# use all of them.  lock.sh locks these releases; test.sh runs with the newest.  Needs Python 3.11, a C compiler, and PyPI.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3}" -m venv "$folder/env"
python="$folder/env/bin/python"
pip="$python -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents --target-directory "$folder"
cd "$folder"
$pip --requirement requirements/lowest-build.txt
$python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir wheels .
$pip --requirement requirements/lowest.txt
$python -m pip install --quiet --disable-pip-version-check --no-deps wheels/*.whl
"$python" -m pip list --disable-pip-version-check
rm -rf bgrace # so that the tests import the installed one
"$python" -m pytest --quiet -p no:cacheprovider tests/board/test_spaces.py tests/database/test_access.py \
    tests/database/test_store_archive.py tests/match/test_match_met.py tests/apps/plot tests/cli/test_cli_query.py \
    tests/apps/web/test_api.py tests/cli/test_cli_process.py::test_standard_error_may_be_closed "$@"
