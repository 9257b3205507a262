#!/bin/sh
# Report which lines of the package and of csrc/ the tests run: coverage.sh [PYTEST ARGUMENT...].  Compiles a copy of
# the tree in build/coverage with counters; needs GCC.
LOCK=develop.txt
. "$(dirname "$0")/environment.sh"
copy=build/coverage
rm -rf "$copy"
mkdir -p "$copy"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents --target-directory "$copy"
cd "$copy"
export BGRACE_COVERAGE=1 PYTHONPATH="$PWD"
python setup.py -q build_ext --inplace
status=0
python -m coverage run -m pytest --quiet --numprocesses "${BGRACE_WORKERS:-auto}" "$@" || status=$?
python -m coverage combine --quiet
python -m coverage report
# If a file is compiled more than once, a line counts as run if any of its objects ran it.  Code by Cython is left out.
python -m gcovr --filter csrc/ --filter '.*embed/src/bgrace\.c' --merge-lines --merge-mode-functions separate build
exit $status
