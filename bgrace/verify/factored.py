"""Pairs as products of factors: packed ones can be unpacked, approximate ones are as near as the file says.

The latter as far as one file alone can tell.
"""

from __future__ import annotations

import zlib
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats
from bgrace._base.limits import how_many
from bgrace._kernels.packing import BLOCK_SIDE
from bgrace.database.store.factored import PackedPairs, blocks_a_side
from bgrace.tables.two_sided import PLANES, Plane
from bgrace.verify.job import BrokenError, Job, Step, Steps, first_false, pair_name
from bgrace.verify.rules import GAMMON_CHECKERS
from bgrace.verify.two_sided import all_sums, check_order, sampled_sums, turned_round

_WHOLE_PAIRS: Final = 1 << 24
"""A full check recomputes all pairs up to this number: those of up to eight checkers on six points."""

_LARGE_SHARE: Final = 100
"""How many times the ordinary sample a full check takes of a larger table."""

_ROUNDING: Final = 0.5 + 1e-6
"""Steps that a value of the table that the file was made of is off from the mean of its successors."""

_UNLISTED: Final = 1.0
"""Further steps, with all 15 checkers: pairs in which a gammon is too unlikely have no chance to win of their own."""

_WIN: Final = "win"


def check_blocks(job: Job) -> str:
    """Unpack every block of a packed table, and compare it, and the table as a whole, with the checksums."""
    table, crc = job.table("two_sided/equities"), 0
    assert isinstance(table, PackedPairs), "only a packed table has blocks"
    rows = range(0, len(table), BLOCK_SIDE)
    for number, (_, values, damaged, first) in enumerate(table.stripes(how_many())):
        if damaged:
            more = f" and {damaged - 1} more beside it" if damaged > 1 else ""
            raise BrokenError(f"block {first} of the packed pairs{more} cannot be unpacked, or fails its checksum")
        crc = zlib.crc32(values.reshape(-1).view(np.uint8).data, crc)
        job.tick(number / len(rows))
        if number % 16 == 0:
            job.stored.let_go()
    if crc != job.stored.entry("two_sided/equities").crc32:
        raise BrokenError(f"the pairs unpacked have CRC-32 {crc:08x}, the file says they should have another")
    return f"{blocks_a_side(len(table)) ** 2} blocks unpacked, {table.nbytes} bytes of pairs"


def is_recomputed_whole(job: Job) -> bool:
    """Whether every pair is recomputed."""
    return job.full and len(job.table("two_sided/equities")) ** 2 <= _WHOLE_PAIRS


def n_sampled(job: Job) -> int:
    """How many pairs are recomputed if not all are."""
    return job.samples * (_LARGE_SHARE if job.full else 1)


class _Planes:
    """The planes of an approximate file, and by how much their values may be off, in steps.

    Attributes
    ----------
    names : tuple of str
    own : array
        Of values of rolling now.
    recomputed : array
        Between a value and the mean of its successors: what both may be off, and the rounding.
    """

    def __init__(self, job: Job) -> None:
        directory, n_planes = job.stored.directory, job.table("two_sided/equities").shape[2]
        assert directory.errors is not None, "of an approximate file"
        self._scale = job.scale
        win, equity = 2 * directory.errors[0] * self._scale, directory.errors[2] * self._scale
        self.names: tuple[str, ...] = (_WIN,)
        # A file with chances alone of pairs with all checkers is made of one in which gammons count.
        of_win = _ROUNDING + _UNLISTED * (directory.two_sided_checkers == GAMMON_CHECKERS)
        own, after, rounding = [win], [win], [of_win]
        if n_planes > 1:
            # A double that is taken comes to twice theirs, which counts half for that.  What is mine when I have moved
            # is theirs of the opponent; anything else is one or the other, whichever the opponent likes better.
            self.names = PLANES
            cubeless = equity if directory.gammons else win
            own, after = [cubeless, equity, equity, equity / 2], [cubeless, equity / 2, equity, equity]
            rounding = [_ROUNDING] * len(Plane)
            if n_planes > len(Plane):
                self.names += (_WIN,)
                own, after, rounding = [*own, win], [*after, win], [*rounding, of_win]
        self.own: Floats = np.array(own)
        self.recomputed: Floats = self.own + np.array(after) + np.array(rounding)

    def moved(self, values: Steps) -> Steps:
        """Turn what the opponent on roll has into what it is worth to have moved; last axis: planes."""
        if values.shape[-1] < len(Plane):
            return -values
        found: Steps = np.concatenate(
            [turned_round(values[..., : len(Plane)], self._scale), -values[..., len(Plane) :]], axis=-1
        )
        return found

    def at_stake(self, job: Job) -> npt.NDArray[np.int64]:
        """By rank and plane: the loss, in steps, of the side that has not finished."""
        stakes = np.repeat(job.at_stake()[:, np.newaxis], len(self.names), axis=1)
        stakes[:, [name == _WIN for name in self.names]] = self._scale
        return stakes

    def in_units(self, plane: int, steps: float) -> str:
        """Write steps as a chance, or as points per unit of the cube."""
        return f"{steps / self._scale / (1 + (self.names[plane] == _WIN)):.5f}"

    def found(self, worst: Floats, allowed: Floats) -> str:
        """The errors found and those allowed, plane by plane."""
        parts = (
            f"{name} {self.in_units(k, worst[k])} of {self.in_units(k, allowed[k])}"
            for k, name in enumerate(self.names)
        )
        return f"off by, of what is allowed: {', '.join(parts)}"

    def complaint(self, pair: str, what: str, plane: int, off: float, allowed: float) -> str:
        """Name a pair that is too far off."""
        return (
            f"{pair}: {self.names[plane]} is off from {what} by {self.in_units(plane, off)}; "
            f"{self.in_units(plane, allowed)} is what the errors that the file states allow"
        )


def _check_finished(job: Job) -> str:
    """A side without checkers has won, and one that rolls against it has lost; so with one checker on the ace point."""
    planes, table = _Planes(job), job.table("two_sided/equities")
    stakes, worst = planes.at_stake(job), np.zeros(len(planes.names))
    others = np.arange(1, len(table))
    same = np.zeros_like(others)
    for mine, theirs, value in (
        (same, others, stakes[1:]),
        (others, same, -stakes[1:]),
        (same + 1, others, stakes[1:]),
    ):
        off = np.abs(table[mine, theirs] - value.astype(np.float64))
        if (at := first_false(off <= planes.own + 1e-6)) is not None:
            pair = pair_name(job, int(mine[at[0]]), int(theirs[at[0]]))
            raise BrokenError(planes.complaint(pair, "what it is", at[1], float(off[at]), float(planes.own[at[1]])))
        worst = np.maximum(worst, off.max(axis=0, initial=0.0))
    return f"{3 * len(others)} pairs; {planes.found(worst, planes.own)}"


def _check_pairs(job: Job) -> str:
    """Compare values with the means of the table's own values of the positions that rolls lead to."""
    table, planes, full = job.table("two_sided/equities"), _Planes(job), is_recomputed_whole(job)
    stakes, worst = planes.at_stake(job), np.zeros(len(planes.names))

    def compare(mine: int, theirs: int, stored: npt.NDArray[Any], sums: Steps) -> None:
        off = np.abs(sums / 36 - stored)
        if theirs == 0:
            off[0] = 0.0  # a game that is over
        if (at := first_false(off <= planes.recomputed)) is not None:
            pair, allowed = pair_name(job, mine, theirs + at[0]), float(planes.recomputed[at[1]])
            raise BrokenError(planes.complaint(pair, "the mean of its successors", at[1], float(off[at]), allowed))
        np.maximum(worst, off.max(axis=0), out=worst)

    if full:
        whole = np.asarray(table)
        for mine, stripe, sums in all_sums(job, planes.moved, stakes):
            compare(mine, stripe.start, whole[mine, stripe], sums)
    else:
        for mine, theirs, one in sampled_sums(job, n_sampled(job), planes.moved, stakes):
            compare(mine, theirs, table[mine, theirs][np.newaxis], one[np.newaxis])
    looked_at = "all" if full else f"{n_sampled(job)} of"
    return f"{looked_at} {(len(table) - 1) ** 2} pairs, {planes.found(worst, planes.recomputed)}"


APPROXIMATE: Final[list[Step]] = [
    ("two-sided order", check_order),
    ("finished games", _check_finished),
    ("approximate pairs recomputed", _check_pairs),
]
