"""``bgrace review``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from helpers.command import answer, run
from helpers.matches import said
from helpers.paths import MATCHES

from bgrace.board import parse_board
from bgrace_apps.review import MatchReview, prove_mistakes, review


def test_mistakes_are_proved_on_demand(five: MatchReview) -> None:
    """A play of a long race cannot be proved, nor a mistake that the proof contradicts."""
    told = run("review", MATCHES / "5-103.mat", "--prove", "--worst", "1")
    assert "mistakes proved       2 of 2" in told.stdout
    assert all(each.proved is None for each in five.decisions)
    mistake = replace(five.mistakes[0], error=0.01)
    board = parse_board("XGID=--CDCC-------------cdcd---:0:0:1:00:0:0:0:5:10")
    doubles = (replace(mistake, kind="cube", board=board, done=done) for done in ("double", "no double"))
    game = replace(five.games[0], decisions=(mistake, *doubles))
    tried = prove_mistakes(replace(five, games=(game,)), seconds=0.1)
    assert [each.proved for each in tried.decisions] in ([False, True, False], [False, False, True])


def test_json_has_the_fields_of_the_review(five: MatchReview) -> None:
    assert answer("review", MATCHES / "5-103.mat") == five.to_dict()


def test_a_match_without_a_race_and_a_folder_without_matches_are_wrong_usage(tmp_path: Path) -> None:
    short = tmp_path / "short.mat"
    short.write_text(
        " 5 point match\n\n Game 1\n A : 0    B : 0\n 1) 31: 8/5 6/5\n      Wins 1 point", encoding="utf-8"
    )
    (tmp_path / "folder").mkdir()
    written = tmp_path / "review.html"
    for path in (short, tmp_path / "folder"):
        result = run("review", path, "--html", written)
        assert (result.exit_code, result.stdout) == (2, ""), path
        assert len(result.stderr.splitlines()) == 1, result.stderr
        assert not written.exists()


def test_a_missing_file_is_named_beside_the_review_of_another(tmp_path: Path) -> None:
    told = run("review", tmp_path / "none.mat", MATCHES / "5-103.mat", "--workers", "1")
    assert told.exit_code == 1
    assert "none.mat: no such file; give one that is there" in told.stderr


def test_a_player_may_be_in_only_one_of_several_matches(tmp_path: Path) -> None:
    assert run("review", MATCHES / "5-103.mat", "--player", "East").exit_code == 0
    other = tmp_path / "other.mat"
    text = (MATCHES / "5-103.mat").read_text(encoding="utf-8")
    other.write_text(text.replace("East", "West").replace("North", "South"), encoding="utf-8")
    both = "review", MATCHES / "5-103.mat", other, "--workers", "1", "--player"
    assert run(*both, "West").exit_code == 0
    refused = run(*both, "Nort")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "no player 'Nort': the players are North, East, South and West\n" in refused.stderr


def test_a_match_that_was_cut_off_is_reviewed_as_far_as_it_goes(tmp_path: Path) -> None:
    whole = (MATCHES / "5-103.mat").read_text(encoding="utf-8")
    cut = tmp_path / "cut.mat"
    cut.write_text(whole[: whole.index(" 30) ")], encoding="utf-8")
    problem = "game 3, move 29: the file does not tell how the game ends (cut off?): no end is assumed"
    assert said(review(cut)) == [problem]
    for command in (["review"], ["deck", "-o", tmp_path / "cut.apkg"]):
        assert f"{cut}: {problem}\n" in run(*command, cut).stderr


def test_a_review_speaks_german() -> None:
    shown = run("review", MATCHES / "5-103.mat", "--worst", "1", "--language", "de").stdout
    assert "North gegen East" in shown
    assert "-17,09" in next(line for line in shown.splitlines() if "Würfelglück" in line)
    assert not {"decisions", "mistakes", "luck", "checker play"} & set(shown.lower().split())
    resigned = Path(__file__).parent / "cases" / "resign_00.mat"
    shown = run("review", resigned, "--language", "de", "--seconds", "0.05").stdout
    assert "Bob gab auf: ein einfaches Spiel ??\n  Richtig war: weiterspielen.\n" in shown
