"""Every allocation and every system call of an open file fails once: an answer is right, or it is refused."""

from __future__ import annotations

import ctypes
import re
import sys
from pathlib import Path

import pytest
from helpers.command import call
from helpers.compilers import SANITIZED
from helpers.once import library_object, linked
from helpers.paths import ROOT
from helpers.probe_library import ProbeError, check, counts_of, library
from helpers.solver_library import MapCase, stakes_of

import bgrace
from bgrace.match.stakes import Stakes

PROGRAM = ROOT / "tests" / "c" / "failures.c"


@pytest.mark.skipif(sys.platform != "linux", reason="the linker puts other functions in the place of the system's")
def test_every_call_of_an_open_file_fails_once(tmp_path: Path, once: Path) -> None:
    wrapped = sorted(set(re.findall(r"__wrap_(\w+)\(", PROGRAM.read_text())))
    options = [*SANITIZED, "-std=gnu11", *(f"-Wl,--wrap={name}" for name in wrapped)]
    program = linked(options, PROGRAM, library_object(once, SANITIZED), tmp_path / "failures")
    bgrace.build(tmp_path / "plain.h5", 6, 3, 2)
    bgrace.pack(tmp_path / "plain.h5", tmp_path / "packed.h5")
    bgrace.pack_approximate(tmp_path / "plain.h5", tmp_path / "approximate.h5", 0.01)
    told = call(program, "files", "1", *tmp_path.glob("*.h5"))
    tried = [int(number) for number in re.findall(r"(\d+) calls failed one by one", told)]
    assert len(tried) == 3
    assert min(tried) > 50
    for what, stride in (("solver", 9), ("races", 7)):
        assert ", 0 wrong" in call(program, what, str(stride), tmp_path / "plain.h5")


def test_a_map_of_money_is_refused() -> None:
    """A cube without limit comes back to where it was, and the map went round until the stack was full."""
    side, case = counts_of([1, 1, 0, 0, 1, 0]), MapCase(stakes_of(Stakes.money()), 1)
    with pytest.raises(ProbeError, match="STAKES"):
        check(library.bgr_ask_map(6, side, side, ctypes.byref(case), 1, None))
