"""HDF5 files that are written where the room for it has been claimed.

An HDF5 library that cannot write what it still holds as it closes a file leaves that file half closed, and the process
crashes when it ends at the latest.  So a full disk is met here, before HDF5 has anything to write, and is an OSError.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

import h5py

from bgrace._base.files import claim
from bgrace._base.interrupts import HeldInterrupts
from bgrace.database.store.directory import USER_BLOCK

UNFINISHED: Final = "unfinished bgrace database"
"""A file that is being written: its name in messages, and its first bytes."""

_METADATA: Final = 1 << 18
"""Bytes: more than the metadata of all tables take, but for what says where the chunks of large ones are."""

_A_CHUNK: Final = 64
"""Bytes that say where a chunk is, and its checksum, and then some."""

_END_PLACE: Final = 28
"""Of the end of the file in a superblock of version 2 or 3, HDF5 File Format Specification, section II.A."""

_OPTIONS: Final[dict[str, Any]] = {
    "libver": ("v110", "v110"),  # metadata with checksums, and every HDF5 since 1.10 reads it
    "locking": False,  # the writer holds a lock of its own
}


class NewFile:
    """A file that is being made.

    Attributes
    ----------
    file : h5py.File
    """

    def __init__(self, file: h5py.File, raw: BinaryIO) -> None:
        self.file: h5py.File = file
        self._raw = raw
        self._most_held: int = file.id.get_access_plist().get_cache()[2]  # bytes of chunks that HDF5 may hold back
        self._n_bytes = 0  # of chunks

    def group(self, name: str) -> h5py.Group:
        """Find a group, or make it; see `group_in`."""
        return group_in(self.file, name)

    def claim_chunks(self, n_chunks: int, n_bytes: int) -> None:
        """Make sure of the room for chunks that are to be written, whole and not compressed."""
        held, n_new = min(self._most_held, self._n_bytes), n_chunks * (n_bytes + _A_CHUNK)
        claim(self._raw.fileno(), 0, self.file.id.get_filesize() + held + n_new + _METADATA)
        self._n_bytes += n_new


@contextmanager
def created(path: Path, *, alignment_threshold: int = 1, alignment_interval: int = 1) -> Iterator[NewFile]:
    """Make an HDF5 file of what is there, for its metadata and for chunks that are claimed.

    Ctrl-C waits until the file is closed, but for `check_interrupt`.
    """
    with HeldInterrupts(), open(path, "r+b") as raw:
        claim(raw.fileno(), 0, USER_BLOCK + _METADATA)
        file = _new_file(path, alignment_threshold, alignment_interval)
        try:
            claim(raw.fileno(), 0, USER_BLOCK + _METADATA)  # h5py has just let go of it
            raw.write(UNFINISHED.encode())
            raw.flush()
            yield NewFile(file, raw)
            file.flush()  # if a write fails here, the file can still be closed
        finally:
            file.close()
            raw.truncate(_end(raw))


def _new_file(path: Path, alignment_threshold: int, alignment_interval: int) -> h5py.File:
    """Make a file as h5py.File would with _OPTIONS, but without the time of making: the same tables, the same bytes.

    Older releases of h5py have HDF5 put the time into every group, the first one of a file too.
    """
    made = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    made.set_userblock(USER_BLOCK)
    made.set_obj_track_times(False)
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_V110, h5py.h5f.LIBVER_V110)
    access.set_file_locking(False, ignore_when_disabled=False)
    access.set_alignment(alignment_threshold, alignment_interval)
    return h5py.File(h5py.h5f.create(os.fsencode(path), h5py.h5f.ACC_TRUNC, made, access))


def group_in(file: h5py.File, name: str) -> h5py.Group:
    """Find a group, or make it, without the time of making."""
    if name not in file:
        made = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
        made.set_obj_track_times(False)
        h5py.h5g.create(file.id, name.encode(), gcpl=made)
    return file[name]


def _end(raw: BinaryIO) -> int:
    """Where a file ends, as HDF5 says in its superblock: what was claimed and not needed is behind it."""
    raw.seek(USER_BLOCK + _END_PLACE)
    return int.from_bytes(raw.read(8), "little")


@contextmanager
def changed(path: Path, n_bytes: int = 0, **options: object) -> Iterator[h5py.File]:
    """Change an HDF5 file."""
    with HeldInterrupts():
        with open(path, "r+b") as raw:
            # HDF5 cuts off what it has not used, for it has seen it as it opened the file.
            claim(raw.fileno(), raw.seek(0, os.SEEK_END), n_bytes + _METADATA)
        with h5py.File(path, "r+", **_OPTIONS, **options) as file:
            yield file
            file.flush()
