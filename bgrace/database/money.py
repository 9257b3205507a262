"""Questions to a database file: what `bgrace.open` returns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import scalar
from bgrace._kernels.probe import Probe
from bgrace.board import Position
from bgrace.board.dice import MEAN_PIPS, parse_roll
from bgrace.board.plays import Play, legal_plays, rank_plays
from bgrace.board.spaces import PositionLike, PositionSpace
from bgrace.cube.action import CubeAction, Equities, check_cube, decide, with_double
from bgrace.database.store import StoredTables, file_info, is_match_file, read_tables
from bgrace.database.store.directory import Directory
from bgrace.errors import ArgumentError, ClosedError, CoverageError, FormatError, PositionError
from bgrace.tables.gammons import GAMMON_CHECKERS, SINGLE_PLANES, GammonPairs
from bgrace.tables.one_sided import n_fewer_checkers, one_sided_win
from bgrace.tables.packed_rows import PackedRows, is_packed
from bgrace.tables.two_sided import PLANES, two_sided_order

__all__ = ["BearoffTables", "Database", "open"]

_CUBELESS, _MINE, _CENTERED, _THEIRS = range(len(PLANES))
_SINGLE: Final = {_CUBELESS: SINGLE_PLANES.index("cubeless"), _CENTERED: SINGLE_PLANES.index("centered")}
"""Planes of their own, for some pairs, if gammons count once."""

_AFTER_MY_MOVE: Final = {"none": "cubeless", "centered": "centered", "mine": "theirs", "theirs": "mine"}
"""Who owns the cube, as the opponent sees it once he is on roll."""

_GAMMON_TABLES: Final = (
    "gammon/columns",
    "gammon/winning_starts",
    "gammon/losing_starts",
    "gammon/winning",
    "gammon/losing",
)

_OWN: Final = ("OWNDATA", "WRITEABLE")
"""What arrays are that are given out: no views of a table."""

_ROWS_AT_A_TIME: Final = 1 << 16


def open(path: str | os.PathLike[str]) -> Database:
    """Open a database file.

    Parameters
    ----------
    path : path-like
        A file that ``bgrace build`` or `bgrace.build` made.

    Returns
    -------
    Database
        Read-only; any number of processes and threads may have the file open.  Use it as a context manager.

    Raises
    ------
    FormatError
        If the file is no bgrace database, is of a version that this bgrace does not know, or is damaged.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> import bgrace
    >>> with bgrace.open("data/small.h5") as db:
    ...     round(db.epc((0, 0, 0, 0, 0, 1)), 4)    # one checker on the six point: 1.25 rolls
    10.2083
    """
    if is_match_file(path):
        raise FormatError(
            f"{path} is a database for one score of a match, and has no answers for money: ask it with bgrace.open, "
            "bgrace query, info or verify"
        )
    return Database(read_tables(path))


class BearoffTables:
    """Tables of positions and pairs, whatever file they are in, and the questions that they answer.

    Wherever a method takes a position, it takes counts (ace point first), text, or an array whose last axis is the
    points; arrays give arrays, and the two sides of a pair broadcast.  Every value is for the player on roll, before
    the dice.  All methods are safe to call from several threads.

    Attributes
    ----------
    space : PositionSpace
        Every position that the one-sided tables hold.
    two_sided_checkers : int
        The two-sided table holds all pairs with at most this many checkers a side; 0 if there is none.
    """

    path: Path
    space: PositionSpace
    two_sided_checkers: int

    # What a subclass fills in: arrays, or whatever answers an index or an array of them likewise.
    _epc: Any
    _mean: Any
    _variance: Any
    _distribution: Any
    _first_checker: Any
    _pairs: Any  # [rank on roll, rank of the opponent, plane], times _step: equities of rolling now
    _rank: Any
    _step: float
    _n_pairs: int  # positions, from index 0, whose pairs there are
    _gammons: bool
    _listed: GammonPairs | None = None  # pairs with values of their own if gammons count once
    _winning: Any = None  # and those values: [place, plane], times _step
    _losing: Any = None
    _probe: Any = None
    """Where an engine could ask the file, single questions take its way; arrays go through numpy."""

    # ------------------------------------------------------------------ the file

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file.  Questions after this raise ClosedError; arrays given out stay good."""
        for name in (
            *("_probe", "_epc", "_mean", "_variance", "_distribution", "_first_checker"),
            *("_pairs", "_winning", "_losing"),
        ):
            setattr(self, name, _Closed(self.path))

    # ------------------------------------------------------------------ one position

    def epc(self, pos: PositionLike) -> Any:
        """Expected pip count.

        The mean number of pips thrown, wastage included, until the last checker is off, when every play minimises the
        mean number of rolls.

        Parameters
        ----------
        pos : position, or array_like of int, shape (..., points)

        Returns
        -------
        float, or float64 ndarray of shape (...)
            Pips.  Divide by 49/6 for the mean number of rolls.

        Raises
        ------
        PositionError
            If any position does not fit this database; nothing is returned for the others.

        Notes
        -----
        Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 3, Fig. 9.
        """
        index = self.space.index(pos)
        if isinstance(index, int) and self._probe is not None:
            return self._probe.epc(index)
        return _look_up(self._epc, index)

    def mean_rolls(self, pos: PositionLike) -> Any:
        """Mean number of rolls until the last checker is off; arguments and errors as for `epc`."""
        index = self.space.index(pos)
        if isinstance(index, int) and self._probe is not None:
            return self._probe.mean_rolls(index)
        return _look_up(self._mean, index)

    def variance_rolls(self, pos: PositionLike) -> Any:
        """Variance of the number of rolls, in rolls squared; arguments and errors as for `epc`."""
        index = self.space.index(pos)
        if isinstance(index, int) and self._probe is not None:
            return self._probe.variance_rolls(index)
        return _look_up(self._variance, index)

    def roll_distribution(self, pos: PositionLike) -> npt.NDArray[np.float64]:
        """Distribution of the number of rolls until the last checker is off.

        Parameters
        ----------
        pos : position, or array_like of int, shape (..., points)

        Returns
        -------
        float64 ndarray, shape (..., width)
            Chance of being off in exactly 0, 1, ..., width - 1 rolls; each row sums to 1.  On more than six points from
            16 bits (docs/race-tables.md), and as wide as the longest of these positions needs.

        Raises
        ------
        PositionError
            If any position does not fit this database.
        """
        index = self.space.index(pos)
        if isinstance(index, int) and self._probe is not None:
            return self._probe.roll_distribution(index)  # type: ignore[no-any-return]
        rows: npt.NDArray[np.float64] = np.require(self._distribution[index], requirements=_OWN)
        return rows

    def first_checker_distribution(self, pos: PositionLike) -> npt.NDArray[np.float64]:
        """Distribution of the roll on which the first of 15 checkers is borne off, which decides a gammon.

        Each roll is played to lower the mean of that number most.  With fewer than 15 checkers it has happened: all of
        the probability is on 0.

        Parameters
        ----------
        pos : position, or array_like of int, shape (..., points)

        Returns
        -------
        float64 ndarray, shape (..., width)

        Raises
        ------
        PositionError
            If any position does not fit this database.
        CoverageError
            If the database is for fewer than 15 checkers.
        """
        if self._first_checker is None:
            lacks = "lacks that table" if self.space.checkers == 15 else f"is for {self.space.checkers} checkers"
            raise CoverageError(f"{self.path} {lacks}: the first of 15 checkers needs a database for 15; build one")
        index = self.space.index(pos)
        if isinstance(index, int) and self._probe is not None:
            return self._probe.first_checker_distribution(index)  # type: ignore[no-any-return]
        rows = np.asarray(index) - n_fewer_checkers(self.space, 15)
        result: npt.NDArray[np.float64] = np.require(self._first_checker[np.maximum(rows, 0)], requirements=_OWN)
        result[rows < 0] = np.arange(result.shape[-1]) == 0
        return result

    # ------------------------------------------------------------------ two positions

    def method(self, on_roll: PositionLike, opponent: PositionLike) -> Any:
        """Where `win_probability` takes its value from.

        Parameters
        ----------
        on_roll, opponent : position, or array_like of int, shape (..., points)

        Returns
        -------
        str, or ndarray of str of the broadcast shape
            ``"two-sided"``: exact but for the encoding, both sides playing to win.  ``"one-sided"``: an estimate from
            the two roll distributions, both sides playing to save rolls.
        """
        mine, theirs = self._indices(on_roll, opponent)
        if isinstance(mine, int):
            return "two-sided" if max(mine, theirs) < self._n_pairs else "one-sided"
        return np.where((mine < self._n_pairs) & (theirs < self._n_pairs), "two-sided", "one-sided")

    def win_probability(self, on_roll: PositionLike, opponent: PositionLike) -> Any:
        """Chance that the player on roll wins the race, without a cube.

        Parameters
        ----------
        on_roll, opponent : position, or array_like of int, shape (..., points)

        Returns
        -------
        float, or float64 ndarray of the broadcast shape
            Exact, to within 4e-5 (docs/accuracy.md), where the two-sided table reaches; else from the two roll
            distributions, which is off by up to 0.014 (0.0016 rms, on up to six checkers).  `method` says which.

        Raises
        ------
        PositionError
            If any position does not fit this database, or both sides of a pair are empty.

        Notes
        -----
        One-sided: sum over k of P(on roll needs k rolls) * P(opponent needs at least k); Ross, Benjamin and Munson,
        section 2.
        """
        mine, theirs = self._indices(on_roll, opponent)
        if self._probe is not None and isinstance(mine, int):
            return self._probe.win_probability(mine, theirs)[0]
        if self._probe is not None:
            return self._probe.win_probability_batch(_flat(mine), _flat(theirs)).reshape(mine.shape)
        mine, theirs = np.asarray(mine), np.asarray(theirs)
        covered = (mine < self._n_pairs) & (theirs < self._n_pairs)
        result = np.empty(mine.shape)
        if covered.any():
            ranks = self._rank[mine[covered]], self._rank[theirs[covered]]
            equity = self._pairs[(*ranks, _CUBELESS)] * self._step
            result[covered] = (1 + self._count_gammons_once(equity, *ranks, _CUBELESS)) / 2
        if not covered.all():
            result[~covered] = self._one_sided_win(mine[~covered], theirs[~covered])
        return scalar(result)

    def equities(self, on_roll: PositionLike, opponent: PositionLike, *, jacoby: bool = False) -> Equities:
        """Equities for every place of the cube.

        Parameters
        ----------
        on_roll, opponent : position, or array_like of int, shape (..., points)
        jacoby : bool
            Whether gammons count once as long as the cube is centered.

        Returns
        -------
        Equities
            Of floats, or of float64 ndarrays of the broadcast shape.  Money, no limit to the cube; gammons count in
            a table for 15 checkers a side.  Centered and mine include the right to double before this roll.  Cubeless
            counts gammons under the Jacoby rule too.

        Raises
        ------
        CoverageError
            If any pair has more checkers than the two-sided table.
        PositionError
            If any position does not fit this database, or both sides of a pair are empty.
        """
        mine, theirs = self._indices(on_roll, opponent)
        cubeless, centered, owned, unavailable = self._values(
            mine, theirs, (_CUBELESS, _CENTERED, _MINE, _THEIRS), jacoby, doubling=True
        )
        return Equities(cubeless, centered, owned, unavailable, "two-sided")

    def cube_action(
        self, on_roll: PositionLike, opponent: PositionLike, cube: str = "centered", *, jacoby: bool = False
    ) -> CubeAction:
        """Whether to double, and whether to take.

        Parameters
        ----------
        on_roll, opponent : position, or array_like of int, shape (..., points)
        cube : str
            ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``.
        jacoby : bool
            Whether gammons count once as long as the cube is centered.

        Returns
        -------
        CubeAction

        Raises
        ------
        ArgumentError
            If `cube` is unknown.
        CoverageError
            If any pair has more checkers than the two-sided table.
        PositionError
            If any position does not fit this database, or a side has no checker left.
        """
        where = check_cube(cube)
        mine, theirs = self._indices(on_roll, opponent)
        plane = PLANES.index("cubeless" if where == "none" else where)
        no_double, *held = self._values(
            mine, theirs, (plane, _THEIRS) if where in ("centered", "mine") else (plane,), jacoby
        )
        if not (_all(mine) and _all(theirs)):
            raise PositionError("a side has no checker left: the game is over and there is no cube to turn")
        return decide(no_double, 2 * held[0] if held else None, 1.0, where)

    def best_plays(
        self,
        on_roll: PositionLike,
        opponent: PositionLike | None,
        roll: str | Iterable[int],
        cube: str = "centered",
        *,
        jacoby: bool = False,
    ) -> list[Play]:
        """Every play of a roll, best first.

        Parameters
        ----------
        on_roll, opponent : position
            `opponent` may be None: then plays are compared by the expected pip count that they leave.
        roll : str or pair of int
        cube : str
            ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``, as seen by the player on roll.
        jacoby : bool
            Whether gammons count once as long as the cube is centered.

        Returns
        -------
        list of Play
            In falling order of equity, equal ones in rising order of their index.  Beyond the two-sided table, and
            with cube ``"none"`` only, equities are one-sided estimates.

        Raises
        ------
        ArgumentError
            If `cube` is unknown.
        CoverageError
            If the two-sided table does not reach the positions after the roll and there is a cube.
        PositionError
            If a position does not fit this database, or a side has no checker left.
        RollError
            If `roll` is no roll.

        Notes
        -----
        Every play is found, compared and written down: some ten microseconds each, where a question that has one
        answer takes a few in all (docs/benchmarks.md).
        """
        where = check_cube(cube)
        dice = parse_roll(roll)
        start = Position(self.space.position(self.space.index(on_roll)))
        if not start.checkers:
            raise PositionError("the player on roll has no checker left to play")
        results = legal_plays(start, dice)
        if opponent is None:
            worth = -np.asarray(self.epc(np.array(results)))
        else:
            worth = self._worth_of_moving_to(results, opponent, where, jacoby)
        return rank_plays(start, dice, results, worth)

    # ------------------------------------------------------------------ behind

    def _indices(self, on_roll: PositionLike, opponent: PositionLike) -> tuple[Any, Any]:
        """Indices of both sides: two ints, or two int64 arrays of one shape."""
        mine, theirs = self.space.index(on_roll), self.space.index(opponent)
        if isinstance(mine, int) and isinstance(theirs, int):
            started = mine > 0 or theirs > 0
        else:
            # Asked of the sides as they are given: spread out they may be many times as many.
            started = _all(mine) or _all(theirs)
            try:
                mine, theirs = np.broadcast_arrays(mine, theirs)
            except ValueError:
                raise ArgumentError(
                    f"{np.shape(mine)} positions on roll and {np.shape(theirs)} opponents: give shapes that broadcast"
                ) from None
            started = started or bool(np.logical_or(mine, theirs).all())
        if not started:
            raise PositionError("both sides have borne off all checkers: at most one side can have finished")
        return mine, theirs

    def _values(
        self, mine: Any, theirs: Any, planes: Sequence[int], jacoby: bool, *, doubling: bool = False
    ) -> Sequence[Any]:
        """Equities of `_indices`, plane by plane: floats, or float64 arrays of their shape.

        Of rolling now; with `doubling`, those with a right to double include it.  CoverageError beyond the table.
        """
        most = max(mine, theirs) if isinstance(mine, int) else max(mine.max(initial=0), theirs.max(initial=0))
        if most >= self._n_pairs:
            raise self._not_covered(self._most_checkers(most))
        if self._probe is None:
            return self._looked_up(np.asarray(mine), np.asarray(theirs), planes, jacoby, doubling)
        if isinstance(mine, int):
            values = self._probe.values(mine, theirs, jacoby, doubling)
            return [values[plane] for plane in planes]
        columns = self._probe.values_batch(_flat(mine), _flat(theirs), planes, jacoby, doubling)
        return [column.reshape(mine.shape) for column in columns]

    def _looked_up(
        self, mine: npt.NDArray[Any], theirs: npt.NDArray[Any], planes: Sequence[int], jacoby: bool, doubling: bool
    ) -> Sequence[Any]:
        """`_values` of what cannot be probed."""
        ranks = self._rank[mine], self._rank[theirs]
        if tuple(planes) == (_CUBELESS,):  # a file may have no other
            return [scalar(self._pairs[(*ranks, _CUBELESS)] * self._step)]
        pairs = self._pairs[ranks] * self._step

        def value(plane: int) -> Any:
            equity = pairs[..., plane]
            if jacoby and plane == _CENTERED:
                equity = self._count_gammons_once(equity, *ranks, _CENTERED)
            if doubling and plane in (_CENTERED, _MINE):
                equity = with_double(equity, 2 * pairs[..., _THEIRS])
            return scalar(equity)

        return [value(plane) for plane in planes]

    def _count_gammons_once(
        self, equity: npt.NDArray[np.float64], on_roll: Any, opponent: Any, plane: int
    ) -> npt.NDArray[np.float64]:
        """Equities of pairs of ranks in a plane, as they are if gammons count once there."""
        if self._listed is None:
            return equity
        # Where they differ by more than the encoding does, they are listed.  The rest is games that are over.
        once = np.array(np.clip(equity, -1.0, 1.0))
        for places, table in zip(self._listed.places(on_roll, opponent), (self._winning, self._losing), strict=True):
            there = places >= 0
            if there.any():
                once[there] = self._step * table[places[there], _SINGLE[plane]]
        return once

    def _most_checkers(self, index: int) -> int:
        """Checkers of a position, which is the most of any up to its index."""
        return Position(self.space.position(int(index))).checkers

    def _not_covered(self, checkers: int) -> CoverageError:
        has = f"one for {self.two_sided_checkers}" if self.two_sided_checkers else "none"
        return CoverageError(
            f"equities of {checkers} checker{'s' * (checkers != 1)} with a cube need a two-sided table "
            f"for {checkers} a side, {self.path} has {has}: build one with --two-sided "
            f"{checkers}, solve the pair (bgrace solve), or ask without a cube"
        )

    def _one_sided_win(self, mine: npt.NDArray[Any], theirs: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        result = np.empty(mine.shape)
        for start in range(0, mine.size, _ROWS_AT_A_TIME):
            part = slice(start, start + _ROWS_AT_A_TIME)
            result[part] = one_sided_win(self._distribution[mine[part]], self._distribution[theirs[part]])
        return result

    def _worth_of_moving_to(
        self, results: list[Position], opponent: PositionLike, where: str, jacoby: bool
    ) -> npt.NDArray[np.float64]:
        index = self.space.index(opponent)
        if np.ndim(index):
            raise PositionError("best_plays takes one pair of positions, not an array")
        if index == 0:
            raise PositionError("the opponent has no checker left: the game is over")
        rows = np.array(results)
        after = np.asarray(self.space.index(rows))
        before = np.full(after.shape, index)
        most = max(int(after.max()), index)
        if most < self._n_pairs:
            (equity,) = self._values(before, after, (PLANES.index(_AFTER_MY_MOVE[where]),), jacoby, doubling=True)
            worth = -equity
        elif where == "none":
            # One method for all plays: a mixture could rank an estimate above an exact value.
            worth = 1 - 2 * self._one_sided_win(before, after)
        else:
            raise self._not_covered(self._most_checkers(most))
        # The opponent has no roll once the last checker is off.
        gammon = self._gammons and self._most_checkers(index) == GAMMON_CHECKERS
        gammon = gammon and not (jacoby and where == "centered")
        return np.where(rows.any(axis=1), worth, 2.0 if gammon else 1.0)


class Database(BearoffTables):
    """A bearoff database, open for reading: what `bgrace.open` returns.

    Attributes
    ----------
    space : PositionSpace
        Every position that the one-sided tables hold.
    two_sided_checkers : int
        The two-sided table holds all pairs with at most this many checkers a side; 0 if there is none.
    """

    def __init__(self, stored: StoredTables) -> None:
        directory, tables = stored.directory, stored.tables
        packed = is_packed(directory.points)
        needed = {"one_sided/mean_rolls", "one_sided/variance_rolls"}
        if packed:
            needed |= {"one_sided/first_roll", "one_sided/roll_chances"}
        else:
            needed |= {"one_sided/epc", "one_sided/roll_distribution"}
        if directory.two_sided_checkers:
            needed |= {"two_sided/order", "two_sided/equities"}
        if directory.gammons:
            needed |= set(_GAMMON_TABLES)
        if not needed <= tables.keys():
            raise FormatError(f"{stored.path} lacks {', '.join(sorted(needed - tables.keys()))}; build it again")
        self._stored: StoredTables | None = stored
        self.path = stored.path
        self.space = PositionSpace(directory.points, directory.checkers)
        self.two_sided_checkers = directory.two_sided_checkers
        self._mean = tables["one_sided/mean_rolls"]
        self._variance = tables["one_sided/variance_rolls"]
        if packed:
            self._epc = _InPips(self._mean)
            self._distribution = _packed_rows(stored, "first_roll", "roll_chances")
            self._first_checker = _packed_rows(stored, "first_checker_first_roll", "first_checker_chances")
        else:
            self._epc = tables["one_sided/epc"]
            self._distribution = tables["one_sided/roll_distribution"]
            self._first_checker = tables.get("one_sided/first_checker_distribution")
        self._pairs = tables.get("two_sided/equities")
        self._n_pairs = 0
        self._step = 1.0
        if self._pairs is not None:
            # Worked out anew: a wrong rank would answer for another pair.
            order = two_sided_order(PositionSpace(directory.points, directory.two_sided_checkers))
            if not np.array_equal(order, tables["two_sided/order"]):
                raise FormatError(f"{stored.path} is damaged: its table two_sided/order is wrong; build it again")
            self._n_pairs = len(order)
            self._step = 1 / stored.entry("two_sided/equities").scale
            self._rank = np.empty(self._n_pairs, dtype=np.int64)
            self._rank[order] = np.arange(self._n_pairs)
        self._gammons = directory.gammons
        if directory.gammons:
            self._listed = _read_gammon_pairs(stored, order)
            self._winning, self._losing = tables["gammon/winning"], tables["gammon/losing"]
        if stored.view is not None:  # an archive can't be mapped
            self._probe = Probe(stored.view, str(stored.path))

    def close(self) -> None:
        """Let go of the file.  Questions after this raise ClosedError; arrays given out stay good."""
        self._stored = None
        super().close()

    def __reduce__(self) -> tuple[Any, tuple[Path, Directory]]:
        """Pickle as the file's name: whoever unpickles it opens the file anew, if it is still the same."""
        return _reopen, (self.path.absolute(), self.stored.directory)

    def __repr__(self) -> str:
        return (
            f"<bgrace.Database {self.path}: {self.space.points} points, {self.space.checkers} checkers, "
            f"two-sided {self.two_sided_checkers}>"
        )

    @property
    def stored(self) -> StoredTables:
        """The file's directory, attributes and mapped tables."""
        if self._stored is None:
            raise ClosedError(f"{self.path} is closed: open it again")
        return self._stored

    def info(self) -> dict[str, Any]:
        """What is in the file and how it was made, as JSON would have it."""
        stored = self.stored
        return {
            "path": str(self.path),
            "file_size": stored.directory.file_size,
            "archive": stored.directory.archive,
            **stored.attributes,
            "positions": len(self.space),
            "pairs": self._n_pairs**2,
            "tables": file_info(stored),
        }


def _reopen(path: Path, directory: Directory) -> Database:
    db = open(path)
    if db.stored.directory != directory:
        raise FormatError(f"{path} is another file than the one that was pickled: open it by its name")
    return db


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


class _InPips:
    """Expected pip counts, from mean numbers of rolls."""

    def __init__(self, mean_rolls: npt.NDArray[np.float64]) -> None:
        self._mean_rolls = mean_rolls

    def __getitem__(self, index: Any) -> Any:
        return self._mean_rolls[index] * MEAN_PIPS


def _packed_rows(stored: StoredTables, first_roll: str, chances: str) -> PackedRows | None:
    name = f"one_sided/{chances}"
    if name not in stored.tables:
        return None
    return PackedRows(stored.tables[f"one_sided/{first_roll}"], stored.tables[name], stored.entry(name).scale)


class _Closed:
    """Stands in for what a closed database had."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __getitem__(self, key: object) -> Any:
        raise ClosedError(f"{self._path} is closed: open it again")

    def __getattr__(self, name: str) -> Any:
        raise ClosedError(f"{self._path} is closed: open it again")


def _look_up(table: Any, index: Any) -> Any:
    return float(table[index]) if isinstance(index, int) else table[index]


def _all(indices: Any) -> bool:
    """Whether every position has a checker left."""
    return bool(indices) if isinstance(indices, int) else bool(indices.all())


def _flat(indices: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.ascontiguousarray(indices.reshape(-1))
