"""Imports and commands load only the modules that they need."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from helpers.command import call, complaint
from helpers.paths import ROOT, SMALL


def loaded(program: str) -> set[str]:
    """List the modules that a program loads, without those that Python loads at its start."""
    text = f"import sys; before = set(sys.modules); {program}; print(*sorted(set(sys.modules) - before))"
    return set(call(sys.executable, "-c", text, cwd=ROOT).splitlines()[-1].split())


def test_importing_the_package_loads_no_other_module() -> None:
    assert loaded("import bgrace") == {"bgrace"}


SLOW = {
    "concurrent",
    "email",
    "h5py",
    "importlib.metadata",
    "numpy",
    "secrets",
    "statistics",
    "subprocess",
    "urllib.request",
}
"""Modules whose import takes longer than an answer."""


def loaded_by_command(*arguments: str) -> set[str]:
    """List the modules that a command loads."""
    return loaded(f"from bgrace.cli import cli; cli({list(arguments)!r}, standalone_mode=False); print()")


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_a_command_that_computes_nothing_loads_click_alone(option: str) -> None:
    modules = loaded_by_command(option)
    assert not modules & (SLOW | {"rich"})
    assert {name for name in modules if name.startswith("bgrace.")} <= {
        f"bgrace.{name}" for name in ("_base", "_base.interrupts", "_base.version", "cli", "errors")
    }


@pytest.mark.parametrize("question", [("query", str(SMALL)), ("solve",)], ids=["query", "solve"])
def test_a_question_loads_neither_slow_nor_unused_modules(question: tuple[str, ...]) -> None:
    modules = loaded_by_command(*question, "6x1", "5x1", "--roll", "31")
    assert "bgrace._kernels.answer" in modules
    assert not modules & SLOW
    unused = "bgrace.counts", "bgrace.database.building", "bgrace.match.zadeh"
    assert not {name for name in modules if name.startswith((*unused, "rich.progress", "xml"))}


def test_a_package_that_is_not_compiled_says_how_to_compile_it(tmp_path: Path) -> None:
    for name in ("__init__.py", "_kernels/__init__.py"):
        (tmp_path / "bgrace" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "bgrace" / name).write_bytes((ROOT / "bgrace" / name).read_bytes())
    command, where = [sys.executable, "-c", "import bgrace._kernels.plays"], {"PYTHONPATH": str(tmp_path)}
    message = complaint(*command, env=os.environ | where, cwd=tmp_path)
    assert re.search(r"\nImportError: bgrace is not compiled in .*: run `pip install", message)
