"""Work beside the event loop: a few threads, a bounded queue, and jobs that nobody waits for any more left out."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

__all__ = ["BusyError", "Workers"]

Result = TypeVar("Result")

_WAITING: Final = 64
_PATIENCE: Final = 20.0
_LEARNING: Final = 0.25
"""What the last job counts for in how long jobs take."""


class BusyError(Exception):
    """More jobs are waiting than the queue holds, or would be done in time: ask again later.

    Attributes
    ----------
    seconds : float
        About how long those that wait will take.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(f"about {seconds:.0f} seconds of work are waiting")
        self.seconds = seconds


@dataclass(frozen=True, slots=True, eq=False)
class _Job(Generic[Result]):
    function: Callable[[], Result]
    future: Future[Result]
    seconds: float

    def run(self) -> None:
        """Run the function."""
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
    patience : float
        Seconds that a job may have to wait for those before it: one that would wait longer is refused, since whoever
        asked would have gone before it is done.  How long they take is told by how long others took, for each second
        that they were said to take.
    name : str
        Of the threads.
    """

    def __init__(
        self, threads: int = 1, waiting: int = _WAITING, patience: float = _PATIENCE, name: str = "answers"
    ) -> None:
        self._threads, self._waiting, self._patience = threads, waiting, patience
        self._jobs: deque[_Job[object]] = deque()
        self._changed = threading.Condition()
        self._stretch = 1.0
        for number in range(threads):
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs)
                job = self._jobs.popleft()
            if not job.future.set_running_or_notify_cancel():
                continue
            began = time.monotonic()
            job.run()
            with self._changed:
                self._stretch += _LEARNING * ((time.monotonic() - began) / job.seconds - self._stretch)

    async def run(self, function: Callable[[], Result], seconds: float = 1.0) -> Result:
        """Wait for a function to be run; who stops waiting cancels it, if it has not begun.

        Parameters
        ----------
        function : callable
            Called without arguments, on another thread.
        seconds : float
            About how long it takes.

        Raises
        ------
        BusyError
            If too many wait already.
        """
        with self._changed:
            ahead = self._stretch * sum(job.seconds for job in self._jobs) / self._threads
            if len(self._jobs) >= self._waiting or ahead > self._patience:
                raise BusyError(ahead)
            job = self._added(function, seconds)
        return await self._result(job)

    async def run_part(self, function: Callable[[], Result], seconds: float = 1.0) -> Result:
        """The same for the next part of a piece of work that has begun: it waits for its turn, and is never refused."""
        with self._changed:
            job = self._added(function, seconds)
        return await self._result(job)

    def _added(self, function: Callable[[], Result], seconds: float) -> _Job[Result]:
        job = _Job(function, Future[Result](), seconds)
        self._jobs.append(job)  # type: ignore[arg-type]  # what it gives goes to its future alone
        self._changed.notify()
        return job

    async def _result(self, job: _Job[Result]) -> Result:
        try:
            return await asyncio.wrap_future(job.future)
        except asyncio.CancelledError:
            with self._changed:
                if job in self._jobs:  # so that it keeps no place
                    self._jobs.remove(job)  # type: ignore[arg-type]
            raise
