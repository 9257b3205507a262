"""The state of a game, and boards written as IDs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers import golden
from helpers.boards import races, states
from hypothesis import given

from bgrace.board import Board, GameState, Position, parse_board


@given(races(), states())
def test_an_xgid_tells_everything(sides: tuple[Position, Position], state: GameState) -> None:
    board = Board(*sides, **vars(state))
    assert parse_board(board.xgid()) == board
    assert board.state == state


@given(races(), states(beavers=False))
def test_a_gnubg_id_tells_everything_but_beavers(sides: tuple[Position, Position], state: GameState) -> None:
    board = Board(*sides, **vars(state))
    assert parse_board(board.gnubg_id()) == board
    assert board.gnubg_id() == f"{board.position_id()}:{board.match_id()}"


@given(races(), states())
def test_repr_is_the_expression_that_makes_it(sides: tuple[Position, Position], state: GameState) -> None:
    board = Board(*sides, **vars(state))
    assert eval(repr(board)) == board


@pytest.mark.parametrize("row", golden.rows("recorded_ids"), ids=str)
def test_ids_of_recorded_matches(row: golden.Row) -> None:
    board = parse_board(row.text("recorded"))
    assert board.xgid() == row.text("xgid")
    assert board.gnubg_id() == row.text("gnubg_id")
    told = replace(parse_board(board.xgid()), beavers=board.beavers)
    assert told == parse_board(board.gnubg_id()) == board


def test_what_is_not_known_is_written_as_not_in_force() -> None:
    bare = parse_board("GAAA+PoXAAAAAA")
    assert bare.jacoby is None
    assert bare.xgid() == "XGID=-EAHA----------------b----:0:0:1:00:0:0:0:0:10"
    assert parse_board(bare.gnubg_id()).jacoby is False
    assert parse_board(bare.xgid()).state == GameState(jacoby=False, beavers=False)


def test_marks_that_mean_nothing_where_they_stand_are_dropped() -> None:
    # Both of them one point short, the Crawford mark, and a double: there is none in that game.
    read = parse_board("-A----------------------a-:0:0:1:D:4:2:1:5:10")
    assert read.crawford
    assert not read.double_offered
    assert not parse_board("-A----------------------a-:1:-1:1:D:0:0:0:0:10").double_offered
    assert parse_board("-A----------------------a-:1:1:1:D:0:0:0:0:10").double_offered


def test_dictionary() -> None:
    board = parse_board("-BBBCCC------------cccbbb-:2:-1:1:63:3:5:0:7:10")
    told = board.to_dict()
    assert told["on_roll"] == {"position": [2, 2, 2, 3, 3, 3], "pips": 57}
    assert (told["roll"], told["cube"], told["cube_value"]) == ([6, 3], "theirs", 4)
    assert (told["score"], told["match_length"], told["crawford"]) == ([3, 5], 7, False)
    assert parse_board(str(told["xgid"])) == parse_board(str(told["gnubg_id"])) == board
    assert set(told) == {*vars(board.state), "on_roll", "opponent", "gnubg_id", "xgid"}
