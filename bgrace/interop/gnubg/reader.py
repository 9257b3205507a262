"""Reading GNU Backgammon's bearoff files: mapped, and decoded where a question falls."""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON, Floats, Integers
from bgrace._base.files import checked_path
from bgrace._kernels.gnubg import WIDTH
from bgrace.answers import Solution
from bgrace.board import Position
from bgrace.board.dice import MEAN_PIPS
from bgrace.cube.action import with_double
from bgrace.database.money import Database
from bgrace.database.sources import ArrayAnswers, Asked, Moment, money_solution, one_sided_wins
from bgrace.errors import CoverageError, FormatError
from bgrace.interop.gnubg.layout import EQUITY_UNITS, HEADER_BYTES, PLANES_STORED, WHOLE, Header
from bgrace.tables.gammons import GAMMON_CHECKERS
from bgrace.tables.one_sided import n_fewer_checkers
from bgrace.tables.two_sided import Plane

_ROLLS: Final = np.arange(WIDTH)
_ROWS_AT_A_TIME: Final = 1 << 14
_LAST, _FIRST = 0, 1
"""Which of a position's distributions: that of the last checker or that of the first of 15."""

_TWO_SIDED: Final = "{} is a two-sided file, which says nothing about one position alone: ask a one-sided file"


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


class GnubgFile(Database):
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

    _source: _GnubgSource

    def __init__(self, path: Path) -> None:
        header, data = _map_body(path)
        super().__init__(_GnubgSource(path, header, data))
        self.header = header

    def __reduce__(self) -> tuple[Callable[..., Database], tuple[object, ...]]:
        """Pickle as the file's name."""
        return GnubgFile, (self.path.absolute(),)

    def __repr__(self) -> str:
        return (
            f"<bgrace.interop.gnubg.GnubgFile {self.path}: {self.header.kind}, {self.header.points} points, "
            f"{self.header.checkers} checkers>"
        )

    def pair_values(self, index: int) -> npt.NDArray[np.float64]:
        """Stored equities of one position on roll against every opponent.

        Parameters
        ----------
        index : int
            Of the position on roll.

        Returns
        -------
        float64 ndarray, shape (len(space), 4), or (len(space), 1) of a cubeless file
            By index of the opponent and plane, as in `bgrace.tables.two_sided.Plane`: of rolling now.

        Raises
        ------
        CoverageError
            If the file is one-sided.
        """
        if not self.two_sided_checkers:
            raise CoverageError(f"{self.path} is one-sided: it has no equities of pairs")
        return self._source.pair_values(index)


class _GnubgSource(ArrayAnswers):
    """The contents of the file, by the numbers of positions: a `bgrace.database.sources.Source`."""

    precision: Final = "int16"
    error: Final = 0.0

    def __init__(self, path: Path, header: Header, data: npt.NDArray[np.uint8]) -> None:
        self.path, self.header, self.space = path, header, header.space
        self.gammons, self.cubeful = False, True
        self.two_sided_checkers = self.n_pairs = 0
        self._values: npt.NDArray[np.uint16] | None = None
        self._rows: _Dense | _Spans | None = None
        self._moments: _Moments | _Normal | None = None
        if header.kind == "two-sided":
            n = len(self.space)
            self.two_sided_checkers, self.n_pairs, self.cubeful = header.checkers, n, header.cubeful
            self._values = data.view("<u2").reshape(n, n, PLANES_STORED[header.cubeful])
            if not (self._values[0] == WHOLE).all():
                raise FormatError(f"{path} is damaged: a player without checkers on roll would not have won")
        elif header.normal:
            self._moments = _Normal(data.view(np.float32).reshape(-1, 4), path)
        else:
            self._rows = (_Spans if header.compressed else _Dense)(data, header, path)
            self._moments = _Moments(self._rows)

    def info(self) -> dict[str, JSON]:
        """See `Source.info`."""
        header = self.header
        shared: dict[str, JSON] = {
            "path": str(self.path),
            "format": "GNU Backgammon bearoff file",
            "kind": header.kind,
            "points": header.points,
            "checkers": header.checkers,
            "positions": len(self.space),
            "pairs": self.n_pairs**2,
        }
        if header.kind == "two-sided":
            return {**shared, "cubeful": header.cubeful}
        return {**shared, "gammons": header.gammons, "compressed": header.compressed, "normal": header.normal}

    def solution(self, on_roll: Position, opponent: Position, asked: Asked) -> Solution:
        """See `Source.solution`."""
        return money_solution(self, on_roll, opponent, asked)

    def moments(self, name: Moment, index: Integers) -> Floats:
        """See `Source.moments`."""
        if self._moments is None:
            raise CoverageError(_TWO_SIDED.format(self.path))
        flat, result = index.reshape(-1), np.empty(index.size)
        for start in range(0, len(flat), _ROWS_AT_A_TIME):
            part = slice(start, start + _ROWS_AT_A_TIME)
            result[part] = self._moments.of(flat[part])[:, int(name == "variance_rolls")]
        return result.reshape(index.shape) * (MEAN_PIPS if name == "epc" else 1)

    def rolls(self, index: int | Integers) -> Floats:
        """See `Source.rolls`."""
        if self._values is not None:
            raise CoverageError(_TWO_SIDED.format(self.path))
        if self._rows is None:
            raise CoverageError(
                f"{self.path} has means and standard deviations, no distributions: ask a file without --normal-dist"
            )
        return _chances(self._rows, np.asarray(index), _LAST)

    def first_checker_rolls(self, index: int | Integers) -> Floats:
        """See `Source.first_checker_rolls`."""
        if self._values is not None:
            return self.rolls(index)  # raises: there are no chances
        if self.header.checkers != GAMMON_CHECKERS:
            raise CoverageError(
                f"{self.path} is for {self.header.checkers} checkers: the first of 15 checkers needs a database for "
                "15; build one"
            )
        if self._rows is None:
            return self.rolls(index)  # which says why there are none
        if not self.header.gammons:
            raise CoverageError(f"{self.path} has no chances of the first checker: ask a file without --no-gammon")
        first, numbers = n_fewer_checkers(self.space, GAMMON_CHECKERS), np.asarray(index)
        chances = _chances(self._rows, np.maximum(numbers, first), _FIRST)
        chances[numbers < first] = _ROLLS == 0
        return chances

    def wins(self, on_roll: Integers, opponent: Integers) -> Floats:
        """See `Source.wins`."""
        if self._values is None:
            return one_sided_wins(self, on_roll.reshape(-1), opponent.reshape(-1)).reshape(on_roll.shape)
        # Without gammons the cubeless equity is twice the chance to win, less one.
        cubeless: Floats = self._equities((on_roll, opponent, Plane.CUBELESS))
        return (1 + cubeless) / 2

    def value_arrays(
        self, on_roll: Integers, opponent: Integers, planes: Sequence[int], jacoby: bool, doubling: bool
    ) -> Sequence[Floats]:
        """See `Source.value_arrays`; the files don't count gammons, so the Jacoby rule makes no difference."""
        pairs, taken = self._equities((on_roll, opponent)), Plane.THEIRS
        turnable = (Plane.MINE, Plane.CENTERED) if doubling else ()
        return [
            with_double(pairs[..., plane], 2 * pairs[..., taken]) if plane in turnable else pairs[..., plane]
            for plane in planes
        ]

    def pair_values(self, index: int) -> Floats:
        """Stored equities of one position on roll against every opponent."""
        return self._equities((index,))

    def _equities(self, key: tuple[Any, ...]) -> Floats:
        assert self._values is not None, "asked only of two-sided files"
        equities: Floats = self._values[key] / EQUITY_UNITS - 1
        return equities

    def why_not_covered(self, checkers: int) -> str:
        """See `Source.why_not_covered`."""
        return (
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
        stored = (place >= 0) & (place < count[:, np.newaxis])
        values = self._values[np.where(stored, begin[:, np.newaxis] + place, 0)]
        return _checked(np.where(stored, values, np.uint16(0)), index, self._path)


def _checked(parts: npt.NDArray[np.uint16], index: Integers, path: Path) -> npt.NDArray[np.uint16]:
    sums = parts.sum(axis=1, dtype=np.int64)
    if (sums != WHOLE).any():
        wrong = int((sums != WHOLE).argmax())
        raise FormatError(
            f"{path} is damaged: the chances of position {index[wrong]} sum to {sums[wrong]} parts of {WHOLE}; "
            "make or fetch it again"
        )
    return parts


def _chances(rows: _Dense | _Spans, index: npt.NDArray[Any], which: int) -> Floats:
    """Distributions of a one-sided file, shape (..., 32)."""
    flat = index.astype(np.int64).reshape(-1)
    return rows.parts(flat, which).reshape(*index.shape, WIDTH) / WHOLE


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
    """Chances of a number of rolls, as a file of normal distributions has them."""

    def __init__(self, values: npt.NDArray[np.float32], path: Path) -> None:
        self._values = values
        self._path = path

    def of(self, index: Integers) -> npt.NDArray[np.float64]:
        """Shape (n, 2)."""
        with np.errstate(invalid="ignore"):  # a signalling NaN; it is refused below
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
