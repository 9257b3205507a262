"""Connections that keep nobody else out: each asks and reads in time, and an address has a limited number."""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol

MAX_CONNECTIONS: Final = 256
"""Of one address, the silent ones going first: a browser has six, a proxy in front of this server what it needs."""


class Protocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]  # one of two classes, as installed
    """As uvicorn has it, with one more timer: for the head of a request, and for the reader of an answer."""

    write_seconds = 20.0
    """The client has to take an answer in that time, or the connection is given up."""

    _head_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait for a request; as long as for another one on a connection that is kept alive."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # so that whatever is not taken is known
        same = [
            other for other in self.connections if other.client and self.client and other.client[0] == self.client[0]
        ]
        silent = [other for other in same if other._head_timer is not None]
        self._await_head()
        if len(same) > MAX_CONNECTIONS:  # who has been waited for longest goes, or else the new one
            min(silent, key=lambda other: other._head_timer.when(), default=self).transport.abort()

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(self.timeout_keep_alive, self.transport.close)

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a head no longer than for its beginning."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._head_timer = _cancelled(self._head_timer)
        elif self._head_timer is None and not self.transport.is_closing():
            self._await_head()

    def pause_writing(self) -> None:
        """Begin to wait for the reader."""
        super().pause_writing()
        self._write_timer = self.loop.call_later(self.write_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """All was taken."""
        super().resume_writing()
        self._write_timer = _cancelled(self._write_timer)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        self._head_timer = _cancelled(self._head_timer)
        self._write_timer = _cancelled(self._write_timer)


def _cancelled(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """End a timer, and forget it."""
    if timer is not None:
        timer.cancel()
    return None
