"""Make the tables that are published, and look at tables that somebody sends.

    python scripts/make_release.py make FOLDER [--checkers N]... [--have FILE]... [--doi DOI] [--update]
    python scripts/make_release.py check FILE [--seed N] [--pairs N]

`make` writes into FOLDER, for each number of checkers a side (6, 10, 15), the packed file, an approximate one and its
statistics, and beside them MANIFEST.json, DATASHEET.md and CITATION.cff, ready for an archive that gives a DOI.
One-sided tables are for 15 checkers, and SOURCE_DATE_EPOCH is 1735689600, so the bytes do not depend on the machine or
on how many threads there are; they do on the version of bgrace, which stands in the file, and on how an HDF5 library
lays its metadata out.  Files that are there already are taken from --have.  15 a side need 28 GB of disk while they are
made.
The status is 1 if sums, sizes or statistics are not the published ones (release.json beside this file, sums.json),
which --update changes.

`check` tells of each of seven checks that a table has to pass: it is none of the published ones; its header; every
block; its statistics, FILE.json beside it; the deepest positions; seeded positions against their successors; and pairs
against another solver.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import click
import numpy as np
from table_statistics import published_release, table_statistics

import bgrace
from bgrace.board.dice import ROLLS, WEIGHTS
from bgrace.cube.action import CUBES
from bgrace.database.building import checked_target, plan_build
from bgrace.database.packing import write_packed
from bgrace.database.store import read_tables
from bgrace.database.verify import published_sums, table_key, table_sums, verify
from bgrace.errors import BgraceError

ROOT: Final = Path(__file__).resolve().parents[1]
VERIFY: Final = ROOT / "bgrace" / "verify"
EPOCH: Final = "1735689600"
"""The first second of 2025."""

ERRORS: Final = (0.002, 0.01)
"""Of chances and equities in approximate files."""

_DEEPEST: Final = 20
_MOST: Final = 6
"""Checkers a side that the other solver takes."""

_TABLES: Final = (
    ("packed", "every bit of the built table"),
    ("approximate", f"chances within {ERRORS[0]}, equities within {ERRORS[1]}"),
)

DATASHEET: Final = """# Bearoffs of two players: data sheet

Made by bgrace {version}, from the rules alone: no games, no persons, no choice of a sample.

- **What an instance is**: two bearoff positions on six points, one side on roll.  Values: chance to win, and the equity
  for money without a cube, with a cube in the middle, and on either side, gammons counted.
- **How many**: {pairs}.
- **How they were computed**: each value is the mean over 21 rolls of that of the best play, from the empty board up,
  exact but for a rounding to 16 bits (docs/accuracy.md).  `bgrace verify` checks that they follow from each other.
- **Files**: HDF5, docs/file-format.md.  {files}
- **Not in them**: matches, contact, positions outside of the home board.
- **Uses**: engines, teaching, studies of cube theory.  Nothing in them can harm a person.
- **Licence**: MIT, as bgrace.  **Upkeep**: a table never changes; another one gets another name and another sum.
"""


def sum_of(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def make_packed(folder: Path, checkers: int) -> Path:
    """Build and pack at once."""
    path = folder / f"packed-{checkers}.h5"
    with patch.dict(os.environ, SOURCE_DATE_EPOCH=EPOCH):
        plan = plan_build(6, 15, checkers)
        write_packed(plan, checked_target(plan, path, packed=True), None)
    return path


def make_approximate(packed: Path, path: Path) -> Path:
    with patch.dict(os.environ, SOURCE_DATE_EPOCH=EPOCH):
        bgrace.pack_approximate(packed, path, *ERRORS)
    return path


def citation(doi: str) -> str:
    """The file's own, for a data set."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    text = text.replace("title: bgrace", "title: Bearoffs of two players, solved by bgrace").replace(
        "type: software", "type: dataset"
    )
    return text + (f"doi: {doi}\n" if doi else "")


def make(
    folder: Path,
    *,
    checkers: Sequence[int] = (6, 10, 15),
    have: Sequence[Path] = (),
    doi: str = "",
    update: bool = False,
) -> int:
    """Write a release; 1 if a file or a table is not as published."""
    folder.mkdir(parents=True, exist_ok=True)
    known = published_release()
    found: dict[str, dict[str, Any]] = {"files": {}, "statistics": {}}
    sums, pairs, names = dict(published_sums()), [], []
    for n in checkers:
        packed = next((path for path in have if path.name == f"packed-{n}.h5"), None) or make_packed(folder, n)
        if packed.parent != folder:
            shutil.copyfile(packed, folder / packed.name)
        stored = read_tables(packed)
        found["statistics"][table_key(stored, "two_sided/equities")] = told = table_statistics(stored)
        (folder / f"{packed.name}.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        pairs.append(f"{told['pairs']:,} of up to {n} checkers a side")
        sums |= table_sums(stored)
        approximate = make_approximate(packed, folder / f"approximate-{n}.h5")
        for path, (kind, what) in zip((folder / packed.name, approximate), _TABLES, strict=True):
            found["files"][path.name] = {"bytes": path.stat().st_size, "sha256": sum_of(path)}
            names.append(f"{path.name} ({kind}): {what}")
    (folder / "MANIFEST.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    told_files = "; ".join(names)
    sheet = DATASHEET.format(version=bgrace.__version__, pairs="; ".join(pairs), files=told_files)
    (folder / "DATASHEET.md").write_text(sheet, encoding="utf-8")
    (folder / "CITATION.cff").write_text(citation(doi), encoding="utf-8")
    if update:
        merged = {kind: dict(sorted((known[kind] | found[kind]).items())) for kind in known}
        (ROOT / "scripts" / "release.json").write_text(json.dumps(merged, indent=1) + "\n", encoding="utf-8")
        (VERIFY / "sums.json").write_text(json.dumps(dict(sorted(sums.items())), indent=1) + "\n", encoding="utf-8")
        return 0
    others = [name for kind in found for name, told in found[kind].items() if known[kind].get(name) != told]
    others += [key for key, told in sums.items() if published_sums().get(key) != told]
    for name in others:
        print(f"{name}: not as published")
    return int(len(others) > 0)


# ---------------------------------------------------------------------- what somebody sends


def off_by(db: bgrace.Database, mine: bgrace.Position, theirs: bgrace.Position) -> float:
    """How far a pair is from what the best plays of all rolls come to."""
    pair = db.solution(mine, theirs)
    return max(
        abs(
            sum(w * pair.best_plays(roll, cube)[0].equity for w, roll in zip(WEIGHTS, ROLLS, strict=True)) / 36
            - pair.cube_action(cube).no_double
        )
        for cube in CUBES
    )


def check(file: Path, *, seed: int = 0, pairs: int = 100) -> int:
    """Print how each of the seven checks went; how many failed."""
    stored, wrong = read_tables(file), 0
    step = 1 / stored.entry("two_sided/equities").scale

    def tell(name: str, passed: bool, detail: str) -> None:
        nonlocal wrong
        wrong += not passed
        print(f"{'ok    ' if passed else 'FAILED'}  {name}: {detail}")

    report = verify(file, seed=seed, samples=10 * pairs)
    header = {"tables", "checksums", "packed blocks"}
    failed = [each for each in report.failures if each.name not in header]
    tell(
        "duplicate",
        not report.published,
        "a published table has these numbers" if report.published else "none is published",
    )
    tell("header", report.checks[0].passed, report.checks[0].detail)
    blocks = [each for each in report.checks[1:] if each.name in header]
    tell("every block", all(each.passed for each in blocks), "; ".join(each.detail for each in blocks))
    beside = file.with_name(f"{file.name}.json")
    same = beside.exists() and json.loads(beside.read_text(encoding="utf-8")) == table_statistics(stored)
    tell("statistics", same, f"{beside.name} {'says' if same else 'is missing, or does not say'} what the table has")
    with bgrace.open(file) as db:
        space = bgrace.PositionSpace(db.space.points, db.two_sided_checkers)
        deepest = sorted((space.position(k) for k in range(len(space))), key=lambda each: -each.pips)[:_DEEPEST]
        worst = max(off_by(db, mine, theirs) for mine, theirs in zip(deepest, reversed(deepest), strict=True))
        tell("deepest positions", worst <= 0.51 * step, f"{_DEEPEST}, off by at most {worst / step:.3f} steps")
        tell("seeded positions", not failed, "; ".join(map(str, failed)) or f"seed {seed}, {report.samples} of a kind")
        small = bgrace.PositionSpace(db.space.points, min(_MOST, db.two_sided_checkers))
        picked = np.random.default_rng(seed).integers(1, len(small), (pairs, 2))
        off = 0.0
        for mine, theirs in ((small.position(int(a)), small.position(int(b))) for a, b in picked):
            solved, told = bgrace.solve(mine, theirs, seconds=60), db.solution(mine, theirs)
            off = max(off, *(abs(solved.cube_action(c).no_double - told.cube_action(c).no_double) for c in CUBES))
        limit = 0.5 * step * 30  # half a step for each roll, of which no game of so few checkers has more
        tell("another solver", off <= limit, f"{pairs} pairs, off by at most {off:.2g}")
    return wrong


@click.group(help=__doc__)
def main() -> None:
    """See the head of the file."""


@main.command("make")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--checkers", multiple=True, default=(6, 10, 15))
@click.option("--have", multiple=True, type=click.Path(path_type=Path))
@click.option("--doi", default="")
@click.option("--update", is_flag=True)
def make_command(folder: Path, checkers: tuple[int, ...], have: tuple[Path, ...], doi: str, update: bool) -> None:
    sys.exit(make(folder, checkers=checkers, have=have, doi=doi, update=update))


@main.command("check")
@click.argument("file", type=click.Path(path_type=Path, exists=True))
@click.option("--seed", default=0)
@click.option("--pairs", default=100)
def check_command(file: Path, seed: int, pairs: int) -> None:
    sys.exit(check(file, seed=seed, pairs=pairs))


if __name__ == "__main__":
    try:
        main()
    except BgraceError as error:
        sys.exit(str(error))
