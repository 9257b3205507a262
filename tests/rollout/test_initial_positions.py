"""Initial positions of races against the printed list, and what their makers ask of them."""

from __future__ import annotations

from helpers import golden

from bgrace.board import Position
from bgrace.rollout import initial_positions
from bgrace.rollout.initial_positions import PIPS, POINTS, VARIANT_PIPS, base, extra_crossovers, gap


def everything() -> list[tuple[int, Position]]:
    found = [(pips, base(pips)) for pips in PIPS]
    for pips in VARIANT_PIPS:
        found += [(pips, extra_crossovers(pips)), (pips, extra_crossovers(pips, 2)), (pips, gap(pips))]
    return found


def crossovers(position: Position) -> int:
    """Table boundaries that the checkers have yet to cross."""
    return sum(n * (j // 6) for j, n in enumerate(position))


def test_base_positions_are_those_of_the_list() -> None:
    rows = golden.rows("initial_positions")
    assert [row.integer("pips") for row in rows] == list(PIPS)
    for row in rows:
        assert base(row.integer("pips")) == row.position("position")


def test_every_position_has_its_pips_and_fifteen_checkers() -> None:
    for pips, position in everything():
        assert (position.pips, position.checkers) == (pips, 15)


def test_no_two_positions_stand_on_one_point() -> None:
    own = {j for _, position in everything() for j, n in enumerate(position, start=1) if n}
    assert own <= set(POINTS)
    assert own.isdisjoint(25 - j for j in own)


def test_neighbours_differ_by_few_checkers() -> None:
    for pips in PIPS[:-1]:
        here, there = base(pips), base(pips + 1)
        assert sum(abs(a - b) for a, b in zip(here, there, strict=True)) <= 6


def test_variants_are_what_they_are_called() -> None:
    for pips in VARIANT_PIPS:
        assert gap(pips)[4] == 0
        for n in (1, 2):
            # A step forward may itself cross over, from 7 to 6: then only one checker of the two has farther to go.
            assert 0 <= crossovers(extra_crossovers(pips, n)) - crossovers(base(pips)) <= n
        assert crossovers(extra_crossovers(pips)) == crossovers(base(pips)) + 1


def test_names() -> None:
    assert all(hasattr(initial_positions, name) for name in initial_positions.__all__)
