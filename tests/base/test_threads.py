"""Threads and processes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

FORKING = """
import multiprocessing as mp
import bgrace

def work(_):
    return bgrace.solve("6x6", "5x6", threads=2).win_probability

alone = work(0)
with mp.get_context("fork").Pool(2) as pool:
    assert pool.map_async(work, range(2)).get(60) == [alone, alone]
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_does_not_wait_for_threads_that_stayed_behind() -> None:
    subprocess.run([sys.executable, "-c", FORKING], check=True, timeout=120)
