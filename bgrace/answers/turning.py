"""The smallest change of a race that turns its verdict: one checker by one point, or the score by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from time import monotonic
from typing import Final

from bgrace._base.arrays import JSON
from bgrace._base.language import say
from bgrace._base.limits import Limits
from bgrace.answers import Solution
from bgrace.answers.question import Question
from bgrace.board import MAX_POINTS, Position
from bgrace.cube.action import Cube, CubeAction
from bgrace.errors import ArgumentError
from bgrace.match.score import Score
from bgrace.match.stakes import Stakes

_CANDIDATE_SECONDS: Final = 0.02
"""Of computing, for each changed race that cannot be solved exactly in that time."""


@dataclass(frozen=True, slots=True)
class Change:
    """A race that differs in one thing, and has another verdict.

    Attributes
    ----------
    on_roll, opponent : Position
    stakes : Stakes
    moved : tuple of (str, int, int), or None
        Whose checker, ``"you"`` or ``"opponent"``, and the points it goes from and to; None where the score differs.
    action : CubeAction
    """

    on_roll: Position
    opponent: Position
    stakes: Stakes
    moved: tuple[str, int, int] | None
    action: CubeAction

    def to_dict(self) -> dict[str, JSON]:
        """As JSON has it."""
        side, start, end = self.moved or ("", 0, 0)
        moved: JSON = {"side": side, "from": start, "to": end} if self.moved else None
        return {
            "on_roll": list(self.on_roll),
            "opponent": list(self.opponent),
            "stakes": str(self.stakes),
            "moved": moved,
            "verdict": self.action.verdict,
        }

    def __str__(self) -> str:
        if self.moved is None:
            return str(self.stakes)
        side, start, end = self.moved
        return say(f"turn.{side}", start=start, end=end)


def turning_change(
    solution: Solution, cube: str | None = None, *, memory_bytes: int, seconds: float = 1.0
) -> Change | None:
    """Find the smallest change that turns a verdict.

    Every checker of either side is moved by one point, the way that brings the nearest decision to a tie; if none of
    that turns the verdict, and there is a score, a player needs one point more or less.  Of several, the one that
    changes the chance to win least.

    Parameters
    ----------
    solution : Solution
    cube : str, optional
        As for `bgrace.Solution.cube_action`.
    memory_bytes : int
        As for `bgrace.solve`.
    seconds : float
        What has not been looked at by then is left out.

    Returns
    -------
    Change, or None
        None if no such change turns it, or there is no cube to turn.

    Examples
    --------
    >>> import bgrace
    >>> change = turning_change(bgrace.solve("5x1 6x1", "4x1 5x1"), memory_bytes=2**28)
    >>> print(change.action.verdict, change)
    double/pass one of the opponent's checkers on 5 instead of 4
    """
    place = solution.stakes.check_cube(solution.cube if cube is None else cube)
    action = solution.cube_action(place)
    if action.double_margin is None or action.take_margin is None:
        return None
    until = monotonic() + seconds
    limits = Limits(_CANDIDATE_SECONDS, memory_bytes, 1)
    # More for the doubler turns no double into a double, and a take into a pass.
    nearest = action.double_margin if abs(action.double_margin) < abs(action.take_margin) else action.take_margin
    better = (nearest < 0) == (nearest is action.double_margin)
    by_checker, by_score = _moved(solution, better), _scores(solution, place)
    for candidates in (by_checker, by_score):
        turned: list[tuple[float, Change]] = []
        for on_roll, opponent, stakes, moved in candidates:
            if monotonic() > until:
                break
            other = Question(on_roll, opponent, stakes, limits=limits).solution()
            changed = other.cube_action(place)
            if changed.verdict not in (action.verdict, "no cube") and _is_sure(changed, other.error):
                by = abs(other.win_probability - solution.win_probability)
                turned.append((by, Change(on_roll, opponent, stakes, moved, changed)))
        if turned:
            return min(turned, key=lambda each: each[0])[1]
    return None


def _is_sure(action: CubeAction, error: float) -> bool:
    margins = [margin for margin in (action.double_margin, action.take_margin) if margin is not None]
    return all(abs(margin) > error for margin in margins)


_Candidate = tuple[Position, Position, Stakes, tuple[str, int, int] | None]


def _moved(solution: Solution, better: bool) -> Iterator[_Candidate]:
    """Each checker one point on, or back, so that the player on roll is better off, or worse."""
    sides = (solution.on_roll, solution.opponent)
    for side, start in product((0, 1), range(1, MAX_POINTS + 1)):
        end = start - 1 if better == (side == 0) else start + 1
        counts = [*sides[side], *[0] * (MAX_POINTS - len(sides[side]))]
        if not counts[start - 1] or not 1 <= end <= MAX_POINTS:
            continue
        counts[start - 1] -= 1
        counts[end - 1] += 1
        moved = Position(tuple(counts[: max(end, len(sides[side]))]))
        pair = (moved, sides[1]) if side == 0 else (sides[0], moved)
        if pair[0].highest + pair[1].highest <= MAX_POINTS:
            yield *pair, solution.stakes, ("opponent" if side else "you", start, end)


def _scores(solution: Solution, place: Cube) -> Iterator[_Candidate]:
    """Each player one point nearer to winning the match, or farther."""
    stakes, score = solution.stakes, solution.stakes.score
    if score is None or score.crawford:
        return
    for mine, theirs in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        needs = (score.on_roll_needs + mine, score.opponent_needs + theirs)
        if min(needs) < 1:
            continue
        try:
            other = Stakes.at(Score(*needs), stakes.met, stakes.cube_value, gammons=stakes.rules.gammons)
        except ArgumentError:  # the table does not go so far
            continue
        if place in other.cubes:
            yield solution.on_roll, solution.opponent, other, None
