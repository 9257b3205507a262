"""Make the tables that are published.

    python scripts/make_release.py FOLDER [--checkers N]... [--have FILE]... [--doi DOI] [--update]

For each number of checkers a side (6, 10, 15) it writes a packed file and an approximate one into FOLDER.  Beside them
it writes MANIFEST.json, DATASHEET.md and CITATION.cff, ready for an archive that gives a DOI.  One-sided tables are for
15 checkers, and SOURCE_DATE_EPOCH is 1735689600, so the bytes do not depend on the machine or on the number of threads.
They do depend on the version of bgrace, which stands in the file, and on the HDF5 library.  Files that exist already
are taken from --have.  15 a side need 28 GB of disk.

The status is 1 if sums or sizes are not the published ones (release.json beside this file, and
bgrace/database/sums.json), which --update changes.
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

import bgrace
from bgrace.database.building import checked_target, plan_build
from bgrace.database.packing import write_packed
from bgrace.database.store import read_tables
from bgrace.database.verify import published_sums, table_sums
from bgrace.errors import BgraceError

ROOT: Final = Path(__file__).resolve().parents[1]
SUMS: Final = ROOT / "bgrace" / "database" / "sums.json"
RELEASE: Final = ROOT / "scripts" / "release.json"
EPOCH: Final = "1735689600"
"""The first second of 2025."""

ERRORS: Final = (0.002, 0.01)
"""Of chances and equities in approximate files."""

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


def published_files() -> dict[str, dict[str, Any]]:
    """Sizes and sums of the published files, by name."""
    files: dict[str, dict[str, Any]] = json.loads(RELEASE.read_text(encoding="utf-8"))
    return files


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
    known = published_files()
    found: dict[str, dict[str, Any]] = {}
    sums, pairs, names = dict(published_sums()), [], []
    for n in checkers:
        packed = next((path for path in have if path.name == f"packed-{n}.h5"), None) or make_packed(folder, n)
        if packed.parent != folder:
            shutil.copyfile(packed, folder / packed.name)
        stored = read_tables(packed)
        pairs.append(f"{len(stored.tables['two_sided/order']) ** 2 - 1:,} of up to {n} checkers a side")
        sums |= table_sums(stored)
        approximate = make_approximate(packed, folder / f"approximate-{n}.h5")
        for path, (kind, what) in zip((folder / packed.name, approximate), _TABLES, strict=True):
            found[path.name] = {"bytes": path.stat().st_size, "sha256": sum_of(path)}
            names.append(f"{path.name} ({kind}): {what}")
    (folder / "MANIFEST.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    told_files = "; ".join(names)
    sheet = DATASHEET.format(version=bgrace.__version__, pairs="; ".join(pairs), files=told_files)
    (folder / "DATASHEET.md").write_text(sheet, encoding="utf-8")
    (folder / "CITATION.cff").write_text(citation(doi), encoding="utf-8")
    if update:
        RELEASE.write_text(json.dumps(dict(sorted((known | found).items())), indent=1) + "\n", encoding="utf-8")
        SUMS.write_text(json.dumps(dict(sorted(sums.items())), indent=1) + "\n", encoding="utf-8")
        return 0
    others = [name for name, made in found.items() if known.get(name) != made]
    others += [key for key, told in sums.items() if published_sums().get(key) != told]
    for name in others:
        print(f"{name}: not as published")
    return int(len(others) > 0)


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--checkers", multiple=True, default=(6, 10, 15))
@click.option("--have", multiple=True, type=click.Path(path_type=Path))
@click.option("--doi", default="")
@click.option("--update", is_flag=True)
def main(folder: Path, checkers: tuple[int, ...], have: tuple[Path, ...], doi: str, update: bool) -> None:
    sys.exit(make(folder, checkers=checkers, have=have, doi=doi, update=update))


if __name__ == "__main__":
    try:
        main()
    except BgraceError as error:
        sys.exit(str(error))
