#!/bin/sh
# Set up .venv and pass every check.
#
#   sh scripts/test.sh [STEP...] [PYTEST ARGUMENT...]
#
# These steps need only Python 3.11 and a C compiler:
#
#   quick      tests of positions, tables, solvers, cube decisions and files: two minutes on two processors
#   core       all tests of the core, where the applications cannot be imported: two minutes on two processors
#
# This one needs the source of Debian's package:
#
#   gnubg      compile GNU Backgammon with bgrace and without, and compare their analyses: some minutes
#
# Without a STEP, all of the following run, in this order; types and site run at the same time:
#
#   python     lint and formatting of Python
#   c          formatting of C, lint of Cython
#   types      mypy; pyright on a program as users write it; TypeScript's compiler on the page's JavaScript
#   site       build the documentation site in build/site, run its notebooks, check its links and that it loads nothing
#              from other hosts
#   platforms  tests that compile the C code for other compilers, processors, sanitizers and build systems
#   bare       tests of what other programs use, with all programs hidden but Python, git and gcc: they are skipped, with a
#              reason; it runs beside the step platforms, whose last tests keep one processor busy
#   tests      all other tests, doctests of the package and of docs/ included
#
# The run ends with a table of the tests that were skipped here, and of the programs that they need.  BGRACE_WASM=1 also
# installs the compiler of the page's own engine (379 MB), and tests that engine.
#
# The other arguments go to pytest: in the step tests, and in platforms if that step is named.  pytest alone runs the
# tests of all steps.
# BGRACE_ENVIRONMENT=active uses the active environment as it is; .pre-commit-config.yaml does that.
STEPS="python c types site platforms bare tests"
chosen=""
while [ $# -gt 0 ]; do
    case " quick core gnubg $STEPS " in
    *" $1 "*) chosen="$chosen $1" && shift ;;
    *) break ;;
    esac
done
# The tests import the same modules hundreds of times, so Python keeps what it compiles.
unset PYTHONDONTWRITEBYTECODE
case "$chosen" in " quick" | " core" | " quick core") LOCK=quick.txt ;; *) LOCK=develop.txt ;; esac
. "$(dirname "$0")/environment.sh"

# One process more than there are processors, because tests wait for browsers, servers, clocks and disks.
pytest="python -m pytest --quiet --numprocesses ${BGRACE_WORKERS:-$(($(getconf _NPROCESSORS_ONLN) + 1))}"
left_out() {
    echo "$1: left out"
    echo "$1" >>"$BGRACE_NOT_COVERED"
}
stop_if_failed() {
    if [ -n "${failed:-}" ]; then
        wait
        echo "the step $failed failed" >&2
        exit 1
    fi
}
check_types() {
    mypy
    if ! pyright --version >/dev/null; then # its first run downloads it from the npm registry
        left_out "pyright cannot start here: it is downloaded from the npm registry"
    fi
    if ! command -v npm >/dev/null || ! npm ci --silent --prefix tests/apps/web; then
        if [ -n "${CI:-}" ]; then
            echo "npm has to be there, and to reach its registry" >&2
            exit 1
        fi
        left_out "types of the page's JavaScript, and accessibility by axe-core: needs npm and its registry"
    fi
    $pytest -m types tests/typing tests/apps/web/test_page_types.py
}

hide_programs() { cp -rs /usr/bin "$bare" 2>/dev/null; } # check_bare removes them from the copy
# It unsets CI, where a missing program fails a test instead of skipping it.
check_bare() {
    (cd "$bare/bin" && rm -f -- *++* *clang* cmake* ctest* cpack* pkg*conf* node* npm* npx* cargo* rust* chromium* \
        ccache* *-linux-gnu*-gcc* gcc-1[01]* qemu-* zig*)
    env -u CI PATH="$(dirname "$(command -v python)"):$bare/bin" BGRACE_NOT_COVERED="" python -m pytest --quiet \
        -m "not platforms and not types" -k "not many_races" tests/embed/test_embed.py tests/embed/test_packages.py \
        tests/embed/test_examples.py tests/embed/test_engine_js.py tests/apps/web/test_page.py
}

types=$(mktemp)
hidden=$(mktemp)
bare=$(mktemp -d)
BGRACE_NOT_COVERED=$(mktemp)
export BGRACE_NOT_COVERED
BGRACE_TESTS_ONCE=$(mktemp -d) # databases and the compiled library, for all steps
export BGRACE_TESTS_ONCE
trap 'rm -rf "$types" "$hidden" "$bare" "$BGRACE_NOT_COVERED" "$BGRACE_TESTS_ONCE"' EXIT
for step in ${chosen:-$STEPS}; do
    echo "== $step"
    case $step in
    quick)
        $pytest --dist worksteal tests/board tests/tables tests/answers tests/cube tests/database/test_database.py \
            tests/project/test_refused_calls.py "$@"
        ;;
    core)
        PYTHONPATH="$PWD/tests" $pytest --dist worksteal -p helpers.no_apps -m "not platforms and not types and not site" \
            tests bgrace --ignore tests/apps --ignore tests/project --ignore tests/fuzz "$@"
        ;;
    gnubg)
        if ! command -v apt-get dpkg-source pkg-config >/dev/null || ! pkg-config --exists glib-2.0; then
            left_out "GNU Backgammon compiled with bgrace: needs apt-get, dpkg-dev, pkg-config and libglib2.0-dev"
            continue
        fi
        sh examples/gnubg/build.sh build/gnubg plain
        sh examples/gnubg/build.sh build/gnubg
        python scripts/check_in_gnubg.py build/gnubg
        ;;
    python)
        ruff check .
        ruff format --check .
        lint-imports --no-cache | tail -n 8
        ;;
    c)
        git ls-files -co --exclude-standard '*.c' '*.h' '*.inc' | xargs clang-format --dry-run -Werror
        cython-lint --max-line-length 120 bgrace/_kernels/*.pyx
        ;;
    types)
        case " ${chosen:-$STEPS} " in
        *" types site "*) check_types >"$types" 2>&1 & beside=$! ;; # each keeps one processor busy
        *) check_types ;;
        esac
        ;;
    site)
        BGRACE_ENVIRONMENT=active sh scripts/site.sh || failed=site
        if [ -n "${beside:-}" ]; then
            echo "== types, beside the site"
            wait "$beside" || failed=types
            cat "$types"
        fi
        stop_if_failed
        ;;
    platforms)
        case " ${chosen:-$STEPS} " in
        *" platforms bare "*) if hide_programs; then check_bare >"$hidden" 2>&1 & hiding=$!; fi ;;
        esac
        $pytest --dist worksteal -m platforms tests/base tests/contact tests/embed ${chosen:+"$@"} || failed=platforms
        stop_if_failed
        ;;
    bare)
        if [ -n "${hiding:-}" ]; then
            wait "$hiding" || failed=bare
            cat "$hidden"
            stop_if_failed
            continue
        fi
        hide_programs || { left_out "programs cannot be hidden here" && continue; }
        check_bare
        ;;
    tests)
        $pytest --dist worksteal -m "not platforms and not types and not site" "$@"
        ;;
    esac
done
if [ -s "$BGRACE_NOT_COVERED" ]; then
    echo "== passed; skipped here: the number of tests, or modules of tests, and what they need"
    sort "$BGRACE_NOT_COVERED" | uniq -c | sort -rn
fi
