"""The normal distribution, element by element, and pip counts to apply it to."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, as_floats, check_broadcast
from bgrace.errors import ArgumentError

__all__ = [
    "if_playing",
    "lead_and_sum",
    "phi",
    "phi_inverse",
    "real_pips",
]


def phi(z: Floats) -> Floats:
    """Evaluate the standard normal distribution function."""
    flat = [0.5 * math.erfc(-value / math.sqrt(2)) for value in z.ravel().tolist()]
    return np.array(flat, dtype=np.float64).reshape(z.shape)


def phi_inverse(probability: npt.ArrayLike) -> Floats:
    """Evaluate the inverse of the standard normal distribution function; ArgumentError unless between 0 and 1."""
    values = as_floats(probability, f"{probability!r} is not a probability: give numbers between 0 and 1")
    if not np.all((values > 0) & (values < 1)):
        raise ArgumentError(f"a normal table has no entry for {probability!r}: give numbers between 0 and 1")
    from statistics import NormalDist  # noqa: PLC0415  (takes a while, and few ask)

    inverse = NormalDist().inv_cdf
    return np.array([inverse(value) for value in values.ravel().tolist()]).reshape(values.shape)


def real_pips(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return both pip counts as float64; ArgumentError if one is negative or not finite."""
    problem = f"x={x!r}, y={y!r} are not pip counts: give numbers of 0 or more"
    own, other = as_floats(x, problem), as_floats(y, problem)
    for name, value in (("x", own), ("y", other)):
        if not np.all(value >= 0) or not np.all(np.isfinite(value)):
            raise ArgumentError(f"{name}={value} is not a pip count: give numbers of 0 or more")
    check_broadcast(x=own, y=other)
    return own, other


def if_playing(x: npt.ArrayLike, y: npt.ArrayLike, values: Floats) -> Floats:
    """Replace win probabilities of races that are over: 1 where only `x` is 0, 0 where only `y` is."""
    own, other = np.asarray(x), np.asarray(y)
    return np.where((own == 0) & (other > 0), 1.0, np.where((other == 0) & (own > 0), 0.0, values))


def lead_and_sum(
    x: npt.ArrayLike, y: npt.ArrayLike, least: float, formula: str, *, included: bool = False
) -> tuple[Floats, Floats]:
    """Return ``y - x`` and ``x + y``; ArgumentError unless the sum is above `least`, or at least that."""
    own, other = real_pips(x, y)
    both = own + other
    if not np.all(both >= least if included else both > least):
        limit = f"{'at least' if included else 'more than'} {least:g}"
        raise ArgumentError(f"x + y = {both.min():g} pips: {formula} is for {limit} pips together")
    return other - own, both
