"""The answers of every cube model: equities in the three cube states, decision points, and a cube action.

A model replaces the position by three numbers: the cubeless chance P that the player on roll wins, and the points W and
L that a win and a loss are worth on average at a cube of 1. Its equities are per unit of the present cube, for the
player on roll, **after they have decided not to double and before they roll**; a double that is taken is worth twice
their equity with the cube on the other side. `ModelEquities.with_double` adds the right to double, as in databases.

The papers write E_P (the player owns the cube), E_C (centered) and E_O (the opponent owns it); here they are ``mine``,
``centered`` and ``theirs``.  Seen by the opponent everything is mirrored: P -> 1 - P, W <-> L, mine <-> theirs, and the
sign of every equity changes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, Final, Generic, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, ShortRepr, ToDict, as_choice, as_floats, broadcast, scalar, summary
from bgrace.cube.action import CUBES, CubeAction, CubeActions, Equities, V, decide, with_double
from bgrace.errors import ArgumentError

__all__ = [
    "CubeModel",
    "DecisionPoints",
    "ModelEquities",
    "check_number",
    "check_probability",
    "check_stakes",
    "check_volatility",
    "win_loss_values",
]


MAX_STAKE: Final = 3.0
"""Most points that a game can cost at a cube of 1: a backgammon."""


def check_number(name: str, value: npt.ArrayLike, low: float, high: float, meaning: str) -> Floats:
    """Return `value` as float64; ArgumentError names the first entry that is NaN, or not between `low` and `high`."""
    try:
        numbers = as_floats(value, "")
    except ArgumentError:  # writing out an array takes longer than checking it
        problem = f"{name}={value!r} is not a number: give {meaning}, from {low:g} to {high:g}"
        raise ArgumentError(problem) from None
    wrong = ~((numbers >= low) & (numbers <= high))  # written so that NaN is wrong
    if wrong.any():
        raise ArgumentError(f"{name}={float(numbers[wrong][0])!r}: give {meaning}, from {low:g} to {high:g}")
    return numbers


def check_probability(p: npt.ArrayLike, name: str = "p") -> Floats:
    """Return chances as float64 after checking that they lie in [0, 1]."""
    return check_number(name, p, 0.0, 1.0, "a chance of winning")


def check_stakes(win: npt.ArrayLike, lose: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return W and L as float64 after checking that they lie in [1, 3]."""
    return (
        check_number("win", win, 1.0, MAX_STAKE, "the mean points of a win"),
        check_number("lose", lose, 1.0, MAX_STAKE, "the mean points of a loss"),
    )


def check_volatility(volatility: npt.ArrayLike, name: str = "volatility") -> Floats:
    """Return jump volatilities as float64 after checking that they lie in [0, 1]."""
    return check_number(name, volatility, 0.0, 1.0, "a mean absolute change of the chance of winning")


@overload
def win_loss_values(
    win: float,
    win_gammon: float = ...,
    win_backgammon: float = ...,
    lose_gammon: float = ...,
    lose_backgammon: float = ...,
) -> tuple[float, float]: ...
@overload
def win_loss_values(
    win: npt.ArrayLike,
    win_gammon: npt.ArrayLike = ...,
    win_backgammon: npt.ArrayLike = ...,
    lose_gammon: npt.ArrayLike = ...,
    lose_backgammon: npt.ArrayLike = ...,
) -> tuple[Floats, Floats]: ...
def win_loss_values(
    win: npt.ArrayLike,
    win_gammon: npt.ArrayLike = 0.0,
    win_backgammon: npt.ArrayLike = 0.0,
    lose_gammon: npt.ArrayLike = 0.0,
    lose_backgammon: npt.ArrayLike = 0.0,
) -> tuple[Any, Any]:
    """W and L, the mean points of a win and of a loss at a cube of 1, from the usual nested chances.

    Parameters
    ----------
    win : float or array_like
        Chance of winning at all.
    win_gammon, win_backgammon : float or array_like
        Chances of winning at least a gammon, and of winning a backgammon.
    lose_gammon, lose_backgammon : float or array_like
        Chances of losing at least a gammon, and of losing a backgammon.

    Returns
    -------
    tuple of two float, or of two float64 ndarray
        W and L, from 1 to 3.  If a win is impossible, W is 1, and if a loss is, L is 1: no value depends on them then.

    Raises
    ------
    ArgumentError
        If a chance is outside [0, 1], or a gammon likelier, by more than 1e-6, than the win or loss that it is part of,
        or the shapes do not broadcast.

    Notes
    -----
    Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model", appendix 1.

    Examples
    --------
    >>> win, lose = win_loss_values(0.454, 0.103, 0.001, 0.106, 0.003)
    >>> round(win, 6), round(lose, 6)
    (1.229075, 1.199634)
    """
    names = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
    given = zip(names, (win, win_gammon, win_backgammon, lose_gammon, lose_backgammon), strict=True)
    chances = broadcast(**{name: check_probability(value, name) for name, value in given})
    won, gammon_won, backgammon_won, gammon_lost, backgammon_lost = chances
    for name, part, whole, within in (
        ("win_gammon", gammon_won, won, "win"),
        ("win_backgammon", backgammon_won, gammon_won, "win_gammon"),
        ("lose_gammon", gammon_lost, 1 - won, "1 - win"),
        ("lose_backgammon", backgammon_lost, gammon_lost, "lose_gammon"),
    ):
        wrong = part > whole + 1e-6  # a little more is rounding of the evaluator, not a contradiction
        if wrong.any():
            raise ArgumentError(f"{name}={float(part[wrong][0])!r} is more than {within}: the chances must be nested")

    def points(gammon: Floats, backgammon: Floats, of: Floats) -> Any:
        # Excess by rounding is cut off, so that the mean is at most 3 points even if wins are very rare.
        gammon = np.minimum(gammon, of)
        extra = gammon + np.minimum(backgammon, gammon)
        return scalar(1 + np.divide(extra, of, out=np.zeros(of.shape), where=of > 0))

    return points(gammon_won, backgammon_won, won), points(gammon_lost, backgammon_lost, 1 - won)


@dataclass(frozen=True, slots=True, repr=False)
class ModelEquities(ToDict, ShortRepr, Generic[V]):
    """The equities of a model for a player on roll who rolls now, per unit of the present cube.

    ``ModelEquities[float]`` is for one chance, ``ModelEquities[NDArray[float64]]`` for many.

    Attributes
    ----------
    cubeless : float, or float64 ndarray
        Without a doubling cube: P(W + L) - L.
    centered, mine, theirs : float, or float64 ndarray
        With the cube in the middle, on their side and on the opponent's side: E_C, E_P and E_O of the papers.
    """

    cubeless: V
    centered: V
    mine: V
    theirs: V

    def with_double(self, method: str = "model") -> Equities[V]:
        """Equities including the right to double before this roll, as in databases.

        Parameters
        ----------
        method : str
            The value for `Equities.method`.

        Returns
        -------
        bgrace.cube.action.Equities
            ``centered`` and ``mine`` are ``max(no double, min(2 theirs, 1))``.
        """
        taken = 2 * np.asarray(self.theirs)
        centered, mine = (scalar(with_double(value, taken)) for value in (self.centered, self.mine))
        return Equities(self.cubeless, centered, mine, self.theirs, method)


@dataclass(frozen=True, kw_only=True, repr=False)
class DecisionPoints(Generic[V]):
    """Chances of winning at which a decision changes, for the player on roll unless the name says otherwise.

    A point that the model does not have is None.  The points are for display and for comparing models; decisions are
    taken by comparing equities.

    Attributes
    ----------
    take_point, cash_point : float, or float64 ndarray
        Where the player can just take, and where the opponent can just take: 2 E_P = -1 and 2 E_O = +1.
    initial_double, redouble : float, or float64 ndarray
        Where doubling becomes right with a centered cube and with the player's own: E_C = 2 E_O and E_P = 2 E_O.
    too_good_centered, too_good_mine : float, or float64 ndarray, or None
        Where playing on for a gammon becomes worth as much as the pass: E_C = 1 and E_P = 1.  1 where W is 1.
    opponent_initial_double, opponent_redouble : float, or float64 ndarray, or None
        Where the opponent doubles: below these chances.  E_C = 2 E_P and E_O = 2 E_P.
    opponent_too_good_centered, opponent_too_good_theirs : float, or float64 ndarray, or None
        Where they become too good: E_C = -1 and E_O = -1.  0 where L is 1.
    beaver_point, racoon_point : float, or float64 ndarray, or None
        Where E_P = 0 and where E_O = 0.
    """

    take_point: V
    cash_point: V
    initial_double: V
    redouble: V
    too_good_centered: V | None = None
    too_good_mine: V | None = None
    opponent_initial_double: V | None = None
    opponent_redouble: V | None = None
    opponent_too_good_centered: V | None = None
    opponent_too_good_theirs: V | None = None
    beaver_point: V | None = None
    racoon_point: V | None = None

    def points(self) -> dict[str, V]:
        """The points that the model has, by name."""
        named = {field.name: getattr(self, field.name) for field in fields(DecisionPoints)}
        return {name: value for name, value in named.items() if value is not None}

    def __repr__(self) -> str:
        return summary(self)


class CubeModel(ABC, Generic[V]):
    """A function from chances of winning to equities in the three cube states; a model defines `_equities`.

    ``CubeModel[float]`` has numbers as parameters and equities, ``CubeModel[NDArray[float64]]`` arrays.
    """

    @overload
    def equities(self, p: float) -> ModelEquities[V]: ...

    @overload
    def equities(self, p: npt.ArrayLike) -> ModelEquities[Floats]: ...

    def equities(self, p: npt.ArrayLike) -> ModelEquities[Any]:
        """Equities of rolling now, in the three cube states.

        Parameters
        ----------
        p : float or array_like
            Chance of winning of the player on roll; broadcasts with the parameters of the model.

        Returns
        -------
        ModelEquities
            Of scalars if everything is scalar, else of float64 arrays.

        Raises
        ------
        ArgumentError
            If a chance is NaN or outside [0, 1], or its shape and that of the parameters do not broadcast.
        """
        chance = check_probability(p)
        try:
            values = np.broadcast_arrays(*self._equities(chance))
        except ValueError:
            raise ArgumentError(f"p of shape {chance.shape}: give one that broadcasts with the parameters") from None
        return ModelEquities(*(scalar(value) for value in values))

    @abstractmethod
    def _equities(self, P: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Cubeless, centered, mine and theirs at chances P; they broadcast."""

    def _check_market(self, P: Floats) -> None:
        """Raise ArgumentError for chances at which a model has no decisions."""

    @overload
    def cube_action(self: CubeModel[float], p: float, cube: str = ..., beavers: bool = ...) -> CubeAction: ...

    @overload
    def cube_action(self, p: npt.ArrayLike, cube: str = ..., beavers: bool = ...) -> CubeActions: ...

    def cube_action(self, p: npt.ArrayLike, cube: str = "centered", beavers: bool = False) -> CubeAction | CubeActions:
        """Whether to double at chance `p`, and whether to take.

        Parameters
        ----------
        p : float or array_like
            Chance of winning of the player on roll.
        cube : str
            ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``.
        beavers : bool
            Whether a taker may redouble at once and keep the cube.

        Returns
        -------
        bgrace.cube.action.CubeAction, or CubeActions
            For one chance, or for an array of chances; always CubeActions if parameters are arrays.  Decisions are made
            by the same function as for databases.

        Raises
        ------
        ArgumentError
            If a chance is NaN or outside [0, 1], or the cube unknown.
        """
        place = as_choice("cube", cube, CUBES)
        held = self.equities(p)
        self._check_market(check_probability(p))
        values = {"centered": held.centered, "mine": held.mine, "theirs": held.theirs, "none": held.cubeless}
        rolled: npt.ArrayLike = values[place]
        return decide(rolled, 2 * np.asarray(held.theirs), cube=place, beavers=beavers)
