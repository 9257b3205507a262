"""GNU Backgammon's own files, made by makebearoff and by bgrace, in one run: medians, spreads, ratios, and equal bytes.

python scripts/bench_gnubg.py [--repeats 3] [--quick] [--json]

Both programs take turns within each repeat, so that whatever else the machine does hits both.  Times are wall-clock
times of whole processes, from start to finished file; makebearoff works on one core, bgrace on as many as there are.
The files of each repeat are compared byte for byte.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

SIZES: Final = {
    "two-sided, 6x6": (["-t", "6x6"], ["--table", "two-sided", "--checkers", "6"]),
    "one-sided, 6 points": (["-o", "6"], ["--table", "one-sided"]),
    "two-sided, 6x7": (["-t", "6x7"], ["--table", "two-sided", "--checkers", "7"]),
    "one-sided, 8 points": (["-o", "8"], ["--table", "one-sided", "--points", "8"]),
}
"""Name: options of makebearoff, and of bgrace export --exact."""


def seconds(command: list[str]) -> float:
    """Wall-clock time of a process that works in silence."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def spread(times: list[float]) -> dict[str, float]:
    """Median and extremes."""
    return {"median": statistics.median(times), "least": min(times), "greatest": max(times)}


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
                taken[size][0].append(seconds(export))
                taken[size][1].append(seconds([makebearoff, *their_options, "-f", str(theirs)]))
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

    def cell(times: dict[str, float]) -> str:
        return f"{times['median']:.3f} s ({times['least']:.3f} to {times['greatest']:.3f})"

    print(f"load: {' '.join(f'{load:.1f}' for load in os.getloadavg())} (1, 5, 15 minutes, at the end)\n")
    print(
        f"| {'equal files':19} | {'bgrace export --exact':27} | {'makebearoff':29} | {'ratio':>5} |\n|---|---|---|---|"
    )
    for row in results:
        print(f"| {row['what']:19} | {cell(row['bgrace']):27} | {cell(row['makebearoff']):29} | {row['ratio']:5.0f} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3, help="how often everything is run; 3 unless given")
    parser.add_argument("--quick", action="store_true", help="leave out 8 points and 6x7, which take minutes")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    if arguments.repeats < 1:
        parser.error(f"--repeats {arguments.repeats}: give 1 or more")
    makebearoff = shutil.which("makebearoff") or shutil.which("makebearoff", path="/usr/games")
    if makebearoff is None:
        print("makebearoff is not installed: apt-get install gnubg (Debian, Ubuntu)", file=sys.stderr)
        return 1
    results = run(makebearoff, list(SIZES)[: 2 if arguments.quick else None], arguments.repeats)
    if arguments.json:
        print(json.dumps(results, indent=2))
    else:
        show(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
