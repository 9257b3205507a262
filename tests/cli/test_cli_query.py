"""``bgrace query`` and ``bgrace solve``: one position and pairs, as counts and as IDs."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command import answer, check_error, check_plain, run, shown
from helpers.golden import Row, rows
from helpers.once import Made
from helpers.paths import SMALL

import bgrace
from bgrace.cli.screen import verdict_text
from bgrace.cube.action import decide

COVERED = ("2,1,0,1,0,0", "1,0,2,1,0,0")
NOT_COVERED = ("2,2,1,1,0,0", "1,0,2,1,0,0")
LONG = ("20x2 13x5 8x3 6x5", "4x8 3x4 2x3")
HOME = "XGID=-BBBA--------------aaaaaa-"
POSITION_FIELDS = ["position", "index", "pips", "epc", "mean_rolls", "variance_rolls", "roll_distribution"]
PAIR_FIELDS = [
    *("on_roll", "opponent", "win_probability", "method", "equities", "cube_action", "plays"),
    *("stakes", "gammon_win", "gammon_loss", "backgammon_win", "backgammon_loss", "error", "reasons", "xgid", "ogid"),
]


# ---------------------------------------------------------------------- query


def test_a_copied_position_is_read_from_standard_input_or_an_argument(file: Path, tmp_path: Path) -> None:
    identifier = f"{HOME}:1:1:1:31:2:3:0:7:10"
    text = f"\ufeff{identifier}\r\n\r\nX:Player 1   O:Player 2\r\nScore is X:2 O:3 7 pt.(s) match.\r\n"
    prove = ["prove", "-o", tmp_path / "race.proof"]
    rest = (["rollout", "--games", "100"], ["match", "map", "--length", "2"], prove)
    for command in (["solve"], ["query", file], ["counts"], ["board"], *rest):
        expected = shown(*command, identifier, "--json")
        assert run(*command, "-", "--json", given=text).stdout == expected
        assert run(*command, text, "--json").stdout == expected
        assert run(*command, identifier.removeprefix("XGID="), "--json").stdout == expected
    behind = "GNU Backgammon  Position ID: u3sDAED3AAAAAA\n  Match ID   : cAkAAAAAAAAE\n"
    assert run("risk", "-", given=behind).stdout == run("risk", "u3sDAED3AAAAAA").stdout
    assert run("solve", "6x1", "-", given="5x1\n").stdout == run("solve", "6x1", "5x1").stdout
    check_error(run("solve", "-", given="x" * 2**21), 2, "standard input has more than")


def test_a_note_says_how_an_odd_id_is_read() -> None:
    xgid = f"{HOME}:1:1:1:31:2:3:0:7:10"
    plain = run("solve", xgid).stdout
    assert run("solve", "-", given=xgid.encode("utf-16")).stdout == plain
    both = f"{xgid} and not {HOME}:1:1:1:32:2:3:0:7:10"
    several = run("solve", both)
    assert several.stdout == f"{plain}\nNote: the text has 2 XGIDs: the first is the position\n"
    assert "the text has 2 XGIDs" in run("solve", "--one-sided", both).stdout
    owned = run("solve", "XGID=-ACC-AA------------b-c-aa-:0:-1:-1:00:2:0:0:5:6")
    assert "the ID has a cube of 1 on a side, in a match: taken to be in the middle" in owned.stdout
    for cube, note in (
        (":2:0:1:00:0:0:0:7:10", "a cube of 4 in the middle"),
        (":1:1:1:00:6:0:1:7:10", "in the Crawford"),
        (":0:0:1:D:6:0:0:7:10", "the double that the ID offers is of no use"),
    ):
        assert note in run("solve", HOME + cube).stdout
    alone = run("solve", "XGID=-BBBA---------------------:0:0:1:00:0:0:0:0:10")
    assert "one side of the ID has no checker left" in alone.stdout
    assert alone.stdout.startswith(run("solve", "2,2,2,1,0,0").stdout)


def test_query_answers_one_position(file: Path) -> None:
    found = answer("query", file, "5,1,8,1,0,0")
    assert list(found) == POSITION_FIELDS
    with bgrace.open(file) as db:
        assert found == {
            "position": [5, 1, 8, 1, 0, 0],
            "index": 41258,
            "pips": 35,
            "epc": db.epc("5,1,8,1"),
            "mean_rolls": db.mean_rolls("5,1,8,1"),
            "variance_rolls": db.variance_rolls("5,1,8,1"),
            "roll_distribution": db.roll_distribution("5,1,8,1").tolist(),
        }
        rolled = answer("query", file, "5,1,8,1,0,0", "--roll", "42")
        assert rolled == found | {"plays": [play.to_dict() for play in db.best_plays("5,1,8,1", None, "42")]}


@pytest.mark.parametrize("cube", ["centered", "mine", "theirs", "none"])
def test_query_answers_a_pair(file: Path, cube: str) -> None:
    found = answer("query", file, *COVERED, "--roll", "31", "--cube", cube)
    assert list(found) == PAIR_FIELDS
    with bgrace.open(file) as db:
        assert found["on_roll"] == answer("query", file, COVERED[0])
        assert found["opponent"] == answer("query", file, COVERED[1])
        assert found["win_probability"] == db.win_probability(*COVERED)
        assert found["method"] == "two-sided"
        assert found["equities"] == db.equities(*COVERED).to_dict()
        assert found["cube_action"] == db.cube_action(*COVERED, cube).to_dict()
        assert found["plays"] == db.solution(*COVERED).to_dict("31", cube)["plays"]
    assert list(found["equities"]) == ["cubeless", "centered", "mine", "theirs"]
    assert " ".join(found["cube_action"]) == "cube no_double double_take double_pass double take verdict"
    assert [list(play) for play in found["plays"]] == [["play", "position", "equity", "loss"]] * len(found["plays"])


@pytest.mark.parametrize("cube", ["theirs", "none"])
def test_a_cube_that_cannot_be_turned_has_no_double(file: Path, cube: str) -> None:
    text = run("query", file, *COVERED, "--cube", cube, "--roll", "31").stdout
    assert "double/take" not in text
    assert "No cube to turn" in text
    assert ("the opponent's" if cube == "theirs" else "not in play") in text


def test_query_solves_a_pair_beyond_the_two_sided_table(file: Path) -> None:
    found = answer("query", file, *NOT_COVERED, "--roll", "31", "--cube", "mine")
    assert list(found) == PAIR_FIELDS
    solved = bgrace.solve(*NOT_COVERED)
    assert (found["method"], found["error"]) == ("solved", 0)
    assert found["win_probability"] == solved.win_probability
    assert found["equities"] == solved.equities.to_dict()
    assert found["cube_action"] == solved.cube_action("mine").to_dict()
    assert found["plays"] == solved.to_dict("31", "mine")["plays"]
    text = run("query", file, *NOT_COVERED, "--roll", "31").stdout
    assert "Exact, solved on the spot." in text
    assert "Note" not in text


def test_query_solves_a_long_race_beyond_the_example_file() -> None:
    found = answer("query", SMALL, *LONG, "--seconds", "0.2")
    assert found["method"] == "turns"
    assert found["error"] > 0
    assert 0 <= found["win_probability"] < 1
    assert 0 <= found["backgammon_loss"] < 1e-5 < found["gammon_loss"] < 1
    assert found["cube_action"]["verdict"] in ("no double", "double/take", "double/pass")


def test_a_finished_game_is_answered(file: Path) -> None:
    lost = answer("query", file, "3x4", "off")
    assert (lost["win_probability"], lost["cube_action"], lost["plays"]) == (0.0, None, None)
    assert answer("query", file, "off", "3x4")["win_probability"] == 1.0
    assert "The game is over." in run("query", file, "off", "3x4").stdout


def test_one_side_with_all_checkers_far_back_is_answered(made: Made) -> None:
    path = made(14, 2, 0)
    text = run("query", path, "14x2", "9x1 10x1", "--all").stdout
    assert "14x2" in text
    assert "GNU Backgammon" in text
    assert answer("query", path, "14x2")["position"] == [0] * 13 + [2]


# ---------------------------------------------------------------------- IDs


@pytest.mark.parametrize("row", rows("ids_and_options"), ids=str)
def test_an_id_gives_both_sides_and_the_stakes(made: Made, row: Row) -> None:
    text, options = row.text("id"), row.text("options").split()
    seven, pair = made(6, 7, 7), ("2,2,2,1,0,0", "1,1,1,1,1,1")
    found, typed = answer("query", seven, text), answer("query", seven, *pair, *options)
    assert found["stakes"] == str(bgrace.solve(text, seconds=0.01).stakes)
    assert found.pop("xgid") == bgrace.parse_board(text).xgid()
    assert found.pop("ogid") == bgrace.parse_board(text).ogid()
    del typed["xgid"], typed["ogid"]  # only an ID gives the length of the match
    assert found == typed
    # Options override the ID.
    options = ["--money", "--no-jacoby", "--no-beavers", "--roll", "65", "--cube", "none", "--cube-value", "1"]
    assert answer("query", seven, text, *options) == answer("query", seven, *pair, *options)


def test_an_id_of_the_crawford_game_has_no_cube() -> None:
    crawford = "XGID=-----AA-------------aa----:0:0:1:00:2:4:1:5:10"
    text = run("solve", crawford).stdout
    assert text.startswith("Match: you need 3, the opponent 1, Crawford game; cube 1, in the middle\n")
    assert "No cube to turn: Nobody may double in the Crawford game" in text
    found = answer("solve", crawford)
    assert found["stakes"] == "3-away, 1-away, Crawford, cube 1"
    assert found["cube_action"]["verdict"] == "no cube"
    assert found["xgid"] == crawford
    money = answer("solve", crawford, "--money")
    assert (money["stakes"], money["cube_action"]["verdict"]) == ("money", "double/take")


def test_rolls_lists_the_plays_of_every_roll() -> None:
    found = answer("solve", "5x1 6x1", "4x1 5x1", "--rolls", "--cube", "mine")
    plays = bgrace.solve("5x1 6x1", "4x1 5x1").all_plays("mine")
    assert found["rolls"] == [
        {"roll": list(roll), "plays": [play.to_dict() for play in of_roll]} for roll, of_roll in plays.items()
    ]
    text = run("solve", "5x1 6x1", "4x1 5x1", "--rolls").stdout
    shown = text[text.index("Best plays") :].splitlines()[1:22]
    assert [line.split()[0] for line in shown] == [f"{a}-{b}" for a, b in plays]
    assert "rolls" not in answer("solve", "5x1 6x1", "4x1 5x1")


def test_a_long_race_is_answered_with_its_error() -> None:
    text = run("solve", *LONG, "--seconds", "0.2", "--roll", "65").stdout
    check_plain(text, 80)
    assert text.startswith("Money game; cube 1, in the middle\n")
    assert "Nearly exact: off by less than " in text
    assert "Roll 6-5" in text


# ---------------------------------------------------------------------- words and sides


@pytest.mark.parametrize("row", rows("verdict_words"), ids=lambda row: row.text("words"))
def test_verdicts_are_in_the_words_of_players(row: Row) -> None:
    action = decide(row.number("no_double"), row.number("double_take"), cube=row.text("cube"))
    assert verdict_text(action, row.number("error")) == row.text("words")


def test_sides_in_contact_are_refused(made: Made) -> None:
    path = made(14, 1, 0)
    check_error(run("query", path, "14x1", "12x1"), 2, "14x1 against 12x1", "contact", "at most 24")
    assert "GNU Backgammon" in run("query", path, "14x1", "10x1").stdout
