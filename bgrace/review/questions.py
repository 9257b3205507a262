"""What a review asks of the solver, and what it keeps of the answers: plain, the same wherever they are computed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bgrace._base.memory import PAIR_MEMORY
from bgrace.board import Board, Position
from bgrace.board.game_state import CubePlace
from bgrace.cube.action import Cube, Verdict
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score
from bgrace.match.stakes import Rules, Stakes
from bgrace.solving.pairs import solve

__all__ = ["DEFAULT_SECONDS", "Answer", "Question", "RankedPlay", "answer", "answer_all"]

DEFAULT_SECONDS: Final = 0.3
"""Of computing, for each position that cannot be solved exactly in that time."""

_DIGITS: Final = 10
"""To which values are kept: more than any of them is sure of, few enough that the way to a sum does not show."""


@dataclass(frozen=True, slots=True)
class Question:
    """A race before a roll, and the roll.

    Attributes
    ----------
    on_roll, opponent : Position
    away : tuple of two int, or None
        Points that both need, player on roll first; None for money.
    crawford : bool
    cube_value : int
    cube : str
    jacoby, beavers : bool
    roll : tuple of two int, or None
    """

    on_roll: Position
    opponent: Position
    away: tuple[int, int] | None = None
    crawford: bool = False
    cube_value: int = 1
    cube: CubePlace = "centered"
    jacoby: bool = False
    beavers: bool = False
    roll: tuple[int, int] | None = None

    @classmethod
    def of(cls, board: Board) -> Question:
        """What a board asks; its double is asked as the decision to offer it."""
        return cls(
            board.on_roll,
            board.opponent,
            board.away,
            board.crawford,
            board.cube_value,
            board.cube,
            bool(board.jacoby),
            bool(board.beavers),
            board.roll,
        )

    def stakes(self, met: MatchEquityTable | None = None) -> Stakes:
        """What is played for."""
        if self.away is not None:
            return Stakes.at(Score(*self.away, self.crawford), met, self.cube_value)
        return Stakes.money(Rules(jacoby=self.jacoby, beavers=self.beavers), self.cube_value)

    def place(self, stakes: Stakes) -> Cube:
        """Where the cube is, or would be if it cannot be where it is said to be."""
        return self.cube if self.cube in stakes.cubes else stakes.default_cube

    @property
    def order(self) -> tuple[object, ...]:
        """Sorts questions that share tables next to each other."""
        return (
            self.away or (0, 0),
            self.crawford,
            self.cube_value,
            self.jacoby,
            self.beavers,
            self.on_roll.pips + self.opponent.pips,
            self.on_roll,
            self.opponent,
            self.cube,
            self.roll or (0, 0),
        )


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """A play of the roll, what it leaves, and what that is worth to the player who made it."""

    play: str
    position: Position
    value: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of a question.

    Values are chances to win the match, or points per unit of the cube for money, for the player on roll.

    Attributes
    ----------
    no_double : float
        Worth of rolling now.
    double_take, double_pass : float, or None
        None where the player may not double.
    plays : tuple of RankedPlay
        Best first.
    win_probability : float
        Of the game, without a cube.
    verdict : str
        As `bgrace.cube.action.CubeAction.verdict`.
    method : str
    error : float
        As `bgrace.Solution.error`: points per unit of the cube.
    """

    no_double: float
    double_take: float | None
    double_pass: float | None
    plays: tuple[RankedPlay, ...]
    win_probability: float
    verdict: Verdict
    method: str
    error: float


def answer(question: Question, met: MatchEquityTable | None = None, seconds: float = DEFAULT_SECONDS) -> Answer:
    """Solve one question, on one thread.

    Examples
    --------
    >>> known = answer(Question(Position((0, 0, 0, 0, 1, 1)), Position((0, 0, 0, 1, 1)), roll=(2, 1)))
    >>> known.no_double, known.plays[0].play
    (0.4037613359, '6/3')
    """
    stakes = question.stakes(met)
    solution = solve(
        question.on_roll,
        question.opponent,
        stakes.rules,
        match=stakes.score,
        met=stakes.met,
        cube_value=stakes.cube_value,
        seconds=seconds,
        memory_bytes=PAIR_MEMORY,
        threads=1,
    )
    cube = question.place(stakes)
    action = solution.cube_action(cube)
    plays = () if question.roll is None else solution.best_plays(question.roll, cube)

    def kept(value: float) -> float:
        # Estimates are rounded on the way, and may lie a hair outside of what a chance can be.
        inside = value if stakes.score is None else min(max(value, 0.0), 1.0)
        return round(inside, _DIGITS) + 0.0

    return Answer(
        kept(action.no_double),
        None if action.double_take is None else kept(action.double_take),
        None if action.double_pass is None else kept(action.double_pass),
        tuple(RankedPlay(p.play, p.position, kept(p.equity if p.mwc is None else p.mwc)) for p in plays),
        round(solution.win_probability, _DIGITS),
        action.verdict,
        solution.method,
        solution.error,
    )


def answer_all(
    questions: Iterable[Question], met: MatchEquityTable | None = None, seconds: float = DEFAULT_SECONDS
) -> list[Answer]:
    """Solve questions one after another: what a worker does."""
    return [answer(question, met, seconds) for question in questions]
