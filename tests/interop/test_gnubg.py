"""Beside GNU Backgammon's own files: every value near theirs, and nearer to the exact one."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from helpers import golden, reference
from helpers.once import made_once
from helpers.reference import FloatArray

from bgrace import PositionSpace
from bgrace.interop import gnubg
from bgrace.tables.one_sided import OneSidedTable, solve_one_sided
from bgrace.tables.two_sided import TwoSidedTable, solve_two_sided

ONE_SIDED = Path("/usr/share/gnubg/gnubg_os0.bd")
UNIT = 1 / 32767.5
"""Of a value in a two-sided file."""


@pytest.fixture(scope="module")
def gnubg_two_sided(once: Path) -> Path:
    """GNU Backgammon's table of the pairs of at most six checkers a side: the bytes whose sum its manual prints."""
    path = made_once(once, "gnubg_ts0.bd", lambda path: gnubg.generate(path, "two-sided", checkers=6))
    (printed,) = (
        row
        for row in golden.rows("gnubg_sums")
        if row.text("kind") == "two-sided" and row.integer("points") == row.integer("checkers") == 6
    )
    assert hashlib.md5(path.read_bytes()).hexdigest() == printed.text("md5")
    return path


@pytest.fixture(scope="module")
def theirs(gnubg_two_sided: Path) -> FloatArray:
    """Their equities by index, finished games left out: [on roll, opponent, plane]."""
    stored = reference.read_gnubg_two_sided(gnubg_two_sided)
    assert stored.shape == (924, 924, 4)
    values: FloatArray = stored[1:, 1:].astype(np.float64) * UNIT - 1
    return values


@pytest.fixture(scope="module")
def ours() -> FloatArray:
    """Ours, likewise."""
    table: TwoSidedTable = solve_two_sided(PositionSpace(6, 6))
    places = np.argsort(table.order)
    values: FloatArray = (table.equities[np.ix_(places, places)] / table.scale)[1:, 1:]
    return values


@pytest.fixture(scope="module")
def exact(six_a_side: FloatArray) -> FloatArray:
    """Of the slow twin, likewise."""
    return six_a_side[1:, 1:]


@pytest.fixture(scope="module")
def table() -> OneSidedTable:
    return solve_one_sided(PositionSpace(6, 15))


@pytest.fixture(scope="module")
def their_rows() -> tuple[FloatArray, FloatArray]:
    """Their distributions of the last and of the first checker."""
    if not ONE_SIDED.exists():
        pytest.skip("needs GNU Backgammon's Debian package: apt-get install gnubg-data")
    return reference.read_gnubg_one_sided(ONE_SIDED)


def widest(rows: FloatArray, width: int = 32) -> FloatArray:
    """Rows with zeros up to a width."""
    return np.pad(rows, ((0, 0), (0, width - rows.shape[1])))


def in_their_units(equities: FloatArray) -> npt.NDArray[np.int64]:
    """As their generator writes equities: signed, in units of 1/32767.5, and cut toward zero."""
    return np.trunc(equities * 32767.5 - 0.5).astype(np.int64) + 32768


# ---------------------------------------------------------------------- two-sided


def test_every_pair_is_within_four_of_their_units(
    six_a_side: FloatArray, gnubg_two_sided: Path, theirs: FloatArray, ours: FloatArray, exact: FloatArray
) -> None:
    """All 853,776 entries, four values each.

    Their arithmetic cuts toward zero and drifts, so that the exact values themselves are up to 4.2 units from theirs;
    ours, before they are cut to units, up to 4.54.
    """
    stored = reference.read_gnubg_two_sided(gnubg_two_sided)
    assert np.abs(in_their_units(ours) - stored[1:, 1:]).max() <= 4
    assert np.abs(np.rint((six_a_side + 1) / UNIT) - stored).max() <= 4
    assert 4 * UNIT < np.abs(exact - theirs).max() <= 4.21 * UNIT
    assert np.abs(ours - theirs).max() <= 4.55 * UNIT


# ---------------------------------------------------------------------- one-sided


def test_every_mean_is_near_theirs(table: OneSidedTable, their_rows: tuple[FloatArray, FloatArray]) -> None:
    differences = reference.distribution_means(their_rows[0]) - table.mean_rolls
    assert differences.shape == (54264,)
    assert np.abs(differences).max() <= 2.5e-4
    # Exact to what is known of their rounding: theirs run from -0.000197 to +0.000173.
    assert differences.min() == pytest.approx(-0.000197, abs=1e-6)
    assert differences.max() == pytest.approx(0.000173, abs=1e-6)


def test_every_chance_is_near_theirs(table: OneSidedTable, their_rows: tuple[FloatArray, FloatArray]) -> None:
    assert np.abs(widest(table.roll_distribution) - their_rows[0]).max() <= 3e-3
    assert table.first_checker_distribution is not None
    first = widest(table.first_checker_distribution)
    assert np.abs(first - their_rows[1][-15504:]).max() <= 3e-5
    assert (their_rows[1][:-15504, 0] == 1).all()
