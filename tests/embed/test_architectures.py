"""The C code gives the same bytes on every vector path, here and on an emulated processor with NEON."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from helpers.command import call
from helpers.compilers import skip_without
from helpers.once import object_file
from helpers.paths import ROOT

pytestmark = pytest.mark.platforms

FLAGS = ["-std=c11", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Wno-unknown-pragmas", f"-I{ROOT / 'csrc'}"]
ROOMS = ["base", "simd", "solve"]
"""Folders of csrc/ with the solver of pairs."""


def hashes(once: Path, compiler: str, target: Path, *runner: str) -> dict[str, str]:
    """Solve a table by every path of a processor, and return the hash of each result."""
    sources = [
        ROOT / "tests/c/two_sided_paths.c",
        *(path for room in ROOMS for path in (ROOT / "csrc" / room).glob("*.c")),
    ]
    objects = [str(object_file(once, [compiler, *FLAGS], source)) for source in sorted(sources)]
    call(compiler, "-static", *objects, "-o", target, "-lm")
    lines = call(*runner, target).splitlines()
    return {path: value for path, value in (line.split() for line in lines)}  # noqa: C416  (for types)


def test_every_path_gives_the_same_bytes_here_and_on_neon(once: Path, tmp_path: Path) -> None:
    here = hashes(once, "cc" if shutil.which("cc") else "gcc", tmp_path / "here")
    assert {"best", "scalar"} <= set(here)
    assert len(set(here.values())) == 1
    skip_without("aarch64")
    there = hashes(once, "aarch64-linux-gnu-gcc", tmp_path / "there", "qemu-aarch64")
    assert "neon" in there
    assert set(there.values()) == set(here.values())
