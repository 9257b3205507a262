"""Compare what stands in for winning alone and for the Jacoby rule with tables of their own, over every pair of a file.

    python scripts/check_gammon_lists.py FILE [--scratch DIRECTORY] [--memory GIB]

A file with gammons keeps values in which gammons count once only for the pairs in which a gammon is likely enough; for
all others its planes with gammons stand in.  Here the same positions are solved a second time, with gammons counting
once in those two planes of every pair, into a scratch file as large as the table: 23.6 GB for 15 checkers a side, in
the time of a build.  Printed are, for each plane, how many values of either kind differ and by how many steps.
"""

from __future__ import annotations

import argparse
import math
import mmap
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np
import numpy.typing as npt

import bgrace
import bgrace._kernels.two_sided as kernel
from bgrace._base.files import claim
from bgrace._base.threads import how_many
from bgrace.tables.gammons import GAMMON_CHECKERS, SINGLE_PLANES, GammonPairs
from bgrace.tables.two_sided import PLANES, scale_for

MASK = sum(1 << PLANES.index(name) for name in SINGLE_PLANES)
COLUMNS = [PLANES.index(name) for name in SINGLE_PLANES]
FAR = 20
"""Differences of this many steps and more are counted together."""

ROWS = 16


def solve_single(space: bgrace.PositionSpace, memory: int, path: Path) -> npt.NDArray[np.int16]:
    """All pairs, in a mapped scratch file, with gammons counting once in the two planes."""
    n, threads = len(space), how_many()
    shape = (n, n, len(PLANES))
    with path.open("w+b") as raw:
        claim(raw.fileno(), 0, 2 * math.prod(shape))
        mapped = mmap.mmap(raw.fileno(), 0)
    mapped.madvise(mmap.MADV_RANDOM)
    table = np.frombuffer(mapped, np.int16).reshape(shape)
    graph = kernel.Graph(space.kernel, np.arange(n), threads)
    kernel.solve(
        graph,
        None,
        table,
        None,
        scale_for(space),
        gammon_checkers=GAMMON_CHECKERS,
        single_planes=MASK,
        memory_bytes=memory,
        n_threads=threads,
        progress=lambda level, done, total: mapped.madvise(mmap.MADV_DONTNEED),
    )
    mapped.madvise(mmap.MADV_SEQUENTIAL)
    return table


def compare(path: Path, memory: int, scratch: Path) -> npt.NDArray[np.int64]:
    """How many pairs differ by how many steps: listed or not, plane of SINGLE_PLANES, steps."""
    counts = np.zeros((2, len(SINGLE_PLANES), FAR + 1), dtype=np.int64)
    with bgrace.open(path) as db:
        space = db.space
        if db.two_sided_checkers < GAMMON_CHECKERS:
            raise SystemExit(f"{path} is for {db.two_sided_checkers} checkers a side: give one for {GAMMON_CHECKERS}")
    with h5py.File(path) as file, tempfile.TemporaryDirectory(dir=scratch) as folder:
        start = time.perf_counter()
        single = solve_single(space, memory, Path(folder) / "single")
        print(f"second table solved in {time.perf_counter() - start:.0f} s", file=sys.stderr)
        stored, lists = file["two_sided/equities"], file["gammon"]
        pairs = GammonPairs.from_columns(
            lists["columns"][:], lists["winning_starts"][:], lists["losing_starts"][:], file["two_sided/order"][:]
        )
        winning, losing = lists["winning"][:], lists["losing"][:]
        opponents = np.arange(1, len(space))
        for first in range(1, len(space), ROWS):
            rows = np.arange(first, min(first + ROWS, len(space)))
            standing_in = stored[first : first + ROWS, 1:][..., COLUMNS]
            on_roll, opponent = np.broadcast_arrays(rows[:, np.newaxis], opponents)
            in_winning, in_losing = pairs.places(on_roll, opponent)
            listed = (in_winning >= 0) | (in_losing >= 0)
            found = standing_in.astype(np.int32)
            found[in_winning >= 0] = winning[in_winning[in_winning >= 0]]
            found[in_losing >= 0] = losing[in_losing[in_losing >= 0]]
            steps = np.minimum(np.abs(found - single[first : first + ROWS, 1:][..., COLUMNS]), FAR)
            for plane in range(len(SINGLE_PLANES)):
                for kind in range(2):
                    counts[kind, plane] += np.bincount(steps[listed == bool(kind), plane], minlength=FAR + 1)
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="a database for 15 checkers a side")
    parser.add_argument("--scratch", type=Path, default=Path(), help="where the scratch file goes; here unless given")
    parser.add_argument("--memory", type=float, default=12, help="GiB of working set; 12 unless given")
    arguments = parser.parse_args()
    counts = compare(arguments.file, int(arguments.memory * 2**30), arguments.scratch)
    print("| pairs | plane | how many | equal | one step | two | more | greatest |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for kind, label in enumerate(("others", "listed")):
        for plane, name in enumerate(SINGLE_PLANES):
            row = counts[kind, plane]
            greatest = int(np.flatnonzero(row).max(initial=0))
            print(
                f"| {label} | {name} | {row.sum():,} | {row[0]:,} | {row[1]:,} | {row[2]:,} | {row[3:].sum():,} "
                f"| {greatest}{' or more' if greatest == FAR else ''} |"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
