"""Check that a built site loads nothing from another host: check_site.py build/site.

MkDocs itself checks links, with warnings as errors.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

LOADED: Final = {"action", "data", "poster", "src", "srcset"}
"""Attributes whose address a browser loads by itself; it also loads href, except of a link to click."""

_OF_STYLE = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


class PageReader(HTMLParser):
    """Collects the addresses that a page loads."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at the attributes of an element."""
        for name, value in attrs:
            if value and (name in LOADED or (name.endswith("href") and tag != "a")):
                self.loaded.append(value)
            elif value and name == "style":
                self.loaded += addresses(value)

    def handle_data(self, data: str) -> None:
        """Look at a style sheet in the page."""
        if self.lasttag == "style":
            self.loaded += addresses(data)


def addresses(style: str) -> list[str]:
    """List every address that a style sheet loads."""
    return [first or second for first, second in _OF_STYLE.findall(style)]


def problems(site: Path) -> Iterator[str]:
    """Name each address of another host that a page loads."""
    for path in sorted(each for each in site.rglob("*") if each.suffix in (".html", ".css")):
        text, page = path.read_text(encoding="utf-8"), PageReader()
        page.feed(text if path.suffix == ".html" else f"<style>{text}</style>")
        for address in page.loaded:
            parts = urlsplit(address)
            if parts.scheme != "data" and (parts.scheme or parts.netloc):
                yield f"{path.relative_to(site)}: {address} is loaded from another host"


def main() -> None:
    site = Path(sys.argv[1])
    wrong = list(problems(site))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    sys.exit(1 if wrong or not any(site.rglob("*.html")) else 0)


if __name__ == "__main__":
    main()
