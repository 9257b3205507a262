"""Games replayed by the rules: legal plays with contact, odd spellings, and wrong moves."""

from __future__ import annotations

import pytest
from helpers import contact_reference
from helpers.boards import full
from hypothesis import given
from hypothesis import strategies as st

from bgrace.board import Position
from bgrace.board.dice import ROLLS
from bgrace.board.plays import legal_plays
from bgrace_apps.review.full_board import BAR, FullBoard
from bgrace_apps.review.records import Action, Match, RecordedGame
from bgrace_apps.review.replay import ReplayedGame, replay


def board(mine: dict[int, int], theirs: dict[int, int]) -> FullBoard:
    return FullBoard(*full(mine, theirs)).checked()


sides = st.lists(st.integers(1, 24), min_size=1, max_size=7)


@given(mine=sides, theirs=sides, bar=st.integers(0, 2), roll=st.sampled_from(ROLLS))
def test_plays_are_those_of_the_slow_twin(mine: list[int], theirs: list[int], bar: int, roll: tuple[int, int]) -> None:
    held = {25 - point for point in mine}
    own = {point: mine.count(point) for point in mine} | {BAR: bar}
    start = board(own, {point: theirs.count(point) for point in theirs if point not in held})
    found = contact_reference.plays(((0, *start.mine), (0, *start.theirs)), roll)
    assert start.plays(roll) == {FullBoard(after[1:], other[1:]) for after, other in found}


@given(counts=st.lists(st.integers(0, 3), min_size=1, max_size=9), roll=st.sampled_from(ROLLS))
def test_plays_of_a_race_are_those_of_the_rest_of_bgrace(counts: list[int], roll: tuple[int, int]) -> None:
    position = Position(counts[:5] + [0] * 3) if sum(counts) > 15 else Position(counts)
    start = FullBoard((*position.resized(24), 0), (1, *[0] * 24))
    left = {Position(result.mine[: position.points]) for result in start.plays(roll)}
    assert left == set(legal_plays(position, roll))


def test_the_larger_die_is_played_if_only_one_can_be() -> None:
    start = board({BAR: 1, 1: 2}, {7: 2})
    assert start.plays((6, 1)) == {start.moved([(25, 19)])}
    assert board({BAR: 2}, {4: 2, 3: 2}).plays((4, 3)) == {board({BAR: 2}, {4: 2, 3: 2})}


def played(*actions: Action, score: tuple[int, int] = (0, 0), length: int = 5, **rules: bool) -> ReplayedGame:
    game = RecordedGame(1, score, None, actions)
    (told,) = replay(Match("file", ("Ann", "Bob"), length, (game,), **rules))  # type: ignore[arg-type]
    return told


def play(player: int, roll: tuple[int, int], *moves: tuple[int, int], text: str = "moves") -> Action:
    return Action("play", player, roll, moves, text, move_number=7)


RACE = board({1: 2, 4: 1, 5: 1}, {1: 2, 3: 1, 6: 2})
"""A race that a file sets up, with Ann on roll."""


def at_race(*actions: Action, **more: object) -> ReplayedGame:
    first = actions[0]
    begun = Action(first.kind, first.player, first.roll, first.moves, first.text, first.number, RACE, 7)
    return played(begun, *actions[1:], **more)  # type: ignore[arg-type]


def test_a_play_is_the_same_in_any_order_of_its_moves() -> None:
    first = at_race(play(0, (4, 1), (5, 1), (4, 3))).decisions
    for moves in (((4, 3), (5, 1)), ((5, 1), (4, 3))):
        assert at_race(play(0, (4, 1), *moves)).decisions == first
    assert [each.kind for each in first] == ["cube", "play"]
    (whole,) = at_race(play(0, (4, 1), (5, 0))).decisions[1:]
    assert whole.result == Position((2, 0, 0, 1, 0, 0))


@pytest.mark.parametrize(
    ("actions", "says"),
    [
        ([play(0, (4, 1), (5, 2))], "'moves' is not a legal play"),
        ([play(0, (4, 1), (5, 0), (4, 0))], "is not a legal play"),
        ([play(0, (4, 1), text="")], "no moves of 41, which can be played"),
        ([play(0, (4, 1), (5, 1), (4, 3)), play(0, (2, 1), (3, 1))], "it is Bob's turn, and Ann goes on"),
        ([Action("double", 0, number=4)], "a double to 4, where the cube is at 1"),
        ([Action("take", 0, text="Takes")], "'Takes' where nothing was doubled"),
        ([Action("double", 0), play(0, (4, 1), (5, 1), (4, 3))], "neither taken nor passed"),
        ([Action("double", 0), Action("take", 0)], "answers their own double"),
        ([Action("double", 0), Action("beaver", 1)], "a beaver in a match"),
        ([Action("lost", 0, text="???")], "'???' cannot be read"),
        (
            [Action("owner", 0), Action("cube", 0, number=32768), Action("double", 0), Action("take", 1)],
            "a cube of 65536",
        ),
    ],
)
def test_wrong_actions_are_named_with_their_game(actions: list[Action], says: str) -> None:
    told = at_race(*actions)
    (problem,) = told.problems
    assert says in problem.text
    assert problem.game == 1
    assert "the rest is left out" in problem.text


def test_nobody_doubles_in_the_crawford_game() -> None:
    first = Action("play", 0, (4, 1), ((5, 1), (4, 3)), board=RACE)
    game = RecordedGame(1, (4, 2), True, (first, Action("double", 1)))
    (told,) = replay(Match("file", ("Ann", "Bob"), 5, (game,)))
    assert "Bob may not double: in the Crawford game" in told.problems[0].text
    assert [each.kind for each in told.decisions] == ["play"]


def test_after_a_wrong_move_the_replay_goes_on_at_the_next_position() -> None:
    wrong = play(0, (4, 1), (5, 2))
    later = Action("play", 1, (2, 1), ((3, 1), (1, 0)), "3/1 1/off", board=RACE.swapped, move_number=8)
    told = at_race(wrong, later)
    assert "goes on where the file next gives a position" in told.problems[0].text
    assert [(each.kind, each.player) for each in told.decisions] == [("cube", 0), ("cube", 1), ("play", 1)]


def test_after_a_beaver_the_cube_is_at_4() -> None:
    doubled = [Action("double", 0, number=2), Action("beaver", 1, number=4), Action("take", 0)]
    told = at_race(*doubled, play(0, (4, 1), (5, 1), (4, 3)), length=0, beavers=True)
    assert [str(each) for each in told.problems] == [
        "game 1: the answer to a beaver is not judged, and what it cost is missing in the sums",
        "game 1, move 7: the file does not tell how the game ends (cut off?): no end is assumed",
    ]
    done = [(each.kind, each.done) for each in told.decisions]
    assert done == [("cube", "double"), ("answer", "beaver"), ("play", "")]
    last = told.decisions[-1].board
    assert (last.cube_value, last.cube) == (4, "theirs")


FULL = board({1: 2, 4: 1, 5: 1}, {1: 10, 3: 3, 6: 2})
"""The same, but Bob still has all 15 checkers."""


@pytest.mark.parametrize(
    ("points", "score", "number"),
    [(1, (0, 0), 1), (2, (0, 0), 2), (3, (0, 0), 3), (6, (0, 0), 0), (2, (3, 0), 2), (3, (2, 0), 2)],
)
def test_resignations_of_every_size_follow_from_the_points(points: int, score: tuple[int, int], number: int) -> None:
    """The cube is at 1; or at 2, if the match needs fewer points than a gammon is worth."""
    start = Action("play", 0, (4, 1), ((5, 1), (4, 3)), "moves", board=FULL)
    cube = Action("cube", 0, number=2 if score == (2, 0) else 1)
    game = RecordedGame(1, score, None, (start, cube), (0, points))
    (told,) = replay(Match("file", ("Ann", "Bob"), 5, (game,)))
    if not number:
        assert ("a double is missing" in told.problems[-1].text, told.decisions) == (True, ())
        return
    last = told.decisions[-1]
    assert (last.kind, last.done, last.player, last.number, told.end) == ("resign", "resign", 1, number, "resigned")
