"""Packed files have the values of plain ones, bit for bit, and are unpacked to the same bytes."""

from __future__ import annotations

import os
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args
from unittest.mock import patch

import h5py
import make_release
import numpy as np
import pytest
from helpers import command, golden
from helpers.files import build_packed, damaged, resealed, unreadable, with_bytes
from helpers.once import Made

import bgrace
from bgrace._kernels.packing import BLOCK_SIDE, MAX_BLOCK_BYTES, Factors
from bgrace._kernels.two_sided import available_paths
from bgrace.database.building import PROGRAM_BYTES
from bgrace.database.packing import packer
from bgrace.database.store.format import Directory
from bgrace.database.store.reader import Access, read_tables
from bgrace.database.store.target import Target
from bgrace.database.verify import verify
from bgrace.errors import ArgumentError, BuildError, FormatError

pytestmark = pytest.mark.usefixtures("fixed_time")

EQUITIES = "two_sided/equities"


@pytest.fixture(scope="module", params=[(6, 5, 5), (2, 15, 15), (1, 2, 2)], ids=["home", "gammons", "tiny"])
def files(request: pytest.FixtureRequest, made: Made) -> tuple[Path, Path]:
    """A plain file and the same file packed: on six points, with fifteen checkers, and a tiny one."""
    return made(*request.param), made(*request.param, "packed")


@pytest.mark.parametrize("shape", [(6, 7, 5), (6, 5, 5), (2, 15, 15), (6, 3, 1)])
def test_packing_announces_enough_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: Any) -> None:
    """For a moment both files exist.  A build checks the room first, so that it does not fail later."""
    asked: list[int] = []
    monkeypatch.setattr(Target, "check", lambda _, n_bytes, __: asked.append(n_bytes))
    bgrace.build(tmp_path / "plain.h5", *shape)
    build_packed(tmp_path / "packed.h5", *shape)
    bgrace.pack(tmp_path / "plain.h5", tmp_path / "again.h5")
    plain, packed = ((tmp_path / name).stat().st_size for name in ("plain.h5", "packed.h5"))
    assert plain + packed <= asked[1] <= 1.4 * (plain + packed)
    assert packed <= asked[2] <= 2.2 * packed


@pytest.mark.parametrize("access", get_args(Access))
def test_every_pair_has_the_plain_file_s_values(files: tuple[Path, Path], access: Access) -> None:
    plain = np.asarray(read_tables(files[0]).tables[EQUITIES])
    packed = read_tables(files[1], access, verify=True).tables[EQUITIES]
    assert (packed.shape, packed.nbytes) == (plain.shape, plain.nbytes)
    assert np.array_equal(np.asarray(packed), plain)
    for rows in (-1, slice(len(plain) // 2, None)):
        assert np.array_equal(packed[rows], plain[rows])


@pytest.mark.parametrize("access", get_args(Access))
def test_a_packed_file_answers_as_the_plain_file_does(files: tuple[Path, Path], access: Access) -> None:
    with bgrace.open(files[0]) as plain, bgrace.open(files[1], access) as packed:
        positions = plain.space.position(np.arange(min(len(plain.space), 300)))
        mine, theirs = positions[1:, np.newaxis], positions[np.newaxis]
        assert np.array_equal(packed.win_probability(mine, theirs), plain.win_probability(mine, theirs))
        assert packed.equities(mine, theirs) == plain.equities(mine, theirs)
        pair = positions[-1], positions[-2]
        assert packed.equities(*pair) == plain.equities(*pair)
        assert packed.win_probability(*pair) == plain.win_probability(*pair)
        assert packed.cube_action(*pair) == plain.cube_action(*pair)


@pytest.mark.parametrize("size", [None, 4096], ids=["overwritten", "cut short"])
def test_a_packed_file_that_is_read_must_not_change(files: tuple[Path, Path], tmp_path: Path, size: int | None) -> None:
    path = tmp_path / "packed.h5"
    path.write_bytes(files[1].read_bytes())
    with bgrace.open(path, "read") as db:
        side = db.space.position(1)
        db.equities(side, side)
        path.write_bytes(b"\xff" * (size or path.stat().st_size))  # every value is wrong
        os.utime(path, (1, 1))
        for ask in (db.equities, db.win_probability):
            with pytest.raises(FormatError, match="changed after it was opened"):
                ask(side, side)


def test_the_plain_file_comes_back_byte_for_byte(files: tuple[Path, Path], tmp_path: Path) -> None:
    bgrace.unpack(files[1], tmp_path / "plain.h5")
    assert (tmp_path / "plain.h5").read_bytes() == files[0].read_bytes()


def test_threads_make_no_difference(files: tuple[Path, Path], tmp_path: Path) -> None:
    report = bgrace.pack(files[0], tmp_path / "packed.h5", threads=1)
    assert (tmp_path / "packed.h5").read_bytes() == files[1].read_bytes()
    assert (report.source_bytes, report.file_bytes) == tuple(path.stat().st_size for path in files)
    bgrace.pack(files[0], tmp_path / "packed.h5", threads=3, force=True)
    assert (tmp_path / "packed.h5").read_bytes() == files[1].read_bytes()


def test_verify_unpacks_every_block(files: tuple[Path, Path]) -> None:
    report = verify(files[1], samples=20)
    assert report.passed, report.failures
    assert "packed blocks" in [check.name for check in report.checks]


@pytest.fixture(scope="module")
def home(made: Made) -> tuple[Path, Path]:
    """A table of several stripes, plain and packed."""
    return made(6, 3, 3), made(6, 3, 3, "packed")


def test_codes_may_be_computed_twice(home: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packer, "_ROWS", BLOCK_SIDE)
    codes = read_tables(home[1]).entry("packed/codes").n_bytes
    limit = PROGRAM_BYTES + packer._POSITION_BYTES * len(bgrace.PositionSpace(6, 3)) + codes // 2
    monkeypatch.setattr(packer, "memory_limit", lambda: limit)
    rows_of = packer.PairRows.read
    for make in (
        lambda path: bgrace.pack(home[0], path),
        lambda path: build_packed(path, 6, 3, 3, 1, PROGRAM_BYTES + (1 << 20), force=True),
    ):
        with patch.object(packer.PairRows, "read", autospec=True, side_effect=rows_of) as read:
            make(tmp_path / "made.h5")
        assert (tmp_path / "made.h5").read_bytes() == home[1].read_bytes()
        assert read.call_count > 3


def test_a_damaged_source_is_refused(home: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packer, "_ROWS", BLOCK_SIDE)
    source = damaged(tmp_path / "damaged.h5", home[0], EQUITIES, 30_000)
    with pytest.raises(FormatError, match="checksum"):
        bgrace.pack(source, tmp_path / "made.h5")
    assert [path.name for path in tmp_path.iterdir()] == ["damaged.h5"]


def test_files_that_cannot_be_packed_are_refused(home: tuple[Path, Path], made: Made, tmp_path: Path) -> None:
    plain, packed = home
    for source, target, error, why in (
        (packed, tmp_path / "x.h5", ArgumentError, "packed already"),
        (made(6, 2, 0), tmp_path / "x.h5", ArgumentError, "no table of pairs"),
        (plain, packed, BuildError, "exists already"),
    ):
        with pytest.raises(error, match=why):
            bgrace.pack(source, target)
    with pytest.raises(ArgumentError, match="not packed"):
        bgrace.unpack(plain, tmp_path / "x.h5")
    with pytest.raises(BuildError, match="is the source of the new file"):
        bgrace.pack(plain, plain, force=True)
    assert not (tmp_path / "x.h5").exists()


@pytest.mark.skipif(
    h5py.version.hdf5_version_tuple[0] != 2, reason="the checksums are of files in the layout of HDF5 2"
)
def test_the_published_files_can_be_made_again(tmp_path: Path) -> None:
    for name in ("packed-6.h5", "approximate-6.h5"):
        (tmp_path / name).write_bytes(b"of an earlier version")
    with pytest.raises(SystemExit) as left:
        make_release.main(["--checkers", "6", str(tmp_path)])
    assert left.value.code == 0


# ---------------------------------------------------------------------- damaged and crafted files


def test_a_damaged_block_is_named(home: tuple[Path, Path], tmp_path: Path) -> None:
    path, data = tmp_path / "x.h5", home[1].read_bytes()
    for row in golden.rows("damaged_blocks"):
        value = struct.pack(row.text("form"), row.integer("value"))
        path.write_bytes(with_bytes(data, row.text("table"), row.integer("place"), value))
        failed = [check.name for check in verify(path, samples=5).failures]
        assert "packed blocks" in failed, row
        with pytest.raises(FormatError, match="block"):
            bgrace.unpack(path, tmp_path / "y.h5")
        with pytest.raises(FormatError, match="block"):
            np.asarray(read_tables(path).tables[EQUITIES])
        with bgrace.open(path) as db:  # it answers or refuses, and does not crash
            for pair in range(1, len(db.space)):
                with suppress(FormatError):
                    assert -1 <= db.equities(db.space.position(pair), db.space.position(3)).cubeless <= 1
    assert not (tmp_path / "y.h5").exists()


@pytest.mark.parametrize(
    ("place", "value"),
    [(0, -1), (0, 1 << 20), (4, -16), (4, 1 << 20), (8, -1), (8, 31), (40, 1 << 30)],
)
def test_factors_beyond_the_table_are_refused(home: tuple[Path, Path], tmp_path: Path, place: int, value: int) -> None:
    path = tmp_path / "x.h5"
    path.write_bytes(with_bytes(home[1].read_bytes(), "packed/planes", place, struct.pack("<i", value)))
    unreadable("damaged", path)


def test_unknown_versions_and_tables_of_the_wrong_length_are_refused(home: tuple[Path, Path], tmp_path: Path) -> None:
    path, data = tmp_path / "x.h5", bytearray(home[1].read_bytes())
    directory = Directory.unpack(bytes(data), "x")
    assert struct.unpack_from("<I", data, 8) == (6,)
    for version in (3, 4, 5):
        forged = bytearray(data)
        struct.pack_into("<I", forged, 8, version)
        path.write_bytes(resealed(forged))
        unreadable(f"version {version}", path)
    for number, entry in enumerate(directory.entries):
        if not entry.name.startswith("packed/") or entry.name == "packed/codes":
            continue
        forged = bytearray(data)
        at = 256 + 104 * number
        item = entry.n_bytes // entry.shape[0]
        struct.pack_into("<Q", forged, at + 48, entry.shape[0] - 1)
        struct.pack_into("<Q", forged, at + 80, entry.n_bytes - item)
        path.write_bytes(resealed(forged))
        unreadable("damaged", path)


# ---------------------------------------------------------------------- single blocks


def coded(values: np.ndarray[Any, np.dtype[np.int16]], factors: Factors, path: str = "best") -> tuple[Any, Any, Any]:
    """Pack a table; return the starts of its blocks, their codes and their checksums."""
    side = factors.n_blocks
    sizes, sums = np.empty((side, side), np.int32), np.empty((side, side), np.uint32)
    codes, scratch = [], np.empty(side * MAX_BLOCK_BYTES, np.uint8)
    for k in range(side):
        stripe = values[k * BLOCK_SIDE : (k + 1) * BLOCK_SIDE]
        n_bytes = factors.pack(stripe, k * BLOCK_SIDE, 1, sizes[k], sums[k], scratch, path)
        codes.append(scratch[:n_bytes].copy())
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]), np.concatenate(codes), sums


def unpacked(n: int, factors: Factors, made: tuple[Any, Any, Any], threads: int = 1, path: str = "best") -> Any:
    """Unpack the blocks of a table."""
    starts, codes, sums = made
    side, found = factors.n_blocks, np.empty((n, n, 4), np.int16)
    for k in range(side):
        part = found[k * BLOCK_SIDE : (k + 1) * BLOCK_SIDE]
        bounds = starts[k * side : (k + 1) * side + 1]
        assert factors.unpack(codes, bounds, sums[k], k * BLOCK_SIDE, threads, part, path) == (0, -1)
    return found


@pytest.mark.parametrize("spread", [0, 1, 2, 40, 3000, 32767])
@pytest.mark.parametrize("n", [1, 31, 33, 65])
def test_any_numbers_are_packed_and_unpacked(spread: int, n: int) -> None:
    rng = np.random.default_rng(spread)
    values = rng.integers(-spread, spread + 1, (n, n, 4)).astype(np.int16)
    values[rng.random((n, n, 4)) < 0.01] = -32768
    none = np.zeros((n, 16), np.int16)
    factors = Factors(none, none, np.array([[0, 16, 4]] * 4, np.int32))
    assert np.array_equal(unpacked(n, factors, coded(values, factors)), values)


def test_every_path_makes_the_same_codes_and_values() -> None:
    rng = np.random.default_rng(4)
    n, counts, shifts = 77, (16, 21, 1, 0), (0, 16, 1, 30)
    firsts = np.cumsum([0, *counts[:-1]])
    planes = np.stack([firsts, counts, shifts], axis=1).astype(np.int32)
    on_roll, opponent = rng.integers(-32768, 32768, (2, n, sum(counts))).astype(np.int16)
    on_roll[0], opponent[0] = -32768, -32768
    factors = Factors(on_roll, opponent, planes)
    wide = on_roll.astype(np.int64), opponent.astype(np.int64)
    products = np.empty((n, n, 4), np.int64)
    for plane, (first, count, shift) in enumerate(planes.tolist()):
        sums = wide[0][:, first : first + count] @ wide[1][:, first : first + count].T
        sums = (sums + 2**31) % 2**32 - 2**31
        products[:, :, plane] = (sums + (1 << shift >> 1)) >> shift
    # The remainders are all 5, so a block consists only of its heads if every product is right.
    values = (products + 5).astype(np.int16)
    for path in available_paths():
        made = coded(values, factors, path)
        assert np.diff(made[0]).tolist() == [16] * factors.n_blocks**2, path
        assert np.array_equal(unpacked(n, factors, made, 2, path), values), path


# ---------------------------------------------------------------------- the command line


def test_commands_pack_and_unpack(home: tuple[Path, Path], tmp_path: Path) -> None:
    packed, plain = tmp_path / "packed.h5", tmp_path / "plain.h5"
    facts = command.answer("pack", home[0], packed)
    assert packed.read_bytes() == home[1].read_bytes()
    assert (facts["pairs"], facts["file_size"]) == (84 * 84, packed.stat().st_size)
    assert command.answer("info", packed)["packed"] is True
    assert command.run("unpack", packed, plain).exit_code == 0
    assert plain.read_bytes() == home[0].read_bytes()
    made = command.run("build", tmp_path / "y.h5", "--checkers", "3", "--two-sided", "3", "--pack")
    assert "while it is made" in made.stderr
    assert (tmp_path / "y.h5").read_bytes() == packed.read_bytes()


def test_pack_says_if_it_does_not_pay(made: Made, tmp_path: Path) -> None:
    for checkers, pays in ((3, False), (6, True)):
        plain, packed = made(6, checkers, checkers), tmp_path / f"packed{checkers}.h5"
        done = command.run("pack", plain, packed)
        assert done.exit_code == 0
        assert (packed.stat().st_size < plain.stat().st_size) == pays
        assert ("packing does not pay" in done.stderr) == (not pays)
        assert (f"keep {plain}" in done.stderr) == (not pays)
