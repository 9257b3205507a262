"""``bgrace pack`` and ``bgrace unpack``."""

from __future__ import annotations

import time
from pathlib import Path

import click

from bgrace.cli.options import json_option, threads_option
from bgrace.cli.output import bytes_text, emit_made, progress, say
from bgrace.database.packing import ApproximateReport, PackReport, pack, pack_approximate, unpack


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
    source: Path,
    file: Path,
    error: float | None,
    equity_error: float | None,
    mean_equity_error: float | None,
    threads: int | None,
    force: bool,
    as_json: bool,
) -> None:
    """Pack a database file: smaller, nothing lost; or with --error much smaller, within a known error.

    PACKED.h5 answers every question as FULL.h5 does, to the bit, in bgrace and in the C library.  FULL.h5 is a file for
    money with a table of pairs.

    With --error the file takes a few megabytes and gives win chances within that error: every pair is compared.  With
    --equity-error it also has equities for every place of the cube.

    \b
    Examples:
      bgrace pack bearoff.h5 packed.h5
      bgrace unpack packed.h5 bearoff.h5
      bgrace pack --error 0.002 bearoff.h5 near.h5
      bgrace pack --error 0.002 --equity-error 0.01 bearoff.h5 near.h5
    """  # noqa: D301
    start = time.perf_counter()
    if error is None and (equity_error is not None or mean_equity_error is not None):
        raise click.UsageError("--equity-error and --mean-equity-error go with --error")
    if mean_equity_error is not None and equity_error is None:
        raise click.UsageError("--mean-equity-error needs --equity-error: without it there are no equities")
    with progress(f"packing {source.name}") as report_progress:
        report = (
            pack(source, file, threads=threads, force=force, progress=report_progress)
            if error is None
            else pack_approximate(
                source,
                file,
                error,
                equity_error,
                mean_equity_error,
                threads=threads,
                force=force,
                progress=report_progress,
            )
        )
    _emit(file, report, start, as_json)
    if report.file_bytes >= report.source_bytes:
        say(f"packing does not pay for so small a table: {file} is not smaller than {source}; keep {source}")


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
    """Say what was made, how large, how long it took, and, of an approximate file, how far it is off."""
    planes = report.planes if isinstance(report, ApproximateReport) else ()
    facts: dict[str, object] = {
        "file_size": report.file_bytes,
        "source_size": report.source_bytes,
        "pairs": report.pairs,
    }
    if planes:
        facts["planes"] = [
            {
                "plane": one.plane,
                "factors": one.factors,
                "exceptions": one.exceptions,
                "greatest_error": one.greatest,
                "mean_error": one.mean,
            }
            for one in planes
        ]
    sizes = f"{bytes_text(report.file_bytes)}, from {bytes_text(report.source_bytes)},"
    emit_made(file, f"{report.pairs:,} pairs; {sizes}", facts, start, as_json)
    for one in () if as_json else planes:
        click.echo(
            f"  {one.plane:<9} off by {one.greatest:.5f} at most, {one.mean:.6f} in the mean; {one.factors} factors, "
            f"{one.exceptions:,} exceptions"
        )
