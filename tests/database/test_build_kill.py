"""A build that is killed leaves the old file whole; the next build clears what was left, and makes the same bytes.

Two kinds of kill -9.  One after a given number of calls inside the build, so that the same moments are hit every time:
all of the Python side, the calls of HDF5 among them, is covered evenly.  The other after a delay, which mostly hits the
C code.  What is asserted holds whenever the kill comes, so nothing here depends on timing.
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

OLD = (6, 2, 1)
NEW = (6, 6, 5)
MOMENTS = 6

KILLED_AFTER_CALLS = """
import os, signal, sys
import bgrace
path, last, *size = sys.argv[1], *map(int, sys.argv[2:])
build = bgrace.build  # loads what it needs, which takes more calls than the build
count = 0
def watch(frame, event, argument):
    global count
    count += 1
    if count == last:
        os.kill(os.getpid(), signal.SIGKILL)
sys.setprofile(watch)
build(path, *size, threads=2, force=True)
sys.setprofile(None)
print(count)
"""

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

KILLED_AFTER_DELAY = """
import sys
import bgrace
path, *size = sys.argv[1], *map(int, sys.argv[2:])
print("ready", flush=True)
bgrace.build(path, *size, threads=2, force=True)
"""


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What an undisturbed build makes."""
    path = tmp_path_factory.mktemp("whole") / "x.h5"
    bgrace.build(path, *NEW)
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An old file, to be replaced."""
    bgrace.build(tmp_path / "x.h5", *OLD)
    return tmp_path / "x.h5"


def killed_after_calls(path: Path, last: int, size: tuple[int, int, int] = NEW) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", KILLED_AFTER_CALLS, str(path), str(last), *map(str, size)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture(scope="module")
def n_calls(tmp_path_factory: pytest.TempPathFactory, expected: bytes) -> int:
    """How many calls a whole build makes."""
    path = tmp_path_factory.mktemp("counted") / "x.h5"
    done = killed_after_calls(path, 0)
    assert done.returncode == 0, done.stderr
    assert path.read_bytes() == expected
    return int(done.stdout)


@pytest.mark.parametrize("moment", range(1, MOMENTS + 1))
def test_killed_at_a_call(path: Path, expected: bytes, n_calls: int, moment: int) -> None:
    old = path.read_bytes()
    # The count differs by a few calls from run to run; the very last ones come after the new file has its name.
    done = killed_after_calls(path, (n_calls - 100) * moment // MOMENTS)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert path.read_bytes() == old
    bgrace.build(path, *NEW, force=True)
    assert path.read_bytes() == expected
    assert os.listdir(path.parent) == ["x.h5"]


@pytest.mark.parametrize("milliseconds", [0, 10, 40])
def test_killed_after_a_delay(path: Path, expected: bytes, milliseconds: int) -> None:
    old = path.read_bytes()
    command = [sys.executable, "-c", KILLED_AFTER_DELAY, str(path), *map(str, NEW)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            process.wait(milliseconds / 1000)
        except subprocess.TimeoutExpired:
            process.kill()
    assert path.read_bytes() in (old, expected)
    bgrace.build(path, *NEW, force=True)
    assert path.read_bytes() == expected


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
