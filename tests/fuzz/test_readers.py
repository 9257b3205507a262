"""A few damaged inputs for each reader; scripts/attack.py tries as many as it is told to."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("gvformat")
pytest.importorskip("resource", reason="limits of memory as Linux has them")

import attack


def test_damaged_input_is_read_or_refused_in_little_memory(tmp_path: Path) -> None:
    seen = []
    for target in attack.targets(tmp_path):
        seen.append(target.name)
        attack.check(target, examples=10)
    assert seen == ["text", "web", "tables", "gnubg", "databases", "matches", "inside xg"]


def test_changed_certificates_are_refused_or_hold(tmp_path: Path) -> None:
    attack.check_proofs(tmp_path, examples=25)
