"""The end of a race, solved once and asked again at every roll as it is played out.

A race that is solved exactly is solved with all positions that it can come to.  So a review, which follows a game, need
not solve again while the cube stays in its place.
"""

from __future__ import annotations

from bgrace._base.limits import DEFAULT_SECONDS, PAIR_MEMORY, Limits
from bgrace.answers import Solution
from bgrace.answers.question import Question, SolvedPair
from bgrace.board import Position
from bgrace.board.position import check_race
from bgrace.match.stakes import Stakes


class SolvedEnd:
    """A race with all that it can come to, solved exactly; `solve_end` makes it."""

    def __init__(self, answers: SolvedPair) -> None:
        self._answers = answers

    def solution(self, on_roll: Position, opponent: Position, stakes: Stakes, *, swapped: bool) -> Solution:
        """A pair that the race has come to.

        Parameters
        ----------
        on_roll, opponent : Position
        stakes : Stakes
            Those of the race, as the player on roll sees them now.
        swapped : bool
            Whether that is the one who was not on roll when the race was solved.

        Raises
        ------
        PositionError
            If the race cannot come to it.
        """
        return Solution(on_roll, opponent, stakes, self._answers.follow(on_roll, opponent, swapped))


def solve_end(
    on_roll: Position,
    opponent: Position,
    stakes: Stakes,
    *,
    seconds: float = DEFAULT_SECONDS,
    memory_bytes: int = PAIR_MEMORY,
) -> SolvedEnd | None:
    """Solve a race with all that it can come to, on one thread; None if that takes more than is allowed.

    Parameters
    ----------
    on_roll, opponent : Position
    stakes : Stakes
    seconds, memory_bytes
        As for `bgrace.solve`, which solves the same races exactly.

    Examples
    --------
    >>> from bgrace.board import parse_position
    >>> end = solve_end(parse_position("5x2 6x1"), parse_position("4x2"), Stakes.money())
    >>> later = end.solution(parse_position("4x2"), parse_position("5x1"), Stakes.money(), swapped=True)
    >>> round(later.win_probability, 4)
    0.3999
    """
    check_race(on_roll, opponent)
    question = Question(on_roll, opponent, stakes, way="few", limits=Limits(seconds, memory_bytes, 1))
    answer = question.ask()
    return None if answer is None else SolvedEnd(SolvedPair(question, answer))


def solve_by_turns(
    on_roll: Position,
    opponent: Position,
    stakes: Stakes,
    *,
    roll: tuple[int, int] | None = None,
    seconds: float = DEFAULT_SECONDS,
    memory_bytes: int = PAIR_MEMORY,
) -> Solution:
    """Solve a race turn by turn, on one thread: what is left where `solve_end` gives None.

    Parameters
    ----------
    on_roll, opponent : Position
    stakes : Stakes
    roll : tuple of two int, optional
        Whose plays will be asked for: they are compared at once, in half the time.
    seconds, memory_bytes
        As for `bgrace.solve`.

    Examples
    --------
    >>> from bgrace.board import parse_position
    >>> far = parse_position("12x3 8x2 6x5 5x5"), parse_position("12x2 8x3 6x5 5x5")
    >>> race = solve_by_turns(*far, Stakes.money(), roll=(6, 4), seconds=0.1)
    >>> race.method, race.best_plays("64")[0].play
    ('turns', '12/6 8/4')
    """
    return Question(
        on_roll, opponent, stakes, roll=roll, way="turns", limits=Limits(seconds, memory_bytes, 1)
    ).solution()
