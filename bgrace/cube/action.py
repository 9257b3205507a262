"""The arithmetic of a cube decision, for equities from any source.

Every value is for the player on roll, before the dice, per unit of the present cube.  Rolling without doubling is
worth *no double*; doubling is worth *double/take* if the opponent takes and *double/pass*, +1, if they pass.
The opponent chooses the smaller of these two, so the player on roll doubles if it is at least *no double*.

Dotsenko and Marynych, "Optimal doubling strategies in backgammon", sections 2 and 4.  Ties are settled as there:
if both choices have the same equity, the player on roll doubles and the opponent takes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import isnan
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar, overload

import bgrace._kernels.stakes as kernel
from bgrace._base.arrays import (
    JSON,
    Booleans,
    Floats,
    ShortRepr,
    ToDict,
    as_choice,
    as_floats,
    as_json,
    as_number,
    broadcast,
    check_flags,
)
from bgrace._base.frames import Cell, Columnar, Columns
from bgrace._kernels.kinds import Cube, Verdict
from bgrace._kernels.lazy_numpy import np, npt
from bgrace.errors import ArgumentError

__all__ = [
    "CUBES",
    "EXACT_TIE",
    "TIE",
    "Choices",
    "Cube",
    "CubeAction",
    "CubeActions",
    "Equities",
    "Verdict",
    "decide",
    "with_double",
]

Words: TypeAlias = "npt.NDArray[np.str_]"

V = TypeVar("V", float, Floats)

CUBES: Final[tuple[Cube, ...]] = ("centered", "mine", "theirs", "none")
"""Places of the cube, seen by the player on roll; ``"none"`` is a game without a cube."""

TIE: Final = 1e-9
"""Equities from any source that differ by no more than this are equal."""

EXACT_TIE: Final = 1e-12
"""The same for equities of the formulas and recurrences in `bgrace.cube`, whose rounding stays below 1e-13.

Chances out of 36 make exact ties, such as 27/36 at the take; no other decision of the single-checker race up to 300
pips is closer than 1e-9.
"""


class _Compared:
    """Equality and hash of dataclasses whose fields may be arrays; equal arrays agree in shape and in every entry."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(_equal(mine, theirs) for mine, theirs in zip(_values(self), _values(other), strict=True))

    def __hash__(self) -> int:
        values = _values(self)
        if any(isinstance(value, np.ndarray) for value in values):
            raise TypeError(f"{type(self).__name__} of arrays cannot be hashed: use those of single pairs")
        return hash(tuple(None if isinstance(value, float) and isnan(value) else value for value in values))


def _values(of: Any) -> list[object]:
    return [getattr(of, field.name) for field in fields(of)]


def _equal(mine: Any, theirs: Any) -> bool:
    numbers = isinstance(mine, (float, np.ndarray)) and np.asarray(mine).dtype.kind == "f"
    return np.array_equal(mine, theirs, equal_nan=True) if numbers else np.array_equal(mine, theirs)


class _ArrayTable(Columnar):
    """A table of attributes with a row for each pair."""

    __slots__ = ()

    def to_columns(self) -> dict[str, list[Cell]]:
        """The columns, in the order of the arrays' entries; an attribute that is not an array is repeated."""
        values = [getattr(self, name) for name in self.COLUMNS]
        n = next(np.size(value) for value in values if isinstance(value, (float, np.ndarray)))
        return {
            name: np.ravel(value).tolist() if isinstance(value, np.ndarray) else [value] * n
            for name, value in zip(self.COLUMNS, values, strict=True)
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Equities(ShortRepr, _Compared, _ArrayTable, Generic[V]):
    """The equities of a pair of positions for the player on roll, by the place of the cube.

    ``Equities[float]`` is for one pair, ``Equities[NDArray[float64]]`` for many.  For money the values are points per
    unit of the present cube; at a match score they are chances to win the match.

    Attributes
    ----------
    cubeless : float, or float64 ndarray
        Without a doubling cube.
    centered, mine : float, or float64 ndarray
        With the cube in the middle, or on the side of the player on roll, who may double before this roll.
    theirs : float, or float64 ndarray
        With the cube on the opponent's side.
    method : str
        Where the values come from: see `bgrace.Solution.method`.
    normalised : Equities, or None
        At a score the same in points per unit of the present cube: +1 is winning it, -1 losing it.  None for money.

    Notes
    -----
    At a score a cube of 1 is centered and a larger one is not: the value of an impossible place is NaN, null in JSON.
    So are normalised values if winning and losing are worth the same in the match equity table.
    """

    cubeless: V
    centered: V
    mine: V
    theirs: V
    method: str
    normalised: Equities[V] | None = None

    COLUMNS: ClassVar[Columns] = {
        "cubeless": float,
        "centered": float,
        "mine": float,
        "theirs": float,
        "method": str,
    }

    def to_dict(self) -> dict[str, JSON]:
        """The four values by name, as plain numbers or lists; None for missing ones."""
        named = as_json(self, "cubeless", "centered", "mine", "theirs")
        return {name: None if isinstance(value, float) and isnan(value) else value for name, value in named.items()}

    def __str__(self) -> str:
        if np.ndim(self.cubeless):
            return f"equities of {np.shape(self.cubeless)} pairs ({self.method})"
        known: dict[str, Any] = {name: value for name, value in self.to_dict().items() if value is not None}
        at_score = self.normalised is not None
        values = ", ".join(f"{name} {_value_text(value, at_score)}" for name, value in known.items())
        return f"{values} ({self.method})"


@dataclass(frozen=True, slots=True)
class Choices(ToDict):
    """The three choices of a cube decision at a match score, in points per unit of the cube before the double.

    Attributes
    ----------
    no_double, double_take, double_pass : float, or None
        None where `CubeAction` has None, and if winning and losing are worth the same in the match equity table.
    """

    no_double: float | None
    double_take: float | None
    double_pass: float | None


@dataclass(frozen=True, slots=True)
class CubeAction:
    """A cube decision of the player on roll and the answer of the opponent.

    For money the values are points per unit of the present cube; at a match score they are chances to win the match.

    Attributes
    ----------
    cube : str
        Where the cube is: an entry of `CUBES`.
    no_double, double_take, double_pass : float
        Values of rolling, of a double that is taken, or beavered if `beaver` is True, and of a double that is passed
        (+1 for money).  The last two are None if the player on roll may not double.
    double, take : bool
        Whether to double, and whether to take if doubled.  None if the player on roll may not double.
    verdict : str
        ``"no double"``, ``"double/take"``, ``"double/pass"``, ``"too good"`` (to double: playing on for a gammon is
        worth more than the pass) or ``"no cube"``; with beavers also ``"double/beaver"``.
    beaver : bool, or None
        Whether the opponent would redouble at once and keep the cube, which doubles `double_take`.  None if beavers are
        not allowed.
    reason : str, or None
        Why there is no cube to turn, if that is known.
    score : str, or None
        The match score; None for money.
    cube_value : int, or None
        Value before the double at a score; None for money.
    normalised : Choices, or None
        At a score the three values in points per unit of the present cube; None for money.
    """

    cube: Cube
    no_double: float
    double_take: float | None
    double_pass: float | None
    double: bool | None
    take: bool | None
    verdict: Verdict
    beaver: bool | None = None
    reason: str | None = None
    score: str | None = None
    cube_value: int | None = None
    normalised: Choices | None = None

    @property
    def equity(self) -> float:
        """The better of rolling and doubling, if the opponent answers best, in the unit of `no_double`."""
        if self.double_take is None or self.double_pass is None:
            return self.no_double
        return max(self.no_double, min(self.double_take, self.double_pass))

    @property
    def double_margin(self) -> float | None:
        """Equity of doubling, if the opponent answers best, less that of rolling; below 0 if doubling is worse.

        In points per unit of the cube, at a score as well.  None if there is no cube to turn, or if winning and losing
        are worth the same in the match equity table.
        """
        of = self._in_points
        if of.no_double is None or of.double_take is None or of.double_pass is None:
            return None
        return min(of.double_take, of.double_pass) - of.no_double

    @property
    def take_margin(self) -> float | None:
        """Equity of taking, or of a beaver, less that of passing, for the opponent; None as for `double_margin`."""
        of = self._in_points
        return None if of.double_take is None or of.double_pass is None else of.double_pass - of.double_take

    @property
    def _in_points(self) -> CubeAction | Choices:
        return self if self.normalised is None else self.normalised

    def to_dict(self) -> dict[str, JSON]:
        """The fields by name, as values of JSON: those of a match only at a score, `beaver` only if allowed."""
        names = ("cube", "cube_value", "no_double", "double_take", "double_pass", "double", "take", "verdict", "beaver")
        given = [name for name in names if name not in ("cube_value", "beaver") or getattr(self, name) is not None]
        return as_json(self, *given, *(() if self.normalised is None else ("reason", "normalised")))

    def __str__(self) -> str:
        at = f"cube {self.cube}" if self.score is None else f"{self.score}, cube {self.cube_value} {self.cube}"
        head = f"{self.verdict} ({at})"
        if self.double_take is None or self.double_pass is None:
            return f"{head}: roll {_value_text(self.no_double, self.score is not None)}"
        choices = {"no double": self.no_double, "double/take": self.double_take, "double/pass": self.double_pass}
        values = ", ".join(f"{name} {_value_text(value, self.score is not None)}" for name, value in choices.items())
        return f"{head}: {values}"


def _value_text(value: float, at_score: bool) -> str:
    return f"{100 * value:.2f} %" if at_score else f"{value:+z.4f}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CubeActions(ShortRepr, _Compared, _ArrayTable):
    """Cube decisions of many pairs for money, in arrays of one shape.

    Attributes
    ----------
    cube : str
        Where the cube is, the same for all.
    no_double, double_take, double_pass : float64 ndarray
        Points per unit of the present cube, as in `CubeAction`; the last two are None if the player on roll may not
        double.
    double, take : bool ndarray
        None if the player on roll may not double.
    verdict : str ndarray
    beaver : bool ndarray, or None
        None if beavers are not allowed.
    """

    cube: Cube
    no_double: Floats
    double_take: Floats | None
    double_pass: Floats | None
    double: Booleans | None
    take: Booleans | None
    verdict: Words
    beaver: Booleans | None = None

    COLUMNS: ClassVar[Columns] = {
        "cube": str,
        "no_double": float,
        "double_take": float,
        "double_pass": float,
        "double": bool | None,
        "take": bool | None,
        "verdict": str,
        "beaver": bool | None,
    }

    @property
    def equity(self) -> Floats:
        """The better of rolling and doubling, if the opponent answers best."""
        if self.double_take is None or self.double_pass is None:
            return self.no_double
        return with_double(self.no_double, self.double_take, self.double_pass)

    def to_dict(self) -> dict[str, JSON]:
        """Attributes by name, as text or lists; `beaver` only if beavers are allowed."""
        names = [field.name for field in fields(self) if field.name != "beaver" or self.beaver is not None]
        return as_json(self, *names)

    def __str__(self) -> str:
        return f"cube actions of {np.shape(self.no_double)} pairs, cube {self.cube}"


@overload
def decide(
    no_double: float,
    double_take: float | None,
    double_pass: float = 1.0,
    cube: str = "centered",
    tie: float = TIE,
    *,
    beavers: bool = False,
) -> CubeAction: ...


@overload
def decide(
    no_double: Floats,
    double_take: Floats | None,
    double_pass: npt.ArrayLike = 1.0,
    cube: str = "centered",
    tie: float = TIE,
    *,
    beavers: bool = False,
) -> CubeActions: ...


@overload
def decide(
    no_double: npt.ArrayLike,
    double_take: npt.ArrayLike | None,
    double_pass: npt.ArrayLike = 1.0,
    cube: str = "centered",
    tie: float = TIE,
    *,
    beavers: bool = False,
) -> CubeAction | CubeActions: ...


def decide(
    no_double: npt.ArrayLike,
    double_take: npt.ArrayLike | None,
    double_pass: npt.ArrayLike = 1.0,
    cube: str = "centered",
    tie: float = TIE,
    *,
    beavers: bool = False,
) -> CubeAction | CubeActions:
    """Decide between rolling and doubling, and between taking and passing.

    Parameters
    ----------
    no_double, double_take, double_pass : float or array_like
        Equities in the same unit; they broadcast.  `double_take`, without a beaver, is None if the player on roll may
        not double.
    cube : str
        Where the cube is.  For ``"theirs"`` and ``"none"`` the verdict is ``"no cube"`` whatever `double_take` is.
    tie : float
        Greatest difference at which two equities count as equal.
    beavers : bool
        Whether the opponent may answer a double by turning the cube once more and keeping it.  They do if `double_take`
        is below 0; in the decision it is then doubled.

    Returns
    -------
    CubeAction, or CubeActions
        CubeActions if any of the equities is an array.

    Raises
    ------
    ArgumentError
        If `cube` is unknown, an equity or `tie` is NaN or not a number, `beavers` neither True nor False, or the
        shapes do not broadcast.

    Examples
    --------
    >>> print(decide(0.5, 0.9))
    double/take (cube centered): no double +0.5000, double/take +0.9000, double/pass +1.0000
    >>> decide(0.5, 0.4).verdict, decide(0.9, 1.1).verdict, decide(1.1, 1.2).verdict
    ('no double', 'double/pass', 'too good')
    >>> action = decide(-0.26, -0.128, beavers=True)
    >>> action.verdict, action.double_take, action.equity
    ('double/beaver', -0.256, -0.256)
    """
    place = as_choice("cube", cube, CUBES)
    if not isinstance(tie, float) or isnan(tie):
        tie = as_number(tie, f"tie={tie!r:.80} is not a difference of equities: give a number")
    if isinstance(no_double, float) and isinstance(double_take, float) and isinstance(double_pass, float):
        together = no_double + double_take + double_pass
        # A fast path for the most frequent case; if the sum is NaN, the general path raises the error.
        if together == together and isinstance(beavers, bool) and place in ("centered", "mine"):  # noqa: PLR0124 - the fastest test for NaN
            return CubeAction(place, *kernel.decide(no_double, double_take, double_pass, tie, beavers))
    check_flags(beavers=beavers)
    taken_at = 0.0 if double_take is None else double_take
    values = _equities(no_double=no_double, double_take=taken_at, double_pass=double_pass)
    if double_take is None or place in ("theirs", "none"):
        rolled = values["no_double"]
        if rolled.ndim == 0:
            return CubeAction(place, float(rolled), None, None, None, None, "no cube")
        return CubeActions(place, rolled, None, None, None, None, np.full(rolled.shape, "no cube"))
    roll, taken, passed = broadcast(**values)
    if roll.ndim == 0:
        return CubeAction(place, *kernel.decide(float(roll), float(taken), float(passed), tie, beavers))
    double, take, verdict, beaver = kernel.decide_batch(
        roll.reshape(-1), taken.reshape(-1), passed.reshape(-1), tie, beavers
    )
    shape = roll.shape
    return CubeActions(
        place,
        roll,
        taken if beaver is None else np.where(beaver.reshape(shape), 2 * taken, taken),
        passed,
        double.reshape(shape),
        take.reshape(shape),
        verdict.reshape(shape),
        None if beaver is None else beaver.reshape(shape),
    )


def _equities(**given: npt.ArrayLike) -> dict[str, Floats]:
    """Read equities; raise ArgumentError for the first that is not a number, or is NaN."""
    values = {}
    for name, value in given.items():
        values[name] = as_floats(value, f"{name}={value!r} is not an equity: give numbers")
        if np.isnan(values[name]).any():
            raise ArgumentError(f"{name} is NaN: give equities, numbers in any one unit")
    return values


@overload
def with_double(no_double: float, double_take: float, double_pass: float = 1.0) -> float: ...


@overload
def with_double(no_double: Floats, double_take: Floats, double_pass: float | Floats = 1.0) -> Floats: ...


@overload
def with_double(
    no_double: float | Floats, double_take: float | Floats, double_pass: float | Floats = 1.0
) -> float | Floats: ...


def with_double(
    no_double: float | Floats, double_take: float | Floats, double_pass: float | Floats = 1.0
) -> float | Floats:
    """Equity with the right to double first: ``max(no_double, min(double_take, double_pass))``.

    Parameters
    ----------
    no_double, double_take, double_pass : float or float64 ndarray
        Equities in the same unit; they broadcast.

    Returns
    -------
    float or float64 ndarray
        In the same unit.

    Raises
    ------
    ArgumentError
        If the shapes do not broadcast.
    """
    one = int, float
    if isinstance(no_double, one) and isinstance(double_take, one) and isinstance(double_pass, one):
        return max(no_double, min(double_take, double_pass))  # faster than arrays, for a probe of one pair
    roll, taken, passed = broadcast(no_double=no_double, double_take=double_take, double_pass=double_pass)
    better: Floats = np.maximum(roll, np.minimum(taken, passed))
    return better
