"""The questions of a review to the solver, and the kept answers: plain, the same wherever they are computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from typing import Final, TypeAlias

from bgrace._base.limits import Limits
from bgrace.answers import Phrase, Solution
from bgrace.answers.protocol import ChancesFound
from bgrace.answers.question import Question as Race
from bgrace.answers.question import SolvedPair
from bgrace.board import Board, Position
from bgrace.board.game_state import MAX_CUBE_VALUE
from bgrace.counts.judged import Culprit, judge_counts
from bgrace.cube.action import Cube, Verdict, decide
from bgrace.errors import BgraceError, PositionError
from bgrace.match.met import MatchEquityTable, checked_table
from bgrace.match.stakes import Stakes

DEFAULT_SECONDS: Final = 0.3
"""Seconds for each position that cannot be solved exactly in that time."""

GLANCE: Final = 0.1
"""Seconds for a first look at such a position; only decisions that it leaves open get a longer look."""

_LONG: Final = 80
"""Pips of both sides above which a race is hardly ever solved exactly in a fraction of a second."""

_DIGITS: Final = 10
"""Digits kept: beyond any stated error, short enough to hide the order of summation."""


@dataclass(frozen=True, slots=True)
class Question:
    """A race before a roll, and the roll.

    Attributes
    ----------
    board : Board
        With a double offered if one was made: what it is worth is asked then even if it is of no use.
    player : int
        Who is on roll, 0 or 1: match equity tables are seen by player 0.
    no_cube : bool
        Whether the game is played without a cube.
    """

    board: Board
    player: int = 0
    no_cube: bool = False

    def stakes(self, met: MatchEquityTable | None = None) -> Stakes:
        """The stakes, as the player on roll sees them."""
        table = checked_table(met)
        return Stakes.of(self.board, table.mirrored if self.player else table)

    def place(self, stakes: Stakes) -> Cube:
        """Cube position; the default if the stated one is impossible at this score."""
        return "none" if self.no_cube else stakes.check_cube(None, self.board.cube)


Run: TypeAlias = tuple[Question, ...]
"""Questions of one game, in order."""


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """A play of the roll: the position that it leaves, its value to the player who made it, and chances where known."""

    play: str
    position: Position
    value: float
    chances: ChancesFound | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question.

    Values are chances to win the match, or points per unit of the cube for money, for the player on roll.

    Attributes
    ----------
    no_double : float
        Worth of rolling now.
    double_take, double_pass : float, or None
        As in `bgrace.cube.action.CubeAction`; None where the player may not double.
    plays : tuple of RankedPlay
        Best first.
    win_probability : float
        Of the game, without a cube.
    verdict : str
        As `bgrace.cube.action.CubeAction.verdict`.
    method : str
    error : float
        As `bgrace.Solution.error`: points per unit of the cube.
    double, take : tuple of Phrase
        Why, of the decision of either side; empty where there is no cube to turn.
    wrong_counts : mapping of str to mapping of str to Culprit
        By count, as of `bgrace.counts.CountAnalysis`.
    """

    no_double: float
    double_take: float | None
    double_pass: float | None
    plays: tuple[RankedPlay, ...]
    win_probability: float
    verdict: Verdict
    method: str
    error: float
    double: tuple[Phrase, ...] = ()
    take: tuple[Phrase, ...] = ()
    wrong_counts: Mapping[str, Mapping[str, Culprit]] = field(default_factory=dict)


Answers: TypeAlias = Mapping[Question, Answer | str]
"""Answers to questions, or why there are none."""


@lru_cache(maxsize=4096)
def answer_run(
    run: Run, met: MatchEquityTable | None = None, seconds: float = DEFAULT_SECONDS, *, closer: bool = False
) -> tuple[Answer, ...]:
    """Solve questions that come up one after another in a game, on one thread.

    A position that cannot be solved exactly in that many seconds gets all of them if `closer`, else only a first look.
    Answers are kept, so that a second review of a match is quick.

    Examples
    --------
    >>> question = Question(Board(Position((0, 0, 0, 0, 1, 1)), Position((0, 0, 0, 1, 1)), roll=(2, 1)))
    >>> (known,) = answer_run((question,))
    >>> known.no_double, known.plays[0].play
    (0.4037613359, '6/3')
    """
    answers = []
    limits = Limits(seconds, threads=1)
    by_turns = seconds if closer else min(seconds, GLANCE)
    end: SolvedPair | None = None
    solved_for = (-1, Stakes.money())
    for question in run:
        stakes, player = question.stakes(met), question.player
        sides = question.board.on_roll, question.board.opponent
        seen = stakes if player == solved_for[0] else stakes.swapped
        solution = None
        if end is not None and seen == solved_for[1]:
            with suppress(PositionError):
                solution = end.later(*sides, stakes, swapped=player != solved_for[0])
        if solution is None:
            race = Race(*sides, stakes, roll=question.board.roll, limits=limits)
            end, solved_for = race.solve_few(), (player, stakes)
            if end is not None:
                solution = end.later(*sides, stakes, swapped=False)
            else:
                solution = replace(race, way="turns", limits=replace(limits, seconds=by_turns)).solution()
        answers.append(_answer(question, stakes, solution, limits))
    return tuple(answers)


def known_answers(
    run: Run, *, met: MatchEquityTable | None, seconds: float, closer: bool = False
) -> dict[Question, Answer | str]:
    """Solve questions as `answer_run` does; if one of them fails, solve each by itself.

    A question that fails has the reason in the place of an answer.  At a closer look it has nothing, since the answer
    of the first look holds.
    """
    known: dict[Question, Answer | str] = {}
    try:
        known.update(zip(run, answer_run(run, met, seconds, closer=closer), strict=True))
    except Exception as error:
        if len(run) > 1:
            for one in run:
                known |= known_answers((one,), met=met, seconds=seconds, closer=closer)
        elif not closer:
            known[run[0]] = reason(error)
    return known


def reason(error: Exception) -> str:
    """The reason of a failure; for an error that is not one of bgrace, with its class."""
    return str(error) if isinstance(error, BgraceError) else f"{type(error).__name__}: {error}"


def runs_of(run: Run) -> Iterator[Run]:
    """Cut the questions of a game into pieces that can be answered at the same time, at little more work.

    Long races are answered one by one; from where they are short, one solution answers the rest.
    """
    for _, stretch in groupby(run, key=lambda one: one.board.cube_value):
        listed = list(stretch)
        pips = [one.board.on_roll.pips + one.board.opponent.pips for one in listed]
        short = next((k for k, both in enumerate(pips) if both <= _LONG), None)
        yield from ((one,) for one in listed[:short])
        if short is not None:
            yield tuple(listed[short:])


def _answer(question: Question, stakes: Stakes, solution: Solution, limits: Limits) -> Answer:
    def kept(value: float) -> float:
        # Estimates are rounded on the way, and may lie a hair outside of what a chance can be.
        inside = value if stakes.score is None else min(max(value, 0.0), 1.0)
        return round(inside, _DIGITS) + 0.0

    cube = question.place(stakes)
    action = solution.cube_action(cube)
    if action.double_take is None and question.board.double_offered:
        # It gave away a cube that had won the match already: no play of the game as solved has the value of a take.
        doubled = replace(stakes, cube_value=min(2 * stakes.cube_value, MAX_CUBE_VALUE))
        taken = Race(solution.on_roll, solution.opponent, doubled, limits=limits).solution().cube_action("theirs")
        action = decide(action.no_double, taken.no_double, stakes.payoff(1))
    plays = [] if question.board.roll is None else solution.best_plays(question.board.roll, cube)
    reasons = solution.reasons_at(cube)
    return Answer(
        kept(action.no_double),
        None if action.double_take is None else kept(action.double_take),
        None if action.double_pass is None else kept(action.double_pass),
        tuple(
            RankedPlay(p.play, p.position, kept(p.equity if p.mwc is None else p.mwc), chances)
            for p, chances in zip(plays, solution.chances_after(plays), strict=True)
        ),
        round(solution.win_probability, _DIGITS),
        action.verdict,
        solution.method,
        solution.error,
        () if reasons is None else reasons.double.phrases,
        () if reasons is None else reasons.take.phrases,
        {} if reasons is None else judge_counts(solution).culprits,
    )
