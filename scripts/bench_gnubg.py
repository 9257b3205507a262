"""GNU Backgammon's own files, made by makebearoff and by bgrace, in one run: medians, spreads, ratios, and equal bytes.

python scripts/bench_gnubg.py [--repeats 3] [--quick] [--json]

Both programs take turns within each repeat, so that whatever else the machine does hits both.  Times are wall-clock
times of whole processes, from start to finished file; makebearoff works on one core, bgrace on as many as there are.
The files of each repeat are compared byte for byte.
"""

from __future__ import annotations

import filecmp
import json
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Final

from makebearoff import cell, parse_arguments, process
from timing import load, seconds, spread

SIZES: Final = {
    "two-sided, 6x6": (["-t", "6x6"], ["--table", "two-sided", "--checkers", "6"]),
    "one-sided, 6 points": (["-o", "6"], ["--table", "one-sided"]),
    "two-sided, 6x7": (["-t", "6x7"], ["--table", "two-sided", "--checkers", "7"]),
    "one-sided, 8 points": (["-o", "8"], ["--table", "one-sided", "--points", "8"]),
}
"""Name: options of makebearoff, and of bgrace export --exact."""


def run(makebearoff: str, sizes: list[str], repeats: int) -> list[dict[str, Any]]:
    """Time both programs for each size."""
    taken: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in sizes}
    with tempfile.TemporaryDirectory() as name:
        ours, theirs = Path(name, "ours.bd"), Path(name, "theirs.bd")
        for repeat in range(repeats):
            for size in sizes:
                print(f"repeat {repeat + 1} of {repeats}: {size}", file=sys.stderr)
                their_options, our_options = SIZES[size]
                export = [sys.executable, "-m", "bgrace", "export", "--exact", "--force", *our_options, str(ours)]
                taken[size][0].append(seconds(partial(process, *export)))
                taken[size][1].append(seconds(partial(process, makebearoff, *their_options, "-f", theirs)))
                if not filecmp.cmp(ours, theirs, shallow=False):
                    raise SystemExit(f"{size}: the files differ")
    return [
        {
            "what": size,
            "bgrace": spread(ours_taken),
            "makebearoff": spread(theirs_taken),
            "ratio": statistics.median(theirs_taken) / statistics.median(ours_taken),
        }
        for size, (ours_taken, theirs_taken) in taken.items()
    ]


def show(results: list[dict[str, Any]]) -> None:
    """Print the table, as Markdown has it."""
    print(f"load: {load()}\n")
    print(
        f"| {'equal files':19} | {'bgrace export --exact':27} | {'makebearoff':29} | {'ratio':>5} |\n|---|---|---|---|"
    )
    for row in results:
        print(f"| {row['what']:19} | {cell(row['bgrace']):27} | {cell(row['makebearoff']):29} | {row['ratio']:5.0f} |")


def main() -> int:
    arguments = parse_arguments(__doc__, 3)
    results = run(arguments.makebearoff, list(SIZES)[: 2 if arguments.quick else None], arguments.repeats)
    if arguments.json:
        print(json.dumps(results, indent=2))
    else:
        show(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
