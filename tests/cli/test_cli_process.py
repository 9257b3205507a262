"""The command as a process: pipes, full disks, Ctrl-C, terminals."""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner
from helpers.command import call, check_error, check_one_line, complaint, run, start
from helpers.known import known
from helpers.paths import ROOT

from bgrace.cli import cli


def test_a_broken_pipe_is_quiet(file: Path) -> None:
    for arguments in (["query", file, "1,1", "--json"], ["query", file, "2,1,0,1,0,0", "1,0,2,1,0,0"], ["--help"]):
        process = start(*arguments)
        known(process.stdout).close()
        assert known(process.stderr).read() == ""
        known(process.stderr).close()
        process.wait()


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["info", "{}"], "b\\xe4roff.h5"),
        (["query", "{}", "5,1,8,1,0,0"], "####"),
        (["board", "6x1", "5x1"], "+-13-14-15"),
        (["solve", "6x1", "6x1", "--language", "ja"], "\\u7121\\u99c4"),  # in a table
    ],
)
def test_other_letters_are_replaced_in_an_output_of_ascii(
    file: Path, tmp_path: Path, arguments: list[str], shown: str
) -> None:
    odd = tmp_path / "bäroff.h5"
    odd.symlink_to(file)
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii"}
    process = start(*(argument.format(odd) for argument in arguments), env=ascii_only)
    output, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    assert shown in output


def test_json_is_valid_in_any_encoding(file: Path, tmp_path: Path) -> None:
    odd = tmp_path / "ü\N{DIE FACE-1}.h5"
    odd.symlink_to(file)
    process = start("info", odd, "--json", env=os.environ | {"PYTHONIOENCODING": "cp1252"})
    assert json.loads(process.communicate()[0])["path"] == str(odd)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")
def test_a_full_disk_is_reported_in_one_line(file: Path) -> None:
    with Path("/dev/full").open("w") as full:
        process = start("query", file, "1,1", "--json", stdout=full)
        _, errors = process.communicate()
    assert process.returncode == 1
    check_one_line(errors, "No space left")
    message = complaint("sh", "-c", '"$0" -m bgrace.cli.manual >/dev/full', sys.executable)
    check_one_line(message, "No space left")


def test_a_closed_standard_output_is_named(file: Path) -> None:
    for arguments in (["query", str(file), "1,1"], ["query", str(file), "1,1", "--json"], ["--version"]):
        message = complaint("sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "bgrace", *arguments)
        check_one_line(message, "standard output is closed: give it a file")


def test_a_working_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" -m bgrace build x.h5 --checkers 2'
    errors = complaint("sh", "-c", script, sys.executable, cwd=tmp_path)
    check_one_line(
        errors.splitlines(keepends=True)[-1], "the working folder has been removed: change to one that is there"
    )


def test_standard_error_may_be_closed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bgrace", "build", str(tmp_path / "new.h5"), "--checkers", "2"]
    call("sh", "-c", 'exec "$@" 2>&-', "sh", *command)
    assert (tmp_path / "new.h5").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="needs a system that enforces ulimit -v")
@pytest.mark.parametrize("arguments", ["build new.h5 --points 14 --two-sided 0", "referee {} --games 10000000"])
def test_too_little_memory_is_reported_in_one_line(arguments: str, database_path: Path, tmp_path: Path) -> None:
    program = f'ulimit -v 600000; exec "$0" -m bgrace {arguments.format(database_path)}'
    errors = complaint("sh", "-c", program, sys.executable, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)})
    check_one_line(
        errors.splitlines(keepends=True)[-1], "not enough memory: ask for less, such as fewer points, checkers"
    )
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("command", ["verify", "query"])
def test_a_file_that_cannot_be_mapped_is_reported_in_one_line(
    file: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("mmap.mmap", Mock(side_effect=OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))))
    remedy = f"{file}: Cannot allocate memory; raise the limit, as with ulimit -v"
    check_error(run(command, file, *["6x1"] * (command == "query")), 1, remedy)


@pytest.mark.parametrize("old", [None, "precious"])
def test_ctrl_c_leaves_no_file_or_the_old_one(tmp_path: Path, old: str | None) -> None:
    path = tmp_path / "large.h5"
    if old:
        path.write_text(old)
    process = start("build", path, "--two-sided", "10", "--threads", "1", "--force")
    known(process.stderr).readline()  # the announcement
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    assert process.returncode == 1
    assert output == ""
    check_one_line(errors.splitlines(keepends=True)[-1], str(path), "stopped")
    assert "Traceback" not in errors
    assert (path.read_text() if path.exists() else None) == old


def test_a_terminal_gets_colours_and_a_bar(file: Path, tmp_path: Path) -> None:
    runner = CliRunner(env={"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": "80", "NO_COLOR": None})
    assert "\x1b[1m" in runner.invoke(cli, ["query", str(file), "5,1,8,1,0,0"], color=True).stdout
    result = runner.invoke(cli, ["build", str(tmp_path / "x.h5"), "--checkers", "2"])
    assert "\x1b[2K" in result.stderr
    assert "\x1b" not in result.stdout
