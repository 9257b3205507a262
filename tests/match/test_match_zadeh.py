"""Zadeh's model against his printed tables, derived values, GNU Backgammon's generator, and its symmetries."""

from __future__ import annotations

from collections import Counter

import pytest
from helpers.golden import Row, check_printed, rows

from bgrace.match import ZadehModel
from bgrace.match.zadeh import MAX_POINTS

MODELS = {"1": ZadehModel.equal(), "2": ZadehModel.unequal(), "0": ZadehModel.equal(), "0.398": ZadehModel.unequal()}
COLUMNS = ("equity", "first", "second")


def test_tables_are_the_printed_ones_except_where_the_print_differs() -> None:
    agree: Counter[tuple[str, str]] = Counter()
    printed: Counter[tuple[str, str]] = Counter()
    for row in rows("match_zadeh_tables"):
        cell = MODELS[row.text("table")].cell(row.integer("x1"), row.integer("x2"))
        shown = [row.text(column) for column in COLUMNS if column in row]
        assert tuple(text.endswith("*") for text in shown[1:]) == cell.marked[: len(shown) - 1]
        for column, text, figure in zip(COLUMNS, shown, cell.percent(), strict=False):
            key = row.text("table"), column
            printed[key] += 1
            agree[key] += int(text.rstrip("*")) == figure
            assert (int(text.rstrip("*")) == figure) == (column not in row.text("differs").split()), row
    assert [printed["1", column] for column in COLUMNS] == [120, 105, 105]
    assert [agree["1", column] for column in COLUMNS] == [120, 104, 105]
    assert [printed["2", column] for column in COLUMNS] == [225, 196, 196]
    assert [agree["2", column] for column in COLUMNS] == [225, 196, 192]


@pytest.mark.parametrize("row", rows("match_zadeh_values"), ids=str)
def test_values_are_the_derived_ones(row: Row) -> None:
    model = MODELS[row.text("skill")]
    x1, x2, cube = row.integer("x1"), row.integer("x2"), row.integer("cube")
    for player in (1, 2):
        check_printed(model.take_point(player, x1, x2, cube, live=False), row, f"dead{player}")
        check_printed(model.take_point(player, x1, x2, cube), row, f"live{player}")
    if "equity" in row:
        check_printed(model.equity(x1, x2), row, "equity")
        check_printed(model.first_double(x1, x2), row, "first")


def test_the_worked_example_has_the_printed_values() -> None:
    # Zadeh, the list for (4, 3); D'_1(2) and D'_2(2) there are normalised although a gammon is worth nothing.
    model = ZadehModel.equal()
    for row in rows("match_zadeh_example"):
        for player in (1, 2):
            check_printed(model.take_point(player, 4, 3, row.integer("cube"), live=False), row, f"dead{player}")
            check_printed(model.take_point(player, 4, 3, row.integer("cube")), row, f"live{player}")
    assert model.normalised(1, 4, 3) == pytest.approx(0.73, abs=0.00501)
    assert model.normalised(2, 4, 3) == pytest.approx(0.83, abs=0.00501)
    assert model.normalised(1, 4, 3, live=False) == pytest.approx(0.685, abs=5.01e-4)
    assert model.normalised(2, 4, 3, live=False) == pytest.approx(0.695, abs=5.01e-4)
    assert model.take_point(1, 4, 3, 2) == model.equity(2, 3)
    assert model.take_point(2, 4, 3, 2) == pytest.approx(1 - model.equity(4, 1))
    # The text quotes real chances of the taker for B = 0.398.
    unequal = ZadehModel.unequal()
    assert 1 - unequal.normalised(2, 4, 3, live=False) == pytest.approx(0.397, abs=5.01e-4)
    assert 1 - unequal.normalised(1, 4, 3, live=False) == pytest.approx(0.203, abs=5.01e-4)


def test_chances_at_one_away_are_the_derived_ones() -> None:
    model = ZadehModel.equal()
    crawford = [0.5, 0.3125, 0.25, 0.1796875, 0.15625, 0.106445313, 0.08984375, 0.0623779297]
    after = [0.5, 0.5, 0.3125, 0.3125, 0.1796875, 0.1796875, 0.106445313, 0.106445313]
    assert [model.crawford(x) for x in range(1, 9)] == pytest.approx(crawford, abs=1e-9)
    assert [model.post_crawford(x) for x in range(1, 9)] == pytest.approx(after, abs=1e-9)
    unequal = ZadehModel.unequal()
    first = [0.6, 0.42, 0.36, 0.279, 0.252, 0.18855]
    assert [unequal.crawford(x, 1) for x in range(1, 7)] == pytest.approx(first, abs=1e-12)
    second = [0.6, 0.78, 0.84, 0.894, 0.912, 0.9462]
    assert [unequal.equity(1, x) for x in range(1, 7)] == pytest.approx(second, abs=1e-12)
    assert [unequal.post_crawford(x, 2) for x in range(1, 6)] == pytest.approx([0.4, 0.4, 0.22, 0.22, 0.106])


@pytest.mark.parametrize("row", rows("match_zadeh_gnubg"), ids=str)
def test_without_the_cap_the_model_is_gnu_backgammon_s_generator(row: Row) -> None:
    x1, x2 = row.integer("x1"), row.integer("x2")
    check_printed(ZadehModel(cap=False).equity(x1, x2), row, "without")
    check_printed(ZadehModel.gnubg().equity(x1, x2), row, "free_drop")


def test_equities_are_symmetric_monotonic_and_between_0_and_1() -> None:
    equal, unequal = ZadehModel.equal(), ZadehModel.unequal()
    for x1 in range(1, 26):
        for x2 in range(1, 26):
            assert equal.equity(x1, x2) + equal.equity(x2, x1) == pytest.approx(1, abs=1e-12)
            assert unequal.equity(x1, x2) > equal.equity(x1, x2)
            assert unequal.equity(x1 + 1, x2) <= unequal.equity(x1, x2) <= unequal.equity(x1, x2 + 1)
            for cube in (1, 2, 4, 8, 16):
                if min(x1, x2) > 1:
                    live = equal.take_point(1, x1, x2, cube)
                    assert live == pytest.approx(equal.take_point(2, x2, x1, cube), abs=1e-12)
                    assert 0 < equal.take_point(1, x1, x2, cube, live=False) <= live + 1e-12 <= 1 + 1e-11
    assert MAX_POINTS >= 25
    assert 0 < equal.equity(64, 40) < 0.2
