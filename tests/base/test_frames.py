"""Tables of results as data frames, and data frames as positions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import bgrace
from bgrace._base.frames import Columnar
from bgrace.counts import keith
from bgrace.cube import race
from bgrace.cube.action import CUBES
from bgrace.errors import DependencyError, PositionError
from bgrace.match import Score, score_map
from bgrace_apps.review import MatchReview, review

RACES: list[str | tuple[str, str]] = ["XGID=-----AA-------------aa----:0:0:1:00:0:0:0:5:10", ("5x1 6x1", "4x1 5x1")]


@pytest.fixture(
    params=[
        lambda: race.solve(0).windows(60),
        lambda: bgrace.solve("5x1 6x1", "4x1 5x1").all_plays(),
        lambda: bgrace.solve_many(iter(RACES)),
        lambda: review("data/matches/5-103.mat"),
        lambda: score_map("5x1 6x1", "4x1 5x1", 3),
    ],
    ids=["windows", "plays", "solutions", "review", "score map"],
)
def table(request: pytest.FixtureRequest) -> Columnar:
    made: Columnar = request.param()
    return made


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_data_frame_has_the_columns(table: Columnar, library: Any) -> None:
    pytest.importorskip(library)
    columns = table.to_columns()
    frame = table.to_frame(library)
    assert len(frame) > 1
    assert list(frame.columns) == list(columns)
    assert {len(column) for column in columns.values()} == {len(frame)}
    read = list(zip(*(frame[name].to_list() for name in columns), strict=True))
    missing = {"nan", "<NA>", "None"}
    for given, expected in zip(read, zip(*columns.values(), strict=True), strict=True):
        assert [None if str(each) in missing else each for each in given] == list(expected)


def test_types_of_columns_do_not_depend_on_the_values(db: bgrace.Database) -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    over, going = (
        bgrace.answers.Solutions(db.solution(*each) for each in [pair]) for pair in [("off", "1x1"), ("6x1", "1x1")]
    )
    pairs: list[list[Columnar]] = [
        [bgrace.solve("5x1 6x1", "4x1 5x1", match=score).all_plays() for score in (None, Score(5, 5))],
        [race.solve(0).windows(3), race.solve(0).windows(60)],
        [db.cube_action([[0, 1, 1, 0, 0, 0]], "6x1", cube=cube) for cube in ("mine", "theirs")],
    ]
    assert len(set(map(str, (table.to_frame().dtypes.to_dict() for table in (over, going))))) == 1
    for tables in pairs:
        frames, others = [table.to_frame() for table in tables], [table.to_frame("polars") for table in tables]
        assert frames[0].dtypes.to_dict() == frames[1].dtypes.to_dict()
        assert others[0].schema == others[1].schema
        assert len(pd.concat(frames)) == len(pl.concat(others)) == sum(map(len, frames))


def test_arrays_of_answers_are_tables_too(db: bgrace.Database) -> None:
    sides = [[0, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0]]
    found, actions = db.equities(sides, "2x1"), db.cube_action(sides, "2x1")
    assert found.to_columns()["mine"] == found.mine.tolist()
    assert actions.to_columns()["verdict"] == actions.verdict.tolist()
    assert db.equities("3x1", "2x1").to_columns()["method"] == ["two-sided"]


@pytest.mark.parametrize("n", [0, 1, 2])
def test_columns_are_as_long_as_the_arrays_asked_about(db: bgrace.Database, n: int) -> None:
    sides = np.ones((n, 1), int) * [0, 1, 1, 0, 0, 0]
    for table in (db.equities(sides, sides), *(db.cube_action(sides, sides, cube) for cube in CUBES)):
        assert {len(column) for column in table.to_columns().values()} == {n}
        for library in ("pandas", "polars"):
            pytest.importorskip(library)
            assert len(table.to_frame(library)) == n


def _given_as(rows: list[list[int | None]]) -> Iterator[Any]:
    """Yield the rows as objects of each library."""
    columns = {name: [row[k] for row in rows] for k, name in enumerate("abcdef")}
    pd, pl = import_module("pandas"), import_module("polars")
    yield np.array(rows, float)
    yield from (pd.DataFrame(columns), pd.DataFrame(columns, dtype="Int64"), pd.DataFrame(columns, dtype=float))
    yield pd.Series(rows)
    yield from (pl.DataFrame(columns), pl.Series(rows), pl.DataFrame({"counts": rows}))
    yield pl.Series(rows, dtype=pl.Array(pl.Int8, 6))
    with suppress(ImportError):
        arrow = import_module("pyarrow")
        yield from (arrow.table(columns), arrow.array(rows), arrow.array(rows, arrow.list_(arrow.int8(), 6)))
    with suppress(ImportError):
        values = ", ".join(str(tuple(row)).replace("None", "null") for row in rows)
        yield import_module("duckdb").sql(f"select * from (values {values})")


def test_positions_may_come_from_any_library(db: bgrace.Database) -> None:
    rows: Any = [[0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 1], [1, 1, 1, 0, 0, 0]]
    expected = db.epc(rows)
    for counts in _given_as(rows):
        np.testing.assert_array_equal(db.epc(counts), expected)
        np.testing.assert_array_equal(db.win_probability(counts, counts), db.win_probability(rows, rows))
        assert (db.equities(counts, counts).centered == db.equities(rows, rows).centered).all()
        assert (db.cube_action(counts, counts).verdict == db.cube_action(rows, rows).verdict).all()
        assert db.covers(counts, counts).all()
    pd, pl = import_module("pandas"), import_module("polars")
    lists = pl.Series([], dtype=pl.List(pl.Int8)), pl.DataFrame(schema={"a": pl.Array(pl.Int8, 6)})
    for empty in (*lists, pd.Series([], dtype=object), pd.DataFrame({"a": []}, dtype=object)):
        assert db.epc(empty).shape == db.win_probability(empty, empty).shape == db.space.valid(empty).shape == (0,)
        assert db.equities(empty, "6x1").mine.shape == db.covers(empty, empty).shape == (0,)
        assert keith(empty, empty).on_roll.shape == keith("6x1", empty).on_roll.shape == (0,)
    for counts in _given_as([*rows, [0, None, 0, 0, 0, 1]]):
        assert db.space.valid(counts).tolist() == [True, True, True, False]
        with pytest.raises(PositionError, match="missing"):
            db.epc(counts)


@pytest.mark.parametrize("library", ["duckdb", "pyarrow"])
def test_a_table_is_read_through_its_arrow_stream(table: Columnar, library: str) -> None:
    assert not isinstance(table, (dict, list)), "DuckDB and pyarrow do not ask these for a stream"
    other: Any = pytest.importorskip(library)
    if library == "duckdb":
        assert other.from_arrow(table).count("*").fetchall() == [(len(table.to_frame()),)]
    else:
        assert other.table(table).to_pydict() == table.to_columns()


def test_windows_have_none_where_nobody_doubles_or_takes() -> None:
    windows = race.solve(0).windows(60)
    columns = windows.to_columns()
    assert {name: column[58] for name, column in columns.items()} == {"k": 58, "double": 5, "redouble": 6, "take": 8}
    assert [column[0] for column in columns.values()] == [0, None, None, None]
    assert windows == list(windows)


def test_plays_of_all_rolls_have_a_row_each() -> None:
    plays = bgrace.solve("5x1 6x1", "4x1 5x1").all_plays()
    columns = plays.to_columns()
    rows = list(zip(*columns.values(), strict=True))
    assert len(rows) == sum(map(len, plays.values()))
    assert next(row[:4] for row in rows if row[0] == "21") == ("21", 1, "6/3", "3x1 5x1")
    assert plays[2, 1][0].equity == columns["equity"][[row[:2] for row in rows].index(("21", 1))]


def test_solutions_of_many_races_have_a_row_each() -> None:
    columns = bgrace.solve_many(iter(RACES)).to_columns()
    one = bgrace.solve("5x1 6x1", "4x1 5x1")
    assert columns["stakes"] == ["5-away, 5-away, cube 1", "money"]
    assert columns["verdict"] == ["double/take", "double/take"]
    assert columns["no_double"][1] == one.cube_action().no_double
    assert columns["on_roll_pips"] == [11, 11]


def test_solutions_that_were_consumed_are_not_in_the_table() -> None:
    solutions = bgrace.solve_many(iter(RACES))
    assert str(next(solutions).stakes) == "5-away, 5-away, cube 1"
    assert solutions.to_columns()["stakes"] == ["money"]
    assert list(solutions) == []
    assert solutions.to_columns()["stakes"] == ["money"], "DuckDB asks twice"


def test_a_race_that_is_over_has_no_cube_action(db: bgrace.Database) -> None:
    columns = bgrace.answers.Solutions(db.solution(*pair) for pair in [("off", "1x1"), ("6x1", "1x1")]).to_columns()
    assert (columns["win_probability"], columns["verdict"]) == ([1.0, 0.75], [None, "double/take"])


def test_decisions_of_a_review_have_a_row_each(five: MatchReview) -> None:
    columns = five.to_columns()
    assert columns["loss"] == [each.loss for each in five.decisions]
    assert set(columns["player"]) == {"North", "East"}


def test_scores_of_a_map_have_a_row_each() -> None:
    found = score_map("5x1 6x1", "4x1 5x1", 3)
    columns = found.to_columns()
    scores = zip(columns["on_roll_needs"], columns["opponent_needs"], columns["crawford"], strict=True)
    row = list(scores).index((3, 2, False))
    assert columns["verdict"][row] == found.action(3, 2).verdict
    assert columns["double_margin"][row] == found.action(3, 2).double_margin


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_library_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, library: Any) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(DependencyError, match=f"pip install {library}"):
        race.solve(0).windows(60).to_frame(library)
