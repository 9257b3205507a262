"""Strategies for positions, races and boards of every kind, and messages of errors about them."""

import random
import re
from typing import NamedTuple, get_args

from hypothesis import strategies as st

from bgrace.board import Board, GameState, Position
from bgrace.board.game_state import CubePlace
from bgrace.errors import BgraceError

CUBE_PLACES: tuple[CubePlace, ...] = get_args(CubePlace)


def counts(points: int = 24, checkers: int = 15) -> st.SearchStrategy[tuple[int, ...]]:
    """Draw checker counts of this many points."""
    return st.lists(st.integers(1, points), max_size=checkers).map(
        lambda places: tuple(places.count(point) for point in range(1, points + 1))
    )


def scattered(source: random.Random, points: int, checkers: int) -> tuple[int, ...]:
    """Put each checker on a random point."""
    places = source.choices(range(points), k=checkers)
    return tuple(places.count(point) for point in range(points))


positions = st.integers(1, 24).flatmap(counts).map(Position)
rolls = st.tuples(st.integers(1, 6), st.integers(1, 6))
sides_apart = st.integers(1, 23).flatmap(lambda border: st.tuples(counts(border), counts(24 - border)))
"""Counts of two sides that have passed each other."""


@st.composite
def races(draw: st.DrawFn) -> tuple[Position, Position]:
    """Draw two sides that have passed each other, on as many points as a parsed board has."""
    sides = [Position(side) for side in draw(sides_apart)]
    points = max(6, *(side.highest for side in sides))
    return sides[0].resized(points), sides[1].resized(points)


@st.composite
def states(draw: st.DrawFn) -> GameState:
    """Draw a state of a game without unknown fields."""
    length = draw(st.one_of(st.just(0), st.integers(1, 25), st.just(32767)))
    score = draw(st.tuples(*[st.integers(0, length - 1 if length else 32767)] * 2))
    crawford = length > 1 and max(score) == length - 1 and draw(st.booleans())
    cube = draw(st.sampled_from(CUBE_PLACES))
    roll = draw(st.none() | rolls)
    offered = roll is None and cube != "theirs" and not crawford and draw(st.booleans())
    return GameState(
        roll=roll,
        cube_value=1 << draw(st.integers(0, 15)),
        cube=cube,
        double_offered=offered,
        score=score,
        match_length=length,
        crawford=crawford,
        jacoby=None if length else draw(st.booleans()),
        beavers=None if length else draw(st.booleans()),
    )


money_boards = st.builds(
    lambda sides, roll, cube, log: Board(*sides, roll=roll, cube=cube, cube_value=1 << log),
    races(),
    st.none() | rolls,
    st.sampled_from(CUBE_PLACES),
    st.integers(0, 15),
)
"""A race with a roll, or before it, in a money game."""


class Sides(NamedTuple):
    """Both sides of a board, with or without contact."""

    mine: tuple[int, ...]
    theirs: tuple[int, ...]


def full(mine: dict[int, int], theirs: dict[int, int]) -> Sides:
    """Return a board from the checkers on each point; 25 is the bar."""
    return Sides(*(tuple(side.get(point, 0) for point in range(1, 26)) for side in (mine, theirs)))


ADVICE = (
    r"\b(give|use|write|read|check|name|at most|a count is|a point holds|has 1 to|one that works is|two dice make|"
    r"the position is|a play is)\b"
)


def check_names_what_works(error: BgraceError) -> None:
    """Check that a message is one line of sensible length that says what to do."""
    message = str(error)
    assert "\n" not in message
    assert 20 < len(message) < 500
    assert re.search(ADVICE, message), message
