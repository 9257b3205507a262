"""Positions and boards read from text, from GNU Backgammon IDs and from XGIDs."""

from __future__ import annotations

import operator
from ast import literal_eval
from contextlib import nullcontext
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from helpers import golden
from helpers.boards import check_names_what_works, counts, positions, sides_apart
from hypothesis import example, given
from hypothesis import strategies as st

from bgrace.board import Board, Position, gnubg_position_id, parse_board, parse_position
from bgrace.board.game_state import CubePlace
from bgrace.errors import PositionError

base64_text = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", min_size=14, max_size=14)
# Text that resembles IDs and lists of counts, so that it passes the first checks more often than random text.
hostile_text = st.one_of(
    st.text(),
    base64_text,
    st.builds("{}:{}".format, base64_text, base64_text.map(lambda text: text[:12])),
    st.from_regex(r"\A(XGID=)?[-A-Qa-q]{26}(:-?[0-9]{1,2}){3}:[0-7D]{1,2}(:[0-9]){4,5}\Z"),
    st.from_regex(r"\A-[-A-C]{6}-{12}[-a-c]{6}-(:-?[01]){3}:[0-6]{2}:[0-4]:[0-4]:[0-3]:[0-7]:10\Z"),
    st.from_regex(r"\A(OGID=)?[0-9a-q]{0,9}:[0-9a-q]{0,9}:[NWBD?][0-9]{1,2}[NOTP](:[0-9A-Z]{0,2}){0,9}\Z"),
    st.from_regex(r"\A[\[( ]?-?[0-9]{1,12}([ ,xX]{1,2}-?[0-9]{1,3}){0,30}[\]), ]?\Z"),
    st.text("0123456789x, -:=()[]Aaof\x00\u00d7\u0662\ud800"),
)


def test_a_position_equals_a_tuple_and_cannot_be_changed() -> None:
    plain = (5, 1, 8, 1, 0, 0)
    position = Position(plain)
    assert position == plain
    assert hash(position) == hash(plain)
    with pytest.raises(AttributeError):
        position.pips = 3  # type: ignore[attr-defined]


def test_a_position_has_pips_checkers_points_and_highest_point() -> None:
    position = Position((5, 1, 8, 1, 0, 0))
    assert (position.pips, position.checkers, position.points, position.highest) == (35, 15, 6, 4)
    empty = Position((0, 0, 0))
    assert (empty.pips, empty.checkers, empty.points, empty.highest) == (0, 0, 3, 0)


def test_a_position_prints_as_points_and_counts() -> None:
    assert str(Position((5, 1, 8, 1, 0, 0))) == "1x5 2x1 3x8 4x1"
    assert f"{Position((0,) * 23 + (2,))}" == "24x2"
    assert str(Position((0,))) == "off"
    assert repr(Position((5, 1, 8, 1, 0, 0))) == "Position((5, 1, 8, 1, 0, 0))"
    assert repr(Position((5,))) == "Position((5,))"


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64])
def test_a_row_of_an_array_gives_plain_ints(dtype: type[np.integer]) -> None:
    rows = np.array([[5, 1, 8, 1, 0, 0], [0, 0, 0, 0, 0, 2]], dtype)
    position = Position(rows[0])
    assert position == (5, 1, 8, 1, 0, 0)
    assert all(type(n) is int for n in position)
    assert parse_position(rows[1]) == (0, 0, 0, 0, 0, 2)


@pytest.mark.parametrize("row", golden.rows("position_texts"), ids=str)
def test_sides_are_read_as_listed_or_refused(row: golden.Row) -> None:
    with nullcontext() if "position" in row else pytest.raises(PositionError):
        assert parse_position(row.text("text")) == row.position("position")


def test_a_side_may_be_numbers_or_an_id() -> None:
    position = Position((5, 1, 8, 1, 0, 0))
    for given_as in (tuple(position), list(position), position):
        assert parse_position(given_as) == position
    ids = "GAAA+PoXAAAAAA", "GAAA+PoXAAAAAA==", "GAAA+PoXAAAAAA:cAkAAAAAAAAE"
    for text in (*ids, "-EAHA----------------b----:0:0:1:00:0:0:0:0:10"):
        assert parse_position(text) == position


def test_a_side_has_as_many_points_as_listed_needed_or_asked_for() -> None:
    assert parse_position("0,2,0").points == 3
    assert parse_position("0,2,0", points=2) == (0, 2)
    assert parse_position("0,2,0", points=np.int64(7)) == (0, 2, 0, 0, 0, 0, 0)
    assert parse_position("2x2").points == 6
    assert parse_position("2x2", points=3) == (0, 2, 0)
    assert parse_position("8x2 1x1") == (1, 0, 0, 0, 0, 0, 0, 2)
    assert parse_position("off") == parse_position(" OFF ") == (0,) * 6
    assert parse_position("off", points=10) == (0,) * 10
    # One side of a board needs no more points than its own checkers do.
    assert parse_position("tNs9AADb3Q0AAA").points == 6
    assert parse_position("tNs9AADb3Q0AAA", side="opponent").points == 8
    assert parse_position("tNs9AADb3Q0AAA", points=12, side="opponent") == (0, 0, 1, 2, 3, 2, 3, 4, 0, 0, 0, 0)


def test_the_side_matters_only_if_a_text_has_two() -> None:
    assert parse_position("GAAA+PoXAAAAAA", side="opponent") == (0, 0, 0, 2, 0, 0)
    assert parse_position("1,2", side="opponent") == (1, 2)


@given(positions)
def test_a_printed_position_is_read_again(position: Position) -> None:
    assert parse_position(str(position), points=position.points) == position
    assert parse_position(str(position)).points == max(6, position.highest)
    assert parse_position(",".join(map(str, position))) == position
    assert parse_position(repr(tuple(position))) == position


@given(hostile_text)
@example("XGID=")
@example(":")
@example("[")
@example("\ud800")
def test_any_text_is_a_position_or_refused(text: str) -> None:
    for side in ("on_roll", "opponent"):
        try:
            position = parse_position(text, side=side)
        except PositionError as error:
            check_names_what_works(error)
        else:
            assert type(position) is Position
            assert Position(tuple(position)) == position


@given(
    st.one_of(
        st.none(),
        st.floats(),
        st.binary(),
        st.lists(st.one_of(st.integers(), st.floats(), st.text(max_size=2), st.none()), max_size=30),
        st.lists(st.integers(-1, 16), max_size=30),
    )
)
def test_any_object_is_a_position_or_refused(given_object: object) -> None:
    try:
        position = parse_position(given_object)  # type: ignore[arg-type]
    except PositionError as error:
        check_names_what_works(error)
    else:
        assert list(position) == [operator.index(n) for n in given_object]  # type: ignore[attr-defined]


@pytest.mark.parametrize("row", golden.rows("gnubg_ids"), ids=str)
def test_ids_are_read_as_gnu_backgammon_does(row: golden.Row) -> None:
    xgid, gnubg_id, position_id = row.text("xgid"), row.text("gnubg_id"), row.text("gnubg_id")[:14]
    mine, theirs = row.integers("score")
    board = Board(
        Position(row.position("on_roll")),
        Position(row.position("opponent")),
        roll=row.roll() if "roll" in row else None,
        cube_value=row.integer("cube_value"),
        cube=cast(CubePlace, row.text("cube")),
        score=(mine, theirs),
        match_length=row.integer("match_length"),
        crawford=bool(row.integer("crawford")),
        jacoby=bool(row.integer("jacoby")) if "jacoby" in row else None,
    )
    assert parse_board(gnubg_id) == board
    # GNU Backgammon neither knows beavers nor takes over from an XGID that a double is offered.
    fields = xgid.split(":")
    told = replace(board, double_offered=fields[4] == "D", beavers=None if board.match_length else fields[7] > "1")
    assert parse_board(xgid) == parse_board("XGID=" + xgid) == parse_board(f" xgid={xgid}\n") == told
    assert parse_board(position_id) == Board(board.on_roll, board.opponent)
    assert parse_board(position_id + "==") == parse_board(position_id)
    assert board.position_id() == position_id
    assert board.gnubg_id() == gnubg_id
    assert parse_position(xgid, points=24) == board.on_roll.resized(24)
    assert parse_position(gnubg_id, points=24, side="opponent") == board.opponent.resized(24)


def test_the_player_on_roll_comes_first() -> None:
    """Match IDs number the players, so the cube may belong to the player on roll or to the other one."""
    # GNU Backgammon shows the cube at 2 with the player who rolled 31 in the first, with the other in the second.
    mine = parse_board("27YBAKCqAAAAAA:UYkFAAAAAAAE")
    theirs = parse_board("27YBAKCqAAAAAA:QYkFAAAAAAAE")
    assert (mine.cube, theirs.cube) == ("mine", "theirs")
    assert mine.roll == theirs.roll == (3, 1)
    assert mine.on_roll == theirs.on_roll == Position((1, 1, 1, 1, 1, 1))
    assert mine.opponent == theirs.opponent == Position((2, 2, 2, 2, 2, 2))
    # Player 0 on roll, with 42; then player 1 on roll, who has offered a double that player 0 may take.
    assert parse_board("27YBAKCqAAAAAA:MAEKAAAAAAAA").roll == (4, 2)
    assert parse_board("27YBAKCqAAAAAA:cBEAAAAAAAAE") == Board(
        mine.on_roll, mine.opponent, jacoby=False, double_offered=True
    )


def test_away_scores_are_those_of_the_player_on_roll_first() -> None:
    assert parse_board("2+4AAMBtAAAAAA:Qwn3AEAAEAAE").away == (5, 3)
    assert parse_board("2+4AAMBtAAAAAA").away is None


@pytest.mark.parametrize("row", [row for row in golden.rows("texts_with_ids") if "identifier" in row], ids=str)
def test_an_id_is_found_in_the_text_that_programs_copy(row: golden.Row) -> None:
    text, identifier = literal_eval(row.text("text")), row.text("identifier")
    assert parse_board(text) == parse_board(identifier)
    assert parse_position(text) == parse_position(identifier)


def test_rules_are_read_only_where_they_can_apply() -> None:
    """Crawford at a score one point short, Jacoby for money; the last field may be missing."""
    xgid = "-A----------------------a-:0:0:1:00:{}:{}:10".format
    assert parse_board(xgid("4:2", "1:5")).crawford
    assert parse_board(xgid("2:4", "1:5")).crawford
    assert not parse_board(xgid("4:2", "0:5")).crawford
    assert not parse_board(xgid("3:2", "1:5")).crawford
    assert not parse_board(xgid("0:0", "1:1")).crawford
    assert parse_board(xgid("4:2", "1:5")).jacoby is None
    assert parse_board(xgid("4:2", "3:0")).jacoby
    assert parse_board(xgid("4:2", "2:0")).jacoby is False
    assert parse_board(xgid("4:2", "1:5")[:-3]) == parse_board(xgid("4:2", "1:5"))


@given(sides_apart)
def test_every_race_has_one_id_with_both_sides(sides: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    on_roll, opponent = map(Position, sides)
    text = gnubg_position_id(on_roll, opponent)
    board = parse_board(text)
    assert len(text) == 14
    assert board.on_roll.points == board.opponent.points == max(6, on_roll.highest, opponent.highest)
    assert board.on_roll.resized(24) == on_roll.resized(24)
    assert board.opponent.resized(24) == opponent.resized(24)
    assert board.position_id() == text
    assert parse_board(gnubg_position_id(opponent, on_roll)) == Board(board.opponent, board.on_roll)


@given(sides_apart, st.booleans())
def test_xgids_and_position_ids_agree(sides: tuple[tuple[int, ...], tuple[int, ...]], bottom_on_roll: bool) -> None:
    on_roll, opponent = sides
    bottom, top = sides if bottom_on_roll else sides[::-1]
    board = ["-"] * 26
    for point, n in enumerate(bottom, 1):
        board[point] = "-ABCDEFGHIJKLMNO"[n] if n else board[point]
    for point, n in enumerate(top, 1):
        board[25 - point] = "-abcdefghijklmno"[n] if n else board[25 - point]
    read = parse_board(f"XGID={''.join(board)}:0:0:{1 if bottom_on_roll else -1}:00:0:0:0:0:10")
    assert read.position_id() == gnubg_position_id(on_roll, opponent)


@given(counts(), counts())
def test_no_id_is_written_that_cannot_be_read(mine: tuple[int, ...], theirs: tuple[int, ...]) -> None:
    if Position(mine).highest + Position(theirs).highest < 25 or not any(mine) or not any(theirs):
        assert parse_board(gnubg_position_id(mine, theirs)).on_roll.resized(24) == mine
    else:
        with pytest.raises(PositionError, match=r"contact|both sides") as caught:
            gnubg_position_id(mine, theirs)
        check_names_what_works(caught.value)


@given(hostile_text)
def test_any_text_is_a_board_or_refused(text: str) -> None:
    """The ID of a board gives the board again."""
    try:
        board = parse_board(text)
    except PositionError as error:
        check_names_what_works(error)
    else:
        again = parse_board(board.gnubg_id())
        unknown = board.jacoby is None and not board.match_length
        assert again == replace(board, beavers=None, jacoby=False if unknown else board.jacoby)
        if len(text.strip()) == 14:
            assert board.position_id() == text.strip()
