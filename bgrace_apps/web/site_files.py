"""The files of the site: served as they are, or written out for any web server."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from bgrace import embed
from bgrace._base.files import make_folder, write_small_file
from bgrace._base.language import languages, words
from bgrace.errors import ArgumentError

SITE: Final = Path(__file__).resolve().parent / "site"
"""Where the files of the site are."""

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}

_SERVED: Final = 'name="bgrace-answers" content="server"'
_ALONE: Final = 'name="bgrace-answers" content="page"'
_MODULE: Final = "bgrace.wasm"
_OFFLINE: Final = "offline.js"


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
    """Read the files of the site, by their names.

    Returns
    -------
    dict of str to SiteFile
    """
    files = {
        path.name: SiteFile(path.read_bytes(), _TYPES[path.suffix])
        for path in sorted([*SITE.iterdir(), *embed.javascript_dir().iterdir()])
        if path.suffix in _TYPES
    }
    for language in languages():
        texts = json.dumps(words(language), ensure_ascii=False).encode()
        files[f"words.{language}.json"] = SiteFile(texts, _TYPES[".json"])
    return files


def write_site(folder: str | os.PathLike[str], table: str | None = None) -> list[Path]:
    """Write the site so that any web server can serve it, without Python; pages answer by themselves, offline too.

    Parameters
    ----------
    folder : path-like
        Made if it is not there; files of the site in it are replaced, but no other ``index.html``.
    table : str, optional
        The address of a packed file on a web host, or its name beside the page: pages look bearoffs for money up in it.

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    ArgumentError
        If `folder` is a file or has another site, or `table` no address.
    BuildError, DependencyError
        If a file cannot be written, or the engine for pages has to be compiled and cannot be:
        `bgrace.embed.wasm_module`.
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise ArgumentError(f"{target} is a file: give a folder to write the site to")
    page = target / "index.html"
    if page.is_file() and b"bgrace-answers" not in page.read_bytes():
        raise ArgumentError(f"{page} is of another site, and stays: give another folder, or remove it first")
    contents = {name: file.content for name, file in site_files().items()}
    index = contents["index.html"].decode()
    assert _SERVED in index, "the page says who answers it"
    contents["index.html"] = _with_table(index.replace(_SERVED, _ALONE), table).encode()
    contents[_MODULE] = embed.wasm_module().read_bytes()
    digest = hashlib.sha256(b"".join(contents[name] for name in sorted(contents))).hexdigest()[:16]
    kept = json.dumps(["./", *sorted(contents.keys() - {"index.html", _OFFLINE})]).encode()
    contents[_OFFLINE] = contents[_OFFLINE].replace(b"VERSION", digest.encode(), 1).replace(b'["./"]', kept, 1)
    make_folder(target)
    return [write_small_file(target / name, content) for name, content in contents.items()]


def _with_table(index: str, table: str | None) -> str:
    """Return the page with the address of the table, and with leave to read it."""
    if table is None:
        return index
    wrong = ArgumentError(
        f"{table:.80} is not the address of a table: give one with https://, or a name beside the page"
    )
    try:
        parts = urlsplit(table)
    except ValueError:
        raise wrong from None
    of_page, of_host = not parts.scheme and not parts.netloc, parts.scheme in ("http", "https") and parts.hostname
    if not (of_page or of_host) or not re.fullmatch(r"[^\s;,'\"<>\ud800-\udfff]+", table):
        raise wrong
    host = f" {parts.scheme}://{parts.netloc}" if of_host else ""
    told = f'{_ALONE}>\n<meta name="bgrace-table" content="{escape(table)}"'
    return index.replace("connect-src 'self'", f"connect-src 'self'{host}").replace(_ALONE, told)
