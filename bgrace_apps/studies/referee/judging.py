"""Rules held against exact equities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from bgrace import counts
from bgrace._base.arrays import Booleans, Floats, ToDict, as_choice
from bgrace.board import Position
from bgrace.errors import ArgumentError
from bgrace.scm import above_80, above_90
from bgrace_apps.studies.race_windows import DECISIONS, Decision, best_bound
from bgrace_apps.studies.referee.rules import RULES, Formula, Kind, Rule, Said, Unit, View, matched
from bgrace_apps.studies.referee.sample import Races


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
    cost_in_real_games : float
        `cost` over all pairs, automatic ones as well, each weighed so that chances of winning are as frequent as in
        280,721 races from real games.
    cost_by_length : dict
        `cost` in each class of `LENGTHS` with pairs in it, such as ``"21-30"``.
    best_cost : float
        `cost` of the same rule with the best limits: chosen in the games of odd number, judged in the others.  Of
        few games it may be more than `cost`.
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
    cost_in_real_games: float
    cost_by_length: dict[str, float]
    best_cost: float
    best_shift: dict[Decision, float]
    unit: Unit
    chance: ChanceError | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A rule that says only whether the chance of winning is at least a given one, such as 80 %.

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
    """How closely a count follows the expected pips of positions.

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
class Report(ToDict):
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
    lengths : dict
        Judged pairs in each class of `LENGTHS` that has any.
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
    right: dict[Decision, float]
    rules: tuple[Judged, ...]
    reference: Judged | None
    claims: tuple[Claim, ...]
    epc: tuple[EpcError, ...]

    def __getitem__(self, name: str) -> Judged:
        return {rule.name: rule for rule in self.rules}[name]


MIN_LOSS: Final = 2e-4
"""Points that a decision has to lose to be called wrong: twice what a database's 16 bits can be off."""

LENGTHS: Final = ((1, 10), (11, 20), (21, 30), (31, 45), (46, 60), (61, 80), (81, 100), (101, 150))
"""Classes of pips of the player on roll."""

_REAL_GAMES: Final = (
    86807, 9053, 6983, 6063, 5681, 5650, 5557, 5088, 5032, 4676,
    4894, 4904, 5226, 5244, 5477, 5907, 6231, 7341, 9228, 85679,
)  # fmt: skip
"""T. Keith's 280,721 races from real games by the chance of the player on roll: 0 to 5 %, 5 to 10 %, ..."""

MAX_PIPS: Final = LENGTHS[-1][-1]
"""More pips than a player has in any race of a sample."""

_FAR: Final = 1e3
"""Margin beyond all others, for decisions without one."""


def judge(
    races: Races,
    rules: Iterable[str | Rule] | None = None,
    *,
    pips: tuple[int, int] = (1, MAX_PIPS),
    everywhere: bool = False,
) -> Report:
    """Judge rules by a sample of races.

    Parameters
    ----------
    races : Races
        At least two games, with pairs that are judged in a game of even and in one of odd number.
    rules : iterable of str or Rule, optional
        Names in `RULES`, and rules of your own, which go by their titles, such as `rule_of_count` makes; all of
        `RULES` unless given.
    pips : tuple of int
        Least and greatest pip count of the players on roll who are judged by.
    everywhere : bool
        Whether to judge automatic decisions as well, those of players who win less than 50 or more than 95 %.

    Returns
    -------
    Report

    Raises
    ------
    ArgumentError
        If a rule is unknown, or the sample too small.

    Notes
    -----
    The player on roll loses what a right doubling decision would have gained, the other one what a right answer would
    have gained, at the exact equities of both; games go on perfectly.

    Examples
    --------
    >>> import bgrace
    >>> from bgrace_apps.studies.referee import judge, played_races
    >>> with bgrace.open(bgrace.example_file()) as db:
    ...     report = judge(played_races(db, games=200), ["keith", "isight", "never"])
    >>> [rule.name for rule in report.rules]
    ['isight', 'keith', 'never']
    """
    asked = _named(RULES if rules is None else rules)
    view = View(races)
    chosen = (view.x >= pips[0]) & (view.x <= pips[1])
    bench = _Bench(view, chosen if everywhere else chosen & races.in_question)
    judged = bench.compared(asked, {name: rule.say(view) for name, rule in asked.items()})
    return Report(
        pairs=len(races),
        games=len(np.unique(races.game)),
        judged_pairs=int(bench.chosen.sum()),
        exact=float(races.exact[bench.chosen].mean()),
        solved=float(races.solved[bench.chosen].mean()),
        solved_error=_rms(races.error[bench.chosen & races.solved]),
        lengths={label: int(inside.sum()) for label, inside in bench.lengths.items()},
        right={name: float((bench.gains[name][bench.chosen] >= 0).mean()) for name in DECISIONS},
        rules=judged,
        reference=_reference(view, bench.chosen),
        claims=tuple(_claims(view)),
        epc=tuple(_epc_errors(view)),
    )


def _named(rules: Iterable[str | Rule]) -> dict[str, Rule]:
    """Rules by name, those that are given as they are by their title."""
    named: dict[str, Rule] = {}
    if isinstance(rules, (str, Rule)):
        raise ArgumentError(f"rules={rules!r:.80} is a single one: give a list of rules")
    for rule in rules:
        name = as_choice("rule", rule, RULES) if isinstance(rule, str) else rule.title
        if name in named or (not isinstance(rule, str) and name in RULES):
            raise ArgumentError(f"two rules are called {name!r}: give each a title of its own")
        named[name] = RULES[rule] if isinstance(rule, str) else rule
    return named


class _Bench:
    """Where rules are judged, all by the same pairs."""

    def __init__(self, view: View, chosen: Booleans) -> None:
        races, x = view.races, view.x
        odd = races.game % 2 == 1
        if not ((odd & chosen).any() and (~odd & chosen).any()):
            raise ArgumentError(f"{chosen.sum()} pairs to judge by, of {len(races)}: draw more games, or other pips")
        self.races, self.chosen = races, chosen
        self.gains = races.gains
        self.learn, self.test = odd & chosen, ~odd & chosen
        self.lengths = {
            f"{low}-{high}": inside for low, high in LENGTHS if (inside := chosen & (x >= low) & (x <= high)).any()
        }
        bins = np.minimum((races.win * len(_REAL_GAMES)).astype(np.int64), len(_REAL_GAMES) - 1)
        found = np.bincount(bins, minlength=len(_REAL_GAMES))
        self.weights = (np.array(_REAL_GAMES) / np.maximum(found, 1))[bins]

    def losses(self, decision: Decision, says: Booleans) -> Floats:
        """Points lost in every pair."""
        gain = self.gains[decision]
        lost = np.where(says, -gain, gain)
        return np.where(lost > MIN_LOSS, lost, 0.0)

    def in_play(self, says: dict[Decision, Booleans]) -> tuple[Floats, Floats]:
        """Points lost with a centered and with an own cube: by the double, and by the take where it comes to that."""
        take = self.losses("take", says["take"])
        double, redouble = (self.losses(name, says[name]) + says[name] * take for name in ("double", "redouble"))
        return double, redouble

    def mean(self, values: Floats, chosen: Booleans | None = None) -> float:
        """In thousandths."""
        return float(1000 * values[self.chosen if chosen is None else chosen].mean())

    def error(self, values: Floats) -> float:
        """Standard error of the mean of the judged pairs, in thousandths, games taken as drawn independently."""
        games, n = np.unique(self.races.game[self.chosen], return_inverse=True)[1], int(self.chosen.sum())
        rest = np.bincount(games, weights=values[self.chosen] - values[self.chosen].mean())
        return float(1000 * np.sqrt((rest**2).sum()) / n)

    def pair(self, row: int) -> tuple[Position, Position]:
        """Positions of a pair."""
        races = self.races
        return races.space.position(int(races.on_roll[row])), races.space.position(int(races.opponent[row]))

    def worst(self, values: Floats) -> int:
        """The judged pair with the greatest value; the first if several."""
        return int(np.argmax(np.where(self.chosen, values, -np.inf)))

    def compared(self, rules: dict[str, Rule], answers: dict[str, Said]) -> tuple[Judged, ...]:
        """Judge what rules say, best first, and how far each is behind the best one for the board."""
        judged = [self.judge(name, rules[name].title, rules[name].kind, each) for name, each in answers.items()]
        judged.sort(key=lambda rule: rule.cost)
        best = next((rule.name for rule in judged if rule.kind != "yardstick"), judged[0].name if judged else "")
        lost = {name: np.mean(self.in_play(_says(each)), axis=0) for name, each in answers.items()}
        return tuple(
            replace(rule, behind=self.mean(difference), behind_error=self.error(difference))
            for rule in judged
            for difference in [lost[rule.name] - lost[best]]
        )

    def judge(self, name: str, title: str, kind: Kind, answer: Said) -> Judged:
        """Judge what a rule says, without comparing it."""
        says = _says(answer)
        centered, own = self.in_play(says)
        both = (centered + own) / 2
        decisions = {}
        for decision in DECISIONS:
            lost = self.losses(decision, says[decision])
            row = self.worst(lost)
            wrong, worst = float((lost[self.chosen] > 0).mean()), float(1000 * lost[row])
            decisions[decision] = Losses(wrong, self.mean(lost), self.error(lost), worst, self.pair(row))
        best, shift = self.best(answer)
        return Judged(
            name=name,
            title=title,
            kind=kind,
            cost=self.mean(both),
            error=self.error(both),
            behind=0.0,
            behind_error=0.0,
            centered_cost=self.mean(centered),
            own_cost=self.mean(own),
            **decisions,
            cost_in_real_games=float(1000 * np.average(both, weights=self.weights)),
            cost_by_length={label: self.mean(both, inside) for label, inside in self.lengths.items()},
            best_cost=best,
            best_shift=shift,
            unit=answer.unit,
            chance=None if answer.win is None else self.chance(answer.win),
        )

    def best(self, answer: Said) -> tuple[float, dict[Decision, float]]:
        """Choose limits in odd games, and judge them in even ones."""
        says: dict[Decision, Booleans] = {}
        shift: dict[Decision, float] = {}
        for decision, margin in answer.margins.items():
            # Equal margins must be equal numbers, however they were worked out.
            near = np.round(np.clip(margin, -_FAR, _FAR), 6)
            bound = best_bound(near[self.learn], self.gains[decision][self.learn])
            # The limit is the least margin that is still a yes.  None helps a rule that tells nothing apart.
            yes = near[self.learn & (near >= bound)] if np.isfinite(bound) else np.zeros(1)
            limit = float(yes.min())
            says[decision] = near >= limit
            # With a lower limit of the margin, a greater lead is still a take.
            shift[decision] = 0.0 - limit if decision == "take" else limit
        centered, own = self.in_play(says)
        return self.mean((centered + own) / 2, self.test), shift

    def chance(self, win: Floats) -> ChanceError:
        """Judge chances of winning."""
        off = win - self.races.win
        here, row = off[self.chosen], self.worst(np.abs(off))
        rms = {label: _rms(off[inside]) for label, inside in self.lengths.items()}
        bias = {label: float(off[inside].mean()) for label, inside in self.lengths.items()}
        mean, worst = float(np.abs(here).mean()), float(off[row])
        return ChanceError(mean, _rms(here), float(here.mean()), worst, self.pair(row), rms, bias)


def _says(answer: Said) -> dict[Decision, Booleans]:
    return {decision: margin >= 0 for decision, margin in answer.margins.items()}


def _rms(values: Floats) -> float:
    return float(np.sqrt(np.mean(values**2))) if values.size else 0.0


def _reference(view: View, chosen: Booleans) -> Judged | None:
    there = chosen & view.races.exact
    odd = view.races.game % 2 == 1
    if not ((there & odd).any() and (there & ~odd).any()):
        return None
    return _Bench(view, there).judge("matched", "matched single-checker race", "yardstick", matched(view))


def _claims(view: View) -> Iterator[Claim]:
    """The simple rules for 80 and 90 %, over all pairs."""
    win = view.races.win
    rules: tuple[tuple[str, float, Formula], ...] = (
        ("Y >= 1.1 X + 4: 80 %", 0.8, above_80),
        ("Y >= 1.1 X + 12: 90 %", 0.9, above_90),
    )
    for title, level, rule in rules:
        says, true = np.asarray(rule(view.x, view.y)), win >= level
        if says.any() and true.any():
            too_much, missed = float((~true[says]).mean()), float((~says[true]).mean())
            yield Claim(title, level, float(says.mean()), too_much, missed, float(np.quantile(win[says], 0.05)))


def _epc_errors(view: View) -> Iterator[EpcError]:
    """Counts of one side, over all players on roll."""
    races = view.races
    thorp, keith = (
        np.concatenate([np.asarray(part.counted, dtype=np.float64) for part in view.counted(count)])
        for count in (counts.thorp, counts.keith)
    )
    for title, count in (("pips", view.x), ("Thorp", thorp), ("Keith", keith), ("EPC by hand", view.epc_by_hand[0])):
        off = view.epc[0] - count
        around = off - off.mean()
        row = int(np.argmax(np.abs(around)))
        worst_position = races.space.position(int(races.on_roll[row]))
        yield EpcError(title, float(off.mean()), float(around.std()), float(around[row]), worst_position)
