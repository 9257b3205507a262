"""A server on a port of this machine, until Ctrl-C."""

from __future__ import annotations

import errno
import socket
import threading
import webbrowser
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from bgrace.errors import ArgumentError, DependencyError
from bgrace_apps.web.answering import Answers
from bgrace_apps.web.app import create_app

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

DEFAULT_PORT: Final = 8642

_CONNECTIONS: Final = 500
"""More at once are answered with status 503."""

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
    try:
        import uvicorn  # noqa: PLC0415  (an extra: who imports this module may not have it)
    except ImportError as error:
        raise DependencyError("bgrace web needs Starlette and uvicorn: pip install bgrace[web]") from error

    with listening("0.0.0.0" if public else "127.0.0.1", port) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        say(f"the explorer is at {address}  (Ctrl-C ends it)")
        if browser:
            threading.Thread(target=_open, args=(address,), daemon=True).start()
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config_of(create_app(answers, public=public, origins=origins))).run(sockets=[listener])


def config_of(app: ASGIApp) -> uvicorn.Config:
    """Set uvicorn's limits for an application."""
    import uvicorn  # noqa: PLC0415  (an extra)

    return uvicorn.Config(
        app,
        log_level="error",  # what strangers send is not worth a line each
        access_log=False,
        server_header=False,
        proxy_headers=False,  # or whoever asks would say who that is
        lifespan="off",
        ws="none",
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )


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
