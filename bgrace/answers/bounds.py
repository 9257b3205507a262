"""Values of a race between proven bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bgrace._base.arrays import JSON, as_json
from bgrace._kernels import answer as kernel
from bgrace._kernels.stakes import CUBE_ORDER
from bgrace.cube.action import Cube
from bgrace.errors import ArgumentError


class Interval(NamedTuple):
    """A value that is proved to be no less than `low` and no more than `high`."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """How far they are apart."""
        return self.high - self.low


@dataclass(frozen=True)
class CubeBounds:
    """One place of the cube, in the unit of `Solution.cube_action`.

    Attributes
    ----------
    no_double, double_take : Interval
        Rolling now, and a double that is taken; NaN where the player on roll may not double.
    value : Interval
        With the right to double first.
    verdict : str
        As in `CubeAction`; the right one if it is proved.
    proved : bool
        Whether every value within the bounds gives this verdict.
    """

    no_double: Interval
    double_take: Interval
    value: Interval
    verdict: str
    proved: bool

    def to_dict(self) -> dict[str, JSON]:
        """As a dict that JSON can hold."""
        told = as_json(self)
        return {**told, "double_take": None} if self.verdict == "no cube" else told


@dataclass(frozen=True)
class Bounds:
    """The proved bounds of a race, for the player on roll: see docs/proofs.md.

    Attributes
    ----------
    method : str
        ``"exact"``, all pairs: bounds enclose the rounding alone.  ``"confined"``: one side confined to a shortlist and
        the other free.  ``"clocks"``: the other side off as soon as any way to play can be.
    win : Interval
        The chance to win, both sides playing to win.
    gammon_win, gammon_loss : Interval
        What one side's gammons add to that, both sides playing for them: the chance of one.
    positions, kept : tuple of int
        How many positions the player on roll and the opponent can come to, and how many their shortlists keep.
    seconds : float
        The budget that it was proved within.

    Examples
    --------
    >>> import bgrace
    >>> bounds = bgrace.solve("5x1 6x1", "4x1 5x1", prove=True).bounds
    >>> bounds.method, bounds.cube("centered").verdict, bounds.cube("centered").proved
    ('exact', 'double/take', True)
    >>> round(bounds.win.low, 6), round(bounds.win.high, 6)
    (0.682403, 0.682403)
    """

    method: str
    win: Interval
    gammon_win: Interval
    gammon_loss: Interval
    positions: tuple[int, int]
    kept: tuple[int, int]
    seconds: float
    _places: dict[Cube, CubeBounds]

    def cube(self, place: Cube) -> CubeBounds:
        """The bounds with the cube in a place: ``"none"``, ``"centered"``, ``"mine"`` or ``"theirs"``.

        Raises
        ------
        ArgumentError
            If a cube of this value cannot be there.
        """
        if place not in self._places:
            raise ArgumentError(f"cube {place!r} cannot be there: use {', '.join(self._places)}")
        return self._places[place]

    @classmethod
    def of(cls, proof: kernel.Proof, places: tuple[Cube, ...]) -> Bounds | None:
        """Those of a proof in these places of the cube; None if nothing was proved."""
        method, _, positions, kept, seconds = proof.info()
        if method == "none":
            return None
        win, gammon_win, gammon_loss = (Interval(*interval) for interval in proof.chances())
        cubes: dict[Cube, CubeBounds] = {}
        for place in places:
            rolled, doubled, value, verdict, proved = proof.cube(CUBE_ORDER.index(place))
            cubes[place] = CubeBounds(Interval(*rolled), Interval(*doubled), Interval(*value), verdict, proved)
        return cls(method, win, gammon_win, gammon_loss, positions, kept, seconds, cubes)

    def to_dict(self, place: Cube) -> dict[str, JSON]:
        """As a dict that JSON can hold, with the cube in a place."""
        return as_json(self, "method", "seconds", "win", "gammon_win", "gammon_loss") | self.cube(place).to_dict()
