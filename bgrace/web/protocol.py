"""Connections on which nothing is asked are closed: who opens many of them keeps nobody else out."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.auto import AutoHTTPProtocol

__all__ = ["Protocol"]


class Protocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]  # one of two classes, as installed
    """As uvicorn has it, but that a new connection has to ask as soon as one that is kept alive."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)
