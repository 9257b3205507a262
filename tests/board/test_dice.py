"""What is a roll, and what is not."""

from __future__ import annotations

import numpy as np
import pytest

from bgrace.board.dice import ROLLS, WEIGHTS, parse_roll
from bgrace.errors import RollError


def test_every_roll_reads_in_every_form() -> None:
    for a, b in ROLLS:
        forms = (
            f"{a}{b}",
            f"{b}{a}",
            f"{a}-{b}",
            f"{a},{b}",
            f"{b} {a}",
            (a, b),
            [b, a],
            np.array([b, a]),
            iter((a, b)),
        )
        assert {parse_roll(form) for form in forms} == {(a, b)}
    assert sum(WEIGHTS) == 36


@pytest.mark.parametrize(
    "roll",
    [
        {3, 1},
        frozenset({3, 1}),
        {3: 1, 1: 3},
        {3: 1, 1: 3}.keys(),
        {6},
        "7",
        "31 4",
        "",
        (0, 1),
        (3, 1.0),
        31,
        None,
        [[3, 1]],
    ],
)
def test_what_is_not_a_roll(roll: object) -> None:
    with pytest.raises(RollError, match="is not a roll: give two dice from 1 to 6"):
        parse_roll(roll)  # type: ignore[arg-type]
