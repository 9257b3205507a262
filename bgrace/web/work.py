"""Work beside the event loop: a few threads, a bounded queue, and jobs that nobody waits for any more left out."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

__all__ = ["BusyError", "Workers"]

Result = TypeVar("Result")

_WAITING: Final = 64
_PAUSE: Final = 0.05


class BusyError(Exception):
    """More jobs are waiting than the queue holds: ask again later."""


@dataclass(frozen=True, slots=True)
class _Job(Generic[Result]):
    function: Callable[[], Result]
    future: Future[Result]

    def run(self) -> None:
        """Run the function, unless the job was cancelled while it waited."""
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            result = self.function()
        except BaseException as error:  # whatever it is belongs to whoever waits
            self.future.set_exception(error)
        else:
            self.future.set_result(result)


class Workers:
    """Threads that run jobs in the order in which they came.

    They end with the process: an answer that is still being computed holds nothing up.

    Parameters
    ----------
    threads : int
    waiting : int
        Jobs that may wait.
    name : str
        Of the threads.
    """

    def __init__(self, threads: int = 1, waiting: int = _WAITING, name: str = "answers") -> None:
        self._jobs: queue.Queue[_Job[object]] = queue.Queue(waiting)
        for number in range(threads):
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True).start()

    def _work(self) -> None:
        while True:
            self._jobs.get().run()

    async def run(self, function: Callable[[], Result]) -> Result:
        """Wait for a function to be run; who stops waiting cancels it, if it has not begun.

        Raises
        ------
        BusyError
            If too many wait already.
        """
        return await self._run(function, wait=False)

    async def run_when_free(self, function: Callable[[], Result]) -> Result:
        """The same for a part of a longer piece of work, which waits for room in the queue."""
        return await self._run(function, wait=True)

    async def _run(self, function: Callable[[], Result], *, wait: bool) -> Result:
        future: Future[Result] = Future()
        job: _Job[object] = _Job(function, future)  # type: ignore[arg-type]  # what it gives goes to the future alone
        while True:
            try:
                self._jobs.put_nowait(job)
                break
            except queue.Full:
                if not wait:
                    raise BusyError from None
                await asyncio.sleep(_PAUSE)
        return await asyncio.wrap_future(future)
