"""The factors of a table of pairs: two narrow matrices whose product is nearly the table.

A plane of the table, row: on roll, column: the opponent, is nearly of low rank, see docs/small-tables.md.  Factors of
opponents come from the leading eigenvectors of a sample of rows, those of the player on roll from least squares against
columns, of a large table a sample too; both are rounded to 16 bits.

The same bits everywhere: every product of matrices here is of whole numbers that float64 holds exactly, sums and all,
so it does not matter in which order a library adds; the rest goes by `bgrace._kernels.packing`, in a fixed order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats
from bgrace._kernels.packing import leading_vectors, solve_rows
from bgrace.database.store.tables import Table

GROUP: Final = 16
"""Factors of a plane are a multiple of this many: as many as a vector of 256 bits holds."""

_WIDE_GROUP: Final = 64  # spreads what a direction weighs over more factors, which are rounded less then
_MAX_COUNTS: Final = (64, 192, 384, 320)  # cubeless, mine, centered, theirs
_SAMPLE: Final = 1536  # rows
_COLUMNS: Final = 13_568  # that factors of the player on roll are found from: 35 for each of the most there are
_MAX_STEPS: Final = 5000  # of a factor, root mean square: int16 with room for the largest
_MAX_SHIFT: Final = 16  # so that 16 bits of a value and the shift are 32
_INT16: Final = 32767
_VECTOR_BITS: Final = 24  # of the elements of eigenvectors: 2^24 2^15 2^11 < 2^53
_SOLVER_BITS: Final = 21  # of the elements of what a row is multiplied with: 2^21 2^15 2^16 < 2^53
_MIN_SHARE: Final = 1e-13  # of the greatest eigenvalue, beneath which there is nothing but rounding


@dataclass(frozen=True, slots=True)
class PlaneFactors:
    """Factors of opponents in one plane: int16, (n, count), and by how many bits sums of products are shifted."""

    opponent: npt.NDArray[np.int16]
    shift: int

    @property
    def count(self) -> int:
        """How many factors a position has."""
        return len(self.opponent.T)


def sample_rows(n: int, most: int = _SAMPLE) -> npt.NDArray[np.int64]:
    """Numbers of rows to learn from: all of them, or one from each of `most` stretches of the same length.

    Examples
    --------
    >>> sample_rows(4).tolist(), len(sample_rows(54264)), sample_rows(54264)[:3].tolist()
    ([0, 1, 2, 3], 1536, [0, 56, 78])
    """
    if n <= most:
        return np.arange(n)
    stretch = np.arange(most + 1) * n // most
    # A place within the stretch that no period of the table can be in step with (Weyl's sequence).
    places = (np.arange(most, dtype=np.uint64) * np.uint64(0x9E3779B9) >> np.uint64(8)) % np.uint64(1 << 24)
    rows: npt.NDArray[np.int64] = stretch[:-1] + (places.astype(np.int64) * np.diff(stretch) >> 24)
    return rows


def read_sample(table: Table, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int16]:
    """Rows of a table of pairs, plane by plane: (planes, rows, n)."""
    sample = np.empty((table.shape[2], len(rows), table.shape[1]), np.int16)
    for k, row in enumerate(rows):
        sample[:, k] = np.asarray(table[int(row)]).T
    return sample


def chosen_ranks(n: int) -> tuple[int, ...]:
    """How many factors each plane has in a table of `n` positions a side: more save bits of codes and cost time.

    Examples
    --------
    >>> chosen_ranks(54264), chosen_ranks(8008), chosen_ranks(28)
    ((64, 192, 384, 320), (64, 128, 256, 192), (0, 0, 0, 0))
    """
    share = min(1.0, (n / 54264) ** 0.25 if n > 3000 else n / 6000)
    group = _WIDE_GROUP if n > 6000 else GROUP
    return tuple(round(count * share / group) * group for count in _MAX_COUNTS)


@dataclass(frozen=True, slots=True)
class Basis:
    """Leading directions of a plane in the space of its columns.

    Attributes
    ----------
    rows : int
        Of the plane, that they were learnt from.
    lengths : float64 ndarray of shape (count,)
        What each weighs in those, falling.
    directions : float64 ndarray of shape (n, count)
        Of length 1.
    """

    rows: int
    lengths: Floats
    directions: Floats


def leading_basis(sample: npt.NDArray[np.int16], count: int, n_threads: int) -> Basis:
    """Find the leading directions of a plane, of rows of which there is a sample.

    Fewer than `count` come if the sample has fewer that matter, none if it has fewer rows.
    """
    rows = sample.astype(np.float64)
    m, n = rows.shape
    if not 0 < count <= m:
        return Basis(m, np.zeros(0), np.zeros((n, 0)))
    values, vectors = leading_vectors(rows @ rows.T, count, n_threads)
    count = min(count, int(np.count_nonzero(values > _MIN_SHARE * max(values[0], 1.0))))
    lengths = np.sqrt(values[:count])
    whole = np.rint(vectors[:count] * (1 << _VECTOR_BITS)) @ rows
    return Basis(m, lengths, whole.T / ((1 << _VECTOR_BITS) * lengths))


def opponent_factors(basis: Basis, count: int, multiple: int = GROUP, max_shift: int = _MAX_SHIFT) -> PlaneFactors:
    """Make factors of opponents: of `count` directions, or of as many multiples of `multiple` as there are."""
    n, have = basis.directions.shape
    count = min(count, have // multiple * multiple)
    if count == 0:
        return PlaneFactors(np.zeros((n, 0), np.int16), 0)
    # Both sides get a root of what a direction weighs in all of the table, as root mean squares of their elements.
    weights = basis.lengths[:count] / np.sqrt(float(basis.rows * n))
    groups, width = count // (count & -count), count & -count
    heaviest = max(float(sum(weights[k::groups].tolist())) / width for k in range(groups))
    shift = 0
    while shift < max_shift and heaviest * 2 ** (shift + 1) <= _MAX_STEPS**2:
        shift += 1
    scaled = basis.directions[:, :count] * (np.sqrt(weights * 2**shift) * np.sqrt(float(n)))
    turned = np.concatenate([_spread(scaled[:, k::groups]) for k in range(groups)], axis=1)
    return PlaneFactors(np.clip(np.rint(turned), -_INT16, _INT16).astype(np.int16), shift)


def _spread(columns: Floats) -> Floats:
    """Rotate columns, whose number is a power of two, so that all have the same weight (Hadamard's matrix).

    The first direction carries nearly all of a value: one factor alone would need far more than 16 bits for it.
    """
    width = columns.shape[1]
    turned, step = columns, 1
    while step < width:
        pairs = turned.reshape(len(turned), -1, 2, step)
        turned = np.stack([pairs[:, :, 0] + pairs[:, :, 1], pairs[:, :, 0] - pairs[:, :, 1]], axis=2)
        turned = turned.reshape(len(columns), width)
        step *= 2
    spread: Floats = turned / np.sqrt(float(width))
    return spread


def sample_columns(n: int) -> npt.NDArray[np.int64]:
    """Numbers of the columns that factors of the player on roll are found from, see `sample_rows`."""
    return sample_rows(n, _COLUMNS)


def solver_of(
    plane: PlaneFactors, columns: npt.NDArray[np.int64], n_threads: int
) -> Callable[[npt.NDArray[np.int16]], npt.NDArray[np.int16]]:
    """Solver for the factors of the player on roll in a plane: of some columns of its rows, (rows, count)."""
    if not plane.count:
        return lambda rows: np.zeros((len(rows), 0), np.int16)
    opponent = plane.opponent[columns].astype(np.float64)
    matrix = opponent.copy()
    solve_rows(opponent.T @ opponent, matrix, n_threads)
    matrix *= 2.0**plane.shift
    bits = _SOLVER_BITS - int(np.ceil(np.log2(max(float(np.abs(matrix).max()), 1e-300))))
    matrix = np.rint(np.ldexp(matrix, bits))

    def solve(rows: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        found = np.rint(np.ldexp(rows.astype(np.float64) @ matrix, -bits))
        return np.clip(found, -_INT16, _INT16).astype(np.int16)

    return solve


def planes_table(factors: Sequence[PlaneFactors]) -> npt.NDArray[np.int32]:
    """The columns of `packed/planes`: first factor, count and shift of each plane."""
    starts = np.cumsum([0, *(one.count for one in factors)])
    return np.array([(start, one.count, one.shift) for start, one in zip(starts, factors, strict=False)], np.int32)
