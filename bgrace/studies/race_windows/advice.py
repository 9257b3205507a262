"""The single-checker table asked with expected pips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, overload

import numpy as np
import numpy.typing as npt

from bgrace import scm
from bgrace._base.arrays import Floats, as_floats
from bgrace.board.dice import MEAN_PIPS
from bgrace.cube import race
from bgrace.cube.action import EXACT_TIE
from bgrace.errors import ArgumentError

__all__ = ["DECISIONS", "Decision", "equivalent_pips", "interpolated", "single_checker_lead", "table_gains"]

Decision = Literal["double", "redouble", "take"]

DECISIONS: Final[tuple[Decision, ...]] = ("double", "redouble", "take")
"""Double a centered cube, redouble an own one, take."""


@overload
def equivalent_pips(epc: float) -> float: ...
@overload
def equivalent_pips(epc: npt.NDArray[np.floating] | Sequence[float]) -> Floats: ...
def equivalent_pips(epc: float | npt.NDArray[np.floating] | Sequence[float]) -> float | Floats:
    """Pip count at which a single checker has an expected pip count.

    Parameters
    ----------
    epc : float or array_like
        Expected pips, 49/6 to about 1800.

    Returns
    -------
    float, or float64 ndarray of the same shape
        Interpolated between whole pips; about ``epc - 4.714`` in a long race.

    Raises
    ------
    ArgumentError
        If any is less than 49/6, one roll, or too great.

    Examples
    --------
    >>> round(equivalent_pips(10.2083333), 4), round(equivalent_pips(60), 3)
    (6.0, 55.287)
    """
    # Three pips are the most that any roll brings: below, a single checker takes one roll as well.
    known = _single_checker_epc()
    problem = f"epc={epc!r} is out of range: a position takes 49/6 pips, one roll, to {known[-1]:.0f}"
    values = as_floats(epc, problem)
    if not np.all((values >= known[3] - 1e-9) & (values <= known[-1])):
        raise ArgumentError(problem)
    pips = np.interp(values, known[3:], np.arange(3, len(known)))
    return float(pips) if values.ndim == 0 else pips


def _single_checker_epc() -> Floats:
    return np.asarray(scm.mean_rolls(np.arange(race.MAX_WINDOWS + 1)) * MEAN_PIPS)


def interpolated(table: Floats, k: Floats, s: Floats) -> Floats:
    """Values of a table between whole pips, by the four around.

    Parameters
    ----------
    table : float64 ndarray, shape (limit + 1, limit + 1)
        ``[k, s]``, as of `bgrace.cube.race.RaceTable`.
    k, s : float64 ndarray
        Pips from 0 to below the limit; they broadcast.

    Returns
    -------
    float64 ndarray
    """
    row, column = np.floor(k).astype(np.int64), np.floor(s).astype(np.int64)
    down, right = k - row, s - column
    above = table[row, column] * (1 - right) + table[row, column + 1] * right
    below = table[row + 1, column] * (1 - right) + table[row + 1, column + 1] * right
    return np.asarray(above * (1 - down) + below * down)


def table_gains(table: race.RaceTable, k: Floats, s: Floats) -> dict[Decision, Floats]:
    """Work out what a double, a redouble and a take gain in the single-checker model."""
    doubled = interpolated(table.double_take, k, s)
    either = np.minimum(doubled, 1)
    return {
        "double": either - interpolated(table.no_double_centered, k, s),
        "redouble": either - interpolated(table.no_double_mine, k, s),
        "take": 1 - doubled,
    }


def single_checker_lead(epc: float) -> dict[Decision, float]:
    """Leads in EPC at which the single-checker advice changes.

    Parameters
    ----------
    epc : float
        Expected pips of the player on roll.

    Returns
    -------
    dict
        Least lead to double and to redouble, and greatest to take, in expected pips, to 0.01; NaN where there is none.

    Raises
    ------
    ArgumentError
        If `epc` is less than 49/6.

    Examples
    --------
    >>> leads = single_checker_lead(60)
    >>> round(leads["double"], 1), round(leads["redouble"], 1), round(leads["take"], 1)
    (4.2, 5.4, 8.5)
    """
    k = equivalent_pips(epc)
    others = np.arange(max(epc - 20, MEAN_PIPS), epc + 40, 0.01)
    s = equivalent_pips(others)
    gains = table_gains(race.solve(int(s.max()) + 2), np.full(s.shape, k), s)
    leads: dict[Decision, float] = {}
    for decision in DECISIONS:
        yes = np.flatnonzero(gains[decision] >= -EXACT_TIE)
        at = yes[-1] if decision == "take" and yes.size else yes[0] if yes.size else None
        leads[decision] = float("nan") if at is None else float(others[at] - epc)
    return leads
