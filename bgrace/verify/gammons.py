"""Two sides, one of which has all of its checkers: the values without gammons and under the Jacoby rule."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace.tables.two_sided import Plane
from bgrace.verify.job import BrokenError, Job, Step, Steps, first_false, in_pieces, n_without_all, pair_name
from bgrace.verify.layout import GAMMON_KINDS
from bgrace.verify.rules import ROLLS, WEIGHTS, round_36

_GAMMONS_AT_A_TIME: Final = 1 << 10
_OUTSIDE_STEPS: Final = 1
"""For pairs whose values are taken from the planes with gammons: a chance of 1e-5 is a sixth of a step."""


class _GammonRows:
    """Pairs with values of their own, in which gammons count once: which, and what they are."""

    def __init__(self, job: Job) -> None:
        _check_gammon_rows(job)  # so that no lookup leaves the tables
        self.table, self.scale = job.table("two_sided/equities"), job.scale
        first = n_without_all(job)
        self.column = np.full(len(job.order), -1, dtype=np.int64)
        full = job.order >= first
        self.column[full] = job.table("gammon/columns")[job.order[full] - first]
        self.at_column = np.empty(np.count_nonzero(full), dtype=np.int64)
        self.at_column[self.column[full]] = np.flatnonzero(full)
        self.starts = {kind: np.array(job.table(f"gammon/{kind}_starts")) for kind in GAMMON_KINDS}
        self.values = {kind: job.table(f"gammon/{kind}") for kind in GAMMON_KINDS}

    def once(self, on_roll: npt.NDArray[np.int64], opponent: npt.NDArray[np.int64]) -> Steps:
        """Cubeless and centered values of rolling now, last axis, of pairs of ranks; none of them finished."""
        result: Steps = self.table[on_roll, opponent][..., [Plane.CUBELESS, Plane.CENTERED]].astype(np.int32)
        for kind, row, full in (("winning", on_roll, opponent), ("losing", opponent, on_roll)):
            starts, column = self.starts[kind], self.column[full]
            place = starts[row] + column
            listed = (column >= 0) & (place < starts[row + 1])
            result[listed] = self.values[kind][place[listed]]
        return result

    def moved(self, ends: npt.NDArray[np.int64], opponent: npt.NDArray[np.int64]) -> Steps:
        """The values, last axis, of having moved to `ends` against opponents on roll, by broadcasting."""
        ends, opponent = np.broadcast_arrays(ends, opponent)
        # A finished game is looked up like any other, and set right in the end.
        result = self.once(opponent, np.maximum(ends, 1))
        taken = np.minimum(2 * self.table[opponent, ends][..., Plane.THEIRS].astype(np.int32), self.scale)
        np.maximum(result[..., 1], taken, out=result[..., 1])
        np.negative(result, out=result)
        result[ends == 0] = self.scale
        return result

    def row(self, kind: str, rank: int) -> npt.NDArray[np.int64]:
        """Ranks with all checkers that a rank has values against."""
        starts = self.starts[kind]
        return self.at_column[: starts[rank + 1] - starts[rank]]


def _check_gammon_rows(job: Job) -> str:
    columns = job.table("gammon/columns")
    if (at := first_false(np.sort(columns) == np.arange(len(columns)))) is not None:
        raise BrokenError(f"{at[0]} is not a column, or two positions have it")
    counted = []
    for kind in GAMMON_KINDS:
        starts, n_pairs = job.table(f"gammon/{kind}_starts"), len(job.table(f"gammon/{kind}"))
        lengths = np.diff(starts)
        if (at := first_false((lengths >= 0) & (lengths <= len(columns)))) is not None:
            raise BrokenError(f"gammon/{kind}: rank {at[0]} has {lengths[at]} columns of {len(columns)}")
        if starts[0] != 0 or starts[-1] != n_pairs:
            raise BrokenError(f"gammon/{kind} has {n_pairs} pairs, its rows are {starts[0]} to {starts[-1]}")
        counted.append(f"{n_pairs} {kind}")
    return f"{len(columns)} columns, {' and '.join(counted)} pairs"


def _mean_of_results(job: Job, rows: _GammonRows, mine: int, opponents: npt.NDArray[np.int64]) -> Steps:
    """Values of one rank on roll against some, shape (len(opponents), 2), from those of its results."""
    index = int(job.order[mine])
    ends = [job.rank[list(job.rules.results(index, roll))] for roll in ROLLS]
    moved = rows.moved(np.concatenate(ends), opponents[:, np.newaxis])
    best = np.maximum.reduceat(moved, np.cumsum([0, *map(len, ends[:-1])]), axis=1)
    sums = np.tensordot(best, np.array(WEIGHTS), axes=(1, 0))
    rounded: Steps = round_36(sums).astype(np.int32)
    return rounded


def _check_gammon_entries(job: Job) -> str:
    """Each value is the mean of its successors' values, to the step."""
    rows = _GammonRows(job)
    n_compared = 0
    n_ranks = len(job.order)
    for kind in job.each(GAMMON_KINDS):
        lengths = np.diff(rows.starts[kind])
        if job.full:
            pairs = ((rank, rows.row(kind, rank)) for rank in np.flatnonzero(lengths).tolist())
        elif lengths.any():
            places = np.sort(job.rng.integers(0, rows.starts[kind][-1], job.samples))
            ranks = np.searchsorted(rows.starts[kind], places, side="right") - 1
            fulls = rows.at_column[places - rows.starts[kind][ranks]]
            pairs = ((rank, np.array([full])) for rank, full in zip(ranks.tolist(), fulls.tolist(), strict=True))
        else:
            continue
        for rank, fulls in pairs:
            job.tick(rank / n_ranks)
            for part in in_pieces(len(fulls), _GAMMONS_AT_A_TIME):
                chosen = fulls[part]
                if kind == "winning":
                    stored = rows.once(np.full(len(chosen), rank), chosen)
                    mean = _mean_of_results(job, rows, rank, chosen)
                else:
                    stored = rows.once(chosen, np.full(len(chosen), rank))
                    one = np.array([rank])
                    mean = np.concatenate([_mean_of_results(job, rows, full, one) for full in chosen.tolist()])
                if (at := first_false((stored == mean).all(axis=1))) is not None:
                    pair = (rank, int(chosen[at[0]]))
                    mine, theirs = pair if kind == "winning" else pair[::-1]
                    raise BrokenError(
                        f"{pair_name(job, mine, theirs)} has {stored[at]} if gammons count once; "
                        f"the mean of its successors is {mean[at]}"
                    )
                n_compared += len(chosen)
    total = sum(len(values) for values in rows.values.values())
    return f"{n_compared} of {total} pairs, to the step"


def _check_gammons_outside(job: Job) -> str:
    """Beyond the end of each row it makes no difference whether gammons count."""
    rows = _GammonRows(job)
    n_full, n_ranks = len(rows.at_column), len(job.order)
    n_compared = worst = 0
    for kind in job.each(GAMMON_KINDS):
        lengths = np.diff(rows.starts[kind])
        able = np.flatnonzero(lengths < n_full)
        # Neither the empty board, nor a row that is empty because the pairs are in the other table.
        able = able[(able > 0) & ((rows.column[able] < 0) | (kind == "winning"))]
        ranks = able[job.chosen(0, len(able))] if len(able) else able
        for rank in ranks.tolist():
            job.tick(rank / n_ranks)
            # The next one, where a gammon is likeliest, and any.
            further = {int(lengths[rank]), int(job.rng.integers(lengths[rank], n_full))}
            for full in rows.at_column[sorted(further)].tolist():
                mine, theirs = (rank, full) if kind == "winning" else (full, rank)
                mean = _mean_of_results(job, rows, mine, np.array([theirs]))[0]
                once = rows.once(np.array([mine]), np.array([theirs]))[0]
                off = int(np.abs(mean - np.clip(once, -job.scale, job.scale)).max())
                if off > _OUTSIDE_STEPS:
                    raise BrokenError(
                        f"{pair_name(job, mine, theirs)} is not listed, but differs by {off} steps if gammons count "
                        "once"
                    )
                n_compared, worst = n_compared + 1, max(worst, off)
    return f"{n_compared} pairs, within {worst} steps"


GAMMONS: Final[list[Step]] = [
    ("pairs in which a gammon matters", _check_gammon_rows),
    ("their values recomputed", _check_gammon_entries),
    ("gammons in other pairs", _check_gammons_outside),
]
