"""``bgrace windows``: table, pair, positions, as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from unittest.mock import Mock

import pytest
from helpers.command import answer, run, shown
from helpers.paths import SMALL

from bgrace.cube import race
from bgrace_apps.plot import canvas


def test_the_table_has_the_windows_of_the_paper() -> None:
    lines = [line.split() for line in shown("windows").splitlines()]
    assert ["14", "158-171", "137-150", "111-122"] in lines
    assert ["0", "22-27", "20-22"] in lines


def test_json_and_csv_are_the_records() -> None:
    records = [window.to_dict() for window in race.solve(0).windows(60)[3:]]
    told = answer("windows", "--from", "3", "--limit", "60")
    assert told == {"from": 3, "limit": 60, "windows": records}
    rows = list(csv.DictReader(io.StringIO(run("windows", "--from", "3", "--limit", "60", "--csv").stdout)))
    assert [{name: int(value) if value else None for name, value in row.items()} for row in rows] == records
    assert rows[0]["take"] == ""


def test_a_pair_has_the_advice_of_the_model() -> None:
    assert answer("windows", "100", "109") == race.solve(120).advice(100, 109).to_dict()
    (row,) = csv.DictReader(io.StringIO(run("windows", "100", "109", "--csv").stdout))
    assert (row["redouble"], row["take"]) == ("0", "1")


@pytest.mark.parametrize(("k", "s"), [("8", "9"), ("100", "109"), ("170", "180")])
def test_the_curves_reach_the_marked_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, k: str, s: str) -> None:
    pytest.importorskip("matplotlib", reason="needs bgrace[plot]")
    save = Mock()
    monkeypatch.setattr(canvas, "save", save)
    shown("windows", k, s, "--plot", tmp_path / "pair.svg")
    (panel,) = save.call_args.args[0].axes
    pips = panel.lines[0].get_xdata()
    assert min(pips) <= int(k) <= max(pips)


def test_positions_of_a_file_are_studied() -> None:
    table = shown("windows", "--positions", SMALL)
    assert "up to 3 checkers" in table
    assert "nan" not in table
    told = answer("windows", "--positions", str(SMALL))
    assert told["checkers"] == 3
    assert told["by_epc"]
    rows = list(csv.DictReader(io.StringIO(run("windows", "--positions", str(SMALL), "--csv").stdout)))
    assert [int(row["epc"]) for row in rows] == [group["label"] for group in told["by_epc"]]
    assert float(rows[0]["take_pips_wrong"]) == told["by_epc"][0]["accuracy"]["take"]["pips"]["wrong"]
