"""Fixtures of tests/apps/web: a server on its own port, and a browser that opens its page."""

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

if TYPE_CHECKING:  # without bgrace[web] these tests can still be collected, and are skipped
    from playwright.sync_api import Browser, Playwright

    from helpers.web import Client, View


@pytest.fixture(scope="session")
def server(database: bgrace.Database) -> Iterator[Client]:
    """Serve what `bgrace web` does, from a file with pairs of up to six checkers a side."""
    from bgrace_apps.web import Answers
    from helpers.web import serving

    with serving(Answers(database)) as client:
        yield client


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Start Playwright."""
    api = pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")
    with api.sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Start Chromium's headless shell, which takes half the time of Chromium, or Chromium without it."""
    yield from _launched(playwright, "chromium-headless-shell", *_CHROMIUMS)


@pytest.fixture
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """Start the whole Chromium, which knows whether a page can be installed."""
    yield from _launched(playwright, *_CHROMIUMS)


_CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")


def _launched(playwright: Playwright, *names: str) -> Iterator[Browser]:
    path = os.environ.get("BGRACE_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None or not Path(path).exists():
        if os.environ.get("CI") and sys.platform == "linux":
            pytest.fail("continuous integration tests the page in a browser, and Chromium is not installed")
        pytest.skip("needs Chromium: apt install chromium, or name it in BGRACE_CHROMIUM")
    launched = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
    yield launched
    launched.close()


@pytest.fixture(params=["desktop", "phone"])
def view(request: pytest.FixtureRequest, browser: Browser, server: Client) -> Iterator[View]:
    """Open the page on a desktop and on a phone, and check that the console stays empty."""
    from helpers.web import watched

    with watched(browser, server.address, request.param) as seen:
        yield seen


@pytest.fixture
def desktop(browser: Browser, server: Client) -> Iterator[View]:
    """Open the page on a desktop alone."""
    from helpers.web import watched

    with watched(browser, server.address, "desktop") as seen:
        yield seen
