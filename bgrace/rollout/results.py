"""Results of rollouts."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, sqrt

from bgrace._base.arrays import JSON, Summarised, as_json
from bgrace.board import Position
from bgrace.rollout.sides import Policy

__all__ = ["OnePlayerRollout", "TwoPlayerRollout"]


@dataclass(frozen=True, slots=True, repr=False)
class OnePlayerRollout(Summarised):
    """How many rolls one player needed.

    Attributes
    ----------
    position : Position
    policy : str
        ``"hi"`` or ``"epc"``.
    points : int
        Points of the table of best results.
    seed : int
    games : int
    counts : tuple of int
        Games that took exactly 0, 1, ... rolls.
    adjusted_mean, adjusted_standard_error : float
        Mean number of rolls, less the luck of the dice, and its standard error: infinite for fewer than 64 games,
        which are too few to tell.
    """

    position: Position
    policy: Policy
    points: int
    seed: int
    games: int
    counts: tuple[int, ...]
    adjusted_mean: float
    adjusted_standard_error: float

    @property
    def distribution(self) -> tuple[float, ...]:
        """Share of the games that took exactly 0, 1, ... rolls."""
        return tuple(n / self.games for n in self.counts)

    @property
    def mean(self) -> float:
        """Mean number of rolls."""
        return sum(k * n for k, n in enumerate(self.counts)) / self.games

    @property
    def variance(self) -> float:
        """Variance of the number of rolls, the unbiased estimate."""
        return self._central(2) * self.games / (self.games - 1)

    @property
    def standard_error(self) -> float:
        """Standard error of `mean`."""
        return sqrt(self.variance / self.games)

    @property
    def variance_standard_error(self) -> float:
        """Standard error of `variance`."""
        return sqrt(max(0.0, self._central(4) - self._central(2) ** 2) / self.games)

    def _central(self, power: int) -> float:
        mean = self.mean
        return sum(n * (k - mean) ** power for k, n in enumerate(self.counts)) / self.games

    def to_dict(self) -> dict[str, JSON]:
        """The fields as a dict that JSON can hold; None for an infinite standard error."""
        return {
            "position": list(self.position),
            "pips": self.position.pips,
            **as_json(self, "policy", "points", "seed", "games"),
            "mean_rolls": self.mean,
            "standard_error": self.standard_error,
            "adjusted_mean_rolls": self.adjusted_mean,
            "adjusted_standard_error": _finite(self.adjusted_standard_error),
            "variance_rolls": self.variance,
            "variance_standard_error": self.variance_standard_error,
            "roll_distribution": list(self.distribution),
        }

    def __str__(self) -> str:
        return (
            f"{self.position}: {self.mean:.4f} +- {self.standard_error:.4f} rolls in {self.games:,} games, "
            f"adjusted {self.adjusted_mean:.4f} +- {self.adjusted_standard_error:.4f}"
        )


@dataclass(frozen=True, slots=True)
class TwoPlayerRollout:
    """How often the player on roll won.

    Attributes
    ----------
    on_roll, opponent : OnePlayerRollout
        How many rolls either side needed; both play on until off.
    wins : int
        Games in which the player on roll needed no more rolls than the opponent.
    adjusted_win_probability, adjusted_standard_error : float
        Chance that the player on roll wins, less the luck of the dice, and its standard error, infinite for fewer than
        64 games.  As an estimate the chance may lie a little outside 0 .. 1.
    blocking : bool
        Whether neither side landed where the other stood.
    """

    on_roll: OnePlayerRollout
    opponent: OnePlayerRollout
    wins: int
    adjusted_win_probability: float
    adjusted_standard_error: float
    blocking: bool

    @property
    def games(self) -> int:
        """Number of games."""
        return self.on_roll.games

    @property
    def seed(self) -> int:
        """Seed of the dice."""
        return self.on_roll.seed

    @property
    def win_probability(self) -> float:
        """Share of the games that the player on roll won."""
        return self.wins / self.games

    @property
    def mean(self) -> float:
        """Another name of `win_probability`."""
        return self.win_probability

    @property
    def variance(self) -> float:
        """Variance of winning one game, 1 or 0: w (1 - w)."""
        return self.win_probability * (1 - self.win_probability)

    @property
    def standard_error(self) -> float:
        """Standard error of `win_probability`: sqrt(w (1 - w) / games)."""
        return sqrt(self.variance / self.games)

    @property
    def distribution(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Share of the games in which the player on roll, and the opponent, needed exactly 0, 1, ... rolls."""
        return self.on_roll.distribution, self.opponent.distribution

    def to_dict(self) -> dict[str, JSON]:
        """The fields as a dict that JSON can hold; None for an infinite standard error."""
        return {
            **as_json(self, "on_roll", "opponent"),
            "method": "rollout",
            **as_json(self, "seed", "games", "win_probability", "standard_error", "adjusted_win_probability"),
            "adjusted_standard_error": _finite(self.adjusted_standard_error),
            "blocking": self.blocking,
        }

    def __str__(self) -> str:
        return (
            f"{self.on_roll.position} on roll against {self.opponent.position}: "
            f"{100 * self.win_probability:.3f} % +- {100 * self.standard_error:.3f} % in {self.games:,} games, "
            f"adjusted {100 * self.adjusted_win_probability:.3f} % +- {100 * self.adjusted_standard_error:.3f} %"
        )


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
