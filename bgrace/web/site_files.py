"""The files of the site: served as they are, or written out for any web server."""

from __future__ import annotations

import gzip
import hashlib
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from bgrace import embed
from bgrace.errors import ArgumentError

__all__ = ["SITE", "SiteFile", "site_files", "write_site"]

SITE: Final = Path(__file__).resolve().parent / "site"
"""Where the files of the site are."""

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}

_SERVED: Final = 'name="bgrace-answers" content="server"'
_ALONE: Final = 'name="bgrace-answers" content="page"'
_MODULE: Final = "bgrace.wasm"


@dataclass(frozen=True)
class SiteFile:
    """One file of the site.

    Attributes
    ----------
    content : bytes
    media_type : str
    """

    content: bytes
    media_type: str

    @cached_property
    def etag(self) -> str:
        """Tells this content from any other."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:32]}"'

    @cached_property
    def gzipped(self) -> bytes | None:
        """The same, compressed; None if that is not shorter."""
        packed = gzip.compress(self.content, 9, mtime=0)
        return packed if len(packed) < len(self.content) else None


def site_files() -> dict[str, SiteFile]:
    """Read the files of the site.

    Returns
    -------
    dict of str to SiteFile
        By their names; the module of the engine among them where it has been built.
    """
    files = {
        path.relative_to(SITE).as_posix(): SiteFile(path.read_bytes(), _TYPES[path.suffix])
        for path in sorted(SITE.rglob("*"))
        if path.suffix in _TYPES
    }
    module = _module()
    if module is not None:
        files[_MODULE] = SiteFile(module.read_bytes(), _TYPES[".wasm"])
    return files


def write_site(folder: str | os.PathLike[str]) -> list[Path]:
    """Write the site so that any web server can serve it, without Python; pages answer by themselves.

    Parameters
    ----------
    folder : path-like
        Made if it is not there; files of the site in it are replaced.

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    ArgumentError
        If `folder` is a file, or this bgrace was built without the engine for pages.
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise ArgumentError(f"{target} is a file: give a folder to write the site to")
    files = site_files()
    if _MODULE not in files:
        raise ArgumentError("this bgrace was built without the engine for pages: build it where ziglang is installed")
    index = files["index.html"].content.decode().replace(_SERVED, _ALONE)
    files["index.html"] = SiteFile(index.encode(), _TYPES[".html"])
    written = []
    for name, file in files.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
        written.append(path)
    return written


def _module() -> Path | None:
    """The engine for pages, where it has been built."""
    path = embed.library_dir() / _MODULE
    return path if path.is_file() else None
