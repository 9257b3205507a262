"""The one class that users hold for an answer about one side of a race."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from bgrace._base.arrays import JSON, Floats, Summarised, as_json
from bgrace.board import Position
from bgrace.board.dice import MEAN_PIPS
from bgrace.board.drawing.scene import figure_html
from bgrace.board.plays import Play
from bgrace.board.spaces import space_of


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PositionAnswer(Summarised):
    """The answer about one side of a race, each roll played to lower the mean number of rolls most.

    Attributes
    ----------
    position : Position
    mean_rolls, variance_rolls : float
        Of the number of rolls until the last checker is off.
    roll_distribution : float64 ndarray, shape (width,)
        Chance of being off in exactly 0, 1, ..., width - 1 rolls.
    first_checker_distribution : float64 ndarray, or None
        Chance that the first checker comes off on exactly roll 0, 1, ..., played to lower the mean of that number
        most; None unless there are 15 and that is known.
    roll : tuple of two int, or None
        The dice that `plays` are for.
    plays : tuple of Play, or None
        Every play of `roll`, compared by the expected pip count left, best first; None without a roll.
    positions_solved : int, or None
        How many positions that took; None from a file.
    """

    position: Position
    mean_rolls: float
    variance_rolls: float
    roll_distribution: Floats
    first_checker_distribution: Floats | None = None
    roll: tuple[int, int] | None = None
    plays: tuple[Play, ...] | None = None
    positions_solved: int | None = None

    @property
    def index(self) -> int:
        """Number of the position, on as many points as it is given on."""
        return space_of(self.position.points, max(self.position.checkers, 1)).index(self.position)

    @property
    def pips(self) -> int:
        """Pip count."""
        return self.position.pips

    @property
    def epc(self) -> float:
        """Expected pip count: mean rolls times 49/6."""
        return self.mean_rolls * MEAN_PIPS

    @property
    def wastage(self) -> float:
        """Pips that will be wasted on average: expected pip count less pip count."""
        return self.epc - self.pips

    @property
    def sd_rolls(self) -> float:
        """Standard deviation of the number of rolls."""
        return sqrt(self.variance_rolls)

    def to_dict(self) -> dict[str, JSON]:
        """The fields as a dict that JSON can hold; ``"plays"`` only if there was a roll."""
        names = ("position", "index", "pips", "epc", "mean_rolls", "variance_rolls", "roll_distribution")
        return as_json(self, *names, *(() if self.plays is None else ("plays",)))

    def _repr_svg_(self) -> str:
        return self.position._repr_svg_()

    def _repr_html_(self) -> str:
        return figure_html(self._repr_svg_(), f"{self.position}: expected pip count {self.epc:.3f}, {self.pips} pips")
