"""What a pair is worth at a match score: values, cube actions, plays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bgrace.board.plays import Play
from bgrace.cube.action import Cube
from bgrace.match.score import Score

__all__ = ["MatchAction", "MatchPlay", "MatchValues"]


@dataclass(frozen=True, slots=True)
class MatchValues:
    """What a pair of positions is worth to the player on roll, by where the cube is.

    Attributes
    ----------
    cubeless : float
        If nobody ever turned the present cube.
    centered, mine, theirs : float, or None
        With the right to double before this roll where he has it; None for a cube that cannot be there: a cube of 1 is
        in the middle, a larger one is not.
    """

    cubeless: float | None
    centered: float | None
    mine: float | None
    theirs: float | None

    def to_dict(self) -> dict[str, float | None]:
        """Every attribute under its name."""
        return {name: getattr(self, name) for name in ("cubeless", "centered", "mine", "theirs")}


@dataclass(frozen=True, slots=True)
class MatchAction:
    """A cube decision at a match score, in match winning chances, with normalised equities beside them.

    Attributes
    ----------
    score : Score
    cube_value : int
        Before the double.
    cube : str
        Where the cube is, seen by the player on roll: ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``.
    no_double, double_take, double_pass : float
        Chance of the player on roll to win the match if he rolls, if his double is taken, if it is passed.  The last
        two are None where he may not double or has no use for it.
    double, take : bool, or None
        Whether to double, and whether to take if doubled.
    verdict : str
        As in `bgrace.CubeAction`.
    reason : str, or None
        Why there is no cube to turn, with the verdict ``"no cube"``.
    no_double_equity, double_take_equity, double_pass_equity : float, or None
        The same in normalised equities, all at the cube before the double, so that a pass is +1.  None as above, and
        where the table does not tell winning from losing.
    """

    score: Score
    cube_value: int
    cube: Cube
    no_double: float
    double_take: float | None
    double_pass: float | None
    double: bool | None
    take: bool | None
    verdict: str
    reason: str | None
    no_double_equity: float | None
    double_take_equity: float | None
    double_pass_equity: float | None

    @property
    def mwc(self) -> float:
        """Chance to win the match by the better of rolling and doubling, the opponent answering well."""
        if self.double_take is None or self.double_pass is None:
            return self.no_double
        return max(self.no_double, min(self.double_take, self.double_pass))

    @property
    def double_margin(self) -> float | None:
        """By how much normalised equity doubling beats rolling; below 0 where it is worse; None without a cube."""
        values = (self.no_double_equity, self.double_take_equity, self.double_pass_equity)
        if values[0] is None or values[1] is None or values[2] is None:
            return None
        return min(values[1], values[2]) - values[0]

    @property
    def take_margin(self) -> float | None:
        """By how much normalised equity taking beats passing for the opponent; None without a cube."""
        if self.double_take_equity is None or self.double_pass_equity is None:
            return None
        return self.double_pass_equity - self.double_take_equity

    def to_dict(self) -> dict[str, Any]:
        """As JSON would have it: chances under the names of a money decision, equities under ``"normalised"``."""
        return {
            "cube": self.cube,
            "cube_value": self.cube_value,
            "no_double": self.no_double,
            "double_take": self.double_take,
            "double_pass": self.double_pass,
            "double": self.double,
            "take": self.take,
            "verdict": self.verdict,
            "reason": self.reason,
            "normalised": {
                "no_double": self.no_double_equity,
                "double_take": self.double_take_equity,
                "double_pass": self.double_pass_equity,
            },
        }

    def __str__(self) -> str:
        head = f"{self.verdict} ({self.score}, cube {self.cube_value} {self.cube})"
        if self.double_take is None or self.double_pass is None:
            return f"{head}: roll {100 * self.no_double:.2f} %"
        return (
            f"{head}: no double {100 * self.no_double:.2f} %, double/take {100 * self.double_take:.2f} %, "
            f"double/pass {100 * self.double_pass:.2f} %"
        )


@dataclass(frozen=True, slots=True)
class MatchPlay(Play):
    """One way to play a roll at a match score.

    Attributes
    ----------
    play, position, equity, loss
        As for `bgrace.Play`; equities are normalised ones, at the cube that is played with.
    mwc : float
        Chance to win the match after the play.
    """

    mwc: float

    def to_dict(self) -> dict[str, Any]:
        """Every attribute under its name, as JSON would have it."""
        return {
            "play": self.play,
            "position": list(self.position),
            "equity": self.equity,
            "loss": self.loss,
            "mwc": self.mwc,
        }
