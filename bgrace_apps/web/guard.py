"""The first gate of every request: hosts and origins; and what every answer carries."""

from __future__ import annotations

import json
import re
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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

_LOCAL: Final = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?", re.IGNORECASE)


def error_body(kind: str, message: str) -> bytes:
    """An error as JSON has it: the name of its class in `bgrace.errors`, or of what HTTP calls it, and one line."""
    return json.dumps({"error": kind, "message": message}).encode()


class Guard:
    """Refuses what no page of ours would send, and adds `HEADERS` to every answer.

    A page elsewhere may make a browser send requests here, under a name that it has let point to this machine.
    ``Host``, ``Origin`` and ``Sec-Fetch-Site`` give that away.

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

        refusal = self._refusal(Headers(scope=scope), scope["path"])
        if refusal is None:
            await self._app(scope, receive, with_headers)
            return
        body = error_body("forbidden", refusal)
        sent = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await with_headers({"type": "http.response.start", "status": 403, "headers": sent})
        await send({"type": "http.response.body", "body": body})

    def _refusal(self, headers: Headers, path: str) -> str | None:
        """Why a request is refused; None if it is not."""
        host = headers.get("host", "")
        if not self._public and not _LOCAL.fullmatch(host):
            return "this server answers at 127.0.0.1 and localhost only: open it under one of them"
        origin = headers.get("origin")
        is_link = headers.get("sec-fetch-mode") == "navigate" and not path.startswith("/api/")
        is_elsewhere = headers.get("sec-fetch-site") in ("cross-site", "same-site") and not is_link
        if is_elsewhere or (origin is not None and _netloc(origin) != host.lower()):
            return "questions from pages of other hosts are not answered"
        return None


def _netloc(origin: str) -> str | None:
    """Host and port of an Origin header; None if it is malformed."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None
