"""The results of a roll."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

import bgrace._kernels.plays as kernel
from bgrace._base.arrays import JSON, as_json
from bgrace._base.frames import Cell, Columns, Tabular
from bgrace.board import drawing
from bgrace.board.dice import ROLLS, WEIGHTS, parse_roll
from bgrace.board.play_text import format_play, play_moves
from bgrace.board.position import MAX_CHECKERS, Position
from bgrace.board.spaces import PositionSpace, space_of
from bgrace.board.text import parse_position

__all__ = ["Play", "RollPlays"]


@dataclass(frozen=True, slots=True, repr=False)
class Play:
    """One way to play a roll.

    A notebook draws it, with an arrow for each checker moved.

    Attributes
    ----------
    position : Position
        The position after the play.
    equity : float
        Points per unit of the present cube after the play, with the opponent on roll; at a match score too.  Without
        an opponent: minus the expected pip count that is left.
    loss : float
        Equity of the best play less this one's; 0 for the best, never negative.
    start : Position
        The position before the play.
    roll : tuple of two int
        The dice, larger first.
    mwc : float, or None
        At a match score the chance to win the match after the play; else None.
    """

    position: Position
    equity: float
    loss: float
    start: Position
    roll: tuple[int, int]
    mwc: float | None = None

    @property
    def play(self) -> str:
        """The play in notation, such as ``"4/2 3/off"``."""
        return format_play(self.start, self.position, self.roll)

    @property
    def saving_rolls(self) -> int | None:
        """Number of the 36 rolls that then bear off the first checker and save the gammon; None with fewer than 15."""
        if self.position.checkers < MAX_CHECKERS:
            return None
        results = results_of_all_rolls(self.position)
        return sum(n for n, ends in zip(WEIGHTS, results, strict=True) if ends[0].checkers < MAX_CHECKERS)

    def to_dict(self) -> dict[str, JSON]:
        """Attributes by name, as values of JSON; `mwc` only at a match score."""
        return as_json(self, "play", "position", "equity", "loss", *(() if self.mwc is None else ("mwc",)))

    def __str__(self) -> str:
        return f"{self.play}: {self.equity:+z.4f}" + (f" ({-self.loss:z.4f})" if self.loss else "")

    def __repr__(self) -> str:
        known = f"equity={self.equity!r}, loss={self.loss!r}" + (f", mwc={self.mwc!r}" if self.mwc is not None else "")
        return f"Play({self.play!r}, {self.position!r}, {known})"

    def _repr_svg_(self) -> str:
        moves = play_moves(self.start, self.play, self.roll)
        return drawing.scene_svg(drawing.Scene(self.start, roll=self.roll, moves=moves))

    def _repr_html_(self) -> str:
        return drawing.figure_html(self._repr_svg_(), str(self))


class RollPlays(UserDict[tuple[int, int], list[Play]], Tabular):
    """The plays of every roll, best first, by the dice, larger first; a row of the table is a play."""

    __slots__ = ()

    COLUMNS: ClassVar[Columns] = {
        "roll": str,
        "rank": int,
        "play": str,
        "position": str,
        "equity": float,
        "loss": float,
        "mwc": float,
    }

    def _rows(self) -> Iterator[Mapping[str, Cell]]:
        for roll, plays in self.items():
            for rank, play in enumerate(plays, 1):
                known = as_json(play, "play", "equity", "loss", "mwc")
                yield {"roll": f"{roll[0]}{roll[1]}", "rank": rank, "position": str(play.position), **known}


def legal_plays(pos: str | Sequence[int], roll: str | Iterable[int]) -> list[Position]:
    """Every distinct result of a roll.

    The roll is played in full, in either order of its dice, a double four times.  Checkers are borne off only when
    all are within the six home points, from the highest point if the die is larger.  A die is left over only if no
    checker is left.

    Parameters
    ----------
    pos : sequence of int, or str
        Checker counts on any number of points up to 24, ace point first, or text.
    roll : str or pair of int
        Two dice, in any form that `bgrace.board.dice.parse_roll` reads.

    Returns
    -------
    list of Position
        In rising order of their index.  The empty board has one result, itself.

    Raises
    ------
    PositionError
        If `pos` is not a position.
    RollError
        If `roll` is not a roll.

    Notes
    -----
    Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 3.

    Examples
    --------
    >>> for result in legal_plays((5, 1, 8, 1, 0, 0), (2, 4)):
    ...     print(result)
    1x5 3x8
    1x6 2x1 3x7
    1x5 2x2 3x7
    """
    position = parse_position(pos)
    dice = parse_roll(roll)
    space = space_of(position.points, max(position.checkers, 1))
    return results_of(space, space.index(position), dice)[1]


def results_of(space: PositionSpace, index: int, roll: tuple[int, int]) -> tuple[list[int], list[Position]]:
    """The results of a roll for a position of a space: their indices, in rising order, and the positions."""
    return kernel.results(space.kernel, index, *roll, Position)


def results_of_all_rolls(position: Position) -> list[list[Position]]:
    """The results of each roll, in the order of `bgrace.board.dice.ROLLS`."""
    space = space_of(position.points, max(position.checkers, 1))
    index = space.index(position)
    return [kernel.results(space.kernel, index, *roll, Position)[1] for roll in ROLLS]


rank_plays: Final = partial(kernel.ranked, Play)
"""Makes plays in falling order of their values to the player; see `Solution.best_plays` for equal ones."""
