"""``bgrace review``."""

from __future__ import annotations

from pathlib import Path

from helpers.command import answer, run
from helpers.paths import ROOT

from bgrace.review import review

MATCHES = ROOT / "tests" / "review" / "matches"


def test_the_worst_come_first_with_a_board() -> None:
    result = run("review", MATCHES / "5-103.mat")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "North against East, match to 5"
    worst, next_ = (lines.index(line) for line in lines if line.startswith("Game 3, move"))
    assert lines[worst : worst + 3] == [
        "Game 3, move 27: North played 6-2: 18/12 3/1",
        "  Right was 18/10.",
        "  It cost 0.86 % of the match (0.0353 of the cube).",
    ]
    assert next_ > worst
    assert "BAR" in result.stdout
    assert run("review", MATCHES / "5-103.mat", "--worst", "0").stdout.count("Right was") == 0


def test_json_is_what_the_objects_say() -> None:
    assert answer("review", MATCHES / "5-103.mat") == review(MATCHES / "5-103.mat").to_dict()


def test_what_cannot_be_reviewed_is_wrong_usage(tmp_path: Path) -> None:
    short = tmp_path / "short.mat"
    short.write_text(" 5 point match\n\n Game 1\n A : 0    B : 0\n 1) 31: 8/5 6/5\n", encoding="utf-8")
    empty = tmp_path / "empty.mat"
    empty.touch()
    for path in (short, empty, tmp_path, tmp_path / "none.mat"):
        result = run("review", path)
        assert (result.exit_code, result.stdout) == (2, ""), path
        assert len(result.stderr.splitlines()) == 1
