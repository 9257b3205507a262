"""``bgrace solve --batch``: races from a file of IDs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import pytest
from helpers.command import answer, check_error, check_one_line, complaint, run
from helpers.paths import SMALL

import bgrace
from bgrace.cli.solve import solve_command

RACES = [
    "XGID=-----AA-------------aa----:0:0:1:00:2:4:1:5:10",
    "VQUAgG0BAAAAAA:UYkFAAAAAAAE",
    "XGID=-----AA-------------aa----:0:0:1:21:0:0:0:0:10",
]


def test_a_file_of_ids_is_answered_in_order(tmp_path: Path) -> None:
    path = tmp_path / "races.txt"
    path.write_text(f"# three races\n{RACES[0]}\n\n{RACES[1]}\n{RACES[2]}\n")
    result = run("solve", "--batch", path, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(race["line"], race["id"]) for race in found] == [(2, RACES[0]), (4, RACES[1]), (5, RACES[2])]
    for race in found:
        single = answer("solve", race["id"])
        for name in ("stakes", "win_probability", "equities", "cube_action", "plays"):
            assert race[name] == single[name]
    table = run("solve", "--batch", path).stdout.splitlines()
    assert [line.split()[0] for line in table] == ["2", "4", "5"]
    assert [line.split()[4] for line in table] == RACES
    assert run("solve", "--batch", path, "--json", "--workers", "2").stdout == result.stdout
    money = run("solve", "--batch", path, "--json", "--money").stdout.splitlines()
    assert [json.loads(line)["stakes"] for line in money] == ["money"] * 3


@pytest.mark.parametrize("options", [(), ("--workers", "1")])
def test_a_file_of_ids_is_answered_in_a_language(tmp_path: Path, options: tuple[str, ...]) -> None:
    path = tmp_path / "races.txt"
    path.write_text("\n".join(RACES))
    command: list[str | Path] = ["solve", "--batch", path, "--language", "de", *options]
    table = run(*command).stdout
    assert "annehmen" in table
    assert "exakt" in table
    assert len({line.index(race) for line, race in zip(table.splitlines(), RACES, strict=True)}) == 1
    for line, race in zip(run(*command, "--json").stdout.splitlines(), RACES, strict=True):
        assert json.loads(line)["reasons"] == answer("solve", race, "--language", "de")["reasons"]


def test_lines_without_a_race_are_named_and_the_others_answered(tmp_path: Path) -> None:
    path = tmp_path / "races.txt"
    over = bgrace.Board(bgrace.parse_position("6x1"), bgrace.parse_position("off")).gnubg_id()
    path.write_bytes(b"J\xfcrgen nonsense\n" + RACES[0].encode() + b"\n4HPwATDgc/ABMA\n\xff\n" + over.encode() + b"\n")
    result = run("solve", "--batch", path)
    assert result.exit_code == 1
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["2"]
    lines = result.stderr.splitlines()
    assert [line.split(":")[0] for line in lines] == ["line 1", "line 3", "line 4", "line 5", "bgrace"]
    assert "nonsense" in lines[0]
    assert "contact" in lines[1]
    assert "4 of the lines" in lines[-1]


def test_a_new_option_is_refused_with_batch_unless_it_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    new = click.Option(["--new"], is_flag=True, expose_value=False)
    monkeypatch.setattr(solve_command, "params", [*solve_command.params, new])
    check_error(run("solve", "--batch", "races.txt", "--new"), 2, "--new is for one race, and --batch for many")


@pytest.mark.parametrize("head", [b"", b"# a list\n" + RACES[0].encode() + b"\nnonsense\n"], ids=["at once", "later"])
def test_a_file_that_is_not_text_ends_the_command(tmp_path: Path, head: bytes) -> None:
    path = tmp_path / "small.h5"
    path.write_bytes(head + SMALL.read_bytes())
    for argument, name in ((str(path), str(path)), ("-", "standard input")):
        done = run("solve", "--batch", argument, given=path.read_bytes())
        assert done.exit_code == 1
        lines = done.stderr.splitlines()
        assert len(lines) < 4 + 2 * bool(head)
        assert lines[-1].startswith(f"bgrace: {name}: line ")
        assert lines[-1].endswith("is not text: give a list of IDs, one per line, in UTF-8")
        # The races before it are answered.
        assert [line.split()[4] for line in done.stdout.splitlines()] == RACES[: bool(head)]


def test_a_byte_order_mark_is_not_part_of_an_id(tmp_path: Path) -> None:
    path = tmp_path / "races.txt"
    path.write_text(RACES[0] + "\n", encoding="utf-8-sig")
    read = run("solve", "--batch", path, "--json").stdout
    done = run("solve", "--batch", "-", "--json", given=path.read_bytes())
    assert (done.exit_code, done.stderr) == (0, "")
    assert [json.loads(text)["id"] for text in (read, done.stdout)] == [RACES[0]] * 2


def test_a_closed_standard_input_is_named() -> None:
    message = complaint("sh", "-c", '"$0" -m bgrace solve --batch - <&-', sys.executable, status=2)
    check_one_line(message, "standard input is closed: give a file")
