"""The plays of a roll against men behind, with their notation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple, TypeAlias

from bgrace.board.play_text import format_play
from bgrace.board.position import HOME_POINTS, Position, checked
from bgrace.contact.behind import BAR, Contact

__all__ = ["Result", "results"]

Move: TypeAlias = tuple[int, int, bool]
"""From point, to point or 0, and whether it hits."""

State: TypeAlias = tuple[tuple[int, ...], int]
"""Counts, and the place of the men behind."""

_Ways: TypeAlias = dict[State, tuple[Move, ...]]


class Result(NamedTuple):
    """What a roll can be played to."""

    position: Position
    place: int
    """Of the men behind: `BAR` if they have been hit."""
    play: str


def results(contact: Contact, roll: tuple[int, int]) -> list[Result]:
    """Every distinct result of a roll, with a way to write it; the position itself if nothing can be played.

    As many dice are played as can be; of two of which only one can, the larger.  A point with two men behind blocks.

    Examples
    --------
    >>> [found.play for found in results(Contact(Position((0, 2, 0, 0, 0, 1)), 3, 1), (3, 2))]
    ['6/1', '6/3* 2/off', '6/3*/1']
    >>> [found.play for found in results(Contact(Position((0, 0, 0, 0, 0, 2)), 1, 2), (5, 5))]
    ['']
    """
    start: _Ways = {(tuple(contact.position), contact.place): ()}
    larger, smaller = roll
    if larger == smaller:
        ways = start
        for _ in range(4):
            ways = _after_die(ways, larger, contact.men) or ways
        n_dice = max(map(len, ways.values()))
    else:
        first, second = (_after_die(start, die, contact.men) for die in roll)
        both = {**_after_die(first, smaller, contact.men), **_after_die(second, larger, contact.men)}
        ways = both or first or second or start
        n_dice = 2 if both else 1
    full = n_dice == (4 if larger == smaller else 2)
    # Whatever was hit on the way, the game is over.
    if any(not any(counts) for counts, _ in ways):
        ways = {state: moves for state, moves in ways.items() if any(state[0])}
        ways[(0,) * HOME_POINTS, contact.place] = ()
    return sorted(
        (
            Result(
                checked(counts),
                place,
                format_play(contact.position, checked(counts), roll)
                if (full or not any(counts)) and place == contact.place
                else _written(moves),
            )
            for (counts, place), moves in ways.items()
        ),
        key=lambda found: found.play,
    )


def _after_die(ways: _Ways, die: int, men: int) -> _Ways:
    """Every result of one more die; an empty board stays as it is."""
    after: _Ways = {}
    for (counts, place), moves in ways.items():
        if not any(counts):
            after.setdefault((counts, place), moves)
        for start, end in _moves(counts, die):
            meets = end == place != BAR
            if meets and men > 1:
                continue
            left = list(counts)
            left[start - 1] -= 1
            if end:
                left[end - 1] += 1
            after.setdefault((tuple(left), BAR if meets else place), (*moves, (start, end, meets)))
    return after


def _moves(counts: tuple[int, ...], die: int) -> Iterator[tuple[int, int]]:
    """From and to of every checker that one die moves, at home: off from the highest point if the die is larger."""
    highest = next((point for point in range(HOME_POINTS, 0, -1) if counts[point - 1]), 0)
    for start in range(min(die, highest), highest + 1):
        if start and counts[start - 1]:
            yield start, max(start - die, 0)


def _written(moves: tuple[Move, ...]) -> str:
    """Write moves, what one checker does with several dice as one.

    Examples
    --------
    >>> _written(((6, 3, True), (3, 0, False), (5, 2, False))), _written(((6, 5, False), (5, 4, False)))
    ('6/3*/off 5/2', '6/4')
    """
    routes: list[list[Move]] = []
    for move in moves:
        route = next((route for route in routes if route[-1][1] == move[0]), None)
        if route is None:
            routes.append([move])
        else:
            route.append(move)
    texts = []
    for route in sorted(routes, key=lambda route: (-route[0][0], route[-1][1])):
        stops = [f"{end or 'off'}{'*' if hit else ''}" for _, end, hit in route if hit or end == route[-1][1]]
        texts.append("/".join([str(route[0][0]), *stops]))
    counted = ((text, len(list(equal))) for text, equal in groupby(texts))
    return " ".join(text if n == 1 else f"{text}({n})" for text, n in counted)
