"""The equations of the decision points of cube models."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import pytest

from bgrace.cube import janowski, jump
from bgrace.cube.model import ModelEquities
from helpers.golden import Row

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
"""The difference that is 0 at each point, in rising order of the points."""


def check_points(model: Model, tolerance: float, in_order: bool = True) -> None:
    """Check that the model's own equities satisfy the equation of each of its points (constant volatility)."""
    points = {name: place for name, place in model.points().items() if name in POINTS}
    for name, place in points.items():
        assert POINTS[name](model.equities(place)) == pytest.approx(0, abs=tolerance), name
    values = [points[name] for name in POINTS if name in points]
    assert not in_order or all(low <= high + tolerance for low, high in pairwise(values))


def jump_model(row: Row) -> jump.LinearModel[float] | jump.NonlinearModel[float] | jump.ExactModel:
    """Make the model of a row of tests/golden/jump_points.csv or jump_equities.csv; solve an exact one once."""
    win, lose, remote, kind = row.number("win"), row.number("lose"), row.number("remote"), row.text("model")
    local = row.number("local") if "local" in row else None
    if kind.startswith("linear"):
        return jump.linear(win, lose, remote, local, jacoby="jacoby" in kind)
    if kind == "nonlinear":
        return jump.nonlinear(win, lose, remote, local, row.text("jumps"))
    return _solved(win, lose, remote, row.text("jumps"), kind)


@cache
def _solved(win: float, lose: float, volatility: float, jumps: str, kind: str) -> jump.ExactModel:
    if kind == "ramp":
        return jump.exact(win, lose, jump.ramp(volatility), jumps)
    return jump.exact(win, lose, volatility, jumps, jacoby=kind == "jacoby")
