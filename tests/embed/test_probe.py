"""The probe of the C library answers as Python does, here and on emulated machines, and refuses damaged files."""

from __future__ import annotations

import os
import random
import re
import shutil
import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import reference
from helpers.boards import scattered
from helpers.command import call
from helpers.compilers import OTHERS, SANITIZED, WARNINGS, skip_without
from helpers.files import resealed, unreadable
from helpers.golden import Row, rows
from helpers.once import Made, with_library, with_own_library
from helpers.paths import ROOT
from helpers.probe_library import LOAD, MAP, MAX_WIDTH, READ, STATUSES, Probe, ProbeError, library, refused
from helpers.reference import FloatArray
from helpers.sparse_file import sparse_file
from helpers.stakes import by_rule

import bgrace
from bgrace.database.store.format import USER_BLOCK, Directory
from bgrace.database.verify import verify
from bgrace.errors import FormatError

SIX_POINT = (0, 0, 0, 0, 0, 1)


def compiled(name: str, once: Path, command: Sequence[str], folder: Path) -> Path:
    """Compile a program of tests/c with the library as one source file."""
    return with_library(once, command, ROOT / f"tests/c/{name}.c", folder / name)


PACKED = ("home", "gammons", "full", "one")


@pytest.fixture(scope="module")
def files(made: Made) -> dict[str, Path]:
    """Make small databases of every kind."""
    paths: dict[str, Path] = {}
    for name, shape in {
        "home": (6, 5, 3),
        "long": (8, 4, 0),
        "gammons": (2, 15, 15),
        "one": (1, 1, 1),
        "full": (3, 15, 4),
    }.items():
        paths |= {name: made(*shape), f"archive-{name}": made(*shape, "archive")}
        if name in PACKED:
            paths[f"packed-{name}"] = made(*shape, "packed")
    return paths


# ---------------------------------------------------------------------- right answers

Query = tuple[tuple[int, ...], tuple[int, ...]]


def random_queries(points: int, checkers: int, n: int) -> list[Query]:
    """Draw pairs of positions, some with more checkers than the file has."""
    rng = random.Random(points * 100 + checkers)

    def position() -> tuple[int, ...]:
        return scattered(rng, points, rng.randint(0, checkers + rng.choice((0, 0, 0, 1))))

    return [(position(), position()) for _ in range(n)]


Reply = tuple[str, str, Sequence[float]]
"""The question, the status, and the results."""


def reply(name: str, ask: Callable[[], Sequence[float]]) -> Reply:
    """Answer a question, or reply that the file does not cover it."""
    try:
        return name, "OK", ask()
    except (bgrace.CoverageError, bgrace.PositionError):
        return name, "COVERAGE", ()


def wide(row: FloatArray) -> list[float]:
    return [*row.tolist(), *[0.0] * (MAX_WIDTH - len(row))]


def equities_of(db: bgrace.Database, mine: tuple[int, ...], theirs: tuple[int, ...]) -> list[float]:
    """Return the members of bgr_equities, in its order."""
    plain, jacoby = (db.equities(mine, theirs, stakes=by_rule(rule)) for rule in (False, True))
    rolling = [plain.centered, plain.mine, jacoby.centered]
    if any(mine) and any(theirs):
        asked = (("centered", False), ("mine", False), ("centered", True))
        rolling = [db.cube_action(mine, theirs, cube, stakes=by_rule(rule)).no_double for cube, rule in asked]
    return [plain.cubeless, plain.centered, plain.mine, plain.theirs, *rolling[:2], jacoby.centered, rolling[2]]


def expected_answers(db: bgrace.Database, mine: tuple[int, ...], theirs: tuple[int, ...]) -> list[Reply]:
    """Answer as probe_answers must, from an archive, which Python reads without the C library."""
    answers = [
        reply("epc", lambda: [db.epc(mine)]),
        reply("rolls", lambda: [db.mean_rolls(mine), db.variance_rolls(mine)]),
        reply("distribution", lambda: wide(db.roll_distribution(mine))),
        reply("first", lambda: wide(db.first_checker_distribution(mine))),
        reply("win", lambda: [db.win_probability(mine, theirs), float(db.method(mine, theirs) == "one-sided")]),
        reply("equities", lambda: equities_of(db, mine, theirs)),
    ]
    if not any(mine) and not any(theirs):
        answers[-2:] = [(name, "POSITION", ()) for name in ("win", "equities")]
    return answers


def ask(program: Path, access: str, path: Path, queries: Sequence[Query], *runner: str) -> list[Reply]:
    """Run probe_answers, and parse its output."""
    text = "".join(f"{len(mine)} {' '.join(map(str, mine + theirs))}\n" for mine, theirs in queries)
    lines = [line.split() for line in call(*runner, program, access, path, input=text).splitlines()]
    return [(name, STATUSES[int(status)], [*map(float.fromhex, values)]) for name, status, *values in lines]


@pytest.fixture(scope="module")
def sanitized(once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("probe_answers", once, SANITIZED, tmp_path_factory.mktemp("c"))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Link the same program with the package's own library."""
    return with_own_library(ROOT / "tests/c/probe_answers.c", tmp_path_factory.mktemp("c") / "probe_answers")


CASES = [
    ("home", 6, 5),
    ("home", 8, 5),
    ("home", 4, 5),
    ("long", 8, 4),
    ("long", 24, 4),
    ("gammons", 2, 15),
    ("one", 1, 1),
]
CASES += [("full", 3, 15), ("full", 5, 9)]


@pytest.mark.parametrize(("name", "points", "checkers"), CASES)
def test_answers_are_those_in_the_file(
    files: dict[str, Path], sanitized: Path, name: str, points: int, checkers: int
) -> None:
    queries = [query for query in random_queries(points, checkers, 80) if max(map(sum, query)) <= 15]
    with bgrace.open(files[f"archive-{name}"]) as db:
        expected = [each for query in queries for each in expected_answers(db, *query)]
    of_each_kind = [files[name], *([files[f"packed-{name}"]] if name in PACKED else [])]
    for access, path in product(("map", "load", "read"), of_each_kind):
        found = ask(sanitized, access, path, queries)
        assert [each[:2] for each in found] == [each[:2] for each in expected]
        # All are equal to the bit, except sums over a distribution, which may be added in another order.
        values, known = (np.concatenate([each[2] for each in answers]) for answers in (found, expected))
        np.testing.assert_allclose(values, known, rtol=1e-14, atol=1e-16)


@pytest.mark.platforms
@pytest.mark.parametrize("processor", ["s390x", "i686"])
def test_other_machines_give_the_same_answers(
    files: dict[str, Path], plain: Path, once: Path, tmp_path: Path, processor: str
) -> None:
    skip_without(processor)
    command, runner = OTHERS[processor]
    program = compiled("probe_answers", once, command, tmp_path)
    for name, points, checkers in (("home", 6, 5), ("long", 8, 4), ("full", 3, 15), ("packed-gammons", 2, 15)):
        queries = [query for query in random_queries(points, checkers, 60) if max(map(sum, query)) <= 15]
        for access in ("map", "read"):
            found = ask(program, access, files[name], queries, *runner)
            assert found == ask(plain, access, files[name], queries)
    check_batches(compiled("probe_pieces", once, command, tmp_path), files["one"], *runner)


def check_batches(program: Path, file: Path, *runner: str) -> None:
    """Run probe_pieces, which fails if a batch has another answer than single questions."""
    n_batches, n_stopped = map(int, call(*runner, program, file, "1").split())
    assert n_batches > n_stopped > 1000


def test_batches_of_any_counts_answer_as_single_questions_do(
    files: dict[str, Path], once: Path, tmp_path: Path
) -> None:
    program = compiled("probe_pieces", once, SANITIZED, tmp_path)
    for name in ("home", "long", "gammons"):
        check_batches(program, files[name])


# ---------------------------------------------------------------------- several files


def test_each_question_goes_to_the_file_that_answers_it_best(files: dict[str, Path], database_path: Path) -> None:
    wide, home, large = files["long"], files["home"], database_path
    for order in ([wide, home, large], [large, home, wide]):
        with Probe(order) as all_of_them, Probe(home) as small, Probe(wide) as long, Probe(large) as much:
            assert library.bgr_n_files(all_of_them.handle) == 3
            assert all_of_them.info(order.index(wide)).points == 8
            # Float64 before 16 bits, whatever the order.
            assert all_of_them.distribution(SIX_POINT) == small.distribution(SIX_POINT) != long.distribution(SIX_POINT)
            assert all_of_them.epc((0, 0, 0, 0, 0, 0, 0, 2)) == long.epc((0, 0, 0, 0, 0, 0, 0, 2))
            assert all_of_them.epc((9, 0, 0, 0, 0, 0)) == much.epc((9, 0, 0, 0, 0, 0))
            pair = (2, 1, 0, 1, 1, 0), (3, 0, 0, 0, 0, 3)
            assert all_of_them.equities(*pair) == much.equities(*pair)
            # A home position against one that is not home: each side from the file that has it.
            assert all_of_them.win_probability((9, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 1, 1))[1] == "one-sided"
            refused("COVERAGE", all_of_them.epc, (5, 0, 0, 0, 0, 0, 0, 1))


def test_a_path_that_fails_is_named(files: dict[str, Path], tmp_path: Path) -> None:
    paths = [files["home"], files["long"], tmp_path / "missing.h5"]
    probe = Probe.__new__(Probe)
    with pytest.raises(ProbeError, match="OPEN"):
        probe.__init__(paths)  # type: ignore[misc]
    assert probe.failed.value == 2
    assert probe.handle.value is None
    refused("SIZE", Probe, [])


def test_info_describes_the_file(files: dict[str, Path]) -> None:
    with Probe(files["gammons"], READ) as probe:
        info = probe.info()
        assert (info.points, info.checkers, info.two_sided_checkers, info.gammons) == (2, 15, 15, 1)
        assert (info.in_memory, info.file_size) == (0, files["gammons"].stat().st_size)
        refused("INDEX", probe.info, 1)
    with Probe(files["home"]) as probe, bgrace.open(files["home"]) as db:
        assert probe.info().in_memory == 1
        assert probe.info().n_rolls == db.roll_distribution(SIX_POINT).size - 1


# ---------------------------------------------------------------------- impossible questions


@pytest.mark.parametrize("row", rows("refused_positions"), ids=str)
def test_impossible_positions_are_refused(files: dict[str, Path], row: Row) -> None:
    position, status = row.position("position"), row.text("status")
    with Probe(files["home"]) as probe:
        fine = (1, *[0] * (len(position) - 1)) if position else ()
        refused(status, probe.epc, position)
        refused(status, probe.distribution, position)
        refused(status, probe.win_probability, position, fine)
        refused(status, probe.equities, fine, position)


def test_two_empty_boards_are_refused(files: dict[str, Path]) -> None:
    with Probe(files["home"]) as probe:
        assert probe.win_probability((0,) * 6, SIX_POINT) == (1.0, "two-sided")
        assert probe.equities(SIX_POINT, (0,) * 6)[0] == -1.0
        for question in (probe.win_probability, probe.equities):
            refused("POSITION", question, (0,) * 6, (0,) * 6)


def test_a_distribution_needs_enough_room(files: dict[str, Path]) -> None:
    with Probe(files["home"]) as probe:
        assert probe.distribution(SIX_POINT, 3) == [0.0, 0.75, 0.25]
        for width in (2, 0, -1):
            refused("SIZE", probe.distribution, SIX_POINT, width)


# ---------------------------------------------------------------------- damaged files


def forged(row: Row) -> Callable[[bytes], bytes]:
    """Return a function that changes the directory of a file, and corrects its checksum."""

    def damage(data: bytes) -> bytes:
        block = bytearray(data)
        struct.pack_into(row.text("form"), block, row.integer("place"), row.integer("value"))
        return resealed(block)

    return damage


DAMAGES: list[tuple[str, Callable[[bytes], bytes], str]] = [
    ("empty", lambda data: b"", "FORMAT"),
    ("text", lambda data: b"hello, world\n" * 1000, "FORMAT"),
    ("head of a file of HDF5", lambda data: b"\x89HDF\r\n\x1a\n", "COMPRESSED"),
    ("first bytes alone", lambda data: data[:8], "FORMAT"),
    ("first bytes and zeros", lambda data: data[:8] + bytes(4088), "VERSION"),
    ("cut in the directory", lambda data: data[:4095], "FORMAT"),
    ("cut short", lambda data: data[:-1], "DAMAGED"),
    ("too long", lambda data: data + b"\0", "DAMAGED"),
    ("without a directory", lambda data: data[USER_BLOCK:], "COMPRESSED"),
    ("unfinished", lambda data: bytes(8) + data[8:], "COMPRESSED"),
    ("next version, other checksum", lambda data: data[:8] + b"\7" + data[9:], "VERSION"),
    ("flipped bit", lambda data: data[:3000] + bytes([data[3000] ^ 1]) + data[3001:], "DAMAGED"),
    *((row.text("name"), forged(row), row.text("status")) for row in rows("forged_directories")),
]


@pytest.mark.parametrize(("damage", "status"), [pytest.param(d, s, id=n) for n, d, s in DAMAGES])
def test_damaged_files_are_refused(
    files: dict[str, Path], tmp_path: Path, damage: Callable[[bytes], bytes], status: str
) -> None:
    path = tmp_path / "x.h5"
    path.write_bytes(damage(files["home"].read_bytes()))
    refused(status, Probe, path.read_bytes())
    for access in (MAP, LOAD, READ):
        refused(status, Probe, path, access)
    for look in (verify, bgrace.open):
        with pytest.raises(FormatError, match=re.escape(str(path))):
            look(path)


def with_entry(data: bytes, name: str, **changes: Any) -> bytes:
    """Change the entry of a table in the directory."""
    directory = Directory.unpack(data, "x")
    entries = tuple(replace(entry, **changes) if entry.name == name else entry for entry in directory.entries)
    return replace(directory, entries=entries).pack() + data[USER_BLOCK:]


def test_overlapping_tables_are_refused(files: dict[str, Path]) -> None:
    data = files["home"].read_bytes()
    first, second, *_ = Directory.unpack(data, "x").entries
    assert first.n_bytes == second.n_bytes
    refused("DAMAGED", Probe, with_entry(data, second.name, offset=first.offset + 8))


def test_an_empty_table_with_rows_longer_than_the_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    bgrace.build(path, points=2, two_sided=15)
    path.write_bytes(with_entry(path.read_bytes(), "gammon/losing", shape=(0, 2**64 - 1)))
    refused("DAMAGED", Probe, path)
    for look in (verify, bgrace.open):
        with pytest.raises(FormatError, match="gammon/losing"):
            look(path)


@pytest.mark.parametrize("rank", [0, 10**9, -5, None])
def test_wrong_ranks_are_refused(files: dict[str, Path], tmp_path: Path, rank: int | None) -> None:
    """A wrong rank leads to another pair, so opening checks this table."""
    data = bytearray(files["home"].read_bytes())
    order = next(e for e in Directory.unpack(bytes(data), "x").entries if e.name == "two_sided/order")
    a, b = order.offset + 20, order.offset + 24
    data[a:b] = data[b : b + 4] if rank is None else struct.pack("<i", rank)
    refused("DAMAGED", Probe, bytes(data))
    (tmp_path / "x.h5").write_bytes(data)
    unreadable("damaged", tmp_path / "x.h5")


def test_impossible_values_are_refused(files: dict[str, Path]) -> None:
    data = files["home"].read_bytes()
    entries = {entry.name: entry for entry in Directory.unpack(data, "x").entries}
    i = reference.index(SIX_POINT)
    row = entries["one_sided/roll_distribution"].shape[1]
    places = {"one_sided/epc": 8 * i, "one_sided/roll_distribution": 8 * row * i}
    for value in (float("nan"), float("inf"), -1.0, 1e300):
        damaged = bytearray(data)
        for name, place in places.items():
            struct.pack_into("<d", damaged, entries[name].offset + place, value)
        equities = entries["two_sided/equities"]
        damaged[equities.offset : equities.offset + equities.n_bytes] = b"\xff\x7f" * (equities.n_bytes // 2)
        with Probe(bytes(damaged)) as probe:
            for one in (probe.epc, probe.distribution):
                refused("DAMAGED", one, SIX_POINT)
            for two in (probe.equities, probe.win_probability):
                refused("DAMAGED", two, SIX_POINT, SIX_POINT)
            refused("DAMAGED", probe.verify)


def test_verify_finds_any_byte(files: dict[str, Path]) -> None:
    data = files["home"].read_bytes()
    with Probe(data) as probe:
        probe.verify()
    rng = random.Random(1)
    for _ in range(60):
        damaged = bytearray(data)
        damaged[rng.randrange(USER_BLOCK, len(data))] ^= 1 << rng.randrange(8)
        # Opening checks the ranks.
        with pytest.raises(ProbeError, match="DAMAGED"), Probe(bytes(damaged)) as probe:
            probe.verify()


# ---------------------------------------------------------------------- files that change while they are open


@pytest.mark.parametrize("access", [MAP, LOAD, READ])
def test_deleted_and_replaced_files_keep_answering(files: dict[str, Path], tmp_path: Path, access: int) -> None:
    path = tmp_path / "x.h5"
    shutil.copy(files["home"], path)
    with Probe(path, access) as probe:
        wanted = probe.epc(SIX_POINT)
        shutil.copy(files["full"], tmp_path / "other.h5")
        os.replace(tmp_path / "other.h5", path)
        assert probe.epc(SIX_POINT) == wanted
        path.unlink()
        assert probe.epc(SIX_POINT) == wanted
        assert not probe.info().changed


def test_changes_of_an_open_file_are_noticed(files: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    for change in ("cut", "written"):
        shutil.copy(files["home"], path)
        os.utime(path, ns=(0, 0))  # long ago, because the clock of files may be coarse
        with Probe(path, MAP) as mapped, Probe(path, LOAD) as loaded, Probe(path, READ) as careful:
            wanted = loaded.epc(SIX_POINT)
            assert careful.epc(SIX_POINT) == wanted
            if change == "cut":
                os.truncate(path, path.stat().st_size // 2)
            else:
                with path.open("r+b") as file:
                    file.seek(USER_BLOCK + 100)
                    file.write(b"x")
            assert mapped.info().changed
            assert careful.info().changed
            refused("CHANGED", careful.verify)
            refused("CHANGED", careful.epc, SIX_POINT)
            refused("CHANGED", careful.equities, SIX_POINT, SIX_POINT)
            assert loaded.epc(SIX_POINT) == wanted
            loaded.verify()


# ---------------------------------------------------------------------- large files


@pytest.mark.parametrize("processor", ["this one", pytest.param("i686", marks=pytest.mark.platforms)])
def test_values_beyond_4_gib_are_read(
    once: Path, tmp_path: Path, request: pytest.FixtureRequest, processor: str
) -> None:
    if processor == "this one":
        program = request.getfixturevalue("sanitized")
    else:
        skip_without(processor)
        program = compiled("probe_answers", once, OTHERS[processor][0], tmp_path)
    path = tmp_path / "whole.h5"
    pairs = sparse_file(path)
    space = bgrace.PositionSpace(6, 15)
    queries = [(tuple(space.position(i)), tuple(space.position(j))) for i, j in pairs]
    step = 1 / 16380
    for access in ("map", "read"):
        found = [values for name, _, values in ask(program, access, path, queries) if name == "equities"]
        for values, steps in zip(found, pairs.values(), strict=True):
            expected = [steps * step, -steps // 2 * step, steps // 2 * step, -steps * step]
            assert [values[k] for k in (0, 3, 4, 5)] == expected


# ---------------------------------------------------------------------- sanitizers


def test_fuzzed_files_are_opened_or_refused(files: dict[str, Path], once: Path, tmp_path: Path) -> None:
    fuzzer = compiled("probe_fuzz", once, SANITIZED, tmp_path)
    for name in ("home", "long", "gammons", "packed-gammons"):
        n_rounds, n_opened = map(int, call(fuzzer, files[name], "125", "7").split())
        assert n_rounds == 125
        assert 75 < n_opened < 250


@pytest.mark.platforms
def test_threads_share_a_database(once: Path, database_path: Path, packed_path: Path, tmp_path: Path) -> None:
    command = ["cc", "-std=c11", *WARNINGS, "-g", "-O0", "-fsanitize=thread", "-pthread"]
    program = compiled("probe_threads", once, command, tmp_path)
    for path in (database_path, packed_path):
        assert call(program, path) == "0 wrong\n"
