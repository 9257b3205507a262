"""Ask the C solver about races, one or many, and wrap its answers."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from math import isnan
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar, overload

from bgrace._base.arrays import as_choice, as_rows, check_flags, check_open
from bgrace._base.limits import DEFAULT_LIMITS, DEFAULT_SECONDS, PAIR_MEMORY, Limits
from bgrace._kernels import answer as kernel
from bgrace._kernels.lazy_numpy import np
from bgrace.answers import Bounds, Gammons, Solution, Solutions, Values
from bgrace.answers.protocol import Pairs
from bgrace.answers.reasons import solver
from bgrace.board import MAX_POINTS, Board, Position, PositionLike
from bgrace.board.dice import parse_roll
from bgrace.board.position import check_no_contact, check_race, counts_of
from bgrace.board.text import parse_sides, read_text
from bgrace.cube.action import Cube
from bgrace.errors import ArgumentError, BgraceError, CoverageError, PositionError
from bgrace.match.maps import too_large
from bgrace.match.score import Score
from bgrace.match.stakes import Stakes

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future


MIN_MEMORY: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Question:
    """A race, its stakes, and the limits of its answer."""

    on_roll: Position
    opponent: Position
    stakes: Stakes
    cube: Cube | None = None
    """As in `bgrace.Solution.cube`; None for the default place."""
    roll: tuple[int, int] | None = None
    every_roll: bool = False
    way: kernel.Way = "any"
    limits: Limits = DEFAULT_LIMITS
    database: Pairs | None = None
    """Used first, for money, if `way` is "any"; the solution of longer races ends in its pairs."""
    prove: bool = False
    """Whether to prove bounds as well."""

    def solution(self) -> Solution:
        """Answer the question: from the database if it has the answer, else by solving the race on the spot.

        Raises
        ------
        MemoryLimitError
            If all pairs are asked for, and do not fit into the memory, or a position has no index.
        PositionError
            If the sides still have contact, or both are off; with `prove`, if one is.
        """
        if (stored := self._stored()) is not None:
            return stored
        is_one_off = bool(self.on_roll.checkers) != bool(self.opponent.checkers)
        (check_no_contact if is_one_off and not self.prove else check_race)(self.on_roll, self.opponent)
        try:
            answer = self.ask(self.roll, self.every_roll)
        except kernel.MemoryNeededError as needs:
            if not needs.args[0]:  # a side has no index for all pairs; but a race of few turns is exact by turns
                by_turns = replace(self, way="any", database=None).solution()
                if by_turns.method == "solved":
                    return by_turns
            sides = self.on_roll, self.opponent
            raise too_large(sides, needs, self.limits.memory_bytes, "leave out exact") from None
        assert answer is not None, "only the way 'few' may give none"
        bounds = self._bound(answer) if self.prove else None
        answers = SolvedPair(self, answer)
        return Solution(self.on_roll, self.opponent, self.stakes, answers, self.cube, self.roll, bounds=bounds)

    def _pairs(self) -> Pairs | None:
        """The database, if it is to be used."""
        return self.database if self.way == "any" and self.stakes.score is None else None

    def _stored(self) -> Solution | None:
        """The answer of the database; None unless it is complete."""
        pairs = self._pairs()
        if pairs is None or self.prove:
            return None
        try:
            stored = pairs.solution(self.on_roll, self.opponent, self.stakes)
        except (CoverageError, PositionError):
            return None
        return None if stored.missing is not None else replace(stored, _cube=self.cube, roll=self.roll)

    def _bound(self, answer: kernel.Answer) -> Bounds | None:
        """Prove bounds, and move the values of an answer into them."""
        proof = self.proof(verdict=True)
        bounds = Bounds.of(proof, self.stakes.cubes)
        if bounds is not None:
            answer.bound(proof, self.cube or self.stakes.default_cube)
        return bounds

    def ask(self, roll: tuple[int, int] | None = None, every_roll: bool = False) -> kernel.Answer | None:
        """Let the C library answer, with every play of a roll or of all rolls.

        None if the way is "few", and there are too many pairs.  kernel.MemoryNeededError if all pairs do not fit.
        """
        pairs = self._pairs()
        least = 1 if self.way == "all pairs" else MIN_MEMORY
        return solver().ask(
            counts_of(self.on_roll),
            counts_of(self.opponent),
            self.stakes.kernel,
            self.way,
            self.limits.seconds,
            max(self.limits.memory_bytes, least),
            n_threads=self.limits.n_threads,
            dice=(0, 0) if roll is None else (max(roll), min(roll)),
            rolls=every_roll,
            boundary=None if pairs is None else pairs.boundary,
        )

    def solve_few(self) -> SolvedPair | None:
        """Solve the race exactly with all pairs that it can come to; None if that takes more memory than allowed.

        Examples
        --------
        >>> from bgrace.board import parse_position
        >>> end = Question(parse_position("5x2 6x1"), parse_position("4x2"), Stakes.money()).solve_few()
        >>> later = end.later(parse_position("4x2"), parse_position("5x1"), Stakes.money(), swapped=True)
        >>> round(later.win_probability, 4)
        0.3999
        """
        check_race(self.on_roll, self.opponent)
        answer = replace(self, way="few").ask()
        return None if answer is None else SolvedPair(self, answer)

    def proof(self, verdict: bool = False) -> kernel.Proof:
        """Prove bounds, as narrow as seconds and memory allow; with `verdict`, stop once they prove the verdict."""
        counts, limits = (counts_of(self.on_roll), counts_of(self.opponent)), self.limits
        memory_bytes = max(limits.memory_bytes, MIN_MEMORY)
        place = (self.cube or self.stakes.default_cube) if verdict else None
        return solver().prove(*counts, self.stakes.kernel, limits.seconds, memory_bytes, limits.n_threads, place=place)


class SolvedPair:
    """A pair solved on the spot: a `PairAnswers`."""

    def __init__(self, question: Question, answer: kernel.Answer) -> None:
        self._question, self._answer = question, answer
        info = answer.info()
        self.by_turns: bool = answer.way == "turns"
        self._method = "solved" if info.exact else "turns" if self.by_turns else "estimate"
        self._error: float = 0.0 if info.exact else info.error
        self._with_plays: dict[tuple[int, int] | None, kernel.Answer] = {}
        """Answers with every play of a roll; with the key None, of every roll."""

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        return replace(self._values(self._answer, self._answer.now()), answer=self._answer)

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        """See `PairAnswers.after`.

        An answer by turns lacks results that were too poor to be compared: if one is needed, the race is solved again
        with every play of the roll.
        """
        counts = as_rows(array("b", chain.from_iterable(map(counts_of, results))), MAX_POINTS)
        dice = (max(roll), min(roll))
        answers = (self._answer, self._with_plays.get(dice), self._with_plays.get(None))
        for answer in answers:
            if answer is not None:
                with suppress(CoverageError):
                    return self._values(answer, answer.after(counts))
        # After a second roll, more are likely to follow, so all rolls are solved.
        key = None if self._with_plays else dice
        again = self._question.ask(dice, every_roll=key is None)
        assert again is not None
        self._with_plays[key] = again
        return self._values(again, again.after(counts))

    def win_probability(self) -> float:
        """See `PairAnswers.win_probability`."""
        return self._answer.chances().win

    def gammons(self) -> Gammons:
        """See `PairAnswers.gammons`."""
        chances = (None if isnan(chance) else chance for chance in self._answer.chances())
        _, win, backgammon_win, loss, backgammon_loss, _ = chances
        return Gammons(win, loss, backgammon_win, backgammon_loss, self._method)

    def later(self, on_roll: Position, opponent: Position, stakes: Stakes, *, swapped: bool) -> Solution:
        """The solution of a pair that the race comes to, from the same table of all pairs.

        `stakes` are those of the race, seen by the player who is on roll in that pair; `swapped`: whether this player
        was the opponent when the race was solved.

        Raises
        ------
        PositionError
            If the race cannot come to the pair, or was not solved with all pairs.
        """
        try:
            answer = self._answer.follow(counts_of(on_roll), counts_of(opponent), swapped)
        except CoverageError:
            raise PositionError(f"the race does not come to {on_roll} against {opponent}") from None
        return Solution(on_roll, opponent, stakes, SolvedPair(self._question, answer))

    def _values(self, answer: kernel.Answer, rows: array[float] | memoryview[float]) -> Values:
        return Values(
            rows,
            answer.cubes(),
            self._method,
            self._error,
            of_any_roll=not self.by_turns,
            chances=lambda result: answer.move_chances(counts_of(result)),
        )


_MAX_WAITING: Final = 64
"""Races that are given to an executor before the first solution is taken."""

_Given: TypeAlias = Board | str | tuple[PositionLike, PositionLike] | list[str] | list[list[int]]
"""Forms of a race: an ID or board, or both sides; these are in a list if they come from JSON."""

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

    The solution is exact if time and memory allow; else both sides are carried forward turn by turn, as close to exact
    as the limits allow.  `Solution.method` names the way, `Solution.error` the error.  No race is refused.

    Parameters
    ----------
    on_roll, opponent : position
        Counts, ace point first, or text.  An ID of both sides, or a `Board`, is given alone: it is answered at its own
        score, cube, Crawford game and Jacoby rule, unless `stakes` or `match` is given.
    stakes : Stakes, optional
        The rules in force: by default those of an ID, or money, with gammons and without the Jacoby rule.
    match : Score, optional
        Short for ``stakes=Stakes.at(match)``: the needs of both sides, with a cube of 1.
    roll : str or pair of int, optional
        Dice whose plays will be needed: by default those of an ID; ``"all"`` for all rolls.  If the race is solved turn
        by turn, all their plays are then compared at once, and not when they are first needed.
    exact : bool
        Whether to solve all pairs that the sides can come to, however long it takes, or all plays of few turns.
    prove : bool
        Whether to prove bounds for every value as well: `Solution.bounds`.  Within another `seconds` they are narrowed
        until the verdict is proved.
    database : Database, optional
        A race that it has is not solved again, and other races for money end in its pairs.
    seconds : float
        Approximate computing time on a common processor, unless `exact`; a million at most.  The answer does not depend
        on the machine.
    memory_bytes : int
        The most memory to use.
    threads : int, optional
        By default one per processor.  The result does not depend on it.

    Returns
    -------
    Solution
        At a match score its values are chances to win the match, with normalised equities in addition.

    Raises
    ------
    ArgumentError
        If an argument is not valid, or there are both `stakes` and `match`.
    MemoryLimitError
        If an exact solution does not fit into the memory; nothing has been computed then.  Or if a side has too many
        checkers too far out for an exact solution, and the race does not end in few turns.
    PositionError
        If a position cannot be read, the sides still have contact, or both are off; with `prove`, if one is.
    RollError
        If `roll` is not a roll.

    Notes
    -----
    An exact solution solves every pair of a position that one side can come to and one that the other can, for either
    side on roll: Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 4, on real positions.
    ``csrc/answer/by_pairs.c`` chooses the way; ``csrc/solve/pairs.h`` and ``csrc/solve/exact.c`` solve all pairs,
    ``csrc/turns/pairs.c`` solves by turns.

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
    check_flags(exact=exact, prove=prove)
    race = _race(on_roll, opponent, Stakes.given(stakes, match))
    every_roll = isinstance(roll, str) and roll == "all"
    dice = race.roll if roll is None or every_roll else parse_roll(roll)
    if database is not None:
        check_open(database)
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
        Boards and IDs are answered at their own stakes.  Races are read when they are needed: there may be more than
        fit into memory.
    stakes : Stakes, optional
        Stakes of every race, instead of those of IDs and boards; by default a pair of positions is played for money.
    match : Score, optional
        Short for ``stakes=Stakes.at(match)``.
    seconds, memory_bytes : float, int
        Limits of each race, as for `solve`; the memory is divided by the number of threads.
    threads : int, optional
        By default one per processor.
    executor : concurrent.futures.Executor, optional
        Solves races instead of threads: processes, or workers elsewhere, as of Dask and MPI.  Then every race may use
        all of the memory, and a solution comes with all its answers, which takes longer.
    errors : {"raise", "return"}
        The treatment of a race that cannot be answered: its error is raised, and ends the iterator; or it is returned
        in place of the solution, and the next races are answered.  An exception of the iterable itself ends both.

    Returns
    -------
    Solutions, or iterator of Solution and BgraceError
        An iterator of Solution in the order of the races, and a table; threads and executors give the same, at the same
        memory for each race.  With ``errors="return"`` an iterator of solutions and errors.

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
    as_choice("errors", errors, ("raise", "return"))
    if isinstance(races, (Board, str)) or not np.iterable(races):
        raise ArgumentError(f"races={races!r:.80} is a single one: give a list of races")
    limits, known = Limits(seconds, memory_bytes, threads), Stakes.given(stakes, match)
    if errors == "return":
        return _solve_in_order(races, partial(_solve_or_error, known), limits, executor)
    return Solutions(_solve_in_order(races, partial(_solve_one, known), limits, executor))


def _solve_in_order(
    races: Iterable[_Given],
    solve_one: Callable[[Limits, _Given], _Answer],
    limits: Limits,
    executor: Executor | None,
) -> Generator[_Answer]:
    """Solve races while solutions are taken."""
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
    """Yield solutions in order, with at most `n_waiting` races submitted ahead."""
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


def _solve_one(stakes: Stakes | None, limits: Limits, given: _Given) -> Solution:
    """Solve one race on one thread, here or in another process."""
    sides = (given, None) if isinstance(given, (Board, str)) else given
    if not isinstance(sides, (tuple, list)) or len(sides) != 2:
        raise ArgumentError(f"{given!r:.80} is not a race: give an ID, a board, or a pair of positions")
    on_roll, opponent = sides
    return replace(_race(on_roll, opponent, stakes), limits=limits).solution()


def _solve_or_error(stakes: Stakes | None, limits: Limits, given: _Given) -> Solution | BgraceError:
    """Solve one race, or return the error if it cannot be answered."""
    try:
        return _solve_one(stakes, limits, given)
    except BgraceError as error:
        return error


def _race(on_roll: PositionLike | Board, opponent: PositionLike | None, stakes: Stakes | None) -> Question:
    """Read a question; by default the stakes are those of an ID, or money."""
    if opponent is None:
        board = read_text(on_roll) if isinstance(on_roll, str) else on_roll
        if not isinstance(board, Board):
            raise ArgumentError("opponent is missing: give both sides, or an ID of both")
        known = Stakes.of(board) if stakes is None else stakes
        # With other stakes, the cube may not be where the ID has it.
        return Question(board.on_roll, board.opponent, known, known.check_cube(None, board.cube), board.roll)
    return Question(*parse_sides(on_roll, opponent), Stakes.money() if stakes is None else stakes)
