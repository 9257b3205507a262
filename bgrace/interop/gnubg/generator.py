"""GNU Backgammon's bearoff files byte for byte as its own generator, makebearoff, makes them."""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, get_args

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import as_choice
from bgrace._base.files import claim, reported
from bgrace._base.limits import Progress, allowed_text, how_many, memory_limit, memory_text
from bgrace._kernels import one_sided as one_sided_kernel
from bgrace._kernels import two_sided as two_sided_kernel
from bgrace.board.spaces import PositionSpace
from bgrace.errors import MemoryLimitError
from bgrace.interop.gnubg.reader import CHECKERS, HEADER_BYTES, WIDTH, Header, Kind
from bgrace.interop.gnubg.writer import bearoff_target, write_one_sided
from bgrace.tables import LevelProgress, Plane, n_fewer_checkers, working_set_bytes

_PROGRAM_BYTES: Final = 200 << 20
_SIGNS: Final = np.uint64(0x8000_8000_8000_8000)
"""The mask that turns four signed values into four unsigned ones."""


def generate(
    path: str | os.PathLike[str],
    kind: Kind,
    points: int = 6,
    checkers: int = CHECKERS,
    *,
    compressed: bool = True,
    gammons: bool = True,
    threads: int | None = None,
    memory_bytes: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Header:
    """Make a bearoff file as GNU Backgammon's generator would, with its rounding, to the last bit.

    Parameters
    ----------
    path : path-like
        The file to make.  It appears only when it is complete.
    kind : str
        ``"one-sided"``, or ``"two-sided"``: cubeful.
    points, checkers : int
        A one-sided file is for 15 checkers on up to 13 points; a two-sided one has less than 4 GiB, which on six points
        means up to 12 checkers.
    compressed, gammons : bool
        Of a one-sided file: without zeros; with the chances of the first checker.  (makebearoff's ``--no-compress`` and
        ``--no-gammon`` are False here.)
    threads : int, optional
        As many as there are processors, unless given.  The file does not depend on it.
    memory_bytes : int, optional
        The most memory to use, file cache aside; three quarters of the machine's, unless given.
    force : bool
        Whether to replace a file that is there.
    progress : callable, optional
        Called with the work done and the work to do.

    Returns
    -------
    Header
        What was written.

    Raises
    ------
    ArgumentError
        If GNU Backgammon would not read such a file rightly.
    BuildError
        If the file is there and `force` is not given, or is a database, or it cannot be written.
    MemoryLimitError
        If it can't be done in that much memory.

    Examples
    --------
    >>> import hashlib, pathlib, tempfile
    >>> from bgrace.interop.gnubg import generate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "gnubg_os1.bd")
    ...     header = generate(file, "one-sided", points=1)
    ...     hashlib.md5(file.read_bytes()).hexdigest()        # as GNU Backgammon's manual has it
    'c789f049ec98ce4e307b471257999f39'
    """
    as_choice("kind", kind, get_args(Kind))
    target, n_threads, limit = Path(path), how_many(threads), memory_limit(memory_bytes)
    space = PositionSpace(points, checkers)
    header = Header(kind, space.points, space.checkers, gammons=gammons, compressed=compressed)
    header.check_readable(HEADER_BYTES + header.body_bytes)
    _check_memory(header, n_threads, limit)
    # One-sided rows lie side by side before they are squeezed.
    n_bytes = HEADER_BYTES + header.body_bytes + (4 * WIDTH * len(space) if kind == "one-sided" else 0)
    new = bearoff_target(target, n_bytes, force=force, smaller="fewer points or checkers")
    with new, new.opened() as file:
        if kind == "two-sided":
            _make_pairs(file.fileno(), header, n_threads, limit, progress)
        else:
            with _scratch_rows(target, header) as (last, first):
                one_sided_kernel.gnubg(header.space.kernel, n_threads, last, first, _of_levels(progress))
                write_one_sided(file, header, lambda start, stop: _joined(header, last, first, start, stop))
    return header


def _check_memory(header: Header, n_threads: int, limit: int) -> None:
    if header.kind == "two-sided":
        needed = _PROGRAM_BYTES + working_set_bytes(header.space, n_threads)[0]
    else:
        needed = _PROGRAM_BYTES + 12 * len(header.space) + 2 * 72 * _chain_slots(header.space)
    if needed > limit:
        raise MemoryLimitError(
            f"{header.points} points and {header.checkers} checkers {header.kind} need {memory_text(needed)} of "
            f"memory, {allowed_text(limit)}: ask for fewer points or checkers, or allow more"
        )


def _chain_slots(space: PositionSpace) -> int:
    """How many positions' best single dice the kernel keeps: those of seven levels, up to a power of 2."""
    by_checkers = np.zeros((space.checkers + 1, space.points * space.checkers + 1), dtype=np.int64)
    by_checkers[0, 0] = 1
    for point in range(1, space.points + 1):
        for checkers in range(1, space.checkers + 1):
            by_checkers[checkers, point:] += by_checkers[checkers - 1, :-point]
    levels = by_checkers.sum(axis=0)
    most = int(np.convolve(levels, np.ones(7, dtype=np.int64)).max())
    return 1 << (most - 1).bit_length()


@contextmanager
def _scratch_rows(
    target: Path, header: Header
) -> Iterator[tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16] | None]]:
    """Room for the rows of the last and of the first checker, in a file beside the target that has no name."""
    n, n_first = header.n_positions, 0
    if header.gammons:
        n_first = 1 + n - n_fewer_checkers(header.space, CHECKERS)
    with reported(target), tempfile.TemporaryFile(dir=target.absolute().parent) as scratch:
        n_bytes = 2 * WIDTH * (n + n_first)
        scratch.truncate(n_bytes)
        claim(scratch.fileno(), 0, n_bytes)
        rows = np.frombuffer(mmap.mmap(scratch.fileno(), n_bytes), dtype=np.uint16).reshape(-1, WIDTH)
        yield rows[:n], rows[n:] if header.gammons else None


def _joined(
    header: Header, last: npt.NDArray[np.uint16], first: npt.NDArray[np.uint16] | None, start: int, stop: int
) -> npt.NDArray[np.uint16]:
    """Rows of both distributions side by side."""
    if first is None:
        return last[start:stop, np.newaxis]
    # Row 0 is for all positions whose first checker is off.
    places = np.arange(start, stop) - n_fewer_checkers(header.space, CHECKERS) + 1
    return np.stack((last[start:stop], first[np.maximum(places, 0)]), axis=1)


def _make_pairs(descriptor: int, header: Header, n_threads: int, memory_bytes: int, progress: Progress | None) -> None:
    space, n = header.space, header.n_positions
    os.truncate(descriptor, HEADER_BYTES + header.body_bytes)
    claim(descriptor, 0, HEADER_BYTES + header.body_bytes)
    view = mmap.mmap(descriptor, HEADER_BYTES + header.body_bytes)
    view[:HEADER_BYTES] = header.pack()
    table = np.frombuffer(view, dtype=np.int16, offset=HEADER_BYTES).reshape(n, n, len(Plane))
    graph = two_sided_kernel.Graph(space.kernel, np.arange(n), n_threads)
    two_sided_kernel.solve(
        graph,
        table,
        scale=2,
        gnubg=True,
        memory_bytes=min(working_set_bytes(space, n_threads)[1], memory_bytes - _PROGRAM_BYTES),
        n_threads=n_threads,
        progress=_of_levels(progress),
    )
    _put_in_order(table.view("<u8").reshape(n, n), graph.indices())
    view.flush()


def _put_in_order(table: npt.NDArray[np.uint64], order: npt.NDArray[np.int64]) -> None:
    """Move rows and columns from ranks to indices, in place, and make the values unsigned.

    order: the index of each rank.
    """
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    moved = np.zeros(len(order), dtype=bool)
    for start in range(len(order)):
        if moved[start]:
            continue
        carried, place = table[start][rank] ^ _SIGNS, int(order[start])
        while place != start:
            carried, table[place] = table[place][rank] ^ _SIGNS, carried
            moved[place] = True
            place = int(order[place])
        table[start] = carried


def _of_levels(progress: Progress | None) -> LevelProgress | None:
    if progress is None:
        return None
    return lambda _level, done, total: progress(done, total)
