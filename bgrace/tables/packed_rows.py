"""Distributions of a number of rolls as tables hold them: in float64, or packed into 16 bits.

A packed row is a number of rolls, the first whose chance is not 0, and the chances from there on as whole numbers that
sum to `CHANCE_SCALE`.  docs/file-format.md says how it lies in a file, docs/race-tables.md how exact it is.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import AnyIntegers, Rows
from bgrace._kernels.layer import CHANCE_SCALE as _CHANCE_SCALE
from bgrace.board import HOME_POINTS

CHANCE_SCALE: Final[int] = _CHANCE_SCALE
"""Certainty in 16 bits."""


def is_packed(points: int) -> bool:
    """Whether a database for `points` points holds its distributions in 16 bits: beyond the home board."""
    return points > HOME_POINTS


def unpack(
    first_roll: AnyIntegers, chances: AnyIntegers, scale: float = CHANCE_SCALE, width: int | None = None
) -> npt.NDArray[np.float64]:
    """Turn packed rows into chances of exactly 0, 1, ... rolls.

    Parameters
    ----------
    first_roll : array of int, shape (...)
    chances : array of int, shape (..., n)
    scale : float
        What certainty is.
    width : int, optional
        Columns of the result; as many as needed for the last chance that is not 0, unless given, and at least that.

    Returns
    -------
    float64 ndarray, shape (..., width)

    Examples
    --------
    >>> unpack(np.array(2), np.array([3, 1, 0]), scale=4).tolist()
    [0.0, 0.0, 0.75, 0.25]
    """
    columns = np.asarray(first_roll, dtype=np.int64)[..., np.newaxis] + np.arange(np.shape(chances)[-1])
    used = int(columns[np.asarray(chances) > 0].max(initial=-1)) + 1
    if width is None:
        width = used
    elif width < used:
        raise ValueError(f"{used} columns are needed, {width} are there")
    rows = np.zeros((*columns.shape[:-1], max(width, int(columns.max(initial=-1)) + 1)))
    np.put_along_axis(rows, columns, np.asarray(chances) / scale, axis=-1)
    return rows[..., :width]


class _Rows(Protocol):
    """An array, or what is indexed like one."""

    def __getitem__(self, index: Rows, /) -> npt.NDArray[Any]: ...


class PackedRows:
    """A table of distributions in 16 bits.

    ``rows[index]`` unpacks: chances of exactly 0, 1, ... rolls, float64, shape (..., width) for an index or an array of
    shape (...), as wide as the longest of these rows.
    """

    def __init__(self, first_roll: _Rows, chances: _Rows, scale: float) -> None:
        self._first_roll = first_roll
        self._chances = chances
        self._scale = scale

    def __getitem__(self, index: Rows) -> npt.NDArray[np.float64]:
        if isinstance(index, int):  # the short way for one row
            first = int(self._first_roll[index])
            chances = np.trim_zeros(self._chances[index], "b")
            row = np.zeros(first + len(chances))
            row[first:] = chances / self._scale
            return row
        return unpack(self._first_roll[index], self._chances[index], self._scale)
