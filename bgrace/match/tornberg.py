"""Match equities from a gammon rate and a chance to win a game, by live cubes: Tornberg's model.

Claes Tornberg's program ``mec`` (1996) takes a game for a continuous walk in which both sides redouble with perfect
efficiency.  A chance to win the match is then a straight line between the two points at which the players double, and
each of these points follows from the other player's next one.  GNU Backgammon's parametric table of that name is the
same model; the recursion below is written anew from its description.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bgrace._base.arrays import Floats, as_number
from bgrace.errors import ArgumentError


def live_cash_point(
    own: int,
    other: int,
    cube_value: int,
    after: Callable[[int], float],
    win_gammons: float,
    lose_gammons: float,
) -> float:
    """The doubler's chance to win the game at which the other side may as well pass as take, with a live cube.

    `after` takes the points that the doubler wins, negative for a loss, and gives their chance to win the match.  1 if
    the cube as it is wins it.

    Notes
    -----
    After the take the doubler's chance runs on a straight line from where the taker redoubles them out, there worth the
    loss of the doubled cube, to where the game is won.  Keeler and Spencer, "Optimal doubling in backgammon",
    Operations Research 23 (1975), for money: 4/5.  In a match the point of each cube follows from that of the next
    one, up to a cube that is dead.
    """
    if own <= cube_value:
        return 1.0
    redouble = live_cash_point(other, own, 2 * cube_value, lambda points: 1 - after(-points), lose_gammons, win_gammons)
    won = win_gammons * after(4 * cube_value) + (1 - win_gammons) * after(2 * cube_value)
    lost = after(-2 * cube_value)
    if won <= lost:
        raise ArgumentError(
            f"{own}-away, {other}-away, cube {2 * cube_value}: winning and losing are worth the same there"
        )
    return 1 - redouble * (won - after(cube_value)) / (won - lost)


def post_crawford_chances(gammons: float, win: float, free_drops: tuple[float, float], length: int) -> Floats:
    """A trailer's chances after the Crawford game, for 1, 2, ... points to go, the leader needing 1.

    `free_drops` is what the leader's free drop costs a trailer 2 and 4 points away.

    Notes
    -----
    Tornberg: the trailer doubles at once; at an even number of points the leader can drop that double without harm, so
    the chance is that of one point less.  In GNU Backgammon the free drop at 4 away is added for the trailer instead of
    taken off, by a wrong sign; here both are taken off.
    """
    _check_chances(gammons, *free_drops)
    _check_win_rate(win)
    chances = np.ones(length + 1)  # nobody to go: the match is won
    chances[1] = win
    for x in range(2, length + 1):
        if x % 2:
            chances[x] = win * ((1 - gammons) * chances[x - 2] + gammons * chances[max(x - 4, 0)])
        else:
            chances[x] = chances[x - 1] - {2: free_drops[0], 4: free_drops[1]}.get(x, 0)
    return chances[1:]


def pre_crawford_chances(gammons: float, win: float, post_crawford: Floats) -> Floats:
    """The first player's chances before the Crawford game, and at its start, from the trailers' after it."""
    _check_chances(gammons)
    _check_win_rate(win)
    n = post_crawford.shape[1]
    chances = np.zeros((n + 1, n + 1))
    chances[0, 1:] = 1
    post = [np.concatenate(([1.0], row)) for row in post_crawford]  # the first entry: the match is won
    chances[1, 1] = win
    for x in range(2, n + 1):
        first, second = (
            own * ((1 - gammons) * row[x - 1] + gammons * row[x - 2])
            for own, row in zip((win, 1 - win), post, strict=True)
        )
        chances[x, 1], chances[1, x] = first, 1 - second
    for total in range(4, 2 * n + 1):
        for a in range(max(2, total - n), min(n, total - 2) + 1):
            b = total - a

            def after(points: int, a: int = a, b: int = b) -> float:
                return float(chances[max(a - max(points, 0), 0), max(b + min(points, 0), 0)])

            own = live_cash_point(a, b, 1, after, gammons, gammons)
            other = 1 - live_cash_point(b, a, 1, lambda points: 1 - after(-points), gammons, gammons)
            low, high = after(-1), after(1)
            chances[a, b] = low + (high - low) * (win - other) / (own - other)
    return chances[1:, 1:]


def _check_chances(*chances: float) -> None:
    for chance in chances:
        as_number(chance, f"{chance!r:.80} is not a chance: give 0 to 1", 0, 1)


def _check_win_rate(win: float) -> None:
    # A player who wins every game has no use for a cube: there are no two doubling points to draw a line between.
    if not 0 < win < 1:
        raise ArgumentError(f"with a chance of {win!r} to win a game nobody doubles: give more than 0, less than 1")
