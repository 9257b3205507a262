"""docs/file-format.md and its parts agree with the code, and suffice to read a file without HDF5."""

from __future__ import annotations

import re
import struct
import zlib
from math import comb
from pathlib import Path
from typing import Final

import h5py
import numpy as np
import pytest
from helpers.golden import rows
from helpers.once import Made
from helpers.paths import ROOT, SMALL
from helpers.reference import index

import bgrace
from bgrace.database.store import format as layout

PAGES: Final = ("file-format.md", "file-format/tables.md", "file-format/pairs.md", "file-format/hdf5.md")
TEXT: Final = "\n".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in PAGES)

CODES: Final = {"uint32": "I", "uint64": "Q", "float64": "d"}
NUMPY: Final = {"float64": "<f8", "int16": "<i2", "int32": "<i4", "uint8": "|u1", "uint16": "<u2", "int64": "<i8"} | {
    "uint32": "<u4",
    "int8": "|i1",
}
ALL: Final = layout.DATASETS | layout.OTHERS


def documented(heading: str, nth: int = 0) -> list[dict[str, str]]:
    """Return the rows of the nth table below a heading, by column name, without backquotes."""
    section = re.split(r"^#+ ", TEXT.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    tables = re.findall(r"(?:^\|.*\n)+", section, flags=re.MULTILINE)
    lines = [[cell.strip().strip("`") for cell in line.strip("|\n ").split("|")] for line in tables[nth].splitlines()]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[2:]]


def packed(heading: str) -> struct.Struct:
    """Return the struct of a documented layout, whose offsets must be the sums of the sizes before them."""
    form = "<"
    for row in documented(heading):
        assert int(row["offset"]) == struct.calcsize(form), row
        form += row["type"].removesuffix(" bytes") + "s" if row["type"].endswith(" bytes") else CODES[row["type"]]
    return struct.Struct(form)


def test_header_and_entry_are_laid_out_as_documented() -> None:
    assert packed("Header").format == layout._HEADER.format
    assert packed("Entry").format == layout._ENTRY.format
    assert f"begins at byte {layout._HEADER.size}, each following one {layout._ENTRY.size} bytes later" in TEXT
    magic = documented("Header")[0]["meaning"].partition("`,")[0]
    assert bytes.fromhex(magic) == layout.MAGIC
    assert f"size of this directory: {layout.USER_BLOCK}" in TEXT


def test_element_types_are_documented() -> None:
    found = {int(row["code"]): NUMPY[row["type"]] for row in documented("Element types")}
    assert found == layout._DTYPES


def test_version_is_documented() -> None:
    assert TEXT.startswith(f"# The database file, version {layout.FORMAT_VERSION}\n")
    versions = [int(row["version"]) for row in documented("Versions")]
    known = [layout.FORMAT_VERSION, layout.PACKED_VERSION, layout.APPROXIMATE_VERSION, layout.PAGED_VERSION]
    assert versions[-4:] == known


def test_datasets_are_documented() -> None:
    found = {row["name"]: (NUMPY[row["type"]], row["unit"]) for row in documented("The tables")}
    assert found == {name: (kind.dtype, kind.unit) for name, kind in ALL.items()}
    for name in ALL:
        assert f"**`{name}`**" in TEXT, f"{name} is not explained"


def test_attributes_are_documented(with_gammons: Path) -> None:
    datasets, root, packed = (
        [name for row in documented("The HDF5 part", nth) for name in row["attribute"].replace("`", "").split(", ")]
        for nth in range(3)
    )
    assert root == list(layout.ROOT_ATTRIBUTES)
    assert packed == list(layout.PACKED_ATTRIBUTES)
    planes = [row["value"] for row in documented("Two sides")]
    single_planes = [row["value"].partition(" ")[0] for row in documented("If gammons count once")]
    with h5py.File(with_gammons) as file:
        assert set(file.attrs) == set(root)
        for name in (name for name in layout.DATASETS if name in file):
            pairs = name in ("two_sided/equities", "gammon/winning", "gammon/losing")
            told = {"planes", "scale_factor"} if pairs else set()
            assert set(file[name].attrs) == set(datasets) | told
        assert list(file["two_sided/equities"].attrs["planes"]) == planes
        for name in ("gammon/winning", "gammon/losing"):
            assert list(file[name].attrs["planes"]) == single_planes


def test_axes_are_documented() -> None:
    found = [name for row in documented("Axes") for name in row["scale"].replace("`", "").split(", ")]
    axes = {f"{name.partition('/')[0]}/{axis}" for name, kind in ALL.items() for axis in kind.axes}
    assert sorted(found) == sorted(axes)
    assert not axes & ALL.keys()


@pytest.mark.parametrize("kind", ["plain", "archive", "packed", "unpacked", "with an error"])
def test_other_readers_know_axes_and_units(kind: str, made: Made, tmp_path: Path) -> None:
    """In the manner of netCDF: axes are dimension scales, and one without values says so in netCDF's words."""
    path = tmp_path / "x.h5"
    if kind == "unpacked":
        bgrace.unpack(made(3, 15, 15, "packed"), path)
    elif kind == "with an error":
        bgrace.pack_approximate(made(2, 15, 15), path, 0.01, 0.1)
    else:
        path = made(3, 15, 15, kind)
    labels = {
        "two_sided/plane": ["cubeless", "mine", "centered", "theirs"],
        "gammon/single_plane": ["cubeless", "centered"],
    }
    with h5py.File(path) as file:
        for name in (f"{group}/{name}" for group in file for name in file[group]):
            dataset = file[name]
            assert dataset.is_scale == (name not in ALL)
            if dataset.is_scale and name in labels:
                assert list(dataset.asstr()[...]) == labels[name]
                assert dataset.attrs["NAME"].decode() == name.partition("/")[2]
            elif dataset.is_scale:
                assert dataset.id.get_storage_size() == 0
                said = "This is a netCDF dimension but not a netCDF variable."
                assert dataset.attrs["NAME"].decode() == f"{said}{len(dataset):10d}"
            else:
                group = name.partition("/")[0]
                scales = [[scale.name for scale in dimension.values()] for dimension in dataset.dims]
                assert scales == [[f"/{group}/{axis}"] for axis in ALL[name].axes]
                assert tuple(dimension.label for dimension in dataset.dims) == ALL[name].axes
                assert [len(dimension[0]) for dimension in dataset.dims] == list(dataset.shape)
                unit, _, divided = ALL[name].unit.partition(" / ")
                assert dataset.attrs["units"] == unit
                assert dataset.attrs["long_name"] == ALL[name].description
                assert dataset.attrs.get("scale_factor") == (1 / dataset.attrs["scale"] if divided else None)


@pytest.mark.parametrize("kind", ["plain", "archive"])
def test_other_readers_get_the_checkers_of_each_index(kind: str, made: Made) -> None:
    with h5py.File(made(6, 4, 4, kind)) as file, h5py.File(made(7, 2, 0)) as long:
        assert np.array_equal(file["one_sided/checkers"], bgrace.PositionSpace(6, 4).position(np.arange(210)))
        assert "one_sided/checkers" not in long  # on more than six points there can be millions


def test_other_readers_get_values_in_points(with_gammons: Path) -> None:
    with h5py.File(with_gammons) as file, bgrace.open(with_gammons) as db:
        pairs = file["two_sided/equities"]
        along = {dimension.label: dimension[0] for dimension in pairs.dims}
        theirs = list(along["plane"].asstr()[...]).index("theirs")
        mine, other = (list(file["two_sided/order"]).index(index(counts)) for counts in ((0, 2, 3), (1, 1, 4)))
        value = pairs[mine, other, theirs] * pairs.attrs["scale_factor"]
        assert value == pytest.approx(db.equities((0, 2, 3), (1, 1, 4)).theirs, abs=1e-12)


# ---------------------------------------------------------------------- a reader written from the document alone


class Reader:
    """Reads a file as the document says, with the standard library."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        header = dict(
            zip((row["field"] for row in documented("Header")), packed("Header").unpack_from(data), strict=True)
        )
        assert header["magic"] == b"\x93BGRACE\n"
        assert header["version"] in (3, 5, 6)
        assert header["file size"] == len(data)
        fields = [row["field"] for row in documented("Entry")]
        form = packed("Entry")
        self.header = header
        self.entries = {}
        for k in range(header["entries"]):
            entry = dict(zip(fields, form.unpack_from(data, packed("Header").size + k * form.size), strict=True))
            self.entries[entry["name"].rstrip(b"\0").decode("ascii")] = entry

    def element(self, name: str, *place: int) -> float:
        entry = self.entries[name]
        code = {1: "<d", 2: "<h", 3: "<i", 4: "<B", 5: "<H", 6: "<q", 7: "<I"}[entry["type"]]
        shape = [entry[f"shape {k}"] for k in range(entry["axes"])]
        number = 0
        for length, k in zip(shape, place, strict=True):
            assert 0 <= k < length
            number = number * length + k
        value: float = struct.unpack_from(code, self.data, entry["offset"] + number * struct.calcsize(code))[0]
        return value


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(SMALL.read_bytes())


def test_checksums_follow_the_document(reader: Reader) -> None:
    data = reader.data
    place = int(next(row["offset"] for row in documented("Header") if row["field"] == "directory CRC"))
    assert zlib.crc32(data[:place] + bytes(4) + data[place + 4 : 4096]) == reader.header["directory CRC"]
    outside, crc = 4096, 0
    for entry in sorted(reader.entries.values(), key=lambda entry: int(entry["offset"])):
        first, past = entry["offset"], entry["offset"] + entry["bytes"]
        assert zlib.crc32(data[first:past]) == entry["CRC"]
        assert first % 4096 == 0 or entry["bytes"] < 512
        crc = zlib.crc32(data[outside:first], crc)
        outside = past
    assert zlib.crc32(data[outside:], crc) == reader.header["metadata CRC"]


@pytest.mark.parametrize("file", ["small", "with gammons", "packed", "with an error"])
def test_shapes_follow_the_document(file: str, with_gammons: Path, packed_with_gammons: Path, tmp_path: Path) -> None:
    known = {"small": SMALL, "with gammons": with_gammons, "packed": packed_with_gammons}
    path = known.get(file, tmp_path / "x.h5")
    if file == "with an error":
        bgrace.pack_approximate(SMALL, path, error=0.01)
    reader = Reader(path.read_bytes())
    points, checkers, two_sided = (reader.header[name] for name in ("points", "checkers", "two-sided checkers"))
    positions, pairs = comb(points + checkers, points), comb(points + two_sided, points)
    head = {}
    if reader.header["version"] == 5:
        head["planes"] = planes = reader.entries["small/planes"]["shape 0"]
        head["planes times pairs + 1"] = planes * pairs + 1
    sizes = head | {"positions": positions, "pairs": pairs, "pairs + 1": pairs + 1, "4": 4, "2": 2}
    sizes |= {"3": 3, "blocks": (blocks := (-(-pairs // 32)) ** 2), "blocks + 1": blocks + 1}
    sizes |= {"positions with 15 checkers": positions - comb(points + checkers - 1, points)}
    there = {
        "always": True,
        "up to six points": points <= 6,
        "on more than six points": points > 6,
        "if checkers is 15": checkers == 15,
        "if two-sided checkers is not 0": two_sided > 0,
        "if gammons count": bool(reader.header["flags"] & 1),
        "not packed": reader.header["version"] == 3,
        "not approximate": reader.header["version"] != 5,
        "in a packed file": reader.header["version"] == 6,
        "in an approximate file": reader.header["version"] == 5,
        "not in the directory": False,
    }
    for row in documented("The tables"):
        assert (row["name"] in reader.entries) == all(there[part] for part in row["there"].split(", "))
        if row["name"] in reader.entries:
            entry = reader.entries[row["name"]]
            names = row["shape"].split(", ")
            assert entry["axes"] == len(names)
            for k, name in enumerate(names):
                assert entry[f"shape {k}"] == sizes.get(name, entry[f"shape {k}"])


def test_values_are_read_without_hdf5(reader: Reader) -> None:
    six, five_six, four_five = index((0, 0, 0, 0, 0, 1)), index((0, 0, 0, 0, 1, 1)), index((0, 0, 0, 1, 1, 0))
    assert reader.element("one_sided/epc", six) == pytest.approx(49 / 6 * 1.25, abs=1e-12)
    assert reader.element("one_sided/variance_rolls", six) == pytest.approx(0.1875, abs=1e-12)
    assert reader.element("one_sided/roll_distribution", six, 1) == pytest.approx(27 / 36, abs=1e-12)
    n = reader.entries["two_sided/order"]["shape 0"]
    rank = {int(reader.element("two_sided/order", r)): r for r in range(n)}
    scale = reader.entries["two_sided/equities"]["scale"]
    values = [reader.element("two_sided/equities", rank[five_six], rank[four_five], v) / scale for v in range(4)]
    assert values == pytest.approx([0.364806136, 0.439534989, 0.403761336, 0.329268118], abs=1e-4)
    assert reader.element("two_sided/equities", 0, 5, 0) == scale
    assert reader.element("two_sided/equities", 5, 0, 0) == -scale


def packed_value(reader: Reader, row: int, column: int, plane: int) -> int:
    """Return a stored value as "Packed pairs" describes it."""
    side = -(-reader.entries["two_sided/order"]["shape 0"] // 32)
    first, count, shift = (int(reader.element("packed/planes", plane, k)) for k in range(3))
    factors = range(first, first + count)
    total = sum(
        int(reader.element("packed/on_roll", row, k)) * int(reader.element("packed/opponent", column, k))
        for k in factors
    )
    product = ((total + 2**31) % 2**32 - 2**31 + (1 << shift >> 1)) >> shift
    block = row // 32 * side + column // 32
    begin, end = (int(reader.element("packed/starts", block + k)) for k in range(2))
    offset = reader.entries["packed/codes"]["offset"]
    code = reader.data[offset + begin : offset + end]
    heads = struct.unpack_from("<4I", code)
    low_bits, words = [head >> 16 & 15 for head in heads], [head >> 20 for head in heads]
    base = (heads[plane] & 0xFFFF ^ 0x8000) - 0x8000
    place, b, left = row % 32 * 32 + column % 32, low_bits[plane], base
    if words[plane]:
        at = 16 + 128 * sum(low_bits[:plane])
        low = int.from_bytes(code[at : at + 128 * b], "little") >> place * b & (1 << b) - 1
        at = 16 + 128 * sum(low_bits) + 8 * sum(words[:plane])
        bits = int.from_bytes(code[at : at + 8 * words[plane]], "little")
        ones = [-1, *(k for k in range(64 * words[plane]) if bits >> k & 1)]
        folded = (ones[place + 1] - ones[place] - 1 << b) + low
        left += folded // 2 if folded % 2 == 0 else -(folded + 1) // 2
    value: int = (product + left + 2**15) % 2**16 - 2**15
    return value


def test_packed_values_are_read_without_hdf5(with_gammons: Path, packed_with_gammons: Path) -> None:
    plain, packed = Reader(with_gammons.read_bytes()), Reader(packed_with_gammons.read_bytes())
    n = plain.entries["two_sided/order"]["shape 0"]
    rng = np.random.default_rng(0)
    for row, column in rng.integers(0, n, (40, 2)).tolist():
        for plane in range(4):
            assert packed_value(packed, row, column, plane) == plain.element("two_sided/equities", row, column, plane)


def test_gammon_values_are_read_without_hdf5(with_gammons: Path) -> None:
    """Win probability and equity under the Jacoby rule, looked up as the document says, are those of a solution."""
    reader = Reader(with_gammons.read_bytes())
    points, n = reader.header["points"], reader.entries["two_sided/order"]["shape 0"]
    rank = {int(reader.element("two_sided/order", r)): r for r in range(n)}
    scale = reader.entries["gammon/winning"]["scale"]

    def column(counts: tuple[int, ...]) -> int:
        return int(reader.element("gammon/columns", index(counts) - comb(14 + points, points)))

    def once(mine: tuple[int, ...], theirs: tuple[int, ...]) -> tuple[str, float, float]:
        for table, row, full in (("winning", mine, theirs), ("losing", theirs, mine)):
            r = rank[index(row)]
            start, end = (int(reader.element(f"gammon/{table}_starts", k)) for k in (r, r + 1))
            if sum(full) == 15 and start + column(full) < end:
                place = start + column(full)
                return table, *(reader.element(f"gammon/{table}", place, u) / scale for u in range(2))
        pair = rank[index(mine)], rank[index(theirs)]
        return "neither", *(max(-1, min(1, reader.element("two_sided/equities", *pair, v) / scale)) for v in (0, 2))

    for row in rows("gammon_pairs"):
        mine, theirs = row.position("on_roll"), row.position("opponent")
        listed, win, jacoby = once(mine, theirs)
        solution = bgrace.solve(mine, theirs, bgrace.Stakes.money(bgrace.Rules(jacoby=True)))
        assert (1 + win) / 2 == pytest.approx(solution.win_probability, abs=1e-4)
        doubled = min(2 * solution.equities.theirs, 1)
        assert max(jacoby, doubled) == pytest.approx(solution.equities.centered, abs=1.6e-4)
        assert listed == row.text("listed")


def test_hdf5_shows_the_same_numbers(reader: Reader) -> None:
    with h5py.File(SMALL) as file, bgrace.open(SMALL) as db:
        for name, entry in reader.entries.items():
            dataset = file[name]
            assert dataset.id.get_offset() == entry["offset"]
            assert dataset.chunks is None
            assert dataset.attrs["crc32"] == entry["CRC"]
            assert dataset.attrs["scale"] == entry["scale"]
            assert dataset.attrs["unit"] == layout.DATASETS[name].unit
            assert dataset.attrs["description"] == layout.DATASETS[name].description
            assert np.array_equal(dataset[...], db.stored.tables[name])
