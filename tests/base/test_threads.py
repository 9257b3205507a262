"""Threads of the C library."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from helpers.command import call, ran
from helpers.paths import ROOT

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
def test_a_forked_process_does_not_wait_for_threads_of_its_parent() -> None:
    call(sys.executable, "-c", FORKING, timeout=120)


def test_a_team_does_every_piece_once_and_without_data_races(tmp_path: Path) -> None:
    """tests/c/team.c, under ThreadSanitizer where the compiler has it."""
    program = tmp_path / "team"
    command = [os.environ.get("CC", "cc"), "-std=c11", "-g", "-O1", "-pthread", "-DBGR_THREADS", f"-I{ROOT / 'csrc'}"]
    sources = ("tests/c/team.c", "csrc/base/threads.c", "csrc/base/lock.c")
    command += [*(str(ROOT / source) for source in sources), "-o", str(program)]
    if ran([*command, "-fsanitize=thread"]).returncode != 0:
        call(*command)
    call(program, timeout=120)
