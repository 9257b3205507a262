"""Database files: tables are read as they were written, and other or damaged files are refused."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import shutil
import struct
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt
import pytest
from helpers.command import call, check_error, complaint, run
from helpers.files import resealed, unreadable, written
from helpers.paths import ROOT, SMALL

import bgrace
from bgrace.database.building import checked_target
from bgrace.database.store.format import DATASETS, OLD_MATCH_MAGIC, Contents
from bgrace.database.store.reader import read_tables
from bgrace.database.verify import verify
from bgrace.errors import ArgumentError, BgraceError, BuildError, FormatError
from bgrace.tables import solve_one_sided, solve_two_sided, two_sided_order

DATA = ROOT / "data"


# ---------------------------------------------------------------------- round trip


@pytest.mark.parametrize(("points", "checkers", "two_sided"), [(6, 4, 2), (6, 3, 0), (2, 15, 3), (5, 3, 3), (1, 1, 1)])
def test_a_built_file_has_the_solvers_tables(tmp_path: Path, points: int, checkers: int, two_sided: int) -> None:
    plan = bgrace.build(tmp_path / "x.h5", points, checkers, two_sided)
    stored = read_tables(tmp_path / "x.h5")
    one = solve_one_sided(bgrace.PositionSpace(points, checkers))
    expected: dict[str, npt.NDArray[Any]] = {
        "one_sided/epc": one.epc,
        "one_sided/mean_rolls": one.mean_rolls,
        "one_sided/variance_rolls": one.variance_rolls,
        "one_sided/roll_distribution": one.roll_distribution,
    }
    if one.first_checker_distribution is not None:
        expected["one_sided/first_checker_distribution"] = one.first_checker_distribution
    if two_sided:
        space = bgrace.PositionSpace(points, two_sided)
        expected |= {"two_sided/order": two_sided_order(space), "two_sided/equities": solve_two_sided(space)}
    assert stored.tables.keys() == expected.keys()
    for name, table in expected.items():
        assert stored.tables[name].dtype == DATASETS[name].dtype
        assert np.array_equal(stored.tables[name], table)
        assert stored.checksum(name) == stored.entry(name).crc32 == zlib.crc32(table.tobytes())
        assert not np.asarray(stored.tables[name]).flags.writeable
    with h5py.File(tmp_path / "x.h5") as file:  # with times the next file would have other bytes
        assert not any(file[name].id.get_create_plist().get_obj_track_times() for name in expected)
    told = [stored.attributes[name] for name in ("points", "checkers", "two_sided_checkers")]
    assert told == [plan.points, plan.checkers, plan.two_sided] == [points, checkers, two_sided]
    assert str(stored.attributes["generator"]).startswith("bgrace ")


@pytest.mark.usefixtures("fixed_time")
def test_threads_do_not_change_the_bytes(tmp_path: Path) -> None:
    files = []
    for threads in (1, 2, 3, 2):
        path = tmp_path / "x.h5"
        bgrace.build(path, 6, 5, 4, threads=threads, force=True)
        files.append(path.read_bytes())
    assert files[0] == files[1] == files[2] == files[3]
    with bgrace.open(path) as db:
        assert db.info()["created"] == "2025-01-01T00:00:00+00:00"


# ---------------------------------------------------------------------- files in the repository


def test_data_files_have_the_listed_checksums_and_sources() -> None:
    lines = (DATA / "sha256sums.txt").read_text().splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    found = {
        os.path.relpath(path, DATA): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (*DATA.iterdir(), SMALL)
        if path.suffix in (".h5", ".csv") or path.name.startswith("recorded-")
    }
    assert found == listed
    assert SMALL.stat().st_size < 300_000
    assert all(f"`{name}`" in (DATA / "SOURCES.md").read_text() for name in listed)


def test_the_small_database_can_be_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The metadata between them depend on the HDF5 library."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1735689600")
    bgrace.build(tmp_path / "example.h5", checkers=6, two_sided=3)
    old, new = read_tables(SMALL), read_tables(tmp_path / "example.h5")
    assert {e.name: e.crc32 for e in new.directory.entries} == {e.name: e.crc32 for e in old.directory.entries}
    for name in ("format", "format_version", "points", "checkers", "two_sided_checkers", "created"):
        assert new.attributes[name] == old.attributes[name]


# ---------------------------------------------------------------------- files that are refused


def changed(source: Path, folder: Path, place: int, value: int) -> Path:
    """Return a copy with a changed directory that has the right checksum."""
    data, path = bytearray(source.read_bytes()), folder / "x.h5"
    struct.pack_into("<I", data, place, value)
    path.write_bytes(resealed(data))
    return path


@pytest.mark.parametrize("version", [0, 1, 2, 7, 2**32 - 1])
def test_unknown_version_is_refused(tmp_path: Path, tiny: Path, version: int) -> None:
    path = changed(tiny, tmp_path, 8, version)
    unreadable(f"format version {version}; this bgrace reads versions 3 to 6", path)


@pytest.mark.parametrize(("place", "value"), [(52, 3), (56, 5), (60, 1), (64, 1 << 24), (36, 8)])
def test_a_file_for_one_score_is_refused(tmp_path: Path, tiny: Path, place: int, value: int) -> None:
    path = changed(tiny, tmp_path, place, value)
    for look in verify, bgrace.open:
        with pytest.raises(FormatError, match=r"x\.h5 is a database for one score of a match.*bgrace solve --match"):
            look(path)
    check_error(run("query", path, "1x1", "1x1"), 1, "bgrace solve --match")


def test_an_old_file_for_one_score_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.h5").write_bytes(OLD_MATCH_MAGIC + bytes(5000))
    unreadable("bgrace solve --match", tmp_path / "x.h5")


def test_other_hdf5_files_are_refused(tmp_path: Path) -> None:
    for name, size in ("a.h5", 0), ("b.h5", 4096):
        with h5py.File(tmp_path / name, "w", userblock_size=size) as file:
            file["one_sided/epc"] = np.zeros(5)
        unreadable("is not a bgrace database", tmp_path / name)


def test_a_missing_file_and_a_folder_are_not_opened(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        bgrace.open(tmp_path / "none.h5")
    with pytest.raises(OSError, match="directory"):
        bgrace.open(tmp_path)


# ---------------------------------------------------------------------- damage


def _damaged(data: bytes, seed: int) -> bytes:
    """Return a copy with one of four kinds of damage at a random place."""
    rng = np.random.default_rng(seed)
    result = bytearray(data)
    match seed % 4:
        case 0:  # a bit
            result[rng.integers(len(data))] ^= 1 << int(rng.integers(8))
        case 1:
            del result[int(rng.integers(len(data))) :]
        case 2:  # two blocks of a disk
            size = int(rng.choice([512, 4096]))
            one, other = (size * int(k) for k in rng.choice(len(data) // size, 2, replace=False))
            result[one : one + size], result[other : other + size] = data[other : other + size], data[one : one + size]
        case 3:
            page = 4096 * int(rng.integers(len(data) // 4096))
            result[page : page + 4096] = bytes(4096)
    return bytes(result)


def _answers(path: Path) -> list[Any]:
    with bgrace.open(path) as db:
        everyone, pairs = db.space.position(np.arange(len(db.space))), db.space.position(np.arange(1, 28))
        return [
            {key: value for key, value in db.info().items() if key != "path"},
            db.epc(everyone).tobytes(),
            db.variance_rolls(everyone).tobytes(),
            db.roll_distribution(everyone).tobytes(),
            db.equities(pairs[:, np.newaxis], pairs).to_dict(),
        ]


def test_random_damage_is_refused_or_found(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of a hundred damaged files is refused, or fails verification, or gives the same answers.

    This is safe in one process, because the HDF5 library never sees metadata that fail their checksum.
    """
    data, expected, path = tiny.read_bytes(), _answers(tiny), tmp_path / "damaged.h5"
    tables = [(e.offset, e.offset + e.n_bytes) for e in read_tables(tiny).directory.entries]
    seen: list[bytes] = []
    h5py_file = h5py.File

    def watched(*arguments: Any, **options: Any) -> Any:
        seen.append(path.read_bytes())
        return h5py_file(*arguments, **options)

    monkeypatch.setattr("h5py.File", watched)
    outcomes = {"refused": 0, "fails": 0, "unharmed": 0}
    for seed in range(100):
        damaged = _damaged(data, seed)
        path.write_bytes(damaged)
        try:
            report = verify(path, samples=2)
        except FormatError:
            outcomes["refused"] += 1
            with pytest.raises(FormatError, match=re.escape(str(path))):
                bgrace.open(path)
            continue
        if report.passed:
            assert _answers(path) == expected, seed
            outcomes["unharmed"] += 1
        else:
            assert "checksums" in {check.name for check in report.failures}, seed
            outcomes["fails"] += 1
            with suppress(BgraceError):  # it answers or refuses, and does not crash
                _answers(path)
    assert sum(outcomes.values()) == 100
    assert outcomes["refused"] > 25
    assert outcomes["fails"] > 10
    masked = bytearray(data)
    for first, past in tables:
        masked[first:past] = bytes(past - first)
    for found in seen:
        other = bytearray(found)
        for first, past in tables:
            other[first:past] = bytes(past - first)
        assert other == masked, "HDF5 saw damaged metadata"


# ---------------------------------------------------------------------- writing


LIMITED = """
import resource, sys
import bgrace
path, *limits = sys.argv[1:]
for limit in map(int, limits):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        bgrace.build(path, 6, 6, 3, force=True)
    except bgrace.BuildError as error:
        print(error)
    else:
        print("built")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit to the size of files")
def test_a_build_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    bgrace.build(path, 6, 2, 0)
    old = path.read_bytes()
    limits = [0, 10_000, 100_000, 200_000]
    said = call(sys.executable, "-c", LIMITED, path, *map(str, limits), timeout=60).splitlines()
    assert len(said) == len(limits)
    assert all(line.startswith(f"{path} cannot be written: ") for line in said)
    assert path.read_bytes() == old
    bgrace.build(path, 6, 6, 3, force=True)
    assert verify(path, samples=2).passed


def test_only_an_ordinary_file_is_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.h5")
    (tmp_path / "null").symlink_to(os.devnull)
    ends = os.pipe()
    (tmp_path / "pipe").symlink_to(f"/dev/fd/{ends[1]}")  # like /dev/stdout
    for name, force in itertools.product(("x.h5", "null", "pipe"), (False, True)):
        with pytest.raises(BuildError, match=f"{name} is not an ordinary file"):
            bgrace.build(tmp_path / name, 6, 2, 0, force=force)
    assert sorted(os.listdir(tmp_path)) == ["null", "pipe", "x.h5"]
    for end in ends:
        os.close(end)


@pytest.mark.parametrize("checkers", [1, 5])
@pytest.mark.parametrize("points", [2, 8])
@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("compress", [False, True])
def test_announced_sizes_are_close(tmp_path: Path, points: int, checkers: int, pairs: bool, compress: bool) -> None:
    shape = points, checkers, checkers if pairs else 0
    bgrace.build(tmp_path / "x.h5", *shape, compress=compress)
    told = bgrace.plan_build(*shape, compress=compress).file_bytes
    assert told == pytest.approx((tmp_path / "x.h5").stat().st_size, rel=0.35)


def test_the_room_of_an_unfinished_file_counts_as_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, path = bgrace.plan_build(6, 6, 3), tmp_path / "x.h5"
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage._replace(free=plan.file_bytes // 2))
    with pytest.raises(BuildError, match="has room for"):
        checked_target(plan, path)
    (tmp_path / "x.h5.partial").write_bytes(b"\1" * plan.file_bytes)
    checked_target(plan, path)


@pytest.mark.parametrize("epoch", ["9" * 20, "-1", "1.5", " 12", "\u00b2", "soon"])
def test_a_wrong_creation_time_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, epoch: str) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(ArgumentError, match=r"SOURCE_DATE_EPOCH=.* is not a time: give whole seconds since 1970"):
        bgrace.build(tmp_path / "x.h5", 6, 1, 0)
    assert os.listdir(tmp_path) == []


def test_an_empty_creation_time_means_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "")
    bgrace.build(tmp_path / "x.h5", 6, 1, 0)
    with bgrace.open(tmp_path / "x.h5") as db:
        assert str(db.info()["created"]) > "2025"


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    bgrace.build(path, 6, 2, 0)
    old = path.read_bytes()
    with suppress(KeyboardInterrupt), written(path, Contents(6, 2, 0, gammons=False)):
        with pytest.raises(BuildError, match="is being written by another process"):
            bgrace.build(path, 6, 3, 1, force=True)
        program = f"import bgrace; bgrace.build({str(path)!r}, 6, 3, 1, force=True)"
        assert "is being written by another process" in complaint(sys.executable, "-c", program, timeout=60)
        with bgrace.open(path) as db:
            assert db.info()["checkers"] == 2
        raise KeyboardInterrupt
    assert path.read_bytes() == old
    bgrace.build(path, 6, 3, 1, force=True)
    assert bgrace.open(path).info()["checkers"] == 3


def test_an_unfinished_file_is_not_opened_and_goes_when_its_build_stops(tmp_path: Path) -> None:
    with suppress(KeyboardInterrupt), written(tmp_path / "x.h5", Contents(6, 2, 0, gammons=False)) as writer:
        writer.add("one_sided/epc", (28,))[...] = 1
        with pytest.raises(FormatError):
            bgrace.open(writer.path)
        assert os.listdir(tmp_path) == ["x.h5.partial"]
        raise KeyboardInterrupt
    assert os.listdir(tmp_path) == []


def test_a_build_to_a_link_makes_or_replaces_its_target(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link, real = tmp_path / "link.h5", tmp_path / "elsewhere" / "real.h5"
    link.symlink_to(real)
    bgrace.build(link, 6, 3, 2)
    assert link.is_symlink()
    assert os.listdir(tmp_path / "elsewhere") == ["real.h5"]
    with pytest.raises(BuildError, match="exists already"):
        bgrace.build(link, 6, 3, 1)
    bgrace.build(link, 6, 3, 1, force=True)
    assert link.is_symlink()
    with bgrace.open(real) as db:
        assert db.two_sided_checkers == 1
    assert sorted(os.listdir(tmp_path)) == ["elsewhere", "link.h5"]


def test_a_file_that_another_program_opened_or_changed_is_not_called_damaged(tmp_path: Path, tiny: Path) -> None:
    path = tmp_path / "open.h5"
    path.write_bytes(tiny.read_bytes())
    with h5py.File(path, "r+"):
        left_open = path.read_bytes()
        unreadable(r"another program has it open for writing, or died with it.*h5clear -s", path)
    bgrace.open(path).close()
    for data in (left_open, left_open + bytes(8)):
        path.write_bytes(data)
        unreadable("h5clear -s", path)
    path.write_bytes(tiny.read_bytes())
    with h5py.File(path, "r+") as file:
        file.attrs["note"] = "mine"
    unreadable("was changed by another program", path)
