"""What an unfinished database file says of itself, so that another writer can go on from there.

Until a file is complete its user block holds a note instead of a directory: what work it is, how far it has come, and
checksums of all that was finished.
"""

from __future__ import annotations

import json
import mmap
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np

from bgrace._base.arrays import JSON
from bgrace._base.files import drop_lock, head_of, partial_path, put_in_place, reported, take_partial
from bgrace.database.store.directory import MAGIC, USER_BLOCK, MatchHead
from bgrace.database.store.reader import StoredTables, read_tables
from bgrace.database.store.schema import DATASETS, FORMAT_VERSION
from bgrace.errors import BuildError, FormatError

__all__ = [
    "NOTE_HEAD",
    "SUM_PLACE",
    "UNFINISHED",
    "Note",
    "PlacedTable",
    "Work",
    "boot_id",
    "is_finished",
    "is_of_work",
    "place_finished",
    "refuse_other_work",
]

UNFINISHED: Final = "unfinished bgrace database"
"""What messages call such a file."""

NOTE_HEAD: Final = f"{UNFINISHED}\n".encode()
"""What it begins with."""

SUM_PLACE: Final = len(NOTE_HEAD) + 9
"""Where a note's text begins: after its checksum, eight hexadecimal digits and a line feed."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a file covers, and who makes it: what must be alike for one writer to go on where another stopped.

    Attributes
    ----------
    points, checkers, two_sided_checkers : int
        0 two-sided checkers if there is no table of pairs.
    generator : str
        Program and version, for the file's attributes.
    gammons : bool
        Whether a loser with 15 checkers loses double in the table of pairs.
    match : MatchHead, optional
        The match score that the pairs are for; money unless given.
    source : str
        What the file is another form of, if it is.
    """

    points: int
    checkers: int
    two_sided_checkers: int
    generator: str
    gammons: bool = False
    match: MatchHead | None = None
    source: str = ""

    def to_note(self) -> dict[str, JSON]:
        """What the note of an unfinished file holds of it."""
        return {"format_version": FORMAT_VERSION, **json.loads(json.dumps(asdict(self)))}

    def __str__(self) -> str:
        score = f" at {self.match.first_needs}-away, {self.match.second_needs}-away" if self.match else ""
        return f"for {self.points} points, {self.checkers} checkers and {self.two_sided_checkers} two-sided{score}"


@dataclass(slots=True)
class PlacedTable:
    """Where a table lies in an unfinished file; mapped while there is a writer."""

    offset: int
    shape: tuple[int, ...]
    scale: float
    mapped: mmap.mmap | None = None

    def n_bytes(self, name: str) -> int:
        """Size of the table, which has the dtype of its name."""
        return prod(self.shape) * np.dtype(DATASETS[name].dtype).itemsize


@dataclass(frozen=True, slots=True)
class Note:
    """What an unfinished file says of itself."""

    work: dict[str, JSON]
    boot: str
    stage: int
    checksum: int  # of what is finished, in the order in which it was
    metadata_crc32: int
    tables: dict[str, PlacedTable]

    def pack(self) -> bytes:
        """Write it as a user block."""
        tables = {name: [table.offset, table.shape, table.scale] for name, table in self.tables.items()}
        fields = {"work": self.work, "boot": self.boot, "stage": self.stage, "checksum": self.checksum}
        text = json.dumps({**fields, "metadata_crc32": self.metadata_crc32, "tables": tables}).encode()
        body = text.ljust(USER_BLOCK - SUM_PLACE)
        assert len(body) == USER_BLOCK - SUM_PLACE, "a note has room in a user block"
        return NOTE_HEAD + f"{zlib.crc32(body):08x}\n".encode() + body

    @classmethod
    def unpack(cls, block: bytes) -> Note | None:
        """Read a user block; None if it is not a note, whole and as a writer writes it."""
        body = block[SUM_PLACE:]
        if len(block) < USER_BLOCK or block[:SUM_PLACE] != NOTE_HEAD + f"{zlib.crc32(body):08x}\n".encode():
            return None
        try:
            fields = json.loads(body)
            tables = {
                str(name): PlacedTable(_natural(offset), tuple(map(_natural, shape)), float(scale))
                for name, (offset, shape, scale) in fields["tables"].items()
            }
            stage, checksum, metadata_crc32 = (
                _natural(fields[name]) for name in ("stage", "checksum", "metadata_crc32")
            )
            return cls(dict(fields["work"]), str(fields["boot"]), stage, checksum, metadata_crc32, tables)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            return None


def _natural(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise ValueError(value)
    return value


@cache
def boot_id() -> str:
    """Name this run of the machine, "" where it has no name: pages that never reached the disk end with it."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return ""


def refuse_other_work(path: Path, work: Work) -> None:
    """Raise BuildError if there is an unfinished file with other work in it, which a writer would overwrite.

    Parameters
    ----------
    path : Path
        Where the file is to be.
    work : Work
    """
    partial = partial_path(path)
    with reported(path):
        note = Note.unpack(head_of(partial, USER_BLOCK) or b"")
    if note is None or note.work == work.to_note():
        return
    raise BuildError(
        f"{partial} is an unfinished build {_work_text(note.work, work)}: run that again to finish it, use force "
        "(--force) to drop it, or build elsewhere"
    )


def _work_text(note: dict[str, Any], wanted: Work) -> str:
    """Say which work a note is of, by what tells it from the one that is wanted."""
    with suppress(KeyError, TypeError):
        match = None if note.get("match") is None else MatchHead(**note["match"])
        work = Work(note["points"], note["checkers"], note["two_sided_checkers"], "", match=match)
        if str(work) != str(wanted):
            return str(work)
    if note.get("source", "") != wanted.source:
        return f"{wanted}, made in another way or of another file"
    program = " ".join(str(note.get("generator", "another program"))[:80].split())
    return f"by {program}" if program != wanted.generator else f"{wanted} with another match equity table"


def place_finished(path: Path, is_meant: Callable[[StoredTables], bool]) -> bool:
    """Give its name to a file that was finished when its writer was killed, before the renaming.

    Parameters
    ----------
    path : Path
        Where it is to be.
    is_meant : callable
        Whether a finished file is the one that is wanted there.

    Returns
    -------
    bool
        Whether there was one, with the right tables and every checksum right.

    Raises
    ------
    BuildError
        If the unfinished file's name belongs to some other finished file.
    """
    partial = partial_path(path)
    with reported(path):
        if not (head_of(partial, len(MAGIC)) or b"").startswith(MAGIC):
            return False
        lock = take_partial(path, (MAGIC,), UNFINISHED)
        try:
            if not is_finished(partial, is_meant):
                raise BuildError(
                    f"{partial} is a finished bgrace database, and the unfinished file would have its name: move it "
                    "away, or use force (--force) to take the name from it"
                )
            put_in_place(partial, path)
        finally:
            drop_lock(lock)
    return True


def is_finished(path: Path, is_meant: Callable[[StoredTables], bool]) -> bool:
    """Whether a file is a database that is meant, with every checksum right."""
    try:
        stored = read_tables(path)
        return is_meant(stored) and all(stored.checksum(entry.name) == entry.crc32 for entry in stored.entries)
    except FormatError:
        return False


def is_of_work(stored: StoredTables, work: Work, *, archive: bool) -> bool:
    """Whether a finished file is what a build of this work makes, with its tables compressed or not."""
    directory, attributes = stored.directory, stored.attributes
    stored_work = Work(
        directory.points,
        directory.checkers,
        directory.two_sided_checkers,
        str(attributes["generator"]),
        directory.gammons,
        directory.match,
    )
    plain = not (directory.packed or directory.small)
    return stored_work == work and plain and directory.archive == archive
