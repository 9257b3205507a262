"""Commands about files: build, info, verify; and the report."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from helpers.command import answer, check_error, check_one_line, check_plain, run, shown
from helpers.files import damaged

import bgrace
from bgrace.cli import cli
from bgrace_apps.studies.bearoff_facts import bearoff_report

# ---------------------------------------------------------------------- build, info


def test_build_announces_its_file_on_standard_error(tmp_path: Path) -> None:
    path = tmp_path / "small.h5"
    result = run("build", path, "--checkers", "4", "--two-sided", "2")
    contents = "210 positions (up to 4 checkers on 6 points) and 784 pairs (up to 2 a side)"
    assert f"making {path}: {contents}" in result.stderr
    assert "on disk" in result.stderr
    with bgrace.open(path) as db:
        assert (db.space.points, db.space.checkers, db.two_sided_checkers) == (6, 4, 2)


def test_build_prints_facts_about_its_file_as_json(tmp_path: Path) -> None:
    path = tmp_path / "wide.h5"
    made = answer("build", path, "--points", "7", "--checkers", "3", "--threads", "1")
    assert made["seconds"] >= 0
    del made["seconds"]
    assert made == {
        "path": str(path),
        "file_size": path.stat().st_size,
        "points": 7,
        "checkers": 3,
        "two_sided_checkers": 0,
        "positions": 120,
        "pairs": 0,
        "threads": 1,
    }


def test_build_replaces_a_file_only_with_force(tmp_path: Path) -> None:
    path = tmp_path / "small.h5"
    path.write_text("precious")
    check_error(run("build", path, "--checkers", "2"), 1, str(path), "--force")
    assert path.read_text() == "precious"
    assert run("build", path, "--checkers", "2", "--force").exit_code == 0
    assert answer("info", path)["checkers"] == 2


def test_info_is_that_of_the_database(file: Path) -> None:
    with bgrace.open(file) as db:
        assert answer("info", file) == db.info()
    for columns in (80, 120):
        check_plain(shown("info", file, columns=columns), columns)


# ---------------------------------------------------------------------- verify, report


def test_verify_passes_a_sound_file(tiny: Path) -> None:
    found = answer("verify", tiny, "--seed", "3")
    assert found["passed"] is True
    assert found["seed"] == 3
    assert all(check["passed"] for check in found["checks"])


def test_verify_fails_for_a_damaged_file(tiny: Path, tmp_path: Path) -> None:
    path = damaged(tmp_path / "damaged.h5", tiny, "two_sided/equities", 1000)
    result = run("verify", path)
    assert result.exit_code == 1
    assert "FAILED" in result.stdout
    check_one_line(result.stderr, str(path), "fails", "build it again")
    result = run("verify", path, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["passed"] is False
    check_one_line(result.stderr, str(path))


def test_the_report_is_that_of_python_and_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = bearoff_report()
    monkeypatch.setattr("bgrace_apps.cli.report.bearoff_report", lambda: facts)
    assert run("report").stdout == f"{facts}\n"
    assert answer("report") == json.loads(json.dumps(facts.to_dict()))
    terminal = CliRunner(env={"FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": "60", "NO_COLOR": None})
    shown = click.unstyle(terminal.invoke(cli, ["report"], color=True).stdout)
    assert max(map(len, shown.splitlines())) <= 60
    assert shown.split() == str(facts).split()
