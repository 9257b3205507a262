"""Narrow output: text is broken between words, and no number is shortened."""

from __future__ import annotations

import pytest
from helpers.command import run, shown
from helpers.paths import SMALL
from rich.cells import cell_len

from bgrace._base.language import languages


@pytest.mark.parametrize(
    "arguments",
    [
        ("match", "met"),
        ("match", "points", "3,5"),
        ("match", "map", "5x1", "6x1", "--length", "12"),
        ("windows",),
        ("windows", "58", "66"),
        ("solve", "5x1", "6x1", "--match", "3,5", "--rolls", "--roll", "21"),
        ("solve", "5x1,6x1"),
        ("counts", "5x1", "6x1"),
        ("rollout", "5x1", "6x1", "--games", "100"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("columns", [20, 40, 60])
def test_no_word_is_shortened(arguments: tuple[str, ...], columns: int) -> None:
    def words(width: int) -> list[str]:
        # Bars are as long as there is room.
        text = run(*arguments, columns=width).stdout
        return sorted(word for word in text.split() if not set(word) & set("█▏▎▍▌▋▊▉"))

    assert words(columns) == words(300)


@pytest.mark.parametrize("language", languages())
def test_sentences_keep_within_the_width_in_every_language(language: str) -> None:
    sides = ("2,2,2,3,3,3", "1,1,2,3,4,4")
    for command in (("counts", *sides, "--all", "--match", "3,5"), ("solve", *sides, "--match", "3,5", "--all")):
        lines = run(*command, "--language", language, columns=80).stdout.splitlines()
        assert max(map(cell_len, lines)) <= 80
        assert not [line for line in lines if line.strip().startswith(tuple("、。)」"))]


@pytest.mark.parametrize("columns", [0, 1, 2])
def test_a_width_that_no_terminal_has(columns: int) -> None:
    for arguments in (
        ("solve", "6x1", "1x1"),
        ("query", SMALL, "6x1", "1x1"),
        ("match", "met"),
        ("counts", "6x1", "1x1"),
    ):
        shown(*arguments, columns=columns)


def test_lines_are_as_long_as_they_must_be_and_no_longer() -> None:
    narrow, wide = (run("match", "met", columns=columns).stdout for columns in (30, 200))
    assert narrow == wide
    text = run("solve", "5x1", "6x1", "--match", "3,5", columns=60).stdout
    assert "loses 2.20 %" in text
    key = run("match", "map", "5x1", "6x1", "--length", "2", columns=40).stdout.splitlines()[1:]
    assert max(map(len, key)) <= 40
    assert "- no double  . no cube" in key
