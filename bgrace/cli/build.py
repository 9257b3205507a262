"""``bgrace build``."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import click

from bgrace._base.arrays import JSON
from bgrace._base.memory import memory_text
from bgrace.cli.options import bytes_value, json_option, threads_option
from bgrace.cli.output import bytes_text, duration_text, emit_made, progress, say
from bgrace.database.building import (
    DEFAULT_TWO_SIDED,
    BuildPlan,
    checked_target,
    plan_build,
    write_file,
)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--points", type=int, default=6, show_default=True, help="Points that checkers can be on, 1 to 24.")
@click.option("--checkers", type=int, default=15, show_default=True, help="Maximum checkers per side, 1 to 15.")
@click.option(
    "--two-sided",
    type=int,
    metavar="N",
    help="Maximum checkers per side in the table of pairs (exact win probability, equities, cube action); 0 for no "
    f"table.  [default: {DEFAULT_TWO_SIDED}; none on other than six points]",
)
@threads_option
@click.option(
    "--memory",
    "memory_bytes",
    type=bytes_value,
    metavar="SIZE",
    help="Maximum memory, such as 12G, file cache aside.  [default: three quarters of the machine's]",
)
@click.option(
    "--compress",
    is_flag=True,
    help="Make an archive: two thirds as large, slower to make, and unpacked into memory when it is opened.",
)
@click.option(
    "--pack",
    "packed",
    is_flag=True,
    help="Pack the pairs: a fraction of the size, nothing lost, and asked like any other file.",
)
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@json_option
def build(
    *,
    file: Path,
    points: int,
    checkers: int,
    two_sided: int | None,
    threads: int | None,
    memory_bytes: int | None,
    compress: bool,
    packed: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Make a database file.

    FILE holds the expected pip count, mean, variance and distribution of the number of rolls of every position.  For
    every pair of positions of at most N checkers a side it holds the exact win probability and equities.  It appears
    under its name only when it is complete.

    \b
    Examples:
      bgrace build bearoff.h5
      bgrace build small.h5 --checkers 6 --two-sided 6
      bgrace build wide.h5 --points 8 --two-sided 0 --threads 4
      bgrace build all.h5 --two-sided 15 --memory 12G
      bgrace build archive.h5 --two-sided 10 --compress
      bgrace build packed.h5 --two-sided 10 --pack
    """  # noqa: D301
    if packed and compress:
        raise click.UsageError("--pack goes without --compress")
    plan = plan_build(
        points,
        checkers,
        two_sided,
        threads,
        memory_bytes,
        compress=compress,
    )
    if packed and not plan.pairs:
        raise click.UsageError("--pack is for a table of pairs: give --two-sided, 1 or more")
    write: Callable[..., object] = write_file
    if packed:
        from bgrace.database.packing import write_packed  # noqa: PLC0415  (takes a while)

        write = write_packed
    target = checked_target(plan, file, packed=packed, force=force)
    start = time.perf_counter()
    try:
        for line in _announcement(file, plan):
            say(line)
        with progress(f"making {file.name}") as report:
            write(plan, target, report)
    except KeyboardInterrupt as error:
        kept = "the old file is unchanged" if file.exists() else "no file was written"
        raise click.ClickException(f"stopped before {file} was complete: {kept}") from error
    size = file.stat().st_size
    emit_made(file, f"{_contents(plan)}; {bytes_text(size)}", _facts(plan, size), start, as_json)


def _facts(plan: BuildPlan, size: int) -> dict[str, JSON]:
    return {
        "file_size": size,
        "points": plan.points,
        "checkers": plan.checkers,
        "two_sided_checkers": plan.two_sided,
        "positions": plan.positions,
        "pairs": plan.pairs,
        "threads": plan.threads,
    }


def _contents(plan: BuildPlan) -> str:
    positions = f"{plan.positions:,} position{'s' * (plan.positions != 1)}"
    return f"{positions}, {plan.pairs:,} pairs" if plan.pairs else f"{positions}, no pairs"


def _announcement(file: Path, plan: BuildPlan) -> list[str]:
    pairs = f" and {plan.pairs:,} pairs (up to {plan.two_sided} a side)" if plan.pairs else ""
    threads = f"{plan.threads} thread{'s' * (plan.threads != 1)}"
    how_long = "no more than a few seconds" if plan.seconds < 3 else f"roughly {duration_text(plan.seconds)}"
    while_making = f" ({bytes_text(plan.disk_bytes)} while it is made)" if plan.compress else ""
    return [
        f"making {file}: {plan.positions:,} positions (up to {plan.checkers} checkers on {plan.points} points){pairs}",
        f"about {bytes_text(plan.file_bytes)} on disk{while_making} and {memory_text(plan.memory_bytes)} of memory; "
        f"{how_long} with {threads}",
    ]
