"""Make files once in a run of the tests, in the process that needs them first.  No test changes them.

scripts/test.sh names their folder in BGRACE_TESTS_ONCE, for the runs of all its steps.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from bgrace import embed
from helpers.command import call, ran
from helpers.paths import ROOT

OWN_MEMORY = ROOT / "tests/c/own_memory.c"

Made: TypeAlias = Callable[..., Path]
"""The type of the fixture `made`."""


def folder_of_run(base: Path) -> Path:
    """Return a folder for all processes of a run; `base` is the temporary folder of this process."""
    own = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "once"
    folder = Path(os.environ.get("BGRACE_TESTS_ONCE", own))
    folder.mkdir(exist_ok=True)
    return folder


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Lock out the other processes of pytest-xdist, and of steps that run at the same time."""
    if not {"PYTEST_XDIST_WORKER", "BGRACE_TESTS_ONCE"} & os.environ.keys():
        yield
        return
    import fcntl  # not on Windows, where tests run one by one

    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def made_once(folder: Path, name: str, make: Callable[[Path], object]) -> Path:
    """Return the file `name` in a folder of the run; if there is none yet, `make` writes it to a path."""
    path = folder / name
    with _alone(folder / f"{name}.lock"):
        if not path.exists():
            with TemporaryDirectory(dir=folder) as scratch:
                make(Path(scratch, name))
                Path(scratch, name).rename(path)
    return path


def object_file(folder: Path, command: Sequence[str], source: Path) -> Path:
    """Compile a source file, with ccache if it is installed; `command` is a compiler with its options."""
    compile_command = [*command, "-c", str(source)]
    launcher = [ccache] if (ccache := shutil.which("ccache")) else []
    anywhere = {**os.environ, "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1"}  # one cache for all clones

    def compile_source(target: Path) -> None:
        done = ran([*launcher, *compile_command, "-o", str(target)], cwd=ROOT, env=anywhere)
        assert done.returncode == 0, f"{shlex.join(compile_command)}\n{done.stderr}"
        assert done.stderr == ""

    name = f"{source.stem}-{sha256(shlex.join(compile_command).encode()).hexdigest()[:16]}.o"
    return made_once(folder, name, compile_source)


def library_object(folder: Path, command: Sequence[str]) -> Path:
    """Compile the C library from the one file that engines use."""
    header, *_, source = embed.sources()
    return object_file(folder, [*command, f"-I{header.parent}"], source)


def with_library(folder: Path, command: Sequence[str], source: Path, target: Path) -> Path:
    """Compile and link a program and the C library with the same command."""
    return linked(command, source, library_object(folder, command), target)


def with_own_library(source: Path, target: Path) -> Path:
    """Compile a program, and link it with the library of the package."""
    return linked(["cc", "-std=c11"], source, embed.library_dir() / "libbgrace.a", target)


def linked(command: Sequence[str], source: Path, library: Path, target: Path) -> Path:
    """Link a program with a library, and with own_memory.c if `command` has its allocator."""
    sources = [source, *([OWN_MEMORY] if any("BGR_OWN" in word for word in command) else []), library]
    link_command = [*command, f"-I{embed.sources()[0].parent}", *map(str, sources), "-lm", "-o", str(target)]
    call(*link_command)
    return target
