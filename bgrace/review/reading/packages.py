"""The packages that read other people's files, loaded when they are needed."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Final

from bgrace.errors import DependencyError

_DISTRIBUTION: Final = {"gvformat": "gammonview", "ogxm": "ogxm", "genanki": "genanki"}


def load(name: str) -> ModuleType:
    """Import a module of a package that only reviews need.

    Raises
    ------
    DependencyError
        If it is not installed.

    Examples
    --------
    >>> load("gvformat.mat_parser").__name__
    'gvformat.mat_parser'
    """
    try:
        return import_module(name)
    except ImportError as error:
        package = _DISTRIBUTION[name.partition(".")[0]]
        raise DependencyError(
            f'reviews of these files need {package}, which cannot be imported ({error}): pip install "bgrace[review]"'
        ) from error
