"""Games that GNU Backgammon exported as text: a board before each move, what was done, and its analysis.

It writes each game into a file of its own, in English unless it runs in another language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bgrace.board.dice import parse_roll
from bgrace.board.full_board import FullBoard
from bgrace.board.text import sides_of_board
from bgrace.errors import FormatError
from bgrace_apps.review.reading.limits import MAX_TURNS
from bgrace_apps.review.reading.mat import read_moves
from bgrace_apps.review.records import Action, ActionKind, EngineCube, EnginePlay, Match, Problem, RecordedGame

_NAME: Final = r"(\S.{0,99}?)"
_GAME: Final = re.compile(
    rf"^The score \(after (\d{{1,5}}) games?\) is: {_NAME} (\d{{1,5}}), {_NAME} (\d{{1,5}})"
    r"(?: \(match to (\d{1,5}) points?\)(?:(, Crawford game)|, post-Crawford play)?)?[ \t\r]*$",
    re.MULTILINE,
)
_MOVE: Final = re.compile(
    rf"^Move number (\d{{1,5}}):  {_NAME} (?:to play ([1-6]{{2}})|on roll|(?:re)?doubles to )", re.MULTILINE
)
_BOARD: Final = re.compile(r"Position ID: ([A-Za-z0-9+/]{14})\s{1,99}Match ID   : ([A-Za-z0-9+/]{12})")
_DONE: Final = re.compile(
    rf"^\* {_NAME} (?:moves {_NAME}|cannot move|((?:re)?doubles)|(accepts)|(rejects|passes))[ \t\r]*$", re.MULTILINE
)
_KINDS: Final[dict[int, ActionKind]] = {3: "double", 4: "take", 5: "pass"}
"""The groups of `_DONE` for what is no play."""

_PLAY: Final = re.compile(
    rf"^[* ] {{1,5}}\d{{1,4}}\. Cubeful (\S{{1,20}}) {{1,20}}{_NAME} {{2,40}}Eq\.: {{1,9}}([+-]\d\.\d{{3}})",
    re.MULTILINE,
)
_CUBE: Final = re.compile(r"^Cube analysis\s{1,9}(\S{1,20}) ", re.MULTILINE)
_NO_DOUBLE: Final = re.compile(r"^[1-3]\. No (?:re)?double {1,20}([+-]\d\.\d{3})", re.MULTILINE)
_DOUBLE_TAKE: Final = re.compile(r"^[1-3]\. (?:Red|D)ouble, take {1,20}([+-]\d\.\d{3})", re.MULTILINE)
_WINS: Final = re.compile(rf"^{_NAME} wins (\d{{1,5}}) points?[ \t\r]*$", re.MULTILINE)


def looks_like_gnubg_text(text: str) -> bool:
    """Whether it begins as an exported game does."""
    return _GAME.match(text.lstrip()[:400]) is not None


def read_gnubg_text(text: str, source: str) -> Match:
    """Read the games of an export; those of several files may stand one after another.

    Raises
    ------
    FormatError
        If games of different matches stand together, or a game is longer than one can be.
    """
    heads, games, problems, jacoby = [*_parts(_GAME, text)], [], [], False
    first = heads[0][0]
    players, length = (first[2], first[4]), int(first[6] or 0)
    for head, body in heads:
        if (head[2], head[4], int(head[6] or 0)) != (*players, length):
            raise FormatError(f"{source} has games of different matches: give each match a file of its own")
        number, wins, board = int(head[1]) + 1, _WINS.search(body), _BOARD.search(body)
        if board is not None and not length:
            jacoby = jacoby or bool(sides_of_board(f"{board[1]}:{board[2]}")[2].jacoby)
        done = [*_actions(body[: wins.start()] if wins else body, players)]
        actions = tuple(each for each in done if isinstance(each, Action))
        problems += [Problem(number, each[0], each[1]) for each in done if not isinstance(each, Action)]
        if len(actions) > MAX_TURNS:
            raise FormatError(f"{source} has more than {MAX_TURNS:,} turns in game {number:,}: no game is that long")
        result = (players.index(wins[1]), int(wins[2])) if wins and wins[1] in players else None
        crawford = bool(head[7]) if length else None
        games.append(RecordedGame(number, (int(head[3]), int(head[5])), crawford, actions, result))
    analysed = any(action.cube or action.plays for game in games for action in game.actions)
    engine = "GNU Backgammon" if analysed else ""
    return Match(source, players, length, tuple(games), jacoby=jacoby, problems=tuple(problems), engine=engine)


def _parts(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Each head, and the text up to the next."""
    heads = [*pattern.finditer(text)]
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=True):
        yield head, text[head.end() : end]


def _actions(body: str, players: tuple[str, str]) -> Iterator[Action | tuple[int, str]]:
    """What was done; and the number of a move that cannot be read, and why."""
    for head, part in _parts(_MOVE, body):
        number, done, board = int(head[1]), _DONE.search(part), _BOARD.search(part)
        if done is None:
            yield number, f"what {head[2]} did is not told"
            continue
        if done[1] not in players:
            yield number, f"{done[1]!r} is none of the players"
            continue
        player = players.index(done[1])
        kind: ActionKind = next((name for group, name in _KINDS.items() if done[group]), "play")
        if kind in ("take", "pass"):
            yield Action(kind, player, text=kind, move_number=number)
            continue
        if kind == "play" and not head[3]:
            yield number, f"the roll of {done[1]} is not told"
            continue
        seen = None
        if board is not None:
            mine, theirs, _ = sides_of_board(f"{board[1]}:{board[2]}")
            seen = FullBoard(tuple(mine), tuple(theirs))
        level, no_double, taken = _CUBE.search(part), _NO_DOUBLE.search(part), _DOUBLE_TAKE.search(part)
        cube = None
        if level and no_double and taken:
            cube = EngineCube(float(no_double[1]), float(taken[1]), as_mwc=False, level=level[1])
        if kind == "double":
            yield Action(kind, player, text=kind, board=seen, move_number=number, cube=cube)
            continue
        plays = [(read_moves(each[2]), float(each[3]), each[1]) for each in _PLAY.finditer(part)]
        yield Action(
            "play",
            player,
            parse_roll(head[3]),
            read_moves(done[2] or ""),
            done[2] or "cannot move",
            board=seen,
            move_number=number,
            cube=cube,
            plays=tuple(EnginePlay(moves, equity, level) for moves, equity, level in plays if moves is not None),
        )
