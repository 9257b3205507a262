"""The result of a count for a pair of positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, Generic, ParamSpec, Protocol, TypeAlias, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Booleans, Floats, Integers, Summarised, Told, scalar
from bgrace._kernels import counts as kernel
from bgrace.board import MAX_POINTS, OnePosition, Positions
from bgrace.counts.sides import AnyPositions, Side, sides
from bgrace.cube.action import Verdict, Words, check_cube

N = TypeVar("N", float, Floats | Integers)
B = TypeVar("B", bool, Booleans)
P = ParamSpec("P")


@dataclass(frozen=True, slots=True, repr=False)
class Count(Told, Summarised, Generic[N, B]):
    """The result of a count for a pair of positions.

    Every field but `name` is a scalar for one pair and an array for arrays of positions; None where the method says
    nothing.  `CountOfPair` is the one and `CountOfPairs` the other.

    Attributes
    ----------
    name : str
        The function that made it.
    counted : int or float
        Adjusted count of the player on roll, before the charge for being on roll.
    on_roll, opponent : int or float
        The two counts that are compared, in pips.
    double_from, redouble_from, take_to : float
        Least lead to double with a centered cube, least lead to redouble with an own cube, and greatest lead that the
        opponent takes against, in pips.
    double, redouble, take : bool
        Whether to double with a centered cube, to redouble with an own one, and whether the opponent takes.
    win_probability : float
        Chance that the player on roll wins, cut off at 0 and 1.
    ratio : float
        Kleinman's K.
    """

    name: str
    counted: N
    on_roll: N
    opponent: N
    double_from: N | None = None
    redouble_from: N | None = None
    take_to: N | None = None
    double: B | None = None
    redouble: B | None = None
    take: B | None = None
    win_probability: N | None = None
    ratio: N | None = None

    @property
    def lead(self) -> N:
        """Lead of the player on roll by these counts: `opponent` less `on_roll`."""
        return self.opponent - self.on_roll

    @property
    def advice(self) -> str:
        """The three decisions of one pair in words, as far as the method makes them.

        Examples
        --------
        >>> from bgrace.counts import thorp
        >>> thorp("2,2,2,3,3,3", "1,1,2,3,4,4").advice
        'double, no redouble, take'
        """
        decisions = (
            (self.double, "double", "no double"),
            (self.redouble, "redouble", "no redouble"),
            (self.take, "take", "pass"),
        )
        return ", ".join(yes if decision else no for decision, yes, no in decisions if decision is not None)

    @overload
    def verdict(self: CountOfPair, cube: str = ...) -> Verdict | None: ...

    @overload
    def verdict(self: CountOfPairs, cube: str = ...) -> Words | None: ...

    def verdict(self, cube: str = "centered") -> str | Words | None:
        """Name the right cube action, in the words of `bgrace.cube.action`.

        Parameters
        ----------
        cube : str
            Where the cube is, seen by the player on roll: ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``.

        Returns
        -------
        str, or ndarray of str, or None
            ``"no double"``, ``"double/take"``, ``"double/pass"`` or ``"no cube"``; None if the method does not say
            when to double.

        Raises
        ------
        ArgumentError
            If `cube` is unknown.

        Examples
        --------
        >>> from bgrace.counts import thorp
        >>> count = thorp("2,2,2,3,3,3", "1,1,2,3,4,4")
        >>> count.verdict(), count.verdict("mine")
        ('double/take', 'no double')
        """
        place = check_cube(cube)
        double = self.redouble if place == "mine" else self.double
        if double is None or self.take is None:
            return None
        verdict = np.where(double, np.where(self.take, "double/take", "double/pass"), "no double")
        if place in ("theirs", "none"):
            verdict = np.full(verdict.shape, "no cube")
        verdicts: str | Words = scalar(verdict)
        return verdicts

    def __str__(self) -> str:
        if np.ndim(self.on_roll) or np.ndim(self.opponent):
            return f"{self.name} of {np.broadcast_shapes(np.shape(self.on_roll), np.shape(self.opponent))} pairs"
        text = f"{self.name} {self.on_roll:g} : {self.opponent:g}"
        if self.win_probability is not None:
            text += f", wins {100 * self.win_probability:.1f} %"
        return f"{text}: {self.advice}" if self.advice else text


CountOfPair: TypeAlias = Count[float, bool]
"""A count of one pair: numbers and words."""

CountOfPairs: TypeAlias = Count[Floats | Integers, Booleans]
"""A count of many pairs: arrays."""


class CountingFunction(Protocol[P]):
    """A count: what it takes, and what it gives for one pair and for arrays of pairs."""

    __name__: str

    @overload
    def __call__(
        self, on_roll: OnePosition, opponent: OnePosition, *args: P.args, **options: P.kwargs
    ) -> CountOfPair: ...
    @overload
    def __call__(
        self, on_roll: Positions, opponent: OnePosition | Positions, *args: P.args, **options: P.kwargs
    ) -> CountOfPairs: ...
    @overload
    def __call__(
        self, on_roll: OnePosition, opponent: Positions, *args: P.args, **options: P.kwargs
    ) -> CountOfPairs: ...


def of_positions(
    count: Callable[Concatenate[AnyPositions, AnyPositions, P], CountOfPair | CountOfPairs],
) -> CountingFunction[P]:
    """Tell type checkers that a function is a `CountingFunction`."""
    return cast(CountingFunction[P], count)


def counted(
    name: str,
    on_roll: AnyPositions,
    opponent: AnyPositions,
    epc: Callable[[Side, Side], tuple[npt.ArrayLike, npt.ArrayLike]] | None = None,
    **options: float,
) -> CountOfPair | CountOfPairs:
    """Count pairs by name; `epc` gives expected pip counts of what was read, in the shapes of the sides."""
    own, other = sides(on_roll, opponent)
    shape = np.broadcast_shapes(own.shape, other.shape)
    expected = np.full((2, *shape[:-1]), np.nan)
    if epc is not None:
        expected[0], expected[1] = epc(own, other)
    on_rolls, opponents = (
        np.ascontiguousarray(np.broadcast_to(side, shape)).reshape(-1, MAX_POINTS) for side in (own, other)
    )
    found = kernel.count(name, on_rolls, opponents, expected.reshape(2, -1), **options)
    return Count(name, **{field: scalar(values.reshape(shape[:-1])) for field, values in found.items()})
