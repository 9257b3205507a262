"""If an allocation or a system call fails, an answer of the C library is right or refused."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from helpers.command import call
from helpers.compilers import SANITIZED
from helpers.once import library_object, linked
from helpers.paths import ROOT

import bgrace

PROGRAM = ROOT / "tests" / "c" / "failures.c"


@pytest.mark.skipif(sys.platform != "linux", reason="needs a linker that replaces functions of the system")
def test_answers_are_right_or_refused_whichever_call_fails(tmp_path: Path, once: Path) -> None:
    wrapped = sorted(set(re.findall(r"__wrap_(\w+)\(", PROGRAM.read_text())))
    options = [*SANITIZED, "-std=gnu11", *(f"-Wl,--wrap={name}" for name in wrapped)]
    program = linked(options, PROGRAM, library_object(once, SANITIZED), tmp_path / "failures")
    bgrace.build(tmp_path / "plain.h5", 6, 3, 2)
    bgrace.pack(tmp_path / "plain.h5", tmp_path / "packed.h5")
    bgrace.pack_approximate(tmp_path / "plain.h5", tmp_path / "approximate.h5", 0.01)
    report = call(program, "files", "1", *tmp_path.glob("*.h5"))
    n_calls = [int(number) for number in re.findall(r"(\d+) calls failed one by one", report)]
    assert len(n_calls) == 3
    assert min(n_calls) > 50
    for part, stride in (("solver", 50), ("races", 37)):
        assert ", 0 wrong" in call(program, part, str(stride), tmp_path / "plain.h5")
