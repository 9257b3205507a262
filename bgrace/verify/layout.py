"""The file: that it has the tables that it should have, with the right checksums."""

from __future__ import annotations

from math import comb
from typing import Final

import numpy as np

from bgrace.database.store import StoredTables
from bgrace.database.store.schema import PAGES_TABLE
from bgrace.verify.job import BrokenError, Job
from bgrace.verify.rules import GAMMON_CHECKERS, HOME_POINTS

CHANCE_SCALE: Final = 65535
GAMMON_KINDS: Final = ("winning", "losing")


def is_packed(stored: StoredTables) -> bool:
    """Whether distributions are in 16 bits: so they are on more than six points."""
    return stored.directory.points > HOME_POINTS


def _shapes(stored: StoredTables) -> dict[str, tuple[int | None, ...]]:
    """Which tables there should be, and their shapes; None for lengths that may be any."""
    directory = stored.directory
    points, checkers, two_sided = directory.points, directory.checkers, directory.two_sided_checkers
    n, pairs = comb(points + checkers, points), comb(points + two_sided, points)
    full_rows = n - comb(points + checkers - 1, points)
    factored = {name: table.shape for name, table in stored.tables.items() if name.startswith("packed/")}
    if directory.approximate:  # the C library has opened it, and so all of its tables are as they should be
        return {name: table.shape for name, table in stored.tables.items()}
    shapes: dict[str, tuple[int | None, ...]] = {"one_sided/mean_rolls": (n,), "one_sided/variance_rolls": (n,)}
    if is_packed(stored):
        shapes |= {"one_sided/first_roll": (n,), "one_sided/roll_chances": (n, None)}
        if checkers == GAMMON_CHECKERS:
            shapes["one_sided/first_checker_first_roll"] = (full_rows,)
            shapes["one_sided/first_checker_chances"] = (full_rows, None)
    else:
        shapes |= {"one_sided/epc": (n,), "one_sided/roll_distribution": (n, None)}
        if checkers == GAMMON_CHECKERS:
            shapes["one_sided/first_checker_distribution"] = (full_rows, None)
    if two_sided:
        shapes["two_sided/order"] = (pairs,)
    match = directory.match
    if match:
        shapes["match/values"] = (pairs, pairs, match.columns)
        shapes["match/columns"] = (2, match.planes)
        shapes["match/planes"] = (match.planes, 2, 6)
        shapes["match/pre_crawford"] = (None, None)
        shapes["match/post_crawford"] = (2, None)
    elif two_sided:
        shapes["two_sided/equities"] = (pairs, pairs, 4)
        shapes |= factored  # of which the same holds
    if directory.gammons and not match:
        shapes["gammon/columns"] = (full_rows,)
        for kind in GAMMON_KINDS:
            shapes[f"gammon/{kind}_starts"] = (pairs + 1,)
            shapes[f"gammon/{kind}"] = (None, 2)
    return shapes


def layout_complaint(stored: StoredTables) -> str:
    """Say what is wrong with the tables' names, shapes and scale, or nothing."""
    tables, shapes = stored.tables, _shapes(stored)
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
    if "match/columns" in tables and not _columns_fit(stored):
        return "match/columns names columns that match/values does not have"
    return _scale_complaint(stored) if "two_sided/equities" in tables else ""


def _columns_fit(stored: StoredTables) -> bool:
    columns = np.asarray(stored.tables["match/columns"])
    return bool(((columns >= 0) & (columns < stored.tables["match/values"].shape[2])).all())


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
