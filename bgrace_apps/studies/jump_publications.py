"""The first version of the jump model: straight lines in the market window, with average and local volatility.

Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model", version of March 2012.  The author replaced it:
it cashes everywhere above the cash point and so has no too-good points, and with one volatility it is Janowski's line
form in other letters.  It is here because it is simple and still quoted, to be compared with `bgrace.cube.jump.linear`
and `bgrace.cube.jump.exact`.

W and L are the mean points of a win and of a loss, S = W + L + 1/2, a the average and al the local volatility.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, ShortRepr, as_integer, broadcast, elementwise, scalar
from bgrace.cube.action import V
from bgrace.cube.jump.distributions import cdf_and_mean, distribution
from bgrace.cube.model import CubeModel, DecisionPoints, check_number, check_probability, check_stakes, check_volatility
from bgrace.errors import ArgumentError

__all__ = [
    "FirstVersion",
    "FixedWindow",
    "first_version",
    "fixed_window",
    "life_index_from_volatility",
    "volatility_from_life_index",
]


@dataclass(frozen=True, kw_only=True, repr=False)
class FirstVersion(DecisionPoints[V], CubeModel[V]):
    """The first version's decision points and equities.

    Equities are three straight lines within the market window, +1 beyond the cash point and -1 beyond the take point.

    Attributes
    ----------
    win, lose : float, or float64 ndarray
        W and L.
    average, local : float, or float64 ndarray
        Jump volatilities.
    """

    win: V
    lose: V
    average: V
    local: V

    def _equities(self, P: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        # An owned cube has no window on its owner's losing side, so there the line goes on to -L or to W.
        W, L, a, al = (np.asarray(v, dtype=np.float64) for v in (self.win, self.lose, self.average, self.local))
        TP, CP = np.asarray(self.take_point), np.asarray(self.cash_point)
        centered, mine, theirs = _lines(W, L, (TP, CP), a, al)
        return (
            P * (W + L) - L,
            np.where(P > CP, 1.0, np.where(P < TP, -1.0, centered[0] + centered[1] * P)),
            np.where(P > CP, 1.0, mine[0] + mine[1] * P),
            np.where(P < TP, -1.0, theirs[0] + theirs[1] * P),
        )


def _lines(
    W: Floats, L: Floats, points: tuple[Floats, Floats], a: Floats, al: Floats
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Intercept and slope of E_C, E_P and E_O (appendix 3)."""
    TP, CP = points
    B_P = (1 + L) / (CP + al)
    B_O = (W + 1) / (1 - TP + a)
    B_C = 2 / (CP + al - TP + a)
    return (1 - B_C * (CP + al), B_C), (-L, B_P), (W - B_O, B_O)


@overload
def first_version(win: float, lose: float, average: float, local: float | None = ...) -> FirstVersion[float]: ...
@overload
def first_version(
    win: npt.ArrayLike, lose: npt.ArrayLike, average: npt.ArrayLike, local: npt.ArrayLike | None = ...
) -> FirstVersion[Floats]: ...
def first_version(
    win: npt.ArrayLike, lose: npt.ArrayLike, average: npt.ArrayLike, local: npt.ArrayLike | None = None
) -> FirstVersion[Any]:
    """Decision points of the jump model's first version.

    Parameters
    ----------
    win, lose : float or array_like
        W and L, from 1 to 3.
    average : float or array_like
        Average jump volatility a, from 0 to 1: how far the chance moves if the game has turned.
    local : float or array_like, optional
        Jump volatility al of this position; the average if not given.

    Returns
    -------
    FirstVersion
        Of scalars if all arguments are scalars, else of float64 arrays.  Too-good points are None.

    Raises
    ------
    ArgumentError
        If a number is NaN or out of range, or the volatilities so large that the lines leave no market window.

    Examples
    --------
    >>> model = first_version(1, 1, 0.077, 0.13)
    >>> [round(100 * p, 1) for p in (model.take_point, model.cash_point, model.initial_double, model.redouble)]
    [21.5, 78.5, 62.2, 66.9]
    """
    W, L = check_stakes(win, lose)
    a = check_volatility(average, "average")
    al = a if local is None else check_volatility(local, "local")
    W, L, a, al = broadcast(win=W, lose=L, average=a, local=al)
    S = W + L + 0.5
    m, m_O = 1 + L - a * (L + 2 * W), 1 + W - a * (W + 2 * L)
    TP, CP = (L - 0.5) * (1 + a) / S, (L + 1 + a * (0.5 - W)) / S
    ID = (L + 1 + a * (1.5 + L - W) + 2 * al * L * S - a * a * (W - 0.5) - 2 * a * al * (W + 0.5) * S) / (
        S * (1 + a + 2 * al * S)
    )
    RD = m * (1 + L - a * (W - 0.5) + al * S) / (S * (m + 2 * al * S))
    # The lines make sense while there is a window and the points are chances.
    wrong = ~((TP < CP) & (ID >= 0) & (RD >= 0))
    if wrong.any():
        first = tuple(np.argwhere(wrong)[0])
        raise ArgumentError(
            f"win={W[first]:g}, lose={L[first]:g}, average={a[first]:g}, local={al[first]:g}: the first version has no "
            f"market window there (take point {TP[first]:.3f}, redouble {RD[first]:.3f}, cash point {CP[first]:.3f}); "
            "give smaller volatilities, or use jump.exact"
        )
    (A_C, B_C), _, _ = _lines(W, L, (TP, CP), a, al)
    # The opponent's points lie on the far side of the game, where the doubled cube knows the average volatility only.
    B_P = (1 + L) / (CP + a)
    return FirstVersion(
        take_point=scalar(TP),
        cash_point=scalar(CP),
        initial_double=scalar(ID),
        redouble=scalar(RD),
        opponent_initial_double=scalar((A_C + 2 * L) / (2 * B_P - B_C)),
        opponent_redouble=scalar(1 - m_O / S),
        win=scalar(W),
        lose=scalar(L),
        average=scalar(a),
        local=scalar(al),
    )


@elementwise
def life_index_from_volatility(win: npt.ArrayLike, lose: npt.ArrayLike, volatility: npt.ArrayLike) -> Floats:
    """Janowski's cube-life index that makes the line form equal to the first version with one volatility.

    Parameters
    ----------
    win, lose, volatility : float or array_like
        W and L, from 1 to 3, and the jump volatility, from 0 to 1.

    Returns
    -------
    float, or float64 ndarray
        x; negative where the volatility is above 1/(2(W + L)).

    Raises
    ------
    ArgumentError
        If a number is NaN or out of range.

    Notes
    -----
    Higgins, version of March 2012, section 3.

    Examples
    --------
    >>> round(life_index_from_volatility(1, 1, 0.077), 2), round(life_index_from_volatility(1.4, 1.4, 0.077), 2)
    (0.64, 0.53)
    """
    W, L = check_stakes(win, lose)
    W, L, alpha = broadcast(win=W, lose=L, volatility=check_volatility(volatility))
    return np.asarray((1 - 2 * alpha * (W + L)) / (1 + alpha))


@elementwise
def volatility_from_life_index(win: npt.ArrayLike, lose: npt.ArrayLike, x: npt.ArrayLike) -> Floats:
    """Jump volatility that makes the first version equal to Janowski's line form; see `life_index_from_volatility`.

    Parameters
    ----------
    win, lose, x : float or array_like
        W and L, from 1 to 3, and the cube-life index, from -1 to 1.

    Returns
    -------
    float, or float64 ndarray
        Jump volatility.

    Raises
    ------
    ArgumentError
        If a number is NaN or out of range.

    Examples
    --------
    >>> round(volatility_from_life_index(1, 1, 0.7), 6)
    0.06383
    """
    W, L = check_stakes(win, lose)
    W, L, x_ = broadcast(win=W, lose=L, x=check_number("x", x, -1.0, 1.0, "a cube-life index"))
    return (1 - x_) / (2 * (W + L + x_ / 2))


@dataclass(frozen=True, repr=False)
class FixedWindow(ShortRepr):
    """Equities between given take and cash points: -1 below, +1 above, no cube within.

    Attributes
    ----------
    p, equity : float64 ndarray, shape (buckets + 1,)
        Nodes from the take point to the cash point, and the equities there, seen from inside.
    intercept, slope : float
        The straight line through (take point - alpha, -1) and (cash point + alpha, +1).
    """

    p: Floats = field(repr=False)
    equity: Floats = field(repr=False)
    intercept: float
    slope: float


def fixed_window(
    take_point: float, cash_point: float, volatility: float, jumps: str = "gaussian", buckets: int = 200
) -> FixedWindow:
    """Solve E(P) = integral of f(J) E(P + J) between two given points, and draw the first version's straight line.

    Parameters
    ----------
    take_point, cash_point : float
        The window, within [0, 1].
    volatility : float
        Jump volatility, above 0.
    jumps : str
        Jump distribution.
    buckets : int
        Parts into which the window is cut; the error falls with their square.

    Returns
    -------
    FixedWindow
        For double-exponential jumps the straight line is exact.

    Raises
    ------
    ArgumentError
        If a number is out of range, the window is empty, or the distribution unknown.

    Notes
    -----
    Higgins, version of March 2012, appendix 4.  Its last equation lacks a factor E_j in the sum.

    Examples
    --------
    >>> window = fixed_window(0.3, 0.7, 0.1, "double-exponential")
    >>> line = window.intercept + window.slope * window.p
    >>> bool(abs(window.equity - line).max() < 1e-4)
    True
    """
    TP, CP = float(check_probability(take_point, "take_point")), float(check_probability(cash_point, "cash_point"))
    alpha = float(check_number("volatility", volatility, 1e-6, 1.0, "a mean absolute jump"))
    kind = distribution(jumps)
    if not CP > TP:
        raise ArgumentError(f"take_point={TP:g}, cash_point={CP:g}: give a take point below the cash point")
    buckets = as_integer(buckets, f"buckets={buckets!r:.80} cannot be used: give a whole number of at least 1", 1)
    P = np.linspace(TP, CP, buckets + 1)
    x, h = P[None, :] - P[:, None], (CP - TP) / buckets
    F, G = cdf_and_mean(kind, x, alpha)
    dF, dG = np.diff(F), np.diff(G)
    M = np.zeros(x.shape)  # weights of the values at the nodes in the mean after a jump, straight between them
    M[:, 1:] += (dG - x[:, :-1] * dF) / h
    M[:, :-1] += (x[:, 1:] * dF - dG) / h
    outside = -F[:, 0] + 1 - F[:, -1]
    slope = 2 / (CP - TP + 2 * alpha)
    equity = np.asarray(np.linalg.solve(np.eye(buckets + 1) - M, outside), dtype=np.float64)
    return FixedWindow(P, equity, -1 - slope * (TP - alpha), slope)
