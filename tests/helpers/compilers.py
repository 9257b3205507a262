"""Command lines of compilers.  All tests use the same ones, so that a run compiles the library once for each."""

from __future__ import annotations

import shutil

import pytest

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]

CC = ["cc", "-std=c11", "-O1", *WARNINGS]
"""With warnings as errors."""

SANITIZED = [
    *("cc", "-std=c11", *WARNINGS, "-g", "-Og", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    *(f"-DBGR_OWN_{name.upper()}=own_{name}" for name in ("malloc", "realloc", "free")),
]
"""With sanitizers, and the allocator of tests/c/own_memory.c or of the program itself."""

_FLAGS = ["-std=gnu11", "-O2", "-ffp-contract=fast", "-static", *WARNINGS]

OTHERS: dict[str, tuple[list[str], list[str]]] = {
    "aarch64": (["aarch64-linux-gnu-gcc", *_FLAGS], ["qemu-aarch64"]),
    "s390x": (["s390x-linux-gnu-gcc", *_FLAGS], ["qemu-s390x"]),
    "i686": (["i686-linux-gnu-gcc", *_FLAGS], []),
}
"""Compiler and emulator by processor: 64 bits with NEON, big-endian, 32 bits."""


FOR_CARGO = {"CC": "ccache cc"} if shutil.which("ccache") else {}
"""Environment of cargo, which compiles the library in every build of the crates."""


def skip_without(processor: str) -> None:
    """Skip a test if its compiler or its emulator is not installed."""
    command, runner = OTHERS[processor]
    needed = [command[0], *runner]
    if not all(map(shutil.which, needed)):
        pytest.skip(f"needs {' and '.join(needed)}: .ci/run names the Debian packages")


def skip_without_zig() -> None:
    """Skip a test, or the calling module, if the compiler of the WebAssembly module is not installed."""
    pytest.importorskip("ziglang", reason="needs ziglang: BGRACE_WASM=1 sh scripts/test.sh installs it")
