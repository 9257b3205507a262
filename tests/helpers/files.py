"""Write and change database files."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import bgrace
from bgrace._base.arrays import JSON
from bgrace._base.limits import Progress
from bgrace.database.building import checked_target, packed_plan, plan_build
from bgrace.database.packing.packer import write_packed
from bgrace.database.store.format import APPROXIMATE_ATTRIBUTES, USER_BLOCK, Contents, Directory
from bgrace.database.store.reader import read_tables
from bgrace.database.store.writer import Writer, database_target
from bgrace.errors import FormatError

Tables = dict[str, npt.NDArray[Any]]
Change = Callable[[Tables], object]


@contextmanager
def written(path: Path, contents: Contents, **attributes: JSON) -> Iterator[Writer]:
    """Write a file, which gets its name at the end of the block."""
    with database_target(path, contents) as target, Writer(target, contents, attributes=attributes) as writer:
        yield writer


def rewritten(path: Path, source: Path, change: Change = lambda tables: None, /, **attributes: JSON) -> Path:
    """Copy a file with other values or attributes, and correct checksums."""
    stored = read_tables(source)
    tables = {entry.name: np.array(stored.tables[entry.name]) for entry in stored.entries}
    change(tables)
    names = stored.attributes.keys() & {"format_version", *APPROXIMATE_ATTRIBUTES}
    attributes = {name: stored.attributes[name] for name in names} | attributes
    with written(path, stored.directory.contents, **attributes) as writer:
        for name, table in tables.items():
            writer.add(name, table.shape, scale=stored.entry(name).scale)[...] = table
    return path


def build_packed(path: Path, *shape: int, force: bool = False, progress: Progress | None = None) -> None:
    """Build and pack in one step, as ``bgrace build --pack`` does."""
    plan = packed_plan(plan_build(*shape))
    write_packed(plan, checked_target(plan, path, force=force), progress)


def resealed(data: bytes | bytearray) -> bytes:
    """Correct the checksum of a changed directory."""
    block = bytearray(data)
    block[48:52] = bytes(4)
    struct.pack_into("<I", block, 48, zlib.crc32(block[:USER_BLOCK]))
    return bytes(block)


def damaged(path: Path, source: Path, name: str, place: int = 0) -> Path:
    """Copy a file with one bit of a table flipped, and the old checksums."""
    data = bytearray(source.read_bytes())
    data[read_tables(source).entry(name).offset + place] ^= 1
    path.write_bytes(data)
    return path


def with_bytes(data: bytes, name: str, place: int, value: bytes) -> bytes:
    """Change bytes of a table, and correct the checksums; a negative place counts from the end of the table."""
    entries = Directory.unpack(data, "x").entries
    number, entry = next((k, entry) for k, entry in enumerate(entries) if entry.name == name)
    changed = bytearray(data)
    start = entry.offset + (place if place >= 0 else entry.n_bytes + place)
    changed[start : start + len(value)] = value
    crc = zlib.crc32(changed[entry.offset : entry.offset + entry.n_bytes])
    struct.pack_into("<I", changed, 256 + 104 * number + 96, crc)
    return resealed(changed)


def unreadable(message: str | None, path: Path, *access: Any, **options: Any) -> None:
    """Check that a database is refused with this message."""
    with pytest.raises(FormatError, match=message):
        bgrace.open(path, *access, **options)
