"""Fixtures of tests/apps/web: a server on a port of its own, and a browser that looks at it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bgrace

__all__ = ["browser", "desktop", "playwright", "server", "view", "whole_browser"]

if TYPE_CHECKING:  # who has not installed bgrace[web] can still collect these tests, which are skipped then
    from playwright.sync_api import Browser, Playwright

    from helpers.web import Client, View


@pytest.fixture(scope="session")
def server(database: bgrace.Database) -> Iterator[Client]:
    """What `bgrace web` serves, from a file of pairs of up to six checkers a side."""
    from bgrace_apps.web import Answers
    from helpers.web import serving

    with serving(Answers(database)) as client:
        yield client


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What starts browsers."""
    api = pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")
    with api.sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium that has no window to draw in, and takes half the time, if it is there."""
    yield from _launched(playwright, "chromium-headless-shell", *_CHROMIUMS)


@pytest.fixture
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium as people have it: it knows whether a page can be installed."""
    yield from _launched(playwright, *_CHROMIUMS)


_CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")


def _launched(playwright: Playwright, *names: str) -> Iterator[Browser]:
    path = os.environ.get("BGRACE_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None or not Path(path).exists():
        if os.environ.get("CI") and sys.platform == "linux":
            pytest.fail("continuous integration tries the page in a browser, and there is none")
        pytest.skip("needs Chromium: apt install chromium, or name it in BGRACE_CHROMIUM")
    launched = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
    yield launched
    launched.close()


@pytest.fixture(params=["desktop", "phone"])
def view(request: pytest.FixtureRequest, browser: Browser, server: Client) -> Iterator[View]:
    """A page on a desktop and on a phone; whatever is done there, its console stays empty."""
    from helpers.web import watched

    with watched(browser, server.address, request.param) as seen:
        yield seen


@pytest.fixture
def desktop(browser: Browser, server: Client) -> Iterator[View]:
    """A page on a desktop alone."""
    from helpers.web import watched

    with watched(browser, server.address, "desktop") as seen:
        yield seen
