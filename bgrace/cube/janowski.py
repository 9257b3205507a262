"""Janowski's cube model: between a dead cube and a live one.

A *dead* cube is never turned again, and the equity is cubeless.  With a *live* cube the chance of winning moves
continuously, so that every double comes exactly at the point where the opponent can just take.  Real games lie between
the two, at the cube-life index x: 0 is dead, 1 is live, 0.6 to 0.7 is customary.

Two forms of the model are in use.  The *line* form draws one straight line through the market window; it has no meaning
beyond the take and cash points.  The *blend* form is (1 - x) dead + x live in every cube state; programs use it, and it
holds everywhere.  The forms differ for a centered cube, hence in the initial double, and in the too-good point.

R. Janowski, "Take-Points in Money Games" (1993), with W and L the mean points of a win and of a loss at a cube of 1,
and D = W + L + x/2. Equities are for the player on roll, before the dice and after they have decided not to double, per
unit of the present cube.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, as_choice, broadcast, check_flags, elementwise, scalar
from bgrace.cube.action import V
from bgrace.cube.model import (
    CubeModel,
    DecisionPoints,
    ModelEquities,
    check_number,
    check_probability,
    check_stakes,
    win_loss_values,
)
from bgrace.errors import ArgumentError

__all__ = [
    "Form",
    "JanowskiModel",
    "RefinedModel",
    "dead",
    "decision_points",
    "equities",
    "jacoby_initial_double",
    "live",
    "model",
    "race_life_index",
    "refined",
    "win_loss_values",
]

# ---- one cube-life index for both players

Form: TypeAlias = Literal["blend", "line"]


@elementwise
def race_life_index(pips: npt.ArrayLike) -> Floats:
    """The customary cube-life index of a race: 0.55 + 0.00125 pips, but at least 0.6 and at most 0.7.

    Parameters
    ----------
    pips : float or array_like
        Pip count of the player on roll.

    Returns
    -------
    float, or float64 ndarray
        Cube-life index, without unit.

    Raises
    ------
    ArgumentError
        If `pips` is NaN or below 0.

    Examples
    --------
    >>> race_life_index([20, 80, 120]).tolist()
    [0.6, 0.65, 0.7]
    """
    return np.clip(0.55 + 0.00125 * check_number("pips", pips, 0.0, math.inf, "a pip count"), 0.6, 0.7)


@overload
def dead(p: float, win: float, lose: float, *, jacoby: bool = ...) -> ModelEquities[float]: ...
@overload
def dead(p: npt.ArrayLike, win: npt.ArrayLike, lose: npt.ArrayLike, *, jacoby: bool = ...) -> ModelEquities[Floats]: ...
def dead(p: npt.ArrayLike, win: npt.ArrayLike, lose: npt.ArrayLike, *, jacoby: bool = False) -> ModelEquities[Any]:
    """Equities if the cube is never turned again: P(W + L) - L in all three states.

    Parameters, returned value and errors are those of `equities` with x = 0.

    Examples
    --------
    >>> round(dead(0.5, 1.2, 1.1).centered, 6)
    0.05
    """
    return equities(p, win, lose, 0.0, jacoby=jacoby)


@overload
def live(p: float, win: float, lose: float, *, jacoby: bool = ...) -> ModelEquities[float]: ...
@overload
def live(p: npt.ArrayLike, win: npt.ArrayLike, lose: npt.ArrayLike, *, jacoby: bool = ...) -> ModelEquities[Floats]: ...
def live(p: npt.ArrayLike, win: npt.ArrayLike, lose: npt.ArrayLike, *, jacoby: bool = False) -> ModelEquities[Any]:
    """Equities if the chance of winning moves continuously.

    Parameters, returned value and errors are those of `equities` with x = 1.

    Examples
    --------
    >>> live(0.8, 1, 1).mine    # the cash point
    1.0
    """
    return equities(p, win, lose, 1.0, jacoby=jacoby)


@overload
def equities(
    p: float, win: float, lose: float, x: float, form: str = ..., *, jacoby: bool = ...
) -> ModelEquities[float]: ...
@overload
def equities(
    p: npt.ArrayLike,
    win: npt.ArrayLike,
    lose: npt.ArrayLike,
    x: npt.ArrayLike,
    form: str = ...,
    *,
    jacoby: bool = ...,
) -> ModelEquities[Floats]: ...
def equities(
    p: npt.ArrayLike,
    win: npt.ArrayLike,
    lose: npt.ArrayLike,
    x: npt.ArrayLike,
    form: str = "blend",
    *,
    jacoby: bool = False,
) -> ModelEquities[Any]:
    """Equities of rolling now, in the three cube states.

    Parameters
    ----------
    p : float or array_like
        Chance of winning of the player on roll.
    win, lose : float or array_like
        W and L, from 1 to 3.
    x : float or array_like
        Cube-life index, from 0 (dead) to 1 (live).
    form : str
        ``"blend"`` or ``"line"``.  The line form has no meaning below the take point and above the cash point.
    jacoby : bool
        Whether gammons count only once the cube is turned; changes the centered equity of the blend form.

    Returns
    -------
    ModelEquities
        Of scalars if all arguments are scalars, else of float64 arrays of the broadcast shape.

    Raises
    ------
    ArgumentError
        If a number is NaN or out of range, the form unknown, or the Jacoby rule given for the line form.

    Examples
    --------
    >>> blend = equities(0.3, 1.4, 1.1, 0.68)
    >>> round(blend.mine, 6), round(blend.centered, 6), round(blend.theirs, 6)
    (-0.248, -0.52, -0.588)
    >>> round(equities(0.3, 1.4, 1.1, 0.68, form="line").centered, 6)
    -0.503614
    """
    W, L = check_stakes(win, lose)
    P, W, L, x_ = broadcast(p=check_probability(p), win=W, lose=L, x=_check_index(x))
    values = _blend(P, W, L, x_, jacoby) if _check_form(form, jacoby) == "blend" else _lines(P, W, L, x_)
    return ModelEquities(*map(scalar, values))


def _lines(P: Floats, W: Floats, L: Floats, x: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Equities of the line form: cubeless, centered, mine, theirs."""
    D = W + L + x / 2
    return P * (W + L) - L, 4 / (4 - x) * (P * D - L - x / 4), P * D - L, P * D - L - x / 2


def _blend(P: Floats, W: Floats, L: Floats, x: Floats, jacoby: bool) -> tuple[Floats, Floats, Floats, Floats]:
    """Equities of the blend form, in the order of `_lines`.  Live ones are straight between the ends, TP0 and CP0."""
    S = W + L + 0.5
    TP0, CP0 = (L - 0.5) / S, (L + 1) / S
    below, above = -L + P * (L - 1) / TP0, W - (1 - P) * (W - 1) / (1 - CP0)
    live_centered = np.where(P < TP0, below, np.where(P > CP0, above, 4 / 3 * (P * S - L - 0.25)))
    live_mine, live_theirs = np.where(P > CP0, above, P * S - L), np.where(P < TP0, below, P * S - L - 0.5)
    plain = P * (W + L) - L
    dead_centered = plain
    if jacoby:
        dead_centered, live_centered = 2 * P - 1, np.clip(live_centered, -1.0, 1.0)
    pairs = ((dead_centered, live_centered), (plain, live_mine), (plain, live_theirs))
    centered, mine, theirs = ((1 - x) * dead_value + x * live_value for dead_value, live_value in pairs)
    return plain, centered, mine, theirs


@overload
def decision_points(
    win: float, lose: float, x: float, form: str = ..., *, jacoby: bool = ..., beavers: bool = ...
) -> DecisionPoints[float]: ...
@overload
def decision_points(
    win: npt.ArrayLike,
    lose: npt.ArrayLike,
    x: npt.ArrayLike,
    form: str = ...,
    *,
    jacoby: bool = ...,
    beavers: bool = ...,
) -> DecisionPoints[Floats]: ...
def decision_points(
    win: npt.ArrayLike,
    lose: npt.ArrayLike,
    x: npt.ArrayLike,
    form: str = "blend",
    *,
    jacoby: bool = False,
    beavers: bool = False,
) -> DecisionPoints[Any]:
    """Every decision point of the one-index model.

    Parameters
    ----------
    win, lose, x : float or array_like
        W and L, from 1 to 3, and the cube-life index, from 0 to 1.
    form : str
        ``"blend"`` or ``"line"``.  The line form's too-good point, at which its line reaches 1, is below 1 even for
        W = 1, for which no position is too good.
    jacoby, beavers : bool
        Rules; they move the initial double of the blend form.  With Jacoby nothing is too good while the cube is
        centered.

    Returns
    -------
    DecisionPoints
        Of scalars if all arguments are scalars, else of float64 arrays.

    Raises
    ------
    ArgumentError
        If a number is NaN or out of range, the form unknown, or the Jacoby rule given for the line form.

    Examples
    --------
    >>> points = decision_points(1, 1, 0.7)
    >>> round(points.take_point, 3), round(points.initial_double, 3), round(points.cash_point, 3)
    (0.213, 0.698, 0.787)
    >>> round(decision_points(1, 1, 0.7, form="line").initial_double, 3)
    0.689
    """
    check_flags(beavers=beavers)
    W, L = check_stakes(win, lose)
    W, L, x_ = broadcast(win=W, lose=L, x=_check_index(x))
    blend = _check_form(form, jacoby) == "blend"
    D = W + L + x_ / 2
    if blend:
        double = jacoby_initial_double(W, L, x_, beavers=beavers) if jacoby else _blend_double(W, L, x_, W, L)
        theirs = jacoby_initial_double(L, W, x_, beavers=beavers) if jacoby else _blend_double(L, W, x_, L, W)
        good, their_good = _blend_too_good(W, L, x_), 1 - _blend_too_good(L, W, x_)
    else:
        double, theirs = ((a + x_ * (3 - x_) / (2 * (2 - x_))) / D for a in (L, W))
        good, their_good = (L + 1) / D, 1 - (W + 1) / D
    return DecisionPoints(
        take_point=scalar((L - 0.5) / D),
        cash_point=scalar((L + 0.5 + x_ / 2) / D),
        initial_double=scalar(double),
        redouble=scalar((L + x_) / D),
        too_good_centered=None if jacoby else scalar(good),
        too_good_mine=scalar(good),
        opponent_initial_double=scalar(1 - np.asarray(theirs)),
        opponent_redouble=scalar(1 - (W + x_) / D),
        opponent_too_good_centered=None if jacoby else scalar(their_good),
        opponent_too_good_theirs=scalar(their_good),
        beaver_point=scalar(L / D),
        racoon_point=scalar((L + x_ / 2) / D),
    )


def _blend_double(W: Floats, L: Floats, x: Floats, win: Floats, lose: Floats, turns: int = 2) -> Floats:
    """Chance at which E_C = `turns` E_O between TP0 and CP0; a dead centered cube goes from -`lose` to `win`."""
    numerator = turns * (L + x / 2) - (1 - x) * lose - x / 3 * (4 * L + 1)
    return numerator / (turns * (W + L + x / 2) - (1 - x) * (win + lose) - 4 * x / 3 * (W + L + 0.5))


def _blend_too_good(W: Floats, L: Floats, x: Floats) -> Floats:
    """Chance at which the upper piece of the blend, the same for a centered and an own cube, reaches 1."""
    b = (1 - x) * (W + L) + x * (W - 1) * (W + L + 0.5) / (W - 0.5)  # its slope; its end is (1, W)
    # W = 1 is set by rule: a live equity is 1 on a whole interval there.
    return np.where(W > 1, 1 - (W - 1) / np.where(W > 1, b, 1.0), 1.0)


@elementwise
def jacoby_initial_double(
    win: npt.ArrayLike, lose: npt.ArrayLike, x: npt.ArrayLike = 0.0, *, beavers: bool = False
) -> Floats:
    """Initial double of the blend form under the Jacoby rule.

    Parameters
    ----------
    win, lose, x : float or array_like
        W and L, from 1 to 3, and the cube-life index, from 0 to 1.
    beavers : bool
        Whether the taker may beaver.  They do if the doubler's equity after the take is below 0.  With W > L such a
        double can still be right, because it makes gammons count, but only at a higher chance.

    Returns
    -------
    float, or float64 ndarray
        Chance of winning.

    Raises
    ------
    ArgumentError
        If a number is NaN or out of range.

    Examples
    --------
    >>> round(jacoby_initial_double(1.4, 1.1), 6), round(jacoby_initial_double(1.4, 1.1, beavers=True), 6)
    (0.4, 0.425)
    """
    check_flags(beavers=beavers)
    W, L = check_stakes(win, lose)
    W, L, x_ = broadcast(win=W, lose=L, x=_check_index(x))
    one = np.ones_like(W)
    plain = _blend_double(W, L, x_, one, one)
    beavered = plain < (L + x_ / 2) / (W + L + x_ / 2)
    return np.where(beavered, _blend_double(W, L, x_, one, one, turns=4), plain) if beavers else plain


@dataclass(frozen=True, kw_only=True, repr=False)
class JanowskiModel(DecisionPoints[V], CubeModel[V]):
    """The one-index model in its blend form, with its parameters, as a cube model like the others.

    Attributes
    ----------
    win, lose, x : float, or float64 ndarray
        W, L and the cube-life index.
    jacoby : bool
        Whether gammons count only once the cube is turned.
    """

    win: V
    lose: V
    x: V
    jacoby: bool = False

    def _equities(self, P: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        return _blend(P, np.asarray(self.win), np.asarray(self.lose), np.asarray(self.x), self.jacoby)


@overload
def model(win: float, lose: float, x: float, *, jacoby: bool = ..., beavers: bool = ...) -> JanowskiModel[float]: ...
@overload
def model(
    win: npt.ArrayLike, lose: npt.ArrayLike, x: npt.ArrayLike, *, jacoby: bool = ..., beavers: bool = ...
) -> JanowskiModel[Floats]: ...
def model(
    win: npt.ArrayLike, lose: npt.ArrayLike, x: npt.ArrayLike, *, jacoby: bool = False, beavers: bool = False
) -> JanowskiModel[Any]:
    """The one-index model in its blend form, as an object like those of `bgrace.cube.jump`.

    Parameters, and errors, are those of `decision_points`.

    Examples
    --------
    >>> model(1.7, 1.1, 0, jacoby=True, beavers=True).cube_action(0.37, beavers=True).verdict
    'double/beaver'
    """
    points: dict[str, Any] = decision_points(win, lose, x, jacoby=jacoby, beavers=beavers).points()
    W, L = check_stakes(win, lose)
    return JanowskiModel(**points, win=scalar(W), lose=scalar(L), x=scalar(_check_index(x)), jacoby=jacoby)


def _check_index(x: npt.ArrayLike) -> Floats:
    return check_number("x", x, 0.0, 1.0, "a cube-life index")


def _check_form(form: str, jacoby: bool) -> Form:
    check_flags(jacoby=jacoby)
    known: Form = as_choice("form", form, get_args(Form))
    if known == "line" and jacoby:
        raise ArgumentError("form='line' has no Jacoby rule: use form='blend'")
    return known


# ---- a cube-life index for each player


@dataclass(frozen=True, kw_only=True, repr=False)
class RefinedModel(DecisionPoints[V], CubeModel[V]):
    """Janowski's refined general model: a cube-life index for each player.

    Equities are three straight lines, which have no meaning below the take point and above the cash point:
    `cube_action` refuses chances there.

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

    def _equities(self, P: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        W, L, x1, x2 = (np.asarray(value) for value in (self.win, self.lose, self.x1, self.x2))
        centered = np.asarray(self.intercept + self.slope * P)
        return P * (W + L) - L, centered, P * (W + L + x1 / 2) - L, P * (W + L + x2 / 2) - L - x2 / 2

    def _check_market(self, P: Floats) -> None:
        """Raise ArgumentError outside the market window, where the lines would make a cash too good."""
        outside = (np.asarray(self.take_point) > P) | (np.asarray(self.cash_point) < P)
        if np.any(outside):
            beyond = np.broadcast_to(P, outside.shape)[outside].flat[0]
            raise ArgumentError(
                f"p={float(beyond)!r} lies outside the market window of the refined model, which has no equities "
                "there: use janowski.model or jump.linear"
            )


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
        line E_O is -1 to the point where the line E_P is +1; for x1 = x2 it is the line form of `equities`.  This is
        our choice: Janowski prints another formula for two indexes, which we could not consult.

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
    W, L, x1_, x2_ = broadcast(win=W, lose=L, x1=x1_, x2=x2_)
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
