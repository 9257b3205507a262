"""Connections that wait at the door until they have asked something: thousands of silent ones cost next to nothing.

An event loop takes a third of a millisecond to make a connection of its own and to let go of it.  Here it takes a
tenth of that, and only those with the whole head of a request come in.  Linux; elsewhere all come in at once.
"""

from __future__ import annotations

import asyncio
import errno
import select
import socket
import time
from collections import deque
from contextlib import suppress
from typing import ClassVar, Final

MAX_CONNECTIONS: Final = 256
"""Of one address, the silent ones going first: a browser has six, a proxy in front of this server what it needs."""

_QUEUE: Final = 4096
"""Connections that the system keeps until they are accepted; of more than that, a client that knocks waits seconds."""

_AT_ONCE: Final = 128
"""Connections that are accepted, or looked at, before everybody else has a turn."""

_MAX_HEAD: Final = 1 << 14  # bytes
_ENDS: Final = (b"\r\n\r\n", b"\n\n", b"\n\r\n")
_ROOM: Final = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


class Door(socket.socket):
    """A listening socket for an event loop, which hands out connections as soon as they have asked.

    `sweep` has to be called every second or so.
    """

    max_silent: ClassVar[int] = 6000
    """Of more connections that have not asked yet, the oldest goes; of one address, of more than `MAX_CONNECTIONS`."""

    patience: float = 5.0
    """Seconds that they have for it."""

    def __init__(self) -> None:
        # The protocol is named, or asyncio would not know that it may send small parts at once (TCP_NODELAY).
        super().__init__(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._silent: dict[int, tuple[socket.socket, str, float]] = {}
        self._of_address: dict[str, dict[int, None]] = {}
        self._asking: deque[tuple[socket.socket, tuple[str, int]]] = deque()
        self._epoll = select.epoll() if hasattr(select, "epoll") else None

    def listen(self, _at_once: int = 0) -> None:
        """Listen with a long queue, however many an event loop accepts at once."""
        super().listen(_QUEUE)
        if self._epoll is not None:
            self.setblocking(False)
            with suppress(FileExistsError):
                self._epoll.register(super().fileno(), select.EPOLLIN)

    def fileno(self) -> int:
        """A descriptor that can be read when somebody knocks, or says something at the door."""
        return super().fileno() if self._epoll is None or self._epoll.closed else self._epoll.fileno()

    def accept(self) -> tuple[socket.socket, tuple[str, int]]:
        """Give the next connection that has asked; BlockingIOError if there is none."""
        if self._epoll is None:
            return super().accept()
        if not self._asking:
            self._look()
        if not self._asking:
            raise BlockingIOError
        return self._asking.popleft()

    async def sweep(self) -> None:
        """Let go of those that have not asked in time."""
        now = time.monotonic()
        late = [number for number, (_, _, until) in self._silent.items() if until < now]
        for k, number in enumerate(late):
            if k % _AT_ONCE == 0:
                await asyncio.sleep(0)  # everybody else has a turn
            if number in self._silent and self._silent[number][2] < now:
                self._let_go(number)

    def close(self) -> None:
        """Close everything."""
        for number in list(self._silent):
            self._let_go(number)
        for connection, _ in self._asking:
            connection.close()
        if self._epoll is not None:
            self._epoll.close()
        super().close()

    def _look(self) -> None:
        assert self._epoll is not None
        own = super().fileno()
        for number, events in self._epoll.poll(0, _AT_ONCE):
            if number == own:
                self._let_in()
            elif number in self._silent:
                self._hear(number, events)

    def _let_in(self) -> None:
        assert self._epoll is not None
        for _ in range(_AT_ONCE):
            try:
                connection, (address, _) = super().accept()
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno in _ROOM and self._silent:
                    self._let_go(next(iter(self._silent)))
                    return
                raise
            connection.setblocking(False)
            number = connection.fileno()
            self._silent[number] = connection, address, time.monotonic() + self.patience
            same = self._of_address.setdefault(address, {})
            same[number] = None
            # Edges: what has been looked at, and is not all yet, does not wake anybody again.
            self._epoll.register(number, select.EPOLLIN | select.EPOLLRDHUP | select.EPOLLET)
            if len(same) > MAX_CONNECTIONS:
                self._let_go(next(iter(same)))
            elif len(self._silent) > self.max_silent:
                self._let_go(next(iter(self._silent)))

    def _hear(self, number: int, events: int) -> None:
        connection, address, _ = self._silent[number]
        try:
            head = connection.recv(_MAX_HEAD, socket.MSG_PEEK)
        except OSError:
            head = b""
        if len(head) == _MAX_HEAD or any(end in head for end in _ENDS):
            self._forget(number, address)
            self._asking.append((connection, connection.getpeername()))
        elif not head or events & (select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR):
            self._let_go(number)

    def _forget(self, number: int, address: str) -> None:
        assert self._epoll is not None
        self._epoll.unregister(number)
        del self._silent[number]
        del self._of_address[address][number]
        if not self._of_address[address]:
            del self._of_address[address]

    def _let_go(self, number: int) -> None:
        connection, address, _ = self._silent[number]
        self._forget(number, address)
        connection.close()
