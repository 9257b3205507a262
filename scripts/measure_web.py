"""Measure the explorer in Chromium and its interface for programs, and take its pictures.

    python scripts/measure_web.py page [FILE]        weight, first verdict, answers to edits
    python scripts/measure_web.py engine             answers of the page's own engine to one recorded race in --every
    python scripts/measure_web.py trainer [FILE]     what every answer costs, held against the library
    python scripts/measure_web.py rate [FILE]        answers a second, from --clients at once
    python scripts/measure_web.py pictures [FILE]    those in docs/pictures; look at every one before it is kept

FILE is a database; without one, that of 8 checkers a side in the user's cache folder.  Needs bgrace[web], Playwright
and --chromium.  The server runs in a process of its own; clients ask one question after another, each of sides of
recorded races that its answer has to name.  `attack.py` loads a server for minutes, with idle connections beside.
"""

from __future__ import annotations

import http.server
import json
import re
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import count, product
from pathlib import Path
from random import Random
from typing import Final, Literal

from attacks.server import Server, started
from check_trainer import KINDS, differences
from options import run_command
from playwright.sync_api import Browser, Page, Response, sync_playwright

import bgrace
from bgrace.web import cached_database, site_files, write_site
from bgrace.web.site_files import SITE

ROOT: Final = Path(__file__).resolve().parent.parent
CHROMIUM: Final = "/usr/bin/chromium"
EDITS: Final = 60
VIEWS: Final = 7
RACE: Final = "?xgid=-AAAABB------------bbbaa--:0:0:1:53:0:0:0:0:10"
CARD: Final = "XGID=-ABBAB--------------bcb---:0:0:1:00:0:0:0:0:10"

ASK_ENGINE: Final = """async ([ids, seconds]) => {
    const [{ RemoteEngine }, formats] = await Promise.all([import("./engine.js"), import("./formats.js")]);
    const engine = await RemoteEngine.start(new URL("bgrace.wasm", document.baseURI));
    const times = [];
    for (const id of ids) {
        const board = formats.parseBoard(id);
        const question = { onRoll: board.onRoll, opponent: board.opponent, stakes: formats.stakesOf(board),
                           budget: { seconds } };
        const start = performance.now();
        let verdict = null;
        await engine.solve(question, { onVerdict: () => (verdict = performance.now() - start) });
        times.push([verdict, performance.now() - start]);
    }
    engine.close();
    return times;
}"""

EDIT: Final = """async (edits) => {
    const waits = [];
    const verdict = document.getElementById("verdict-body");
    for (let k = 0; k < edits; k++) {
        const changed = new Promise((resolve) => {
            const watch = new MutationObserver(() => { watch.disconnect(); resolve(); });
            watch.observe(verdict, { childList: true, subtree: true });
        });
        const before = performance.now();
        const hit = document.querySelector(`.hit[data-point="${k % 2 ? 5 : 4}"]`);
        hit.focus();
        hit.dispatchEvent(new KeyboardEvent("keydown", { key: k % 4 < 2 ? "ArrowDown" : "ArrowUp", bubbles: true }));
        await changed;
        waits.push(performance.now() - before);
        await new Promise((resolve) => setTimeout(resolve, 60));
    }
    return waits;
}"""


def marks(times: Sequence[float]) -> str:
    """Of milliseconds."""
    ordered = sorted(times)
    within = (f"{p} % within {ordered[min(len(ordered) * p // 100, len(ordered) - 1)]:.1f}" for p in (95, 99))
    return f"median {ordered[len(ordered) // 2]:.1f} ms, {', '.join(within)}, greatest {ordered[-1]:.1f}"


@contextmanager
def served(file: Path | None) -> Iterator[Server]:
    """A server of a file, by default that of 8 checkers a side in the user's cache folder."""
    if file is None:
        with cached_database() as db:
            file = db.path
    with started(file) as server:
        yield server


@contextmanager
def browsing(chromium: str) -> Iterator[Browser]:
    """A browser that nothing is kept in."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


# ---------------------------------------------------------------------- programs that ask


def posted(asked: dict[str, object]) -> bytes:
    body = json.dumps(asked).encode()
    head = "POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def questions_of(file: Path) -> list[dict[str, object]]:
    """Sides of recorded races that the file has, for money, each pair once: kept answers do not help."""
    ids = json.loads(site_files()["races.json"].content)["ids"]
    with bgrace.open(file) as db:
        sides = {
            side.resized(db.space.points)
            for board in map(bgrace.parse_board, ids)
            for side in (board.on_roll, board.opponent)
            if side.checkers <= db.two_sided_checkers and side.highest <= db.space.points
        }
    pairs = list(product(sorted(sides), repeat=2))
    Random(1).shuffle(pairs)
    return [{"on_roll": list(on_roll), "opponent": list(opponent)} for on_roll, opponent in pairs[:40_000]]


class Connection:
    """One connection, on which one question follows another."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._socket.makefile("rb")

    def ask(self, request: bytes) -> tuple[int, bytes]:
        """Status and body; the status is 0 where there is no answer."""
        self._socket.sendall(request)
        found = re.match(rb"HTTP/1.1 (\d+)", self._answers.readline())
        length = 0
        while found and (line := self._answers.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return (int(found[1]) if found else 0), self._answers.read(length)


def ask_at_once(port: int, asked: list[dict[str, object]], seconds: float, clients: int) -> list[float]:
    """Milliseconds of questions that clients ask, until the time is over; each answer names its sides."""
    times, end = list[float](), time.monotonic() + seconds

    def ask(start: int) -> None:
        connection = Connection(port)
        for k in count(start):
            question, began = asked[k % len(asked)], time.monotonic()
            if began > end:
                return
            status, body = connection.ask(posted(question))
            times.append(1e3 * (time.monotonic() - began))
            told = json.loads(body) if status == 200 else {}
            assert status == 200, body[:120]
            assert all(told[side]["position"] == question[side] for side in question), question

    with ThreadPoolExecutor(clients) as threads:
        list(threads.map(ask, [k * len(asked) // clients for k in range(clients)]))
    return times


def rate(file: Path | None = None, *, seconds: float = 5.0, clients: int = 8) -> None:
    with served(file) as server:
        asked = questions_of(server.file)
        for n in (1, clients):
            before, times = server.used(), ask_at_once(server.port, asked, seconds, n)
            each = (server.used() - before) / len(times)
            print(f"{n} clients: {len(times) / seconds:,.0f} answers a second, {marks(times)}; ", end="")
            print(f"{1e3 * each:.2f} ms of a processor for each")


# ---------------------------------------------------------------------- the page


def page(file: Path | None = None, *, chromium: str = CHROMIUM) -> None:
    firsts = []
    responses: list[Response] = []
    with served(file) as server, browsing(chromium) as browser:
        for _ in range(VIEWS):
            seen = browser.new_page(viewport={"width": 1280, "height": 900})
            responses.clear()
            seen.on("response", lambda response: responses.append(response))  # noqa: PLW0108 (it marks what it is given)
            start = time.perf_counter()
            seen.goto(server.address)
            seen.wait_for_selector("#verdict .choices")
            firsts.append(1e3 * (time.perf_counter() - start))
        seen.wait_for_selector("#dice .roll")
        seen.wait_for_load_state("networkidle")
        sizes = [len(response.body()) for response in responses]
        packed = [response.request.sizes()["responseBodySize"] for response in responses]
        print(f"first view: {len(sizes)} requests, {sum(packed):,} bytes sent, {sum(sizes):,} uncompressed")
        print(f"first verdict: {marks(firsts)}")
        print(f"answer to an edit: {marks(seen.evaluate(EDIT, EDITS))}")


def engine(*, every: int = 121, chromium: str = CHROMIUM) -> None:
    """Ask the engine in a page that ``bgrace web --static`` writes; the least of three runs counts."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    Quiet.extensions_map = {**Quiet.extensions_map, ".wasm": "application/wasm", ".js": "text/javascript"}
    ids = (ROOT / "data" / "recorded-races.txt").read_text(encoding="utf-8").split()[::every]
    with tempfile.TemporaryDirectory() as folder, browsing(chromium) as browser:
        write_site(folder)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        seen = browser.new_page()
        seen.goto(f"http://127.0.0.1:{server.server_port}/")
        seen.wait_for_selector("#dice .roll")
        runs = [seen.evaluate(ASK_ENGINE, [ids, 0.05]) for _ in range(3)]
        server.shutdown()
        server.server_close()
    for k, name in enumerate(("verdict", "answer with sides and plays")):
        print(f"{len(ids)} races, {name}: {marks([min(run[race][k] for run in runs) for race in range(len(ids))])}")


def trainer(file: Path | None = None, *, questions: int = 1000, chromium: str = CHROMIUM) -> None:
    with served(file) as server, browsing(chromium) as browser:
        seen = browser.new_page()
        seen.goto(server.address)
        for kind in KINDS:
            found = list(differences(seen, kind, questions, 8, 1))
            worst = max(one.beyond for one in found)
            print(
                f"{kind:7} {questions:,} questions, {len(found):,} answers: greatest difference {worst:.3f}", flush=True
            )
            for one in [one for one in found if one.beyond > 1][:5]:
                print(f"        {one.xgid}: {one.beyond:.3f}")


def show_race(page: Page) -> None:
    page.wait_for_selector("#dice .roll")
    page.wait_for_selector("#plays .play")


def show_question(page: Page) -> None:
    memory = f'{{"cards": {{"a": {{"xgid": "{CARD}", "kind": "double", "box": 0, "due": 0}}}}, "history": []}}'
    page.evaluate("memory => localStorage.setItem('bgrace-trainer', memory)", memory)
    page.reload()
    page.click("#trainer [data-choice='0']")
    page.wait_for_selector("#trainer .judged")
    page.wait_for_selector("#trainer .counts")
    page.mouse.move(0, 0)


def show_review(page: Page) -> None:
    page.set_input_files("#review [data-part=file]", ROOT / "tests" / "review" / "matches" / "5-103.mat")
    page.wait_for_selector("#review .mistake")
    page.evaluate("document.activeElement.blur()")


def pictures(file: Path | None = None, *, chromium: str = CHROMIUM) -> None:
    with served(file) as server, browsing(chromium) as browser:
        take_pictures(browser, server.address)


def take_pictures(browser: Browser, home: str) -> None:
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for name, address, width, height, scheme, prepare in (
        ("explorer", RACE, 1280, 960, schemes[0], show_race),
        ("explorer-phone", RACE, 360, 780, schemes[1], show_race),
        ("trainer", "#trainer", 1280, 800, schemes[0], show_question),
        ("review", "#review", 1280, 1000, schemes[0], show_review),
    ):
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        page.goto(home + address)
        prepare(page)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=ROOT / "docs" / "pictures" / f"{name}.jpg", type="jpeg", quality=82)
    page = browser.new_page(viewport={"width": 512, "height": 512})
    page.goto((SITE / "icon.svg").as_uri())
    page.screenshot(path=SITE / "icon.png")


if __name__ == "__main__":
    sys.exit(run_command(__doc__, page, engine, trainer, rate, pictures))
