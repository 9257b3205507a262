"""Build the standard tables and write the SHA-256 of each to bgrace/verify/sums.json.

    python scripts/make_sums.py [--tables 15:6,15:8]

Sums of tables that are there already are kept; a table that now has another sum ends it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Final

import bgrace
from bgrace.database.store import read_tables
from bgrace.verify.sums import table_sums

SUMS: Final = Path(__file__).resolve().parents[1] / "bgrace" / "verify" / "sums.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--tables",
        default="6:3,15:4,15:5,15:6,15:7,15:8,15:9,15:10",
        help="checkers and checkers in pairs, on six points; 15:15 takes 24 GB of disk",
    )
    known: dict[str, str] = json.loads(SUMS.read_text(encoding="utf-8")) if SUMS.exists() else {}
    for word in parser.parse_args().tables.split(","):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "x.h5")
            bgrace.build(path, 6, *map(int, word.split(":")))
            for key, told in table_sums(read_tables(path)).items():
                if known.setdefault(key, told) != told:
                    sys.exit(f"{key} had {known[key]} and has {told}")
    SUMS.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", encoding="utf-8")
    print(f"{len(known)} sums")


if __name__ == "__main__":
    main()
