"""Every name of the Python interface stands on exactly one page."""

from __future__ import annotations

import re
from importlib import import_module

from helpers.paths import ROOT

API = ROOT / "docs" / "api"
NAMES: list[str] = import_module("bgrace._face").__all__
TEXTS = {
    path.relative_to(API).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(API.rglob("*.md"))
    if path.stem != "README"
}
MODULES = {name: re.findall(r"^::: (bgrace[\w.]*)$", text, re.MULTILINE) for name, text in TEXTS.items()}
"""Modules whose docstrings each page shows."""
CHOSEN = re.compile(r"^::: (bgrace[\w.]*)\n    options:\n      members: \[(.+)\]$", re.MULTILINE)
MEMBERS = [
    (module, name) for text in TEXTS.values() for module, names in CHOSEN.findall(text) for name in names.split(", ")
]
"""Names on pages that show a part of a module."""


def test_every_name_of_bgrace_is_on_one_page() -> None:
    face = import_module("bgrace._face")
    listed = [name for module, name in MEMBERS if module == face.__name__]
    for module in {import_module(name) for names in MODULES.values() for name in names} - {face}:
        listed += [name for name in module.__all__ if getattr(module, name) is getattr(face, name, None)]
    assert sorted(listed) == sorted(NAMES)


def test_every_name_of_bgrace_match_is_on_one_of_its_pages() -> None:
    module, other = import_module("bgrace.match"), import_module("bgrace.match.zadeh")
    listed = [name for owner, name in MEMBERS if owner == module.__name__]
    assert len(listed) == len(set(listed))
    assert set(module.__all__) - set(other.__all__) <= set(listed) <= set(module.__all__)
