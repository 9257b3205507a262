"""Imports and includes go one way: up the table of CONTRIBUTING.md, which names every module and every room of C."""

from __future__ import annotations

import ast
import graphlib
import re
from collections.abc import Iterator
from pathlib import Path

from helpers.paths import ROOT

PACKAGE = ROOT / "bgrace"
C_CODE = ROOT / "csrc"


def rows(of: str = "bgrace") -> dict[str, int]:
    """Rows of the table by what they hold: ``counts`` for bgrace/counts/, ``dice`` for bgrace/dice.py."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = [line.split("|")[1] for line in text.splitlines() if line.startswith(f"| `{of}/")]
    return {
        re.sub(rf"^{of}/|/$|\.py$", "", name): number
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


# ---------------------------------------------------------------------- C


def c_files() -> list[Path]:
    """Every C file and header in a room."""
    return sorted(path for path in C_CODE.glob("*/*") if path.suffix in {".c", ".h", ".inc"})


def included(path: Path) -> set[str]:
    """What of csrc/ a file includes, as it is written: from csrc/ on."""
    return set(re.findall(r'^#include "(.+)"', path.read_text(encoding="utf-8"), re.MULTILINE))


def test_the_table_names_every_room_of_c() -> None:
    assert set(rows("csrc")) == {path.parent.name for path in c_files()}


def test_includes_go_up_the_table() -> None:
    known = rows("csrc")
    wrong = []
    for path in c_files():
        for name in included(path):
            assert (C_CODE / name).is_file(), f"{path} includes {name}"
            if name != "bgrace.h" and known[name.split("/", maxsplit=1)[0]] > known[path.parent.name]:
                wrong.append(f"{path.relative_to(C_CODE)} includes {name}")
    assert not wrong


def test_no_circle_between_c_files() -> None:
    """A header and the file of its name are one; and that file alone defines what the header declares."""
    needed: dict[str, set[str]] = {}
    for path in c_files():
        one = str(path.relative_to(C_CODE).with_suffix(""))
        needed.setdefault(one, set()).update(name.rsplit(".", maxsplit=1)[0] for name in included(path))
        needed[one].discard(one)
    graphlib.TopologicalSorter(needed).prepare()  # CycleError names the circle
    for header in C_CODE.glob("*/*.h"):
        declared = set(
            re.findall(r"^[a-z][\w ]*[ *](bgr_\w+)\([^{}]*?\);", header.read_text(encoding="utf-8"), re.MULTILINE)
        )
        source = header.with_suffix(".c")
        text = source.read_text(encoding="utf-8") if source.exists() else ""
        defined = set(re.findall(r"^[a-z][\w ]*[ *](bgr_\w+)\([^{};]*\)\s*\{", text, re.MULTILINE))
        assert declared <= defined, f"{header.relative_to(C_CODE)} declares what {source.name} does not define"
