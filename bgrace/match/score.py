"""Where a match stands, seen by the player on roll."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from bgrace._base.arrays import as_json
from bgrace.errors import ArgumentError

Kind: TypeAlias = Literal["ordinary", "Crawford", "post-Crawford", "double match point"]


@dataclass(frozen=True, slots=True)
class Score:
    """How many points both sides still need, and whether this is the Crawford game.

    Parameters
    ----------
    on_roll_needs, opponent_needs : int
        Points to go, at least 1.
    crawford : bool
        Whether this game is the first one with a side 1 away, in which nobody may double.  A score with a side 1 away
        is taken for a later game unless this says otherwise.

    Raises
    ------
    ArgumentError
        If a number is not a positive integer, or it is called the Crawford game and nobody is 1 away.

    Examples
    --------
    >>> Score(3, 5).kind, Score(1, 4).kind, Score(1, 4, crawford=True).kind, Score(1, 1).kind
    ('ordinary', 'post-Crawford', 'Crawford', 'double match point')
    >>> print(Score(1, 4, crawford=True))
    1-away, 4-away Crawford
    """

    on_roll_needs: int
    opponent_needs: int
    crawford: bool = False

    def __post_init__(self) -> None:
        for name, needs in (("the player on roll", self.on_roll_needs), ("the opponent", self.opponent_needs)):
            if not isinstance(needs, int) or isinstance(needs, bool) or needs < 1:
                raise ArgumentError(f"{name} needs {needs!r}, which is not a number of points to go: give 1 or more")
        if self.crawford and min(self.on_roll_needs, self.opponent_needs) > 1:
            raise ArgumentError(
                f"{self.on_roll_needs}-away, {self.opponent_needs}-away is not a Crawford game: in one, a side needs 1"
            )

    @property
    def kind(self) -> Kind:
        """Which rules of doubling hold: at double match point nothing but winning counts."""
        if self.on_roll_needs == self.opponent_needs == 1:
            return "double match point"
        if min(self.on_roll_needs, self.opponent_needs) > 1:
            return "ordinary"
        return "Crawford" if self.crawford else "post-Crawford"

    @property
    def swapped(self) -> Score:
        """The score as the other side sees it."""
        return Score(self.opponent_needs, self.on_roll_needs, self.crawford)

    def may_double(self, cube_value: int) -> bool:
        """Whether turning a cube of this value, if they have access to it, is of any use to the player on roll.

        Not in the Crawford game, and not if `cube_value` already wins them the match: doubling could then only raise
        what they lose.
        """
        return self.kind != "Crawford" and self.on_roll_needs > cube_value

    def why_no_double(self, cube_value: int) -> str:
        """Why the player on roll may not turn a cube that they have access to."""
        if self.kind == "Crawford":
            return "nobody may double in the Crawford game"
        return f"a cube of {cube_value} already wins the match for the player on roll"

    def to_dict(self) -> dict[str, int]:
        """Every attribute under its name, as JSON has it."""
        return {**as_json(self), "crawford": self.kind == "Crawford"}

    def __str__(self) -> str:
        crawford = " Crawford" if self.kind == "Crawford" else ""
        return f"{self.on_roll_needs}-away, {self.opponent_needs}-away{crawford}"


def parse_score(text: str, crawford: bool = False) -> Score:
    """Read a score such as ``"3,5"``: the needs of the player on roll, then those of the opponent.

    Raises
    ------
    ArgumentError
        If it is not a score.

    Examples
    --------
    >>> parse_score("3,5")
    Score(on_roll_needs=3, opponent_needs=5, crawford=False)
    """
    words = [word.strip() for word in text.split(",")] if isinstance(text, str) else []
    if len(words) != 2 or not all(word.isascii() and word.isdigit() and len(word) <= 9 for word in words):
        raise ArgumentError(f"{text!r:.80} is not a score: give the points that both sides still need, such as 3,5")
    return Score(int(words[0]), int(words[1]), crawford)


def check_score(score: Score) -> Score:
    """Return a score if it is one.

    Raises
    ------
    ArgumentError
        If it is not.
    """
    if not isinstance(score, Score):
        raise ArgumentError(
            f'{score!r} is not a score: give bgrace.match.Score(3, 5), or bgrace.match.parse_score("3,5")'
        )
    return score
