"""Pyright knows the type of every answer and of every public name; mypy reads the same program in scripts/test.sh."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from inspect import isfunction, unwrap
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, get_overloads

import pytest
from helpers.command import ran
from helpers.paths import ROOT

import bgrace

PROGRAM = Path(__file__).with_name("user_program.py")

COMPLETE = 0.99
"""Least share of public names with a type that pyright knows."""


def pyright(*arguments: str | Path) -> Any:
    """Run pyright, and return its JSON."""
    program = shutil.which("pyright", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if program is None:
        pytest.skip("pyright is not installed: pip install bgrace[lint]")
    command = [program, "--outputjson", "--pythonpath", sys.executable, *arguments]
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": path}
    found = ran(command, cwd=ROOT, env=environment)
    try:
        return json.loads(found.stdout)
    except json.JSONDecodeError:
        pytest.skip(f"pyright does not start here, without a network perhaps: {(found.stderr or found.stdout)[:200]}")


def public_annotations(owner: ModuleType | type, module: str) -> Iterator[tuple[str, str]]:
    """Names and annotations of what a module or a class defines; of an overloaded function, those of its overloads."""
    for name, annotation in getattr(owner, "__annotations__", {}).items():
        if not name.startswith("_"):
            yield f"{owner.__name__}.{name}", vars(owner)[name] if annotation == "TypeAlias" else annotation
    for name, value in vars(owner).items():
        wrapped = next((inner for kind in ("fget", "func", "__func__") if (inner := getattr(value, kind, None))), value)
        if re.match("_(?!_)", name) or getattr(wrapped, "__module__", "") != module:
            continue
        if isinstance(value, type):
            yield from public_annotations(value, module)
        elif isfunction(function := unwrap(wrapped)):
            for each in get_overloads(function) or [function]:
                yield from (
                    (f"{owner.__name__}.{name}({argument})", kind) for argument, kind in each.__annotations__.items()
                )


@pytest.mark.types
def test_pyright_knows_every_answer_and_finds_names_that_do_not_exist() -> None:
    assert [each for each in pyright(PROGRAM)["generalDiagnostics"] if each["severity"] == "error"] == []


@pytest.mark.types
def test_pyright_knows_the_type_of_every_public_name() -> None:
    report = pyright("--verifytypes", "bgrace", "--ignoreexternal")["typeCompleteness"]
    unknown = [each["name"] for each in report["symbols"] if each["isExported"] and not each["isTypeKnown"]]
    assert report["completenessScore"] >= COMPLETE, unknown


def test_no_public_name_is_of_any_type() -> None:
    untyped = []
    for found in walk_packages(bgrace.__path__, "bgrace."):
        # The command line is not an interface of Python: click calls it.
        if not re.search(r"\.(cli|_\w+)\b", found.name):
            for name, annotation in public_annotations(import_module(found.name), found.name):
                # An array may have any shape and dtype.
                arrays = r"NDArray\[Any\]|tuple\[typing\.Any, \.\.\.\]|(dtype|integer|floating|number)\[typing\.Any\]"
                if re.search(r"\bAny\b", re.sub(arrays, "", str(annotation))):
                    untyped.append(name)
    assert not untyped
