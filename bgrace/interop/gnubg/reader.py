"""Reading GNU Backgammon's bearoff files: mapped, and decoded where a question falls."""

from __future__ import annotations

import mmap
import os
import stat
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Integers, Rows
from bgrace._base.files import checked_path
from bgrace.board.dice import MEAN_PIPS
from bgrace.database.money import BearoffTables
from bgrace.errors import CoverageError, FormatError
from bgrace.interop.gnubg.layout import EQUITY_UNITS, HEADER_BYTES, PLANES_STORED, WHOLE, WIDTH, Header
from bgrace.tables.one_sided import n_fewer_checkers

__all__ = ["GnubgFile", "open"]

_ROLLS: Final = np.arange(WIDTH)
_ROWS_AT_A_TIME: Final = 1 << 14
_LAST, _FIRST = 0, 1
"""Which of a position's distributions: that of the last checker or that of the first of 15."""


def open(path: str | os.PathLike[str]) -> GnubgFile:
    """Open a bearoff file of GNU Backgammon, of any kind and size.

    Parameters
    ----------
    path : path-like
        Such as ``gnubg_os0.bd``, ``gnubg_ts.bd``, or whatever ``makebearoff`` has made; with its header.

    Returns
    -------
    GnubgFile
        Read-only; use it as a context manager.

    Raises
    ------
    FormatError
        If it is not such a file, or is damaged.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> from bgrace.interop import gnubg
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     header = gnubg.generate(f"{folder}/gnubg_ts.bd", "two-sided", checkers=1)
    ...     with gnubg.open(f"{folder}/gnubg_ts.bd") as file:
    ...         round(file.win_probability("6x1", "1x1"), 4)
    0.75
    """
    return GnubgFile(checked_path(path))


class GnubgFile(BearoffTables):
    """A bearoff file of GNU Backgammon, open for reading.

    It answers what the file can tell.  A one-sided file has distributions, from which everything about one position
    comes, and estimates of win probabilities; one of normal distributions has no more than means and variances.  A
    two-sided file has equities and win probabilities, and nothing about one position; without cubeful equities it has
    win probabilities alone.  Any other question is a CoverageError.  Values are as exact as the file (docs/gnubg.md);
    a record that can't be right is a FormatError.

    Attributes
    ----------
    path : Path
    header : Header
    space : PositionSpace
    two_sided_checkers : int
        Checkers a side of a two-sided file; 0 for a one-sided one.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header, data = _map_body(path)
        self.space = self.header.space
        self._gammons = False
        self._step = 1.0
        self._rank = _AsItIs()
        self._first_checker = self._pairs = None
        if self.header.kind == "two-sided":
            self._open_two_sided(data)
        else:
            self._open_one_sided(data)

    def _open_two_sided(self, data: npt.NDArray[np.uint8]) -> None:
        n = len(self.space)
        values = data.view("<u2").reshape(n, n, PLANES_STORED[self.header.cubeful])
        if not (values[0] == WHOLE).all():
            raise FormatError(f"{self.path} is damaged: a player without checkers on roll would not have won")
        self.two_sided_checkers = self.header.checkers
        self._n_pairs = n
        self._pairs = _Pairs(values, self.path)
        self._epc = self._mean = self._variance = self._distribution = self._first_checker = _Missing(
            f"{self.path} is a two-sided file, which says nothing about one position alone: ask a one-sided file"
        )

    def _open_one_sided(self, data: npt.NDArray[np.uint8]) -> None:
        self.two_sided_checkers = self._n_pairs = 0
        if self.header.normal:
            moments: _Normal | _Moments = _Normal(data.view(np.float32).reshape(-1, 4), self.path)
            self._mean, self._variance = _Part(moments, 0), _Part(moments, 1)
            self._distribution = self._first_checker = _Missing(
                f"{self.path} has means and standard deviations, no distributions: ask a file without --normal-dist"
            )
        else:
            rows: _Dense | _Spans
            rows = (_Spans if self.header.compressed else _Dense)(data, self.header, self.path)
            moments = _Moments(rows)
            self._mean, self._variance = _Part(moments, 0), _Part(moments, 1)
            self._distribution = _Chances(rows, _LAST, 0)
            if self.header.checkers == 15 and self.header.gammons:
                self._first_checker = _Chances(rows, _FIRST, n_fewer_checkers(self.space, 15))
            elif self.header.checkers == 15:
                self._first_checker = _Missing(
                    f"{self.path} has no chances of the first checker: ask a file without --no-gammon"
                )
        self._epc = _Scaled(self._mean, MEAN_PIPS)

    def __repr__(self) -> str:
        return (
            f"<bgrace.interop.gnubg.GnubgFile {self.path}: {self.header.kind}, {self.header.points} points, "
            f"{self.header.checkers} checkers>"
        )

    def info(self) -> dict[str, object]:
        """What the file is, as JSON would have it."""
        header = self.header
        shared = {
            "path": str(self.path),
            "format": "GNU Backgammon bearoff file",
            "kind": header.kind,
            "points": header.points,
            "checkers": header.checkers,
            "positions": len(self.space),
            "pairs": self._n_pairs**2,
        }
        if header.kind == "two-sided":
            return {**shared, "cubeful": header.cubeful}
        return {**shared, "gammons": header.gammons, "compressed": header.compressed, "normal": header.normal}

    def pair_values(self, index: int) -> npt.NDArray[np.float64]:
        """Stored equities of one position on roll against every opponent.

        Parameters
        ----------
        index : int
            Of the position on roll.

        Returns
        -------
        float64 ndarray, shape (len(space), 4), or (len(space), 1) of a cubeless file
            By index of the opponent and plane, as in `bgrace.tables.two_sided.PLANES`: of rolling now.

        Raises
        ------
        CoverageError
            If the file is one-sided.
        """
        if not self.two_sided_checkers:
            raise CoverageError(f"{self.path} is one-sided: it has no equities of pairs")
        values: npt.NDArray[np.float64] = self._pairs[index, :, :]
        return values

    def _not_covered(self, checkers: int) -> CoverageError:
        return CoverageError(
            f"equities of {checkers} checkers with a cube need a two-sided file, {self.path} is one-sided: "
            "ask a two-sided one, solve the pair (bgrace solve), or ask without a cube"
        )


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


class _AsItIs:
    """Ranks of a two-sided file: the index itself."""

    def __getitem__(self, index: Any) -> Any:
        return index


class _Missing:
    """Stands in for a table that such a file does not have."""

    def __init__(self, why: str) -> None:
        self._why = why

    def __getitem__(self, key: object) -> Any:
        raise CoverageError(self._why)


class _Pairs:
    """Equities of pairs, by index on roll, index of the opponent, and plane."""

    def __init__(self, values: npt.NDArray[np.uint16], path: Path) -> None:
        self._values = values
        self._path = path

    def __getitem__(self, key: tuple[Any, ...]) -> npt.NDArray[np.float64]:
        if len(key) == 2 and self._values.shape[-1] == 1:
            raise CoverageError(f"{self._path} has no cubeful equities: ask it for win probabilities only")
        equities: npt.NDArray[np.float64] = self._values[key] / EQUITY_UNITS - 1
        return equities


class _Dense:
    """Rows of an uncompressed one-sided file."""

    def __init__(self, data: npt.NDArray[np.uint8], header: Header, path: Path) -> None:
        self._values = data.view("<u2").reshape(-1, 1 + header.gammons, WIDTH)
        self._path = path

    def parts(self, index: Integers, which: int) -> npt.NDArray[np.uint16]:
        """Chances in parts of 65535, shape (n, 32), of positions of shape (n,)."""
        return _checked(self._values[index, which], index, self._path)


class _Spans:
    """Rows of a compressed one-sided file."""

    def __init__(self, data: npt.NDArray[np.uint8], header: Header, path: Path) -> None:
        n_bytes = header.body_bytes
        self._entries = data[:n_bytes].view(header.entry)
        self._path = path
        if (len(data) - n_bytes) % 2:
            raise FormatError(f"{path} is damaged: its last value is half a value")
        self._values = data[n_bytes:].view("<u2")
        end = int(self._entries["begin"][-1]) + int(self._entries["spans"][-1, :, 0].sum())
        if end != len(self._values):
            raise FormatError(
                f"{path} is damaged: its last position ends at value {end:,} of {len(self._values):,}; "
                "make or fetch it again"
            )

    def parts(self, index: Integers, which: int) -> npt.NDArray[np.uint16]:
        """Chances in parts of 65535, shape (n, 32), of positions of shape (n,)."""
        entries = self._entries[index]
        begin, spans = entries["begin"].astype(np.int64), entries["spans"].astype(np.int64)
        begin += spans[:, :which, 0].sum(axis=1)
        count, first = spans[:, which, 0], spans[:, which, 1]
        wrong = (count == 0) | (first + count > WIDTH) | (begin + count > len(self._values))
        if wrong.any():
            raise FormatError(
                f"{self._path} is damaged: position {index[wrong.argmax()]} would lie outside the file, or its rolls "
                f"outside 0 .. {WIDTH - 1}; make or fetch it again"
            )
        place = _ROLLS - first[:, np.newaxis]
        there = (place >= 0) & (place < count[:, np.newaxis])
        values = self._values[np.where(there, begin[:, np.newaxis] + place, 0)]
        return _checked(np.where(there, values, np.uint16(0)), index, self._path)


def _checked(parts: npt.NDArray[np.uint16], index: Integers, path: Path) -> npt.NDArray[np.uint16]:
    sums = parts.sum(axis=1, dtype=np.int64)
    if (sums != WHOLE).any():
        wrong = int((sums != WHOLE).argmax())
        raise FormatError(
            f"{path} is damaged: the chances of position {index[wrong]} sum to {sums[wrong]} parts of {WHOLE}; "
            "make or fetch it again"
        )
    return parts


class _Chances:
    """Distributions of a one-sided file, by index less that of the first row."""

    def __init__(self, rows: _Dense | _Spans, which: int, first_index: int) -> None:
        self._rows = rows
        self._which = which
        self._first_index = first_index

    def __getitem__(self, index: Rows) -> npt.NDArray[np.float64]:
        indices = np.asarray(index, dtype=np.int64) + self._first_index
        return self._rows.parts(indices.reshape(-1), self._which).reshape(*indices.shape, WIDTH) / WHOLE


class _Moments:
    """Mean and variance of the number of rolls of each position, from distributions."""

    def __init__(self, rows: _Dense | _Spans) -> None:
        self._rows = rows

    def of(self, index: Integers) -> npt.NDArray[np.float64]:
        """Shape (n, 2)."""
        chances = self._rows.parts(index, _LAST) / WHOLE
        mean = chances @ _ROLLS
        return np.stack((mean, np.einsum("ik,ik->i", chances, (_ROLLS - mean[:, np.newaxis]) ** 2)), axis=1)


class _Normal:
    """The same as a file of normal distributions has them."""

    def __init__(self, values: npt.NDArray[np.float32], path: Path) -> None:
        self._values = values
        self._path = path

    def of(self, index: Integers) -> npt.NDArray[np.float64]:
        """Shape (n, 2)."""
        moments = self._values[index, :2].astype(np.float64)
        # A number of rolls of so few pips, and its spread, can't be greater; and NaN is not less.
        wrong = ~((moments >= 0) & (moments < 1000)).all(axis=1)
        if wrong.any():
            worst = int(wrong.argmax())
            raise FormatError(
                f"{self._path} is damaged: position {index[worst]} would have mean {moments[worst, 0]} and standard "
                f"deviation {moments[worst, 1]}; make or fetch it again"
            )
        moments[:, 1] **= 2
        return moments


class _Part:
    """One of the moments, by index."""

    def __init__(self, moments: _Moments | _Normal, part: int) -> None:
        self._moments = moments
        self._part = part

    def __getitem__(self, index: Rows) -> npt.NDArray[np.float64]:
        indices = np.asarray(index, dtype=np.int64)
        flat, result = indices.reshape(-1), np.empty(indices.size)
        for start in range(0, len(flat), _ROWS_AT_A_TIME):
            part = slice(start, start + _ROWS_AT_A_TIME)
            result[part] = self._moments.of(flat[part])[:, self._part]
        return result.reshape(indices.shape)


class _Scaled:
    """A table times a number."""

    def __init__(self, table: _Part, factor: float) -> None:
        self._table = table
        self._factor = factor

    def __getitem__(self, index: Rows) -> npt.NDArray[np.float64]:
        return self._table[index] * self._factor
