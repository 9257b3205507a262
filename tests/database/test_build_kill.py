"""A build that is killed where nothing has its name yet leaves nothing of that name, and the next clears what was left.

test_failing_calls.py kills builds of a file that is there already, at calls of the system.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import bgrace

pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here"),
    pytest.mark.usefixtures("fixed_time"),
]

KILLED_COMMAND = """
import os, signal, sys
import bgrace.cli.build, bgrace.database.packing, bgrace.database.store.writer
last, count = int(sys.argv[1]), 0
def watch(frame, event, argument):
    global count
    count += "store" in frame.f_code.co_filename or "packing" in frame.f_code.co_filename
    if count == last:
        os.kill(os.getpid(), signal.SIGKILL)
sys.setprofile(watch)
bgrace.cli.build.build.main(sys.argv[3:], standalone_mode=False)
"""


@pytest.mark.parametrize("options", [[], ["--compress"], ["--pack"], ["--points", "7", "--two-sided", "2"]], ids=str)
def test_killed_without_an_old_file(tmp_path: Path, options: list[str]) -> None:
    """Nothing has the name; without --force the next build, of other tables too, removes what was left."""
    path = tmp_path / "x.h5"
    command = ["build", str(path), "--checkers", "6", *(options or ["--two-sided", "5"])]
    for last in (150, 600):
        done = subprocess.run(
            [sys.executable, "-c", KILLED_COMMAND, str(last), *command], capture_output=True, timeout=60, check=False
        )
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert set(os.listdir(tmp_path)) <= {"x.h5.partial", "x.h5.plain"}
    bgrace.build(path, 6, 3, 2)
    assert os.listdir(tmp_path) == ["x.h5"]
