"""The exact solution for double-exponential jumps of constant volatility: in closed form, except for scalar roots.

With f(J) = exp(-|J|/alpha)/(2 alpha) the model's integral E = f * H inverts to E - alpha^2 E'' = H, where H is the
value before the cube decision at the landing point.  E and E' are continuous, E is straight wherever nobody doubles,
and where H is a straight line, E is that line plus exponentials.  So three slopes determine the solution.

The equations are those of Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model" (version of April
2012), appendix 1; this solution of them is derived in docs/jump-mathematics.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from bgrace._base.arrays import Floats

_ROUNDS: Final = 100  # 32 are enough for W, L in [1, 3] and alpha in [0.002, 1]
_PRECISION: Final = 1e-15


@dataclass(frozen=True, slots=True)
class Side:
    """One side's market: the chances at which it doubles, cashes and becomes too good, as seen by that side.

    Attributes
    ----------
    cash_point : float
        CP.
    end : float
        Equity at the chance 1.
    doubled : float
        s2, the slope of the equity after a double that is taken.
    before, beyond : float
        d1 and d2, the distances from the doubling point to CP and from CP to the too-good point, which is at the chance
        1 if nothing is ever too good.
    below, above : float
        s and t, the slopes of the equity below the doubling point and above the too-good point.
    """

    cash_point: float
    end: float
    doubled: float
    before: float
    beyond: float
    below: float
    above: float

    @property
    def doubling_point(self) -> float:
        """Chance above which this side doubles."""
        return self.cash_point - self.before

    @property
    def too_good_point(self) -> float:
        """Chance above which this side plays on; exactly 1, without rounding, if nothing is too good."""
        return self.cash_point + self.beyond if self.end > 1 else 1.0

    def equity(self, P: Floats, alpha: float) -> Floats:
        """Undoubled equity, which is straight below the doubling point."""
        D, T = self.doubling_point, self.too_good_point
        d1, d2, s2 = self.before, self.beyond, self.doubled
        taken, away = 1 + s2 * (P - self.cash_point), np.abs(P - self.cash_point)
        # Each curved piece is the line after a double, or +1, less exponentials that make the slopes continuous.
        rising = alpha * s2 * _product(d2, np.clip(P - D, 0, d1), away, d1 + d2, alpha)
        falling = alpha * s2 * _product(d1, np.clip(T - P, 0, d2), away, d1 + d2, alpha)
        straight = 1 - s2 * d1 + self.below * (P - D)
        curved = np.where(self.cash_point >= P, taken - rising, 1 - falling)
        return np.where(P <= D, straight, np.where(P >= T, self.end - self.above * (1 - P), curved))


def _ratio(u: float, v: float, alpha: float) -> float:
    """sinh(u/alpha) / sinh(v/alpha) for 0 <= u <= v, v > 0."""
    return math.exp((u - v) / alpha) * math.expm1(-2 * u / alpha) / math.expm1(-2 * v / alpha)


def _product(a: float, b: Floats, rest: Floats, c: float, alpha: float) -> Floats:
    """sinh(a/alpha) sinh(b/alpha) / sinh(c/alpha) for c = a + b + rest, without overflow; 0 for alpha = 0."""
    if alpha == 0 or c == 0:
        return np.zeros_like(b)
    scale = np.expm1(-2 * a / alpha) / (-2 * np.expm1(-2 * c / alpha))
    return np.asarray(np.exp(-rest / alpha) * scale * np.expm1(-2 * b / alpha), dtype=np.float64)


def find_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Root of a continuous function between two points where it has different signs, by Chandrupatla's method.

    T. R. Chandrupatla, "A new hybrid quadratic/bisection algorithm", Advances in Engineering Software 28 (1997).
    """
    a, b = high, low
    fa, fb = function(a), function(b)
    if fb == 0:
        return b
    c, fc, t = a, fa, 0.5
    for _ in range(200):
        x = a + t * (b - a)
        fx = function(x)
        if (fx > 0) == (fa > 0):
            c, fc = a, fa
        else:
            c, b, fc, fb = b, a, fb, fa
        a, fa = x, fx
        best, least = (a, fa) if abs(fa) < abs(fb) else (b, fb)
        share = (2 * _PRECISION * abs(best) + 1e-300) / max(abs(b - a), 1e-300)
        if least == 0 or share > 0.5:
            break
        xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
        if phi**2 < xi and (1 - phi) ** 2 < 1 - xi:
            t = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        else:
            t = 0.5
        t = min(max(t, share), 1 - share)
    return best


def _gap(s2: float, r: float, W: float, d1: float, alpha: float) -> tuple[float, float, float]:
    """The gap relation: d2, s and t for the distance r from the cash point to 1 and the distance d1 below it."""
    d2 = r
    if W > 1:  # t (r - d2) falls from s2 r = 2W - 1 to 0 as d2 grows to r
        d2 = find_root(lambda d: s2 * _ratio(d1, d1 + d, alpha) * (r - d) - (W - 1), 0.0, r)
    return d2, s2 * (1 - _ratio(d2, d1 + d2, alpha)), s2 * _ratio(d1, d1 + d2, alpha)


def _owned(sO: float, W: float, L: float, alpha: float) -> Side:
    """The cube owner's market, from the slope of their equity after doubling."""
    CP, r, s2 = 1 - (W - 0.5) / sO, (W - 0.5) / sO, 2 * sO
    d1 = find_root(lambda d: 1 + L - s2 * d - _gap(s2, r, W, d, alpha)[1] * (CP - d), CP * 1e-12, CP)
    d2, s, t = _gap(s2, r, W, d1, alpha)
    return Side(CP, W, s2, d1, d2, s, t)


def _centered(sO: float, W: float, end: float, s: float, alpha: float) -> Side:
    """The market of a centered cube whose undoubled equity has slope s and ends at `end`; sO is the slope of E_O."""
    CP, r, s2 = 1 - (W - 0.5) / sO, (W - 0.5) / sO, 2 * sO
    most = max(1.0, 60 * alpha)
    if _gap(s2, r, end, most, alpha)[1] <= s:  # s equals s2 but for rounding
        d1 = most
    else:
        d1 = find_root(lambda d: _gap(s2, r, end, d, alpha)[1] - s, 1e-12 * alpha, most)
    d2, _, t = _gap(s2, r, end, d1, alpha)
    return Side(CP, end, s2, d1, d2, s, t)


@dataclass(frozen=True, slots=True)
class Solution:
    """The exact solution: markets of the cube's owner and of a centered cube, for the player and for the opponent.

    Attributes
    ----------
    alpha : float
        The volatility.
    mine, centered : Side
        The player's markets.
    theirs, their_centered : Side
        The opponent's, seen by the opponent.
    """

    alpha: float
    mine: Side
    centered: Side
    theirs: Side
    their_centered: Side

    def equities(self, P: Floats) -> tuple[Floats, Floats, Floats]:
        """E_C, E_P and E_O at chances P."""
        alpha = self.alpha
        middle = (self.centered.doubling_point + 1 - self.their_centered.doubling_point) / 2
        centered = np.where(middle < P, self.centered.equity(P, alpha), -self.their_centered.equity(1 - P, alpha))
        return centered, self.mine.equity(P, alpha), -self.theirs.equity(1 - P, alpha)


def solve(W: float, L: float, alpha: float, jacoby: bool = False) -> Solution:
    """Solve the three coupled integral equations to about 1e-14; without jumps, alpha = 0, the cube is live."""
    win, lose = (1.0, 1.0) if jacoby else (W, L)  # with a centered cube
    if alpha < 1e-9:
        return _live(W, L, win, lose)
    sO = W + L + 0.25
    for _ in range(_ROUNDS):
        mine = _owned(sO, W, L, alpha)
        theirs = _owned(mine.below, L, W, alpha)
        change = abs(theirs.below / sO - 1)
        sO = theirs.below
        if change < 2 * _PRECISION:
            break
    sP, CP, TP = mine.below, 1 - (W - 0.5) / sO, (L - 0.5) / mine.below

    def centered(s: float) -> tuple[Side, Side]:
        return _centered(sO, W, win, s, alpha), _centered(sP, L, lose, s, alpha)

    def gap(s: float) -> float:
        a1, b1 = (side.before for side in centered(s))
        return s * (CP - TP - a1 - b1) - (2 - 2 * sO * a1 - 2 * sP * b1)

    low = max(2 * sO * (win - 1) / (2 * W - 1), 2 * sP * (lose - 1) / (2 * L - 1))
    s = find_root(gap, low + 1e-9, 2 * min(sO, sP) * (1 - 1e-15))
    ours, opposing = centered(s)
    return Solution(alpha, mine, ours, theirs, opposing)


def _live(W: float, L: float, win: float, lose: float) -> Solution:
    """The limit without jumps, if a win and a loss with a centered cube are worth `win` and `lose`."""
    S = W + L + 0.5
    CP, TP = (L + 1) / S, (L - 0.5) / S

    def side(end: float, CP: float, below: float) -> Side:
        return Side(CP, end, 2 * S, 0.0, 0.0 if end > 1 else 1 - CP, below, (end - 1) / (1 - CP))

    centered = 4 * S / 3
    return Solution(0.0, side(W, CP, S), side(win, CP, centered), side(L, 1 - TP, S), side(lose, 1 - TP, centered))
