"""A build that is killed leaves the old file whole, and the next build makes the new one, byte for byte.

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
from bgrace.database.store import writer

pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here"),
    pytest.mark.usefixtures("fixed_time"),
]

OLD = (6, 2, 1)
NEW = (6, 6, 5)
RACE = (7, 15, 2)
MOMENTS = 12

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


@pytest.mark.parametrize("left", [1000, 600, 200])
def test_killed_while_the_file_is_finished(path: Path, expected: bytes, n_calls: int, left: int) -> None:
    """All tables are there; checksums are written through HDF5, which marks a file that it has open."""
    old = path.read_bytes()
    assert killed_after_calls(path, n_calls - left).returncode == -signal.SIGKILL
    assert path.read_bytes() == old
    bgrace.build(path, *NEW, force=True)
    assert path.read_bytes() == expected


def test_killed_again_and_again(path: Path, expected: bytes, n_calls: int) -> None:
    """What one killed build left is what the next one, killed later, begins with."""
    old = path.read_bytes()
    for share in (0.15, 0.65, 0.9, 0.3):
        done = killed_after_calls(path, int(n_calls * share))
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        if done.returncode:
            assert path.read_bytes() == old
        else:  # it had less to do than the first
            assert path.read_bytes() == expected
            break
    bgrace.build(path, *NEW, force=True)
    assert path.read_bytes() == expected


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


def test_leftovers_of_another_build_are_not_taken_for_this_one(path: Path, expected: bytes, n_calls: int) -> None:
    killed_after_calls(path, n_calls * 3 // 4)
    assert (path.parent / "x.h5.partial").exists()
    bgrace.build(path, 6, 5, 4, force=True)
    with bgrace.open(path) as db:
        assert (db.info()["checkers"], db.info()["two_sided_checkers"]) == (5, 4)
    bgrace.build(path, *NEW, force=True)
    assert path.read_bytes() == expected


def test_leftovers_of_another_build_are_not_dropped_in_silence(tmp_path: Path, expected: bytes, n_calls: int) -> None:
    path = tmp_path / "x.h5"
    killed_after_calls(path, n_calls * 3 // 4)
    left = (tmp_path / "x.h5.partial").read_bytes()
    with pytest.raises(bgrace.BuildError, match=r"build for 6 points, 6 checkers and 5 two-sided: .*force"):
        bgrace.build(path, 6, 5, 4)
    assert (tmp_path / "x.h5.partial").read_bytes() == left
    bgrace.build(path, *NEW)
    assert path.read_bytes() == expected


def test_without_knowing_of_restarts_it_goes_on_all_the_same(
    tmp_path: Path, expected: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no boot can be told from another, what is there was written to the disk at each step."""
    monkeypatch.setattr(writer, "boot_id", lambda: "")
    flushed = []

    def stop(done: int, total: int) -> None:
        flushed.append(done)
        if done * 2 > total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bgrace.build(tmp_path / "x.h5", *NEW, progress=stop)
    reports: list[int] = []
    bgrace.build(tmp_path / "x.h5", *NEW, progress=lambda done, total: reports.append(done))
    assert 0 < len(reports) < len(flushed) * 3
    assert reports[0] > flushed[-1]
    assert (tmp_path / "x.h5").read_bytes() == expected
