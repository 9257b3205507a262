"""Reading GNU Backgammon's bearoff files: mapped, and decoded where they are copied."""

from __future__ import annotations

import mmap
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, Integers
from bgrace._base.files import checked_path, opened
from bgrace._kernels.one_sided import GNUBG_WIDTH
from bgrace.board.spaces import PositionSpace, space_of
from bgrace.errors import ArgumentError, FormatError
from bgrace.tables import Plane

Kind: TypeAlias = Literal["one-sided", "two-sided"]

MAGIC: Final = b"gnubg-"
WIDTH: Final = GNUBG_WIDTH
HEADER_BYTES: Final = 40
WHOLE: Final = 65535
"""The sum of the chances of a one-sided row."""
EQUITY_UNITS: Final = 32767.5
"""Equity is u / EQUITY_UNITS - 1."""
CHECKERS: Final = 15
"""GNU Backgammon takes every one-sided file to be for this many."""
MAX_POINTS: Final = 13
"""Most points of a one-sided file that its generator makes."""
_OFFSET_LIMIT: Final = 1 << 32  # the program's places in a file have 32 bits

_HEAD: Final = re.compile(rb"gnubg-(?:(OS)|TS)-(\d\d)-(\d\d)-([01])(?(1)-([01])-([01]))")


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a file: its first 40 bytes.

    Attributes
    ----------
    kind : str
        ``"one-sided"`` or ``"two-sided"``.
    points, checkers : int
    gammons, compressed : bool
        One-sided: whether there are chances of the first of 15 checkers; whether rows are stored without the zeros at
        their ends.
    """

    kind: Kind
    points: int
    checkers: int
    gammons: bool = True
    compressed: bool = True

    @property
    def space(self) -> PositionSpace:
        """The positions, numbered as they are in the file."""
        return space_of(self.points, self.checkers)

    @property
    def n_positions(self) -> int:
        """How many there are."""
        return len(self.space)

    @property
    def entry(self) -> np.dtype[np.void]:
        """A position's entry in the index of a compressed file.

        Where its values begin, in 16-bit units; then, for the last and the first checker, how many there are and the
        number of rolls of the first of them.
        """
        return np.dtype([("begin", "<u4"), ("spans", "u1", (1 + self.gammons, 2))])

    @property
    def body_bytes(self) -> int:
        """Bytes after the header; of a compressed file those of its index."""
        n = self.n_positions
        if self.kind == "two-sided":
            return 2 * len(Plane) * n * n
        return n * (self.entry.itemsize if self.compressed else 2 * WIDTH * (1 + self.gammons))

    def pack(self) -> bytes:
        """The 40 bytes."""
        if self.kind == "two-sided":
            text = f"gnubg-TS-{self.points:02}-{self.checkers:02}-1"
        else:
            text = f"gnubg-OS-{self.points:02}-{self.checkers:02}-{self.gammons:d}-{self.compressed:d}-0"
        return text.ljust(HEADER_BYTES - 1, "x").encode("ascii") + b"\n"

    @classmethod
    def unpack(cls, block: bytes, path: str) -> Header:
        """Read the first 40 bytes of a file.

        Raises
        ------
        FormatError
            If they are not those of a file that GNU Backgammon makes; it names `path`.
        ArgumentError
            If the file has normal distributions, or no cubeful equities.
        """
        match = _HEAD.match(block)
        if len(block) < HEADER_BYTES or match is None:
            raise FormatError(
                f"{path} is not a bearoff file of GNU Backgammon: "
                "it does not begin with gnubg-OS- or gnubg-TS- and its size"
            )
        points, checkers = int(match[2]), int(match[3])
        if not (1 <= points <= 24 and 1 <= checkers <= 15):
            raise FormatError(
                f"{path} is damaged: it would be for {checkers} checkers on {points} points; 1 to 15 on 1 to 24 can be"
            )
        first, compressed, normal = (flag == b"1" for flag in match.group(4, 5, 6))
        if match[1] is None:
            if not first:
                raise ArgumentError(
                    f"{path} has no cubeful equities, which a database needs: make the file without --no-cubeful"
                )
            return cls("two-sided", points, checkers)
        if normal:
            raise ArgumentError(
                f"{path} has means and standard deviations, and a database needs distributions: "
                "make the file without --normal-dist"
            )
        return cls("one-sided", points, checkers, first, compressed)

    def check_readable(self, n_bytes: int) -> None:
        """Raise ArgumentError if GNU Backgammon would not read such a file of `n_bytes` bytes rightly."""
        if n_bytes >= _OFFSET_LIMIT:
            raise ArgumentError(
                f"a {self.kind} file for {self.checkers} checkers on {self.points} points has {n_bytes:,} bytes: GNU "
                f"Backgammon reads a file wrongly from {_OFFSET_LIMIT:,} bytes on, without saying so; ask for "
                + ("fewer checkers (12 on six points)" if self.kind == "two-sided" else "fewer points, or compress it")
            )
        if self.kind == "one-sided" and (self.checkers != CHECKERS or self.points > MAX_POINTS):
            raise ArgumentError(
                f"a one-sided file for {self.checkers} checkers on {self.points} points: GNU Backgammon takes them to "
                f"be for {CHECKERS} checkers, on at most {MAX_POINTS} points"
            )
        if self.kind == "two-sided" and self.checkers >= CHECKERS:
            raise ArgumentError(
                f"a two-sided file for {self.checkers} checkers: gammons matter to them, and GNU Backgammon takes "
                f"two-sided files to know none; ask for at most {CHECKERS - 1}"
            )


_ROLLS: Final = np.arange(WIDTH)


class BearoffFile:
    """A bearoff file of GNU Backgammon: distributions of positions, or equities of pairs.

    A record that can't be right is a FormatError.

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
            self._values = data.view("<u2").reshape(n, n, len(Plane))
            if not (self._values[0] == WHOLE).all():
                raise FormatError(f"{self.path} is damaged: a player without checkers on roll would not have won")
        elif header.compressed:
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
        else:
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
    with opened(path, "a bearoff file of GNU Backgammon", "give one") as raw:
        header = Header.unpack(raw.read(HEADER_BYTES), str(path))
        n_bytes = raw.seek(0, os.SEEK_END) - HEADER_BYTES
        has_index = header.kind == "one-sided" and header.compressed  # which is followed by as many values as it says
        if n_bytes < header.body_bytes or (n_bytes > header.body_bytes and not has_index):
            raise FormatError(
                f"{path} is damaged: a {header.kind} file for {header.checkers} checkers on {header.points} points has "
                f"{'at least ' * has_index}{HEADER_BYTES + header.body_bytes:,} bytes, "
                f"this has {HEADER_BYTES + n_bytes:,}; make or fetch it again"
            )
        view = mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ)
    return header, np.frombuffer(view, dtype=np.uint8, offset=HEADER_BYTES)
