"""Make the tables that are published.

    python scripts/make_release.py FOLDER [--checkers N]... [--update]

For each number of checkers a side (6, 10, 15) it writes a packed file and an approximate one into FOLDER, and replaces
older ones.  One-sided tables are for 15 checkers, and SOURCE_DATE_EPOCH is 1735689600, so the bytes do not depend on
the machine or on the number of threads.  They do depend on the version of bgrace, which the file names, and on the
HDF5 library.  15 checkers a side need 28 GB of disk.

If sums or sizes differ from the published ones (release.json beside this file, and bgrace/database/sums.json), the
exit status is 1; --update publishes the new ones.
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
"""Errors of chances and of equities in approximate files."""


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--checkers", multiple=True, default=(6, 10, 15), type=click.IntRange(1, 15))
@click.option("--update", is_flag=True)
def main(folder: Path, checkers: tuple[int, ...], update: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    known: dict[str, dict[str, Any]] = json.loads(RELEASE.read_text(encoding="utf-8"))
    made: dict[str, dict[str, Any]] = {}
    sums = dict(published_sums())
    with patch.dict(os.environ, SOURCE_DATE_EPOCH=EPOCH):
        for n in checkers:
            packed, approximate = (folder / f"{kind}-{n}.h5" for kind in ("packed", "approximate"))
            plan = packed_plan(plan_build(6, 15, n))
            write_packed(plan, checked_target(plan, packed, force=True), None)
            sums |= table_sums(read_tables(packed))
            bgrace.pack_approximate(packed, approximate, *ERRORS, force=True)
            for path in (packed, approximate):
                with path.open("rb") as file:
                    sha256 = hashlib.file_digest(file, "sha256").hexdigest()
                made[path.name] = {"bytes": path.stat().st_size, "sha256": sha256}
    if update:
        RELEASE.write_text(json.dumps(dict(sorted((known | made).items())), indent=1) + "\n", encoding="utf-8")
        SUMS.write_text(json.dumps(dict(sorted(sums.items())), indent=1) + "\n", encoding="utf-8")
        return
    changed = [name for name, facts in made.items() if known.get(name) != facts]
    changed += [key for key, value in sums.items() if published_sums().get(key) != value]
    for name in changed:
        print(f"{name}: not as published")
    sys.exit(int(len(changed) > 0))


if __name__ == "__main__":
    main()
