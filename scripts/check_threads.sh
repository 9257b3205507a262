#!/bin/sh
# Run the threads of csrc/ under ThreadSanitizer: bgr_loop by itself, every solver on four threads, and one solver that
# eight threads ask.  Needs a C compiler with libtsan.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
flags="-std=c11 -O1 -g -ffp-contract=off -fsanitize=thread -pthread -DBGR_THREADS -Icsrc"
${CC:-cc} $flags tests/c/team.c csrc/base/threads.c csrc/base/lock.c -o "$folder/team"
"$folder/team"
echo "bgr_loop: no race"
${CC:-cc} $flags tests/c/solver_threads.c $(find csrc -name '*.c' ! -path 'csrc/wasm/*') -lm -o "$folder/solvers"
"$folder/solvers"
echo "every solver on four threads: no race"
${CC:-cc} $flags tests/c/answer_threads.c $(find csrc -name '*.c' ! -path 'csrc/wasm/*') -lm -o "$folder/answers"
"$folder/answers"
echo "one solver and one cache, asked by eight threads: no race"
