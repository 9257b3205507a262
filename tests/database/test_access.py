"""Ways to access a file (mapped, loaded into memory, or read), and answers when the file changes."""

from __future__ import annotations

import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from helpers.files import damaged, unreadable
from helpers.once import Made

import bgrace
from bgrace.database.store.reader import Access, Verify, read_tables
from bgrace.errors import FormatError, MemoryLimitError

ACCESSES = get_args(Access)
ONE, OTHER = (0, 0, 0, 0, 1, 1), (0, 1, 0, 1, 0, 0)


@pytest.fixture(scope="module")
def files(made: Made) -> dict[str, Path]:
    """A file of each kind."""
    return {"money": made(6, 6, 3), "packed": made(8, 15, 0), "archive": made(6, 6, 3, "archive")}


def answers(db: bgrace.Database) -> list[object]:
    """Return a file's answers to single questions and to arrays."""
    said: list[object] = []
    positions = np.array([ONE, OTHER, (1, 1, 1, 0, 0, 0), (0, 0, 0, 0, 0, 1)])
    for pos in (ONE, OTHER, positions, positions.reshape(2, 2, 6)):
        said += [db.epc(pos), db.mean_rolls(pos), db.variance_rolls(pos), db.roll_distribution(pos)]
    said += [db.win_probability(ONE, OTHER), db.win_probability(positions, OTHER)]
    said.append(db.win_probability(positions[:, np.newaxis], positions[np.newaxis]))
    if db.two_sided_checkers:
        said += [db.equities(ONE, OTHER), db.cube_action(positions, OTHER), db.best_plays(ONE, OTHER, "31")]
        said += [
            db.equities(positions, OTHER).centered,
            bgrace.solve((2, 2, 1, 1, 0, 0), (3, 2, 1, 0, 0, 0), database=db).equities,
        ]
    return [each.tolist() if isinstance(each, np.ndarray) else each for each in said]


@pytest.mark.parametrize("kind", ["money", "archive"])
@pytest.mark.parametrize(
    ("access", "verify"), [*((access, False) for access in ACCESSES), ("map", "lazily"), ("read", "lazily")]
)
def test_answers_do_not_depend_on_the_access(files: dict[str, Path], kind: str, access: Access, verify: Verify) -> None:
    with bgrace.open(files["money"]) as mapped, bgrace.open(files[kind], access, verify=verify) as db:
        assert answers(mapped) == answers(db) == answers(pickle.loads(pickle.dumps(db)))


def test_lazy_verification_refuses_only_the_damaged_rows(files: dict[str, Path], tmp_path: Path) -> None:
    stored, path = read_tables(files["money"]), tmp_path / "damaged.h5"
    entry, data = stored.entry("two_sided/equities"), bytearray(files["money"].read_bytes())
    n_bytes = entry.n_bytes // len(stored.tables["two_sided/order"])
    data[entry.offset + 40 * n_bytes + 11] ^= 1
    data[stored.entry("one_sided/variance_rolls").offset] ^= 1
    path.write_bytes(data)
    unreadable("has CRC-32", path, verify=True)
    ranks = stored.tables["two_sided/order"]
    with pickle.loads(pickle.dumps(bgrace.open(path, verify="lazily"))) as db, bgrace.open(files["money"]) as right:
        for rank, index in enumerate(np.asarray(ranks)[1:], 1):
            pair = right.space.position(int(index)), (0, 0, 0, 0, 0, 1)
            if rank == 40:
                for question in (db.equities, db.win_probability):
                    with pytest.raises(FormatError, match="fails a checksum"):
                        question(*pair)
                with pytest.raises(FormatError, match="fails a checksum"):
                    db.equities(np.array([pair[0]]), pair[1])
            else:
                assert db.equities(*pair) == right.equities(*pair)
        assert db.epc(ONE) == right.epc(ONE)
        with pytest.raises(FormatError, match="fails a checksum"):
            db.variance_rolls(ONE)


@pytest.mark.parametrize("access", ACCESSES)
def test_packed_distributions_do_not_depend_on_the_access(files: dict[str, Path], access: Access) -> None:
    pos = np.array([(2, 2, 2, 3, 3, 3, 0, 0), (0, 0, 0, 0, 0, 0, 1, 1)])
    with bgrace.open(files["packed"]) as mapped, bgrace.open(files["packed"], access) as db:
        for look in ("epc", "variance_rolls", "roll_distribution", "first_checker_distribution"):
            assert np.array_equal(getattr(db, look)(pos), getattr(mapped, look)(pos))
            assert np.array_equal(getattr(db, look)(pos[1]), getattr(mapped, look)(pos[1]))


@pytest.mark.parametrize("access", ACCESSES)
def test_races_beyond_the_file_do_not_depend_on_the_access(files: dict[str, Path], access: Access) -> None:
    race = (2, 2, 2, 3, 3, 3), (3, 3, 3, 2, 2, 2)
    with bgrace.open(files["money"]) as mapped, bgrace.open(files["money"], access) as db:
        first, second = (bgrace.solve(*race, database=file, seconds=0.01) for file in (mapped, db))
    if access == "read":  # look-ups are slow, so fewer of them fit into the budget
        for place in ("cubeless", "centered", "mine", "theirs"):
            apart = getattr(first.equities, place) - getattr(second.equities, place)
            assert abs(apart) <= first.error + second.error
        return
    assert first.equities == second.equities
    assert first.error == second.error


def test_a_file_larger_than_memory_is_not_loaded(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgrace.database.store.reader.machine_bytes", lambda: 1000)
    with pytest.raises(MemoryLimitError, match='open it with access="map" or "read"'):
        bgrace.open(files["money"], "load")


# ---------------------------------------------------------------------- files that change


def copied(path: Path, folder: Path) -> Path:
    """Copy a file and give it an old date, because changes within a tick of the clock are not noticed."""
    copy = folder / path.name
    shutil.copyfile(path, copy)
    os.utime(copy, (1_700_000_000, 1_700_000_000))
    return copy


def overwrite(path: Path) -> None:
    """Change every byte after the directory in place."""
    with open(path, "r+b") as file:
        data = file.read()
        file.seek(4096)
        file.write(bytes(byte ^ 0x3F for byte in data[4096:]))


def cut_short(path: Path) -> None:
    os.truncate(path, 4096)


@pytest.mark.parametrize("change", [overwrite, cut_short, Path.unlink], ids=lambda change: change.__name__)
@pytest.mark.parametrize("kind", ["money", "archive"])
def test_a_loaded_file_may_change(
    files: dict[str, Path], tmp_path: Path, kind: str, change: Callable[[Path], None]
) -> None:
    path = copied(files[kind], tmp_path)
    with bgrace.open(path, "load") as db:
        before = answers(db)
        change(path)
        assert answers(db) == before


@pytest.mark.parametrize("change", [overwrite, cut_short], ids=lambda change: change.__name__)
def test_a_file_in_use_must_not_change(files: dict[str, Path], tmp_path: Path, change: Callable[[Path], None]) -> None:
    path = copied(files["money"], tmp_path)
    with bgrace.open(path, "read") as db:
        change(path)
        asked: list[Callable[[], object]] = [
            lambda: db.epc(ONE),
            lambda: db.epc([ONE, OTHER]),
            lambda: db.roll_distribution(ONE),
            lambda: db.win_probability(ONE, OTHER),
            lambda: db.win_probability([ONE], OTHER),
            lambda: db.solution(ONE, OTHER).win_probability,
            lambda: db.equities(ONE, OTHER),
            lambda: db.equities([ONE], OTHER),
        ]
        for ask in asked:
            with pytest.raises(FormatError, match="changed after it was opened"):
                ask()


@pytest.mark.parametrize("access", ACCESSES)
def test_a_file_answers_while_it_is_built_anew(tmp_path: Path, access: Access) -> None:
    path = tmp_path / "served.h5"
    bgrace.build(path, 6, 4, 3)
    with bgrace.open(path, access) as db:
        before = answers(db)
        during: list[bool] = []

        def look(_done: int, _todo: int) -> None:
            if not during:
                during.append(answers(db) == before)

        bgrace.build(path, 6, 8, 4, force=True, progress=look)
        assert during == [True]
        assert answers(db) == before
        with bgrace.open(path, access) as successor:
            assert (db.space.checkers, successor.space.checkers) == (4, 8)


# ---------------------------------------------------------------------- damage


@pytest.mark.parametrize("access", ACCESSES)
def test_opening_finds_damage_only_if_it_verifies(files: dict[str, Path], tmp_path: Path, access: Access) -> None:
    wrong = damaged(tmp_path / "wrong.h5", files["money"], "two_sided/equities", 1000)
    bgrace.open(wrong, access).close()
    unreadable("is damaged: two_sided/equities has CRC-32", wrong, access, verify=True)
    for kind in ("money", "archive"):
        bgrace.open(files[kind], access, verify=True).close()
