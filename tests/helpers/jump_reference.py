"""Slow twins of the jump model: numerical quadrature of its integrals, and plain iteration of its equations."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def density(jump: Floats, alpha: float, jumps: str) -> Floats:
    """Density of a jump with mean absolute value alpha."""
    if jumps == "gaussian":
        s = alpha * math.sqrt(math.pi / 2)
        return np.asarray(np.exp(-((jump / s) ** 2) / 2) / (s * math.sqrt(2 * math.pi)))
    return np.asarray(np.exp(-np.abs(jump) / alpha) / (2 * alpha))


def integral(function: Callable[[Floats], Floats], breaks: Iterable[float], alpha: float) -> float:
    """Composite Gauss-Legendre quadrature between the first and the last of the breaks."""
    places, weights = np.polynomial.legendre.leggauss(12)
    ends = sorted(set(breaks))
    total = 0.0
    for low, high in pairwise(ends):
        n = max(1, math.ceil((high - low) / alpha))
        edges = np.linspace(low, high, n + 1)
        middle, half = (edges[1:] + edges[:-1]) / 2, (edges[1:] - edges[:-1]) / 2
        points = middle[:, None] + half[:, None] * places
        total += float((function(points) * weights * half[:, None]).sum())
    return total


def smoothed(
    value: Callable[[Floats], Floats],
    p: Sequence[float] | Floats,
    alpha: float | Callable[[float], float],
    jumps: str,
    kinks: Iterable[float],
    ends: tuple[float, float],
) -> Floats:
    """Average of `value` over jumps from each of `p`, straight beyond 0 and 1 so that it takes `ends` there."""
    inner = [k for k in kinks if 0 < k < 1]

    def parts(start: float) -> tuple[float, float, float]:
        a = alpha(start) if callable(alpha) else alpha
        reach = 45 * a

        def against(function: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
            return lambda q: function(q) * density(q - start, a, jumps)

        middle = [0.0, 1.0, *inner, *([start] if 0 < start < 1 else [])]
        near = [min(max(q, start - reach, 0.0), start + reach, 1.0) for q in middle]
        low, high = [min(start - reach, -reach), 0.0], [1.0, max(start + reach, 1 + reach)]
        inside = integral(against(value), near, a)
        outside = integral(against(lambda q: np.full(q.shape, ends[0])), low, a)
        outside += integral(against(lambda q: np.full(q.shape, ends[1])), high, a)
        return inside + outside, integral(against(lambda q: q), low, a), integral(against(lambda q: q - 1), high, a)

    at_ends = [parts(0.0), parts(1.0)]
    left = np.array([row[1:] for row in at_ends])
    slopes = np.linalg.solve(left, np.array(ends) - np.array([row[0] for row in at_ends]))
    return np.array([row[0] + slopes @ row[1:] for row in map(parts, p)])


def iterate_inside(win: float, lose: float, alpha: float, jumps: str, n: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Chances, E_C, E_P and E_O when jumps that would leave [0, 1] are not made, by iterating the equations.

    Jumps go to the n + 1 nodes of an equal grid, symmetrically from each, so that the chance of winning stays fair.
    """
    p = np.linspace(0, 1, n + 1)
    moves = np.zeros((n + 1, n + 1))
    fine = np.linspace(-0.5, 0.5, 41)[:-1] + 0.5 / 40
    for steps in range(1, n // 2 + 1):
        weight = density((steps + fine) / n, alpha, jumps).mean() / n
        start = np.arange(steps, n + 1 - steps)
        moves[start, start + steps] = moves[start, start - steps] = weight
        # Of the step that just reaches an end, the farther half would leave.
        for at in (steps, n - steps):
            moves[at, at + steps] = moves[at, at - steps] = weight / 2
    moves[np.arange(n + 1), np.arange(n + 1)] = 1 - moves.sum(axis=1)
    e_c = e_p = e_o = p * (win + lose) - lose
    change = 1.0
    while change > 1e-10:
        double, theirs = np.minimum(2 * e_o, 1), np.maximum(2 * e_p, -1)
        h_c = np.where(double > e_c, double, np.where(theirs < e_c, theirs, e_c))
        new = np.array([h_c, np.maximum(e_p, double), np.minimum(e_o, theirs)]) @ moves.T
        new[:, [0, -1]] = -lose, win
        change = float(np.abs(new - (e_c, e_p, e_o)).max())
        e_c, e_p, e_o = new
    return p, e_c, e_p, e_o


def iterate_absorbed(
    win: float, lose: float, alpha: float, kinks: Iterable[float]
) -> tuple[Floats, Floats, Floats, Floats]:
    """Iterate the equations at Gauss-Legendre nodes between `kinks`; jumps are gaussian, and end at 0 and 1.

    What is smooth between the kinks is integrated to twelve digits; which cube action is right at a node is asked of
    the values there.  Returns the nodes and the equities for a centered cube, one of one's own and the opponent's.
    """
    places, weights = np.polynomial.legendre.leggauss(24)
    ends = sorted({0.0, 1.0, *(kink for kink in kinks if 0 < kink < 1)})
    p = np.concatenate([low + (high - low) * (places + 1) / 2 for low, high in pairwise(ends)])
    w = np.concatenate([(high - low) / 2 * weights for low, high in pairwise(ends)])
    matrix = density(p[None, :] - p[:, None], alpha, "gaussian") * w
    scale = alpha * math.sqrt(math.pi)
    outside = [win * math.erfc((1 - x) / scale) / 2 - lose * math.erfc(x / scale) / 2 for x in p]
    mine = theirs = centered = p * (win + lose) - lose
    for _ in range(400):
        double, worse = np.minimum(2 * theirs, 1), np.maximum(2 * mine, -1)
        held = np.where(double > centered, double, np.where(worse < centered, worse, centered))
        mine, theirs, centered = (
            matrix @ value + outside for value in (np.maximum(mine, double), np.minimum(theirs, worse), held)
        )
    return p, centered, mine, theirs
