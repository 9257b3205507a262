"""The command line as a test runs it: within this process, its text as wide as it is asked to be."""

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
    """Run a command of bgrace, with text as its standard input."""
    # Before its version 8.2 click mixed both outputs unless it was told not to.
    apart: dict[str, Any] = {"mix_stderr": False} if "mix_stderr" in signature(CliRunner).parameters else {}
    runner = CliRunner(env={"COLUMNS": str(columns), "NO_COLOR": "1"}, **apart)
    return runner.invoke(cli, [str(argument) for argument in arguments], input=given)


def shown(*arguments: str | Path, **options: Any) -> str:
    """What a command that succeeds prints."""
    result = run(*arguments, **options)
    assert result.exit_code == 0, result.output
    return result.stdout


def answer(*arguments: str | Path) -> dict[str, Any]:
    """What a command that succeeds prints with --json."""
    parsed: dict[str, Any] = json.loads(shown(*arguments, "--json"))
    return parsed


def ran(command: Sequence[str | Path], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, and keep what it prints."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def call(*command: str | Path, **options: Any) -> str:
    """Run a program that must not fail; what it prints."""
    done = ran(command, **options)
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def complaint(*command: str | Path, status: int = 1, **options: Any) -> str:
    """Run a program that must fail and print nothing; what it says of that."""
    done = ran(command, **options)
    assert (done.returncode, done.stdout) == (status, ""), f"{command}\n{done.stdout}{done.stderr}"
    return done.stderr


def start(*arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
    """A real process; Ctrl-C is as in a terminal, whatever this test was started from."""
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
    """One line that says what is wrong, on standard error, and nothing on standard output."""
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
    """No colours, no blanks at the ends of lines, and nothing too wide but the name of a file."""
    assert "\x1b" not in text
    for line in text.splitlines():
        assert line == line.rstrip()
        assert len(line) <= columns or ".h5" in line
