"""Measure the explorer: weight, first verdict, answers to edits, and the rate of the interface for programs.

    python scripts/measure_web.py [FILE] [--seconds 5] [--clients 8] [--chromium /usr/bin/chromium]

FILE is a database; without one, that of 8 checkers a side in the user's cache folder.  Needs bgrace[web], and for the
page Playwright and Chromium.  Questions are sides of recorded races that the file has.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import IO, Final

from playwright.sync_api import Response, sync_playwright

import bgrace
from bgrace.web import cached_database, site_files

ROOT: Final = Path(__file__).resolve().parent.parent
EDITS: Final = 60
VIEWS: Final = 7


@dataclass(frozen=True)
class Server:
    """``bgrace web`` in a process of its own."""

    port: int
    pid: int

    def used(self) -> float:
        """Seconds of processors that it has used: of Linux alone."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def started(file: Path, said: IO[str] | None = None) -> Iterator[Server]:
    """Run a server until the block ends; `said` takes what it says on standard error."""
    command = [sys.executable, "-m", "bgrace", "web", str(file), "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            found = re.search(r":(\d+)/", line)
            assert found is not None, line
            yield Server(int(found[1]), process.pid)
        finally:
            process.terminate()


@contextmanager
def served(file: Path) -> Iterator[int]:
    """The same; gives its port."""
    with started(file) as server:
        yield server.port


def questions(file: Path, n: int) -> list[bytes]:
    """Requests about sides of recorded races that the file has, for money, each once: kept answers do not help."""
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
    requests = []
    for on_roll, opponent in pairs[:n]:
        requests.append(posted({"on_roll": list(on_roll), "opponent": list(opponent)}))
    return requests


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

    def leave(self, request: bytes) -> None:
        """Ask, and go away before the answer comes."""
        self._socket.sendall(request)
        time.sleep(0.05)
        self.close()

    def close(self) -> None:
        """Close it."""
        self._answers.close()
        self._socket.close()


def posted(asked: dict[str, object]) -> bytes:
    body = json.dumps(asked).encode()
    head = "POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def ask(port: int, requests: list[bytes], seconds: float, times: list[float], start: int) -> None:
    """Ask one question after another on one connection."""
    connection, k = Connection(port), start
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        before = time.perf_counter()
        status, _ = connection.ask(requests[k % len(requests)])
        assert status == 200, status
        times.append(time.perf_counter() - before)
        k += 1
    connection.close()


def measure_rate(server: Server, requests: list[bytes], clients: int, seconds: float) -> None:
    """Print the rate and the times of answers to a number of clients at once, and what the server has to do for one."""
    port, before = server.port, server.used()
    times: list[list[float]] = [[] for _ in range(clients)]
    threads = [
        threading.Thread(target=ask, args=(port, requests, seconds, times[k], k * len(requests) // clients))
        for k in range(clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    used = server.used() - before
    every = sorted(1e3 * each for client in times for each in client)
    p99 = every[len(every) * 99 // 100]
    print(
        f"{clients} client{'s' * (clients > 1)}: {len(every) / seconds:,.0f} answers a second, "
        f"median {statistics.median(every):.1f} ms, p99 {p99:.1f} ms; "
        f"{1e3 * used / len(every):.2f} ms of a processor for each, which is {len(every) / used:,.0f} a second of one"
    )


def measure_page(port: int, chromium: str) -> None:
    """Print what the first view weighs, and how long answers take on the page."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        firsts = []
        responses: list[Response] = []
        for _ in range(VIEWS):  # each of a browser that has nothing kept
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            responses.clear()
            page.on("response", lambda response: responses.append(response))  # noqa: PLW0108 (it marks what it is given)
            start = time.perf_counter()
            page.goto(f"http://127.0.0.1:{port}/")
            page.wait_for_selector("#verdict .choices")
            firsts.append(1e3 * (time.perf_counter() - start))
        page.wait_for_selector("#dice .roll")
        page.wait_for_load_state("networkidle")
        sizes = [len(response.body()) for response in responses]
        packed = [response.request.sizes()["responseBodySize"] for response in responses]
        print(f"first view: {len(sizes)} requests, {sum(packed):,} bytes sent, {sum(sizes):,} uncompressed")
        print(f"first verdict: {min(firsts):.0f} ms at best, {statistics.median(firsts):.0f} ms at the median")
        waits = page.evaluate(
            """async (edits) => {
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
                    const key = k % 4 < 2 ? "ArrowDown" : "ArrowUp";
                    hit.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
                    await changed;
                    waits.push(performance.now() - before);
                    await new Promise((resolve) => setTimeout(resolve, 60));
                }
                return waits;
            }""",
            EDITS,
        )
        waits.sort()
        most = waits[len(waits) * 95 // 100]
        print(f"answer to an edit: median {statistics.median(waits):.0f} ms, 95 % within {most:.0f} ms")
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    arguments = parser.parse_args()
    file = arguments.file
    if file is None:
        with cached_database() as db:
            file = db.path
    requests = questions(file, 40_000)
    with started(file) as server:
        measure_page(server.port, arguments.chromium)
        measure_rate(server, requests, 1, arguments.seconds)
        measure_rate(server, requests, arguments.clients, arguments.seconds)


if __name__ == "__main__":
    main()
