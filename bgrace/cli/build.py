"""``bgrace build``, ``bgrace pack`` and ``bgrace unpack``."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from bgrace._base import arrays
from bgrace._base.files import kept_text
from bgrace._base.limits import memory_text
from bgrace.cli.options import json_option, memory_option_of, threads_option
from bgrace.cli.output import bytes_text, duration_text, emit_made, eprint, progress
from bgrace.database.building import DEFAULT_TWO_SIDED, BuildPlan, checked_target, packed_plan, plan_build, write_file
from bgrace.database.packing.approximate import ApproximateReport, pack_approximate
from bgrace.database.packing.packer import PackReport, pack, unpack, write_packed


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
@memory_option_of(None, "Maximum memory, such as 12G, file cache aside.  [default: three quarters of the machine's]")
@click.option(
    "--compress",
    is_flag=True,
    help="Make an archive: two thirds as large, slower to make, and unpacked into memory when it is opened.",
)
@click.option(
    "--pack",
    "packed",
    is_flag=True,
    help="Pack the pairs: a fraction of the size, nothing lost, and used like any other file.",
)
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@json_option
def build(*, file: Path, compress: bool, packed: bool, force: bool, as_json: bool, **asked: Any) -> None:
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
    plan = plan_build(**asked, compress=compress)
    if packed and not plan.pairs:
        raise click.UsageError("--pack is for a table of pairs: give --two-sided, 1 or more")
    plan, write = (packed_plan(plan), write_packed) if packed else (plan, write_file)
    target = checked_target(plan, file, force=force)
    start = time.perf_counter()
    try:
        for line in _announcement(file, plan):
            eprint(line)
        with progress(f"making {file.name}") as report:
            write(plan, target, report)
    except KeyboardInterrupt as error:
        raise click.ClickException(f"stopped before {file} was complete: {kept_text(file)}") from error
    size = file.stat().st_size
    facts = {
        "file_size": size,
        **arrays.as_json(plan, "points", "checkers"),
        "two_sided_checkers": plan.two_sided,
        **arrays.as_json(plan, "positions", "pairs", "threads"),
    }
    positions = f"{plan.positions:,} position{'s' * (plan.positions != 1)}"
    pairs = f"{plan.pairs:,} pairs" if plan.pairs else "no pairs"
    emit_made(file, f"{positions}, {pairs}; {bytes_text(size)}", facts, start, as_json)


def _announcement(file: Path, plan: BuildPlan) -> list[str]:
    pairs = f" and {plan.pairs:,} pairs (up to {plan.two_sided} a side)" if plan.pairs else ""
    threads = f"{plan.threads} thread{'s' * (plan.threads != 1)}"
    how_long = "no more than a few seconds" if plan.seconds < 3 else f"roughly {duration_text(plan.seconds)}"
    while_making = f" ({bytes_text(plan.disk_bytes)} while it is made)" if plan.disk_bytes > plan.file_bytes else ""
    return [
        f"making {file}: {plan.positions:,} positions (up to {plan.checkers} checkers on {plan.points} points){pairs}",
        f"about {bytes_text(plan.file_bytes)} on disk{while_making} and {memory_text(plan.memory_bytes)} of memory; "
        f"{how_long} with {threads}",
    ]


@click.command("pack")
@click.argument("source", type=click.Path(path_type=Path), metavar="FULL.h5")
@click.argument("file", type=click.Path(path_type=Path), metavar="PACKED.h5")
@click.option("--error", type=float, help="Make an approximate file: maximum error of a win chance, such as 0.002.")
@click.option("--equity-error", type=float, help="Add equities: their maximum error, such as 0.01.")
@click.option("--mean-equity-error", type=float, help="Maximum mean error of the equities, such as 0.0003.")
@threads_option
@click.option("--force", is_flag=True, help="Replace PACKED.h5 if it exists.")
@json_option
def pack_command(
    source: Path, file: Path, threads: int | None, force: bool, as_json: bool, **errors: float | None
) -> None:
    """Pack a database file: smaller, nothing lost; or with --error much smaller, within a known error.

    PACKED.h5 gives the same answers as FULL.h5, to the last bit, in bgrace and in the C library.  FULL.h5 is a file for
    money with a table of pairs.

    With --error the file takes a few megabytes and gives win chances within that error, for which every pair is
    compared.  With --equity-error it also has equities for every place of the cube.

    \b
    Examples:
      bgrace pack bearoff.h5 packed.h5
      bgrace unpack packed.h5 bearoff.h5
      bgrace pack --error 0.002 bearoff.h5 near.h5
      bgrace pack --error 0.002 --equity-error 0.01 bearoff.h5 near.h5
    """  # noqa: D301
    start = time.perf_counter()
    given: dict[str, Any] = {name: error for name, error in errors.items() if error is not None}
    if given and "error" not in given:
        raise click.UsageError("--equity-error and --mean-equity-error go with --error")
    if "mean_equity_error" in given and "equity_error" not in given:
        raise click.UsageError("--mean-equity-error needs --equity-error: without it there are no equities")
    make: Callable[..., PackReport] = partial(pack_approximate, **given) if given else pack
    with progress(f"packing {source.name}") as report_progress:
        report = make(source, file, threads=threads, force=force, progress=report_progress)
    _emit(file, report, start, as_json)
    if report.file_bytes >= report.source_bytes:
        eprint(f"packing does not pay for so small a table: {file} is not smaller than {source}; keep {source}")


@click.command("unpack")
@click.argument("source", type=click.Path(path_type=Path), metavar="PACKED.h5")
@click.argument("file", type=click.Path(path_type=Path), metavar="FULL.h5")
@threads_option
@click.option("--force", is_flag=True, help="Replace FULL.h5 if it exists.")
@json_option
def unpack_command(source: Path, file: Path, threads: int | None, force: bool, as_json: bool) -> None:
    """Unpack a packed database file or an archive.

    Every table and every block of pairs is compared with its checksum.  The file is the one that was packed, byte for
    byte.

    \b
    Example:
      bgrace unpack packed.h5 bearoff.h5
    """  # noqa: D301
    start = time.perf_counter()
    with progress(f"unpacking {source.name}") as report_progress:
        report = unpack(source, file, threads=threads, force=force, progress=report_progress)
    _emit(file, report, start, as_json)


def _emit(file: Path, report: PackReport, start: float, as_json: bool) -> None:
    """Report the new file: its size, the time, and for an approximate file its errors."""
    planes = report.planes if isinstance(report, ApproximateReport) else ()
    facts: dict[str, object] = {
        "file_size": report.file_bytes,
        "source_size": report.source_bytes,
        "pairs": report.pairs,
    }
    if planes:
        facts["planes"] = [
            arrays.as_json(one, "plane", "factors", "exceptions")
            | {"greatest_error": one.greatest, "mean_error": one.mean}
            for one in planes
        ]
    sizes = f"{bytes_text(report.file_bytes)}, from {bytes_text(report.source_bytes)},"
    emit_made(file, f"{report.pairs:,} pairs; {sizes}", facts, start, as_json)
    for one in () if as_json else planes:
        click.echo(
            f"  {one.plane:<9} off by {one.greatest:.5f} at most, {one.mean:.6f} in the mean; {one.factors} factors, "
            f"{one.exceptions:,} exceptions"
        )
