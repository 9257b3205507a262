"""Both sides of a race, and the game around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bgrace.board.dice import parse_roll
from bgrace.board.gnubg_position_id import position_id
from bgrace.board.position import Position
from bgrace.errors import PositionError

__all__ = ["Board", "checked_board"]


@dataclass(frozen=True)
class Board:
    """Both sides of a race, and what an ID tells of the game around it, for the player on roll.

    An ID without a match ID tells only where the checkers are; the other fields then have the defaults below.

    Attributes
    ----------
    on_roll, opponent : Position
        The two sides, each counted from its own ace point, with equally many points: 6 if both are home, or else as
        many as the checker farthest out needs.
    roll : tuple of two int, or None
        The dice, larger first; None before they are thrown.
    cube_value : int
        1, 2, 4, ...
    cube : {"centered", "mine", "theirs"}
        Who may double: both, the player on roll, the opponent.
    score : tuple of two int
        Points won so far in the match or session: player on roll, opponent.
    match_length : int
        Points the match goes to; 0 for money.
    crawford : bool
        Whether this is the Crawford game of a match.  As in GNU Backgammon the mark counts only where somebody is one
        point short of winning.
    jacoby : bool, or None
        Whether a money session uses the Jacoby rule; None for a match, or if the ID does not tell.

    Examples
    --------
    >>> board = Board(Position((0, 2)), Position((3, 0)), cube="mine", cube_value=2)
    >>> board.roll is None, board.away is None, board.gnubg_id
    (True, True, 'BwAAYAAAAAAAAA')
    """

    on_roll: Position
    opponent: Position
    roll: tuple[int, int] | None = None
    cube_value: int = 1
    cube: Literal["centered", "mine", "theirs"] = "centered"
    score: tuple[int, int] = (0, 0)
    match_length: int = 0
    crawford: bool = False
    jacoby: bool | None = None

    @property
    def away(self) -> tuple[int, int] | None:
        """Points still needed to win the match: player on roll, opponent; None for money.

        Examples
        --------
        >>> Board(Position((1,)), Position((1,)), score=(4, 2), match_length=7).away
        (3, 5)
        """
        if not self.match_length:
            return None
        return self.match_length - self.score[0], self.match_length - self.score[1]

    @property
    def gnubg_id(self) -> str:
        """GNU Backgammon position ID of the two sides.

        Raises
        ------
        PositionError
            If the sides have contact: see `gnubg_position_id`.

        Examples
        --------
        >>> Board(Position((5, 1, 8, 1)), Position((0, 0, 0, 2))).gnubg_id
        'GAAA+PoXAAAAAA'
        """
        return position_id(self.on_roll, self.opponent)


def checked_board(
    shown: str,
    sides: tuple[Position, Position],
    *,
    dice: tuple[int, int],
    cube_value: int,
    cube: Literal["centered", "mine", "theirs"],
    score: tuple[int, int],
    match_length: int,
    crawford: bool,
    jacoby: bool,
) -> Board:
    """Check what an ID tells besides the checkers, and make the board.

    Examples
    --------
    >>> ace = Position((1, 0, 0, 0, 0, 0))
    >>> more = dict(cube_value=1, cube="centered", score=(4, 2), match_length=5, crawford=True, jacoby=True)
    >>> board = checked_board("example", (ace, ace), dice=(1, 3), **more)
    >>> board.roll, board.crawford, board.jacoby
    ((3, 1), True, None)
    """
    if dice != (0, 0) and not all(1 <= die <= 6 for die in dice):
        raise PositionError(f"{shown} has the dice {dice}: give 1 to 6, or twice 0 before the roll")
    if match_length and max(score) >= match_length:
        raise PositionError(
            f"{shown} has the score {score[0]} to {score[1]} in a match to {match_length}: "
            f"give scores below {match_length}"
        )
    return Board(
        *sides,
        roll=parse_roll(dice) if any(dice) else None,
        cube_value=cube_value,
        cube=cube,
        score=score,
        match_length=match_length,
        crawford=crawford and match_length > 1 and max(score) == match_length - 1,
        jacoby=None if match_length else jacoby,
    )
