"""Work beside the event loop: in the order in which it came, in a queue with bounds, nothing lost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("starlette", reason="needs bgrace[web]")
pytest.importorskip("uvicorn", reason="needs bgrace[web]")

from bgrace.web.work import BusyError, Workers


def in_loop(work: Coroutine[None, None, None]) -> None:
    """Run in an event loop of its own: pages that are tested have one on this thread."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


class Gate:
    """Jobs that wait until they may go on, and note that they were run."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.begun = threading.Event()
        self.run: list[int] = []

    def job(self, number: int) -> Callable[[], int]:
        def run() -> int:
            self.begun.set()
            self.open.wait(30)
            self.run.append(number)
            return number

        return run


async def begun(gate: Gate, workers: Workers) -> asyncio.Task[int]:
    """A job that keeps the only thread busy."""
    task = asyncio.create_task(workers.run(gate.job(0)))
    while not gate.begun.is_set():
        await asyncio.sleep(0.001)
    return task


def test_first_come_first_served() -> None:
    async def ask() -> None:
        gate, workers = Gate(), Workers()
        first = await begun(gate, workers)
        # Parts of a longer piece of work take their turn among the others.
        others = [asyncio.create_task((workers.run_part if k % 2 else workers.run)(gate.job(k))) for k in range(1, 9)]
        await asyncio.sleep(0)
        gate.open.set()
        assert await asyncio.gather(first, *others) == list(range(9))
        assert gate.run == list(range(9))

    in_loop(ask())


def test_no_more_may_wait_than_there_are_places() -> None:
    async def ask() -> None:
        gate, workers = Gate(), Workers(waiting=2)
        first = await begun(gate, workers)
        waiting = [asyncio.create_task(workers.run(gate.job(k))) for k in (1, 2)]
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await workers.run(gate.job(3))
        part = asyncio.create_task(workers.run_part(gate.job(4)))
        await asyncio.sleep(0)
        # Who goes away makes room.
        waiting[0].cancel()
        part.cancel()
        await asyncio.sleep(0)
        last = asyncio.create_task(workers.run(gate.job(5)))
        await asyncio.sleep(0)
        gate.open.set()
        assert list(await asyncio.gather(first, waiting[1], last)) == [0, 2, 5]
        assert gate.run == [0, 2, 5]

    in_loop(ask())


def test_nobody_waits_for_longer_than_they_would() -> None:
    async def ask() -> None:
        gate, workers = Gate(), Workers(patience=10.0)
        first = await begun(gate, workers)
        second = asyncio.create_task(workers.run(gate.job(1), 1000.0))
        await asyncio.sleep(0)
        with pytest.raises(BusyError) as busy:
            await workers.run(gate.job(2), 0.1)
        assert busy.value.seconds == 1000.0
        gate.open.set()
        assert list(await asyncio.gather(first, second)) == [0, 1]

    in_loop(ask())


def test_a_job_that_fails_tells_who_asked_and_nobody_else() -> None:
    async def ask() -> None:
        workers = Workers()

        def fail() -> int:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await workers.run(fail)
        assert await workers.run(lambda: 7) == 7

    in_loop(ask())
