"""CRC-32 of parts of a file."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import BinaryIO, Final

_PIECE: Final = 1 << 22


def crc32_of_range(file: BinaryIO, start: int, stop: int, crc: int = 0) -> int:
    """CRC-32 of the bytes `start` .. `stop` - 1, going on from `crc`; shorter at the end of the file."""
    file.seek(start)
    while start < stop:
        piece = file.read(min(_PIECE, stop - start))
        if not piece:
            break
        crc = zlib.crc32(piece, crc)
        start += len(piece)
    return crc


def crc32_outside(file: BinaryIO, start: int, stop: int, ranges: Iterable[tuple[int, int]]) -> int:
    """CRC-32 of the bytes from `start` to `stop` that are outside all of the ranges (first, past the last)."""
    crc = 0
    for first, past in sorted(ranges):
        crc = crc32_of_range(file, start, max(start, min(first, stop)), crc)
        start = max(start, past)
    return crc32_of_range(file, start, stop, crc)
