"""Options of scripts: a script's docstring is its help, and what an option takes is of the type of its default."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from inspect import Parameter, signature
from pathlib import Path
from typing import Any


def read_options(about: str | None, *paths: str, **defaults: Any) -> Any:
    """Read the command line: files and folders in their order, then options by name.

    "?", "*" or "+" behind the name of a path says how many there may be.  False is an option without a value, a
    list one with several, and a type, or None for a path, stands for one that need not be given.
    """
    parser = _parser(about)
    _add(parser, paths, defaults)
    return parser.parse_args()


def run_command(about: str | None, *commands: Callable[..., object]) -> int:
    """Call the function that the first word names, and give its exit status.

    Parameters of functions are files and folders, in their order; those by keyword alone are options, as above.
    """
    parser = _parser(about)
    listed = parser.add_subparsers(required=True)
    for command in commands:
        added = listed.add_parser(command.__name__)
        taken = signature(command).parameters.values()
        paths = [one for one in taken if one.kind is not Parameter.KEYWORD_ONLY]
        names = [one.name if one.default is Parameter.empty else f"{one.name}?" for one in paths]
        _add(added, names, {one.name: one.default for one in taken if one not in paths})
        added.set_defaults(command=command, **{one.name: one.default for one in paths if one.default is not one.empty})
    given = vars(parser.parse_args())
    return int(given.pop("command")(**given) or 0)


def _parser(about: str | None) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)


def _add(parser: argparse.ArgumentParser, paths: Any, defaults: dict[str, Any]) -> None:
    for path in paths:
        name = path.rstrip("?*+")
        parser.add_argument(name, type=Path, nargs=path[len(name) :] or None)
    for name, default in defaults.items():
        option = f"--{name.strip('_').replace('_', '-')}"
        if default is False:
            parser.add_argument(option, action="store_true", dest=name)
        elif default is None or isinstance(default, type):
            parser.add_argument(option, type=default or Path, dest=name)
        elif isinstance(default, list | tuple):
            kind = type(default[0]) if default else Path
            parser.add_argument(option, type=kind, nargs="+", default=list(default), dest=name)
        else:
            parser.add_argument(option, type=type(default), default=default, dest=name)
