"""A few damaged inputs for each reader, and a few changed proofs; scripts/attack.py tries more."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("gvformat")
pytest.importorskip("resource", reason="limits of memory as Linux has them")

import attack


def test_damaged_input_is_read_or_refused_in_little_memory(tmp_path: Path) -> None:
    names = []
    for target in attack.targets(tmp_path):
        names.append(target.name)
        attack.check(target, examples=10)
    assert names == ["text", "web", "tables", "gnubg", "databases", "matches", "inside xg"]


def test_changed_proofs_are_refused(tmp_path: Path) -> None:
    attack.check_proofs(tmp_path, examples=25)
