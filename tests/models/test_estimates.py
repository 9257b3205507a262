"""Formulas for the chance to win a race: against printed and derived values; their errors against the exact model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from helpers.golden import Row, check_printed, rows

from bgrace import scm

Estimate = Callable[[Any, Any], Any]

ESTIMATES: dict[str, Estimate] = {
    "kleinman": scm.kleinman,
    # The same sum of pips, with 4 for the half roll of 49/12.
    "whole_half_roll": lambda x, y: scm.kleinman(np.asarray(x) + 1 / 24, np.asarray(y) - 1 / 24),
    "sigma_4": lambda x, y: scm.kleinman(x, y, sigma=4),
    "gnubg_kleinman": scm.gnubg_kleinman,
    "improved": scm.improved,
    "adjusted_unrounded": scm.adjusted_unrounded,
    "adjusted_ratio": scm.adjusted_ratio,
    "adjusted": scm.adjusted,
    "exact": scm.win_probability,
}


@pytest.mark.parametrize("row", rows("estimates_values"), ids=str)
def test_values_are_the_derived_ones(row: Row) -> None:
    x, y = row.integer("x"), row.integer("y")
    for column in row.cells:
        if column not in ("x", "y"):
            check_printed(ESTIMATES[column](x, y), row, column)


@pytest.mark.parametrize("row", rows("estimates_errors"), ids=str)
def test_errors_against_the_exact_model_are_the_derived_ones(row: Row) -> None:
    if row.text("region") == "window":
        x = np.arange(60, 131)[:, np.newaxis]
        x, y = np.broadcast_arrays(x, x + np.arange(-10, 31))
    else:
        x, y = np.meshgrid(np.arange(30, 161), np.arange(30, 161), indexing="ij")
    error = ESTIMATES[row.text("estimate")](x, y) - scm.win_probability(x, y)
    worst = np.unravel_index(np.abs(error).argmax(), error.shape)
    assert [x[worst], y[worst]] == [row.integer("x"), row.integer("y")]
    check_printed(error[worst], row, "largest")
    check_printed(np.sqrt(np.mean(error**2)), row, "rms")


def test_the_adjusted_table_is_the_printed_one() -> None:
    printed = rows("estimates_table")
    assert len(printed) == 50
    ratios = scm.adjusted_table([row.number("probability") for row in printed])
    assert [float(f"{ratio:.6g}") for ratio in ratios] == [row.number("ratio") for row in printed]
    # And back: S = 125 makes the denominator 100, so that Delta follows from the ratio.
    ratio = ratios[1:]
    delta = (-1 / 7 + np.sqrt(1 / 49 + 400 * ratio)) / 2
    lead = delta - 4
    found = scm.adjusted((125 - lead) / 2, (125 + lead) / 2)
    assert found == pytest.approx([row.number("probability") for row in printed[1:]], abs=1e-12)


@pytest.mark.parametrize("row", rows("estimates_percent"), ids=str)
def test_rules_in_per_cent_have_the_derived_bounds(row: Row) -> None:
    x = row.integer("x")
    y = np.arange(x, x + 60)
    for percent, rule in ((80, scm.above_80), (90, scm.above_90)):
        bound = row.number(f"rule_{percent}")
        assert rule(x, bound)
        assert not rule(x, bound - 0.01)
        assert (rule(x, y) == (y >= bound)).all()
        for name in ("exact", "adjusted"):
            assert y[(ESTIMATES[name](x, y) >= percent / 100).argmax()] == row.integer(f"{name}_{percent}")


def test_kleinman_table_and_ratio_are_inverse() -> None:
    x = np.arange(20, 120)
    for sigma, factor in ((None, 2.2619047619), (4, 1.9591836735)):
        assert scm.kleinman_table(scm.kleinman(x, 70, sigma), sigma) == pytest.approx(scm.kleinman_ratio(x, 70))
        one_sigma = 0.8413447460685429
        assert scm.kleinman_table(one_sigma, sigma) == pytest.approx(factor, abs=5e-11)
    assert (scm.normal(x, 70) == scm.kleinman(x, 70)).all()
    assert scm.kleinman(60, 70, 4) == scm.kleinman(60, 70, sigma=4.0)


@pytest.mark.parametrize(
    ("ratio", "exact"), [(0.5, 0.6915), (0.7, 0.7229), (1.0, 0.7602), (1.2, 0.7807), (1.4, 0.7986), (2.0, 0.8413)]
)
def test_kleinman_ratios_of_players_give_the_printed_chances(ratio: float, exact: float) -> None:
    # S = 104 makes the denominator 100.
    lead = 10 * ratio**0.5 - 4
    x, y = (104 - lead) / 2, (104 + lead) / 2
    assert scm.gnubg_kleinman_ratio(x, y) == pytest.approx(ratio)
    assert scm.gnubg_kleinman(x, y) == pytest.approx(exact, abs=6e-5)
    assert scm.kleinman_fit(ratio) == pytest.approx(exact, abs=0.0035)


@pytest.mark.parametrize(
    "name", ["kleinman", "normal", "gnubg_kleinman", "improved", "adjusted", "adjusted_unrounded", "least_squares"]
)
def test_a_race_that_is_over_is_won_or_lost(name: str) -> None:
    estimate = getattr(scm, name)
    assert estimate(0, 50) == 1
    if name != "least_squares":  # for a leader only
        assert estimate(50, 0) == 0
        assert estimate([50, 0, 50], [0, 50, 50])[:2].tolist() == [0, 1]


@pytest.mark.parametrize("name", [name for name in ESTIMATES if name != "whole_half_roll"])
def test_scalars_give_floats_and_arrays_broadcast(name: str) -> None:
    estimate = ESTIMATES[name]
    assert isinstance(estimate(60, 70), float)
    assert estimate([60, 61], [[70], [80], [90]]).shape == (3, 2)
    assert estimate([[60]], 70)[0, 0] == estimate(60, 70)
    assert estimate(np.zeros((0, 2)), 70).shape == (0, 2)
