"""Measure a packed file on a web host, with nginx: what a question reads, how long it takes, and whether it is right.

Python asks, and then the engine of a page (in Node).

    python scripts/measure_ranges.py FILE [--pairs 100000] [--delay 0.05] [--nginx nginx]

Every request waits for `delay` seconds on its way.
"""

from __future__ import annotations

import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from check_page_engine import ask
from options import read_options

import bgrace
from bgrace.database.store import remote

PLANES: Final = ("cubeless", "centered", "mine", "theirs")
CONF: Final = """daemon off; pid {0}/pid; error_log {0}/errors; user root; events {{}} http {{ access_log off;
client_body_temp_path {0}/a; proxy_temp_path {0}/b; fastcgi_temp_path {0}/c; uwsgi_temp_path {0}/d;
scgi_temp_path {0}/e;
server {{ listen 127.0.0.1:{1}; root {2}; }} }}"""


@contextmanager
def served(file: Path, nginx: str) -> Iterator[int]:
    """The port on which nginx serves the folder of a file."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        conf = Path(folder, "nginx.conf")
        conf.write_text(CONF.format(folder, port, file.parent), encoding="utf-8")
        process = subprocess.Popen([nginx, "-p", folder, "-c", str(conf)], stderr=subprocess.DEVNULL)
        try:
            for _ in range(100):
                time.sleep(0.05)
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
            yield port
        finally:
            process.terminate()
            process.wait()


def pass_on(source: socket.socket, target: socket.socket, delay: float) -> None:
    try:
        while data := source.recv(1 << 16):
            time.sleep(delay)
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def delayed(port: int, delay: float) -> int:
    """The port on which the same is had with every request that much later."""
    server = socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        while True:
            near, far = server.accept()[0], socket.create_connection(("127.0.0.1", port))
            threading.Thread(target=pass_on, args=(near, far, delay), daemon=True).start()
            threading.Thread(target=pass_on, args=(far, near, 0), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return int(server.getsockname()[1])


@contextmanager
def counted() -> Iterator[list[remote.RemoteFile]]:
    """Collect the files that are opened."""
    files: list[remote.RemoteFile] = []
    first = remote.RemoteFile._first

    def noted(file: remote.RemoteFile) -> bytes:
        files.append(file)
        return first(file)

    with patch.object(remote.RemoteFile, "_first", noted):
        yield files


def of_page(local: bgrace.Database, address: str, pairs: list[tuple[list[int], list[int]]], cold: bool) -> int:
    """Pairs that the page's engine answers with other bits; prints what it reads."""
    lines: list[dict[str, Any]] = [{"url": address, "cold": True}]
    for pair in pairs:
        lines += [{"call": "equities", "words": pair}, {"url": address}]
        lines += [{"url": address, "cold": True}] * cold
    told = ask(lines)
    step = 2 + cold
    before = [{"requests": 0, "bytes": 0}] * len(pairs) if cold else told[0:-1:step]
    after = told[2::step]
    for what in ("requests", "bytes"):
        each = [b[what] - a[what] for a, b in zip(before, after, strict=True)]
        print(f"{what} at most {max(each)}, median {statistics.median(each):.0f}", end="; ")
    return sum(
        any(found[plane] != getattr(local.equities(*map(tuple, pair)), plane) for plane in PLANES)
        for pair, found in zip(pairs, told[1::step], strict=True)
    )


def main() -> None:
    asked = read_options(__doc__, "file", pairs=100_000, delay=0.05, nginx="nginx")
    asked.file = asked.file.resolve()
    rng = np.random.default_rng(1)
    if not shutil.which(asked.nginx):
        sys.exit(f"{asked.nginx} is not there: apt install nginx-light, or give --nginx PATH")
    with bgrace.open(asked.file) as local, served(asked.file, asked.nginx) as port, counted() as files:
        n = bgrace.PositionSpace(local.space.points, local.two_sided_checkers)

        def pick(k: int) -> npt.NDArray[np.int8]:
            return np.array([n.position(int(i)) for i in rng.integers(1, len(n), k)], np.int8)

        slow = f"http://127.0.0.1:{delayed(port, asked.delay)}/{asked.file.name}"
        for name in ("cold", "warm"):
            requests, n_bytes, seconds = [], [], []
            db = bgrace.open(slow)
            for mine, theirs in zip(pick(100), pick(100), strict=True):
                start, file = time.perf_counter(), files[-1]
                before = file.n_requests, file.n_bytes
                if name == "cold":
                    before, db = (0, 0), bgrace.open(slow)
                found = db.equities(tuple(mine), tuple(theirs))
                seconds.append(time.perf_counter() - start)
                requests.append(files[-1].n_requests - before[0])
                n_bytes.append(files[-1].n_bytes - before[1])
                if found != local.equities(tuple(mine), tuple(theirs)):
                    sys.exit(f"{mine} {theirs} differ")
            print(
                f"{name}: requests at most {max(requests)}; bytes at most {max(n_bytes)}, median "
                f"{statistics.median(n_bytes):.0f}; seconds at most {max(seconds):.3f}, median "
                f"{statistics.median(seconds):.3f}"
            )
        chosen = [(mine.tolist(), theirs.tolist()) for mine, theirs in zip(pick(100), pick(100), strict=True)]
        for name in ("cold", "warm"):
            start = time.perf_counter()
            print(f"page, {name}: ", end="")
            wrong = of_page(local, slow, chosen, name == "cold")
            print(f"{(time.perf_counter() - start) / len(chosen):.3f} s for each; {wrong} of {len(chosen)} differ")
        mine, theirs, near = pick(asked.pairs), pick(asked.pairs), f"http://127.0.0.1:{port}/{asked.file.name}"
        start = time.perf_counter()
        print("page, no delay: ", end="")
        wrong = of_page(local, near, list(zip(mine.tolist(), theirs.tolist(), strict=True)), False)
        print(f"{time.perf_counter() - start:.0f} s; {wrong} of {asked.pairs} differ")
        with bgrace.open(near) as db:
            start = time.perf_counter()
            found_all, known = db.equities(mine, theirs), local.equities(mine, theirs)
            same = sum(np.array_equal(getattr(found_all, plane), getattr(known, plane)) for plane in PLANES)
            wins = np.array_equal(db.win_probability(mine, theirs), local.win_probability(mine, theirs))
            print(
                f"{asked.pairs} pairs: {same} of 4 equities and {int(wins)} of 1 chances have the same bits; ", end=""
            )
            print(f"{files[-1].n_requests} requests, {files[-1].n_bytes} bytes, {time.perf_counter() - start:.1f} s")
    sys.exit(0 if same == 4 and wins and not wrong else 1)


if __name__ == "__main__":
    main()
