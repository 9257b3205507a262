"""The exact solution of the jump model's three coupled integral equations, in closed form or on a mesh.

Constant volatility, double-exponential jumps and straight continuation beyond the ends have a closed form; everything
else is solved on a mesh: any jump distribution, any volatility profile, three ways to treat the ends.

The value before the cube decision has kinks at the decision points and is smooth between them.  So the mesh has a node
at every decision point, buckets of about equal width between, and in each bucket a polynomial through neighbouring
nodes of the same stretch; its product with the jump density is integrated in closed form.  After each solution the
nodes move to the new decision points.  An error of these changes equities to second order only, so a few rounds
suffice.

Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model" (version of April 2012), appendices 1 and 2; the
latter describes a fixed mesh with straight pieces.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from numpy.polynomial.polynomial import polyval

from bgrace._base.arrays import Floats, Integers, as_choice, as_integer, as_number, check_flags
from bgrace.cube.jump import closed_form
from bgrace.cube.jump.distributions import Distribution, Profile, VolatilityLike, as_profile, distribution
from bgrace.cube.model import CubeModel, DecisionPoints, check_stakes
from bgrace.errors import ArgumentError

SCHEMES: Final = ("auto", "closed", "mesh")
MIN_BUCKETS: Final = 100
MAX_BUCKETS: Final = 2000
MIN_VOLATILITY: Final = 1e-6  # for a mesh, if it is constant
_FREE: Final = 0.3  # a greater volatility hardly makes jumps that stay inside longer
_MAX_A_JUMP: Final = 20  # buckets for the length of a jump, near the kinks of a small volatility


@dataclass(frozen=True, kw_only=True, repr=False)
class ExactModel(DecisionPoints[float], CubeModel[float]):
    """Decision points and equities of the exact solution.

    Attributes
    ----------
    win, lose : float
        W and L.
    boundary : str
        The treatment of jumps that leave [0, 1]; see `exact`.
    jacoby : bool
        Whether gammons count only once the cube is turned.
    scheme : str
        ``"closed"`` or ``"mesh"``: how it was solved.
    buckets : int or None
        Buckets of the mesh; None for the closed form.
    n_solves : int
        Number of linear systems solved.
    """

    win: float
    lose: float
    boundary: str
    jacoby: bool
    scheme: str
    buckets: int | None
    n_solves: int
    solution: closed_form.Solution | NumericalSolution = field(repr=False)

    def _equities(self, P: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        # At 0 and 1 the game is over; just inside, half of the jumps lead back from an absorbing end.
        ends = (self.lose, self.win)
        centered, mine, theirs = (
            np.where(P == 0, -lost, np.where(P == 1, won, value))
            for value, (lost, won) in zip(
                self.solution.equities(P), ((1.0, 1.0) if self.jacoby else ends, ends, ends), strict=True
            )
        )
        return P * (self.win + self.lose) - self.lose, centered, mine, theirs


def exact(
    win: float,
    lose: float,
    volatility: VolatilityLike,
    jumps: str = "double-exponential",
    buckets: int | None = None,
    *,
    boundary: str = "linear",
    jacoby: bool = False,
    scheme: str = "auto",
) -> ExactModel:
    """Solve the jump model exactly.

    Parameters
    ----------
    win, lose : float
        W and L, from 1 to 3.
    volatility : float, `VolatilityRamp` or callable
        Jump volatility from 0 to 1: a constant, one that falls to zero at the ends (`bgrace.cube.jump.ramp`), or any
        function of an array of chances.
    jumps : str
        Jump distribution: ``"double-exponential"`` or ``"gaussian"``.
    buckets : int, optional
        Number of parts of [0, 1]; if given, the mesh is used even if there is a closed form.  By default 100, or 4
        divided by the volatility if that is more: equities are then right to 1e-6.  By default twice as many for
        ``boundary="inside"``, whose kinks repeat ever closer to the ends: if gammons are few, equities are then right
        to 1e-5 up to a volatility of 0.2, to 1e-4 up to 0.5, and to 2e-3 beyond.  For a constant volatility below 0.04,
        parts are this narrow only near the decision points and the ends, and few in all.
    boundary : str
        Treatment of jumps that leave [0, 1].  ``"linear"``, as published: the equity continues straight.
        ``"absorb"``: they end at -L or W.  ``"inside"``: jumps longer than the distance to the nearer end do not occur.
    jacoby : bool
        Whether gammons count only once the cube is turned.
    scheme : str
        ``"auto"``, ``"closed"`` or ``"mesh"``.

    Returns
    -------
    ExactModel
        All ten decision points, and equities.

    Raises
    ------
    ArgumentError
        If a number is NaN or out of range, a name unknown, the volatility too small for a mesh (below 1e-6, or 0.001
        if it is not constant; but not 0), the mesh too coarse or too fine for the volatility, or the scheme impossible
        for the other arguments.

    Notes
    -----
    The closed form takes about ten milliseconds.  The time of the mesh grows with the cube of the number of parts: a
    few hundredths of a second for a volatility of 0.1, some tenths for small constant ones, down to 1e-6, or a second
    with ``boundary="inside"``; for other small ones a second at 0.04, four at 0.01, most of a minute at 0.002.

    Examples
    --------
    >>> model = exact(1.4, 1, 0.20)
    >>> round(model.take_point, 6), round(model.initial_double, 6), round(model.redouble, 6), round(model.cash_point, 6)
    (0.18732, 0.519345, 0.546785, 0.651448)
    >>> round(exact(1.4, 1, 0.20, jumps="gaussian").initial_double, 6)
    0.535336
    """
    W, L = (as_number(value, "win and lose of the exact model are single numbers") for value in check_stakes(win, lose))
    profile, kind = as_profile(volatility), distribution(jumps)
    how: Boundary = as_choice("boundary", boundary, get_args(Boundary))
    as_choice("scheme", scheme, SCHEMES)
    check_flags(jacoby=jacoby)
    has_closed = profile.constant is not None and kind.name == "double-exponential" and boundary == "linear"
    if profile.constant is not None and profile.constant < 1e-9:  # the live cube, whatever the jumps
        has_closed, scheme = True, "closed"
    if scheme == "auto":
        scheme = "closed" if has_closed and buckets is None else "mesh"
    guess = closed_form.solve(W, L, min(profile.central, 1.0), jacoby)
    near = guess
    if boundary == "inside" and profile.central > _FREE:
        near = closed_form.solve(W, L, _FREE, jacoby)
    points: dict[str, Any] = closed_points(near)
    asked: dict[str, Any] = {"win": W, "lose": L, "boundary": boundary, "jacoby": jacoby}
    if scheme == "closed":
        if not has_closed:
            raise ArgumentError(
                "scheme='closed' needs a constant volatility, jumps='double-exponential' and boundary='linear': "
                "use scheme='mesh'"
            )
        asked |= {"buckets": None, "n_solves": 0, "solution": guess}
    else:
        n = check_buckets(buckets, profile.central, boundary, constant=profile.constant is not None)
        solution = solve_on_mesh(Problem(W, L, profile, kind, n, how, jacoby), points)
        points = solution.points
        asked |= {"buckets": n, "n_solves": solution.n_solves, "solution": solution}
    if jacoby:  # nothing is too good before the double
        points |= dict.fromkeys(("too_good_centered", "opponent_too_good_centered"))
    return ExactModel(**points, **asked, scheme=scheme)


def check_buckets(buckets: int | None, central: float, boundary: str = "linear", *, constant: bool = False) -> int:
    """Check the number of buckets, or choose it."""
    # A small constant volatility has narrow buckets near the kinks only, so more of them are allowed.
    most = max(MAX_BUCKETS, math.floor(_MAX_A_JUMP / max(central, MIN_VOLATILITY))) if constant else MAX_BUCKETS
    least = max(10, math.ceil(2 / max(central, 1e-12) - 1e-9))
    smallest = MIN_VOLATILITY if constant else 2 / MAX_BUCKETS
    if central < smallest * (1 - 1e-9):
        raise ArgumentError(
            f"volatility={central!r} is too small for a mesh: give {smallest:g} or more, or 0, or "
            "jumps='double-exponential' with boundary='linear' and a constant volatility, which has a closed form"
        )
    if buckets is None:
        finer = 2 if boundary == "inside" else 1
        return min(max(finer * MIN_BUCKETS, math.ceil(finer * 4 / central)), most)
    problem = f"buckets={buckets!r:.80}: give {least} (2 divided by the volatility) to {most}, or leave it out"
    return as_integer(buckets, problem, least, most)


def closed_points(solution: closed_form.Solution) -> dict[str, float]:
    """Decision points of the closed form, under their public names."""
    mine, theirs = solution.mine, solution.theirs
    return {
        "take_point": 1 - theirs.cash_point,
        "cash_point": mine.cash_point,
        "initial_double": solution.centered.doubling_point,
        "redouble": mine.doubling_point,
        "too_good_mine": mine.too_good_point,
        "too_good_centered": solution.centered.too_good_point,
        "opponent_initial_double": 1 - solution.their_centered.doubling_point,
        "opponent_redouble": 1 - theirs.doubling_point,
        "opponent_too_good_theirs": 1 - theirs.too_good_point,
        "opponent_too_good_centered": 1 - solution.their_centered.too_good_point,
    }


Boundary: TypeAlias = Literal["linear", "absorb", "inside"]

DEGREE: Final = 5
"""Degree of the polynomial in a bucket."""

_ROUNDS: Final = 40
_SETTLED: Final = 2e-6  # greatest change of the points at the end; equities change by its square
_SCALES: Final = 13  # number of stretches towards an end where jumps vanish,
_RATIO: Final = 1.4  # each smaller than the one before by this factor
_NARROW: Final = 0.1  # buckets narrower than this part of the volatility
_SLIVER: Final = 0.3  # least distance of two nodes at kinks, as a part of a bucket
_IMAGES: Final = 4  # generations of a kink's images,
_FEW_IMAGES: Final = 2  # and for jumps so small that more images change nothing, or so large that points converge badly
_LARGE: Final = 0.3  # volatility above which jumps are that large
_SMALL: Final = 0.04  # volatility beneath which there are layers
_LAYER: Final = 8.0  # width in volatilities; this far from a kink the equity is practically straight
_WIDER: Final = 4.0  # factor by which each stretch is wider than the one before
_BUCKETS: Final = 6  # number of buckets in each of these stretches
_NO_JUMP: Final = 1e-12  # a volatility up to this counts as zero


@dataclass(frozen=True, slots=True)
class Mesh:
    """Nodes, and for every bucket the nodes of its polynomial.

    Attributes
    ----------
    nodes : float64 ndarray, shape (n,)
        From 0 to 1, rising.
    start : int64 ndarray, shape (n - 1,)
        First node of each bucket's polynomial.
    """

    nodes: Floats
    start: Integers


@cache
def _coefficients(mirrored: bool) -> Floats:
    """Polynomials through DEGREE + 1 nodes in powers of the place t in a bucket, by the bucket's offset.

    Returns float64 of shape (DEGREE, DEGREE + 1, DEGREE + 1): offset, node, power.  Mirrored, t runs down from the
    upper end.
    """
    k = np.arange(DEGREE + 1)
    places = [k - offset if not mirrored else 1 - (k - offset) for offset in range(DEGREE)]
    found = np.array([np.linalg.inv(np.vander(place, increasing=True)).T for place in places])
    # At t = 0, the place of a node, the polynomial has exactly the value of that node.
    found[:, :, 0] = np.rint(found[:, :, 0])
    return found


def make_mesh(breaks: list[float], buckets: int, layer: float = 0.0) -> Mesh:
    """Mesh of about `buckets` buckets with a node at each of `breaks`.

    With a layer, buckets are that narrow only within `layer` of a break, and become wider away from it.
    """
    apart = 1e-9 if not layer else 1e-5 * layer
    ends = [0.0]
    for point in sorted(breaks):
        if ends[-1] + apart < point < 1 - apart:
            ends.append(point)
    ends.append(1.0)
    nodes: list[Floats] = [np.zeros(1)]
    start, done = [], 0
    for low, high in pairwise(ends):
        for first, past, wide in _stretches(low, high, layer):
            n = _BUCKETS if wide else max(DEGREE, math.ceil((past - first) * buckets - 1e-9))
            nodes.append(first + (past - first) * np.arange(1, n + 1) / n)
            nodes[-1][-1] = past
            start.append(done + np.clip(np.arange(n) - DEGREE // 2, 0, n - DEGREE))
            done += n
    return Mesh(np.concatenate(nodes), np.concatenate(start))


def _stretches(low: float, high: float, layer: float) -> list[tuple[float, float, bool]]:
    """Cut a stretch into layers at its ends and parts that widen towards its middle: start, end, whether wide.

    Examples
    --------
    >>> [(round(first, 3), round(past, 3), wide) for first, past, wide in _stretches(0.0, 1.0, 0.05)]
    [(0.0, 0.05, False), (0.05, 0.25, True), (0.25, 0.75, True), (0.75, 0.95, True), (0.95, 1.0, False)]
    """
    cuts, width, reached = [0.0], layer, layer
    while layer and reached < 0.45 * (high - low):
        cuts.append(reached)
        width *= _WIDER
        reached += width
    edges = [low + cut for cut in cuts] + [high - cut for cut in reversed(cuts)]
    inner = range(1, len(edges) - 2)
    return [(first, past, k in inner) for k, (first, past) in enumerate(pairwise(edges))]


@dataclass(frozen=True, slots=True)
class Curve:
    """An equity as a function of the chance of winning: values at the nodes of a mesh, polynomials between."""

    mesh: Mesh
    values: Floats

    def __call__(self, p: Floats) -> Floats:
        """Equity at chances `p`, float64 of the same shape."""
        nodes, start = self.mesh.nodes, self.mesh.start
        bucket = np.clip(np.searchsorted(nodes, p, side="right") - 1, 0, len(start) - 1)
        t = (p - nodes[bucket]) / (nodes[bucket + 1] - nodes[bucket])
        first = start[bucket]
        coefficients = _coefficients(False)[bucket - first]  # (..., node, power)
        values = self.values[first[..., None] + np.arange(DEGREE + 1)]
        polynomial = np.einsum("...n,...nk->...k", values, coefficients)
        return np.asarray(polyval(t, np.moveaxis(polynomial, -1, 0), tensor=False), dtype=np.float64)


def _upward(curve: Curve, nowhere: float, everywhere: float) -> float:
    """First place where a curve rises through zero; `nowhere` if it never does, `everywhere` if it is always above."""
    values = curve.values
    if values[0] >= 0:
        return everywhere
    crossings = np.flatnonzero((values[:-1] < 0) & (values[1:] >= 0))
    if len(crossings) == 0:
        return nowhere
    bucket = crossings[0]
    low, high = curve.mesh.nodes[bucket], curve.mesh.nodes[bucket + 1]
    if values[bucket + 1] == 0:
        return float(high)
    first = curve.mesh.start[bucket]
    powers = curve.values[first : first + DEGREE + 1] @ _coefficients(False)[bucket - first]
    # At the bucket's end the sign of a tiny value may be wrong by rounding.
    t = closed_form.find_root(lambda t: polyval(t, powers), 0.0, 1.0) if powers.sum() > 0 else 1.0
    return float(low + t * (high - low))


def _operator(mesh: Mesh, alpha: Floats, kind: Distribution, boundary: Boundary) -> tuple[Floats, Floats, Floats]:
    """Compute the integral over jumps from every node of a mesh.

    Returns
    -------
    weights : float64 ndarray, shape (n, n)
        Weights of the values at the nodes.
    below, above : float64 ndarray, shape (2, n)
        Chance of jumping below 0 and mean overshoot there (negative), and the same above 1.
    """
    P, n = mesh.nodes, len(mesh.nodes)
    scale = np.maximum(alpha, _NO_JUMP)[:, None]
    distance = np.abs(P[None, :] - P[:, None]) / scale
    reach = np.full((n, 1), np.inf)
    if boundary == "inside":
        reach = np.minimum(P, 1 - P)[:, None] / scale
    T = kind.moments(np.minimum(distance, reach), DEGREE)
    near = np.minimum(distance[:, :-1], distance[:, 1:])
    width = np.abs(distance[:, 1:] - distance[:, :-1])
    parts = [np.abs(t[:, 1:] - t[:, :-1]) for t in T]
    # Moments of the place in the bucket, counted from the end that is nearer to the start of the jump.
    moments = np.empty((DEGREE + 1, n, n - 1))
    for k in range(DEGREE + 1):
        total = parts[0].copy()  # Horner's scheme for sum over i of C(k, i) (-near)^(k - i) parts[i]
        for i in range(1, k + 1):
            total *= -near
            total += math.comb(k, i) * parts[i]
        moments[k] = total / width**k
    _narrow(moments, near, width, kind, reach)
    weights = np.zeros((n, n))
    by_bucket = np.ascontiguousarray(moments.transpose(2, 1, 0))  # bucket, start of the jump, power
    offset = np.arange(n - 1) - mesh.start  # place of each bucket among the nodes of its polynomial
    right = (np.arange(n - 1)[:, None] >= np.arange(n)[None, :])[:, :, None]
    shares = np.where(
        right,
        by_bucket @ _coefficients(False)[offset].transpose(0, 2, 1),
        by_bucket @ _coefficients(True)[offset].transpose(0, 2, 1),
    )
    for node in range(DEGREE + 1):
        np.add.at(weights.T, mesh.start + node, shares[:, :, node])
    if boundary == "inside":  # no jump leaves [0, 1], nor is any as long in the other direction
        weights[np.arange(n), np.arange(n)] += 2 * kind.moments(reach[:, 0], 0)[0]
        return weights, np.zeros((2, n)), np.zeros((2, n))
    low, high = (kind.moments(d / scale[:, 0], 1) for d in (P, 1 - P))
    below = np.array([low[0], P * low[0] - scale[:, 0] * low[1]])
    return weights, below, np.array([high[0], (P - 1) * high[0] + scale[:, 0] * high[1]])


def _narrow(moments: Floats, near: Floats, width: Floats, kind: Distribution, reach: Floats) -> None:
    """Replace the moments of narrow buckets, which cancel in closed form, by Gauss-Legendre sums."""
    narrow = (width < _NARROW) & (near + width <= reach)
    if not narrow.any():
        return
    near, width = near[narrow], width[narrow]
    places, weights = np.polynomial.legendre.leggauss(6)
    total = np.zeros((DEGREE + 1, len(near)))
    for t, weight in zip((places + 1) / 2, weights / 2, strict=True):
        density = weight * width * kind.density(near + t * width)
        for k in range(DEGREE + 1):
            total[k] += t**k * density
    moments[:, narrow] = total


def _equations(
    mesh: Mesh, below: Floats, above: Floats, ends: tuple[float, float], alpha: Floats, boundary: Boundary
) -> tuple[Floats, Floats]:
    """Both sides of equations: the unknown equity less the part outside [0, 1], with given values at the ends.

    The unknowns are the values at the nodes, then the slopes of the continuation below 0 and above 1.
    """
    n = len(mesh.nodes)
    left, right = np.eye(n + 2), np.zeros(n + 2)
    right[:n] = ends[0] * below[0] + ends[1] * above[0]
    if boundary == "linear":
        left[:n, n], left[:n, n + 1] = -below[1], -above[1]
        _close_ends(left, right, mesh, alpha, ends)
    if boundary == "inside":  # no jump leaves an end
        right[0], right[n - 1] = ends
    return left, right


def _close_ends(left: Floats, right: Floats, mesh: Mesh, alpha: Floats, ends: tuple[float, float]) -> None:
    """Give each of the two slopes an equation, and the nodes at 0 and 1 their values.

    The integral equation at an end, whose value is known, determines the slope beyond it.  If no jump leaves the end,
    it determines nothing, and the slope beyond is that of the equity at the end.
    """
    n = len(mesh.nodes)
    for node, slope, first in ((0, n, 0), (n - 1, n + 1, n - 1 - DEGREE)):
        if alpha[node] > _NO_JUMP:
            left[slope] = left[node]
            left[slope, node] = 0.0
            right[slope] = right[node] - ends[node > 0]
        else:
            h = mesh.nodes[first + 1] - mesh.nodes[first]
            powers = _coefficients(False)[0 if node == 0 else DEGREE - 1]
            slopes = powers[:, 1] if node == 0 else powers @ np.arange(DEGREE + 1)
            left[slope, first : first + DEGREE + 1] -= slopes / h
        left[node], right[node] = 0.0, ends[node > 0]
        left[node, node] = 1.0


@dataclass(frozen=True, slots=True)
class NumericalSolution:
    """Equities as curves, and the decision points under the names of `bgrace.cube.model.DecisionPoints`.

    Attributes
    ----------
    centered, mine, theirs : Curve
        E_C, E_P and E_O.
    points : dict of str to float
        All ten decision points.
    n_solves : int
        Linear systems solved.
    """

    centered: Curve
    mine: Curve
    theirs: Curve
    points: dict[str, float]
    n_solves: int

    def equities(self, P: Floats) -> tuple[Floats, Floats, Floats]:
        """E_C, E_P and E_O at chances P."""
        return self.centered(P), self.mine(P), self.theirs(P)


@dataclass(frozen=True, slots=True)
class Problem:
    """The problem to solve.

    Attributes
    ----------
    W, L : float
        Mean points of a win and of a loss.
    profile : Profile
        Jump volatility.
    kind : Distribution
        Distribution of the jumps.
    buckets : int
        Approximate number of buckets.
    boundary : str
        The value after a jump beyond 0 or 1: the straight continuation (``"linear"``), or -L or W (``"absorb"``); with
        ``"inside"`` there are no such jumps.
    jacoby : bool
        Whether gammons count only once the cube is turned.
    """

    W: float
    L: float
    profile: Profile
    kind: Distribution
    buckets: int
    boundary: Boundary
    jacoby: bool

    @property
    def layer(self) -> float:
        """Distance from a kink within which buckets are narrow, for a small constant volatility; else 0: everywhere."""
        alpha = self.profile.constant
        return _LAYER * alpha if alpha is not None and 0 < alpha < _SMALL else 0.0

    @property
    def longest(self) -> float:
        """Length of the longest jumps that matter."""
        return 2 * self.layer if self.layer else 1.0

    def breaks(self) -> list[float]:
        """Nodes that every mesh of this problem needs, for any decision points."""
        listed = [*self.profile.kinks, *([0.5] if self.boundary == "inside" and self.longest >= 0.5 else [])]
        # If jumps vanish towards an end, the equity repeats itself there on ever smaller scales, as must the mesh.
        at_low, at_high = self.profile(np.array([0.0, 1.0]))
        scales = [0.1 / _RATIO**k for k in range(_SCALES)]
        listed += scales if at_low == 0 else []
        listed += [1 - scale for scale in scales] if at_high == 0 else []
        return listed

    def unsettled(self, what: str) -> ArgumentError:
        """The error for an iteration that does not converge."""
        return ArgumentError(
            f"win={self.W:g}, lose={self.L:g}, volatility={self.profile.central:g}, {self.buckets} buckets: {what} "
            "don't settle; use more buckets"
        )


def solve_on_mesh(problem: Problem, seed: dict[str, float]) -> NumericalSolution:
    """Solve the three coupled integral equations on a mesh that follows the decision points, which start as `seed`."""
    points = dict(seed)
    mine, theirs, n_owned = _owned(problem, points)
    centered, n_centered = _centered(problem, points, (mine, theirs))
    return NumericalSolution(centered, mine, theirs, points, n_owned + n_centered)


_OWNED: Final = (
    "opponent_too_good_theirs",
    "take_point",
    "opponent_redouble",
    "redouble",
    "cash_point",
    "too_good_mine",
)
_CENTERED: Final = (
    "opponent_too_good_centered",
    "take_point",
    "opponent_initial_double",
    "initial_double",
    "cash_point",
    "too_good_centered",
)


def _update_points(points: dict[str, float], new: dict[str, float]) -> bool:
    change = max(abs(points[name] - value) for name, value in new.items())
    points.update(new)
    return change < _SETTLED


def _set_up(
    problem: Problem, kinks: list[float], ends: tuple[float, float]
) -> tuple[Mesh, Floats, Floats, Floats, Floats, Floats]:
    """A mesh with a node at each kink, the volatilities at its nodes, the jumps between them, and the equations."""
    breaks = [*problem.breaks(), *kinks]
    if problem.boundary == "inside":
        # Jumps that stay inside reach from P up to 2P or down to 2P - 1: if there is a kink, the equity has an image of
        # it at P, which has images nearer to the end, fainter and fainter.  If jumps are hardly ever as long as the
        # distance to the end, there are no images.
        few = problem.layer or problem.profile.central > _LARGE
        for generation in range(1, (_FEW_IMAGES if few else _IMAGES) + 1):
            shrink = 2.0**-generation
            for image in [end for kink in (*kinks, 0.5) for end in (kink * shrink, 1 - (1 - kink) * shrink)]:
                # A very narrow bucket between two nodes would do more harm than a kink within a bucket.
                apart = min(image, 1 - image, *(abs(image - point) for point in breaks))
                if apart > _SLIVER / problem.buckets and min(image, 1 - image) <= problem.longest:
                    breaks.append(image)
    mesh = make_mesh(breaks, problem.buckets, problem.layer)
    alpha = problem.profile(mesh.nodes)
    weights, below, above = _operator(mesh, alpha, problem.kind, problem.boundary)
    others = weights.copy()
    np.fill_diagonal(others, 0.0)
    leaving = others.sum(axis=1) + below[0] + above[0]
    return mesh, alpha, weights, leaving, *_equations(mesh, below, above, ends, alpha, problem.boundary)


def _double_regions(
    nodes: Floats, double: float, cash: float, too_good: float
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Nodes at which the player on roll doubles and it is taken, and nodes at which it is passed.

    A point at an end means that all of [0, 1], with the node at that end, lies on one side of it: with "absorb",
    equities just inside differ from those at the end, and a region of a single node would falsify its whole bucket.
    """
    doubles = ((nodes > double) | (double == 0)) & ((nodes < cash) | (cash == 1))
    cashes = (nodes >= cash) & (nodes <= too_good) & (cash < 1) & (too_good > 0)
    return doubles, cashes


def _owned(problem: Problem, points: dict[str, float]) -> tuple[Curve, Curve, int]:
    """Solve for E_P and E_O together, and update `points`."""
    W, L = problem.W, problem.L
    for done in range(1, _ROUNDS + 1):
        TG_O, TP, RD_O, RD_P, CP, TG_P = kinks = [points[name] for name in _OWNED]
        mesh, alpha, jumps, leaving, base, fixed = _set_up(problem, kinks, (-L, W))
        P, n = mesh.nodes, len(mesh.nodes)
        m = n + 2
        left, right = np.zeros((2 * m, 2 * m)), np.concatenate([fixed, fixed])
        left[:m, :m] = left[m:, m:] = base
        # The value before the decision at each node: undoubled, doubled, or passed; where two regions meet it is equal.
        doubles, cashes = _double_regions(P, RD_P, CP, TG_P)
        theirs_doubles, theirs_cashes = _double_regions(1 - P, 1 - RD_O, 1 - TP, 1 - TG_O)
        target, source = _integral_rows(alpha, problem.boundary, n)
        weights = jumps[source]
        left[target, :n] -= np.where(doubles | cashes, 0, weights)
        left[target, m : m + n] -= np.where(doubles, 2 * weights, 0)
        right[target] += weights[:, cashes].sum(axis=1)
        left[m + target, m : m + n] -= np.where(theirs_doubles | theirs_cashes, 0, weights)
        left[m + target, :n] -= np.where(theirs_doubles, 2 * weights, 0)
        right[m + target] -= weights[:, theirs_cashes].sum(axis=1)
        if problem.layer:
            _set_own_coefficients(left[:m, :m], leaving, ~(doubles | cashes))
            _set_own_coefficients(left[m:, m:], leaving, ~(theirs_doubles | theirs_cashes))
        values = _solve_linear(problem, left, right)
        E_P, E_O = values[:n], values[m : m + n]
        new = {
            "take_point": _upward(Curve(mesh, 2 * E_P + 1), 1.0, 0.0),
            "cash_point": _upward(Curve(mesh, 2 * E_O - 1), 1.0, 0.0),
            "redouble": _upward(Curve(mesh, 2 * E_O - E_P), CP, 0.0),
            "opponent_redouble": _upward(Curve(mesh, 2 * E_P - E_O), 1.0, TP),
            "too_good_mine": _upward(Curve(mesh, E_P - 1), 1.0, 0.0) if W > 1 else 1.0,
            "opponent_too_good_theirs": _upward(Curve(mesh, E_O + 1), 1.0, 0.0) if L > 1 else 0.0,
        }
        if _update_points(points, new):
            return Curve(mesh, E_P), Curve(mesh, E_O), done
    raise problem.unsettled("the decision points")


def _centered(problem: Problem, points: dict[str, float], owned: tuple[Curve, Curve]) -> tuple[Curve, int]:
    """Solve for E_C, given E_P and E_O, and update `points`."""
    W, L = problem.W, problem.L
    if problem.jacoby:  # gammons do not count before the double, so not beyond the ends either
        W, L = 1.0, 1.0
    for done in range(1, _ROUNDS + 1):
        TG_OC, TP, ID_O, ID_P, CP, TG_PC = kinks = [points[name] for name in _CENTERED]
        mesh, alpha, jumps, leaving, left, right = _set_up(problem, kinks, (-L, W))
        P, n = mesh.nodes, len(mesh.nodes)
        mine, theirs = (curve(P) for curve in owned)
        doubles, cashes = _double_regions(P, ID_P, CP, TG_PC)
        theirs_doubles, theirs_cashes = _double_regions(1 - P, 1 - ID_O, 1 - TP, 1 - TG_OC)
        offers = [doubles, cashes, theirs_doubles, theirs_cashes]
        value = np.select(offers, [2 * theirs, np.ones(n), 2 * mine, -np.ones(n)], 0.0)
        holds = ~np.any(offers, axis=0)
        target, source = _integral_rows(alpha, problem.boundary, n)
        left[target, :n] -= np.where(holds, jumps[source], 0)
        right[target] += jumps[source] @ value
        if problem.layer:
            _set_own_coefficients(left, leaving, holds)
        E_C = _solve_linear(problem, left, right)[:n]
        new = {
            "initial_double": _upward(Curve(mesh, 2 * theirs - E_C), CP, 0.0),
            "opponent_initial_double": _upward(Curve(mesh, 2 * mine - E_C), 1.0, TP),
            "too_good_centered": _upward(Curve(mesh, E_C - 1), 1.0, 0.0) if W > 1 else 1.0,
            "opponent_too_good_centered": _upward(Curve(mesh, E_C + 1), 1.0, 0.0) if L > 1 else 0.0,
        }
        if _update_points(points, new):
            return Curve(mesh, E_C), done
    raise problem.unsettled("the initial doubles")


def _solve_linear(problem: Problem, left: Floats, right: Floats) -> Floats:
    """Solve linear equations, scaled if there are layers."""
    if problem.layer:  # equations of wide buckets are small, and would be lost in the rounding of others
        size = np.abs(left).max(axis=1)
        left, right = left / size[:, None], right / size
    return np.asarray(np.linalg.solve(left, right), dtype=np.float64)


def _set_own_coefficients(left: Floats, leaving: Floats, holds: npt.NDArray[np.bool_]) -> None:
    """Put the exact coefficient of a node's own value into its equation, if nobody doubles at the node."""
    inner = np.flatnonzero(holds[1:-1]) + 1
    left[inner, inner] = leaving[inner]


def _integral_rows(alpha: Floats, boundary: Boundary, n: int) -> tuple[Integers, Integers]:
    """Rows of the integral equations (targets), and their nodes (sources)."""
    sources = np.arange(n)
    if boundary == "absorb":
        return sources, sources
    # The equations of the end nodes are in the rows of the slopes, if jumps leave the end.
    targets = np.array([n, *range(1, n - 1), n + 1])
    there = (alpha > _NO_JUMP) & (boundary == "linear")
    there[1:-1] = True
    return targets[there], sources[there]
