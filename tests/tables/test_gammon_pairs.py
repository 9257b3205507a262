"""Lists of gammon pairs hold all pairs in which a gammon is likely enough; a row holds its first few columns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from helpers.gammon_places import places_of
from helpers.known import known

from bgrace.board.spaces import PositionSpace
from bgrace.tables import MIN_CHANCE, GammonPairs, OneSidedTable, find_gammon_pairs, solve_one_sided, two_sided_order


@pytest.fixture(scope="module", params=[1, 3])
def table(request: pytest.FixtureRequest) -> OneSidedTable:
    return solve_one_sided(PositionSpace(request.param, 15))


@pytest.fixture(scope="module")
def order(table: OneSidedTable) -> npt.NDArray[np.int32]:
    return two_sided_order(table.space)


@pytest.fixture(scope="module")
def pairs(table: OneSidedTable, order: npt.NDArray[np.int32]) -> GammonPairs:
    return find_gammon_pairs(table, order)


def test_every_likely_pair_is_listed(table: OneSidedTable, order: npt.NDArray[np.int32], pairs: GammonPairs) -> None:
    checkers = table.space.position(order).sum(axis=1)
    full = np.flatnonzero(checkers == 15)
    first = known(table.first_checker_distribution)
    off = table.roll_distribution[order]
    n_ranks, n_rolls = off.shape
    rows = first[order[full] - (n_ranks - len(first))]
    none_after = np.stack([rows[:, k + 1 :].sum(axis=1) for k in range(n_rolls)], axis=1)
    for rank in range(1, n_ranks):
        winning = places_of(pairs, np.full(len(full), rank), full)[0] >= 0
        losing = places_of(pairs, full, np.full(len(full), rank))[1] >= 0
        # When one side bears off its last checker on roll k the other has had k - 1 rolls, or k if it was first.
        for listed, chance in (
            (winning, none_after[:, :-1] @ off[rank, 1:]),
            (losing, none_after[:, 1:] @ off[rank, 1:] * (checkers[rank] < 15)),
        ):
            assert listed[chance > MIN_CHANCE * (1 + 1e-9)].all()
            # A row lists its first columns, so a few of its pairs are less likely.
            assert np.count_nonzero(listed) <= np.count_nonzero(chance > MIN_CHANCE / 10)


def test_pairs_without_gammons_are_not_listed(order: npt.NDArray[np.int32], pairs: GammonPairs) -> None:
    few = np.flatnonzero(pairs.column < 0)
    for places in places_of(pairs, few[:, np.newaxis], few):
        assert (places == -1).all()
    full = np.flatnonzero(pairs.column >= 0)
    for finished in (places_of(pairs, np.zeros_like(full), full), places_of(pairs, full, np.zeros_like(full))):
        assert (np.array(finished) == -1).all()


def test_each_place_of_either_table_belongs_to_one_pair(pairs: GammonPairs, order: npt.NDArray[np.int32]) -> None:
    n = len(order)
    mine, theirs = np.divmod(np.arange(n * n), n)
    found = places_of(pairs, mine, theirs)
    for place, starts in zip(found, (pairs.winning_starts, pairs.losing_starts), strict=True):
        assert np.array_equal(np.sort(place[place >= 0]), np.arange(starts[-1]))
    assert not np.any((found[0] >= 0) & (found[1] >= 0))


def test_each_position_has_a_column(pairs: GammonPairs, order: npt.NDArray[np.int32]) -> None:
    columns = pairs.columns(order)
    assert np.array_equal(np.sort(columns), np.arange(len(columns)))
