#!/bin/sh
# Build the documentation site in build/site, with warnings as errors, and check it.
#
#   sh scripts/site.sh [serve]     serve: show it in a browser instead, and build it again when a page changes
#
# BGRACE_ENVIRONMENT=active uses the active environment as it is.
LOCK=develop.txt
. "$(dirname "$0")/environment.sh"
export NO_MKDOCS_2_WARNING=1 # the theme would warn of a version that is not installed
PYTHONPATH="$PWD/scripts${PYTHONPATH:+:$PYTHONPATH}"
export PYTHONPATH
case "${1:-build}" in
serve) exec mkdocs serve ;;
build)
    mkdocs build --quiet --strict --clean
    python scripts/check_site.py build/site
    ;;
*)
    echo "usage: sh scripts/site.sh [serve]" >&2
    exit 2
    ;;
esac
