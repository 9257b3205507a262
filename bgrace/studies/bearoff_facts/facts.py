"""The facts worked out."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats
from bgrace.board.dice import MEAN_PIPS, ROLLS, WEIGHTS
from bgrace.board.spaces import PositionSpace
from bgrace.studies.bearoff_facts.moves import Indices, Moves, all_borne_off, best_of_die, best_value, value_of
from bgrace.studies.bearoff_facts.results import AceRule, BearoffReport, GreedyLoss, GreedyPlay, LeastWastage, roll_name
from bgrace.tables.one_sided import solve_one_sided

__all__ = ["bearoff_report"]

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
        Prints well; `BearoffReport.to_dict` and `BearoffReport.to_markdown` give it in other forms.

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

    rounded = _solve_rounded(moves, _PRINTED_STEP)
    pairs = [(all_borne_off(moves, roll, rounded), best_value(moves, roll, rounded)) for roll in ROLLS]
    wrong_rounded = np.stack([value_of(rounded, play) - least > _PRINTED_STEP / 2 for play, least in pairs], axis=1)
    wrong_rounded &= (greedy >= 0) & no_die_too_large

    def describe(place: int) -> GreedyLoss:
        index, roll = divmod(place, len(ROLLS))
        return GreedyLoss(
            index=index,
            position=space.position(index),
            roll=ROLLS[roll],
            loss_pips=float(loss[index, roll]) * MEAN_PIPS,
            greedy=space.position(int(greedy[index, roll])),
            best=space.position(int(best[index, roll])),
        )

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


def _solve_rounded(moves: Moves, step: float) -> Floats:
    """EPCs in pips, each cut down to a multiple of `step` before others are computed from it."""
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
        epc[rows] = np.floor((total / 36 + MEAN_PIPS) / step + 1e-6) * step
    return epc


def _ace_rule(moves: Moves, mean_rolls: Floats, best: Indices) -> AceRule:
    least = {roll: mean_rolls[best[:, k]] for k, roll in enumerate(ROLLS)}
    after_one = {die: best_of_die(moves, die, mean_rolls) for die in range(1, 7)}
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
        result = rows
        for _ in range(n):
            result = moves.off[1][result]
        means = mean_rolls
        for _ in range(4 - n):
            means = best_of_die(moves, 1, means)
        double_cases += len(rows)
        double_exceptions += int((means[result] > least[1, 1][rows] + _MEAN_ERROR).sum())
    return AceRule(cases, exceptions, double_cases, double_exceptions, brought_cases, brought_wrong, brought_worst)


def _least_wastage(space: PositionSpace, checkers: Indices, wastage: Floats, n: int) -> LeastWastage:
    rows = np.flatnonzero(checkers == n)
    # Rounded, so that equal ones don't take turns with the last bit.
    index = int(rows[np.argmin(np.round(wastage[rows], 9))])
    return LeastWastage(n, space.position(index), float(wastage[index]))
