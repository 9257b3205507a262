"""Reading GNU Backgammon's bearoff files: mapped, and decoded where they are copied."""

from __future__ import annotations

import mmap
import os
import stat
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, Integers
from bgrace._base.files import checked_path
from bgrace._kernels.gnubg import WIDTH
from bgrace.errors import FormatError
from bgrace.interop.gnubg.layout import EQUITY_UNITS, HEADER_BYTES, PLANES_STORED, WHOLE, Header

_ROLLS: Final = np.arange(WIDTH)


class BearoffFile:
    """A bearoff file of GNU Backgammon: distributions of positions, or equities of pairs.

    A record that can't be right is a FormatError.  Files of normal distributions have neither.

    Attributes
    ----------
    path : Path
    header : Header
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: Path = checked_path(path)
        self.header, data = _map_body(self.path)
        header, end = self.header, self.header.body_bytes
        if header.kind == "two-sided":
            n = len(header.space)
            self._values = data.view("<u2").reshape(n, n, PLANES_STORED[header.cubeful])
            if not (self._values[0] == WHOLE).all():
                raise FormatError(f"{self.path} is damaged: a player without checkers on roll would not have won")
        elif header.compressed and not header.normal:
            self._entries = data[:end].view(header.entry)
            if (len(data) - end) % 2:
                raise FormatError(f"{self.path} is damaged: its last value is half a value")
            self._values = data[end:].view("<u2")
            last = int(self._entries["begin"][-1]) + int(self._entries["spans"][-1, :, 0].sum())
            if last != len(self._values):
                raise FormatError(
                    f"{self.path} is damaged: its last position ends at value {last:,} of {len(self._values):,}; "
                    "make or fetch it again"
                )
        elif not header.normal:
            self._values = data.view("<u2").reshape(-1, 1 + header.gammons, WIDTH)

    def chances(self, index: Integers, *, first_checker: bool = False) -> Floats:
        """Chances of being off in exactly 0 to 31 rolls, shape (n, 32), or of the first of 15 checkers being so."""
        parts = self._spans(index, first_checker) if self.header.compressed else self._values[index, int(first_checker)]
        sums = parts.sum(axis=1, dtype=np.int64)
        if (sums != WHOLE).any():
            wrong = int((sums != WHOLE).argmax())
            raise FormatError(
                f"{self.path} is damaged: the chances of position {index[wrong]} sum to {sums[wrong]} parts of "
                f"{WHOLE}; make or fetch it again"
            )
        return parts / WHOLE

    def _spans(self, index: Integers, first_checker: bool) -> npt.NDArray[np.uint16]:
        entries, which = self._entries[index], int(first_checker)
        begin, spans = entries["begin"].astype(np.int64), entries["spans"].astype(np.int64)
        begin += spans[:, :which, 0].sum(axis=1)
        count, first = spans[:, which, 0], spans[:, which, 1]
        wrong = (count == 0) | (first + count > WIDTH) | (begin + count > len(self._values))
        if wrong.any():
            raise FormatError(
                f"{self.path} is damaged: position {index[wrong.argmax()]} would lie outside the file, or its rolls "
                f"outside 0 .. {WIDTH - 1}; make or fetch it again"
            )
        place = _ROLLS - first[:, np.newaxis]
        stored = (place >= 0) & (place < count[:, np.newaxis])
        values = self._values[np.where(stored, begin[:, np.newaxis] + place, 0)]
        return np.where(stored, values, np.uint16(0))

    def pair_values(self, index: int) -> Floats:
        """Equities of rolling now of one position against every opponent, (n, 4), as `Plane` orders them."""
        equities: Floats = self._values[index] / EQUITY_UNITS - 1
        return equities


def _map_body(path: Path) -> tuple[Header, npt.NDArray[np.uint8]]:
    """Header, and what comes after it, which has the length that the header asks for."""
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # opening a pipe would wait for somebody to write
        raise FormatError(f"{path} is not an ordinary file: give a bearoff file of GNU Backgammon")
    with path.open("rb") as raw:
        header = Header.unpack(raw.read(HEADER_BYTES), str(path))
        n_bytes = raw.seek(0, os.SEEK_END) - HEADER_BYTES
        if n_bytes < header.body_bytes or (n_bytes > header.body_bytes and not header.has_index):
            raise FormatError(
                f"{path} is damaged: a {header.kind} file for {header.checkers} checkers on {header.points} points has "
                f"{'at least ' * header.has_index}{HEADER_BYTES + header.body_bytes:,} bytes, "
                f"this has {HEADER_BYTES + n_bytes:,}; make or fetch it again"
            )
        view = mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ)
    return header, np.frombuffer(view, dtype=np.uint8, offset=HEADER_BYTES)
