"""The C library for engines: flags, names and sizes, opening files, batches, IDs, and the same bits everywhere."""

from __future__ import annotations

import ctypes
import errno
import math
import os
import random
import re
import struct
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from shutil import which

import pytest
from helpers.command import call, complaint, ran
from helpers.compilers import CC, OTHERS, skip_without
from helpers.golden import Row, rows
from helpers.once import library_object, with_library, with_own_library
from helpers.paths import RECORDED_RACES, ROOT, SMALL
from helpers.probe_library import LOAD, MAP, READ, STATUSES, Probe, ProbeError, check, counts_of, library, refused
from helpers.solver_library import Progress, Solver
from helpers.sparse_file import sparse_file

import bgrace
from bgrace import embed
from bgrace.board import Position, parse_board
from bgrace.board.position import check_no_contact
from bgrace.database.store.format import USER_BLOCK, Directory
from bgrace.errors import PositionError
from bgrace.match.stakes import Stakes

PAGE = "".join((ROOT / f"docs/embedding{part}.md").read_text(encoding="utf-8") for part in ("", "/packages"))


# ---------------------------------------------------------------------- the files of the library


@pytest.mark.skipif(not which("readelf"), reason="needs readelf")
def test_the_shared_library_has_a_soname() -> None:
    folder = embed.library_dir()
    for name in ("libbgrace.so", "libbgrace.so.0"):
        listed = call("readelf", "-d", folder / name)
        assert "Library soname: [libbgrace.so.0]" in listed


def test_copied_files_carry_the_licence() -> None:
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8").split()
    first, *others, last = embed.sources()
    assert all("The licence is that of bgrace.h." in other.read_text(encoding="utf-8") for other in others)
    for source in (first, last):
        words = [word for word in source.read_text(encoding="utf-8").split() if word != "*"]
        assert any(words[k : k + len(licence)] == licence for k, word in enumerate(words) if word == licence[0]), source


@pytest.mark.parametrize("flag", ["-ffast-math", "-ffinite-math-only", "-funsafe-math-optimizations"])
def test_flags_that_change_answers_are_refused(flag: str) -> None:
    errors = complaint("cc", "-std=c11", flag, "-fsyntax-only", "-Wfatal-errors", *embed.cflags(), embed.sources()[-1])
    assert "must be compiled without -ffast-math" in errors


def test_functions_of_an_own_allocator_may_have_any_names() -> None:
    """Even those of variables in the library."""
    assert "-DBGR_OWN_MALLOC=f\n-DBGR_OWN_REALLOC=g -DBGR_OWN_FREE=h" in PAGE
    own = ["-DBGR_OWN_MALLOC=status", "-DBGR_OWN_REALLOC=n", "-DBGR_OWN_FREE=counts"]
    done = ran([*CC, *own, *embed.cflags(), "-fsyntax-only", embed.sources()[-1]])
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not which("nm"), reason="needs nm")
def test_only_names_of_the_headers_are_exported(once: Path) -> None:
    """From the one file, and from the shared library."""
    headers = "".join(path.read_text(encoding="utf-8") for path in embed.sources()[:-1])
    declared = set(re.findall(r"\b(bgr_\w+)\(", headers))
    for file, option in ((library_object(once, CC), "-g"), (embed.library_dir() / "libbgrace.so", "-D")):
        names = [line.split()[-1] for line in call("nm", option, "--defined-only", file).splitlines()]
        assert {name for name in names if not name.startswith("_")} == declared


def test_sizes_of_the_library_are_as_documented() -> None:
    (kilobytes,) = re.findall(r"WebAssembly module: some (\d+) KB", PAGE)
    module = embed.library_dir() / "bgrace.wasm"
    if module.exists():
        assert module.stat().st_size == pytest.approx(int(kilobytes) * 1000, rel=0.1)
    assert "two thirds of a megabyte" in " ".join(PAGE.split())
    library = embed.library_dir() / "libbgrace.so"
    assert library.stat().st_size == pytest.approx(667_000, rel=0.2)
    ((low, high),) = re.findall(r"(\d+) to (\d+) KB of machine code", PAGE)
    assert int(low) * 900 < int(call("size", library).split()[6]) < int(high) * 1100


# ---------------------------------------------------------------------- the system


def opening(path: Path, access: int) -> tuple[str, int]:
    """Try to open a file, and return the status and errno."""
    with_errno = ctypes.CDLL(library._name, use_errno=True)
    handle = ctypes.c_void_p()
    ctypes.set_errno(0)
    status = with_errno.bgr_open(str(path).encode(), access, ctypes.byref(handle))
    library.bgr_close(handle)
    return STATUSES[status], ctypes.get_errno()


def test_errno_says_why_a_file_cannot_be_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert opening(tmp_path, MAP) == ("OPEN", errno.EISDIR)
    assert opening(tmp_path / "pipe", MAP) == ("OPEN", errno.EINVAL)
    assert opening(tmp_path / "missing", MAP) == ("OPEN", errno.ENOENT)


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="needs /proc/self/smaps")
def test_large_maps_are_read_without_read_ahead(tmp_path: Path) -> None:
    whole = tmp_path / "whole.h5"
    sparse_file(whole)
    for path, expected in ((whole, True), (SMALL, False)):
        with Probe(path):
            maps = Path("/proc/self/smaps").read_text(encoding="utf-8")
            flags = re.search(rf"{re.escape(str(path))}\n(?:.+\n)*?VmFlags:(.+)\n", maps)
            assert flags
            assert ("rr" in flags[1].split()) == expected


def test_a_file_larger_than_memory_is_not_loaded(tmp_path: Path) -> None:
    whole, memory = tmp_path / "whole.h5", os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    sparse_file(whole)
    with whole.open("r+b") as file:
        directory = Directory.unpack(file.read(USER_BLOCK), "x")
        larger = replace(directory, file_size=max(directory.file_size, memory) + (1 << 30))
        file.seek(0)
        file.write(larger.pack())
        file.truncate(larger.file_size)
    assert opening(whole, LOAD)[0] == "MEMORY"
    assert opening(whole, READ)[0] == "OK"


@pytest.mark.parametrize("scale", [32759.5, 32758.0, 32761.0, 30.0, 1.0, math.inf, math.nan, -32760.0])
def test_a_scale_outside_the_specification_is_refused(scale: float) -> None:
    data = SMALL.read_bytes()
    directory = Directory.unpack(data, "x")
    for name in ("two_sided/equities", "one_sided/roll_distribution"):
        entries = tuple(replace(each, scale=scale if each.name == name else each.scale) for each in directory.entries)
        if scale == 1.0 and name == "one_sided/roll_distribution":
            continue  # the scale of this table
        refused("DAMAGED", Probe, replace(directory, entries=entries).pack() + data[USER_BLOCK:])


# ---------------------------------------------------------------------- batches


@pytest.mark.parametrize("value", [float("nan"), -float("nan"), float("inf"), -1.0, 1e300, -0.0])
def test_batches_stop_at_impossible_values(value: float) -> None:
    n, wrong = 700, 600
    positions: list[tuple[int, ...]] = [(1 + k % 5, 0, 0, 0, 0, 0) for k in range(n)]
    positions[wrong] = (0, 2, 0, 1, 0, 1)
    counts = counts_of([count for position in positions for count in position])
    epc, mean, variance = ((ctypes.c_double * n)() for _ in range(3))
    data = bytearray(SMALL.read_bytes())
    for entry in Directory.unpack(bytes(data), "x").entries:
        if entry.name in {"one_sided/epc", "one_sided/variance_rolls"}:
            struct.pack_into("<d", data, entry.offset + 8 * bgrace.PositionSpace(6, 6).index(positions[wrong]), value)
    done = ("OK", n) if value == 0 else ("DAMAGED", wrong)  # 0 is possible, with either sign
    with Probe(bytes(data)) as probe:
        for ask, results in ((library.bgr_probe_epc_batch, [epc]), (library.bgr_probe_rolls_batch, [mean, variance])):
            n_done = ctypes.c_int64(-1)
            status = ask(probe.handle, 6, counts, ctypes.c_int64(n), *results, ctypes.byref(n_done))
            assert (STATUSES[status], n_done.value) == done
        assert list(epc[: done[1]]) == [0.0 if k == wrong else probe.epc(positions[k]) for k in range(done[1])]


# ---------------------------------------------------------------------- position IDs


def read_id(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    sides = (ctypes.c_int8 * 24)(), (ctypes.c_int8 * 24)()
    check(library.bgr_read_position_id(text.encode(), *sides))
    return tuple(sides[0]), tuple(sides[1])


def write_id(on_roll: tuple[int, ...], opponent: tuple[int, ...]) -> str:
    room = ctypes.create_string_buffer(15)
    check(library.bgr_position_id(len(on_roll), counts_of(on_roll), counts_of(opponent), room))
    return room.value.decode()


def test_position_ids_are_those_of_python() -> None:
    for text in random.Random(4).sample(RECORDED_RACES, 300):
        board = parse_board(text)
        sides = read_id(text)
        assert sides == (tuple(board.on_roll.resized(24)), tuple(board.opponent.resized(24)))
        assert write_id(*sides) == write_id(tuple(board.on_roll), tuple(board.opponent)) == board.position_id()
    assert read_id("4HPwATDgc/ABMA")[0][5] == 5  # the first position of a game, in contact


def test_any_fourteen_letters_are_read_or_refused_as_in_python() -> None:
    chance = random.Random(9)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    n_read = 0
    for _ in range(2000):
        letter = list(chance.choice(RECORDED_RACES)[:14])
        for _ in range(chance.randint(0, 2)):
            letter[chance.randrange(14)] = chance.choice(letters)
        text = "".join(letter)
        try:
            board = parse_board(text)
        except PositionError:
            try:
                on_roll, opponent = (Position(side) for side in read_id(text))
            except ProbeError:
                continue
            with pytest.raises(PositionError):  # C reads more than Python only in contact
                check_no_contact(on_roll, opponent, text)
            continue
        n_read += 1
        assert write_id(*read_id(text)) == board.position_id() == text
    assert 500 < n_read < 1900


@pytest.mark.parametrize("row", [row for row in rows("refused_positions") if row.text("status") != "COVERAGE"], ids=str)
def test_positions_without_an_id_are_refused(row: Row) -> None:
    side = row.position("position")
    refused(row.text("status"), write_id, side, side)


# ---------------------------------------------------------------------- progress


def test_the_progress_function_hears_of_all_work_and_can_stop_it() -> None:
    race = (2, 2, 1, 1, 2, 1, 1), (1, 1, 2, 1, 2, 2, 1)
    heard: list[float] = []

    def listen(_context: int | None, done: float) -> int:
        heard.append(done)
        return done > most

    most = 1.0
    Solver().solve(*race, Stakes.money(), seconds=0.05, progress=Progress(listen))
    assert heard == sorted(heard)
    assert (0 <= heard[0] < 0.5, heard[-1]) == (True, 1)
    assert len(heard) > 5
    n_calls, heard, most = len(heard), [], 0.5
    refused("STOPPED", Solver().solve, *race, Stakes.money(), seconds=0.05, progress=Progress(listen))
    assert heard[-2] <= 0.5 < heard[-1]
    assert len(heard) < n_calls


def test_progress_is_called_often_enough_for_ctrl_c() -> None:
    """Also while plays are weighed, and a table of small pairs is made."""
    race = (0, 0, 2, 3, 3, 4, 0, 1, 0), (0, 0, 1, 2, 4, 4, 0, 1, 1)
    called: list[float] = []

    def note(*_: float | None) -> int:
        called.append(time.thread_time())
        return 0

    Solver().solve(*race, Stakes.money(), seconds=2.0, progress=Progress(note))
    assert max(after - before for before, after in pairwise(called)) < 0.4


def test_progress_is_called_often_enough_where_a_position_has_many_plays() -> None:
    race = (0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 2, 5), (0, 0, 0, 0, 0, 5, 1, 2, 0, 1, 2, 4)
    called: list[float] = []

    def note(*_: float | None) -> int:
        called.append(time.thread_time())
        return called[-1] > called[0] + 1.5

    refused("STOPPED", Solver().solve, *race, Stakes.money(), exactness=0.1, progress=Progress(note))
    assert max(after - before for before, after in pairwise(called)) < 0.3


# ---------------------------------------------------------------------- the same bits, whatever the flags


BITS = ROOT / "tests/c/bits.c"


@pytest.fixture(scope="module")
def bits(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the bits of the package's own library."""
    program = with_own_library(BITS, tmp_path_factory.mktemp("bits") / "bits")
    return call(program)


@pytest.mark.platforms
@pytest.mark.parametrize("processor", ["fma", *OTHERS])
def test_the_two_files_give_the_same_bits_everywhere(processor: str, bits: str, once: Path, tmp_path: Path) -> None:
    command, runner = OTHERS.get(processor, (["cc", "-std=gnu11", "-O2", "-mfma", "-ffp-contract=fast"], []))
    if processor in OTHERS:
        skip_without(processor)
    elif " fma " not in Path("/proc/cpuinfo").read_text(encoding="utf-8"):
        pytest.skip("needs a processor with fused multiply-add")
    program = with_library(once, command, BITS, tmp_path / "bits")
    assert call(*runner, program) == bits
