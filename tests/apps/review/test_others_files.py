"""Files as other programs and people write them; each case stands for a class of files."""

from __future__ import annotations

import io
import re
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.command import run
from helpers.golden import Row, rows
from helpers.matches import one, said
from helpers.paths import MATCHES

from bgrace.errors import FormatError
from bgrace_apps.review import Match, MatchReview, review, review_html
from bgrace_apps.review.deck import deck_bytes
from bgrace_apps.review.replay import replay
from bgrace_apps.review.words import best_words


def case(name: str) -> str:
    return (Path(__file__).parent / "cases" / name).read_text(encoding="utf-8")


def judged(text: str) -> MatchReview:
    return review(one(text), seconds=0.01)


def actions(match: Match) -> list[tuple[object, ...]]:
    return [(a.kind, a.player, a.roll, a.moves, a.move_number) for game in match.games for a in game.actions]


# ---------------------------------------------------------------------- the end of a game


def test_a_resignation_after_the_roll_is_judged_with_the_roll() -> None:
    told = judged(case("resign_after_roll.mat"))
    cube, last = told.decisions[-2:]
    assert (cube.kind, cube.done, cube.move) == ("cube", "no double", 25)
    assert (last.kind, last.done, last.board.roll) == ("resign", "resign a single game", (5, 1))
    assert (last.loss, last.error_class) == (0.0, None)
    assert last.luck == pytest.approx(-0.0215, abs=5e-5)
    assert (told.games[0].end, told.games[0].final, told.problems) == ("resigned", (1, 0), ())


@pytest.mark.parametrize("written", ["51: ???", "51: ?????", "51:"])
def test_a_roll_without_a_play_is_a_resignation_after_the_roll(written: str) -> None:
    told = judged(case("resign_after_roll.mat").replace("51: ????", written))
    assert (told.decisions[-1].board.roll, told.decisions[-1].loss) == ((5, 1), 0.0)


def test_the_opponent_may_resign_after_a_roll() -> None:
    """The roller wins, and loses the value of their best play by accepting."""
    last = judged(case("resign_after_roll.mat").replace("26) Wins 1 point", "26)" + 40 * " " + "Wins 1 point"))
    assert last.games[0].final == (0, 1)
    assert (last.decisions[-1].player, last.decisions[-1].done) == (0, "resign a single game")
    assert last.decisions[-1].loss > 0


@pytest.mark.parametrize("written", ["00: ????", "0-0:", "Resigns", "Resigned Game"])
def test_a_resignation_before_the_roll_is_judged_without_a_roll(written: str) -> None:
    told = judged(case("resign_00.mat").replace("00: ????", written))
    last = told.decisions[-1]
    assert (last.kind, last.board.roll, told.games[0].end) == ("resign", None, "resigned")
    assert last.loss == pytest.approx(0.0215, abs=5e-5)
    assert not told.problems


def test_points_may_be_capped_at_those_that_the_match_needs() -> None:
    text = case("capped.mat")
    told = judged(text)
    assert (told.games[0].end, told.games[0].final, told.problems) == ("resigned", (2, 0), ())
    written = text.replace("Losses 1 point", "").replace("Wins 1 point and the match", "Wins 2 points")
    assert judged(written).decisions == told.decisions


@pytest.mark.parametrize("row", rows("impossible_results"), ids=repr)
def test_impossible_results_are_left_out(row: Row) -> None:
    text, old = case(row.text("name")), row.text("old")
    assert old in text
    (game,) = replay(one(text.replace(old, row.text("new")) if old else text))
    assert [problem.text for problem in game.problems] == [f"{row.text('says')}: the result is left out"]
    assert game.final is None
    assert all(each.kind != "resign" for each in game.decisions)


def test_a_file_that_is_cut_off_has_no_result() -> None:
    """SGF has the result before the moves; it may be of a resignation in the missing part."""
    text = case("cut-off.sgf").replace("RE[B+1]", "RE[B+1R]")
    assert [game.end for game in replay(one(text))] == ["resigned"]
    cut = one(text[:-1])
    assert [game.end for game in replay(cut)] == ["unfinished"]
    assert said(cut) == ["game 1: the file is cut off in this game: its result is left out"]


# ---------------------------------------------------------------------- length, score and variant


@pytest.mark.parametrize(
    "written", ["7-point match", "7 pt match", "Match to 7 points", "match to 7 pts", "Match of 7", "7 points match"]
)
def test_the_length_of_a_match_is_read_in_many_spellings(written: str) -> None:
    text = case("7-hyphen-point.mat")
    assert "7-point match" in text
    match = one(text.replace("7-point match", written))
    assert (match.length, match.problems) == (7, ())


def test_a_file_that_begins_at_match_point_is_in_the_crawford_game_unless_the_cube_is_turned() -> None:
    text = case("begins-post-crawford.mat")
    (game,) = replay(one(text))
    assert (game.crawford, game.end, game.final, game.problems) == (False, "borne off", (6, 6), ())
    (game,) = replay(one(case("7-hyphen-point.mat").replace("Alice : 0", "Alice : 6")))
    assert game.crawford
    assert [problem.text for problem in game.problems] == ["the file begins at 6 to 0: taken for the Crawford game"]


def test_other_variants_are_refused_by_name() -> None:
    with pytest.raises(FormatError, match="is of Nackgammon, another game than backgammon"):
        one(case("nackgammon-header.mat"))
    assert one(case("nackgammon-header.mat").replace("Nackgammon", "Backgammon")).problems == ()
    for rule in ("Nackgammon", "Hypergammon1"):
        with pytest.raises(FormatError, match=f"is of {rule.lower()}, another"):
            one(case("nocube.sgf").replace("RU[NoCube", f"RU[{rule}"))


# ---------------------------------------------------------------------- spellings


def test_dice_may_have_a_dash_and_plays_may_have_marks() -> None:
    plain = actions(one(case("7-hyphen-point.mat")))
    assert actions(one(case("dash-dice.mat"))) == plain
    marked = (
        case("7-hyphen-point.mat").replace("8/5 3/1", "8/5, 3/1?!").replace("5/1 6/2 6/2 6/2", "5/1 6/2 6/2 6/2 ??")
    )
    assert actions(one(marked.replace("8/5 6/5", "8/5! 6/5"))) == plain


def test_text_that_is_not_understood_is_named_once() -> None:
    text = case("7-hyphen-point.mat").replace(" 7-point", '; [Site "x"]\n; [Murphy "On"]\n; [CubeLimit "8"]\n 7-point')
    match = one(text.replace("\n Game 1", "Annotated by Cy\nwith love\n\n Game 1"))
    assert said(match) == [
        "the cube goes up to 8 only: judged as if it went on",
        "the header 'murphy' is not understood, and left out",
        "line 5: 'Annotated by Cy' (and 1 more) is not understood, and left out",
    ]
    (game,) = replay(
        one(case("7-hyphen-point.mat").replace("41: 3/off 4/off", "plays on").replace("43: 3/off", "a: 3/off"))
    )
    assert [problem.move for problem in game.problems] == [15]
    assert "cannot be read: the rest is left out" in game.problems[0].text


# ---------------------------------------------------------------------- SGF


def test_a_cube_set_by_hand_is_read() -> None:
    """Alice, who is White, owns a cube of 2, so Bob may not double; the recorded result is for a cube of 1."""
    match = one(case("cube-set-by-hand.sgf"))
    (game,) = replay(match)
    after = [each for each in game.decisions if each.move_number > 13]
    assert {each.board.cube_value for each in after} == {2}
    assert not any(each.kind == "cube" and each.player == 1 for each in after)
    assert any(each.kind == "cube" and each.player == 0 for each in after)
    assert said(match) + said(game) == ["game 1, move 21: bob wins 1, with the cube at 2: the result is left out"]


def test_a_match_without_a_cube_has_only_plays() -> None:
    (game,) = replay(one(case("nocube.sgf")))
    assert {each.kind for each in game.decisions} == {"play"}
    assert not game.problems


def test_a_saved_position_is_a_question() -> None:
    match = one(case("position.sgf"))
    assert [board.xgid() for board in match.boards] == ["XGID=-AAA-AB------------d-a--a-:0:0:1:42:0:0:1:0:10"]
    assert (match.games, match.problems) == ((), ())
    contact = one(case("position.sgf").replace("AB[x]", "AB[a]").replace("AW[a]", "AW[x]"))
    assert (contact.boards, len(contact.problems)) == ((), 1)


def test_a_game_may_begin_from_a_position() -> None:
    text = case("position.sgf").replace("CV[1]", "CV[2]").replace("CP[c]", "CP[b]")
    match = one(text.replace("PL[B]DI[42])", "PL[B]DI[42]\n;B[42swsu]\n;W[21fdfe])"))
    (game,) = replay(match)
    decisions = [(each.kind, each.player, each.board.cube) for each in game.decisions]
    assert decisions == [("cube", 1, "mine"), ("play", 1, "mine"), ("play", 0, "theirs")]
    assert (said(match), game.end) == ([], "unfinished")
    assert said(game) == ["game 1, move 2: the file does not tell how the game ends (cut off?): no end is assumed"]


@pytest.mark.parametrize(
    ("name", "value"), [("CV", "x"), ("AE", "a:b"), ("AW", "?"), ("XY", "1"), ("KO", ""), ("RU", "Murphy")]
)
def test_properties_that_are_not_understood_are_named_once(name: str, value: str) -> None:
    text = case("nocube.sgf").replace(";B[23qsux]", f";{name}[{value}];{name}[{value}];B[23qsux]", 1)
    if name == "RU":
        text = case("nocube.sgf").replace("NoCube", value)
    assert len({problem.text for problem in one(text).problems}) == 1


def test_every_property_is_used_or_named() -> None:
    """The properties of the standard for all games and for Go, and those of GNU Backgammon."""
    standard = (
        "AE AN AP AR AW B BL BM BR BT C CA CP CR DD DM DO DT EV FF FG GB GC GM GN GW HO IT KO LB LN MA MN N OB ON OT "
        "OW PB PC PL PM PW RE RO RU SL SO SQ ST SZ TB TE TM TR TW UC US V VW W WL WR WT HA KM MI CV DI GS DA A LU MR"
    )
    for name in re.findall(r"\w+", standard):
        text = case("nocube.sgf").replace("\n;B[23", f"\n;{name}[1]\n;B[23")
        is_named = any(problem.text.find(name) >= 0 or "by hand" in problem.text for problem in one(text).problems)
        assert is_named == (name in ("AE", "AW", "CP", "KO", "TB", "TW", "HA", "KM")), name


# ---------------------------------------------------------------------- IDs


def test_rows_without_a_race_are_one_problem() -> None:
    race, contact = (
        "XGID=-BBBA--------------aaaaaa-:1:1:1:31:2:3:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
    )
    owned = "XGID=-ACC-AA------------b-c-aa-:0:-1:-1:00:2:0:0:5:6"
    match = one("\n".join([f"{k},{xgid}" for k, xgid in enumerate([race, contact, owned, contact])]))
    assert len(match.boards) == 2
    assert said(match) == [
        "line 2 and 1 more: no race",
        "line 3: a cube of 1 on a side, in a match: taken to be in the middle",
    ]


# ---------------------------------------------------------------------- reports


def test_comments_reach_the_page_and_the_cards() -> None:
    pytest.importorskip("genanki")
    text = case("nocube.sgf").replace("[44eafbfbfb]", "[44eafbfbfb]C[Ann:\n <safe> {{x}}?]")
    told = judged(text)
    (decision,) = [each for each in told.decisions if each.comment]
    assert (decision.comment, decision.error_class) == ("Ann: <safe> {{x}}?", "checker play")
    assert decision.to_dict()["comment"] == decision.comment
    assert "“Ann: &lt;safe&gt; {{x}}?”" in review_html([told])
    with zipfile.ZipFile(io.BytesIO(deck_bytes([told]))) as packed:
        assert "“Ann: &lt;safe&gt; ((x))?”".encode() in packed.read("collection.anki2")


def test_problems_of_a_folder_are_counted_by_kind(tmp_path: Path) -> None:
    for name in ("resign_00.mat", "pass.mat", "capped.mat"):
        text = case(name) if name == "capped.mat" else case(name).replace("Wins 1 point", "Wins 9 points")
        (tmp_path / name).write_text(text, encoding="utf-8")
    shown = run("review", tmp_path, "--worst", "0", "--seconds", "0.01", "--workers", "1").stdout
    assert "\n    2  the result is left out\n" in shown


def test_a_single_further_choice_is_named_and_more_are_counted() -> None:
    told = judged(case("nocube.sgf"))
    best = next(each for each in told.decisions if len(each.choices) > 5)
    for n, words in ((4, 4), (5, 3)):
        choices = tuple(replace(best.choices[0], name=f"play {k}") for k in range(n))
        said = best_words(replace(best, done="", error_class=None, choices=choices))
        assert said.count("play ") == words


# ---------------------------------------------------------------------- GNU Backgammon's export as text


def test_an_exported_game_is_reviewed() -> None:
    """The file has only the end of the game, from a board on."""
    told = judged(case("exported.txt"))
    (game,) = told.games
    assert (game.number, game.score, game.crawford, told.match.players) == (3, (2, 4), True, ("North", "East"))
    assert [(each.done, each.best) for each in told.mistakes] == [("5/2 3/off", "5/off 3/off")]
    assert not told.problems
    assert [each.engine.level for each in told.decisions if each.engine] == ["0-ply"] * len(told.decisions)


def test_exports_of_two_matches_in_one_file_are_refused() -> None:
    text = case("exported.txt")
    with pytest.raises(FormatError, match="a file of its own"):
        one(text + text.replace("North", "West"))


@pytest.mark.skipif(not Path("/usr/games/gnubg").exists(), reason="needs gnubg")
def test_a_match_exported_by_gnu_backgammon_has_the_same_decisions(tmp_path: Path) -> None:
    whole = MATCHES / "5-103.mat"
    script = tmp_path / "script"
    script.write_text(f'import mat "{whole}"\nexport match text "{tmp_path}/game.txt"\n', encoding="utf-8")
    command = ["/usr/games/gnubg", "-t", "-q", "-r", "-c", str(script)]
    subprocess.run(command, check=False, stdin=subprocess.DEVNULL, capture_output=True)
    games = [path.read_text(encoding="utf-8") for path in sorted(tmp_path.glob("game*.txt"))]
    exported = judged("".join(games))
    known = judged(whole.read_text(encoding="utf-8"))
    assert len(games) == len(exported.games) == 3
    assert [(each.game, each.done, each.choices) for each in exported.decisions] == [
        (each.game, each.done, each.choices) for each in known.decisions
    ]
