"""The database file: the one place that knows HDF5 and the bytes of the user block.  See docs/file-format.md.

`store.writer` is imported by those who write: it needs h5py, without which a mapped file answers.
"""
