"""Questions to tables of positions and pairs: what `bgrace.open` returns."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON, Floats
from bgrace._base.limits import DEFAULT_SECONDS, PAIR_MEMORY, Limits
from bgrace.answers import PositionAnswer, Solution
from bgrace.board import OnePosition, PositionLike, Positions, parse_position
from bgrace.board.dice import parse_roll
from bgrace.board.plays import Play, rank_plays, results_of
from bgrace.board.spaces import PositionSpace, is_one
from bgrace.cube.action import CubeAction, CubeActions, Equities, check_cube, decide
from bgrace.database.shortcuts import money_action, money_plays, values_at_once, wins_at_once
from bgrace.database.sources import Asked, ClosedSource, Moment, Source, check_covered, pair_indices, read_one
from bgrace.database.store import Access, StoredTables, Verify, read_tables
from bgrace.database.stored import ArraySource, source_of
from bgrace.errors import ArgumentError, CoverageError, FormatError, PositionError
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score
from bgrace.match.stakes import Rules, Stakes
from bgrace.tables.gammons import GAMMON_CHECKERS
from bgrace.tables.two_sided import PLANES, Plane

Method: TypeAlias = Literal["two-sided", "one-sided"]


class Database:
    """Tables of positions and pairs, open for reading, as `bgrace.open` returns them.

    Wherever a method takes a position, it takes counts (ace point first), text, or an array whose last axis is the
    points; arrays give arrays, and the two sides of a pair broadcast.  (An array without further axes is one position;
    type checkers take it for several.)  Every value is for the player on roll, before the dice.  All methods are safe
    to call from several threads.

    Parameters
    ----------
    source : Source
        The tables.

    Attributes
    ----------
    path : Path
    space : PositionSpace
        Every position that the one-sided tables hold.
    two_sided_checkers : int
        The two-sided table holds all pairs with at most this many checkers a side; 0 if there is none.
    """

    def __init__(self, source: Source) -> None:
        self._source: Source = source
        self.path: Path = source.path
        self.space: PositionSpace = source.space
        self.two_sided_checkers: int = source.two_sided_checkers

    # ------------------------------------------------------------------ the file

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file.  Later questions raise ClosedError; arrays already returned stay valid."""
        self._source = ClosedSource(self.path)

    def __reduce__(self) -> tuple[Callable[..., Database], tuple[object, ...]]:
        """Pickle as the file's name: unpickling opens the file anew, if it is still the same."""
        return Database, (self._source,)

    def __repr__(self) -> str:
        return (
            f"<bgrace.Database {self.path}: {self.space.points} points, {self.space.checkers} checkers, "
            f"two-sided {self.two_sided_checkers}>"
        )

    @property
    def stored(self) -> StoredTables:
        """The file's directory, attributes and tables."""
        source = self._source
        if isinstance(source, ClosedSource):
            source.refuse()
        if isinstance(source, ArraySource):
            return source.stored
        raise FormatError(f"{self.path} is not a file that bgrace build made: it has other tables")

    def info(self) -> dict[str, JSON]:
        """The contents of the file and how it was made, as JSON would have it."""
        return self._source.info()

    # ------------------------------------------------------------------ one position

    @overload
    def epc(self, pos: OnePosition) -> float: ...

    @overload
    def epc(self, pos: Positions) -> Floats: ...

    def epc(self, pos: OnePosition | Positions) -> float | Floats:
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
        return self._moment("epc", pos)

    @overload
    def mean_rolls(self, pos: OnePosition) -> float: ...

    @overload
    def mean_rolls(self, pos: Positions) -> Floats: ...

    def mean_rolls(self, pos: OnePosition | Positions) -> float | Floats:
        """Mean number of rolls until the last checker is off; arguments and errors as for `epc`."""
        return self._moment("mean_rolls", pos)

    @overload
    def variance_rolls(self, pos: OnePosition) -> float: ...

    @overload
    def variance_rolls(self, pos: Positions) -> Floats: ...

    def variance_rolls(self, pos: OnePosition | Positions) -> float | Floats:
        """Variance of the number of rolls, in rolls squared; arguments and errors as for `epc`."""
        return self._moment("variance_rolls", pos)

    def roll_distribution(self, pos: OnePosition | Positions) -> Floats:
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
        return self._source.rolls(self.space.index(pos))

    def first_checker_distribution(self, pos: OnePosition | Positions) -> Floats:
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
        return self._source.first_checker_rolls(self.space.index(pos))

    def _moment(self, name: Moment, pos: OnePosition | Positions) -> float | Floats:
        index = self.space.index(pos)
        return self._source.moment(name, index) if isinstance(index, int) else self._source.moments(name, index)

    def alone(self, pos: PositionLike, roll: str | Iterable[int] | None = None) -> PositionAnswer:
        """Everything about one position.

        Parameters
        ----------
        pos : position
            One position.
        roll : str or pair of int, optional
            Dice to play.

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
        given = read_one(pos)
        if given.highest > self.space.points:
            raise PositionError(
                f"{given} has a checker on point {given.highest}, {self.path} has {self.space.points} points: "
                f"build one with --points {given.highest}, or solve the position by itself (bgrace solve)"
            )
        position = given.resized(self.space.points)
        first = None
        if position.checkers == GAMMON_CHECKERS:
            with suppress(CoverageError):  # a file made of GNU Backgammon's may lack it
                first = self.first_checker_distribution(position)
        dice = None if roll is None else parse_roll(roll)
        return PositionAnswer(
            position=position,
            mean_rolls=self.mean_rolls(position),
            variance_rolls=self.variance_rolls(position),
            roll_distribution=self.roll_distribution(position),
            first_checker_distribution=first,
            roll=dice,
            plays=None if dice is None else tuple(self.best_plays(position, None, dice)),
        )

    # ------------------------------------------------------------------ two positions

    @overload
    def method(self, on_roll: OnePosition, opponent: OnePosition) -> Method: ...

    @overload
    def method(self, on_roll: Positions, opponent: OnePosition | Positions) -> npt.NDArray[np.str_]: ...

    @overload
    def method(self, on_roll: OnePosition, opponent: Positions) -> npt.NDArray[np.str_]: ...

    def method(
        self, on_roll: OnePosition | Positions, opponent: OnePosition | Positions
    ) -> Method | npt.NDArray[np.str_]:
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
        mine, theirs, n = *pair_indices(self.space, on_roll, opponent), self._source.n_pairs
        if isinstance(mine, int) and isinstance(theirs, int):
            return "two-sided" if max(mine, theirs) < n else "one-sided"
        covered = np.maximum(mine, theirs) < n
        return np.where(covered, "two-sided", "one-sided")

    @overload
    def win_probability(self, on_roll: OnePosition, opponent: OnePosition) -> float: ...

    @overload
    def win_probability(self, on_roll: Positions, opponent: OnePosition | Positions) -> Floats: ...

    @overload
    def win_probability(self, on_roll: OnePosition, opponent: Positions) -> Floats: ...

    def win_probability(self, on_roll: OnePosition | Positions, opponent: OnePosition | Positions) -> float | Floats:
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
        if type(on_roll) is np.ndarray and type(opponent) is np.ndarray:
            wins = wins_at_once(self._source, on_roll, opponent)
            if wins is not None:
                return wins
        mine, theirs = pair_indices(self.space, on_roll, opponent)
        if isinstance(mine, int) and isinstance(theirs, int):
            return self._source.win(mine, theirs)
        return self._source.wins(np.asarray(mine), np.asarray(theirs))

    @overload
    def equities(self, on_roll: OnePosition, opponent: OnePosition, *, jacoby: bool = ...) -> Equities[float]: ...

    @overload
    def equities(
        self, on_roll: Positions, opponent: OnePosition | Positions, *, jacoby: bool = ...
    ) -> Equities[Floats]: ...

    @overload
    def equities(self, on_roll: OnePosition, opponent: Positions, *, jacoby: bool = ...) -> Equities[Floats]: ...

    def equities(
        self, on_roll: OnePosition | Positions, opponent: OnePosition | Positions, *, jacoby: bool = False
    ) -> Equities[float] | Equities[Floats]:
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
        columns = None
        if type(on_roll) is np.ndarray and type(opponent) is np.ndarray:
            columns = values_at_once(self._source, on_roll, opponent, tuple(Plane), jacoby, for_decision=False)
        if columns is None:
            mine, theirs = pair_indices(self.space, on_roll, opponent)
            check_covered(self._source, mine, theirs)
            if isinstance(mine, int) and isinstance(theirs, int):
                cubeless, owned, centered, unavailable = self._source.values(mine, theirs, jacoby, True)
                return Equities(cubeless, centered, owned, unavailable, "two-sided")
            columns = self._source.value_arrays(np.asarray(mine), np.asarray(theirs), tuple(Plane), jacoby, True)
        of = dict(zip(Plane, columns, strict=True))
        return Equities(of[Plane.CUBELESS], of[Plane.CENTERED], of[Plane.MINE], of[Plane.THEIRS], "two-sided")

    @overload
    def cube_action(
        self,
        on_roll: OnePosition,
        opponent: OnePosition,
        cube: str | None = ...,
        *,
        jacoby: bool = ...,
        match: Score | None = ...,
        cube_value: int = ...,
    ) -> CubeAction: ...

    @overload
    def cube_action(
        self, on_roll: Positions, opponent: OnePosition | Positions, cube: str | None = ..., *, jacoby: bool = ...
    ) -> CubeActions: ...

    @overload
    def cube_action(
        self, on_roll: OnePosition, opponent: Positions, cube: str | None = ..., *, jacoby: bool = ...
    ) -> CubeActions: ...

    def cube_action(
        self,
        on_roll: OnePosition | Positions,
        opponent: OnePosition | Positions,
        cube: str | None = None,
        *,
        jacoby: bool = False,
        match: Score | None = None,
        cube_value: int = 1,
    ) -> CubeAction | CubeActions:
        """Whether to double, and whether to take.

        Parameters
        ----------
        on_roll, opponent : position, or array_like of int, shape (..., points)
        cube : str, optional
            ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``: see `Solution.cube_action`.
        jacoby : bool
            Whether gammons count once as long as the cube is centered.
        match : Score, optional
        cube_value : int
            One pair only: see `solution`.

        Returns
        -------
        CubeAction, or CubeActions

        Raises
        ------
        ArgumentError
            If `cube` is unknown.
        CoverageError
            If any pair has more checkers than the two-sided table.
        PositionError
            If any position does not fit this database, or a side has no checker left.
        """
        if is_one(on_roll) and is_one(opponent):
            if match is None and cube_value == 1:
                place = "centered" if cube is None else check_cube(cube)
                action = money_action(self._source, on_roll, opponent, place, jacoby)
                if action is not None:
                    return action
            solution = self._solution(on_roll, opponent, Asked(None, jacoby, match, None, cube_value))
            if solution.method == "one-sided":  # an estimate is not to pass for an exact value
                raise CoverageError(str(solution.missing))
            return solution.cube_action(cube)
        place = check_cube("centered" if cube is None else cube)
        planes = [Plane.CUBELESS if place == "none" else PLANES.index(place)]
        if place in ("centered", "mine"):
            planes.append(Plane.THEIRS)
        columns = None
        if type(on_roll) is np.ndarray and type(opponent) is np.ndarray:
            columns = values_at_once(self._source, on_roll, opponent, planes, jacoby, for_decision=True)
        if columns is None:
            mine, theirs = pair_indices(self.space, on_roll, opponent)
            check_covered(self._source, mine, theirs, with_cube=place != "none")
            mine, theirs = np.asarray(mine), np.asarray(theirs)
            columns = self._source.value_arrays(mine, theirs, planes, jacoby, False)
            if not (mine.all() and theirs.all()):
                raise PositionError("a side has no checker left: the game is over and there is no cube to turn")
        no_double, *held = columns
        return decide(no_double, 2 * held[0] if held else None, 1.0, place)

    def best_plays(
        self,
        on_roll: PositionLike,
        opponent: PositionLike | None,
        roll: str | Iterable[int],
        cube: str | None = None,
        *,
        jacoby: bool = False,
        match: Score | None = None,
        cube_value: int = 1,
    ) -> list[Play]:
        """Every play of a roll, best first.

        Parameters
        ----------
        on_roll, opponent : position
            `opponent` may be None: then plays are compared by the expected pip count that they leave.
        roll : str or pair of int
        cube : str, optional
            ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``, as seen by the player on roll.
        jacoby : bool
            Whether gammons count once as long as the cube is centered.
        match : Score, optional
        cube_value : int
            See `solution`.

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
            If `roll` is not a roll.

        Notes
        -----
        Every play is found and compared, at some two microseconds each (docs/benchmarks.md).
        """
        dice = parse_roll(roll)
        if opponent is not None:
            if match is None and cube_value == 1:
                plays = money_plays(self._source, on_roll, opponent, dice, "centered" if cube is None else cube, jacoby)
                if plays is not None:
                    return plays
            asked = Asked(None, jacoby, match, None, cube_value)
            return self._solution(on_roll, opponent, asked).best_plays(dice, cube)
        start = self.space.position(self.space.index(read_one(on_roll)))
        if not start.checkers:
            raise PositionError("the player on roll has no checker left to play")
        ends, results = results_of(self.space, self.space.index(start), dice)
        return rank_plays(start, dice, results, [-self._source.moment("epc", end) for end in ends])

    def solution(
        self,
        on_roll: PositionLike,
        opponent: PositionLike,
        rules: Rules | None = None,
        *,
        match: Score | None = None,
        met: MatchEquityTable | None = None,
        cube_value: int = 1,
        seconds: float | None = DEFAULT_SECONDS,
        memory_bytes: int = PAIR_MEMORY,
        threads: int | None = None,
    ) -> Solution:
        """Everything about a pair, in the form in which `bgrace.solve` gives it.

        The file answers where it reaches.  Where it ends, and for stakes that it is not for, the race is solved on the
        spot; `Solution.method` says which.

        Parameters
        ----------
        on_roll, opponent : position
            One position each.
        rules : Rules, optional
            Gammons count where the file counts them, and the Jacoby rule does not, unless given.
        match : Score, optional
            Seen by the player on roll; money unless given.
        met : MatchEquityTable, optional
            What scores are worth: the one that comes with bgrace, unless given.
        cube_value : int
            Before this roll.
        seconds : float, or None
            As for `bgrace.solve`.  None: the file alone answers.  Where its table of pairs ends there is an estimate of
            the chance to win then, and `Solution.missing` says what would give more.
        memory_bytes : int
        threads : int, optional
            As for `bgrace.solve`.

        Returns
        -------
        Solution

        Raises
        ------
        ArgumentError
            If the arguments are not what they should be, or contradict each other.
        CoverageError
            With `seconds` None, if gammons count in the file and not in `rules`, or the other way round, and the pair
            depends on it.
        PositionError
            If a position cannot be read, both sides are empty, or, with `seconds` None, one does not fit this database.

        Examples
        --------
        >>> import bgrace
        >>> with bgrace.open(bgrace.example_file()) as db:          # pairs of up to three checkers a side
        ...     db.solution("5x1 6x1", "4x1 5x1")
        ...     db.solution("5x2 6x2", "4x2 5x2")
        <bgrace.Solution 5x1 6x1 against 4x1 5x1, money: win 68.24 %, double/take, two-sided>
        <bgrace.Solution 5x2 6x2 against 4x2 5x2, money: win 52.97 %, no double, solved>
        """
        asked = Asked(rules, False, match, met, cube_value)
        if seconds is None:
            return self._solution(on_roll, opponent, asked)
        limits = Limits(seconds, memory_bytes, threads)
        try:
            stored = self._solution(on_roll, opponent, asked)
        except (ArgumentError, CoverageError, PositionError):
            pass
        else:
            if stored.missing is None:
                return stored
        stakes = Stakes(Rules() if rules is None else rules, match, met, cube_value)
        from bgrace.answers.question import Question  # noqa: PLC0415  (takes a while, and many files reach far enough)

        boundary = self._source.boundary if match is None else None
        sides = parse_position(on_roll), parse_position(opponent)
        return Question(*sides, stakes, limits=limits, boundary=boundary).solution()

    def _solution(self, on_roll: Any, opponent: Any, asked: Asked) -> Solution:
        source = self._source  # which refuses, if it has been closed
        return source.solution(read_one(on_roll), read_one(opponent), asked)


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
        How to get at the tables; the C library has the same three, `BGR_MAP`, `BGR_LOAD` and `BGR_READ`.

        - ``"map"``: map the file.  It costs no memory of its own, and a question that is not in memory reads one page.
          For files that nobody writes to: where one is changed in place, answers may be of the new bytes; where it is
          cut short, the system ends the process with SIGBUS.
        - ``"load"``: copy it into memory.  The fastest questions, and nothing that becomes of the file matters.
        - ``"read"``: read it at each question, and see each time that it is still the file that was opened.
          Each takes a while, so longer races end in the pairs of the file only where they ask for few of them.

        Whichever it is, a file that is deleted, or replaced by another of its name, keeps answering: so a database can
        be asked while its successor is built.  (An archive is unpacked chunk by chunk; only ``"load"`` copies it
        first.)
    verify : bool or "lazily"
        Whether to compare all tables with their checksums first, at about a gigabyte a second.  Otherwise only what
        tells where they are is checked; a file that was copied or downloaded is worth it once.  ``"lazily"`` reads as
        with ``access="read"``, and checks each row of pairs, and every other table, before it is first read.

    Returns
    -------
    Database
        Read-only; any number of processes and threads may have the file open.  Use it as a context manager.

    Raises
    ------
    ArgumentError
        If `access` is not one of these.
    FormatError
        If the file is not a bgrace database, is of a version that this bgrace does not know, or is damaged; with
        ``"read"``, from any question, if the file has been changed since, or fails a checksum.
    MemoryLimitError
        With ``"load"``, if the file is larger than the machine's memory.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> import bgrace
    >>> with bgrace.open(bgrace.example_file()) as db:
    ...     round(db.epc((0, 0, 0, 0, 0, 1)), 4)    # one checker on the six point: 1.25 rolls
    10.2083
    """
    return Database(source_of(read_tables(path, access, verify)))
