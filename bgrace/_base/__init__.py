"""The base of everything: arrays, memory, files that are whole or absent, progress."""
