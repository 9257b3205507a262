"""Mistakes proved: whether the answer that a decision is judged by is more than nearly exact."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bgrace._base.limits import Limits
from bgrace.answers import Bounds
from bgrace.answers.question import Question as Race
from bgrace.match import MatchEquityTable
from bgrace_apps.review.judging import Decision
from bgrace_apps.review.questions import Question
from bgrace_apps.review.reviewing import MatchReview

RIGHT: Final[dict[str, tuple[str, ...]]] = {
    "no double": ("no double", "take", "beaver"),
    "double/take": ("double", "take"),
    "double/beaver": ("double", "beaver"),
    "double/pass": ("double", "pass"),
    "too good": ("no double", "pass"),
}
"""The right decisions of both sides, by verdict."""


def prove_mistakes(review: MatchReview, met: MatchEquityTable | None = None, seconds: float = 0.3) -> MatchReview:
    """Say of each mistake whether it is proved: `Decision.proved`.

    It is if all pairs were solved, or if proven bounds allow no other verdict of the cube.  Of plays of longer races
    nothing is proved.

    Parameters
    ----------
    review : MatchReview
    met : MatchEquityTable, optional
        As for `bgrace_apps.review.review`.
    seconds : float
        The budget of each proof, as of ``bgrace.solve(prove=True)``.

    Examples
    --------
    >>> from bgrace_apps.review import prove_mistakes, review
    >>> told = prove_mistakes(review("data/matches/5-103.mat"))
    >>> sum(bool(each.proved) for each in told.mistakes), len(told.mistakes)
    (2, 2)
    """
    limits = Limits(seconds=seconds, threads=1)
    games = (
        replace(game, decisions=tuple(_tried(each, met, limits) for each in game.decisions)) for game in review.games
    )
    return replace(review, games=tuple(games))


def _tried(decision: Decision, met: MatchEquityTable | None, limits: Limits) -> Decision:
    if not decision.error_class:
        return decision
    return replace(decision, proved=decision.error == 0 or _verdict_is_proved(decision, met, limits))


def _verdict_is_proved(decision: Decision, met: MatchEquityTable | None, limits: Limits) -> bool:
    if decision.kind not in ("cube", "answer"):
        return False
    question = Question.of(decision.board)
    stakes = question.stakes(met)
    place = question.place(stakes)
    race = Race(question.on_roll, question.opponent, stakes, place, limits=limits)
    bounds = Bounds.of(race.proof(verdict=True), stakes.cubes)
    if bounds is None:
        return False
    known = bounds.cube(place)
    return known.proved and known.verdict != "no cube" and decision.done not in RIGHT[known.verdict]
