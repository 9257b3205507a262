"""The exact solution of the jump model: closed form and mesh, against values, equations and each other."""

from collections.abc import Callable

import numpy as np
import pytest
from helpers.cube_points import POINTS, check_points, jump_model
from helpers.golden import Row, check_printed, rows
from helpers.jump_reference import iterate_absorbed, iterate_inside, smoothed
from hypothesis import given, settings
from hypothesis import strategies as st

from bgrace.cube import jump

Floats = np.ndarray
P = np.linspace(0, 1, 401)
INSIDE_ERROR = 1e-5  # as the docstring of `exact` states
CASES = [(1.2, 1.1, 0.08), (1.4, 1.0, 0.20), (1.0, 1.0, 0.10), (2.0, 1.5, 0.05)]


def curves(model: jump.ExactModel, p: Floats = P) -> Floats:
    values = model.equities(p)
    return np.array([values.centered, values.mine, values.theirs])


@pytest.mark.parametrize("row", [r for r in rows("jump_points") if r.text("model") == "published"], ids=repr)
def test_points_are_near_those_of_the_author_s_program(row: Row) -> None:
    """Within the error of its grid of 100 buckets."""
    model = jump_model(row)
    for name in POINTS:
        if name in row:
            assert getattr(model, name) == pytest.approx(row.number(name), abs=1.2e-4), name


@pytest.mark.parametrize("row", rows("jump_boundary"), ids=repr)
def test_points_of_each_treatment_of_the_ends_are_the_derived_ones(row: Row) -> None:
    level, treatment = row.number("volatility"), row.text("treatment")
    ramp = treatment == "ramp"
    model = jump.exact(1, 1, jump.ramp(level) if ramp else level, boundary="linear" if ramp else treatment)
    for name in ("take_point", "redouble", "initial_double"):
        check_printed(getattr(model, name), row, name)


@pytest.mark.parametrize(("win", "lose", "alpha"), CASES)
def test_mesh_agrees_with_the_closed_form(win: float, lose: float, alpha: float) -> None:
    closed, mesh = jump.exact(win, lose, alpha), jump.exact(win, lose, alpha, scheme="mesh")
    assert closed.scheme == "closed"
    assert mesh.buckets == max(100, 4 / alpha)
    assert np.abs(curves(closed) - curves(mesh)).max() < 1e-6
    for name, value in closed.points().items():
        assert getattr(mesh, name) == pytest.approx(value, abs=1e-6), name


@pytest.mark.parametrize("jumps", ["double-exponential", "gaussian"])
def test_mesh_converges(jumps: str) -> None:
    p = np.linspace(0, 1, 51)
    finest = curves(jump.exact(1.4, 1, 0.2, jumps, 200), p)
    assert np.abs(curves(jump.exact(1.4, 1, 0.2, jumps, scheme="mesh"), p) - finest).max() < 1e-6


@pytest.mark.parametrize(
    ("win", "lose", "volatility", "jumps", "jacoby"),
    [
        (1.2, 1.1, 0.08, "double-exponential", False),
        (1.4, 1.0, 0.20, "double-exponential", False),
        (1.4, 1.2, 0.20, "double-exponential", True),
        (1.2, 1.1, 0.08, "gaussian", False),
        (1.4, 1.0, 0.20, "gaussian", False),
        (2.6, 1.0, 0.188, "gaussian", True),
        (1.3, 2.0, lambda p: 0.05 + 0.1 * p, "gaussian", False),
    ],
)
def test_equities_satisfy_the_integral_equations(
    win: float, lose: float, volatility: float | Callable[[Floats], Floats], jumps: str, jacoby: bool
) -> None:
    """With maxima, minima and quadrature that share no arithmetic with the solution."""
    model = jump.exact(win, lose, volatility, jumps, jacoby=jacoby)
    p = np.array([0.03, 0.15, 0.27, 0.5, 0.66, 0.72, 0.81, 0.95])

    def mine(q: Floats) -> Floats:
        held = model.equities(q)
        return np.asarray(np.maximum(held.mine, np.minimum(2 * held.theirs, 1)))

    def theirs(q: Floats) -> Floats:
        held = model.equities(q)
        return np.asarray(np.minimum(held.theirs, np.maximum(2 * held.mine, -1)))

    def centered(q: Floats) -> Floats:
        held = model.equities(q)
        double, worse = np.minimum(2 * held.theirs, 1), np.maximum(2 * held.mine, -1)
        return np.asarray(
            np.where(double > held.centered, double, np.where(worse < held.centered, worse, held.centered))
        )

    alpha = (lambda q: float(volatility(np.array(q)))) if callable(volatility) else volatility
    held = model.equities(p)
    ends, before = (-lose, win), (-1, 1) if jacoby else (-lose, win)
    for function, values, at in (
        (mine, held.mine, ends),
        (theirs, held.theirs, ends),
        (centered, held.centered, before),
    ):
        assert values == pytest.approx(smoothed(function, p, alpha, jumps, model.points().values(), at), abs=1e-6)


@pytest.mark.parametrize("jumps", ["double-exponential", "gaussian"])
def test_brute_force_iteration_agrees(jumps: str) -> None:
    """The equations are iterated from the dead cube; jumps that would leave [0, 1] are not made."""
    p, e_c, e_p, e_o = iterate_inside(1.3, 1.0, 0.12, jumps, 100)
    values = jump.exact(1.3, 1.0, 0.12, jumps, boundary="inside").equities(p)
    for found, expected in ((values.centered, e_c), (values.mine, e_p), (values.theirs, e_o)):
        assert found == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(
    ("win", "lose", "alpha"),
    [(1.2, 1.1, 0.15), (1.2, 1.1, 0.45), (1.2, 1.1, 1.0), (1, 1, 1.0), (3, 1.5, 1.0), (1.5, 3, 1.0), (3, 3, 0.6)],
)
def test_jumps_that_end_at_the_ends_give_the_twin_s_equities(win: float, lose: float, alpha: float) -> None:
    """Large jumps leave nothing to pass, or make every chance a double.  The twin has no regions."""
    model = jump.exact(win, lose, alpha, "gaussian", boundary="absorb")
    p, *expected = iterate_absorbed(win, lose, alpha, model.points().values())
    assert np.abs(curves(model, p) - expected).max() < 1e-6


@pytest.mark.parametrize("jumps", ["gaussian", "double-exponential"])
def test_equities_with_jumps_that_stay_inside_have_the_stated_error(jumps: str) -> None:
    """Images of a kink lie between it and the end; only four have nodes.  Smaller jumps have a smaller error."""
    model = jump.exact(1.2, 1.1, 0.2, jumps, boundary="inside")
    finer = jump.exact(1.2, 1.1, 0.2, jumps, 300, boundary="inside")
    assert np.abs(curves(model) - curves(finer)).max() < INSIDE_ERROR / 2


@settings(max_examples=25, deadline=None)
@given(st.floats(1, 3), st.floats(1, 3), st.floats(0.002, 1))
def test_points_of_the_closed_form_agree_over_its_whole_range(win: float, lose: float, alpha: float) -> None:
    check_points(jump.exact(win, lose, alpha), 2e-9)


@pytest.mark.parametrize("win", [1.0, 1 + 1e-9, 1.5, 3.0])
@pytest.mark.parametrize("lose", [1.0, 2.0])
@pytest.mark.parametrize("alpha", [1e-6, 0.005, 0.3, 1.0])
def test_points_of_the_closed_form_agree_at_its_edges(win: float, lose: float, alpha: float) -> None:
    check_points(jump.exact(win, lose, alpha), 2e-8)


@settings(max_examples=5, deadline=None)
@given(st.floats(1, 3), st.floats(1, 3), st.floats(-6, -0.5))
def test_points_of_the_mesh_agree_over_its_range(win: float, lose: float, exponent: float) -> None:
    check_points(jump.exact(win, lose, 10**exponent, "gaussian"), 1e-6)


def test_equities_of_small_volatilities_are_accurate() -> None:
    """Buckets are narrow only near the kinks; equities are accurate there, too."""
    win, lose, alpha = 1.4, 1, 1e-6
    closed = jump.exact(win, lose, alpha)
    mesh, finer = (jump.exact(win, lose, alpha, jumps="gaussian", buckets=n and round(n / alpha)) for n in (None, 8))
    places = [place + alpha * np.linspace(-10, 10, 41) for place in closed.points().values()]
    p = np.unique(np.clip(np.concatenate([P, *places]), 0, 1))
    assert np.abs(curves(jump.exact(win, lose, alpha, scheme="mesh"), p) - curves(closed, p)).max() < 1e-6
    assert np.abs(curves(mesh, p) - curves(finer, p)).max() < 1e-6


def test_without_gammons_nothing_is_too_good() -> None:
    for model in (jump.exact(1, 1.3, 0.1), jump.exact(1, 1.3, 0.1, "gaussian")):
        assert model.too_good_centered == model.too_good_mine == 1.0
        assert model.cube_action(0.99).verdict == "double/pass"
    assert jump.exact(1.4, 1, 0.1).opponent_too_good_theirs == 0.0


def test_the_jacoby_rule_changes_only_the_centered_cube() -> None:
    closed, mesh = (jump.exact(1.4, 1, 0.2, jacoby=True, scheme=scheme) for scheme in ("closed", "mesh"))
    assert np.abs(curves(closed) - curves(mesh)).max() < 1e-6
    assert closed.too_good_centered is None
    assert "too_good_centered" not in mesh.points()
    assert closed.initial_double < jump.exact(1.4, 1, 0.2).initial_double
    assert closed.equities(P).mine == pytest.approx(jump.exact(1.4, 1, 0.2).equities(P).mine)
    assert closed.equities([0.0, 1.0]).centered.tolist() == [-1, 1]


@pytest.mark.parametrize("volatility", [0.0, 0.1, jump.ramp(0.1)], ids=str)
@pytest.mark.parametrize("jumps", ["double-exponential", "gaussian"])
@pytest.mark.parametrize("boundary", ["linear", "absorb", "inside"])
def test_jacoby_changes_nothing_where_there_are_no_gammons(volatility: float, jumps: str, boundary: str) -> None:
    closed = isinstance(volatility, float) and jumps == "double-exponential" and boundary == "linear"
    for scheme in ("closed", "mesh") if closed else ("auto",):
        with_gammons, without = (
            jump.exact(1, 1, volatility, jumps, boundary=boundary, scheme=scheme, jacoby=jacoby, buckets=30)
            for jacoby in (False, True)
        )
        assert np.abs(curves(with_gammons) - curves(without)).max() < 1e-9
        assert without.initial_double == pytest.approx(with_gammons.initial_double, abs=1e-9)


def test_differences_that_the_paper_neglects_are_the_derived_ones() -> None:
    """The largest differences of equities at equal mean absolute jump, which the paper calls negligible."""
    for (win, lose, alpha), expected in {
        (1.2, 1.1, 0.08): (0.019, 0.020, 0.026),
        (1.4, 1, 0.2): (0.044, 0.022, 0.034),
    }.items():
        one, two = jump.exact(win, lose, alpha), jump.exact(win, lose, alpha, "gaussian")
        assert np.abs(curves(one) - curves(two)).max(axis=1) == pytest.approx(expected, abs=6e-4)
    for win, lose, alpha, jumps, errors in (
        (1.2, 1.1, 0.08, "double-exponential", ((0.0240, 0.0080), (0.0261, 0.0106), (0.0274, 0.0114))),
        (1.2, 1.1, 0.08, "gaussian", ((0.0331, 0.0109), (0.0306, 0.0048), (0.0296, 0.0085))),
        (1.4, 1, 0.20, "double-exponential", ((0.0764, 0.0084), (0.0089, 0.0053), (0.0235, 0.0107))),
        (1.4, 1, 0.20, "gaussian", ((0.0534, 0.0200), (0.0299, 0.0087), (0.0518, 0.0281))),
    ):
        p = np.linspace(0, 1, 201)
        truth = curves(jump.exact(win, lose, alpha, jumps), p)
        for k, name in enumerate(("centered", "mine", "theirs")):
            for model, error in zip(
                (jump.linear(win, lose, alpha), jump.nonlinear(win, lose, alpha, jumps=jumps)), errors[k], strict=True
            ):
                assert np.abs(getattr(model.equities(p), name) - truth[k]).max() == pytest.approx(error, abs=6e-5)
