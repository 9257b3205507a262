"""What an import loads: nothing at first, and with the first name no more than answers need."""

from __future__ import annotations

import subprocess
import sys

from helpers.paths import ROOT

ROOMS = {"_base", "_face", "_kernels", "answers", "board", "cube", "database", "errors", "match", "solving", "tables"}
"""Rooms that the names of ``bgrace`` itself need; subjects such as bgrace.rollout are loaded when they are named."""

OTHERS = {"h5py", "numpy"}
"""Packages that they need; those of extras, and those of the command line, are not among them."""


def loaded(program: str) -> set[str]:
    """Modules that a program loads beyond what Python has at its start."""
    text = f"import sys; before = set(sys.modules); {program}; print(*sorted(set(sys.modules) - before))"
    return set(
        subprocess.run(
            [sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split()
    )


def test_the_package_loads_nothing() -> None:
    assert loaded("import bgrace") == {"bgrace"}


def test_the_first_name_loads_what_answers_need() -> None:
    modules = loaded("import bgrace; bgrace.open")
    assert {name.split(".")[1] for name in modules if name.startswith("bgrace.")} == ROOMS
    tops = {name.split(".")[0] for name in modules}
    ours = {"bgrace", "cython_runtime"} | {name for name in tops if name.startswith("_cython")}
    assert tops - ours - set(sys.stdlib_module_names) <= OTHERS


def test_a_subject_loads_when_it_is_named() -> None:
    assert "bgrace.counts" in loaded("import bgrace; bgrace.counts")
