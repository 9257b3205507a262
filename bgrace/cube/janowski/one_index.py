"""One cube-life index for both players."""

# ruff: noqa: N803, N806 (formulas keep the letters of their paper)

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, as_floats, scalar
from bgrace.cube.action import V
from bgrace.cube.model import (
    CubeModel,
    DecisionPoints,
    ModelEquities,
    check_number,
    check_probability,
    check_stakes,
)
from bgrace.errors import ArgumentError

__all__ = [
    "Form",
    "JanowskiModel",
    "dead",
    "decision_points",
    "equities",
    "jacoby_initial_double",
    "live",
    "model",
    "race_life_index",
]

Form: TypeAlias = Literal["blend", "line"]


@overload
def race_life_index(pips: float) -> float: ...
@overload
def race_life_index(pips: npt.ArrayLike) -> Floats: ...
def race_life_index(pips: npt.ArrayLike) -> Any:
    """The customary cube-life index of a race: 0.55 + 0.00125 pips, held between 0.6 and 0.7.

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
        If `pips` is not a number.

    Examples
    --------
    >>> race_life_index([20, 80, 120]).tolist()
    [0.6, 0.65, 0.7]
    """
    return scalar(
        np.clip(0.55 + 0.00125 * as_floats(pips, f"pips={pips!r} is not a pip count: give a number"), 0.6, 0.7)
    )


@overload
def dead(p: float, win: float, lose: float, *, jacoby: bool = ...) -> ModelEquities[float]: ...
@overload
def dead(p: npt.ArrayLike, win: npt.ArrayLike, lose: npt.ArrayLike, *, jacoby: bool = ...) -> ModelEquities[Floats]: ...
def dead(p: npt.ArrayLike, win: npt.ArrayLike, lose: npt.ArrayLike, *, jacoby: bool = False) -> ModelEquities[Any]:
    """Equities if nobody ever turns the cube again: P(W + L) - L in all three states.

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
        ``"blend"`` or ``"line"``.  The line form means nothing below the take point and above the cash point.
    jacoby : bool
        Whether gammons count only once the cube is turned; changes the centered equity of the blend form.

    Returns
    -------
    ModelEquities
        Of scalars if all arguments are scalars, else of float64 arrays of the broadcast shape.

    Raises
    ------
    ArgumentError
        If a number is NaN or out of range, the form unknown, or Jacoby asked of the line form.

    Examples
    --------
    >>> blend = equities(0.3, 1.4, 1.1, 0.68)
    >>> round(blend.mine, 6), round(blend.centered, 6), round(blend.theirs, 6)
    (-0.248, -0.52, -0.588)
    >>> round(equities(0.3, 1.4, 1.1, 0.68, form="line").centered, 6)
    -0.503614
    """
    P, (W, L), x_ = check_probability(p), check_stakes(win, lose), _check_index(x)
    P, W, L, x_ = np.broadcast_arrays(P, W, L, x_)
    plain = P * (W + L) - L
    if _check_form(form, jacoby) == "line":
        D = W + L + x_ / 2
        values = [4 / (4 - x_) * (P * D - L - x_ / 4), P * D - L, P * D - L - x_ / 2]
    else:
        live_values = _live(P, W, L)
        values = [(1 - x_) * plain + x_ * value for value in live_values]
        if jacoby:
            values[0] = (1 - x_) * (2 * P - 1) + x_ * np.clip(live_values[0], -1.0, 1.0)
    return ModelEquities(scalar(plain), *map(scalar, values))


def _live(P: Floats, W: Floats, L: Floats) -> tuple[Floats, Floats, Floats]:
    """Live-cube equities: centered, mine, theirs.  Straight between the ends, TP0 and CP0."""
    S = W + L + 0.5
    TP0, CP0 = (L - 0.5) / S, (L + 1) / S
    below, above = -L + P * (L - 1) / TP0, W - (1 - P) * (W - 1) / (1 - CP0)
    centered = np.where(P < TP0, below, np.where(P > CP0, above, 4 / 3 * (P * S - L - 0.25)))
    return centered, np.where(P > CP0, above, P * S - L), np.where(P < TP0, below, P * S - L - 0.5)


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
        ``"blend"`` or ``"line"``.  The line form's too-good point is where its line reaches 1: it lies below 1 even for
        W = 1, where no position is too good.
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
        If a number is NaN or out of range, the form unknown, or Jacoby asked of the line form.

    Examples
    --------
    >>> points = decision_points(1, 1, 0.7)
    >>> round(points.take_point, 3), round(points.initial_double, 3), round(points.cash_point, 3)
    (0.213, 0.698, 0.787)
    >>> round(decision_points(1, 1, 0.7, form="line").initial_double, 3)
    0.689
    """
    (W, L), x_ = check_stakes(win, lose), _check_index(x)
    W, L, x_ = np.broadcast_arrays(W, L, x_)
    blend = _check_form(form, jacoby) == "blend"
    D = W + L + x_ / 2
    if blend:
        double = jacoby_initial_double(W, L, x_, beavers=beavers) if jacoby else _blend_double(W, L, x_)
        theirs = jacoby_initial_double(L, W, x_, beavers=beavers) if jacoby else _blend_double(L, W, x_)
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


def _blend_double(W: Floats, L: Floats, x: Floats) -> Floats:
    """Initial double of the blend form: E_C = 2 E_O between TP0 and CP0."""
    S, D = W + L + 0.5, W + L + x / 2
    double: Floats = (2 * L + x - (1 - x) * L - x / 3 * (4 * L + 1)) / (2 * D - (1 - x) * (W + L) - 4 * x / 3 * S)
    return double


def _blend_too_good(W: Floats, L: Floats, x: Floats) -> Floats:
    """Where the upper piece of the blend, the same for a centered cube and the player's own, reaches 1."""
    b = (1 - x) * (W + L) + x * (W - 1) * (W + L + 0.5) / (W - 0.5)  # its slope; its end is (1, W)
    # W = 1 is set by rule: a live equity is 1 on a whole interval there.
    return np.where(W > 1, 1 - (W - 1) / np.where(W > 1, b, 1.0), 1.0)


@overload
def jacoby_initial_double(win: float, lose: float, x: float = ..., *, beavers: bool = ...) -> float: ...
@overload
def jacoby_initial_double(
    win: npt.ArrayLike, lose: npt.ArrayLike, x: npt.ArrayLike = ..., *, beavers: bool = ...
) -> Floats: ...
def jacoby_initial_double(
    win: npt.ArrayLike, lose: npt.ArrayLike, x: npt.ArrayLike = 0.0, *, beavers: bool = False
) -> Any:
    """Initial double of the blend form under the Jacoby rule.

    Parameters
    ----------
    win, lose, x : float or array_like
        W and L, from 1 to 3, and the cube-life index, from 0 to 1.
    beavers : bool
        Whether the taker may beaver.  They do where the doubler's equity after the take is below 0; with W > L a double
        can be right even so, because it makes gammons count, but it must wait longer.

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
    (W, L), x_ = check_stakes(win, lose), _check_index(x)
    S, D = W + L + 0.5, W + L + x_ / 2

    def meets(turns: int) -> Any:  # turns * E_O = (1 - x)(2P - 1) + x (4/3)(P S - L - 1/4)
        return (turns * (L + x_ / 2) - (1 - x_) - x_ / 3 * (4 * L + 1)) / (turns * D - 2 * (1 - x_) - 4 * x_ / 3 * S)

    plain = meets(2)
    return scalar(np.where((plain < (L + x_ / 2) / D), meets(4), plain) if beavers else plain)


@dataclass(frozen=True, kw_only=True, repr=False)
class JanowskiModel(DecisionPoints[V], CubeModel[V]):
    """The one-index model with its parameters, to be asked like any other cube model.

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

    @overload
    def equities(self, p: float) -> ModelEquities[V]: ...

    @overload
    def equities(self, p: npt.ArrayLike) -> ModelEquities[Floats]: ...

    def equities(self, p: npt.ArrayLike) -> ModelEquities[Any]:
        """Equities of the blend form; see `bgrace.cube.janowski.equities`."""
        return equities(p, np.asarray(self.win), self.lose, self.x, jacoby=self.jacoby)


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
    if form == "blend":
        return "blend"
    if form == "line":
        if jacoby:
            raise ArgumentError("form='line' knows no Jacoby rule: use form='blend'")
        return "line"
    raise ArgumentError(f"form={form!r} is unknown: use 'blend' or 'line'")
