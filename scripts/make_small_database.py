"""Make bgrace/database/example.h5, the database that examples and tests use, and the list of checksums beside it.

python scripts/make_small_database.py            into the package, with the list
python scripts/make_small_database.py FOLDER     only the file

The same release makes the same tables, byte by byte, on every machine; the bytes between them belong to the HDF5
library and its version.  The file in the tree is the fixture for version 3 of the format: make it anew only together
with a new version.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Final

import bgrace

POINTS: Final = 6
CHECKERS: Final = 6
TWO_SIDED: Final = 3
LIST: Final = "sha256sums.txt"
EPOCH: Final = "1735689600"  # 2025-01-01, so that the creation time is the same each time

ROOT: Final = Path(__file__).resolve().parent.parent
DATA: Final = ROOT / "data"


def make_small_database(folder: Path) -> Path:
    """Write example.h5 into a folder and return its path."""
    os.environ["SOURCE_DATE_EPOCH"] = EPOCH
    path = folder / "example.h5"
    bgrace.build(path, POINTS, CHECKERS, TWO_SIDED, force=True)
    return path


def write_sums(folder: Path) -> None:
    """List the SHA-256 of every data file of a folder, as sha256sum does."""
    paths = sorted(path for path in folder.iterdir() if path.suffix == ".csv" or path.name.startswith("recorded-"))
    paths.append(ROOT / "bgrace" / "database" / "example.h5")
    names = [os.path.relpath(path, folder) for path in paths]
    sums = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
    lines = [f"{digest}  {name}\n" for digest, name in zip(sums, names, strict=True)]
    (folder / LIST).write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(make_small_database(Path(sys.argv[1])))
    else:
        made = make_small_database(ROOT / "bgrace" / "database")
        write_sums(DATA)
        print(made)
