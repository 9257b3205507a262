"""The nonlinear approximation: one more application of the integral, now to the linear approximation.

Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model" (version of April 2012), appendix 1.  The lines
and points inside the integral are those of `bgrace.cube.jump.linear`; beyond 0 and 1 the equity goes on straight, with
slopes that make it -L at 0 and W at 1.  Smooth, no iteration, any number of parameter sets at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Booleans, Floats, scalar
from bgrace.cube.action import V
from bgrace.cube.jump.distributions import Distribution, cdf_and_mean, distribution
from bgrace.cube.jump.linear_model import LinearModel, linear
from bgrace.cube.model import CubeModel, DecisionPoints

_SMALL: Final = 1e-7
"""A volatility below this is replaced by it: the equities are live-cube ones to as many digits."""


@dataclass(frozen=True, slots=True)
class _Smoothed:
    """One equity: straight pieces averaged over jumps.

    Attributes
    ----------
    pieces : list of (float64 ndarray, float64 ndarray, float64 ndarray)
        Upper end, and intercept and slope, of each piece from 0 up; the last one ends at 1.
    alpha, W, L : float64 ndarray
        Volatility of the jumps, and the ends' values.
    kind : Distribution
        Distribution of the jumps.
    slopes : tuple of two float64 ndarray
        Of the continuation below 0 and above 1.
    """

    pieces: list[tuple[Floats, Floats, Floats]]
    alpha: Floats
    W: Floats
    L: Floats
    kind: Distribution
    slopes: tuple[Floats, Floats]

    def __call__(self, P: Floats) -> Floats:
        """Equity at chances P."""
        level, below, above = _parts(P, self.pieces, self.alpha, self.W, self.L, self.kind)
        return np.asarray(level + self.slopes[0] * below + self.slopes[1] * above, dtype=np.float64)


def _parts(
    P: Floats, pieces: list[tuple[Floats, Floats, Floats]], alpha: Floats, W: Floats, L: Floats, kind: Distribution
) -> tuple[Floats, Floats, Floats]:
    """Equity at chances P if it is level below 0 and above 1, and what it gains by a slope of 1 below, and above."""
    F_low, G_low = cdf_and_mean(kind, -P, alpha)
    total, below = -L * F_low, P * F_low + G_low
    for high, A, B in pieces:
        F, G = cdf_and_mean(kind, high - P, alpha)
        total = total + (A + B * P) * (F - F_low) + B * (G - G_low)
        F_low, G_low = F, G
    return total + W * (1 - F_low), below, (P - 1) * (1 - F_low) - G_low


def _smooth(
    pieces: list[tuple[Floats, Floats, Floats]], alpha: Floats, W: Floats, L: Floats, kind: Distribution
) -> _Smoothed:
    """Find the outer slopes from E(0) = -L and E(1) = W."""
    alpha = np.maximum(alpha, _SMALL)
    rows = []
    for P, target in ((np.zeros_like(alpha), -L), (np.ones_like(alpha), W)):
        level, below, above = _parts(P, pieces, alpha, W, L, kind)
        rows.append((below, above, target - level))
    (a, b, e), (c, d, f) = rows
    determinant = a * d - b * c
    return _Smoothed(pieces, alpha, W, L, kind, ((e * d - b * f) / determinant, (a * f - e * c) / determinant))


def _line(low: Any, value_low: Any, high: Any, value_high: Any) -> tuple[Floats, Floats]:
    """Intercept and slope through two points; a level line where they coincide."""
    width = np.asarray(high - low, dtype=np.float64)
    B = np.where(width > 0, (value_high - value_low) / np.where(width > 0, width, 1.0), 0.0)
    return value_low - B * low, B


def _smoothed(model: LinearModel[Any], kind: Distribution) -> tuple[_Smoothed, _Smoothed, _Smoothed]:
    """The smoothed equities that a linear approximation leads to: centered, mine, theirs."""
    W, L, ar, al = (np.asarray(v, dtype=np.float64) for v in (model.win, model.lose, model.remote, model.local))
    TP, CP = np.asarray(model.take_point), np.asarray(model.cash_point)
    one, none = np.ones_like(TP), np.zeros_like(TP)
    B_l, B_r, B_O = (np.asarray(v) for v in (model.mine_slope, model.mine_remote_slope, model.theirs_slope))
    A_C, B_C = (np.asarray(v) for v in model.centered_line)
    A_O = W - B_O
    doubled, their_doubled = (2 * A_O, 2 * B_O), (-2 * L, 2 * B_r)
    mine = [
        (np.asarray(model.redouble), -L, B_l),
        (CP, *doubled),
        (np.asarray(model.too_good_mine), one, none),
        (one, *_line(CP, -L + B_l * CP, one, W)),
    ]
    theirs = [
        (np.asarray(model.opponent_too_good_theirs), *_line(none, -L, TP, A_O + B_O * TP)),
        (TP, -one, none),
        (np.asarray(model.opponent_redouble), *their_doubled),
        (one, A_O, B_O),
    ]
    centered = [
        (np.asarray(model.opponent_too_good_centered), *_line(none, -L, TP, A_C + B_C * TP)),
        (TP, -one, none),
        (np.asarray(model.opponent_initial_double), *their_doubled),
        (np.asarray(model.initial_double), A_C, B_C),
        (CP, *doubled),
        (np.asarray(model.too_good_centered), one, none),
        (one, *_line(CP, A_C + B_C * CP, one, W)),
    ]
    return _smooth(centered, al, W, L, kind), _smooth(mine, al, W, L, kind), _smooth(theirs, ar, W, L, kind)


def _bisect(function: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Where rising functions cross zero, all at once; NaN where one doesn't between its ends.

    The Illinois variant of false position, kept from crawling by a bisection in every third round.
    """
    low, high = low.copy(), high.copy()
    f_low, f_high = function(low), function(high)
    bad = ~((f_low <= 1e-12) & (f_high >= -1e-12))
    side = np.zeros(low.shape)
    for turn in range(60):
        with np.errstate(invalid="ignore", divide="ignore"):
            guess = high - f_high * (high - low) / (f_high - f_low)
        middle = (low + high) / 2
        x = np.where(np.isfinite(guess) & (guess > low) & (guess < high) & (turn % 3 != 2), guess, middle)
        fx = function(x)
        up = fx < 0
        low, high = np.where(up, x, low), np.where(up, high, x)
        # The end that stays gets half its weight, so that the other one moves next.
        f_high = np.where(up, np.where(side > 0, f_high / 2, f_high), fx)
        f_low = np.where(up, fx, np.where(side < 0, f_low / 2, f_low))
        side = np.where(up, 1.0, -1.0)
        if np.all((np.abs(fx) < 1e-14) | (high - low < 1e-15) | bad):
            break
    return np.where(bad, np.nan, x)


@dataclass(frozen=True, kw_only=True, repr=False)
class NonlinearModel(DecisionPoints[V], CubeModel[V]):
    """Decision points and equities of the nonlinear approximation.

    Attributes
    ----------
    linear : LinearModel
        The linear approximation inside the integral; W, L, the volatilities and ``valid`` are there.
    jumps : str
        The jump distribution.
    centered_slopes, mine_slopes, theirs_slopes : tuple of two float, or of two float64 ndarray
        Slopes of each equity's continuation below 0 and above 1.
    """

    linear: LinearModel[V]
    jumps: str
    centered_slopes: tuple[V, V]
    mine_slopes: tuple[V, V]
    theirs_slopes: tuple[V, V]

    @property
    def valid(self) -> bool | Booleans:
        """Whether the remote volatility is within the linear approximation's range."""
        return self.linear.valid

    def _equities(self, P: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        centered, mine, theirs = _smoothed(self.linear, distribution(self.jumps))
        W, L = np.asarray(self.linear.win), np.asarray(self.linear.lose)
        return P * (W + L) - L, centered(P), mine(P), theirs(P)


@overload
def nonlinear(
    win: float, lose: float, remote: float, local: float | None = ..., jumps: str = ...
) -> NonlinearModel[float]: ...
@overload
def nonlinear(
    win: npt.ArrayLike,
    lose: npt.ArrayLike,
    remote: npt.ArrayLike,
    local: npt.ArrayLike | None = ...,
    jumps: str = ...,
) -> NonlinearModel[Floats]: ...
def nonlinear(
    win: npt.ArrayLike,
    lose: npt.ArrayLike,
    remote: npt.ArrayLike,
    local: npt.ArrayLike | None = None,
    jumps: str = "double-exponential",
) -> NonlinearModel[Any]:
    """Nonlinear approximation of the jump model.

    Parameters
    ----------
    win, lose, remote, local : float or array_like
        As for `bgrace.cube.jump.linear`.  The local volatility belongs to equities at this cube, the remote one to the
        opponent's and to everything after a double.
    jumps : str
        Jump distribution: ``"double-exponential"`` or ``"gaussian"``.

    Returns
    -------
    NonlinearModel
        Of scalars if all numbers are scalars, else of float64 arrays.  A point that doesn't exist, because the
        volatility is beyond the range of the approximation, is NaN.

    Raises
    ------
    ArgumentError
        If a number is NaN or out of range, or the distribution unknown.

    Examples
    --------
    >>> model = nonlinear(1.2, 1.1, 0.08)
    >>> round(model.take_point, 6), round(model.initial_double, 6), round(model.redouble, 6), round(model.cash_point, 6)
    (0.222785, 0.666988, 0.693282, 0.738911)
    """
    kind = distribution(jumps)
    near, far = linear(win, lose, remote, local), linear(win, lose, remote)
    shape = np.shape(near.take_point)
    centered, mine, theirs = _smoothed(near, kind)
    mine_later = _smoothed(far, kind)[1]
    zero, one = np.zeros(shape), np.ones(shape)
    W, L = np.asarray(near.win), np.asarray(near.lose)
    TP = _bisect(lambda p: 2 * mine_later(p) + 1, zero, one)
    CP = _bisect(lambda p: 2 * theirs(p) - 1, zero, one)
    points = {"take_point": TP, "cash_point": CP}
    with np.errstate(invalid="ignore"):
        points |= {
            "initial_double": _bisect(lambda p: 2 * theirs(p) - centered(p), TP, CP),
            "redouble": _bisect(lambda p: 2 * theirs(p) - mine(p), TP, CP),
            "too_good_centered": np.where(W > 1, _bisect(lambda p: centered(p) - 1, CP, one), 1.0),
            "too_good_mine": np.where(W > 1, _bisect(lambda p: mine(p) - 1, CP, one), 1.0),
            "opponent_initial_double": _bisect(lambda p: 2 * mine_later(p) - centered(p), TP, CP),
            "opponent_redouble": _bisect(lambda p: 2 * mine_later(p) - theirs(p), TP, CP),
            "opponent_too_good_centered": np.where(L > 1, _bisect(lambda p: centered(p) + 1, zero, TP), 0.0),
            "opponent_too_good_theirs": np.where(L > 1, _bisect(lambda p: theirs(p) + 1, zero, TP), 0.0),
        }
    return NonlinearModel(
        **{name: scalar(point) for name, point in points.items()},
        linear=near,
        jumps=kind.name,
        centered_slopes=_plain(centered.slopes),
        mine_slopes=_plain(mine.slopes),
        theirs_slopes=_plain(theirs.slopes),
    )


def _plain(slopes: tuple[Floats, Floats]) -> tuple[Any, Any]:
    return scalar(slopes[0]), scalar(slopes[1])
