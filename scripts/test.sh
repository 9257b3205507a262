#!/bin/sh
# Set up .venv and pass every check: formatting, lint, types, and the whole test suite.  Arguments go to pytest.
. "$(dirname "$0")/environment.sh" "plot,test,lint"
PATH="$PWD/.venv/bin:$PATH"
ruff check .
ruff format --check .
clang-format --dry-run -Werror csrc/*.c csrc/*.h
cython-lint bgrace/_kernels
mypy
python -m pytest --quiet --numprocesses auto "$@"
