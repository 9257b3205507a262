"""The pages about the Python interface say what there is, and something about all of it."""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import iter_modules

import make_api_pages
import pytest
from make_api_pages import API, PAGES

import bgrace


def test_the_pages_are_as_the_docstrings_make_them() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in API.glob("*.md")}
    made = make_api_pages.pages()
    assert set(written) == set(made)
    for name, text in made.items():
        assert written[name] == text, f"docs/api/{name} is out of date: run python scripts/make_api_pages.py"


@pytest.mark.parametrize("page", PAGES)
def test_every_public_name_has_a_line(page: str) -> None:
    lines = (API / f"{page}.md").read_text(encoding="utf-8").splitlines()
    said = {found[1]: found[2] for line in lines if (found := re.match(r"\| `([\w.]+).*?` \| (.*) \|$", line))}
    for module in PAGES[page]:
        for name in import_module(module).__all__:
            assert said.get(name), f"{module}.{name} has no line in docs/api/{page}.md"


def test_every_subject_has_a_page() -> None:
    documented = {module.split(".")[1] for modules in PAGES.values() for module in modules if "." in module}
    rooms = {module.name for module in iter_modules(bgrace.__path__) if not module.name.startswith("_")}
    # What users reach through the names of bgrace itself, or that has pages of its own.
    assert rooms - documented == {"board", "cli", "database", "estimates", "solving", "tables"}
