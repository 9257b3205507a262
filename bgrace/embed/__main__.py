"""``python -m bgrace.embed``: flags and folders, for shell scripts and Makefiles."""

from __future__ import annotations

import argparse
import os
import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from bgrace import embed
from bgrace.errors import BgraceError


def main() -> None:
    """Print the flags and folders of the options in one line.

    A single path is printed as it is, for ``"$(python -m bgrace.embed --libdir)"``; among several words, those with
    blanks or characters of the shell are quoted, for ``eval``.
    """
    parser = argparse.ArgumentParser(prog="python -m bgrace.embed", description="Where the C library for engines is.")
    answers: dict[str, tuple[str, Callable[[], Sequence[str | Path]]]] = {
        "cflags": ("flags for the compiler", embed.cflags),
        "libs": ("flags for the linker", lambda: embed.libs(static=arguments.static)),
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
    arguments = parser.parse_args()
    try:
        words = [word for name, (_, answer) in answers.items() if getattr(arguments, name) for word in answer()]
        if not words:
            parser.error("ask for something, such as --cflags --libs")
        alone = len(words) == 1 and isinstance(words[0], Path)
        line = str(words[0]) if alone else " ".join(_quoted(str(word)) for word in words)
        os.write(1, os.fsencode(line + "\n"))  # a file name is printed byte by byte, in any encoding of the output
    except (BgraceError, OSError) as error:
        parser.exit(1, f"{error}\n")


def _quoted(word: str) -> str:
    """Quote a word that a shell would split or expand; `shlex.quote` would also quote non-ASCII letters."""
    return shlex.quote(word) if re.search(r"[^\w@%+=:,./\-\x80-\U0010ffff]", word) else word


if __name__ == "__main__":
    main()
