"""One player alone: the kernel against the slow twin, published values, and itself on more threads."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest
from helpers import golden, reference
from helpers.golden import Row, check_printed
from helpers.known import known

import bgrace._kernels.one_sided as kernel
from bgrace import PositionSpace
from bgrace.board.dice import ROLLS, WEIGHTS
from bgrace.tables import OneSidedTable, n_fewer_checkers, solve_one_sided

SPACE = PositionSpace(points=6, checkers=15)
FIRST_FULL = 54264 - 15504
"""Index of the first position with 15 checkers."""

SPACES = [(6, 6), (1, 8), (2, 7), (3, 6), (5, 5), (7, 4), (8, 4), (10, 3), (15, 2), (24, 2), (24, 1)]


@pytest.fixture(scope="module")
def table() -> OneSidedTable:
    """All 54,264 positions."""
    return solve_one_sided(SPACE)


@pytest.fixture(scope="module")
def pips() -> npt.NDArray[np.int64]:
    """Pip counts by index."""
    counts: npt.NDArray[np.int64] = SPACE.position(np.arange(len(SPACE))).astype(np.int64)
    return counts @ np.arange(1, 7)


# ---------------------------------------------------------------------- published and derived values


@pytest.mark.parametrize(("points", "checkers", "stop"), [(6, 5, 1), (6, 4, 3), (4, 5, 4), (7, 3, 3), (8, 3, 1)])
def test_two_dice_are_tried_in_either_order(points: int, checkers: int, stop: int) -> None:
    """The kernel tries only one order if it has all results of the other; both if the first die may end the game."""
    space = PositionSpace(points, checkers)
    means, best = kernel.means(space.kernel, stop, 1)[:2]
    for number in range(n_fewer_checkers(space, stop), len(space)):
        spot = space.position(number).resized(points)
        for roll, (larger, smaller) in enumerate(ROLLS):
            if larger == smaller:
                continue
            ends: set[int] = set()
            for first, second in ((larger, smaller), (smaller, larger)):
                for between in reference.single_die(spot, first):
                    is_over = sum(between) < stop
                    after = {between} if is_over else reference.single_die(between, second)
                    ends |= {reference.index(end) for end in after}
            least = min(means[end] for end in ends)
            assert best[number, roll] == min(end for end in ends if means[end] <= least + 1e-10), (spot, roll)


@pytest.mark.parametrize("row", golden.rows("bearoff"), ids=str)
def test_values_are_the_published_ones(table: OneSidedTable, row: Row) -> None:
    number = row.integer("index")
    assert SPACE.index(row.position("position")) == number
    check_printed(table.mean_rolls[number], row, "mean_rolls")
    check_printed(table.epc[number], row, "epc")
    check_printed(table.variance_rolls[number], row, "variance_rolls")
    check_printed(table.epc[number] - row.integer("pips"), row, "wastage")


@pytest.mark.parametrize("row", golden.rows("distributions"), ids=str)
def test_distributions_are_the_published_ones(table: OneSidedTable, row: Row) -> None:
    number = SPACE.index(row.position("position"))
    check_printed(table.roll_distribution[number, row.integer("rolls")], row, "probability")


@pytest.mark.parametrize("row", golden.rows("first_checker"), ids=str)
def test_first_checkers_are_off_as_derived(table: OneSidedTable, row: Row) -> None:
    chances = known(table.first_checker_distribution)[SPACE.index(row.position("position")) - FIRST_FULL]
    check_printed(float(reference.distribution_means(chances)), row, "mean_rolls")
    for k in (1, 2, 3, 4):
        if f"p{k}" in row:
            check_printed(chances[k], row, f"p{k}")


@pytest.mark.parametrize("row", golden.rows("least_wastage"), ids=str)
def test_the_least_wastage_is_the_published_one(table: OneSidedTable, pips: npt.NDArray[np.int64], row: Row) -> None:
    checkers = row.integer("checkers")
    start, end = n_fewer_checkers(SPACE, checkers), n_fewer_checkers(SPACE, checkers + 1)
    wastage = (table.epc - pips)[start:end]
    assert SPACE.position(start + int(wastage.argmin())) == row.position("position")
    check_printed(float(wastage.min()), row, "wastage")


@pytest.mark.parametrize("row", golden.rows("chosen_plays"), ids=str)
def test_chosen_plays_are_the_published_ones(table: OneSidedTable, row: Row) -> None:
    roll = ROLLS.index(row.roll()[::-1])
    assert SPACE.position(table.best[SPACE.index(row.position("position")), roll]) == row.position("result")


def test_sums_and_means_are_the_derived_ones(table: OneSidedTable) -> None:
    """Counts of greedy plays and of the ace point are tested with the report."""
    for name, value in {
        "sum_mean_rolls": table.mean_rolls.sum(),
        "mean_epc": table.epc.mean(),
        "mean_epc_not_empty": table.epc[1:].mean(),
        "mean_epc_15_checkers": table.epc[FIRST_FULL:].mean(),
        "sum_variance_rolls": table.variance_rolls.sum(),
        "n_positions": len(table.mean_rolls),
        "n_position_roll_pairs": table.best[1:].size,
        "n_one_roll_positions": (np.abs(table.mean_rolls - 1) < 1e-12).sum(),
        "n_15_checker_positions": len(table.mean_rolls) - FIRST_FULL,
    }.items():
        check_printed(float(value), golden.named_value("aggregates", name), "value")


@pytest.mark.parametrize("points", [7, 8])
def test_means_on_more_points_are_the_derived_ones(points: int) -> None:
    """The file has ten and twelve points, too: they take ten seconds, and a minute with three gigabytes."""
    space = PositionSpace(points, 15)
    means = kernel.means(space.kernel, 1, 2)[0]
    rows = [row for row in golden.rows("more_points") if row.integer("points") == points]
    assert rows
    for row in rows:
        assert space.index(row.position("position")) == row.integer("index")
        check_printed(means[row.integer("index")], row, "mean_rolls")


# ---------------------------------------------------------------------- the slow twin


@pytest.mark.parametrize(("points", "checkers"), SPACES)
def test_every_position_is_the_twin_s(points: int, checkers: int) -> None:
    """Means, chosen plays, distributions and variances."""
    table, expected = solve_one_sided(PositionSpace(points, checkers)), reference.ExpectedRolls()
    spots, rolls = reference.positions(points, checkers), [(b, a) for a, b in ROLLS]
    np.testing.assert_allclose(table.mean_rolls, [expected(spot) for spot in spots], rtol=0, atol=1e-12)
    for number, spot in enumerate(spots):
        chosen = [reference.index(expected.best_child(spot, roll)) for roll in rolls]
        assert table.best[number].tolist() == chosen, spot
    width = table.roll_distribution.shape[1]
    chances = np.array([expected.distribution(spot) for spot in spots])
    assert not chances[:, width:].any()
    assert chances[:, width - 1].any()
    np.testing.assert_allclose(table.roll_distribution, chances[:, :width], rtol=0, atol=1e-13)
    variances = reference.distribution_variances(chances)
    np.testing.assert_allclose(table.variance_rolls, variances, rtol=0, atol=1e-11)


def test_fewer_checkers_have_the_same_rows(table: OneSidedTable) -> None:
    fewer = solve_one_sided(PositionSpace(6, 7))
    n, width = fewer.roll_distribution.shape
    assert fewer.mean_rolls.tobytes() == table.mean_rolls[:n].tobytes()
    assert fewer.variance_rolls.tobytes() == table.variance_rolls[:n].tobytes()
    assert fewer.best.tobytes() == table.best[:n].tobytes()
    np.testing.assert_array_equal(fewer.roll_distribution, table.roll_distribution[:n, :width])
    assert not table.roll_distribution[:n, width:].any()


def test_sampled_positions_follow_from_their_successors(table: OneSidedTable) -> None:
    """One step of the recursion with the twin's plays; all steps would take the twin too long."""
    for number in sorted(random.Random(15).sample(range(3003, len(SPACE)), 250)):
        spot = SPACE.position(number)
        total, chances = 0.0, np.zeros(table.roll_distribution.shape[1])
        for roll, ((a, b), weight) in enumerate(zip(ROLLS, WEIGHTS, strict=True)):
            results = sorted(map(reference.index, reference.plays(tuple(spot), (b, a))))
            means = table.mean_rolls[results]
            least = means.min()
            chosen = results[int(np.flatnonzero(means <= least + reference.TIE)[0])]
            assert table.best[number, roll] == chosen, (spot, (a, b))
            total += weight * least
            chances[1:] += weight * table.roll_distribution[chosen, :-1]
        assert table.mean_rolls[number] == pytest.approx(1 + total / 36, abs=1e-12)
        np.testing.assert_allclose(table.roll_distribution[number], chances / 36, rtol=0, atol=1e-14)


@pytest.mark.parametrize("points", [1, 2, 3])
def test_first_checkers_of_whole_spaces_are_the_twin_s(points: int) -> None:
    table = solve_one_sided(PositionSpace(points, 15))
    first = known(table.first_checker_distribution)
    full = n_fewer_checkers(table.space, 15)
    chances = reference.first_checker_distributions(points, 15, reference.MAX_ROLLS)[full:]
    width = first.shape[1]
    assert not chances[:, width:].any()
    np.testing.assert_allclose(first, chances[:, :width], rtol=0, atol=1e-14)


@pytest.mark.parametrize("left", [1, 3, 4])
def test_rolls_until_at_most_some_of_five_checkers_are_left_are_the_twin_s(left: int) -> None:
    space = PositionSpace(6, 5)
    means, best, longest = kernel.means(space.kernel, left + 1, 1)[:3]
    chances, variances = kernel.distributions(space.kernel, left + 1, 1, best, longest)
    expected = reference.ExpectedRolls(checkers_left=left)
    spots = reference.positions(6, 5)
    np.testing.assert_allclose(means, [expected(spot) for spot in spots], rtol=0, atol=1e-13)
    exact = np.array([expected.distribution(spot) for spot in spots])
    np.testing.assert_allclose(chances, exact[:, : chances.shape[1]], rtol=0, atol=1e-14)
    np.testing.assert_allclose(variances, reference.distribution_variances(exact), rtol=0, atol=1e-13)
    np.testing.assert_array_equal(longest, [np.flatnonzero(row)[-1] for row in exact])


# ---------------------------------------------------------------------- threads


def test_any_number_of_threads_makes_the_same_bits(table: OneSidedTable) -> None:
    names = ("mean_rolls", "variance_rolls", "roll_distribution", "best", "first_checker_distribution")
    for threads in (1, 2, 3):
        again = solve_one_sided(SPACE, threads)
        for name in names:
            one, other = getattr(table, name), getattr(again, name)
            assert (one.shape, one.tobytes()) == (other.shape, other.tobytes()), name


# ---------------------------------------------------------------------- wrong arguments


def test_tables_of_another_space_are_refused() -> None:
    _, best, longest, _ = kernel.means(PositionSpace(6, 3).kernel, 1, 1)
    with pytest.raises(ValueError, match="same space"):
        kernel.distributions(PositionSpace(6, 4).kernel, 1, 1, best, longest)
