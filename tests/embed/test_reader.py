"""bgr_open_reader: the program reads the file itself."""

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.probe_library import STATUSES, Probe, check, library, refused
from helpers.solver_library import Solver

import bgrace
from bgrace.match.stakes import Stakes


class Range(ctypes.Structure):
    _fields_ = [("offset", ctypes.c_uint64), ("size", ctypes.c_size_t), ("bytes", ctypes.c_void_p)]


READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Range), ctypes.c_int)


class Reader(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("file_size", ctypes.c_uint64),
        ("read", READ),
        ("context", ctypes.c_void_p),
        ("cache_bytes", ctypes.c_int64),
    ]


class Ranged(Probe):
    """A database whose bytes are handed over range by range."""

    def __init__(self, data: bytes, **fields: Any) -> None:
        self.data, self.calls, self.fails = data, 0, False
        self.handle = ctypes.c_void_p()
        self.read = READ(self._read)
        reader = Reader(**{"size": ctypes.sizeof(Reader), "file_size": len(data), "read": self.read, **fields})
        check(library.bgr_open_reader(ctypes.byref(reader), ctypes.byref(self.handle)))

    def _read(self, _context: object, ranges: Any, n: int) -> int:
        self.calls += 1
        for k in range(n):
            first, size = ranges[k].offset, ranges[k].size
            assert first + size <= len(self.data)
            ctypes.memmove(ranges[k].bytes, self.data[first : first + size], size)
        return int(self.fails)


def test_a_reader_is_called_three_times_for_the_first_answer(packed_with_gammons: Path) -> None:
    db = Ranged(packed_with_gammons.read_bytes())
    with db, Probe(packed_with_gammons) as mapped:
        assert db.calls == 1
        assert db.equities((1, 0, 4), (2, 2, 11)) == mapped.equities((1, 0, 4), (2, 2, 11))
        assert db.calls == 3
        assert db.equities((1, 0, 4), (2, 2, 11)) == mapped.equities((1, 0, 4), (2, 2, 11))
        assert db.calls == 3
        for ace in range(16):
            pair = (ace, 0, 15 - ace), (0, 15 - ace, ace)
            assert db.equities(*pair) == mapped.equities(*pair)


@pytest.mark.parametrize(("ask", "size"), [("equities", 8), ("win_probability", 1)])
def test_a_batch_is_read_in_two_calls(packed_path: Path, ask: str, size: int) -> None:
    """For 64 pairs, as the header says; the answers are those of the mapped file."""
    rng = np.random.default_rng(1)
    sides = [np.zeros((64, 6), np.int8) for _ in range(2)]
    for side in sides:
        np.add.at(side, (np.repeat(np.arange(64), 5), rng.integers(0, 6, 64 * 5)), 1)
    asked, n_done = [side.ctypes.data_as(ctypes.c_void_p) for side in sides], ctypes.c_int64()
    batch = getattr(library, f"bgr_probe_{ask}_batch")
    found = [np.zeros((64, size)) for _ in range(2)]
    db = Ranged(packed_path.read_bytes())
    with db, Probe(packed_path) as mapped:
        db.fails = True
        assert batch(db.handle, 6, *asked, ctypes.c_int64(64), None, ctypes.byref(n_done)) == STATUSES.index("READ")
        db.fails, before = False, db.calls
        for each, values in zip((db, mapped), found, strict=True):
            room = values.ctypes.data_as(ctypes.c_void_p)
            check(batch(each.handle, 6, *asked, ctypes.c_int64(64), room, ctypes.byref(n_done)))
            assert n_done.value == 64
        assert db.calls == before + 2
    assert found[0].tolist() == found[1].tolist()


def test_readers_that_fail_or_lie_are_refused(packed_with_gammons: Path, with_gammons: Path) -> None:
    data = packed_with_gammons.read_bytes()
    for wrong, status in (({"cache_bytes": 1000}, "SIZE"), ({"size": 8}, "ARGUMENT"), ({"read": READ()}, "ARGUMENT")):
        refused(status, Ranged, data, **wrong)
    refused("VERSION", Ranged, with_gammons.read_bytes())
    db = Ranged(data, cache_bytes=1 << 18)
    with db, Probe(packed_with_gammons) as mapped:
        db.fails = True
        refused("READ", db.equities, (1, 0, 4), (2, 2, 11))
        db.fails, db.data = False, bytes(byte ^ 1 for byte in data)
        refused("DAMAGED", db.equities, (1, 0, 4), (2, 2, 11))
        db.data = data
        assert db.equities((1, 0, 4), (2, 2, 11)) == mapped.equities((1, 0, 4), (2, 2, 11))


def test_a_solver_looks_a_race_up_with_a_reader(packed_path: Path, database: bgrace.Database) -> None:
    pair, solver, stakes = ((1, 1, 1, 1, 1, 1), (2, 1, 0, 1, 0, 2)), Solver(), Stakes.money()
    db = Ranged(packed_path.read_bytes())
    with db:
        answer = solver.solve(*pair, stakes, seconds=1e-6, database=db.handle, dice=(3, 1))
        asked = db.calls
        assert asked == 5  # for opening, the pair and its plays
        assert answer.chances()[0] == database.win_probability(*pair)
        action = database.cube_action(*pair)
        assert answer.cube(1)[:3] == (action.no_double, action.double_take, action.double_pass)
        best = database.best_plays(*pair, "31")
        assert [value for _, value, _ in answer.plays(3, 1, 1)] == [play.equity for play in best]
        solver.solve(
            *pair, stakes, seconds=0.01, way=4, database=db.handle
        )  # by turns and by all pairs it needs no file
        solver.solve(*pair, stakes, seconds=1.0, database=db.handle)
        assert db.calls == asked
        db.fails = True
        refused("READ", solver.solve, (3, 1, 1, 0, 0, 1), pair[1], stakes, seconds=1e-6, database=db.handle)
