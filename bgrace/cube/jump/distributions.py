"""The two distributions of jumps, changes of the chance of winning from one decision of a player to their next.

Everything is in units of the jump volatility alpha = E|J|: with z = x/alpha,

    F(x) = integral of f up to x,    G(x) = integral of J f(J) up to x = alpha * g(z),

and the upper moments T_k(d) = integral of z^k f(z) from d to infinity, for a unit volatility and d >= 0.

Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model" (version of April 2012), appendix 2.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, as_choice, as_number, elementwise
from bgrace.cube.model import check_number, check_volatility

Jumps: TypeAlias = Literal["double-exponential", "gaussian"]

_TINY: Final = 1e-300
_erfc: Final = np.frompyfunc(math.erfc, 1, 1)  # numpy has none


class Distribution(ABC):
    """A symmetric distribution of jumps with mean absolute value 1.

    Attributes
    ----------
    name : str
        As in `DISTRIBUTIONS`.
    ratio : float
        E|J| divided by the standard deviation.
    """

    name: Jumps
    ratio: float

    @abstractmethod
    def density(self, d: Floats) -> Floats:
        """Density f at distances d >= 0."""

    @abstractmethod
    def moments(self, d: Floats, highest: int) -> list[Floats]:
        """Upper moments T_0, ..., T_highest at distances d >= 0, each of the shape of `d`."""


class _DoubleExponential(Distribution):
    """Density exp(-|z|)/2."""

    name = "double-exponential"
    ratio = 1 / math.sqrt(2)

    def density(self, d: Floats) -> Floats:
        return np.asarray(np.exp(-d) / 2, dtype=np.float64)

    def moments(self, d: Floats, highest: int) -> list[Floats]:
        term = np.exp(-d) / 2
        listed = [term]
        for k in range(1, highest + 1):
            term = term * d
            listed.append(term + k * listed[-1])
        return listed


class _Gaussian(Distribution):
    """Normal density with standard deviation sqrt(pi/2), so that the mean absolute value is 1."""

    name = "gaussian"
    ratio = math.sqrt(2 / math.pi)

    def density(self, d: Floats) -> Floats:
        return np.asarray(np.exp(-((d * self.ratio) ** 2) / 2) / math.pi, dtype=np.float64)

    def moments(self, d: Floats, highest: int) -> list[Floats]:
        s = 1 / self.ratio
        tail = np.zeros_like(d)
        near = d < 40 * s  # beyond this erfc is 0, and computing it takes time
        tail[near] = np.asarray(_erfc(d[near] / (s * math.sqrt(2))), dtype=np.float64) / 2
        listed = [tail]
        term = s * np.exp(-((d / s) ** 2) / 2) / math.sqrt(2 * math.pi)  # s^2 times the density
        for k in range(1, highest + 1):
            listed.append(term + (k - 1) * s * s * listed[k - 2] if k > 1 else term)
            term = term * d
        return listed


DISTRIBUTIONS: Final[dict[str, Distribution]] = {
    "double-exponential": _DoubleExponential(),
    "gaussian": _Gaussian(),
}
"""The jump distributions by name."""


def distribution(jumps: str) -> Distribution:
    """Return the distribution of a name, or raise ArgumentError."""
    return DISTRIBUTIONS[as_choice("jumps", jumps, DISTRIBUTIONS)]


@elementwise
def from_standard_deviation(deviation: npt.ArrayLike, jumps: str = "gaussian") -> Floats:
    """Jump volatility, the mean absolute jump, of jumps with a given standard deviation.

    Parameters
    ----------
    deviation : float or array_like
        Standard deviation of the jump, from 0 to 1.
    jumps : str
        Shape of the jumps: ``"gaussian"`` (factor 0.7979) or ``"double-exponential"`` (0.7071).

    Returns
    -------
    float, or float64 ndarray
        Jump volatility.  A standard deviation used in its place, without conversion, is 25 to 41 percent too large.

    Raises
    ------
    ArgumentError
        If a number is out of range or the shape unknown.

    Examples
    --------
    >>> round(from_standard_deviation(0.114), 6)
    0.090959
    """
    return check_volatility(deviation, "deviation") * distribution(jumps).ratio


@elementwise
def to_standard_deviation(volatility: npt.ArrayLike, jumps: str = "gaussian") -> Floats:
    """Standard deviation of jumps with a given jump volatility; the inverse of `from_standard_deviation`.

    Examples
    --------
    >>> round(to_standard_deviation(0.1, "double-exponential"), 6)
    0.141421
    """
    return check_volatility(volatility) / distribution(jumps).ratio


def cdf_and_mean(kind: Distribution, x: npt.ArrayLike, alpha: npt.ArrayLike) -> tuple[Floats, Floats]:
    """F(x) and G(x) of jumps with volatility `alpha`; for alpha = 0 a step, halved at x = 0."""
    x, alpha = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(alpha, dtype=np.float64))
    with np.errstate(over="ignore"):
        z = np.clip(x / np.maximum(alpha, _TINY), -1e9, 1e9)
    upper, mean = kind.moments(np.abs(z), 1)
    return np.where(z < 0, upper, 1 - upper), -alpha * mean


Function: TypeAlias = Callable[[Floats], npt.ArrayLike]


@dataclass(frozen=True, slots=True)
class VolatilityRamp:
    """A volatility that is constant in the middle and falls to zero in straight lines at both ends.

    Attributes
    ----------
    level : float
        Jump volatility in the middle.
    width : float
        Chance of winning, and of losing, below which it falls; 0.1 in the papers.
    """

    level: float
    width: float = 0.1

    def __call__(self, p: Floats) -> Floats:
        """Jump volatility at chances `p`, float64 of the same shape."""
        return self.level * np.minimum(1.0, np.minimum(p, 1 - p) / self.width)


VolatilityLike: TypeAlias = float | VolatilityRamp | Function


def ramp(level: float, width: float = 0.1) -> VolatilityRamp:
    """Volatility that is `level` in the middle and falls to zero over the last `width` at both ends.

    Parameters
    ----------
    level : float
        Jump volatility in the middle, from 0 to 1.
    width : float
        Above 0, at most 0.5.

    Returns
    -------
    VolatilityRamp
        For `bgrace.cube.jump.exact`.

    Raises
    ------
    ArgumentError
        If a number is out of range.

    Notes
    -----
    Higgins, version of March 2012, appendix 4, figure 6.

    Examples
    --------
    >>> ramp(0.09)(np.array([0.0, 0.05, 0.5])).round(3).tolist()
    [0.0, 0.045, 0.09]
    """
    problem = "level and width of a ramp are single numbers"
    checked = check_volatility(level, "level"), check_number("width", width, 1e-6, 0.5, "a chance of winning")
    return VolatilityRamp(*(as_number(value, problem) for value in checked))


@dataclass(frozen=True, slots=True)
class Profile:
    """A volatility for the numerical solution.

    Attributes
    ----------
    function : callable
        Volatility at an array of chances.
    kinks : tuple of float
        Chances at which it has a kink, for nodes of the mesh.
    constant : float or None
        Its value if it is the same everywhere.
    central : float
        Its value in the middle.
    """

    function: Function
    kinks: tuple[float, ...]
    constant: float | None
    central: float

    def __call__(self, p: Floats) -> Floats:
        """Jump volatility at chances `p`, checked."""
        return check_volatility(np.broadcast_to(np.asarray(self.function(p), dtype=np.float64), p.shape))


def as_profile(volatility: VolatilityLike) -> Profile:
    """Read a constant, a ramp or a function as a profile."""
    if isinstance(volatility, VolatilityRamp):
        return Profile(volatility, (volatility.width, 1 - volatility.width), None, volatility.level)
    if callable(volatility):
        central = float(check_volatility(np.asarray(volatility(np.array([0.5])), dtype=np.float64).flat[0]))
        return Profile(volatility, (), None, central)
    value = as_number(check_volatility(volatility), f"volatility={volatility!r:.80}: give one number, or a function")
    return Profile(lambda p: np.full(p.shape, value), (), value, value)
