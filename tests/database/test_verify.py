"""Verification passes right files and finds wrong values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import command, golden
from helpers.files import Change, Tables, damaged, rewritten
from helpers.once import Made
from helpers.paths import SMALL

import bgrace
from bgrace.database.store.reader import read_tables
from bgrace.database.verify import VerificationReport, verify

MEAN, VARIANCE, EPC = "one_sided/mean_rolls", "one_sided/variance_rolls", "one_sided/epc"
ROWS, ORDER, PAIRS = "one_sided/roll_distribution", "two_sided/order", "two_sided/equities"


def failed(report: VerificationReport) -> set[str]:
    return {check.name for check in report.failures}


# ---------------------------------------------------------------------- right files pass


@pytest.mark.parametrize("full", [False, True])
def test_the_small_database_passes(full: bool) -> None:
    report = verify(SMALL, full)
    assert report.passed, str(report)
    assert report.failures == ()
    assert (report.path, report.full, report.seed, report.samples) == (SMALL, full, 0, 300)


@pytest.mark.parametrize("row", golden.rows("shapes"), ids=repr)
def test_every_size_passes_in_full(made: Made, row: golden.Row) -> None:
    points, checkers, two_sided = (row.integer(name) for name in ("points", "checkers", "two_sided"))
    report = verify(made(points, checkers, two_sided), full=True)
    assert report.passed, str(report)
    names = {check.name for check in report.checks}
    assert ("first checkers" in names) == (checkers == 15)
    assert ("pairs" in names) == (two_sided > 0)
    assert read_tables(report.path).directory.gammons == (two_sided == 15)


def test_samples_come_on_top_of_all_pairs_of_two_checkers() -> None:
    """There are 27 positions of at most two checkers."""
    for options, positions, pairs in (
        ({"samples": 0}, 27, 27**2),
        ({"samples": 20}, 27, 27**2 + 20),
        ({"full": True}, 923, 83**2),
    ):
        details = {check.name: check.detail for check in verify(SMALL, **options).checks}
        assert details["pairs"].startswith(f"{pairs} of {83**2} pairs")
        assert int(details["positions"].partition(" ")[0]) in range(positions, positions + 21)


def test_a_table_of_another_game_is_found(tmp_path: Path) -> None:
    """All its values are 0, so that they follow from each other."""
    path = rewritten(tmp_path / "wrong.h5", SMALL, put(PAIRS, np.s_[1:, 1:], 0))
    assert failed(verify(path, samples=0)) == {"pairs"}


def test_a_published_table_is_recognised_in_any_kind_of_file(made: Made, tmp_path: Path, tiny: Path) -> None:
    bgrace.pack(SMALL, tmp_path / "packed.h5")
    for path in (SMALL, tmp_path / "packed.h5", made(6, 6, 3, "archive")):
        assert verify(path, samples=0).published is True
    assert verify(tiny, samples=0).published is None
    assert "Every number is that of the published table." in command.shown("verify", SMALL)


def test_a_forged_file_that_passes_is_not_a_published_one(tmp_path: Path) -> None:
    by_a_bit = put(VARIANCE, -1, lambda last: np.nextafter(last, np.inf))
    path = rewritten(tmp_path / "made.h5", SMALL, by_a_bit)
    report = verify(path)
    assert (report.passed, report.published) == (True, False)
    assert "not one of ours" in command.shown("verify", path)


def test_the_sample_depends_only_on_the_seed(tmp_path: Path) -> None:
    def change(tables: Tables) -> None:
        rows = np.flatnonzero(tables[ORDER] >= 28)  # beyond the pairs that are always checked
        tables[PAIRS][np.ix_(rows, rows)] += 1000

    path = rewritten(tmp_path / "wrong.h5", SMALL, change)

    def found(seed: int) -> str:
        return verify(path, seed=seed, samples=5).failures[0].detail

    assert found(1) == found(1)
    assert found(1) != found(2)


def test_a_report_prints_and_turns_into_json() -> None:
    report = verify(SMALL, samples=5)
    found = json.loads(json.dumps(report.to_dict()))
    assert found["passed"] is True
    assert found["checks"][0] == {"name": "tables", "passed": True, "detail": "6 tables of the right shapes"}
    assert str(report).startswith(f"{SMALL} passes (a sample of 5, seed 0)\nok      tables:")


def test_progress_grows_to_the_whole() -> None:
    calls: list[tuple[int, int]] = []
    verify(SMALL, samples=5, progress=lambda done, total: calls.append((done, total)))
    assert calls == sorted(calls)
    assert calls[-1][0] == calls[-1][1]


def test_an_exception_of_the_progress_stops_verification() -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verify(SMALL, progress=stop)


# ---------------------------------------------------------------------- wrong values are found


def put(name: str, place: Any, value: Any) -> Change:
    """Set some values of a table; `value` may be a function of the old ones."""

    def change(tables: Tables) -> None:
        tables[name][place] = value(tables[name][place]) if callable(value) else value

    return change


def off(name: str, place: Any, step: float) -> Change:
    """Add to some values of a table."""
    return put(name, place, lambda values: values + step)


def without(name: str) -> Change:
    """Leave a table out."""
    return lambda tables: tables.pop(name)


def cut(name: str) -> Change:
    """Leave the last row of a table out."""
    return lambda tables: tables.update({name: tables[name][:-1]})


def _row_of_another(index: int, other: int) -> Change:
    """Give a position all values of another: they are consistent, but do not follow from its successors."""

    def change(tables: Tables) -> None:
        for name in (ROWS, MEAN, VARIANCE, EPC):
            tables[name][index] = tables[name][other]

    return change


WRONG: dict[str, tuple[Change, str]] = {
    "negative": (put(ROWS, (5, 3), -0.1), "positions"),
    "not a number": (put(ROWS, (5, 3), np.nan), "positions"),
    "sum off": (off(ROWS, (5, 1), 1e-9), "positions"),
    "no roll": (put(ROWS, np.s_[5, :2], lambda chances: [0.5, chances[1] - 0.5]), "positions"),
    "mean off": (off(MEAN, 100, 1e-9), "positions"),
    "mean not a number": (put(MEAN, 100, np.nan), "positions"),
    "variance off": (off(VARIANCE, 100, -1e-9), "positions"),
    "EPC off": (off(EPC, 100, 1e-8), "positions"),
    "EPC infinite": (put(EPC, 100, np.inf), "positions"),
    "row of another": (_row_of_another(150, 151), "positions"),
    "ace row of another": (_row_of_another(28, 7), "positions"),  # three on the ace point, two on it
    "ranks swapped": (put(ORDER, np.s_[20:22], np.flip), "tables"),
    "rank outside": (put(ORDER, 20, 10**9), "tables"),
    "beyond one": (put(PAIRS, (20, 25), 32761), "pairs"),
    "below minus one": (put(PAIRS, (20, 25), -32768), "pairs"),
    "planes out of order": (put(PAIRS, np.s_[20, 25, 2:], lambda planes: planes[0] + [0, 1]), "pairs"),
    "one step": (off(PAIRS, (22, 20), 1), "pairs"),
    "one step of the last pair, on which no other depends": (off(PAIRS, (27, 27), 1), "pairs"),
    "ten steps": (put(PAIRS, np.s_[1:, 1:], lambda values: np.where(values > 0, values - 10, values)), "pairs"),
    "a roll is worthless": (put(PAIRS, (25, 25), -20000), "pairs"),
    "a checker helps": (put(PAIRS, (27, slice(1, None)), 20000), "pairs"),
    **{f"no {name}": (without(name), "tables") for name in (MEAN, ORDER, PAIRS)},
    **{f"{name} of another shape": (cut(name), "tables") for name in (MEAN, ROWS, ORDER, PAIRS)},
}


@pytest.mark.parametrize(("change", "expected"), WRONG.values(), ids=WRONG)
def test_a_wrong_value_is_found(tmp_path: Path, tiny: Path, change: Change, expected: str) -> None:
    report = verify(rewritten(tmp_path / "wrong.h5", tiny, change), full=True)
    assert failed(report) == {expected}, str(report)


def test_every_sampled_pair_is_checked(tmp_path: Path, tiny: Path) -> None:
    report = verify(rewritten(tmp_path / "wrong.h5", tiny, off(PAIRS, np.s_[1:, 1:], 1)), samples=1)
    assert failed(report) == {"pairs"}


@pytest.mark.parametrize("points", [4, 7])
def test_a_wrong_first_checker_is_found(made: Made, tmp_path: Path, points: int) -> None:
    """On more than six points its rolls are stored in 16 bits."""
    name = f"one_sided/first_checker_{'distribution' if points == 4 else 'first_roll'}"

    another = put(name, COLUMN, lambda rows: rows[-1])
    report = verify(rewritten(tmp_path / "wrong.h5", made(points, 15, 0), another), samples=50)
    assert failed(report) == {"first checkers"}, str(report)


def _rows_fall(tables: Tables) -> None:
    starts = tables["gammon/losing_starts"]
    starts[np.flatnonzero(np.diff(starts))[0] + 1] = 10**9


def _not_listed(name: str) -> Change:
    def change(tables: Tables) -> None:
        tables[f"{name}_starts"][:] = 0
        tables[name] = tables[name][:0]

    return change


COLUMN = slice(None)
WRONG_GAMMONS: dict[str, tuple[Change, str]] = {
    "column twice": (put("gammon/columns", np.s_[5:7], lambda columns: columns[1]), "tables"),
    "column outside": (put("gammon/columns", 5, -(10**9)), "tables"),
    "rows fall": (_rows_fall, "tables"),
    "rows end early": (off("gammon/winning_starts", -1, -1), "tables"),
    "winning off": (off("gammon/winning", (COLUMN, 0), 1), "pairs"),
    "losing off": (off("gammon/losing", (COLUMN, 1), 1), "pairs"),
    "one value off": (off("gammon/losing", (77, 1), -1), "pairs"),
    "winning not listed": (_not_listed("gammon/winning"), "pairs"),
    "losing not listed": (_not_listed("gammon/losing"), "pairs"),
}


@pytest.mark.parametrize("name", WRONG_GAMMONS)
def test_a_wrong_value_with_gammons_is_found(tmp_path: Path, with_gammons: Path, name: str) -> None:
    """Wrong lists are found by the fixed sample alone, a single value by full verification."""
    change, expected = WRONG_GAMMONS[name]
    report = verify(rewritten(tmp_path / "wrong.h5", with_gammons, change), full=name == "one value off", samples=0)
    assert failed(report) == {expected}, str(report)


def test_pages_are_verified(packed_with_gammons: Path, tmp_path: Path) -> None:
    assert verify(packed_with_gammons, samples=2).passed
    wrong = damaged(tmp_path / "x.h5", packed_with_gammons, "packed/pages")
    assert failed(verify(wrong, samples=2)) == {"checksums"}
