"""Every command in the documents runs as printed; every named script exists and has the printed options."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

import pytest
from helpers.command import run
from helpers.once import made_once
from helpers.paths import MATCHES, RECORDED_RACES, ROOT
from test_docs import DOCUMENTS, REFERENCE, TUTORIAL, Example, examples

NOT_RUN: Final = {
    ("web",): "serves until Ctrl-C",
    ("build", "all.h5"): "24 GB",
    ("export", "--exact"): "2.8 GB",
    ("plot", "race-figures"): "minutes",
}
"""Beginnings of commands that a test cannot run, and why.  With --help they only refuse options that do not exist."""

EVERY_PAGE: Final = [*DOCUMENTS, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
RUN_ELSEWHERE: Final = [*REFERENCE, TUTORIAL, ROOT / "README.md"]
"""Pages whose commands test_docs.py and test_readme.py run."""
RUN_HERE: Final = [path for path in DOCUMENTS if path not in RUN_ELSEWHERE and any(examples(path))]


def makes(example: Example) -> str | None:
    """Return the file that a command makes and would not replace."""
    files = [word for word in example.arguments if word.endswith((".h5", ".bd"))]
    return files[-1] if example.arguments[0] in {"build", "pack", "unpack", "export", "import"} else None


@pytest.fixture
def folder(file: Path, once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the folder of a reader, with databases, files of GNU Backgammon, matches and recorded races."""
    (tmp_path / "matches").mkdir()
    shutil.copy(MATCHES / "5-103.mat", tmp_path / "match.sgf")  # a match is known by its contents, not by its name
    shutil.copy(MATCHES / "5-103.mat", tmp_path / "matches")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "matches").symlink_to(MATCHES)
    (tmp_path / "data" / "recorded-races.txt").write_text(RECORDED_RACES[4], encoding="utf-8")
    for name in ("bearoff.h5", "full.h5", "all.h5"):
        (tmp_path / name).symlink_to(file)
    (once / "exported").mkdir(exist_ok=True)  # GNU Backgammon's own files have these names
    for name in ("gnubg_os0.bd", "gnubg_ts0.bd"):
        exported = made_once(once / "exported", name, lambda path: run("export", file, path))
        shutil.copy(exported, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", RUN_HERE, ids=lambda page: page.name)
def test_the_commands_of_a_page_run(page: Path, folder: Path) -> None:
    for example in examples(page):
        arguments, made = list(example.arguments), makes(example)
        if any(example.arguments[: len(beginning)] == beginning for beginning in NOT_RUN):
            arguments.append("--help")
        elif made is not None:
            (folder / made).unlink(missing_ok=True)
        result = run(*arguments)
        assert result.exit_code == 0, f"{example}: {result.output}"
        assert {*example.output.splitlines()} <= {*result.stdout.splitlines(), ""}, f"{example}: shows other lines"


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: page.name)
def test_scripts_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name, rest in re.findall(r"(?:python|sh)\s+(scripts/\w+\.(?:py|sh))((?:[ \t][^\n`#]*)?)", text):
        script = ROOT / name
        assert script.exists(), name
        for option in re.findall(r"(?<!\S)--[a-z][a-z-]*", rest):
            source = script.read_text(encoding="utf-8")
            assert option in source or f'"{option}"' in source, f"{name} has no {option}"
