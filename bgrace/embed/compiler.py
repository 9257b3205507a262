"""Compile the C library to a WebAssembly module, with the compiler of the package ziglang.

This module imports only the standard library, because setup.py runs it before the package exists.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

FLAGS = (
    *("-target", "wasm32-wasi", "-mexec-model=reactor", "-mcpu=generic+simd128+bulk_memory"),
    *("-std=c11", "-O2", "-DNDEBUG", "-fno-math-errno", "-fvisibility=hidden", "-Wno-unknown-pragmas"),
    "-ffp-contract=off",  # WebAssembly has no fused multiply-add, and shall round like all other builds
    "-Wl,--strip-all",
)
"""Options of the compiler; nothing that depends on the machine, so that the module has the same bytes everywhere.

From ziglang's C library for wasm32-wasi the module uses memory, sorting and copying, which need no operating system: it
imports only the functions named in csrc/wasm/page.c.
"""


def has_compiler() -> bool:
    """Whether ziglang is installed."""
    return importlib.util.find_spec("ziglang") is not None


def compile_module(folder: Path, target: Path) -> None:
    """Compile ``bgrace-page.c`` of a folder, with the headers beside it, to a WebAssembly module.

    Parameters
    ----------
    folder : Path
        Folder of ``bgrace-page.c`` and the headers.
    target : Path
        The module, which appears only when it is complete.

    Raises
    ------
    subprocess.CalledProcessError
        If the compiler fails; `stderr` has the reason.
    OSError
        If a file cannot be written.
    """
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".bgrace-") as scratch:
        made = Path(scratch, "bgrace.wasm")
        command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, "-I.", "bgrace-page.c"]
        # Run in the folder, so that no path of this machine becomes part of the module.
        subprocess.run([*command, "-o", str(made.absolute())], cwd=folder, check=True, capture_output=True, text=True)
        made.chmod(0o644)
        os.replace(made, target)
