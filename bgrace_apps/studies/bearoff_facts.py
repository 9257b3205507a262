"""The bearoff facts of Ross, Benjamin and Munson, computed anew.

Section 3 of "Estimating Winning Probabilities in Backgammon Races" states a handful of facts about all positions of at
most 15 checkers on the six home points.  `bearoff_report` works every one of them out from the one-sided table and puts
the printed figure beside it.

One printed figure is off by one: 1668 pairs of position and roll in which bearing off as many checkers as possible is
not best.  The report makes plausible why, by solving the table once more with the precision that gives exactly 1668.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON, Floats, ShortRepr, as_json, plain
from bgrace.board import Position
from bgrace.board.dice import MEAN_PIPS, ROLLS, WEIGHTS, roll_name
from bgrace.board.spaces import PositionSpace
from bgrace.tables import solve_one_sided

__all__ = ["AceRule", "BearoffReport", "GreedyLoss", "GreedyPlay", "LeastWastage", "bearoff_report"]

# ---- the facts, and how they are printed


@dataclass(frozen=True, slots=True)
class Printed:
    """The figures that section 3 of the paper prints."""

    positions: int = 54264
    greedy_not_best: int = 1668
    worst_loss_pips: float = 1.35
    worst_index: int = 41258
    worst_position: tuple[int, ...] = (5, 1, 8, 1, 0, 0)
    worst_roll: tuple[int, int] = (4, 2)
    worst_best_result: tuple[int, ...] = (5, 2, 7, 0, 0, 0)
    one_roll_positions: tuple[tuple[int, ...], ...] = ((1,), (0, 1), (0, 0, 1), (2,), (1, 1))


PRINTED: Final = Printed()


@dataclass(frozen=True, slots=True)
class GreedyLoss:
    """A position and roll where the greedy play is not best.

    Attributes
    ----------
    index : int
    position : Position
    roll : tuple of two int
        Larger die first.
    loss_pips : float
        EPC after the greedy play less EPC after the best one.
    greedy, best : Position
        What the two plays leave.
    """

    index: int
    position: Position
    roll: tuple[int, int]
    loss_pips: float
    greedy: Position
    best: Position


@dataclass(frozen=True, slots=True, repr=False)
class GreedyPlay(ShortRepr):
    """Bearing off with every die wherever it can be done (two checkers, four for a double), the best such way.

    Attributes
    ----------
    not_best : int
        Pairs of position and roll, out of the 21 rolls, in which some other play leaves a smaller EPC.
    not_best_positions : int
        Positions in which that happens with some roll.
    not_best_of_36 : int
        The pairs counted by the 36 throws.
    not_best_restricted : int
        Only rolls in which no die exceeds the highest occupied point; the others play like a smaller die.
    not_best_rounded : int
        The restricted count if EPCs are cut to `rounded_to` pips while they are computed: the figure in print.
    rounded_to : float
    smallest_restricted : GreedyLoss
        The smallest loss of the restricted count: what the cut turns into a tie.
    by_roll, by_roll_restricted : dict
        Pairs for each roll that has any, such as ``{"2-1": 72}``.
    by_checkers : dict
        Pairs for each number of checkers that has any.
    worst : tuple of GreedyLoss
        The greatest losses, greatest first.
    """

    not_best: int
    not_best_positions: int
    not_best_of_36: int
    not_best_restricted: int
    not_best_rounded: int
    rounded_to: float
    smallest_restricted: GreedyLoss
    by_roll: dict[str, int]
    by_roll_restricted: dict[str, int]
    by_checkers: dict[int, int]
    worst: tuple[GreedyLoss, ...]


@dataclass(frozen=True, slots=True)
class AceRule:
    """Bearing a checker off the ace point with each ace of the roll.

    Attributes
    ----------
    cases, exceptions : int
        Positions with a checker on the ace point, times the five other dice; in how many no best play does it.
    double_cases, double_exceptions : int
        The same with 1-1, bearing off as many as there are, at most four.
    brought_cases, brought_wrong : int
        Nobody on the ace point, but the other die brings a checker there: how often, and how often bearing it off is
        not best.
    brought_worst_pips : float
        What that costs at most.
    """

    cases: int
    exceptions: int
    double_cases: int
    double_exceptions: int
    brought_cases: int
    brought_wrong: int
    brought_worst_pips: float


@dataclass(frozen=True, slots=True)
class LeastWastage:
    """The position of `checkers` checkers that wastes least; the one with the smallest index if several.

    Attributes
    ----------
    checkers : int
    position : Position
    wastage_pips : float
        EPC less pips.
    """

    checkers: int
    position: Position
    wastage_pips: float


@dataclass(frozen=True, slots=True, repr=False)
class BearoffReport(ShortRepr):
    """Facts about all positions of at most 15 checkers on six points.

    Attributes
    ----------
    positions : int
    least_epc, mean_epc, greatest_epc : float
        Pips, over all positions but the empty board.
    greatest_epc_position : Position
    one_roll_positions : tuple of Position
        Those that any roll finishes.
    greedy : GreedyPlay
    ace : AceRule
    least_wastage : tuple of LeastWastage
        For 1 to 15 checkers.
    """

    positions: int
    least_epc: float
    mean_epc: float
    greatest_epc: float
    greatest_epc_position: Position
    one_roll_positions: tuple[Position, ...]
    greedy: GreedyPlay
    ace: AceRule
    least_wastage: tuple[LeastWastage, ...]

    def to_dict(self) -> dict[str, JSON]:
        """Every attribute under its name, and ``printed``, what the paper prints; as JSON would have it."""
        return {**as_json(self), "printed": plain(PRINTED)}

    def __str__(self) -> str:
        sections = ("\n".join([title.upper(), *lines]) for title, lines in self._sections())
        return "\n\n".join(["Bearoff facts", *sections])

    def _sections(self) -> list[tuple[str, list[str]]]:
        greedy, ace = self.greedy, self.ace
        worst = greedy.worst[0]
        facts = [
            f"{self.positions:,} positions (printed: {PRINTED.positions:,})",
            f"expected pip count: least {self.least_epc:.6f}, mean {self.mean_epc:.6f}, "
            f"greatest {self.greatest_epc:.6f} at {_counts(self.greatest_epc_position)}",
            f"off in one roll for certain: {', '.join(map(_counts, self.one_roll_positions))}, and no other "
            f"(printed: the same {len(PRINTED.one_roll_positions)})",
        ]
        claims = [
            f"not best in {greedy.not_best:,} pairs of position and roll, of all 21 rolls "
            f"({greedy.not_best_positions:,} positions; {greedy.not_best_of_36:,} if throws are counted, of 36)",
            f"in {greedy.not_best_restricted:,} where no die exceeds the highest occupied point "
            f"(printed: {PRINTED.greedy_not_best:,})",
            f"why the printed figure is one less: with EPCs cut to {greedy.rounded_to:g} pip while they are computed "
            f"it is {greedy.not_best_rounded:,}; the smallest loss, {greedy.smallest_restricted.loss_pips:.6f} pips at "
            f"{_place(greedy.smallest_restricted)}, is then a tie",
            f"worst: {worst.loss_pips:.6f} pips at {_place(worst)}, where {_counts(worst.best)} is best and greedy "
            f"leaves {_counts(worst.greedy)} (printed: {PRINTED.worst_loss_pips} at {PRINTED.worst_index} with "
            f"{roll_name(PRINTED.worst_roll)})",
            *(f"next: {loss.loss_pips:.6f} pips at {_place(loss)}" for loss in greedy.worst[1:]),
        ]
        aces = [
            f"with a checker on the ace point and one ace: best in all but {ace.exceptions} of {ace.cases:,} cases",
            f"with 1-1: best in all but {ace.double_exceptions} of {ace.double_cases:,} cases (printed: always best)",
            f"not for a checker that the other die brings to the ace point: wrong in {ace.brought_wrong:,} of "
            f"{ace.brought_cases:,} cases, by up to {ace.brought_worst_pips:.2f} pips",
        ]
        rolls = [[roll, n, greedy.by_roll_restricted.get(roll, 0)] for roll, n in greedy.by_roll.items()]
        wastage = [[w.checkers, _counts(w.position), f"{w.wastage_pips:.6f}"] for w in self.least_wastage]
        checkers = [[n, count] for n, count in greedy.by_checkers.items()]
        return [
            ("Positions", [f"  {line}" for line in facts]),
            ("Bearing off as many as possible", [f"  {line}" for line in claims]),
            ("Not best, by roll", _table(["roll", "all rolls", "no die too large"], rolls)),
            ("Not best, by checkers", _table(["checkers", "all rolls"], checkers)),
            ("Bearing off with an ace", [f"  {line}" for line in aces]),
            ("Least wastage", _table(["checkers", "position", "pips"], wastage)),
        ]


def _counts(position: Position) -> str:
    return "(" + ",".join(map(str, position)) + ")"


def _place(loss: GreedyLoss) -> str:
    return f"{loss.index} {_counts(loss.position)} with {roll_name(loss.roll)}"


def _table(head: list[str], rows: Sequence[Sequence[object]]) -> list[str]:
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[k]) for row in [head, *cells]) for k in range(len(head))]
    return [
        "  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in [head, *cells]
    ]


# ---- single checkers moved or borne off, for all positions at once

Indices = npt.NDArray[np.int64]


class Moves:
    """The results of single dice for every position of a space, as arrays of indices; -1 where a move can't be made."""

    def __init__(self, space: PositionSpace) -> None:
        n = len(space)
        self.space = space
        self.counts: Indices = space.position(np.arange(n)).astype(np.int64)
        self.checkers: Indices = self.counts.sum(axis=1)
        points = np.arange(1, space.points + 1)
        self.pips: Indices = self.counts @ points
        self.highest: Indices = (points * (self.counts > 0)).max(axis=1)
        # A checker is borne off from the point of the die, or from the highest if that is nearer.
        highest = np.maximum(self.highest, 1)
        self.off: dict[int, Indices] = {die: self._moved(np.minimum(die, highest), die) for die in range(1, 7)}
        # By die and source point: every result.  Bearing off is the last one.
        self.results: dict[int, list[Indices]] = {
            die: [self._moved(np.full(n, point), die) for point in range(die + 1, space.points + 1)] + [self.off[die]]
            for die in range(1, 7)
        }

    def _moved(self, source: Indices, die: int) -> Indices:
        rows = np.flatnonzero(self.counts[np.arange(len(source)), source - 1] > 0)
        after = self.counts[rows]
        after[np.arange(len(rows)), source[rows] - 1] -= 1
        target = source[rows] - die
        stays = np.flatnonzero(target > 0)
        after[stays, target[stays] - 1] += 1
        result = np.full(len(source), -1)
        result[rows] = self.space.index(after)
        return result


def follow(first: Indices, then: Indices) -> Indices:
    """Make one move after another; -1 where either can't be made."""
    return np.where(first >= 0, then[first], -1)


def value_of(values: Floats, index: Indices) -> Floats:
    """Look up values; infinite where a move can't be made."""
    return np.where(index >= 0, values[index], np.inf)


def orders(roll: tuple[int, int]) -> list[tuple[int, ...]]:
    """The orders of playing the dice."""
    a, b = roll
    return [(a,) * 4] if a == b else [(a, b), (b, a)]


def all_borne_off(moves: Moves, roll: tuple[int, int], values: Floats) -> Indices:
    """Best result of bearing off with every die, -1 where that can't be done."""
    results = [reduce(follow, [moves.off[die] for die in dice]) for dice in orders(roll)]
    return np.asarray(np.choose(np.argmin([value_of(values, result) for result in results], axis=0), results))


def best_value(moves: Moves, roll: tuple[int, int], values: Floats) -> Floats:
    """Least of `values` over all results of a roll; 0 rolls on the empty board."""
    return np.asarray(np.min([reduce(partial(best_of_die, moves), dice, values) for dice in orders(roll)], axis=0))


def best_of_die(moves: Moves, values: Floats, die: int) -> Floats:
    """Least of `values` over all results of a die."""
    least: Floats = np.min([value_of(values, result) for result in moves.results[die]], axis=0)
    least[0] = values[0]
    return least


# ---- the facts worked out

_MEAN_ERROR: Final = 1e-10
"""Rolls.  True ties differ by rounding only, the nearest miss is 3.77e-7."""

_PRINTED_STEP: Final = 0.001
"""Pips.  The precision of stored EPCs that leads to the printed count."""

_LOSSES_LISTED: Final = 5


def bearoff_report(threads: int | None = None) -> BearoffReport:
    """Work out the bearoff facts.

    Parameters
    ----------
    threads : int, optional
        As many as there are processors, unless given.  The result does not depend on it.

    Returns
    -------
    BearoffReport
        Prints well; `BearoffReport.to_dict` is for JSON.

    Raises
    ------
    MemoryLimitError
        If there is not enough memory, about 100 MB.

    Notes
    -----
    Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 3.

    Examples
    --------
    >>> report = bearoff_report()
    >>> report.greedy.not_best, report.greedy.not_best_restricted, report.ace.exceptions
    (1946, 1669, 0)
    >>> print(report.greedy.worst[0].index, round(report.greedy.worst[0].loss_pips, 2))
    41258 1.35
    """
    space = PositionSpace(points=6, checkers=15)
    table = solve_one_sided(space, threads)
    moves = Moves(space)
    epc = table.epc
    wastage = epc - moves.pips
    greatest = int(np.argmax(epc))
    return BearoffReport(
        positions=len(space),
        least_epc=float(epc[1:].min()),
        mean_epc=float(epc[1:].mean()),
        greatest_epc=float(epc[greatest]),
        greatest_epc_position=space.position(greatest),
        one_roll_positions=tuple(
            space.position(int(index)) for index in np.flatnonzero(np.abs(table.mean_rolls - 1) <= _MEAN_ERROR)
        ),
        greedy=_greedy(space, moves, table.mean_rolls, table.best.astype(np.int64)),
        ace=_ace_rule(moves, table.mean_rolls, table.best.astype(np.int64)),
        least_wastage=tuple(_least_wastage(space, moves.checkers, wastage, n) for n in range(1, space.checkers + 1)),
    )


def _greedy(space: PositionSpace, moves: Moves, mean_rolls: Floats, best: Indices) -> GreedyPlay:
    n = len(space)
    greedy = np.stack([all_borne_off(moves, roll, mean_rolls) for roll in ROLLS], axis=1)
    loss = np.where(greedy >= 0, mean_rolls[greedy] - mean_rolls[best], 0.0)
    wrong = loss > _MEAN_ERROR
    no_die_too_large = moves.highest[:, np.newaxis] >= np.array([larger for larger, _ in ROLLS])
    restricted = wrong & no_die_too_large

    rounded = _solve_rounded(moves)
    pairs = [(all_borne_off(moves, roll, rounded), best_value(moves, roll, rounded)) for roll in ROLLS]
    wrong_rounded = np.stack([value_of(rounded, play) - least > _PRINTED_STEP / 2 for play, least in pairs], axis=1)
    wrong_rounded &= (greedy >= 0) & no_die_too_large

    def describe(place: int) -> GreedyLoss:
        index, roll = divmod(place, len(ROLLS))
        results = (space.position(int(plays[index, roll])) for plays in (greedy, best))
        return GreedyLoss(index, space.position(index), ROLLS[roll], float(loss[index, roll]) * MEAN_PIPS, *results)

    # Dice larger than every point repeat a smaller one, so the list is of the restricted pairs; ties by index.
    flat = np.where(restricted, loss, 0.0).reshape(n * len(ROLLS))
    order = np.argsort(-np.round(flat, 9), kind="stable")
    return GreedyPlay(
        not_best=int(wrong.sum()),
        not_best_positions=int(wrong.any(axis=1).sum()),
        not_best_of_36=int(wrong.sum(axis=0) @ np.array(WEIGHTS)),
        not_best_restricted=int(restricted.sum()),
        not_best_rounded=int(wrong_rounded.sum()),
        rounded_to=_PRINTED_STEP,
        smallest_restricted=describe(int(order[int(restricted.sum()) - 1])),
        by_roll=_by_roll(wrong),
        by_roll_restricted=_by_roll(restricted),
        by_checkers={
            int(k): int(count) for k in np.unique(moves.checkers) if (count := wrong[moves.checkers == k].sum())
        },
        worst=tuple(describe(int(place)) for place in order[:_LOSSES_LISTED]),
    )


def _by_roll(flags: npt.NDArray[np.bool_]) -> dict[str, int]:
    return {roll_name(roll): int(n) for roll, n in zip(ROLLS, flags.sum(axis=0), strict=True) if n}


def _solve_rounded(moves: Moves) -> Floats:
    """EPCs in pips, each cut down to a multiple of `_PRINTED_STEP` before others are computed from it."""
    space = moves.space
    # Best values after one die (or two, three, four of a double) are kept for each position; the empty board has 0.
    epc = np.zeros(len(space))
    after = {(die, n): np.zeros(len(space)) for die in range(1, 7) for n in range(1, 5)}
    for pips in range(1, int(moves.pips.max()) + 1):
        rows = np.flatnonzero(moves.pips == pips)
        results = {die: [result[rows] for result in moves.results[die]] for die in range(1, 7)}
        total = np.zeros(len(rows))
        for (a, b), weight in zip(ROLLS, WEIGHTS, strict=True):
            if a == b:
                for n in range(1, 5):
                    source = epc if n == 1 else after[a, n - 1]
                    after[a, n][rows] = np.min([value_of(source, result) for result in results[a]], axis=0)
                total += weight * after[a, 4][rows]
            else:
                ends = [value_of(after[b, 1], result) for result in results[a]]
                ends += [value_of(after[a, 1], result) for result in results[b]]
                total += weight * np.min(ends, axis=0)
        # Exact values lie on a grid of 1/36 step, so this much keeps a multiple of the step from falling below it.
        epc[rows] = np.floor((total / 36 + MEAN_PIPS) / _PRINTED_STEP + 1e-6) * _PRINTED_STEP
    return epc


def _ace_rule(moves: Moves, mean_rolls: Floats, best: Indices) -> AceRule:
    least = {roll: mean_rolls[best[:, k]] for k, roll in enumerate(ROLLS)}
    after_one = {die: best_of_die(moves, mean_rolls, die) for die in range(1, 7)}
    aces = moves.counts[:, 0]
    cases = exceptions = brought_cases = brought_wrong = 0
    brought_worst = 0.0
    for die in range(2, 7):
        places = np.flatnonzero(aces)
        means = after_one[die][moves.off[1][places]]
        cases += len(places)
        exceptions += int((means > least[die, 1][places] + _MEAN_ERROR).sum())
        if die + 1 <= moves.space.points:
            brought = moves.results[die][0]  # from the point just beyond the die to the ace point
            rows = np.flatnonzero((aces == 0) & (brought >= 0))
            loss = mean_rolls[moves.off[1][brought[rows]]] - least[die, 1][rows]
            brought_cases += len(rows)
            brought_wrong += int((loss > _MEAN_ERROR).sum())
            brought_worst = max(brought_worst, float(loss.max()) * MEAN_PIPS)
    double_cases = double_exceptions = 0
    for n in range(1, 5):
        rows = np.flatnonzero(aces == n if n < 4 else aces >= 4)
        result = reduce(follow, [moves.off[1]] * n, rows)
        means = reduce(partial(best_of_die, moves), [1] * (4 - n), mean_rolls)
        double_cases += len(rows)
        double_exceptions += int((means[result] > least[1, 1][rows] + _MEAN_ERROR).sum())
    return AceRule(cases, exceptions, double_cases, double_exceptions, brought_cases, brought_wrong, brought_worst)


def _least_wastage(space: PositionSpace, checkers: Indices, wastage: Floats, n: int) -> LeastWastage:
    rows = np.flatnonzero(checkers == n)
    # Rounded, so that equal ones don't take turns with the last bit.
    index = int(rows[np.argmin(np.round(wastage[rows], 9))])
    return LeastWastage(n, space.position(index), float(wastage[index]))
