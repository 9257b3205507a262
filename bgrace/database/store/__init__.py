"""The database file: the one place that knows HDF5 and the bytes of the user block.  See docs/file-format.md."""

from typing import Final

from bgrace.database.store import directory, match_file
from bgrace.database.store.match_file import StoredMatch, is_match_file, read_match_file, write_match_file
from bgrace.database.store.reader import StoredTables, file_info, read_tables
from bgrace.database.store.writer import Writer, creation_time

__all__ = [
    "FILE_HEADS",
    "StoredMatch",
    "StoredTables",
    "Writer",
    "creation_time",
    "file_info",
    "is_match_file",
    "read_match_file",
    "read_tables",
    "write_match_file",
]

FILE_HEADS: Final = (directory.MAGIC, match_file.MAGIC)
"""What database files begin with: those for money, and those for a score of a match."""
