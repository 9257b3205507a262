"""Extend MkDocs for the site: pages from outside docs/, links to sources, notebooks, and options of commands.

`mkdocs.yml` names this file.  A link from a page to a file outside docs/, such as ``../csrc/bgrace.h``, leads to a
copy of the file in the site, so that the site needs nothing from other places; CHANGELOG.md is a page; notebooks are
run, and become pages with the output of their cells.  The section of each command ends with its options from `--help`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from notebooks import NOTEBOOKS, page_of, run

from bgrace.cli import cli

ROOT: Final = Path(__file__).resolve().parent.parent
DOCS: Final = ROOT / "docs"

_LINK = re.compile(r"(?<=\]\()[\w./-]+(?=[)#])")
_CHANGES: Final = "CHANGELOG.md"

BOOSTS: Final = {
    "glossary.md": 50.0,
    "Start": 4.0,
    "For players": 3.0,
    "How to": 2.0,
    "How it works": 0.2,
    "Reference": 0.1,
}
"""How much search prefers a page, or the pages of a part of the site; 1 for the others."""

UNSEARCHED: Final = ("api/studies/", "changelog.md")
"""A folder of pages and a page that search leaves out."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add pages and sources from outside docs/."""
    for file in [file for file in files if file.src_uri.endswith(".ipynb")]:
        files.remove(file)
    for path in NOTEBOOKS:
        name = path.relative_to(DOCS).with_suffix(".md").as_posix()
        files.append(File.generated(config, name, content=page_of(run(path))))
    files.append(File.generated(config, "changelog.md", content=(ROOT / _CHANGES).read_text(encoding="utf-8")))
    for target in sorted({target for path in DOCS.rglob("*.md") for target in _outside(path)}):
        files.append(File.generated(config, _copy(target), abs_src_path=str(ROOT / target)))
    return files


def on_page_markdown(markdown: str, /, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Correct links for the site, and set how much search prefers the page."""
    del config, files
    if page.file.src_uri.startswith(UNSEARCHED):
        page.meta["search"] = {"exclude": True}
    else:
        part = next((above.title or "" for above in reversed(list(page.ancestors))), "")
        page.meta["search"] = {"boost": BOOSTS.get(page.file.src_uri, BOOSTS.get(part, 1.0))}
    folder = posixpath.dirname(page.file.src_uri)
    if folder == "commands":
        markdown = re.sub(r"^##+ bgrace (.+)\n(?:(?!#).*\n)*(?=#|\Z)", _with_options, markdown, flags=re.MULTILINE)

    def correct(found: re.Match[str]) -> str:
        link = found.group()
        if page.file.src_uri == "changelog.md":
            return link.removeprefix("docs/")
        target = posixpath.normpath(posixpath.join("docs", folder, link))
        if target.startswith("docs/"):
            return re.sub(r"\.ipynb$", ".md", link)
        return posixpath.relpath("changelog.md" if target == _CHANGES else _copy(target), folder or ".")

    return _LINK.sub(correct, markdown)


def _with_options(section: re.Match[str]) -> str:
    """Add a box with the options of a command to its section."""
    command: click.Command = cli
    context = click.Context(cli, info_name="bgrace", terminal_width=100)
    for name in section[1].split():
        assert isinstance(command, click.Group)
        command = command.get_command(context, name) or cli
        context = click.Context(command, info_name=name, parent=context)
    options = command.get_help(context).partition("Options:\n")[2]
    listed = "".join(f"    {line}\n" for line in ("```text", *options.rstrip().splitlines(), "```"))
    return f'{section[0].rstrip()}\n\n??? note "Options"\n{listed}\n' if options else section[0]


def _outside(path: Path) -> Iterator[str]:
    """List the files outside docs/ that a page links to, by their path in the repository."""
    folder = path.parent.relative_to(ROOT).as_posix()
    for link in _LINK.findall(path.read_text(encoding="utf-8")):
        target = posixpath.normpath(posixpath.join(folder, link))
        if not target.startswith("docs/") and target != _CHANGES:
            yield target


def _copy(target: str) -> str:
    """Name the copy of a file in the site; the copy of Markdown is plain text."""
    return f"source/{target}.txt" if target.endswith(".md") else f"source/{target}"
