"""Type checkers know what every answer is, and find what does not exist."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.paths import ROOT

PROGRAM = Path(__file__).with_name("user_program.py")

MISSPELT = """
import bgrace

with bgrace.open("bearoff.h5") as db:
    print(db.ecp("6x1"))
print(bgrace.solve("6x1", "1x1").win_probabilty)
print(bgrace.slove)
"""
"""Three names that there are not, in lines 5 to 7."""


def mypy(path: Path, cache: Path) -> list[int]:
    """Lines with errors."""
    pytest.importorskip("mypy", reason="mypy is not installed: pip install bgrace[lint]")
    settings = cache / "mypy.ini"  # none of ours: users have their own
    settings.write_text("[mypy]\nstrict = true\n")
    command = [sys.executable, "-m", "mypy", "--config-file", str(settings), "--cache-dir", str(cache)]
    found = subprocess.run([*command, str(path)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode in (0, 1), found.stderr
    assert not found.stderr
    lines = [line for line in found.stdout.splitlines() if ": error: " in line]
    elsewhere = [line for line in lines if not line.startswith(f"{path}:")]
    assert not elsewhere
    return [int(line.removeprefix(f"{path}:").split(":")[0]) for line in lines]


def pyright(path: Path) -> list[int]:
    """Lines with errors."""
    program = shutil.which("pyright", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if program is None:
        pytest.skip("pyright is not installed: pip install bgrace[lint]")
    command = [program, "--outputjson", "--pythonpath", sys.executable, str(path)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        report = json.loads(found.stdout)
    except json.JSONDecodeError:
        pytest.skip(f"pyright does not start here, without a network perhaps: {(found.stderr or found.stdout)[:200]}")
    return [each["range"]["start"]["line"] + 1 for each in report["generalDiagnostics"] if each["severity"] == "error"]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where mypy keeps what it knows of numpy."""
    return tmp_path_factory.mktemp("mypy")


def test_mypy_knows_every_answer(cache: Path) -> None:
    assert mypy(PROGRAM, cache) == []


def test_pyright_knows_every_answer() -> None:
    assert pyright(PROGRAM) == []


def test_names_that_do_not_exist_are_errors(tmp_path: Path, cache: Path) -> None:
    program = tmp_path / "misspelt.py"
    program.write_text(MISSPELT)
    assert mypy(program, cache) == [5, 6, 7]
    assert pyright(program) == [5, 6, 7]
