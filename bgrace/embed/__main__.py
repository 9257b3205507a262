"""``python -m bgrace.embed``: flags and folders, for shell scripts and Makefiles."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from bgrace import embed
from bgrace.errors import BgraceError


def main() -> None:
    """Print what the options ask for, in one line, quoted for a shell."""
    parser = argparse.ArgumentParser(prog="python -m bgrace.embed", description="Where the C library for engines is.")
    parser.add_argument("--cflags", action="store_true", help="flags for the compiler")
    parser.add_argument("--libs", action="store_true", help="flags for the linker")
    parser.add_argument("--static", action="store_true", help="with --libs: the static library")
    parser.add_argument("--sources", action="store_true", help="headers and bgrace.c, to put into a program")
    parser.add_argument("--includedir", action="store_true", help="folder of the headers")
    parser.add_argument("--libdir", action="store_true", help="folder of the libraries")
    parser.add_argument("--pkgconfigdir", action="store_true", help="folder of bgrace.pc, for PKG_CONFIG_PATH")
    parser.add_argument("--cmakedir", action="store_true", help="folder of bgraceConfig.cmake, for bgrace_DIR")
    parser.add_argument("--wasm", action="store_true", help="the WebAssembly module, compiled if it has to be")
    asked = parser.parse_args()
    answers = {
        "cflags": embed.cflags(),
        "libs": embed.libs(static=asked.static),
        "sources": [str(path) for path in embed.sources()],
        "includedir": [str(embed.include_dir())],
        "libdir": [str(embed.library_dir())],
        "pkgconfigdir": [str(embed.pkgconfig_dir())],
        "cmakedir": [str(embed.cmake_dir())],
        "wasm": [str(_wasm_module(parser))] if asked.wasm else [],
    }
    words = [word for name, answer in answers.items() if getattr(asked, name) for word in answer]
    if not words:
        parser.error("ask for something, such as --cflags --libs")
    print(shlex.join(words))


def _wasm_module(parser: argparse.ArgumentParser) -> Path:
    try:
        return embed.wasm_module()
    except BgraceError as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()
