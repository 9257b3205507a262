"""A packed file on a web host, and hosts that are not as they should be."""

import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.command import run

import bgrace
from bgrace.database.store import remote
from bgrace.errors import ArgumentError, FormatError
from bgrace.verify import verify

PLANES = ("cubeless", "centered", "mine", "theirs")
MINE, THEIRS = (1, 0, 4), (2, 2, 11)

RAW = {
    "not yet": b"HTTP/1.1 100 Continue\r\n\r\n" * 400_000,
    "too large": b"HTTP/1.1 206 P\r\nContent-Range: bytes 0-2/" + b"9" * 5000 + b"\r\nContent-Length: 3\r\n\r\nabc",
    "rude": b"HTTP/1.1 404 \x1b[31m" + b"x" * 60_000 + b"\r\n\r\n",
    "to nowhere": b"HTTP/1.1 302 F\r\nLocation: http://[\r\n\r\n",
    "to no port": b"HTTP/1.1 302 F\r\nLocation: http://127.0.0.1:9x/\r\n\r\n",
    "to no name": b"HTTP/1.1 302 F\r\nLocation: http://a..b/\r\n\r\n",
    "round and round": b"HTTP/1.1 302 F\r\nLocation: /\xe9\r\n\r\n",
}
"""What a host sends whatever it is asked."""


class Host(BaseHTTPRequestHandler):
    """Serves one file, in a way that the class's `mode` says."""

    protocol_version = "HTTP/1.1"
    data = b""
    other = b""
    mode = "good"
    n_requests = 0

    def log_message(self, *told: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        kind = type(self)
        kind.n_requests += 1
        late = kind.n_requests > 1
        if kind.mode in RAW:
            self.close_connection = True
            with suppress(OSError):
                self.wfile.write(RAW[kind.mode])
            return
        told = re.findall(r"(\d+)-(\d+)", self.headers["Range"])
        wanted = [(int(first), min(int(last), len(self.data) - 1)) for first, last in told]
        data = kind.other if late and kind.mode == "changed" else kind.data
        if late and kind.mode == "lying":
            data = bytes(byte ^ 1 for byte in data)
        if kind.mode == "moved" and not self.path.endswith("2"):
            self.reply(302, b"", Location=self.path + "2")
            return
        if kind.mode == "whole" or (kind.mode == "single" and len(wanted) > 1):
            self.reply(200, data)
            return
        if late and kind.mode == "stalling":
            threading.Event().wait(2)
            return
        if late and kind.mode == "tagged" and self.headers["If-Match"] != '"new"':
            self.reply(412, b"")
            return
        tag = {"ETag": '"old"'} if kind.mode == "tagged" else {}
        total = len(data)
        if len(wanted) == 1:
            first, last = wanted[0]
            body = data[first : last + 1]
            if late and kind.mode == "truncated":
                body = body[:-1]
            self.reply(206, body, **{"Content-Range": f"bytes {first}-{last}/{total}"}, **tag)
            return
        body = b""
        for first, last in wanted:
            body += f"\r\n--x\r\nContent-Range: bytes {first}-{last}/{total}\r\n\r\n".encode() + data[first : last + 1]
        if kind.mode == "truncated":
            body = body[:-9]
        self.reply(206, body + b"\r\n--x--\r\n", **{"Content-Type": "multipart/byteranges; boundary=x"}, **tag)

    def reply(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def packed(with_gammons: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("packed") / "packed.h5"
    bgrace.pack(with_gammons, path)
    return path


@pytest.fixture
def host(packed: Path) -> Iterator[tuple[type[Host], str]]:
    kind = type("Mine", (Host,), {"data": packed.read_bytes()})
    with ThreadingHTTPServer(("127.0.0.1", 0), kind) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=partial(server.serve_forever, 0.01), daemon=True)
        thread.start()
        yield kind, f"http://127.0.0.1:{server.server_port}/all.h5"
        server.shutdown()


@pytest.mark.parametrize("mode", ["good", "single", "moved"])
def test_the_same_bits_as_in_the_file(host: tuple[type[Host], str], packed: Path, mode: str) -> None:
    host[0].mode = mode
    with bgrace.open(packed) as local, bgrace.open(host[1]) as db:
        opening, one = host[0].n_requests, (tuple(local.space.position(600)), tuple(local.space.position(700)))
        assert opening == 1 + (mode == "moved")
        assert db.equities(*one) == local.equities(*one)
        if mode != "single":
            assert host[0].n_requests == opening + 2
        pick = np.random.default_rng(1).integers(1, len(local.space), (2, 1500))
        mine, theirs = (np.array([tuple(local.space.position(int(k))) for k in row]) for row in pick)
        for plane in PLANES:
            for jacoby in (False, True):
                found, known = (getattr(d.equities(mine, theirs, jacoby=jacoby), plane) for d in (db, local))
                assert np.array_equal(found, known)
        assert np.array_equal(db.win_probability(mine, theirs), local.win_probability(mine, theirs))
        assert db.best_plays(MINE, THEIRS, "31") == local.best_plays(MINE, THEIRS, "31")
        assert db.alone(MINE).to_dict() == local.alone(MINE).to_dict()
        assert {**db.info(), "path": ""} == {**local.info(), "path": ""}


@pytest.mark.parametrize(
    ("mode", "error", "told"),
    [
        ("lying", FormatError, "damaged|fails a checksum"),
        ("truncated", FormatError, "fewer bytes than it says|other bytes than it was asked for"),
        ("changed", FormatError, "was changed since|fails a checksum"),
        ("tagged", FormatError, "was changed since it was opened"),
        ("whole", FormatError, "does not answer range requests"),
        ("stalling", TimeoutError, "sent too little for 0.3 seconds"),
        ("not yet", TimeoutError, "sent too little for 0.3 seconds"),
        ("too large", FormatError, "does not say which"),
        ("rude", FileNotFoundError, r"the host answers 404 \?\[31mx{75}: '"),
        ("to nowhere", FormatError, r"is moved to http://\["),
        ("to no port", ArgumentError, "9x/ is not the address of a file"),
        ("to no name", ArgumentError, r"a\.\.b/ is not the address of a file"),
        ("round and round", FormatError, "is moved again and again"),
    ],
)
def test_other_hosts_are_refused(
    host: tuple[type[Host], str], mode: str, error: type[Exception], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host[0].mode = mode
    host[0].other = host[0].data + b"x"
    if error is TimeoutError:
        monkeypatch.setattr(remote, "_SLOWEST", 1e9)
        monkeypatch.setattr(remote.RemoteFile.__init__, "__defaults__", (0.3,))

    def ask(**options: Any) -> None:
        with bgrace.open(host[1]) as db:
            db.equities(MINE, THEIRS, **options)

    with pytest.raises(error, match=told):
        ask()


def test_what_cannot_be_read_from_a_host(host: tuple[type[Host], str], with_gammons: Path) -> None:
    with pytest.raises(ArgumentError, match="is on the web"):
        bgrace.open(host[1], access="load")
    host[0].data = with_gammons.read_bytes()
    with pytest.raises(FormatError, match=r"cannot be read from a web host.*get a copy"):
        bgrace.open(host[1])


def test_the_command_takes_an_address(host: tuple[type[Host], str]) -> None:
    done = run("query", host[1], "1,0,4", "2,2,11")
    assert done.exit_code == 0, done.output
    assert "Double" in done.output or "double" in done.output
    host[0].mode = "whole"
    done = run("query", host[1], "1,0,4", "2,2,11")
    assert done.exit_code == 1
    assert host[1] in done.output
    for address, told in (("http://[", "is not the address"), ("http://127.0.0.1:1/x.h5", "x.h5: Connection refused")):
        done = run("query", address, "6x1")
        assert done.exit_code in (1, 2), done.output
        assert told in done.output
    done = run("pack", host[1], "x.h5")
    assert "is on the web, where this cannot be done: give the path of a copy" in done.output


def test_pages_are_verified(packed: Path, tmp_path: Path) -> None:
    data, path = bytearray(packed.read_bytes()), tmp_path / "x.h5"
    with bgrace.open(packed) as db:
        pages = next(entry for entry in db.stored.entries if entry.name == "packed/pages")
    assert all(check.passed for check in verify(packed, samples=2).checks)
    data[pages.offset] ^= 1
    path.write_bytes(data)
    assert [check.name for check in verify(path, samples=2).failures] == ["checksums"]
