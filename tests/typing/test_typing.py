"""Type checkers know what every answer is, and find what does not exist."""

from __future__ import annotations

import json
import os
import shutil
import sys
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


@pytest.fixture(scope="module")
def mypy(misspelt: Path) -> dict[Path, list[int]]:
    """Lines with errors, of the program and of the one with names that there are not."""
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
    return lines


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


@pytest.mark.types
def test_mypy_knows_every_answer_and_finds_names_that_do_not_exist(mypy: dict[Path, list[int]], misspelt: Path) -> None:
    assert mypy == {PROGRAM: [], misspelt: WRONG}


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
