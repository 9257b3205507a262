"""Read GNU Backgammon's bearoff files, mapped and decoded in pieces, and convert them into a database file."""

from __future__ import annotations

import mmap
import os
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, Integers, check_flags
from bgrace._base.files import Paths, check_spared, checked_path, each_path, opened
from bgrace._base.limits import Progress
from bgrace._kernels.one_sided import GNUBG_WIDTH
from bgrace.board.dice import MEAN_PIPS
from bgrace.board.spaces import PositionSpace, space_of
from bgrace.database.building import plan_build, write_one_sided
from bgrace.database.store.format import PAIRS_TABLE, Contents
from bgrace.database.store.writer import GENERATOR, Writer, database_target
from bgrace.errors import ArgumentError, FormatError
from bgrace.tables import CHANCE_SCALE, PLANES, Plane, in_16_bits, scale_for, solve_one_sided, two_sided_order

Kind: TypeAlias = Literal["one-sided", "two-sided"]

MAGIC: Final = b"gnubg-"
WIDTH: Final = GNUBG_WIDTH
HEADER_BYTES: Final = 40
WHOLE: Final = 65535
"""The sum of the chances of a one-sided row."""
EQUITY_UNITS: Final = 32767.5
"""Equity is u / EQUITY_UNITS - 1."""
CHECKERS: Final = 15
"""Number of checkers that GNU Backgammon assumes for every one-sided file."""
MOST_POINTS: Final = 13
"""Most points of a one-sided file of its generator."""
_OFFSET_LIMIT: Final = 1 << 32  # the program's offsets in a file have 32 bits

_HEAD: Final = re.compile(rb"gnubg-(?:(OS)|TS)-(\d\d)-(\d\d)-([01])(?(1)-([01])-([01]))")


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a file: its first 40 bytes.

    Attributes
    ----------
    kind : str
        ``"one-sided"`` or ``"two-sided"``.
    points, checkers : int
    gammons, compressed : bool
        For one-sided files: whether there are chances of the first of 15 checkers; whether rows are stored without the
        zeros at their ends.
    """

    kind: Kind
    points: int
    checkers: int
    gammons: bool = True
    compressed: bool = True

    def __post_init__(self) -> None:
        check_flags(gammons=self.gammons, compressed=self.compressed)

    @property
    def space(self) -> PositionSpace:
        """The positions, whose indices are the numbers in the file."""
        return space_of(self.points, self.checkers)

    @property
    def n_positions(self) -> int:
        """Number of positions."""
        return len(self.space)

    @property
    def entry(self) -> np.dtype[np.void]:
        """Type of a position's entry in the index of a compressed file.

        It has the start of the position's values, in 16-bit units, and then, for the last and the first checker, their
        number and the number of rolls of the first value.
        """
        return np.dtype([("begin", "<u4"), ("spans", "u1", (1 + self.gammons, 2))])

    @property
    def body_bytes(self) -> int:
        """Number of bytes after the header; for a compressed file, those of its index."""
        n = self.n_positions
        if self.kind == "two-sided":
            return 2 * len(Plane) * n * n
        return n * (self.entry.itemsize if self.compressed else 2 * WIDTH * (1 + self.gammons))

    def pack(self) -> bytes:
        """Write the header as 40 bytes."""
        if self.kind == "two-sided":
            text = f"gnubg-TS-{self.points:02}-{self.checkers:02}-1"
        else:
            text = f"gnubg-OS-{self.points:02}-{self.checkers:02}-{self.gammons:d}-{self.compressed:d}-0"
        return text.ljust(HEADER_BYTES - 1, "x").encode("ascii") + b"\n"

    @classmethod
    def unpack(cls, block: bytes, path: str) -> Header:
        """Read the first 40 bytes of a file.

        Raises
        ------
        FormatError
            If they are not those of a file of GNU Backgammon; the message names `path`.
        ArgumentError
            If the file has normal distributions, or no cubeful equities.
        """
        match = _HEAD.match(block)
        if len(block) < HEADER_BYTES or match is None:
            raise FormatError(
                f"{path} is not a bearoff file of GNU Backgammon: "
                "it does not begin with gnubg-OS- or gnubg-TS- and its size"
            )
        points, checkers = int(match[2]), int(match[3])
        if not (1 <= points <= 24 and 1 <= checkers <= 15):
            raise _damaged(path, f"it would be for {checkers} checkers on {points} points, of 1 to 15 on 1 to 24")
        first, compressed, normal = (flag == b"1" for flag in match.group(4, 5, 6))
        if match[1] is None:
            if not first:
                raise ArgumentError(
                    f"{path} has no cubeful equities, which a database needs: make the file without --no-cubeful"
                )
            return cls("two-sided", points, checkers)
        if normal:
            raise ArgumentError(
                f"{path} has means and standard deviations, and a database needs distributions: "
                "make the file without --normal-dist"
            )
        return cls("one-sided", points, checkers, first, compressed)

    def check_readable(self, n_bytes: int) -> None:
        """Raise ArgumentError if GNU Backgammon would misread such a file of `n_bytes` bytes."""
        if n_bytes >= _OFFSET_LIMIT:
            raise ArgumentError(
                f"a {self.kind} file for {self.checkers} checkers on {self.points} points has {n_bytes:,} bytes: GNU "
                f"Backgammon reads a file wrongly from {_OFFSET_LIMIT:,} bytes on, without saying so; ask for "
                + ("fewer checkers (12 on six points)" if self.kind == "two-sided" else "fewer points, or compress it")
            )
        if self.kind == "one-sided" and (self.checkers != CHECKERS or self.points > MOST_POINTS):
            raise ArgumentError(
                f"a one-sided file for {self.checkers} checkers on {self.points} points: GNU Backgammon takes them to "
                f"be for {CHECKERS} checkers, on at most {MOST_POINTS} points"
            )
        if self.kind == "two-sided" and self.checkers >= CHECKERS:
            raise ArgumentError(
                f"a two-sided file for {self.checkers} checkers: gammons matter to them, and GNU Backgammon takes "
                f"two-sided files to know none; ask for at most {CHECKERS - 1}"
            )


_ROLLS: Final = np.arange(WIDTH)


class BearoffFile:
    """A bearoff file of GNU Backgammon: distributions of positions, or equities of pairs.

    An impossible record raises FormatError.

    Attributes
    ----------
    path : Path
    header : Header
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: Path = checked_path(path)
        self.header, data = _map_body(self.path)
        header, end = self.header, self.header.body_bytes
        if header.kind == "two-sided":
            n = len(header.space)
            self._values = data.view("<u2").reshape(n, n, len(Plane))
            if not (self._values[0] == WHOLE).all():
                raise _damaged(self.path, "a player without checkers on roll would not have won")
            if self._values[1:, 0].any():
                raise _damaged(self.path, "a player would win whose opponent has none left")
        elif header.compressed:
            self._entries = data[:end].view(header.entry)
            if (len(data) - end) % 2:
                raise _damaged(self.path, "its last value is half a value")
            self._values = data[end:].view("<u2")
            last = self._value_ends(slice(-1, None))[0]
            if last != len(self._values):
                raise _damaged(self.path, f"its last position ends at value {last:,} of {len(self._values):,}")
        else:
            self._values = data.view("<u2").reshape(-1, 1 + header.gammons, WIDTH)

    def chances(self, index: Integers, *, first_checker: bool = False) -> Floats:
        """Chances of bearing off all checkers, or the first of 15, in exactly 0 to 31 rolls, shape (n, 32)."""
        parts = self._spans(index, first_checker) if self.header.compressed else self._values[index, int(first_checker)]
        sums = parts.sum(axis=1, dtype=np.int64)
        if (sums != WHOLE).any():
            wrong = int((sums != WHOLE).argmax())
            raise _damaged(self.path, f"the chances of position {index[wrong]} sum to {sums[wrong]} parts of {WHOLE}")
        return parts / WHOLE

    def _value_ends(self, index: Integers | slice) -> Integers:
        """Find the ends of positions' values in a compressed file."""
        entries = self._entries[index]
        ends: Integers = entries["begin"] + entries["spans"][..., 0].sum(axis=1, dtype=np.int64)
        return ends

    def _spans(self, index: Integers, first_checker: bool) -> npt.NDArray[np.uint16]:
        entries, which = self._entries[index], int(first_checker)
        begin, spans = entries["begin"].astype(np.int64), entries["spans"].astype(np.int64)
        begin += spans[:, :which, 0].sum(axis=1)
        count, first = spans[:, which, 0], spans[:, which, 1]
        wrong = (count == 0) | (first + count > WIDTH) | (begin + count > len(self._values))
        wrong |= entries["begin"] != np.where(index > 0, self._value_ends(index - 1), 0)
        if wrong.any():
            raise _damaged(
                self.path,
                f"position {index[wrong.argmax()]} would not begin where the one before ends, or its rolls would lie "
                f"outside 0 .. {WIDTH - 1}",
            )
        place = _ROLLS - first[:, np.newaxis]
        stored = (place >= 0) & (place < count[:, np.newaxis])
        values = self._values[np.where(stored, begin[:, np.newaxis] + place, 0)]
        return np.where(stored, values, np.uint16(0))

    def pair_values(self, index: int) -> Floats:
        """Equities of rolling now of one position against every opponent, (n, 4), in the order of `Plane`."""
        equities: Floats = self._values[index] / EQUITY_UNITS - 1
        return equities


def _damaged(path: Path | str, wrong: str) -> FormatError:
    """The error for a damaged file."""
    return FormatError(f"{path} is damaged: {wrong}; make or fetch it again")


def _map_body(path: Path) -> tuple[Header, npt.NDArray[np.uint8]]:
    """Map a file, and check its length: its header, and the bytes after it."""
    with opened(path, "a bearoff file of GNU Backgammon", "give one") as raw:
        header = Header.unpack(raw.read(HEADER_BYTES), str(path))
        n_bytes = raw.seek(0, os.SEEK_END) - HEADER_BYTES
        has_index = header.kind == "one-sided" and header.compressed  # values follow, as many as the index says
        if n_bytes < header.body_bytes or (n_bytes > header.body_bytes and not has_index):
            raise _damaged(
                path,
                f"a {header.kind} file for {header.checkers} checkers on {header.points} points has "
                f"{'at least ' * has_index}{HEADER_BYTES + header.body_bytes:,} bytes, not {HEADER_BYTES + n_bytes:,}",
            )
        view = mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ)
    return header, np.frombuffer(view, dtype=np.uint8, offset=HEADER_BYTES)


ROWS_AT_A_TIME: Final = 1 << 14
_NO_LIMIT: Final = 1 << 62
_MAX_ERROR: Final = 0.005
"""Greatest error of a chance; rounding causes up to 0.0028, if it changes the play of a roll."""
_ORIGIN: Final = "from GNU Backgammon's"

Rows = Callable[[Integers], Floats]


def convert(
    sources: Paths,
    path: str | os.PathLike[str],
    *,
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> None:
    """Turn bearoff files of GNU Backgammon into a database.

    Chances stay as they are in the files, and equities are rounded once more, to 1/32760.  A database needs one-sided
    tables: from a two-sided file alone, bgrace computes them.

    Parameters
    ----------
    sources : path-like, or iterable of path-like
        A one-sided file, a two-sided file, or one of each for the same number of points.
    path : path-like
        The database to make.  It appears only when it is complete.
    threads : int, optional
        Threads to compute with; by default one per processor.
    force : bool
        Whether to replace an existing file.
    progress : callable, optional
        Called with the work done and the work to do.

    Raises
    ------
    ArgumentError
        If the files do not belong together, or lack data that a database needs.
    FormatError
        If one is not a bearoff file, or is damaged: on up to six points every chance is compared with bgrace's own.
    BuildError
        If the file exists and `force` is not given, or is a bearoff file itself, or it cannot be written.

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
    files = [BearoffFile(source) for source in each_path(sources)]
    one, two = _files_by_kind(files)
    header = (one or files[0]).header
    points, checkers = header.points, header.checkers
    n_pairs = two.header.checkers if two else 0
    # Copying takes little memory, even for files whose solution needs much.
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
    """Whether the values of a database with this attribute `generator` are GNU Backgammon's."""
    return _ORIGIN in generator


def _files_by_kind(files: Sequence[BearoffFile]) -> tuple[BearoffFile | None, BearoffFile | None]:
    """Find the one-sided and the two-sided file; ArgumentError unless a database can be made from them."""
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
    """Yield indices of positions, a few at a time, with their places counted from the first."""
    for first in range(start, stop, ROWS_AT_A_TIME):
        past = min(first + ROWS_AT_A_TIME, stop)
        yield slice(first - start, past - start), np.arange(first, past)


def _copy_one_sided(writer: Writer, file: BearoffFile, work: RowsDone) -> None:
    space, n, rolls = file.header.space, len(file.header.space), np.arange(WIDTH)
    short = in_16_bits(space.points)
    mean, variance = (writer.add(f"one_sided/{name}", (n,)) for name in ("mean_rolls", "variance_rolls"))
    epc = None if short else writer.add("one_sided/epc", (n,))
    for places, index in _pieces(0, n):
        chances = file.chances(index)
        means = chances @ rolls
        mean[places] = means
        variance[places] = np.einsum("ik,ik->i", chances, (rolls - means[:, np.newaxis]) ** 2)
        if epc is not None:
            epc[places] = means * MEAN_PIPS
        work.add(len(index))
    copy = _copy_16_bits if short else partial(_copy_dense, file.path, space)
    copy(writer, "", 0, n, file.chances)
    work.add(n)
    if space.checkers == CHECKERS and file.header.gammons:
        first = len(space_of(space.points, CHECKERS - 1))
        copy(writer, "first_checker_", first, n, partial(file.chances, first_checker=True))


def _copy_dense(
    path: Path, space: PositionSpace, writer: Writer, prefix: str, start: int, stop: int, rows: Rows
) -> None:
    """Copy a table if it is close to the solved one, since a file with wrong rolls can be well formed."""
    chances, table = rows(np.arange(start, stop)), solve_one_sided(space)
    ours = table.first_checker_distribution if prefix else table.roll_distribution
    assert ours is not None, "a space of 15 checkers has both"
    errors = np.abs(chances[:, : ours.shape[1]] - ours).max(axis=1)
    if errors.max() > _MAX_ERROR:
        wrong = f"a chance of position {start + errors.argmax()} is wrong by {errors.max():.4f}"
        raise _damaged(path, f"{wrong}, and GNU Backgammon rounds by {_MAX_ERROR} at most")
    width = int(spans_of(chances)[1].max())
    writer.add(f"one_sided/{prefix or 'roll_'}distribution", (stop - start, width))[...] = chances[:, :width]


def _copy_16_bits(writer: Writer, prefix: str, start: int, stop: int, rows: Rows) -> None:
    width = 0
    for _, index in _pieces(start, stop):
        first, past = spans_of(rows(index))
        width = max(width, int((past - first).max()))
    n = stop - start
    first_roll = writer.add(f"one_sided/{prefix}first_roll", (n,))
    table = writer.add(f"one_sided/{prefix or 'roll_'}chances", (n, width), scale=CHANCE_SCALE)
    for places, index in _pieces(start, stop):
        chances = np.rint(rows(index) * CHANCE_SCALE).astype(np.uint16)
        first, _ = spans_of(chances)
        first_roll[places] = first
        columns = first[:, np.newaxis] + np.arange(width)
        kept = columns < WIDTH
        table[places] = np.where(kept, np.take_along_axis(chances, np.where(kept, columns, 0), axis=1), 0)


def _copy_pairs(writer: Writer, file: BearoffFile, work: RowsDone) -> None:
    space, n = file.header.space, len(file.header.space)
    scale, sums = scale_for(space), np.empty(n, np.uint32)
    order = writer.add("two_sided/order", (n,))
    order[...] = two_sided_order(space)
    equities = writer.add(PAIRS_TABLE, (n, n, len(PLANES)), scale=scale, planes=list(PLANES))
    for rank, index in enumerate(order.tolist()):
        equities[rank] = np.rint(file.pair_values(index)[order] * scale)
        sums[rank] = zlib.crc32(equities[rank].data)
        work.add(1)
    writer.set_row_sums(sums)


class RowsDone:
    """Counts the rows of tables that are done."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress = progress
        self._done, self._total = 0, total

    def add(self, n: int) -> None:
        """Count more rows as done, and report them."""
        self._done += n
        if self._progress is not None:
            self._progress(self._done, self._total)


def spans_of(rows: npt.NDArray[Any]) -> tuple[Integers, Integers]:
    """First column that is not 0, and the column after the last such, of each row."""
    used = rows != 0
    return used.argmax(axis=-1), WIDTH - used[..., ::-1].argmax(axis=-1)
