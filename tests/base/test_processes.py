"""Pools of threads and processes: when one is left, its work ends at once."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager

import pytest

import bgrace
from bgrace._base.language import spoken, spoken_language
from bgrace._base.processes import processes, thread_pool

SIDES = ("8x1 6x4 5x3 4x3 3x2", "9x1 8x1 6x4 5x4 4x2 3x1")
LARGE = ("6x4 5x3 4x3 3x1", "6x4 5x3 4x2 3x1")


@contextmanager
def ended_soon() -> Iterator[None]:
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        yield
    assert time.monotonic() - began < 25  # of 60, on a busy machine


@pytest.mark.parametrize("pause", [0.2, 1])
def test_threads_stop_computing_when_their_pool_is_left(pause: float) -> None:
    with ended_soon(), thread_pool(2) as pool:
        pool.submit(bgrace.solve, *SIDES, seconds=60, threads=1)
        pool.submit(bgrace.solve, *LARGE, seconds=60, threads=1, prove=True)
        time.sleep(pause)
        raise KeyboardInterrupt


@pytest.mark.parametrize("start", [thread_pool, processes])
def test_workers_speak_the_language_of_their_caller(start: Callable[[int], AbstractContextManager[Executor]]) -> None:
    with spoken("de"), start(1) as pool:
        assert pool.submit(spoken_language).result() == "de"
    with start(1) as pool:
        assert pool.submit(spoken_language).result() == "en"


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_processes_block_signals_to_the_group_and_end_with_their_pool() -> None:
    keys = {signal.SIGINT, signal.SIGTERM}
    with ended_soon(), processes(1) as pool:
        assert keys <= pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result()
        assert not keys & signal.pthread_sigmask(signal.SIG_BLOCK, [])
        worker = pool.submit(os.getpid).result()
        waiting = [pool.submit(time.sleep, 60) for _ in range(9)]
        time.sleep(0.2)
        for future in waiting:
            future.cancel()
        os.kill(worker, signal.SIGTERM)
        time.sleep(0.2)
        raise KeyboardInterrupt
