"""The command line as a whole: help, version, and files that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command import check_error, run, shown

from bgrace.cli import COMMANDS
from bgrace.cli.manual import manual

# ---------------------------------------------------------------------- help


def test_help_lists_every_command() -> None:
    for text in (shown("--help"), shown("-h"), shown()):
        for name, (_, line) in COMMANDS.items():
            assert name in text
            assert line.rstrip(".") in " ".join(text.split())


def test_the_manual_page_has_every_command() -> None:
    text = manual()
    assert text.startswith(".TH BGRACE 1 ")
    for name in (*COMMANDS, "match points"):
        assert f".SH BGRACE {name.upper()}\n" in text
    assert not [line for line in text.splitlines() if line.startswith("'")]


def test_the_version_is_printed() -> None:
    assert shown("--version").startswith("bgrace ")


# ---------------------------------------------------------------------- wrong usage and failures


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file whose reading fails")
def test_a_file_that_cannot_be_read_is_named() -> None:
    check_error(run("info", "/proc/self/mem"), 1, "/proc/self/mem: Input/output error", "can be read")


@pytest.mark.parametrize("group", ["match", "plot"])
def test_a_group_alone_lists_its_commands(group: str) -> None:
    assert shown(group) == shown(group, "--help")
