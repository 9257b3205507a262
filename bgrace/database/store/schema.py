"""Names, types and versions of what a database file holds.  docs/file-format.md says the same in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bgrace._base.arrays import JSON

if TYPE_CHECKING:
    import h5py


FORMAT_NAME: Final = "bgrace"
FORMAT_VERSION: Final = 3
PACKED_VERSION: Final = 4
"""Version of packed files; plain files keep the older version."""

APPROXIMATE_VERSION: Final = 5
"""Version of approximate files, whose pairs have a known error."""

PAGED_VERSION: Final = 6
"""Version of packed files with a checksum for each page of its tables, so that parts of it can be read alone."""

PAGE_BYTES: Final = 2048
"""Bytes of a table that share a checksum."""

PAGES_TABLE: Final = "packed/pages"
"""The table of those checksums."""

PAIRS_TABLE: Final = "two_sided/equities"
"""The table of pairs, which a packed file has in another form."""

ROOT_ATTRIBUTES: Final = (
    "format",
    "format_version",
    "points",
    "checkers",
    "two_sided_checkers",
    "gammons",
    "generator",
    "created",
)
"""Attributes of the root group, all of them always there."""

PACKED_ATTRIBUTES: Final = ("packed_by", "unpacked_crc32")
"""Further attributes of a packed file."""

APPROXIMATE_ERRORS: Final = ("win_error", "mean_win_error", "equity_error", "mean_equity_error")
"""Further attributes of an approximate file that its directory has as well, in this order."""

APPROXIMATE_ATTRIBUTES: Final = ("packed_by", *APPROXIMATE_ERRORS)
"""Further attributes of an approximate file."""


_SCALED: Final = " / scale"
_FULL: Final = "position_with_15"


@dataclass(frozen=True, slots=True)
class DatasetKind:
    """The contents of one dataset; within a group, a name of an axis is that of one length, and of no dataset."""

    dtype: str
    unit: str
    axes: tuple[str, ...]
    description: str

    def attributes(self, scale: float) -> dict[str, JSON]:
        """Its unit, its description and its scale by the names of netCDF's conventions."""
        named: dict[str, JSON] = {"units": self.unit.removesuffix(_SCALED), "long_name": self.description}
        return {**named, "scale_factor": 1 / scale} if self.unit.endswith(_SCALED) else named


DATASETS: Final[dict[str, DatasetKind]] = {
    "one_sided/epc": DatasetKind(
        "<f8", "pips", ("position",), "Expected pip count of each index: mean_rolls times 49/6."
    ),
    "one_sided/mean_rolls": DatasetKind(
        "<f8", "rolls", ("position",), "Mean number of rolls to bear off, each roll played to lower it most."
    ),
    "one_sided/variance_rolls": DatasetKind("<f8", "rolls squared", ("position",), "Variance of that number."),
    "one_sided/roll_distribution": DatasetKind(
        "<f8", "probability", ("position", "rolls"), "Row: index; column k: chance of being off in exactly k rolls."
    ),
    "one_sided/first_checker_distribution": DatasetKind(
        "<f8",
        "probability",
        (_FULL, "first_checker_rolls"),
        "Row: index minus the number of positions with fewer than 15 checkers; column k: chance that the first "
        "checker comes off on exactly roll k, played to lower the mean of that number most.",
    ),
    "one_sided/first_roll": DatasetKind(
        "|u1", "rolls", ("position",), "Row: index; the least number of rolls whose chance of being off is not 0."
    ),
    "one_sided/roll_chances": DatasetKind(
        "<u2",
        "probability / scale",
        ("position", "rolls_after_first"),
        "Row: index; column k: chance of being off in exactly first_roll + k rolls.",
    ),
    "one_sided/first_checker_first_roll": DatasetKind(
        "|u1",
        "rolls",
        (_FULL,),
        "Row: index minus the number of positions with fewer than 15 checkers; the least roll with a chance that is "
        "not 0 of being the one on which the first checker comes off.",
    ),
    "one_sided/first_checker_chances": DatasetKind(
        "<u2",
        "probability / scale",
        (_FULL, "first_checker_rolls_after_first"),
        "Row: as in first_checker_first_roll; column k: chance that the first checker comes off on exactly roll "
        "first_checker_first_roll + k, played to lower the mean of that number most.",
    ),
    "two_sided/order": DatasetKind(
        "<i4", "index", ("on_roll",), "Index of each rank; ranks run in order of pips, then of index."
    ),
    "two_sided/equities": DatasetKind(
        "<i2",
        "equity / scale",
        ("on_roll", "opponent", "plane"),
        "Equity of the player on roll when rolling without doubling, per unit of the present cube. "
        "Row: rank of the player on roll; column: the opponent's rank; last axis: cubeless, mine, centered, theirs.",
    ),
    "gammon/columns": DatasetKind(
        "<i4",
        "column",
        (_FULL,),
        "Row: index minus the number of positions with fewer than 15 checkers; its column in the tables of pairs in "
        "which a gammon is likely enough to matter.",
    ),
    "gammon/winning_starts": DatasetKind(
        "<i8", "row", ("start",), "Where the pairs of each rank begin in gammon/winning, and where the last ones end."
    ),
    "gammon/winning": DatasetKind(
        "<i2",
        "equity / scale",
        ("winning_row", "single_plane"),
        "Equity of rolling now if gammons count once, the player on roll having the rank, the opponent 15 checkers. "
        "Row: start of the rank plus the opponent's column; last axis: cubeless (twice the chance to win, less one), "
        "centered (the Jacoby rule).",
    ),
    "gammon/losing_starts": DatasetKind(
        "<i8", "row", ("start",), "Where the pairs of each rank begin in gammon/losing, and where the last ones end."
    ),
    "gammon/losing": DatasetKind(
        "<i2",
        "equity / scale",
        ("losing_row", "single_plane"),
        "The same with the opponent having the rank, the player on roll 15 checkers. "
        "Row: start of the rank plus the column of the player on roll.",
    ),
    "packed/planes": DatasetKind(
        "<i4",
        "factors",
        ("plane", "field"),
        "For each plane of the packed table of pairs (cubeless, mine, centered, theirs): its first factor, how many it "
        "has, and by how many bits the sum of their products is shifted.",
    ),
    "packed/opponent": DatasetKind(
        "<i2", "steps", ("rank", "factor"), "Row: the opponent's rank; the factors of its positions, plane after plane."
    ),
    "packed/on_roll": DatasetKind(
        "<i2",
        "steps",
        ("rank", "factor"),
        "Row: rank of the player on roll; the factors of its positions, plane after plane.",
    ),
    "packed/starts": DatasetKind(
        "<i8",
        "byte",
        ("start",),
        "Where each block of 32 by 32 pairs begins in packed/codes, and where the last one ends.",
    ),
    "packed/checksums": DatasetKind("<u4", "CRC-32", ("block",), "Of the values of each block, row by row."),
    "packed/codes": DatasetKind(
        "|u1",
        "bits",
        ("byte",),
        "What the products of the factors leave of the values, in blocks; docs/file-format.md says how.",
    ),
    PAGES_TABLE: DatasetKind(
        "<u4",
        "CRC-32",
        ("page",),
        "Of each 2048 bytes of every other table, in the order in which the tables lie in the file.",
    ),
    "small/planes": DatasetKind(
        "<i4",
        "factors",
        ("plane", "field"),
        "For each plane (twice the chance to win, less one; or cubeless, mine, centered, theirs, and that one where "
        "gammons count): its first factor, how many it has, and by how many bits the sum of their products is shifted.",
    ),
    "small/opponent": DatasetKind(
        "<i2", "steps", ("rank", "factor"), "Row: the opponent's rank; the factors of its position, by planes."
    ),
    "small/on_roll": DatasetKind(
        "<i2", "steps", ("rank", "factor"), "Row: rank of the player on roll; its factors, by planes."
    ),
    "small/starts": DatasetKind(
        "<u4",
        "row",
        ("start",),
        "Where the exceptions of each plane, and within it of each rank on roll, begin in small/columns and "
        "small/values, and where the last end.",
    ),
    "small/columns": DatasetKind(
        "<u2", "rank", ("exception",), "The opponents of the exceptions, rising within each rank on roll."
    ),
    "small/values": DatasetKind(
        "<i2",
        "equity / scale",
        ("exception",),
        "The exceptions, which factors miss by more than the file allows.",
    ),
}
"""Every dataset of the directory, by its path in the file."""

CHECKERS: Final = "one_sided/checkers"
ROW_SUMS: Final = "two_sided/row_checksums"

OTHERS: Final[dict[str, DatasetKind]] = {
    CHECKERS: DatasetKind("|i1", "checkers", ("position", "point"), "Row: index; column k: checkers on point k + 1."),
    ROW_SUMS: DatasetKind("<u4", "CRC-32", ("on_roll",), "Of each row of two_sided/equities."),
}
"""Datasets that the directory leaves out, so that no reader need know them: labels, and sums for checking lazily."""

APPROXIMATE_TABLES: Final = tuple(name for name in DATASETS if name.startswith("small/"))
"""Tables that an approximate file has in place of `PAIRS_TABLE`."""

PACKED_TABLES: Final = tuple(name for name in DATASETS if name.startswith("packed/"))
"""Tables that a packed file has in place of `PAIRS_TABLE`."""


SCALE_ATTRIBUTES: Final = frozenset({"DIMENSION_LABELS", "DIMENSION_LIST"})
"""Attributes of tables that `attach_scales` makes; they are places in one file, so they are never copied."""

_MAX_ATTRIBUTES: Final = 16
"""Most attributes of a table: beyond 8, unless told otherwise, HDF5 makes a heap, which takes pages."""

_WITHOUT_VALUES: Final = "This is a netCDF dimension but not a netCDF variable."
"""netCDF's mark, word for word, of a scale without values."""


def attach_scales(file: h5py.File, name: str, planes: Sequence[str] = ()) -> None:
    """Name the axes of a table, with scales beside it that tables of its group share."""
    table, kind = file[name], DATASETS.get(name) or OTHERS[name]
    group = name.partition("/")[0]
    for axis, (axis_name, length) in enumerate(zip(kind.axes, table.shape, strict=True)):
        place = f"{group}/{axis_name}"
        if place not in file:
            _make_scale(file, place, length, planes if axis == table.ndim - 1 else ())
        table.dims[axis].label = axis_name
        table.dims[axis].attach_scale(file[place])


def table_properties() -> h5py.h5p.PropDCID:
    """Properties of every table and scale that is made."""
    import h5py  # noqa: PLC0415  (takes a while)

    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_obj_track_times(False)  # the same tables make the same bytes
    properties.set_attr_phase_change(_MAX_ATTRIBUTES, 0)
    return properties


def _make_scale(file: h5py.File, place: str, length: int, values: Sequence[str]) -> None:
    import h5py  # noqa: PLC0415  (takes a while)

    properties = table_properties()
    if values:
        properties.set_layout(h5py.h5d.COMPACT)
        kind = h5py.h5t.py_create(h5py.string_dtype(), logical=True)
    else:
        properties.set_alloc_time(h5py.h5d.ALLOC_TIME_LATE)  # never, for nothing is written
        kind = h5py.h5t.IEEE_F32BE
    space = h5py.h5s.create_simple((length,))
    scale = h5py.Dataset(h5py.h5d.create(file.id, place.encode(), kind, space, properties))
    if values:
        scale[...] = list(values)
    scale.make_scale(place.rpartition("/")[2] if values else f"{_WITHOUT_VALUES}{length:10d}")
