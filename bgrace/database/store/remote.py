"""A file on a web host, read by range requests over HTTP."""

from __future__ import annotations

import errno
import http.client
import re
import ssl
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NoReturn
from urllib.parse import quote, urljoin, urlsplit

from bgrace._base.version import VERSION
from bgrace.errors import ArgumentError, FormatError

SECONDS: Final = 10.0
"""Seconds without data before a request fails."""

_HEAD_BYTES: Final = 24576  # BGR_HEAD_BYTES of the C library
_CONNECTIONS: Final = 8
_REDIRECTS: Final = 5
_SLOWEST: Final = 20e3  # bytes a second
_PIECE: Final = 1 << 16
_MAX_ADDRESS: Final = 2000  # letters
_RANGE: Final = re.compile(r"\s*bytes (\d{1,18})-(\d{1,18})/(\d{1,18})\s*", re.ASCII)


class RemoteFile:
    """Reads ranges of one file on a web host, which must stay the same.  Safe to call from several threads.

    Parameters
    ----------
    address : str
        With ``http://`` or ``https://``.
    seconds : float
        Time without data after which OSError is raised.

    Attributes
    ----------
    size : int
        Bytes of the file.
    """

    def __init__(self, address: str, seconds: float = SECONDS) -> None:
        self.address, self.size = address, 0
        self._seconds, self._tag = seconds, ""
        self._free: list[http.client.HTTPConnection] = []
        self._pool = ThreadPoolExecutor(_CONNECTIONS, "bgrace-ranges")
        self._head = b""
        for _ in range(_REDIRECTS):
            answer = self._request((0, _HEAD_BYTES))
            if isinstance(answer, bytes):
                self._head = answer
                return
            self._move(answer)
        self._refuse("is moved again and again: give the address of the file itself")

    def _move(self, target: str) -> None:
        """Follow a redirection, but not from HTTPS to HTTP."""
        try:
            moved = urljoin(self.address, target)
        except ValueError:
            moved = ""
        insecure = self.address.startswith("https:") and not moved.startswith("https:")
        if not moved or not moved.isprintable() or insecure:
            self._refuse(f"is moved to {_printable(target)}: give the address of the file itself")
        self.address = moved
        self.close()

    def close(self) -> None:
        """Close idle connections; the next request opens another."""
        while self._free:
            self._free.pop().close()

    def __del__(self) -> None:
        """Close idle connections when no database reads the file any more."""
        if hasattr(self, "_free"):
            self.close()

    def read_many(self, ranges: Sequence[tuple[int, int]]) -> list[bytes]:
        """Read the bytes of each range, given by offset and length.

        Raises
        ------
        FormatError
            If the host does not answer range requests, or has another file now.
        OSError
            If it cannot be reached, or sends nothing for too long.
        """
        read = map if len(ranges) == 1 else self._pool.map
        return list(read(self._read, ranges))

    def _read(self, wanted: tuple[int, int]) -> bytes:
        if wanted == (0, len(self._head)):
            return self._head
        answer = self._request(wanted)
        if isinstance(answer, str):
            self._refuse("has moved meanwhile")
        return answer

    def _refuse(self, why: str) -> NoReturn:
        raise FormatError(f"{self.address} {why}")

    def _request(self, wanted: tuple[int, int]) -> bytes | str:
        """Read the bytes of a range, or find the address to which the file has moved."""
        try:
            connection = self._free.pop()
        except IndexError:
            connection = self._connect()
        fresh = connection.sock is None
        try:
            try:
                return self._ask(connection, *wanted)
            except ConnectionError:
                if fresh:
                    raise
                connection.close()  # the host has closed an idle connection
                return self._ask(connection, *wanted)
        except OSError as error:
            connection.close()
            late = isinstance(error, TimeoutError)
            why = f"sent too little for {self._seconds:g} seconds" if late else error.strerror or str(error)
            raise OSError(errno.ETIMEDOUT if late else error.errno, why, self.address) from error
        except http.client.HTTPException as error:
            connection.close()
            raise FormatError(f"{self.address} did not answer as a web host does ({error!r:.80})") from error
        except BaseException:
            connection.close()
            raise

    def _connect(self) -> http.client.HTTPConnection:
        try:
            parts = urlsplit(self.address)
            name, _ = (parts.hostname or "").encode("idna"), parts.port
        except ValueError:
            name = b""
        if not name or parts.scheme not in ("http", "https") or len(self.address) > _MAX_ADDRESS:
            raise ArgumentError(
                f"{_printable(self.address)} is not the address of a file: give one with https:// or http://"
            )
        if parts.scheme == "http":
            return http.client.HTTPConnection(parts.netloc, timeout=self._seconds)
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(parts.netloc, timeout=self._seconds, context=context)

    def _ask(self, connection: http.client.HTTPConnection, offset: int, n: int) -> bytes | str:
        end = time.monotonic() + self._seconds + n / _SLOWEST
        parts = urlsplit(self.address)
        place = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = {"Range": f"bytes={offset}-{offset + n - 1}", "User-Agent": f"bgrace/{VERSION}"}
        headers["Accept-Encoding"] = "identity"
        if self._tag:
            headers["If-Match" if self._tag.startswith('"') else "If-Unmodified-Since"] = self._tag
        connection.request("GET", quote(place, "/%?&=:;,+@!$'()*~[]"), headers=headers)
        with connection.getresponse() as response:
            self._check_status(response)
            moved = response.getheader("Location")
            if response.status != 206 and moved:
                connection.close()
                return moved
            body = b""
            while len(body) <= n and (piece := response.read1(_PIECE)):
                body += piece
                if time.monotonic() > end:
                    raise TimeoutError
            self._check_part(response, offset, n, body)
            reusable = response.isclosed() and not response.will_close
        if reusable:
            self._free.append(connection)
        else:
            connection.close()
        return body

    def _check_status(self, response: http.client.HTTPResponse) -> None:
        if response.status == 412:
            self._refuse("was changed since it was opened: open it again")
        if response.status == 200:
            self._refuse("is on a host that does not answer range requests: host the file elsewhere, or get a copy")
        if response.status != 206 and not (300 <= response.status < 400 and response.getheader("Location")):
            why = f"the host answers {response.status} {_printable(response.reason)}"
            raise FileNotFoundError(errno.ENOENT, why, self.address)

    def _check_part(self, response: http.client.HTTPResponse, offset: int, n: int, body: bytes) -> None:
        """Raise FormatError unless the answer has the bytes that it says, and those of the file that was opened."""
        part = _RANGE.fullmatch(response.getheader("Content-Range", ""))
        if not part or len(body) != int(part[2]) - int(part[1]) + 1:
            self._refuse("answers with fewer bytes than it says, or does not say which: get a copy of the file")
        tag = response.getheader("ETag") or response.getheader("Last-Modified") or ""
        if tag.startswith("W/"):
            tag = ""
        size = int(part[3])
        if (self.size and size != self.size) or (self._tag and tag and tag != self._tag):
            self._refuse("was changed since it was opened: open it again")
        self.size, self._tag = size, self._tag or tag
        if int(part[1]) != offset or len(body) != min(n, size - offset):
            self._refuse("answers with other bytes than it was asked for: get a copy of the file")


def _printable(text: str) -> str:
    """A text of the host's, for messages."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:80])
