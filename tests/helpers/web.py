"""A server, and pages whose console is watched, for the tests of the explorer; skipped without bgrace[web]."""

from __future__ import annotations

import http.client
import http.server
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="needs bgrace[web]")
pytest.importorskip("uvicorn", reason="needs bgrace[web]")

from bgrace_apps.web import Answers, create_app
from bgrace_apps.web.app import listening, server_of
from helpers.known import known

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@dataclass(frozen=True)
class Reply:
    """A reply of the server."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Client:
    """Asks a server."""

    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            sent = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, sent, response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Reply:
        return self.request("GET", path, headers=headers)

    def ask(self, what: str, **fields: object) -> Reply:
        body = json.dumps(fields).encode()
        return self.request("POST", f"/api/{what}", body, {"Content-Type": "application/json"})


@contextmanager
def serving(answers: Answers, **options: Any) -> Iterator[Client]:
    """Run a server during the block."""
    with listening("127.0.0.1", 0) as listener:
        server = server_of(create_app(answers, **options))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield Client(listener.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(10)


class View:
    """A page with everything that it wrote to its console and everything that it requested."""

    def __init__(self, page: Page, address: str, size: str = "desktop") -> None:
        self.page = page
        self.size = size
        self.address = address
        self.said: list[str] = []
        self.asked: list[str] = []
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))

    def open(self, query: str = "", wait: str = "#dice .roll") -> Page:
        """Go to an address of the page, and wait for an element."""
        self.page.goto(self.address + query)
        self.page.wait_for_selector(wait)
        return self.page

    def check(self) -> None:
        """Check that the console is empty, and that nothing was requested from other hosts."""
        assert self.said == [], self.said
        assert [url for url in self.asked if not url.startswith((self.address, "data:", "blob:"))] == []


def look_at(page: Page, card: str, wanted: str) -> None:
    """Scroll to a card until an element is there: only visible cards are filled, and cards above it may still grow."""
    shown = "([card, wanted]) => (document.querySelector(card).scrollIntoView(), document.querySelector(wanted))"
    page.wait_for_function(shown, arg=[card, wanted])


def card(kind: str, xgid: str) -> dict[str, Any]:
    """Return a missed question of the trainer."""
    return {f"{kind} {xgid}": {"xgid": xgid, "kind": kind, "box": 0, "due": 0}}


def remember(page: Page, **memory: Any) -> None:
    """Give the trainer a memory: settings, answers, and cards of missed questions."""
    kept = json.dumps({"history": [], "cards": {}} | memory)
    page.evaluate("memory => localStorage.setItem('bgrace-trainer', memory)", kept)


def place_of(page: Page, point: int, board: str = "#board") -> tuple[float, float]:
    """Return the place of a point of a board on the screen, near the rim."""
    place = page.locator(f'{board} .hit[data-point="{point}"]')
    place.scroll_into_view_if_needed()
    box = known(place.bounding_box())
    lower = point in range(13)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] * (0.85 if lower else 0.15)


def drag(page: Page, start: tuple[float, float], *way: tuple[float, float]) -> None:
    """Drag a checker."""
    page.mouse.move(*start)
    page.mouse.down()
    for place in way:
        page.mouse.move(*place, steps=4)
    page.mouse.up()


SIZES = {"desktop": (1280, 900), "phone": (360, 740)}


@contextmanager
def watched(browser: Browser, address: str, size: str) -> Iterator[View]:
    """Open a window; at the end of the block check that its console is empty."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=size == "phone", reduced_motion="reduce"
    )
    context.set_default_timeout(30_000)
    seen = View(context.new_page(), address, size)
    yield seen
    seen.check()
    context.close()
