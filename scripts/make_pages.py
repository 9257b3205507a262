"""Make pages of docs/ again that print what studies find: their tables, and their pictures.

    python scripts/make_pages.py races              the pages about races, in some minutes
    python scripts/make_pages.py cube_models        cube-models, in two minutes
    python scripts/make_pages.py referee            referee-measures, in ten minutes, 3 GB of memory
    python scripts/make_pages.py reference          reference-positions, in some minutes
    python scripts/make_pages.py races --check      changes nothing; exit status 1 if a table is out of date

A table stands between <!-- table: name --> and <!-- end -->.  Needs matplotlib, and builds databases in a temporary
folder.  Samples are drawn with fixed seeds, so the tables are the same every time.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from pages import DOCS, PICTURES, ROOT, fill, names

from bgrace_apps.plot.canvas import save


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("subject", choices=("races", "cube_models", "referee", "reference"))
    parser.add_argument("--check", action="store_true", help="change nothing, but say whether a table would change")
    arguments = parser.parse_args()
    subject = import_module(f"pages.{arguments.subject}")
    tables, stale = subject.tables(), []
    for page in (DOCS / f"{name}.md" for name in subject.PAGES):
        old = page.read_text(encoding="utf-8")
        new = fill(old, {name: tables.pop(name) for name in names(old)})
        if new != old:
            stale.append(page.name)
            if not arguments.check:
                page.write_text(new, encoding="utf-8")
    if tables:
        raise SystemExit(f"no page has a place for the tables {', '.join(tables)}")
    if arguments.check:
        print("out of date: " + ", ".join(stale) if stale else "every table is up to date")
        return int(bool(stale))
    for name, drawn in subject.pictures().items():
        print(save(drawn, PICTURES / name).relative_to(ROOT))
    print(f"tables changed: {', '.join(stale) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
