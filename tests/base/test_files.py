"""Small files are written whole, or the old file stays."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import NoReturn

import pytest

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


def test_a_device_is_written_to_and_not_replaced() -> None:
    with pytest.raises(BuildError, match="/dev/full cannot be written: No space"):
        write_small_file("/dev/full", b"data")
    write_small_file("/dev/null", b"data")
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("what", ["os.fsync", "os.replace"])
def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    file = tmp_path / "table.csv"
    file.write_bytes(b"old")
    monkeypatch.setattr(what, full_disk)
    with pytest.raises(BuildError, match=r"table\.csv cannot be written: No space left on device"):
        MatchEquityTable.default().write(file)
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(BuildError, match="No space left on device; no file was written"):
        MatchEquityTable.default().write(tmp_path / "new.csv")


def test_a_file_has_its_name_only_when_it_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "table.csv"
    events: list[str] = []
    sync, replace = os.fsync, os.replace

    def noted_sync(descriptor: int) -> None:
        events.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        assert file.exists() == (events[-1] == "folder")
        sync(descriptor)

    def noted_replace(*names: Path) -> None:
        events.append("rename")
        replace(*names)

    monkeypatch.setattr(os, "fsync", noted_sync)
    monkeypatch.setattr(os, "replace", noted_replace)
    write_small_file(file, b"data")
    assert events == ["file", "rename", "folder"]


def test_temporary_names_are_random_and_links_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    names: list[Path] = []
    replace = os.replace

    def noted(unfinished: Path, target: Path) -> None:
        names.append(unfinished)
        replace(unfinished, target)

    monkeypatch.setattr(os, "replace", noted)
    for _ in range(20):
        write_small_file(tmp_path / "file.csv", b"data")
    assert len(set(names)) == 20
    # Even if somebody guesses the name, a link of that name is neither followed nor opened.
    monkeypatch.setattr(os, "urandom", lambda _: b"guessed")
    (tmp_path / f".bgrace-{b'guessed'.hex()}.partial").symlink_to(victim)
    with pytest.raises(BuildError, match="File exists"):
        write_small_file(tmp_path / "file.csv", b"other")
    assert victim.read_bytes() == b"precious"
    assert (tmp_path / "file.csv").read_bytes() == b"data"


def test_permissions_are_those_of_the_old_file_or_the_usual_ones(tmp_path: Path) -> None:
    file = tmp_path / "file.csv"
    mask = os.umask(0o027)
    try:
        assert stat.S_IMODE(write_small_file(file, b"new").stat().st_mode) == 0o640
    finally:
        os.umask(mask)
    for mode in (0o600, 0o664):
        file.chmod(mode)
        assert stat.S_IMODE(write_small_file(file, b"again").stat().st_mode) == mode


def test_a_file_may_have_the_longest_name_that_the_system_allows(tmp_path: Path) -> None:
    file = tmp_path / ("x" * 251 + ".csv")
    assert write_small_file(file, b"data").read_bytes() == b"data"


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BuildError, match=r"inner cannot be made a folder: Not a directory"):
        make_folder(tmp_path / "file" / "inner")
