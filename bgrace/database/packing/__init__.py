"""Packed files, without loss, and approximate ones, with a known error: docs/small-tables.md."""

from bgrace.database.packing.approximate import ApproximateReport, PlaneError, pack_approximate
from bgrace.database.packing.packer import pack, unpack, write_packed
from bgrace.database.packing.pairs import PackReport

__all__ = [
    "ApproximateReport",
    "PackReport",
    "PlaneError",
    "pack",
    "pack_approximate",
    "unpack",
    "write_packed",
]
