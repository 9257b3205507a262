"""The examples in C, C++, Rust and JavaScript give the same answers as Python, to the bit."""

from __future__ import annotations

import os
import shutil
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from check_page_engine import node
from helpers.command import call, complaint
from helpers.compilers import FOR_CARGO
from helpers.paths import RECORDED_RACES, ROOT
from make_packages import make_rust

from bgrace import PositionSpace, embed, gnubg_position_id
from bgrace._base.limits import Limits
from bgrace.answers.question import Question
from bgrace.board import parse_board
from bgrace.errors import DependencyError
from bgrace.match.stakes import Rules, Stakes

EXAMPLES = ROOT / "examples"


def commands(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Compile the example in each language whose compiler is installed, and yield the command that runs it."""
    static = embed.libs(static=True)
    compilers = {
        "c": ["cc", "-std=c11", "-O2", *embed.cflags(), str(EXAMPLES / "ids.c"), *static],
        "cc": ["c++", "-std=c++17", "-O2", *embed.cflags(), str(EXAMPLES / "ids.cc"), *static],
    }
    for name, command in compilers.items():
        if shutil.which(command[0]):
            call(*command, "-o", folder / name, cwd=folder)
            yield name, [str(folder / name)]
    if shutil.which("cargo"):
        make_rust(folder / "rust")
        build = ["cargo", "build", "--offline", "--quiet", "--release", "--example", "ids"]
        call(*build, cwd=folder / "rust", env=os.environ | FOR_CARGO)
        yield "rs", [str(folder / "rust/target/release/examples/ids")]
    if runner := node():
        with suppress(DependencyError):  # without a compiler of the WebAssembly module
            yield "js", [*runner, str(EXAMPLES / "ids.js"), str(embed.javascript_dir()), str(embed.wasm_module())]


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Compile the examples, and return their commands by language."""
    return dict(commands(tmp_path_factory.mktemp("examples")))


@pytest.mark.platforms
def test_every_language_prints_the_same(examples: dict[str, list[str]]) -> None:
    """For a few recorded races, and for ends of races, which are solved fast."""
    space, chance = PositionSpace(6, 4), np.random.default_rng(1)
    ends = [gnubg_position_id(*map(space.position, pair)) for pair in chance.integers(1, len(space), (997, 2)).tolist()]
    ids = [one[:14] for one in RECORDED_RACES[:: len(RECORDED_RACES) // 3][:3]] + ends
    text = "".join(f"{one}\n" for one in ids)
    printed = {name: call(*command, input=text).splitlines() for name, command in examples.items()}
    assert "c" in printed
    for name, lines in printed.items():
        assert len(lines) == 1000, name
        assert lines == printed["c"], name
    stakes = Stakes.money(Rules(jacoby=True))
    for one, line in list(zip(ids, printed["c"], strict=True))[:200]:
        board = parse_board(one)
        question = Question(board.on_roll, board.opponent, stakes, limits=Limits(0.02, 1 << 26, 1))
        answer = question.ask(roll=(3, 1))
        assert answer is not None
        win, gammon_win, _, gammon_loss, *_ = answer.chances()
        expected = [
            struct.pack(">d", value).hex() for value in (win, gammon_win, gammon_loss, *answer.cube("centered")[:2])
        ]
        assert line.split()[-6:-1] == expected


@pytest.mark.platforms
def test_an_example_refuses_text_without_an_id(examples: dict[str, list[str]]) -> None:
    for command in examples.values():
        complaint(*command, input="nonsense\n")
