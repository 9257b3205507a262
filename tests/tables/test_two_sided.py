"""The 16-bit solver: against the slow twin in double precision, and against itself on every path of the processor."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from helpers import reference
from helpers.gammon_places import places_of
from helpers.reference import CENTERED, CUBELESS, MINE, THEIRS, FloatArray

import bgrace._kernels.two_sided as kernel
from bgrace import ArgumentError, PositionSpace, tables
from bgrace.tables import PLANES, SINGLE_PLANES, GammonPairs, scale_for, solve_two_sided, two_sided_order

Table = npt.NDArray[np.int16]
Indices = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Sums = npt.NDArray[np.uint32]

SPACE = PositionSpace(points=6, checkers=6)
N = len(SPACE)
SCALE, GAMMON_SCALE = 32760, 16380
LEVELS = 37
"""Pip counts of up to six checkers: 0 to 36."""

TINY, MEDIUM = 1, 2 << 20
"""Bounds of the working set.  Without a bound it takes 7 MB for six checkers a side."""


def all_of(space: PositionSpace, threads: int = 1) -> kernel.Graph:
    return kernel.Graph(space.kernel, np.arange(len(space)), threads)


def solved(graph: kernel.Graph, scale: int = SCALE, out: Table | None = None, **options: Any) -> Table:
    """Solve every pair of a graph."""
    table = np.full((len(graph), len(graph), 4), 0x5555, np.int16) if out is None else out
    kernel.solve(graph, table, scale, **options)
    return table


def by_index(table: Table, scale: int, order: Indices) -> FloatArray:
    """Return equities with rows and columns in order of their index, as in the twin's tables."""
    ranks = np.argsort(order)
    return table[np.ix_(ranks, ranks)] / scale


@pytest.fixture(scope="module")
def graph() -> kernel.Graph:
    return all_of(SPACE)


@pytest.fixture(scope="module")
def order() -> Indices:
    return two_sided_order(SPACE).astype(np.int64)


@pytest.fixture(scope="module")
def pips() -> Indices:
    """Pip counts by rank."""
    counts: Indices = SPACE.position(two_sided_order(SPACE)).astype(np.int64)
    return counts @ np.arange(1, 7)


@pytest.fixture(scope="module")
def table(graph: kernel.Graph) -> Table:
    """Six checkers a side by the scalar twin of the inner loop, on one thread."""
    return solved(graph, path="scalar")


@pytest.fixture(scope="module")
def equities(table: Table, order: Indices) -> FloatArray:
    """The same by index."""
    return by_index(table, SCALE, order)


@pytest.fixture(scope="module")
def toy_table(graph: kernel.Graph) -> Table:
    """The toy game: a loser who still has all six checkers loses double."""
    return solved(graph, GAMMON_SCALE, gammon_checkers=6)


@pytest.fixture(scope="module")
def full(order: Indices) -> Flags:
    """Whether a rank has all six checkers on the board."""
    return np.array([sum(spot) == 6 for spot in reference.positions(6, 6)])[order]


def check_errors(found: FloatArray, exact: FloatArray, greatest: float, mean: float, bias: float) -> None:
    """Check the errors in every plane, without finished games."""
    errors = (found - exact)[1:, 1:]
    assert np.abs(errors).max(axis=(0, 1)).max() <= greatest
    assert np.abs(errors).mean(axis=(0, 1)).max() <= mean
    assert np.abs(errors.mean(axis=(0, 1))).max() <= bias


# ---------------------------------------------------------------------- accuracy


def test_errors_for_money_are_small(equities: FloatArray, six_a_side: FloatArray) -> None:
    """One rounding is off by at most half a step, 1.5e-5; errors average out over the rolls of a game."""
    check_errors(equities, six_a_side, 4e-5, 1e-5, 1e-6)


def test_finished_games_are_worth_the_stakes(table: Table, toy_table: Table, full: Flags) -> None:
    assert (table[0] == SCALE).all()
    assert (table[1:, 0] == -SCALE).all()
    stakes = np.where(full, 2, 1)[:, np.newaxis] * GAMMON_SCALE
    assert (toy_table[0] == stakes).all()
    assert (toy_table[1:, 0] == -stakes[1:]).all()


def test_errors_with_gammons_are_small(toy_table: Table, six_with_gammons: FloatArray, order: Indices) -> None:
    check_errors(by_index(toy_table, GAMMON_SCALE, order), six_with_gammons, 1.6e-4, 2e-5, 1e-6)


def test_the_jacoby_rule_changes_only_the_centered_cube() -> None:
    """Five checkers a side; a loser who still has all five loses a gammon."""
    space = PositionSpace(6, 5)
    graph = all_of(space)
    jacoby = solved(graph, GAMMON_SCALE, gammon_checkers=5, single_planes=1 << CENTERED)
    exact = reference.two_sided(5, gammon_checkers=5, jacoby=True)
    check_errors(by_index(jacoby, GAMMON_SCALE, graph.indices()), exact, 1.6e-4, 2e-5, 2e-6)
    plain = solved(graph, GAMMON_SCALE, gammon_checkers=5)
    others = [CUBELESS, MINE, THEIRS]
    np.testing.assert_array_equal(jacoby[..., others], plain[..., others])
    assert (jacoby[..., CENTERED].astype(int) - plain[..., CENTERED]).min() < -GAMMON_SCALE / 2


def test_chances_ignore_gammons(graph: kernel.Graph, toy_table: Table, six_a_side: FloatArray, order: Indices) -> None:
    """A plane in which gammons count once is 2 W - 1, and the other planes do not change."""
    wins = solved(graph, GAMMON_SCALE, gammon_checkers=6, single_planes=1 << CUBELESS)
    errors = by_index(wins, GAMMON_SCALE, order)[..., CUBELESS] - six_a_side[..., CUBELESS]
    assert np.abs(errors[1:, 1:]).max() <= 1e-4
    np.testing.assert_array_equal(wins[..., 1:], toy_table[..., 1:])


@pytest.fixture(scope="module")
def single_tables(graph: kernel.Graph) -> dict[str, Table]:
    """The toy game with gammons counting once: cubeless, and with the cube in the middle."""
    planes = {plane: PLANES.index(plane) for plane in SINGLE_PLANES}
    return {
        plane: solved(graph, GAMMON_SCALE, gammon_checkers=6, single_planes=1 << k)[..., k]
        for plane, k in planes.items()
    }


class Listed:
    """Every pair of the toy game in which somebody has six checkers, and room for its values."""

    def __init__(self, full: Flags) -> None:
        """Make the lists; full: whether a rank has all six checkers."""
        winning = np.full(len(full), np.count_nonzero(full))
        winning[0] = 0
        losing = np.where(full, 0, winning)
        column = np.full(len(full), -1, np.int32)
        column[full] = np.random.default_rng(0).permutation(np.count_nonzero(full)).astype(np.int32)
        starts = [np.concatenate(([0], np.cumsum(lengths))) for lengths in (winning, losing)]
        self.pairs = GammonPairs(column, *starts)
        self.values = [np.full((start[-1], 2), 0x5555, np.int16) for start in starts]

    @property
    def arguments(self) -> tuple[Any, ...]:
        pairs = self.pairs
        return pairs.column, pairs.winning_starts, self.values[0], pairs.losing_starts, self.values[1]

    def solve(self, graph: kernel.Graph, **options: Any) -> Table:
        return solved(graph, GAMMON_SCALE, gammon_pairs=self.arguments, **{"gammon_checkers": 6} | options)


@pytest.mark.parametrize(("memory", "threads"), [(0, 1), (0, 3), (200_000, 2), (700_000, 2)])
def test_single_values_are_those_of_planes(
    graph: kernel.Graph, toy_table: Table, single_tables: dict[str, Table], full: Flags, memory: int, threads: int
) -> None:
    """They are those of planes in which gammons count once, and the four planes do not change."""
    listed = Listed(full)
    table = listed.solve(graph, memory_bytes=memory, n_threads=threads)
    assert (table == toy_table).all()
    mine, theirs = np.nonzero((full[:, np.newaxis] | full)[1:, 1:])
    places = places_of(listed.pairs, mine + 1, theirs + 1)
    for k, plane in enumerate(SINGLE_PLANES):
        expected = single_tables[plane][mine + 1, theirs + 1]
        for place, values in zip(places, listed.values, strict=True):
            assert (values[place[place >= 0], k] == expected[place >= 0]).all()
    assert sum(np.count_nonzero(place >= 0) for place in places) == len(mine) == sum(map(len, listed.values))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p, v: (p.column[1:], p.winning_starts, v[0], p.losing_starts, v[1]), "column must have shape"),
        (lambda p, v: (p.column, p.winning_starts[1:], v[0], p.losing_starts, v[1]), "starts must be 925 numbers"),
        (lambda p, v: (p.column, p.winning_starts, v[0][1:], p.losing_starts, v[1]), "rise from 0 to"),
        (lambda p, v: (p.column, p.winning_starts, v[0], p.losing_starts[::-1].copy(), v[1]), "rise from 0 to"),
        (lambda p, v: (p.column, p.winning_starts, v[0], p.losing_starts, np.hstack((v[1], v[1]))), "values must"),
    ],
)
def test_wrong_lists_are_refused(graph: kernel.Graph, full: Flags, change: Callable[..., Any], message: str) -> None:
    listed = Listed(full)
    with pytest.raises(ValueError, match=message):
        solved(graph, GAMMON_SCALE, gammon_checkers=6, gammon_pairs=change(listed.pairs, listed.values))


@pytest.mark.parametrize("options", [{"gammon_checkers": 0}, {"single_planes": 1}])
def test_lists_without_gammons_are_refused(graph: kernel.Graph, full: Flags, options: dict[str, Any]) -> None:
    """Or with planes in which they already count once."""
    with pytest.raises(ArgumentError):
        Listed(full).solve(graph, **options)


@pytest.mark.parametrize(
    ("points", "checkers"),
    [(1, 8), (2, 8), (3, 6), (5, 5), (7, 4), (8, 3), (12, 2), (24, 1), (24, 2), (1, 15), (2, 15)],
)
def test_errors_on_other_numbers_of_points_are_small(points: int, checkers: int) -> None:
    """With gammons if there are fifteen checkers."""
    space, gammons = PositionSpace(points, checkers), checkers == 15
    scale = GAMMON_SCALE if gammons else SCALE
    assert (scale_for(space), scale_for(PositionSpace(points, 14))) == (scale, SCALE)
    table, order = solve_two_sided(space, threads=1), two_sided_order(space).astype(np.int64)
    exact = reference.two_sided(checkers, points, gammon_checkers=15 if gammons else None)
    # The values of a handful of positions don't average out.
    errors = (1.6e-4, 4e-5, 4e-5) if gammons else (5e-5, 2e-5, 2e-5)
    check_errors(by_index(table, scale, order), exact, *errors)


# ---------------------------------------------------------------------- bounds of equities


def test_no_equity_exceeds_the_stakes(table: Table, toy_table: Table, full: Flags) -> None:
    assert table.min() == -SCALE
    assert table.max() == SCALE
    stakes = np.where(full, 2, 1).astype(np.int32) * GAMMON_SCALE
    assert (toy_table <= stakes[np.newaxis, :, np.newaxis]).all()
    assert (toy_table >= -stakes[:, np.newaxis, np.newaxis]).all()


# ---------------------------------------------------------------------- paths, threads and memory

VECTORS = [(path, threads) for path in kernel.available_paths()[1:] for threads in (1, 2, 3)]
CROWD = [("scalar", 2), ("best", 2), *VECTORS]  # the table itself is made by the scalar path on one thread


@pytest.mark.parametrize(("path", "threads"), CROWD)
def test_paths_and_threads_agree(graph: kernel.Graph, table: Table, toy_table: Table, path: str, threads: int) -> None:
    assert solved(graph, path=path, n_threads=threads).tobytes() == table.tobytes()
    found = solved(graph, GAMMON_SCALE, path=path, n_threads=threads, gammon_checkers=6, memory_bytes=MEDIUM)
    assert found.tobytes() == toy_table.tobytes()


@pytest.mark.parametrize("scale", [2, 1000, 32766])
@pytest.mark.parametrize("path", kernel.available_paths())
def test_paths_agree_at_extreme_scales(path: str, scale: int) -> None:
    """At the largest a narrow sum would overflow; at the smallest every mean is a tie."""
    small = all_of(PositionSpace(6, 3))
    found = solved(small, scale, path=path)
    assert found.tobytes() == solved(small, scale, path="scalar").tobytes()
    assert np.abs(found).max() == scale


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("memory", [TINY, 1 << 18, 1 << 20, MEDIUM, 1 << 22, 1 << 40])
def test_a_bound_of_memory_changes_no_bit(graph: kernel.Graph, table: Table, memory: int, threads: int) -> None:
    assert solved(graph, memory_bytes=memory, n_threads=threads).tobytes() == table.tobytes()


@pytest.mark.parametrize(("memory", "path"), [(0, "best"), (TINY, "scalar"), (MEDIUM, "best")])
@pytest.mark.parametrize("gammon_checkers", [0, 6])
def test_leaving_out_beaten_plays_changes_no_bit(
    table: Table, toy_table: Table, gammon_checkers: int, memory: int, path: str
) -> None:
    compared = all_of(SPACE)
    compared.compare(gammon_checkers, 2)
    scale = GAMMON_SCALE if gammon_checkers else SCALE
    options: dict[str, Any] = {"gammon_checkers": gammon_checkers, "memory_bytes": memory, "path": path, "n_threads": 2}
    found = solved(compared, scale, **options)
    assert found.tobytes() == (toy_table if gammon_checkers else table).tobytes()
    # If gammons count after all, every play is compared.
    assert solved(compared, GAMMON_SCALE, gammon_checkers=6).tobytes() == toy_table.tobytes()


def test_leaving_out_beaten_plays_changes_no_single_value(full: Flags) -> None:
    graph, compared = all_of(SPACE), all_of(SPACE)
    compared.compare(6, 1)
    listed, again = Listed(full), Listed(full)
    assert listed.solve(graph).tobytes() == again.solve(compared, memory_bytes=MEDIUM).tobytes()
    for found, expected in zip(again.values, listed.values, strict=True):
        assert found.tobytes() == expected.tobytes()


def written(
    graph: kernel.Graph, path: Path, scale: int, pairs_at_once: int, row_crc32: Sums, mapped: bool, **options: Any
) -> None:
    """Solve every pair of a graph into a file, after 4098 other bytes."""
    shape = len(graph), len(graph), 4
    table = np.memmap(path, np.int16, "r+", 4098, shape) if mapped else np.empty(shape, np.int16)
    with path.open("r+b", buffering=0) as raw:
        file = raw.fileno(), 4098, row_crc32, pairs_at_once, mapped
        kernel.solve(graph, table, scale, file=file, **options)


def check_written(path: Path, table: Table, row_crc32: Sums) -> None:
    found = path.read_bytes()
    assert (found[:4098], found[4098:]) == (b"x" * 4098, table.tobytes())
    assert row_crc32.tolist() == [zlib.crc32(row.tobytes()) for row in table]
    assert kernel.table_crc32(row_crc32) == zlib.crc32(table.tobytes())


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("memory", "pairs_at_once"), [(0, 1), (TINY, 5000), (MEDIUM, 1 << 21), (0, 1 << 21), (TINY, 1)]
)
@pytest.mark.parametrize("mapped", [False, True])
def test_tables_in_files_are_those_in_memory(
    graph: kernel.Graph, table: Table, tmp_path: Path, mapped: bool, pairs_at_once: int, memory: int, threads: int
) -> None:
    (tmp_path / "table").write_bytes(b"x" * (4098 + (table.nbytes if mapped else 0)))
    row_crc32 = np.zeros(N, np.uint32)
    written(graph, tmp_path / "table", SCALE, pairs_at_once, row_crc32, mapped, memory_bytes=memory, n_threads=threads)
    check_written(tmp_path / "table", table, row_crc32)


def test_files_have_the_same_single_values(graph: kernel.Graph, toy_table: Table, full: Flags, tmp_path: Path) -> None:
    in_memory, in_file = Listed(full), Listed(full)
    assert in_memory.solve(graph).tobytes() == toy_table.tobytes()
    (tmp_path / "table").write_bytes(b"x" * 4098)
    row_crc32 = np.zeros(N, np.uint32)
    more: dict[str, Any] = {"gammon_pairs": in_file.arguments, "memory_bytes": TINY, "n_threads": 2}
    written(graph, tmp_path / "table", GAMMON_SCALE, 3000, row_crc32, False, gammon_checkers=6, **more)
    check_written(tmp_path / "table", toy_table, row_crc32)
    for found, expected in zip(in_file.values, in_memory.values, strict=True):
        assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize(("flags", "memory"), [(os.O_RDONLY, 0), (os.O_WRONLY, TINY)])
def test_files_that_cannot_be_used_are_refused(graph: kernel.Graph, tmp_path: Path, flags: int, memory: int) -> None:
    (tmp_path / "table").write_bytes(b"")
    nowhere = np.empty((N, N, 4), np.int16)
    descriptor = os.open(tmp_path / "table", flags)
    try:
        file = descriptor, 0, np.zeros(N, np.uint32), 2000, False
        with pytest.raises(OSError, match="Bad file descriptor"):
            kernel.solve(graph, nowhere, SCALE, file=file, memory_bytes=memory, n_threads=2)
    finally:
        os.close(descriptor)


def test_ranks_run_by_pips_then_index(table: Table, order: Indices, pips: Indices) -> None:
    """In whatever order indices are given."""
    shuffled = np.random.default_rng(6).permutation(N)
    graph = kernel.Graph(SPACE.kernel, shuffled, 2)
    np.testing.assert_array_equal(graph.indices(), order)
    assert solved(graph).tobytes() == table.tobytes()
    ranked = list(zip(pips.tolist(), order.tolist(), strict=True))
    assert ranked == sorted(ranked)


# ---------------------------------------------------------------------- progress


def test_progress_counts_pairs(pips: Indices) -> None:
    calls: list[tuple[int, int, int]] = []
    solve_two_sided(SPACE, 1, lambda *call: calls.append(call))
    # A level that takes long is reported repeatedly, so that Ctrl-C is noticed.
    assert list(dict.fromkeys(level for level, _, _ in calls)) == list(range(1, LEVELS))
    for level, done, total in calls:
        assert done == N * N - int((pips > level).sum()) ** 2
        assert total == N * N


# ---------------------------------------------------------------------- functions of bgrace.tables


def test_solve_two_sided_fills_the_array_that_it_is_given(table: Table) -> None:
    out = np.empty((N, N, 4), np.int16)
    assert solve_two_sided(SPACE, 2, out=out, memory_bytes=MEDIUM) is out
    assert (scale_for(SPACE), len(PLANES)) == (SCALE, 4)
    assert out.tobytes() == table.tobytes()


@pytest.mark.parametrize(("checkers", "threads"), [(1, 1), (3, 2), (6, 1), (8, 4)])
def test_the_least_working_set_grows_with_threads(checkers: int, threads: int) -> None:
    least, most = tables.working_set_bytes(PositionSpace(6, checkers), threads)
    assert 0 < least <= most
    assert tables.working_set_bytes(PositionSpace(6, checkers), threads + 1)[0] > least


# ---------------------------------------------------------------------- wrong arguments


@pytest.mark.parametrize(
    ("gammon_checkers", "scale"), [*((0, scale) for scale in (0, 1, -2, 32759, 32768)), (6, 16384), (6, SCALE)]
)
def test_scales_out_of_range_are_refused(gammon_checkers: int, scale: int) -> None:
    graph = all_of(PositionSpace(6, 1))
    left = np.full((7, 7, 4), 0x5555, np.int16)
    with pytest.raises(ArgumentError):
        solved(graph, scale, left, gammon_checkers=gammon_checkers)
    assert (left == 0x5555).all()


@pytest.mark.parametrize("path", sorted(set(kernel.PATHS) - {"best", *kernel.available_paths()}))
def test_paths_of_other_machines_are_refused(path: str) -> None:
    with pytest.raises(ArgumentError, match=path):
        solved(all_of(PositionSpace(6, 1)), path=path)


@pytest.mark.parametrize("shape", [(7, 7, 3), (7, 6, 4), (6, 7, 4), (8, 7, 4)])
def test_tables_of_other_shapes_are_refused(shape: tuple[int, int, int]) -> None:
    graph = all_of(PositionSpace(6, 1))
    with pytest.raises(ValueError, match=r"shape \(7, 7, 4\)"):
        solved(graph, out=np.empty(shape, np.int16))
