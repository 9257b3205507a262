"""The script that puts bgrace into GNU Backgammon's source patches a known source, and never changes another."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.command import ran
from helpers.paths import ROOT

FUNCTIONS = {
    "eval.c": ("EvaluatePositionFull", "EvaluatePositionCubeful4", "FindnSaveBestMoves"),
    "rollout.c": ("BasicCubefulRollout",),
    "matchequity.c": ("InitMatchEquity", "invertMET"),
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Write files with functions of these names, each with ten arguments."""
    arguments = ", ".join(f"const int a{k}[2]" for k in range(10))
    for file, names in FUNCTIONS.items():
        bodies = "".join(f"extern int\n{name}({arguments})\n{{\n    return 1;\n}}\n" for name in names)
        (tmp_path / file).write_text(f'#include "backgammon.h"\n{bodies}')
    return tmp_path


def patch(source: Path) -> subprocess.CompletedProcess[str]:
    return ran([sys.executable, ROOT / "examples" / "gnubg" / "patch.py", source])


def contents(source: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in source.iterdir()}


def test_a_second_run_changes_nothing(source: Path) -> None:
    assert patch(source).returncode == 0
    once = contents(source)
    assert "if (bgrace_evaluate(a1, a2, a3, a4)) return 0;" in once["eval.c"]
    assert patch(source).returncode == 0
    assert contents(source) == once


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda file: file.unlink(), "cannot be read"),
        (lambda file: file.write_text(file.read_text().replace("backgammon", "other")), "does not include"),
        (lambda file: file.write_text(file.read_text().replace("invertMET", "invert")), "invertMET is not what it was"),
        (lambda file: file.write_text(""), "InitMatchEquity is not what it was"),
    ],
)
def test_an_unknown_source_is_refused_unchanged(source: Path, damage: Callable[[Path], object], message: str) -> None:
    damage(source / "matchequity.c")
    before = contents(source)
    result = patch(source)
    assert (result.returncode, message in result.stderr, "Traceback" in result.stderr) == (1, True, False)
    assert contents(source) == before


def test_a_function_with_too_few_arguments_is_refused(source: Path) -> None:
    path = source / "eval.c"
    path.write_text(path.read_text().replace(", const int a9[2]", ""))
    assert "EvaluatePositionCubeful4 is not what it was" in patch(source).stderr
