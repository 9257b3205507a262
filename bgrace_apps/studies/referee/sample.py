"""Races to judge rules by: positions of played games, and pairs drawn evenly, with what is known about them.

The random numbers are SplitMix64's, so that the sample is the same on every machine and can be drawn again by anybody
from the description of `played_pairs`.
"""

from __future__ import annotations

from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Final, Literal, overload

import numpy as np
import numpy.typing as npt

from bgrace import scm
from bgrace._base.arrays import Booleans, Floats, as_integer, check_open, scalar
from bgrace._base.limits import MAX_SECONDS, Progress, checked_threads
from bgrace._base.processes import thread_pool
from bgrace.answers.question import solve
from bgrace.board import HOME_POINTS, Position
from bgrace.board.dice import MEAN_PIPS
from bgrace.board.spaces import PositionSpace
from bgrace.cube import race
from bgrace.cube.model import check_number, check_probability
from bgrace.database.database import Database
from bgrace.errors import ArgumentError, CoverageError
from bgrace.tables import OneSidedTable, one_sided_win, solve_one_sided
from bgrace_apps.studies.race_windows import Decision, equities_between, equivalent_pips, gains_of, interpolated

_HALVINGS: Final = 50
_FURTHEST: Final = 200
"""Most pips by which the opponent is behind when an equal chance is looked for."""


@overload
def matched_equities(k: float, win: float) -> tuple[float, float, float]: ...
@overload
def matched_equities(k: npt.ArrayLike, win: npt.ArrayLike) -> tuple[Floats, Floats, Floats]: ...
def matched_equities(k: npt.ArrayLike, win: npt.ArrayLike) -> tuple[Any, Any, Any]:
    """Cubeful equities of the single-checker races that are as likely won.

    Parameters
    ----------
    k : float or array_like
        Pips at which a single checker has the expected pip count of the player on roll, 1 or more; see
        `bgrace_apps.studies.race_windows.equivalent_pips`.
    win : float or array_like
        Chance that the player on roll wins, without a cube.

    Returns
    -------
    no_double, no_redouble, double_take : float, or float64 ndarray of the broadcast shape
        Equity of rolling with a cube in the middle and with an own one, and of a double that is taken.

    Raises
    ------
    ArgumentError
        If any `k` is below 1 or beyond what `bgrace.cube.race` solves, or any chance not from 0 to 1.

    Examples
    --------
    39 pips against 44, 1,1,2,2,2,2 against 0,1,2,2,2,3, whose exact equities are 0.8098, 0.8325 and 0.9813:

    >>> from bgrace_apps.studies.race_windows import equivalent_pips
    >>> [round(value, 4) for value in matched_equities(equivalent_pips(46.9468), 0.77268)]
    [0.8138, 0.8366, 0.9775]
    """
    own, chance = np.broadcast_arrays(
        check_number("k", k, 1, scm.MAX_PIPS - _FURTHEST - 2, "a pip count"), check_probability(win, "win")
    )
    limit = int(own.max(initial=0)) + _FURTHEST + 2
    table, chances = race.solve(limit), scm.table(limit)
    low, high = np.full(own.shape, 1.0), np.full(own.shape, float(limit - 1))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        less = interpolated(chances, own, middle) < chance
        low, high = np.where(less, middle, low), np.where(less, high, middle)
    no_double, no_redouble, double_take = map(scalar, equities_between(table, own, (low + high) / 2))
    return no_double, no_redouble, double_take


Indices = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

SEED: Final = 20260101
"""Seed of the samples in the documents."""

_START_POINTS: Final = np.repeat(np.arange(3, 11), (1, 2, 3, 4, 2, 2, 1, 1))
"""Where an integer from 0 to 15 puts a checker at the start of a game: no contact, and some checkers outside."""

_QUESTION: Final = (0.5, 0.95)
_NEAR: Final = 0.005

_MAX_SEED: Final = (1 << 62) - 1
_POINTS: Final = 10
_ROWS_AT_A_TIME: Final = 1 << 16


class Draw:
    """One stream of SplitMix64 for each of many seeds, drawn in step.

    Parameters
    ----------
    seeds : array_like of int
        One for each stream, 0 or more.

    Notes
    -----
    S. Vigna's generator: the state rises by 0x9E3779B97F4A7C15 and is then mixed.

    Examples
    --------
    >>> draw = Draw([20260101])
    >>> [hex(int(draw.words()[0])) for _ in range(2)]
    ['0xf2acd20ec0fad03a', '0x2c482c33d2ab04c6']
    """

    def __init__(self, seeds: npt.ArrayLike) -> None:
        self._state = np.array(seeds, dtype=np.uint64)

    def words(self) -> Words:
        """64 bits from each stream."""
        with np.errstate(over="ignore"):  # arithmetic modulo 2**64
            self._state += np.uint64(0x9E3779B97F4A7C15)
            z = self._state
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            return np.asarray(z ^ (z >> np.uint64(31)))

    def integers(self, below: int) -> Indices:
        """An integer from 0 to `below` - 1 from each stream."""
        return (((self.words() >> np.uint64(32)) * np.uint64(below)) >> np.uint64(32)).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Races:
    """Pairs of positions, the player on roll first, with the values that rules are judged by.

    All arrays have one entry a pair; equities are for the player on roll, in units of the present cube.

    Attributes
    ----------
    space : PositionSpace
        What `on_roll` and `opponent` number.
    on_roll, opponent : int64 ndarray
    game : int64 ndarray
        Pairs with the same number are of one game, or depend on each other in another way.
    win : float64 ndarray
        Chance of winning without a cube: the database's where its two-sided table holds it, by turns where `solved`,
        else from the two roll distributions.
    no_double, no_redouble : float64 ndarray
        Equity of rolling, with a cube in the middle and with an own one.
    double_take : float64 ndarray
        Equity of a double that is taken.
    exact : bool ndarray
        Whether the three equities are the database's.
    solved : bool ndarray
        Whether they were solved by turns from where the database ends; where neither, they are `matched_equities`.
    error : float64 ndarray
        Stated errors of the equities that were solved, in points; 0 elsewhere.
    mean_rolls, variance_rolls : float64 ndarray, shape (len(space),)
        Of every position.
    """

    space: PositionSpace
    on_roll: Indices
    opponent: Indices
    game: Indices
    win: Floats
    no_double: Floats
    no_redouble: Floats
    double_take: Floats
    exact: Booleans
    solved: Booleans
    error: Floats
    mean_rolls: Floats
    variance_rolls: Floats

    def __len__(self) -> int:
        return len(self.on_roll)

    def positions(self, side: Literal["on_roll", "opponent"]) -> npt.NDArray[np.int8]:
        """Checker counts of a side, shape (len(self), points)."""
        return np.asarray(self.space.position(getattr(self, side)))

    def pips(self, side: Literal["on_roll", "opponent"]) -> Indices:
        """Pip counts of a side."""
        return np.asarray(self.positions(side).astype(np.int64) @ np.arange(1, self.space.points + 1))

    def epc(self, side: Literal["on_roll", "opponent"]) -> Floats:
        """Expected pip counts of a side."""
        return np.asarray(self.mean_rolls[getattr(self, side)] * MEAN_PIPS)

    @property
    def gains(self) -> dict[Decision, Floats]:
        """The gains of a double, a redouble and a take; negative where they lose."""
        return gains_of(self.no_double, self.no_redouble, self.double_take)

    @property
    def in_question(self) -> Booleans:
        """Which decisions are not automatic: the player on roll wins 50 to 95 %."""
        return np.asarray((self.win >= _QUESTION[0]) & (self.win <= _QUESTION[1]))


# ---- drawing


def played_pairs(table: OneSidedTable, games: int, seed: int = SEED) -> tuple[Indices, Indices, Indices]:
    """Play races and list every position before a roll.

    Parameters
    ----------
    table : OneSidedTable
        On ten points; its number of checkers is that of both sides.
    games : int
        Game g has a random stream of its own, seeded with `seed` + g.
    seed : int

    Returns
    -------
    on_roll, opponent, game : int64 ndarray
        Numbers of positions of the table's space, and of games; game by game, in the order of play.

    Notes
    -----
    The first side, then the second, draws the point of each checker: an integer below 16 gives 3, 4, 4, 5, 5, 5, 6, 6,
    6, 6, 7, 7, 8, 8, 9, 10.  Then each turn draws two dice.  The first side begins; both play to lower their expected
    number of rolls most, until one is off.
    """
    space = table.space
    draw = Draw(seed + np.arange(games))
    sides = []
    for _ in range(2):
        counts = np.zeros((games, space.points), dtype=np.int64)
        for _ in range(space.checkers):
            counts[np.arange(games), _START_POINTS[draw.integers(len(_START_POINTS))] - 1] += 1
        sides.append(np.asarray(space.index(counts)))
    found = []
    playing = np.ones(games, dtype=np.bool_)
    while playing.any():
        mover, waiter = sides
        found.append((np.flatnonzero(playing), mover[playing], waiter[playing]))
        dice = np.stack([draw.integers(6) + 1 for _ in range(2)])
        larger, smaller = dice.max(axis=0), dice.min(axis=0)
        # The place of a roll in `bgrace.board.dice.ROLLS`: those of smaller larger dice come first.
        roll = larger * (larger - 1) // 2 + smaller - 1
        moved = np.where(playing, table.best[mover, roll], mover)
        playing &= moved != 0
        sides = [waiter, moved]
    game, on_roll, opponent = (np.concatenate([part[k] for part in found]) for k in range(3))
    order = np.argsort(game, kind="stable")
    return on_roll[order], opponent[order], game[order]


def played_races(
    db: Database,
    games: int,
    seed: int = SEED,
    *,
    seconds: float = 0,
    progress: Progress | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
) -> Races:
    """Play races from before the bear-in to the end, and look up every position.

    Pairs that the database does not hold are estimated, or, where they are in question, solved.

    Parameters
    ----------
    db : Database
        With a two-sided table.  Games begin with as many checkers a side as the database is for.
    games : int
        How many, 1 or more.  15 checkers on ten points need 2 GB of memory.
    seed : int
        0 or more; see `played_pairs`.
    seconds : float
        Budget of each pair in question that the database does not hold, as for `bgrace.solve`: solved by turns, long
        races take about a second each.  With 0 none is solved, and estimates stand in.
    progress : callable, optional
        Called with how many pairs have been solved and how many are to be.
    threads : int, optional
        As many as there are processors, unless given.
    executor : concurrent.futures.Executor, optional
        What solves pairs instead of threads: processes, or workers elsewhere that reach the file under the same name.

    Returns
    -------
    Races

    Raises
    ------
    ArgumentError
        If `games`, `seed` or `seconds` cannot be used.
    CoverageError
        If the database has no two-sided table, or is not on six to ten points.

    Examples
    --------
    >>> import bgrace
    >>> with bgrace.open(bgrace.example_file()) as db:
    ...     races = played_races(db, games=5, seconds=0.1)
    >>> len(races), bool((races.exact | races.solved)[races.in_question].all())
    (46, True)
    """
    _check(db, games, seed)
    if not 0 <= seconds <= MAX_SECONDS:
        raise ArgumentError(f"seconds={seconds!r} cannot be used: give 0 to {MAX_SECONDS:,}")
    table = solve_one_sided(PositionSpace(_POINTS, db.space.checkers))
    races = _known(db, table, *played_pairs(table, games, seed))
    if seconds > 0:
        with nullcontext(executor) if executor is not None else thread_pool(checked_threads(threads)) as pool:
            _solve(db, races, seconds, progress, pool)
    return races


def _check(db: Database, games: int, seed: int) -> None:
    check_open(db)
    as_integer(games, f"{games=} cannot be used: give a whole number of at least 1", 1)
    as_integer(seed, f"{seed=} cannot be used: give a whole number from 0 to {_MAX_SEED}", 0, _MAX_SEED)
    if not db.two_sided_checkers or not HOME_POINTS <= db.space.points <= _POINTS:
        has = f"for {db.two_sided_checkers} checkers a side on {db.space.points} points"
        raise CoverageError(
            f"{db.path} has a two-sided table {has}: rules are judged by one for at least 1 on {HOME_POINTS} to "
            f"{_POINTS}"
        )


# ---- what is known


def _known(db: Database, table: OneSidedTable, on_roll: Indices, opponent: Indices, game: Indices) -> Races:
    space = table.space
    win = _one_sided_win(table, on_roll, opponent)
    k = equivalent_pips(table.mean_rolls[on_roll] * MEAN_PIPS)
    no_double, no_redouble, double_take = matched_equities(k, win)
    own, other = (space.position(side) for side in (on_roll, opponent))
    exact = np.logical_and(*(_covered(db, side) for side in (own, other)))
    pairs = own[exact, : db.space.points], other[exact, : db.space.points]
    rows = np.flatnonzero(exact)
    win[rows] = np.where(db.method(*pairs) == "two-sided", db.win_probability(*pairs), win[rows])
    centered, mine = (db.cube_action(*pairs, cube) for cube in ("centered", "mine"))
    no_double[rows], no_redouble[rows] = centered.no_double, mine.no_double
    double_take[rows] = centered.double_take
    return Races(
        space, on_roll, opponent, game, win, no_double, no_redouble, double_take, exact,
        np.zeros_like(exact), np.zeros_like(win), table.mean_rolls, table.variance_rolls,
    )  # fmt: skip


def _solve(db: Database, races: Races, seconds: float, progress: Progress | None, pool: Executor) -> None:
    """Put solutions by turns in the place of estimates, wherever a decision is in question."""
    # Estimates of the chance are off by a thousandth; races near a limit are looked at.
    near = (races.win >= _QUESTION[0] - _NEAR) & (races.win <= _QUESTION[1] + _NEAR)
    rows = np.flatnonzero(near & ~races.exact)
    sides = ([races.space.position(int(number)) for number in side[rows]] for side in (races.on_roll, races.opponent))
    values = (races.win, races.no_double, races.no_redouble, races.double_take, races.error)
    futures = [pool.submit(_solved, db, seconds, own, other) for own, other in zip(*sides, strict=True)]
    try:
        for done, (row, future) in enumerate(zip(rows, futures, strict=True), 1):
            for array, value in zip(values, future.result(), strict=True):
                array[row] = value
            if progress is not None:
                progress(done, len(rows))
    finally:
        for future in futures:
            future.cancel()
    races.solved[rows] = True


def _solved(db: Database, seconds: float, own: Position, other: Position) -> tuple[float, ...]:
    """Solve one pair on one thread, here or in another process."""
    answer = solve(own, other, database=db, seconds=seconds, threads=1)
    centered, mine = answer.cube_action("centered"), answer.cube_action("mine")
    assert centered.double_take is not None  # for money it can always be turned
    return answer.win_probability, centered.no_double, mine.no_double, centered.double_take, answer.error


def _covered(db: Database, counts: npt.NDArray[np.int8]) -> Booleans:
    inside = counts[:, db.space.points :].sum(axis=1) == 0
    return np.asarray(inside & (counts.sum(axis=1) <= db.two_sided_checkers))


def _one_sided_win(table: OneSidedTable, on_roll: Indices, opponent: Indices) -> Floats:
    """Chance of the player on roll by the two distributions of rolls: RBM, section 2."""
    win = np.empty(on_roll.shape)
    for start in range(0, len(win), _ROWS_AT_A_TIME):
        part = slice(start, start + _ROWS_AT_A_TIME)
        win[part] = one_sided_win(table.roll_distribution[on_roll[part]], table.roll_distribution[opponent[part]])
    return win
