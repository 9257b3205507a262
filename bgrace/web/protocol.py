"""Connections that keep nobody else out: each asks and reads in time, and an address has a limited number."""

from __future__ import annotations

import asyncio
from typing import ClassVar, Final

import h11
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from bgrace.web import door

MAX_WAITED_FOR: Final = 1000
"""Of all addresses: of more, that goes which has been waited for longest, to ask or to take its answer."""


class Protocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]  # one of two classes, as installed
    """As uvicorn has it, with one more timer: for the head of a request, and for the reader of an answer."""

    write_seconds = 20.0
    """The client has to take an answer in that time, or the connection is given up."""

    _of_address: ClassVar[dict[str, dict[Protocol, None]]] = {}
    """Connections by address, of each in the order in which they came."""

    _waited_for: ClassVar[dict[Protocol, None]] = {}
    """Those that have to ask or to read, who has been waited for longest first."""

    _head_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait for a request; as long as for another one on a connection that is kept alive."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # so that whatever is not taken is known
        same = self._of_address.setdefault(self._address, {})
        same[self] = None
        self._await_head()
        if len(same) > door.MAX_CONNECTIONS:
            silent = (other for other in self._waited_for if other in same and other._head_timer is not None)
            next(silent, self).transport.abort()
        elif len(self._waited_for) > MAX_WAITED_FOR:
            next(iter(self._waited_for)).transport.abort()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(self.timeout_keep_alive, self.transport.close)
        self._waited_for[self] = None

    def _wait_no_more(self) -> None:
        for timer in (self._head_timer, self._write_timer):
            if timer is not None:
                timer.cancel()
        self._head_timer = self._write_timer = None
        self._waited_for.pop(self, None)

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a head no longer than for its beginning."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            if self._head_timer is not None:
                self._wait_no_more()
        elif self._head_timer is None and not self.transport.is_closing():
            self._await_head()

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not HTTP; a question that they belong to is answered no more, or for the last time."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # there is an answer already
            self.transport.close()

    def pause_writing(self) -> None:
        """Begin to wait for the reader."""
        super().pause_writing()
        self._write_timer = self.loop.call_later(self.write_seconds, self.transport.abort)
        self._waited_for[self] = None

    def resume_writing(self) -> None:
        """All was taken."""
        super().resume_writing()
        if self._head_timer is None:
            self._wait_no_more()
        elif self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        self._wait_no_more()
        same = self._of_address[self._address]
        del same[self]
        if not same:
            del self._of_address[self._address]
