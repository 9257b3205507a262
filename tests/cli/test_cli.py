"""The command line as a whole: help, wrong usage, files that it cannot use."""

from __future__ import annotations

import os
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


def test_version() -> None:
    assert shown("--version").startswith("bgrace ")


# ---------------------------------------------------------------------- wrong usage and failures


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file whose reading fails")
def test_a_file_that_cannot_be_read_is_named() -> None:
    check_error(run("info", "/proc/self/mem"), 1, "/proc/self/mem: Input/output error", "can be read")


def test_only_a_database_is_said_to_come_from_a_build(tmp_path: Path) -> None:
    result = run("match", "met", tmp_path / "missing.xml")
    check_error(result, 1, "missing.xml: no such file")
    assert "bgrace build" not in result.stderr


@pytest.mark.parametrize("group", ["match", "plot"])
def test_a_group_alone_lists_its_commands(group: str) -> None:
    assert shown(group) == shown(group, "--help")


@pytest.mark.parametrize("command", [["info"], ["verify"], ["query", "1,1"], ["referee"]])
def test_files_that_are_none(tmp_path: Path, command: list[str]) -> None:
    name, *rest = command
    missing, empty, foreign = tmp_path / "missing.h5", tmp_path / "empty.h5", tmp_path / "foreign.h5"
    empty.touch()
    foreign.write_bytes(os.urandom(10000))
    os.mkfifo(tmp_path / "pipe")  # which is not waited for
    check_error(run(name, tmp_path / "pipe", *rest), 1, "pipe is not an ordinary file", "bgrace build")
    check_error(run(name, missing, *rest), 1, str(missing), "no such file", "bgrace build")
    check_error(run(name, tmp_path, *rest), 1, str(tmp_path))
    check_error(run(name, empty, *rest), 1, str(empty), "not a bgrace database")
    check_error(run(name, foreign, *rest), 1, str(foreign), "not a bgrace database")
