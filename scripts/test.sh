#!/bin/sh
# Set up .venv and pass every check.
#
#   sh scripts/test.sh [STEP...] [PYTEST ARGUMENT...]
#
# Without a STEP, all of them, in this order:
#
#   python   lint and formatting of Python
#   c        formatting of C, lint of Cython
#   types    mypy; pyright on a program as users write it; TypeScript's compiler on the page's JavaScript
#   site     the documentation site, built in build/site; its links; that it loads nothing from elsewhere
#   tests    the whole test suite, doctests of the package and of docs/ included; what is left of the line goes to pytest
#
# BGRACE_ENVIRONMENT=active uses the environment that is active as it is; .pre-commit-config.yaml does that.
STEPS="python c types site tests"
chosen=""
while [ $# -gt 0 ]; do
    case " $STEPS " in
    *" $1 "*) chosen="$chosen $1" && shift ;;
    *) break ;;
    esac
done
LOCK=develop.txt
. "$(dirname "$0")/environment.sh"

for step in ${chosen:-$STEPS}; do
    echo "== $step"
    case $step in
    python)
        ruff check .
        ruff format --check .
        ;;
    c)
        git ls-files -co --exclude-standard '*.c' '*.h' '*.inc' | xargs clang-format --dry-run -Werror
        cython-lint --max-line-length 120 bgrace/_kernels
        ;;
    types)
        mypy
        if pyright --version >/dev/null; then
            pyright tests/typing/user_program.py
        else # it loads itself from the npm registry when it first runs
            echo "pyright cannot start here: its checks are left out"
        fi
        if command -v npm >/dev/null && npm ci --silent --prefix tests/web; then
            tests/web/node_modules/.bin/tsc --project tests/web
        elif [ -n "${CI:-}" ]; then
            echo "npm has to be there, and to reach its registry" >&2
            exit 1
        else
            echo "npm does not work here: the types of the page's JavaScript, and what axe-core finds, are left out"
        fi
        ;;
    site) BGRACE_ENVIRONMENT=active sh scripts/site.sh ;;
    tests) python -m pytest --quiet --numprocesses "${BGRACE_WORKERS:-auto}" --dist worksteal "$@" ;;
    esac
done
