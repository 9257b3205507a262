"""What is a roll, and what is not."""

from __future__ import annotations

import numpy as np

from bgrace.board.dice import ROLLS, WEIGHTS, parse_roll


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
