"""The exact solution of the jump model's three coupled integral equations, by the method that suits the question.

Constant volatility, double-exponential jumps and straight continuation beyond the ends have a closed form; everything
else is solved on a mesh.

Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model" (version of April 2012), appendices 1 and 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Final, get_args

import numpy as np

from bgrace._base.arrays import Floats, as_choice, as_integer, as_number
from bgrace.cube.jump import closed_form, numerical
from bgrace.cube.jump.distributions import VolatilityLike, as_profile, distribution
from bgrace.cube.model import CubeModel, DecisionPoints, check_stakes
from bgrace.errors import ArgumentError

SCHEMES: Final = ("auto", "closed", "mesh")
MIN_BUCKETS: Final = 100
MAX_BUCKETS: Final = 2000
MIN_VOLATILITY: Final = 1e-6  # of a mesh, where it is constant
_FREE: Final = 0.3  # beyond this volatility jumps that stay inside are hardly longer
_MAX_A_JUMP: Final = 20  # buckets, about the kinks of a small volatility


@dataclass(frozen=True, kw_only=True, repr=False)
class ExactModel(DecisionPoints[float], CubeModel[float]):
    """Decision points and equities of the exact solution.

    Attributes
    ----------
    win, lose : float
        W and L.
    boundary : str
        What becomes of jumps that leave [0, 1]; see `exact`.
    jacoby : bool
        Whether gammons count only once the cube is turned.
    scheme : str
        ``"closed"`` or ``"mesh"``: how it was solved.
    buckets : int or None
        Buckets of the mesh; None for the closed form.
    n_solves : int
        Linear systems that it took.
    """

    win: float
    lose: float
    boundary: str
    jacoby: bool
    scheme: str
    buckets: int | None
    n_solves: int
    solution: closed_form.Solution | numerical.NumericalSolution = field(repr=False)

    def _equities(self, P: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        values = self.solution.equities(P)
        if self.boundary == "absorb":
            # Just inside, half of the jumps come back; at 0 and 1 the game is over.
            low, high = (1.0, 1.0) if self.jacoby else (self.lose, self.win)
            ends = ((low, high), (self.lose, self.win), (self.lose, self.win))
            centered, mine, theirs = (
                np.where(P == 0, -lost, np.where(P == 1, won, value))
                for value, (lost, won) in zip(values, ends, strict=True)
            )
            values = centered, mine, theirs
        return P * (self.win + self.lose) - self.lose, *values


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
        Parts into which [0, 1] is cut; giving it asks for the mesh even where there is a closed form.  By default 100,
        or 4 divided by the volatility if that is more: equities are then right to 1e-6.  Twice as many with
        ``boundary="inside"``, whose kinks repeat ever closer to the ends: if gammons are few right to 1e-5 up to a
        volatility of 0.2, to 1e-4 up to 0.5, and to 2e-3 beyond.  Of a constant volatility below 0.04 parts are
        that narrow near the decision points and the ends alone, and few in all.
    boundary : str
        What becomes of jumps that leave [0, 1].  ``"linear"``, the published way: the equity goes on straight.
        ``"absorb"``: they end at -L or W.  ``"inside"``: jumps longer than the way to the nearer end are not made.
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
        if it is not constant; but not 0), the mesh too coarse or too fine for the volatility, or the scheme unable to
        do what is asked.

    Notes
    -----
    The closed form takes about ten milliseconds.  The mesh's time grows with the cube of its parts: a few hundredths of
    a second for a volatility of 0.1, some tenths for small ones that are constant, down to 1e-6, or a second with
    ``boundary="inside"``; for others a second at 0.04, four at 0.01, most of a minute at 0.002.

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
    how: numerical.Boundary = as_choice("boundary", boundary, get_args(numerical.Boundary))
    as_choice("scheme", scheme, SCHEMES)
    has_closed = profile.constant is not None and kind.name == "double-exponential" and boundary == "linear"
    if profile.constant is not None and profile.constant < 1e-9:  # the live cube, whatever the jumps
        has_closed, scheme = True, "closed"
    if scheme == "auto":
        scheme = "closed" if has_closed and buckets is None else "mesh"
    guess = closed_form.solve(W, L, min(profile.central, 1.0), jacoby)
    near = guess
    if boundary == "inside" and profile.central > _FREE:
        near = closed_form.solve(W, L, _FREE, jacoby)
    seed: dict[str, Any] = closed_points(near, jacoby)
    asked: dict[str, Any] = {"win": W, "lose": L, "boundary": boundary, "jacoby": jacoby}
    if scheme == "closed":
        if not has_closed:
            raise ArgumentError(
                "scheme='closed' needs a constant volatility, jumps='double-exponential' and boundary='linear': "
                "use scheme='mesh'"
            )
        return ExactModel(**(seed | asked), scheme=scheme, buckets=None, n_solves=0, solution=guess)
    n = check_buckets(buckets, profile.central, boundary, constant=profile.constant is not None)
    solution = numerical.solve(numerical.Problem(W, L, profile, kind, n, how, jacoby), seed)
    asked |= solution.points
    return ExactModel(**asked, scheme=scheme, buckets=n, n_solves=solution.n_solves, solution=solution)


def check_buckets(buckets: int | None, central: float, boundary: str = "linear", *, constant: bool = False) -> int:
    """Check the number of buckets, or choose it."""
    # A small volatility that is constant has narrow buckets about the kinks alone: as many as it likes.
    most = max(MAX_BUCKETS, math.floor(_MAX_A_JUMP / max(central, MIN_VOLATILITY))) if constant else MAX_BUCKETS
    least = max(10, math.ceil(2 / max(central, 1e-12) - 1e-9))
    smallest = MIN_VOLATILITY if constant else 2 / MAX_BUCKETS
    if central < smallest * (1 - 1e-9):
        raise ArgumentError(
            f"volatility={central:g} is too small for a mesh: give {smallest:g} or more, or 0, or "
            "jumps='double-exponential' with boundary='linear' and a constant volatility, which has a closed form"
        )
    if buckets is None:
        finer = 2 if boundary == "inside" else 1
        return min(max(finer * MIN_BUCKETS, math.ceil(finer * 4 / central)), most)
    problem = f"buckets={buckets!r:.80}: give {least} (2 divided by the volatility) to {most}, or leave it out"
    return as_integer(buckets, problem, least, most)


def closed_points(solution: closed_form.Solution, jacoby: bool) -> dict[str, float]:
    """Decision points of the closed form, under their public names."""
    mine, theirs = solution.mine, solution.theirs
    points = {
        "take_point": 1 - theirs.cash_point,
        "cash_point": mine.cash_point,
        "initial_double": solution.centered.doubling_point,
        "redouble": mine.doubling_point,
        "too_good_mine": mine.too_good_point,
        "opponent_initial_double": 1 - solution.their_centered.doubling_point,
        "opponent_redouble": 1 - theirs.doubling_point,
        "opponent_too_good_theirs": 1 - theirs.too_good_point,
    }
    if not jacoby:
        points["too_good_centered"] = solution.centered.too_good_point
        points["opponent_too_good_centered"] = 1 - solution.their_centered.too_good_point
    for name, stake, limit in (("too_good", solution.win, 1.0), ("opponent_too_good", solution.lose, 0.0)):
        if stake == 1:  # by rule, not to rounding
            points |= {known: limit for known in points if known.startswith(f"{name}_")}
    return points
