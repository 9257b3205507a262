"""Matches of GNU Backgammon: SGF, of which backgammon is game 6, and games that it exported as text.

SGF is a public standard (FF[4], https://www.red-bean.com/sgf/); what stands in the properties of game 6 was found in
files that the program writes of matches that are known otherwise.  Points are letters: `a` to `x`, `y` bar, `z` off.
White counts from `a`, Black from `x`.  Only what a review needs is read: the main line, not its variations.  Properties
that are neither used nor mere information are named as problems.

Text has a board before each move, what was done, and an analysis.  Each game is in a file of its own, in English unless
the program runs in another language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Final, TypeAlias

from bgrace.board import Board, GameState
from bgrace.board.dice import parse_roll
from bgrace.board.text import sides_of_board
from bgrace.errors import BgraceError, FormatError, PositionError
from bgrace_apps.review.full_board import BAR, OFF, FullBoard, Move
from bgrace_apps.review.reading.limits import MAX_TURNS, check_variant
from bgrace_apps.review.reading.mat import read_moves
from bgrace_apps.review.records import Action, ActionKind, EngineCube, EnginePlay, Match, Problem, RecordedGame

Node: TypeAlias = dict[str, list[str]]
"""Values by property."""

_TEXT: Final = r"[^\]\\]*+(?:\\.[^\]\\]*+)*+"  # possessive: a way back for each letter would take a hundred bytes
_TOKEN: Final = re.compile(rf"\s*+(?:([();])|([A-Za-z]{{1,30}})\s*+((?:\[{_TEXT}\]\s*+)++))", re.DOTALL)
_VALUE: Final = re.compile(rf"\[({_TEXT})\]", re.DOTALL)
_PAIR: Final = re.compile(r"(\w+):(.*)", re.DOTALL)
_RESULT: Final = re.compile(r"([WB])\+(\d{1,5})(R?)")
_MOVE: Final = re.compile(r"([1-6]{2})((?:[a-z][a-z]){0,4})")
_COLOURS: Final = "WB"
_PLACES: Final = "abcdefghijklmnopqrstuvwxyz"
_BAR, _OFF = 24, 25
_MAX_PLAYS: Final = 200
_MAX_DEPTH: Final = 1000
_READ: Final = frozenset(re.findall(r"\w+", "GM MI PW PB RU EV DT AP RE W B AE AW AB DA A CV CP PL DI C"))
"""Properties that are kept."""

_INFORMATION: Final = frozenset(
    re.findall(
        r"\w+",
        "FF CA ST SZ PC RO US SO GN GC GS AN ON OT TM WR BR WT BT N LU BM DO IT TE GB GW DM UC HO V VW FG PM MN "
        "OB OW BL WL AR CR DD LB LN MA SL SQ TR MR",
    )
)
"""Properties that no decision depends on: of the standard, and statistics and opinions of GNU Backgammon."""

_UNKNOWN: Final = "?"
"""In the first node of a tree, in the place of a property: the names of those that are not understood."""

_CUT: Final = "..."
"""There, too, if the file ends in the middle of the tree."""

_BETWEEN: Final = "!"
"""In a tree of its own: what stands between two trees, or behind the last, and is not SGF."""

_START: Final = re.compile(r"\(\s*;(?=[^;()]{0,999}GM\s*\[)")
"""Where a tree begins again after text that is not SGF."""

_RULES: Final = frozenset(["", "crawford", "crawfordgame", "jacoby", "nocube"])
_NO_RESULT: Final = ("?", "void", "0")
_OWNERS: Final = {"w": 0, "b": 1, "c": -1}
_CUBE_ACTIONS: Final[dict[str, ActionKind]] = {"double": "double", "take": "take", "drop": "pass", "beaver": "beaver"}


def nodes(text: str, source: str = "a file") -> Iterator[list[Node]]:
    r"""Read the main line of every game tree; of a file that was cut off, what there is of the last one.

    Text between two trees that is not SGF is a tree of its own, of one node.

    Examples
    --------
    >>> [[sorted(node) for node in tree] for tree in nodes("(;AP[a\\]b];B[31](;W[62])(;W[52]))(;GM[6])")]
    [[['AP'], ['B'], ['W']], [['GM']]]
    """
    end = 0
    while end < len(text):
        start = end
        for line, stop in _trees(text, start, source):
            end = stop
            yield line
        begins = _START.search(text, end)
        between = text[end : begins.start() if begins else len(text)].strip("\ufeff \t\r\n\x1a")
        if between:
            yield [{_BETWEEN: [between]}]
        end = max(begins.start(), start + 1) if begins else len(text)


def _trees(text: str, start: int, source: str) -> Iterator[tuple[list[Node], int]]:
    """Trees that follow one another, and where each ends."""
    line: list[Node] = []
    depth, branches, skipped, end, n_nodes = 0, [0], 0, start, 0
    while (token := _TOKEN.match(text, end)) and depth <= _MAX_DEPTH and (depth > 0 or token[1] == "("):
        end = token.end()
        mark = token[1]
        if mark == "(":
            branches[-1] += 1
            depth += 1
            branches.append(0)
            # All but the first of several ways to go on are variations.
            if depth > 1 and branches[-2] > 1 and not skipped:
                skipped = depth
        elif mark == ")":
            if depth == skipped:
                skipped = 0
            depth -= 1
            branches.pop()
            if depth == 0:
                yield line, end
                line = []
        elif skipped:
            continue
        elif mark == ";":
            n_nodes += 1
            if n_nodes > MAX_TURNS:
                raise FormatError(f"{source} has more than {MAX_TURNS:,} turns: give its games in several files")
            line.append({})
        elif line:
            _keep(line, token[2], islice(_VALUE.finditer(text, token.start(3), token.end(3)), 1 + _MAX_PLAYS))
    if line:
        line[0][_CUT] = []
        yield line, end


def _keep(line: list[Node], name: str, values: Iterator[re.Match[str]]) -> None:
    """Keep a property of the last node, or the name of one that is not understood."""
    if name in _READ:
        kept = line[-1].setdefault(name, [])
        written = (re.sub(r"\\(.)", r"\1", value[1], flags=re.DOTALL) for value in values)
        kept += islice(written, 1 + _MAX_PLAYS - len(kept))
    elif name not in _INFORMATION:
        unknown = line[0].setdefault(_UNKNOWN, [])
        if name not in unknown and len(unknown) < _MAX_PLAYS:
            unknown.append(name)


def read_sgf(text: str, source: str) -> Iterator[Match]:
    """Read every match of a file.

    Raises
    ------
    FormatError
        If it is of another game, or of none.
    """
    found: list[tuple[Node, RecordedGame, list[Problem]]] = []
    number, ahead = 0, list[Problem]()
    for tree in nodes(text, source):
        root = tree[0] if tree else {}
        if root.get("GM", ["6"])[0].strip() != "6":
            raise FormatError(f"{source} is of another game: game {root['GM'][0][:20]} of SGF; backgammon is game 6")
        if "MI" not in root and not any(name in node for node in tree for name in ("W", "B", "AW", "AB")):
            (found[-1][2] if found else ahead).extend(_not_understood(root, 0))
            continue  # nothing that belongs to a game
        for rule in _rules(root):
            check_variant(rule if re.fullmatch("(?:nack|hyper|lon)gammon.*", rule) else "", source)
        info = _info(root)
        problems, ahead = ahead, []
        before = _info(found[0][0]).get("length") if found else None
        if before is not None and info.get("game", 0) and info.get("length") != before:
            problems.append(Problem(1, 0, f"the match before had {before} points: taken for another match"))
        again = bool(found) and info.get("game", 0) + 1 == found[0][1].number
        if found and (again or _players(root) != _players(found[0][0]) or problems):
            number += 1
            yield _match(found, source, number)
            found = []
        found.append((root, _game(tree, info, 1 + info.get("game", len(found)), problems), problems))
    if not found:
        raise FormatError(f"{source} has no game of backgammon: give a match that GNU Backgammon saved")
    yield _match(found, source, number + 1)


def _info(root: Node) -> dict[str, int]:
    """The property MI of the match.

    Examples
    --------
    >>> _info({"MI": ["length:7", "game:0", "ws:0", "bs:2"]})["bs"]
    2
    """
    pairs = [_PAIR.match(value) for value in root.get("MI", [])]
    return {pair[1]: int(pair[2]) for pair in pairs if pair and re.fullmatch(r"\d{1,5}", pair[2].strip())}


def _players(root: Node) -> tuple[str, str]:
    return root.get("PW", [""])[0], root.get("PB", [""])[0]


def _rules(root: Node) -> list[str]:
    return [word.strip().lower() for value in root.get("RU", []) for word in value.split(":")]


def _match(trees: list[tuple[Node, RecordedGame, list[Problem]]], source: str, number: int) -> Match:
    root = trees[0][0]
    length = _info(root).get("length", 0)
    games = tuple(game for _, game, _ in trees)
    problems = [problem for _, _, found in trees for problem in found]
    boards = []
    if len(games) == 1 and {action.kind for action in games[0].actions} <= {"position", "cube", "owner", "turn"}:
        try:
            boards = list(_boards_set_up(games[0], root))
        except BgraceError as error:
            problems.append(Problem(0, 0, f"the position that is set up: {error}"))
    return Match(
        source,
        _players(root),
        length,
        () if boards else games,
        number,
        boards=tuple(boards),
        no_cube="nocube" in _rules(root),
        jacoby=not length and "jacoby" in _rules(root),
        crawford="crawford" in _rules(root),
        problems=tuple(problems),
        event=root.get("EV", [""])[0],
        date=root.get("DT", [""])[0],
        engine=root.get("AP", ["GNU Backgammon"])[0].replace(":", " "),
    )


def _game(tree: list[Node], info: Mapping[str, int], number: int, problems: list[Problem]) -> RecordedGame:
    root = tree[0]
    problems += _not_understood(root, number)
    said = root.get("RE", [""])[0].strip()
    told = _RESULT.match(said)
    if said and told is None and said.lower() not in _NO_RESULT:
        problems.append(Problem(number, 0, f"the result {said[:40]!r} is not understood, and left out"))
    if "length" not in info:
        problems.append(Problem(number, 0, "match length not found: judged for money"))
    elif info["length"] and not {"ws", "bs"} <= info.keys():
        problems.append(Problem(number, 0, "the score before the game is not found: taken for 0 to 0"))
    result = None if told is None or _CUT in root else (_COLOURS.index(told[1]), int(told[2]))
    actions: list[Action] = []
    row, before = 0, 1
    for node, next_turn in zip(tree, _next_turns(tree), strict=True):
        actions += _set_by_hand(node, next_turn, row, number, problems)
        colour = next((name for name in _COLOURS if name in node), None)
        if colour is None:
            continue
        player = _COLOURS.index(colour)
        row += player == 0 or before == 1
        before = player
        doubled = bool(actions) and actions[-1].kind == "double"
        actions.append(_action(player, node, row, doubled, bool(info.get("length"))))
    crawford = "crawfordgame" in _rules(root)
    score = (info.get("ws", 0), info.get("bs", 0))
    resigned = None if result is None or told is None else bool(told[3])
    return RecordedGame(number, score, crawford if info.get("length") else None, tuple(actions), result, resigned)


def _not_understood(root: Node, number: int) -> Iterator[Problem]:
    """What was not understood of a game, each kind once."""
    if _CUT in root:
        yield Problem(number, 0, "the file is cut off in this game: its result is left out")
    for kind, names in (
        ("properties", root.get(_UNKNOWN, [])),
        ("lines between games", root.get(_BETWEEN, [])),
        ("rules", [rule for rule in _rules(root) if rule not in _RULES]),
    ):
        if names:
            listed = ", ".join(name[:40] for name in names[:9])
            yield Problem(number, 0, f"{kind} that are not understood, and left out: {listed}")


def _next_turns(tree: list[Node]) -> list[int]:
    """Whose turn it is at each node, as far as the moves that follow say; else White's."""
    turns = [0]
    for node in reversed(tree):
        turns.append(next((k for k, colour in enumerate(_COLOURS) if colour in node), turns[-1]))
    return turns[:0:-1]


def _set_by_hand(node: Node, next_turn: int, row: int, number: int, problems: list[Problem]) -> Iterator[Action]:
    """Board, cube and turn that were set by hand, in a node of a game."""
    told = "".join(node.get("PL", []))[:1].upper()
    turn = _COLOURS.find(told) if told else -1
    dice = re.fullmatch("[1-6]{2}", node.get("DI", [""])[0].strip())
    roll = None if dice is None else parse_roll(dice[0])
    if any(name in node for name in ("AE", "AW", "AB")):
        turn = next_turn if turn < 0 else turn
        try:
            yield Action("position", turn, roll, text="board", board=_board(node, turn), move_number=row)
        except PositionError as error:
            problems.append(Problem(number, row, f"the board is set up by hand, and not understood: {error}"))
            yield Action("lost", turn, text="the board set up by hand", move_number=row)
    elif turn >= 0:
        yield Action("turn", turn, roll, move_number=row)
    for name in ("CV", "CP"):
        for text in node.get(name, [])[-1:]:
            if name == "CV" and re.fullmatch(r"\d{1,5}", text.strip()):
                yield Action("cube", 0, text=text, number=int(text), move_number=row)
            elif name == "CP" and text.strip().lower() in _OWNERS:
                yield Action("owner", _OWNERS[text.strip().lower()], text=text, move_number=row)
            elif row or name == "CV":  # in front of the moves the standard calls a copyright CP
                problems.append(Problem(number, row, f"{name}[{text[:40]}] is not understood, and left out"))


def _board(node: Node, player: int) -> FullBoard:
    """The board that a node sets up, seen by a player; it has to be emptied first, as GNU Backgammon does.

    Examples
    --------
    >>> _board({"AE": ["a:y"], "AW": ["a", "d"], "AB": ["x", "s:t"]}, 1).mine[:6]
    (1, 0, 0, 0, 1, 1)
    """
    if set(_places(node.get("AE", []))) < set(_PLACES[:_OFF]):
        raise PositionError("the points are not emptied before")
    sides = []
    for colour, name in enumerate(("AW", "AB")):
        points = [_point(letter, colour) for letter in _places(node.get(name, []))]
        sides.append(tuple(points.count(point) for point in range(1, BAR + 1)))
    return FullBoard(sides[player], sides[1 - player]).checked()


def _places(values: list[str]) -> Iterator[str]:
    """Letters, and the letters of ranges such as ``a:y``."""
    for value in values:
        found = re.fullmatch(r"([a-z])(?::([a-z]))?", value.strip())
        if found is None:
            raise PositionError(f"{value[:40]!r} is no place")
        yield from _PLACES[_PLACES.index(found[1]) : 1 + _PLACES.index(found[2] or found[1])]


def _boards_set_up(game: RecordedGame, root: Node) -> Iterator[Board]:
    """The position that a game without moves sets up, if it does."""
    board, turn, roll, cube, owner = None, 0, None, 1, -1
    for action in game.actions:
        roll = action.roll or roll
        if action.board is not None:
            board, turn = (action.board if action.player == 0 else action.board.swapped), action.player
        elif action.kind == "turn":
            turn = action.player
        elif action.kind == "cube":
            cube = action.number or 1
        else:
            owner = action.player
    if board is None:
        return
    length = _info(root).get("length", 0)
    state = GameState(
        roll=roll,
        cube_value=cube,
        cube="centered" if owner < 0 else "mine" if owner == turn else "theirs",
        score=(game.score[turn], game.score[1 - turn]),
        match_length=length,
        crawford=bool(game.crawford),
        jacoby=None if length else "jacoby" in _rules(root),
    )
    yield (board.swapped if turn else board).board(state)


def _action(player: int, node: Node, row: int, doubled: bool, is_match: bool) -> Action:
    text = node[_COLOURS[player]][0].strip()
    cube = _engine_cube(node.get("DA", [""])[0], is_match)
    comment = "".join(node.get("C", []))
    if text in _CUBE_ACTIONS:
        kind = "beaver" if text == "double" and doubled else _CUBE_ACTIONS[text]
        return Action(kind, player, text=text, move_number=row, cube=cube, comment=comment)
    found = _MOVE.fullmatch(text)
    if found is None:
        return Action("lost", player, text=text[:60], move_number=row)
    return Action(
        "play",
        player,
        parse_roll(found[1]),
        _moves(found[2], player),
        text,
        move_number=row,
        cube=cube,
        plays=tuple(_engine_plays(node.get("A", []), player)),
        comment=comment,
    )


def _moves(letters: str, player: int) -> tuple[Move, ...]:
    """Moves of letters.

    Examples
    --------
    >>> _moves("lqac", 1), _moves("yvbz", 0)
    (((13, 8), (24, 22)), ((25, 22), (2, 0)))
    """
    points = [_point(letter, player) for letter in letters]
    return tuple(zip(points[::2], points[1::2], strict=True))


def _point(letter: str, player: int) -> int:
    place = _PLACES.index(letter)
    if place >= _BAR:
        return BAR if place == _BAR else OFF
    return place + 1 if player == 0 else _BAR - place


def _engine_cube(value: str, is_match: bool) -> EngineCube | None:
    """The program's opinion of a double: two lists of seven numbers, of which the last is with the cube."""
    words = value.split()
    numbers = _floats(words[-14:])
    if len(words) < 18 or words[0] != "E" or len(numbers) != 14:
        return None
    return EngineCube(numbers[6], numbers[13], as_mwc=is_match, level=_level(words[3:-14]))


def _engine_plays(values: list[str], player: int) -> Iterator[EnginePlay]:
    """The plays that the program lists, best first."""
    for value in values[1 : _MAX_PLAYS + 1]:
        words = value.split()
        numbers = _floats(words[4:10])
        if len(numbers) == 6 and words[1] == "E" and re.fullmatch("(?:[a-z][a-z]){1,4}", words[0]):
            yield EnginePlay(_moves(words[0], player), _level(words[10:]))


def _level(words: list[str]) -> str:
    """How deep an evaluation looked: plies, and noise if there was any, from the words that describe it.

    Examples
    --------
    >>> _level(["0C", "0", "1", "0.030000", "1"]), _level(["2C", "1", "0.000000", "1"]), _level(["?"])
    ('0-ply, noise 0.03', '2-ply', '')
    """
    found = re.fullmatch(r"(\d{1,2})C?", words[0]) if words else None
    if found is None:
        return ""
    noise = next((float(word) for word in words[1:] if re.fullmatch(r"\d\.\d{1,9}", word)), 0.0)
    return f"{found[1]}-ply" + (f", noise {noise:g}" if noise else "")


def _floats(words: list[str]) -> list[float]:
    try:
        return [float(word) for word in words]
    except ValueError:
        return []


# ---------------------------------------------------------------------- games that it exported as text

_NAME: Final = r"(\S.{0,99}?)"
EXPORTED: Final = re.compile(
    rf"^The score \(after (\d{{1,5}}) games?\) is: {_NAME} (\d{{1,5}}), {_NAME} (\d{{1,5}})"
    r"(?: \(match to (\d{1,5}) points?\)(?:(, Crawford game)|, post-Crawford play)?)?[ \t\r]*$",
    re.MULTILINE,
)
_TURN: Final = re.compile(
    rf"^Move number (\d{{1,5}}):  {_NAME} (?:to play ([1-6]{{2}})|on roll|(?:re)?doubles to )", re.MULTILINE
)
_BOARD: Final = re.compile(r"Position ID: ([A-Za-z0-9+/]{14})\s{1,99}Match ID   : ([A-Za-z0-9+/]{12})")
_DONE: Final = re.compile(
    rf"^\* {_NAME} (?:moves {_NAME}|cannot move|((?:re)?doubles)|(accepts)|(rejects|passes))[ \t\r]*$", re.MULTILINE
)
_KINDS: Final[dict[int, ActionKind]] = {3: "double", 4: "take", 5: "pass"}
"""The groups of `_DONE` for actions other than plays."""

_PLAY: Final = re.compile(
    rf"^[* ] {{1,5}}\d{{1,4}}\. Cubeful (\S{{1,20}}) {{1,20}}{_NAME} {{2,40}}Eq\.: {{1,9}}[+-]\d\.\d{{3}}", re.MULTILINE
)
_CUBE: Final = re.compile(r"^Cube analysis\s{1,9}(\S{1,20}) ", re.MULTILINE)
_NO_DOUBLE: Final = re.compile(r"^[1-3]\. No (?:re)?double {1,20}([+-]\d\.\d{3})", re.MULTILINE)
_DOUBLE_TAKE: Final = re.compile(r"^[1-3]\. (?:Red|D)ouble, take {1,20}([+-]\d\.\d{3})", re.MULTILINE)
_WINS: Final = re.compile(rf"^{_NAME} wins (\d{{1,5}}) points?[ \t\r]*$", re.MULTILINE)


def read_gnubg_text(text: str, source: str) -> Match:
    """Read the games of an export; those of several files may stand one after another.

    Raises
    ------
    FormatError
        If games of different matches stand together, or a game is longer than one can be.
    """
    heads, games, jacoby = [*_parts(EXPORTED, text)], [], False
    first = heads[0][0]
    players, length = (first[2], first[4]), int(first[6] or 0)
    for head, body in heads:
        if (head[2], head[4], int(head[6] or 0)) != (*players, length):
            raise FormatError(f"{source} has games of different matches: give each match a file of its own")
        number, wins = int(head[1]) + 1, _WINS.search(body)
        for board in _BOARD.finditer(body) if not length else ():
            with suppress(PositionError):  # which is named with its move
                jacoby = jacoby or bool(sides_of_board(f"{board[1]}:{board[2]}")[2].jacoby)
                break
        actions = tuple(_actions(body, players))
        if len(actions) > MAX_TURNS:
            raise FormatError(f"{source} has more than {MAX_TURNS:,} turns in game {number:,}: no game is that long")
        result = (players.index(wins[1]), int(wins[2])) if wins and wins[1] in players else None
        crawford = bool(head[7]) if length else None
        games.append(RecordedGame(number, (int(head[3]), int(head[5])), crawford, actions, result))
    return Match(source, players, length, tuple(games), jacoby=jacoby, engine="GNU Backgammon")


def _parts(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Each head, and the text up to the next."""
    heads = [*pattern.finditer(text)]
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=True):
        yield head, text[head.end() : end]


def _actions(body: str, players: tuple[str, str]) -> Iterator[Action]:
    """What was done, as far as it can be read."""
    for head, part in _parts(_TURN, body):
        try:
            yield _turn(head, part, players)
        except PositionError as error:
            yield Action("lost", 0, move_number=int(head[1]), comment=str(error))
        if len(_DONE.findall(part)) > 1:
            yield Action("lost", 0, move_number=int(head[1]) + 1, comment="the line with its move number is missing")


def _turn(head: re.Match[str], part: str, players: tuple[str, str]) -> Action:
    done, board = _DONE.search(part), _BOARD.search(part)
    if done is None:
        raise PositionError(f"what {head[2]} did is not told")
    if done[1] not in players:
        raise PositionError(f"{done[1]!r} is none of the players")
    player = players.index(done[1])
    kind: ActionKind = next((name for group, name in _KINDS.items() if done[group]), "play")
    if kind == "play" and not head[3]:
        raise PositionError(f"the roll of {done[1]} is not told")
    seen = cube_before = None
    if board is not None and kind in ("play", "double"):
        mine, theirs, state = sides_of_board(f"{board[1]}:{board[2]}")
        seen = FullBoard(tuple(mine), tuple(theirs))
        cube_before = state.cube_value, {"centered": -1, "mine": player, "theirs": 1 - player}[state.cube]
    level, no_double, taken = _CUBE.search(part), _NO_DOUBLE.search(part), _DOUBLE_TAKE.search(part)
    cube = None
    if level and no_double and taken:
        cube = EngineCube(float(no_double[1]), float(taken[1]), as_mwc=False, level=level[1])
    plays = [(read_moves(each[2]), each[1]) for each in _PLAY.finditer(part)]
    return Action(
        kind,
        player,
        parse_roll(head[3]) if kind == "play" else None,
        read_moves(done[2] or "") if kind == "play" else None,
        done[2] or ("cannot move" if kind == "play" else kind),
        board=seen,
        cube_before=cube_before,
        move_number=int(head[1]),
        cube=cube,
        plays=tuple(EnginePlay(moves, level) for moves, level in plays if moves is not None),
    )
