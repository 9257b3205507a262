"""Make a sparse file with the directory, the ranks and the size of the whole bearoff, 24 GB, and a few pairs.

Almost all of it is a hole that takes no disk space; tests open it and ask it like the real file.
"""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np

import bgrace
from bgrace.database.store.format import Directory, Entry


def sparse_file(path: Path) -> dict[tuple[int, int], int]:
    """Make the file, and return its values in steps, by pair of indices."""
    space = bgrace.PositionSpace(6, 15)
    n = len(space)
    shapes: dict[str, tuple[str, tuple[int, ...]]] = {
        "one_sided/mean_rolls": ("<f8", (n,)),
        "one_sided/variance_rolls": ("<f8", (n,)),
        "one_sided/epc": ("<f8", (n,)),
        "one_sided/roll_distribution": ("<f8", (n, 40)),
        "two_sided/order": ("<i4", (n,)),
        "two_sided/equities": ("<i2", (n, n, 4)),
        "gammon/columns": ("<i4", (n - len(bgrace.PositionSpace(6, 14)),)),
        "gammon/winning_starts": ("<i8", (n + 1,)),
        "gammon/winning": ("<i2", (0, 2)),
        "gammon/losing_starts": ("<i8", (n + 1,)),
        "gammon/losing": ("<i2", (0, 2)),
    }
    offset, entries = 1 << 20, []
    for name, (dtype, shape) in shapes.items():
        n_bytes = int(np.prod(shape, dtype=object)) * int(dtype[-1])
        entries.append(Entry(name, dtype, shape, offset, n_bytes, 16380.0 if dtype == "<i2" else 1.0, 0))
        offset += -(-n_bytes // 4096) * 4096
    directory = Directory(
        file_size=offset,
        points=6,
        checkers=15,
        two_sided_checkers=15,
        gammons=True,
        metadata_crc32=0,
        entries=tuple(entries),
    )
    pips = space.position(np.arange(n)) @ np.arange(1, 7)
    order = np.argsort(pips, kind="stable")
    rank = np.argsort(order)
    rng = random.Random(24)
    pairs = {(rng.randrange(1, n), rng.randrange(1, n)): rng.randrange(-16380, 16380) for _ in range(40)}
    pairs[int(order[-1]), int(order[-1])] = 12345
    with path.open("wb") as file:
        file.write(directory.pack())
        file.truncate(offset)
        file.seek(entries[4].offset)
        file.write(order.astype("<i4").tobytes())
        for (i, j), steps in pairs.items():
            file.seek(entries[5].offset + 8 * (int(rank[i]) * n + int(rank[j])))
            file.write(struct.pack("<4h", steps, -steps, steps // 2, -steps // 2))
    assert offset > 23e9
    return pairs
