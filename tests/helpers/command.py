"""Run commands of bgrace in this process, and other programs in theirs."""

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from inspect import signature
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from bgrace.cli import cli


def run(*arguments: str | Path, columns: int = 80, given: str | bytes | None = None) -> Result:
    """Run a command of bgrace in this process; given: its standard input."""
    # Before its version 8.2 click mixed both outputs unless it was told not to.
    apart: dict[str, Any] = {"mix_stderr": False} if "mix_stderr" in signature(CliRunner).parameters else {}
    runner = CliRunner(env={"COLUMNS": str(columns), "NO_COLOR": "1"}, **apart)
    return runner.invoke(cli, [str(argument) for argument in arguments], input=given)


def shown(*arguments: str | Path, **options: Any) -> str:
    """Run a command that must succeed, and return its output."""
    result = run(*arguments, **options)
    assert result.exit_code == 0, result.output
    return result.stdout


def answer(*arguments: str | Path) -> dict[str, Any]:
    """Run a command with --json that must succeed, and return the parsed output."""
    parsed: dict[str, Any] = json.loads(shown(*arguments, "--json"))
    return parsed


def ran(command: Sequence[str | Path], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, and keep its output."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def call(*command: str | Path, **options: Any) -> str:
    """Run a program that must not fail, and return its output."""
    done = ran(command, **options)
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def complaint(*command: str | Path, status: int = 1, **options: Any) -> str:
    """Run a program that must fail and print nothing, and return its standard error."""
    done = ran(command, **options)
    assert (done.returncode, done.stdout) == (status, ""), f"{command}\n{done.stdout}{done.stderr}"
    return done.stderr


def start(*arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
    """Start a command in its own process, where Ctrl-C works as in a terminal."""
    return subprocess.Popen(
        [sys.executable, "-m", "bgrace", *map(str, arguments)],
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_accept_interrupts,  # noqa: PLW1509  (nothing here runs threads)
        **options,
    )


def _accept_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def check_error(result: Result, status: int, *fragments: str) -> None:
    """Check that a command failed with one line on standard error, and nothing on standard output."""
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    check_one_line(result.stderr, *fragments)


def check_one_line(text: str, *fragments: str) -> None:
    assert text.startswith("bgrace: ")
    assert text.count("\n") == 1
    assert text.endswith("\n")
    assert len(text) < 1000
    for fragment in fragments:
        assert fragment in text


def check_plain(text: str, columns: int) -> None:
    """Check that there are no colours or blanks at the ends of lines, and that only names of files are too wide."""
    assert "\x1b" not in text
    for line in text.splitlines():
        assert line == line.rstrip()
        assert len(line) <= columns or ".h5" in line
