"""The last roll or two: Tables 2 and 3, the thresholds, and the three examples of the paper."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from helpers import golden
from helpers.race_reference import bearing_off_chances

from bgrace.cube import endgame

Q = np.linspace(0, 1, 721)  # multiples of 1/720, and so all of 1/36


def test_chances_are_those_of_tables_2_and_3() -> None:
    one, two = endgame.one_checker_chances(), endgame.two_checker_chances()
    seen = 0
    for row in golden.rows("race_chances"):
        if "point" in row:
            assert two[row.integer("point") - 1, row.integer("other_point") - 1] == row.integer("chances")
        else:
            assert one[row.integer("other_point") - 1] == row.integer("chances")
        seen += 1
    assert seen == 42 == one.size + two.size


def test_chances_are_those_of_all_plays() -> None:
    for a in range(1, 7):
        assert endgame.one_checker_chances()[a - 1] == bearing_off_chances((a,))
        for b in range(a, 7):
            assert endgame.two_checker_chances()[a - 1, b - 1] == bearing_off_chances((a, b))
            for c in range(b, 7):
                counts = [(a, b, c).count(point) for point in range(1, 7)]
                assert endgame.chances(counts) == bearing_off_chances((a, b, c))
    assert endgame.chances("off") == 36
    assert endgame.chances((5, 0, 0, 0, 0, 0)) == 0


def test_decisions_before_the_last_roll_have_points_of_a_half_and_three_quarters() -> None:
    action = endgame.one_step(np.arange(37) / 36).action
    np.testing.assert_array_equal(action.double, [n >= 18 for n in range(37)])
    np.testing.assert_array_equal(action.take, [n <= 27 for n in range(37)])
    one, two = endgame.one_checker_chances() / 36, endgame.two_checker_chances() / 36
    assert np.all(endgame.one_step(one).action.double)
    action = endgame.one_step(two).action
    double, take = np.asarray(action.double), np.asarray(action.take)
    assert double[1].tolist() == [True] * 5 + [False]  # 2-5 is the last double with a checker on the two point
    assert not take[0, 3]  # 1-4 is a pass,
    assert take[1, 1]  # 2-2 a take
    assert endgame.one_step(one[5]).action.take  # by a hair: 27/36 is a tie


def test_thresholds_agree_with_the_equities() -> None:
    p = np.linspace(0, 1, 1009)[:, np.newaxis]
    game = endgame.two_step(p, Q)
    away = 1e-9
    for action, least in ((game.centered, endgame.double_threshold(Q)), (game.mine, endgame.redouble_threshold(Q))):
        double = np.asarray(action.double)
        assert (double | (p < least + away)).all()
        assert (~double | (p > least - away)).all()
    greatest = endgame.pass_threshold(Q)
    # Below q = 1/4 the threshold is cut off at 0, where only a tie could be a take.
    inside = Q >= 0.25
    take = np.asarray(game.mine.take)
    assert (take | (p > greatest - away))[:, inside].all()
    assert (~take | (p < greatest + away)).all()
    assert np.array_equal(np.asarray(game.centered.take), take)


def test_thresholds_are_the_printed_ones() -> None:
    def piecewise(q: float) -> tuple[float, float, float]:
        if q > 3 / 4:
            return 1 / 2, (3 - 2 * q) / (4 - 2 * q), 3 / 4
        if q > 1 / 2:
            return (4 * q - 2) / (4 * q - 1), (6 * q - 3) / (6 * q - 2), (8 * q - 3) / (8 * q - 2)
        return 0, 0, 1 - 1 / (4 * q) if q > 1 / 4 else 0

    expected = np.array([piecewise(q) for q in Q.tolist()])
    found = [endgame.double_threshold(Q), endgame.redouble_threshold(Q), endgame.pass_threshold(Q)]
    assert np.abs(expected.T - found).max() < 1e-14
    assert isinstance(endgame.redouble_threshold(0.75), float)


@pytest.mark.parametrize(("name", "row"), [(row.text("name"), row) for row in golden.rows("race_examples")])
def test_the_three_examples_have_the_printed_values(name: str, row: golden.Row) -> None:
    example = {example.name: example for example in endgame.examples()}[name]
    assert example.opponent == row.text("opponent")
    assert example.points_no_double == pytest.approx(float(Fraction(row.text("no_double"))), abs=1e-14)
    assert example.points_double_take == pytest.approx(float(Fraction(row.text("double_take"))), abs=1e-14)
    assert round(example.points_no_double, 3) == row.number("printed_no_double")
    assert round(example.points_double_take, 3) == row.number("printed_double_take")


def test_scalars_give_floats_and_arrays_broadcast() -> None:
    game = endgame.two_step(19 / 36, 23 / 36)
    assert isinstance(game.p, float)
    assert isinstance(game.centered.no_double, float)
    assert game.mine.double_pass == 1
    assert np.shape(endgame.two_step([[0.1], [0.2]], [0.3, 0.4, 0.5]).mine.no_double) == (2, 3)
