"""Packed files, without loss, and approximate files, with a known error: docs/small-tables.md."""
