"""Make GNU Backgammon's bearoff files with its own arithmetic, and compare their MD5 sums with the published ones.

python scripts/check_gnubg_sums.py [--one-sided 9] [--two-sided 9] [--from 1] [--folder FOLDER] [--memory SIZE]

Files are made one after another, up to a number of points one-sided and of checkers on six points two-sided, and
deleted.  The manual has sums of up to 12 points and up to 10 checkers (tests/golden/gnubg_sums.csv); beyond them the
sum is only printed.  13 points take 3.5 GB of disk beside the file itself, 6x11 1.2 GB and as much memory.  The exit
status is 1 if a sum differs.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import resource
import sys
import tempfile
import time
from pathlib import Path

from bgrace.cli.options import bytes_value
from bgrace.interop import gnubg

SUMS = Path(__file__).resolve().parent.parent / "tests" / "golden" / "gnubg_sums.csv"


def published() -> dict[tuple[str, int, int], str]:
    """MD5 by kind, points and checkers."""
    lines = [line for line in SUMS.read_text(encoding="ascii").splitlines() if not line.startswith("#")]
    return {(row["kind"], int(row["points"]), int(row["checkers"])): row["md5"] for row in csv.DictReader(lines)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--one-sided", type=int, default=9, metavar="P", help="maximum points; 9 unless given")
    parser.add_argument("--two-sided", type=int, default=9, metavar="C", help="maximum checkers; 9 unless given")
    parser.add_argument(
        "--from", type=int, default=1, dest="start", metavar="N", help="from so many on; 1 unless given"
    )
    parser.add_argument("--folder", type=Path, help="where the files are made; a temporary folder unless given")
    parser.add_argument("--memory", type=str, help="the most memory to use, such as 4G")
    arguments = parser.parse_args()
    memory = bytes_value(arguments.memory) if arguments.memory else None
    jobs: list[tuple[gnubg.Kind, int, int]] = []
    jobs += [("one-sided", points, 15) for points in range(arguments.start, arguments.one_sided + 1)]
    jobs += [("two-sided", 6, checkers) for checkers in range(arguments.start, arguments.two_sided + 1)]
    sums, wrong = published(), 0
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        path = Path(name, "file.bd")
        for kind, points, checkers in jobs:
            start = time.perf_counter()
            gnubg.generate(path, kind, points, checkers, memory_bytes=memory, force=True)
            seconds = time.perf_counter() - start
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "md5").hexdigest()
            size = path.stat().st_size
            path.unlink()
            expected = sums.get((kind, points, checkers))
            verdict = "no published sum" if expected is None else "as published" if found == expected else "WRONG"
            wrong += verdict == "WRONG"
            memory_used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            print(
                f"{kind}, {points} points, {checkers} checkers: {found} {verdict}; {size:,} bytes in {seconds:.2f} s, "
                f"{memory_used} MB at most so far",
                flush=True,
            )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
