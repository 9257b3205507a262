"""``bgrace windows``: table, pair, positions, as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json

import pytest
from helpers.command import run
from helpers.paths import SMALL

from bgrace.cube import race


def test_table() -> None:
    result = run("windows")
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["14", "158-171", "137-150", "111-122"] in lines
    assert ["0", "22-27", "20-22"] in lines


def test_json_and_csv_are_the_records() -> None:
    records = [window.to_dict() for window in race.solve(0).windows(60)[3:]]
    answer = json.loads(run("windows", "--from", "3", "--limit", "60", "--json").stdout)
    assert answer == {"from": 3, "limit": 60, "windows": records}
    rows = list(csv.DictReader(io.StringIO(run("windows", "--from", "3", "--limit", "60", "--csv").stdout)))
    assert [{name: int(value) if value else None for name, value in row.items()} for row in rows] == records
    assert rows[0]["take"] == ""


@pytest.mark.parametrize(
    ("pair", "answer"),
    [
        (("58", "66"), "58 against 66: double, redouble, take"),
        (("100", "109"), "100 against 109: double, no redouble, take"),
        (("110", "100"), "110 against 100: no double, no redouble, take"),
    ],
)
def test_pair(pair: tuple[str, str], answer: str) -> None:
    result = run("windows", *pair)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == answer
    k, s = map(int, pair)
    assert json.loads(run("windows", *pair, "--json").stdout) == race.solve(120).advice(k, s).to_dict()
    (row,) = csv.DictReader(io.StringIO(run("windows", *pair, "--csv").stdout))
    assert row["take"] == "True"


def test_positions() -> None:
    result = run("windows", "--positions", str(SMALL))
    assert result.exit_code == 0
    assert "up to 3 checkers" in result.stdout
    answer = json.loads(run("windows", "--positions", str(SMALL), "--json").stdout)
    assert answer["checkers"] == 3
    assert answer["by_epc"]
    rows = list(csv.DictReader(io.StringIO(run("windows", "--positions", str(SMALL), "--csv").stdout)))
    assert [int(row["epc"]) for row in rows] == [group["label"] for group in answer["by_epc"]]
    assert float(rows[0]["take_pips_wrong"]) == answer["by_epc"][0]["accuracy"]["take"]["pips"]["wrong"]
