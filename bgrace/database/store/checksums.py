"""CRC-32 of parts of a file."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

__all__ = ["crc32_of_range", "crc32_outside", "fold_checksum"]

_PIECE: Final = 1 << 22
_WORDS: Final = 256  # eight bytes each, that are added up before a CRC sees them
_WEIGHTS: Final = np.arange(1, _WORDS + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) | np.uint64(1)


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


def fold_checksum(part: npt.NDArray[Any], checksum: int) -> int:
    """Go on with a checksum of parts of tables, in memory; several times as fast as a CRC of all bytes.

    Every 2048 bytes are added up as 64-bit words with odd weights, so that no change of a single word goes unseen, and
    the CRC is that of the sums.  No file keeps it but an unfinished one.

    Parameters
    ----------
    part : ndarray
    checksum : int
        0, or that of the parts before.

    Returns
    -------
    int
    """
    rows = max(1, _PIECE // max(1, part.nbytes // max(1, len(part))))
    for start in range(0, len(part), rows):
        data = np.ascontiguousarray(part[start : start + rows]).reshape(-1).view(np.uint8)
        whole = data.size // (8 * _WORDS) * (8 * _WORDS)
        sums = data[:whole].view(np.uint64).reshape(-1, _WORDS) @ _WEIGHTS
        checksum = zlib.crc32(data[whole:].data, zlib.crc32(sums.data, checksum))
    return checksum
