"""``bgrace match`` and ``bgrace solve --match``: text, JSON, CSV, pictures, wrong usage."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from helpers.command import answer, run, shown
from helpers.paths import GOLDEN, SMALL

import bgrace
from bgrace.match import MatchEquityTable, Score, ZadehModel, cube_points, score_map

TABLE = str(GOLDEN / "match_table.csv")


def test_solve_at_a_score_answers_as_python_does() -> None:
    arguments = ("solve", "5x1 6x1", "4x1 5x1", "--match", "5,3", "--cube-value", "2", "--cube", "mine", "--met", TABLE)
    assert "double, pass" in shown(*arguments)
    found = answer(*arguments, "--roll", "21")
    stakes = bgrace.Stakes.at(Score(5, 3), MatchEquityTable.load(TABLE), cube_value=2)
    solution = bgrace.solve("5x1 6x1", "4x1 5x1", stakes, threads=1)
    assert found["cube_action"] == solution.cube_action("mine").to_dict()
    assert found["match_chances"] == solution.equities.to_dict()
    assert solution.equities.normalised is not None
    assert found["equities"] == solution.equities.normalised.to_dict()
    assert found["plays"] == solution.to_dict("21", "mine")["plays"]
    assert found["match"]["table"] == "a table for tests"
    assert found["win_probability"] == solution.win_probability


def test_solve_prints_why_nobody_may_double() -> None:
    board = "XGID=-----AA-------------aa----:0:0:1:00:0:0:0:5:10"
    assert "Note" not in run("solve", board, "--match", "5,5").stdout
    beside = run("solve", board, "4x1 5x1", "--match", "5,5")
    assert f"of {board}, only the player on roll counts" in " ".join(beside.stdout.split())
    assert "Nobody may double in the Crawford game" in run("solve", "1x3", "1x3", "--match", "3,1", "--crawford").stdout
    assert "already wins the match" in run("solve", "1x3", "1x3", "--match", "2,5", "--cube-value", "2").stdout
    many = run("solve", "1,1,1,1,1,1", "1x3", "--match", "3,4", "--roll", "11")
    assert "which --json lists" in many.stdout


def test_points_are_those_of_the_table() -> None:
    assert "redoubles at once" in run("match", "points", "3,5").stdout
    found = answer("match", "points", "3,5", "--met", TABLE, "--win-gammons", "0.2")
    table = MatchEquityTable.load(TABLE)
    assert [each["cube_value"] for each in found["points"]] == [1, 2, 4]
    assert found["points"][0] == cube_points(table, Score(3, 5), win_gammons=0.2).to_dict()


def test_a_map_is_that_of_python_in_every_format() -> None:
    arguments = ("match", "map", "5x1 6x1", "4x1 5x1", "--length", "5", "--met", TABLE, "--threads", "1")
    found = score_map("5x1 6x1", "4x1 5x1", 5, met=MatchEquityTable.load(TABLE))
    lines = [line.split() for line in run(*arguments).stdout.splitlines()]
    assert ["3", ".", "D", "D", "D", "D", "D"] in lines
    assert answer(*arguments) == found.to_dict()
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--csv").stdout)))
    assert [row["verdict"] for row in rows] == [action.verdict for action in found.actions.values()]
    assert float(rows[-1]["no_double"]) == found.action(5, 5).no_double


def test_a_map_says_how_long_its_open_scores_would_take(tmp_path: Path) -> None:
    race = ("match", "map", "4x2 5x3 6x4 8x3 10x3", "5x4 6x5 8x3 13x3", "--length", "2", "--threads", "1")
    for given, longer in (((), "4"), (("--seconds", "0.001"), "1"), (("--seconds", "0.5"), "2")):
        text = " ".join(run(*race, *given).stdout.split())
        n_unsure = int(text.split(" too close to call")[0].split()[-1])
        wait = f"{n_unsure * int(longer)}.0 s"
        assert text.endswith(f"too close to call: --seconds {longer} may settle some in {wait}, --exact all.")
    pytest.importorskip("matplotlib")
    drawn = run("plot", *race[1:], "--seconds", "0.001", "-o", tmp_path / "map.svg")
    assert drawn.stdout == f"{tmp_path / 'map.svg'}\n"
    note = drawn.stderr.partition(" too close to call: --seconds 1 may settle some")[0]
    marks = re.findall(r"<!-- [DP+]?\? +", (tmp_path / "map.svg").read_text(encoding="utf-8"))
    assert len(marks) == int(note.split()[-1]) + 1  # one is in the legend


def test_match_equity_tables_are_printed_written_and_compared(tmp_path: Path) -> None:
    path = tmp_path / "zadeh.csv"
    assert run("match", "met", "zadeh", "--write", str(path)).exit_code == 0
    found = answer("match", "met", str(path))
    assert found["pre_crawford"][3][2] == ZadehModel.equal().equity(4, 3)
    unequal = MatchEquityTable.from_model(ZadehModel.unequal(), 9).write(tmp_path / "unequal.csv")
    assert "players differ" in run("match", "met", unequal).stdout
    same = answer("match", "compare", str(path), "zadeh")
    assert same["largest"] == 0
    assert "greatest difference" in run("match", "compare", TABLE).stdout


def test_zadeh_prints_its_tables() -> None:
    lines = [line.split() for line in run("match", "zadeh").stdout.splitlines()]
    assert ["1", "50", "31", "25", "18", "16", "11", "9", "6", "5", "4", "3", "2", "2", "1", "1"] in lines
    found = answer("match", "zadeh", "--unequal", "--limit", "5")
    assert (found["table"], found["skill"], len(found["cells"])) == (2, 0.398, 25)
    assert answer("match", "zadeh", "--unequal", "--skill", "0.4")["skill"] == 0.4


def test_a_map_says_which_parts_of_an_id_it_leaves_out() -> None:
    money = "XGID=-BBBA--------------aaaaaa-:1:1:1:31:0:0:0:0:10"
    for race, note in (
        ((money,), "Note: left out are the dice and cube of the ID: a map is of every score"),
        ((money, "--cube-value", "2"), "Note: left out are the dice of the ID: a map is of every score"),
        ((money, "5x1"), f"Note: of {money}, only the player on roll counts\n"),
        (("XGID=-----AA-------------aa----:0:0:1:00:2:4:0:5:10",), "Note: left out is the score of the ID"),
    ):
        assert note in run("match", "map", *race, "--length", "3").stdout
        for form in ("--json", "--csv"):
            result = run("match", "map", *race, "--length", "3", form)
            assert note.removeprefix("Note: ") in result.stderr
            assert "left out" not in result.stdout
    assert "left out" not in run("match", "map", "5x1", "6x1", "--length", "3").output


@pytest.mark.parametrize(("race", "has_error"), [(("1x1", "1x14 19x1"), False), (("6x15", "6x15"), True)])
def test_only_a_map_that_is_not_exact_states_an_error(race: tuple[str, str], has_error: bool) -> None:
    assert ("to within" in run("match", "map", *race, "--length", "2", "--seconds", "0.1").stdout) == has_error


def test_the_greatest_cube_is_accepted() -> None:
    for command in (("solve",), ("query", str(SMALL))):
        result = run(*command, "5x1", "6x1", "--cube", "mine", "--cube-value", "32768")
        assert (result.exit_code, result.stderr) == (0, "")
        assert "cube 32768, yours" in result.stdout


def test_equal_choices_are_called_just_as_good() -> None:
    text = run("solve", "1x1", "6x1", "--match", "2,2").stdout  # the game is won by a roll or by a pass
    assert " %  is just as good" in text
    assert "loses 0.00 %" not in text
