"""Boards drawn, as text and as SVG."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import get_args
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring
from helpers.boards import CUBE_PLACES, money_boards
from helpers.paths import GOLDEN
from hypothesis import given
from hypothesis import strategies as st

import bgrace
from bgrace._base.language import languages, say, spoken
from bgrace.board import Board, Position, board_svg, board_text, parse_position
from bgrace.board.drawing.scene import Direction

SVG = "{http://www.w3.org/2000/svg}"

MATCH = Board(
    parse_position("14x2 6x7 2x1"),
    parse_position("1x6 4x2 8x3"),
    cube="theirs",
    cube_value=4,
    score=(3, 5),
    match_length=7,
    roll=(6, 4),
)
MONEY = Board(parse_position("3x10 5x5"), parse_position("off"), jacoby=True, beavers=False, double_offered=True)


def kept(name: str) -> str:
    return (GOLDEN / f"board_{name}.txt").read_text(encoding="utf-8").rstrip("\n")


directions: st.SearchStrategy[Direction] = st.sampled_from(get_args(Direction))


def elements(drawing: str) -> Counter[str]:
    """Count the elements of each class of a drawing, which must be well-formed."""
    root = fromstring(drawing)
    assert root.tag == f"{SVG}svg"
    return Counter(element.get("class", "") for element in root.iter())


def words(drawing: str) -> list[str]:
    """Return all texts of a drawing."""
    return [element.text or "" for element in fromstring(drawing).iter(f"{SVG}text")]


def places(drawing: str, kind: str) -> list[tuple[float, float]]:
    """Return the centres of the circles of a class."""
    found: list[Element] = [e for e in fromstring(drawing).iter(f"{SVG}circle") if e.get("class") == kind]
    return [(float(e.get("cx", "nan")), float(e.get("cy", "nan"))) for e in found]


# ---------------------------------------------------------------------- text


def test_boards_are_drawn_as_text_that_bears_off_to_the_right() -> None:
    assert board_text(MATCH, play="14/4") == kept("to_the_right")


def test_boards_are_drawn_in_ascii_that_bear_off_to_the_left() -> None:
    drawn = board_text(MATCH, play="14/8 6/2", direction="left", ascii_only=True)
    assert drawn == kept("to_the_left")
    assert drawn.isascii()


def test_one_side_is_drawn_as_text() -> None:
    drawn = board_text("6x2 4x1 2x1", roll="66", play="2/off 4/off 6/off(2)", direction="left")
    assert drawn == kept("alone")


def test_text_of_one_side_with_checkers_beyond_the_bar_has_both_halves() -> None:
    assert board_text("13x2").splitlines()[0] == "┌─13─14─15─16─17─18─┬───┬─19─20─21─22─23─24─┬─────┐"
    assert "O" not in board_text("13x2")


@given(money_boards, directions, st.booleans())
def test_text_shows_every_checker(board: Board, direction: Direction, ascii_only: bool) -> None:
    drawn = board_text(board, direction=direction, ascii_only=ascii_only)
    assert all(len(line) <= 80 and line == line.rstrip() for line in drawn.splitlines())
    assert drawn.isascii() or not ascii_only
    inside = [line[:51] for line in drawn.splitlines()[1:-1]]
    assert len(inside) == 11
    for side, checker in ((board.on_roll, "X"), (board.opponent, "O")):
        # A stack of more than five is drawn as four checkers and a number.
        shown = sum(n if n <= 5 else 4 for n in side) + 15 - side.checkers
        assert sum(line.count(checker) for line in inside) == shown
        assert f"{checker}  {side.pips} pip" in drawn
    numbers = sorted(int(n) for line in inside for n in re.findall("[0-9]+", line))
    assert numbers == sorted(n for n in (*board.on_roll, *board.opponent) if n > 5)
    assert f"{board.cube_value}" in drawn


# ---------------------------------------------------------------------- SVG


@given(money_boards, directions)
def test_svg_shows_every_checker(board: Board, direction: Direction) -> None:
    drawing = board_svg(board, direction=direction)
    assert drawing == board_svg(board, direction=direction)
    assert len(drawing.encode()) < 20_000
    found = elements(drawing)
    for side, name in ((board.on_roll, "mine"), (board.opponent, "theirs")):
        assert found[f"checker {name}"] == side.checkers
        assert found[f"off {name}"] == 15 - side.checkers
        assert found[f"value {name}-ink"] == sum(n > 5 for n in side) + (name == "theirs")  # the cube's value
    assert found["point a"] == found["point b"] == 12
    assert found["cube theirs"] == 1
    assert found["pip mine-ink"] == (sum(board.roll) if board.roll else 0)
    assert found["arrow"] == found["landing"] == 0
    numbered = [e.text for e in fromstring(drawing).iter(f"{SVG}text") if e.get("class") == "number"]
    assert Counter(numbered) == Counter(str(point) for point in range(1, 25))
    for name in ("mine", "theirs"):
        assert len(set(places(drawing, f"checker {name}"))) == found[f"checker {name}"], "one hides another"


def test_svg_shows_the_cube_in_its_place_and_none_in_the_crawford_game() -> None:
    rows = {}
    for cube in CUBE_PLACES:
        drawing = board_svg(Board(Position((1,)), Position((1,)), cube=cube, cube_value=8))
        (found,) = [e for e in fromstring(drawing).iter(f"{SVG}rect") if e.get("class") == "cube theirs"]
        rows[cube] = float(found.get("y", "nan"))
        assert "8" in words(drawing)
    assert rows["theirs"] < rows["centered"] < rows["mine"]
    crawford = Board(Position((1,)), Position((1,)), score=(4, 0), match_length=5, crawford=True)
    assert not elements(board_svg(crawford))["cube theirs"]
    assert "Match to 5, Crawford game" in words(board_svg(crawford))
    assert "1-away, 4 of 5" in words(board_svg(crawford))
    assert "2" in words(board_svg(MONEY))


def test_svg_of_one_side_has_only_the_points_that_it_needs() -> None:
    homes, halves, wholes = (elements(board_svg(side)) for side in ("6x1", "7x1", "13x1"))
    assert [found["point a"] + found["point b"] for found in (homes, halves, wholes)] == [6, 12, 24]
    assert homes["off theirs"] == 0


def test_svg_is_described_in_words() -> None:
    root = fromstring(board_svg(MATCH, play="14/4", caption="Which play < 14/8 & 6/2?"))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "A backgammon board: 72 pips on roll against 38 pips"
    assert root.findtext(f"{SVG}desc") == (
        "On roll: 14x2 6x7 2x1, 5 off. Opponent: 8x3 4x2 1x6, 4 off. Cube at 4, of the opponent. Match to 7. "
        "Score: 4-away against 2-away. Rolled 6-4. Play: 14/4."
    )
    assert "Which play < 14/8 & 6/2?" in words(board_svg(MATCH, caption="Which play < 14/8 & 6/2?"))
    with spoken("de"):
        root = fromstring(board_svg(MATCH, play="14/4"))
    assert root.findtext(f"{SVG}title") == "Ein Backgammonbrett: 72 Pips am Wurf gegen 38 Pips"
    assert root.findtext(f"{SVG}desc") == (
        "Am Wurf: 14x2 6x7 2x1, 5 aus. Gegner: 8x3 4x2 1x6, 4 aus. Doppler auf 4, beim Gegner. Match auf 7. "
        "Stand: 4-away gegen 2-away. Wurf 6-4. Zug: 14/4."
    )


def test_svg_refers_to_no_other_file_and_defines_no_ids() -> None:
    drawing = board_svg(MATCH, play="14/4")
    assert not re.search(r"url\(|href|<script|<image|@import|<foreignObject", drawing)
    assert "id=" not in drawing  # several drawings on one page do not get in each other's way


# ---------------------------------------------------------------------- notebooks


def test_notebooks_draw_positions_boards_and_plays() -> None:
    position = parse_position("5,1,8,1,0,0")
    assert position._repr_svg_() == board_svg(position)
    assert "1x5 2x1 3x8 4x1" in position._repr_html_()
    assert MATCH._repr_svg_() == board_svg(MATCH)
    assert MATCH.xgid() in MATCH._repr_html_()
    assert MATCH.gnubg_id() in MATCH._repr_html_()
    play = bgrace.solve("6x1 3x1", "1x1").best_plays("31")[0]
    assert play._repr_svg_() == board_svg("6x1 3x1", roll="31", play=play.play)
    assert str(play) in play._repr_html_()
    assert repr(play).startswith(f"Play({play.play!r}, {play.position!r}, equity=")


@pytest.mark.parametrize("language", sorted({*languages()} - {"en"}))
def test_words_beside_a_board_are_in_the_language_that_is_spoken(language: str) -> None:
    boards = MATCH, MONEY, replace(MATCH, score=(3, 6), crawford=True, cube="centered", cube_value=1)
    with spoken(language):
        drawn = "\n".join(draw(board) for board in boards for draw in (board_text, board_svg))
    visible = re.sub("<(title|desc)>.*?</", "", drawn)
    values: dict[str, float | str] = {"n": 4, "value": 4, "roll": "6-4", "length": 7, "away": 4, "points": 3}
    for name in ("off", "cube", "match", "rolled", "away", "crawford", "money", "on_roll", "opponent"):
        with spoken(language):
            assert say(f"drawn.{name}", **values) in visible
        assert say(f"drawn.{name}", **values) not in visible
