"""Names of axes as HDF5's dimension scales, by which netCDF libraries, xarray and h5py know the axes of tables.

Most scales are names and lengths alone, as netCDF writes a dimension without a variable: they take no room for values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from bgrace.database.store.schema import DATASETS, OTHERS

if TYPE_CHECKING:
    import h5py


SCALE_ATTRIBUTES: Final = frozenset({"DIMENSION_LABELS", "DIMENSION_LIST"})
"""Attributes of tables that `attach_scales` makes; they are places in one file, so they are never copied."""

_MAX_ATTRIBUTES: Final = 16
"""Of a table, beside its name: of more than 8, unless told otherwise, HDF5 makes a heap, which takes pages."""

_WITHOUT_VALUES: Final = "This is a netCDF dimension but not a netCDF variable."
"""By which netCDF libraries know, word for word, that a scale has no values."""


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
