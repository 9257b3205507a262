"""Packages whose modules are loaded when their names are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module


def names_of_modules(package: str, **names: tuple[str, ...]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Make the ``__getattr__`` and the ``__dir__`` of a package, of what each of its modules offers in its name.

    Where modules offer nothing in its name, they are what the package has.
    No module may be called like one of the names.  A name that was loaded once stays in the package.
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
