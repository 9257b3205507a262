"""GNU Backgammon's bearoff files turned into a database file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from bgrace._base.arrays import Floats, Integers
from bgrace._base.files import check_spared
from bgrace._base.limits import Progress
from bgrace.board.dice import MEAN_PIPS
from bgrace.database.building import plan_build, write_one_sided
from bgrace.database.store.format import Contents
from bgrace.database.store.writer import GENERATOR, Writer, database_target
from bgrace.errors import ArgumentError
from bgrace.interop.gnubg.reader import CHECKERS, MAGIC, WIDTH, BearoffFile
from bgrace.interop.gnubg.writer import RowsDone, spans_of
from bgrace.tables import CHANCE_SCALE, PLANES, is_packed, n_fewer_checkers, scale_for, two_sided_order

_ROWS_AT_A_TIME: Final = 1 << 14
_NO_LIMIT: Final = 1 << 62
_ORIGIN: Final = "from GNU Backgammon's"

Rows = Callable[[Integers], Floats]


def convert(
    sources: Iterable[str | os.PathLike[str]],
    path: str | os.PathLike[str],
    *,
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> None:
    """Turn bearoff files of GNU Backgammon into a database.

    Values stay as they are in the files, but for equities, which are rounded once more, to 1/32760.  A database needs
    one-sided tables: where there is a two-sided file alone, bgrace computes them.

    Parameters
    ----------
    sources : iterable of path-like
        A one-sided file, a two-sided file, or one of each for the same number of points.
    path : path-like
        The database to make.  It appears only when it is complete.
    threads : int, optional
        For what has to be computed; as many as there are processors, unless given.
    force : bool
        Whether to replace a file that is there.
    progress : callable, optional
        Called with the work done and the work to do.

    Raises
    ------
    ArgumentError
        If the files do not belong together, or lack what a database needs.
    FormatError
        If one is not a bearoff file, or is damaged.
    BuildError
        If the file is there and `force` is not given, or is a bearoff file itself, or it cannot be written.

    Examples
    --------
    >>> import bgrace, pathlib, tempfile
    >>> from bgrace.interop import gnubg
    >>> with tempfile.TemporaryDirectory() as name:
    ...     folder = pathlib.Path(name)
    ...     header = gnubg.generate(folder / "gnubg_ts.bd", "two-sided", checkers=2)
    ...     gnubg.convert([folder / "gnubg_ts.bd"], folder / "two.h5")
    ...     with bgrace.open(folder / "two.h5") as db:
    ...         print(db.equities("6x1", "6x1").cubeless, db.stored.attributes["generator"])    # doctest: +ELLIPSIS
    0.625 bgrace ..., from GNU Backgammon's gnubg_ts.bd
    """
    files = [BearoffFile(source) for source in sources]
    one, two = _sorted_out(files)
    header = (one or files[0]).header
    points, checkers = header.points, header.checkers
    n_pairs = two.header.checkers if two else 0
    # Copying takes little memory, whatever solving would take.
    plan = plan_build(points, checkers, n_pairs, threads, memory_bytes=_NO_LIMIT if one else None)
    names = " and ".join(file.path.name for file in (one, two) if file)
    contents = Contents(points, checkers, n_pairs, gammons=False)
    target = database_target(path, contents, force=force)
    target.check(plan.file_bytes, "smaller files")
    check_spared(Path(path), (file.path for file in files), (MAGIC,), "a bearoff file of GNU Backgammon")
    work = RowsDone(progress, (2 * len(one.header.space) if one else 0) + (len(two.header.space) if two else 0))
    made = {"generator": f"{GENERATOR}, {_ORIGIN} {names}"}
    with target, Writer(target, contents, attributes=made) as writer:
        if one:
            _copy_one_sided(writer, one, work)
        else:
            write_one_sided(writer, header.space, plan, None)
        if two:
            _copy_pairs(writer, two, work)


def is_converted(generator: str) -> bool:
    """Whether a database's attribute `generator` says that its values are GNU Backgammon's."""
    return _ORIGIN in generator


def _sorted_out(files: Sequence[BearoffFile]) -> tuple[BearoffFile | None, BearoffFile | None]:
    """The one-sided and the two-sided file; ArgumentError unless they make a database."""
    by_kind: dict[str, BearoffFile] = {}
    for file in files:
        if file.header.kind in by_kind:
            raise ArgumentError(
                f"{by_kind[file.header.kind].path} and {file.path} are both {file.header.kind}: "
                "give one one-sided file, one two-sided file, or one of each"
            )
        by_kind[file.header.kind] = file
    if not files:
        raise ArgumentError("no file to convert: give a one-sided file, a two-sided file, or one of each")
    one, two = by_kind.get("one-sided"), by_kind.get("two-sided")
    if one and two and (one.header.points != two.header.points or one.header.checkers < two.header.checkers):
        raise ArgumentError(
            f"{one.path} is for {one.header.checkers} checkers on {one.header.points} points, {two.path} for "
            f"{two.header.checkers} on {two.header.points}: both must be for the same points, and the one-sided one "
            "for no fewer checkers"
        )
    return one, two


def _pieces(start: int, stop: int) -> Iterator[tuple[slice, Integers]]:
    """Indices of positions, a few at a time, and their places counted from the first."""
    for first in range(start, stop, _ROWS_AT_A_TIME):
        past = min(first + _ROWS_AT_A_TIME, stop)
        yield slice(first - start, past - start), np.arange(first, past)


def _copy_one_sided(writer: Writer, file: BearoffFile, work: RowsDone) -> None:
    space, n, rolls = file.header.space, len(file.header.space), np.arange(WIDTH)
    packed = is_packed(space.points)
    mean, variance = (writer.add(f"one_sided/{name}", (n,)) for name in ("mean_rolls", "variance_rolls"))
    epc = None if packed else writer.add("one_sided/epc", (n,))
    for places, index in _pieces(0, n):
        chances = file.chances(index)
        means = chances @ rolls
        mean[places] = means
        variance[places] = np.einsum("ik,ik->i", chances, (rolls - means[:, np.newaxis]) ** 2)
        if epc is not None:
            epc[places] = means * MEAN_PIPS
        work.add(len(index))
    copy = _copy_packed if packed else _copy_dense
    copy(writer, "", 0, n, file.chances)
    work.add(n)
    if space.checkers == CHECKERS and file.header.gammons:
        first = n_fewer_checkers(space, CHECKERS)
        copy(writer, "first_checker_", first, n, partial(file.chances, first_checker=True))


def _copy_dense(writer: Writer, prefix: str, start: int, stop: int, rows: Rows) -> None:
    name = f"one_sided/{prefix}distribution" if prefix else "one_sided/roll_distribution"
    chances = rows(np.arange(start, stop))
    width = int(spans_of(chances)[1].max())
    writer.add(name, (stop - start, width))[...] = chances[:, :width]


def _copy_packed(writer: Writer, prefix: str, start: int, stop: int, rows: Rows) -> None:
    width = 0
    for _, index in _pieces(start, stop):
        first, past = spans_of(rows(index))
        width = max(width, int((past - first).max()))
    n = stop - start
    first_roll = writer.add(f"one_sided/{prefix}first_roll", (n,))
    name = f"one_sided/{prefix}chances" if prefix else "one_sided/roll_chances"
    table = writer.add(name, (n, width), scale=CHANCE_SCALE)
    for places, index in _pieces(start, stop):
        chances = np.rint(rows(index) * CHANCE_SCALE).astype(np.uint16)
        first, _ = spans_of(chances)
        first_roll[places] = first
        columns = first[:, np.newaxis] + np.arange(width)
        kept = columns < WIDTH
        table[places] = np.where(kept, np.take_along_axis(chances, np.where(kept, columns, 0), axis=1), 0)


def _copy_pairs(writer: Writer, file: BearoffFile, work: RowsDone) -> None:
    space, n = file.header.space, len(file.header.space)
    scale = scale_for(space)
    order = writer.add("two_sided/order", (n,))
    order[...] = two_sided_order(space)
    equities = writer.add("two_sided/equities", (n, n, len(PLANES)), scale=scale, planes=list(PLANES))
    for rank, index in enumerate(order.tolist()):
        equities[rank] = np.rint(file.pair_values(index)[order] * scale)
        work.add(1)
