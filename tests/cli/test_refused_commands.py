"""Every command of tests/golden/refused_commands.csv is refused in one line, and changes nothing."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.command import check_error, run
from helpers.files import damaged
from helpers.golden import rows
from helpers.paths import MATCHES, SMALL


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, bytes]]:
    """Make a working folder with databases, tables, and a match, also under names that output files have."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("work"))
        for name in ("match.mat", "match.html", "match.csv", "match.apkg"):
            shutil.copy(MATCHES / "5-103.mat", name)
        for ending in ("h5", "html", "csv", "apkg", "svg", "xml", "pdf"):
            shutil.copy(SMALL, f"small.{ending}")
        for name in ("table.csv", "table.xml"):
            run("match", "met", "--write", name)
        shutil.copy("table.xml", "table.svg")
        Path("noise.txt").write_text("no table", encoding="utf-8")
        Path("link.html").symlink_to("match.mat")
        Path("link.xml").symlink_to("table.xml")
        Path("drawn.svg").mkdir()
        Path("empty.h5").touch()
        damaged(Path("wrong.h5"), SMALL, "two_sided/equities", 1000)
        os.mkfifo("pipe")  # commands must not wait for it
        yield contents()


def contents() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}


@pytest.mark.parametrize(
    ("status", "command", "message"), [tuple(row.cells.values()) for row in rows("refused_commands")]
)
def test_a_command_is_refused(folder: dict[str, bytes], status: str, command: str, message: str) -> None:
    check_error(run(*shlex.split(command)), int(status), *message.split(" | "))
    assert contents() == folder
