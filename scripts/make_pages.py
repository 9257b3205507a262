"""Make tables and pictures of docs/ again, from what the studies print.

\b
    python scripts/make_pages.py races              the pages about races, in some minutes
    python scripts/make_pages.py cube_models        cube-models, in two minutes
    python scripts/make_pages.py referee            referee-measures, in ten minutes, 3 GB of memory
    python scripts/make_pages.py reference          reference-positions, in some minutes

A table stands between <!-- table: name --> and <!-- end -->.  Needs matplotlib, and builds databases in a temporary
folder.  Samples are drawn with fixed seeds, so the tables are the same every time.
"""

from __future__ import annotations

from importlib import import_module

import click
from pages import DOCS, PICTURES, ROOT, fill, names

from bgrace_apps.plot.canvas import save


@click.command(help=__doc__)
@click.argument("subject", type=click.Choice(["races", "cube_models", "referee", "reference"]))
def main(subject: str) -> None:
    module = import_module(f"pages.{subject}")
    tables = module.tables()
    for page in (DOCS / f"{name}.md" for name in module.PAGES):
        old = page.read_text(encoding="utf-8")
        new = fill(old, {name: tables.pop(name) for name in names(old)})
        if new != old:
            page.write_text(new, encoding="utf-8")
            print(page.relative_to(ROOT))
    if tables:
        raise click.ClickException(f"no page has a place for the tables {', '.join(tables)}")
    for name, drawn in module.pictures().items():
        print(save(drawn, PICTURES / name).relative_to(ROOT))


if __name__ == "__main__":
    main()
