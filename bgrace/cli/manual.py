"""The manual page, bgrace(1), made from the help of all commands: ``python -m bgrace.cli.manual > bgrace.1``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click

from bgrace._base.version import VERSION
from bgrace.cli import LazyGroup, cli

_WIDTH: Final = 78


def manual() -> str:
    """Write the manual page in the format of man(7)."""
    lines = [
        f'.TH BGRACE 1 "" "bgrace {VERSION}" "User Commands"',
        ".SH NAME",
        r"bgrace \- backgammon bearoff and race databases",
        ".SH SYNOPSIS",
        ".B bgrace",
        ".I COMMAND",
        r"[\fIOPTION\fR...] [\fIARGUMENT\fR...]",
    ]
    for path, help_text in _pages(cli, click.Context(cli, info_name="bgrace", max_content_width=_WIDTH)):
        lines += [f".SH {path.upper()}", ".nf", *map(_escaped, help_text.splitlines()), ".fi"]
    return "\n".join(lines) + "\n"


def _pages(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """Yield each command's full name and help."""
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            part = command.get_command(context, name)
            if part is not None:
                yield from _pages(part, click.Context(part, parent=context, info_name=name, max_content_width=_WIDTH))


def _escaped(line: str) -> str:
    """Escape a line for man(7), which interprets backslashes, and lines that begin with a dot or a quote."""
    line = line.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{line}" if line.startswith((".", "'")) else line


if __name__ == "__main__":
    # Errors of the output are one line, as in every command.
    LazyGroup(callback=lambda: click.echo(manual(), nl=False), invoke_without_command=True).main([])
