#!/bin/sh
# Set up .venv and pass every check: formatting, lint, types, and the whole test suite.  Arguments go to pytest.
EXTRAS="plot,test,lint"
. "$(dirname "$0")/environment.sh"
PATH="$PWD/.venv/bin:$PATH"
ruff check .
ruff format --check .
clang-format --dry-run -Werror $(find csrc -name "*.[ch]") tests/c/*.c examples/*.c scripts/*.c
cython-lint --max-line-length 120 bgrace/_kernels
mypy
python -m pytest --quiet --numprocesses auto "$@"
