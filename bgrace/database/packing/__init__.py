"""Packed files: the whole table of pairs, small.  docs/small-tables.md says how."""

from bgrace.database.packing.building import build_packed
from bgrace.database.packing.lossless import PackReport, pack, unpack

__all__ = ["PackReport", "build_packed", "pack", "unpack"]
