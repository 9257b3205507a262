"""The database file: only this package uses HDF5 and the bytes of the user block.  See docs/file-format.md.

`store.writer` is imported only for writing, because it needs h5py, and queries of a mapped file do not.
"""
