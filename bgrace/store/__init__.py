"""The database file: the one place that knows HDF5 and the bytes of the user block.  See docs/file-format.md."""

from bgrace.store.reader import StoredTables, file_info, read_tables
from bgrace.store.writer import Writer

__all__ = ["StoredTables", "Writer", "file_info", "read_tables"]
