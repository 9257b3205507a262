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
        self.seconds: list[float] = []

    def job(self, number: int) -> Callable[[float], int]:
        def run(seconds: float) -> int:
            self.begun.set()
            self.open.wait(30)
            self.run.append(number)
            self.seconds.append(seconds)
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


def test_who_has_had_least_is_next_and_nobody_keeps_the_others_waiting_for_long() -> None:
    async def ask() -> None:
        gate, workers = Gate(), Workers()
        first = await begun(gate, workers)
        asked = [("greedy", 10.0), ("greedy", 5.0), ("greedy", 10.0), ("modest", 0.5), ("other", 2.0)]
        others = [asyncio.create_task(workers.run(gate.job(k), *each[::-1])) for k, each in enumerate(asked, 1)]
        await asyncio.sleep(0)
        gate.open.set()
        await asyncio.gather(first, *others)
        # The shortest of each in turn, and then what is left; long ones are cut down until nobody else waits.
        assert gate.run == [0, 4, 5, 2, 1, 3]
        assert gate.seconds == [1.0, 0.5, 1.0, 5.0, 10.0, 10.0]

    in_loop(ask())


def test_a_full_queue_has_room_for_who_has_fewer_in_it() -> None:
    async def ask() -> None:
        gate, workers = Gate(), Workers(waiting=4)
        first = await begun(gate, workers)
        greedy = [asyncio.create_task(workers.run(gate.job(k), owner="greedy")) for k in (1, 2, 3, 4)]
        await asyncio.sleep(0)
        modest = [asyncio.create_task(workers.run(gate.job(k), owner="modest")) for k in (5, 6, 7)]
        await asyncio.sleep(0)
        gate.open.set()
        outcomes = await asyncio.gather(first, *greedy, *modest, return_exceptions=True)
        assert [isinstance(each, BusyError) for each in outcomes] == [k in (3, 4, 7) for k in range(8)]

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
            await workers.run(gate.job(2), 1000.0)
        assert busy.value.seconds == 1000.0
        gate.open.set()
        assert list(await asyncio.gather(first, second)) == [0, 1]

    in_loop(ask())


def test_a_job_that_fails_tells_who_asked_and_nobody_else() -> None:
    async def ask() -> None:
        workers = Workers()

        def fail(_seconds: float) -> int:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await workers.run(fail)
        assert await workers.run(lambda _seconds: 7) == 7

    in_loop(ask())


def test_long_jobs_of_one_leave_a_thread_to_others() -> None:
    async def ask() -> None:
        gate, workers = Gate(), Workers(2)
        long = [asyncio.create_task(workers.run(gate.job(k), 10.0, "greedy")) for k in range(3)]
        await asyncio.to_thread(gate.begun.wait)
        assert await asyncio.wait_for(workers.run(lambda seconds: seconds, 10.0, "other"), 30) == 1.0
        assert gate.run == []
        gate.open.set()
        assert await asyncio.gather(*long) == [0, 1, 2]

    in_loop(ask())
