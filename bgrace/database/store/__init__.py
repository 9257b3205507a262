"""The database file: the one place that knows HDF5 and the bytes of the user block.  See docs/file-format.md."""

from typing import Final

from bgrace.database.store.directory import MAGIC, OLD_MATCH_MAGIC, MatchHead, cut_name
from bgrace.database.store.match_file import StoredMatch, read_match_file
from bgrace.database.store.reader import StoredTables, file_facts, file_info, is_match_file, read_tables
from bgrace.database.store.writer import Writer, creation_time

__all__ = [
    "FILE_HEADS",
    "MatchHead",
    "StoredMatch",
    "StoredTables",
    "Writer",
    "creation_time",
    "cut_name",
    "file_facts",
    "file_info",
    "is_match_file",
    "read_match_file",
    "read_tables",
]

FILE_HEADS: Final = (MAGIC, OLD_MATCH_MAGIC)
"""What database files begin with, those of old versions too."""
