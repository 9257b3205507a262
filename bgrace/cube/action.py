"""The arithmetic of a cube decision, whatever gave the equities.

Every value is for the player on roll, before the dice, per unit of the present cube.  Rolling without doubling is
worth *no double*; doubling is worth *double/take* if the opponent takes and *double/pass*, +1, if they pass.
The opponent picks the smaller of the two, so the player on roll doubles when that smaller one is at least *no double*.

Dotsenko and Marynych, "Optimal doubling strategies in backgammon", sections 2 and 4.  Ties go as they do there:
a player who is equally well off doubling doubles, and one who is equally well off taking takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

import bgrace._kernels.cube as kernel
from bgrace._base.arrays import as_floats, plain, scalar
from bgrace.errors import ArgumentError

__all__ = [
    "CUBES",
    "EXACT_TIE",
    "TIE",
    "Cube",
    "CubeAction",
    "Equities",
    "Verdict",
    "check_cube",
    "decide",
    "with_double",
]

Cube: TypeAlias = Literal["centered", "mine", "theirs", "none"]
Verdict: TypeAlias = Literal["no double", "double/take", "double/beaver", "double/pass", "too good", "no cube"]
Values: TypeAlias = float | npt.NDArray[np.float64]

CUBES: Final[tuple[Cube, ...]] = ("centered", "mine", "theirs", "none")
"""Where the cube can be, seen by the player on roll; ``"none"`` is a game without one."""

TIE: Final = 1e-9
"""Equities that differ by no more than this are equal, wherever they come from."""

EXACT_TIE: Final = 1e-12
"""The same for equities of the formulas and recurrences of this room, whose rounding stays below 1e-13.

Chances out of 36 make true ties, such as 27/36 at the take; no other decision of the single-checker race up to 300 pips
is closer than 1e-9.
"""


def check_cube(cube: str) -> Cube:
    """Return `cube` if it is one of `CUBES`.

    Raises
    ------
    ArgumentError
        If it is not.
    """
    for known in CUBES:
        if cube == known:
            return known
    raise ArgumentError(f"cube {cube!r} is unknown: use one of {', '.join(CUBES)}")


class _Values:
    """Equality and hash of values that may be arrays: equal if every field is, in shape and in every entry."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(np.array_equal(mine, theirs) for mine, theirs in zip(self._fields(), other._fields(), strict=True))

    def __hash__(self) -> int:
        values = self._fields()
        if any(isinstance(value, np.ndarray) for value in values):
            raise TypeError(f"{type(self).__name__} of arrays cannot be hashed: use those of single pairs")
        return hash(values)

    def _fields(self) -> tuple[Any, ...]:
        names: tuple[str, ...] = self.__slots__
        return tuple(getattr(self, name) for name in names)


@dataclass(frozen=True, slots=True, eq=False)
class Equities(_Values):
    """What a pair of positions is worth to the player on roll, in points per unit of the present cube.

    Attributes
    ----------
    cubeless : float, or float64 ndarray
        Without a doubling cube.
    centered, mine : float, or float64 ndarray
        With the cube in the middle, or on the side of the player on roll, who may double before this roll.
    theirs : float, or float64 ndarray
        With the cube on the opponent's side.
    method : str
        Where the values come from: ``"two-sided"`` (a database) or ``"solved"``; both are exact but for the encoding.
    """

    cubeless: Any
    centered: Any
    mine: Any
    theirs: Any
    method: str

    def to_dict(self) -> dict[str, Any]:
        """The four values under their names, as plain numbers or lists."""
        return {name: plain(getattr(self, name)) for name in ("cubeless", "centered", "mine", "theirs")}

    def __str__(self) -> str:
        if np.ndim(self.cubeless):
            return f"equities of {np.shape(self.cubeless)} pairs ({self.method})"
        values = ", ".join(f"{name} {value:+.4f}" for name, value in self.to_dict().items())
        return f"{values} ({self.method})"


@dataclass(frozen=True, slots=True, eq=False)
class CubeAction(_Values):
    """A cube decision of the player on roll and the answer of the opponent.

    Attributes
    ----------
    cube : str
        Where the cube is: an entry of `CUBES`.
    no_double, double_take, double_pass : float, or float64 ndarray
        Equity of rolling, of a double that is taken, and of one that is passed (+1).  Where the player on roll may
        not double, the last two are None.
    double, take : bool, or bool ndarray
        Whether to double, and whether to take if doubled.  None where the player on roll may not double.
    verdict : str, or ndarray of str
        ``"no double"``, ``"double/take"``, ``"double/pass"``, ``"too good"`` (to double: playing on for a gammon is
        worth more than the pass) or ``"no cube"``; with beavers also ``"double/beaver"``.
    beaver : bool, or bool ndarray, or None
        Whether the opponent would turn the cube once more at once and keep it, so that doubling is worth twice
        `double_take`.  None where beavers are not played.
    """

    cube: Cube
    no_double: Any
    double_take: Any
    double_pass: Any
    double: Any
    take: Any
    verdict: Any
    beaver: Any = None

    @property
    def equity(self) -> Any:
        """Equity of the better of rolling and doubling, the opponent answering well."""
        if self.double_take is None:
            return self.no_double
        taken = self.double_take if self.beaver is None else (1 + self.beaver) * self.double_take
        return with_double(self.no_double, taken, self.double_pass)

    def to_dict(self) -> dict[str, Any]:
        """Every attribute under its name, as plain numbers, words or lists; `beaver` only where they are played."""
        names = [name for name in self.__slots__ if name != "beaver" or self.beaver is not None]
        return {name: plain(getattr(self, name)) for name in names}

    def __str__(self) -> str:
        if np.ndim(self.no_double):
            return f"cube actions of {np.shape(self.no_double)} pairs, cube {self.cube}"
        if self.double_take is None:
            return f"{self.verdict} (cube {self.cube}): roll {self.no_double:+.4f}"
        return (
            f"{self.verdict} (cube {self.cube}): no double {self.no_double:+.4f}, "
            f"double/take {self.double_take:+.4f}, double/pass {self.double_pass:+.4f}"
        )


def decide(
    no_double: npt.ArrayLike,
    double_take: npt.ArrayLike | None,
    double_pass: npt.ArrayLike = 1.0,
    cube: str = "centered",
    tie: float = TIE,
    *,
    beavers: bool = False,
) -> CubeAction:
    """Decide between rolling and doubling, and between taking and passing.

    Parameters
    ----------
    no_double, double_take, double_pass : float or array_like
        Equities in any one unit; they broadcast.  `double_take` is None where the player on roll may not double.
    cube : str
        Where the cube is.  With ``"theirs"`` and ``"none"`` the verdict is ``"no cube"`` whatever `double_take` says.
    tie : float
        Greatest difference at which two equities count as equal.
    beavers : bool
        Whether the opponent may answer a double by turning the cube once more and keeping it.  They do wherever
        `double_take` is below 0, and the double is then worth twice `double_take`.

    Returns
    -------
    CubeAction
        Of scalars if all equities are scalars, else of arrays.

    Raises
    ------
    ArgumentError
        If `cube` is unknown, or an equity is NaN or not a number.

    Examples
    --------
    >>> print(decide(0.5, 0.9))
    double/take (cube centered): no double +0.5000, double/take +0.9000, double/pass +1.0000
    >>> decide(0.5, 0.4).verdict, decide(0.9, 1.1).verdict, decide(1.1, 1.2).verdict
    ('no double', 'double/pass', 'too good')
    >>> action = decide(-0.26, -0.128, beavers=True)
    >>> action.verdict, action.equity
    ('double/beaver', -0.256)
    """
    where = check_cube(cube)
    _check_equities(no_double=no_double, double_take=double_take, double_pass=double_pass)
    if double_take is None or where in ("theirs", "none"):
        if isinstance(no_double, float):
            return CubeAction(where, float(no_double), None, None, None, None, "no cube")
        rolled = np.asarray(no_double, dtype=np.float64)
        verdict = np.full(rolled.shape, "no cube") if rolled.ndim else "no cube"
        return CubeAction(where, scalar(rolled), None, None, None, None, verdict)
    if isinstance(no_double, float) and isinstance(double_take, float) and isinstance(double_pass, float):
        return CubeAction(where, *kernel.decide(no_double, double_take, double_pass, tie, beavers))
    roll, taken, passed = np.broadcast_arrays(
        np.asarray(no_double, dtype=np.float64),
        np.asarray(double_take, dtype=np.float64),
        np.asarray(double_pass, dtype=np.float64),
    )
    if roll.ndim == 0:
        return CubeAction(where, *kernel.decide(float(roll), float(taken), float(passed), tie, beavers))
    double, take, said, beaver = kernel.decide_batch(
        roll.reshape(-1), taken.reshape(-1), passed.reshape(-1), tie, beavers
    )
    shape = roll.shape
    return CubeAction(
        where,
        roll,
        taken,
        passed,
        double.reshape(shape),
        take.reshape(shape),
        said.reshape(shape),
        None if beaver is None else beaver.reshape(shape),
    )


def _check_equities(**values: npt.ArrayLike | None) -> None:
    """Raise ArgumentError for the first that is not numbers, or is NaN: no decision follows from it."""
    for name, value in values.items():
        if isinstance(value, float):
            if value == value:  # noqa: PLR0124 - the quickest test for NaN, made for every single decision
                continue
        elif value is None or not np.isnan(as_floats(value, f"{name}={value!r} is not an equity: give numbers")).any():
            continue
        raise ArgumentError(f"{name} is NaN: give equities, numbers in any one unit")


def with_double(no_double: Values, double_take: Values, double_pass: Values = 1.0) -> Any:
    """Equity with the right to double first: ``max(no_double, min(double_take, double_pass))``.

    Parameters
    ----------
    no_double, double_take, double_pass : float or float64 ndarray
        Equities in any one unit; they broadcast.

    Returns
    -------
    float or float64 ndarray
        In the same unit.
    """
    if isinstance(no_double, float) and isinstance(double_take, float) and isinstance(double_pass, float):
        return max(no_double, min(double_take, double_pass))  # a probe of one pair should not pay for arrays
    return np.maximum(no_double, np.minimum(double_take, double_pass))
