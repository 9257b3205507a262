"""Matches that other packages read for us: eXtreme Gammon's, BGBlitz's and OGXM, which all become one kind of document.

The document is OGXM as JSON.  Its points are White's: 1 to 24 upwards, 0 White's bar, 25 Black's; Black moves down.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bgrace.board import Board
from bgrace.board.ids import ogid_checkers
from bgrace.board.text import sides_of_board
from bgrace.errors import ArgumentError, FormatError, PositionError
from bgrace.match.stakes import Stakes
from bgrace_apps.review.full_board import BAR, OFF, START, FullBoard, Move
from bgrace_apps.review.reading.limits import MAX_TURNS, check_smile, check_variant, lines_of, load, unpacked
from bgrace_apps.review.reading.mat import LEAST_LIMIT, MAX_LINE
from bgrace_apps.review.records import Action, ActionKind, EngineCube, EnginePlay, Match, Problem, RecordedGame

_XG_HEADER: Final = 8232
"""Bytes in front of the picture that an .xg file begins with."""

_XG_RECORD: Final = 2560
_XG_MATCH, _XG_GAME, _XG_CUBE, _XG_MOVE, _XG_GAME_END = range(5)
"""The kinds of records, in their byte 8."""

_XG_VARIATIONS: Final = ("", "Nackgammon", "Hypergammon", "Longgammon")
_XG_START: Final = struct.pack("<26b", 0, *(START.mine[k] - START.theirs[23 - k] for k in range(24)), 0)
_XG_NO_END: Final = bytes([*bytes(8), _XG_GAME_END, *bytes(_XG_RECORD - 9)])
"""The end of a game that nobody has won."""

_LAST_PLAY: Final = 20
_TAKE, _PASS, _FORFEIT, _BEAVER, _RACCOON = 22, 23, 29, 32, 33
_KINDS: Final[Mapping[int, ActionKind]] = {21: "double", _TAKE: "take", _PASS: "pass", _BEAVER: "beaver"}
_GIVEN_UP: Final = {_FORFEIT: "forfeit", 34: "settlement"}
_TOLD_ELSEWHERE: Final = (24, 25, 26, 27, 28, 36)
"""The game or the match is over, or was resigned; or the cube was set, which the next action has."""

_LOST: Final = {31: "the board is set up by hand", _RACCOON: "a raccoon is not judged"}

_BGF_FIELDS: Final = (("matchlen", "finalGreen", "finalRed"), ("scoreGreen", "scoreRed", "wonPoints", "moves"))
"""Fields of a match, and of each game."""

_FROM_MAT: Final = 1
"""The source of documents that have a Crawford game also where they do not say so."""

_FINAL_SCORE: Final = "x-gammonview-score"
"""The annotation of a document with the score of the match at its end."""


def read_xg(data: bytes, source: str) -> Match:
    """Read a match of eXtreme Gammon.

    Raises
    ------
    FormatError
        If it is damaged, or unpacks to more than a match can be.
    DependencyError
        If gammonview is not installed.
    """
    (picture,) = struct.unpack_from("<I", data, 20)
    packed = data[_XG_HEADER + picture :]
    for _ in unpacked(packed, source):
        pass  # it unpacks to no more than a match can be
    records, answers, heads = _mended_xg(zlib.decompress(packed), source)
    document = load("gvformat").convert_xg(data[: _XG_HEADER + picture] + zlib.compress(records, 1))
    plies = [ply for game in document["games"] for ply in game["plies"]]
    for game, (game["number"], doublings) in zip(document["games"], heads, strict=True):
        for k, ply in enumerate(game["plies"]):
            cube = "" if k else f"N{doublings}N"  # the later ones are without beavers
            ply["ogid_before"] = re.sub(":[NWB][^:]*", f":{cube}", ply["ogid_before"], count=1)
    for ply, answer in zip([ply for ply in plies if ply["action_id"] == _TAKE], answers, strict=True):
        ply["action_id"] = answer
    is_cut = records[-2 * _XG_RECORD + 8] in (_XG_MATCH, _XG_GAME_END)  # the end of the match is missing
    problems = [Problem(0, 0, "the file is cut off after its last game: a game may be missing")] if is_cut else []
    return read_document(document, source, "eXtreme Gammon", problems)


def _mended_xg(records: bytes, source: str) -> tuple[bytes, list[int], list[tuple[int, int]]]:
    """Records that gammonview reads well: each game has an end, and each double a take.

    Beside them the true answers, and the number and the automatic doubles of each game.
    """
    mended, answers, heads, set_up, version = bytearray(), [], [], False, 0
    for start in range(0, len(records) - _XG_RECORD + 1, _XG_RECORD):
        record = bytearray(records[start : start + _XG_RECORD])
        kind = record[8]
        if kind == _XG_MATCH:
            variation, version = (struct.unpack_from("<i", record, at)[0] for at in (96, 552))
            check_variant(_XG_VARIATIONS[variation], source)
            if version < 8:  # which has no limit of the cube
                struct.pack_into("<i", record, 612, -1)
        elif kind == _XG_GAME:
            mended += _XG_NO_END  # of the game before, where it has no other
            number, doublings = struct.unpack_from("<i12xi", record, 48)
            heads.append((number, doublings if version >= 26 else 0))
            set_up = any(record[21:47]) and record[21:47] != _XG_START
        elif kind == _XG_MOVE and set_up and record[9:35] != _XG_START:  # the board before the first move agrees
            check_variant("a game that is set up by hand", source)
        elif kind == _XG_CUBE:
            doubled, take, beaver = struct.unpack_from("<3i", record, 16)
            answers += [{1: _TAKE, 2: _RACCOON if beaver == 2 else _BEAVER}.get(take, _PASS)] * (doubled == 1)
            struct.pack_into("<i", record, 20, 1)  # anything else would end the game, also behind a beaver
        elif kind == _XG_GAME_END and struct.unpack_from("<i", record, 32)[0] >= 1000:
            struct.pack_into("<2i", record, 24, 0, 0)  # settled
        mended += record
    return bytes(mended + _XG_NO_END), answers, heads


def read_bgf(data: bytes, source: str) -> Match:
    """Read a match of BGBlitz; raises as `read_xg`."""
    check_smile(data[data.find(b"\n") + 1 :], source)
    reader = load("gvformat.bgf")
    told = reader.decode_smile(reader.read_bgf(data)[1])
    _check_numbers(told, source)
    document = load("gvformat").convert_bgf(data)
    document["crawford"] = told.get("useCrawford", True)
    document["cube_limit"] = document["cube_limit"] if told.get("useCube", True) else 1
    for game, made in zip(told["games"], document["games"], strict=True):
        first = made["plies"][0] if made["plies"] else {}
        if _board(first, 0) not in (None, START) or (_cube_before(first) or (1, -1))[1] >= 0:
            check_variant("a game that is set up by hand", source)
        if game.get("wasForfeit"):
            made["plies"].append({"action_id": _FORFEIT, "color": 1})
        if told["nameGreen"] == told["nameRed"]:  # by which gammonview tells the winner; the next score does as well
            made["points_won"] = 0
    parts = [told, *told["games"]]
    lacking = [(k, name) for k, part in enumerate(parts) for name in _BGF_FIELDS[k > 0] if name not in part]
    problems = [Problem(k, 0, f"{name} is not found: taken for 0 or none") for k, name in lacking]
    return read_document(document, source, "BGBlitz", problems)


def _check_numbers(told: object, source: str) -> None:
    """Raise FormatError for points or checkers that no board has, and for moves from nowhere.

    gammonview would make a list of that length, and leave out the move.
    """
    if isinstance(told, dict):
        ends = [end for name in ("from", "to", "points") for end in told.get(name) or ()]
        if any(abs(end) > BAR for end in ends) or ("to" in told and "from" not in told):
            raise FormatError(f"{source} is damaged: it has points, checkers or moves that no board has")
        told = list(told.values())
    for each in told if isinstance(told, list) else ():
        _check_numbers(each, source)


def read_ogxm(data: bytes, source: str) -> Match:
    """Read a match in OGXM; raises as `read_xg`."""
    return read_document(load("ogxm").binary_to_json(data), source, "")


def read_document(document: Mapping[str, Any], source: str, engine: str, problems: Sequence[Problem] = ()) -> Match:
    """Read the document that the other packages make, with problems that are known already."""
    check_variant(str(document.get("variant") or ""), source)
    length = int(document.get("match_length") or 0)
    games: list[RecordedGame] = []
    number, score = 0, (0, 0)
    led_to: tuple[int, int] | None = score
    for game in document["games"]:
        # gammonview makes a pass of no answer as well; where there was one, the result says so.
        actions = tuple(_actions([ply for ply in game["plies"] if not engine or ply["action_id"] != _PASS]))
        score = _score(game["plies"]) or score
        # Only eXtreme Gammon has numbers: else the score shows what is missing, as `replay` does for later games.
        number = game.get("number", number + 1 + (led_to not in (None, score) and not (length and games)))
        # A mark that is missing says nothing: not all writers set it.
        crawford = True if length and game.get("is_crawford") else None
        winner, points = game.get("winner"), game.get("points_won")  # White is player 0
        result = (int(winner), int(points)) if winner in (0, 1) and points else None
        games.append(RecordedGame(number, score, crawford, actions, result))
        led_to = games[-1].final
        score = led_to or score
    limit = int(document.get("cube_limit") or 0)
    found = []
    if 1 < limit < LEAST_LIMIT:
        found.append(Problem(0, 0, f"the cube goes up to {limit} only: judged as if it went on"))
    said = [note["value"] for note in document.get("annotations") or () if note.get("key") == _FINAL_SCORE]
    ended = said[0].split(":")[-1].split(",") if said else (document.get("white_score"), document.get("black_score"))
    at_end = [min(int(points or 0), length or MAX_TURNS) for points in (*ended, *score)]
    if any(at_end[:2]) and at_end[:2] != at_end[2:] and (led_to if engine else said and length) and not problems:
        # Where the games of an OGXM are not all there, nobody knows at what score each was played.
        text = "the match ended at {} to {}, and its games lead to {} to {}: ".format(*at_end)
        found.append(Problem(0, 0, text + ("a game may be missing" if engine else "they are left out")))
        games = games if engine else []
    return Match(
        source,
        (str(document.get("player_white") or ""), str(document.get("player_black") or "")),
        length,
        tuple(games),
        jacoby=not length and bool(document.get("jacoby")),
        beavers=not length and bool(document.get("beavers", document.get("beaver"))),
        crawford=bool(document.get("crawford")) or document.get("source") == _FROM_MAT,
        no_cube=limit == 1 and not any(action.kind == "double" for game in games for action in game.actions),
        problems=(*problems, *found),
        event=str(document.get("event") or ""),
        engine=engine or str((document.get("analysis_info") or {}).get("model_id") or "an engine"),
    )


def _score(plies: Sequence[Mapping[str, Any]]) -> tuple[int, int] | None:
    """The score before a game, White's first, as its first ply has it.

    Examples
    --------
    >>> _score([{"ogid_before": "11ccccchhhjjjjj:66666888dddddoo:N0N:12:B:IB:4:2:5C:0"}]), _score([{}])
    ((4, 2), None)
    """
    fields = str(plies[0].get("ogid_before") or "").split(":") if plies else []
    return (int(fields[6]), int(fields[7])) if len(fields) > 7 and fields[6] and fields[7] else None


def _actions(plies: Sequence[Mapping[str, Any]]) -> Iterator[Action]:
    row, before = 0, 1
    for ply in plies:
        number = int(ply["action_id"])
        if "color" not in ply or number in _TOLD_ELSEWHERE:
            continue
        player = 0 if ply["color"] == 1 else 1
        row += player == 0 or before == 1
        before = player
        if number <= _LAST_PLAY:
            yield _play(ply, player, row)
        elif number in _KINDS:
            kind, cube = _KINDS[number], _cube(ply.get("analysis") or {})
            at = _cube_before(ply) if kind == "double" else None
            yield Action(kind, player, text=kind, board=_board(ply, player), cube_before=at, move_number=row, cube=cube)
        elif number in _GIVEN_UP:
            yield Action("forfeit", player, text=_GIVEN_UP[number], move_number=row)
        else:
            reason = _LOST.get(number, f"action {number} of OGXM is not understood")
            yield Action("lost", player, board=_board(ply, player), move_number=row, comment=reason)
            if number == _RACCOON:  # the cube behind it is not in every file
                return


def _play(ply: Mapping[str, Any], player: int, row: int) -> Action:
    dice = (int(ply["d1"]), int(ply["d2"]))
    analysis = ply.get("analysis") or {}
    plays = [each for each in analysis.get("alternatives") or () if each.get("move") and "equity" in each]
    plays.sort(key=lambda each: -float(each["equity"]))
    moves = _moves(ply.get("moves") or (), player)
    return Action(
        "play",
        player,
        (max(dice), min(dice)),
        moves,
        " ".join(f"{start}/{end or 'off'}" for start, end in moves),
        board=_board(ply, player),
        cube_before=_cube_before(ply),
        move_number=row,
        cube=_cube(analysis.get("missed_double") or analysis.get("cube_decision") or {}),
        plays=tuple(EnginePlay(_moves(each["move"], player)) for each in plays),
    )


def _board(ply: Mapping[str, Any], player: int) -> FullBoard | None:
    """Where a player stood before a ply, as the other package has replayed it.

    Examples
    --------
    >>> _board({"ogid_before": "11ccccchhhjjjjj:66666888dddddoo:N0N:34:W:IB:0:0:3:0"}, 1).mine[:6]
    (0, 0, 0, 0, 0, 5)
    """
    white, black, *_ = [*str(ply.get("ogid_before") or "").split(":"), "", ""]
    if not (white or black):
        return None
    sides = ogid_checkers(white, black)
    return FullBoard(tuple(sides[player]), tuple(sides[1 - player]))


def _cube_before(ply: Mapping[str, Any]) -> tuple[int, int] | None:
    """The cube before a ply: its value, and its owner, -1 for the middle.

    Examples
    --------
    >>> _cube_before({"ogid_before": "11jj:66oo:B2N:34:W:IB:0:0:3:0"}), _cube_before({})
    ((4, 1), None)
    """
    found = re.match(r"[^:]*:[^:]*:([NDWB])(\d{1,2})", str(ply.get("ogid_before") or ""))
    return (1 << int(found[2]), "WB".find(found[1])) if found else None


def _cube(analysis: Mapping[str, Any]) -> EngineCube | None:
    """The program's opinion of a double, normalised at a score as well."""
    no_double, double_take = (analysis.get(name) for name in ("no_double_equity", "double_take_equity"))
    if no_double is None or double_take is None:
        return None
    return EngineCube(float(no_double), float(double_take), as_mwc=False)


def _moves(steps: Sequence[Mapping[str, Any]], player: int) -> tuple[Move, ...]:
    """Moves of a player, counted from their own ace point.

    Examples
    --------
    >>> _moves([{"from": 17, "pips": 5}, {"from": 0, "pips": 3}], 0), _moves([{"from": 2, "pips": 6}], 1)
    (((8, 3), (25, 22)), ((2, 0),))
    """
    starts = [BAR - int(step["from"]) if player == 0 else int(step["from"]) for step in steps]
    return tuple((start, max(start - int(step["pips"]), OFF)) for start, step in zip(starts, steps, strict=True))


_MAX_TRIED: Final = 1000
"""Lines after which a file without any position is none of these."""

_EXPORTED: Final = re.compile(
    r"Position ID:\s{0,9}(?:<tt>)?([A-Za-z0-9+/]{14})(?:</tt>)?[ \t]{0,99}(\n{0,9})\s{0,99}"
    r"Match ID\s{0,9}:\s{0,9}(?:<tt>)?([A-Za-z0-9+/]{12})"
)
"""A position in a match that GNU Backgammon exported as text or HTML."""

_LABELLED: Final = re.compile(r"[XO]GID=\S+|Position ID:(?:(?!Position ID:)[^\n]){0,80}")
_MEANT: Final = re.compile(r"(?=[A-Za-z/]{0,15}([0-9+]|AA))[A-Za-z0-9+/]{12,16}(:|$)|[A-Za-z-]{26}:")
"""A word without a label that is meant as an ID, and not one such as "Gewinnchancen" or "Redouble/Take:"."""


_TWO_IDS: Final = re.compile(r"[A-Za-z0-9+/]{14} [A-Za-z0-9+/]{11}[AEIMQUYcgkosw048](?: |$)")
"""A position ID, and what can be a match ID, which belongs behind a colon."""


def read_ids(text: str, source: str) -> Match:
    r"""Read positions, each a question: which play, or whether to double or to take.

    Skip blank lines, lines that begin with ``#``, the rest of a line after its ID, and the text that programs write
    around their IDs: eXtreme Gammon around an XGID, GNU Backgammon in a match that it exported as text or HTML.

    Raises
    ------
    FormatError
        If there is no position.

    Examples
    --------
    >>> len(read_ids("# quiz\n4HPwATDgc/ABMA\nGAAA+PoXAAAAAA\n", "quiz").boards)
    1
    """
    boards: list[Board] = []
    problems: list[Problem] = []
    grouped: dict[str, list[int]] = {}
    text = _EXPORTED.sub(r"Position ID: \1 Match ID: \3\2", text)
    copied = 0 < 2 * len(_LABELLED.findall(text)) < sum(bool(line.strip()) for line in lines_of(text))
    for number, line in enumerate(lines_of(text), 1):
        if len(problems) > _MAX_TRIED and not boards:
            break
        if max(len(boards), len(problems)) == MAX_TURNS:
            raise FormatError(f"{source} has more than {MAX_TURNS:,} positions: give them in several files")
        labels = _LABELLED.findall(line)
        words = line[:MAX_LINE].split()
        if not (words or labels) or line.lstrip().startswith("#"):
            continue
        word = (labels or words)[0]
        if copied and not labels and not _MEANT.match(word):
            continue
        if len(set(labels)) > 1 or (not labels and _TWO_IDS.match(" ".join(words))):
            problems.append(Problem(0, 0, f"line {number}: there are two IDs, and both left out: give one a line"))
            continue
        try:
            board = _race(word)
        except (PositionError, ArgumentError) as error:
            problems.append(Problem(0, 0, f"line {number}: {error}"))
            continue
        boards += [board] if board else []
        if what := board.doubt if board else "no race":
            grouped.setdefault(what, []).append(number)
    problems += [
        Problem(0, 0, f"line {lines[0]}{f' and {len(lines) - 1:,} more' if len(lines) > 1 else ''}: {what}")
        for what, lines in grouped.items()
    ]
    if not boards and "no race" in grouped:
        raise FormatError(f"{source} has positions, and no race among them: give one that has")
    if not boards:
        raise FormatError(
            f"{source} is not a match, and no line of it is the ID of a race: give a .mat, .sgf, .xg, .bgf or .ogxm "
            "file, or IDs, one per line"
        )
    return Match(source, ("On roll", "Opponent"), 0, boards=tuple(boards), problems=tuple(problems))


def _race(word: str) -> Board | None:
    """The race of an ID, None for another board; PositionError or ArgumentError if it is none that can be judged."""
    mine, theirs, state = sides_of_board(word)
    board = FullBoard(tuple(mine), tuple(theirs)).checked()
    if not board.is_race:
        return None
    race = board.board(state)
    Stakes.of(race)  # which knows whether there is such a score
    return race
