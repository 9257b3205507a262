"""Small files: all of one, or what was there before."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import NoReturn

import pytest
from helpers.command import run

from bgrace._base.files import make_folder, write_small_file
from bgrace.errors import BuildError
from bgrace.match import MatchEquityTable


def full_disk(*_: object) -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_an_old_file_is_replaced_and_a_link_followed(tmp_path: Path) -> None:
    file, link = tmp_path / "file.csv", tmp_path / "link.csv"
    link.symlink_to(file)
    for data in (b"first, and longer", b"second"):
        assert write_small_file(link, data) == link
        assert file.read_bytes() == data
    assert link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [file, link]


def test_bytes_go_into_a_device_as_they_are() -> None:
    with pytest.raises(BuildError, match="/dev/full cannot be written: No space"):
        write_small_file("/dev/full", b"data")
    write_small_file("/dev/null", b"data")
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("what", ["os.fsync", "os.replace"])
def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    file = tmp_path / "table.csv"
    file.write_bytes(b"old")
    monkeypatch.setattr(what, full_disk)
    with pytest.raises(BuildError, match=r"table\.csv cannot be written: No space left on device"):
        MatchEquityTable.default().write(file)
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_name_as_long_as_a_name_can_be(tmp_path: Path) -> None:
    file = tmp_path / ("x" * 251 + ".csv")
    assert write_small_file(file, b"data").read_bytes() == b"data"


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BuildError, match=r"inner cannot be made a folder: Not a directory"):
        make_folder(tmp_path / "file" / "inner")


@pytest.mark.parametrize(
    "arguments",
    [
        ["windows", "--plot", "missing/picture.svg"],
        ["match", "map", "6x1", "6x1", "--plot", "missing/picture.svg"],
        ["match", "met", "--write", "missing/table.csv"],
        ["plot", "jump", "-o", "missing/picture.svg"],
        ["referee", "no such database", "--plot", "missing/picture.svg"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_missing_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 1
    assert "there is no folder missing; make it first" in result.stderr
    assert list(tmp_path.iterdir()) == []
