"""One player on more than six points, solved in layers: against the float64 kernel, which does without layers."""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt
import pytest
from helpers.command import call
from helpers.known import known
from helpers.once import Made

import bgrace
from bgrace import PositionSpace
from bgrace._kernels.kinds import LevelProgress
from bgrace._kernels.one_sided import Home, Layer
from bgrace.tables import CHANCE_SCALE, OneSidedTable, layer_bytes, layer_size, n_fewer_checkers, solve_one_sided

SIZES = [(7, 7), (8, 5), (10, 4), (13, 3), (24, 2), (24, 1)]


def check_against_float64(db: bgrace.Database, exact: OneSidedTable) -> None:
    """Check that moments are equal up to rounding, and chances of at most k rolls within two steps of exact ones."""
    positions = exact.space.position(np.arange(len(exact.space)))
    for name, error in (("mean_rolls", 1e-12), ("epc", 1e-11), ("variance_rolls", 1e-11)):
        np.testing.assert_allclose(getattr(db, name)(positions), getattr(exact, name), rtol=0, atol=error)
    rows = db.roll_distribution(positions)
    width = exact.roll_distribution.shape[1]
    assert rows.shape[1] <= width
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=0, atol=1e-12)
    wide = np.pad(rows, ((0, 0), (0, width - rows.shape[1])))
    off = (wide.cumsum(axis=1) - exact.roll_distribution.cumsum(axis=1)) * CHANCE_SCALE
    assert np.abs(off).max() < 2
    assert abs(off.mean()) < (0.02 if len(positions) > 500 else 0.1)  # no bias


@pytest.mark.parametrize(("points", "checkers"), SIZES)
def test_small_spaces_are_those_in_float64(made: Made, points: int, checkers: int) -> None:
    with bgrace.open(made(points, checkers, 0)) as db:
        check_against_float64(db, solve_one_sided(PositionSpace(points, checkers)))


def test_seven_points_are_those_in_float64(made: Made) -> None:
    """All 170,544 positions, with rolls until the first of fifteen checkers is off."""
    exact = solve_one_sided(PositionSpace(7, 15))
    with bgrace.open(made(7, 15, 0)) as db:
        check_against_float64(db, exact)
        first = known(exact.first_checker_distribution)
        full = exact.space.position(np.arange(n_fewer_checkers(exact.space, 15), len(exact.space)))
        rows = db.first_checker_distribution(full)
        width = rows.shape[1]
        assert not first[:, width:].max() > 1 / CHANCE_SCALE
        off = rows.cumsum(axis=1) - first[:, :width].cumsum(axis=1)
        assert np.abs(off).max() * CHANCE_SCALE < 2
        assert db.first_checker_distribution("7x14").tolist()[0] == 1


def solved(points: int, checkers: int, threads: int = 1, progress: LevelProgress | None = None) -> Layer:
    most = np.full(points, checkers, dtype=np.int8)
    return Layer(Home(checkers, 1, threads), most, True, threads, progress)


def solved_rows(points: int, checkers: int, threads: int) -> list[npt.NDArray[np.generic]]:
    layer = solved(points, checkers, threads)
    assert layer.size == layer_size(points, checkers)
    means, variances = np.empty(layer.size), np.empty(layer.size)
    first, chances = np.empty(layer.size, np.uint8), np.empty((layer.size, layer.width), np.uint16)
    layer.write(means, variances, first, chances)
    return [means, variances, first, chances]


def test_any_number_of_threads_makes_the_same_bytes() -> None:
    one = solved_rows(9, 8, 1)
    for threads in (2, 3, 5):
        for table, same in zip(one, solved_rows(9, 8, threads), strict=True):
            assert table.tobytes() == same.tobytes()


def test_a_layer_can_be_written_in_parts() -> None:
    *_, whole_first, whole_chances = solved_rows(7, 3, 1)
    layer = solved(7, 3)
    for start, stop in ((0, 5), (5, 5 + 1), (6, layer.size)):
        first, chances = np.empty(stop - start, np.uint8), np.empty((stop - start, layer.width), np.uint16)
        layer.write(None, None, first, chances, start)
        assert (first == whole_first[start:stop]).all()
        assert (chances == whole_chances[start:stop]).all()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux takes pages back at once, and counts them so")
def test_a_layer_takes_the_memory_that_was_announced() -> None:
    """It takes at least two thirds of that.  If chains were not freed, that would not suffice."""
    program = (
        "import re, numpy; from bgrace._kernels.one_sided import Home, Layer\n"
        "def used(): return 1024 * int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
        "before = used(); home = Home(12, 1, 2)\n"
        "Layer(home, numpy.full(12, 12, dtype=numpy.int8), True, 2); print(used() - before)"
    )
    used = int(call(sys.executable, "-c", program))
    announced = layer_bytes(12, 12)
    assert 2 / 3 * announced < used < announced < 154 * layer_size(12, 12)


def test_writing_rows_beyond_a_layer_is_refused() -> None:
    layer = solved(7, 3)
    first, chances = np.empty(layer.size, np.uint8), np.empty((layer.size, layer.width), np.uint16)
    with pytest.raises(ValueError, match="rows"):
        layer.write(None, None, first[1:], chances)
    for start in (-1, 1, 1 << 62):
        with pytest.raises(ValueError, match="rows"):
            layer.write(None, None, first, chances, start)
    with pytest.raises(ValueError, match="rows"):
        layer.write(None, None, first[:0], chances[:0])
    with pytest.raises(bgrace.ArgumentError, match="chances"):
        layer.write(None, None, first, np.empty((layer.size, layer.width - 1), np.uint16))


def test_the_first_checker_is_that_of_the_largest_layer() -> None:
    home = Home(4, 4, 1)
    assert Layer(home, np.full(8, 4, dtype=np.int8), True, 1).size == layer_size(8, 4)
    with pytest.raises(bgrace.ArgumentError):
        Layer(home, np.full(8, 3, dtype=np.int8), True, 1)


def test_an_exception_of_the_progress_stops_the_solver() -> None:
    def stop(level: int, done: int, total: int) -> None:
        assert 0 < done <= total
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solved(8, 5, 2, stop)


def test_single_questions_arrays_and_pairs_agree(made: Made) -> None:
    """With rows of different lengths, and with sides that have finished."""
    with bgrace.open(made(8, 5, 0)) as db:
        several = db.roll_distribution([[0] * 8, [0, 0, 0, 0, 0, 0, 0, 1]])
        assert several.tolist()[0][:1] == [1]
        alone = db.roll_distribution("8x1")
        assert several[1, : len(alone)].tolist() == alone.tolist()
        assert db.roll_distribution((0,) * 8).tolist() == [1]
        assert db.method("8x5", "7x5") == "one-sided"
        needs, theirs = db.roll_distribution("8x5"), db.roll_distribution("7x5")
        by_hand = sum(p * theirs[k:].sum() for k, p in enumerate(needs))
        assert db.win_probability("8x5", "7x5") == pytest.approx(by_hand, abs=1e-12)
        assert db.win_probability("8x5", (0,) * 8) == 0
        assert db.win_probability((0,) * 8, "8x5") == 1
        places = db.space.position(np.arange(1, 200))
        chances = db.win_probability(places[:, np.newaxis], places)
        assert chances[3, 150] == pytest.approx(db.win_probability(places[3], places[150]), abs=1e-12)
        with pytest.raises(bgrace.PositionError, match="beyond the 8 points"):
            db.epc("9x1")
