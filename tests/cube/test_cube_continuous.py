"""The Brownian model: against the formulas of the paper, printed values and seeded simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from helpers.golden import Row, rows

from bgrace.cube import continuous

GAMES = 400_000


def check_against_simulation(formula: continuous.Winnings, seed: int) -> None:
    """Check every chance, and the mean of the listed values, within 4 standard errors."""
    played = continuous.simulate(
        GAMES,
        seed,
        start=formula.start,
        low=formula.low,
        high=formula.high,
        a_takes=formula.a_takes,
        b_takes=formula.b_takes,
    )
    values, chances = formula.values.astype(np.float64), formula.probabilities
    found = np.array([played.frequency(int(value)) for value in formula.values])
    # Where hardly any game is expected the normal law does not hold, and one game more may be 4 standard errors.
    error = np.sqrt(chances * (1 - chances) / GAMES) + 0.25 / GAMES
    assert (np.abs(found - chances) <= 4 * error).all()
    # The mean over the listed values: the whole mean has no finite variance when both sides take.
    mean, square = values @ chances, values**2 @ chances
    assert abs(values @ found - mean) <= 4 * math.sqrt((square - mean**2) / GAMES)
    assert abs(1 - found.sum() - formula.tail) <= 4 * math.sqrt(max(formula.tail, 1 / GAMES) / GAMES)
    if formula.tail == 0:
        assert set(played.values.tolist()) <= set(formula.values.tolist())
        assert abs(played.mean - formula.mean) <= 4 * played.standard_error


@pytest.mark.parametrize("row", rows("cube_thresholds"), ids=repr)
def test_chances_of_two_thresholds_are_those_of_simulated_games(row: Row) -> None:
    start, low, high = (row.number(name) for name in ("start", "low", "high"))
    a_takes, b_takes = (row.text(name) == "yes" for name in ("a_takes", "b_takes"))
    formula = continuous.two_thresholds(4, start=start, low=low, high=high, a_takes=a_takes, b_takes=b_takes)
    check_against_simulation(formula, seed=5)


@pytest.mark.parametrize("t", [0, 0.05, 0.1, 0.2, 0.25, 0.299])
def test_insolent_by_the_formulas_of_the_paper(t: float) -> None:
    special, ratio = continuous.insolent(t, 40), (0.2 + t) / (4 * (0.8 - t))
    odd, even = ((0.3 - t) / (0.8 - t), 3 / 8), (3 / 8 * (0.2 + t) / (0.8 - t), 1 / 4 * (0.3 - t) / (0.8 - t))
    chances = {
        sign * 2**exponent: chance * ratio ** ((exponent - 1) // 2)
        for exponent in range(1, 41)
        for sign, chance in zip((1, -1), odd if exponent % 2 else even, strict=True)
    }
    assert special.values.tolist() == sorted(chances)
    assert np.abs(special.probabilities - [chances[value] for value in sorted(chances)]).max() < 1e-15
    assert special.mean == pytest.approx(5 / 8 * t / (0.3 - t), rel=1e-12, abs=1e-15)
    if t < 0.15:
        # The mean is the sum of values times chances; the paper prints only the formula of the mean correctly.
        assert special.values @ special.probabilities == pytest.approx(special.mean, abs=1e-4)
        assert special.probabilities.sum() == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("t", [0.01, 0.1, 0.2])
@pytest.mark.parametrize("takes", [False, True])
def test_cautious_by_the_formulas_of_the_paper(t: float, takes: bool) -> None:
    special = continuous.cautious(t, takes=takes)
    chances, mean = {-1: 0.3 / (0.6 + t), 1: (0.3 + t) / (0.6 + t)}, t / (0.6 + t)
    if takes:
        chances = {-2: 0.2 * (0.3 + t) / ((0.6 + t) * (0.8 + t)), -1: 0.3 / (0.6 + t), 2: (0.3 + t) / (0.8 + t)}
        mean = t * (1.1 + 2 * t) / ((0.6 + t) * (0.8 + t))
    assert special.values.tolist() == list(chances)
    assert special.probabilities == pytest.approx(list(chances.values()), abs=1e-15)
    assert special.mean == pytest.approx(special.values @ special.probabilities, abs=1e-15)
    assert special.mean == pytest.approx(mean, abs=1e-15)


def test_probabilities_of_values_are_the_derived_ones() -> None:
    # Derived, by formula and by simulation of two million games.
    insolent = continuous.insolent(0.1, 3)
    for value, chance in {2: 2 / 7, -2: 0.375, 4: 0.160714286, -4: 0.0714285714, 8: 0.0306122449}.items():
        assert insolent.probability(value) == pytest.approx(chance, abs=6e-10)
    assert insolent.probability(16) == insolent.probability(1) == 0


def test_there_is_no_mean_if_stakes_rise_too_fast() -> None:
    assert math.isnan(continuous.two_thresholds(10, low=0.35, high=0.65).mean)
    assert not math.isnan(continuous.two_thresholds(10, low=0.35, high=0.65, b_takes=False).mean)


def test_equities_meet_at_the_doubling_points() -> None:
    # At the doubling point 0.8 a take and a pass are worth the same.
    assert 2 * continuous.equity(continuous.HIGH, "theirs") == pytest.approx(1)
    assert -2 * continuous.equity(continuous.LOW, "mine") == pytest.approx(1)
    x = np.linspace(0, 1, 101)
    assert continuous.equity(x, "mine") == pytest.approx(-continuous.equity(1 - x, "theirs"))
    assert continuous.equity(x) == pytest.approx(-continuous.equity(1 - x))
    assert (continuous.equity(x, "mine") >= continuous.equity(x)).all()
    # Between the points the centered value is the mean of the values at the point that is reached first.
    up = continuous.hitting_probability(0.5, 0.2, 0.8)
    assert up * 1 + (1 - up) * -1 == pytest.approx(continuous.equity(0.5))


def test_the_hitting_probability_is_linear_between_two_points() -> None:
    assert continuous.hitting_probability(0.3, 0, 1) == 0.3
    assert continuous.hitting_probability([0.2, 0.5, 0.8], 0.2, 0.8) == pytest.approx([0, 0.5, 1])


def test_the_truncated_second_moment_is_that_of_the_listed_values() -> None:
    listed = continuous.winnings(30)
    for x in (0, 0.99, 1, 1.99, 2, 3, 4, 1000, 2**29, 2**30 - 1):
        inside = np.abs(listed.values) <= x
        moment = listed.values[inside].astype(np.float64) ** 2 @ listed.probabilities[inside]
        assert continuous.truncated_second_moment(x) == pytest.approx(moment)
    for power in range(1, 60):
        assert continuous.truncated_second_moment(2.0**power) == 3 * power


def test_norming_constants_grow_as_derived() -> None:
    assert continuous.norming_constant(1024) == pytest.approx(math.sqrt(1.5 * 1024 * 10))
    # n mu(a_n) / a_n^2 tends to 1, slowly.
    ratios = [
        n * continuous.truncated_second_moment(continuous.norming_constant(n)) / continuous.norming_constant(n) ** 2
        for n in (2**20, 2**100, 2**400)
    ]
    assert abs(ratios[2] - 1) < abs(ratios[0] - 1)
    assert ratios[2] == pytest.approx(1, abs=0.021)
