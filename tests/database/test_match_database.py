"""Databases for one score of a match: what they answer, how they are checked, and what is refused."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from helpers.command import run
from helpers.files import written
from helpers.match_cases import OWNERS, TABLE, random_position
from helpers.match_reference import MatchState, solver
from helpers.paths import GOLDEN

import bgrace
import bgrace.verify
from bgrace import (
    ArgumentError,
    ClosedError,
    CoverageError,
    FormatError,
    MatchDatabase,
    PositionError,
)
from bgrace.database.match import open_match
from bgrace.database.money import open_money
from bgrace.database.store import StoredTables, read_tables
from bgrace.database.store.writer import Work
from bgrace.match import Score

SCORES = [Score(3, 5), Score(5, 5), Score(2, 1), Score(1, 3), Score(4, 1, crawford=True), Score(1, 1), Score(2, 2)]


def build(path: Path, score: Score, checkers: int = 3, points: int = 6) -> Path:
    bgrace.build(path, points, checkers, checkers, match=score, met=TABLE, threads=1)
    return path


@pytest.fixture(scope="module")
def three_five(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("match") / "3-5.h5", Score(3, 5))


def cubes(score: Score) -> list[tuple[int, str]]:
    values = [2**k for k in range(5)]
    return [(1, "centered"), *((value, where) for value in values[1:] for where in ("mine", "theirs", "none"))]


@pytest.mark.parametrize("score", SCORES, ids=str)
def test_answers_are_those_of_a_solution(tmp_path: Path, score: Score) -> None:
    source = random.Random(5)
    with bgrace.open(build(tmp_path / "match.h5", score)) as db:
        assert isinstance(db, MatchDatabase)
        for seen in {score, score.swapped}:
            for cube, where in cubes(seen):
                x, y = random_position(source, 3), random_position(source, 3)
                solved = bgrace.solve(x, y, match=seen, cube_value=cube, met=TABLE, threads=1)
                found = db.solution(x, y, match=seen, cube_value=cube)
                wanted, action = solved.cube_action(where), found.cube_action(where)
                assert (action.verdict, action.reason) == (wanted.verdict, wanted.reason)
                assert action.no_double == pytest.approx(wanted.no_double, abs=1e-12)
                if wanted.double_take is None:
                    assert action.double_take is None
                else:
                    assert action.double_take == pytest.approx(wanted.double_take, abs=1e-12)
                assert found.win_probability == pytest.approx(solved.win_probability, abs=1e-12)
                for mine, theirs in zip(found.best_plays("31", where), solved.best_plays("31", where), strict=True):
                    assert mine.play == theirs.play or mine.mwc == pytest.approx(theirs.mwc, abs=1e-12)
                    assert mine.mwc == pytest.approx(theirs.mwc, abs=1e-12)


def test_slow_twin(three_five: Path) -> None:
    exact, source = solver(TABLE.pre_crawford.tolist(), TABLE.post_crawford[0].tolist()), random.Random(7)
    with bgrace.open(three_five) as db:
        for score, (cube, where) in itertools.product((Score(3, 5), Score(5, 3)), cubes(Score(3, 5))[:6]):
            if where == "none":
                continue
            x, y = random_position(source, 3), random_position(source, 2)
            state = MatchState(score.on_roll_needs, score.opponent_needs, cube, OWNERS[where], False)
            action = db.cube_action(x, y, where, match=score, cube_value=cube)
            assert action.no_double == pytest.approx(exact(x, y, state)[0], abs=1e-9)


def test_gammons(tmp_path: Path) -> None:
    path = build(tmp_path / "gammons.h5", Score(3, 4), 15, 2)
    assert bgrace.verify.verify(path).passed
    with bgrace.open(path) as db:
        assert isinstance(db, MatchDatabase)
        assert db.gammons
        for x, y in (((1, 0), (0, 15)), ((2, 2), (15, 0)), ((15, 0), (1, 1)), ((8, 7), (15, 0))):
            for cube, where in cubes(Score(3, 4)):
                solved = bgrace.solve(x, y, match=Score(4, 3), cube_value=cube, met=TABLE, threads=1)
                found = db.cube_action(x, y, where, match=Score(4, 3), cube_value=cube)
                assert found.no_double == pytest.approx(solved.cube_action(where).no_double, abs=1e-12)
                assert found.verdict == solved.cube_action(where).verdict


def test_one_position_is_answered_as_in_a_file_for_money(tmp_path: Path) -> None:
    bgrace.build(tmp_path / "match.h5", 6, 5, 2, match=Score(3, 5), met=TABLE, threads=1)
    bgrace.build(tmp_path / "money.h5", 6, 5, 2, threads=1)
    with bgrace.open(tmp_path / "match.h5") as db, bgrace.open(tmp_path / "money.h5") as money:
        assert (db.space.checkers, db.two_sided_checkers) == (5, 2)
        assert db.epc("6x4 1x1") == money.epc("6x4 1x1")
        assert db.alone("6x4", "31").to_dict() == money.alone("6x4", "31").to_dict()
        assert np.array_equal(db.roll_distribution("5x3"), money.roll_distribution("5x3"))
        # Beyond the pairs, from both sides' rolls.
        pairs = db.space.position(np.array([5, 30, 400])), db.space.position(np.array([7, 300, 20]))
        assert db.method(*pairs).tolist() == ["two-sided", "one-sided", "one-sided"]
        assert np.allclose(db.win_probability(*pairs), money.win_probability(*pairs), atol=4e-5)
        assert db.info()["positions"] == money.info()["positions"]


# ---------------------------------------------------------------------- the file


def test_every_entry_is_recomputed(tmp_path: Path) -> None:
    for k, score in enumerate((Score(2, 3), Score(3, 1, crawford=True))):
        report = bgrace.verify.verify(build(tmp_path / f"{k}.h5", score, 2), full=True)
        report.raise_if_failed()
        assert [check.name for check in report.checks][-1] == "pairs from their successors"


def test_other_programs_can_read_it(three_five: Path) -> None:
    with h5py.File(three_five) as file, bgrace.open(three_five) as db:
        assert (file.attrs["format"], file.attrs["format_version"]) == ("bgrace", 3)
        assert (file.attrs["first_needs"], file.attrs["second_needs"]) == (3, 5)
        assert file.attrs["met_sha256"] == TABLE.sha256
        order = file["two_sided/order"][:].tolist()
        i, j = (order.index(db.space.index(text)) for text in ("5x1 6x1", "4x1 5x1"))
        # Plane 0 is the chance to win the game, as 2W - 1.
        win = file["match/values"][i, j, file["match/columns"][0, 0]]
        assert (1 + win) / 2 == pytest.approx(db.win_probability("5x1 6x1", "4x1 5x1"), abs=1e-15)
        assert "normalised equity" in file["match/values"].attrs["unit"]


def test_the_same_bytes_for_any_number_of_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    files = []
    for threads in (1, 3):
        bgrace.build(tmp_path / f"{threads}.h5", 6, 4, 4, match=Score(4, 3), met=TABLE, threads=threads)
        files.append((tmp_path / f"{threads}.h5").read_bytes())
    assert files[0] == files[1]


def test_damage(three_five: Path, tmp_path: Path) -> None:
    whole = three_five.read_bytes()
    stored = read_tables(three_five)
    first = min(entry.offset for entry in stored.entries)
    source = random.Random(11)
    path = tmp_path / "damaged.h5"
    for k in [*(source.randrange(22, 4096) for _ in range(40)), *(source.randrange(4096, first) for _ in range(20))]:
        path.write_bytes(whole[:k] + bytes([whole[k] ^ 1 << source.randrange(8)]) + whole[k + 1 :])
        with pytest.raises(FormatError, match=r"damaged|version"):
            bgrace.open(path)
    for size in (100, 4096, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(FormatError, match="damaged"):
            bgrace.open(path)
    for name, offset in ((entry.name, entry.offset) for entry in stored.entries):
        path.write_bytes(whole[: offset + 3] + bytes([whole[offset + 3] ^ 4]) + whole[offset + 4 :])
        report = bgrace.verify.verify(path, samples=5)
        assert not report.passed, name
    path.write_bytes(b"no such file")
    with pytest.raises(FormatError):
        open_match(path)


def rewritten(stored: StoredTables, path: Path, name: str, place: Any, change: Callable[[Any], Any]) -> Path:
    """The same file with other numbers in a table, and checksums that are right."""
    directory = stored.directory
    sizes = directory.points, directory.checkers, directory.two_sided_checkers
    path.unlink(missing_ok=True)
    with written(path, Work(*sizes, str(stored.attributes["generator"]), directory.gammons, directory.match)) as writer:
        for entry in stored.entries:
            table = writer.add(entry.name, entry.shape, entry.scale)
            table[...] = stored.tables[entry.name]
            if entry.name == name:
                table[place] = change(table[place].copy())
    return path


@pytest.mark.parametrize(
    ("name", "place", "change", "failing", "is_refused"),
    [
        ("match/values", np.s_[1:, 1:], lambda values: values + 1e-9, "pairs from their successors", False),
        ("match/values", (7, 9, 2), lambda _: 3, "bounds", False),
        ("match/values", (7, 9, 2), lambda _: np.nan, "bounds", False),
        ("match/values", (0, 5, 1), lambda _: 0.5, "finished games", False),
        ("two_sided/order", np.s_[5:7], lambda ranks: ranks[::-1], "two-sided order", False),
        ("two_sided/order", np.s_[5:7], lambda ranks: ranks[1], "two-sided order", True),
        ("match/post_crawford", (0, -1), lambda chance: chance - 1e-15, "match equity table", False),
        ("match/pre_crawford", (3, 3), lambda _: np.nan, "match equity table", True),
        ("match/planes", (1, 0, 3), lambda number: number + 1e-6, "cube planes", True),
        ("match/planes", (1, 0, 2), lambda _: 99, "cube planes", True),
        ("match/columns", (0, 0), lambda _: 99, "tables", True),
    ],
)
def test_wrong_contents_with_right_checksums(
    three_five: Path,
    tmp_path: Path,
    name: str,
    place: Any,
    change: Callable[[Any], Any],
    failing: str,
    is_refused: bool,
) -> None:
    path = rewritten(read_tables(three_five), tmp_path / "wrong.h5", name, place, change)
    assert failing in [check.name for check in bgrace.verify.verify(path).failures]
    if is_refused:
        with pytest.raises(FormatError):
            bgrace.open(path)


def test_an_archive_answers_alike(three_five: Path, tmp_path: Path) -> None:
    archive = tmp_path / "archive.h5"
    bgrace.build(archive, 6, 3, 3, match=Score(3, 5), met=TABLE, compress=True)
    assert bgrace.verify.verify(archive).passed
    with bgrace.open(archive) as packed, bgrace.open(three_five) as plain:
        for pair in (("5x1 6x1", "4x1 5x1"), ("6x3", "1x1")):
            assert packed.cube_action(*pair) == plain.cube_action(*pair)


def test_files_of_the_format_before(tmp_path: Path) -> None:
    """They had a format of their own; one line says what to do."""
    for look in (bgrace.open, bgrace.verify.verify):
        with pytest.raises(FormatError, match=r"before version 3.*: build the file again"):
            look(GOLDEN / "match-version-1.h5")
    with pytest.raises(FormatError, match="has format version 2; this bgrace reads versions 3 to 6: build"):
        bgrace.open(GOLDEN / "version-2.h5")


# ---------------------------------------------------------------------- what is refused


def test_wrong_questions(three_five: Path) -> None:
    db = bgrace.open(three_five)
    with pytest.raises(ArgumentError, match="is for 3-away, 5-away, not for 4-away"):
        db.cube_action("1x1", "1x1", match=Score(4, 5))
    with pytest.raises(ArgumentError, match="cube value 3"):
        db.cube_action("1x1", "1x1", cube_value=3)
    with pytest.raises(ArgumentError, match="cannot be centered"):
        db.cube_action("1x1", "1x1", "centered", cube_value=2)
    with pytest.raises(CoverageError, match="up to 3 checkers a side"):
        db.cube_action("1x4", "1x1")
    with pytest.raises(CoverageError, match="on 6 points"):
        db.cube_action("7x1", "1x1")
    with pytest.raises(PositionError, match="the game is over"):
        db.cube_action("1x1", "off")
    db.close()
    with pytest.raises(ClosedError):
        db.cube_action("1x1", "1x1")
    with pytest.raises(ClosedError):
        db.info()
    with pytest.raises(FormatError, match="one score of a match"):
        open_money(three_five)


def test_scores_of_a_wrong_kind(three_five: Path) -> None:
    score: Any = (3, 5)
    with bgrace.open(three_five) as db, pytest.raises(ArgumentError, match=r"\(3, 5\) is not a score"):
        db.solution("6x1", "6x1", match=score)


# ---------------------------------------------------------------------- the command line


def test_commands(tmp_path: Path) -> None:
    file = str(tmp_path / "5-3.h5")
    made = run("build", file, "--match", "5,3", "--checkers", "4", "--two-sided", "2", "--json")
    assert made.exit_code == 0, made.output
    assert json.loads(made.stdout)["pairs"] == 28 * 28
    pair = ("5x1 6x1", "4x1 5x1")
    for options in ((), ("--match", "3,5"), ("--cube-value", "2", "--cube", "mine"), ("--roll", "31")):
        answer = json.loads(run("query", file, *pair, *options, "--json").stdout)
        solve_options = options if "--match" in options else ("--match", "5,3", *options)
        solved = json.loads(run("solve", *pair, *solve_options, "--json").stdout)
        assert answer.pop("method") == "match database"
        assert solved.pop("method") == "solved"
        assert answer["cube_action"]["verdict"] == solved["cube_action"]["verdict"]
        assert answer["cube_action"]["no_double"] == pytest.approx(solved["cube_action"]["no_double"], abs=1e-12)
        assert answer.keys() == solved.keys()
    board = "XGID=-----AA-------------aa----:0:0:1:00:0:0:0:5:10"  # the same, at a score of a match
    assert "money play" not in run("query", file, board).output
    assert "only the player on roll counts" in run("query", file, board, "4x1 5x1").output
    shown = run("query", file, *pair)
    assert shown.output.startswith("Match: you need 5, the opponent 3; cube 1")
    facts = run("info", file)
    assert "5-away, 3-away" in facts.output
    assert "Kazaross XG2" in facts.output
    assert json.loads(run("info", file, "--json").stdout)["first_needs"] == 5
    assert run("verify", file).exit_code == 0
    crawford = str(tmp_path / "crawford.h5")
    small = ("--checkers", "2", "--two-sided", "2")
    assert run("build", crawford, "--match", "4,1", "--crawford", *small, "--met", "zadeh").exit_code == 0
    assert "nobody may double" in run("query", crawford, *pair).output
