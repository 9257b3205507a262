"""What a roll can do to a position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

import bgrace._kernels.plays as kernel
from bgrace._base.arrays import JSON
from bgrace.board.dice import parse_roll
from bgrace.board.drawing.html import figure_html
from bgrace.board.drawing.scene import Scene
from bgrace.board.drawing.svg import scene_svg
from bgrace.board.play_text import format_play, play_moves
from bgrace.board.position import Position
from bgrace.board.spaces import space_of
from bgrace.board.text import parse_position

__all__ = ["Play", "legal_plays", "rank_plays"]


@dataclass(frozen=True, slots=True)
class Play:
    """One way to play a roll.

    Attributes
    ----------
    play : str
        In notation, such as ``"4/2 3/off"``.
    position : Position
        What is left.
    equity : float
        Points per unit of the present cube after the play, the opponent being on roll; at a match score too.  Without
        an opponent: minus the expected pip count that is left.
    loss : float
        How much less than the best play; 0 for the best, never negative.
    mwc : float, or None
        At a match score the chance to win the match after the play; else None.
    start : Position, or None
        What was there before, if it is known: then a notebook draws the play, with an arrow for each checker moved.
    roll : tuple of two int, or None
        The dice, larger first, if they are known.
    """

    play: str
    position: Position
    equity: float
    loss: float
    mwc: float | None = None
    start: Position | None = field(default=None, repr=False, kw_only=True)
    roll: tuple[int, int] | None = field(default=None, repr=False, kw_only=True)

    def to_dict(self) -> dict[str, JSON]:
        """Every attribute under its name, as JSON would have it; `mwc` only at a match score."""
        answer: dict[str, JSON] = {
            "play": self.play,
            "position": list(self.position),
            "equity": self.equity,
            "loss": self.loss,
        }
        return answer if self.mwc is None else {**answer, "mwc": self.mwc}

    def __str__(self) -> str:
        return f"{self.play}: {self.equity:+.4f}" + (f" (-{self.loss:.4f})" if self.loss else "")

    def _repr_svg_(self) -> str:
        if self.start is None or self.roll is None:
            return scene_svg(Scene(self.position))
        return scene_svg(Scene(self.start, roll=self.roll, moves=play_moves(self.start, self.play, self.roll)))

    def _repr_html_(self) -> str:
        return figure_html(self._repr_svg_(), str(self))


def legal_plays(pos: str | Sequence[int], roll: str | Iterable[int]) -> list[Position]:
    """Every distinct result of a roll.

    The roll is played in full, in either order of its dice, a double four times.  Checkers are borne off only when
    all are within the six home points, from the highest point if the die is larger.  A die is left over only when no
    checker is.

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
    larger, smaller = parse_roll(roll)
    space = space_of(position.points, max(position.checkers, 1))
    results = kernel.plays(space.kernel, space.index(position), larger, smaller)
    return [Position(row) for row in space.position(results).tolist()]


def rank_plays(
    start: Position,
    roll: tuple[int, int],
    results: list[Position],
    values: npt.NDArray[np.float64],
    mwc: npt.NDArray[np.float64] | None = None,
) -> list[Play]:
    """Plays in falling order of what they are worth, equal ones in the order given.

    Parameters
    ----------
    start : Position
        Before the roll.
    roll : tuple of two int
    results : list of Position
        After each play.
    values : float64 ndarray, shape (len(results),)
        Of each, to the player who made it.
    mwc : float64 ndarray, shape (len(results),), optional
        Chances to win the match.

    Returns
    -------
    list of Play
    """
    best = float(values.max())
    chances = [None] * len(results) if mwc is None else mwc.tolist()
    plays = [
        Play(
            format_play(start, result, roll), result, float(value), best - float(value), chance, start=start, roll=roll
        )
        for result, value, chance in zip(results, values, chances, strict=True)
    ]
    return sorted(plays, key=lambda play: play.loss)
