"""Rollouts: dice, strategies and games against printed values, exact tables and a slow twin."""

from __future__ import annotations

import golden
import numpy as np
import pytest

from bgrace import initial_positions, rollout
from bgrace.notation import Position, parse_position

VARIANTS = {
    "base": initial_positions.base,
    "extra crossover": initial_positions.extra_crossovers,
    "two extra crossovers": lambda pips: initial_positions.extra_crossovers(pips, 2),
    "gap": initial_positions.gap,
}


@pytest.mark.parametrize("row", golden.rows("bear_in_plays"), ids=str)
def test_printed_plays(row: golden.Row) -> None:
    opponent = Position([int(str(25 - j) in row.text("blocked").split()) for j in range(1, 25)])
    result = rollout.play(row.text("position"), row.text("roll"), opponent=opponent)
    assert result.resized(24) == parse_position(row.text("result"), 24)


@pytest.mark.parametrize("row", [row for row in golden.rows("bear_in_rolls") if row.integer("pips") <= 120], ids=str)
def test_printed_means_and_variances(row: golden.Row) -> None:
    chances = rollout.roll_distribution(VARIANTS[row.text("variant")](row.integer("pips")))
    rolls = np.arange(len(chances))
    mean = float(chances @ rolls)
    golden.check_printed(mean, row, "mean")
    golden.check_printed(float(chances @ (rolls - mean) ** 2), row, "variance")
