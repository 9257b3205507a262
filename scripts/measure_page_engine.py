"""Measure how long the engine in a page takes to answer recorded races, in Chromium.

    python scripts/measure_page_engine.py [--every 121] [--seconds 0.05] [--repeats 3] [--chromium /usr/bin/chromium]

Some of the races of data/recorded-races.txt is asked at its score, as the page asks it first, in a site that
``bgrace web --static`` writes.  Printed are milliseconds to the verdict with its chances and equities, and to the whole
answer, with both sides by themselves: the least of several runs.  Needs bgrace[web], Playwright and Chromium.
"""

from __future__ import annotations

import argparse
import http.server
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from bgrace.web import write_site

RACES: Final = Path(__file__).resolve().parent.parent / "data" / "recorded-races.txt"

ASK: Final = """async ([ids, seconds]) => {
    const [{ RemoteEngine }, formats] = await Promise.all([import("./engine.js"), import("./formats.js")]);
    const engine = await RemoteEngine.start(new URL("bgrace.wasm", document.baseURI));
    const times = [];
    for (const id of ids) {
        const board = formats.parseBoard(id);
        const question = { onRoll: board.onRoll, opponent: board.opponent, stakes: formats.stakesOf(board),
                           budget: { seconds } };
        const start = performance.now();
        let verdict = null;
        const answer = await engine.solve(question, { onVerdict: () => (verdict = performance.now() - start) });
        times.push([verdict, performance.now() - start, answer.method === "solved"]);
    }
    engine.close();
    return times;
}"""


@contextmanager
def served(folder: str) -> Iterator[str]:
    """Serve a folder until the block ends."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    Quiet.extensions_map = {**Quiet.extensions_map, ".wasm": "application/wasm", ".js": "text/javascript"}
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def show(name: str, times: list[float]) -> None:
    """Print marks of what was measured."""
    ordered = sorted(times)
    marks = ", ".join(f"{p} % within {ordered[min(len(ordered) * p // 100, len(ordered) - 1)]:.0f}" for p in (75, 95))
    print(f"{name}: median {ordered[len(ordered) // 2]:.0f} ms, {marks}, greatest {ordered[-1]:.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=121, help="take one race in this many")
    parser.add_argument("--seconds", type=float, default=0.05, help="the budget of an answer")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    arguments = parser.parse_args()
    ids = RACES.read_text(encoding="utf-8").split()[:: arguments.every]
    runs: list[list[tuple[float, float, bool]]] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        write_site(folder)
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        with served(folder) as address:
            page = browser.new_page()
            page.goto(address)
            page.wait_for_selector("#dice .roll")
            runs.extend(page.evaluate(ASK, [ids, arguments.seconds]) for _ in range(arguments.repeats))
        browser.close()
    print(f"{len(ids)} races, {sum(solved for _, _, solved in runs[0])} of them solved exactly")
    for k, name in enumerate(("verdict", "answer")):
        show(name, [min(run[race][k] for run in runs) for race in range(len(ids))])


if __name__ == "__main__":
    main()
