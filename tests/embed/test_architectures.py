"""The C code on other processors: cross-compiled and emulated, it must give the bytes that it gives here."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from helpers.paths import ROOT

FLAGS = ["-std=c11", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Wno-unknown-pragmas", f"-I{ROOT / 'csrc'}"]


def hashes(compiler: str, folder: Path, *runner: str) -> dict[str, str]:
    """Hash of the solved table by the path that solved it."""
    program = folder / compiler
    sources = [str(ROOT / "tests/c/two_sided_paths.c"), *map(str, sorted((ROOT / "csrc").rglob("*.c")))]
    subprocess.run([compiler, *FLAGS, "-static", *sources, "-o", str(program), "-lm"], check=True)
    printed = subprocess.run([*runner, str(program)], check=True, capture_output=True, text=True).stdout
    return {path: value for path, value in (line.split() for line in printed.splitlines())}  # noqa: C416  (for types)


def test_every_path_of_this_machine_gives_the_same_bytes(tmp_path: Path) -> None:
    found = hashes("cc" if shutil.which("cc") else "gcc", tmp_path)
    assert {"best", "scalar"} <= set(found)
    assert len(set(found.values())) == 1


@pytest.mark.skipif(
    not (shutil.which("aarch64-linux-gnu-gcc") and shutil.which("qemu-aarch64")),
    reason="needs the Debian packages gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user",
)
def test_neon_gives_the_bytes_of_this_machine(tmp_path: Path) -> None:
    here = hashes("cc" if shutil.which("cc") else "gcc", tmp_path)
    there = hashes("aarch64-linux-gnu-gcc", tmp_path, "qemu-aarch64")
    assert "neon" in there
    assert set(there.values()) == set(here.values())
