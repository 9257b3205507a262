"""Narrow output: text is broken between words, and no number is shortened."""

from __future__ import annotations

import pytest
from helpers.command import run, shown
from helpers.golden import Row, rows
from helpers.paths import SMALL
from rich.cells import cell_len

from bgrace._base.language import languages


@pytest.mark.parametrize("row", rows("narrow_commands"), ids=str)
def test_no_word_is_shortened_in_narrow_output(row: Row) -> None:
    # The length of bars depends on the width.
    texts = [run(*row.text("command").split(), columns=columns).stdout for columns in (300, 60, 40, 20)]
    words = [sorted(word for word in text.split() if not set(word) & set("█▏▎▍▌▋▊▉")) for text in texts]
    assert words == [words[0]] * 4


@pytest.mark.parametrize("language", languages())
def test_sentences_keep_within_the_width_in_every_language(language: str) -> None:
    race = "2,2,2,3,3,3", "1,1,2,3,4,4", "--all", "--match", "3,5", "--seconds", "0.1"
    for command in ("counts", "solve"):
        lines = run(command, *race, "--language", language, columns=80).stdout.splitlines()
        assert max(map(cell_len, lines)) <= 80
        assert not [line for line in lines if line.strip().startswith(tuple("、。)」"))]


@pytest.mark.parametrize("columns", [0, 1, 2])
def test_commands_run_at_impossible_widths(columns: int) -> None:
    for arguments in (
        ("solve", "6x1", "1x1"),
        ("query", SMALL, "6x1", "1x1"),
        ("match", "met"),
        ("counts", "6x1", "1x1"),
    ):
        shown(*arguments, columns=columns)


def test_tables_have_the_same_width_in_any_terminal() -> None:
    narrow, wide = (run("match", "met", columns=columns).stdout for columns in (30, 200))
    assert narrow == wide
    text = run("solve", "5x1", "6x1", "--match", "3,5", columns=60).stdout
    assert "loses 2.20 %" in text
    key = run("match", "map", "5x1", "6x1", "--length", "2", columns=40).stdout.splitlines()[1:]
    assert max(map(len, key)) <= 40
    assert "- no double  . no cube" in key
