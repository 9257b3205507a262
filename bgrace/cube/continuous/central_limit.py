"""The central limit theorem for sums of winnings."""

from __future__ import annotations

import math
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, as_floats, scalar
from bgrace.errors import ArgumentError

__all__ = ["chance_within_norming", "norming_constant", "truncated_second_moment"]


@overload
def truncated_second_moment(x: float) -> float: ...
@overload
def truncated_second_moment(x: npt.ArrayLike) -> Floats: ...
def truncated_second_moment(x: npt.ArrayLike) -> Any:
    """Second moment of `winnings` cut off at x: the mean of the square where the absolute value is at most x.

    Parameters
    ----------
    x : float or array_like
        0 or more.

    Returns
    -------
    float, or float64 ndarray of the same shape
        3 floor(log2 x) for x >= 1, else 0.

    Raises
    ------
    ArgumentError
        If `x` is negative or not finite.

    Notes
    -----
    Dotsenko and Marynych, proof of Theorem 2.  It varies slowly, so sums are asymptotically normal although the
    variance is infinite.

    Examples
    --------
    >>> truncated_second_moment([0.5, 1.9, 2, 1024]).tolist()
    [0.0, 0.0, 3.0, 30.0]
    """
    problem = f"x={x!r} cannot be used: give numbers of 0 or more"
    value = as_floats(x, problem)
    if not np.all((value >= 0) & np.isfinite(value)):
        raise ArgumentError(problem)
    # frexp is exact where a logarithm might round a power of two down: x = m 2^e, 1/2 <= m < 1.
    moment = 3.0 * np.maximum(np.frexp(value)[1] - 1, 0)
    return scalar(moment)


def norming_constant(n: int) -> float:
    """Scale of the sum of n independent `winnings`: a_n = sqrt(1.5 n log2 n).

    Parameters
    ----------
    n : int
        Number of games, 2 or more.

    Returns
    -------
    float
        In units of the first stake.

    Raises
    ------
    ArgumentError
        If `n` is less than 2.

    Notes
    -----
    Dotsenko and Marynych, Theorem 2: the sum divided by a_n tends to the standard normal distribution.  Very slowly:
    see `chance_within_norming`, and do not use a_n for error bars.

    Examples
    --------
    >>> round(norming_constant(10_000), 3)
    446.448
    """
    problem = f"n={n} games are too few for a norming constant: give 2 or more"
    if not as_floats(n, problem) >= 2:
        raise ArgumentError(problem)
    return math.sqrt(1.5 * n * math.log2(n))


def chance_within_norming(n: int) -> float:
    """Chance that the sum of n independent `winnings` is within a_n of 0; in the limit 0.6827.

    Parameters
    ----------
    n : int
        Number of games, 2 to 10,000,000.

    Returns
    -------
    float
        Exact to about 1e-5: the sum's distribution is found by fast Fourier transform on a circle so large that
        hardly any sum goes round it.

    Raises
    ------
    ArgumentError
        If `n` is out of range.

    Notes
    -----
    Dotsenko and Marynych, Theorem 2, say nothing of the rate: it is logarithmic.

    Examples
    --------
    >>> round(chance_within_norming(1000), 4)
    0.582
    """
    problem = f"n={n} games cannot be counted: give a whole number, at most 10,000,000"
    if not as_floats(n, problem) <= 10_000_000:
        raise ArgumentError(problem)
    a_n = norming_constant(n)
    # Winnings are even, so half of them lives on the integers.  A single game beyond the circle, 2**size, would have to
    # win more than 1000 a_n: of n games one does with a chance of about n / (1000 a_n)^2, below 1e-6.
    size = 1 << math.ceil(math.log2(1000 * a_n))
    chances = np.zeros(size)
    k = 1
    while 2 ** (k - 1) < size:
        # Half of the circle is where 2^(k-1) and its negative fall together; both are meant.
        chances[2 ** (k - 1)] += 0.375 * 0.25 ** (k - 1)
        chances[-(2 ** (k - 1))] += 0.375 * 0.25 ** (k - 1)
        k += 1
    chances[0] += 1 - chances.sum()  # farther ones come round to where they started
    sums = np.fft.irfft(np.fft.rfft(chances) ** n, size)
    reach = int(a_n / 2)
    return float(sums[0] + sums[1 : reach + 1].sum() + sums[-reach:].sum()) if reach else float(sums[0])
