"""The directory in the user block: what lets a program without an HDF5 library find and check the tables.

Little-endian throughout.  docs/file-format.md gives the layout byte by byte.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Final

from bgrace.database.store.schema import FORMAT_VERSION
from bgrace.errors import FormatError

__all__ = ["MAGIC", "USER_BLOCK", "Directory", "Entry"]

USER_BLOCK: Final = 4096
"""Bytes in front of the HDF5 part of a file."""

MAGIC: Final = b"\x93BGRACE\n"
"""What a finished file begins with."""
_HEADER: Final = struct.Struct("<8sIIQIIIIIIII")
_ENTRY: Final = struct.Struct("<40sIIQQQQQdII")
_DTYPES: Final = {1: "<f8", 2: "<i2", 3: "<i4", 4: "|u1", 5: "<u2", 6: "<i8"}
_CODES: Final = {dtype: code for code, dtype in _DTYPES.items()}
_MAX_ENTRIES: Final = (USER_BLOCK - _HEADER.size) // _ENTRY.size


@dataclass(frozen=True, slots=True)
class Entry:
    """Where one table lies: a plain array, last axis fastest."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    offset: int
    n_bytes: int
    scale: float
    crc32: int


@dataclass(frozen=True, slots=True)
class Directory:
    """What the user block says."""

    file_size: int
    points: int
    checkers: int
    two_sided_checkers: int
    gammons: bool
    jacoby: bool
    metadata_crc32: int
    entries: tuple[Entry, ...]
    archive: bool = False

    def pack(self) -> bytes:
        """The `USER_BLOCK` bytes of this directory."""
        flags = int(self.gammons) | int(self.jacoby) << 1 | int(self.archive) << 2
        entries = b"".join(
            _ENTRY.pack(
                entry.name.encode("ascii"),
                _CODES[entry.dtype],
                len(entry.shape),
                *(*entry.shape, 0, 0)[:3],
                entry.offset,
                entry.n_bytes,
                entry.scale,
                entry.crc32,
                0,
            )
            for entry in self.entries
        )

        def header(crc: int) -> bytes:
            return _HEADER.pack(
                MAGIC,
                FORMAT_VERSION,
                USER_BLOCK,
                self.file_size,
                self.points,
                self.checkers,
                self.two_sided_checkers,
                flags,
                len(self.entries),
                self.metadata_crc32,
                crc,
                0,
            )

        body = (header(0) + entries).ljust(USER_BLOCK, b"\0")
        return (header(zlib.crc32(body)) + entries).ljust(USER_BLOCK, b"\0")

    @classmethod
    def unpack(cls, block: bytes, path: str) -> Directory:
        """Read a user block; FormatError, naming `path`, if it is not one that this version understands."""
        if block.startswith(b"gnubg-"):
            raise FormatError(
                f"{path} is not a bgrace database but a bearoff file of GNU Backgammon: "
                "bgrace import makes a database of it"
            )
        if len(block) < USER_BLOCK or not block.startswith(MAGIC):
            raise FormatError(f"{path} is not a bgrace database: it does not begin with a bgrace directory")
        (_, version, size, file_size, points, checkers, two_sided, flags, n_entries, metadata_crc, crc, _) = (
            _HEADER.unpack_from(block)
        )
        if version != FORMAT_VERSION:
            raise FormatError(
                f"{path} has format version {version}; this bgrace reads version {FORMAT_VERSION}: "
                "build the file again, or use a bgrace that knows it"
            )
        crc_place = _HEADER.size - 8
        if zlib.crc32(block[:crc_place] + b"\0\0\0\0" + block[crc_place + 4 : USER_BLOCK]) != crc:
            raise FormatError(f"{path} is damaged: the directory at its head fails its checksum; build it again")
        if size != USER_BLOCK or n_entries > _MAX_ENTRIES:
            raise FormatError(f"{path} is damaged: its directory claims {n_entries} tables in {size} bytes")
        entries = []
        for k in range(n_entries):
            name, code, n_dims, *shape, offset, n_bytes, scale, entry_crc, _ = _ENTRY.unpack_from(
                block, _HEADER.size + k * _ENTRY.size
            )
            if code not in _DTYPES or not 1 <= n_dims <= 3:
                raise FormatError(f"{path} is damaged: table {k} of its directory has type {code}, {n_dims} axes")
            entries.append(
                Entry(
                    name.rstrip(b"\0").decode("ascii", "replace"),
                    _DTYPES[code],
                    tuple(shape[:n_dims]),
                    offset,
                    n_bytes,
                    scale,
                    entry_crc,
                )
            )
        return cls(
            file_size,
            points,
            checkers,
            two_sided,
            bool(flags & 1),
            bool(flags & 2),
            metadata_crc,
            tuple(entries),
            bool(flags & 4),
        )
