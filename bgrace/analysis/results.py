"""What is known about one side of a race, about both, and about both at a match score."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

from bgrace.board import Position
from bgrace.board.plays import Play
from bgrace.cube.action import Cube, CubeAction, Equities
from bgrace.match.exact import MatchAction, MatchPlay, MatchSolution

__all__ = ["MatchAnalysis", "PairAnalysis", "PositionAnalysis"]


@dataclass(frozen=True, slots=True)
class PositionAnalysis:
    """What is known about one side of a race.

    Attributes
    ----------
    position : Position
        With as many points as the database.
    index : int
        Its number in the database's space.
    epc, mean_rolls, variance_rolls : float
        Expected pip count, and mean and variance of the number of rolls to bear off.
    roll_distribution : tuple of float
        Chance of being off in exactly 0, 1, ... rolls.
    first_checker_distribution : tuple of float, or None
        Chance that the first checker comes off on exactly roll 0, 1, ...; None unless there are 15 and the database
        knows it.
    roll : tuple of two int, or None
        The dice that `plays` are for.
    plays : tuple of Play, or None
        Every play of `roll`, best first, compared by the expected pip count left; None without a roll.
    """

    position: Position
    index: int
    epc: float
    mean_rolls: float
    variance_rolls: float
    roll_distribution: tuple[float, ...]
    first_checker_distribution: tuple[float, ...] | None = None
    roll: tuple[int, int] | None = None
    plays: tuple[Play, ...] | None = None

    @property
    def pips(self) -> int:
        """Pip count."""
        return self.position.pips

    @property
    def wastage(self) -> float:
        """Pips that will be wasted on average: expected pip count less pip count."""
        return self.epc - self.pips

    @property
    def sd_rolls(self) -> float:
        """Standard deviation of the number of rolls."""
        return sqrt(self.variance_rolls)

    def to_dict(self) -> dict[str, Any]:
        """As JSON would have it; with ``"plays"`` only if there was a roll."""
        answer: dict[str, Any] = {
            "position": list(self.position),
            "index": self.index,
            "pips": self.pips,
            "epc": self.epc,
            "mean_rolls": self.mean_rolls,
            "variance_rolls": self.variance_rolls,
            "roll_distribution": list(self.roll_distribution),
        }
        if self.plays is not None:
            answer["plays"] = [play.to_dict() for play in self.plays]
        return answer


@dataclass(frozen=True, slots=True)
class PairAnalysis:
    """What is known about both sides of a race.

    Attributes
    ----------
    on_roll, opponent : PositionAnalysis
    win_probability : float
        Of the player on roll, without a cube.
    method : str
        Where it comes from: ``"two-sided"`` or ``"solved"`` (exact), or ``"one-sided"`` (an estimate).
    cube : str
        Where the cube is, for `cube_action` and `plays`.
    equities : Equities, or None
        None where the two-sided table does not reach.
    cube_action : CubeAction, or None
        None where the two-sided table does not reach, or the game is over.
    roll : tuple of two int, or None
        The dice that `plays` are for.
    plays : tuple of Play, or None
        Every play of `roll`, best first; None without a roll.
    plays_method : str, or None
        Where the equities of `plays` come from: ``"two-sided"`` or ``"solved"``, or ``"one-sided"`` for estimates
        without a cube.
    missing : str, or None
        What is left out, and what would give it.
    """

    on_roll: PositionAnalysis
    opponent: PositionAnalysis
    win_probability: float
    method: str
    cube: Cube
    equities: Equities | None = None
    cube_action: CubeAction | None = None
    roll: tuple[int, int] | None = None
    plays: tuple[Play, ...] | None = None
    plays_method: str | None = None
    missing: str | None = None

    @property
    def is_over(self) -> bool:
        """Whether a side has borne off all of its checkers."""
        return not (self.on_roll.position.checkers and self.opponent.position.checkers)

    @property
    def _turnable(self) -> CubeAction | None:
        """The cube action where there is a cube to turn."""
        action = self.cube_action
        return None if action is None or action.double_take is None else action

    @property
    def double_margin(self) -> float | None:
        """By how much doubling is better than rolling, the opponent answering well; below 0 where it is worse.

        None where there is no cube to turn.
        """
        action = self._turnable
        return None if action is None else float(min(action.double_take, action.double_pass) - action.no_double)

    @property
    def take_margin(self) -> float | None:
        """By how much taking is better than passing for the opponent, if doubled; below 0 where it is worse.

        None where there is no cube to turn.
        """
        action = self._turnable
        return None if action is None else float(action.double_pass - action.double_take)

    def to_dict(self) -> dict[str, Any]:
        """As JSON would have it; what is not known is None."""
        return {
            "on_roll": self.on_roll.to_dict(),
            "opponent": self.opponent.to_dict(),
            "win_probability": self.win_probability,
            "method": self.method,
            "equities": self.equities.to_dict() if self.equities else None,
            "cube_action": self.cube_action.to_dict() if self.cube_action else None,
            "plays": None if self.plays is None else [play.to_dict() for play in self.plays],
        }


@dataclass(frozen=True, slots=True)
class MatchAnalysis:
    """What is known about both sides of a race at a match score.

    Attributes
    ----------
    pair : PairAnalysis
        Both sides, and the chance to win the game without a cube; no equities for money.
    solution : MatchSolution
    cube_action : MatchAction
    roll : tuple of two int, or None
        The dice that `plays` are for.
    plays : tuple of MatchPlay, or None
        Every play of `roll`, best first; None without a roll.
    """

    pair: PairAnalysis
    solution: MatchSolution
    cube_action: MatchAction
    roll: tuple[int, int] | None = None
    plays: tuple[MatchPlay, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON would have it: equities are normalised ones, the cube action is in match winning chances."""
        score = self.solution.score
        return {
            "on_roll": self.pair.on_roll.to_dict(),
            "opponent": self.pair.opponent.to_dict(),
            "win_probability": self.pair.win_probability,
            "method": self.pair.method,
            "match": {
                "on_roll_needs": score.on_roll_needs,
                "opponent_needs": score.opponent_needs,
                "crawford": score.kind == "Crawford",
                "cube_value": self.solution.cube_value,
                "table": self.solution.table.name,
            },
            "match_chances": self.solution.match_chances.to_dict(),
            "equities": self.solution.equities.to_dict(),
            "cube_action": self.cube_action.to_dict(),
            "plays": None if self.plays is None else [play.to_dict() for play in self.plays],
        }
