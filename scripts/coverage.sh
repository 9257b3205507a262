#!/bin/sh
# Say which lines of the package and of csrc/ the tests run: coverage.sh [PYTEST ARGUMENT...].  docs/testing.md says what
# they don't, and why.  Works in a copy of the tree, build/coverage, compiled to count; with GCC.
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
# A file that is compiled more than once counts as run where any of its objects ran; code that Cython wrote is left out.
python -m gcovr --filter csrc/ --filter '.*embed/src/bgrace\.c' --merge-lines --merge-mode-functions separate build
exit $status
