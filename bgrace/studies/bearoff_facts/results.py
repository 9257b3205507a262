"""The facts, and how they are printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final, TypedDict

from bgrace._base.arrays import JSON, Summarised, plain
from bgrace.board import Position

__all__ = ["PRINTED", "AceRule", "BearoffReport", "GreedyLoss", "GreedyPlay", "LeastWastage", "roll_name"]


class Printed(TypedDict):
    """What a paper prints, by name."""

    positions: int
    greedy_not_best: int
    worst_loss_pips: float
    worst_index: int
    worst_position: tuple[int, ...]
    worst_roll: tuple[int, int]
    worst_best_result: tuple[int, ...]
    one_roll_positions: tuple[tuple[int, ...], ...]


PRINTED: Final[Printed] = {
    "positions": 54264,
    "greedy_not_best": 1668,
    "worst_loss_pips": 1.35,
    "worst_index": 41258,
    "worst_position": (5, 1, 8, 1, 0, 0),
    "worst_roll": (4, 2),
    "worst_best_result": (5, 2, 7, 0, 0, 0),
    "one_roll_positions": ((1,), (0, 1), (0, 0, 1), (2,), (1, 1)),
}
"""What section 3 of the paper prints."""


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
class GreedyPlay(Summarised):
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
    """The position of so many checkers whose EPC exceeds its pips least; the one with the smallest index if several.

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
class BearoffReport(Summarised):
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
        own = {field.name: plain(getattr(self, field.name)) for field in fields(self)}
        return {**own, "printed": plain(PRINTED)}

    def to_markdown(self) -> str:
        """Return the report as a Markdown page."""
        return "\n\n".join(
            "\n".join([f"## {title}", "", *lines]) if title else "\n".join(lines)
            for title, lines in self._sections(True)
        )

    def __str__(self) -> str:
        parts = []
        for title, lines in self._sections(False):
            parts.append("\n".join([title.upper(), *lines] if title else lines))
        return "\n\n".join(parts)

    def _sections(self, markdown: bool) -> list[tuple[str, list[str]]]:
        greedy, ace = self.greedy, self.ace
        worst = greedy.worst[0]
        bullet = "- " if markdown else "  "
        facts = [
            f"{self.positions:,} positions (printed: {PRINTED['positions']:,})",
            f"expected pip count: least {self.least_epc:.6f}, mean {self.mean_epc:.6f}, "
            f"greatest {self.greatest_epc:.6f} at {_counts(self.greatest_epc_position)}",
            f"off in one roll for certain: {', '.join(map(_counts, self.one_roll_positions))}, and no other "
            f"(printed: the same {len(PRINTED['one_roll_positions'])})",
        ]
        claims = [
            f"not best in {greedy.not_best:,} pairs of position and roll, of all 21 rolls "
            f"({greedy.not_best_positions:,} positions; {greedy.not_best_of_36:,} if throws are counted, of 36)",
            f"in {greedy.not_best_restricted:,} where no die exceeds the highest occupied point "
            f"(printed: {PRINTED['greedy_not_best']:,})",
            f"why the printed figure is one less: with EPCs cut to {greedy.rounded_to:g} pip while they are computed "
            f"it is {greedy.not_best_rounded:,}; the smallest loss, {greedy.smallest_restricted.loss_pips:.6f} pips at "
            f"{_place(greedy.smallest_restricted)}, is then a tie",
            f"worst: {worst.loss_pips:.6f} pips at {_place(worst)}, where {_counts(worst.best)} is best and greedy "
            f"leaves {_counts(worst.greedy)} (printed: {PRINTED['worst_loss_pips']} at {PRINTED['worst_index']} with "
            f"{roll_name(PRINTED['worst_roll'])})",
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
            ("", ["# Bearoff facts" if markdown else "Bearoff facts"]),
            ("Positions", [bullet + line for line in facts]),
            ("Bearing off as many as possible", [bullet + line for line in claims]),
            ("Not best, by roll", _table(["roll", "all rolls", "no die too large"], rolls, markdown)),
            ("Not best, by checkers", _table(["checkers", "all rolls"], checkers, markdown)),
            ("Bearing off with an ace", [bullet + line for line in aces]),
            ("Least wastage", _table(["checkers", "position", "pips"], wastage, markdown)),
        ]


def _counts(position: Position) -> str:
    return "(" + ",".join(map(str, position)) + ")"


def roll_name(roll: tuple[int, int]) -> str:
    """Write a roll as the report names it."""
    return f"{roll[0]}-{roll[1]}"


def _place(loss: GreedyLoss) -> str:
    return f"{loss.index} {_counts(loss.position)} with {roll_name(loss.roll)}"


def _table(head: list[str], rows: Sequence[Sequence[object]], markdown: bool) -> list[str]:
    cells = [[str(cell) for cell in row] for row in rows]
    if markdown:
        return ["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *cells]]
    widths = [max(len(row[k]) for row in [head, *cells]) for k in range(len(head))]
    return [
        "  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in [head, *cells]
    ]
