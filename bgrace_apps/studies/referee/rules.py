"""The rules, for many races at once, in one form.

*Counts* (`bgrace.counts`) decide for themselves.  *Formulas* (`bgrace.scm`) give a chance of winning, and decide
by the limits in `LIMITS`, all by the same, so that only their chances differ.  *Yardsticks* know more than a player at
the board, or less: they show what there is to be gained.

No rule may keep silent, or it would be judged by easier races.  Where a formula does not reach, Kleinman's D^2/S stands
in: for the adjusted ones up to 25 pips of both sides together, and for Lamford's where the player on roll trails.
Kleinman's K has no value up to 4 pips together; its limit there is a sure win.  Nack 57 takes from 55 pips on, and says
nothing else: rule 62 does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from statistics import NormalDist
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace import counts, scm
from bgrace._base.arrays import Booleans, Floats, Integers
from bgrace.cube import janowski, jump, race
from bgrace.cube.action import EXACT_TIE
from bgrace.cube.model import CubeModel
from bgrace_apps.studies.race_windows import DECISIONS, Decision, equivalent_pips, gains_of, interpolated
from bgrace_apps.studies.referee.sample import Races, matched_equities

Positions: TypeAlias = npt.NDArray[np.int8]
Count: TypeAlias = Callable[[Positions, Positions], counts.CountOfPairs]
Formula: TypeAlias = Callable[[Integers, Integers], npt.ArrayLike]
"""Chance of the player on roll from the pips of both sides."""

Kind = Literal["count", "formula", "yardstick"]
Unit = Literal["pips", "chance", "points"]

LIMITS: Final[dict[Decision, float]] = {
    decision: NormalDist().cdf((k / 2) ** 0.5) for decision, k in zip(DECISIONS, (0.5, 0.7, 1.2), strict=True)
}
"""Double from a chance of 69.1 % on, redouble from 72.3 %, take up to 78.1 %: Johansen's limits of Kleinman's K."""

_ADJUSTED_FROM: Final = 26
"""Pips of both sides together from which the adjusted formulas have a value."""

_AT_A_TIME: Final = 1 << 16
"""Pairs that are counted at once: counts widen each position to 24 points."""

_NO: Final = 1e-5
"""Least margin of a no, where a count says no at its very limit."""


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """The advice of a rule about every pair of a sample.

    Attributes
    ----------
    margins : dict of float64 ndarray, shape (n_pairs,)
        How far it is for a double, a redouble and a take, in what the rule compares: 0 and more is a yes.
    win : float64 ndarray, shape (n_pairs,), or None
        Chance that the player on roll wins, where the rule gives one.
    unit : {"pips", "chance", "points"}
        What the rule compares.
    """

    margins: dict[Decision, Floats]
    win: Floats | None
    unit: Unit


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that is judged.

    Attributes
    ----------
    title : str
        In words.
    kind : {"count", "formula", "yardstick"}
    say : callable
        From a `View` to what the rule says.
    """

    title: str
    kind: Kind
    say: Callable[[View], Said]


class View:
    """A sample as rules look at it, everything worked out once.

    Parameters
    ----------
    races : Races
    """

    def __init__(self, races: Races) -> None:
        self.races = races

    @cached_property
    def x(self) -> Integers:
        """Pips of the player on roll."""
        return self.races.pips("on_roll")

    @cached_property
    def y(self) -> Integers:
        """Pips of the opponent."""
        return self.races.pips("opponent")

    @cached_property
    def epc(self) -> tuple[Floats, Floats]:
        """Expected pips of both."""
        return self.races.epc("on_roll"), self.races.epc("opponent")

    @cached_property
    def epc_by_hand(self) -> tuple[Floats, Floats]:
        """Expected pips of both by the rules for shapes."""
        parts = self.counted(counts.effective_by_hand)
        own, other = (np.concatenate([getattr(part, side) for part in parts]) for side in ("on_roll", "opponent"))
        return own, other

    @cached_property
    def windows(self) -> race.RaceTable:
        """Single-checker races of all pip counts, and expected pip counts, of the sample."""
        return race.solve(int(max(part.max() for part in (self.x, self.y, *self.epc))) + 2)

    def pieces(self, chosen: Booleans | None = None) -> list[Integers]:
        """Numbers of the chosen pairs, of all unless given, in parts that are small enough for the counts."""
        rows = np.arange(len(self.races)) if chosen is None else np.flatnonzero(chosen)
        return np.array_split(rows, max(1, -(-len(rows) // _AT_A_TIME)))

    def pair(self, rows: Integers) -> tuple[Positions, Positions]:
        """Positions of some pairs: on roll, opponent."""
        races = self.races
        return races.space.position(races.on_roll[rows]), races.space.position(races.opponent[rows])

    def counted(self, count: Count, chosen: Booleans | None = None) -> list[counts.CountOfPairs]:
        """What a count says of the chosen pairs, of all unless given, in parts."""
        return [count(*self.pair(part)) for part in self.pieces(chosen)]


# ---- from what a rule gives to what it says


def _from_counts(parts: list[counts.CountOfPairs]) -> Said:
    margins: dict[Decision, Floats] = {}
    for decision, bound, sign in zip(DECISIONS, ("double_from", "redouble_from", "take_to"), (1, 1, -1), strict=True):
        pieces = []
        for count in parts:
            beyond = sign * (np.asarray(count.lead, dtype=np.float64) - getattr(count, bound))
            # The count's own word, which is exact at the limit.
            pieces.append(np.where(getattr(count, decision), np.maximum(beyond, 0), np.minimum(beyond, -_NO)))
        margins[decision] = np.concatenate(pieces)
    if parts[0].win_probability is None:
        return Said(margins, None, "pips")
    return Said(margins, np.concatenate([np.asarray(count.win_probability) for count in parts]), "pips")


def rule_of_count(title: str, count: Count) -> Rule:
    """A count as a rule that can be judged.

    Parameters
    ----------
    title : str
        What reports and pictures call it.
    count : callable
        From arrays of positions, on roll and opponent, of shape (n_pairs, points), to a `bgrace.counts.Count` that
        decides about all three: double, redouble and take.

    Returns
    -------
    Rule

    Examples
    --------
    >>> import bgrace
    >>> from bgrace_apps.studies.referee import judge, played_races
    >>> with bgrace.open(bgrace.example_file()) as db:
    ...     report = judge(played_races(db, games=200), ["keith", rule_of_count("my own", bgrace.counts.isight)])
    >>> [rule.title for rule in report.rules]
    ['my own', 'Keith']
    """
    return Rule(title, "count", lambda view: _from_counts(view.counted(count)))


def _from_chance(win: Floats) -> Said:
    double, redouble, take = (LIMITS[decision] for decision in DECISIONS)
    return Said({"double": win - double, "redouble": win - redouble, "take": take - win}, win, "chance")


def _formula(formula: Formula) -> Callable[[View], Said]:
    return lambda view: _from_chance(np.asarray(formula(view.x, view.y)))


def _where(reaches: Callable[[View], Booleans], formula: Formula, title: str) -> Rule:
    """A formula that D^2/S stands in for where it does not reach."""

    def say(view: View) -> Said:
        win, there = np.array(scm.kleinman(view.x, view.y)), reaches(view)
        win[there] = formula(view.x[there], view.y[there])
        return _from_chance(win)

    return Rule(title, "formula", say)


def _is_long(view: View) -> Booleans:
    """Where the adjusted formulas have a value."""
    return view.x + view.y >= _ADJUSTED_FROM


def _from_equities(no_double: Floats, no_redouble: Floats, double_take: Floats, win: Floats | None = None) -> Said:
    # Tables of whole pips have exact ties: a rounding below zero is a yes.
    gains = gains_of(no_double, no_redouble, double_take)
    return Said({name: gain + EXACT_TIE for name, gain in gains.items()}, win, "points")


# ---- rules that need a little more


def _kleinman(view: View) -> Said:
    reaches = view.x + view.y > 4
    found = _from_counts(view.counted(counts.kleinman, reaches))
    spread = {}
    for decision, margin in found.margins.items():
        spread[decision] = np.full(len(view.races), -np.inf if decision == "take" else np.inf)
        spread[decision][reaches] = margin
    win = np.ones(len(view.races))
    win[reaches] = found.win
    return Said(spread, win, "pips")


def _kleinman_by_heart(view: View) -> Said:
    win, reaches = np.ones(len(view.races)), view.x + view.y > 4
    win[reaches] = scm.kleinman_fit(scm.gnubg_kleinman_ratio(view.x[reaches], view.y[reaches]))
    return _from_chance(win)


def _nack57(view: View) -> Said:
    said = _from_counts(view.counted(counts.trice62))
    take = said.margins["take"].copy()
    for rows in view.pieces(view.x >= 55):
        if rows.size:
            count = counts.nack57(*view.pair(rows))
            assert count.take_to is not None, "Nack 57 says how far to take"
            take[rows] = count.take_to - count.lead
    return Said({**said.margins, "take": take}, None, "pips")


def _exact_epc(view: View) -> Said:
    own, other = view.epc
    return _from_counts(
        [counts.effective_pips(*view.pair(part), epc=(own[part], other[part])) for part in view.pieces()]
    )


def _windows_by_pips(view: View) -> Said:
    table, x, y = view.windows, view.x, view.y
    values = (table.no_double_centered[x, y], table.no_double_mine[x, y], table.double_take[x, y])
    return _from_equities(*values, np.asarray(scm.win_probability(x, y)))


def _windows_by_epc(view: View) -> Said:
    table = view.windows
    k, s = (equivalent_pips(side) for side in view.epc)
    chances = scm.table(table.limit)
    values = (table.no_double_centered, table.no_double_mine, table.double_take, chances)
    return _from_equities(*(interpolated(value, k, s) for value in values))


def matched(view: View) -> Said:
    """The verdict of the equities that stand in for exact ones: see `bgrace_apps.studies.referee.sample`."""
    win = view.races.win
    return _from_equities(*matched_equities(equivalent_pips(view.epc[0]), win), win)


def _normal_by_rolls(view: View) -> Said:
    races = view.races
    (mean_x, mean_y), (variance_x, variance_y) = (
        (values[races.on_roll], values[races.opponent]) for values in (races.mean_rolls, races.variance_rolls)
    )
    # Positions of one roll have no variance: theirs is decided by the half roll alone.
    return _from_chance(_phi((mean_y - mean_x + 0.5) / np.sqrt(np.maximum(variance_x + variance_y, 1e-12))))


def _phi(z: Floats) -> Floats:
    """Evaluate the normal distribution function, by a table: a hundred-thousandth is fine enough for a judge."""
    grid = np.linspace(-8, 8, 16001)
    cdf = NormalDist().cdf
    return np.interp(z, grid, [cdf(float(value)) for value in grid])


def _model(make: Callable[[View], CubeModel[float] | CubeModel[Floats]]) -> Callable[[View], Said]:
    def say(view: View) -> Said:
        win = view.races.win
        held = make(view).equities(win)
        return _from_equities(held.centered, held.mine, 2 * np.asarray(held.theirs), win)

    return say


def _never(view: View) -> Said:
    n = len(view.races)
    return Said({"double": np.full(n, -1.0), "redouble": np.full(n, -1.0), "take": np.full(n, 1.0)}, None, "pips")


RULES: Final[dict[str, Rule]] = {
    "eight_nine_twelve": rule_of_count("8-9-12", counts.eight_nine_twelve),
    "ten_percent": rule_of_count("10 %", counts.ten_percent),
    "kleinman_count": Rule("Kleinman's count", "count", _kleinman),
    "thorp": rule_of_count("Thorp", counts.thorp),
    "ward": rule_of_count("Ward", counts.ward),
    "keith": rule_of_count("Keith", counts.keith),
    "isight": rule_of_count("Isight", counts.isight),
    "grace": rule_of_count("Grace", counts.grace),
    "trice62": rule_of_count("Trice's rule 62", counts.trice62),
    "nack57": Rule("Nack 57", "count", _nack57),
    "epc_by_hand": rule_of_count("EPC by hand, Trice", counts.effective_by_hand),
    "kleinman": Rule("D^2/S (7)", "formula", _formula(scm.kleinman)),
    "kleinman_4": Rule("D^2/S, sigma 4", "formula", _formula(lambda x, y: scm.kleinman(x, y, sigma=4))),
    "kleinman_by_heart": Rule("Kleinman by heart", "formula", _kleinman_by_heart),
    "improved": Rule("improved (13)", "formula", _formula(scm.improved)),
    "adjusted": _where(_is_long, partial(scm.adjusted, short=True), "adjusted (26)"),
    "adjusted_unrounded": _where(_is_long, partial(scm.adjusted_unrounded, short=True), "adjusted, unrounded (20)"),
    "least_squares": _where(lambda view: view.y >= view.x, scm.least_squares, "least squares"),
    "single_checker": Rule("single checker, exact", "formula", _formula(scm.win_probability)),
    "windows": Rule("doubling windows by pips", "formula", _windows_by_pips),
    "windows_by_epc": Rule("doubling windows by EPC", "yardstick", _windows_by_epc),
    "epc": Rule("exact EPC, Trice", "yardstick", _exact_epc),
    "normal_by_rolls": Rule("normal, exact moments", "yardstick", _normal_by_rolls),
    "win": Rule("exact chance", "yardstick", lambda view: _from_chance(view.races.win)),
    "janowski_06": Rule("exact chance, Janowski 0.6", "yardstick", _model(lambda view: janowski.model(1, 1, 0.6))),
    "janowski_by_pips": Rule(
        "exact chance, Janowski by pips",
        "yardstick",
        _model(lambda view: janowski.model(1, 1, janowski.race_life_index(view.x))),
    ),
    "jump": Rule("exact chance, jump model 9.1 %", "yardstick", _model(lambda _view: jump.exact(1, 1, 0.091))),
    "never": Rule("never double, always take", "yardstick", _never),
}
"""Every rule by name."""
