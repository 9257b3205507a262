"""Compilers for other processors, told the same in every test: in a run the library is compiled once for each."""

from __future__ import annotations

import shutil

import pytest

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]

CC = ["cc", "-std=c11", "-O1", *WARNINGS]
"""A compiler that finds fault with whatever it can."""

SANITIZED = [
    *("cc", "-std=c11", *WARNINGS, "-g", "-Og", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    *(f"-DBGR_OWN_{name.upper()}=own_{name}" for name in ("malloc", "realloc", "free")),
]
"""With the memory of tests/c/own_memory.c, or of whichever program has such functions itself."""

_TOLD = ["-std=gnu11", "-O2", "-ffp-contract=fast", "-static", *WARNINGS]

OTHERS: dict[str, tuple[list[str], list[str]]] = {
    "aarch64": (["aarch64-linux-gnu-gcc", *_TOLD], ["qemu-aarch64"]),
    "s390x": (["s390x-linux-gnu-gcc", *_TOLD], ["qemu-s390x"]),
    "i686": (["i686-linux-gnu-gcc", *_TOLD], []),
}
"""What compiles and links, and what runs the programs: 64 bits with NEON; the big end first; 32 bits."""


FOR_CARGO = {"CC": "ccache cc"} if shutil.which("ccache") else {}
"""Each build of the crates compiles the library, as packages/rust/bgrace-sys/build.rs says."""


def skip_without(processor: str) -> None:
    """Skip a test where its compiler or its emulator is not installed."""
    command, runner = OTHERS[processor]
    needed = [command[0], *runner]
    if not all(map(shutil.which, needed)):
        pytest.skip(f"needs {' and '.join(needed)}: .ci/run names the Debian packages")


def skip_without_zig() -> None:
    """Skip a test, or the module that asks, where nothing compiles the WebAssembly module."""
    pytest.importorskip("ziglang", reason="needs ziglang: BGRACE_WASM=1 sh scripts/test.sh installs it")
