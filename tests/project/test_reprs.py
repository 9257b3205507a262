"""The repr of a result fits a screen, however large the result is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from helpers.paths import SMALL

import bgrace
from bgrace import match
from bgrace.answers.pair import describe
from bgrace.cube import continuous, endgame, janowski, jump, race
from bgrace.database.verify import verify

SCREEN = 80 * 24
"""Characters."""

P = np.linspace(0, 1, 300)
PAIRS = np.tile(np.array([0, 0, 0, 0, 1, 1]), (400, 1))
SOLUTION = bgrace.solve("6x2 5x2", "6x1 5x3")
DATABASE = bgrace.open(SMALL)

RESULTS: dict[str, Callable[[], object]] = {
    "position of a file": lambda: DATABASE.alone("6x1 5x1", "21"),
    "equities of pairs": lambda: DATABASE.equities(PAIRS, "5x1 6x1"),
    "actions of pairs": lambda: DATABASE.cube_action(PAIRS, "5x1 6x1"),
    "stored tables": lambda: DATABASE.stored,
    "solution": lambda: SOLUTION,
    "plays": lambda: SOLUTION.best_plays("21"),
    "description of a pair": lambda: describe(SOLUTION, DATABASE.alone("6x2 5x2"), DATABASE.alone("6x1 5x3"), "21"),
    "counts of pairs": lambda: bgrace.counts.keith(PAIRS, PAIRS),
    "Janowski's points": lambda: janowski.decision_points(1.2, 1.1, P),
    "jump model": lambda: jump.nonlinear(1.2, 1.1, P / 3),
    "last two rolls": lambda: endgame.two_step(P, P),
    "doubling windows": lambda: race.solve(120),
    "winnings": lambda: continuous.insolent(0.1, 1),
    "score map": lambda: match.score_map("6x1 5x1", "5x2", 5),
    "rollout": lambda: bgrace.rollout.one_player("6x15", 1000, 1),
    "verification": lambda: verify(SMALL),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_fits_a_screen(name: str) -> None:
    text = repr(RESULTS[name]())
    assert 0 < len(text) <= SCREEN, text
    assert text.count("\n") < 24


@pytest.mark.parametrize(
    "drawn",
    [SOLUTION, DATABASE.alone("6x1 5x1"), SOLUTION.best_plays("21")[0], SOLUTION.on_roll],
    ids=["solution", "position", "play", "side"],
)
def test_a_notebook_shows_a_drawing_of_a_result(drawn: object) -> None:
    html, svg = drawn._repr_html_(), drawn._repr_svg_()  # type: ignore[attr-defined]
    assert svg.startswith("<svg")
    assert svg in html
    assert "<figcaption>" in html
