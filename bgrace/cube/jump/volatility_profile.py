"""Jump volatility as a function of the chance of winning: constant, falling to zero at the ends, or any function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, as_number
from bgrace.cube.model import check_number, check_volatility

Function: TypeAlias = Callable[[Floats], npt.ArrayLike]


@dataclass(frozen=True, slots=True)
class VolatilityRamp:
    """A volatility that is constant inside and falls to zero in straight lines at both ends.

    Attributes
    ----------
    level : float
        Jump volatility inside.
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
    """Volatility that is `level` inside and falls to zero over the last `width` at both ends.

    Parameters
    ----------
    level : float
        Jump volatility inside, from 0 to 1.
    width : float
        Above 0, at most 0.5.

    Returns
    -------
    VolatilityRamp
        To be given to `bgrace.cube.jump.exact`.

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
    """A volatility ready for the numerical solution.

    Attributes
    ----------
    function : callable
        Volatility at an array of chances.
    kinks : tuple of float
        Chances where it has a kink, which the mesh should know.
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
