"""A server on a port of this machine, until Ctrl-C."""

from __future__ import annotations

import errno
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from bgrace.errors import ArgumentError, DependencyError
from bgrace.web.answering import Answers
from bgrace.web.app import create_app
from bgrace.web.door import Door

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

try:
    import resource
except ImportError:  # Windows, where there is no such limit
    resource = None  # type: ignore[assignment]


DEFAULT_PORT: Final = 8642

_CONNECTIONS: Final = 8000
"""More at once are answered with status 503."""

_TRIED: Final = 10
"""Ports above `DEFAULT_PORT` that are tried if it is taken."""


def serve(
    answers: Answers,
    *,
    port: int | None = None,
    public: bool = False,
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

    _allow_connections()
    with listening("0.0.0.0" if public else "127.0.0.1", port) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        config = config_of(create_app(answers, public=public), listener)
        say(f"the explorer is at {address}  (Ctrl-C ends it)")
        if browser:
            threading.Thread(target=_open, args=(address,), daemon=True).start()
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])


def config_of(app: ASGIApp, listener: Door, patience: int = 5) -> uvicorn.Config:
    """How uvicorn serves an application, connections on which nothing is asked for `patience` seconds."""
    import uvicorn  # noqa: PLC0415  (an extra)

    from bgrace.web.protocol import Protocol  # noqa: PLC0415

    listener.patience = patience
    return uvicorn.Config(
        app,
        http=Protocol,
        log_level="error",  # what strangers send is not worth a line each
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=patience,
        timeout_graceful_shutdown=1,
        callback_notify=listener.sweep,
        timeout_notify=1,
    )


def _allow_connections() -> None:
    """Let the process have as many open files as the system allows it, within what is of use here."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _CONNECTIONS + 256 if hard == resource.RLIM_INFINITY else min(hard, _CONNECTIONS + 256)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _open(address: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.open(address)


def listening(host: str, port: int | None) -> Door:
    """A socket that listens, so that a browser that comes early waits instead of being refused."""
    tried = range(DEFAULT_PORT, DEFAULT_PORT + _TRIED) if port is None else (port,)
    reason = ""
    for number in tried:
        listener = Door()
        try:
            listener.bind((host, number))
            listener.listen()
        except OSError as error:
            listener.close()
            reason = "it is taken" if error.errno == errno.EADDRINUSE else str(error.strerror)
            continue
        return listener
    shown = f"{tried[0]} to {tried[-1]}" if len(tried) > 1 else f"{tried[0]}"
    raise ArgumentError(f"port {shown} cannot be listened on ({reason}): give another, or 0 for any that is free")
