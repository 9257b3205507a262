"""Processes and threads to compute with, which end as soon as their results are not wanted any more.

They use the language of the thread that starts them.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import parent_process, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

from bgrace._base.interrupts import stop_with
from bgrace._base.language import speak, spoken_language
from bgrace.errors import BgraceError


class _Worker(SpawnProcess):
    """A process that Ctrl-C and SIGTERM never reach: it is ended by the process that started it."""

    terminate = SpawnProcess.kill

    def start(self) -> None:
        """Start with both signals blocked, which the new process inherits; this thread gets them once it is started."""
        if not hasattr(signal, "pthread_sigmask"):  # Windows
            super().start()
            return
        resource_tracker.ensure_running()  # which sets the mask itself
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Workers(SpawnContext):
    """Starts workers and lists them."""

    def __init__(self) -> None:
        self.started: list[_Worker] = []

    def Process(self, *args: Any, **options: Any) -> _Worker:  # type: ignore[override]  # noqa: N802
        """Make a process."""
        worker = _Worker(*args, **options)
        self.started.append(worker)
        return worker


def _begin_work(language: str) -> None:
    """Initialise a worker."""
    speak(language)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process once the one that started it has ended, even by SIGKILL."""
    parent = parent_process()
    assert parent is not None, "a worker has been started"
    parent.join()
    os._exit(1)


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """Start processes and end them with the block, at once after an exception.  BgraceError if one of them dies."""
    context = _Workers()
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_work, initargs=(spoken_language(),))
    try:
        yield pool
    except BrokenExecutor as error:
        remedy = "try again with fewer workers; in a script, call it under if __name__ == '__main__'"
        raise BgraceError(f"a process was lost ({error}): {remedy}") from error
    except BaseException:
        # Shut the pool down first.  Before Python 3.12, a pool that loses its processes fails if it still has cancelled
        # futures; its thread drops them at once.
        pool.shutdown(wait=False, cancel_futures=True)
        deadline = monotonic() + 0.1
        while getattr(pool, "_cancel_pending_futures", False) and monotonic() < deadline:
            sleep(0.001)
        for worker in context.started:
            if worker.is_alive():
                worker.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin(stop: Event, language: str) -> None:
    stop_with(stop)
    speak(language)


@contextmanager
def thread_pool(n_threads: int) -> Iterator[Executor]:
    """Start threads and end them with the block; after an exception the C library stops their computations."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  (takes a while)

    stop = Event()
    pool = ThreadPoolExecutor(n_threads, initializer=_begin, initargs=(stop, spoken_language()))
    try:
        yield pool
    except BaseException:
        stop.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
