#!/bin/sh
# Open and ask damaged databases, with sanitizers: fuzz_c.sh [ROUNDS [SEED [SECONDS]]], 100,000 rounds unless told
# otherwise; tests/c/probe_fuzz.c says what has to hold.  Then libFuzzer, where there is clang with it, for as many
# SECONDS, 60 unless told otherwise, shared among its targets (tests/fuzz): files of every kind, packed ones among them
# (open), blocks of packed tables (blocks), position IDs (ids), and any stakes, options and positions to be solved
# (stakes).  scripts/attack.py tries what is read in Python.
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
    echo "libFuzzer: left out, it needs clang and its runtime (the Debian packages clang and libclang-rt-14-dev)"
    exit 0
fi
# Comparisons are not followed: in a solver that takes most of the time.
clang $flags -O2 -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp -c "$source" -o "$folder/bgrace.o"
total=0 told=
for target in open ids stakes blocks; do
    parts="$folder/bgrace.o"
    if [ "$target" = blocks ]; then # which engines do not have: packing is Python's
        flags="-std=c11 -g -O1 $sanitizers -Icsrc"
        parts="csrc/pack/blocks.c csrc/pack/products.c csrc/probe/block.c csrc/base/crc32.c csrc/base/path.c csrc/base/threads.c csrc/base/lock.c"
    fi
    clang $flags -fsanitize=fuzzer "tests/fuzz/$target.c" $parts -lm -o "$folder/$target"
    mkdir "$folder/found"
    corpus="tests/fuzz/corpus/$target"
    [ "$target" != open ] || corpus="$folder/files"
    echo "libFuzzer: $target"
    length=100000
    [ "$target" != stakes ] || length=200 # it reads no more
    "$folder/$target" -seed="$seed" -max_total_time=$((seconds / 4)) -max_len=$length -timeout=20 -rss_limit_mb=4096 \
        -artifact_prefix="$PWD/" -print_final_stats=1 "$folder/found" "$corpus" 2>"$folder/log" || {
        cat "$folder/log"
        exit 1
    }
    grep -E 'DONE' "$folder/log"
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/log")
    total=$((total + runs)) told="$told, $target $runs"
    echo "runs: $runs"
    rm -rf "$folder/found"
done
echo "runs of all targets: $total (${told#, }), without a finding"
