"""Cube arithmetic: take points, doubling windows and gammon values, for money and at any score.

Everything follows from what the outcomes of a game are worth, R(k) after winning k points, and from two ideas of the
cube.  A *dead* cube is not turned again, or, where that costs its owner nothing, once more at once.  A *live* cube is
turned with perfect efficiency in a game without jumps.  Real positions lie between the two.

Sources: Keeler and Spencer, "Optimal doubling in backgammon", Operations Research 23 (1975), for the live cube; Zadeh,
"On doubling in tournament backgammon", Management Science 23 (1977), equations (3) to (6), for gammons and for the
automatic redouble; Woolsey, *How to Play Tournament Backgammon* (1993), for the doubling window as risk against gain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from bgrace._base.arrays import Told, as_number
from bgrace.board.game_state import check_cube_value
from bgrace.errors import ArgumentError
from bgrace.match.score import Score, check_score
from bgrace.match.tornberg import live_cash_point

Payoff: TypeAlias = Callable[[int], float]


class ChancesAfter(Protocol):
    """The part of a `MatchEquityTable` that the arithmetic needs."""

    def after(self, score: Score, points: int) -> float:
        """Chance of the player on roll to win the match once they have won the game by some points."""


@dataclass(frozen=True, slots=True)
class CubePoints(Told):
    """Where doubles and takes begin, at one score and cube.  All are chances to win the game.

    Attributes
    ----------
    score : Score, or None
        None for money.
    cube_value : int
        Before the double.  At 1 these are the points of a first double, above it those of a redouble.
    doubling_point : float, or None
        With a dead cube: the least chance of the player on roll with which doubling is as good as rolling on.
    cash_point : float, or None
        With a dead cube: their chance at which the opponent may as well pass as take.  Doubling window: from
        `doubling_point` to `cash_point`.
    take_point : float, or None
        With a dead cube: the least chance of the opponent to take with, 1 - `cash_point`.
    live_cash_point, live_take_point : float, or None
        With a live cube.  A perfectly efficient player doubles exactly there, so the window has shrunk to a point.
    automatic_redouble : bool
        Whether the opponent, having taken, redoubles at once because the doubler's cube would win the match for the
        doubler anyway; the points respect it.
    gammon_value_won, gammon_value_lost : float
        At the present cube, for the player on roll: see `gammon_value`.
    reason : str, or None
        Why there are no points, where there are none.
    """

    score: Score | None
    cube_value: int
    doubling_point: float | None
    cash_point: float | None
    take_point: float | None
    live_cash_point: float | None
    live_take_point: float | None
    automatic_redouble: bool
    gammon_value_won: float
    gammon_value_lost: float
    reason: str | None = None


def gammon_value(
    met: ChancesAfter | None = None, score: Score | None = None, cube_value: int = 1, *, lost: bool = False
) -> float:
    """The value of a gammon beyond a single win, as a part of the difference between winning and losing.

    Parameters
    ----------
    met : MatchEquityTable, optional
    score : Score, optional
        Both, or neither for money.
    cube_value : int
        The value that is played for.
    lost : bool
        Of gammons that the player on roll loses, instead of those that they win.

    Returns
    -------
    float
        ``(R(2c) - R(c)) / (R(c) - R(-c))``, or ``(R(-c) - R(-2c)) / (R(c) - R(-c))`` for those lost; 0.5 for money.

    Raises
    ------
    ArgumentError
        If the table does not go so far, only one of table and score is given, or winning and losing are worth the
        same.

    Notes
    -----
    Woolsey, *How to Play Tournament Backgammon*.  Twice this is what GNU Backgammon calls the gammon price.

    Examples
    --------
    >>> gammon_value()
    0.5
    """
    payoff = _payoff(met, score)
    cube_value = check_cube_value(cube_value)
    won, lost_single = payoff(cube_value), payoff(-cube_value)
    if won <= lost_single:
        raise ArgumentError(f"{score}, cube {cube_value}: this table does not tell winning from losing there")
    more = lost_single - payoff(-2 * cube_value) if lost else payoff(2 * cube_value) - won
    return more / (won - lost_single)


def cube_points(
    met: ChancesAfter | None = None,
    score: Score | None = None,
    cube_value: int = 1,
    *,
    win_gammons: float = 0.0,
    lose_gammons: float = 0.0,
) -> CubePoints:
    """Take points, doubling window and gammon values of the player on roll at one cube.

    Parameters
    ----------
    met : MatchEquityTable, optional
    score : Score, optional
        Both, or neither for money.
    cube_value : int
        Before the double.
    win_gammons, lose_gammons : float
        Fractions, 0 to 1, of the wins of the player on roll, and of the opponent's, that are gammons.

    Returns
    -------
    CubePoints
        Without points where the player on roll may not double, or has no use for it.

    Raises
    ------
    ArgumentError
        If an argument is out of range, only one of table and score is given, or the table does not go so far.

    Notes
    -----
    Dead cube: with W and L what winning and losing on the turned cube are worth, W' and L' the same on the present one,
    the cash point is (R(c) - L) / (W - L), Zadeh (3) to (6), and the doubling point (L' - L) / (L' - L + W - W'),
    risk against risk and gain.  Live cube: see `bgrace.match.tornberg.live_cash_point`.

    Examples
    --------
    >>> money = cube_points()
    >>> money.doubling_point, money.cash_point, money.take_point, round(money.live_take_point, 9)
    (0.5, 0.75, 0.25, 0.2)
    >>> from bgrace.match.met import MatchEquityTable
    >>> points = cube_points(MatchEquityTable.default(), Score(4, 2))
    >>> round(points.take_point, 4), round(points.live_take_point, 4), points.automatic_redouble
    (0.1989, 0.1989, False)
    """
    payoff = _payoff(met, score)
    cube_value = check_cube_value(cube_value)
    for whose, rate in (("the player's own", win_gammons), ("the opponent's", lose_gammons)):
        problem = f"{rate!r:.80} is not the fraction of {whose} wins that are gammons: give 0 to 1"
        as_number(rate, problem, 0, 1)
    values = (gammon_value(met, score, cube_value), gammon_value(met, score, cube_value, lost=True))
    if score is not None and not score.may_double(cube_value):
        reason = score.why_no_double(cube_value)
        return CubePoints(score, cube_value, None, None, None, None, None, False, *values, reason)

    def outcome(stake: int) -> tuple[float, float]:
        """The values of winning and losing on a dead cube, gammons included."""
        win = win_gammons * payoff(2 * stake) + (1 - win_gammons) * payoff(stake)
        lose = lose_gammons * payoff(-2 * stake) + (1 - lose_gammons) * payoff(-stake)
        return win, lose

    automatic = score is not None and score.on_roll_needs <= 2 * cube_value < score.opponent_needs
    win_now, lose_now = outcome(cube_value)
    win, lose = outcome(4 * cube_value if automatic else 2 * cube_value)
    if win <= lose:
        raise ArgumentError(f"{score}, cube {cube_value}: this table does not tell winning from losing there")
    cash = (payoff(cube_value) - lose) / (win - lose)
    risk, gain = lose_now - lose, win - win_now
    doubling = risk / (risk + gain) if risk + gain > 0 else 0.0
    live = _money_live(win_gammons, lose_gammons)
    if score is not None:
        needs = (score.on_roll_needs, score.opponent_needs)
        live = live_cash_point(*needs, cube_value, payoff, win_gammons, lose_gammons)
    return CubePoints(score, cube_value, doubling, cash, 1 - cash, live, 1 - live, automatic, *values)


def cube_points_at_every_cube(
    met: ChancesAfter, score: Score, *, win_gammons: float = 0.0, lose_gammons: float = 0.0
) -> list[CubePoints]:
    """`cube_points` for 1, 2, 4, ... as long as one of the players has a use for doubling.

    Parameters and errors as for `cube_points`.

    Returns
    -------
    list of CubePoints
        At least one.
    """
    rows = []
    cube_value = 1
    while True:
        rows.append(cube_points(met, score, cube_value, win_gammons=win_gammons, lose_gammons=lose_gammons))
        cube_value *= 2
        if not (score.may_double(cube_value) or score.swapped.may_double(cube_value)):
            return rows


def _payoff(met: ChancesAfter | None, score: Score | None) -> Payoff:
    if (met is None) != (score is None):
        raise ArgumentError("a match needs an equity table and a score, money neither: give both or none")
    if met is None or score is None:
        return float
    place = check_score(score)
    return lambda points: met.after(place, points)


def _money_live(win_gammons: float, lose_gammons: float) -> float:
    """The live cash point for money: where each player's point follows from the other's and back.

    On a cube of 2 the doubler's own cash point is 1 - t (W - 1) / (W + 2), W = 2 (1 + gammons) their average win, t the
    other's.
    """
    own, other = (1 - 3 / (2 * (1 + rate) + 2) for rate in (win_gammons, lose_gammons))
    return (1 - own) / (1 - own * other)
