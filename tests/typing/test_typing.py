"""Type checkers know what every answer is, and find what does not exist."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.command import ran
from helpers.paths import ROOT

PROGRAM = Path(__file__).with_name("user_program.py")

COMPLETE = 0.99
"""Least share of public names whose types pyright knows."""

MISSPELT = """
import bgrace

with bgrace.open("bearoff.h5") as db:
    print(db.ecp("6x1"))
print(bgrace.solve("6x1", "1x1").win_probabilty)
print(bgrace.slove)
print(bgrace.cube.jump.linear(1, 1, 0.1).take_pont, bgrace.counts.keith("6x1", "5x1").advise)
"""
"""Five names that there are not."""

WRONG = [5, 6, 7, 8, 8]
"""The lines that they stand in."""


@pytest.fixture(scope="module")
def misspelt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("misspelt") / "misspelt.py"
    path.write_text(MISSPELT)
    return path


@pytest.mark.types
def test_mypy_knows_every_answer_and_finds_names_that_do_not_exist(misspelt: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed: pip install bgrace[lint]")
    settings = misspelt.with_name("mypy.ini")  # none of ours: users have their own
    settings.write_text("[mypy]\nstrict = true\nfollow_imports = silent\n")
    command = [sys.executable, "-m", "mypy", "--config-file", str(settings), "--cache-dir", os.devnull]
    command += [str(PROGRAM), str(misspelt)]
    found = ran(command, cwd=ROOT)
    assert found.returncode in (0, 1), found.stderr
    assert not found.stderr
    lines: dict[Path, list[int]] = {PROGRAM: [], misspelt: []}
    for line in found.stdout.splitlines():
        if ": error: " in line:
            name, number, _ = line.split(":", 2)
            lines[ROOT / name].append(int(number))
    assert lines == {PROGRAM: [], misspelt: WRONG}


def pyright(*arguments: str | Path) -> Any:
    """What pyright reports, as its JSON has it."""
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


def public_annotations(body: Iterable[ast.stmt], where: str) -> Iterator[tuple[str, ast.expr]]:
    """Annotations of what has a public name, and those names; of an overloaded function, those of its overloads."""
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    overloads = [node for node in functions if any(ast.unparse(by).endswith("overload") for by in node.decorator_list)]
    overloaded = {node.name for node in overloads}
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_annotations(node.body, f"{where}.{node.name}")
        elif isinstance(node, ast.AnnAssign) and not ast.unparse(node.target).startswith("_"):
            is_alias = ast.unparse(node.annotation) == "TypeAlias" and node.value is not None
            yield f"{where}.{ast.unparse(node.target)}", node.value if is_alias and node.value else node.annotation
        elif isinstance(node, ast.FunctionDef) and not re.match("_(?!_)", node.name):
            if node.name in overloaded and node not in overloads:
                continue
            given = node.args
            arguments = [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg]
            said = [(f"{where}.{node.name}", node.returns)]
            said += [(f"{where}.{node.name}({each.arg})", each.annotation) for each in arguments if each is not None]
            for inner in ast.walk(node) if node.name == "__init__" else ():
                if isinstance(inner, ast.AnnAssign) and re.match(r"self\.[^_]", ast.unparse(inner.target)):
                    said.append((f"{where}.{ast.unparse(inner.target)[5:]}", inner.annotation))
            yield from ((name, annotation) for name, annotation in said if annotation is not None)


@pytest.mark.types
def test_pyright_knows_every_answer_and_finds_names_that_do_not_exist(misspelt: Path) -> None:
    found = [each for each in pyright(PROGRAM, misspelt)["generalDiagnostics"] if each["severity"] == "error"]
    lines = [(Path(each["file"]), each["range"]["start"]["line"] + 1) for each in found]
    assert sorted(lines) == [(misspelt, line) for line in WRONG]


@pytest.mark.types
def test_pyright_knows_the_type_of_every_public_name() -> None:
    report = pyright("--verifytypes", "bgrace", "--ignoreexternal")["typeCompleteness"]
    unknown = [each["name"] for each in report["symbols"] if each["isExported"] and not each["isTypeKnown"]]
    assert report["completenessScore"] >= COMPLETE, unknown


def test_no_public_name_is_of_any_type() -> None:
    untyped = []
    for path in sorted((ROOT / "bgrace").rglob("*.py")):
        parts = [part for part in path.relative_to(ROOT).with_suffix("").parts if part != "__init__"]
        # The command line is not an interface of Python: click calls it.
        if "cli" not in parts and not any(part.startswith("_") for part in parts):
            for name, annotation in public_annotations(ast.parse(path.read_text()).body, ".".join(parts)):
                # An array of any dtype is an array.
                if re.search(r"(?<!NDArray\[)\bAny\b", ast.unparse(annotation)):
                    untyped.append(name)
    assert not untyped
