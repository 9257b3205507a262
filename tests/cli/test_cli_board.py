"""``bgrace board``."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command import answer, run

import bgrace

XGID = "XGID=-BBBA--------------aaaaaa-:1:1:1:31:0:0:0:0:10"


def test_one_or_two_positions_are_drawn() -> None:
    two = bgrace.Board(bgrace.parse_position("5x1,6x1"), bgrace.parse_position("4x1"))
    result = run("board", "5x1,6x1", "4x1", "--bear-off", "left", "--ascii", "--roll", "31")
    assert result.stdout.startswith(bgrace.board.board_text(two, roll="31", direction="left", ascii_only=True))
    assert run("board", "5x1,6x1").stdout == bgrace.board.board_text("5x1,6x1") + "\n"


def test_json_is_that_of_the_board() -> None:
    assert answer("board", XGID, "--roll", "66") == bgrace.parse_board(XGID.replace(":31:", ":66:")).to_dict()
    assert answer("board", "6x1") == {"on_roll": {"position": [0, 0, 0, 0, 0, 1], "pips": 6}, "opponent": None}


def test_a_note_says_which_part_of_an_id_is_not_drawn(tmp_path: Path) -> None:
    for arguments in ((XGID, "5x1"), ("5x1", XGID)):
        assert f"Note: of {XGID}, only the player on roll counts" in run("board", *arguments).stdout
        for options in (["--json"], ["--svg", tmp_path / "race.svg"]):
            assert f"of {XGID}, only the player on roll counts" in run("board", *arguments, *options).stderr
    assert "Note" not in run("board", XGID).stdout


@pytest.mark.parametrize("caption", ["Best", ""])
def test_a_drawing_is_written(tmp_path: Path, caption: str) -> None:
    path = tmp_path / "race.svg"
    result = run("board", XGID, "--play", "4/off", "--svg", path, "--caption", caption, "--bear-off", "left")
    assert result.stdout == f"{path}\n"
    drawing = bgrace.board.board_svg(XGID, play="4/off", caption=caption, direction="left")
    assert path.read_text(encoding="utf-8") == drawing + "\n"


def test_a_picture_is_replaced_and_a_device_needs_no_suffix(tmp_path: Path) -> None:
    for name in ("old.svg", "OLD.SVG"):
        (tmp_path / name).write_text("<svg/>", encoding="utf-8")
        assert run("board", "6x1", "--svg", tmp_path / name).exit_code == 0
        assert (tmp_path / name).stat().st_size > 1000
    assert run("board", "6x1", "--svg", "/dev/null").exit_code == 0
