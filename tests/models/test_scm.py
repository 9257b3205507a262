"""The single-checker model against exact fractions, printed and derived values."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from helpers import golden
from helpers.race_reference import TOTALS, roll_chances, win_chance

from bgrace import scm


def test_totals_of_the_dice_have_mean_and_variance_of_the_paper() -> None:
    assert dict(zip(scm.ROLL_PIPS, scm.ROLL_WAYS, strict=True)) == TOTALS
    mean = Fraction(sum(p * w for p, w in TOTALS.items()), 36)
    variance = Fraction(sum(p * p * w for p, w in TOTALS.items()), 36) - mean**2
    assert (mean, variance) == (Fraction(49, 6), Fraction(665, 36))
    assert float(variance) == scm.VARIANCE_PIPS


def test_distributions_and_chances_are_those_in_exact_fractions() -> None:
    chances = roll_chances(30)
    table = scm.table(30)
    for x in range(31):
        assert scm.roll_distribution(x) == pytest.approx([float(c) for c in chances[x]], abs=1e-15)
        for y in range(1, 31):
            assert table[x, y] == pytest.approx(float(win_chance(chances[x], chances[y])), abs=2e-15)
    assert table[4, 4] == pytest.approx(307 / 324, abs=1e-15)
    assert table[8, 8] == pytest.approx(78145 / 104976, abs=1e-15)


def test_the_three_methods_agree() -> None:
    tables = {method: scm.table(400, method) for method in scm.METHODS}
    assert list(tables) == ["recursion", "first-passage", "markov"]
    for table in tables.values():
        assert np.isnan(table[0, 0])
        assert np.abs(table - tables["recursion"])[1:].max() < 1e-12
        assert (table[0, 1:] == 1).all()
        assert (table[1:, 0] == 0).all()


def test_the_markov_chain_gives_the_same_distributions_and_moments() -> None:
    limit = 200
    matrix = scm.transition_matrix(limit)
    assert matrix.sum(axis=1) == pytest.approx(np.ones(limit + 2), abs=1e-15)
    assert (np.triu(matrix[1:, 1:]) == 0).all()  # strictly lower triangular except for the corner
    assert matrix[0].tolist() == [1] + [0] * (limit + 1)
    assert matrix[1 + 30, 1 + 6] == 1 / 36
    assert np.linalg.matrix_power(matrix, 3)[1:, 1] == pytest.approx(scm.roll_distribution(range(limit + 1))[:, 3])
    # Mean and variance without the distribution, from the fundamental matrix.
    transient = matrix[2:, 2:]
    visits = np.linalg.inv(np.eye(limit) - transient)
    mean = visits.sum(axis=1)
    assert mean == pytest.approx(scm.mean_rolls(range(1, limit + 1)), abs=1e-12)
    variance = 2 * visits @ mean - mean - mean**2
    assert variance == pytest.approx(scm.variance_rolls(range(1, limit + 1)), abs=1e-12)


@pytest.mark.parametrize("row", golden.rows("race_scm_win"), ids=str)
def test_chances_are_the_printed_ones(row: golden.Row) -> None:
    golden.check_printed(scm.win_probability(row.integer("x"), row.integer("y")), row, "win_probability")


@pytest.mark.parametrize("row", golden.rows("race_scm_rolls"), ids=str)
def test_moments_approach_their_asymptotes_as_derived(row: golden.Row) -> None:
    x = row.integer("x")
    mean, variance = scm.mean_rolls(x), scm.variance_rolls(x)
    assert mean == pytest.approx(row.number("mean"), abs=6e-11)
    assert variance == pytest.approx(row.number("variance"), abs=6e-11)
    left = mean - scm.MEAN_SLOPE * x - scm.MEAN_OFFSET
    assert left == pytest.approx(row.number("mean_residual"), rel=6e-4, abs=2e-13)
    left = variance - scm.VARIANCE_SLOPE * x - scm.VARIANCE_OFFSET
    assert left == pytest.approx(row.number("variance_residual"), rel=6e-4, abs=2e-13)


def test_arguments_broadcast_and_finished_sides_have_won() -> None:
    assert scm.win_probability([[10], [20]], [10, 20, 30]).shape == (2, 3)
    assert isinstance(scm.win_probability(10, 20), float)
    assert isinstance(scm.mean_rolls(10), float)
    assert scm.win_probability(0, 5) == scm.win_probability(-3, 5) == 1
    assert scm.win_probability(5, 0) == scm.win_probability(5, -1) == 0
    assert scm.win_probability(20.0, 20) == scm.win_probability(20, 20)
    assert scm.mean_rolls([]).shape == (0,)
    assert scm.roll_distribution(0).tolist() == [1]
    table = scm.table(5)
    table[1, 1] = 7  # this changes only the caller's copy
    assert scm.win_probability(1, 1) == 1
    assert scm.win_probability(2000, 2000) == scm.table(2000)[2000, 2000]


@pytest.mark.parametrize("row", golden.rows("race_estimates"), ids=str)
def test_errors_of_the_estimates_are_the_derived_ones(row: golden.Row) -> None:
    k = np.arange(row.integer("k_first"), row.integer("k_last") + 1)[:, np.newaxis]
    s = k + np.arange(row.integer("lead_first"), row.integer("lead_last") + 1)
    k, s = np.broadcast_arrays(k, s)
    inside = s > 0
    k, s = k[inside], s[inside]
    estimate = scm.least_squares(k, s, clip=False) if row.text("estimate") == "rational" else scm.normal(k, s)
    error = estimate - scm.win_probability(k, s)
    worst = np.abs(error).argmax()
    assert (k[worst], s[worst]) == (row.integer("k"), row.integer("s"))
    assert error[worst] == pytest.approx(row.number("largest"), abs=6e-5)
    assert np.sqrt(np.mean(error**2)) == pytest.approx(row.number("rms"), abs=6e-5)
