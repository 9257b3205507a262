"""The application: routes, and how answers and errors are sent."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import repeat
from typing import Final, TypeAlias

from bgrace._base.arrays import JSON
from bgrace.errors import ArgumentError, BgraceError, DependencyError, PositionError, PositionIndexError, RollError
from bgrace.match import Score
from bgrace.review.questions import DEFAULT_SECONDS
from bgrace.web.answering import Answers
from bgrace.web.openapi import description
from bgrace.web.questions import Asked, Question, read_question, read_risk_question
from bgrace.web.site_files import SiteFile, site_files
from bgrace.web.work import BusyError, Workers

try:
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import Response, StreamingResponse
    from starlette.routing import Route
    from starlette.types import ASGIApp, Receive, Scope, Send

    from bgrace.web.guard import MAX_BODY, MAX_FILE, REVIEW, Guard, error_body
except ImportError as error:
    raise DependencyError("bgrace web needs Starlette and uvicorn: pip install bgrace[web]") from error


_Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]

_log = logging.getLogger("bgrace.web")

_BODY_SECONDS: Final = 10.0
"""A client that takes longer to send its question is not waited for."""

_KEPT: Final = 512
"""Answers kept for repeated questions: back and forward, a page that is loaded again."""

_FROM_FILE: Final = 0.005
"""Seconds that a file takes for the longer questions."""

_LONG_WORK: Final = {"map": (16, 4), "review": (4, 1)}
"""Maps that are drawn and files that are reviewed at a time, and of one client; each takes its turn again and again."""

_REVIEW_SECONDS: Final = 600.0
"""Of work for one file."""

_MAX_NAME: Final = 200
"""Letters of the name of a file."""

_WRONG_QUESTION: Final = (ArgumentError, PositionError, PositionIndexError, RollError)


class _BadRequestError(Exception):
    """A request that is refused before it is a question."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status, self.kind = status, kind


def create_app(answers: Answers, *, public: bool = False, threads: int = 2, waiting: int = 64) -> ASGIApp:
    """Make the application that serves the page and its interface for programs.

    Parameters
    ----------
    answers : Answers
        What answers questions.
    public : bool
        Whether it may be asked for under any host name; else only as 127.0.0.1 and localhost.
    threads : int
        That solve what the file does not have, of which one client's long questions leave one to others; one more
        answers from the file.
    waiting : int
        Questions that may wait for either; more are refused with status 429, and so is one that would have to wait too
        long.  Clients have equal shares, by their addresses.

    Returns
    -------
    ASGI application
        ``uvicorn``, or any other server, runs it.

    Raises
    ------
    DependencyError
        On import, if Starlette is not installed.
    """
    service = _Service(answers, threads, waiting)
    app = Starlette(
        routes=[
            Route("/api/openapi.json", _describe, methods=["GET"]),
            *(Route(f"/api/{name}", route, methods=["GET", "POST"]) for name, route in service.routes().items()),
            Route(REVIEW, _told(service.review), methods=["POST"]),
            Route("/api/about", _about(answers), methods=["GET"]),
            Route("/{path:path}", _files(site_files()), methods=["GET"]),
        ],
        exception_handlers={HTTPException: _http_error, Exception: _failure},
    )
    return Guard(app, public=public)


class _Service:
    """Questions in, answers out."""

    def __init__(self, answers: Answers, threads: int, waiting: int) -> None:
        self._answers = answers
        self._quick = Workers(1, waiting, name="from-file")
        self._slow = Workers(threads, waiting, name="solving")
        self._kept: OrderedDict[tuple[str, Question], bytes] = OrderedDict()
        self._long: Counter[tuple[str, str]] = Counter()
        """How many maps are drawn and files reviewed for each client."""

    def routes(self) -> dict[str, _Endpoint]:
        """One for each kind of question."""
        answers = self._answers
        return {
            "solve": _told(self._answered("solve", answers.solve)),
            "counts": _told(self._answered("counts", answers.counts)),
            "map": _told(self._map),
            "risk": _told(self._risk),
        }

    def _answered(self, name: str, answer: Callable[[Question], dict[str, JSON]]) -> _Endpoint:
        async def answered(request: Request) -> Response:
            question = read_question(await _asked(request))
            key = (name, question)
            body = self._kept.get(key)
            if body is None:

                def work(seconds: float) -> bytes:
                    return _written(answer(_within(question, seconds)))

                body, is_whole = await self._compute(request, question, work, name)
                if is_whole:
                    self._kept[key] = body
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
            return _json(body)

        return answered

    async def _risk(self, request: Request) -> Response:
        """From tables that the first such question makes."""
        question = read_risk_question(await _asked(request))
        work = self._answers.risk
        return _json(await self._quick.run(lambda _: _written(work(question)), _FROM_FILE, _owner(request)))

    async def _map(self, request: Request) -> Response:
        """One line for each score, as they are solved; other questions come between them."""
        question = read_question(await _asked(request))
        scores = self._answers.scores(question)
        parts = (self._at(question, score) for score in scores)
        with self._begun("map", request) as work:
            return await self._in_parts(request, parts, question.seconds, work)

    async def review(self, request: Request) -> Response:
        """A line now and then of how far it is, and one for each match of the file."""
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/octet-stream":
            raise _BadRequestError(415, "unsupported media type", "post a file as application/octet-stream")
        name = request.query_params.get("name", "match")[:_MAX_NAME]
        with self._begun("review", request) as work:  # before the file is read, so that few are held in memory
            file = await _body(request, MAX_FILE)
            part = _Reviewing(self._answers.review(file, name), name).part
            return await self._in_parts(request, repeat(part), DEFAULT_SECONDS, work)

    @contextmanager
    def _begun(self, name: str, request: Request) -> Iterator[ExitStack]:
        """Count a long work of a client, until the stack of it is closed."""
        (most, own), key = _LONG_WORK[name], (name, _owner(request))
        if self._long[key] >= own or sum(n for (each, _), n in self._long.items() if each == name) >= most:
            raise BusyError(0.0)
        self._long[key] += 1
        with ExitStack() as work:
            work.callback(self._ended, key)
            yield work

    def _ended(self, key: tuple[str, str]) -> None:
        self._long[key] -= 1
        self._long += Counter()  # without those that have none

    async def _in_parts(
        self, request: Request, parts: Iterator[Callable[[float], bytes]], seconds: float, work: ExitStack
    ) -> Response:
        """Lines of an answer whose parts take their turns, until one is empty."""
        owner = _owner(request)
        # What cannot be answered is told before an answer begins.
        begun = await self._slow.run(next(parts), seconds, owner)

        async def lines() -> AsyncIterator[bytes]:
            yield begun
            for part in parts:
                line = await self._slow.run_part(part, seconds, owner)
                if not line:
                    break
                yield line

        return _Lines(lines(), work.pop_all().close)

    def _at(self, question: Question, score: Score) -> Callable[[float], bytes]:
        return lambda seconds: _written(self._answers.at_score(_within(question, seconds), score)) + b"\n"

    async def _compute(
        self, request: Request, question: Question, work: Callable[[float], bytes], name: str
    ) -> tuple[bytes, bool]:
        """Answer at once where that takes a millisecond, else beside the event loop; until the client goes away.

        The answer, and whether it was given all the time that was asked for.
        """
        if self._answers.is_quick(question):
            if name == "solve" and not question.all_rolls:
                return work(question.seconds), True
            return await self._quick.run(lambda _: work(question.seconds), _FROM_FILE, _owner(request)), True

        def timed(seconds: float) -> tuple[bytes, bool]:
            return work(seconds), seconds >= question.seconds

        job = asyncio.ensure_future(self._slow.run(timed, question.seconds, _owner(request)))
        gone = asyncio.ensure_future(_disconnected(request))
        try:
            await asyncio.wait({job, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not job.done():
                raise ClientDisconnect
            return job.result()
        finally:
            for task in (job, gone):
                task.cancel()


class _Reviewing:
    """The lines of a file's review."""

    def __init__(self, told: Iterator[dict[str, JSON]], name: str) -> None:
        self._told, self._name, self._seconds = told, name, 0.0

    def part(self, _seconds: float) -> bytes:
        """Do the next piece of work; empty at the end."""
        if self._seconds > _REVIEW_SECONDS:
            return b""
        began = time.monotonic()
        try:
            line = next(self._told, None)
        except BgraceError as error:
            if not self._seconds:
                raise
            return error_body(type(error).__name__, str(error)) + b"\n"
        self._seconds += time.monotonic() - began
        if self._seconds > _REVIEW_SECONDS:
            reason = f"{self._name} takes longer than {_REVIEW_SECONDS:g} s: review it with bgrace review"
            return error_body("too long", reason) + b"\n"
        return b"" if line is None else _written(line) + b"\n"


class _Lines(StreamingResponse):
    """Lines of JSON as they are ready; however they end, somebody is told."""

    def __init__(self, lines: AsyncIterator[bytes], ended: Callable[[], None]) -> None:
        super().__init__(lines, headers={"Cache-Control": "no-store"}, media_type="application/x-ndjson")
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


def _owner(request: Request) -> str:
    """On whose behalf a question is answered."""
    return request.client.host if request.client else ""


def _within(question: Question, seconds: float) -> Question:
    return question if seconds >= question.seconds else replace(question, seconds=seconds)


def _told(endpoint: _Endpoint) -> _Endpoint:
    """Tell errors as JSON."""

    async def route(request: Request) -> Response:
        try:
            return await endpoint(request)
        except _BadRequestError as error:
            return _json(error_body(error.kind, str(error)), error.status)
        except BusyError as error:
            message = "too many questions are waiting: ask again in a few seconds"
            return _json(error_body("busy", message), 429, {"Retry-After": str(max(2, round(error.seconds)))})
        except BgraceError as error:
            status = 400 if isinstance(error, _WRONG_QUESTION) else 422
            return _json(error_body(type(error).__name__, str(error)), status)
        except ClientDisconnect:
            return Response(status_code=400)  # which nobody reads

    return route


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _asked(request: Request) -> Asked:
    """The fields of a question: of the address, or of the JSON that was posted."""
    if request.method in ("GET", "HEAD"):
        pairs = request.query_params.multi_items()
        names = [name for name, _ in pairs]
        if len(set(names)) < len(names):
            raise ArgumentError("a field is there twice: give each once")
        return dict(pairs)
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise _BadRequestError(415, "unsupported media type", "post a question as application/json")
    try:
        asked = json.loads(await _body(request, MAX_BODY))
    except (ValueError, RecursionError):
        raise _BadRequestError(400, "bad request", "the body is not JSON: post an object of fields") from None
    if not isinstance(asked, dict):
        raise _BadRequestError(400, "bad request", "the body is not a JSON object: post an object of fields")
    return asked


async def _body(request: Request, limit: int) -> bytes:
    parts = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            async for part in request.stream():
                parts += part
                if len(parts) > limit:
                    raise _BadRequestError(413, "too large", f"at most {limit:,} bytes can be sent here")
    except TimeoutError:
        raise _BadRequestError(408, "timeout", f"the question did not arrive within {_BODY_SECONDS:g} s") from None
    return bytes(parts)


def _written(answer: Mapping[str, JSON]) -> bytes:
    return json.dumps(answer, allow_nan=False, separators=(",", ":")).encode()


def _json(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(body, status, {"Cache-Control": "no-store", **(headers or {})}, "application/json")


# ---------------------------------------------------------------------- everything else


async def _describe(_request: Request) -> Response:
    return _json(_written(description()))


def _about(answers: Answers) -> Callable[[Request], Awaitable[Response]]:
    body = _written(answers.about())

    async def about(_request: Request) -> Response:
        return _json(body)

    return about


def _files(files: Mapping[str, SiteFile]) -> Callable[[Request], Awaitable[Response]]:
    """Serve these files and no others: they were read when the server started."""

    async def serve_file(request: Request) -> Response:
        found = files.get(request.path_params["path"] or "index.html")
        if found is None:
            raise HTTPException(404)
        headers = {"ETag": found.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == found.etag:
            return Response(status_code=304, headers=headers)
        body = found.content
        if found.gzipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            body = found.gzipped
            headers["Content-Encoding"] = "gzip"
        return Response(body, headers=headers, media_type=found.media_type)

    return serve_file


async def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {
        404: ("not found", "there is nothing here: / is the page, /api/openapi.json says what can be asked"),
        405: ("method not allowed", "files are read with GET, questions asked with GET or POST"),
    }
    kind, message = words.get(error.status_code, ("error", error.detail))
    return _json(error_body(kind, message), error.status_code, error.headers)


async def _failure(_request: Request, _error: Exception) -> Response:
    return _json(error_body("failure", "this question could not be answered; the server's log says more"), 500)
