"""The C library as a WebAssembly module, by the compiler that the package ziglang brings.

Of the standard library alone: setup.py runs this before there is a package.
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
    "-ffp-contract=off",  # WebAssembly has no fused multiply-add, and shall round as everything else does
    "-Wl,--strip-all",
)
"""Options of the compiler; nothing that depends on the machine, so that the module has the same bytes everywhere.

Of the C library that ziglang brings for wasm32-wasi the module takes memory, sorting and copying, which ask nothing of
a system: it imports nothing but what csrc/wasm/page.c names.
"""


def has_compiler() -> bool:
    """Whether ziglang is installed."""
    return importlib.util.find_spec("ziglang") is not None


def compile_module(folder: Path, target: Path) -> None:
    """Compile ``bgrace-page.c`` of a folder, with the headers beside it, to a WebAssembly module.

    Parameters
    ----------
    folder : Path
        With ``bgrace-page.c`` and the headers.
    target : Path
        Appears when it is complete.

    Raises
    ------
    subprocess.CalledProcessError
        If the compiler fails; its `stderr` says why.
    OSError
        If a file cannot be written.
    """
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".bgrace-") as scratch:
        made = Path(scratch, "bgrace.wasm")
        command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, "-I.", "bgrace-page.c"]
        # From within the folder, so that no path of this machine is part of what is compiled.
        subprocess.run([*command, "-o", str(made.absolute())], cwd=folder, check=True, capture_output=True, text=True)
        made.chmod(0o644)
        os.replace(made, target)
