"""The measures that rules are judged by."""

from __future__ import annotations

from dataclasses import dataclass

from bgrace._base.arrays import Told
from bgrace.board import Position
from bgrace_apps.studies.race_windows import Decision
from bgrace_apps.studies.referee.rules import Kind, Unit


@dataclass(frozen=True, slots=True)
class Losses:
    """How a rule does at one decision.

    Attributes
    ----------
    wrong : float
        Share of the decisions, 0 to 1, that lose more than `MIN_LOSS`.
    cost : float
        Mean loss, in thousandths of the present cube; right decisions lose nothing.
    error : float
        Standard error of `cost`, by how games differ.
    worst : float
        Greatest loss, in thousandths.
    worst_pair : tuple of Position
        Where: the player on roll and the opponent.
    """

    wrong: float
    cost: float
    error: float
    worst: float
    worst_pair: tuple[Position, Position]


@dataclass(frozen=True, slots=True)
class ChanceError:
    """How far a chance of winning is off: the rule's less the true one, from -1 to 1.

    Attributes
    ----------
    mean, rms, bias : float
        Mean size, root of the mean square, and mean.
    worst : float
        The one of greatest size.
    worst_pair : tuple of Position
        Where: the player on roll and the opponent.
    rms_by_length, bias_by_length : dict
        The same in each class of `LENGTHS` with pairs in it, such as ``"21-30"``.
    """

    mean: float
    rms: float
    bias: float
    worst: float
    worst_pair: tuple[Position, Position]
    rms_by_length: dict[str, float]
    bias_by_length: dict[str, float]


@dataclass(frozen=True, slots=True)
class Judged:
    """A rule and its marks.

    Attributes
    ----------
    name : str
        In `bgrace_apps.studies.referee.RULES`.
    title : str
    kind : {"count", "formula", "yardstick"}
    cost : float
        What a pair of positions loses in play, in thousandths of the present cube: by the double of the rule, and where
        the rule doubles, by its take; the mean of a centered and an own cube.
    error : float
        Standard error of `cost`, by how games differ.
    behind, behind_error : float
        `cost` less that of the cheapest count or formula of the report, and the standard error of this difference, pair
        by pair the same races.
    centered_cost, own_cost : float
        The two that `cost` is the mean of.
    double, redouble, take : Losses
        Decision by decision, each in all pairs.
    take_if_double_right : float
        Cost of the take in the pairs where doubling a centered cube is right.
    cost_in_real_games : float
        `cost` over all pairs, automatic ones as well, each weighed so that chances of winning are as frequent as in
        280,721 races from real games.
    cost_by_length : dict
        `cost` in each class of `LENGTHS` with pairs in it, such as ``"21-30"``.
    cost_by_wastage : dict
        `cost` by the greater wastage of both sides, expected pips less pips, in each class of `WASTAGES`.
    best_cost : float
        `cost` of the same rule with the best limits: chosen in the games of odd number, judged in the others.
    best_shift : dict
        What the best limits are more than the rule's own, in `unit`.
    unit : {"pips", "chance", "points"}
        What the rule compares.
    chance : ChanceError, or None
        None for a rule without a chance of winning.
    """

    name: str
    title: str
    kind: Kind
    cost: float
    error: float
    behind: float
    behind_error: float
    centered_cost: float
    own_cost: float
    double: Losses
    redouble: Losses
    take: Losses
    take_if_double_right: float
    cost_in_real_games: float
    cost_by_length: dict[str, float]
    cost_by_wastage: dict[str, float]
    best_cost: float
    best_shift: dict[Decision, float]
    unit: Unit
    chance: ChanceError | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A rule that claims no more than a chance of winning of so much, such as 80 %.

    Attributes
    ----------
    title : str
    level : float
        The chance that is claimed.
    claimed : float
        Share of the pairs in which it is.
    too_much : float
        Share of these in which the chance is less.
    missed : float
        Share of the pairs with such a chance in which it is not claimed.
    least : float
        What the chance is at least in 95 % of the claimed pairs.
    """

    title: str
    level: float
    claimed: float
    too_much: float
    missed: float
    least: float


@dataclass(frozen=True, slots=True)
class EpcError:
    """How well a count knows how long a position takes.

    Attributes
    ----------
    title : str
    constant : float
        Expected pips less the count, on average.
    deviation : float
        Standard deviation of that, in pips.
    worst : float
        Greatest distance from the average, in pips, with its sign.
    worst_position : Position
    """

    title: str
    constant: float
    deviation: float
    worst: float
    worst_position: Position


@dataclass(frozen=True, slots=True)
class Report(Told):
    """Rules, best first, with the sample that judges them.

    Attributes
    ----------
    pairs, games : int
        Size of the sample.
    judged_pairs : int
        How many of them decisions are judged in.
    exact : float
        Share of these with the database's equities.
    solved : float
        Share of these with equities solved by turns from where the database ends.
    solved_error : float
        Root mean square of the errors stated with these, in points.
    lengths, wastages : dict
        Judged pairs in each class of `LENGTHS` and `WASTAGES` that has any.
    right : dict
        Share of these in which a double, a redouble and a take is right.
    rules : tuple of Judged
        In order of `Judged.cost`.
    reference : Judged or None
        What the equities that stand in for exact ones would do as a rule, in the pairs that have exact ones; None if
        there are none.
    claims : tuple of Claim
    epc : tuple of EpcError
    """

    pairs: int
    games: int
    judged_pairs: int
    exact: float
    solved: float
    solved_error: float
    lengths: dict[str, int]
    wastages: dict[str, int]
    right: dict[Decision, float]
    rules: tuple[Judged, ...]
    reference: Judged | None
    claims: tuple[Claim, ...]
    epc: tuple[EpcError, ...]

    def __getitem__(self, name: str) -> Judged:
        for rule in self.rules:
            if rule.name == name:
                return rule
        raise KeyError(name)
