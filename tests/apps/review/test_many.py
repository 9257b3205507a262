"""Many matches: any number of processes gives the same reviews, and bad files are named."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from helpers.command import ran, run, start
from helpers.paths import MATCHES, ROOT

from bgrace.errors import ArgumentError
from bgrace_apps.review import FileReview, MatchReview, find_matches, questions, review, review_many, reviewing
from bgrace_apps.review.questions import Answer, Run

FILES = [MATCHES / "5-103.mat", MATCHES / "3-102.mat", MATCHES / "3-102.sgf", MATCHES / "SOURCES.md"]


@pytest.fixture(scope="module")
def expected() -> list[FileReview]:
    return list(review_many(FILES, workers=1))


def test_processes_give_the_same_reviews(expected: list[FileReview]) -> None:
    assert list(review_many(iter(FILES), workers=2)) == expected
    assert [bool(told.error) for told in expected] == [False, False, False, True]
    assert "SOURCES.md is not a match" in expected[3].error


def test_a_review_does_not_depend_on_the_files_beside_it(expected: list[FileReview], seven: MatchReview) -> None:
    long = MATCHES / "7-104.mat"
    (alone,) = review_many(long)
    assert alone.reviews == (seven,)
    assert list(review_many(str(FILES[0]))) == expected[:1]


def test_a_script_without_a_main_guard_gets_advice(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import bgrace\nfrom bgrace_apps.review import review_many\n"
        f"try: [*review_many({[*map(str, FILES)]}, workers=2)]\nexcept bgrace.errors.BgraceError as error: print(error)"
    )
    said = ran([sys.executable, script]).stdout
    assert re.fullmatch(r"a process was lost .* in a script, call it under if __name__ == '__main__'\n", said)


def test_a_script_that_needs_one_review_does_not_wait_for_all(tmp_path: Path) -> None:
    script, path = tmp_path / "script.py", str(FILES[1])
    script.write_text(
        "from bgrace_apps.review import review_many\nif __name__ == '__main__':\n"
        f"    reviews = review_many(5000 * [{path!r}], workers=2)\n    print(next(reviews).path)"
    )
    assert ran([sys.executable, script], timeout=60).stdout == f"{path}\n"


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_a_review() -> None:
    with start("review", "data/matches", "--seconds", "60", "--workers", "1", cwd=ROOT) as process:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        try:
            _, said = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 1
    assert "Traceback" not in said


def test_matches_are_found_in_folders_and_by_patterns(tmp_path: Path) -> None:
    for name in ("b.mat", "a.sgf", "c.md", "deep/d.XG"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    for names in ([tmp_path], [str(tmp_path)], tmp_path, str(tmp_path)):
        assert [path.name for path in find_matches(names)] == ["a.sgf", "b.mat", "d.XG"]
    found = find_matches([tmp_path / "b.mat", f"{tmp_path}/*.mat", tmp_path / "none"])
    assert [path.name for path in found] == ["b.mat", "none"]


def test_folders_that_cannot_be_read_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "a.mat").touch()
    scandir = os.scandir

    def shut(path: str | int) -> Any:  # root may read every folder, so permissions would not do
        if str(path).endswith("closed"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", shut)
    assert [path.name for path in find_matches([tmp_path])] == ["a.mat", "closed"]


def test_a_question_that_cannot_be_solved_is_left_out_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = review(FILES[0]).decisions
    refused = expected[1].board

    def answer_most(asked: Run, *options: object, **more: object) -> tuple[Answer, ...]:
        if any(one.board.on_roll == refused.on_roll for one in asked):
            raise ArgumentError("a size that this function cannot work with")
        return real(asked, *options, **more)

    real = questions.answer_run
    monkeypatch.setattr(questions, "answer_run", answer_most)
    result = run("review", *FILES[:3], "--workers", "1", "--json")
    assert result.exit_code == 1
    last = result.stderr.splitlines()[-1]
    assert last.startswith("bgrace: 1 of the 3 files could not be reviewed, or not all of it")
    assert last.endswith(str(FILES[0]))
    sides = refused.on_roll, refused.opponent
    left = [each for each in expected if (each.board.on_roll, each.board.opponent) != sides]
    one, *others = map(json.loads, result.stdout.splitlines())
    n_decisions = sum(len(game["decisions"]) for told in (one, *others) for game in told["games"])
    assert n_decisions == 27 - len(expected) + len(left)
    assert not any(told["problems"] for told in others)
    n_refused = sum("could not be solved: a size that" in each["text"] for each in one["problems"])
    assert n_refused == len(expected) - len(left)
    alone = run("review", FILES[0])
    assert alone.exit_code == 1
    assert "Right was" in alone.stdout
    assert alone.stderr.splitlines()[-1].endswith("could not be solved, and what was done there is left out")
    assert review(FILES[0]).decisions == left


def test_an_unforeseen_failure_ends_only_the_review_of_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(match: object, **_options: object) -> None:
        raise TypeError("unforeseen")

    monkeypatch.setattr(reviewing, "review", fail)
    assert [told.error for told in review_many(FILES[:2], workers=1)] == 2 * ["TypeError: unforeseen"]


def test_the_worst_mistakes_of_many_are_ordered_by_points_of_the_cube() -> None:
    """The third of them is only fifth by chance to win the match, so its points are printed, too."""
    paths = MATCHES / "6-203.mat", MATCHES / "3-102.mat"
    shown = run("review", *paths, "--worst", "3", "--workers", "1", "--seconds", "0.05").stdout
    assert "1.20 %" in shown
    assert "1.55 %" not in shown
    points = [float(found) for found in re.findall(r"\?\? \((-0\.\d{4}) points of the cube\)", shown)]
    assert len(points) == 3
    assert points == sorted(points)


def test_reviews_are_added_up_and_bad_files_named() -> None:
    result = run("review", *FILES, "--worst", "1", "--workers", "1")
    assert result.exit_code == 1
    assert "SOURCES.md is not a match" in result.stderr
    assert result.stdout.startswith("Matches: 3, race decisions: 27")
    told = [json.loads(line) for line in run("review", *FILES[:3], "--json", "--workers", "1").stdout.splitlines()]
    assert [one["source"] for one in told] == [str(path) for path in FILES[:3]]
    assert run("review", FILES[3], FILES[3].parent / "none").exit_code == 2
