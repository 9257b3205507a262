"""The command line: what it prints, where, and with which exit status."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from helpers.command import answer, run
from helpers.paths import SMALL

import bgrace
from bgrace.cli import COMMANDS, cli
from bgrace.cli.output import bar, duration_text, progress
from bgrace.cli.tables import verdict_text
from bgrace.cube.action import decide
from bgrace.studies.bearoff_facts import bearoff_report

COVERED = ("2,1,0,1,0,0", "1,0,2,1,0,0")
BEYOND = ("2,2,1,1,0,0", "1,0,2,1,0,0")
LONG = ("20x2 13x5 8x3 6x5", "4x8 3x4 2x3")
HOME = "XGID=-BBBA--------------aaaaaa-"

POSITION_FIELDS = ["position", "index", "pips", "epc", "mean_rolls", "variance_rolls", "roll_distribution"]
PAIR_FIELDS = [
    *("on_roll", "opponent", "win_probability", "method", "equities", "cube_action", "plays"),
    *("stakes", "gammon_win", "gammon_loss", "backgammon_win", "backgammon_loss", "error", "xgid"),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All one-sided positions, pairs of up to 4 checkers a side."""
    path = tmp_path_factory.mktemp("cli") / "four.h5"
    bgrace.build(path, two_sided=4)
    return path


@pytest.fixture(scope="module")
def seven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pairs of up to 7 checkers a side."""
    path = tmp_path_factory.mktemp("cli") / "seven.h5"
    bgrace.build(path, checkers=7, two_sided=7)
    return path


def check_error(result: Result, status: int, *fragments: str) -> None:
    """One line that says what is wrong, on standard error, and nothing on standard output."""
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    check_one_line(result.stderr, *fragments)


def check_one_line(text: str, *fragments: str) -> None:
    assert text.startswith("bgrace: ")
    assert text.count("\n") == 1
    assert text.endswith("\n")
    for fragment in fragments:
        assert fragment in text


def start(*arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
    """A real process; Ctrl-C is as in a terminal, whatever this test was started from."""
    return subprocess.Popen(
        [sys.executable, "-m", "bgrace", *map(str, arguments)],
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_accept_interrupts,  # noqa: PLW1509  (nothing here runs threads)
        **options,
    )


def _accept_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


# ---------------------------------------------------------------------- help


def test_help_lists_every_command() -> None:
    for result in (run("--help"), run("-h"), run()):
        assert result.exit_code == 0
        for name, (_, line) in COMMANDS.items():
            assert name in result.stdout
            assert line.rstrip(".") in " ".join(result.stdout.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_has_an_example(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "Example" in result.stdout
    assert f"  bgrace {name} " in result.stdout or f"  bgrace {name}\n" in result.stdout


def test_help_imports_no_command() -> None:
    code = (
        "import sys; from bgrace.cli import cli; cli.main(['--help'], standalone_mode=False); "
        "sys.exit(any(m.startswith(('bgrace.cli.', 'rich')) for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


def test_version() -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("bgrace ")


# ---------------------------------------------------------------------- build, info


def test_build_prints_one_line_and_announces_on_standard_error(tmp_path: Path) -> None:
    path = tmp_path / "small.h5"
    result = run("build", path, "--checkers", "4", "--two-sided", "2")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{path}: 210 positions, 784 pairs; ")
    assert result.stdout.count("\n") == 1
    assert (
        f"making {path}: 210 positions (up to 4 checkers on 6 points) and 784 pairs (up to 2 a side)" in result.stderr
    )
    assert "on disk" in result.stderr
    with bgrace.open(path) as db:
        assert (db.space.points, db.space.checkers, db.two_sided_checkers) == (6, 4, 2)


def test_build_json(tmp_path: Path) -> None:
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


def test_build_replaces_a_file_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "small.h5"
    path.write_text("precious")
    check_error(run("build", path, "--checkers", "2"), 1, str(path), "--force")
    assert path.read_text() == "precious"
    assert run("build", path, "--checkers", "2", "--force").exit_code == 0
    assert answer("info", path)["checkers"] == 2


@pytest.mark.parametrize(
    ("options", "fragments"),
    [
        (["--points", "0"], ["0", "1 to 24"]),
        (["--points", "25"], ["25", "1 to 24"]),
        (["--points", "six"], ["six"]),
        (["--checkers", "16"], ["16", "15"]),
        (["--checkers", "4", "--two-sided", "5"], ["5", "4"]),
        (["--two-sided", "-1"], ["-1", "0"]),
        (["--threads", "0"], ["0", "1"]),
        (["--threads", "100000"], ["100000"]),
        (["--colour"], ["--colour", "bgrace build --help"]),
    ],
)
def test_build_refuses_wrong_numbers(tmp_path: Path, options: list[str], fragments: list[str]) -> None:
    check_error(run("build", tmp_path / "x.h5", *options), 2, *fragments)
    assert not list(tmp_path.iterdir())


def test_build_refuses_what_does_not_fit_in_memory(tmp_path: Path) -> None:
    check_error(run("build", tmp_path / "x.h5", "--points", "24"), 1, "24 points", "GiB")
    assert not list(tmp_path.iterdir())


def test_build_into_a_missing_folder(tmp_path: Path) -> None:
    result = run("build", tmp_path / "missing" / "x.h5", "--checkers", "2")
    assert result.exit_code == 1
    check_one_line(result.stderr.splitlines(keepends=True)[-1], "missing")


def test_info(file: Path) -> None:
    with bgrace.open(file) as db:
        assert answer("info", file) == db.info()
    for columns in (80, 120):
        result = run("info", file, columns=columns)
        assert result.exit_code == 0
        assert "54,264 positions: up to 15 checkers on 6 points" in result.stdout
        assert "44,100 pairs: up to 4 checkers a side" in result.stdout
        assert "first_checker_distribution" in result.stdout
        check_plain(result.stdout, columns)


def check_plain(text: str, columns: int) -> None:
    """No colours, no blanks at the ends of lines, and nothing too wide but the name of a file."""
    assert "\x1b" not in text
    for line in text.splitlines():
        assert line == line.rstrip()
        assert len(line) <= columns or ".h5" in line


# ---------------------------------------------------------------------- query


def test_query_of_one_position(file: Path) -> None:
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


@pytest.mark.parametrize("columns", [80, 120])
def test_query_prints_a_table(file: Path, columns: int) -> None:
    for arguments in (["5,1,8,1,0,0", "--roll", "42"], ["6x15"], ["off"]):
        result = run("query", file, *arguments, columns=columns)
        assert result.exit_code == 0, result.output
        check_plain(result.stdout, columns)
    for arguments in ([*COVERED, "--roll", "31"], [*BEYOND, "--roll", "66"], ["3x4", "off"], ["6x15", "6x15"]):
        result = run("query", file, *arguments, columns=columns)
        assert result.exit_code == 0, result.output
        check_plain(result.stdout, columns)


def test_a_narrow_table_of_a_pair_says_it_all(file: Path) -> None:
    shown = run("query", file, *COVERED, "--roll", "31", columns=40).stdout
    assert "…" not in shown
    words = shown.split()
    with bgrace.open(file) as db:
        values = [f"{value:+.4f}" for value in db.equities(*COVERED).to_dict().values()]
    assert bgrace.gnubg_position_id(*COVERED) in shown
    expected = ("position", "2,1,0,1,0,0", "no", "cube", "centered", "yours", "theirs", "gammon", "backgammon")
    for word in (*expected, *values):
        assert word in words
    rolls = shown[shown.index("off in") :].splitlines()
    assert [line.split()[0] for line in rolls if " %  " in line][:3] == ["1", "2", "3"]


def test_json_leaves_strings_alone(tmp_path: Path) -> None:
    path = tmp_path / 'a[ 1  2 ]"[ 3  4 ].h5'
    bgrace.build(path, 6, 1, 1)
    text = run("info", path, "--json").stdout
    assert json.loads(text)["path"] == str(path)
    assert '"shape": [7, 7, 4]' in text


def test_table_of_one_position_says_it_all(file: Path) -> None:
    words = run("query", file, "5 1 8 1", "--roll", "42").stdout.split()
    for expected in ("1x5", "41258", "35", "59.435", "24.435", "7.2778", "0.9124", "39.27", "4/2", "1.3517"):
        assert expected in words


def test_query_of_one_position_with_a_roll(file: Path) -> None:
    found = answer("query", file, "5,1,8,1,0,0", "--roll", "42")
    assert list(found) == [*POSITION_FIELDS, "plays"]
    with bgrace.open(file) as db:
        assert found["plays"] == [play.to_dict() for play in db.best_plays("5,1,8,1", None, "42")]
    assert found["plays"][0]["play"] == "4/2 3/off"


@pytest.mark.parametrize("cube", ["centered", "mine", "theirs", "none"])
def test_query_of_a_pair(file: Path, cube: str) -> None:
    found = answer("query", file, *COVERED, "--roll", "31", "--cube", cube)
    assert list(found) == PAIR_FIELDS
    with bgrace.open(file) as db:
        assert found["on_roll"] == answer("query", file, COVERED[0])
        assert found["opponent"] == answer("query", file, COVERED[1])
        assert found["win_probability"] == db.win_probability(*COVERED)
        assert found["method"] == "two-sided"
        assert found["equities"] == db.equities(*COVERED).to_dict()
        assert found["cube_action"] == db.cube_action(*COVERED, cube).to_dict()
        assert found["plays"] == [play.to_dict() for play in db.best_plays(*COVERED, "31", cube)]
    assert list(found["equities"]) == ["cubeless", "centered", "mine", "theirs"]
    assert list(found["cube_action"]) == [
        "cube",
        "no_double",
        "double_take",
        "double_pass",
        "double",
        "take",
        "verdict",
    ]
    assert [list(play) for play in found["plays"]] == [["play", "position", "equity", "loss"]] * len(found["plays"])


def test_query_of_a_pair_assumes_a_centered_cube_and_no_roll(file: Path) -> None:
    found = answer("query", file, *COVERED)
    assert found["cube_action"]["cube"] == "centered"
    assert found["plays"] is None


@pytest.mark.parametrize(
    ("on_roll", "opponent", "cube", "expected"),
    [
        ("6x2", "6x2", "centered", ["in the middle", "Double, take", "loses 0.3581", "passing loses 0.0388"]),
        ("1x2 2x1", "1x3 2x1", "mine", ["yours", "Redouble, pass", "loses 0.2315", "taking loses 0.5371"]),
        ("1x4", "1x4", "centered", ["in the middle", "Double, pass"]),
        ("6x4", "1x1", "mine", ["yours", "No redouble, ", "doubling loses"]),
        ("2x1", "3x1", "mine", ["yours", "Optional redouble, pass", "just as good", "taking loses 1.0000"]),
    ],
)
def test_verdict_of_the_table(file: Path, on_roll: str, opponent: str, cube: str, expected: Sequence[str]) -> None:
    text = run("query", file, on_roll, opponent, "--cube", cube).stdout
    assert "Exact, from the file." in text
    for part in expected:
        assert part in text


@pytest.mark.parametrize("cube", ["theirs", "none"])
def test_where_there_is_no_cube_to_turn(file: Path, cube: str) -> None:
    text = run("query", file, *COVERED, "--cube", cube, "--roll", "31").stdout
    assert "double/take" not in text
    assert "No cube to turn" in text
    assert ("the opponent's" if cube == "theirs" else "not in play") in text


def test_query_goes_on_where_the_two_sided_table_ends(file: Path) -> None:
    found = answer("query", file, *BEYOND, "--roll", "31", "--cube", "mine")
    assert list(found) == PAIR_FIELDS
    solved = bgrace.solve(*BEYOND)
    assert (found["method"], found["error"]) == ("solved", 0)
    assert found["win_probability"] == solved.win_probability
    assert found["equities"] == solved.equities.to_dict()
    assert found["cube_action"] == solved.cube_action("mine").to_dict()
    assert found["plays"] == [play.to_dict() for play in solved.best_plays("31", "mine")]
    text = run("query", file, *BEYOND, "--roll", "31").stdout
    assert "Exact, solved on the spot." in text
    assert "Note" not in text


def test_query_of_the_example_file_answers_a_long_race() -> None:
    found = answer("query", SMALL, *LONG, "--seconds", "0.2")
    assert found["method"] == "turns"
    assert found["error"] > 0
    assert 0 < found["win_probability"] < 1
    assert 0 < found["backgammon_loss"] < found["gammon_loss"] < 1
    assert found["cube_action"]["verdict"] in ("no double", "double/take", "double/pass")


def test_a_finished_game(file: Path) -> None:
    lost = answer("query", file, "3x4", "off")
    assert (lost["win_probability"], lost["cube_action"], lost["plays"]) == (0.0, None, None)
    assert answer("query", file, "off", "3x4")["win_probability"] == 1.0
    assert "The game is over." in run("query", file, "off", "3x4").stdout
    check_error(run("query", file, "off", "off"), 2, "no checker left")
    check_error(run("query", file, "off", "3x4", "--roll", "31"), 2, "no checker left")
    check_error(run("query", file, "off", "--roll", "31"), 2, "no checker left")


def test_one_side_with_all_checkers_far_back(tmp_path: Path) -> None:
    path = tmp_path / "far.h5"
    bgrace.build(path, points=14, checkers=2)
    text = run("query", path, "14x2", "9x1 10x1").stdout
    assert "14x2" in text
    assert "GNU Backgammon" in text
    assert answer("query", path, "14x2")["position"] == [0] * 13 + [2]


def test_chances_of_the_first_checker_are_not_torn() -> None:
    lines = run("solve", "6x15", "6x15", "--one-sided").stdout.splitlines()
    first = next(n for n, line in enumerate(lines) if "first off in" in line)
    assert lines[first].split("  ")[-1].strip() == "1: 47.2 %, 2: 45.0 %,"
    assert lines[first + 1].split("  ")[-1].strip() == "3: 6.9 %, 4: 0.8 %, 5: 0.1 %"


# ---------------------------------------------------------------------- IDs


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("VQUAgG0BAAAAAA", []),
        ("VQUAgG0BAAAAAA:UYkFAAAAAAAE", ["--roll", "31", "--cube", "mine", "--cube-value", "2"]),
        ("VQUAgG0BAAAAAA:UYkFAAAAAAAA", ["--roll", "31", "--cube", "mine", "--cube-value", "2", "--jacoby"]),
        (f"{HOME}:1:1:1:31:0:0:0:0:10", ["--roll", "31", "--cube", "mine", "--cube-value", "2"]),
        (f"{HOME}:1:-1:1:00:0:0:0:0:10", ["--cube", "theirs", "--cube-value", "2"]),
        (f"{HOME}:0:0:1:00:0:0:3:0:10", ["--jacoby", "--beavers"]),
        (f"{HOME}:0:0:1:00:3:1:0:5:10", ["--match", "2,4"]),
        (f"{HOME}:1:1:1:00:3:1:0:5:10", ["--match", "2,4", "--cube-value", "2", "--cube", "mine"]),
    ],
)
def test_an_id_gives_both_sides_and_what_is_played_for(seven: Path, text: str, options: list[str]) -> None:
    pair = ("2,2,2,1,0,0", "1,1,1,1,1,1")
    found, typed = answer("query", seven, text), answer("query", seven, *pair, *options)
    assert found.pop("xgid") == bgrace.parse_board(text).xgid()
    del typed["xgid"]  # which knows the length of the match only if the ID did
    assert found == typed
    # What is asked for goes before what the ID says.
    asked = ["--money", "--no-jacoby", "--no-beavers", "--roll", "65", "--cube", "none", "--cube-value", "1"]
    assert answer("query", seven, text, *asked) == answer("query", seven, *pair, *asked)


def test_an_id_of_the_crawford_game_has_no_cube() -> None:
    crawford = "XGID=-----AA-------------aa----:0:0:1:00:2:4:1:5:10"
    text = run("solve", crawford).stdout
    assert text.startswith("Match, you need 3, the opponent 1, Crawford game; cube 1, in the middle\n")
    assert "No cube to turn: nobody may double in the Crawford game" in text
    found = answer("solve", crawford)
    assert found["stakes"] == "3-away, 1-away, Crawford, cube 1"
    assert found["cube_action"]["verdict"] == "no cube"
    assert found["xgid"] == crawford
    money = answer("solve", crawford, "--money")
    assert (money["stakes"], money["cube_action"]["verdict"]) == ("money", "double/take")


def test_the_jacoby_rule_of_an_id_counts() -> None:
    board = bgrace.Board(bgrace.parse_position("5x1"), bgrace.parse_position("6x15"))
    with_jacoby = bgrace.Board(board.on_roll, board.opponent, jacoby=True)
    plain, jacoby = answer("solve", board.xgid()), answer("solve", with_jacoby.xgid())
    assert plain["cube_action"]["verdict"] == "too good"
    assert jacoby["stakes"] == "money, Jacoby rule"
    assert jacoby["cube_action"]["verdict"] == "double/pass"
    assert answer("solve", with_jacoby.xgid(), "--no-jacoby") == plain
    assert answer("solve", "5x1", "6x15", "--jacoby")["equities"] == jacoby["equities"]
    assert plain["gammon_win"] == pytest.approx(plain["equities"]["cubeless"] - 1)
    assert (plain["gammon_loss"], plain["backgammon_win"]) == (0.0, 0.0)


def test_every_roll() -> None:
    found = answer("solve", "5x1 6x1", "4x1 5x1", "--rolls", "--cube", "mine")
    plays = bgrace.solve("5x1 6x1", "4x1 5x1").all_plays("mine")
    assert found["rolls"] == [
        {"roll": list(roll), "plays": [play.to_dict() for play in of_roll]} for roll, of_roll in plays.items()
    ]
    text = run("solve", "5x1 6x1", "4x1 5x1", "--rolls").stdout
    shown = text[text.index("Best plays") :].splitlines()[1:22]
    assert [line.split()[0] for line in shown] == [f"{a}-{b}" for a, b in plays]
    assert "rolls" not in answer("solve", "5x1 6x1", "4x1 5x1")


def test_a_race_across_the_board() -> None:
    text = run("solve", *LONG, "--seconds", "0.2", "--roll", "65").stdout
    check_plain(text, 80)
    assert text.startswith("Money game; cube 1, in the middle\n")
    assert "Nearly exact: each choice compared turn by turn" in text
    assert "Roll 6-5" in text


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (["--money", "--match", "3,5"], ["--money", "--match"]),
        (["--match", "3,5", "--jacoby"], ["--jacoby", "--match", "3-away, 5-away"]),
        (["--match", "3,5", "--beavers"], ["--beavers", "--match", "3-away, 5-away"]),
        (["--crawford"], ["--crawford", "give --match"]),
        (["--met", "zadeh"], ["--met", "give --match"]),
        (["--cube-value", "2", "--match", "3,5", "--cube", "centered"], ["cube of 2", "mine or theirs"]),
        (["--batch", "-"], ["POS", "--batch"]),
        (["--seconds", "0"], ["--seconds", "0"]),
    ],
)
def test_contradictions_name_both(arguments: list[str], fragments: list[str]) -> None:
    check_error(run("solve", "5x1 6x1", "4x1 5x1", *arguments), 2, *fragments)


@pytest.mark.parametrize("option", ["--jacoby", "--beavers", "--crawford"])
def test_an_option_that_contradicts_an_id_names_its_score(option: str) -> None:
    match = "XGID=-----AA-------------aa----:0:0:1:00:0:0:0:5:10"
    check_error(run("solve", match, option), 2, option, "the ID names", "5-away, 5-away")


# ---------------------------------------------------------------------- many races


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
    assert [line.split()[-1] for line in table] == RACES
    money = run("solve", "--batch", path, "--json", "--money").stdout.splitlines()
    assert [json.loads(line)["stakes"] for line in money] == ["money"] * 3


def test_lines_that_are_no_race_are_named_and_the_others_answered(tmp_path: Path) -> None:
    path = tmp_path / "races.txt"
    over = bgrace.Board(bgrace.parse_position("6x1"), bgrace.parse_position("off")).gnubg_id()
    path.write_bytes(b"nonsense\n" + RACES[0].encode() + b"\n4HPwATDgc/ABMA\n\xff\n" + over.encode() + b"\n")
    result = run("solve", "--batch", path)
    assert result.exit_code == 1
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["2"]
    lines = result.stderr.splitlines()
    assert [line.split(":")[0] for line in lines] == ["line 1", "line 3", "line 4", "line 5", "bgrace"]
    assert "nonsense" in lines[0]
    assert "contact" in lines[1]
    assert "4 of the lines" in lines[-1]


@pytest.mark.parametrize(
    ("arguments", "status", "fragments"),
    [
        (["--batch", "missing.txt"], 1, ["missing.txt: no such file"]),
        (["--batch", "-", "--roll", "31"], 2, ["--roll", "--batch"]),
        (["--batch", "-", "--match", "3,5"], 2, ["--match", "--batch"]),
        (["--batch", "-", "--jacoby"], 2, ["--jacoby", "--money"]),
        ([], 2, ["POS is missing", "--batch"]),
    ],
)
def test_wrong_usage_of_many_races(arguments: list[str], status: int, fragments: list[str]) -> None:
    check_error(run("solve", *arguments), status, *fragments)


@pytest.mark.parametrize(
    ("no_double", "double_take", "cube", "error", "text"),
    [
        (0.2, 0.1, "centered", 0.0, "No double, take"),
        (0.2, 0.1, "mine", 0.0, "No redouble, take"),
        (0.5, 0.7, "centered", 0.0, "Double, take"),
        (0.5, 0.7, "mine", 0.0, "Redouble, take"),
        (0.8, 1.1, "centered", 0.0, "Double, pass"),
        (0.8, 1.1, "mine", 0.0, "Redouble, pass"),
        (1.2, 1.9, "centered", 0.0, "Too good to double, pass"),
        (1.2, 1.9, "mine", 0.0, "Too good to redouble, pass"),
        (0.5, 0.50004, "centered", 0.0, "Optional double, take"),
        (0.5, 0.5015, "mine", 0.03, "Optional redouble, take"),
        (0.5, 0.52, "mine", 0.03, "Redouble, take"),
        (0.5, 1.00001, "centered", 0.0, "Double, optional take"),
        (0.5, 0.9985, "centered", 0.03, "Double, optional take"),
        (0.3, 0.2, "theirs", 0.0, "No cube to turn"),
        (0.3, 0.2, "none", 0.0, "No cube to turn"),
    ],
)
def test_verdicts_in_the_words_of_players(
    no_double: float, double_take: float, cube: str, error: float, text: str
) -> None:
    assert verdict_text(decide(no_double, double_take, cube=cube), error) == text


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["solve"], ["14x2", "12x1"]),
        (["solve", "--one-sided"], ["14x2", "11x1"]),
        (["counts"], ["13x1", "13x1"]),
        (["match", "map"], ["20x1", "6x1 5x1"]),
    ],
    ids=str,
)
def test_sides_that_have_not_passed_each_other_are_no_race(arguments: list[str], what: list[str]) -> None:
    check_error(run(*arguments, *what), 2, f"{what[0]} against {what[1]}".split()[0], "of the player on roll")


def test_a_database_has_no_answer_for_sides_that_have_not_passed_each_other(tmp_path: Path) -> None:
    path = tmp_path / "far.h5"
    bgrace.build(path, points=14, checkers=1)
    check_error(run("query", path, "14x1", "12x1"), 2, "14x1 against 12x1", "contact", "at most 24")
    assert "GNU Backgammon" in run("query", path, "14x1", "10x1").stdout


def test_half_of_an_id_is_not_passed_over(file: Path) -> None:
    result = run("query", file, "VQUAgG0BAAAAAA", "1x4", "--json")
    assert json.loads(result.stdout)["on_roll"]["position"] == [2, 2, 2, 1, 0, 0]
    assert "of VQUAgG0BAAAAAA, only the player on roll counts" in result.stderr


# ---------------------------------------------------------------------- wrong usage and failures


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (["nonsense"], ["nonsense", "5,1,8,1,0,0"]),
        (["16"], ["16 checkers", "15"]),
        (["0,0,0,0,0,0,1"], ["point 7", "6 points"]),
        (["4HPwATDgc/ABMA"], ["contact"]),
        (["VQUAgG0BAAAAAA:x"], ["match ID"]),
        (["1,1", "nonsense"], ["nonsense"]),
        (["1,1", "1,1", "--roll", "77"], ["77", "1 to 6"]),
        (["1,1", "--roll", "1"], ["'1'", "two dice"]),
        (["1,1", "1,1", "--cube", "ours"], ["ours", "'centered', 'mine', 'theirs', 'none'"]),
        (["1,1", "--cube", "mine"], ["--cube", "OPP"]),
        (["1,1", "1,1", "--roll", ""], ["''", "two dice"]),
        ([], ["POS", "bgrace query --help"]),
        (["1", "1", "1"], ["1", "unexpected"]),
        (["-BBBA--------------aaaaaa-:1:1:1:31:0:0:0:0:10"], ["'-B'", "an XGID with XGID="]),
        (["-1,2"], ["'-1'", "begins with no dash"]),
    ],
)
def test_query_refuses_wrong_usage(file: Path, arguments: list[str], fragments: list[str]) -> None:
    check_error(run("query", file, *arguments), 2, *fragments)


@pytest.mark.parametrize("command", [["info"], ["verify"], ["query", "1,1"], ["referee"]])
def test_a_pipe_is_not_waited_for(tmp_path: Path, command: list[str]) -> None:
    name, *rest = command
    os.mkfifo(tmp_path / "pipe")
    check_error(run(name, tmp_path / "pipe", *rest), 1, "pipe is not an ordinary file", "bgrace build")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file whose reading fails")
def test_a_file_that_cannot_be_read_is_named() -> None:
    check_error(run("info", "/proc/self/mem"), 1, "/proc/self/mem: Input/output error", "can be read")


def test_only_a_database_is_said_to_come_from_a_build(tmp_path: Path) -> None:
    result = run("match", "met", tmp_path / "missing.xml")
    check_error(result, 1, "missing.xml: no such file")
    assert "build" not in result.stderr


@pytest.mark.parametrize("group", ["match", "plot"])
def test_a_group_alone_lists_its_commands(group: str) -> None:
    result = run(group)
    assert result.exit_code == 0
    assert result.stdout == run(group, "--help").stdout


@pytest.mark.parametrize("arguments", [["qeury"], ["--colour"], ["verify"], ["info", "a", "b"]])
def test_wrong_usage_is_one_line(arguments: list[str]) -> None:
    check_error(run(*arguments), 2, "--help says more")


@pytest.mark.parametrize("command", [["info"], ["verify"], ["query", "1,1"]])
def test_files_that_are_none(tmp_path: Path, command: list[str]) -> None:
    name, *rest = command
    missing, empty, foreign = tmp_path / "missing.h5", tmp_path / "empty.h5", tmp_path / "foreign.h5"
    empty.touch()
    foreign.write_bytes(os.urandom(10000))
    check_error(run(name, missing, *rest), 1, str(missing), "no such file", "bgrace build")
    check_error(run(name, tmp_path, *rest), 1, str(tmp_path))
    check_error(run(name, empty, *rest), 1, str(empty), "not a bgrace database")
    check_error(run(name, foreign, *rest), 1, str(foreign), "not a bgrace database")


# ---------------------------------------------------------------------- verify, report


def test_verify(tmp_path: Path) -> None:
    file = tmp_path / "small.h5"
    bgrace.build(file, checkers=5, two_sided=3)
    result = run("verify", file, "--seed", "3")
    assert result.exit_code == 0, result.output
    check_plain(result.stdout, 80)
    assert "FAILED" not in result.stdout
    assert "checks passed" in result.stdout
    found = answer("verify", file, "--seed", "3")
    assert found["passed"] is True
    assert found["seed"] == 3
    assert all(check["passed"] for check in found["checks"])
    check_error(run("verify", file, "--seed", "-1"), 2, "-1")


def test_verify_full(tmp_path: Path) -> None:
    path = tmp_path / "tiny.h5"
    bgrace.build(path, checkers=2, two_sided=2)
    assert answer("verify", path, "--full")["full"] is True
    assert "every entry recomputed" in run("verify", path, "--full").stdout


def test_verify_of_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "damaged.h5"
    bgrace.build(path, checkers=2, two_sided=2)
    table = answer("info", path)["tables"][-1]
    with path.open("r+b") as raw:
        raw.seek(table["offset"] + table["bytes"] // 2)
        raw.write(b"\x55\x55")
    result = run("verify", path)
    assert result.exit_code == 1
    assert "FAILED" in result.stdout
    check_one_line(result.stderr, str(path), "fails", "build it again")
    result = run("verify", path, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["passed"] is False
    check_one_line(result.stderr, str(path))


def test_report(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = bearoff_report()
    monkeypatch.setattr("bgrace.cli.report.bearoff_report", lambda: facts)
    assert run("report").stdout == f"{facts}\n"
    assert answer("report") == json.loads(json.dumps(facts.to_dict()))
    terminal = CliRunner(env={"FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": "60", "NO_COLOR": None})
    shown = click.unstyle(terminal.invoke(cli, ["report"], color=True).stdout)
    assert max(map(len, shown.splitlines())) <= 60
    assert shown.split() == str(facts).split()


# ---------------------------------------------------------------------- the world outside


def test_broken_pipe_is_quiet(file: Path) -> None:
    for arguments in (["query", file, "1,1", "--json"], ["query", file, *COVERED], ["--help"]):
        process = start(*arguments)
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        process.stderr.close()
        process.wait()


def test_file_name_that_the_output_cannot_spell(file: Path, tmp_path: Path) -> None:
    odd = tmp_path / "bäroff.h5"
    odd.write_bytes(file.read_bytes())
    process = start("info", odd, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    output, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    assert "b\\xe4roff.h5" in output


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")
def test_full_disk_is_one_line(file: Path) -> None:
    with Path("/dev/full").open("w") as full:
        process = start("query", file, "1,1", "--json", stdout=full)
        _, errors = process.communicate()
    assert process.returncode == 1
    check_one_line(errors, "No space left")


def test_standard_output_may_be_closed(file: Path) -> None:
    command = [sys.executable, "-m", "bgrace", "query", str(file), "1,1"]
    done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *command], check=False, capture_output=True, text=True)
    assert done.stderr == ""


def test_exit_status_of_a_process(file: Path) -> None:
    for arguments, status in ((["1,1"], 0), (["nonsense"], 2), (["1,1", "1,1", "--threads"], 2)):
        process = start("query", file, *arguments)
        process.communicate()
        assert process.returncode == status


@pytest.mark.parametrize("old", [None, "precious"])
def test_ctrl_c_leaves_no_file_or_the_old_one(tmp_path: Path, old: str | None) -> None:
    path = tmp_path / "large.h5"
    if old:
        path.write_text(old)
    process = start("build", path, "--two-sided", "10", "--threads", "1", "--force")
    assert process.stderr is not None
    process.stderr.readline()  # it says at once what it is going to make
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    assert process.returncode == 1
    assert output == ""
    check_one_line(errors.splitlines(keepends=True)[-1], str(path), "stopped")
    assert "Traceback" not in errors
    assert (path.read_text() if path.exists() else None) == old


def test_output_without_block_characters(file: Path) -> None:
    process = start("query", file, "5,1,8,1,0,0", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    output, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    assert "####" in output


def test_a_terminal_gets_colours_and_a_bar(file: Path, tmp_path: Path) -> None:
    runner = CliRunner(env={"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": "80", "NO_COLOR": None})
    assert "\x1b[1m" in runner.invoke(cli, ["query", str(file), "5,1,8,1,0,0"], color=True).stdout
    result = runner.invoke(cli, ["build", str(tmp_path / "x.h5"), "--checkers", "2"])
    assert "\x1b[2K" in result.stderr
    assert "\x1b" not in result.stdout


def test_progress_that_is_no_terminal_is_sparse(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("counting", seconds_between_lines=0) as tell:
        for done in range(1001):
            tell(done, 1000)
    assert capsys.readouterr().err.splitlines() == [f"counting: {k} %" for k in range(1, 101)]
    with progress("counting", seconds_between_lines=3600) as tell:
        for done in range(1001):
            tell(done, 1000)
    assert capsys.readouterr().err == ""


def test_bars_and_times() -> None:
    assert bar(1.0, 10, False).plain == "█" * 10
    assert bar(0.0, 10, False).plain == ""
    assert bar(0.999, 10, False).plain == "█" * 10
    assert duration_text(59.99) == "1 min 0 s"
    assert duration_text(59.9) == "59.9 s"


def test_the_registry_names_commands() -> None:
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert isinstance(command, click.Command)
        assert command.name == name
    assert cli.get_command(click.Context(cli), "nonsense") is None
