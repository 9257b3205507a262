"""The examples in C, C++, Rust and JavaScript answer alike, to the bit, and as Python does."""

from __future__ import annotations

import struct

import pytest
from check_examples import answers, commands, questions
from helpers.command import ran

from bgrace._base.limits import Limits
from bgrace.answers.question import Question
from bgrace.board import parse_board
from bgrace.match.stakes import Rules, Stakes


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The command of each language's example, compiled."""
    return dict(commands(tmp_path_factory.mktemp("examples")))


@pytest.mark.platforms
def test_every_language_prints_the_same(examples: dict[str, list[str]]) -> None:
    ids = questions(1000, 3)
    found = {name: answers(command, ids) for name, command in examples.items()}
    assert "c" in found
    for name, lines in found.items():
        assert len(lines) == 1000, name
        assert lines == found["c"], name
    stakes = Stakes.money(Rules(jacoby=True))
    for one, line in list(zip(ids, found["c"], strict=True))[:200]:
        board = parse_board(one)
        question = Question(board.on_roll, board.opponent, stakes, limits=Limits(0.02, 1 << 26, 1))
        answer = question.ask(roll=(3, 1))
        assert answer is not None
        win, gammon_win, _, gammon_loss, *_ = answer.chances()
        expected = [struct.pack(">d", value).hex() for value in (win, gammon_win, gammon_loss, *answer.cube(1)[:2])]
        assert line.split()[-6:-1] == expected


@pytest.mark.platforms
def test_what_an_example_cannot_read(examples: dict[str, list[str]]) -> None:
    for name, command in examples.items():
        done = ran(command, input="nonsense\n")
        assert done.returncode == 1, name
        assert done.stdout == ""
