"""Packed files: the whole table of pairs, small.  docs/small-tables.md says how."""

from bgrace.database.packing.lossless import PackReport, pack, unpack

__all__ = ["PackReport", "pack", "unpack"]
