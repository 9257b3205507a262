"""Where the C library for engines is, and the compiler flags that it needs.

``python -m bgrace.embed --cflags --libs`` prints the same for shell scripts and Makefiles.  docs/embedding.md shows a
whole program.
"""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["cflags", "cmake_dir", "include_dir", "library_dir", "libs", "pkgconfig_dir", "sources"]

_HERE = Path(__file__).resolve().parent


def include_dir() -> Path:
    """Folder of ``bgrace.h``."""
    return _HERE / "include"


def library_dir() -> Path:
    """Folder of the static and the shared library."""
    return _HERE / "lib"


def pkgconfig_dir() -> Path:
    """Folder of ``bgrace.pc``, for ``PKG_CONFIG_PATH``."""
    return library_dir() / "pkgconfig"


def cmake_dir() -> Path:
    """Folder of ``bgraceConfig.cmake``, for ``bgrace_DIR``."""
    return library_dir() / "cmake" / "bgrace"


def sources() -> list[Path]:
    """Give the two files that can be put into a program as they are: ``bgrace.h`` and ``bgrace.c``."""
    return [include_dir() / "bgrace.h", _HERE / "src" / "bgrace.c"]


def cflags() -> list[str]:
    """Give the compiler flags of a program that includes ``bgrace.h``.

    Examples
    --------
    >>> cflags()[0].startswith("-I")
    True
    """
    return [f"-I{include_dir()}"]


def libs(static: bool = False) -> list[str]:
    """Give the linker flags of a program that uses the library.

    Parameters
    ----------
    static : bool
        Whether to take the static library, which makes the program independent of this installation.

    Returns
    -------
    list of str
        With the shared library, the program also learns where to find it when it starts.
    """
    folder = library_dir()
    if sys.platform == "win32":
        return [str(folder / "bgrace.lib")]
    if static:
        return [str(folder / "libbgrace.a"), "-lm"]
    return [f"-L{folder}", "-lbgrace", f"-Wl,-rpath,{folder}"]
