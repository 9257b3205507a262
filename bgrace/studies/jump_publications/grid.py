"""The published grid scheme: equal buckets, straight pieces, decision points anywhere between the nodes.

Its error falls with the bucket's width only (with its square for double-exponential jumps), because the straight
continuation beyond 0 and 1 takes its slope from the last two nodes and because the points fall within buckets.  It is
kept as the paper describes it, to be compared with; `bgrace.cube.jump.exact` has the scheme to use.

Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model" (version of April 2012), appendix 2.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, scalar
from bgrace.cube.jump import closed_form
from bgrace.cube.jump.distributions import Distribution, bucket_weights, distribution
from bgrace.cube.jump.exact_model import check_buckets, closed_points
from bgrace.cube.jump.volatility_profile import Profile, VolatilityLike, as_profile
from bgrace.cube.model import CubeModel, DecisionPoints, ModelEquities, check_probability, check_stakes
from bgrace.errors import ArgumentError

__all__ = ["GridCurve", "GridSolution", "PublishedGrid", "published_grid", "solve"]

_ROUNDS = 60


@dataclass(frozen=True, slots=True)
class GridCurve:
    """An equity on equal buckets, straight between the nodes."""

    values: Floats

    def __call__(self, p: Floats) -> Floats:
        """Equity at chances `p`, float64 of the same shape."""
        return np.asarray(np.interp(p, np.linspace(0, 1, len(self.values)), self.values), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class GridSolution:
    """Equities and decision points, as a mesh has them, and the greatest residual at the nodes."""

    centered: GridCurve
    mine: GridCurve
    theirs: GridCurve
    points: dict[str, float]
    n_solves: int
    residual: float


@dataclass(frozen=True, kw_only=True, repr=False)
class PublishedGrid(DecisionPoints[float], CubeModel[float]):
    """Decision points and equities by the published scheme.

    Attributes
    ----------
    win, lose : float
        W and L.
    buckets : int
        Parts into which [0, 1] is cut.
    n_solves : int
        Linear systems that it took.
    """

    win: float
    lose: float
    buckets: int
    n_solves: int
    solution: GridSolution = field(repr=False)

    @overload
    def equities(self, p: float) -> ModelEquities[float]: ...

    @overload
    def equities(self, p: npt.ArrayLike) -> ModelEquities[Floats]: ...

    def equities(self, p: npt.ArrayLike) -> ModelEquities[Any]:
        """Equities of rolling now."""
        P = check_probability(p)
        values = self.solution.centered(P), self.solution.mine(P), self.solution.theirs(P)
        return ModelEquities(*(scalar(value) for value in (P * (self.win + self.lose) - self.lose, *values)))


def published_grid(
    win: float, lose: float, volatility: VolatilityLike, jumps: str = "double-exponential", buckets: int | None = None
) -> PublishedGrid:
    """Solve the jump model as the paper does.

    Parameters
    ----------
    win, lose, volatility, jumps, buckets
        As for `bgrace.cube.jump.exact`.

    Returns
    -------
    PublishedGrid

    Raises
    ------
    ArgumentError
        As for `bgrace.cube.jump.exact`.

    Examples
    --------
    >>> round(published_grid(1.4, 1, 0.20, buckets=100).redouble, 5)     # exact: 0.54679
    0.54681
    """
    W, L = (float(value) for value in check_stakes(win, lose))
    profile, kind = as_profile(volatility), distribution(jumps)
    n = check_buckets(buckets, profile.central)
    seed = {"too_good_centered": 1.0, "opponent_too_good_centered": 0.0}
    seed |= closed_points(closed_form.solve(W, L, min(profile.central, 1.0)), jacoby=False)
    solution = solve(W, L, profile, kind, buckets=n, seed=seed)
    return PublishedGrid(**solution.points, win=W, lose=L, buckets=n, n_solves=solution.n_solves, solution=solution)


def jump_matrix(N: int, alpha: Floats, kind: Distribution) -> tuple[Floats, Floats]:
    """Weights of the values before the decision, and of the raw equities, at N + 1 equal nodes.

    The second is what lies beyond 0 and 1: the straight continuation of the equity through its last two nodes.
    """
    P, h = np.linspace(0, 1, N + 1), 1 / N
    inside, F, G = bucket_weights(kind, P, alpha[:, None])
    beyond = np.zeros((N + 1, N + 1))
    w0, w1 = (P * F[:, 0] + G[:, 0]) / h, ((1 - P) * (1 - F[:, -1]) + G[:, -1]) / h
    beyond[:, 0] += F[:, 0] - w0
    beyond[:, 1] += w0
    beyond[:, -1] += 1 - F[:, -1] - w1
    beyond[:, -2] += w1
    return inside, beyond


def _upward(values: Floats, default: float) -> float:
    """First upward crossing of zero, by linear interpolation between the nodes."""
    crossings = np.flatnonzero((values[:-1] < 0) & (values[1:] >= 0))
    if len(crossings) == 0:
        return default
    i = int(crossings[0])
    return float((i - values[i] / (values[i + 1] - values[i])) / (len(values) - 1))


def solve(
    W: float, L: float, profile: Profile, kind: Distribution, *, buckets: int, seed: dict[str, float]
) -> GridSolution:
    """Solve on `buckets` equal buckets; parameters as in `bgrace.cube.jump.numerical.solve`.

    Raises
    ------
    ArgumentError
        If the points don't settle.
    """
    points, nodes = dict(seed), np.linspace(0, 1, buckets + 1)
    inside, beyond = jump_matrix(buckets, profile(nodes), kind)
    grid = _Grid(W, L, nodes, inside[1:-1], beyond[1:-1])
    E_P, E_O, first = _owned(grid, points)
    E_C, then = _centered(grid, points, E_P, E_O)
    residual = _residual(grid.K, grid.B, E_C, E_P, E_O)
    return GridSolution(GridCurve(E_C), GridCurve(E_P), GridCurve(E_O), points, first + then, residual)


@dataclass(frozen=True, slots=True)
class _Grid:
    """A problem on equal buckets, its equations for the inner nodes only: at the ends an equity is -L and W."""

    W: float
    L: float
    nodes: Floats
    K: Floats  # weights of the values before the decision, [inner node, node]
    B: Floats  # weights of the equities themselves

    def curve(self, inner: npt.ArrayLike = 0.0) -> Floats:
        """An equity at all nodes."""
        values = np.zeros(len(self.nodes))
        values[1:-1] = inner
        values[[0, -1]] = -self.L, self.W
        return values

    def unsettled(self) -> ArgumentError:
        """What to raise where the points go on changing."""
        return ArgumentError(
            f"win={self.W:g}, lose={self.L:g}, {len(self.nodes) - 1} buckets: the points don't settle; "
            "give at least 2/volatility"
        )


def _owned(grid: _Grid, points: dict[str, float]) -> tuple[Floats, Floats, int]:
    """Solve for E_P and E_O together; `points` is brought up to date."""
    P, K, B = grid.nodes, grid.K, grid.B
    n, ends = len(K), grid.curve()
    E_P = E_O = ends
    previous: list[bytes] = []
    for done in range(_ROUNDS):
        doubles = (points["redouble"] <= P) & (points["cash_point"] > P)
        cashes = (points["cash_point"] <= P) & (points["too_good_mine"] >= P)
        theirs = (points["take_point"] < P) & (points["opponent_redouble"] >= P)
        their_cashes = (points["opponent_too_good_theirs"] <= P) & (points["take_point"] >= P)
        pattern = [mask.tobytes() for mask in (doubles, cashes, theirs, their_cashes)]
        if pattern == previous:
            return E_P, E_O, done
        previous = pattern
        own_P, own_O = K * ~(doubles | cashes) + B, K * ~(theirs | their_cashes) + B
        double_P, double_O = 2 * K * doubles, 2 * K * theirs
        eye = np.eye(n)
        left = np.block([[eye - own_P[:, 1:-1], -double_P[:, 1:-1]], [-double_O[:, 1:-1], eye - own_O[:, 1:-1]]])
        right = np.concatenate(
            [(own_P + double_P) @ ends + K @ cashes, (own_O + double_O) @ ends - K @ their_cashes],
        )
        values = np.linalg.solve(left, right)
        E_P, E_O = grid.curve(values[:n]), grid.curve(values[n:])
        points |= {
            "take_point": _upward(2 * E_P + 1, 0.0),
            "cash_point": _upward(2 * E_O - 1, 1.0),
            "redouble": _upward(2 * E_O - E_P, 1.0),
            "opponent_redouble": _upward(2 * E_P - E_O, 0.0),
            "too_good_mine": _upward(E_P - 1, 1.0) if grid.W > 1 else 1.0,
            "opponent_too_good_theirs": _upward(E_O + 1, 0.0) if grid.L > 1 else 0.0,
        }
    raise grid.unsettled()


def _centered(grid: _Grid, points: dict[str, float], E_P: Floats, E_O: Floats) -> tuple[Floats, int]:
    """Solve for E_C, given E_P and E_O; `points` is brought up to date."""
    P, K, B = grid.nodes, grid.K, grid.B
    ends, one = grid.curve(), np.ones(len(P))
    E_C = ends
    previous: list[bytes] = []
    for done in range(_ROUNDS):
        regions = (
            ((points["opponent_too_good_centered"] <= P) & (points["take_point"] >= P), -one),
            ((points["take_point"] < P) & (points["opponent_initial_double"] >= P), 2 * E_P),
            ((points["initial_double"] <= P) & (points["cash_point"] > P), 2 * E_O),
            ((points["cash_point"] <= P) & (points["too_good_centered"] >= P), one),
        )
        pattern = [mask.tobytes() for mask, _ in regions]
        if pattern == previous:
            return E_C, done
        previous = pattern
        holds = ~np.logical_or.reduce([mask for mask, _ in regions])
        known = sum(np.where(mask, value, 0.0) for mask, value in regions)
        own = K * holds + B
        E_C = grid.curve(np.linalg.solve(np.eye(len(K)) - own[:, 1:-1], own @ ends + K @ known))
        points |= {
            "initial_double": _upward(2 * E_O - E_C, 1.0),
            "opponent_initial_double": _upward(2 * E_P - E_C, 0.0),
            "too_good_centered": _upward(E_C - 1, 1.0) if grid.W > 1 else 1.0,
            "opponent_too_good_centered": _upward(E_C + 1, 0.0) if grid.L > 1 else 0.0,
        }
    raise grid.unsettled()


def _residual(K: Floats, B: Floats, E_C: Floats, E_P: Floats, E_O: Floats) -> float:
    """Greatest violation of the three equations, with true maxima and minima at the nodes."""
    H_P = np.maximum(E_P, np.minimum(2 * E_O, 1))
    H_O = np.minimum(E_O, np.maximum(2 * E_P, -1))
    mine, theirs = np.minimum(2 * E_O, 1), np.maximum(2 * E_P, -1)
    H_C = np.where(mine > E_C, mine, np.where(theirs < E_C, theirs, E_C))
    gaps = [(K @ H + B @ E - E[1:-1]) for H, E in ((H_P, E_P), (H_O, E_O), (H_C, E_C))]
    return float(max(np.abs(gap).max() for gap in gaps))
