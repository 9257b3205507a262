"""The benchmarks run, those that need nothing else: scripts/bench.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_benchmarks_of_questions_run() -> None:
    command = [sys.executable, str(ROOT / "scripts/bench.py"), "text of a position", "an estimate", "--repeats", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    rows = [line.split("|")[1:3] for line in done.stdout.splitlines() if line.startswith("| ")]
    assert done.returncode == 0, done.stderr
    assert [name.strip() for name, _ in rows] == ["", "text of a position", "an estimate"]
    assert all(" ms " in time for _, time in rows[1:])
