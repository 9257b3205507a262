"""Processes to compute with."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager

from bgrace.errors import BgraceError


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """Start processes, and end them with the block; cancel what has not begun.  BgraceError if one is lost."""
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    try:
        yield pool
    except BrokenExecutor as error:
        raise BgraceError(f"a process was lost ({error}): try again with fewer --workers") from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
