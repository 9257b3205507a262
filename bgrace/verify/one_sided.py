"""One side on up to six points, in float64."""

from __future__ import annotations

from typing import Final

import numpy as np

from bgrace.database.store import Table
from bgrace.verify.job import (
    MEAN_ERROR,
    SUM_ERROR,
    BrokenError,
    Job,
    Step,
    first_false,
    in_pieces,
    n_without_all,
)
from bgrace.verify.rules import MEAN_PIPS, ROLLS, WEIGHTS, pips_of


def _check_distributions(job: Job) -> str:
    return _distribution_rows(job, "one_sided/roll_distribution", 0)


def _distribution_rows(job: Job, name: str, first_index: int) -> str:
    """Rows of chances: not negative, summing to one, nothing on zero rolls unless the board is empty."""
    table, worst = job.table(name), 0.0
    for part in job.each(in_pieces(len(table), job.rows_at_a_time)):
        rows = table[part]
        start = first_index + part.start

        def place(at: tuple[int, ...], start: int = start) -> str:
            return f"{name} of {job.rules.name(start + at[0])}"

        if (at := first_false(rows >= 0)) is not None:
            raise BrokenError(f"{place(at)} is not a chance at {at[1]} rolls")
        off = np.abs(rows.sum(axis=1) - 1)
        if (at := first_false(off <= SUM_ERROR)) is not None:
            raise BrokenError(f"{place(at)} sums to 1 only within {off[at]:.1e}")
        on_zero = (np.arange(start, start + len(rows)) == 0).astype(np.float64)
        if (at := first_false(rows[:, 0] == on_zero)) is not None:
            raise BrokenError(f"{place(at)} has a chance of {rows[at[0], 0]} of no roll at all")
        worst = max(worst, float(off.max()))
    return f"{len(table)} rows, sums within {worst:.1e} of 1"


def _check_moments(job: Job) -> str:
    """Mean and variance are those of the distribution, and the EPC is the mean in pips and no less than the pips."""
    distribution, epc = job.table("one_sided/roll_distribution"), job.table("one_sided/epc")
    means, variances = job.table("one_sided/mean_rolls"), job.table("one_sided/variance_rolls")
    rolls = np.arange(distribution.shape[1])
    # Rounding in a sum of products grows with the largest factor, here the square of the number of rolls.
    tolerance = SUM_ERROR * max(1, len(rolls)) ** 2
    worst = 0.0
    for part in job.each(in_pieces(len(means), job.rows_at_a_time)):
        rows, start = distribution[part], part.start
        mean = rows @ rolls
        variance = (rows * (rolls - mean[:, np.newaxis]) ** 2).sum(axis=1)
        pips = pips_of(job.rules.counts_of(np.arange(part.start, part.stop)))
        for what, stored, computed in (
            ("mean_rolls", means[part], mean),
            ("variance_rolls", variances[part], variance),
            ("epc", epc[part], means[part] * MEAN_PIPS),
        ):
            off = np.abs(stored - computed)
            if (at := first_false(off <= tolerance)) is not None:
                raise BrokenError(
                    f"{what} of {job.rules.name(start + at[0])} is {stored[at]}; the stored rows make it {computed[at]}"
                )
            worst = max(worst, float(off.max()))
        if (at := first_false(epc[part] >= pips - tolerance)) is not None:
            raise BrokenError(f"EPC of {job.rules.name(start + at[0])} is {epc[start + at[0]]}, less than its pips")
    return f"{len(means)} positions, within {worst:.1e}"


def check_ace_point(job: Job) -> str:
    """Checkers on the ace point alone: the mean number of rolls solves a recurrence with two roots, 1 and -1/6."""
    rules, means = job.rules, job.table("one_sided/mean_rolls")
    worst = 0.0
    for n in range(1, rules.checkers + 1):
        index = rules.index((n,) + (0,) * (rules.points - 1))
        pairs = (n + 1) // 2
        expected = 7 * pairs + 1 - (-1 / 6) ** pairs
        epc = float(means[index]) * MEAN_PIPS
        off = abs(epc - expected)
        if not off <= 1e-10:
            raise BrokenError(f"EPC of {n} checkers on the ace point is {epc}; the closed form says {expected}")
        worst = max(worst, off)
    return f"1 to {rules.checkers} checkers, within {worst:.1e} pips of the closed form"


def _check_one_sided_entries(job: Job) -> str:
    means, distribution = job.table("one_sided/mean_rolls"), job.table("one_sided/roll_distribution")
    return _recompute(job, "one_sided/roll_distribution", distribution, means, first_index=0, finished=1)


def _recompute(job: Job, name: str, table: Table, means: Table, *, first_index: int, finished: int) -> str:
    """Make rows again from the rows of the best results.

    Row 0 of `table` and of `means` belongs to `first_index`; positions below `finished` need no roll.
    """
    rules = job.rules
    done = np.arange(table.shape[1]) == 0
    indices = job.chosen(max(finished, first_index), first_index + len(table))
    worst = 0.0
    for index in job.each(indices.tolist()):
        mean, row = 0.0, np.zeros(table.shape[1])
        for roll, weight in zip(ROLLS, WEIGHTS, strict=True):
            ends = rules.results(index, roll)
            means_of = {end: 0.0 if end < finished else float(means[end - first_index]) for end in ends}
            least = min(means_of.values())
            best = min((end for end, rolls in means_of.items() if rolls <= least + MEAN_ERROR), default=0)
            mean += weight * means_of[best]
            row[1:] += weight * (done if best < finished else table[best - first_index])[:-1]
        mean, row = 1 + mean / 36, row / 36
        off = np.append(row - table[index - first_index], mean - means[index - first_index])
        largest = float(np.abs(off).max())
        if not largest <= SUM_ERROR * max(1.0, mean):
            raise BrokenError(f"{name} of {rules.name(index)} differs from its successors' by {largest:.1e}")
        worst = max(worst, largest)
    return f"{len(indices)} of {len(table)} positions, within {worst:.1e}"


def check_removal(job: Job) -> str:
    """Compare EPCs: one checker fewer never raises it, though a checker moved nearer home may."""
    rules, means = job.rules, job.table("one_sided/mean_rolls")
    n_compared = 0
    for part in job.each(job.parts(rules.size)):
        counts = rules.counts_of(np.arange(part.start, part.stop))
        for point in range(rules.points):
            occupied = np.flatnonzero(counts[:, point])
            fewer = counts[occupied]
            fewer[:, point] -= 1
            less = means[rules.index_of(fewer)]
            if (at := first_false(less <= means[occupied + part.start] + MEAN_ERROR)) is not None:
                raise BrokenError(
                    f"{rules.name(part.start + occupied[at[0]])} needs fewer rolls than without a checker of its "
                    f"{point + 1} point"
                )
            n_compared += len(occupied)
    return f"{n_compared} pairs of positions"


def _check_first_checker(job: Job) -> str:
    return _distribution_rows(job, "one_sided/first_checker_distribution", n_without_all(job))


def _check_first_checker_entries(job: Job) -> str:
    name = "one_sided/first_checker_distribution"
    table, first_index = job.table(name), n_without_all(job)
    means = table @ np.arange(table.shape[1], dtype=np.float64)
    return _recompute(job, name, table, means, first_index=first_index, finished=first_index)


ONE_SIDED: Final[list[Step]] = [
    ("roll distributions", _check_distributions),
    ("means, variances and EPC", _check_moments),
    ("EPC on the ace point", check_ace_point),
    ("EPC with one checker fewer", check_removal),
    ("one-sided entries recomputed", _check_one_sided_entries),
]
FIRST_CHECKER: Final[list[Step]] = [
    ("first-checker distributions", _check_first_checker),
    ("first-checker entries recomputed", _check_first_checker_entries),
]
