"""A cube-life index for each player."""

# ruff: noqa: N806 (formulas keep the letters of their paper)

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, scalar
from bgrace.cube.action import CubeAction, CubeActions, V
from bgrace.cube.model import (
    CubeModel,
    DecisionPoints,
    ModelEquities,
    check_number,
    check_probability,
    check_stakes,
)
from bgrace.errors import ArgumentError

__all__ = ["RefinedModel", "refined"]


@dataclass(frozen=True, kw_only=True, repr=False)
class RefinedModel(DecisionPoints[V], CubeModel[V]):
    """Janowski's refined general model: a cube-life index for each player.

    Attributes
    ----------
    win, lose, x1, x2 : float, or float64 ndarray
        W, L and the indexes; x1 belongs to the player on roll, x2 to the opponent.
    intercept, slope : float, or float64 ndarray
        A_C and B_C of the centered line E_C = A_C + B_C P.
    """

    win: V
    lose: V
    x1: V
    x2: V
    intercept: V
    slope: V

    @overload
    def equities(self, p: float) -> ModelEquities[V]: ...

    @overload
    def equities(self, p: npt.ArrayLike) -> ModelEquities[Floats]: ...

    def equities(self, p: npt.ArrayLike) -> ModelEquities[Any]:
        """Three straight lines, which mean nothing below the take point and above the cash point."""
        P, W, L = check_probability(p), np.asarray(self.win), np.asarray(self.lose)
        mine = P * (W + L + np.asarray(self.x1) / 2) - L
        theirs = P * (W + L + np.asarray(self.x2) / 2) - L - np.asarray(self.x2) / 2
        values = P * (W + L) - L, self.intercept + self.slope * P, mine, theirs
        return ModelEquities(*(scalar(value) for value in np.broadcast_arrays(*values)))

    @overload
    def cube_action(self: CubeModel[float], p: float, cube: str = ..., beavers: bool = ...) -> CubeAction: ...

    @overload
    def cube_action(self, p: npt.ArrayLike, cube: str = ..., beavers: bool = ...) -> CubeActions: ...

    def cube_action(self, p: npt.ArrayLike, cube: str = "centered", beavers: bool = False) -> CubeAction | CubeActions:
        """As for every model, but refused beyond the market window, where the lines would call a cash too good."""
        P = check_probability(p)
        outside = (np.asarray(self.take_point) > P) | (np.asarray(self.cash_point) < P)
        if np.any(outside):
            beyond = np.broadcast_to(P, outside.shape)[outside].flat[0]
            raise ArgumentError(
                f"p={beyond:g} lies outside the market window of the refined model, which has no equities there: "
                "use janowski.model or jump.linear"
            )
        return CubeModel.cube_action(self, p, cube, beavers)


@overload
def refined(win: float, lose: float, x1: float, x2: float) -> RefinedModel[float]: ...
@overload
def refined(win: npt.ArrayLike, lose: npt.ArrayLike, x1: npt.ArrayLike, x2: npt.ArrayLike) -> RefinedModel[Floats]: ...
def refined(win: npt.ArrayLike, lose: npt.ArrayLike, x1: npt.ArrayLike, x2: npt.ArrayLike) -> RefinedModel[Any]:
    """Janowski's refined general model, with one cube-life index for each player.

    Parameters
    ----------
    win, lose : float or array_like
        W and L, from 1 to 3.
    x1, x2 : float or array_like
        Indexes of the player on roll and of the opponent, from -1 to 2.  The jump model implies some outside [0, 1].

    Returns
    -------
    RefinedModel
        The take point depends on x1 only and the cash point on x2 only.  The centered line joins the point where the
        line E_O is -1 to the point where the line E_P is +1; for x1 = x2 it is the line form of `equities`.  Janowski
        prints another formula for two indexes, which this project could not consult: the choice is its own.

    Raises
    ------
    ArgumentError
        If a number is NaN or out of range.

    Examples
    --------
    >>> model = refined(1.4, 1.1, 0.75, 0.60)
    >>> round(model.take_point, 6), round(model.initial_double, 6), round(model.cash_point, 6)
    (0.208696, 0.59819, 0.678571)
    """
    W, L = check_stakes(win, lose)
    x1_ = check_number("x1", x1, -1.0, 2.0, "a cube-life index")
    x2_ = check_number("x2", x2, -1.0, 2.0, "a cube-life index")
    D1, D2 = W + L + x1_ / 2, W + L + x2_ / 2
    pa, pb = (L - 1 + x2_ / 2) / D2, (L + 1) / D1
    B = 2 / (pb - pa)
    A = 1 - B * pb
    return RefinedModel(
        take_point=scalar((L - 0.5) / D1),
        cash_point=scalar((L + 0.5 + x2_ / 2) / D2),
        initial_double=scalar((A + 2 * L + x2_) / (2 * D2 - B)),
        redouble=scalar((L + x2_) / (W + L + x2_ - x1_ / 2)),
        too_good_centered=scalar(pb),
        too_good_mine=scalar(pb),
        opponent_initial_double=scalar((A + 2 * L) / (2 * D1 - B)),
        opponent_redouble=scalar((L - x2_ / 2) / (W + L + x1_ - x2_ / 2)),
        opponent_too_good_centered=scalar(pa),
        opponent_too_good_theirs=scalar(pa),
        beaver_point=scalar(L / D1),
        racoon_point=scalar((L + x2_ / 2) / D2),
        win=scalar(W),
        lose=scalar(L),
        x1=scalar(x1_),
        x2=scalar(x2_),
        intercept=scalar(A),
        slope=scalar(B),
    )
