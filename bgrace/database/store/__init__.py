"""The database file: the one place that knows HDF5 and the bytes of the user block.  See docs/file-format.md.

`store.writer` is imported by those who write: it needs h5py, without which a mapped file answers.
"""

from typing import Final

from bgrace.database.store.archive import Table
from bgrace.database.store.directory import MAGIC, OLD_MATCH_MAGIC
from bgrace.database.store.reader import Access, StoredTables, Verify, file_facts, read_tables

__all__ = [
    "FILE_HEADS",
    "Access",
    "StoredTables",
    "Table",
    "Verify",
    "file_facts",
    "read_tables",
]

FILE_HEADS: Final = (MAGIC, OLD_MATCH_MAGIC)
"""The first bytes of database files, those of old versions too."""
