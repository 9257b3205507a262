"""What is made once, whichever process of a run of the tests needs it first, and never changed after that.

scripts/test.sh names a folder for it in BGRACE_TESTS_ONCE, which the runs of all its steps share.
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
"""What the fixture `made` is."""


def folder_of_run(base: Path) -> Path:
    """A folder for all processes of a run; `base` is the temporary folder of this one."""
    own = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "once"
    folder = Path(os.environ.get("BGRACE_TESTS_ONCE", own))
    folder.mkdir(exist_ok=True)
    return folder


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other processes out: there are none but those of pytest-xdist, and of steps that run side by side."""
    if not {"PYTEST_XDIST_WORKER", "BGRACE_TESTS_ONCE"} & os.environ.keys():
        yield
        return
    import fcntl  # not on Windows, where tests run one by one

    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def made_once(folder: Path, name: str, make: Callable[[Path], object]) -> Path:
    """The file `name` in a folder of the run; `make` writes it to the path that it is given."""
    path = folder / name
    with _alone(folder / f"{name}.lock"):
        if not path.exists():
            with TemporaryDirectory(dir=folder) as scratch:
                make(Path(scratch, name))
                Path(scratch, name).rename(path)
    return path


def object_file(folder: Path, command: Sequence[str], source: Path) -> Path:
    """A source file compiled, by ccache where that is installed; `command` is a compiler and what it is told."""
    told = [*command, "-c", str(source)]
    launcher = [ccache] if (ccache := shutil.which("ccache")) else []
    anywhere = {**os.environ, "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1"}  # other clones have the same code

    def compile_source(target: Path) -> None:
        done = ran([*launcher, *told, "-o", str(target)], cwd=ROOT, env=anywhere)
        assert done.returncode == 0, f"{shlex.join(told)}\n{done.stderr}"
        assert done.stderr == ""

    name = f"{source.stem}-{sha256(shlex.join(told).encode()).hexdigest()[:16]}.o"
    return made_once(folder, name, compile_source)


def library_object(folder: Path, command: Sequence[str]) -> Path:
    """The C library, compiled from the one file that engines take along."""
    header, *_, source = embed.sources()
    return object_file(folder, [*command, f"-I{header.parent}"], source)


def with_library(folder: Path, command: Sequence[str], source: Path, target: Path) -> Path:
    """A program with the C library in it, all of it compiled as `command` says."""
    return linked(command, source, library_object(folder, command), target)


def with_own_library(source: Path, target: Path) -> Path:
    """A program with the library that the package was compiled with: nothing but the program is compiled."""
    return linked(["cc", "-std=c11"], source, embed.library_dir() / "libbgrace.a", target)


def linked(command: Sequence[str], source: Path, library: Path, target: Path) -> Path:
    """A program with a library; its memory comes from own_memory.c where `command` says so."""
    sources = [source, *([OWN_MEMORY] if any("BGR_OWN" in word for word in command) else []), library]
    told = [*command, f"-I{embed.sources()[0].parent}", *map(str, sources), "-lm", "-o", str(target)]
    call(*told)
    return target
