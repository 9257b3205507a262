"""Queries of tables of positions and pairs: the class that `bgrace.open` returns."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal, Self, TypeAlias, cast, overload

from bgrace._base.arrays import JSON, Booleans, Floats, Integers, as_choice, broadcast
from bgrace._kernels.lazy_numpy import np, npt
from bgrace._kernels.probe import Probe
from bgrace.answers import PositionAnswer, Solution
from bgrace.board import MAX_CHECKERS, OnePosition, Position, PositionLike, Positions, parse_position
from bgrace.board.dice import ROLLS, parse_roll
from bgrace.board.plays import Play, RollPlays, rank_plays, results_of
from bgrace.board.position import AnyPositions
from bgrace.board.spaces import PositionSpace, is_one, space_of
from bgrace.board.text import check_sides
from bgrace.cube.action import CUBES, CubeAction, CubeActions, Equities, decide
from bgrace.database.store.reader import Access, StoredTables, Verify, file_facts, read_tables
from bgrace.database.stored import ClosedSource, Source, StoredPair, agrees, check_covered, money_rules
from bgrace.errors import BOTH_FINISHED, NO_CUBE_TO_TURN, CoverageError, PositionCoverageError, PositionError
from bgrace.match.stakes import MONEY_PLACES, NO_CUBE, SEEN_BY_OTHER, Rules, Stakes
from bgrace.tables import GAMMON_CHECKERS, Plane

Method: TypeAlias = Literal["two-sided", "one-sided"]

_ARRAY: Final = "this takes one position a side, not an array"
_NOTHING_TO_PLAY: Final = "the player on roll has no checker left to play"


class Database:
    """Tables of positions and pairs, open for reading, as `bgrace.open` returns them.

    A position can be counts (ace point first), text, or an array whose last axis is the points; arrays give arrays, and
    the two sides of a pair broadcast.  (An array without further axes is one position; type checkers take it for
    several.)  Every value is for the player on roll, before the dice.  All methods are safe to call from several
    threads.

    Parameters
    ----------
    source : Source
        The tables.

    Attributes
    ----------
    path : Path
    space : PositionSpace
        All positions of the one-sided tables.
    two_sided_checkers : int
        The two-sided table has all pairs with at most this many checkers a side; 0 without a table.
    error : float
        Greatest error of an equity of an approximate file, in points per unit of the cube; 0.0 for other files, whose
        only error is that of their encoding.
    """

    def __init__(self, source: Source) -> None:
        self._source: Source = source
        self.path: Path = source.path
        self.space: PositionSpace = source.space
        self.two_sided_checkers: int = source.two_sided_checkers
        self.error: float = source.error

    # ------------------------------------------------------------------ the file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file.  Later queries raise ClosedError; arrays already returned stay valid."""
        self._source = cast(Source, ClosedSource(self.path))

    def __reduce__(self) -> tuple[Callable[..., Database], tuple[object, ...]]:
        """Pickle the file's name: unpickling opens the file again, if it is still the same."""
        return Database, (self._source,)

    def __repr__(self) -> str:
        return (
            f"<bgrace.Database {self.path}: {self.space.points} points, {self.space.checkers} checkers, "
            f"two-sided {self.two_sided_checkers}>"
        )

    @property
    def stored(self) -> StoredTables:
        """The file's directory, attributes and tables."""
        return self._source.stored

    def info(self) -> dict[str, JSON]:
        """The contents of the file and how it was made, as values of JSON."""
        return file_facts(self._source.stored)

    # ------------------------------------------------------------------ one position

    @overload
    def epc(self, pos: OnePosition) -> float: ...

    @overload
    def epc(self, pos: Positions) -> Floats: ...

    def epc(self, pos: AnyPositions) -> float | Floats:
        """Expected pip count.

        The mean number of pips thrown, wastage included, until the last checker is off, if every play minimises the
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
        source, index = self._source, self.space.index(pos)
        return source.epc(index) if isinstance(index, int) else source.moments("epc", index)

    @overload
    def mean_rolls(self, pos: OnePosition) -> float: ...

    @overload
    def mean_rolls(self, pos: Positions) -> Floats: ...

    def mean_rolls(self, pos: AnyPositions) -> float | Floats:
        """Mean number of rolls until the last checker is off; arguments and errors as for `epc`."""
        source, index = self._source, self.space.index(pos)
        return source.mean_rolls(index) if isinstance(index, int) else source.moments("mean_rolls", index)

    @overload
    def variance_rolls(self, pos: OnePosition) -> float: ...

    @overload
    def variance_rolls(self, pos: Positions) -> Floats: ...

    def variance_rolls(self, pos: AnyPositions) -> float | Floats:
        """Variance of the number of rolls, in rolls squared; arguments and errors as for `epc`."""
        source, index = self._source, self.space.index(pos)
        return source.variance_rolls(index) if isinstance(index, int) else source.moments("variance_rolls", index)

    def roll_distribution(self, pos: AnyPositions) -> Floats:
        """Distribution of the number of rolls until the last checker is off.

        Parameters
        ----------
        pos : position, or array_like of int, shape (..., points)

        Returns
        -------
        float64 ndarray, shape (..., width)
            Chances of bearing off in exactly 0, 1, ..., width - 1 rolls; each row sums to 1.  On more than six points
            they are stored in 16 bits (docs/race-tables.md), and width is that of the longest of these positions.

        Raises
        ------
        PositionError
            If any position does not fit this database.
        """
        source, index = self._source, self.space.index(pos)
        return source.rolls_of_one(index) if isinstance(index, int) else source.rolls(index)

    def first_checker_distribution(self, pos: AnyPositions) -> Floats:
        """Distribution of the roll on which the first of 15 checkers is borne off, which saves the gammon.

        Each roll is played to the least mean of that number.  With fewer than 15 checkers it is already borne off: all
        of the probability is on 0.

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
        return self._source.first_checker_rolls(self.space.index(pos))

    def alone(
        self, pos: PositionLike, roll: str | Iterable[int] | None = None, *, all_rolls: bool = False
    ) -> PositionAnswer:
        """Everything about one position.

        Parameters
        ----------
        pos : position
            One position.
        roll : str or pair of int, optional
            Dice to play.
        all_rolls : bool
            Whether to list the plays of all 21 rolls, too.

        Returns
        -------
        PositionAnswer

        Raises
        ------
        PositionError
            If `pos` does not fit this database, or has no checker to play `roll` with.
        RollError
            If `roll` is not a roll.

        Examples
        --------
        >>> import bgrace
        >>> with bgrace.open(bgrace.example_file()) as db:
        ...     answer = db.alone((0, 0, 0, 0, 0, 1), "21")
        >>> round(answer.epc, 4), round(answer.wastage, 4), [play.play for play in answer.plays]
        (10.2083, 4.2083, ['6/3'])
        """
        given = _read_one(pos)
        highest = given.highest
        if highest > self.space.points:
            raise PositionCoverageError(
                f"{given} has a checker on point {highest}, {self.path} has {self.space.points} points: "
                f"build one with --points {highest}, or solve the position by itself (bgrace solve)"
            )
        if given.checkers > self.space.checkers:
            raise PositionCoverageError(
                f"{given} has {given.checkers} checkers, {self.path} is for up to {self.space.checkers}: "
                f"build one with --checkers {given.checkers}, or solve the position by itself (bgrace solve)"
            )
        position, source = given.resized(self.space.points), self._source
        index = self.space.index(position)
        first = None
        if position.checkers == GAMMON_CHECKERS:
            with suppress(CoverageError):  # a file imported from GNU Backgammon may lack it
                first = source.bare_rolls(index, first_checker=True)
        dice = None if roll is None else parse_roll(roll)
        return PositionAnswer(
            position=position,
            mean_rolls=source.mean_rolls(index),
            variance_rolls=source.variance_rolls(index),
            _chances=source.bare_rolls(index),
            _first_checker_chances=first,
            roll=dice,
            plays=None if dice is None else tuple(self.best_plays(position, None, dice)),
            rolls=RollPlays({each: self.best_plays(position, None, each) for each in ROLLS}) if all_rolls else None,
        )

    # ------------------------------------------------------------------ two positions

    @overload
    def method(self, on_roll: OnePosition, opponent: OnePosition) -> Method: ...

    @overload
    def method(self, on_roll: Positions, opponent: AnyPositions) -> npt.NDArray[np.str_]: ...

    @overload
    def method(self, on_roll: OnePosition, opponent: Positions) -> npt.NDArray[np.str_]: ...

    def method(self, on_roll: AnyPositions, opponent: AnyPositions) -> Method | npt.NDArray[np.str_]:
        """The source of the values of `win_probability`.

        Parameters
        ----------
        on_roll, opponent : position, or array_like of int, shape (..., points)

        Returns
        -------
        str, or ndarray of str of the broadcast shape
            ``"two-sided"``: exact but for the encoding and the `error` of the file, if both sides play to win.
            ``"one-sided"``: an estimate from the two roll distributions, if both sides play to save rolls.
        """
        mine, theirs, n = *_pair_indices(self.space, on_roll, opponent), self._source.n_pairs
        if isinstance(mine, int) and isinstance(theirs, int):
            return "two-sided" if max(mine, theirs) < n else "one-sided"
        return np.where(np.maximum(mine, theirs) < n, "two-sided", "one-sided")

    @overload
    def covers(self, on_roll: OnePosition, opponent: OnePosition) -> bool: ...

    @overload
    def covers(self, on_roll: Positions, opponent: AnyPositions) -> Booleans: ...

    @overload
    def covers(self, on_roll: OnePosition, opponent: Positions) -> Booleans: ...

    def covers(self, on_roll: AnyPositions, opponent: AnyPositions) -> bool | Booleans:
        """Whether the table of pairs has equities, decisions and plays.  `win_probability` answers for more pairs.

        Parameters
        ----------
        on_roll, opponent : position, or array_like of int, shape (..., points)

        Returns
        -------
        bool, or ndarray of bool of the broadcast shape

        Raises
        ------
        PositionError
            If any position cannot be read.  Positions may have more points or checkers than the file, except that rows
            of an array must have as many points as the file.

        Examples
        --------
        >>> import bgrace
        >>> with bgrace.open(bgrace.example_file()) as db:
        ...     db.covers("5x1 6x1", "4x1 5x1"), db.covers("5x1 6x1", "7x1")
        (True, False)
        """
        source = self._source  # which refuses, if it has been closed
        readable = space_of(source.space.points, MAX_CHECKERS)  # the file's numbers, and beyond

        def number(pos: AnyPositions) -> npt.NDArray[np.int64]:
            if is_one(pos):
                position = _read_one(pos)
                return np.array(readable.index(position) if position.highest <= readable.points else len(readable))
            return np.asarray(readable.index(pos))

        check_sides(on_roll, opponent)
        mine, theirs = number(on_roll), number(opponent)
        broadcast(on_roll=mine, opponent=theirs)
        farther = np.maximum(mine, theirs)  # 0 if both sides have borne off
        found = (farther > 0) & (farther < (source.n_pairs if source.cubeful else 0))
        return bool(found) if found.ndim == 0 else found

    @overload
    def win_probability(self, on_roll: OnePosition, opponent: OnePosition) -> float: ...

    @overload
    def win_probability(self, on_roll: Positions, opponent: AnyPositions) -> Floats: ...

    @overload
    def win_probability(self, on_roll: OnePosition, opponent: Positions) -> Floats: ...

    def win_probability(self, on_roll: AnyPositions, opponent: AnyPositions) -> float | Floats:
        """Chance that the player on roll wins the race, without a cube.

        Parameters
        ----------
        on_roll, opponent : position, or array_like of int, shape (..., points)

        Returns
        -------
        float, or float64 ndarray of the broadcast shape
            Within the two-sided table, exact to 5e-5 (docs/accuracy.md), or to the ``"win_error"`` in `info` of an
            approximate file; else from the two roll distributions, with an error of up to 0.014 (0.0016 rms, on up to
            six checkers).  `method` says which.

        Raises
        ------
        PositionError
            If any position does not fit this database, or both sides of a pair are empty.

        Notes
        -----
        One-sided: sum over k of P(on roll needs k rolls) * P(opponent needs at least k); Ross, Benjamin and Munson,
        section 2.
        """
        if type(on_roll) is np.ndarray and type(opponent) is np.ndarray:
            wins = self._source.wins_of_counts(on_roll, opponent)
            if wins is not None:
                return wins
        mine, theirs = _pair_indices(self.space, on_roll, opponent)
        if isinstance(mine, int) and isinstance(theirs, int):
            return self._source.win(mine, theirs)
        return self._source.wins(np.asarray(mine), np.asarray(theirs))

    @overload
    def equities(
        self, on_roll: OnePosition, opponent: OnePosition, *, stakes: Stakes | None = ...
    ) -> Equities[float]: ...

    @overload
    def equities(
        self, on_roll: Positions, opponent: AnyPositions, *, stakes: Stakes | None = ...
    ) -> Equities[Floats]: ...

    @overload
    def equities(
        self, on_roll: OnePosition, opponent: Positions, *, stakes: Stakes | None = ...
    ) -> Equities[Floats]: ...

    def equities(
        self, on_roll: AnyPositions, opponent: AnyPositions, *, stakes: Stakes | None = None
    ) -> Equities[float] | Equities[Floats]:
        """Equities for every place of the cube.

        Parameters
        ----------
        on_roll, opponent : position, or array_like of int, shape (..., points)
        stakes : Stakes, optional
            Stakes of money: `Stakes.money(Rules(jacoby=True))` for the Jacoby rule, under which gammons count once as
            long as the cube is centered.  By default gammons count if the file counts them.

        Returns
        -------
        Equities
            Of floats, or of float64 ndarrays of the broadcast shape, for money without a limit to the cube; gammons
            count in a table for 15 checkers a side.  Centered and mine include the right to double before this roll.
            The cubeless equity counts gammons under the Jacoby rule too.  Exact to within 2e-4, or 1.5e-4 without
            gammons (docs/accuracy.md); from an approximate file, to within `error`.

        Raises
        ------
        CoverageError
            If any pair has more checkers than the two-sided table, or the table has no values for `stakes`.
        PositionError
            If any position does not fit this database, or both sides of a pair are empty.
        """
        source, columns = self._source, None
        rules = money_rules(source, stakes)
        if type(on_roll) is np.ndarray and type(opponent) is np.ndarray and agrees(source, rules):
            columns = source.value_arrays_of_counts(on_roll, opponent, tuple(Plane), rules.jacoby, True, started=False)
        if columns is None:
            mine, theirs = _pair_indices(self.space, on_roll, opponent)
            check_covered(source, mine, theirs, rules)
            if isinstance(mine, int) and isinstance(theirs, int):
                cubeless, owned, centered, unavailable = source.values(mine, theirs, rules.jacoby, True)
                return Equities(cubeless, centered, owned, unavailable, "two-sided")
            columns = source.value_arrays(np.asarray(mine), np.asarray(theirs), tuple(Plane), rules.jacoby, True)
        of = dict(zip(Plane, columns, strict=True))
        return Equities(of[Plane.CUBELESS], of[Plane.CENTERED], of[Plane.MINE], of[Plane.THEIRS], "two-sided")

    @overload
    def cube_action(
        self,
        on_roll: OnePosition,
        opponent: OnePosition,
        cube: str | None = ...,
        *,
        stakes: Stakes | None = ...,
    ) -> CubeAction: ...

    @overload
    def cube_action(
        self,
        on_roll: Positions,
        opponent: AnyPositions,
        cube: str | None = ...,
        *,
        stakes: Stakes | None = ...,
    ) -> CubeActions: ...

    @overload
    def cube_action(
        self, on_roll: OnePosition, opponent: Positions, cube: str | None = ..., *, stakes: Stakes | None = ...
    ) -> CubeActions: ...

    def cube_action(
        self,
        on_roll: AnyPositions,
        opponent: AnyPositions,
        cube: str | None = None,
        *,
        stakes: Stakes | None = None,
    ) -> CubeAction | CubeActions:
        """Whether to double, and whether to take.

        Parameters
        ----------
        on_roll, opponent : position, or array_like of int, shape (..., points)
        cube : str, optional
            ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``: see `Solution.cube_action`.
        stakes : Stakes, optional
            As for `equities`.

        Returns
        -------
        CubeAction, or CubeActions
            Its `double_take` is exact to within 3e-4, or 1.5e-4 without gammons (docs/accuracy.md); from an approximate
            file, to within `error`.

        Raises
        ------
        ArgumentError
            If `cube` is unknown.
        CoverageError
            If any pair has more checkers than the two-sided table, or the table has no values for `stakes`.
        PositionError
            If any position does not fit this database, or a side has no checker left.
        """
        place = "centered" if cube is None else as_choice("cube", cube, CUBES)
        seen, theirs_plane = MONEY_PLACES[place].plane, MONEY_PLACES["theirs"].plane
        planes = [seen] if place in NO_CUBE else [seen, theirs_plane]
        source, columns = self._source, None
        rules = money_rules(source, stakes)
        if type(on_roll) is np.ndarray and type(opponent) is np.ndarray and agrees(source, rules):
            columns = source.value_arrays_of_counts(on_roll, opponent, planes, rules.jacoby, False, started=True)
        if columns is None:
            mine, theirs = _pair_indices(self.space, on_roll, opponent)
            check_covered(source, mine, theirs, rules, with_cube=place != "none")
            if isinstance(mine, int) and isinstance(theirs, int):
                if not (mine and theirs):
                    raise PositionError(NO_CUBE_TO_TURN)
                values = source.values(mine, theirs, rules.jacoby, False)
                if place in NO_CUBE:
                    return CubeAction(place, values[seen], None, None, None, None, "no cube", reason=NO_CUBE[place])
                return decide(values[seen], 2 * values[theirs_plane], 1.0, place, beavers=rules.beavers)
            mine, theirs = np.asarray(mine), np.asarray(theirs)
            columns = source.value_arrays(mine, theirs, planes, rules.jacoby, False)
            if not (mine.all() and theirs.all()):
                raise PositionError(NO_CUBE_TO_TURN)
        no_double, *held = columns
        return decide(no_double, 2 * held[0] if held else None, 1.0, place, beavers=rules.beavers)

    def best_plays(
        self,
        on_roll: PositionLike,
        opponent: PositionLike | None,
        roll: str | Iterable[int],
        cube: str | None = None,
        *,
        stakes: Stakes | None = None,
    ) -> list[Play]:
        """Every play of a roll, best first.

        Parameters
        ----------
        on_roll, opponent : position
            If `opponent` is None, plays are compared by the expected pip count that they leave.
        roll : str or pair of int
        cube : str, optional
            ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``, seen by the player on roll.
        stakes : Stakes, optional
            As for `equities`.

        Returns
        -------
        list of Play
            In falling order of equity, equal ones in rising order of their index.

        Raises
        ------
        ArgumentError
            If `cube` is unknown.
        CoverageError
            If the two-sided table does not have the positions after the roll, or has no values for `stakes`.
        PositionError
            If a position does not fit this database, or a side has no checker left.
        RollError
            If `roll` is not a roll.

        Notes
        -----
        Finding and comparing a play takes about two microseconds (docs/benchmarks.md).
        """
        dice = parse_roll(roll)
        source = self._source
        if opponent is not None:
            place = "centered" if cube is None else as_choice("cube", cube, CUBES)
            mine, theirs = _pair_indices(self.space, on_roll, opponent)
            if not (isinstance(mine, int) and isinstance(theirs, int)):
                raise PositionError(_ARRAY)
            if not (mine and theirs):
                raise PositionError(NO_CUBE_TO_TURN if mine else _NOTHING_TO_PLAY)
            ends, results = results_of(source.space, mine, dice)
            most = ends[-1]
            rules = money_rules(source, stakes)
            if most:
                check_covered(source, most, theirs, rules, with_cube=place != "none")
            other = source.space.position(theirs)
            gammon = rules.gammons and other.checkers == GAMMON_CHECKERS and not (rules.jacoby and place == "centered")
            won = 2.0 if gammon else 1.0
            seen = SEEN_BY_OTHER[MONEY_PLACES[place].plane].value
            values, cubeless = source.move_values(theirs, ends, seen, rules.jacoby, won)
            return rank_plays(source.space.position(mine), dice, results, values, cubeless=cubeless)
        start = self.space.position(self.space.index(_read_one(on_roll)))
        if not start.checkers:
            raise PositionError(_NOTHING_TO_PLAY)
        ends, results = results_of(self.space, self.space.index(start), dice)
        return rank_plays(start, dice, results, [-source.epc(end) for end in ends])

    def solution(self, on_roll: PositionLike, opponent: PositionLike, stakes: Stakes | None = None) -> Solution:
        """Everything about a pair, in the same form as from `bgrace.solve`.

        `bgrace.solve` with this database as `database` also answers for pairs that are not in it.

        Parameters
        ----------
        on_roll, opponent : position
            One position each.
        stakes : Stakes, optional
            Stakes of money.  By default gammons count if the file counts them, and the Jacoby rule is not in force.

        Returns
        -------
        Solution

        Raises
        ------
        ArgumentError
            If an argument is not valid.
        CoverageError
            If the pair has more checkers than the two-sided table, or the table has no values for `stakes`: at a score,
            or if gammons count in one of the two but not in the other.
        PositionError
            If a position cannot be read or does not fit this database, or both sides are empty.

        Examples
        --------
        >>> import bgrace
        >>> with bgrace.open(bgrace.example_file()) as db:          # pairs of up to three checkers a side
        ...     db.solution("5x1 6x1", "4x1 5x1")
        ...     db.covers("5x2 6x2", "4x2 5x2")
        ...     bgrace.solve("5x2 6x2", "4x2 5x2", database=db)
        <bgrace.Solution 5x1 6x1 against 4x1 5x1, money: win 68.24 %, double/take, two-sided>
        False
        <bgrace.Solution 5x2 6x2 against 4x2 5x2, money: win 52.97 %, no double, solved>
        """
        source = self._source  # which refuses, if it has been closed
        check_sides(on_roll, opponent)
        given = _read_one(on_roll), _read_one(opponent)
        indices = source.space.index(given[0]), source.space.index(given[1])
        if not any(indices):
            raise PositionError(BOTH_FINISHED)
        if stakes is None:
            full = GAMMON_CHECKERS in (given[0].checkers, given[1].checkers)
            stakes = Stakes.money(Rules(gammons=source.gammons or not full))
        check_covered(source, *indices, money_rules(source, stakes), with_cube=False)
        sides = source.space.position(indices[0]), source.space.position(indices[1])
        return Solution(*sides, stakes, StoredPair(source, sides, indices, stakes.rules))

    @property
    def boundary(self) -> Probe | None:
        """The pairs, in which the solution of longer races can end; None unless they are exact and on six points."""
        return self._source.boundary


def _read_one(pos: AnyPositions) -> Position:
    """Read one position; PositionError for an array of them."""
    if isinstance(pos, Position):
        return pos
    if not is_one(pos):
        raise PositionError(_ARRAY)
    return parse_position(cast(PositionLike, pos))


def _pair_indices(
    space: PositionSpace, on_roll: AnyPositions, opponent: AnyPositions
) -> tuple[int | Integers, int | Integers]:
    """Indices of both sides: two ints, or two int64 arrays of the same shape."""
    mine: Any = None
    theirs: Any
    if isinstance(on_roll, tuple) and isinstance(opponent, tuple):  # first, as the most frequent case
        try:
            mine, theirs = space.kernel.index(on_roll), space.kernel.index(opponent)
        except (TypeError, OverflowError, PositionError):
            mine = None
    if mine is None:  # the general path reads it or raises the error
        check_sides(on_roll, opponent)
        mine, theirs = space.index(on_roll), space.index(opponent)
    if isinstance(mine, int) and isinstance(theirs, int):
        started = mine > 0 or theirs > 0
    else:
        # Test before broadcasting, which may multiply the size.
        started = bool(np.all(mine) or np.all(theirs))
        mine, theirs = broadcast(on_roll=mine, opponent=theirs)
        started = started or bool(np.logical_or(mine, theirs).all())
    if not started:
        raise PositionError(BOTH_FINISHED)
    return mine, theirs


def example_file() -> Path:
    """The small database that comes with bgrace: six points, up to 6 checkers, pairs of up to 3 checkers a side.

    Returns
    -------
    Path

    Examples
    --------
    >>> import bgrace
    >>> with bgrace.open(bgrace.example_file()) as db:
    ...     db.win_probability("6x1", "1x1")
    0.75
    """
    return Path(__file__).with_name("example.h5")


def open(path: str | os.PathLike[str], access: Access = "map", *, verify: Verify = False) -> Database:
    """Open a database file.

    Parameters
    ----------
    path : path-like
        A file that ``bgrace build`` or `bgrace.build` made.
    access : {"map", "load", "read"}
        Access to the tables; the C library has the same three, `BGR_MAP`, `BGR_LOAD` and `BGR_READ`.

        - ``"map"``: map the file.  It needs no memory of its own, and a query whose bytes are not in memory reads one
          page.  It is for files that nobody writes to: if one is changed in place, answers may come from the new bytes;
          if it is cut short, the system ends the process with SIGBUS.
        - ``"load"``: copy the file into memory.  Queries are fastest, and do not depend on the file any more.
        - ``"read"``: read the file at each query, and check each time that it is still the file that was opened.
          Since that takes a while, longer races end in the pairs of the file only if they need few of them.

        In each case a file that is deleted, or replaced by another of its name, keeps answering: so a database can be
        used while its successor is built.  An archive is always unpacked into memory.
    verify : bool or "lazily"
        Whether to compare all tables with their checksums first, at about a gigabyte a second: advisable once for a
        file that was copied or downloaded.  If not, only the directory of the tables is checked.  ``"lazily"`` reads as
        with ``access="read"``, and checks each row of pairs, and every other table, before it is first read.

    Returns
    -------
    Database
        A read-only database and context manager.  Any number of processes and threads may have the file open.

    Raises
    ------
    ArgumentError
        If `access` is not one of these.
    FormatError
        If the file is not a bgrace database, is of a version that this bgrace does not know, or is damaged; with
        ``"read"``, at any query, if the file has been changed since, or fails a checksum.
    MemoryLimitError
        With ``"load"``, if the file is larger than the machine's memory; for an archive, if its tables take more than
        three quarters of it.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> import bgrace
    >>> with bgrace.open(bgrace.example_file()) as db:
    ...     round(db.epc((0, 0, 0, 0, 0, 1)), 4)    # one checker on the six point: 1.25 rolls
    10.2083
    """
    return Database(Source(read_tables(path, access, verify)))
