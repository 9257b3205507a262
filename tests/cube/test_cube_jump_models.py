"""The jump model's first version and the two approximations of the second."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from helpers.cube_points import POINTS, Model, check_points, jump_model
from helpers.golden import Row, check_printed, rows
from helpers.jump_reference import smoothed
from hypothesis import given, settings
from hypothesis import strategies as st

from bgrace.cube import janowski, jump
from bgrace.cube.model import CubeModel
from bgrace_apps.studies import jump_publications

STAKES = st.floats(1, 2)
SMALL = st.floats(0, 0.15)
KINDS = ("double-exponential", "gaussian")


@pytest.mark.parametrize("row", [r for r in rows("jump_points") if r.text("model") != "published"], ids=repr)
def test_points_are_the_printed_ones(row: Row) -> None:
    model = jump_model(row)
    for name in POINTS:
        if name in row:
            check_printed(getattr(model, name), row, name)


@pytest.mark.parametrize(
    "row", [r for r in rows("jump_equities") if r.text("model") in ("linear", "nonlinear", "exact")], ids=repr
)
def test_equities_are_the_printed_ones(row: Row) -> None:
    values = jump_model(row).equities(row.number("p"))
    for name in ("mine", "centered", "theirs"):
        check_printed(getattr(values, name), row, name)


@pytest.mark.parametrize("row", rows("jump_first_version"), ids=repr)
def test_first_version_is_the_printed_one(row: Row) -> None:
    win, lose, average = (row.number(name) for name in ("win", "lose", "average"))
    model = jump_publications.first_version(win, lose, average, row.number("local"))
    for name in ("take_point", "cash_point", "initial_double", "redouble"):
        check_printed(getattr(model, name), row, name)
    check_printed(jump_publications.life_index_from_volatility(win, lose, average), row, "x")


@pytest.mark.parametrize("row", rows("jump_implied_indexes"), ids=repr)
def test_implied_indexes_are_the_printed_ones(row: Row) -> None:
    x1, x2 = jump.implied_life_indexes(row.number("win"), row.number("lose"), row.number("volatility"))
    check_printed(x1, row, "x1")
    check_printed(x2, row, "x2")


# ------------------------------------------------------------------------------------------ the first version


@given(STAKES, STAKES, st.floats(0, 0.2))
def test_first_version_with_one_volatility_is_janowskis_line_form(win: float, lose: float, alpha: float) -> None:
    x = jump_publications.life_index_from_volatility(win, lose, alpha)
    assert jump_publications.volatility_from_life_index(win, lose, x) == pytest.approx(alpha, abs=1e-12)
    model = jump_publications.first_version(win, lose, alpha)
    if x < 0:
        return
    line = janowski.decision_points(win, lose, x, form="line")
    for name in ("take_point", "cash_point", "initial_double", "redouble", "opponent_initial_double"):
        assert getattr(model, name) == pytest.approx(getattr(line, name)), name
    p = (model.take_point + model.cash_point) / 2
    here, there = model.equities(p), janowski.equities(p, win, lose, x, form="line")
    for name in ("centered", "mine", "theirs"):
        assert getattr(here, name) == pytest.approx(getattr(there, name)), name


@given(STAKES, STAKES, st.floats(0, 0.2), st.floats(0, 0.2))
def test_first_version_points_are_where_its_lines_say(win: float, lose: float, a: float, local: float) -> None:
    model = jump_publications.first_version(win, lose, a, local)
    at = model.equities(np.array([model.initial_double, model.redouble]))
    assert at.centered[0] == pytest.approx(2 * at.theirs[0], abs=1e-9)
    assert at.mine[1] == pytest.approx(2 * at.theirs[1], abs=1e-9)
    far = jump_publications.first_version(win, lose, a)
    assert 2 * far.equities(far.take_point).mine == pytest.approx(-1)
    assert 2 * far.equities(far.cash_point).theirs == pytest.approx(1)
    assert model.too_good_mine is None
    assert "too_good_mine" not in model.points()


def test_a_fixed_window_of_the_first_version_has_the_derived_values() -> None:
    """With take point 0.3, cash point 0.7 and Gaussian jumps of standard deviation 0.2, against derived values."""
    volatility = jump.from_standard_deviation(0.2)
    window = jump_publications.fixed_window(0.3, 0.7, volatility, buckets=800)
    values = np.interp([0.3, 0.35, 0.4, 0.45, 0.5], window.p, window.equity)
    assert values == pytest.approx([-0.552865, -0.429043, -0.293078, -0.148688, 0], abs=2e-6)
    assert window.slope == pytest.approx(2.781046, abs=5e-7)
    assert window.intercept + 0.3 * window.slope == pytest.approx(-0.556209, abs=5e-7)
    assert np.abs(window.intercept + window.slope * window.p - window.equity).max() == pytest.approx(0.0152, abs=5e-5)
    for buckets, error in ((20, 3.4e-5), (40, 8.5e-6), (80, 2.1e-6)):
        coarse = jump_publications.fixed_window(0.3, 0.7, volatility, buckets=buckets)
        found = np.abs(coarse.equity - np.interp(coarse.p, window.p, window.equity)).max()
        assert found == pytest.approx(error, rel=0.05)


# ------------------------------------------------------------------------------------------ the linear approximation


def test_coefficients_of_the_linear_model_are_the_derived_ones() -> None:
    model = jump.linear(1.2, 1.1, 0.113, 0.15)
    slopes = model.mine_slope, model.mine_remote_slope, model.theirs_slope
    assert slopes == pytest.approx((2.6, 2.649333, 2.632212), abs=5e-7)
    assert model.win - model.theirs_slope == pytest.approx(-1.432212, abs=5e-7)
    assert model.centered_line == pytest.approx((-1.453607, 2.978142), abs=5e-7)
    values = model.equities(np.array([0.1, 0.2, 0.8, 0.9]))
    assert np.diff(values.mine)[2] * 10 == pytest.approx(1.471909, abs=5e-6)
    assert np.diff(values.centered)[2] * 10 == pytest.approx(1.757790, abs=5e-6)
    assert np.diff(values.theirs)[0] * 10 == pytest.approx(1.165311, abs=5e-6)
    assert np.diff(values.centered)[0] * 10 == pytest.approx(1.416772, abs=5e-6)


@given(STAKES, STAKES, SMALL)
def test_implied_indexes_give_the_refined_model(win: float, lose: float, alpha: float) -> None:
    model = jump.linear(win, lose, alpha)
    two = janowski.refined(win, lose, *jump.implied_life_indexes(win, lose, alpha))
    for name in ("take_point", "cash_point", "redouble", "opponent_redouble"):
        assert getattr(model, name) == pytest.approx(getattr(two, name)), name
    p = (model.take_point + model.cash_point) / 2
    assert model.equities(p).mine == pytest.approx(two.equities(p).mine)
    assert model.equities(p).theirs == pytest.approx(two.equities(p).theirs)


def test_equities_beyond_the_range_of_validity_are_flagged_and_not_clamped() -> None:
    assert jump.linear(1, 1, 0.31, jacoby=True).valid
    assert not jump.linear(1, 1, 0.33, jacoby=True).valid
    assert np.array_equal(jump.linear(2, 1, [0.24, 0.25], jacoby=True).valid, [True, False])
    assert jump.linear(1, 1, 0.5).redouble < jump.linear(1, 1, 0.3).redouble
    assert not jump.linear(2.6, 1, 0.188).valid
    assert not jump.linear(1, 1, 0.098, 0.297).valid
    win, lose, remote, local = np.meshgrid([1, 1.2, 2.6], [1, 1.7], np.linspace(0, 0.3, 16), np.linspace(0, 0.3, 16))
    model, p = jump.linear(win, lose, remote, local), np.linspace(0, 1, 101).reshape(-1, 1, 1, 1, 1)
    held = model.equities(p)
    ordered = (held.theirs <= held.centered + 1e-9) & (held.centered <= held.mine + 1e-9)
    assert ordered[:, model.valid].all()
    assert 0.3 < np.mean(model.valid) < 0.9


@pytest.mark.parametrize("make", [jump.linear, jump.nonlinear, jump.exact])
def test_no_jumps_give_the_live_cube(make: Callable[..., CubeModel[float]]) -> None:
    p = np.linspace(0, 1, 101)
    for win, lose in ((1, 1), (1.4, 1), (1.2, 1.9)):
        values, live = make(win, lose, 0).equities(p), janowski.live(p, win, lose)
        for name in ("centered", "mine", "theirs"):
            assert getattr(values, name) == pytest.approx(getattr(live, name), abs=2e-6)


# ------------------------------------------------------------------------------------------ the nonlinear approximation


@pytest.mark.parametrize("jumps", KINDS)
@pytest.mark.parametrize(("win", "lose", "remote", "local"), [(1.2, 1.1, 0.091, 0.15), (1.4, 1, 0.2, 0.2)])
def test_nonlinear_integrates_the_linear(win: float, lose: float, remote: float, local: float, jumps: str) -> None:
    """Numerical quadrature of the value before the decision gives the same equities."""
    line, far = jump.linear(win, lose, remote, local), jump.linear(win, lose, remote)
    model = jump.nonlinear(win, lose, remote, local, jumps)
    p = np.array([0.05, 0.3, 0.62, 0.8, 0.97])
    values = model.equities(p)
    kinks = [*line.points().values(), *far.points().values()]

    def taken(q: np.ndarray) -> np.ndarray:  # as in the paper, the line after a double goes on beyond the window
        return np.asarray(2 * (win - line.theirs_slope * (1 - q)))

    def mine(q: np.ndarray) -> np.ndarray:
        return np.asarray(np.maximum(line.equities(q).mine, np.minimum(taken(q), 1)))

    def theirs(q: np.ndarray) -> np.ndarray:
        return np.asarray(np.minimum(far.equities(q).theirs, np.maximum(2 * far.mine_slope * q - 2 * lose, -1)))

    def centered(q: np.ndarray) -> np.ndarray:
        held = line.equities(q).centered
        better, worse = np.minimum(taken(q), 1), np.maximum(2 * far.mine_slope * q - 2 * lose, -1)
        return np.asarray(np.where(better > held, better, np.where(worse < held, worse, held)))

    for function, alpha, name in ((mine, local, "mine"), (theirs, remote, "theirs"), (centered, local, "centered")):
        expected = smoothed(function, p, alpha, jumps, kinks, (-lose, win))
        assert getattr(values, name) == pytest.approx(expected, abs=1e-9), name


@settings(max_examples=15, deadline=None)
@given(STAKES, STAKES, st.floats(0.02, 0.15), st.sampled_from(KINDS))
def test_points_are_where_the_equities_say(win: float, lose: float, alpha: float, jumps: str) -> None:
    for model in (jump.linear(win, lose, alpha), jump.nonlinear(win, lose, alpha, jumps=jumps)):
        check_points(model, 1e-9)


@settings(max_examples=8, deadline=None)
@given(STAKES, STAKES, st.floats(0.01, 0.15), st.sampled_from(KINDS), st.floats(0, 1))
def test_the_opponent_sees_the_mirror_image(win: float, lose: float, alpha: float, jumps: str, p: float) -> None:
    make: Callable[[float, float], Model]
    for make in (
        lambda w, b: janowski.model(w, b, alpha / 0.15),
        lambda w, b: jump.linear(w, b, alpha),
        lambda w, b: jump.nonlinear(w, b, alpha, jumps=jumps),
        lambda w, b: jump.exact(w, b, alpha),
    ):
        here, there = make(win, lose), make(lose, win)
        assert here.equities(p).centered == pytest.approx(-there.equities(1 - p).centered, abs=1e-8)
        assert here.equities(p).mine == pytest.approx(-there.equities(1 - p).theirs, abs=1e-8)
        for one, other in zip(POINTS, reversed(POINTS), strict=True):  # in rising order
            assert getattr(here, one) == pytest.approx(1 - getattr(there, other), abs=1e-8), one


# ------------------------------------------------------------------------------------------ arrays, decisions, errors


@pytest.mark.parametrize("make", [jump_publications.first_version, jump.linear, jump.nonlinear])
def test_arrays_agree_with_scalars(make: Callable[..., CubeModel[Any]]) -> None:
    win, lose = np.array([1.0, 1.3, 2.0])[:, None], np.array([1.0, 1.5])
    many = make(win, lose, 0.08, 0.1)
    values = many.equities(0.6)
    assert values.centered.shape == (3, 2)
    one = make(1.3, 1.5, 0.08, 0.1)
    assert values.centered[1, 1] == pytest.approx(one.equities(0.6).centered, abs=1e-12)
    assert isinstance(one.equities(0.6).mine, float)
    for name, value in one.points().items():  # type: ignore[attr-defined]
        assert isinstance(value, float), name
        assert getattr(many, name)[1, 1] == pytest.approx(value, abs=1e-12), name


@pytest.mark.parametrize("row", rows("jump_decisions"), ids=str)
def test_decisions_are_the_derived_ones(row: Row) -> None:
    action = jump.linear(1.2, 1.1, 0.113, 0.15).cube_action(row.number("p"), row.text("cube"))
    assert action.double_take is not None
    check_printed(action.no_double, row, "no_double")
    check_printed(action.double_take, row, "double_take")
    assert (action.verdict, action.take) == (row.text("verdict"), action.double_take <= 1)
