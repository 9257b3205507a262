"""Packed files: the whole table of pairs, small."""
