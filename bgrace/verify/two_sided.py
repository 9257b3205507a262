"""Two sides: the four planes of equities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bgrace.tables.two_sided import Plane
from bgrace.verify.job import BrokenError, Job, Step, Steps, first_false, in_pieces, pair_name
from bgrace.verify.rules import ROLLS, WEIGHTS, round_36

_ORDER_STEPS: Final = 2
"""For what holds of exact values but was not proved for rounded ones; no table that was tried needs more than 1."""

_SOLVED_STEPS: Final = 4
"""Stored against float64.  Half a step a turn at most; pairs of this size were never found off by more than 1.9."""

_RISING: Final = (
    (Plane.THEIRS, Plane.CENTERED),
    (Plane.CENTERED, Plane.MINE),
    (Plane.THEIRS, Plane.CUBELESS),
    (Plane.CUBELESS, Plane.MINE),
)
"""Of each two planes the first is at most the second."""

_SMALL_PAIRS: Final = 10
_SMALL_PRODUCT: Final = 3000
"""How many pairs are solved to the bottom, and the most that the ranks of such a pair may multiply to."""


def _with_double(values: Steps, scale: int) -> Steps:
    """Give values of rolling now, in steps, the right to double first; last axis: planes."""
    result = values.copy()
    doubled = np.minimum(2 * values[..., Plane.THEIRS], scale)
    for plane in (Plane.MINE, Plane.CENTERED):
        np.maximum(values[..., plane], doubled, out=result[..., plane])
    return result


def turned_round(values: Steps, scale: int) -> Steps:
    """Turn what the opponent on roll has into what it is worth to have moved: their cube is not mine."""
    turned: Steps = -_with_double(values, scale)[..., [Plane.CUBELESS, Plane.THEIRS, Plane.CENTERED, Plane.MINE]]
    return turned


def check_order(job: Job) -> str:
    """Compare the order of ranks, by which rows and columns of pairs are found."""
    stored = np.asarray(job.table("two_sided/order"))
    if (at := first_false(stored == job.order)) is not None:
        raise BrokenError(f"rank {at[0]} is {stored[at]}; by pips, then index, it is {job.order[at]}")
    return f"{len(stored)} ranks"


def _check_finished(job: Job) -> str:
    """A side without checkers has won, and one that rolls against it has lost."""
    table, stake = job.table("two_sided/equities"), job.at_stake()[:, np.newaxis]
    won, lost = table[0, 1:], table[1:, 0]
    if (at := first_false(won == stake[1:])) is not None:
        raise BrokenError(f"{pair_name(job, 0, at[0] + 1)} is not {stake[at[0] + 1, 0]} steps")
    if (at := first_false(lost == -stake[1:])) is not None:
        raise BrokenError(f"{pair_name(job, at[0] + 1, 0)} is not {-stake[at[0] + 1, 0]} steps")
    return f"{len(won) + len(lost)} pairs"


def _check_planes(job: Job) -> str:
    """Compare planes: theirs <= centered <= mine, theirs <= cubeless <= mine, none beyond what is at stake."""
    table, stake = job.table("two_sided/equities"), job.at_stake()
    n = len(table)
    rows = job.rows(n)
    for part in job.each(in_pieces(len(rows), max(1, job.pairs_at_a_time // n))):
        mine = rows[part]
        values: Any = table[mine].astype(np.int32)[:, 1:]

        def place(at: tuple[int, ...], mine: npt.NDArray[np.int64] = mine) -> str:
            return pair_name(job, int(mine[at[0]]), at[1] + 1)

        in_range = (values <= stake[1:, np.newaxis]) & (values >= -stake[mine, np.newaxis, np.newaxis])
        if (at := first_false(in_range.all(axis=2))) is not None:
            raise BrokenError(f"{place(at)}: {values[at]} is out of bounds")
        for lower, upper in _RISING:
            if (at := first_false(values[..., lower] <= values[..., upper])) is not None:
                raise BrokenError(f"{place(at)}: {values[at]} are in the wrong order")
    return f"{len(rows)} of {n - 1} rows, to the step"


def _check_on_roll(job: Job) -> str:
    """Being on roll is worth something: what I have on roll is at least what I have after my opponent rolls first.

    The cube stays where it is, so mine on my turn is theirs on the opponent's.
    """
    table, scale = job.table("two_sided/equities"), job.scale
    n = len(table)
    rows = job.rows(n)
    if len(rows) < n - 1:
        # Columns of a file lie a row apart, so a sample of pairs is a sample of rows against the same sample.
        rows = np.sort(job.rng.choice(rows, min(len(rows), int(job.sampled_pairs**0.5) // 2), replace=False))
    least = 0
    size = int(job.pairs_at_a_time**0.5)
    for one in job.each(in_pieces(len(rows), size)):
        for other in in_pieces(len(rows), size):
            mine, theirs = rows[one], rows[other]
            on_roll = table[np.ix_(mine, theirs)].astype(np.int32)
            after_roll = turned_round(table[np.ix_(theirs, mine)].astype(np.int32), scale).swapaxes(0, 1)
            gain = (on_roll - after_roll).min(axis=2)
            if (at := first_false(gain >= -_ORDER_STEPS)) is not None:
                raise BrokenError(
                    f"{pair_name(job, int(mine[at[0]]), int(theirs[at[1]]))}: being on roll costs {-gain[at]} steps"
                )
            least = min(least, int(gain.min()))
    return f"{len(rows) ** 2} of {(n - 1) ** 2} pairs, within {-least} steps"


def _check_fewer_checkers(job: Job) -> str:
    """One checker fewer never hurts its owner: neither on roll nor against one who is."""
    rules, table = job.rules, job.table("two_sided/equities")
    n = len(table)
    counts = rules.counts_of(job.order)
    # By point: ranks with a checker there, and the same without it.
    occupied, fewer = [], []
    for point in range(rules.points):
        occupied.append(np.flatnonzero(counts[:, point]))
        less = counts[occupied[-1]]
        less[:, point] -= 1
        fewer.append(job.rank[rules.index_of(less)])
    rows = job.rows(n)
    least = 0
    for part in job.each(in_pieces(len(rows), max(1, job.pairs_at_a_time // n))):
        mine = rows[part]
        values = table[mine].astype(np.int32)
        for point in range(rules.points):
            against = (values[:, occupied[point]] - values[:, fewer[point]]).min(axis=2)
            if (at := first_false(against >= -_ORDER_STEPS)) is not None:
                raise BrokenError(
                    f"{pair_name(job, int(mine[at[0]]), int(occupied[point][at[1]]))}: the opponent would rather not "
                    f"be without a checker on the {point + 1} point"
                )
            having = np.flatnonzero(counts[mine, point])
            less_of = counts[mine[having]]
            less_of[:, point] -= 1
            without = table[job.rank[rules.index_of(less_of)]].astype(np.int32)
            on_roll = (without - values[having]).min(axis=2)[:, 1:]
            if (at := first_false(on_roll >= -_ORDER_STEPS)) is not None:
                raise BrokenError(
                    f"{pair_name(job, int(mine[having[at[0]]]), at[1] + 1)}: the player on roll would rather not be "
                    f"without a checker of the {point + 1} point"
                )
            least = min(least, int(against.min(initial=0)), int(on_roll.min(initial=0)))
    return f"{len(rows)} of {n - 1} rows, within {-least} steps"


def sampled_sums(
    job: Job, n_pairs: int, moved: Callable[[Steps], Steps], stake: npt.NDArray[Any]
) -> Iterator[tuple[int, int, Steps]]:
    """Pairs here and there, each with 36 times the mean that stored values make it; `stake`: by rank and plane."""
    rules, table = job.rules, job.table("two_sided/equities")
    pairs = job.rng.integers(1, len(table), size=(n_pairs, 2))
    for mine, theirs in job.each(pairs.tolist()):
        ends = [job.rank[list(rules.results(int(job.order[mine]), roll))] for roll in ROLLS]
        ranks = np.concatenate(ends)
        values = moved(table[theirs, ranks].astype(np.int32))
        values[ranks == 0] = stake[theirs]
        starts = np.cumsum([0, *map(len, ends[:-1])])
        yield mine, theirs, np.array(WEIGHTS) @ np.maximum.reduceat(values, starts)


def all_sums(job: Job, moved: Callable[[Steps], Steps], stake: npt.NDArray[Any]) -> Iterator[tuple[int, slice, Steps]]:
    """36 times the means of all pairs, a stripe of opponents at a time: of the turned rows of each row's results."""
    rules, table = job.rules, job.table("two_sided/equities")
    n, _, n_planes = table.shape
    # Flat arrays, because there are nine million results of 54,264 positions.
    results = []
    for index in job.order.tolist():
        ends = [rules.results(index, roll) for roll in ROLLS]
        ranks = job.rank[[end for some in ends for end in some]].astype(np.int32)
        results.append((ranks, tuple(map(len, ends))))
    width = max(16, job.full_bytes // (2 * n_planes * n))
    stripes = in_pieces(n, width)
    for k, stripe in enumerate(stripes):
        values = np.empty((n, stripe.stop - stripe.start, n_planes), dtype=np.int16)
        for part in in_pieces(stripe.stop - stripe.start, max(1, job.pairs_at_a_time // n)):
            columns = slice(stripe.start + part.start, stripe.start + part.stop)
            values[:, part] = moved(table[columns].astype(np.int32)).swapaxes(0, 1)
        values[0] = stake[stripe]
        best = np.empty_like(values[0])
        sums = np.empty(best.shape, dtype=np.int32)
        for mine in range(1, n):
            if mine % 64 == 0:
                job.tick((k + mine / n) / len(stripes))
            sums[...] = 0
            ranks, lengths = results[mine]
            end = iter(ranks.tolist())
            for length, weight in zip(lengths, WEIGHTS, strict=True):
                np.copyto(best, values[next(end)])
                for _ in range(length - 1):
                    np.maximum(best, values[next(end)], out=best)
                sums += np.multiply(best, weight, dtype=np.int32)
            yield mine, stripe, sums


def _check_pairs(job: Job) -> str:
    """Compare pairs with the means of the stored values of what their rolls lead to."""
    table, stake = job.table("two_sided/equities"), job.at_stake()[:, np.newaxis]

    def moved(values: Steps) -> Steps:
        return turned_round(values, job.scale)

    def compare(mine: int, theirs: int, stored: npt.NDArray[Any], sums: Steps) -> None:
        mean = round_36(sums)
        if theirs == 0:
            mean[0] = stored[0]  # a game that is over
        if (at := first_false((mean == stored).all(axis=1))) is not None:
            raise BrokenError(
                f"{pair_name(job, mine, theirs + at[0])} has {stored[at]}; the mean of its successors is {mean[at]}"
            )

    if job.full:
        for mine, stripe, sums in all_sums(job, moved, stake):
            compare(mine, stripe.start, table[mine, stripe], sums)
    else:
        for mine, theirs, one in sampled_sums(job, job.samples, moved, stake):
            compare(mine, theirs, table[mine, theirs][np.newaxis], one[np.newaxis])
    looked_at = "all" if job.full else f"{job.samples} of"
    return f"{looked_at} {(len(table) - 1) ** 2} pairs, to the step"


def _check_solved(job: Job) -> str:
    """Pairs of few pips, solved to the end of the game in float64 by recursion."""
    rules, table, stake = job.rules, job.table("two_sided/equities"), job.at_stake() / job.scale
    n = len(table)
    known: dict[tuple[int, int], tuple[float, float, float, float]] = {}
    results: dict[int, list[tuple[int, list[int]]]] = {}

    def results_of(rank: int) -> list[tuple[int, list[int]]]:
        if rank not in results:
            index = int(job.order[rank])
            results[rank] = [
                (weight, job.rank[list(rules.results(index, roll))].tolist())
                for roll, weight in zip(ROLLS, WEIGHTS, strict=True)
            ]
        return results[rank]

    def moved(end: int, theirs: int) -> tuple[float, float, float, float]:
        """Return what it is worth to have moved to `end`."""
        if end == 0:
            return (float(stake[theirs]),) * 4
        cubeless, mine, centered, without = value(theirs, end)
        doubled = min(2 * without, 1.0)
        return -cubeless, -without, -max(centered, doubled), -max(mine, doubled)

    def value(mine: int, theirs: int) -> tuple[float, float, float, float]:
        """Cubeless, mine, centered, theirs, rolling now."""
        if (mine, theirs) not in known:
            sums = [0.0] * 4
            for weight, ends in results_of(mine):
                for plane, best in enumerate(map(max, zip(*(moved(end, theirs) for end in ends), strict=True))):
                    sums[plane] += weight * best
            known[mine, theirs] = (sums[0] / 36, sums[1] / 36, sums[2] / 36, sums[3] / 36)
        return known[mine, theirs]

    worst = 0.0
    most = min(n - 1, _SMALL_PRODUCT)
    for _ in job.each(range(_SMALL_PAIRS)):
        # Results have smaller ranks, so the product of the ranks bounds the work.  Either side may have the larger.
        one = int(job.rng.integers(1, most + 1))
        other = int(job.rng.integers(1, min(n - 1, max(1, _SMALL_PRODUCT // one)) + 1))
        mine, theirs = (one, other) if job.rng.integers(2) else (other, one)
        off = np.abs(table[mine, theirs] - job.scale * np.array(value(mine, theirs))).max()
        if off > _SOLVED_STEPS:
            raise BrokenError(
                f"{pair_name(job, mine, theirs)} has {table[mine, theirs] / job.scale}; "
                f"solved it is {np.array(value(mine, theirs))}"
            )
        worst = max(worst, float(off))
    return f"{_SMALL_PAIRS} pairs and {len(known)} below them, within {worst:.2f} steps"


TWO_SIDED: Final[list[Step]] = [
    ("two-sided order", check_order),
    ("finished games", _check_finished),
    ("bounds and order of equities", _check_planes),
    ("being on roll", _check_on_roll),
    ("equities with one checker fewer", _check_fewer_checkers),
    ("two-sided entries recomputed", _check_pairs),
    ("small pairs solved", _check_solved),
]
