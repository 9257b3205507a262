"""Databases for one score of a match: what they answer, how they are checked, and what is refused."""

from __future__ import annotations

import itertools
import json
import random
import shutil
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from bgrace.database.building_match import build_match, plan_match_build
from helpers.command import run
from helpers.match_cases import OWNERS, TABLE, random_position
from helpers.match_reference import MatchState, solver

import bgrace
import bgrace.verify
from bgrace import (
    ArgumentError,
    BuildError,
    ClosedError,
    CoverageError,
    FormatError,
    MatchDatabase,
    MemoryLimitError,
    PositionError,
)
from bgrace.database.store import StoredMatch, read_match_file, write_match_file
from bgrace.match import Score

SCORES = [Score(3, 5), Score(5, 5), Score(2, 1), Score(1, 3), Score(4, 1, crawford=True), Score(1, 1), Score(2, 2)]


def build(path: Path, score: Score, checkers: int = 3, points: int = 6, **options: Any) -> Path:
    build_match(path, plan_match_build(score, checkers, points, met=TABLE, threads=1, **options))
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
        assert db.gammons
        for x, y in (((1, 0), (0, 15)), ((2, 2), (15, 0)), ((15, 0), (1, 1)), ((8, 7), (15, 0))):
            for cube, where in cubes(Score(3, 4)):
                solved = bgrace.solve(x, y, match=Score(4, 3), cube_value=cube, met=TABLE, threads=1)
                found = db.cube_action(x, y, where, match=Score(4, 3), cube_value=cube)
                assert found.no_double == pytest.approx(solved.cube_action(where).no_double, abs=1e-12)
                assert found.verdict == solved.cube_action(where).verdict


# ---------------------------------------------------------------------- the file


def test_every_entry_is_recomputed(tmp_path: Path) -> None:
    for k, score in enumerate((Score(2, 3), Score(3, 1, crawford=True))):
        report = bgrace.verify.verify(build(tmp_path / f"{k}.h5", score, 2), full=True)
        report.raise_if_failed()
        assert [check.name for check in report.checks][-1] == "pairs from their successors"


def test_other_programs_can_read_it(three_five: Path) -> None:
    with h5py.File(three_five) as file, bgrace.open(three_five) as db:
        assert file.attrs["format"] == "bgrace match"
        assert (file.attrs["first_needs"], file.attrs["second_needs"]) == (3, 5)
        assert file.attrs["met_sha256"] == TABLE.sha256
        order = file["order"][:].tolist()
        i, j = (order.index(db.space.index(text)) for text in ("5x1 6x1", "4x1 5x1"))
        # Plane 0 is the chance to win the game, as 2W - 1.
        win = file["values"][i, j, file["columns"][0, 0]]
        assert (1 + win) / 2 == pytest.approx(db.win_probability("5x1 6x1", "4x1 5x1"), abs=1e-15)
        assert "normalised equity" in file["values"].attrs["unit"]


def test_the_same_bytes_for_any_number_of_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    files = []
    for threads in (1, 3):
        build_match(tmp_path / f"{threads}.h5", plan_match_build(Score(4, 3), 4, met=TABLE, threads=threads))
        files.append((tmp_path / f"{threads}.h5").read_bytes())
    assert files[0] == files[1]


def test_damage(three_five: Path, tmp_path: Path) -> None:
    whole = three_five.read_bytes()
    stored = read_match_file(three_five)
    first = min(stored.offsets.values())
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
    for name, offset in stored.offsets.items():
        path.write_bytes(whole[: offset + 3] + bytes([whole[offset + 3] ^ 4]) + whole[offset + 4 :])
        report = bgrace.verify.verify(path, samples=5)
        assert not report.passed, name
    path.write_bytes(b"no such file")
    with pytest.raises(FormatError):
        read_match_file(path)


def rewritten(stored: StoredMatch, path: Path, change: Any) -> Path:
    """The same file with other tables, and checksums that are right."""
    tables = {name: table.copy() for name, table in stored.tables.items()}
    change(tables)
    values = tables.pop("values")

    def fill(out: Any) -> None:
        out[:] = values

    facts = {name: value for name, value in stored.attributes.items() if not name.startswith("format")}
    write_match_file(path, facts, tables, values.shape, fill)
    return path


def test_wrong_contents_with_right_checksums(three_five: Path, tmp_path: Path) -> None:
    stored = read_match_file(three_five)

    def entry(tables: Any) -> None:
        tables["values"][1:, 1:] += 1e-9

    def bound(tables: Any) -> None:
        tables["values"][7, 9, 2] = 3

    def nan(tables: Any) -> None:
        tables["values"][7, 9, 2] = np.nan

    def finished(tables: Any) -> None:
        tables["values"][0, 5, 1] = 0.5

    def order(tables: Any) -> None:
        tables["order"][[5, 6]] = tables["order"][[6, 5]]

    def met(tables: Any) -> None:
        tables["pre_crawford"][4, 4] += 0
        tables["post_crawford"][0, -1] -= 1e-15

    for change, failing in (
        (entry, "pairs from their successors"),
        (bound, "bounds"),
        (nan, "bounds"),
        (finished, "finished games"),
        (order, "ranks"),
        (met, "match equity table"),
    ):
        report = bgrace.verify.verify(rewritten(stored, tmp_path / "wrong.h5", change))
        assert failing in [check.name for check in report.failures]

    def planes(tables: Any) -> None:
        tables["planes"][1, 0, 3] += 1e-6

    def columns(tables: Any) -> None:
        tables["columns"][0, 0] = 99

    def twice(tables: Any) -> None:
        tables["order"][5] = tables["order"][6]

    for change in (planes, columns, twice):
        wrong = rewritten(stored, tmp_path / "wrong.h5", change)
        with pytest.raises(FormatError):
            bgrace.open(wrong)
        assert not bgrace.verify.verify(wrong).passed


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
        bgrace.database.money.open(three_five)


def test_scores_of_a_wrong_kind(three_five: Path) -> None:
    score: Any = (3, 5)
    with bgrace.open(three_five) as db, pytest.raises(ArgumentError, match=r"\(3, 5\) is no score"):
        db.solution("6x1", "6x1", match=score)
    with pytest.raises(ArgumentError, match=r"\(3, 5\) is no score"):
        plan_match_build(score)


def test_wrong_builds(three_five: Path, tmp_path: Path) -> None:
    plan = plan_match_build(Score(3, 5), 2, met=TABLE)
    with pytest.raises(BuildError, match="there already"):
        build_match(three_five, plan)
    with pytest.raises(BuildError, match="no folder"):
        build_match(tmp_path / "nowhere" / "x.h5", plan)
    with pytest.raises(MemoryLimitError, match=r"GiB of memory, 8\.00 GiB are allowed"):
        plan_match_build(Score(5, 5), 15, memory_bytes=8 << 30)
    with pytest.raises(MemoryLimitError, match="fewer checkers"):
        plan_match_build(Score(5, 5), 15, 24)
    with pytest.raises(ArgumentError, match="up to 5 points"):
        plan_match_build(Score(6, 5), 2, met=TABLE)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_match(tmp_path / "stopped.h5", plan, progress=stop)
    assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------------- the command line


def test_commands(tmp_path: Path) -> None:
    file = str(tmp_path / "5-3.h5")
    made = run("build", file, "--match", "5,3", "--two-sided", "2", "--json")
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
    assert "Match, 5-away, 3-away" in shown.output
    facts = run("info", file)
    assert "5-away, 3-away" in facts.output
    assert "Kazaross XG2" in facts.output
    assert json.loads(run("info", file, "--json").stdout)["first_needs"] == 5
    assert run("verify", file).exit_code == 0
    crawford = str(tmp_path / "crawford.h5")
    assert run("build", crawford, "--match", "4,1", "--crawford", "--two-sided", "2", "--met", "zadeh").exit_code == 0
    assert "nobody may double" in run("query", crawford, *pair).output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("build", "X", "--match", "5,3", "--checkers", "4"), "--two-sided"),
        (("build", "X", "--crawford"), "give --match"),
        (("build", "X", "--match", "5"), "is no score"),
        (("build", "X", "--match", "5,3", "--crawford"), "no Crawford game"),
        (("query", "F", "1x1"), "give OPP"),
        (("query", "F", "1x1", "1x1", "--jacoby"), "--jacoby is for money"),
        (("query", "F", "1x1", "1x1", "--match", "4,4"), "is for 3-away, 5-away"),
        (("query", "S", "1x1", "1x1", "--cube-value", "2"), "for a file of one score"),
        (("windows", "--positions", "F"), "one score of a match"),
    ],
    ids=str,
)
def test_wrong_commands(three_five: Path, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    files = {"X": str(tmp_path / "x.h5"), "F": str(tmp_path / "f.h5"), "S": "data/small.h5"}
    shutil.copy(three_five, files["F"])
    result = run(*(files.get(word, word) for word in arguments))
    assert result.exit_code in (1, 2)
    assert message in " ".join(result.output.split())
