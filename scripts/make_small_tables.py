"""Make the packed tables from nothing, and compare them with the published sums: FOLDER [--checkers N ...].

The sums are SHA-256 of the files as this script makes them, in docs/small-tables.md: 15 checkers on six points in the
one-sided tables, N a side in the pairs, SOURCE_DATE_EPOCH=1735689600.  The bytes do not depend on the machine or on how
many threads there are; they do on the version of bgrace, which stands in the file, and on how an HDF5 library lays its
metadata out.  Exits with 1 if a sum is another.  15 a side need 28 GB of disk while they are made.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import sys
from pathlib import Path

from bgrace.database.building import checked_target, plan_build
from bgrace.database.packing import write_packed

PAGE = Path(__file__).parents[1] / "docs/small-tables.md"
EPOCH = 1735689600
"""The first second of 2025."""


def published_sums() -> dict[int, str]:
    """SHA-256 of the packed file of each number of checkers, from the page."""
    text = PAGE.read_text(encoding="utf-8")
    return {int(n): sum_ for n, sum_ in re.findall(r"^\| (\d+) \| `([0-9a-f]{64})` \|$", text, re.MULTILINE)}


def sum_of(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def make(folder: Path, checkers: int) -> Path:
    """Build and pack at once."""
    path = folder / f"packed-{checkers}.h5"
    before = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = str(EPOCH)
    try:
        plan = plan_build(6, 15, checkers)
        write_packed(plan, checked_target(plan, path, packed=True), None)
    finally:
        if before is None:
            del os.environ["SOURCE_DATE_EPOCH"]
        else:
            os.environ["SOURCE_DATE_EPOCH"] = before
    return path


def main() -> int:
    sums = published_sums()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--checkers", type=int, nargs="+", choices=sorted(sums), default=sorted(sums))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for checkers in options.checkers:
        path = make(options.folder, checkers)
        found = sum_of(path)
        same = found == sums[checkers]
        wrong += not same
        print(f"{found}  {path.name}: {'as published' if same else f'published is {sums[checkers]}'}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
