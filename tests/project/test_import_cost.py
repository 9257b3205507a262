"""What an import loads: nothing at first, and with the first name no more than answers need."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from helpers.command import ran
from helpers.paths import ROOT, SMALL

import bgrace.match

ROOMS = {"_base", "_face", "_kernels", "answers", "board", "cube", "database", "errors", "match", "tables"}
"""Rooms that the names of ``bgrace`` itself need; subjects such as bgrace.rollout are loaded when they are named."""

OTHERS = {"h5py", "numpy"}
"""Packages that they need; those of extras, and those of the command line, are not among them."""


def loaded(program: str) -> set[str]:
    """Modules that a program loads beyond what Python has at its start."""
    text = f"import sys; before = set(sys.modules); {program}; print(*sorted(set(sys.modules) - before))"
    return set(ran([sys.executable, "-c", text], cwd=ROOT, check=True).stdout.split())


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


def test_the_names_of_match_are_loaded_when_they_are_used() -> None:
    modules = loaded("import bgrace.match; bgrace.match.Score")
    assert "bgrace.match.score" in modules
    assert not modules & {"bgrace.match.maps", "bgrace.match.met", "bgrace.match.zadeh"}
    assert dir(bgrace.match) == sorted(bgrace.match.__all__)
    for package in (bgrace.cube, bgrace.interop):
        assert dir(package)
        assert all(getattr(package, name).__name__ == f"{package.__name__}.{name}" for name in dir(package))
    assert (bgrace.embed.include_dir() / "bgrace.h").is_file()
    for name in bgrace.match.__all__:
        assert getattr(bgrace.match, name).__name__ == name
    with pytest.raises(AttributeError, match=r"'bgrace\.match' has no attribute 'scores'"):
        bgrace.match.scores  # type: ignore[attr-defined]  # noqa: B018


SLOW = {"concurrent", "email", "h5py", "importlib.metadata", "secrets", "statistics", "subprocess", "urllib.request"}
"""Modules that take longer to import than a question takes to answer."""


def loaded_by_command(*arguments: str) -> set[str]:
    """Modules that a command loads; the last line of its output names them."""
    text = (
        "import sys; before = set(sys.modules); from bgrace.cli import cli; "
        f"cli({list(arguments)!r}, standalone_mode=False); print(); print(*sorted(set(sys.modules) - before))"
    )
    run = ran([sys.executable, "-c", text], cwd=ROOT, check=True)
    return set(run.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_a_command_that_computes_nothing_loads_click_alone(option: str) -> None:
    modules = loaded_by_command(option)
    assert not modules & (SLOW | {"numpy", "rich"})
    assert {name for name in modules if name.startswith("bgrace.")} <= {
        "bgrace._base",
        "bgrace._base.interrupts",
        "bgrace._base.version",
        "bgrace.cli",
        "bgrace.errors",
    }


def test_a_question_to_a_mapped_file_loads_neither_hdf5_nor_what_it_does_not_use() -> None:
    modules = loaded_by_command("query", str(SMALL), "6x1", "5x1")
    assert "bgrace._kernels.probe" in modules
    assert not modules & SLOW
    unused = (
        "bgrace.counts",
        "bgrace.database.building",
        "bgrace.match.zadeh",
    )
    assert not {name for name in modules if name.startswith((*unused, "rich.progress", "xml"))}


def test_a_build_loads_nothing_that_answers_or_draws(tmp_path: Path) -> None:
    modules = loaded_by_command("build", str(tmp_path / "new.h5"), "--checkers", "2")
    assert "bgrace.database.building" in modules
    assert not {name for name in modules if name.split(".")[0] == "rich"}
    assert not {name for name in modules if name.startswith("bgrace.answers")}


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="this system does not list threads like that")
def test_a_command_that_answers_has_one_thread() -> None:
    program = (
        "import os, sys; from bgrace.cli import main; sys.argv[1:] = ['query', *sys.argv[1:], '6x1', '5x1']\n"
        "try: main()\nexcept SystemExit: print(len(os.listdir('/proc/self/task')))"
    )
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    run = ran([sys.executable, "-c", program, str(SMALL)], cwd=ROOT, env=free, check=True)
    assert run.stdout.splitlines()[-1] == "1"


def test_an_answer_in_json_waits_for_nothing_that_draws_tables() -> None:
    modules = loaded_by_command("query", str(SMALL), "1x6", "1x5", "--json")
    assert "bgrace._kernels.probe" in modules
    assert not {name for name in modules if name.split(".")[0] == "rich" or name == "bgrace.cli.tables"}


def test_what_is_not_compiled_says_how_to_compile_it(tmp_path: Path) -> None:
    for name in ("__init__.py", "_kernels/__init__.py"):
        (tmp_path / "bgrace" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "bgrace" / name).write_bytes((ROOT / "bgrace" / name).read_bytes())
    ended = ran(
        [sys.executable, "-c", "import bgrace._kernels.plays"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
    )
    assert re.search(r"\nImportError: bgrace is not compiled in .*: run `pip install", ended.stderr)
