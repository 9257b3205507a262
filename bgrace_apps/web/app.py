"""The application: routes, how answers and errors are sent, and a server that runs it until Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import json
import re
import socket
import threading
import traceback
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from bgrace._base.arrays import JSON
from bgrace._base.interrupts import stop_with
from bgrace.errors import WRONG_QUESTIONS, ArgumentError, BgraceError, DependencyError
from bgrace_apps.web.questions import Answers, Asked, RiskQuestion, WebQuestion, read_question, read_risk_question
from bgrace_apps.web.site_files import SiteFile, site_files

_MISSING: Final = 'bgrace web needs Starlette and uvicorn: pip install "bgrace[web]"'

try:
    from starlette.applications import Starlette
    from starlette.datastructures import Headers, MutableHeaders
    from starlette.exceptions import HTTPException
    from starlette.middleware.cors import CORSMiddleware
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import Response, StreamingResponse
    from starlette.routing import Mount, Route
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
except ImportError as error:
    raise DependencyError(_MISSING) from error

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Nothing from other hosts, nothing inline, no frames."""

_LOCAL: Final = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?", re.IGNORECASE)


def error_body(kind: str, message: str) -> bytes:
    """An error as JSON has it: the name of its class in `bgrace.errors`, or of what HTTP calls it, and one line."""
    return json.dumps({"error": kind, "message": message}).encode()


class Guard:
    """Refuses requests that no page of ours sends, and adds `HEADERS` to every answer.

    Protects against DNS rebinding and cross-site requests, by ``Host``, ``Origin`` and ``Sec-Fetch-Site``.

    Parameters
    ----------
    app : ASGI application
    public : bool
        Whether any host may be asked for.
    origins : collection of str
        Other pages whose questions are answered, by their ``Origin``.
    """

    def __init__(self, app: ASGIApp, *, public: bool, origins: Collection[str] = ()) -> None:
        self._app = app
        self._public = public
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refusal = self._refusal(Headers(scope=scope), scope["path"])
        app = self._app if refusal is None else _json(error_body("forbidden", refusal), 403)
        await app(scope, receive, with_headers)

    def _refusal(self, headers: Headers, path: str) -> str | None:
        """Why a request is refused; None if it is not."""
        host = headers.get("host", "")
        if not self._public and not _LOCAL.fullmatch(host):
            return "this server answers at 127.0.0.1 and localhost only: open it under one of them"
        origin = headers.get("origin")
        if origin in self._origins:
            return None
        is_link = headers.get("sec-fetch-mode") == "navigate" and not path.startswith("/api/")
        is_elsewhere = headers.get("sec-fetch-site") in ("cross-site", "same-site") and not is_link
        if is_elsewhere or (origin is not None and origin.lower().partition("://")[2] != host.lower()):
            return "questions from pages of other hosts are not answered"
        return None


_Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
_Asked = TypeVar("_Asked", WebQuestion, RiskQuestion)
_Result = TypeVar("_Result")
_Value = TypeVar("_Value")

MAX_BODY: Final = 16 << 10
"""Bytes of a question: most have a few hundred."""

MAX_FILE: Final = 4 << 20
"""Bytes of a file to be reviewed: a match of 25 points with an engine's whole analysis has a megabyte or two."""

_SECONDS: Final = 30.0
"""Most seconds from the first byte of a question to its answer; of a map or a review, to the first line."""

_KEPT: Final = 512
"""Answers kept for repeated questions: back and forward, a page that is loaded again."""

_MAX_NAME: Final = 200
"""Most letters of the name of a file."""


class _BadRequestError(Exception):
    """A request that is refused before it is a question."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status, self.kind = status, kind


def create_app(answers: Answers, *, public: bool = False, origins: Collection[str] = (), threads: int = 4) -> ASGIApp:
    """Make the application that serves the page and its interface for programs.

    Parameters
    ----------
    answers : Answers
        What answers questions.
    public : bool
        Whether it may be asked for under any host name; else only as 127.0.0.1 and localhost.
    origins : collection of str
        Pages elsewhere whose scripts may ask, such as ``https://example.org``.
    threads : int
        Number of questions that are answered at a time.

    Returns
    -------
    ASGI application
        ``uvicorn``, or any other server, runs it.

    Raises
    ------
    DependencyError
        On import, if Starlette is not installed.
    """
    service = _Service(answers, threads)
    asked = {
        "solve": service.answered(read_question, answers.solve),
        "counts": service.answered(read_question, answers.counts),
        "risk": service.answered(read_risk_question, answers.risk),
        "map": service.map,
    }
    interface = [Route(f"/{name}", _told(route), methods=["GET", "POST"]) for name, route in asked.items()]
    interface.append(Route("/review", _told(service.review), methods=["POST"]))
    interface.append(Route("/about", service.about, methods=["GET"]))
    app = Starlette(
        routes=[Mount("/api", routes=interface), Route("/{path:path}", _files(site_files()), methods=["GET"])],
        exception_handlers={HTTPException: _http_error, Exception: _failure},
    )
    allowed = [origin.lower() for origin in origins]  # as browsers send them
    guard = Guard(app, public=public, origins=allowed)
    if not origins:
        return guard
    return CORSMiddleware(guard, allow_origins=allowed, allow_methods=("GET", "POST"), allow_headers=("Content-Type",))


class _Service:
    """The endpoints, which read questions and send answers."""

    def __init__(self, answers: Answers, threads: int) -> None:
        self._answers = answers
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="answers")

    def answered(self, read: Callable[[Asked], _Asked], answer: Callable[[_Asked], dict[str, JSON]]) -> _Endpoint:
        """Answer questions of one kind."""
        written = lru_cache(_KEPT)(lambda question: _written(answer(question)))

        async def answered(request: Request) -> Response:
            question = read(await _asked(request))
            return _json(await self._run(request, lambda: written(question)))

        return answered

    async def map(self, request: Request) -> Response:
        """Send a line for each score as soon as it is solved."""
        question = read_question(await _asked(request))
        scores = self._answers.scores(question)
        return await self._lines(request, (self._answers.at_score(question, score) for score in scores))

    async def review(self, request: Request) -> Response:
        """Send a line of progress now and then, and a line for each match of the file."""
        file = await _body(request, MAX_FILE, "a file", "application/octet-stream")
        fields = _once(request.query_params.multi_items())
        name, language = fields.get("name", "match")[:_MAX_NAME], fields.get("language", "en")
        return await self._lines(request, self._answers.review(file, name, language))

    async def about(self, _request: Request) -> Response:
        """Describe the file that answers."""
        return _json(_written(self._answers.about()))

    async def _run(self, request: Request, work: Callable[[], _Result]) -> _Result:
        """Run a function on a thread; once the client goes, or the time is over, `check_interrupt` stops it there."""
        stop = threading.Event()  # of this run alone: when it is set, the thread may have gone on to another

        def stoppable() -> _Result:
            stop_with(stop)
            return work()

        job = asyncio.get_running_loop().run_in_executor(self._pool, stoppable)
        gone = asyncio.ensure_future(_disconnected(request))
        either: list[asyncio.Future[Any]] = [job, gone]
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not job.done():
                raise ClientDisconnect
            return job.result()
        finally:
            stop.set()
            job.cancel()
            gone.cancel()

    async def _lines(self, request: Request, answers: Iterator[dict[str, JSON]]) -> Response:
        """Send answers as they are ready; an error before the first refuses the question."""
        written = (_written(answer) + b"\n" for answer in answers)
        line = partial(next, written, b"")
        first = await self._run(request, line)

        async def lines() -> AsyncIterator[bytes]:
            yield first
            with suppress(ClientDisconnect):
                try:
                    while more := await self._run(request, line):
                        yield more
                except BgraceError as error:
                    yield error_body(type(error).__name__, str(error)) + b"\n"

        return StreamingResponse(lines(), headers={"Cache-Control": "no-store"}, media_type="application/x-ndjson")


def _told(endpoint: _Endpoint) -> _Endpoint:
    """Tell errors as JSON."""

    async def route(request: Request) -> Response:
        try:
            async with asyncio.timeout(_SECONDS):
                return await endpoint(request)
        except _BadRequestError as error:
            return _json(error_body(error.kind, str(error)), error.status)
        except TimeoutError:
            message = f"this could not be answered within {_SECONDS:g} s: ask again later"
            return _json(error_body("busy", message), 503, {"Retry-After": "5"})
        except BgraceError as error:
            status = 400 if isinstance(error, WRONG_QUESTIONS) else 422
            return _json(error_body(type(error).__name__, str(error)), status)
        except (ClientDisconnect, asyncio.CancelledError):  # the second as the server ends
            return Response(status_code=503)  # which nobody reads

    return route


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _asked(request: Request) -> Asked:
    """The fields of a question: of the address, or of the JSON that was posted."""
    if request.method in ("GET", "HEAD"):
        return _once(request.query_params.multi_items())
    body = await _body(request, MAX_BODY, "a question", "application/json")
    try:
        asked = json.loads(body, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise _BadRequestError(400, "bad request", "the body is not JSON: post an object of fields") from None
    if not isinstance(asked, dict):
        raise _BadRequestError(400, "bad request", "the body is not a JSON object: post an object of fields")
    return asked


def _once(pairs: Sequence[tuple[str, _Value]]) -> dict[str, _Value]:
    """Fields by name, each of which is there once."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise _BadRequestError(400, "bad request", "a field is there twice: give each once")
    return fields


async def _body(request: Request, limit: int, what: str, media_type: str) -> bytes:
    if request.headers.get("content-type", "").partition(";")[0].strip() != media_type:
        raise _BadRequestError(415, "unsupported media type", f"post {what} as {media_type}")
    parts = bytearray()
    async for part in request.stream():
        parts += part
        if len(parts) > limit:
            raise _BadRequestError(413, "too large", f"at most {limit:,} bytes can be sent here")
    return bytes(parts)


def _written(answer: Mapping[str, JSON]) -> bytes:
    return json.dumps(answer, allow_nan=False, separators=(",", ":")).encode()


def _json(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(body, status, {"Cache-Control": "no-store", **(headers or {})}, "application/json")


# ---------------------------------------------------------------------- everything else


_GZIP: Final = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.IGNORECASE)


def _files(files: Mapping[str, SiteFile]) -> _Endpoint:
    """Serve these files and no others: they were read when the server started."""

    async def serve_file(request: Request) -> Response:
        found = files.get(request.path_params["path"] or "index.html")
        if found is None:
            raise HTTPException(404)
        headers = {"ETag": found.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == found.etag:
            return Response(status_code=304, headers=headers)
        body = found.content
        if found.gzipped is not None and _GZIP.search(request.headers.get("accept-encoding", "")):
            body = found.gzipped
            headers["Content-Encoding"] = "gzip"
        return Response(body, headers=headers, media_type=found.media_type)

    return serve_file


async def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {
        404: ("not found", "there is nothing here: / is the page, and programs ask /api/solve"),
        405: ("method not allowed", "read files with GET, ask questions with GET or POST, send matches with POST"),
    }
    kind, message = words.get(error.status_code, ("error", error.detail))
    return _json(error_body(kind, message), error.status_code, error.headers)


async def _failure(_request: Request, error: Exception) -> Response:
    traceback.print_exception(error)
    return _json(error_body("failure", "this question could not be answered; the server's log says more"), 500)


# ---------------------------------------------------------------------- a server on a port of this machine

if TYPE_CHECKING:
    import uvicorn

DEFAULT_PORT: Final = 8642

_CONNECTIONS: Final = 500
"""More at once are answered with status 503."""

_SILENT: Final = 10
"""Seconds after which a connection is closed that sends no complete request head, or takes nothing of an answer."""

_TRIED: Final = 10
"""Ports from `DEFAULT_PORT` on that are tried."""


def serve(
    answers: Answers,
    *,
    port: int | None = None,
    public: bool = False,
    origins: Collection[str] = (),
    browser: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Serve the explorer until the process is interrupted.

    Parameters
    ----------
    answers : Answers
    port : int, optional
        `DEFAULT_PORT`, or the next that is free, unless given; 0 for any.
    public : bool
        Whether other machines may ask, too.
    origins : collection of str
        Pages elsewhere whose scripts may ask.
    browser : bool
        Whether to open the page.
    say : callable
        Told the address.

    Raises
    ------
    ArgumentError
        If the port is taken or not to be had.
    DependencyError
        If uvicorn is not installed.
    """
    server = server_of(create_app(answers, public=public, origins=origins))
    with listening("0.0.0.0" if public else "127.0.0.1", port) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        say(f"the explorer is at {address}  (Ctrl-C ends it)")
        if browser:
            threading.Thread(target=_open, args=(address,), daemon=True).start()
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listener])


def server_of(app: ASGIApp) -> uvicorn.Server:
    """Make a server for an application, within limits; DependencyError if uvicorn is not installed."""
    try:
        import uvicorn  # noqa: PLC0415  (of the extra, too, but another server may run the application)
    except ImportError as error:
        raise DependencyError(_MISSING) from error

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # A task whose client takes nothing would otherwise wait for it even after it is cancelled.
            connections: set[Any] = self.server_state.connections
            for each in connections:
                each.transport.abort()
            await super().shutdown(sockets)

    waiting: set[tuple[Any, Any, int]] = set()

    async def close_silent() -> None:
        nonlocal waiting
        before, waiting = waiting, set()
        connections: set[Any] = server.server_state.connections
        for each in connections:
            unsent = each.transport.get_write_buffer_size()
            if unsent or each.cycle is None or each.cycle.response_complete:
                waiting.add((each, each.cycle, unsent))
        for each, _, _ in before & waiting:  # nothing has changed since the last look
            each.transport.abort()

    config = uvicorn.Config(
        app,
        log_level="critical",  # requests of strangers, or cut off at the end, are not worth a line each
        access_log=False,
        server_header=False,
        proxy_headers=False,  # or clients could claim any address
        lifespan="off",
        http="h11",  # whose connections `close_silent` knows
        ws="none",
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=0,  # whoever ends it does not wait for answers
        callback_notify=close_silent,
        timeout_notify=_SILENT,
    )
    server = Server(config)
    return server


def _open(address: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.open(address)


def listening(host: str, port: int | None) -> socket.socket:
    """A socket that listens, so that a browser that comes early waits instead of being refused."""
    tried = range(DEFAULT_PORT, DEFAULT_PORT + _TRIED) if port is None else (port,)
    reason = ""
    for number in tried:
        try:
            listener = socket.create_server((host, number))
        except OSError as error:
            reason = "it is taken" if error.errno == errno.EADDRINUSE else str(error.strerror)
            continue
        # Connections take this over; asyncio sets it only for sockets that were made with a protocol.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    shown = f"{tried[0]} to {tried[-1]}" if len(tried) > 1 else f"{tried[0]}"
    raise ArgumentError(f"port {shown} cannot be listened on ({reason}): give another, or 0 for any that is free")
