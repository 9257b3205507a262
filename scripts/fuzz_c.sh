#!/bin/sh
# Fuzz the C library with sanitizers: fuzz_c.sh [ROUNDS [SEED [SECONDS]]].
#
# First tests/c/probe_fuzz.c opens ROUNDS damaged databases, 100,000 unless given.  Then, if clang has libFuzzer, the
# targets of tests/fuzz share the SECONDS, 60 unless given: database files of every kind (open), blocks of packed tables
# (blocks), position IDs (ids), and races with any stakes and options (stakes).  scripts/attack.py tries the readers in
# Python.
LOCK=develop.txt
cd "$(dirname "$0")/.."
. scripts/environment.sh
rounds=${1:-100000}
seed=${2:-$(date +%s)}
seconds=${3:-60}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python - "$folder" <<'PYTHON'
import sys
from pathlib import Path
import bgrace
sys.path.insert(0, "scripts")
sys.path.insert(0, "tests")
import attack
folder = Path(sys.argv[1])
for name, (points, checkers, two_sided) in {"home": (6, 5, 3), "long": (8, 4, 0), "gammons": (2, 15, 15)}.items():
    bgrace.build(folder / f"{name}.h5", points, checkers, two_sided)
(folder / "files").mkdir()
attack.databases(folder / "files")
PYTHON
folder_of_headers=$(python -m bgrace.embed --includedir)
source=$(python -m bgrace.embed --sources | tr ' ' '\n' | grep 'bgrace[.]c$')
sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=all"
if [ "$rounds" -gt 0 ]; then
    ${CC:-cc} -std=c11 -g -O1 $sanitizers -I"$folder_of_headers" tests/c/probe_fuzz.c "$source" -lm -o "$folder/fuzz"
    echo "seed $seed"
    for name in home long gammons; do
        printf '%s: ' "$name"
        "$folder/fuzz" "$folder/$name.h5" $((rounds / 3 + 1)) "$seed"
    done
fi
[ "$seconds" -gt 0 ] || exit 0
flags="-std=c11 -g -O1 $sanitizers -I$folder_of_headers"
echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p && n > 9; }' >"$folder/try.c"
if ! clang -fsanitize=fuzzer "$folder/try.c" -o "$folder/try" 2>/dev/null; then
    echo "libFuzzer: left out; it needs clang and its runtime, the Debian packages clang and libclang-rt-14-dev"
    exit 0
fi
# Without tracing of comparisons, which would take most of the time in a solver.
clang $flags -O2 -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp -c "$source" -o "$folder/bgrace.o"
total=0 runs_of_each=
for target in open ids stakes blocks; do
    parts="$folder/bgrace.o"
    if [ "$target" = blocks ]; then # packing is not in the library of engines
        flags="-std=c11 -g -O1 $sanitizers -Icsrc"
        parts="csrc/pack/blocks.c csrc/pack/products.c csrc/probe/block.c csrc/base/crc32.c csrc/base/path.c csrc/base/threads.c csrc/base/lock.c"
    fi
    clang $flags -fsanitize=fuzzer "tests/fuzz/$target.c" $parts -lm -o "$folder/$target"
    mkdir "$folder/found"
    corpus="tests/fuzz/corpus/$target"
    [ "$target" != open ] || corpus="$folder/files"
    echo "libFuzzer: $target"
    length=100000
    [ "$target" != stakes ] || length=200 # the target reads at most 200 bytes
    "$folder/$target" -seed="$seed" -max_total_time=$((seconds / 4)) -max_len=$length -timeout=20 -rss_limit_mb=4096 \
        -artifact_prefix="$PWD/" -print_final_stats=1 "$folder/found" "$corpus" 2>"$folder/log" || {
        cat "$folder/log"
        exit 1
    }
    grep -E 'DONE' "$folder/log"
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/log")
    total=$((total + runs)) runs_of_each="$runs_of_each, $target $runs"
    echo "runs: $runs"
    rm -rf "$folder/found"
done
echo "runs of all targets: $total (${runs_of_each#, }), no failure"
