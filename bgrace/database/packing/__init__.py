"""Packed files, without loss, and approximate ones, with a known error: docs/small-tables.md."""
