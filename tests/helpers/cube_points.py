"""What makes the decision points of a cube model what they are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from bgrace.cube import janowski, jump
from bgrace.cube.model import ModelEquities

Model = janowski.JanowskiModel[float] | jump.LinearModel[float] | jump.NonlinearModel[float] | jump.ExactModel

POINTS: dict[str, Callable[[ModelEquities[float]], float]] = {
    "opponent_too_good_centered": lambda at: at.centered + 1,
    "opponent_too_good_theirs": lambda at: at.theirs + 1,
    "take_point": lambda at: 2 * at.mine + 1,
    "opponent_redouble": lambda at: at.theirs - 2 * at.mine,
    "opponent_initial_double": lambda at: at.centered - 2 * at.mine,
    "initial_double": lambda at: at.centered - 2 * at.theirs,
    "redouble": lambda at: at.mine - 2 * at.theirs,
    "cash_point": lambda at: 2 * at.theirs - 1,
    "too_good_mine": lambda at: at.mine - 1,
    "too_good_centered": lambda at: at.centered - 1,
}
"""In rising order, what is 0 at each of them."""


def check_points(model: Model, tolerance: float, in_order: bool = True) -> None:
    """Every decision point is where the model's own equities make it one (constant volatility)."""
    points = {name: place for name, place in model.points().items() if name in POINTS}
    for name, place in points.items():
        assert POINTS[name](model.equities(place)) == pytest.approx(0, abs=tolerance), name
    values = [points[name] for name in POINTS if name in points]
    assert not in_order or all(low <= high + tolerance for low, high in pairwise(values))
