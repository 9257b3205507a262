"""Packed files, without loss, and small ones, with a known error: docs/small-tables.md."""

from bgrace.database.packing.building import build_packed, check_build_packed
from bgrace.database.packing.lossless import PackReport, pack, unpack
from bgrace.database.packing.small import PlaneError, SmallReport, pack_small

__all__ = [
    "PackReport",
    "PlaneError",
    "SmallReport",
    "build_packed",
    "check_build_packed",
    "pack",
    "pack_small",
    "unpack",
]
