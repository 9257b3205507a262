"""The pages about the Python interface have all of it, and every name of it says what it is."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Literal, get_origin

import pytest
from helpers.paths import ROOT

API = ROOT / "docs" / "api"
FACE: list[str] = import_module("bgrace._face").__all__
TEXTS = {
    path.relative_to(API).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(API.rglob("*.md"))
    if path.stem != "README"
}
MODULES = {name: re.findall(r"^::: (bgrace[\w.]*)$", text, re.MULTILINE) for name, text in TEXTS.items()}
"""What each page is made of."""
CHOSEN = re.compile(r"^::: (bgrace[\w.]*)\n    options:\n      members: \[(.+)\]$", re.MULTILINE)
MEMBERS = [
    (module, name) for text in TEXTS.values() for module, names in CHOSEN.findall(text) for name in names.split(", ")
]
"""What pages have that are not of whole modules."""


def described_below(folder: Path) -> set[str]:
    """Names that are assigned below a folder, with a docstring below the assignment."""
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        for node, after in pairwise(ast.parse(path.read_text(encoding="utf-8")).body):
            targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
            if targets and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


DESCRIBED = described_below(ROOT / "bgrace") | described_below(ROOT / "bgrace_apps")


@pytest.mark.parametrize("module", sorted({name for names in MODULES.values() for name in names}))
def test_every_public_name_says_what_it_is(module: str) -> None:
    loaded = import_module(module)
    for name in loaded.__all__:
        value = getattr(loaded, name)
        if inspect.isclass(value) or inspect.isroutine(value):
            assert value.__doc__, f"{module}.{name} has no docstring"
        elif get_origin(value) is not Literal:  # whose words say it
            assert name in DESCRIBED, f"{module}.{name} has no text below its assignment"


def test_every_name_of_bgrace_is_on_one_page() -> None:
    face = import_module("bgrace._face")
    listed = [name for module, name in MEMBERS if module == face.__name__]
    for module in {import_module(name) for names in MODULES.values() for name in names} - {face}:
        listed += [name for name in module.__all__ if getattr(module, name) is getattr(face, name, None)]
    assert sorted(listed) == sorted(FACE)


def test_every_name_of_a_module_with_several_pages_is_on_one() -> None:
    module, other = import_module("bgrace.match"), import_module("bgrace.match.zadeh")
    listed = [name for of, name in MEMBERS if of == module.__name__]
    assert len(listed) == len(set(listed))
    assert set(module.__all__) - set(other.__all__) <= set(listed) <= set(module.__all__)
