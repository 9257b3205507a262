"""Packed files, without loss, and approximate ones, with a known error: docs/small-tables.md."""

from bgrace.database.packing.packer import (
    ApproximateReport,
    PackReport,
    PlaneError,
    build_packed,
    pack,
    pack_approximate,
    unpack,
)

__all__ = [
    "ApproximateReport",
    "PackReport",
    "PlaneError",
    "build_packed",
    "pack",
    "pack_approximate",
    "unpack",
]
