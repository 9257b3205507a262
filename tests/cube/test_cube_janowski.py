"""Janowski's model against printed and derived values, and against its own definitions."""

import numpy as np
import pytest
from helpers.cube_points import check_points
from helpers.golden import Row, check_printed, rows

from bgrace.cube import janowski
from bgrace.cube.action import decide
from bgrace.cube.model import DecisionPoints

NET = [(win, lose, x) for win in (1, 1.3, 2, 3) for lose in (1, 1.1, 2.5) for x in (0, 0.3, 0.7, 1)]


def points_of(row: Row) -> DecisionPoints[float]:
    win, lose, x = row.number("win"), row.number("lose"), row.number("x")
    if row.text("form") == "refined":
        return janowski.refined(win, lose, x, row.number("x2"))
    return janowski.decision_points(win, lose, x, form=row.text("form"), jacoby=row.text("jacoby") == "1")


@pytest.mark.parametrize("row", rows("jump_janowski"), ids=repr)
def test_points_are_the_printed_ones(row: Row) -> None:
    points = points_of(row).points()
    printed = [name for name in points if name in row]
    assert printed
    for name in printed:
        check_printed(points[name], row, name)


@pytest.mark.parametrize(
    "row", [r for r in rows("jump_equities") if r.text("model") in ("line", "blend", "blend jacoby")], ids=repr
)
def test_equities_are_the_printed_ones(row: Row) -> None:
    form, _, jacoby = row.text("model").partition(" ")
    values = janowski.equities(
        row.number("p"), row.number("win"), row.number("lose"), row.number("remote"), form=form, jacoby=bool(jacoby)
    )
    for name in ("mine", "centered", "theirs"):
        check_printed(getattr(values, name), row, name)


def test_the_centered_line_of_the_refined_form_is_the_derived_one() -> None:
    model = janowski.refined(1.4, 1.1, 0.75, 0.60)
    assert (model.intercept, model.slope) == pytest.approx((-1.486258, 3.403805), abs=5e-7)


def test_a_double_can_be_right_although_it_is_beavered() -> None:
    model = janowski.model(1.7, 1.1, 0, jacoby=True, beavers=True)
    action = model.cube_action(0.37, beavers=True)
    assert (action.no_double, action.double_take) == pytest.approx((-0.26, -0.256))
    assert action.equity == pytest.approx(-0.256)
    assert (action.verdict, action.beaver) == ("double/beaver", True)
    assert model.racoon_point == pytest.approx(0.392857, abs=5e-7)
    assert janowski.decision_points(1.7, 1.1, 0, jacoby=True).initial_double == pytest.approx(0.333333, abs=5e-7)


@pytest.mark.parametrize(("win", "lose", "x"), NET)
@pytest.mark.parametrize("jacoby", [False, True])
def test_points_are_where_the_equities_say(win: float, lose: float, x: float, jacoby: bool) -> None:
    model = janowski.model(win, lose, x, jacoby=jacoby)
    check_points(model, 1e-9, in_order=not jacoby)
    assert model.equities(model.points()["beaver_point"]).mine == pytest.approx(0, abs=1e-12)
    assert model.equities(model.points()["racoon_point"]).theirs == pytest.approx(0, abs=1e-12)


def test_equities_at_certain_wins_and_losses_and_of_dead_and_live_cubes() -> None:
    for win, lose, x in NET:
        values = janowski.equities(np.array([0.0, 1.0]), win, lose, x)
        for state in (values.centered, values.mine, values.theirs):
            assert state == pytest.approx([-lose, win])
    assert janowski.dead(0.6, 1, 1).mine == pytest.approx(0.2)
    live = janowski.live(np.array([0.2, 0.5, 0.8]), 1, 1)
    assert live.centered == pytest.approx([-1, 0, 1])
    assert live.mine == pytest.approx([-0.5, 0.25, 1])


def test_arrays_broadcast_and_scalars_stay_scalars() -> None:
    p = np.linspace(0, 1, 7)[:, None]
    values = janowski.equities(p, [1, 1.2], 1.1, 0.7)
    assert values.centered.shape == (7, 2)
    assert values.mine[3, 1] == pytest.approx(janowski.equities(0.5, 1.2, 1.1, 0.7).mine)
    assert isinstance(janowski.equities(0.5, 1, 1, 0.7).centered, float)
    assert isinstance(janowski.decision_points(1, 1, 0.7).take_point, float)
    assert janowski.decision_points([1, 2], 1, [[0.5], [0.7]]).redouble.shape == (2, 2)


def test_values_of_wins_and_losses_follow_from_gammon_chances() -> None:
    win, lose = janowski.win_loss_values(0.454, 0.103, 0.001, 0.106, 0.003)
    assert (win, lose) == pytest.approx((1.229075, 1.199634), abs=5e-7)
    assert janowski.win_loss_values(1.0, 0.3) == (1.3, 1.0)
    assert janowski.win_loss_values(0.0, lose_gammon=0.5) == (1.0, 1.5)
    assert janowski.win_loss_values([0.5, 1], [0.25, 1])[0].tolist() == [1.5, 2]


def test_decisions_follow_from_the_equities() -> None:
    model = janowski.model(1, 1, 0.7)
    assert [model.cube_action(p).verdict for p in (0.6, 0.75, 0.9)] == ["no double", "double/take", "double/pass"]
    assert model.cube_action(0.9, "theirs").verdict == "no cube"
    held = model.equities(0.75)
    assert model.cube_action(0.75, "mine") == decide(held.mine, 2 * held.theirs, cube="mine")
    assert held.with_double().mine == pytest.approx(max(held.mine, min(2 * held.theirs, 1)))
    assert janowski.model(2, 1, 0.7).cube_action(0.9).verdict == "too good"
    assert janowski.refined(1, 1, 0.7, 0.7).cube_action(0.75).verdict == "double/take"
