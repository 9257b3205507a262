"""Packages whose modules are loaded when their names are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module


def names_of_modules(package: str, **names: tuple[str, ...]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Make ``__getattr__`` and ``__dir__`` of a package, from the names that it takes from each of its modules.

    If it takes none, ``__dir__`` lists the modules.  No module may be called like one of the names.
    A name is kept in the package once it is loaded.
    """
    modules = {name: module for module, offered in names.items() for name in offered}

    def get(name: str) -> object:
        if name in names:
            return import_module(f"{package}.{name}")
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{modules[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: sorted(modules or names)
