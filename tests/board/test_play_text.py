"""Plays in the usual notation, against a slow twin that tries every order of the dice."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

import pytest
from helpers import golden, reference
from helpers.boards import check_names_what_works
from hypothesis import given
from hypothesis import strategies as st

from bgrace.board import Position, parse_position
from bgrace.board.dice import ROLLS
from bgrace.board.play_text import format_play, parse_play
from bgrace.errors import PositionError

Counts = tuple[int, ...]
Move = tuple[int, int]


def steps(counts: Counts, die: int) -> Iterator[tuple[Move, Counts]]:
    """Yield every way to play one die, by the slow twin, and its result."""
    for then in reference.single_die(counts, die):
        point = max(j for j, (before, after) in enumerate(zip(counts, then, strict=True), 1) if before > after)
        yield (point, max(point - die, 0)), then


def all_plays(counts: Counts, roll: tuple[int, int]) -> dict[Counts, list[list[Move]]]:
    """Return every result of a roll, with every sequence of single steps that leads there."""
    found: dict[Counts, list[list[Move]]] = {}

    def play(now: Counts, dice: Sequence[int], made: list[Move]) -> None:
        if not dice or not any(now):
            found.setdefault(now, []).append(made)
            return
        for move, then in steps(now, dice[0]):
            play(then, dice[1:], [*made, move])

    for dice in [roll * 2] if roll[0] == roll[1] else [roll, roll[::-1]]:
        play(counts, dice, [])
    return found


def small_positions(points: int, checkers: int) -> Iterator[Counts]:
    """Yield all positions of 1 to `checkers` checkers."""
    for n in range(1, checkers + 1):
        for stood in combinations_with_replacement(range(points), n):
            yield tuple(stood.count(point) for point in range(points))


def text_of(moves: Sequence[Move]) -> str:
    """Write moves one by one in the order given."""
    return " ".join(f"{start}/{end or 'off'}" for start, end in moves)


def check_play(position: Position, text: str, roll: str | tuple[int, int], result: Position) -> None:
    """Check that the text leads to the result, and the result to the text."""
    assert format_play(position, result, roll) == text
    played = parse_play(position, text, roll)
    assert type(played) is Position
    assert played == result


@pytest.mark.parametrize("row", golden.rows("gnubg_plays"), ids=str)
def test_plays_are_written_as_gnu_backgammon_does(row: golden.Row) -> None:
    """A row has all plays of a roll, and no others."""
    position, roll = parse_position(row.text("before")), row.text("roll")
    texts = row.text("plays").split(", ")
    results = [parse_play(position, text, roll) for text in texts]
    assert [format_play(position, result, roll) for result in results] == texts
    assert set(results) == set(all_plays(position, (int(roll[0]), int(roll[1]))))


@pytest.mark.parametrize(("points", "checkers"), [(4, 4), (6, 3), (8, 2), (14, 1)])
def test_every_play_has_its_own_text_and_is_read_from_its_single_steps(points: int, checkers: int) -> None:
    shuffle = random.Random(points).shuffle
    for counts in small_positions(points, checkers):
        position = Position(counts)
        for roll in ROLLS:
            plays = all_plays(counts, roll)
            texts = {format_play(position, result, roll) for result in plays}
            assert len(texts) == len(plays)
            for result, sequences in plays.items():
                text = format_play(position, result, roll)
                check_play(position, text, roll, Position(result))
                made = sequences[-1].copy()
                shuffle(made)
                assert parse_play(position, text_of(made), roll) == result


def test_a_play_is_written_if_and_only_if_it_is_legal() -> None:
    """For all pairs of small positions."""
    everything = [*small_positions(7, 2), (0,) * 7]
    for counts in everything[:-1]:
        for roll in [(2, 1), (6, 1), (5, 3), (6, 5), (1, 1), (3, 3), (6, 6)]:
            legal = all_plays(counts, roll)
            for result in everything:
                try:
                    format_play(counts, result, roll)
                except PositionError:
                    assert result not in legal
                else:
                    assert result in legal


def test_a_text_is_read_if_and_only_if_it_plays_both_dice_in_full() -> None:
    """For all texts of one or two moves."""
    hops = [(start, end) for start in range(1, 8) for end in range(start)]
    texts: list[tuple[Move, ...]] = [(hop,) for hop in hops]
    texts += [(first, second) for first, second in combinations_with_replacement(hops, 2)]
    for counts in [(0, 0, 0, 0, 0, 0, 1), (0, 1, 0, 0, 0, 0, 0), (0, 1, 1, 0, 0, 0, 0), (0, 0, 1, 0, 0, 1, 1)]:
        for roll in [(2, 1), (6, 1), (5, 3)]:
            readings: dict[tuple[Move, ...], Counts] = {}
            for result, sequences in all_plays(counts, roll).items():
                for made in sequences:
                    readings[tuple(sorted(made))] = result
                    if len(made) == 2 and made[0][1] == made[1][0]:
                        readings[((made[0][0], made[1][1]),)] = result
            for moves in texts:
                expected = readings.get(tuple(sorted(moves)))
                try:
                    result = parse_play(counts, text_of(moves), roll)
                except PositionError:
                    assert expected is None
                else:
                    assert result == expected


@given(
    st.lists(st.integers(1, 24), min_size=1, max_size=15),
    st.sampled_from(ROLLS),
    st.lists(st.integers(0, 14), min_size=4, max_size=4),
    st.booleans(),
)
def test_plays_are_read_back(stood: list[int], roll: tuple[int, int], choices: list[int], smaller_first: bool) -> None:
    """From anywhere on the board, whichever die is played first."""
    position = Position([stood.count(point) for point in range(1, 25)])
    dice = roll * 2 if roll[0] == roll[1] else roll[::-1] if smaller_first else roll
    result: Counts = position
    made: list[Move] = []
    for die, choice in zip(dice, choices, strict=False):
        ways = sorted(steps(tuple(result), die))
        if ways:
            move, result = ways[choice % len(ways)]
            made.append(move)
    text = format_play(position, result, roll)
    check_play(position, text, roll, Position(result))
    assert parse_play(position, text_of(made), roll) == result
    starts = [int(move.split("/")[0]) for move in text.split()]
    assert starts == sorted(starts, reverse=True)


@given(
    st.one_of(
        st.text(),
        st.text("0123456789/(), offx"),
        st.from_regex(r"\A([0-9]{1,2}(/([0-9]{1,2}|off)){1,3}(\([1-4]\))?[ ,]){0,3}[0-9]/(off|[0-9])\Z"),
    ),
    st.sampled_from(ROLLS),
)
def test_any_text_is_a_play_or_refused(text: str, roll: tuple[int, int]) -> None:
    position = Position((3, 2, 2, 1, 0, 4, 0, 2))
    try:
        result = parse_play(position, text, roll)
    except PositionError as error:
        check_names_what_works(error)
    else:
        assert result in all_plays(position, roll)
