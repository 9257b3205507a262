"""Bearing off against men behind in the C library: what Python says, and a status for any input."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from helpers.command import ran
from helpers.compilers import SANITIZED
from helpers.once import with_library, with_own_library
from helpers.paths import ROOT
from test_embed import run

from bgrace.board.full_board import FullBoard
from bgrace.contact import Risk, risk
from bgrace.errors import PositionError

KINDS = {
    0: "",
    1: "a race",
    2: "neither side has all its checkers home",
    3: "more than two men are behind",
    4: "in different places",
    5: "no checkers but those behind",
}
"""By bgr_contact_kind, what Python's refusal says."""


def random_board(chance: random.Random) -> FullBoard:
    """One side home, as a rule, and the other with men on the bar or on low points."""
    mine, theirs = [0] * 25, [0] * 25
    for _ in range(chance.randint(1, 9)):
        mine[chance.randrange(chance.choice((6, 6, 6, 6, 7)))] += 1
    free = [24 - p for p in range(7) if p == 0 or mine[p - 1] == 0]
    for place in chance.choices(free, k=chance.choice((0, 1, 1, 1, 2, 2, 3))):
        theirs[place] += 1
    if chance.random() < 0.3 and any(theirs):
        theirs = [2 * n for n in theirs]
    theirs[0] += chance.choice((0, 3, 3, 3))
    both = tuple(mine), tuple(theirs)
    return FullBoard(*(both if chance.random() < 0.5 else both[::-1]))


def numbers(words: str) -> list[float]:
    return [float(word) for word in words.split()]


def told(known: Risk) -> list[float]:
    never = [float("nan") if chance is None else chance for chance in (known.never_hit, known.never_hit_on_roll)]
    return [known.shots, known.least, never[0], known.least_on_roll, never[1]]


def test_the_library_gives_the_bits_of_the_package(tmp_path: Path) -> None:
    program = with_own_library(ROOT / "tests/c/contact_answers.c", tmp_path / "contact_answers")
    chance = random.Random(36)
    asked: list[tuple[FullBoard, tuple[int, int]]] = []
    while len(asked) < 300:
        board = random_board(chance)
        if any(board.mine) and any(board.theirs):
            asked.append((board, (chance.randint(1, 6), chance.randint(1, 6))))
    lines = [" ".join(map(str, (*board.mine, *board.theirs, *roll))) for board, roll in asked]
    done = ran([program], input="\n".join(lines), check=True)
    kinds = set()
    for (board, roll), line in zip(asked, done.stdout.splitlines(), strict=True):
        first, *plays = line.split(";")
        status, kind, on_roll, men, place, *found = numbers(first)
        assert status == 0
        kinds.add(kind)
        if kind:
            with pytest.raises(PositionError, match=KINDS[int(kind)]):
                risk(board)
            continue
        known = risk(board)
        assert known.on_roll == bool(on_roll)
        assert known.behind == ("bar bar" if men == 2 else "bar") if not place else f"{place:.0f}x{men:.0f}"
        assert repr(found[:5]) == repr([float(number) for number in told(known)])
        expected = known.plays(roll)
        assert plays[::2] == [play.play for play in expected]
        for play, words in zip(expected, plays[1::2], strict=True):
            shots, least, never_hit, _, _, epc = numbers(words)
            assert (shots, least, epc) == (play.shots, play.least, play.epc)
            assert (never_hit == play.never_hit) == (play.never_hit is not None)
    assert kinds == set(KINDS)


def test_any_input_gives_a_status(once: Path, tmp_path: Path) -> None:
    program = with_library(once, SANITIZED, ROOT / "tests/c/contact_answers.c", tmp_path / "contact_answers")
    n_answers, n_refused = map(int, run(program, "20000", "1").split())
    assert n_answers > 500
    assert n_refused > 500
