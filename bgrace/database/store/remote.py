"""A file on a web host, of which only what is asked for is read: range requests over HTTP, by the standard library."""

from __future__ import annotations

import errno
import http.client
import io
import re
import socket
import ssl
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast
from urllib.parse import quote, urljoin, urlsplit

from bgrace._base.version import VERSION
from bgrace.errors import ArgumentError, FormatError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SECONDS: Final = 10.0
"""Without a byte from the host, after which it is given up."""

_MAX_AT_ONCE: Final = 128  # ranges of a request: hosts take 8 KB of header
_CONNECTIONS: Final = 6
_REDIRECTS: Final = 5
_SLOWEST: Final = 20e3  # bytes a second
_OVERHEAD: Final = 512  # bytes of a part of an answer beside its range
_MAX_ADDRESS: Final = 2000  # letters
_RANGE: Final = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18})", re.ASCII)
_BOUNDARY: Final = re.compile(r"""multipart/byteranges\s*;.*boundary=("[^"]{1,70}"|[^\s;"]{1,70})""", re.IGNORECASE)

Ranges = Sequence[tuple[int, int]]
"""Offset and length of each."""


class RemoteFile:
    """Reads ranges of one file on a web host, which must stay the same.  Safe to call from several threads.

    Parameters
    ----------
    address : str
        With ``http://`` or ``https://``.
    seconds : float
        Without a byte, after which OSError is raised.

    Attributes
    ----------
    size : int
        Bytes of the file.
    n_requests, n_bytes : int
        What has been asked, and the bodies that came.
    """

    def __init__(self, address: str, seconds: float = SECONDS) -> None:
        self.address = address
        self.n_requests = self.n_bytes = self.size = 0
        self._seconds = seconds
        self._tag: str | None = None
        self._many = True  # whether the host answers several ranges at once, as far as is known
        self._free: list[http.client.HTTPConnection] = []
        self._lock = Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._head = self._first()

    def _first(self) -> bytes:
        """The head of the file: it tells how long the file is, and where it has moved to."""
        n = 24576  # BGR_HEAD_BYTES of the C library, which asks for as much
        for _ in range(_REDIRECTS):
            found = self._request([(0, n)])
            if isinstance(found, list):
                return found[0]
            try:
                moved = urljoin(self.address, found)
            except ValueError:
                moved = ""
            if (
                not moved.isprintable()
                or not moved
                or (self.address.startswith("https:") and not moved.startswith("https:"))
            ):
                self._refuse(f"is moved to {_shown(found)}: give the address of the file itself")
            self.address = moved
            self.close()
        raise FormatError(f"{self.address} is moved again and again: give the address of the file itself")

    def close(self) -> None:
        """Close the connections that wait for a question; the next one opens another."""
        with self._lock:
            while self._free:
                self._free.pop().close()

    def __del__(self) -> None:
        """Close them when no database reads the file any more."""
        if hasattr(self, "_lock"):
            self.close()

    def read_many(self, ranges: Ranges) -> list[bytes]:
        """The bytes of each range.

        Raises
        ------
        FormatError
            If the host does not answer range requests, or has another file now.
        OSError
            If it cannot be reached, or sends nothing for too long.
        """
        if list(ranges) == [(0, len(self._head))]:
            return [self._head]
        found: dict[int, bytes] = {}
        rest = list(enumerate(ranges))
        while self._many and len(rest) > 1:
            part, rest = rest[:_MAX_AT_ONCE], rest[_MAX_AT_ONCE:]
            answer = self._request([each for _, each in part])
            if isinstance(answer, str):
                self._refuse("has moved meanwhile")
            if not answer:  # it takes one range at a time
                self._many = False
                rest = part + rest
            found |= dict(zip((k for k, _ in part), answer, strict=False))
        if len(rest) > 1 and self._pool is None:
            self._pool = ThreadPoolExecutor(_CONNECTIONS, "bgrace-ranges")
        singles = self._pool.map(self._single, (each for _, each in rest)) if len(rest) > 1 and self._pool else ()
        found |= dict(zip((k for k, _ in rest), singles or [self._single(each) for _, each in rest], strict=True))
        return [found[k] for k in range(len(ranges))]

    def _single(self, each: tuple[int, int]) -> bytes:
        answer = self._request([each])
        if isinstance(answer, str):
            self._refuse("has moved meanwhile")
        return answer[0]

    def _refuse(self, why: str) -> NoReturn:
        raise FormatError(f"{self.address} {why}")

    def _request(self, ranges: Ranges) -> list[bytes] | str:
        """The bytes of each range; [] if the host does not answer several at once; or where the file has moved to."""
        with self._lock:
            connection = self._free.pop() if self._free else None
            self.n_requests += 1
        fresh = connection is None
        connection = connection or self._connect()
        most = sum(n + _OVERHEAD for _, n in ranges) + _OVERHEAD
        try:
            try:
                response = self._ask(connection, ranges, most)
            except (http.client.BadStatusLine, ConnectionError, BrokenPipeError):
                if fresh:
                    raise
                connection.close()  # the host had closed it
                connection = self._connect()
                response = self._ask(connection, ranges, most)
            with response:
                answer = self._answer(response, ranges, most)
                is_read = response.isclosed()
        except OSError as error:
            connection.close()
            late = isinstance(error, TimeoutError)
            told = f"sent too little for {self._seconds:g} seconds" if late else error.strerror or str(error)
            raise OSError(errno.ETIMEDOUT if late else error.errno, told, self.address) from error
        except http.client.HTTPException as error:
            connection.close()
            raise FormatError(f"{self.address} did not answer as a web host does ({error!r:.80})") from error
        except BaseException:
            connection.close()
            raise
        if is_read and not response.will_close:
            with self._lock:
                self._free.append(connection)
        else:
            connection.close()
        return answer

    def _connect(self) -> http.client.HTTPConnection:
        try:
            parts = urlsplit(self.address)
            name, _ = (parts.hostname or "").encode("idna"), parts.port
        except ValueError:
            name = b""
        if not name or parts.scheme not in ("http", "https") or len(self.address) > _MAX_ADDRESS:
            raise ArgumentError(
                f"{_shown(self.address)} is not the address of a file: give one with https:// or http://"
            )
        if parts.scheme == "http":
            return http.client.HTTPConnection(parts.netloc, timeout=self._seconds)
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(parts.netloc, timeout=self._seconds, context=context)

    def _ask(self, connection: http.client.HTTPConnection, ranges: Ranges, most: int) -> http.client.HTTPResponse:
        end = time.monotonic() + self._seconds + most / _SLOWEST
        connection.response_class = cast(type[http.client.HTTPResponse], partial(_timed_response, end))
        parts = urlsplit(self.address)
        headers = {
            "Range": "bytes=" + ",".join(f"{offset}-{offset + n - 1}" for offset, n in ranges),
            "Accept-Encoding": "identity",
            "User-Agent": f"bgrace/{VERSION}",
        }
        if self._tag:
            headers["If-Match" if self._tag.startswith('"') else "If-Unmodified-Since"] = self._tag
        place = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("GET", quote(place, "/%?&=:;,+@!$'()*~[]"), headers=headers)
        return connection.getresponse()

    def _answer(self, response: http.client.HTTPResponse, ranges: Ranges, most: int) -> list[bytes] | str:
        status, moved = response.status, response.getheader("Location")
        if status in (301, 302, 303, 307, 308) and moved:
            return moved
        if status == 412:
            self._refuse("was changed since it was opened: open it again")
        if status == 200 and len(ranges) == 1:
            self._refuse("is on a host that does not answer range requests: host the file elsewhere, or get a copy")
        if status != 206:
            if len(ranges) > 1 and status in (200, 400, 416, 431, 501):
                return []
            raise FileNotFoundError(errno.ENOENT, f"the host answers {status} {_shown(response.reason)}", self.address)
        boundary = _BOUNDARY.match(response.getheader("Content-Type", ""))
        if len(ranges) > 1 and boundary is None:
            return []
        body = bytearray()
        while len(body) < most and (piece := response.read1(most - len(body))):
            body += piece
        with self._lock:
            self.n_bytes += len(body)
        if boundary is None:
            found = [self._part(response.getheader("Content-Range", ""), bytes(body))]
        else:
            found = [self._part(*part) for part in _parts(body, boundary[1].strip('"').encode("latin-1"))]
        tag = response.getheader("ETag") or response.getheader("Last-Modified")
        if tag and not tag.startswith("W/"):
            if self._tag is None:
                self._tag = tag
            elif tag != self._tag:
                self._refuse("was changed since it was opened: open it again")
        # A host may put ranges together that are near each other.
        return [self._cut(found, offset, min(n, self.size - offset)) for offset, n in ranges]

    def _part(self, told: str, data: bytes) -> tuple[int, bytes]:
        """Where a part of an answer begins, and the part."""
        said = _RANGE.fullmatch(told.strip())
        if not said or len(data) != int(said[2]) - int(said[1]) + 1:
            self._refuse("answers with fewer bytes than it says, or does not say which: get a copy of the file")
        if self.size and int(said[3]) != self.size:
            self._refuse("was changed since it was opened: open it again")
        self.size = int(said[3])
        return int(said[1]), data

    def _cut(self, parts: Iterable[tuple[int, bytes]], offset: int, n: int) -> bytes:
        for first, data in parts:
            if first <= offset and offset + n <= first + len(data):
                return data[offset - first : offset - first + n]
        raise FormatError(f"{self.address} answers with other bytes than it was asked for: get a copy of the file")


class _Timed(io.RawIOBase):
    """Bytes that come from a host up to some moment: one that sends a byte now and then is given up, too."""

    def __init__(self, end: float, raw: io.RawIOBase) -> None:
        self._end, self._raw = end, raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        if time.monotonic() > self._end:
            raise TimeoutError
        return cast("int | None", self._raw.readinto(buffer))

    def close(self) -> None:
        self._raw.close()
        super().close()


def _timed_response(end: float, connection: socket.socket, **options: Any) -> http.client.HTTPResponse:
    response = http.client.HTTPResponse(connection, **options)
    response.fp = io.BufferedReader(_Timed(end, response.fp.detach()))
    return response


def _shown(text: str) -> str:
    """A text of the host's, for messages."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:80])


def _parts(body: bytearray, boundary: bytes) -> Iterable[tuple[str, bytes]]:
    """Each part of a multipart answer: its range as the host says it, and its bytes."""
    place = body.find(b"--" + boundary)
    while place >= 0:
        place += 2 + len(boundary)
        end = body.find(b"\r\n\r\n", place)
        if body[place : place + 2] == b"--" or end < 0:
            return
        told = re.search(rb"content-range:([^\r\n]*)", body[place:end], re.IGNORECASE)
        said = _RANGE.fullmatch(told[1].decode("latin-1").strip()) if told else None
        n = int(said[2]) - int(said[1]) + 1 if said else 0
        if told is None or n <= 0:
            return
        yield told[1].decode("latin-1"), bytes(body[end + 4 : end + 4 + n])
        place = body.find(b"--" + boundary, end + 4 + n)
