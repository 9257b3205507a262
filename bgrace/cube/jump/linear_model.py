"""The linear approximation of the jump model's second version, with remote and local volatility.

One application of the model's integral to the live-cube equities, at the live-cube points, gives a value there;
straight lines are drawn through these.  A kink at which the slope changes from b to c contributes (c - b) alpha/2.

Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model", version of April 2012, section 3 and appendix 1,
whose displayed formulas are lost and were derived anew: see docs/cube-models-mathematics.md.  W and L are the mean
points of a win and of a loss, S = W + L + 1/2, TP0 and CP0 the live-cube points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Booleans, Floats, as_number, scalar
from bgrace.cube.action import V
from bgrace.cube.model import (
    CubeModel,
    DecisionPoints,
    check_stakes,
    check_volatility,
)


@dataclass(frozen=True, kw_only=True, repr=False)
class LinearModel(DecisionPoints[V], CubeModel[V]):
    """Decision points and equities of the linear approximation.

    Attributes
    ----------
    win, lose, remote, local : float, or float64 ndarray
        W, L and the two volatilities.
    valid : bool, or bool ndarray
        Whether the remote volatility is small enough for both implied life indexes to be positive.  Beyond, equities
        fall below the dead-cube ones; the numbers are given all the same.
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
        Remote jump volatility, from 0 to 1: how far the chance moves if the game turns and the other side may redouble.
        It alone fixes the take and cash points.
    local : float or array_like, optional
        Jump volatility of this position; the remote one if not given.
    jacoby : bool
        Whether gammons count only once the cube is turned.  An extension: the paper has none.
    factor : float
        What both volatilities are multiplied by.  The paper uses 1.24 for statistical ones, to make up for the
        approximation; the right factor depends on W and L.

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
    W, L, ar, al = np.broadcast_arrays(W, L, ar * factor, al * factor)
    S = W + L + 0.5
    TP0, CP0 = (L - 0.5) / S, (L + 1) / S

    BP_l, BP_r = (S - a * S * S / (4 * (W - 0.5) * (L + 1)) for a in (al, ar))
    BO = S - ar * S * S / (4 * (L - 0.5) * (W + 1))
    AO = W - BO
    # The kinks of a centered live cube; with Jacoby it is flat beyond them.
    at_cash = 1 - al * (2 * S / 3 if jacoby else S * (W + 1) / (6 * (W - 0.5)))
    at_take = -1 + ar * (2 * S / 3 if jacoby else S * (L + 1) / (6 * (L - 0.5)))
    BC = (at_cash - at_take) / (CP0 - TP0)
    AC = at_cash - BC * CP0
    TP, CP = (L - 0.5) / BP_r, 1 - (W - 0.5) / BO

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
        valid=scalar(ar * S * S < 2 * np.minimum((W - 0.5) * (L + 1), (L - 0.5) * (W + 1))),
        mine_slope=scalar(BP_l),
        mine_remote_slope=scalar(BP_r),
        theirs_slope=scalar(BO),
        centered_line=(scalar(AC), scalar(BC)),
        jacoby=jacoby,
    )


def _reaches_one(W: Floats, L: Floats, CP: Floats, value: Floats) -> Floats:
    """Where the straight piece from (CP, value) to (1, W) is 1; 1 by rule for W = 1, where nothing is too good."""
    return np.where(W > 1, CP + (1 - CP) * (1 - value) / np.where(W > 1, W - value, 1.0), 1.0)


@overload
def implied_life_indexes(win: float, lose: float, volatility: float) -> tuple[float, float]: ...
@overload
def implied_life_indexes(
    win: npt.ArrayLike, lose: npt.ArrayLike, volatility: npt.ArrayLike
) -> tuple[Floats, Floats]: ...
def implied_life_indexes(win: npt.ArrayLike, lose: npt.ArrayLike, volatility: npt.ArrayLike) -> tuple[Any, Any]:
    """Janowski's two cube-life indexes that the linear approximation with one volatility implies.

    Parameters
    ----------
    win, lose, volatility : float or array_like
        W and L, from 1 to 3, and the jump volatility, from 0 to 1.

    Returns
    -------
    tuple of two float, or of two float64 ndarray
        x1 of the player on roll and x2 of the opponent.  With them `bgrace.cube.janowski.refined` has the same take
        point, cash point, redouble and lines of an owned cube; not the same initial double.  Negative where the
        volatility is beyond the range of the approximation.

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
    alpha = check_volatility(volatility)
    S = W + L + 0.5
    x1 = 1 - alpha * S * S / (2 * (W - 0.5) * (L + 1))
    x2 = 1 - alpha * S * S / (2 * (L - 0.5) * (W + 1))
    return scalar(x1), scalar(x2)
