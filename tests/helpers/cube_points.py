"""What makes the decision points of a cube model what they are."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bgrace.cube import jump

POINTS = (
    "opponent_too_good_centered",
    "opponent_too_good_theirs",
    "take_point",
    "opponent_redouble",
    "opponent_initial_double",
    "initial_double",
    "redouble",
    "cash_point",
    "too_good_mine",
    "too_good_centered",
)


def check_points(
    model: jump.LinearModel[float] | jump.NonlinearModel[float] | jump.ExactModel, tolerance: float
) -> None:
    """Every decision point is where the model's own equities make it one (constant volatility)."""
    points = model.points()
    at = {name: model.equities(p) for name, p in points.items()}
    assert 2 * at["take_point"].mine == pytest.approx(-1, abs=tolerance)
    assert 2 * at["cash_point"].theirs == pytest.approx(1, abs=tolerance)
    assert at["redouble"].mine == pytest.approx(2 * at["redouble"].theirs, abs=tolerance)
    assert at["initial_double"].centered == pytest.approx(2 * at["initial_double"].theirs, abs=tolerance)
    assert at["opponent_redouble"].theirs == pytest.approx(2 * at["opponent_redouble"].mine, abs=tolerance)
    assert at["opponent_initial_double"].centered == pytest.approx(
        2 * at["opponent_initial_double"].mine, abs=tolerance
    )
    assert at["too_good_mine"].mine == pytest.approx(1, abs=tolerance)
    assert at["too_good_centered"].centered == pytest.approx(1, abs=tolerance)
    assert at["opponent_too_good_theirs"].theirs == pytest.approx(-1, abs=tolerance)
    assert at["opponent_too_good_centered"].centered == pytest.approx(-1, abs=tolerance)
    values = [points[name] for name in POINTS]
    assert all(low <= high + tolerance for low, high in pairwise(values))
