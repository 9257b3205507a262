"""Two approximations of the jump model's second version: linear, with remote and local volatility, and nonlinear.

Linear: one application of the model's integral to the live-cube equities gives values at the live-cube points, and
straight lines are drawn through these.  A kink at which the slope changes from b to c contributes (c - b) alpha/2.
Nonlinear: one more application of the integral, now to these lines; beyond 0 and 1 the equity continues straight, with
slopes that make it -L at 0 and W at 1.  It is smooth, needs no iteration, and takes arrays of parameters.

Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model", version of April 2012, section 3 and appendix 1,
whose displayed formulas are lost and were derived anew: see docs/cube-models-mathematics.md.  W and L are the mean
points of a win and of a loss, S = W + L + 1/2, TP0 and CP0 the live-cube points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Booleans, Floats, as_number, broadcast, check_flags, scalar
from bgrace.cube.action import TIE, V
from bgrace.cube.jump.distributions import Distribution, cdf_and_mean, distribution
from bgrace.cube.model import CubeModel, DecisionPoints, check_stakes, check_volatility


@dataclass(frozen=True, kw_only=True, repr=False)
class LinearModel(DecisionPoints[V], CubeModel[V]):
    """Decision points and equities of the linear approximation.

    Attributes
    ----------
    win, lose, remote, local : float, or float64 ndarray
        W, L and the two volatilities.
    valid : bool, or bool ndarray
        Whether both volatilities are small enough for both implied life indexes to be positive and, without the Jacoby
        rule, for E_O <= E_C <= E_P everywhere.  If not, the numbers are given nevertheless.
    mine_slope, mine_remote_slope, theirs_slope : float, or float64 ndarray
        Slopes of E_P at this cube and at the next, and of E_O, between take and cash point: E_P starts at (0, -L) and
        E_O ends at (1, W).
    centered_line : tuple of two float, or of two float64 ndarray
        Intercept and slope of E_C between take and cash point.
    jacoby : bool
        Whether gammons count only once the cube is turned.
    """

    win: V
    lose: V
    remote: V
    local: V
    valid: bool | Booleans
    mine_slope: V
    mine_remote_slope: V
    theirs_slope: V
    centered_line: tuple[V, V]
    jacoby: bool = False

    def _equities(self, P: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Two straight pieces with an owned cube, three with a centered one."""
        W, L = np.asarray(self.win), np.asarray(self.lose)
        TP, CP = np.asarray(self.take_point), np.asarray(self.cash_point)
        A_C, B_C = self.centered_line
        W_C, L_C = (1.0, 1.0) if self.jacoby else (W, L)
        centered = np.where(
            P < TP,
            -L_C + P * (A_C + B_C * TP + L_C) / TP,
            np.where(P > CP, W_C - (1 - P) * (W_C - A_C - B_C * CP) / (1 - CP), A_C + B_C * P),
        )
        mine = np.where(P > CP, W - (1 - P) * (W + L - self.mine_slope * CP) / (1 - CP), -L + self.mine_slope * P)
        theirs = np.where(P < TP, -L + P * (W + L - self.theirs_slope * (1 - TP)) / TP, W - self.theirs_slope * (1 - P))
        return P * (W + L) - L, centered, mine, theirs


@overload
def linear(
    win: float,
    lose: float,
    remote: float,
    local: float | None = ...,
    *,
    jacoby: bool = ...,
    factor: float = ...,
) -> LinearModel[float]: ...
@overload
def linear(
    win: npt.ArrayLike,
    lose: npt.ArrayLike,
    remote: npt.ArrayLike,
    local: npt.ArrayLike | None = ...,
    *,
    jacoby: bool = ...,
    factor: float = ...,
) -> LinearModel[Floats]: ...
def linear(
    win: npt.ArrayLike,
    lose: npt.ArrayLike,
    remote: npt.ArrayLike,
    local: npt.ArrayLike | None = None,
    *,
    jacoby: bool = False,
    factor: float = 1.0,
) -> LinearModel[Any]:
    """Linear approximation of the jump model.

    Parameters
    ----------
    win, lose : float or array_like
        W and L, from 1 to 3.
    remote : float or array_like
        Remote jump volatility, from 0 to 1: that after the game has turned and the other side may redouble.  It alone
        determines the take and cash points.
    local : float or array_like, optional
        Jump volatility of this position; the remote one if not given.
    jacoby : bool
        Whether gammons count only once the cube is turned.  An extension: the paper has none.
    factor : float
        Factor of both volatilities.  The paper uses 1.24 for measured ones, to compensate for the approximation; the
        right factor depends on W and L.

    Returns
    -------
    LinearModel
        Of scalars if all arguments are scalars, else of float64 arrays.

    Raises
    ------
    ArgumentError
        If a number is NaN or out of range.

    Examples
    --------
    >>> model = linear(1.2, 1.1, 0.113, 0.15)
    >>> round(model.take_point, 6), round(model.initial_double, 6), round(model.redouble, 6), round(model.cash_point, 6)
    (0.226472, 0.617079, 0.662216, 0.734064)
    >>> print(model.cube_action(0.67))
    double/take (cube centered): no double +0.5417, double/take +0.6627, double/pass +1.0000
    """
    W, L = check_stakes(win, lose)
    ar = check_volatility(remote, "remote")
    al = ar if local is None else check_volatility(local, "local")
    problem = f"factor={factor!r:.80} cannot be used: give a number from 0 to 1000"
    factor = as_number(factor, problem, 0, 1000)
    check_flags(jacoby=jacoby)
    W, L, ar, al = broadcast(win=W, lose=L, remote=ar * factor, local=al * factor)
    S = W + L + 0.5
    TP0, CP0 = (L - 0.5) / S, (L + 1) / S

    BP_l, BP_r = (S - a * S * S / (4 * (W - 0.5) * (L + 1)) for a in (al, ar))
    BO = S - ar * S * S / (4 * (L - 0.5) * (W + 1))
    AO = W - BO
    # The kinks of a centered live cube; under the Jacoby rule its equity is flat beyond them.
    at_cash = 1 - al * (2 * S / 3 if jacoby else S * (W + 1) / (6 * (W - 0.5)))
    at_take = -1 + ar * (2 * S / 3 if jacoby else S * (L + 1) / (6 * (L - 0.5)))
    BC = (at_cash - at_take) / (CP0 - TP0)
    AC = at_cash - BC * CP0
    TP, CP = (L - 0.5) / BP_r, 1 - (W - 0.5) / BO
    valid = np.maximum(ar, al) * S * S < 2 * np.minimum((W - 0.5) * (L + 1), (L - 0.5) * (W + 1))
    if not jacoby:  # under it, the equity of a centered cube has ends of its own
        for P in (TP, CP):  # straight pieces are in this order if their ends are
            valid &= (AO + BO * P <= AC + BC * P + TIE) & (-L + BP_l * P + TIE >= AC + BC * P)

    return LinearModel(
        take_point=scalar(TP),
        cash_point=scalar(CP),
        initial_double=scalar((AC - 2 * AO) / (2 * BO - BC)),
        redouble=scalar((-L - 2 * AO) / (2 * BO - BP_l)),
        too_good_centered=None if jacoby else scalar(_reaches_one(W, L, CP, AC + BC * CP)),
        too_good_mine=scalar(_reaches_one(W, L, CP, -L + BP_l * CP)),
        opponent_initial_double=scalar((AC + 2 * L) / (2 * BP_r - BC)),
        opponent_redouble=scalar((AO + 2 * L) / (2 * BP_r - BO)),
        opponent_too_good_centered=None if jacoby else scalar(1 - _reaches_one(L, W, 1 - TP, -(AC + BC * TP))),
        opponent_too_good_theirs=scalar(1 - _reaches_one(L, W, 1 - TP, -(AO + BO * TP))),
        win=scalar(W),
        lose=scalar(L),
        remote=scalar(ar),
        local=scalar(al),
        valid=scalar(valid),
        mine_slope=scalar(BP_l),
        mine_remote_slope=scalar(BP_r),
        theirs_slope=scalar(BO),
        centered_line=(scalar(AC), scalar(BC)),
        jacoby=jacoby,
    )


def _reaches_one(W: Floats, L: Floats, CP: Floats, value: Floats) -> Floats:
    """Chance at which the line from (CP, value) to (1, W) is 1; for W = 1, when nothing is too good, it is set to 1."""
    return np.where(W > 1, CP + (1 - CP) * (1 - value) / np.where(W > 1, W - value, 1.0), 1.0)


@overload
def implied_life_indexes(win: float, lose: float, volatility: float) -> tuple[float, float]: ...
@overload
def implied_life_indexes(
    win: npt.ArrayLike, lose: npt.ArrayLike, volatility: npt.ArrayLike
) -> tuple[Floats, Floats]: ...
def implied_life_indexes(win: npt.ArrayLike, lose: npt.ArrayLike, volatility: npt.ArrayLike) -> tuple[Any, Any]:
    """Janowski's two cube-life indexes implied by the linear approximation with one volatility.

    Parameters
    ----------
    win, lose, volatility : float or array_like
        W and L, from 1 to 3, and the jump volatility, from 0 to 1.

    Returns
    -------
    tuple of two float, or of two float64 ndarray
        x1 of the player on roll and x2 of the opponent.  With them `bgrace.cube.janowski.refined` has the same take
        point, cash point, redouble and lines of an owned cube, but another initial double.  Negative if the volatility
        is beyond the range of the approximation.

    Raises
    ------
    ArgumentError
        If a number is NaN or out of range.

    Notes
    -----
    Higgins, version of April 2012, section 3.

    Examples
    --------
    >>> [round(x, 3) for x in implied_life_indexes(1.5, 1, 0.10)]
    [0.775, 0.64]
    >>> round(implied_life_indexes(1.27, 1.27, 0.113)[0], 2)
    0.7
    """
    W, L = check_stakes(win, lose)
    W, L, alpha = broadcast(win=W, lose=L, volatility=check_volatility(volatility))
    S = W + L + 0.5
    x1 = 1 - alpha * S * S / (2 * (W - 0.5) * (L + 1))
    x2 = 1 - alpha * S * S / (2 * (L - 0.5) * (W + 1))
    return scalar(x1), scalar(x2)


_SMALL: Final = 1e-7
"""A volatility below this is replaced by it: equities equal those of a live cube to this accuracy."""


@dataclass(frozen=True)
class _Smoothed:
    """One equity: straight pieces averaged over jumps.

    Attributes
    ----------
    pieces : list of (float64 ndarray, float64 ndarray, float64 ndarray)
        Upper end, and intercept and slope, of each piece from 0 up; the last one ends at 1.
    alpha, W, L : float64 ndarray
        Volatility of the jumps, and the values at the ends, W and -L.
    kind : Distribution
        Distribution of the jumps.
    """

    pieces: list[tuple[Floats, Floats, Floats]]
    alpha: Floats
    W: Floats
    L: Floats
    kind: Distribution

    def __call__(self, P: Floats) -> Floats:
        """Equity at chances P."""
        level, below, above = self._parts(P)
        return np.asarray(level + self.slopes[0] * below + self.slopes[1] * above, dtype=np.float64)

    @cached_property
    def slopes(self) -> tuple[Floats, Floats]:
        """Slopes of the continuation below 0 and above 1, from E(0) = -L and E(1) = W."""
        rows = []
        for P, target in ((np.zeros_like(self.alpha), -self.L), (np.ones_like(self.alpha), self.W)):
            level, below, above = self._parts(P)
            rows.append((below, above, target - level))
        (a, b, e), (c, d, f) = rows
        determinant = a * d - b * c
        return (e * d - b * f) / determinant, (a * f - e * c) / determinant

    def _parts(self, P: Floats) -> tuple[Floats, Floats, Floats]:
        """Equity at P with level ends, and the amounts that a slope of 1 below 0 and one of 1 above 1 add to it."""
        F_low, G_low = cdf_and_mean(self.kind, -P, self.alpha)
        total, below = -self.L * F_low, P * F_low + G_low
        for high, A, B in self.pieces:
            F, G = cdf_and_mean(self.kind, high - P, self.alpha)
            total = total + (A + B * P) * (F - F_low) + B * (G - G_low)
            F_low, G_low = F, G
        return total + self.W * (1 - F_low), below, (P - 1) * (1 - F_low) - G_low


def _line(low: Any, value_low: Any, high: Any, value_high: Any) -> tuple[Floats, Floats]:
    """Intercept and slope through two points; a level line if they coincide."""
    width = np.asarray(high - low, dtype=np.float64)
    B = np.where(width > 0, (value_high - value_low) / np.where(width > 0, width, 1.0), 0.0)
    return value_low - B * low, B


def _smoothed(model: LinearModel[Any], kind: Distribution) -> tuple[_Smoothed, _Smoothed, _Smoothed]:
    """The smoothed equities of a linear approximation: centered, mine, theirs."""
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
    near, far = np.maximum(al, _SMALL), np.maximum(ar, _SMALL)
    smoothed = partial(_Smoothed, W=W, L=L, kind=kind)
    return smoothed(centered, near), smoothed(mine, near), smoothed(theirs, far)


def _bisect(function: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Zeros of rising functions, as an array; NaN for one that has no zero between its ends.

    The Illinois variant of false position; a bisection in every third round prevents slow convergence.
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
        # The end that stays gets half its weight, so that it moves next.
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
        The linear approximation inside the integral; it has W, L, the volatilities and ``valid``.
    jumps : str
        The jump distribution.
    """

    linear: LinearModel[V]
    jumps: str

    @property
    def valid(self) -> bool | Booleans:
        """Whether the linear approximation inside is valid."""
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
        As for `bgrace.cube.jump.linear`.  The local volatility is for equities at this cube, the remote one for the
        opponent's and for all after a double.
    jumps : str
        Jump distribution: ``"double-exponential"`` or ``"gaussian"``.

    Returns
    -------
    NonlinearModel
        Of scalars if all numbers are scalars, else of float64 arrays.  A point is NaN if it does not exist because the
        volatility is beyond the range of the approximation.

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
    return NonlinearModel(**{name: scalar(point) for name, point in points.items()}, linear=near, jumps=kind.name)
