"""The state of a game, and boards written as IDs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers import golden
from helpers.boards import races, states
from hypothesis import given

from bgrace.board import Board, GameState, Position, parse_board
from bgrace.errors import ArgumentError, BgraceError, PositionError, RollError

ACE = Position((1, 0, 0, 0, 0, 0))


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


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"cube_value": 3}, "cube_value=3 is on no cube: give 1, 2, 4"),
        ({"cube_value": 0}, "1 to 32768"),
        ({"cube_value": 65536}, "1 to 32768"),
        ({"cube_value": 2.0}, "1 to 32768"),
        ({"cube": "ours"}, "'ours' is not a place of the cube: give"),
        ({"cube": "none"}, "'none' is not a place of the cube: give"),
        ({"match_length": -1}, "give a whole number from 0"),
        ({"match_length": 32768}, "to 32767"),
        ({"score": (5, 0), "match_length": 5}, "score=5 is out of range: give a whole number from 0 to 4"),
        ({"score": (0, -1)}, "score=-1"),
        ({"score": 3}, "score=3 is not a score"),
        ({"score": (1, 2, 3)}, "is not a score"),
        ({"crawford": True}, "Crawford"),
        ({"crawford": True, "match_length": 5, "score": (3, 2)}, "at 3 to 2 in a match to 5"),
        ({"crawford": True, "match_length": 1}, "Crawford"),
        ({"jacoby": False, "match_length": 5}, "leave them out in a match"),
        ({"beavers": True, "match_length": 5}, "leave them out in a match"),
        ({"double_offered": True, "roll": (3, 1)}, "leave out roll"),
        ({"double_offered": True, "cube": "theirs"}, "may not double"),
        ({"double_offered": True, "crawford": True, "match_length": 3, "score": (2, 0)}, "may not double"),
    ],
)
def test_refuses_states_that_cannot_be(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        GameState(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=message):
        Board(ACE, ACE, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sides", "error", "message"),
    [
        ((ACE, (1, 0)), PositionError, "not a Position: read it with parse_position"),
        (("off", ACE), PositionError, "not a Position"),
        ((ACE, Position((0,) * 23 + (1,))), PositionError, "both sides stand on point 1"),
    ],
)
def test_refuses_sides_that_are_no_race(
    sides: tuple[Position, Position], error: type[BgraceError], message: str
) -> None:
    with pytest.raises(error, match=message):
        Board(*sides)


def test_refuses_dice_that_are_no_roll() -> None:
    with pytest.raises(RollError):
        GameState(roll=(7, 1))
