"""``bgrace windows``: table, pair, positions, as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json

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


def test_pair() -> None:
    assert json.loads(run("windows", "100", "109", "--json").stdout) == race.solve(120).advice(100, 109).to_dict()
    (row,) = csv.DictReader(io.StringIO(run("windows", "100", "109", "--csv").stdout))
    assert (row["redouble"], row["take"]) == ("False", "True")


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
