"""Files that contradict themselves or lack facts: the problem is named, and such decisions are not judged."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.golden import Row, rows
from helpers.matches import one, said
from helpers.paths import MATCHES
from helpers.xg_file import xg_bytes

import bgrace
from bgrace_apps.review import review
from bgrace_apps.review.reading import read_bytes
from bgrace_apps.review.reading.documents import read_document
from bgrace_apps.review.replay import replay

CASES = Path(__file__).parent / "cases"
WHOLE = (MATCHES / "5-103.mat").read_text(encoding="utf-8")
SGF = (MATCHES / "3-102.sgf").read_text(encoding="utf-8")
PASS = (CASES / "pass.mat").read_text(encoding="utf-8")
HYPHEN = (CASES / "7-hyphen-point.mat").read_text(encoding="utf-8")


def changed(old: str, new: str, text: str = WHOLE) -> str:
    written = re.sub(old, new, text)
    assert written != text
    return written


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (CASES / "pass.mat", "Wins 1 point", "Wins 2 points"),
        (MATCHES / "5-103.mat", "Wins 1 point\n", "Wins 2 points\n"),
        # The result is missing, too, and follows from the score of the next game.
        (MATCHES / "5-103.mat", r"Doubles => 2\n  5\)  Takes((?s:.*?)\n) +Wins 4 points", r"\n  5)       \1"),
        (MATCHES / "bare" / "7-104.sgf", r"RE\[B\+4\]((?s:.*?));B\[double\]\s*;W\[take\]", r"\1"),
    ],
)
def test_a_game_whose_result_needs_a_missing_double_is_not_judged(path: Path, old: str, new: str) -> None:
    """A loser with checkers off loses no gammon, so the cube must have been turned."""
    games = list(replay(one(changed(old, new, path.read_text(encoding="utf-8")))))
    lacking = [game for game in games if any("a double is missing" in problem for problem in said(game))]
    assert lacking
    assert all((game.decisions, game.final) == ((), None) for game in lacking)


GAME_2 = WHOLE[WHOLE.index(" Game 2") : WHOLE.index(" Game 3")]


@pytest.mark.parametrize(
    ("old", "new", "left_out", "says"),
    [
        ("East : 4", "East : 3", 3, "the score is 2 to 3, and the game before leads to 2 to 4"),
        (re.escape(GAME_2), "", 3, "it comes after game 1, so that games are missing"),
        (" Game 2", GAME_2.replace("\\", "") + " Game 2", 2, "the game is there twice"),
        ("North : 2", "North : 1", None, "1 to 0, and the game before leads to 2 to 0: the score is taken"),
        ("North : 2( +)East : 4", r"Cy (9) : 2\1Di : 4", 3, "it is of 'Cy (9)' and 'Di'"),
    ],
)
def test_games_that_contradict_earlier_ones_are_named(old: str, new: str, left_out: int | None, says: str) -> None:
    match = one(changed(old, new))
    games = list(replay(match))
    (problem,) = said(match, *games)
    assert says in problem
    assert problem.endswith("left out") == (left_out is not None)
    assert bool(games[-1].number == 3 and games[-1].decisions) == (left_out != 3)


def test_a_score_beyond_the_match_equity_table_is_named_once() -> None:
    told = review(one(changed("5 point match", "31 point match")))
    assert not told.decisions
    assert [problem.move > 0 for problem in told.problems if "of the game: Kazaross" in problem.text] == [True]


def test_without_indents_the_winner_follows_from_the_next_score() -> None:
    """The winner of the last game stays unknown."""
    path = MATCHES / "6-203.mat"
    whole, bare = path.read_text(encoding="utf-8"), changed(r"(?m)^ +", "", path.read_text(encoding="utf-8"))
    assert [game.result for game in one(bare).games[:-1]] == [game.result for game in one(whole).games[:-1]]
    wins = changed(r"(?m)^ +Wins.*\Z", "Wins 1 point", whole.rstrip())
    assert one(wins).games[-1].result is None
    assert said(*replay(one(wins))) == ["game 5, move 52: 'Wins 1 point' cannot be read: the rest is left out"]


def test_rows_that_are_missing_or_out_of_place_are_named() -> None:
    rows = re.findall(r"(?m)^ (?:29|30|31)\).*\n", WHOLE[WHOLE.index(" Game 3") :])
    exchanged = WHOLE.replace(rows[0] + rows[1], rows[1] + rows[0])
    for text, after in (
        (WHOLE.replace(rows[1], ""), "row 31 comes after row 29"),
        (exchanged, "row 30 comes after row 28"),
        (WHOLE.replace(rows[0], 2 * rows[0]), "row 29 comes after row 29"),
        (WHOLE.replace(rows[0], "      Wins 1 point\n" + rows[0]), "row 29 comes after the result"),
        (WHOLE + rows[0], "'63: 5/2 3/0' comes after the end of the game"),
    ):
        *_, game = replay(one(text))
        assert any(after in problem for problem in said(game))
        assert all(each.move_number < 30 for each in game.decisions) or "end" in after
    assert said(one(WHOLE[: WHOLE.index(rows[2])] + " 31")) == ["line 91: '31' is not understood, and left out"]


def test_scores_of_an_xg_file_are_read() -> None:
    pytest.importorskip("gvformat")
    whole = one(WHOLE)
    alone = replace(whole, games=whole.games[2:])
    (match,) = read_bytes(xg_bytes(alone), "match.xg")
    (game,) = replay(match)
    assert (sorted(game.score), game.crawford) == ([2, 4], True)
    assert [each.board for each in game.decisions] == [each.board for each in [*replay(whole)][2].decisions]


def test_an_ogxm_file_of_only_the_last_games_is_left_out(tmp_path: Path) -> None:
    """OGXM has the final score, and the score of a game follows from the games before it."""
    gvformat = pytest.importorskip("gvformat")
    path = tmp_path / "last.mat"
    path.write_text(WHOLE[: WHOLE.index(" Game 1")] + WHOLE[WHOLE.index(" Game 3") :], encoding="utf-8")
    (match,) = read_bytes(gvformat.write_gvab(gvformat.convert_mat(path)), "match.ogxm")
    assert match.games == ()
    assert said(match) == ["the match ended at 5 to 2, and its games lead to 1 to 0: they are left out"]


def test_players_are_recognised_with_ratings_and_in_the_other_column() -> None:
    plain = one(changed("North : 2( +)East : 4", r"East : 4\1North : 2"))
    rated = one(changed("North : 2( +)East : 4", r"East (1600) : 4\1north (1700) : 2"))
    assert (rated.games, said(rated)) == (plain.games, [])
    assert (plain.games[2].score, plain.games[2].result) == ((2, 4), (0, 1))
    assert plain.games[2].actions[0].player != one(WHOLE).games[2].actions[0].player


@pytest.mark.parametrize("between", [" ", ""])
def test_a_long_name_may_touch_the_next_column(between: str) -> None:
    long = "AlexandervonHohenloheLang"
    match = one(changed(r"Ann : 0 +Bob : 0", f"{long} : 0{between}Bob : 0", PASS))
    assert (match.players, said(match), match.games[0].score) == ((long, "Bob"), [], (0, 0))


@pytest.mark.parametrize("row", rows("changed_matches"), ids=str)
def test_missing_and_odd_text_is_named(row: Row) -> None:
    path = next(path for folder in (CASES, MATCHES) if (path := folder / row.text("file")).exists())
    text = changed(row.text("old"), row.text("new"), path.read_text(encoding="utf-8"))
    matches = list(read_bytes(text.encode(), path.name))
    games = [game for match in matches for game in replay(match)]
    assert row.text("says") in " ".join(said(*matches, *games))


@pytest.mark.parametrize("between", ["\ufeff", "\n", ")", "some words\n"])
def test_several_matches_of_a_file_are_all_read(between: str) -> None:
    matches = list(read_bytes(f"{SGF}{between}{SGF}".encode(), "match.sgf"))
    assert [match.games for match in matches] == 2 * [one(SGF).games]
    assert bool(said(*matches)) == (between.strip("\ufeff\n") != "")


@pytest.mark.parametrize(("value", "on"), [("Yes", True), ("1", True), ("TRUE", True), ("no", False), ("0", False)])
def test_headers_of_rules_are_read_in_many_spellings(value: str, on: bool) -> None:
    money = one(f'; [Jacoby "{value}"]\n; [Beaver "{value}"]\n' + changed("7-point match", "Money session", HYPHEN))
    assert (money.length, money.jacoby, money.beavers, said(money)) == (0, on, on, [])
    assert one(f'; [Crawford "{value}"]\n{HYPHEN}').crawford == on


def test_without_the_crawford_rule_scores_are_not_judged_before_the_crawford_game() -> None:
    games = list(replay(one(f'; [Crawford "Off"]\n{WHOLE}')))
    assert [(game.score, bool(game.decisions)) for game in games] == [((0, 0), False), ((2, 0), False), ((2, 4), True)]
    (problem,) = said(*games)
    assert problem.startswith("game 1: the match is without the Crawford rule, as is every .sgf without RU[Crawford]")


def test_two_ids_on_a_line_are_both_left_out() -> None:
    xgid = "XGID=-BBBA--------------aaaaaa-:1:1:1:31:2:3:0:7:10"
    for line in ("GAAA+PoXAAAAAA cIkJAAAAAAAA", f"{xgid} {xgid.replace('31', '42')}"):
        match = one(f"{xgid}\n{line}\n")
        assert len(match.boards) == 1
        assert said(match) == ["line 2: there are two IDs, and both left out: give one a line"]


@pytest.mark.parametrize("state", ["1:-1:1:00:0:0:0:0:10", "0:0:1:00:4:2:1:5:10"])
def test_a_position_in_which_the_player_may_not_double_is_no_question(state: str) -> None:
    xgid = "XGID=-ABAB--------------bbb----"
    told = review(one(f"{xgid}:{state}\n{xgid}:0:0:1:00:0:0:0:0:10\n"))
    assert ([each.move for each in told.decisions], len(told.problems)) == ([2], 1)
    assert str(told.problems[0]).startswith("position 1: the player on roll may not double")


def test_a_beaver_without_a_header_is_judged() -> None:
    money = changed("5 point match", "0 point match", PASS)
    played = changed(r"Drops\n.*", "Beavers => 4\n 25)  Takes", money)
    told = review(one(played), seconds=0.05)
    assert any("judged with beavers" in str(problem) for problem in told.problems)
    (answer,) = (each for each in told.decisions if each.kind == "answer")
    assert (answer.done, answer.best, answer.error_class) == ("beaver", "take", "wrong take")
    assert answer.loss > 0.1
    (game,) = replay(one(changed("=> 4", "=> 8", played)))
    assert "a beaver to 8, where the cube is at 1" in said(game)[-1]


def test_the_cube_is_read_from_positions_if_no_double_is_recorded() -> None:
    """After an automatic double, 2 points are a single game and no gammon."""
    board = bgrace.parse_board("XGID=-CCCCBA------------bcccca-:1:0:1:21:0:0:0:0:10")
    position, match = board.gnubg_id().split(":")
    exported = (
        "The score (after 0 games) is: Ann 0, Bob 0\n\nMove number 1:  Ann to play 21\n\n"
        f" Position ID: {position}\n Match ID   : {match}\n\n* Ann moves 6/4 2/1\n\nAnn wins 2 points\n"
    )
    moves = [{"from": 19, "pips": 2}, {"from": 23, "pips": 1}]
    white = {"color": 1, "action_id": 0, "d1": 2, "d2": 1, "moves": moves, "ogid_before": board.ogid()}
    game = {"winner": 0, "points_won": 2, "plies": [white]}
    for read in (one(exported), read_document({"games": [game]}, "match.ogxm", "")):
        (told,) = replay(read)
        last = told.decisions[-1]
        assert (last.kind, last.number, last.board.cube_value, last.board.cube) == ("resign", 1, 2, "centered")
        assert not told.problems
