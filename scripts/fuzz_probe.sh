#!/bin/sh
# Open and ask damaged databases, with sanitizers: fuzz_probe.sh [ROUNDS [SEED [SECONDS]]], 100,000 rounds unless told
# otherwise; tests/c/probe_fuzz.c says what has to hold.  Then libFuzzer, where there is clang with it, for as many
# SECONDS, 60 unless told otherwise: files, position IDs and stakes (tests/fuzz), each for a third of them.
LOCK=develop.txt
. "$(dirname "$0")/environment.sh"
rounds=${1:-100000}
seed=${2:-$(date +%s)}
seconds=${3:-60}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python - "$folder" <<'PYTHON'
import sys
import bgrace
for name, (points, checkers, two_sided) in {"home": (6, 5, 3), "long": (8, 4, 0), "gammons": (2, 15, 15)}.items():
    bgrace.build(f"{sys.argv[1]}/{name}.h5", points, checkers, two_sided)
PYTHON
set -- $(python -m bgrace.embed --sources)
header=$1 source=$2
sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=all"
if [ "$rounds" -gt 0 ]; then
    ${CC:-cc} -std=c11 -g -O1 $sanitizers -I"$(dirname "$header")" tests/c/probe_fuzz.c "$source" -lm -o "$folder/fuzz"
    echo "seed $seed"
    for name in home long gammons; do
        printf '%s: ' "$name"
        "$folder/fuzz" "$folder/$name.h5" $((rounds / 3 + 1)) "$seed" "$folder/scratch.h5"
    done
fi
[ "$seconds" -gt 0 ] || exit 0
flags="-std=c11 -g -O1 $sanitizers -I$(dirname "$header")"
echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p && n > 9; }' >"$folder/try.c"
if ! clang -fsanitize=fuzzer "$folder/try.c" -o "$folder/try" 2>/dev/null; then
    echo "libFuzzer: left out, it needs clang and its runtime (the Debian packages clang and libclang-rt-14-dev)"
    exit 0
fi
clang $flags -fsanitize=fuzzer-no-link -c "$source" -o "$folder/bgrace.o"
for target in open ids stakes; do
    clang $flags -fsanitize=fuzzer "tests/fuzz/$target.c" "$folder/bgrace.o" -lm -o "$folder/$target"
    mkdir "$folder/found"
    corpus="tests/fuzz/corpus/$target"
    if [ "$target" = open ]; then
        corpus="$folder/files"
        mkdir "$corpus"
        cp "$folder"/*.h5 "$corpus"
    fi
    echo "libFuzzer: $target"
    "$folder/$target" -seed="$seed" -max_total_time=$((seconds / 3)) -max_len=100000 -timeout=20 -rss_limit_mb=4096 \
        -artifact_prefix="$PWD/" -print_final_stats=1 "$folder/found" "$corpus" 2>"$folder/log" || {
        cat "$folder/log"
        exit 1
    }
    grep -E 'number_of_executed_units|DONE' "$folder/log"
    rm -rf "$folder/found"
done
