"""Make the tables that are published.

    python scripts/make_release.py FOLDER [--checkers N]... [--keep] [--update]

For each number of checkers a side (6, 10, 15) it writes a packed file and an approximate one into FOLDER.  One-sided
tables are for 15 checkers, and SOURCE_DATE_EPOCH is 1735689600, so the bytes do not depend on the machine or on the
number of threads.  They do depend on the version of bgrace, which stands in the file, and on the HDF5 library.  Files
that are there already are replaced; with --keep the packed ones among them stay.  15 a side need 28 GB of disk.

The status is 1 if sums or sizes are not the published ones (release.json beside this file, and
bgrace/database/sums.json), which --update changes.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import click

import bgrace
from bgrace.database.building import checked_target, packed_plan, plan_build
from bgrace.database.packing.packer import write_packed
from bgrace.database.store.reader import read_tables
from bgrace.database.verify import published_sums, table_sums

ROOT: Final = Path(__file__).resolve().parents[1]
SUMS: Final = ROOT / "bgrace" / "database" / "sums.json"
RELEASE: Final = ROOT / "scripts" / "release.json"
EPOCH: Final = "1735689600"
"""The first second of 2025."""

ERRORS: Final = (0.002, 0.01)
"""Of chances and equities in approximate files."""


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--checkers", multiple=True, default=(6, 10, 15), type=click.IntRange(1, 15))
@click.option("--keep", is_flag=True)
@click.option("--update", is_flag=True)
def main(folder: Path, checkers: tuple[int, ...], keep: bool, update: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    known: dict[str, dict[str, Any]] = json.loads(RELEASE.read_text(encoding="utf-8"))
    found: dict[str, dict[str, Any]] = {}
    sums = dict(published_sums())
    with patch.dict(os.environ, SOURCE_DATE_EPOCH=EPOCH):
        for n in checkers:
            packed, approximate = (folder / f"{kind}-{n}.h5" for kind in ("packed", "approximate"))
            if not (keep and packed.exists()):
                plan = packed_plan(plan_build(6, 15, n))
                write_packed(plan, checked_target(plan, packed, force=True), None)
            sums |= table_sums(read_tables(packed))
            bgrace.pack_approximate(packed, approximate, *ERRORS, force=True)
            for path in (packed, approximate):
                with path.open("rb") as file:
                    sha256 = hashlib.file_digest(file, "sha256").hexdigest()
                found[path.name] = {"bytes": path.stat().st_size, "sha256": sha256}
    if update:
        RELEASE.write_text(json.dumps(dict(sorted((known | found).items())), indent=1) + "\n", encoding="utf-8")
        SUMS.write_text(json.dumps(dict(sorted(sums.items())), indent=1) + "\n", encoding="utf-8")
        return
    others = [name for name, made in found.items() if known.get(name) != made]
    others += [key for key, told in sums.items() if published_sums().get(key) != told]
    for name in others:
        print(f"{name}: not as published")
    sys.exit(int(len(others) > 0))


if __name__ == "__main__":
    main()
