"""The jumps of recorded games by the chance that they started from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, Summarised
from bgrace.cube.jump.estimates.recorded import Game, jump_statistics
from bgrace.cube.jump.volatility_profile import VolatilityRamp
from bgrace.errors import ArgumentError

__all__ = ["Buckets", "bucket_jumps"]


@dataclass(frozen=True, slots=True, repr=False)
class Buckets(Summarised):
    """Jumps by the chance of winning that they start from.

    Attributes
    ----------
    edges : float64 ndarray, shape (n + 1,)
        Limits of the buckets, from 0 to 1.
    counts : int64 ndarray, shape (n,)
        Jumps in each.
    standard_deviation, mean_absolute_jump : float64 ndarray, shape (n,)
        Of each bucket's jumps; NaN where there are none.
    """

    edges: Floats
    counts: npt.NDArray[np.int64]
    standard_deviation: Floats
    mean_absolute_jump: Floats

    @property
    def centers(self) -> Floats:
        """Middle of each bucket, float64 of shape (n,)."""
        return (self.edges[1:] + self.edges[:-1]) / 2

    def fit(self, width: float = 0.1, measure: str = "standard_deviation") -> VolatilityRamp:
        """The paper's heuristic form: constant inside, straight to zero over the last `width` at both ends.

        Parameters
        ----------
        width : float
            Where it begins to fall.
        measure : str
            Which profile to fit: ``"standard_deviation"``, as figure 6 does, or ``"mean_absolute_jump"``.

        Returns
        -------
        VolatilityRamp
            The level is the least-squares one, every bucket weighted by its number of jumps.

        Raises
        ------
        ArgumentError
            If the measure is unknown or there are no jumps.

        Notes
        -----
        Higgins, version of March 2012, appendix 4, figure 6, which finds a standard deviation of 0.114.
        """
        if measure not in ("standard_deviation", "mean_absolute_jump"):
            raise ArgumentError(f"measure={measure!r} is unknown: use mean_absolute_jump or standard_deviation")
        if not self.counts.sum():
            raise ArgumentError("there are no jumps to fit")
        shape = VolatilityRamp(1.0, width)(self.centers)
        values = np.nan_to_num(getattr(self, measure))
        level = (self.counts * shape * values).sum() / (self.counts * shape**2).sum()
        return VolatilityRamp(float(level), width)


def bucket_jumps(games: Iterable[Game], n_buckets: int = 20) -> Buckets:
    """Jumps of all turns of both sides, by the chance of winning before them.

    Parameters
    ----------
    games : iterable of Game
    n_buckets : int
        Equal parts of [0, 1]; 20 in the paper.  The last one includes 1.

    Returns
    -------
    Buckets
    """
    pairs = [side for game in games for side in game.sides()]
    own = np.concatenate([np.zeros(0), *(pair[0] for pair in pairs)])
    jumps = np.concatenate([np.zeros(0), *(pair[1] - pair[0] for pair in pairs)])
    bucket = np.minimum((own * n_buckets).astype(np.int64), n_buckets - 1)
    statistics = [jump_statistics(jumps[bucket == k]) for k in range(n_buckets)]
    return Buckets(
        np.linspace(0, 1, n_buckets + 1),
        np.array([s.n for s in statistics], dtype=np.int64),
        np.array([s.standard_deviation for s in statistics]),
        np.array([s.mean_absolute_jump for s in statistics]),
    )
