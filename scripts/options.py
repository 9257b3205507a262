"""Options of scripts: a script's docstring is its help, and what an option takes is of the type of its default."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def read_options(about: str | None, *paths: str, **defaults: Any) -> Any:
    """Read the command line: files and folders in their order, then options by name.

    "?", "*" or "+" behind the name of a path says how many there may be.  False is an option without a value, a
    list one with several, and a type stands for one that need not be given.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for path in paths:
        name = path.rstrip("?*+")
        parser.add_argument(name, type=Path, nargs=path[len(name) :] or None)
    for name, default in defaults.items():
        option = f"--{name.replace('_', '-')}"
        if default is False:
            parser.add_argument(option, action="store_true")
        elif isinstance(default, type):
            parser.add_argument(option, type=default)
        elif isinstance(default, list):
            parser.add_argument(option, type=type(default[0]), nargs="+", default=default)
        else:
            parser.add_argument(option, type=type(default), default=default)
    return parser.parse_args()
