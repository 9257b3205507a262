"""Tables of a database file: of one side, and of pairs.

In arrays, mapped or unpacked from an archive, numpy answers; where an engine could ask the file, single questions take
its way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON, Booleans, Floats, Integers
from bgrace._kernels.probe import Probe, RangeFile
from bgrace.board import HOME_POINTS
from bgrace.board.dice import MEAN_PIPS
from bgrace.board.position import PositionArray
from bgrace.board.spaces import PositionSpace
from bgrace.cube.action import with_double
from bgrace.database.store import Access, StoredTables, Table, file_facts, read_tables
from bgrace.database.store.directory import Directory
from bgrace.database.store.schema import one_sided_tables
from bgrace.errors import CoverageError, FormatError
from bgrace.tables.gammons import GAMMON_CHECKERS, SINGLE_PLANES, GammonPairs
from bgrace.tables.layers import PackedRows, is_packed
from bgrace.tables.one_sided import n_fewer_checkers, one_sided_win, solve_one_sided
from bgrace.tables.two_sided import Plane, two_sided_order

if TYPE_CHECKING:  # few questions go beyond a file
    from bgrace.answers.question import Boundary


_SINGLE: Final[Mapping[int, int]] = {
    Plane.CUBELESS: SINGLE_PLANES.index("cubeless"),
    Plane.CENTERED: SINGLE_PLANES.index("centered"),
}
"""Planes of their own, for some pairs, if gammons count once."""

_GAMMON_TABLES: Final = (
    "gammon/columns",
    "gammon/winning_starts",
    "gammon/losing_starts",
    "gammon/winning",
    "gammon/losing",
)

_PLAIN: Final = ("epc", "roll_distribution")
_PACKED: Final = ("first_roll", "roll_chances")
"""Tables of one side beside mean and variance, on up to six points and beyond."""

Moment: TypeAlias = Literal["epc", "mean_rolls", "variance_rolls"]
Four: TypeAlias = tuple[float, float, float, float]

_ROWS_AT_A_TIME: Final = 1 << 16

_OWN: Final = ("OWNDATA", "WRITEABLE")
"""The arrays that are given out: no views of a table."""


def one_sided_wins(source: Source, on_roll: Integers, opponent: Integers) -> Floats:
    """Chances to win as they follow from the two sides' rolls alone, for pairs of one shape (n,)."""
    result = np.empty(on_roll.shape)
    for start in range(0, on_roll.size, _ROWS_AT_A_TIME):
        part = slice(start, start + _ROWS_AT_A_TIME)
        result[part] = one_sided_win(source.rolls(on_roll[part]), source.rolls(opponent[part]))
    return result


class Source:
    """Tables of one position and of pairs, as arrays: mapped, or unpacked chunk by chunk.

    Positions are their numbers in `space`, planes those of `bgrace.tables.two_sided.Plane`.  Safe to call from several
    threads.  Arrays of results are the caller's own.

    Attributes
    ----------
    path : Path
    stored : StoredTables
    space : PositionSpace
        Every position that the tables hold.
    two_sided_checkers : int
        Maximum checkers per side in the table of pairs; 0 without one.
    n_pairs : int
        How many positions, from number 0 on, the table of pairs covers.
    cubeful : bool
        Whether pairs have more than cubeless equities.
    gammons : bool
        Whether equities count gammons.
    precision : str
        The encoding of equities.
    error : float
        The greatest error of an equity; 0.0 if none has any but that of its encoding.
    """

    precision: Final[str] = "int16"
    cubeful: bool = True
    error: float = 0.0

    def __init__(self, stored: StoredTables) -> None:
        self._read_positions(stored)
        directory, tables = stored.directory, stored.tables
        needed = {"two_sided/order", "two_sided/equities"} if directory.two_sided_checkers else set()
        listed = directory.gammons and not directory.approximate
        _check_tables(stored, needed | set(_GAMMON_TABLES if listed else ()))
        self.two_sided_checkers: int = directory.two_sided_checkers
        self.n_pairs: int = 0
        self._step = 1.0
        self._listed: GammonPairs | None = None
        if "two_sided/equities" in tables:
            self._pairs = tables["two_sided/equities"]
            # Worked out anew: a wrong rank would answer for another pair.
            order = checked_order(stored)
            self.n_pairs = len(order)
            self._step = 1 / stored.entry("two_sided/equities").scale
            self._rank = np.empty(self.n_pairs, dtype=np.int64)
            self._rank[order] = np.arange(self.n_pairs)
            if listed:
                self._listed = _read_gammon_pairs(stored, order)
                self._single = (tables["gammon/winning"], tables["gammon/losing"])

    def _read_positions(self, stored: StoredTables) -> None:
        """Find the tables of one side."""
        points, tables = stored.directory.points, stored.tables
        packed = is_packed(points)
        needed = {"mean_rolls", "variance_rolls", *(_PACKED if packed else _PLAIN)}
        _check_tables(stored, {f"one_sided/{name}" for name in needed})
        self.stored: StoredTables = stored
        stored.ask_anywhere()
        self.path: Path = stored.path
        self.gammons: bool = stored.directory.gammons
        self.space: PositionSpace = PositionSpace(points, stored.directory.checkers)
        rows = tables["one_sided/mean_rolls"].shape[0]
        if rows != len(self.space):
            raise FormatError(
                f"{stored.path} is damaged: one_sided/mean_rolls has {rows} rows for {self.space.checkers} checkers on "
                f"{points} points; build it again"
            )
        self._moments: dict[str, Table] = {
            name: tables[f"one_sided/{name}"]
            for name in ("epc", "mean_rolls", "variance_rolls")
            if f"one_sided/{name}" in tables
        }
        self._rolls: Table | PackedRows
        self._first_checker: Table | PackedRows | None = None
        if packed:
            self._rolls = _packed_rows(stored, "first_roll", "roll_chances")
            if "one_sided/first_checker_chances" in tables:
                self._first_checker = _packed_rows(stored, "first_checker_first_roll", "first_checker_chances")
        else:
            self._rolls = tables["one_sided/roll_distribution"]
            self._first_checker = tables.get("one_sided/first_checker_distribution")

    def info(self) -> dict[str, JSON]:
        """The contents of the file and how it was made, as JSON would have it."""
        return file_facts(self.stored)

    def moments(self, name: Moment, index: Integers) -> Floats:
        """Expected pip counts, means or variances of many positions."""
        # A file of more than six points has no EPCs of its own.
        found = self._moments[name][index] if name in self._moments else self._moments["mean_rolls"][index] * MEAN_PIPS
        return self.possible(found, np.inf, name)

    def possible(self, values: Floats, most: float, what: str) -> Floats:
        """Return numbers of 0 to the most that they can be, as the C library gives no others; else FormatError."""
        fits = (values >= 0) & (values <= most)
        if not np.all(fits):
            wrong = np.extract(~fits, values)[0]
            raise FormatError(f"{self.path} is damaged: it has {wrong:g} for {what}; build it again")
        return values

    def rolls(self, index: int | Integers) -> Floats:
        """Chances of being off in exactly 0, 1, ... rolls, shape (..., width)."""
        chances: Floats = np.require(self._rolls[index], requirements=_OWN)
        if not chances.shape[-1]:
            raise FormatError(
                f"{self.path} is damaged: a position has no chance of any number of rolls; build it again"
            )
        return chances

    def first_checker_rolls(self, index: int | Integers) -> Floats:
        """Chances that the first of 15 checkers comes off on exactly roll 0, 1, ...; CoverageError where not known."""
        if self._first_checker is None:
            raise CoverageError(_no_first_checker(self))
        rows = np.asarray(index) - n_fewer_checkers(self.space, GAMMON_CHECKERS)
        chances: Floats = np.require(self._first_checker[np.maximum(rows, 0)], requirements=_OWN)
        chances[rows < 0] = np.arange(chances.shape[-1]) == 0
        return chances

    @property
    def boundary(self) -> Boundary | None:
        """Its pairs for the solver of races by turns, if that can look them up."""
        return None

    def moment(self, name: Moment, index: int) -> float:
        """Expected pip count, mean or variance of the number of rolls."""
        return float(self.moments(name, np.array(index)))

    def win(self, on_roll: int, opponent: int) -> float:
        """Chance to win, exact where pairs reach, else estimated from the two sides' rolls."""
        return float(self.wins(np.array(on_roll), np.array(opponent)))

    def values(self, on_roll: int, opponent: int, jacoby: bool, doubling: bool) -> Four:
        """Equities of rolling now in each plane; with `doubling`, centered and mine include the right to double.

        Callers ask only about pairs that the table covers.
        """
        values = self.value_arrays(np.array(on_roll), np.array(opponent), tuple(Plane), jacoby, doubling)
        cubeless, mine, centered, theirs = (float(value) for value in values)
        return cubeless, mine, centered, theirs

    def wins_at_once(self, on_roll: PositionArray, opponent: PositionArray) -> Floats | None:
        """`wins` of counts in one go; None if a pair has no answer, or these arrays have to be taken another way.

        `PositionSpace.index` and `wins` then do that, or say what is wrong.
        """
        return None

    def value_arrays_at_once(
        self,
        on_roll: PositionArray,
        opponent: PositionArray,
        planes: Sequence[int],
        jacoby: bool,
        doubling: bool,
        started: bool,
    ) -> Sequence[Floats] | None:
        """`value_arrays` in the same way; with `started`, None if a side has no checker left, too."""
        return None

    def worths(self, opponent: int, ends: list[int], plane: int, jacoby: bool, won: float) -> list[float]:
        """The value of having moved to each end; the opponent is on roll and may double.

        In the plane that the opponent then sees; `won` if that was the last checker.
        """
        left = np.array([end for end in ends if end], np.int64)
        (values,) = self.value_arrays(np.full(left.shape, opponent), left, (plane,), jacoby, True)
        worths = iter((0.0 - values).tolist())  # no -0.0
        return [next(worths) if end else won for end in ends]

    def __reduce__(self) -> tuple[Callable[..., Source], tuple[Path, Directory, Access, bool]]:
        """Pickle as the file's name: unpickling opens the file anew, if it is still the same."""
        return _reopened, (self.path.absolute(), self.stored.directory, self.stored.access, self.stored.lazily)

    def wins(self, on_roll: Integers, opponent: Integers) -> Floats:
        """Chances to win many pairs; both arrays have one shape."""
        covered: Booleans = (on_roll < self.n_pairs) & (opponent < self.n_pairs)
        chances = np.empty(on_roll.shape)
        if covered.any():
            mine, theirs = self._rank[on_roll[covered]], self._rank[opponent[covered]]
            chances[covered] = (1 + self._cubeless_once(mine, theirs)) / 2
        if not covered.all():
            chances[~covered] = one_sided_wins(self, on_roll[~covered], opponent[~covered])
        return self.possible(chances, 1.0, "a chance to win")

    def _cubeless_once(self, on_roll: Integers, opponent: Integers) -> Floats:
        """Cubeless equities of pairs of ranks if gammons count once."""
        equity = self._pairs[on_roll, opponent, Plane.CUBELESS] * self._step
        return self._count_gammons_once(equity, on_roll, opponent, Plane.CUBELESS)

    def value_arrays(
        self, on_roll: Integers, opponent: Integers, planes: Sequence[int], jacoby: bool, doubling: bool
    ) -> Sequence[Floats]:
        """Equities of many pairs, as `values` has them, in the planes asked for; both arrays have one shape."""
        mine, theirs = self._rank[on_roll], self._rank[opponent]
        pairs = self._pairs[mine, theirs] * self._step

        def value(plane: int) -> Floats:
            equity: Floats = pairs[..., plane]
            if jacoby and plane == Plane.CENTERED:
                equity = self._count_gammons_once(equity, mine, theirs, Plane.CENTERED)
            if doubling and plane in (Plane.CENTERED, Plane.MINE):
                equity = with_double(equity, 2 * pairs[..., Plane.THEIRS])
            return equity

        return [value(plane) for plane in planes]

    def _count_gammons_once(self, equity: Floats, on_roll: Integers, opponent: Integers, plane: int) -> Floats:
        """Equities of pairs of ranks in a plane, as they are if gammons count once there."""
        if self._listed is None:
            return equity
        # Where they differ by more than the encoding does, they are listed.  The rest is games that are over.
        once = np.array(np.clip(equity, -1.0, 1.0))
        for places, table in zip(self._listed.places(on_roll, opponent), self._single, strict=True):
            is_listed = places >= 0
            if is_listed.any():
                once[is_listed] = self._step * table[places[is_listed], _SINGLE[plane]]
        return once

    def why_not_covered(self, checkers: int) -> str:
        """Say why positions of this many checkers have no cubeful equities, and what would give them."""
        has = f"one for {self.two_sided_checkers}" if self.two_sided_checkers else "none"
        return (
            f"equities of {checkers} checker{'s' * (checkers != 1)} with a cube need a two-sided table "
            f"for {checkers} a side, {self.path} has {has}: build one with --two-sided "
            f"{checkers}, solve the pair (bgrace solve), or ask without a cube"
        )


class ProbeSource(Source):
    """Tables of a file that an engine could ask; what it can answer at once takes its way."""

    def __init__(self, stored: StoredTables) -> None:
        super().__init__(stored)
        assert not stored.directory.archive, "an archive is asked as arrays"
        self._probe = Probe(stored.file if stored.view is None else stored.view, str(stored.path))
        self._ask: Mapping[Moment, Callable[[int], float]] = {
            "epc": self._probe.epc,
            "mean_rolls": self._probe.mean_rolls,
            "variance_rolls": self._probe.variance_rolls,
        }

    @cached_property
    def boundary(self) -> Boundary | None:
        """See `Source.boundary`."""
        if self.space.points != HOME_POINTS or not self.n_pairs:
            return None
        view = self.stored.view
        from bgrace.answers.question import Boundary  # noqa: PLC0415  (takes a while)

        return Boundary(self.stored.file if view is None else np.frombuffer(view, dtype=np.uint8), str(self.path))

    def moment(self, name: Moment, index: int) -> float:
        """See `Source.moment`."""
        return self._ask[name](index)

    def rolls(self, index: int | Integers) -> Floats:
        """See `Source.rolls`."""
        return self._probe.roll_distribution(index) if isinstance(index, int) else super().rolls(index)

    def first_checker_rolls(self, index: int | Integers) -> Floats:
        """See `Source.first_checker_rolls`."""
        if isinstance(index, int) and self._first_checker is not None:
            return self._probe.first_checker_distribution(index)
        return super().first_checker_rolls(index)

    def win(self, on_roll: int, opponent: int) -> float:
        """See `Source.win`."""
        return self._probe.win_probability(on_roll, opponent)[0]

    def wins(self, on_roll: Integers, opponent: Integers) -> Floats:
        """See `Source.wins`."""
        return self._probe.win_probability_batch(_flat(on_roll), _flat(opponent)).reshape(on_roll.shape)

    def values(self, on_roll: int, opponent: int, jacoby: bool, doubling: bool) -> Four:
        """See `Source.values`."""
        return self._probe.values(on_roll, opponent, jacoby, doubling)

    def value_arrays(
        self, on_roll: Integers, opponent: Integers, planes: Sequence[int], jacoby: bool, doubling: bool
    ) -> Sequence[Floats]:
        """See `Source.value_arrays`."""
        columns = self._probe.values_batch(_flat(on_roll), _flat(opponent), planes, jacoby, doubling)
        return [column.reshape(on_roll.shape) for column in columns]

    def wins_at_once(self, on_roll: PositionArray, opponent: PositionArray) -> Floats | None:
        """See `Source.wins_at_once`."""
        return self._probe.wins_at_once(on_roll, opponent) if self._are_plain(on_roll, opponent) else None

    def value_arrays_at_once(
        self,
        on_roll: PositionArray,
        opponent: PositionArray,
        planes: Sequence[int],
        jacoby: bool,
        doubling: bool,
        started: bool,
    ) -> Sequence[Floats] | None:
        """See `Source.value_arrays_at_once`."""
        if not self._are_plain(on_roll, opponent):
            return None
        return self._probe.values_at_once(on_roll, opponent, planes, jacoby, doubling, started)

    def _are_plain(self, on_roll: PositionArray, opponent: PositionArray) -> bool:
        """Whether the C library can take these arrays as they are."""
        return (
            on_roll.ndim == 2
            and on_roll.shape == opponent.shape
            and on_roll.shape[1] == self.space.points
            and on_roll.dtype == opponent.dtype
            and on_roll.dtype in (np.int8, np.int64)
            and on_roll.flags.c_contiguous
            and opponent.flags.c_contiguous
        )

    def worths(self, opponent: int, ends: list[int], plane: int, jacoby: bool, won: float) -> list[float]:
        """See `Source.worths`."""
        return self._probe.worths(opponent, ends, plane, jacoby, won)


class ApproximateSource(Source):
    """Tables of an approximate file, whose pairs have a known error, and whose tables of one side are solved anew."""

    def __init__(self, stored: StoredTables) -> None:
        table = solve_one_sided(PositionSpace(stored.directory.points, stored.directory.checkers))
        super().__init__(replace(stored, tables={**stored.tables, **one_sided_tables(table)}))
        n_planes = stored.tables["two_sided/equities"].shape[2]
        self.cubeful = n_planes > 1
        self._win_plane = n_planes - 1 if self.gammons else 0
        assert stored.directory.errors is not None, "of an approximate file"
        self.error = stored.directory.errors[2]

    def _cubeless_once(self, on_roll: Integers, opponent: Integers) -> Floats:
        return self._pairs[on_roll, opponent, self._win_plane] * self._step

    def values(self, on_roll: int, opponent: int, jacoby: bool, doubling: bool) -> Four:
        """See `Source.values`."""
        if self.cubeful:
            return super().values(on_roll, opponent, jacoby, doubling)
        (cubeless,) = self.value_arrays(np.array(on_roll), np.array(opponent), (Plane.CUBELESS,), False, False)
        return float(cubeless), np.nan, np.nan, np.nan

    def value_arrays(
        self, on_roll: Integers, opponent: Integers, planes: Sequence[int], jacoby: bool, doubling: bool
    ) -> Sequence[Floats]:
        """See `Source.value_arrays`."""
        if jacoby and self.gammons and Plane.CENTERED in planes:
            fewer = n_fewer_checkers(self.space, GAMMON_CHECKERS)
            if bool(((on_roll >= fewer) | (opponent >= fewer)).any()):
                raise CoverageError(
                    f"{self.path} is approximate and has no equities under the Jacoby rule of pairs in which a side "
                    f"has {GAMMON_CHECKERS} checkers: ask a file that bgrace build made, or solve the pair (bgrace "
                    "solve)"
                )
        return super().value_arrays(on_roll, opponent, planes, jacoby, doubling)


class RemoteSource(ProbeSource):
    """Tables of a packed file on a web host; those of one side are solved anew, which takes less than reading them."""

    def __init__(self, stored: StoredTables) -> None:
        self._read_positions(stored)
        self.two_sided_checkers = stored.directory.two_sided_checkers
        self.n_pairs = comb(self.space.points + self.two_sided_checkers, self.space.points)
        self._probe = Probe(stored.file, str(stored.path))

    @property
    def boundary(self) -> Boundary | None:
        """See `Source.boundary`."""
        return None

    @cached_property
    def _solved(self) -> bool:
        """Whether tables of one side are solved; on more than six points they are read."""
        stored = self.stored
        if is_packed(self.space.points):
            return False
        tables = {**stored.tables, **one_sided_tables(solve_one_sided(self.space))}
        self._read_positions(replace(stored, tables=tables))
        self.stored = stored
        return True

    def moment(self, name: Moment, index: int) -> float:
        """See `Source.moment`."""
        return float(self.moments(name, np.array(index)))

    def moments(self, name: Moment, index: Integers) -> Floats:
        """See `Source.moments`."""
        self._solved  # noqa: B018  (it is now)
        return super().moments(name, index)

    def rolls(self, index: int | Integers) -> Floats:
        """See `Source.rolls`."""
        return super().rolls(np.array(index) if self._solved else index)

    def first_checker_rolls(self, index: int | Integers) -> Floats:
        """See `Source.first_checker_rolls`."""
        return super().first_checker_rolls(np.array(index) if self._solved else index)

    def worths(self, opponent: int, ends: list[int], plane: int, jacoby: bool, won: float) -> list[float]:
        """See `Source.worths`: all at once, as reading takes a while."""
        return Source.worths(self, opponent, ends, plane, jacoby, won)


def source_of(stored: StoredTables) -> Source:
    """Answers from a file: an engine's, unless it is an archive, or approximate, which has no tables of one side."""
    if isinstance(stored.file, RangeFile):
        return RemoteSource(stored)
    if stored.directory.approximate:
        return ApproximateSource(stored)
    return Source(stored) if stored.directory.archive else ProbeSource(stored)


def same_tables(path: Path, directory: Directory, access: Access, lazily: bool = False) -> StoredTables:
    """Open again what was pickled by its name; FormatError if another file has it by now."""
    stored = read_tables(path, access, "lazily" if lazily else False)
    if stored.directory != directory:
        raise FormatError(f"{path} is another file than the one that was pickled: open it by its name")
    return stored


def checked_order(stored: StoredTables) -> npt.NDArray[np.int32]:
    """Index of each rank of the pairs for money, int32; FormatError if the file's table of it says something else."""
    _check_tables(stored, {"two_sided/order"})
    order = two_sided_order(PositionSpace(stored.directory.points, stored.directory.two_sided_checkers))
    if not np.array_equal(order, stored.tables["two_sided/order"][:]):
        raise FormatError(f"{stored.path} is damaged: its table two_sided/order is wrong; build it again")
    return order


def _reopened(path: Path, directory: Directory, access: Access, lazily: bool) -> Source:
    return source_of(same_tables(path, directory, access, lazily))


def _check_tables(stored: StoredTables, needed: set[str]) -> None:
    missing = sorted(needed - stored.tables.keys())
    if missing:
        raise FormatError(f"{stored.path} lacks {', '.join(missing)}; build it again")


def _no_first_checker(source: Source) -> str:
    all_checkers = source.space.checkers == GAMMON_CHECKERS
    lacks = "lacks that table" if all_checkers else f"is for {source.space.checkers} checkers"
    return f"{source.path} {lacks}: the first of 15 checkers needs a database for 15; build one"


def _read_gammon_pairs(stored: StoredTables, order: npt.NDArray[np.int32]) -> GammonPairs:
    """Which pairs have values of their own, checked so far that no lookup can leave the tables."""
    columns, winning_starts, losing_starts = (np.array(stored.tables[name]) for name in _GAMMON_TABLES[:3])
    for name, starts in (("gammon/winning", winning_starts), ("gammon/losing", losing_starts)):
        rises = starts.shape == (len(order) + 1,) and starts[0] == 0 and bool((np.diff(starts) >= 0).all())
        if not rises or stored.tables[name].shape != (starts[-1], len(SINGLE_PLANES)):
            raise FormatError(f"{stored.path} is damaged: its table {name}_starts is wrong; build it again")
    full = int(np.count_nonzero(order >= n_fewer_checkers(PositionSpace(stored.directory.points), GAMMON_CHECKERS)))
    if not np.array_equal(np.sort(columns), np.arange(full)):
        raise FormatError(f"{stored.path} is damaged: its table gammon/columns is wrong; build it again")
    return GammonPairs.from_columns(columns, winning_starts, losing_starts, order)


def _packed_rows(stored: StoredTables, first_roll: str, chances: str) -> PackedRows:
    name = f"one_sided/{chances}"
    return PackedRows(stored.tables[f"one_sided/{first_roll}"], stored.tables[name], stored.entry(name).scale)


def _flat(indices: Integers) -> Integers:
    return np.ascontiguousarray(indices.reshape(-1))
