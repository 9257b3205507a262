"""One side on more than six points, with distributions in 16 bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace.verify.job import MEAN_ERROR, SUM_ERROR, BrokenError, Job, Step, first_false, in_pieces, n_without_all
from bgrace.verify.layout import CHANCE_SCALE
from bgrace.verify.one_sided import check_ace_point, check_removal
from bgrace.verify.rules import HOME_POINTS, MEAN_PIPS, ROLLS, WEIGHTS, Rules, pips_of, round_36

_PACKED_MEAN: Final = 3e-4
_PACKED_VARIANCE: Final = 3e-3
"""Moments of packed rows against those of exact ones: three times the most that was found (docs/race-tables.md)."""


def _check_packed(job: Job) -> str:
    return _packed_rows(job, "one_sided/first_roll", "one_sided/roll_chances", 0)


def _packed_rows(job: Job, first_name: str, name: str, first_index: int) -> str:
    """Rows of chances in 16 bits: summing to one exactly, nothing on zero rolls unless the board is empty."""
    first_rolls, table = job.table(first_name), job.table(name)
    for part in job.each(in_pieces(len(table), job.rows_at_a_time)):
        rows, firsts = table[part], first_rolls[part]
        start = first_index + part.start

        def place(at: tuple[int, ...], start: int = start) -> str:
            return f"{name} of {job.rules.name(start + at[0])}"

        sums = rows.sum(axis=1, dtype=np.int64)
        if (at := first_false(sums == CHANCE_SCALE)) is not None:
            raise BrokenError(f"{place(at)} sums to {sums[at]}, not to {CHANCE_SCALE}")
        if (at := first_false(rows[:, 0] > 0)) is not None:
            raise BrokenError(f"{place(at)} begins with a chance of 0")
        empty = np.arange(start, start + len(rows)) == 0
        if (at := first_false((firsts == 0) == empty)) is not None:
            raise BrokenError(f"{place(at)} begins with {firsts[at]} rolls")
    return f"{len(table)} rows, summing to one exactly"


def _check_packed_moments(job: Job) -> str:
    """Mean and variance are close to those of the distribution, and the EPC is no less than the pips."""
    first_rolls, chances = job.table("one_sided/first_roll"), job.table("one_sided/roll_chances")
    means, variances = job.table("one_sided/mean_rolls"), job.table("one_sided/variance_rolls")
    columns = np.arange(chances.shape[1])
    worst, n_compared = np.zeros(2), 0
    for part in job.each(job.parts(len(means))):
        rows = chances[part] / CHANCE_SCALE
        beyond = rows @ columns
        mean = beyond + first_rolls[part]
        variance = (rows * (columns - beyond[:, np.newaxis]) ** 2).sum(axis=1)
        for k, (what, stored, computed, tolerance) in enumerate(
            (
                ("mean_rolls", means[part], mean, _PACKED_MEAN),
                ("variance_rolls", variances[part], variance, _PACKED_VARIANCE),
            )
        ):
            off = np.abs(stored - computed)
            if (at := first_false(off <= tolerance)) is not None:
                raise BrokenError(
                    f"{what} of {job.rules.name(part.start + at[0])} is {stored[at]}; "
                    f"the stored chances make it {computed[at]}"
                )
            worst[k] = max(worst[k], float(off.max()))
        pips = pips_of(job.rules.counts_of(np.arange(part.start, part.stop)))
        epc = means[part] * MEAN_PIPS
        if (at := first_false(epc >= pips - SUM_ERROR * pips)) is not None:
            raise BrokenError(f"EPC of {job.rules.name(part.start + at[0])} is {epc[at]}, less than its pips")
        n_compared += len(rows)
    return f"{n_compared} of {len(means)} positions, means within {worst[0]:.1e}, variances within {worst[1]:.1e}"


def _check_packed_entries(job: Job) -> str:
    """Make rows again from the rows of the best results: means and variances in float64, chances to the step."""
    means, variances = job.table("one_sided/mean_rolls"), job.table("one_sided/variance_rolls")
    indices = job.chosen(1, len(means))
    worst = 0.0
    for index in job.each(indices.tolist()):
        best = _best_results(job.rules, index, lambda end: float(means[end]))
        expected = np.array([means[end] for end in best])
        mean = float(np.average(expected, weights=WEIGHTS))
        spread = np.array([variances[end] for end in best]) + (expected - mean) ** 2
        off = np.abs([1 + mean - means[index], float(np.average(spread, weights=WEIGHTS)) - variances[index]])
        if not off.max() <= SUM_ERROR * max(1.0, mean) ** 2:
            raise BrokenError(f"moments of {job.rules.name(index)} differ from its successors' by {off.max():.1e}")
        worst = max(worst, float(off.max()))
        _compare_packed(job, "one_sided/first_roll", "one_sided/roll_chances", 0, index, best)
    return f"{len(indices)} of {len(means)} positions, moments within {worst:.1e}, chances to the step"


def _best_results(rules: Rules, index: int, mean: Callable[[int], float]) -> list[int]:
    """Find the best result of each roll; of equal ones, that with the smallest index."""
    best = []
    for roll in ROLLS:
        means = {end: mean(end) for end in rules.results(index, roll)}
        least = min(means.values())
        best.append(min((end for end, rolls in means.items() if rolls <= least + MEAN_ERROR), default=0))
    return best


def _cumulative(job: Job, first_name: str, name: str, first_index: int, index: int) -> npt.NDArray[np.int64]:
    """Chances of at most 0, 1, ... rolls, in steps; certainty for whatever lies before the table."""
    result = np.full(1 << 9, CHANCE_SCALE, dtype=np.int64)
    if index >= first_index:
        row = job.table(name)[index - first_index].astype(np.int64)
        first = int(job.table(first_name)[index - first_index])
        result[:first] = 0
        result[first : first + len(row)] = row.cumsum()
    return result


def _compare_packed(job: Job, first_name: str, name: str, first_index: int, index: int, best: list[int]) -> None:
    """Compare chances of at most k rolls with the rounded mean of the results' chances of at most k - 1."""
    reached = _cumulative(job, first_name, name, first_index, index)
    sums = np.zeros_like(reached)
    for weight, end in zip(WEIGHTS, best, strict=True):
        sums[1:] += weight * _cumulative(job, first_name, name, first_index, end)[:-1]
    off = int(np.abs(round_36(sums) - reached).max())
    # In the home board rows were rounded from exact ones; beyond it, from those that are stored.
    if off > (not any(job.rules.counts(index)[HOME_POINTS:])):
        raise BrokenError(f"{name} of {job.rules.name(index)} differs from its successors' by {off} steps")


def _check_packed_first_checker(job: Job) -> str:
    return _packed_rows(
        job, "one_sided/first_checker_first_roll", "one_sided/first_checker_chances", n_without_all(job)
    )


def _check_packed_first_checker_entries(job: Job) -> str:
    """Compare means with those of the best results, and chances where there is no doubt which results are best.

    The exact means are not stored, only the rounded rows that they are the means of.
    """
    first_name, name = "one_sided/first_checker_first_roll", "one_sided/first_checker_chances"
    table, first_index = job.table(name), n_without_all(job)
    columns = np.arange(table.shape[1])

    def mean(end: int) -> float:
        if end < first_index:
            return 0.0
        row = end - first_index
        return float(job.table(first_name)[row] + table[row] @ columns / CHANCE_SCALE)

    indices = job.chosen(first_index, first_index + len(table))
    n_compared, worst = 0, 0.0
    for index in job.each(indices.tolist()):
        best, certain, expected = [], True, 1.0
        for roll, weight in zip(ROLLS, WEIGHTS, strict=True):
            means = sorted((mean(end), end) for end in job.rules.results(index, roll))
            expected += weight * means[0][0] / 36
            close = {end for rolls, end in means if rolls <= means[0][0] + _PACKED_MEAN}
            close = {end for end in close if end >= first_index} or {0}
            certain &= len(close) == 1
            best.append(min(close))
        off = abs(mean(index) - expected)
        if not off <= _PACKED_MEAN:
            raise BrokenError(f"the mean of {name} of {job.rules.name(index)} is off by {off:.1e}")
        worst = max(worst, off)
        if certain:
            n_compared += 1
            _compare_packed(job, first_name, name, first_index, index, best)
    return (
        f"{len(indices)} of {len(table)} positions, means within {worst:.1e}, "
        f"{n_compared} of them without a close choice to the step"
    )


PACKED: Final[list[Step]] = [
    ("roll distributions", _check_packed),
    ("means, variances and EPC", _check_packed_moments),
    ("EPC on the ace point", check_ace_point),
    ("EPC with one checker fewer", check_removal),
    ("one-sided entries recomputed", _check_packed_entries),
]
PACKED_FIRST_CHECKER: Final[list[Step]] = [
    ("first-checker distributions", _check_packed_first_checker),
    ("first-checker entries recomputed", _check_packed_first_checker_entries),
]
