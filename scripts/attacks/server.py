"""Connections that ask nothing, or never read, while a proper client wants its answers: `attack.py --only connections`.

Half-open ones send half a head of a request and wait; unreading ones ask for whatever is long, again and again, and
take none of it; as soon as the server closes one, another takes its place.  They come from many addresses of this
machine, for one address has a limit.  Then bytes are sent that are no request.  A proper client asks a race again and
again, on new connections: each answer has to be right, and come within a second.  Linux, which has 127.0.0.0/8.
"""

from __future__ import annotations

import asyncio
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO, Final

import bgrace
from attacks import Tried

ROOT: Final = Path(__file__).resolve().parents[2]
WITHIN: Final = 1.0
HALF_OPEN: Final = 5000
UNREADING: Final = 50
_AN_ADDRESS: Final = 100
_HALF: Final = b"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-"
_LONG: Final = b"GET /app.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 400
_RACE: Final = b'{"on_roll": [0, 0, 0, 0, 0, 1], "opponent": [1, 0, 0, 0, 0, 0]}'
_PROPER: Final = (
    b"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(_RACE), _RACE)
)
ODD: Final = (
    b"nonsense\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01",
    b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /api/solve?xgid=%00%ff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999\r\n\r\n",
    b"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
    b'POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 16\r\n\r\n{"xgid": "\xff\xfe\x00"}',
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://[\r\n\r\n",
)
"""Bytes that are not a question."""


class Crowd(threading.Thread):
    """Connections that are made again as soon as they are closed, beside whatever else is done."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port, self._numbers, self._stopped = port, count(), threading.Event()
        self.made = self.open = self.most_open = 0

    def run(self) -> None:
        """Make them."""
        asyncio.run(self._all())

    def stop(self) -> None:
        """Close them."""
        self._stopped.set()
        self.join()

    async def _all(self) -> None:
        kinds = [self._half_open] * HALF_OPEN + [self._unreading] * UNREADING
        crowd = [asyncio.create_task(self._hold(kind)) for kind in kinds]  # all of them knock at once
        while not self._stopped.is_set():
            await asyncio.sleep(0.05)
        for each in crowd:
            each.cancel()

    async def _hold(self, kind: Callable[[socket.socket], Awaitable[None]]) -> None:
        while True:
            with socket.socket() as made, suppress(OSError):
                made.bind((f"127.0.1.{2 + next(self._numbers) // _AN_ADDRESS % 200}", 0))
                made.setblocking(False)
                await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", self._port))
                self.made += 1
                self.open += 1
                self.most_open = max(self.most_open, self.open)
                try:
                    await kind(made)
                finally:
                    self.open -= 1
            await asyncio.sleep(0.05)

    async def _half_open(self, made: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(made, _HALF)
        while await loop.sock_recv(made, 1 << 16):
            pass

    async def _unreading(self, made: socket.socket) -> None:
        while True:  # until nothing more is taken; then it waits, for the end
            await asyncio.get_running_loop().sock_sendall(made, _LONG)


def ask(port: int, request: bytes, timeout: float = 30.0) -> bytes:
    """What comes back on a new connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        connection.sendall(request)
        parts = []
        with suppress(TimeoutError, ConnectionError):
            while part := connection.recv(1 << 16):
                parts.append(part)
        return b"".join(parts)


@dataclass(frozen=True)
class Server:
    """``bgrace web`` in a process of its own."""

    file: Path
    port: int
    pid: int

    @property
    def address(self) -> str:
        """With a slash at its end."""
        return f"http://127.0.0.1:{self.port}/"

    def used(self) -> float:
        """Seconds of processors that it has used: how long answers take on a machine that does nothing else."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def started(file: Path, said: IO[str] | None = None) -> Iterator[Server]:
    """Run a server until the block ends; what goes wrong is said to a file."""
    command = [sys.executable, "-m", "bgrace", "web", str(file), "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            found = re.search(r":(\d+)/", line)
            assert found is not None, line
            yield Server(file, int(found[1]), process.pid)
        finally:
            process.terminate()


def attack(seconds: float = 30.0) -> Tried:
    """Run a server, and try all of it."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    failed, times, worked, n_odd = [], [], [], 0
    with tempfile.TemporaryDirectory() as folder, Path(folder, "said").open("w+") as said:
        bgrace.build(Path(folder, "x.h5"), 6, 6, 4)
        with started(Path(folder, "x.h5"), said) as running:
            port = running.port
            crowd = Crowd(port)
            crowd.start()
            end = time.monotonic() + seconds
            while crowd.made < 0.9 * (HALF_OPEN + UNREADING) and time.monotonic() < end:
                time.sleep(0.1)  # until they are there, or as many as the server lets in
            filled, end = crowd.open, time.monotonic() + seconds
            while time.monotonic() < end:
                began, before = time.monotonic(), running.used()
                try:
                    told = ask(port, _PROPER)
                except OSError as error:
                    told = repr(error).encode()
                times.append(time.monotonic() - began)
                worked.append(running.used() - before)
                if b" 200 " not in told[:20] or b'"win_probability":0.75' not in told.replace(b": ", b":"):
                    failed.append(f"a proper client got {told[:60]!r}")
                body = ODD[n_odd % len(ODD)]
                n_odd += 1
                answer = ask(port, body, timeout=0.2)
                if answer.startswith((b"HTTP/1.1 2", b"HTTP/1.1 5")):
                    failed.append(f"{body[:60]!r} got {answer[:60]!r}")
            crowd.stop()
            with suppress(OSError):
                ask(port, _PROPER)
            status = Path(f"/proc/{running.pid}/status").read_text(encoding="utf-8")
            memory = re.search(r"VmHWM:\s+(\d+)", status)
        said.seek(0)
        printed = said.read().strip()
    if printed:
        failed.append(f"the server printed {printed[-300:]}")
    n_late = sum(each > WITHIN for each in times)
    if n_late:
        failed.append(f"{n_late} of {len(times)} answers took more than {WITHIN:.0f} s, the slowest {max(times):.1f} s")
    note = (
        f"{filled:,} open when the client began, {crowd.most_open:,} at most; {len(times)} proper answers, "
        f"the slowest after {max(times):.2f} s, or {max(worked):.2f} s of the server's processor time; "
        f"{n_odd} odd requests; {int(memory[1]) // 1024 if memory else 0} MB"
    )
    return Tried("half-open and unreading connections", crowd.made, failed, note)
