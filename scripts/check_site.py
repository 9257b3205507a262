"""Check a built site: every link leads somewhere, and nothing is loaded from another host.

python scripts/check_site.py build/site
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

LOADED: Final = {
    "audio": ("src",),
    "embed": ("src",),
    "form": ("action",),
    "iframe": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("src", "srcset"),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
"""Attributes whose address a browser asks for by itself."""

_OF_STYLE = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


class PageReader(HTMLParser):
    """Collects the names of a page, where it links to, and what it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at the attributes of an element."""
        self._in_style = tag == "style"
        for name, value in attrs:
            if not value:
                continue
            if name == "id" or (tag == "a" and name == "name"):
                self.names.add(value)
            elif tag == "a" and name == "href":
                self.links.append(value)
            elif name in LOADED.get(tag, ()):
                self.loaded.append(value)
            elif name == "style":
                self.loaded.extend(addresses(value))

    def handle_data(self, data: str) -> None:
        """Look at what a style sheet in the page loads."""
        if self._in_style:
            self.loaded.extend(addresses(data))

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a style sheet."""
        if tag == "style":
            self._in_style = False


def addresses(style: str) -> list[str]:
    """Every address that a style sheet loads."""
    return [first or second for first, second in _OF_STYLE.findall(style)]


def problems(site: Path) -> Iterator[str]:
    """What is wrong with a site, one line each."""
    pages: dict[Path, PageReader] = {}
    for path in sorted(site.rglob("*.html")):
        pages[path] = PageReader()
        pages[path].feed(path.read_text(encoding="utf-8"))
    for path, page in pages.items():
        for address in (*page.links, *page.loaded):
            wrong = _wrong(site, path, address, pages, is_loaded=address in page.loaded)
            if wrong:
                yield f"{path.relative_to(site)}: {address} {wrong}"
    for path in sorted(site.rglob("*.css")):
        for address in addresses(path.read_text(encoding="utf-8")):
            wrong = _wrong(site, path, address, pages, is_loaded=True)
            if wrong:
                yield f"{path.relative_to(site)}: {address} {wrong}"


def _wrong(site: Path, path: Path, address: str, pages: dict[Path, PageReader], *, is_loaded: bool) -> str:
    """Say what is wrong with an address in a file; empty if nothing is."""
    parts = urlsplit(address)
    if parts.scheme == "data":
        return ""
    if parts.scheme or parts.netloc:
        return "is loaded from another host" if is_loaded else ""
    # The page of an unknown address does not know where it is: its links begin at the root.
    start = site if parts.path.startswith("/") else path.parent
    target = (start / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_relative_to(site) or not target.is_file():
        return "leads nowhere"
    if parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
        return "names nothing on its page"
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Check the links of a built site, and that it loads nothing from elsewhere."
    )
    parser.add_argument("site", type=Path)
    site: Path = parser.parse_args().site.resolve()
    wrong = list(problems(site))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    sys.exit(1 if wrong or not any(site.rglob("*.html")) else 0)


if __name__ == "__main__":
    main()
