"""A few damaged inputs for each reader; scripts/attack.py tries as many as it is told to."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("gvformat")
pytest.importorskip("starlette")

from attacks import readers

NAMES = ("text", "tables", "gnubg", "databases", "matches", "web", "reviews")


def test_damaged_input_is_read_or_refused(tmp_path: Path) -> None:
    seen = []
    for target in readers.targets(tmp_path):
        seen.append(target.name)
        assert readers.fuzz(target, rounds=len(target.seeds) + 60, seed=1) == 0, target.name
    assert tuple(seen) == NAMES
