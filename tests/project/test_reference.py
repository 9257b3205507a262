"""The slow twin against other ways to the same numbers, and what it alone knows of GNU Backgammon's files.

That kernels give the twin's numbers, and the published ones, is tested where they are: tests/tables, tests/solving.
"""

import struct
from collections.abc import Callable
from math import comb
from pathlib import Path

import numpy as np
import pytest
from helpers import golden, reference
from helpers.golden import Row
from helpers.reference import CENTERED, CUBELESS, MINE, THEIRS, Counts, ExpectedRolls, FloatArray
from numpy.typing import NDArray

SPACES = [(1, 6), (2, 5), (3, 5), (4, 4), (6, 4), (8, 3), (10, 2)]


@pytest.fixture(scope="module")
def expected() -> ExpectedRolls:
    """Known positions are shared by all tests."""
    return ExpectedRolls()


@pytest.fixture(scope="module")
def first() -> ExpectedRolls:
    """The wait for the first of fifteen checkers."""
    return ExpectedRolls(checkers_left=14)


def is_cheap(counts: Counts) -> bool:
    """Whether the recursion from here visits only a few thousand positions."""
    return sum(counts) <= 6 or not any(counts[4:]) or reference.pip_count(counts) <= 40


# Positions, index, plays


@pytest.mark.parametrize(("points", "checkers"), [*SPACES, (6, 8), (3, 15)])
def test_index_is_the_place_in_the_sorted_list(points: int, checkers: int) -> None:
    spots = reference.positions(points, checkers)
    assert len(spots) == comb(checkers + points, points)
    assert [reference.index(counts) for counts in spots] == list(range(len(spots)))
    assert [reference.position(number, points) for number in range(len(spots))] == spots


@pytest.mark.parametrize(("points", "checkers"), SPACES)
def test_plays_agree_with_the_strict_rules_and_lower_the_index(points: int, checkers: int) -> None:
    for counts in reference.positions(points, checkers):
        for roll in reference.ROLLS:
            results = reference.plays(counts, roll)
            assert results == reference.strict_plays(counts, roll)
            assert results
            if any(counts):
                assert all(reference.index(result) < reference.index(counts) for result in results)


@pytest.mark.parametrize(
    ("before", "roll", "results"),
    [
        ("0,0,0,0,0,0", (1, 2), {"0,0,0,0,0,0"}),
        ("0,1,1,0,0,0", (1, 2), {"0,1,0,0,0,0", "2,0,0,0,0,0"}),
        ("0,0,0,0,0,1", (1, 2), {"0,0,1,0,0,0"}),
        ("3,0,0,0,0,0", (5, 5), {"0,0,0,0,0,0"}),
        ("0,0,0,0,0,5", (6, 6), {"0,0,0,0,0,1"}),
        ("0,0,0,0,0,1,1", (1, 6), {"0,0,0,0,0,1,0", "1,0,0,0,1,0,0"}),
        ("0,0,0,0,0,0,0,2", (6, 6), {"0,0,0,0,0,0,0,0"}),
        ("0,0,0,0,0,0,0,3", (6, 6), {"0,2,0,0,0,0,0,0"}),
        ("1,0,0,0,0,0,0,1", (1, 1), {"1,0,0,1,0,0,0,0", "0,0,0,0,1,0,0,0"}),
    ],
)
def test_plays(before: str, roll: reference.Roll, results: set[str]) -> None:
    found = reference.plays(tuple(map(int, before.split(","))), roll)
    assert {",".join(map(str, result)) for result in found} == results


def test_weights() -> None:
    assert len(reference.ROLLS) == 21
    assert sum(reference.WEIGHTS) == 36


# One side


@pytest.mark.parametrize("checkers", range(1, 16))
def test_closed_form_on_the_ace_point(expected: ExpectedRolls, checkers: int) -> None:
    m = (checkers + 1) // 2
    epc = reference.PIPS_PER_ROLL * expected((checkers, 0, 0, 0, 0, 0))
    assert epc == pytest.approx(7 * m + 1 - (-1 / 6) ** m, abs=1e-11)


def test_distributions_have_the_minimal_mean() -> None:
    means = reference.minimal_means(6, 5)
    chances = reference.distributions(6, 5, 32)
    assert chances.shape == (462, 32)
    np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-14)
    np.testing.assert_allclose(reference.distribution_means(chances), means, atol=1e-13)


def test_distributions_leave_out_what_is_beyond() -> None:
    np.testing.assert_array_equal(reference.distributions(6, 3, 3), reference.distributions(6, 3, 32)[:, :3])


def test_best_child_settles_ties_by_index() -> None:
    """With 2-1 the next roll ends it either way: one checker on the two point, or two on the ace point."""
    assert reference.best_child((0, 1, 1, 0, 0, 0), (1, 2)) == (0, 1, 0, 0, 0, 0)


def test_first_checker_distributions() -> None:
    """Fewer checkers have no wait; with five on the three point only 2-2 takes none off: the fifth stays behind."""
    chances = reference.first_checker_distributions(3, 5, 8)
    spots = reference.positions(3, 5)
    assert chances.shape == (len(spots), 8)
    full = np.array([sum(counts) == 5 for counts in spots])
    assert (chances[~full, 0] == 1).all()
    assert (chances[full, 0] == 0).all()
    np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-14)
    assert chances[reference.index((0, 0, 5)), :3] == pytest.approx([0, 35 / 36, 1 / 36])


# Two sides


def test_two_sided_sides() -> None:
    """Finished games: the winner is paid by what the loser has left."""
    values = reference.two_sided(2, gammon_checkers=2, jacoby=True)
    stakes = [2 if sum(counts) == 2 else 1 for counts in reference.positions(6, 2)]
    for plane in (CUBELESS, MINE, THEIRS):
        assert values[0, :, plane].tolist() == stakes
        assert values[1:, 0, plane].tolist() == [-stake for stake in stakes[1:]]
    assert (values[0, :, CENTERED] == 1).all()
    assert (values[1:, 0, CENTERED] == -1).all()


@pytest.mark.parametrize("jacoby", [False, True])
@pytest.mark.parametrize(("points", "checkers", "gammon_checkers"), [(6, 2, None), (6, 2, 2), (3, 3, 3), (8, 2, 2)])
def test_two_sided_agrees_with_plain_recursion(
    points: int, checkers: int, gammon_checkers: int | None, jacoby: bool
) -> None:
    spots = reference.positions(points, checkers)
    values = reference.two_sided(checkers, points, gammon_checkers, jacoby)
    wins = reference.win_probabilities(checkers, points)
    for i, x in enumerate(spots):
        for j, y in enumerate(spots):
            if i or j:
                pair = reference.two_sided_pair(x, y, gammon_checkers, jacoby)
                np.testing.assert_allclose([wins[i, j], *values[i, j]], pair, rtol=0, atol=1e-13)


def test_two_sided_pair_of_empty_positions() -> None:
    with pytest.raises(ValueError, match="empty"):
        reference.two_sided_pair((0,) * 6, (0,) * 6)


def test_toy_game(six_a_side: FloatArray, six_with_gammons: FloatArray) -> None:
    """Six checkers, a gammon if all six are still on.  Derived, two programs: printed to four digits and exact."""
    toy = six_with_gammons
    full = np.array([sum(counts) == 6 for counts in reference.positions(6, 6)])
    gain = (toy - six_a_side)[np.ix_(full, full)][..., CUBELESS]
    assert gain.min() == pytest.approx(-0.0245, abs=5e-5)
    assert gain.max() == pytest.approx(0.2132, abs=5e-5)
    values = toy[1:, 1:]
    assert values.min() == pytest.approx(-1.528, abs=5e-4)
    assert values.max() == 2
    assert ((values[..., CENTERED] > 1 + 1e-9) & (2 * values[..., THEIRS] > 1 + 1e-9)).sum() == 75477
    without = ~full[1:, np.newaxis] & ~full[np.newaxis, 1:]
    np.testing.assert_array_equal(values[without], six_a_side[1:, 1:][without])


# GNU Backgammon's files


@pytest.mark.parametrize("row", golden.rows("gnubg_rows"), ids=str)
def test_gnubg_rows(expected: ExpectedRolls, first: ExpectedRolls, row: Row) -> None:
    """Rows of GNU Backgammon's file are multiples of 1/65535 near the exact chances."""
    counts = row.position("position")
    assert reference.index(counts) == row.integer("index")
    for column, start, chances_of, cheap in (
        ("rolls", "first_roll", expected, is_cheap(counts)),
        ("gammon_rolls", "first_gammon_roll", first, not counts[5]),
    ):
        stored = np.zeros(reference.MAX_ROLLS)
        stored[row.integer(start) : row.integer(start) + len(row.integers(column))] = row.integers(column)
        assert stored.sum() == 65535
        if cheap:
            exact = chances_of.distribution(counts)
            np.testing.assert_allclose(stored / 65535, exact, atol=3e-3)
            mean = reference.distribution_means(stored / 65535)
            assert float(mean) == pytest.approx(float(reference.distribution_means(exact)), abs=2e-4)


def stored_rows(chances: FloatArray) -> NDArray[np.uint16]:
    """Chances in units of 1/65535, the greatest one taking what rounding left over."""
    units = np.rint(chances * 65535).astype(np.int64)
    units[np.arange(len(units)), units.argmax(axis=1)] += 65535 - units.sum(axis=1)
    return units.astype("<u2")


def compressed(*tables: NDArray[np.uint16]) -> bytes:
    """Entries (begin, then count and first k for each table), then the values, zeros at both ends left out."""
    entries, data = b"", b""
    for rows in zip(*tables, strict=True):
        entries += struct.pack("<I", len(data) // 2)
        for row in rows:
            filled = np.flatnonzero(row)
            entries += struct.pack("<BB", filled[-1] - filled[0] + 1, filled[0])
            data += row[filled[0] : filled[-1] + 1].tobytes()
    return entries + data


def uncompressed(*tables: NDArray[np.uint16]) -> bytes:
    """All values of all tables, position by position."""
    return np.concatenate(tables, axis=1).tobytes()


@pytest.mark.parametrize(("flag", "encode"), [("1", compressed), ("0", uncompressed)])
@pytest.mark.parametrize("gammons", [True, False])
def test_read_gnubg_one_sided(tmp_path: Path, flag: str, encode: Callable[..., bytes], gammons: bool) -> None:
    last = stored_rows(reference.distributions(2, 15, 32))
    first = stored_rows(reference.first_checker_distributions(2, 15, 32))
    tables = [last, first] if gammons else [last]
    path = tmp_path / "small.bd"
    header = f"gnubg-OS-02-15-{gammons:d}-{flag}-0".ljust(39, "x") + "\n"
    path.write_bytes(header.encode() + encode(*tables))
    read_last, read_first = reference.read_gnubg_one_sided(path)
    np.testing.assert_array_equal(read_last, last / 65535)
    np.testing.assert_array_equal(read_first, first / 65535 if gammons else np.zeros((136, 32)))


def test_read_gnubg_two_sided(tmp_path: Path) -> None:
    """Record of (on roll, opponent) is number on_roll * n + opponent, four little-endian values each."""
    n = comb(2 + 3, 3)
    stored = np.arange(n * n * 4, dtype="<u2").reshape(n, n, 4)
    path = tmp_path / "small.bd"
    path.write_bytes(b"gnubg-TS-03-02-1".ljust(39, b"x") + b"\n" + stored.tobytes())
    read = reference.read_gnubg_two_sided(path)
    assert read.dtype == np.uint16
    np.testing.assert_array_equal(read, stored)


@pytest.mark.parametrize("header", ["gnubg-OS-03-15-1-0-1", "gnubg-TS-03-03-0", "gnubg-TS-03-03-x", "something else"])
def test_read_gnubg_refuses_other_files(tmp_path: Path, header: str) -> None:
    path = tmp_path / "other.bd"
    path.write_bytes(header.ljust(39, "x").encode() + b"\n")
    with pytest.raises(ValueError, match=r"other\.bd"):
        reference.read_gnubg_one_sided(path)
    with pytest.raises(ValueError, match=r"other\.bd"):
        reference.read_gnubg_two_sided(path)
