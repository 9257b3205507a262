#!/bin/sh
# Open and ask damaged databases, with sanitizers: fuzz_probe.sh [ROUNDS [SEED]], 100,000 rounds unless told otherwise.
# tests/c/probe_fuzz.c says what has to hold.
EXTRAS="test"
. "$(dirname "$0")/environment.sh"
rounds=${1:-100000}
seed=${2:-$(date +%s)}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python - "$folder" <<'PYTHON'
import sys
import bgrace
for name, (points, checkers, two_sided) in {"home": (6, 5, 3), "long": (8, 4, 0), "gammons": (2, 15, 15)}.items():
    bgrace.build(f"{sys.argv[1]}/{name}.h5", points, checkers, two_sided)
PYTHON
set -- $(python -m bgrace.embed --sources)
${CC:-cc} -std=c11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -I"$(dirname "$1")" \
    tests/c/probe_fuzz.c "$2" -o "$folder/fuzz"
echo "seed $seed"
for name in home long gammons; do
    printf '%s: ' "$name"
    "$folder/fuzz" "$folder/$name.h5" $((rounds / 3 + 1)) "$seed" "$folder/scratch.h5"
done
