"""The place of the C library for engines, and its compiler flags.

``python -m bgrace.embed --cflags --libs`` prints the same for shell scripts and Makefiles.  docs/embedding.md has a
complete program.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

from bgrace._base.files import cache_folder
from bgrace.embed.compiler import compile_module, has_compiler
from bgrace.errors import BuildError, DependencyError

__all__ = [
    "cflags",
    "cmake_dir",
    "include_dir",
    "javascript_dir",
    "library_dir",
    "libs",
    "pkgconfig_dir",
    "sources",
    "wasm_module",
    "wasm_sources",
]

_HERE = Path(__file__).resolve().parent


def include_dir() -> Path:
    """Folder of ``bgrace.h`` and of the three headers that include it."""
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
    """The files that can be compiled into a program as they are: ``bgrace.h``, the other headers, ``bgrace.c``."""
    return [*sorted(include_dir().glob("bgrace*.h")), _HERE / "src" / "bgrace.c"]


def cflags() -> list[str]:
    """The compiler flags of a program that includes ``bgrace.h``.

    Examples
    --------
    >>> cflags()[0].startswith("-I")
    True
    """
    return [f"-I{include_dir()}"]


def libs(static: bool = False) -> list[str]:
    """The linker flags of a program that uses the library.

    Parameters
    ----------
    static : bool
        Whether to link the static library, which makes the program independent of this installation.

    Returns
    -------
    list of str
        For the shared library they include the path at which the program finds it.
    """
    folder = library_dir()
    if sys.platform == "win32":
        return [str(folder / "bgrace.lib")]
    if static:
        return [str(folder / "libbgrace.a"), "-lm"]
    return [f"-L{folder}", "-lbgrace", f"-Wl,-rpath,{folder}"]


def wasm_sources() -> Path:
    """Folder with the sources of the WebAssembly module: ``bgrace-page.c`` and its headers."""
    return _HERE / "src" / "wasm"


def javascript_dir() -> Path:
    """The folder of ``engine.js``, which loads the WebAssembly module, and of the modules that it imports."""
    return _HERE / "js"


def wasm_module() -> Path:
    """The library as a WebAssembly module, which ``bgrace/embed/js/engine.js`` loads into a page.

    It is part of the package if that was built with ziglang.  Else it is compiled at the first call, which takes some
    seconds, and kept in the user's cache folder.

    Returns
    -------
    Path
        The module, with the same bytes from the same version of ziglang on any machine.  With ziglang 0.16 and later
        it gives the same answers, but takes twice the memory in a long run.

    Raises
    ------
    DependencyError
        If it must be compiled and ziglang is not installed.
    BuildError
        If the compiler fails, or the cache folder cannot be written to.
    """
    built = library_dir() / "bgrace.wasm"
    if built.is_file():
        return built
    folder = wasm_sources()
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(folder).as_posix()}\n".encode() + path.read_bytes())
    kept = cache_folder() / f"bgrace-{digest.hexdigest()[:16]}.wasm"
    if kept.is_file():
        return kept
    if not has_compiler():
        raise DependencyError('the WebAssembly module has to be compiled: pip install "bgrace[wasm]"')
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        compile_module(folder, kept)
    except subprocess.CalledProcessError as error:
        raise BuildError(f"ziglang failed to compile the WebAssembly module: {error.stderr.strip()}") from error
    except OSError as error:
        raise BuildError(
            f"{kept} cannot be written: {error.strerror}; set XDG_CACHE_HOME to a folder that can"
        ) from error
    return kept
