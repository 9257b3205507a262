"""Load the interface for programs: many clients for minutes, open connections, odd bodies.

    python scripts/load_web.py [FILE] [--clients 50] [--seconds 120] [--connections 1000]

FILE is a database; without one, that of 8 checkers a side in the user's cache folder.  The server runs in a process of
its own.  Clients ask one question after another, each of a race that its answer has to name; a part of them asks races
that have to be solved, and is told now and then to come back later.  Meanwhile other connections are opened and left
alone, and bodies are sent that are no questions.  At the end the server has to answer as at the beginning, and to
have printed nothing.  The exit status is 1 if an answer was lost or another's, or if anything else went wrong.
"""

from __future__ import annotations

import argparse
import json
import re
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Final

from measure_web import Connection, posted, questions, started

from bgrace.web import cached_database

_HEAD: Final = b"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
ODD: Final = (
    _HEAD + b"Content-Length: 5\r\n\r\n{{{{{",
    _HEAD + b"Content-Length: 99999999\r\n\r\n",
    _HEAD + b"Content-Length: 2\r\n\r\n[]",
    _HEAD + b'Content-Length: 16\r\n\r\n{"xgid": "\xff\xfe\x00"}',
    _HEAD + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
    b"GET /api/solve?xgid=%00%ff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"nonsense\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01",
)
"""Bytes that are not a question."""

SLOW: Final = {"on_roll": "13x1 8x3 6x6 5x5", "opponent": "10x1 8x2 6x6 5x6", "seconds": 0.3}


class Load:
    """What clients do, and what came back: by status, and what was wrong."""

    def __init__(self, port: int, requests: list[bytes], seconds: float) -> None:
        self._port, self._requests, self._end = port, requests, time.monotonic() + seconds
        self.statuses: Counter[int] = Counter()
        self.wrong: list[str] = []
        self.times: list[float] = []
        self.slow_times: list[float] = []

    def run(self, client: Callable[[int], None], start: int) -> None:
        """Be a client; what goes wrong with its connection is told."""
        try:
            client(start)
        except OSError as error:
            self.wrong.append(f"a connection was lost: {error}")

    def quick(self, start: int) -> None:
        """Ask races that the file has, each known again in its answer."""
        connection, k = Connection(self._port), start
        while time.monotonic() < self._end:
            request = self._requests[k % len(self._requests)]
            k += 1
            began = time.monotonic()
            status, body = connection.ask(request)
            self.times.append(time.monotonic() - began)
            self.statuses[status] += 1
            if status == 429:
                time.sleep(0.2)
                continue
            asked = json.loads(request.partition(b"\r\n\r\n")[2])
            told = json.loads(body) if status == 200 else {}
            if any(told.get(side, {}).get("position") != asked[side] for side in ("on_roll", "opponent")):
                self.wrong.append(f"{status}: {body[:120]!r} to {asked}")
        connection.close()

    def slow(self, start: int) -> None:
        """Ask races that have to be solved, none of them twice; leave half of them before the answer comes."""
        k = start
        while time.monotonic() < self._end:
            connection = Connection(self._port)
            request = posted(SLOW | {"seconds": 0.3 + k * 1e-6})
            k += 1
            if k % 2:
                connection.leave(request)
                continue
            began = time.monotonic()
            status, _ = connection.ask(request)
            self.statuses[status] += 1
            if status == 200:
                self.slow_times.append(time.monotonic() - began)
            elif status == 429:
                time.sleep(1)
            else:
                self.wrong.append(f"{status} to a race that has to be solved")
            connection.close()

    def odd(self) -> None:
        """Send bytes that are not a question."""
        while time.monotonic() < self._end:
            for body in ODD:
                with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), timeout=5) as connection:
                    connection.sendall(body)
                    connection.settimeout(1)
                    told = connection.recv(200)
                    if told.startswith((b"HTTP/1.1 2", b"HTTP/1.1 5")):
                        self.wrong.append(f"{told[:60]!r} to {body[:60]!r}")
            time.sleep(0.2)


def open_ones(port: int, n: int) -> list[socket.socket]:
    """Connections on which nothing is asked, as many as can be had."""
    found = []
    with suppress(OSError):
        for _ in range(n):
            found.append(socket.create_connection(("127.0.0.1", port), timeout=5))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--connections", type=int, default=1000)
    asked = parser.parse_args()
    file = asked.file
    if file is None:
        with cached_database() as db:
            file = db.path
    requests = questions(file, 40_000)
    with tempfile.TemporaryFile("w+") as said, started(file, said) as server:
        port = server.port
        first = Connection(port).ask(requests[0])
        load = Load(port, requests, asked.seconds)
        n_slow = max(1, asked.clients // 10)
        threads = [
            threading.Thread(target=load.run, args=(load.quick, k * len(requests) // asked.clients))
            for k in range(asked.clients - n_slow)
        ]
        threads += [threading.Thread(target=load.run, args=(load.slow, 100_000 * k)) for k in range(n_slow)]
        threads += [threading.Thread(target=load.odd)]
        for thread in threads:
            thread.start()
        time.sleep(asked.seconds / 4)
        idle = open_ones(port, asked.connections)
        time.sleep(asked.seconds / 4)
        for each in idle:
            each.close()
        for thread in threads:
            thread.join()
        time.sleep(1)
        again = Connection(port).ask(requests[0])
        memory = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{server.pid}/status").read_text(encoding="utf-8"))
        said.seek(0)
        printed = said.read()
    times, slow = sorted(load.times), sorted(load.slow_times)
    print(f"{asked.clients} clients, {asked.seconds:.0f} s: answers by status {dict(load.statuses)}")
    print(f"{len(times) / asked.seconds:,.0f} a second; p99 {1e3 * times[len(times) * 99 // 100]:.0f} ms")
    print(f"{len(slow)} long questions were answered; median {median(slow):.1f} s, the last after {slow[-1]:.1f} s")
    print(f"{len(idle)} more connections; most memory {int(memory[1]) // 1024 if memory else 0} MB")
    problems = load.wrong[:10]
    problems += ["the last answer is not the first"] * (again != first)
    problems += [f"printed: {printed[-600:]}"] * bool(printed.strip())
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
