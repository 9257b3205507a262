"""The cube in races: recurrences against their slow twin, windows against Table 5."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from helpers import golden
from helpers.race_reference import two_roll_equities

from bgrace import scm
from bgrace.cube import race
from bgrace.cube.action import EXACT_TIE, decide

EQUITIES = ("centered", "mine", "theirs", "no_double_centered", "no_double_mine", "double_take")


@pytest.fixture(scope="module")
def table() -> race.RaceTable:
    return race.solve(340)


@pytest.mark.parametrize(("limit", "one", "error"), [(25, Fraction(1), 1e-14), (80, 1.0, 1e-12)])
def test_equities_are_those_of_the_slow_twin(table: race.RaceTable, limit: int, one: Any, error: float) -> None:
    for name, values in two_roll_equities(limit, one).items():
        solved = getattr(table, name)
        assert max(abs(solved[pair] - float(value)) for pair, value in values.items()) < error
    assert (table.double_take == 2 * table.theirs)[1:, 1:].all()


@pytest.mark.parametrize("row", golden.rows("race_equities"), ids=str)
def test_equities_are_the_derived_ones(table: race.RaceTable, row: golden.Row) -> None:
    k, s = row.integer("k"), row.integer("s")
    for name in EQUITIES:
        assert getattr(table, name)[k, s] == pytest.approx(row.number(name), abs=6e-10)
    for name in ("double", "redouble", "take"):
        assert getattr(table, name)[k, s] == (row.text(name) == "yes")


def test_windows_are_those_of_table_5(table: race.RaceTable) -> None:
    windows = table.windows(200)
    assert [window.k for window in windows] == list(range(201))
    rows = golden.rows("race_windows")
    for column in ("double", "redouble", "take"):
        listed = [row for row in rows if row.text("column") == column]
        expected = [(row.integer("first"), row.integer("last"), row.integer("lead")) for row in listed]
        found = [(band.first, band.last, band.lead) for band in race.bands(windows[20:], column)]
        assert found == expected
    printed = [row for row in rows if "printed" in row]
    assert len(printed) == 45
    differs = [row for row in printed if row.text("printed") != f"{row.text('first')}-{row.text('last')}"]
    assert [(row.text("printed"), row.text("last")) for row in differs] == [("158-170", "171")]


def test_decisions_change_once_as_a_pip_count_grows(table: race.RaceTable) -> None:
    for flags, rises in ((table.double, True), (table.redouble, True), (table.take, False)):
        inside = flags[1:301, 1:].astype(np.int8)
        steps = np.diff(inside, axis=1)
        assert (steps >= 0).all() if rises else (steps <= 0).all()
        steps = np.diff(flags[1:, 1:301].astype(np.int8), axis=0)
        assert (steps <= 0).all() if rises else (steps >= 0).all()


@pytest.mark.parametrize("row", golden.rows("race_margins"), ids=str)
def test_narrowest_margins_are_the_derived_ones(table: race.RaceTable, row: golden.Row) -> None:
    pair, state = (row.integer("k"), row.integer("s")), row.text("state")
    value = table.double_take[pair] - (1 if state == "take" else getattr(table, f"no_double_{state}")[pair])
    assert value == pytest.approx(row.number("margin"), abs=6e-7)


def test_ties_are_doubles_and_takes(table: race.RaceTable) -> None:
    # A leader far ahead has equity 1, up to rounding, with or without a double: that is a tie.
    inside = np.s_[1:301, 1:301]
    near = np.abs(np.minimum(table.double_take, 1) - table.no_double_centered)[inside] < 1e-9
    assert near.sum() == 35148
    assert table.double[inside][near].all()
    takes = np.abs(table.double_take - 1)[inside] < 1e-9
    assert np.argwhere(takes).tolist() == [[5, s] for s in range(6)]  # 27/36 with 6 pips, against 1 to 6
    assert table.take[6, 1:7].all()


def test_decisions_are_those_of_decide(table: race.RaceTable) -> None:
    inside = np.s_[1:120, 1:120]
    for roll, flags, cube in (
        (table.no_double_centered, table.double, "centered"),
        (table.no_double_mine, table.redouble, "mine"),
    ):
        action = decide(roll[inside], table.double_take[inside], cube=cube, tie=EXACT_TIE)
        np.testing.assert_array_equal(action.double, flags[inside])
        np.testing.assert_array_equal(action.take, table.take[inside])


@pytest.mark.parametrize("row", golden.rows("race_advice"), ids=str)
def test_advice_has_the_words_and_numbers_of_the_table(table: race.RaceTable, row: golden.Row) -> None:
    k, s = row.integer("k"), row.integer("s")
    advice = table.advice(k, s)
    assert str(advice) == row.text("advice")
    answer: dict[str, Any] = advice.to_dict()
    assert answer["double"] is bool(table.double[k, s])
    assert answer["centered"]["double_take"] == table.double_take[k, s]
    assert answer["mine"]["no_double"] == table.no_double_mine[k, s]
    assert answer["win_probability"] == scm.win_probability(k, s)


def test_table_4_is_printed_with_known_errors() -> None:
    off = []
    errors = []
    for row in golden.rows("race_win_probability"):
        k, lead = row.integer("k"), row.integer("lead")
        exact = scm.win_probability(k, k + lead)
        assert exact == pytest.approx(row.number("exact"), abs=6e-6)
        off.append(abs(round(100 * row.number("printed")) - round(100 * exact)))
        errors.append(row.number("printed") - exact)
    # How many printed cells agree after rounding, and how many are off by 1, 2, 3 and 4 in the last place.
    assert [off.count(n) for n in range(5)] == [13, 17, 8, 3, 1]
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(0.0145, abs=6e-5)
    assert np.mean(errors) == pytest.approx(0.009, abs=6e-4)
