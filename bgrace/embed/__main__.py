"""``python -m bgrace.embed``: flags and folders, for shell scripts and Makefiles."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from bgrace import embed
from bgrace.errors import BgraceError


def main() -> None:
    """Print what the options ask for, in one line, quoted for a shell."""
    parser = argparse.ArgumentParser(prog="python -m bgrace.embed", description="Where the C library for engines is.")
    answers: dict[str, tuple[str, Callable[[], Sequence[str | Path]]]] = {
        "cflags": ("flags for the compiler", embed.cflags),
        "libs": ("flags for the linker", lambda: embed.libs(static=asked.static)),
        "sources": ("headers and bgrace.c, to put into a program", embed.sources),
        "includedir": ("folder of the headers", lambda: [embed.include_dir()]),
        "libdir": ("folder of the libraries", lambda: [embed.library_dir()]),
        "pkgconfigdir": ("folder of bgrace.pc, for PKG_CONFIG_PATH", lambda: [embed.pkgconfig_dir()]),
        "cmakedir": ("folder of bgraceConfig.cmake, for bgrace_DIR", lambda: [embed.cmake_dir()]),
        "wasm": ("the WebAssembly module, compiled if it has to be", lambda: [embed.wasm_module()]),
    }
    for name, (what, _) in answers.items():
        parser.add_argument(f"--{name}", action="store_true", help=what)
    parser.add_argument("--static", action="store_true", help="with --libs: the static library")
    asked = parser.parse_args()
    try:
        words = [str(word) for name, (_, answer) in answers.items() if getattr(asked, name) for word in answer()]
    except BgraceError as error:
        parser.exit(1, f"{error}\n")
    if not words:
        parser.error("ask for something, such as --cflags --libs")
    print(shlex.join(words))


if __name__ == "__main__":
    main()
