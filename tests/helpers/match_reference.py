"""The slow twin of match play: a game tree that knows the score, the rules of doubling and a match equity table.

Written from the rules alone; imports nothing from bgrace.  It offers every double that the rules allow, even useless
ones, up to a cube of 16, and compares chances to win the match, in plain recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from helpers.reference import Counts, plays_of_every_roll

MAX_CUBE = 16


class MatchState(NamedTuple):
    """Points that both sides need; the cube, its owner (0: nobody, 1: on roll, -1: the other); the Crawford game."""

    own: int
    other: int
    cube: int
    owner: int
    crawford: bool


def payoff(pre: Sequence[Sequence[float]], post: Sequence[float], own: int, other: int, points: int) -> float:
    """Return the chance of a player who needs `own` against `other` after winning points, or losing -points."""
    if points < 0:
        return 1 - payoff(pre, post, other, own, -points)
    if points >= own:
        return 1.0
    left = own - points
    if min(own, other) > 1:
        return pre[left - 1][other - 1]
    return post[left - 1] if other == 1 else 1 - post[other - 1]


def solver(
    pre: Sequence[Sequence[float]], post: Sequence[float], gammon_checkers: int | None = None
) -> Callable[[Counts, Counts, MatchState], tuple[float, float | None]]:
    """Return a function of both sides and the state: the chance by rolling, and the chance after double/take."""

    @cache
    def roll(x: Counts, y: Counts, state: MatchState) -> float:
        if not any(y):
            lost = 2 if sum(x) == gammon_checkers else 1
            return payoff(pre, post, state.own, state.other, -lost * state.cube)
        total = 0.0
        for weight, results in plays_of_every_roll(x):
            total += weight * max(after(result, y, state) for result in results)
        return total / 36

    def after(x: Counts, y: Counts, state: MatchState) -> float:
        if not any(x):
            won = 2 if sum(y) == gammon_checkers else 1
            return payoff(pre, post, state.own, state.other, won * state.cube)
        turned = MatchState(state.other, state.own, state.cube, -state.owner, state.crawford)
        return 1 - best(y, x, turned)

    @cache
    def best(x: Counts, y: Counts, state: MatchState) -> float:
        now, taken = roll(x, y, state), doubled(x, y, state)
        if taken is None:
            return now
        return max(now, min(taken, payoff(pre, post, state.own, state.other, state.cube)))

    def doubled(x: Counts, y: Counts, state: MatchState) -> float | None:
        if state.crawford or state.owner < 0 or state.cube >= MAX_CUBE:
            return None
        return roll(x, y, MatchState(state.own, state.other, 2 * state.cube, -1, False))

    return lambda x, y, state: (roll(x, y, state), doubled(x, y, state))
