"""Initial positions of races against the printed list, and what their makers ask of them."""

from __future__ import annotations

from helpers import golden

from bgrace.board import Position
from bgrace.rollout.initial_positions import PIPS, VARIANT_PIPS, base, extra_crossovers, gap


def everything() -> list[tuple[int, Position]]:
    found = [(pips, base(pips)) for pips in PIPS]
    for pips in VARIANT_PIPS:
        found += [(pips, extra_crossovers(pips)), (pips, extra_crossovers(pips, 2)), (pips, gap(pips))]
    return found


def test_base_positions_are_those_of_the_list() -> None:
    rows = golden.rows("initial_positions")
    assert [row.integer("pips") for row in rows] == list(PIPS)
    for row in rows:
        assert base(row.integer("pips")) == row.position("position")


def test_every_position_has_its_pips_and_fifteen_checkers() -> None:
    for pips, position in everything():
        assert (position.pips, position.checkers) == (pips, 15)
