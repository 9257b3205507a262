"""The first gate of every request: hosts, origins, sizes; and what every answer carries."""

from __future__ import annotations

import json
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY: Final = 16 << 10
"""Bytes of a request: a question has a few hundred."""

MAX_FILE: Final = 4 << 20
"""Bytes of a file to be reviewed: a match of 25 points with an engine's whole analysis has a megabyte or two."""

REVIEW: Final = "/api/review"
"""Where files are sent to."""

HEADERS: Final[tuple[tuple[str, str], ...]] = (
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
"""Nothing from other hosts, nothing inline, no frames."""

_LOCAL: Final = frozenset({"127.0.0.1", "localhost", "::1"})


def error_body(kind: str, message: str) -> bytes:
    """An error as JSON has it: the name of its class in `bgrace.errors`, or of what HTTP calls it, and one line."""
    return json.dumps({"error": kind, "message": message}).encode()


class Guard:
    """Refuses what no page of ours would send, and adds `HEADERS` to every answer.

    A page elsewhere may make a browser send requests here, under a name that it has let point to this machine; the
    names in ``Host`` and ``Origin`` give that away.

    Parameters
    ----------
    app : ASGI application
    public : bool
        Whether any host may be asked for.
    """

    def __init__(self, app: ASGIApp, *, public: bool) -> None:
        self._app = app
        self._public = public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS:
                    headers[name] = value
            await send(message)

        headers = Headers(scope=scope)
        refused = self._refusal(headers, MAX_FILE if scope["path"] == REVIEW else MAX_BODY)
        if refused is None:
            await self._app(scope, receive, with_headers)
            return
        status, kind, message = refused
        body = error_body(kind, message)
        sent = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await with_headers({"type": "http.response.start", "status": status, "headers": sent})
        await send({"type": "http.response.body", "body": body})

    def _refusal(self, headers: Headers, max_body: int) -> tuple[int, str, str] | None:
        """Status, kind and words for a request that is refused."""
        host = headers.get("host", "")
        if not self._public and _hostname(host) not in _LOCAL:
            return 403, "forbidden", "this server answers at 127.0.0.1 and localhost only: open it under one of them"
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != host.lower():
            return 403, "forbidden", "questions from pages of other hosts are not answered"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > max_body:
            return 413, "too large", f"at most {max_body:,} bytes can be sent here"
        return None


def _netloc(origin: str) -> str | None:
    """Host and port of an Origin header; None if it is malformed."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _hostname(host: str) -> str | None:
    """The name in a Host header, without its port; None if it is malformed."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None
