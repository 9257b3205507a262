"""Targets of builds: a temporary file left by a kill is removed; any other file of that name is refused."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from helpers.files import build_packed
from helpers.once import Made

import bgrace
from bgrace import BuildError
from bgrace.database.store.writer import UNFINISHED
from bgrace.interop import gnubg

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links, pipes and permissions of Unix"),
    pytest.mark.usefixtures("fixed_time"),
]


def test_a_temporary_name_that_somebody_else_uses_is_refused(tmp_path: Path) -> None:
    path, partial = tmp_path / "x.h5", tmp_path / "x.h5.partial"
    for content in (b"half of a download", b"\x00\x01" * 5000, b"\x89HDF\r\n\x1a\n"):
        partial.write_bytes(content)
        for force in (False, True):
            with pytest.raises(BuildError, match="is not an unfinished bgrace database, and would be overwritten"):
                bgrace.build(path, 6, 2, 1, force=force)
        assert partial.read_bytes() == content
    partial.unlink()
    os.mkfifo(partial)
    with pytest.raises(BuildError, match="is not an ordinary file"):
        bgrace.build(path, 6, 2, 1)
    partial.unlink()
    partial.mkdir()
    with pytest.raises(BuildError):
        bgrace.build(path, 6, 2, 1)
    partial.rmdir()
    for temporary in (partial, tmp_path / "x.h5.plain"):
        temporary.symlink_to("missing")
        for force in (False, True):
            with pytest.raises(BuildError, match="is a link, and the unfinished file would have its name: move it"):
                build_packed(path, 6, 2, 1, force=force)
        temporary.unlink()
    assert os.listdir(tmp_path) == []


MAKERS: dict[str, Callable[..., object]] = {
    "build": lambda path, _, **more: bgrace.build(path, 6, 4, 3, **more),
    "archive": lambda path, _, **more: bgrace.build(path, 6, 4, 3, compress=True, **more),
    "built and packed": lambda path, _, **more: build_packed(path, 6, 4, 3, **more),
    "pack": lambda path, plain, **more: bgrace.pack(plain, path, **more),
    "unpack": lambda path, plain, **more: bgrace.unpack(plain.with_name("packed-6-4-3.h5"), path, **more),
    "approximate": lambda path, plain, **more: bgrace.pack_approximate(plain, path, 0.01, **more),
    "gnubg exported": lambda path, plain, **more: gnubg.export(bgrace.open(plain), path, "two-sided", **more),
    "gnubg one side": lambda path, plain, **more: gnubg.export(
        bgrace.open(plain.with_name("plain-2-15-15.h5")), path, "one-sided", **more
    ),
    "gnubg generated": lambda path, _, **more: gnubg.generate(path, "two-sided", 3, 4, **more),
    "gnubg one side generated": lambda path, _, **more: gnubg.generate(path, "one-sided", 2, **more),
}


@pytest.fixture(scope="module")
def plain(made: Made) -> Path:
    """The source of other files; beside it are the same file packed, and one of fifteen checkers."""
    made(6, 4, 3, "packed")
    made(2, 15, 15)
    return made(6, 4, 3)


@pytest.mark.parametrize("name", MAKERS)
def test_files_of_a_kill_are_removed(tmp_path: Path, plain: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The kill comes between the last byte and the renaming, or earlier."""
    make, path = MAKERS[name], tmp_path / "x.h5"
    make(path, plain)
    whole = path.read_bytes()
    path.unlink()

    def kill(partial: Path, _path: Path) -> None:
        os.link(partial, tmp_path / "left")  # unlike Ctrl-C, a kill removes nothing
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("bgrace.database.store.target.put_in_place", kill)
        with pytest.raises(KeyboardInterrupt):
            make(path, plain)
    assert os.listdir(tmp_path) == ["left"]
    finished = (tmp_path / "left").read_bytes()
    unfinished = UNFINISHED.encode() + finished[len(UNFINISHED) :]
    for left in (finished, b"", bytes(10_000), *([] if name.startswith("gnubg") else [unfinished, unfinished[:100]])):
        (tmp_path / "left").unlink()
        (tmp_path / "left").write_bytes(left)
        for temporary in ("x.h5.partial", "x.h5.plain"):
            os.link(tmp_path / "left", tmp_path / temporary)  # its other name stays
        make(path, plain)
        assert path.read_bytes() == whole
        assert (tmp_path / "left").read_bytes() == left
        assert sorted(os.listdir(tmp_path)) == ["left", "x.h5"]
        path.unlink()


@pytest.mark.parametrize("stop_at", [1, 2, 5])
@pytest.mark.parametrize("name", MAKERS)
def test_a_build_that_is_stopped_leaves_the_old_file(tmp_path: Path, plain: Path, name: str, stop_at: int) -> None:
    """By Ctrl-C, or by any exception of the progress, at any stage."""
    calls, path = 0, tmp_path / "x.h5"
    path.write_bytes(b"old")

    def stop(done: int, total: int) -> None:
        nonlocal calls
        assert 0 <= done <= total
        calls += 1
        if calls == stop_at:
            raise KeyboardInterrupt

    try:
        MAKERS[name](path, plain, force=True, progress=stop)
    except KeyboardInterrupt:
        assert (os.listdir(tmp_path), path.read_bytes()) == (["x.h5"], b"old")
    else:
        assert calls < stop_at


@pytest.mark.parametrize("name", ["build", "pack", "unpack", "approximate", "gnubg exported"])
@pytest.mark.parametrize("temporary", ["x.h5.partial", "x.h5.plain"])
def test_a_finished_file_with_a_temporary_name_stays(tmp_path: Path, plain: Path, name: str, temporary: str) -> None:
    bgrace.build(tmp_path / temporary, 6, 3, 3)
    finished = (tmp_path / temporary).read_bytes()
    with pytest.raises(BuildError, match="is a finished bgrace database, and the unfinished file would have its name"):
        MAKERS[name](tmp_path / "x.h5", plain)
    assert (tmp_path / temporary).read_bytes() == finished
    if name == "build":
        bgrace.build(tmp_path / "x.h5", 6, 4, 3, force=True)
        assert os.listdir(tmp_path) == ["x.h5"]


def test_permissions_are_those_of_the_old_file_or_the_usual_ones(tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    (tmp_path / "new").touch()
    usual = stat.S_IMODE((tmp_path / "new").stat().st_mode)
    for compress in (False, True):
        for old, wanted in ((None, usual), (0o600, 0o600), (0o640, 0o640), (0o444, 0o444)):
            path.unlink(missing_ok=True)
            if old is not None:
                path.touch()
                path.chmod(old)
            bgrace.build(path, 6, 1, 1, force=True, compress=compress)
            assert stat.S_IMODE(path.stat().st_mode) == wanted


def test_names_that_are_circular_or_too_long_are_refused(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    with pytest.raises(BuildError, match="symbolic links"):
        bgrace.build(tmp_path / "circle", 6, 1, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["circle"]
    bgrace.build(tmp_path / ("x" * 247), 6, 1, 1)
    for length in (248, 255, 300):
        with pytest.raises(BuildError, match=f"has {length} bytes, and the name of a file that is built can have 247"):
            bgrace.build(tmp_path / ("x" * length), 6, 1, 1)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS])
def test_files_are_built_on_drives_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr("fcntl.flock", Mock(side_effect=OSError(number, os.strerror(number))))
    for name in ("new.h5", "left.h5"):
        (tmp_path / "left.h5.partial").touch()
        bgrace.build(tmp_path / name, 6, 1, 1)
    assert sorted(os.listdir(tmp_path)) == ["left.h5", "new.h5"]
