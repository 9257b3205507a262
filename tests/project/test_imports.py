"""Imports go one way: up the table of CONTRIBUTING.md, which names every module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from helpers.paths import ROOT

PACKAGE = ROOT / "bgrace"


def rows() -> dict[str, int]:
    """Rows of the table by what they hold: ``counts`` for bgrace/counts/, ``dice`` for bgrace/dice.py."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `bgrace/")]
    return {
        re.sub(r"^bgrace/|/$|\.py$", "", name): number
        for number, cell in enumerate(table)
        for name in re.findall(r"`(.+?)`", cell)
    }


def imported(path: Path) -> Iterator[str]:
    """Names of what of bgrace a file imports, wherever in it: ``cube.action`` for bgrace.cube.action."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "bgrace":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bgrace."):
            yield str(node.module).removeprefix("bgrace.")
        elif isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("bgrace.") for alias in node.names if alias.name.startswith("bgrace."))


def part_of(name: str) -> str:
    """The part of the package that a module or a name of it belongs to."""
    return name.split(".", maxsplit=1)[0]


def test_the_table_names_every_module() -> None:
    parts = {path.stem for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")}
    parts |= {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert set(rows()) == parts


def test_imports_go_up_the_table() -> None:
    known = rows()
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        here = path.relative_to(PACKAGE)
        importer = part_of(".".join(here.with_suffix("").parts))
        if importer.startswith("__"):
            continue  # bgrace itself, on top of everything
        for name in imported(path):
            if part_of(name) in known and known[part_of(name)] > known[importer]:
                wrong.append(f"{here} imports bgrace.{name}")
    assert not wrong


def test_the_c_files_and_kernels_do_not_know_what_stands_on_them() -> None:
    for path in (PACKAGE / "_kernels").glob("*.pyx"):
        parts = set(re.findall(r"^\s*c?import bgrace\.(\w+)|^\s*from bgrace\.(\w+)", path.read_text(), re.MULTILINE))
        assert {part for pair in parts for part in pair if part} <= {"_kernels", "errors", "dice", "arrays"}, path
