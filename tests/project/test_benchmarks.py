"""scripts/bench.py runs."""

from __future__ import annotations

import sys

from helpers.command import call
from helpers.paths import ROOT


def test_benchmarks_print_a_table() -> None:
    command = [sys.executable, "scripts/bench.py", "text of a position", "an estimate", "--repeats", "1"]
    rows = [line.split("|")[1:3] for line in call(*command, cwd=ROOT).splitlines() if line.startswith("| ")]
    assert [name.strip() for name, _ in rows] == ["", "text of a position", "an estimate"]
    assert all(" ms " in time for _, time in rows[1:])
