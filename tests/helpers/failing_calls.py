"""Let one call after the other fail while files are made: the old file must remain, or the new one be whole.

A process makes a file.  tests/c/failing_calls.c, loaded before everything else, counts the calls that touch its
folder, and the allocations of bgrace's own code.  Then, in forks of the process, the first call fails, then the
second, and so on to the last, in each of these ways:

- once, with an error of the system;
- with all later calls, as on a disk that is full or gone;
- half of the writing or reading is done and reported, which is not an error, so the file must be right;
- half of it is done, and the process is killed.

Each time only an error of ours or of the system may come; the name must belong to the whole old file or to the whole
new one; the next attempt must succeed and leave nothing else in the folder.  No file may get its name before its bytes
are synced.  If all writes fail, HDF5 may crash and h5py may print as a file is closed.  Needs Linux with glibc.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import bgrace
from bgrace._base.files import write_small_file
from bgrace.interop import gnubg

ROOT: Final = Path(__file__).resolve().parents[2]
KINDS: Final = ("once", "ever after", "half", "kill")
_ALL_WELL, _FAULT = 0, 3


def attack(stride: int = 1, only: str = "", first: int = 1) -> Iterator[tuple[str, int, list[str]]]:
    """Make each kind of file in a process of its own; yield its name, the number of attempts, and the problems."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "failing.so")
        source = ROOT / "tests" / "c" / "failing_calls.c"
        compiler = shlex.split(os.environ.get("CC", "cc"))
        subprocess.run([*compiler, "-shared", "-fPIC", "-O1", str(source), "-o", str(library), "-ldl"], check=True)
        environment = os.environ | {"LD_PRELOAD": str(library), "SOURCE_DATE_EPOCH": "1735689600"}
        for name in makers(Path(folder)):
            if only in ("", name):
                done = subprocess.run(
                    [sys.executable, __file__, name, str(stride), str(first)],
                    env=environment,
                    check=False,
                    capture_output=True,
                    text=True,
                )
                try:
                    result = json.loads(done.stdout)
                except ValueError:
                    result = {"n": 0, "failed": [f"{name}: {done.stdout[-300:]}{done.stderr[-600:]}"]}
                yield name, result["n"], result["failed"]


def makers(sources: Path) -> Mapping[str, Callable[[Path], object]]:
    """Return the functions that make files, by name; their sources are in another folder."""
    plain, packed = sources / "plain.h5", sources / "packed.h5"
    return {
        "build": lambda path: bgrace.build(path, 6, 3, 2, force=True, threads=1),
        "build --compress": lambda path: bgrace.build(path, 6, 3, 2, force=True, compress=True, threads=1),
        "pack": lambda path: bgrace.pack(plain, path, force=True, threads=1),
        "pack --error": lambda path: bgrace.pack_approximate(plain, path, 0.01, force=True, threads=1),
        "unpack": lambda path: bgrace.unpack(packed, path, force=True, threads=1),
        "generate": lambda path: gnubg.generate(path, "two-sided", points=3, checkers=2, force=True),
        "small file": lambda path: write_small_file(path, b"text\n" * 5000),
    }


def run(name: str, stride: int, first: int = 1) -> dict[str, object]:  # noqa: PLR0915  (one loop)
    """Make one file again and again in this process, which has loaded the library."""
    calls = ctypes.CDLL(None)
    calls.end_failing.restype = calls.n_unsafe.restype = ctypes.c_long
    failed: list[str] = []
    n = 0
    with tempfile.TemporaryDirectory() as top:
        sources, folder = Path(top, "sources"), Path(top, "made")
        sources.mkdir()
        folder.mkdir()
        bgrace.build(sources / "plain.h5", 6, 3, 2)
        bgrace.pack(sources / "plain.h5", sources / "packed.h5")
        make = makers(sources)[name]
        path = folder / "x"
        make(path)
        right = path.read_bytes()
        old = right[:-1] + b"?"  # of the same kind, but not equal

        def begin(nth: int, kind: int) -> None:
            number = errno.ENOSPC if kind % 2 else errno.EIO
            calls.begin_failing(os.fsencode(f"{folder}/"), ctypes.c_long(nth), kind, number)

        path.write_bytes(old)
        begin(-1, 0)
        make(path)
        total, unsafe = calls.end_failing(), calls.n_unsafe()
        if unsafe:
            failed.append(f"{name}: {unsafe} files got their name before their bytes were synced")

        def child(nth: int, kind: int) -> None:
            begin(nth, kind)
            refused = ""
            try:
                make(path)
            except (bgrace.BgraceError, OSError, MemoryError) as error:
                refused = f"{type(error).__name__}: {error}"
            finally:
                calls.end_failing()
            assert nth >= 0 or not refused, refused
            assert refused or path.read_bytes() == right, "no error, and the wrong bytes"

        for kind in range(len(KINDS)):
            for nth in range(first + kind % stride, total + 1, stride):
                n += 1
                for each in folder.iterdir():
                    each.unlink()
                path.write_bytes(old)
                status, message = _forked(lambda nth=nth, kind=kind: child(nth, kind))  # type: ignore[misc]
                allowed = {"kill": (_ALL_WELL, -9), "ever after": (_ALL_WELL, -7, -11)}.get(KINDS[kind], (_ALL_WELL,))
                problem = "" if status in allowed else f"status {status} {message}"
                found = path.read_bytes() if path.exists() else b""
                if found not in (old, right):
                    problem += " the file is neither the old one nor the new one"
                again, message = _forked(lambda: child(-1, 0))
                if again != _ALL_WELL or path.read_bytes() != right:
                    problem += f" the next one is not made: {message}"
                left = sorted(each.name for each in folder.iterdir() if each != path)
                # A killed process leaves a temporary file, whose name the next one does not know.
                if left and not (KINDS[kind] in ("kill", "ever after") and name in ("small file",)):
                    problem += f" left: {left}"
                if problem:
                    failed.append(f"{name}: call {nth} of {total} fails ({KINDS[kind]}): {problem.strip()[-400:]}")
    return {"n": n, "failed": failed}


def _forked(work: Callable[[], None]) -> tuple[int, str]:
    """Do work in a fork of this process; return its exit status and its errors."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = _FAULT
        os.close(reading)
        os.dup2(writing, 2)
        try:
            work()
            status = _ALL_WELL
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}".encode())
        os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as errors:
        text = errors.read().decode(errors="replace")
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), text


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], *map(int, sys.argv[2:]))))
