"""Whatever has the unfinished file's name: the right file comes of it, or one line of refusal."""

from __future__ import annotations

import json
import os
import stat
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.command import run

import bgrace
from bgrace import ArgumentError, BuildError
from bgrace.database.store.unfinished import NOTE_HEAD, SUM_PLACE, Note
from bgrace.match import Score

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links, pipes and permissions of Unix"),
    pytest.mark.usefixtures("fixed_time"),
]

BUILDS: dict[str, dict[str, Any]] = {
    "money": {"checkers": 4, "two_sided": 4},
    "match": {"checkers": 3, "two_sided": 3, "match": Score(3, 5)},
    "gammons": {"points": 2, "two_sided": 15},
    "layers": {"points": 8, "checkers": 3, "two_sided": 2},
}


@pytest.fixture(scope="module", params=BUILDS)
def made(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Any], bytes, bytes]:
    """Arguments of a build, the file that it makes, and what it leaves if it is stopped half-way."""
    options, folder = BUILDS[request.param], tmp_path_factory.mktemp("partial")
    bgrace.build(folder / "whole.h5", **options)

    def stop(done: int, total: int) -> None:
        if 2 * done > total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bgrace.build(folder / "x.h5", **options, progress=stop)
    return options, (folder / "whole.h5").read_bytes(), (folder / "x.h5.partial").read_bytes()


def sealed(partial: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    """An unfinished file with another note, whose checksum is right."""
    said = json.loads(partial[SUM_PLACE:4096])
    change(said)
    body = json.dumps(said).encode().ljust(4096 - SUM_PLACE)
    return NOTE_HEAD + f"{zlib.crc32(body):08x}\n".encode() + body + partial[4096:]


def test_damage_of_what_was_left(made: tuple[dict[str, Any], bytes, bytes], tmp_path: Path) -> None:
    """A byte anywhere, of the note, of the metadata, of finished parts or others; a page of zeros; a part cut off."""
    options, whole, partial = made
    note = Note.unpack(partial[:4096])
    assert note is not None
    places = [30, 45, 200, 4100, 4200, 9000, len(partial) - 1]
    for name, table in note.tables.items():
        places += [
            table.offset,
            table.offset + table.n_bytes(name) // 3,
            table.offset + table.n_bytes(name) // 40 * 8 + 1,
        ]
    damaged = [partial[:k] + bytes([partial[k] ^ 16]) + partial[k + 1 :] for k in places if k < len(partial)]
    damaged += [partial[:k] for k in (0, 27, 4095, 4096, 5000, len(partial) // 2, len(partial) - 1)]
    damaged += [partial[: 4096 * k] + bytes(4096) + partial[4096 * (k + 1) :] for k in range(len(partial) // 4096)][:12]
    for data in damaged:
        (tmp_path / "x.h5.partial").write_bytes(data)
        bgrace.build(tmp_path / "x.h5", **options)
        assert (tmp_path / "x.h5").read_bytes() == whole
        assert os.listdir(tmp_path) == ["x.h5"]
        (tmp_path / "x.h5").unlink()


@pytest.mark.parametrize(
    "change",
    [
        lambda said: said.update(stage=said["stage"] + 1),
        lambda said: said.update(stage=1),
        lambda said: said.update(stage=-1),
        lambda said: said.update(stage="abc"),
        lambda said: said.update(stage=1.5),
        lambda said: said.update(stage=10**100),
        lambda said: said.update(checksum=0),
        lambda said: said.update(tables="[[[["),
        lambda said: said.update(tables={name: [0, [1 << 62, 4], 1.0] for name in said["tables"]}),
        lambda said: said.update(tables={name: ["a", [], 1.0] for name in said["tables"]}),
        lambda said: said.update(tables={name: [4096, [True], "x"] for name in said["tables"]}),
        lambda said: said["tables"].update({"one_sided/epc": [8, [1], 1.0]}),
        lambda said: said["tables"].update({"unheard/of": [8192, [1], 1.0]}),
        lambda said: said.update(boot="another"),
        lambda said: said.pop("work"),
    ],
)
def test_notes_that_lie(
    made: tuple[dict[str, Any], bytes, bytes], tmp_path: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    options, whole, partial = made
    (tmp_path / "x.h5.partial").write_bytes(sealed(partial, change))
    bgrace.build(tmp_path / "x.h5", **options)
    assert (tmp_path / "x.h5").read_bytes() == whole


def test_a_note_with_another_scale(made: tuple[dict[str, Any], bytes, bytes], tmp_path: Path) -> None:
    """The one thing that only whoever makes the tables can tell: refused, or made anew."""
    options, _, partial = made

    def change(said: dict[str, Any]) -> None:
        for table in said["tables"].values():
            table[2] = 3.0

    (tmp_path / "x.h5.partial").write_bytes(sealed(partial, change))
    with pytest.raises(BuildError, match="which should be"):
        bgrace.build(tmp_path / "x.h5", **options)
    assert not (tmp_path / "x.h5").exists()


def test_what_was_not_left_by_a_build(tmp_path: Path) -> None:
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
    partial.symlink_to("missing")
    with pytest.raises(BuildError):
        bgrace.build(path, 6, 2, 1)
    assert os.listdir(tmp_path) == ["x.h5.partial"]


def test_a_finished_file_of_that_name(tmp_path: Path) -> None:
    """It is given its name if it is what was asked for, and refused otherwise; force takes no more than the name."""
    path, partial, other = tmp_path / "x.h5", tmp_path / "x.h5.partial", tmp_path / "other.h5"
    bgrace.build(other, 6, 2, 2)
    data = other.read_bytes()
    os.link(other, partial)
    with pytest.raises(BuildError, match="is a finished bgrace database"):
        bgrace.build(path, 6, 3, 2)
    bgrace.build(path, 6, 3, 2, force=True)
    assert other.read_bytes() == data
    assert sorted(os.listdir(tmp_path)) == ["other.h5", "x.h5"]
    path.unlink()
    partial.write_bytes(data)
    bgrace.build(path, 6, 2, 2)
    assert path.read_bytes() == data
    path.unlink()
    partial.write_bytes(data[:-1] + b"x")
    with pytest.raises(BuildError, match="is a finished bgrace database"):
        bgrace.build(path, 6, 2, 2)


MAKERS: dict[str, Callable[[Path, Path], object]] = {
    "build": lambda path, _: bgrace.build(path, 6, 4, 3),
    "archive": lambda path, _: bgrace.build(path, 6, 4, 3, compress=True),
    "match": lambda path, _: bgrace.build(path, 6, 2, 2, match=Score(3, 5)),
    "pack": lambda path, plain: bgrace.pack(plain, path),
    "unpack": lambda path, plain: bgrace.unpack(plain.with_name("packed.h5"), path),
    "small": lambda path, plain: bgrace.pack_small(plain, path, 0.01),
}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What others are made of."""
    folder = tmp_path_factory.mktemp("plain")
    bgrace.build(folder / "plain.h5", 6, 4, 3)
    bgrace.pack(folder / "plain.h5", folder / "packed.h5")
    return folder / "plain.h5"


@pytest.mark.parametrize("name", MAKERS)
def test_killed_between_the_last_byte_and_the_renaming(
    tmp_path: Path, plain: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    make = MAKERS[name]
    make(tmp_path / "whole.h5", plain)
    whole = (tmp_path / "whole.h5").read_bytes()
    (tmp_path / "whole.h5").unlink()
    keep = [os.link] * (name == "archive")  # a kill does not tidy up, as Ctrl-C does

    def kill(partial: Path, _path: Path) -> None:
        for link in keep:
            link(partial, tmp_path / "kept")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("bgrace.database.store.writer.put_in_place", kill)
        with pytest.raises(KeyboardInterrupt):
            make(tmp_path / "x.h5", plain)
    if keep:
        (tmp_path / "kept").rename(tmp_path / "x.h5.packing")
    assert not (tmp_path / "x.h5").exists()
    make(tmp_path / "x.h5", plain)
    assert (tmp_path / "x.h5").read_bytes() == whole
    assert os.listdir(tmp_path) == ["x.h5"]


@pytest.mark.parametrize("name", ["build", "pack", "unpack", "small"])
def test_somebody_else_s_finished_file_of_that_name_stays(tmp_path: Path, plain: Path, name: str) -> None:
    bgrace.build(tmp_path / "x.h5.partial", 6, 3, 3)
    letters = (tmp_path / "x.h5.partial").read_bytes()
    with pytest.raises(BuildError, match="is a finished bgrace database, and the unfinished file would have its name"):
        MAKERS[name](tmp_path / "x.h5", plain)
    assert (tmp_path / "x.h5.partial").read_bytes() == letters


def test_a_link_to_what_was_left_is_not_written_through(tmp_path: Path) -> None:
    path, partial, kept = tmp_path / "x.h5", tmp_path / "x.h5.partial", tmp_path / "kept"

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bgrace.build(path, 6, 4, 4, progress=stop)
    os.link(partial, kept)
    data = kept.read_bytes()
    bgrace.build(path, 6, 4, 4)
    assert kept.read_bytes() == data


def test_permissions(tmp_path: Path) -> None:
    """Of a new file those that the process gives, of one that replaces another that one's."""
    path, table = tmp_path / "x.h5", tmp_path / "x.csv"
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
    for old in (0o600, 0o664):
        table.touch()
        table.chmod(old)
        assert run("match", "met", "--write", str(table)).exit_code == 0
        assert stat.S_IMODE(table.stat().st_mode) == old


def test_names_that_no_file_can_have(tmp_path: Path) -> None:
    bgrace.build(tmp_path / ("x" * 247), 6, 1, 1)
    for length in (248, 255, 300):
        with pytest.raises(BuildError, match=f"has {length} bytes, and the name of a file that is built can have 247"):
            bgrace.build(tmp_path / ("x" * length), 6, 1, 1)
    for make in (lambda path: bgrace.build(path, 6, 1, 1), bgrace.open):
        with pytest.raises(ArgumentError, match="contains a NUL character"):
            make("x\0.h5")


def test_a_size_that_no_machine_has(tmp_path: Path) -> None:
    for size in ("9" * 400, "9" * 30 + "T"):
        done = run("build", str(tmp_path / "x.h5"), "--memory", size)
        assert done.exit_code == 2
        assert "is more than any machine has" in " ".join(done.stderr.split())
    assert os.listdir(tmp_path) == []
