"""Files that commands write without ``--force``: what must not be replaced by one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import click

from bgrace._base.files import check_folder, check_spared, reported
from bgrace.errors import BuildError


@dataclass(frozen=True, slots=True)
class Target:
    """A file that is to be written.

    Attributes
    ----------
    option : str
        Which names it.
    path : Path, or None
        None if the option was not given.
    endings : tuple of str
        What its name can end in, in small letters; empty if in anything.
    """

    option: str
    path: Path | None
    endings: tuple[str, ...] = ()


def check_targets(targets: Iterable[Target], sources: Iterable[Path] = ()) -> None:
    """Make sure, before any work, that no file will be replaced that was hardly meant to be.

    Into a device or a pipe anything can be written.
    """
    read = list(sources)
    named = [(target, target.path) for target in targets if target.path is not None]
    for target, path in named:
        if path.is_dir():
            raise click.UsageError(f"{target.option} {path} is a folder: name a file")
        is_device = path.exists() and not path.is_file()
        if target.endings and not is_device and path.suffix.lower() not in target.endings:
            raise click.UsageError(
                f"{target.option} {path} has another ending: end it in {' or '.join(target.endings)}"
            )
        check_folder(path)
        _check_spared(target.option, path, read)
    for (one, path), (other, again) in combinations(named, 2):
        if _same(path, again):
            raise click.UsageError(f"{one.option} and {other.option} name the same file, {again}: give them two names")


def _check_spared(option: str, path: Path, sources: list[Path]) -> None:
    from bgrace.database.store import FILE_HEADS  # noqa: PLC0415 - few commands write anything

    try:
        with reported(path):
            check_spared(path, sources, FILE_HEADS, "a bgrace database")
    except BuildError as error:
        raise click.UsageError(f"{option} {error}") from error


def _same(one: Path, other: Path) -> bool:
    """Whether two names are of one file, which need not be there yet; a device or a pipe can be written to twice."""
    if one.exists() and other.exists():
        return one.is_file() and one.samefile(other)
    return os.path.normcase(os.path.realpath(one)) == os.path.normcase(os.path.realpath(other))
