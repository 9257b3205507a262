"""The published grid scheme: equal buckets, straight pieces, decision points anywhere between the nodes.

Its error falls with the bucket's width only (with its square for double-exponential jumps), because the straight
continuation beyond 0 and 1 takes its slope from the last two nodes and because the points fall within buckets.  It is
kept as the paper describes it, to be compared with; `bgrace.cube.jump.exact` has the scheme to use.

Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model" (version of April 2012), appendix 2.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats
from bgrace.cube.jump import closed_form
from bgrace.cube.jump.distributions import Distribution, bucket_weights, distribution
from bgrace.cube.jump.exact_model import check_buckets, closed_points
from bgrace.cube.jump.volatility_profile import VolatilityLike, as_profile
from bgrace.cube.model import CubeModel, DecisionPoints, check_stakes
from bgrace.errors import ArgumentError

ROUNDS = 60


@dataclass(frozen=True, kw_only=True, repr=False)
class PublishedGrid(DecisionPoints[float], CubeModel[float]):
    """Decision points and equities by the published scheme."""

    win: float
    lose: float
    values: tuple[Floats, Floats, Floats] = field(repr=False)  # E_C, E_P and E_O at equal nodes, straight between

    def _equities(self, P: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        nodes = np.linspace(0, 1, len(self.values[0]))
        centered, mine, theirs = (np.asarray(np.interp(P, nodes, values)) for values in self.values)
        return P * (self.win + self.lose) - self.lose, centered, mine, theirs


def published_grid(
    win: float, lose: float, volatility: VolatilityLike, jumps: str = "double-exponential", buckets: int | None = None
) -> PublishedGrid:
    """Solve the jump model as the paper does; parameters and errors as for `bgrace.cube.jump.exact`."""
    W, L = (float(value) for value in check_stakes(win, lose))
    profile, kind = as_profile(volatility), distribution(jumps)
    n = check_buckets(buckets, profile.central)
    points = {"too_good_centered": 1.0, "opponent_too_good_centered": 0.0}
    points |= closed_points(closed_form.solve(W, L, min(profile.central, 1.0)), jacoby=False)
    nodes = np.linspace(0, 1, n + 1)
    inside, beyond = jump_matrix(n, profile(nodes), kind)
    grid = Grid(W, L, nodes, inside[1:-1], beyond[1:-1])
    E_P, E_O = owned(grid, points)
    E_C = centered(grid, points, E_P, E_O)
    return PublishedGrid(**points, win=W, lose=L, values=(E_C, E_P, E_O))


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


def upward(values: Floats, default: float) -> float:
    """First upward crossing of zero, by linear interpolation between the nodes."""
    crossings = np.flatnonzero((values[:-1] < 0) & (values[1:] >= 0))
    if len(crossings) == 0:
        return default
    i = int(crossings[0])
    return float((i - values[i] / (values[i + 1] - values[i])) / (len(values) - 1))


@dataclass(frozen=True, slots=True)
class Grid:
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


def owned(grid: Grid, points: dict[str, float]) -> tuple[Floats, Floats]:
    """Solve for E_P and E_O together; `points` is brought up to date."""
    P, K, B = grid.nodes, grid.K, grid.B
    n, ends = len(K), grid.curve()
    E_P = E_O = ends
    previous: list[bytes] = []
    for _ in range(ROUNDS):
        doubles = (points["redouble"] <= P) & (points["cash_point"] > P)
        cashes = (points["cash_point"] <= P) & (points["too_good_mine"] >= P)
        theirs = (points["take_point"] < P) & (points["opponent_redouble"] >= P)
        their_cashes = (points["opponent_too_good_theirs"] <= P) & (points["take_point"] >= P)
        pattern = [mask.tobytes() for mask in (doubles, cashes, theirs, their_cashes)]
        if pattern == previous:
            return E_P, E_O
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
            "take_point": upward(2 * E_P + 1, 0.0),
            "cash_point": upward(2 * E_O - 1, 1.0),
            "redouble": upward(2 * E_O - E_P, 1.0),
            "opponent_redouble": upward(2 * E_P - E_O, 0.0),
            "too_good_mine": upward(E_P - 1, 1.0) if grid.W > 1 else 1.0,
            "opponent_too_good_theirs": upward(E_O + 1, 0.0) if grid.L > 1 else 0.0,
        }
    raise grid.unsettled()


def centered(grid: Grid, points: dict[str, float], E_P: Floats, E_O: Floats) -> Floats:
    """Solve for E_C, given E_P and E_O; `points` is brought up to date."""
    P, K, B = grid.nodes, grid.K, grid.B
    ends, one = grid.curve(), np.ones(len(P))
    E_C = ends
    previous: list[bytes] = []
    for _ in range(ROUNDS):
        regions = (
            ((points["opponent_too_good_centered"] <= P) & (points["take_point"] >= P), -one),
            ((points["take_point"] < P) & (points["opponent_initial_double"] >= P), 2 * E_P),
            ((points["initial_double"] <= P) & (points["cash_point"] > P), 2 * E_O),
            ((points["cash_point"] <= P) & (points["too_good_centered"] >= P), one),
        )
        pattern = [mask.tobytes() for mask, _ in regions]
        if pattern == previous:
            return E_C
        previous = pattern
        holds = ~np.logical_or.reduce([mask for mask, _ in regions])
        known = sum(np.where(mask, value, 0.0) for mask, value in regions)
        own = K * holds + B
        E_C = grid.curve(np.linalg.solve(np.eye(len(K)) - own[:, 1:-1], own @ ends + K @ known))
        points |= {
            "initial_double": upward(2 * E_O - E_C, 1.0),
            "opponent_initial_double": upward(2 * E_P - E_C, 0.0),
            "too_good_centered": upward(E_C - 1, 1.0) if grid.W > 1 else 1.0,
            "opponent_too_good_centered": upward(E_C + 1, 0.0) if grid.L > 1 else 0.0,
        }
    raise grid.unsettled()
