"""The perfect hash: it is a bijection, and anything that is not a position is refused."""

from __future__ import annotations

import copy
import pickle
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from helpers import reference
from hypothesis import given
from hypothesis import strategies as st

from bgrace import Position, PositionError, PositionIndexError, PositionSpace

INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i2", ">i4", ">i8", ">u8"]
OTHER_SPACES = [(1, 15), (2, 15), (3, 15), (4, 10), (5, 9), (6, 1), (7, 6), (8, 5), (10, 4), (12, 3), (24, 2), (24, 1)]

SPACE = PositionSpace(points=6, checkers=15)
SPOTS = reference.positions(6, 15)
"""All 54,264 positions in the order of their index, found by sorting."""


def check_round_trip(space: PositionSpace, numbers: npt.NDArray[np.int64]) -> None:
    counts = space.position(numbers)
    assert counts.dtype == np.int8
    assert counts.shape == (len(numbers), space.points)
    assert counts.min() >= 0
    assert counts.sum(axis=1).max() <= space.checkers
    np.testing.assert_array_equal(space.index(counts), numbers)
    np.testing.assert_array_equal(space.index(counts.astype(np.int64)), numbers)


# ---------------------------------------------------------------------- one number for each position


@pytest.mark.parametrize(("points", "checkers"), [(6, 15), *OTHER_SPACES])
def test_index_and_position_are_inverse_in_a_whole_space(points: int, checkers: int) -> None:
    """One by one and in arrays.  C code indexes a few bytes and many bytes in different ways."""
    space, spots = PositionSpace(points, checkers), reference.positions(points, checkers)
    assert len(space) == len(spots) == comb(points + checkers, points)
    numbers, counts = np.arange(len(spots)), np.array(spots)
    np.testing.assert_array_equal(space.index(counts), numbers)
    np.testing.assert_array_equal(space.position(numbers), counts)
    for n in (1, 2, 511, 512, 1100):
        np.testing.assert_array_equal(space.index(counts[-n:].astype(np.int8)), numbers[-n:])
    for number, spot in enumerate(spots):
        assert space.index(spot) == number
        assert space.position(number) == spot


@pytest.mark.parametrize("dtype", INTEGERS)
def test_arrays_may_have_any_integer_type(dtype: str) -> None:
    counts = np.array(SPOTS, dtype=dtype)
    numbers = SPACE.index(counts)
    assert numbers.dtype == np.int64
    np.testing.assert_array_equal(numbers, np.arange(54264))
    few = np.arange(128, dtype=dtype)
    np.testing.assert_array_equal(SPACE.position(few), counts[:128])
    assert SPACE.position(few[-1]) == SPOTS[127]
    assert SPACE.index(counts[127]) == 127


@st.composite
def numbered(draw: st.DrawFn) -> tuple[PositionSpace, int]:
    space = PositionSpace(draw(st.integers(1, 24)), draw(st.integers(1, 15)))
    return space, draw(st.integers(0, len(space) - 1))


@given(numbered())
def test_a_number_of_any_space_gives_a_position_and_comes_back(case: tuple[PositionSpace, int]) -> None:
    space, number = case
    counts = space.position(number)
    assert counts == reference.position(number, space.points)
    assert space.index(counts) == reference.index(counts) == number
    check_round_trip(space, np.array([number]))


@pytest.mark.parametrize("points", range(15, 25))
@pytest.mark.parametrize("checkers", [13, 14, 15])
def test_numbers_beyond_32_bits_come_back(points: int, checkers: int) -> None:
    """At both ends, around 2**31 and 2**32, and in between."""
    space = PositionSpace(points, checkers)
    n = len(space)
    near = [np.arange(at - 60, at + 60) for at in (60, n - 60, 2**31, 2**32)]
    numbers = np.concatenate([*near, np.linspace(0, n - 1, 2000).astype(np.int64)])
    numbers = numbers[numbers < n]
    check_round_trip(space, numbers)
    for number in numbers[::97].tolist():
        assert space.position(number) == reference.position(number, points)


# ---------------------------------------------------------------------- forms of positions


def test_arrays_keep_their_shape() -> None:
    grid = np.array(SPOTS[:24]).reshape(2, 3, 4, 6)
    assert SPACE.index(grid).tolist() == np.arange(24).reshape(2, 3, 4).tolist()
    np.testing.assert_array_equal(SPACE.position(np.arange(24).reshape(2, 3, 4)), grid)
    assert SPACE.index(np.zeros((0, 6), int)).shape == (0,)
    assert SPACE.index(np.zeros((3, 0, 6), int)).shape == (3, 0)
    assert SPACE.position([]).shape == (0, 6)
    assert SPACE.position(np.zeros((2, 0), int)).shape == (2, 0, 6)


def test_single_questions_have_python_ints_and_positions_as_answers() -> None:
    pos: Any
    for pos in [(5, 1, 8, 1, 0, 0), [5, 1, 8, 1, 0, 0], np.array([5, 1, 8, 1, 0, 0]), "1x5 2x1 3x8 4x1", "5,1,8,1"]:
        assert type(SPACE.index(pos)) is int
        assert SPACE.index(pos) == 41258
    assert type(SPACE.position(41258)) is Position
    assert type(SPACE.position(np.int16(7))) is Position
    assert SPACE.position(np.array(7)) == (2, 0, 0, 0, 0, 0)


def test_a_single_position_may_list_more_or_fewer_points() -> None:
    pos: Any
    for pos in [(3, 2, 2), [3, 2, 2], np.array([3, 2, 2]), (3, 2, 2, 0, 0, 0, 0, 0), "3,2,2", "1x3 2x2 3x2"]:
        assert SPACE.index(pos) == 985


def test_arrays_need_not_be_contiguous() -> None:
    counts = np.array(SPOTS)
    np.testing.assert_array_equal(SPACE.index(counts[::-3]), np.arange(54264)[::-3])
    np.testing.assert_array_equal(SPACE.index(np.asfortranarray(counts)), np.arange(54264))
    np.testing.assert_array_equal(SPACE.position(np.arange(54264)[::-3]), counts[::-3])
    locked = counts.copy()
    locked.flags.writeable = False
    np.testing.assert_array_equal(SPACE.index(locked), np.arange(54264))


@pytest.mark.parametrize("row", [(-1, 1, 0, 0, 0, 0), (0, 0, 0, 0, 0, -128), (8, 8, 0, 0, 0, 0), (127,) * 6, (15,) * 6])
def test_a_wrong_row_of_an_array_is_named_by_its_place(row: reference.Counts) -> None:
    for n, place in ((3, 0), (3, 1), (3, 2), (1500, 0), (1500, 777), (1500, 1499)):
        counts = np.ones((n, 6), np.int8)
        counts[place] = row
        with pytest.raises(PositionError, match=f"position {place} of {n}"):
            SPACE.index(counts)


# ---------------------------------------------------------------------- wrong positions and numbers


def test_masked_counts_are_missing() -> None:
    rows = np.array([[5, 1, 8, 1, 0, 0], [1, 0, 0, 0, 0, 0]])
    hidden: Any = np.ma.masked_array(rows, mask=rows == 8)
    with pytest.raises(PositionError, match="missing"):
        SPACE.index(hidden)
    assert SPACE.valid(hidden).tolist() == [False, True]
    shown: Any = np.ma.masked_array(rows, mask=False)
    assert SPACE.index(shown).tolist() == [41258, 1]


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=6, max_size=6))
def test_any_six_integers_are_a_position_or_refused(counts: list[int]) -> None:
    legal = min(counts) >= 0 and sum(counts) <= 15
    for given_as in (counts, tuple(counts), np.array([counts])):
        if legal:
            assert np.all(SPACE.index(given_as) == reference.index(counts))
        else:
            with pytest.raises(PositionError):
                SPACE.index(given_as)


@given(
    st.lists(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1, 8.0, 16, np.nan, np.inf]), min_size=2, max_size=2)),
    st.sampled_from([np.float16, np.float32, np.float64]),
)
def test_rows_have_an_index_if_and_only_if_they_are_valid(rows: list[list[float]], kind: type[np.floating]) -> None:
    counts = np.array(rows, kind).reshape(-1, 2)
    space = PositionSpace(2, 15)
    valid = space.valid(counts)
    assert space.index(counts[valid]).tolist() == [space.index([int(a), int(b)]) for a, b in counts[valid]]
    for row in counts[~valid]:
        with pytest.raises(PositionError):
            space.index(row)


@given(st.integers(-(2**64), 2**64))
def test_any_integer_is_an_index_or_refused(number: int) -> None:
    if 0 <= number < 54264:
        assert SPACE.position(number) == SPOTS[number]
    else:
        with pytest.raises(PositionIndexError):
            SPACE.position(number)


def test_spaces_are_copied_and_pickled() -> None:
    for copied in (copy.deepcopy(SPACE), pickle.loads(pickle.dumps(SPACE))):
        assert copied == SPACE
        assert copied.index((5, 1, 8, 1, 0, 0)) == 41258
