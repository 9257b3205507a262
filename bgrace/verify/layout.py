"""The file: that it has the tables that it should have, with the right checksums."""

from __future__ import annotations

from typing import Final

import numpy as np

from bgrace.database.store import StoredTables
from bgrace.database.store.schema import PAGES_TABLE
from bgrace.verify.job import BrokenError, Job
from bgrace.verify.rules import HOME_POINTS

CHANCE_SCALE: Final = 65535
GAMMON_KINDS: Final = ("winning", "losing")


def is_packed(stored: StoredTables) -> bool:
    """Whether distributions are in 16 bits: so they are on more than six points."""
    return stored.directory.points > HOME_POINTS


def layout_complaint(stored: StoredTables) -> str:
    """Say what is wrong with the tables' names, shapes and scale, or nothing."""
    tables, shapes = stored.tables, stored.directory.shapes
    # What the C library has opened to answer from it has the tables of its pairs.
    opened = "" if stored.directory.approximate else "packed/"
    if stored.directory.packed or stored.directory.approximate:
        shapes = {} if stored.directory.approximate else shapes
        shapes |= {name: table.shape for name, table in tables.items() if name.startswith(opened)}
    if tables.keys() != shapes.keys():
        return f"there are tables {sorted(tables)}; there should be {sorted(shapes)}"
    for name, shape in shapes.items():
        found = tables[name].shape
        if len(found) != len(shape) or any(m is not None and m != k for k, m in zip(found, shape, strict=True)):
            wanted = ", ".join("any" if m is None else str(m) for m in shape)
            return f"{name} has shape {found}; it should have ({wanted})"
    for name in ("one_sided/roll_chances", "one_sided/first_checker_chances"):
        if name in tables and stored.entry(name).scale != CHANCE_SCALE:
            return f"{name} has {stored.entry(name).scale:g} steps to certainty: it should have {CHANCE_SCALE}"
    return _scale_complaint(stored) if "two_sided/equities" in tables else ""


def _scale_complaint(stored: StoredTables) -> str:
    scale = stored.entry("two_sided/equities").scale
    most = 16383 if stored.directory.gammons else 32767
    if not (2 <= scale <= most and scale % 2 == 0):
        return f"{scale:g} steps per unit of equity: it should be even, 2 to {most}"
    for kind in GAMMON_KINDS:
        if f"gammon/{kind}" in stored.tables and stored.entry(f"gammon/{kind}").scale != scale:
            return f"gammon/{kind} has other steps per unit of equity than two_sided/equities"
    return ""


def check_layout(job: Job) -> str:
    """Look whether the tables are the ones that there should be."""
    complaint = layout_complaint(job.stored)
    if complaint:
        raise BrokenError(complaint)
    return f"{len(job.stored.tables)} tables of the right shapes"


def check_checksums(job: Job) -> str:
    """Compare every table with its checksum."""
    entries = job.stored.entries
    for entry in job.each(entries):
        crc = job.stored.checksum(entry.name)
        if crc != entry.crc32:
            raise BrokenError(f"{entry.name} has CRC-32 {crc:08x}, the directory says {entry.crc32:08x}")
    if job.stored.directory.paged:
        pages = np.asarray(job.stored.tables[PAGES_TABLE])
        found = np.fromiter(job.stored.page_checksums(), np.uint32, len(pages))
        if len(wrong := np.nonzero(found != pages)[0]):
            raise BrokenError(f"page {wrong[0]} has CRC-32 {found[wrong[0]]:08x}, the file says {pages[wrong[0]]:08x}")
    return f"{sum(entry.n_bytes for entry in entries)} bytes of {len(entries)} tables"
