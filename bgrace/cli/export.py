"""``bgrace export`` and ``bgrace import``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, cast

import click

from bgrace._base import arrays
from bgrace.cli.options import check_option, json_option, memory_option_of, threads_option
from bgrace.cli.output import bytes_text, emit_made, progress
from bgrace.database.database import open as open_database
from bgrace.interop import gnubg
from bgrace.interop.gnubg import convert


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="[IN.h5] FILE.bd")
@click.option(
    "--table",
    type=click.Choice(["one-sided", "two-sided"]),
    help="Which table.  [default: by the name of FILE: gnubg_os... or gnubg_ts...]",
)
@click.option("--checkers", type=int, metavar="C", help="Two-sided: maximum checkers per side.  [default: IN's]")
@click.option("--exact", is_flag=True, help="Repeat the arithmetic of GNU Backgammon's own generator, to the last bit.")
@click.option("--points", type=int, metavar="P", help="With --exact and without IN: points.  [default: 6]")
@click.option(
    "--compress/--no-compress", "compressed", default=True, help="One-sided: leave out zeros.  [default: compress]"
)
@click.option(
    "--gammons/--no-gammons", default=True, help="One-sided: the first checker's roll, too.  [default: gammons]"
)
@click.option(
    "--threads", type=int, metavar="T", help="With --exact: threads to compute with.  [default: one per processor]"
)
@memory_option_of(None, "With --exact: maximum memory, file cache aside.  [default: three quarters of the machine's]")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@check_option
@json_option
def export(
    *,
    files: tuple[Path, ...],
    table: str | None,
    checkers: int | None,
    exact: bool,
    points: int | None,
    threads: int | None,
    memory_bytes: int | None,
    checked: bool,
    as_json: bool,
    **how: Any,
) -> None:
    """Make a bearoff file that GNU Backgammon reads.

    The values are those of the database IN, rounded to that format.  With --exact FILE is the file that makebearoff
    would write, byte for byte; IN then only gives the size and can be left out.  A file that GNU Backgammon would
    misread is refused.

    \b
    Examples:
      bgrace export bearoff.h5 gnubg_os0.bd
      bgrace export bearoff.h5 gnubg_ts.bd --checkers 8
      bgrace export --exact --points 10 gnubg_os.bd
      bgrace export --exact --checkers 12 gnubg_ts.bd
    """  # noqa: D301
    if len(files) > 2:
        raise click.UsageError(f"{len(files)} files: give IN.h5 and FILE.bd")
    source, file = files[0] if len(files) == 2 else None, files[-1]
    kind = _kind_of(table, file)
    if source is None and not exact:
        raise click.UsageError("give IN.h5 and FILE.bd, or FILE.bd and --exact")
    if checked and source is None:
        raise click.UsageError("--check is for IN.h5: name one, or leave --check out")
    if points is not None and not (exact and source is None):
        raise click.UsageError("--points goes with --exact and without IN.h5")
    start = time.perf_counter()
    with progress(f"making {file.name}") as report:
        if not exact:
            with open_database(cast(Path, source), verify=checked) as db:
                header = gnubg.export(db, file, kind, checkers=checkers, progress=report, **how)
        else:
            if source is not None:
                with open_database(source, verify=checked) as db:
                    points = db.space.points
                    if kind == "two-sided" and checkers is None:
                        checkers = db.two_sided_checkers or None
            if kind == "two-sided" and checkers is None:
                raise click.UsageError("say with --checkers how many a side")
            size = (6 if points is None else points, 15 if checkers is None else checkers)
            how |= {"threads": threads, "memory_bytes": memory_bytes}
            header = gnubg.generate(file, kind, *size, progress=report, **how)
    n_bytes = file.stat().st_size
    contents = f"{header.kind}, {header.checkers} checkers on {header.points} points; {bytes_text(n_bytes)}"
    facts = {"file_size": n_bytes, "table": header.kind, **arrays.as_json(header, "points", "checkers")}
    facts |= {"positions": header.n_positions, "exact": exact}
    emit_made(file, contents, facts, start, as_json)


def _kind_of(table: str | None, file: Path) -> gnubg.Kind:
    if table is None:
        table = {"gnubg_os": "one-sided", "gnubg_ts": "two-sided"}.get(file.name[:8])
    if table is None:
        raise click.UsageError(f"say with --table whether {file.name} is to be one-sided or two-sided")
    return cast(gnubg.Kind, table)


@click.command("import")
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE.bd...")
@click.argument("file", type=click.Path(path_type=Path), metavar="OUT.h5")
@threads_option
@click.option("--force", is_flag=True, help="Replace OUT.h5 if it exists.")
@json_option
def import_command(sources: tuple[Path, ...], file: Path, threads: int | None, force: bool, as_json: bool) -> None:
    """Make a database file from GNU Backgammon's bearoff files.

    FILE.bd is a one-sided file, a two-sided file, or one of each.  Chances stay as they are, and equities are rounded
    once more, to 1/32760.  From a two-sided file alone, the one-sided tables are computed.

    \b
    Examples:
      bgrace import gnubg_os0.bd bearoff.h5
      bgrace import gnubg_os0.bd gnubg_ts0.bd bearoff.h5
    """  # noqa: D301
    start = time.perf_counter()
    with progress(f"making {file.name}") as report:
        convert(sources, file, threads=threads, force=force, progress=report)
    with open_database(file) as db:
        facts: dict[str, Any] = db.info()
    wanted = ("file_size", "points", "checkers", "two_sided_checkers", "positions", "pairs")
    contents = f"{facts['positions']:,} positions, {facts['pairs']:,} pairs; {bytes_text(facts['file_size'])}"
    emit_made(file, contents, {name: facts[name] for name in wanted}, start, as_json)
