"""A race solved on the spot: no database."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

import bgrace._kernels.two_sided as kernel
from bgrace._base.arrays import Floats
from bgrace._base.memory import PAIR_MEMORY, allowed_text, checked_memory, memory_text
from bgrace._base.seconds import DEFAULT_SECONDS, checked_seconds
from bgrace._base.threads import how_many
from bgrace.answers import Gammons, PairAnswers, Solution, Solutions, Values
from bgrace.answers.solution import can_be_backgammoned
from bgrace.board import Board, Position, PositionLike, parse_board, parse_position
from bgrace.board.contact import check_no_contact, check_not_over
from bgrace.board.dice import parse_roll
from bgrace.cube.action import Cube
from bgrace.errors import ArgumentError, MemoryLimitError
from bgrace.match.cube_states import CubeState, View
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score
from bgrace.match.score_solving import check_solver_memory
from bgrace.match.stakes import MONEY_PLACES, SEEN_BY_OTHER, Rules, Stakes
from bgrace.solving.alone import estimated_gammons
from bgrace.solving.turns import MIN_MEMORY, Boundary, Budget, TurnsAnswer, solve_turns
from bgrace.tables.exact import CubePlane, Plan, PositionPair, SolvedPair
from bgrace.tables.two_sided import GAMMON_CHECKERS, Plane

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

__all__ = ["Precision", "solve", "solve_beyond", "solve_many"]

Precision: TypeAlias = Literal["auto", "float64", "int16"]

_FLOAT64_BELOW: Final = 1 << 29  # with "auto", what takes more is solved by turns
_MAX_WAITING: Final = 64
"""Races that are given to an executor before the first of them is asked for."""

_Given: TypeAlias = Board | str | tuple[PositionLike, PositionLike]
"""How a race can be given: an ID or board, or both sides."""

_TURNS_CUBES: Final[tuple[Cube, ...]] = ("none", "centered", "mine", "theirs")
"""The order of the C library."""

_OTHER_PLACE: Final[Mapping[Cube, Cube]] = {
    "none": "none",
    "centered": "centered",
    "mine": "theirs",
    "theirs": "mine",
}
"""Places of the cube as the other side sees them."""

_GAMMONS_WON: Final = CubePlane((1.0, 1.0), (2.0, 1.0))
_GAMMONS_LOST: Final = CubePlane((1.0, 1.0), (1.0, 2.0))
"""Without a cube, only one side's gammons counting: what they add to 2 W - 1 is the chance of one."""


def solve(
    on_roll: PositionLike | Board,
    opponent: PositionLike | None = None,
    rules: Rules | None = None,
    *,
    match: Score | None = None,
    met: MatchEquityTable | None = None,
    cube_value: int | None = None,
    roll: str | Iterable[int] | None = None,
    precision: Precision = "auto",
    seconds: float = DEFAULT_SECONDS,
    memory_bytes: int = PAIR_MEMORY,
    threads: int | None = None,
) -> Solution:
    """Solve a race, wherever its checkers are: for money, or at a match score.

    Exactly, where time and memory allow; else both sides are carried forward turn by turn, as close to exact as they
    allow.  `Solution.method` says which, `Solution.error` how close.  No race is refused.

    Parameters
    ----------
    on_roll, opponent : position
        Counts, ace point first, or text.  An ID of both sides, or a `Board`, can stand alone: it is answered under the
        score, the cube, the Crawford game and the Jacoby rule that it names, unless the arguments say otherwise.
    rules : Rules, optional
        Of money: gammons count and the Jacoby rule does not, unless given.  At a score only whether gammons count.
    match : Score, optional
        What both sides need, for a match; money unless given.
    met : MatchEquityTable, optional
        What scores are worth: the table that comes with bgrace, unless given.
    cube_value : int, optional
        Value of the cube before this roll: 1 unless given, 2, 4, ...  Equities for money are per unit of it.
    roll : str or pair of int, optional
        Dice whose plays will be asked for: those that an ID names, unless given; ``"all"`` for all of them.  Where the
        race is solved turn by turn, all their plays are compared at once, and not when they are asked for.
    precision : str
        ``"auto"`` chooses.  ``"float64"`` and ``"int16"`` ask for the exact solution of all pairs that the sides can
        come to, however long it takes; int16 takes a quarter of the memory, for money, to within 1e-4 of equity.
    seconds : float
        About how long to compute on a common processor, with ``"auto"``; a million at most.  The answer does not depend
        on the machine.
    memory_bytes : int
        The most memory to use.
    threads : int, optional
        As many as there are processors, unless given.  The result does not depend on it.

    Returns
    -------
    Solution
        With `match` its values are chances to win the match, with normalised equities beside them.

    Raises
    ------
    ArgumentError
        If `precision` is unknown, an argument is not what it should be, or what is only for money meets what is only
        for a match.
    MemoryLimitError
        If an exact solution is asked for that does not fit into the memory; nothing has been computed then.
    PositionError
        If a position cannot be read, a side has no checker left, or the sides still have contact.
    RollError
        If `roll` is not a roll.

    Notes
    -----
    Exact: every pair of a position that one side can come to and one that the other can is solved, for either side on
    roll: Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 4, on real positions.  The order
    and the operator stand in ``csrc/solve/two_sided.c`` and ``csrc/solve/exact.c``; turns in ``csrc/turns/pairs.c``.

    Examples
    --------
    >>> solution = solve("5x1", "6x15")      # off at once with 31 of 36, and the opponent has all 15 checkers
    >>> round(solution.equities.cubeless, 6), solution.win_probability
    (1.934414, 1.0)
    >>> print(solution.cube_action())
    too good (cube centered): no double +1.9344, double/take +3.8688, double/pass +1.0000
    >>> from bgrace.match import Score
    >>> print(solve("5x1 6x1", "4x1 5x1", match=Score(3, 5)).cube_action())    # in match winning chances
    double/take (3-away, 5-away, cube 1 centered): no double 69.37 %, double/take 71.71 %, double/pass 74.36 %
    >>> print(solve("XGID=-----AA-------------aa----:0:0:1:00:2:4:1:5:10"))    # an ID names its own score
    5x1 6x1 against 4x1 5x1, 3-away, 1-away, Crawford, cube 1: win 68.24 %, no cube, solved
    """
    race = _race(on_roll, opponent, rules, match, met, cube_value)
    if isinstance(roll, str) and roll == "all":
        race = replace(race, every_roll=True)
    elif roll is not None:
        race = replace(race, roll=parse_roll(roll))
    memory_bytes = checked_memory(memory_bytes)
    if precision not in get_args(Precision):
        raise ArgumentError(f"precision {precision!r} is unknown: use auto, float64 or int16")
    return race.answered(_answers(race, precision, checked_seconds(seconds), memory_bytes, how_many(threads)))


def solve_beyond(
    on_roll: PositionLike,
    opponent: PositionLike,
    stakes: Stakes,
    boundary: Boundary | None,
    *,
    seconds: float = DEFAULT_SECONDS,
    memory_bytes: int = PAIR_MEMORY,
    threads: int | None = None,
) -> Solution:
    """Solve a race that a file does not reach, with the file's own pairs where play comes to them.

    Parameters
    ----------
    on_roll, opponent : position
    stakes : Stakes
    boundary : Boundary, or None
        The file, if it has pairs for money.
    seconds, memory_bytes, threads
        As for `solve`.

    Raises
    ------
    PositionError
        If a position cannot be read, a side has no checker left, or the sides still have contact.
    """
    race = _race(on_roll, opponent, stakes.rules, stakes.score, stakes.met, stakes.cube_value)
    known = boundary if stakes.score is None else None
    return race.answered(
        _answers(race, "auto", checked_seconds(seconds), checked_memory(memory_bytes), how_many(threads), known)
    )


def solve_many(
    races: Iterable[_Given],
    stakes: Stakes | None = None,
    *,
    seconds: float = DEFAULT_SECONDS,
    memory_bytes: int = PAIR_MEMORY,
    threads: int | None = None,
    executor: Executor | None = None,
) -> Solutions:
    """Solve races one after another on every processor, each at its own stakes.

    Parameters
    ----------
    races : iterable of Board, ID or pair of positions
        Boards and IDs are answered under the stakes that they name.  Read as they are needed: there may be more than
        fit into memory.
    stakes : Stakes, optional
        Of every race, whatever IDs say; money for a pair of positions, unless given.
    seconds, memory_bytes : float, int
        Of each race, as for `solve`; the memory is shared by as many races as there are threads.
    threads : int, optional
        As many as there are processors, unless given.
    executor : concurrent.futures.Executor, optional
        What solves instead of threads: processes, or workers elsewhere, as Dask and MPI have them.  Then the memory is
        that of each race, and a solution comes with everything that can be asked of it, which takes longer.

    Returns
    -------
    Solutions
        An iterator of Solution in the order of the races, and a table; the same whatever solves them, given the same
        memory for each.

    Raises
    ------
    ArgumentError, PositionError
        As for `solve`, when the race's turn comes.

    Examples
    --------
    >>> races = ["XGID=-----AA-------------aa----:0:0:1:00:0:0:0:5:10", ("5x1 6x1", "4x1 5x1")]
    >>> [f"{solution.stakes}: {solution.cube_action().verdict}" for solution in solve_many(races)]
    ['5-away, 5-away, cube 1: double/take', 'money: double/take']
    """
    solving = _solving(
        races, stakes, checked_seconds(seconds), checked_memory(memory_bytes), how_many(threads), executor
    )
    return Solutions(solving)


def _solving(
    races: Iterable[_Given],
    stakes: Stakes | None,
    seconds: float,
    checked: int,
    n_threads: int,
    executor: Executor | None,
) -> Generator[Solution]:
    """Solve races as they are asked for."""
    if executor is not None:
        yield from _streamed(races, partial(_solved, stakes, seconds, max(checked, MIN_MEMORY)), executor, _MAX_WAITING)
        return
    share = max(checked // n_threads, MIN_MEMORY)
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  (takes a while)

    with ThreadPoolExecutor(n_threads) as pool:
        try:
            yield from _streamed(races, partial(_solved, stakes, seconds, share), pool, 4 * n_threads)
        finally:
            # Whoever wants no more, or met a race that cannot be, need not wait for those that have not begun.
            pool.shutdown(wait=False, cancel_futures=True)


def _streamed(
    races: Iterable[_Given], solve_one: Callable[[_Given], Solution], executor: Executor, n_waiting: int
) -> Iterator[Solution]:
    """Solve races in order, with a few of them waiting at a time."""
    waiting: deque[Future[Solution]] = deque()
    try:
        for race in races:
            waiting.append(executor.submit(solve_one, race))
            if len(waiting) > n_waiting:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _solved(stakes: Stakes | None, seconds: float, memory_bytes: int, given: _Given) -> Solution:
    """Solve one race on one thread, here or in another process."""
    sides: tuple[PositionLike | Board, PositionLike | None] = given if isinstance(given, tuple) else (given, None)
    race = _race(*sides, None, None, None, None)
    if stakes is not None:
        race = race.at(stakes)
    return race.answered(_answers(race, "auto", seconds, memory_bytes, 1))


@dataclass(frozen=True, slots=True)
class _Race:
    """A question: both sides, what is played for, the ID or board that it came from, if it did, and the dice."""

    on_roll: Position
    opponent: Position
    stakes: Stakes
    board: Board | None
    roll: tuple[int, int] | None = None
    every_roll: bool = False

    def at(self, stakes: Stakes) -> _Race:
        return replace(self, stakes=stakes)

    def answered(self, answers: PairAnswers) -> Solution:
        board = self.board
        if board is None:
            return Solution(self.on_roll, self.opponent, self.stakes, answers, roll=self.roll)
        # A cube that the arguments have changed may not be where the ID has it.
        cube = board.cube if board.cube in self.stakes.cubes else None
        return Solution(self.on_roll, self.opponent, self.stakes, answers, cube, self.roll)


def _race(
    on_roll: PositionLike | Board,
    opponent: PositionLike | None,
    rules: Rules | None,
    match: Score | None,
    met: MatchEquityTable | None,
    cube_value: int | None,
) -> _Race:
    """Read a question: what is played for is as the arguments say, or else the ID."""
    board = None
    if opponent is None:
        board = on_roll if isinstance(on_roll, Board) else _board(on_roll)
        sides = board.on_roll, board.opponent
    elif isinstance(on_roll, Board):
        raise ArgumentError("a board has both sides: leave out opponent")
    else:
        sides = parse_position(on_roll), parse_position(opponent)
    check_not_over(*sides)
    check_no_contact(*sides, f"{sides[0]} against {sides[1]}")
    if board is not None and match is None and (rules is None or board.away is not None):
        named = Stakes.of(board, met if board.away is not None else None)
        gammons = rules.gammons if rules is not None else True
        changed = replace(named.rules, gammons=gammons)
        if rules is not None and (rules.jacoby or rules.beavers):
            raise ArgumentError(f"{rules} is for money, and the ID names a match, {named}: leave the rules out")
        stakes = replace(named, rules=changed, cube_value=named.cube_value if cube_value is None else cube_value)
    else:
        stakes = Stakes(Rules() if rules is None else rules, match, met, 1 if cube_value is None else cube_value)
    return _Race(*sides, stakes, board, None if board is None else board.roll)


def _board(text: PositionLike) -> Board:
    if isinstance(text, str):
        return parse_board(text)
    raise ArgumentError("opponent is missing: give both sides, or an ID of both")


def _answers(
    race: _Race,
    precision: str,
    seconds: float,
    memory_bytes: int,
    n_threads: int,
    boundary: Boundary | None = None,
) -> PairAnswers:
    on_roll, opponent, stakes = race.on_roll, race.opponent, race.stakes
    if precision != "auto":
        return all_pairs(PositionPair(on_roll, opponent), stakes, precision, memory_bytes, n_threads)
    pair = quick_pair(on_roll, opponent, stakes, seconds, memory_bytes)
    if pair is None:
        return by_turns(
            on_roll, opponent, stakes, seconds, memory_bytes, n_threads, boundary, race.roll, race.every_roll
        )
    return all_pairs(pair, stakes, precision, memory_bytes, n_threads)


def by_turns(
    on_roll: Position,
    opponent: Position,
    stakes: Stakes,
    seconds: float,
    memory_bytes: int,
    n_threads: int,
    boundary: Boundary | None = None,
    roll: tuple[int, int] | None = None,
    every_roll: bool = False,
) -> PairAnswers:
    """Carry both sides forward turn by turn; every play of `roll` is compared at once, if it is given, or of all."""
    budget = Budget(seconds=seconds, memory_bytes=max(memory_bytes, MIN_MEMORY))
    answer = solve_turns(
        on_roll, opponent, stakes, budget, rolls=every_roll, roll=roll, boundary=boundary, threads=n_threads
    )
    return _TurnsPair(answer)


def quick_pair(
    on_roll: Position, opponent: Position, stakes: Stakes, seconds: float, memory_bytes: int
) -> PositionPair | None:
    """All pairs that the sides can come to; None if they are too many to be solved within the budget."""
    if stakes.rules.gammons and any(can_be_backgammoned(side) for side in (on_roll, opponent)):
        return None  # which only the solver by turns counts
    has_gammons = GAMMON_CHECKERS in (on_roll.checkers, opponent.checkers)
    planes = stakes.planes(has_gammons).planes
    if stakes.rules.gammons and has_gammons:
        planes = [*planes, _GAMMONS_WON, _GAMMONS_LOST]  # which all_pairs solves, too
    mine, theirs = (np.array(side, dtype=np.int8) for side in (on_roll, opponent))
    if not kernel.pairs_are_few(mine, theirs, len(planes), seconds):
        return None
    try:
        pair = PositionPair(on_roll, opponent)
    except MemoryLimitError:  # a side has more positions than can be marked
        return None
    n_bytes = pair.graph_bytes + pair.plan(planes).n_bytes
    return pair if n_bytes <= min(memory_bytes, _FLOAT64_BELOW) else None


def all_pairs(
    pair: PositionPair, stakes: Stakes, precision: str, memory_bytes: int, n_threads: int
) -> Float64Pair | _Int16Pair:
    if stakes.score is not None and precision == "int16":
        raise ArgumentError("precision 'int16' is for money: a match is solved in float64, use that or auto")
    planes, places, win = stakes.planes(pair.has_gammons)
    won_lost: tuple[int | None, int | None] = (None, None)
    if stakes.rules.gammons and pair.has_gammons:
        planes = [*planes, _GAMMONS_WON, _GAMMONS_LOST]
        won_lost = (len(planes) - 2, len(planes) - 1)
    plan = pair.plan(planes)
    if stakes.score is not None:
        check_solver_memory(pair, plan, len(planes), memory_bytes)
        chosen = "float64"
    else:
        chosen = _choose_precision(precision, pair, plan, stakes, memory_bytes)
    if chosen == "int16":
        return _Int16Pair(pair, stakes.rules, n_threads)
    return Float64Pair(pair.solve(plan, n_threads), places, win, won_lost)


def _choose_precision(
    precision: str, pair: PositionPair, plan: Plan, stakes: Stakes, memory_bytes: int
) -> Literal["float64", "int16"]:
    needed: dict[Literal["float64", "int16"], int] = {
        "float64": pair.graph_bytes + plan.n_bytes,
        # The table and V, and with gammons another table.
        "int16": pair.graph_bytes
        + _int16_pairs(pair)[1] * len(Plane) * 2 * (3 if stakes.rules.gammons and pair.has_gammons else 2),
    }
    chosen: Literal["float64", "int16"] = "int16"
    if precision == "float64" or (precision == "auto" and needed["float64"] <= min(memory_bytes, _FLOAT64_BELOW)):
        chosen = "float64"
    if needed[chosen] > memory_bytes:
        remedy = "allow more, or let precision be auto, which is as close as memory allows"
        if chosen == "float64" and needed["int16"] <= memory_bytes:
            remedy = f"use int16, which needs {memory_text(needed['int16'])}"
        raise MemoryLimitError(
            f"these positions lead to {pair.pairs:,} pairs for either side on roll, {memory_text(needed[chosen])} "
            f"in {chosen}; {allowed_text(memory_bytes)}: {remedy}"
        )
    return chosen


def _int16_pairs(pair: PositionPair) -> tuple[bool, int]:
    """Whether to solve the union of both sides' positions, and how many ordered pairs that makes."""
    if pair.union_pairs is not None and pair.union_pairs < 2 * pair.pairs:
        return True, pair.union_pairs
    return False, 2 * pair.pairs


class _TurnsPair:
    """A pair solved turn by turn: a `PairAnswers`."""

    def __init__(self, answer: TurnsAnswer) -> None:
        self._answer = answer

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        return self._values(self._answer.now(), self._answer.places())

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        """See `PairAnswers.after`."""
        return self._values(*self._answer.after_in_places(results, roll))

    def win_probability(self) -> float:
        """See `PairAnswers.win_probability`."""
        return self._answer.chances.win

    def gammons(self) -> Gammons:
        """See `PairAnswers.gammons`."""
        chances = self._answer.chances
        return Gammons(
            chances.gammon_win,
            chances.gammon_loss,
            chances.backgammon_win,
            chances.backgammon_loss,
            self._method,
        )

    @property
    def _method(self) -> str:
        return "solved" if self._answer.method == "exact" else "turns"

    def _values(self, rows: Floats, places: Floats) -> Values:
        error = 0.0 if self._answer.method == "exact" else self._answer.error
        states = {
            cube: CubeState(_view(views[0]), (_turned(views[1]), _turned(views[2])))
            for cube, views in zip(_TURNS_CUBES, places, strict=True)
            if views[0][0] >= 0
        }
        return Values(rows, states, self._method, error)


def _view(row: Floats) -> View:
    return View(int(row[0]), float(row[1]), float(row[2]))


def _turned(row: Floats) -> View | None:
    return _view(row) if row[0] >= 0 else None


class Float64Pair:
    """A pair solved in double precision: a `PairAnswers`."""

    def __init__(
        self,
        solved: SolvedPair,
        places: Mapping[Cube, CubeState],
        win: int,
        gammons: tuple[int | None, int | None],
    ) -> None:
        self._solved, self._places = solved, places
        self._win_plane, self._gammon_planes = win, gammons
        row = solved.now()
        self._win = (1 + float(row[win])) / 2
        won, lost = (None if plane is None else abs(float(row[plane] - row[win])) for plane in gammons)
        self._gammons = Gammons(won, lost, None, None, "solved")

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        return Values(self._solved.now(), self._places, "solved", of_any_roll=True)

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        """See `PairAnswers.after`."""
        return Values(np.stack([self._solved.answers(result) for result in results]), self._places, "solved")

    def win_probability(self) -> float:
        """See `PairAnswers.win_probability`."""
        return self._win

    def gammons(self) -> Gammons:
        """See `PairAnswers.gammons`."""
        return self._gammons

    def later(self, on_roll: Position, opponent: Position, swapped: bool, total: float) -> Float64Pair:
        """The same of a pair that this one can come to.

        Parameters
        ----------
        on_roll, opponent : Position
        swapped : bool
            Whether the player on roll is the one who was not.
        total : float
            What the values of both sides add up to.

        Raises
        ------
        PositionError
            If this pair cannot come to it.
        """
        places, planes = self._places, self._gammon_planes
        if swapped:
            places = {_OTHER_PLACE[cube]: _seen_by_other(state, total) for cube, state in places.items()}
            planes = planes[::-1]
        return Float64Pair(self._solved.later(on_roll, opponent, int(swapped)), places, self._win_plane, planes)


def _seen_by_other(state: CubeState, total: float) -> CubeState:
    """A place of the cube as the opponent sees it, once they are on roll."""

    def view(one: View | None) -> View | None:
        return None if one is None else View(one.plane, total - one.middle, one.scale)

    now = view(state.now)
    assert now is not None
    return CubeState(now, (view(state.turned[1]), view(state.turned[0])))


class _Int16Pair:
    """A pair solved in 16 bits, for money: a `PairAnswers`."""

    def __init__(self, pair: PositionPair, rules: Rules, n_threads: int) -> None:
        self._pair, self._graphs = pair, pair.graphs(_int16_pairs(pair)[0], n_threads)
        gammons = rules.gammons and pair.has_gammons
        self._scale = 16380 if gammons else 32760
        self._tables = self._run(gammons, 1 << Plane.CENTERED if rules.jacoby else 0, n_threads)
        self._wins = self._run(gammons, 1 << Plane.CUBELESS, n_threads) if gammons else self._tables
        self._start = (pair.rank(self._graphs, 0, pair.sides[0]), pair.rank(self._graphs, 1, pair.sides[1]))

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        return self._values(self._tables[0][self._start])

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        """See `PairAnswers.after`."""
        ranks = [self._pair.rank(self._graphs, 0, result) for result in results]
        # What is mine is theirs to the opponent.
        return self._values(self._tables[-1][self._start[1], ranks][:, SEEN_BY_OTHER])

    def win_probability(self) -> float:
        """See `PairAnswers.win_probability`."""
        return (1 + float(self._wins[0][self._start][Plane.CUBELESS]) / self._scale) / 2

    def gammons(self) -> Gammons:
        """See `PairAnswers.gammons`."""
        on_roll, opponent = self._pair.sides
        if on_roll.checkers == opponent.checkers:
            return estimated_gammons(on_roll, opponent)
        difference = (self._tables[0][self._start] - self._wins[0][self._start])[Plane.CUBELESS] / self._scale
        return Gammons(max(difference, 0.0), max(-difference, 0.0), None, None, "solved")

    def _values(self, rows: npt.NDArray[np.int16]) -> Values:
        values: Floats = rows / self._scale
        return Values(values, MONEY_PLACES, "solved", precision="int16", of_any_roll=True)

    def _run(self, gammons: bool, single_planes: int, n_threads: int) -> list[npt.NDArray[np.int16]]:
        a, b = (*self._graphs, None)[:2]
        assert a is not None
        tables = [
            np.empty((len(x), len(y), len(Plane)), np.int16) for x, y in ([(a, a)] if b is None else [(a, b), (b, a)])
        ]
        kernel.solve(
            a,
            b,
            tables[0],
            None if b is None else tables[1],
            self._scale,
            gammon_checkers=GAMMON_CHECKERS if gammons else 0,
            single_planes=single_planes,
            n_threads=n_threads,
        )
        return tables
