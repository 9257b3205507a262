"""The game around the checkers: dice, cube, score and the rules in force."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from bgrace._base.arrays import as_choice, as_integer, check_flags
from bgrace.board.dice import parse_roll
from bgrace.errors import ArgumentError, PositionError

__all__ = ["GameState"]

CubePlace = Literal["centered", "mine", "theirs"]
"""The place of the cube: both may double, or the player on roll, or the opponent."""

MAX_CUBE_VALUE: Final = 1 << 15
"""The greatest cube value that fits into the IDs."""

MAX_MATCH_LENGTH: Final = 32767
"""The longest match, and the greatest score, that fit into the IDs."""


def check_cube_value(cube_value: int) -> int:
    """Return a cube value if it is one: a power of two up to `MAX_CUBE_VALUE`.

    Raises
    ------
    ArgumentError
        If it is not.
    """
    problem = f"cube_value={cube_value!r} is not on a cube: give 1, 2, 4, ... {MAX_CUBE_VALUE}"
    number = as_integer(cube_value, problem, 1, MAX_CUBE_VALUE)
    if number & (number - 1):
        raise ArgumentError(problem)
    return number


def _in_range(name: str, value: int, high: int) -> int:
    return as_integer(value, f"{name}={value!r} is out of range: give a whole number from 0 to {high}", 0, high)


@dataclass(frozen=True, kw_only=True)
class GameState:
    """Everything about a game but its checkers, for the player on roll: cube, score, dice and rules of an ID.

    Attributes
    ----------
    roll : tuple of two int, or None
        The dice, larger first; None before they are thrown.
    cube_value : int
        1, 2, 4, ..., 32768.  While a double is offered, the value before it.
    cube : {"centered", "mine", "theirs"}
        The side that may double: both, the player on roll, the opponent.
    double_offered : bool
        Whether the player on roll has doubled, and the opponent is to take or pass.
    score : tuple of two int
        Points won so far in the match or session: player on roll, opponent.
    match_length : int
        Points the match goes to; 0 for money.
    crawford : bool
        Whether this is the Crawford game of a match, which is possible only if a side is one point short of winning.
    jacoby, beavers : bool, or None
        Whether a money session uses the Jacoby rule, and whether the player who is doubled may beaver; None for a
        match, or if it is unknown.  GNU Backgammon's IDs do not say whether beavers are allowed.

    Raises
    ------
    ArgumentError
        If a value is none of these, or if values contradict each other: a score that has won the match, a Crawford
        game with no side one point short, the Jacoby rule in a match, a double offered after the roll.
    RollError
        If `roll` is not a roll.

    Examples
    --------
    >>> state = GameState(roll=(1, 3), cube="mine", cube_value=2, score=(4, 2), match_length=7)
    >>> state.roll, state.away
    ((3, 1), (3, 5))
    """

    roll: tuple[int, int] | None = None
    cube_value: int = 1
    cube: CubePlace = "centered"
    double_offered: bool = False
    score: tuple[int, int] = (0, 0)
    match_length: int = 0
    crawford: bool = False
    jacoby: bool | None = None
    beavers: bool | None = None

    def __post_init__(self) -> None:
        if self.roll is not None:
            object.__setattr__(self, "roll", parse_roll(self.roll))
        if not isinstance(self.score, tuple) or len(self.score) != 2:
            raise ArgumentError(f"score={self.score!r} is not a score: give the points of both sides, such as (4, 2)")
        object.__setattr__(self, "match_length", _in_range("match_length", self.match_length, MAX_MATCH_LENGTH))
        highest = self.match_length - 1 if self.match_length else MAX_MATCH_LENGTH
        own, other = self.score
        object.__setattr__(self, "score", (_in_range("score", own, highest), _in_range("score", other, highest)))
        object.__setattr__(self, "cube_value", check_cube_value(self.cube_value))
        as_choice("cube", self.cube, get_args(CubePlace))
        check_flags(double_offered=self.double_offered, crawford=self.crawford)
        if self.crawford and not (self.match_length > 1 and max(self.score) == highest):
            raise ArgumentError(
                f"crawford=True at {self.score[0]} to {self.score[1]} in a match to {self.match_length}: the Crawford "
                "game is the first in which somebody is one point short of winning; leave it out"
            )
        self._check_rules()

    def _check_rules(self) -> None:
        """Raise ArgumentError for rules that cannot be in force together."""
        if self.match_length and (self.jacoby is not None or self.beavers is not None):
            raise ArgumentError("jacoby and beavers are rules of money play: leave them out in a match")
        if self.double_offered and self.roll is not None:
            raise ArgumentError("double_offered=True after the roll: doubles are offered before it; leave out roll")
        if self.double_offered and (self.cube == "theirs" or self.crawford):
            raise ArgumentError("double_offered=True by a player who may not double: leave it out")

    @property
    def away(self) -> tuple[int, int] | None:
        """Points still needed to win the match: player on roll, opponent; None for money.

        Examples
        --------
        >>> GameState(score=(4, 2), match_length=7).away
        (3, 5)
        """
        if not self.match_length:
            return None
        return self.match_length - self.score[0], self.match_length - self.score[1]

    @property
    def doubt(self) -> str:
        """Text about a cube that is impossible in a match, and how it is read; empty if there is no doubt.

        Examples
        --------
        >>> GameState(cube="mine", match_length=5).doubt
        'a cube of 1 on a side, in a match: taken to be in the middle'
        """
        if not self.match_length:
            return ""
        if self.cube_value == 1 and self.cube != "centered":
            return "a cube of 1 on a side, in a match: taken to be in the middle"
        if self.crawford and self.cube_value > 1:
            return f"a cube of {self.cube_value} in the Crawford game, in which nobody may double"
        if self.cube_value > 1 and self.cube == "centered":
            return f"a cube of {self.cube_value} in the middle, in a match: taken to be that of the player on roll"
        return ""


def state_of_id(
    shown: str,
    *,
    dice: tuple[int, int],
    cube_value: int,
    cube: CubePlace,
    double_offered: bool,
    score: tuple[int, int],
    match_length: int,
    crawford: bool,
    jacoby: bool | None = None,
    beavers: bool | None = None,
) -> GameState:
    """Check the fields of an ID besides the checkers, and drop marks that have no meaning in this state.

    Examples
    --------
    >>> more = dict(cube_value=1, cube="centered", double_offered=False, match_length=5, beavers=None)
    >>> state = state_of_id("example", dice=(1, 3), score=(4, 2), crawford=True, jacoby=True, **more)
    >>> state.roll, state.crawford, state.jacoby
    ((3, 1), True, None)
    """
    if dice != (0, 0) and not all(1 <= die <= 6 for die in dice):
        raise PositionError(f"{shown} has the dice {dice}: give 1 to 6, or twice 0 before the roll")
    if match_length and max(score) >= match_length:
        raise PositionError(
            f"{shown} has the score {score[0]} to {score[1]} in a match to {match_length}: "
            f"give scores below {match_length}"
        )
    # As in GNU Backgammon, the mark of the Crawford game counts only if a side is one point short of winning.
    crawford = crawford and match_length > 1 and max(score) == match_length - 1
    rolled = any(dice)
    return GameState(
        roll=parse_roll(dice) if rolled else None,
        cube_value=cube_value,
        cube=cube,
        double_offered=double_offered and not rolled and cube != "theirs" and not crawford,
        score=score,
        match_length=match_length,
        crawford=crawford,
        jacoby=None if match_length else jacoby,
        beavers=None if match_length else beavers,
    )
