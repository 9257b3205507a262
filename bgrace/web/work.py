"""Work beside the event loop: a few threads, a bounded queue that is shared out fairly, and nothing for nobody."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

Result = TypeVar("Result")

_WAITING: Final = 64
_PATIENCE: Final = 20.0
_SHARE: Final = 1.0
"""Seconds that a job may take while others wait."""

_LEARNING: Final = 0.25
"""The weight of the last job in the mean time of jobs."""


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
    function: Callable[[float], Result]
    future: Future[Result]
    seconds: float
    owner: str
    is_part: bool = False

    def run(self, seconds: float) -> None:
        """Run the function."""
        try:
            result = self.function(seconds)
        except BaseException as error:  # whatever it is belongs to the caller that waits
            self.future.set_exception(error)
        else:
            self.future.set_result(result)


class Workers:
    """Threads that run jobs: the owner that has had least comes first, with its shortest job, in the order they came.

    They end with the process: an answer that is still being computed holds nothing up.

    Parameters
    ----------
    threads : int
    waiting : int
        Jobs that may wait.  Where they are too many, the last job of the owner with most gives way.
    patience : float
        Seconds that a job may have to wait for those before it: one that would wait longer is refused, since its client
        would have gone before it is done.  How long they take is told by how long others took, for each second that
        they were said to take.
    name : str
        Of the threads.
    """

    def __init__(
        self, threads: int = 1, waiting: int = _WAITING, patience: float = _PATIENCE, name: str = "answers"
    ) -> None:
        self._threads, self._waiting, self._patience = threads, waiting, patience
        self._jobs: list[_Job[object]] = []
        self._changed = threading.Condition()
        self._stretch = 1.0
        self._used: dict[str, float] = {}
        """Seconds that owners have had; a new one begins with `_clock`, as if they had had as many as the last one."""
        self._clock = 0.0
        self._long: Counter[str] = Counter()
        """Jobs that run for more than a share, by owner."""
        for number in range(threads):
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._changed:
                (job,) = self._changed.wait_for(self._next)
                self._jobs.remove(job)
                if not job.future.set_running_or_notify_cancel():
                    continue
                seconds = self._allowed(job)
                self._clock = self._used[job.owner]
                self._used[job.owner] += seconds
                self._long[job.owner] += seconds > _SHARE
            began = time.monotonic()
            job.run(seconds)
            took = time.monotonic() - began
            with self._changed:
                self._stretch += _LEARNING * (took / seconds - self._stretch)
                self._used[job.owner] = self._used.get(job.owner, self._clock) + took - seconds
                self._long[job.owner] -= seconds > _SHARE
                self._long = +self._long
                self._changed.notify_all()
                waiting = {each.owner for each in self._jobs}
                self._used = {name: used for name, used in self._used.items() if used > self._clock or name in waiting}

    def _next(self) -> list[_Job[object]]:
        """The job whose turn it is, if any: one owner's long ones leave a thread to others."""
        most = max(1, self._threads - 1)
        able = [job for job in self._jobs if self._long[job.owner] < most or self._allowed(job) <= _SHARE]
        return sorted(able, key=lambda job: (self._used[job.owner], job.seconds))[:1]

    def _allowed(self, job: _Job[object]) -> float:
        """Seconds that a job may take: fewer than it asks for while others wait."""
        crowded = any(other.owner != job.owner for other in self._jobs)
        return min(job.seconds, _SHARE) if crowded else job.seconds

    async def run(self, function: Callable[[float], Result], seconds: float = 1.0, owner: str = "") -> Result:
        """Wait for a function to be run; a caller that stops waiting cancels it, if it has not begun.

        Parameters
        ----------
        function : callable
            Called on another thread with the seconds that it may take: `seconds`, or fewer while others wait.
        seconds : float
            About how long it takes.
        owner : str
            On whose behalf.

        Raises
        ------
        BusyError
            If too many wait already.
        """
        with self._changed:
            ahead = self._ahead(seconds, owner)
            if ahead > self._patience or (len(self._jobs) >= self._waiting and not self._make_room(owner)):
                raise BusyError(ahead)
            job = self._added(function, seconds, owner)
        return await self._result(job)

    async def run_part(self, function: Callable[[float], Result], seconds: float = 1.0, owner: str = "") -> Result:
        """The same for the next part of a piece of work that has begun: it waits for its turn, and is never refused."""
        with self._changed:
            job = self._added(function, seconds, owner, is_part=True)
        return await self._result(job)

    def _ahead(self, seconds: float, owner: str) -> float:
        """How long a job would wait: for its owner's shorter ones, and for others as long as they have not had more."""
        waiting: dict[str, float] = {}
        for job in self._jobs:
            if job.owner != owner or job.seconds <= seconds:
                waiting[job.owner] = waiting.get(job.owner, 0.0) + self._allowed(job)
        own = waiting.pop(owner, 0.0)
        share = own + (min(seconds, _SHARE) if waiting else seconds)
        return self._stretch * (own + sum(min(each, share) for each in waiting.values())) / self._threads

    def _make_room(self, owner: str) -> bool:
        """Refuse the last job of the owner with most, if an owner would have fewer even so."""
        counts = Counter(job.owner for job in self._jobs if not job.is_part)
        ((most, n),) = counts.most_common(1) or [("", 0)]
        if counts[owner] + 1 >= n:
            return False
        last = next(job for job in reversed(self._jobs) if job.owner == most and not job.is_part)
        self._jobs.remove(last)
        if last.future.set_running_or_notify_cancel():
            last.future.set_exception(BusyError(self._patience))
        return True

    def _added(
        self, function: Callable[[float], Result], seconds: float, owner: str, *, is_part: bool = False
    ) -> _Job[Result]:
        job = _Job(function, Future[Result](), seconds, owner, is_part)
        self._used[owner] = max(self._used.get(owner, 0.0), self._clock)
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
