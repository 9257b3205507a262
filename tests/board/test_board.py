"""Boards with the state of a game, written as IDs and read again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers import golden
from helpers.boards import races, states
from hypothesis import given
from hypothesis import strategies as st

from bgrace.board import Board, GameState, Position, parse_board


@given(races(), states())
def test_ids_and_repr_keep_the_whole_state(sides: tuple[Position, Position], state: GameState) -> None:
    """GNU IDs keep all of it but beavers."""
    board = Board(*sides, **vars(state))
    assert board.state == state
    assert eval(repr(board)) == parse_board(board.xgid()) == board
    assert parse_board(board.gnubg_id()) == replace(board, beavers=None)
    assert board.gnubg_id() == f"{board.position_id()}:{board.match_id()}"


@given(races(), states(), st.booleans())
def test_ogids_are_those_of_gammonview(sides: tuple[Position, Position], state: GameState, white: bool) -> None:
    """With either player as White.  An OGID has no place for the Jacoby rule and beavers."""
    ogid = pytest.importorskip("gvformat.ogid")
    board = Board(*sides, **vars(replace(state, jacoby=None, beavers=None)))
    assert parse_board(board.ogid()) == parse_board(f"ogid={board.ogid()}") == board
    board = replace(board, cube_value=min(board.cube_value, 64))  # the greatest of gammonview
    mine, theirs = (side.resized(24) for side in sides)
    points = [0, *(a - b for a, b in zip(mine, theirs[::-1], strict=True)), 0]
    score = board.score if white else board.score[::-1]
    written = ogid.board_to_ogid(
        points,
        mover_is_white=white,
        cube_value=board.cube_value,
        cube_owner={"centered": "centered", "mine": "player", "theirs": "opponent"}[board.cube],
        cube_action="O" if board.double_offered else "N",
        dice=board.roll,
        on_roll="BW"[white != board.double_offered],
        game_state="D" if board.double_offered else "R" if board.roll else "C",
        score_white=score[0],
        score_black=score[1],
        match_length=board.match_length,
        crawford=board.crawford,
    )
    assert parse_board(written) == board
    if white:
        assert written == board.ogid()
    told = ogid.parse_ogid(board.ogid())
    told = told.flipped() if board.double_offered else told
    assert (told.board, told.mover_is_white) == (points, True)


def test_fields_that_an_ogid_leaves_out_have_defaults() -> None:
    assert parse_board("oq:12q:N0N") == parse_board("o:12:D0N::W:IW:::") == parse_board("o:12:?0N::B:C:0:0:0:5:15")
    assert parse_board("o:12:N0N::W").on_roll[:2] == (1, 0)


@pytest.mark.parametrize("row", golden.rows("recorded_ids"), ids=str)
def test_ids_of_recorded_matches_are_written_as_listed(row: golden.Row) -> None:
    board = parse_board(row.text("recorded"))
    assert board.xgid() == row.text("xgid")
    assert board.gnubg_id() == row.text("gnubg_id")
    told = replace(parse_board(board.xgid()), beavers=board.beavers)
    assert told == parse_board(board.gnubg_id()) == board


def test_unknown_rules_are_written_as_not_in_force() -> None:
    bare = parse_board("GAAA+PoXAAAAAA")
    assert bare.jacoby is None
    assert bare.xgid() == "XGID=-EAHA----------------b----:0:0:1:00:0:0:0:0:10"
    assert parse_board(bare.gnubg_id()).jacoby is False
    assert parse_board(bare.xgid()).state == GameState(jacoby=False, beavers=False)


def test_a_double_that_is_impossible_is_dropped() -> None:
    # In the Crawford game nobody may double; nor may the player who does not own the cube.
    read = parse_board("-A----------------------a-:0:0:1:D:4:2:1:5:10")
    assert read.crawford
    assert not read.double_offered
    assert not parse_board("-A----------------------a-:1:-1:1:D:0:0:0:0:10").double_offered
    assert parse_board("-A----------------------a-:1:1:1:D:0:0:0:0:10").double_offered


def test_the_dictionary_has_the_sides_the_state_and_both_ids() -> None:
    board = parse_board("-BBBCCC------------cccbbb-:2:-1:1:63:3:5:0:7:10")
    told = board.to_dict()
    assert told["on_roll"] == {"position": [2, 2, 2, 3, 3, 3], "pips": 57}
    assert (told["roll"], told["cube"], told["cube_value"]) == ([6, 3], "theirs", 4)
    assert (told["score"], told["match_length"], told["crawford"]) == ([3, 5], 7, False)
    assert parse_board(str(told["xgid"])) == parse_board(str(told["gnubg_id"])) == board
    assert set(told) == {*vars(board.state), "on_roll", "opponent", "gnubg_id", "xgid"}
