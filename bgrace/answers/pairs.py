"""A race solved on the spot, or answered by a database as far as it goes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar, overload

from bgrace._base.limits import DEFAULT_SECONDS, PAIR_MEMORY, Limits
from bgrace.answers import Solution, Solutions
from bgrace.answers.protocol import Pairs
from bgrace.answers.question import Question
from bgrace.board import Board, PositionLike, parse_board, parse_position
from bgrace.board.dice import parse_roll
from bgrace.errors import ArgumentError, BgraceError
from bgrace.match.score import Score
from bgrace.match.stakes import Stakes

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future


_MAX_WAITING: Final = 64
"""Races that are given to an executor before the first of them is asked for."""

_Given: TypeAlias = Board | str | tuple[PositionLike, PositionLike]
"""How a race can be given: an ID or board, or both sides."""

_Answer = TypeVar("_Answer")
_Asked = TypeVar("_Asked")


def solve(
    on_roll: PositionLike | Board,
    opponent: PositionLike | None = None,
    stakes: Stakes | None = None,
    *,
    match: Score | None = None,
    roll: str | Iterable[int] | None = None,
    exact: bool = False,
    prove: bool = False,
    database: Pairs | None = None,
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
        score, the cube, the Crawford game and the Jacoby rule that it names, unless `stakes` or `match` is given.
    stakes : Stakes, optional
        The rules in force: those of an ID, or money, where gammons count and the Jacoby rule does not, unless given.
    match : Score, optional
        Short for ``stakes=Stakes.at(match)``: what both sides need, with a cube of 1.
    roll : str or pair of int, optional
        Dice whose plays will be asked for: those that an ID names, unless given; ``"all"`` for all of them.  Where the
        race is solved turn by turn, all their plays are compared at once, and not when they are asked for.
    exact : bool
        Whether to solve all pairs that the sides can come to, however long it takes.
    prove : bool
        Whether to prove bounds for every value as well: `Solution.bounds`.  They get narrower, within another
        `seconds`, until the verdict is proved.
    database : Database, optional
        What has the answer need not be solved, and races for money end in its pairs.
    seconds : float
        About how long to compute on a common processor, unless `exact`; a million at most.  The answer does not depend
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
        If an argument is not what it should be, or there are both `stakes` and `match`.
    MemoryLimitError
        If an exact solution is asked for that does not fit into the memory; nothing has been computed then.
    PositionError
        If a position cannot be read, a side has no checker left, or the sides still have contact.
    RollError
        If `roll` is not a roll.

    Notes
    -----
    Exact: every pair of a position that one side can come to and one that the other can is solved, for either side on
    roll: Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 4, on real positions.  The
    choice is made in ``csrc/answer/by_pairs.c``; order and operator stand in ``csrc/solve/pairs.h`` and
    ``csrc/solve/exact.c``, turns in ``csrc/turns/pairs.c``.

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
    race = _race(on_roll, opponent, Stakes.given(stakes, match))
    every_roll = isinstance(roll, str) and roll == "all"
    dice = race.roll if roll is None or every_roll else parse_roll(roll)
    return replace(
        race,
        roll=dice,
        every_roll=every_roll,
        way="all pairs" if exact else "any",
        limits=Limits(seconds, memory_bytes, threads),
        database=database,
        prove=prove,
    ).solution()


@overload
def solve_many(
    races: Iterable[_Given],
    stakes: Stakes | None = ...,
    *,
    match: Score | None = ...,
    seconds: float = ...,
    memory_bytes: int = ...,
    threads: int | None = ...,
    executor: Executor | None = ...,
    errors: Literal["raise"] = ...,
) -> Solutions: ...


@overload
def solve_many(
    races: Iterable[_Given],
    stakes: Stakes | None = ...,
    *,
    match: Score | None = ...,
    seconds: float = ...,
    memory_bytes: int = ...,
    threads: int | None = ...,
    executor: Executor | None = ...,
    errors: Literal["return"],
) -> Iterator[Solution | BgraceError]: ...


def solve_many(
    races: Iterable[_Given],
    stakes: Stakes | None = None,
    *,
    match: Score | None = None,
    seconds: float = DEFAULT_SECONDS,
    memory_bytes: int = PAIR_MEMORY,
    threads: int | None = None,
    executor: Executor | None = None,
    errors: Literal["raise", "return"] = "raise",
) -> Solutions | Iterator[Solution | BgraceError]:
    """Solve races one after another on every processor, each at its own stakes.

    Parameters
    ----------
    races : iterable of Board, ID or pair of positions
        Boards and IDs are answered under the stakes that they name.  Read as they are needed: there may be more than
        fit into memory.
    stakes : Stakes, optional
        Of every race, whatever IDs say; money for a pair of positions, unless given.
    match : Score, optional
        Short for ``stakes=Stakes.at(match)``.
    seconds, memory_bytes : float, int
        Of each race, as for `solve`; the memory is shared by as many races as there are threads.
    threads : int, optional
        As many as there are processors, unless given.
    executor : concurrent.futures.Executor, optional
        What solves instead of threads: processes, or workers elsewhere, as Dask and MPI have them.  Then the memory is
        that of each race, and a solution comes with everything that can be asked of it, which takes longer.
    errors : {"raise", "return"}
        What becomes of a race that cannot be answered: its error is raised, and ends the iterator; or it stands in the
        place of the solution, and the races after it are answered.

    Returns
    -------
    Solutions, or iterator of Solution and BgraceError
        An iterator of Solution in the order of the races, and a table; the same whatever solves them, given the same
        memory for each.  With ``errors="return"`` an iterator of solutions and errors.

    Raises
    ------
    ArgumentError, PositionError
        As for `solve`, when the race's turn comes.

    Examples
    --------
    >>> races = ["XGID=-----AA-------------aa----:0:0:1:00:0:0:0:5:10", ("5x1 6x1", "4x1 5x1")]
    >>> [f"{solution.stakes}: {solution.cube_action().verdict}" for solution in solve_many(races)]
    ['5-away, 5-away, cube 1: double/take', 'money: double/take']
    >>> [type(answer).__name__ for answer in solve_many(["no race", ("6x1", "5x1")], errors="return")]
    ['PositionError', 'Solution']
    """
    if errors not in ("raise", "return"):
        raise ArgumentError(f"errors={errors!r:.80} is unknown: give 'raise' or 'return'")
    limits, known = Limits(seconds, memory_bytes, threads), Stakes.given(stakes, match)
    if errors == "return":
        return _solving(races, partial(_solved_or_error, known), limits, executor)
    return Solutions(_solving(races, partial(_solved, known), limits, executor))


def _solving(
    races: Iterable[_Given],
    solve_one: Callable[[Limits, _Given], _Answer],
    limits: Limits,
    executor: Executor | None,
) -> Generator[_Answer]:
    """Solve races as they are asked for."""
    if executor is not None:
        yield from streamed(races, partial(solve_one, replace(limits, threads=1)), executor, _MAX_WAITING)
        return
    n_threads = limits.n_threads
    share = replace(limits, memory_bytes=limits.memory_bytes // n_threads, threads=1)
    from bgrace._base.processes import thread_pool  # noqa: PLC0415  (takes a while)

    with thread_pool(n_threads) as pool:
        yield from streamed(races, partial(solve_one, share), pool, 4 * n_threads)


def streamed(
    races: Iterable[_Asked], solve_one: Callable[[_Asked], _Answer], executor: Executor, n_waiting: int
) -> Iterator[_Answer]:
    """Solve races in order, with a few of them waiting at a time."""
    waiting: deque[Future[_Answer]] = deque()
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


def _solved(stakes: Stakes | None, limits: Limits, given: _Given) -> Solution:
    """Solve one race on one thread, here or in another process."""
    sides: tuple[PositionLike | Board, PositionLike | None] = given if isinstance(given, tuple) else (given, None)
    return replace(_race(*sides, stakes), limits=limits).solution()


def _solved_or_error(stakes: Stakes | None, limits: Limits, given: _Given) -> Solution | BgraceError:
    """Solve one race, or say why it cannot be answered."""
    try:
        return _solved(stakes, limits, given)
    except BgraceError as error:
        return error


def _race(on_roll: PositionLike | Board, opponent: PositionLike | None, stakes: Stakes | None) -> Question:
    """Read a question; an ID has stakes unless they are given."""
    if opponent is None:
        if not isinstance(on_roll, (Board, str)):
            raise ArgumentError("opponent is missing: give both sides, or an ID of both")
        board = parse_board(on_roll) if isinstance(on_roll, str) else on_roll
        known = Stakes.of(board) if stakes is None else stakes
        # A cube of other stakes may not be where the ID has it.
        return Question(board.on_roll, board.opponent, known, known.check_cube(None, board.cube), board.roll)
    if isinstance(on_roll, Board):
        raise ArgumentError("a board has both sides: leave out opponent")
    return Question(parse_position(on_roll), parse_position(opponent), Stakes.money() if stakes is None else stakes)
