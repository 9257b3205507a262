"""Matches read from files of all formats, odd and hostile files included."""

from __future__ import annotations

import gzip
import struct
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.bgf_file import bgf_bytes
from helpers.matches import one, said
from helpers.paths import MATCHES
from helpers.xg_file import xg_bytes

from bgrace.board.ids import ogid_checkers
from bgrace.board.text import sides_of_board
from bgrace.errors import FormatError
from bgrace_apps.review import Match, read
from bgrace_apps.review.reading import documents, read_bytes
from bgrace_apps.review.records import Action
from bgrace_apps.review.replay import ReplayedGame, replay

SHORT = """ 5 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                 52: 13/8 24/22
  2)  Doubles => 2                Drops
      Wins 1 point
"""


def told(match: Match) -> list[tuple[object, ...]]:
    return [(a.kind, a.player, a.roll, a.moves, a.number) for game in match.games for a in game.actions]


def test_two_formats_of_a_match_have_the_same_moves() -> None:
    (text,), (saved,) = read(MATCHES / "3-102.mat"), read(MATCHES / "3-102.sgf")
    assert (text.players, text.length) == (saved.players, saved.length) == (("North", "East"), 3)
    for mine, other in zip(text.games, saved.games, strict=True):
        assert (mine.score, mine.result) == (other.score, other.result)
        said = [[(a.kind, a.player, a.roll, a.moves, a.move_number) for a in game.actions] for game in (mine, other)]
        assert said[0] == said[1]


def test_a_double_after_a_full_column_is_not_lost() -> None:
    """GNU Backgammon writes only two blanks there, and gammonview by itself misses the double."""
    row = "  2) 11: 8/7 8/7 6/5 6/5          Doubles => 2\n  3)  Takes"
    full = row.replace("          Doubles", "  Doubles")
    texts = [SHORT.partition("  2)")[0] + line + "\n" for line in (row, full)]
    assert told(one(texts[0])) == told(one(texts[1]))
    assert told(one(texts[1]))[-2:] == [("double", 1, None, None, 2), ("take", 0, None, None, None)]


def test_ogids_of_a_match_name_the_player_to_act() -> None:
    """They have its dice, and say whether a double is offered."""
    ogxm, gvformat = pytest.importorskip("ogxm"), pytest.importorskip("gvformat")
    document = ogxm.binary_to_json(gvformat.write_gvab(gvformat.convert_mat(MATCHES / "5-103.mat")))
    plies = [ply for game in document["games"] for ply in game["plies"] if ply["action_id"] <= 23]
    assert {ply["action_id"] for ply in plies} >= {21, 22}
    for ply in plies:
        on_roll, opponent, state = sides_of_board(ply["ogid_before"])
        white, black = ogid_checkers(*ply["ogid_before"].split(":")[:2])
        answers = ply["action_id"] in (22, 23)
        assert state.double_offered == answers
        assert [on_roll, opponent] == ([white, black] if (ply["color"] == 1) != answers else [black, white])
        assert state.roll == (tuple(sorted((ply["d1"], ply["d2"]), reverse=True)) if ply["action_id"] <= 20 else None)


@pytest.mark.parametrize("name", ["3-102", "5-103", "7-104"])
def test_packed_matches_have_the_decisions_of_the_text(name: str) -> None:
    """In files of eXtreme Gammon and OGXM, whichever player comes first."""
    gvformat = pytest.importorskip("gvformat")
    path = MATCHES / f"{name}.mat"
    (text,) = read(path)
    for data in (xg_bytes(text), gvformat.write_gvab(gvformat.convert_mat(path))):
        packed = one(data, "match")
        swap = int(packed.players != text.players)
        assert packed.players == text.players[:: -1 if swap else 1]
        for mine, other in zip(replay(text), replay(packed), strict=True):
            assert (mine.crawford, mine.end) == (other.crawford, other.end)
            assert not other.problems
            assert choices(mine) == [(*rest, player ^ swap) for *rest, player in choices(other)]


def choices(game: ReplayedGame) -> list[Any]:
    return [(each.kind, each.board, each.done, each.result, each.player) for each in game.decisions]


@pytest.mark.parametrize(
    "data",
    [
        SHORT.replace("\n", "\r\n").encode(),
        SHORT.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + SHORT.encode(),
        SHORT.encode("utf-16"),
        SHORT.replace("31:", "13:").encode(),
        SHORT.replace("  1) 31: 8/5 6/5                 52:", "  1) 31: 8/5 6/5 52:").encode(),
        SHORT.replace("Doubles => 2                Drops", "Doubles => 2 Drops").encode(),
        SHORT.replace(" 5 point match", "; [Site \"x\"]\n; [Event \"y\"]\n\n5 point match").encode(),
        SHORT.replace("\n  2)", "\n; a comment of 300 kB " + 300_000 * "x" + "\n  2)").encode(),
        SHORT.replace("\n  2)", "\n" + 300_000 * "1) " + "\n  2)").encode(),
        SHORT.replace("\n  2)", "\n; [Comment \"nice\"]\n; [Annotator \"x\"]\n  2)").encode(),
        SHORT.encode() + bytes(9),
    ],
    ids=["crlf", "cr", "bom", "utf-16", "dice", "one blank", "cube", "header", "comment", "long line", "inner", "nul"],
)  # fmt: skip
def test_oddities_that_change_nothing(data: bytes) -> None:
    assert told(one(data)) == told(one(SHORT))


@pytest.mark.parametrize(
    "names",
    [
        ("Anna Lee", "B. O. B."),
        ("Ann: the first", "Bob:2"),
        ("31", "52"),
        ("Same", "Same"),
        ("Wins 3 points", "Takes"),
        ("Jörg", "Ælfric"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_names_of_every_kind_are_read(names: tuple[str, str], encoding: str) -> None:
    text = SHORT.replace("Ann", names[0]).replace("Bob", names[1])
    match = one(text.encode(encoding))
    assert match.players == names
    assert told(match) == told(one(SHORT))


def test_a_game_without_a_header_is_for_money_and_says_so() -> None:
    text = (MATCHES / "5-103.mat").read_text(encoding="utf-8").split("Game 2")[0]
    (whole,) = read_bytes(text.encode(), "whole.mat")
    (match,) = read_bytes(text.split("Game 1\n")[1].replace(" : 0", "").encode(), "one.gam")
    assert (match.players, match.length, match.games[0].actions) == (whole.players, 0, whole.games[0].actions)
    assert "neither the score nor the length" in match.problems[0].text


def test_several_matches_of_a_text_file_are_read() -> None:
    other = SHORT.replace("5 point", "7 point").replace("Ann", "Cy")
    found = list(read_bytes(f"{SHORT}\n; [Date \"2026\"]\n{other}\n{SHORT}".encode(), "x"))  # fmt: skip
    heads = [(match.number, match.players[0], match.length) for match in found]
    assert heads == [(1, "Ann", 5), (2, "Cy", 7), (3, "Ann", 5)]
    whole, last = read_bytes((SHORT + SHORT.replace("Game 1", "Game 1 (late)")).encode(), "x")
    assert (told(whole), last.games) == (told(one(SHORT)), ())
    assert said(last) == ["line 10: 'Game 1 (late)' (and 4 more) is not understood, and left out"]


def test_a_file_that_is_cut_off_is_read_as_far_as_it_goes_or_refused() -> None:
    """In every format that can be written here."""
    gvformat = pytest.importorskip("gvformat")
    path = MATCHES / "3-102.mat"
    (text,) = read(path)
    files: dict[str, bytes] = {
        "mat": path.read_bytes(),
        "other mat": (Path(__file__).parent / "cases" / "dash-dice.mat").read_bytes(),
        "sgf": (MATCHES / "bare" / "3-102.sgf").read_bytes(),
        "analysed sgf": (MATCHES / "3-102.sgf").read_bytes(),
        "xg": xg_bytes(text),
        "ogxm": gvformat.write_gvab(gvformat.convert_mat(path)),
    }
    for name, data in files.items():
        whole, n_read = decided(data), 0
        for end in [*range(len(data) // 16, len(data), len(data) // 16), *range(len(data) - 115, len(data), 6)]:
            with suppress(FormatError):
                cut = decided(data[:end])
                n_read += 1
                assert cut == whole[: len(cut)]
        assert n_read > 0 or name in ("xg", "ogxm"), name  # these are compressed, or have a checksum


def decided(data: bytes) -> list[Any]:
    return [each for match in read_bytes(data, "match") for game in replay(match) for each in choices(game)]


@pytest.mark.parametrize("start", [b"", b"RGMH", b'{"format":"BGF"}\n', b"(;FF[4]GM[6]", b"OGXM", SHORT.encode()])
def test_noise_after_the_mark_of_a_format_is_refused_or_left_out(start: bytes) -> None:
    noise = Random(1).randbytes(1 << 20)
    try:
        matches = list(read_bytes(start + noise, "file"))
    except FormatError:
        return
    assert start == SHORT.encode()
    assert told(matches[0])[:4] == told(one(SHORT))


def test_a_file_that_unpacks_without_end_is_refused() -> None:
    member = gzip.compress(b"\xff" * (50 << 20), 1)
    for start in (b'{"format":"BGF"}\n', b"RGMH" + bytes(8228)):
        with pytest.raises(FormatError, match="unpacks to more than"):
            list(read_bytes(start + member + bytes(100) + member + member, "bomb"))


def test_a_number_without_end_is_refused() -> None:
    """Reading takes time in proportion to the square of its length: hours for a file of a few kilobytes."""
    number = b":)\n\x01\xfa\x80a\x25" + bytes([1]) * (3 << 20)
    for data in (number, gzip.compress(number)):
        with pytest.raises(FormatError, match="numbers of more digits"):
            list(read_bytes(b'{"format":"BGF"}\n' + data, "long.bgf"))


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "noise.mat"
    with open(path, "wb") as raw:
        raw.truncate(50 << 20)
    with pytest.raises(FormatError, match="larger than 32"):
        list(read(path))


@pytest.mark.parametrize(
    "export",
    [
        " GNU Backgammon  Position ID: {}\n                 Match ID   : {}\n",
        '<span class="positionid">Position ID: <tt>{}</tt> Match ID: <tt>{}</tt><br/>\n',
    ],
)
def test_the_races_of_an_export_are_its_questions(export: str) -> None:
    ids = ["4HPwATDgc/ABMA:MABuAAAAAAAE", "7x0AAMDtNwAAAA:cIluAAAAAAAE"]  # the first has contact
    (match,) = read_bytes("".join(export.format(*each.split(":")) for each in ids).encode(), "match.txt")
    assert [board.gnubg_id() for board in match.boards] == ids[1:]


def test_text_that_programs_copy_with_an_xgid_is_no_problem() -> None:
    xgid = "XGID=-BBBA--------------aaaaaa-:1:1:1:00:2:3:0:7:10"
    copied = f"{xgid}\n\nX:Anna   O:Bob\n +13-14-15-16-17-18--+\n |  O  |\nCube: 2, O own cube\n"
    copied += "       Redouble/Take:   -0.511\n       Redouble/Prend:  -0.511\nGewinnchancen des Gegners: 28.87%\n"
    (match,) = read_bytes(f"{copied}Position: {xgid}\nVQUAgG0BAAAAA\n".encode(), "copied.txt")
    assert len(match.boards) == 2
    assert [problem.text.partition(":")[0] for problem in match.problems] == ["line 11"]  # an ID of 13 characters


def test_ids_in_every_spelling_are_read_or_named() -> None:
    xgid, ids = "XGID=-BBBA--------------aaaaaa-:1:1:1:31:2:3:0:7:10", "GAAA+PoXAAAAAA:cAkAAAAAAAAE"
    labelled = "Position ID: {}  Match ID: {}".format(*ids.split(":"))
    one_short, on_two_lines = labelled.replace("AA ", " "), labelled.replace("  ", "\n  ")
    match = one("\n".join([xgid, "XGID=garbage", labelled, one_short, on_two_lines, ids, "4HPwATDg//ABMA"]))
    assert [board.gnubg_id() for board in match.boards[1:]] == 3 * [ids]
    assert [problem.text.partition(":")[0] for problem in match.problems] == ["line 2", "line 4", "line 8"]


def test_more_positions_than_a_match_can_have_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_TURNS", 3)
    with pytest.raises(FormatError, match="more than 3 positions"):
        one("Position ID: 7x0AAMDtNwAAAA Match ID: cIluAAAAAAAE\n" * 9)


(FIRST,), (SECOND,) = read(MATCHES / "5-103.mat"), read(MATCHES / "6-203.mat")
RACE, RESIGNED = replace(FIRST.games[2], number=1, score=(0, 0)), replace(SECOND.games[0], number=2, score=(0, 1))
TWO = replace(SECOND, length=0, games=(RACE, RESIGNED))
"""Two games for money: a race played to its end; and one with a double and a take, in which East resigns."""


def changed_xg(match: Match, kind: int, offset: int, *numbers: int) -> bytes:
    """Return a match as an .xg file with its last record of a kind changed, or removed if there are no numbers."""
    whole = xg_bytes(match)
    records = bytearray(zlib.decompress(whole[8232:]))
    start = max(at for at in range(0, len(records), 2560) if records[at + 8] == kind)
    struct.pack_into(f"<{len(numbers)}i", records, start + offset, *numbers)
    if not numbers:
        del records[start : start + 2560]
    return whole[:8232] + zlib.compress(records)


@pytest.mark.parametrize("order", [(0, 2), (1, 2), (0, 1), (1, 0, 2), (0, 2, 1)])
def test_games_that_are_missing_or_out_of_order_are_named(order: tuple[int, ...]) -> None:
    pytest.importorskip("gvformat")
    left = replace(FIRST, games=tuple(FIRST.games[k] for k in order))
    bgf = [bgf_bytes(replace(left, length=length), finalGreen=2, finalRed=5) for length in (5, 0)]
    for data in (changed_xg(left, 5, 12, 2, 5), changed_xg(left, 5, 0), *bgf):
        match = one(data, "match")
        assert any("missing" in problem or "leads to" in problem for problem in said(match, *replay(match)))


UNTOLD = "the file does not tell how the game ends"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (changed_xg(TWO, 0, 96, 2), "Hypergammon"),
        (changed_xg(TWO, 1, 24, 2), "set up by hand"),
        (bgf_bytes(TWO, (1, 1, 1, *[0] * 18, -1, -1, -1)), "set up by hand"),
        (bgf_bytes(TWO).replace(b"cubeOwner$\x80", b"cubeOwner$\x81"), "set up by hand"),
        (bgf_bytes(TWO).replace(b"\x83from", b"\x83frOm"), "moves that no board has"),
    ],
)
def test_other_games_are_refused(data: bytes, says: str) -> None:
    pytest.importorskip("gvformat")
    with pytest.raises(FormatError, match=says):
        one(data, "match")


def kinds(game: ReplayedGame) -> set[str]:
    return {each.done or each.kind for each in game.decisions}


def test_names_and_games_without_a_cube_of_xg_are_read() -> None:
    pytest.importorskip("gvformat")
    alone = replace(TWO, players=("Ann \U0001f600", "Bob \ud83d"), games=(RACE,))
    for version, with_cube in ((7, True), (30, False)):
        match = one(changed_xg(alone, 0, 552, version, *[0] * 15), "match.xg")
        assert match.players == ("Ann \U0001f600", "Bob \ufffd")
        assert ["no double" in kinds(game) for game in replay(match)] == [with_cube]


def test_automatic_doubles_of_xg_are_read() -> None:
    """The cubes begin at 2 and 4 in the middle, and the points include them."""
    pytest.importorskip("gvformat")
    games = []
    for game, cube, points in ((RACE, 4, 1), (RESIGNED, 2, 2)):
        actions = [Action("cube", 0, number=cube), *(replace(action, number=None) for action in game.actions)]
        games.append(replace(game, actions=tuple(actions), result=(1, cube * points)))
    told = replace(TWO, games=tuple(games))
    for mine, other in zip(replay(told), replay(one(xg_bytes(told))), strict=True):
        assert (other.end, said(other)) == (mine.end, [])
        assert [each.board for each in other.decisions] == [each.board for each in mine.decisions]
    assert not any(game.decisions for game in replay(one(changed_xg(told, 0, 552, 25))))  # version 25 lacks the field


ANSWER = [action.kind for action in RESIGNED.actions].index("take")
UNANSWERED = replace(RESIGNED, actions=RESIGNED.actions[:ANSWER], result=None)


@pytest.mark.parametrize(
    ("data", "says", "done"),
    [
        (changed_xg(TWO, 2, 16, 1, 2, 1), "the file does not say that beavers are allowed", {"double", "beaver"}),
        (changed_xg(TWO, 2, 16, 1, 2, 2), "a raccoon is not judged: the rest is left out", {"double"}),
        (changed_xg(TWO, 2, 16, 1, -1), "the double before was neither taken nor passed", set()),
        (changed_xg(TWO, 4, 0), UNTOLD, {"double", "take"}),
        (changed_xg(TWO, 4, 32, 1001), UNTOLD, {"double", "take"}),
        (bgf_bytes(TWO), "", {"double", "take"}),
        (bgf_bytes(replace(TWO, players=("Ann", "Ann"))), UNTOLD, {"double", "take"}),
        (bgf_bytes(replace(TWO, games=(RACE, UNANSWERED))), UNTOLD, {"double"}),
        (bgf_bytes(replace(TWO, length=7), useCrawford=False), "without the Crawford rule", set()),
        (bgf_bytes(TWO).replace(b"matchlen", b"matchleN"), "matchlen is not found: taken for 0", {"double", "take"}),
        (bgf_bytes(TWO, cubeLimit=8), "the cube goes up to 8 only: judged as if it went on", {"double", "take"}),
    ],
)
def test_doubles_and_ends_of_xg_and_bgf_are_read_or_named(data: bytes, says: str, done: set[str]) -> None:
    """From .xg files gammonview would read a beaver as a pass, and a missing end as that of the game before."""
    pytest.importorskip("gvformat")
    match = one(data, "match")
    first, second = replay(match)
    assert says in " ".join(said(match, first, second))
    is_judged = "Crawford" not in says
    assert bool(first.decisions) == is_judged
    assert not is_judged or (first.end, said(first)) == ("borne off", [])
    assert first.final in (None, (0, 1))
    assert kinds(second) - {"no double", "play", "resign"} == done
    cubes = {each.board.cube_value for each in second.decisions if each.move_number > 16}
    assert cubes <= {4 if "beaver" in done else 2}


@pytest.mark.parametrize(
    ("action", "others", "says", "done"),
    [
        (32, {"beavers": True}, "", {"double", "beaver"}),
        (33, {}, "a raccoon is not judged", {"double"}),
        (29, {}, "'forfeit': how the game ends is not judged", {"double"}),
        (34, {}, "'settlement': how the game ends is not judged", {"double"}),
        (22, {"crawford": False, "source": 3, "match_length": 7}, "without the Crawford rule", set()),
    ],
)
def test_answers_of_ogxm_are_read_or_named(action: int, others: Mapping[str, Any], says: str, done: set[str]) -> None:
    gvformat = pytest.importorskip("gvformat")
    document = gvformat.convert_mat(MATCHES / "6-203.mat")
    document |= {"games": document["games"][:1], "match_length": 0, **others}
    (answer,) = (ply for ply in document["games"][0]["plies"] if ply["action_id"] == 22)
    answer["action_id"] = action
    (game,) = replay(documents.read_document(document, "match.ogxm", ""))
    assert says in " ".join(said(game))
    assert kinds(game) - {"no double", "play", "resign"} == done
    with pytest.raises(FormatError, match="hypergammon"):
        documents.read_document({**document, "variant": "hypergammon"}, "match.ogxm", "")
