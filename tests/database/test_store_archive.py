"""Archives have the tables of plain files, in chunks that any HDF5 library reads, and say that they can't be mapped."""

from __future__ import annotations

import io
import os
import signal
import struct
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
from helpers.command import ran
from helpers.files import unreadable
from helpers.once import Made

import bgrace
from bgrace.database.store.format import DATASETS, USER_BLOCK, crc32_outside
from bgrace.database.store.reader import Access, read_tables
from bgrace.database.store.writer import NewFile, compress_table
from bgrace.database.verify import verify
from bgrace.errors import FormatError, MemoryLimitError

pytestmark = pytest.mark.usefixtures("fixed_time")

EQUITIES = "two_sided/equities"


@pytest.fixture(scope="module")
def files(made: Made) -> tuple[Path, Path]:
    """Three points with all fifteen checkers, plain and compressed."""
    return made(3, 15, 15), made(3, 15, 15, "archive")


def test_an_archive_is_smaller_and_has_the_same_tables(files: tuple[Path, Path]) -> None:
    plain, packed = map(read_tables, files)
    assert files[1].stat().st_size < files[0].stat().st_size / 2
    assert plain.tables.keys() == packed.tables.keys()
    for name, table in plain.tables.items():
        found = packed.tables[name]
        assert (found.dtype, found.shape, len(found)) == (table.dtype, table.shape, len(table))
        assert np.array_equal(found[...], table), name
        assert np.array_equal(np.asarray(found), table), name
        entry, other = packed.entry(name), plain.entry(name)
        assert (entry.scale, entry.crc32, entry.n_bytes) == (other.scale, other.crc32, other.n_bytes)
        assert packed.checksum(name) == entry.crc32
    assert {**packed.attributes} == {**plain.attributes}


def test_hdf5_reads_an_archive_with_the_documented_filters(files: tuple[Path, Path]) -> None:
    with h5py.File(files[1]) as file:
        for name in read_tables(files[1]).tables:
            dataset = file[name]
            found = [dataset.id.get_create_plist().get_filter(k)[0] for k in range(3)]
            assert found == [h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_FLETCHER32]
        with h5py.File(files[0]) as plain:
            assert np.array_equal(file[EQUITIES][...], plain[EQUITIES][...])
            assert dict(file[EQUITIES].attrs).keys() == dict(plain[EQUITIES].attrs).keys()


def test_the_head_of_an_archive_says_that_it_cannot_be_mapped(files: tuple[Path, Path]) -> None:
    flags, n_entries = struct.unpack_from("<II", files[1].read_bytes(), 36)
    assert (flags, n_entries) == (1 | 4, 0)


def test_verification_passes(files: tuple[Path, Path]) -> None:
    report, plain = verify(files[1], samples=30), verify(files[0], samples=30)
    assert report.passed, str(report)
    assert [check.detail for check in report.checks] == [check.detail for check in plain.checks]


def test_races_beyond_an_archive_are_solved_with_its_pairs(made: Made) -> None:
    with bgrace.open(made(6, 4, 4, "archive")) as db:
        assert db.boundary is not None
        assert bgrace.solve("5x5", "4x5", database=db).method == "solved"


@pytest.mark.parametrize("covers", [(6, 6, 6), (3, 15, 15), (7, 3, 2), (7, 15, 0), (4, 15, 0)])
def test_an_unpacked_archive_is_the_plain_file(made: Made, tmp_path: Path, covers: tuple[int, int, int]) -> None:
    bgrace.unpack(made(*covers, "archive"), tmp_path / "unpacked.h5")
    assert (tmp_path / "unpacked.h5").read_bytes() == made(*covers).read_bytes()


def test_memory_limits_opening(files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("bgrace._base.limits.machine_bytes", lambda: 1 << 22)
    with pytest.raises(MemoryLimitError, match=r"when it is unpacked, 3.00 MiB are allowed.*bgrace unpack"):
        bgrace.open(files[1])
    bgrace.unpack(files[1], tmp_path / "plain.h5")
    assert (tmp_path / "plain.h5").read_bytes() == files[0].read_bytes()


@pytest.mark.parametrize("place", [0.03, 0.3, 0.6, 0.97])
def test_damage_anywhere_is_found_at_once(tmp_path: Path, files: tuple[Path, Path], place: float) -> None:
    data = bytearray(files[1].read_bytes())
    data[int(place * len(data))] ^= 0x10
    (tmp_path / "x.h5").write_bytes(data)
    unreadable("damaged", tmp_path / "x.h5")


def test_object_headers_have_no_times(files: tuple[Path, Path]) -> None:
    """With times the bytes would change every second.  The flags are in the HDF5 File Format, IV.A.1.b."""
    for path in files:
        headers = path.read_bytes().split(b"OHDR\x02")[1:]
        assert len(headers) > 5
        assert all(not header[0] & 0x20 for header in headers)


NO_ROOM = """
import os, resource, sys
import bgrace

path, room = sys.argv[1], int(sys.argv[2])

def fill(done, total):
    "Let files grow no further once the archive is begun, so that the buffers of HDF5 cannot be written."
    if not os.path.exists(path + ".plain"):
        most = os.path.getsize(path + ".partial") + room
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

try:
    bgrace.build(path, 6, 5, 4, compress=True, progress=fill)
except bgrace.BuildError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of the size of files are Unix")
@pytest.mark.parametrize("room", [0, 30_000])
def test_a_disk_that_is_full_when_hdf5_writes_its_buffers_is_one_line(tmp_path: Path, room: int) -> None:
    """The process used to crash at its end."""
    path = tmp_path / "x.h5"
    done = ran([sys.executable, "-c", NO_ROOM, str(path), str(room)])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{path} cannot be written: File too large; no file was written\n"
    assert os.listdir(tmp_path) == []
    bgrace.build(path, 6, 5, 4, compress=True)
    assert os.listdir(tmp_path) == ["x.h5"]


def test_the_plan_of_an_archive_has_room_for_the_plain_file_too() -> None:
    plain, packed = bgrace.plan_build(6, 8, 8), bgrace.plan_build(6, 8, 8, compress=True)
    assert packed.file_bytes < plain.file_bytes == plain.disk_bytes
    assert packed.disk_bytes == plain.disk_bytes + packed.file_bytes


# ---------------------------------------------------------------------- crafted archives


def crafted(
    tmp_path: Path,
    change: Callable[[h5py.File], None],
    change_bytes: Callable[[bytearray], None] = lambda data: None,
    *,
    compress: bool = True,
) -> Path:
    """Make an archive, or a plain file, with changes and the right checksums."""
    path = tmp_path / "crafted.h5"
    bgrace.build(path, 6, 4, 3, compress=compress)
    directory = read_tables(path).directory
    with h5py.File(path, "r+") as file:
        change(file)
    data = bytearray(path.read_bytes())
    change_bytes(data)
    ranges = [(entry.offset, entry.offset + entry.n_bytes) for entry in directory.entries]
    crc = crc32_outside(io.BytesIO(data), USER_BLOCK, len(data), ranges)
    sealed = replace(directory, file_size=len(data), metadata_crc32=crc)
    data[:USER_BLOCK] = sealed.pack()
    path.write_bytes(data)
    return path


def other_file(file: h5py.File, name: str, link: object) -> None:
    del file[name]
    file[name] = link


def made_again(file: h5py.File, name: str, make: Callable[[tuple[int, ...]], h5py.Dataset]) -> None:
    """Replace a table by another with its attributes."""
    attributes, shape = dict(file[name].attrs), file[name].shape
    del file[name]
    make(shape).attrs.update(attributes)


def from_elsewhere(file: h5py.File, secret: Path) -> None:
    """Make a table of the bytes of another file."""
    name = "one_sided/epc"
    made_again(file, name, lambda n: file.create_dataset(name, n, "<f8", external=[(str(secret), 0, 8 * n[0])]))


def virtual(file: h5py.File, secret: Path) -> None:
    def make(shape: tuple[int, ...]) -> h5py.Dataset:
        layout = h5py.VirtualLayout(shape=shape, dtype="<f8")
        layout[:] = h5py.VirtualSource(str(secret), "x", shape=shape)
        return file.create_virtual_dataset("one_sided/epc", layout)

    made_again(file, "one_sided/epc", make)


def reshaped(file: h5py.File, name: str, shape: tuple[int, ...]) -> None:
    dtype, chunks = file[name].dtype, tuple(min(length, 64) for length in shape)
    made_again(file, name, lambda _: file.create_dataset(name, shape=shape, dtype=dtype, chunks=chunks))


def scaled(file: h5py.File, scale: float) -> None:
    file["two_sided/equities"].attrs["scale"] = scale


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file, pipe: other_file(file, "one_sided/epc", h5py.ExternalLink(str(pipe), "/x")), "leads elsewhere"),
        (lambda file, pipe: other_file(file, "one_sided", h5py.ExternalLink(str(pipe), "/x")), "leads elsewhere"),
        (lambda file, _: other_file(file, "one_sided/epc", h5py.SoftLink("/two_sided/order")), "leads elsewhere"),
        (from_elsewhere, "from other files"),
        (virtual, "from other files"),
        (lambda file, _: reshaped(file, "one_sided/epc", (1 << 34,)), "has shape"),
        (lambda file, _: reshaped(file, "two_sided/equities", (84, 83, 4)), "has shape"),
        (lambda file, _: reshaped(file, "one_sided/roll_distribution", (210, 1 << 30)), "has shape"),
        (lambda file, _: reshaped(file, "two_sided/order", (84, 1)), "has shape"),
        (lambda file, _: file.attrs.update(points=np.zeros((3, 3))), "attribute points is neither a number nor text"),
        (lambda file, _: file.attrs.update(created=h5py.Empty("f8")), "attribute created is neither"),
        (lambda file, _: file.attrs.update(generator=np.bytes_(b"x")), "attribute generator is neither"),
        (lambda file, _: scaled(file, 0.0), "has scale"),
        (lambda file, _: scaled(file, 1.0), "has scale"),
        (lambda file, _: scaled(file, float("nan")), "has scale"),
        (lambda file, _: scaled(file, 65520.0), "has scale"),
    ],
)
def test_crafted_archives_are_refused(tmp_path: Path, change: Callable[[h5py.File, Path], None], message: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # opening it would wait for ever
    path = crafted(tmp_path, lambda file: change(file, pipe))
    unreadable(message, path)


def group(file: h5py.File, name: str) -> None:
    del file[name]
    file.create_group(name)


@pytest.mark.parametrize("name", ["one_sided/epc", "two_sided/row_checksums"])
@pytest.mark.parametrize(
    "change",
    [
        group,
        lambda file, name: other_file(file, name, np.dtype("f8")),
        lambda file, name: other_file(file, name, [b"text"] * len(file[name])),
        lambda file, name: other_file(file, name, np.zeros(len(file[name]), [("a", "i4")])),
        lambda file, name: other_file(file, name, np.array([file.ref] * len(file[name]), h5py.ref_dtype)),
    ],
    ids=["group", "type", "texts", "compound", "references"],
)
def test_crafted_plain_files_are_refused(tmp_path: Path, change: Callable[[h5py.File, str], None], name: str) -> None:
    path = crafted(tmp_path, lambda file: change(file, name), compress=False)
    unreadable(None, path, verify="lazily")
    if name in DATASETS:
        with pytest.raises(FormatError):
            bgrace.open(path).info()


@pytest.mark.parametrize("access", ["read", "load"])
@pytest.mark.parametrize("room", [0, 8, 1 << 40, (1 << 64) - 16])
def test_a_forged_heap_of_texts_is_refused(tmp_path: Path, room: int, access: Access) -> None:
    """HDF5 loops for ever if its free room is 0, or the size of an object nearly 2**64."""

    def forge(data: bytearray) -> None:
        heap = data.index(b"GCOL")
        place = heap + 16
        if room < 1 << 40:  # the last, which is free
            while struct.unpack_from("<H", data, place)[0]:
                place += 16 + (struct.unpack_from("<Q", data, place + 8)[0] + 7) // 8 * 8
        struct.pack_into("<Q", data, place + 8, room)

    path = crafted(tmp_path, lambda file: None, forge)
    unreadable("a damaged heap", path, access=access)


def test_an_archive_with_new_checksums_and_no_other_change_is_read(tmp_path: Path) -> None:
    with bgrace.open(crafted(tmp_path, lambda file: None)) as db:
        assert db.epc((0, 0, 0, 0, 0, 1)) == pytest.approx(49 / 6 * 1.25)


def test_ctrl_c_in_a_finalizer_ends_packing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python ignores exceptions of finalizers, and HDF5 has some."""

    class Pressed:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGINT)

    def pressed(source: h5py.Dataset, target: NewFile) -> Iterator[int]:
        Pressed()
        yield from compress_table(source, target)

    monkeypatch.setattr("bgrace.database.store.writer.compress_table", pressed)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            bgrace.build(tmp_path / "x.h5", 6, 3, compress=True)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert not (tmp_path / "x.h5").exists()
