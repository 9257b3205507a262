"""Matches as text, which nearly every program writes: .mat and .txt, the format of Jellyfish.

gammonview (`gvformat.mat_parser`) tells what stands in which column.  Its misreadings are put right here, in one place,
before it sees the text: it takes a file for one match; a name that looks like dice, or that both players have, for
something else; it knows no beavers; it wants three blanks between columns; and it looks for names in lines of any
length, which takes the square of their length.  It is not asked to carry out moves, because it drops those that it does
not understand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from bgrace.board.full_board import BAR, OFF, Move
from bgrace.errors import FormatError
from bgrace_apps.review.reading.limits import MAX_TURNS, lines_of, load
from bgrace_apps.review.records import Action, Match, Problem, RecordedGame

_LENGTH: Final = re.compile(r"^\s*(\d{1,5})\s+points?\s+match\b|^\s*match\s+of\s+(\d{1,5})\b", re.IGNORECASE)
_GAME: Final = re.compile(r"^\s*game\s+(\d{1,6})\s*$", re.IGNORECASE)
_GAM: Final = re.compile(r"\s*(\S[^\n]*?)[ \t]{2,}(\S[^\n]*?)[ \t\r]*\n(?=\s*1\))")
_SCORE: Final = re.compile(r"^\s*(\S.*?)?\s*:\s*(\d{1,5})\s{2,}(\S.*?)?\s*:\s*(\d{1,5})\s*$")
_TURN: Final = re.compile(r"^\s*(\d{1,5})\)(.*)$")
_HEADER: Final = re.compile(r'^\s*;\s*\[(\w[\w ]*?)\s+"([^"]*)"\]')
_ACTION: Final = r"[1-6][1-6]:|(?:Doubles|Beavers|Raccoons)\s*=>|Takes\b|Drops\b|Wins\b|Resigns\b"
_NEXT_COLUMN: Final = re.compile(rf"(?<=\S) {{1,2}}(?={_ACTION})")
_BEAVER: Final = re.compile(r"\b(?:Beavers|Raccoons)\s*(?==>)", re.IGNORECASE)
_MOVE: Final = re.compile(r"((?:\d{1,2}|bar)(?:/(?:\d{1,2}|off|bar)\*?)+)(?:\(([1-4])\))?\*?", re.IGNORECASE)

_MAX_LINE: Final = 400
"""Letters of a line with a turn; longer ones are no turns."""

_MAX_HEADERS: Final = 100

_WORD: Final = re.compile(r"doubles?\s*=>\s*(\d{1,5})|takes|accepts|drops|rejects|passes", re.IGNORECASE)
_WINS: Final = re.compile(r"wins?\s+(\d{1,5})", re.IGNORECASE)
_ENDS: Final = re.compile(r"resign|forfeit|los(?:t|es)\s+on\s+time|wins?\b", re.IGNORECASE)
_DICE: Final = re.compile(r"([1-6])([1-6]):?(?:\s+|$)(.*)")
_NO_MOVES: Final = re.compile(r"(?:cannot move|can't move|no moves?|no play|\(?none\)?|dance|-+)?", re.IGNORECASE)
_POINTS: Final = {"bar": BAR, "off": OFF}

_LEFT, _RIGHT = "Left", "Right"
"""The names of players for gammonview."""


def looks_like_mat(text: str) -> bool:
    r"""Whether there is the header of a match or of a game near the beginning.

    Examples
    --------
    >>> looks_like_mat(" 7 point match\n"), looks_like_mat("4HPwATDgc/ABMA")
    (True, False)
    """
    return any(_LENGTH.match(line) or _GAME.match(line) for line in text[:20_000].split("\n") if len(line) <= _MAX_LINE)


def looks_like_gam(text: str) -> bool:
    """Whether the text is one game as a .gam file has it: two names, and then its turns."""
    return _GAM.match(text[:_MAX_LINE]) is not None


def read_gam(text: str, source: str) -> Iterator[Match]:
    """Read the game of a .gam file, which tells neither the score nor the length of its match.

    Raises
    ------
    FormatError, DependencyError
        As for `read_mat`.
    """
    names = _GAM.match(text[:_MAX_LINE])
    assert names is not None, "it looks like one"
    header = f" 0 point match\n\n Game 1\n {names[1]} : 0          {names[2]} : 0\n"
    unknown = Problem(0, 0, "a .gam file tells neither the score nor the length of the match: judged for money")
    for match in read_mat(header + text[names.end() :], source):
        yield replace(match, problems=(unknown, *match.problems))


@dataclass(slots=True)
class _Part:
    """Lines of one match, and what was put right in them."""

    lines: list[str] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    names: list[tuple[str, str]] = field(default_factory=list)
    """Left and right, of each game."""
    problems: list[Problem] = field(default_factory=list)


def read_mat(text: str, source: str) -> Iterator[Match]:
    """Read every match of a file.

    Raises
    ------
    FormatError
        If there is none.
    DependencyError
        If gammonview is not installed.
    """
    found = False
    for number, part in enumerate(_parts(text, source), 1):
        found = True
        yield _match(part, source, number)
    if not found:
        raise FormatError(f'{source} has no game: a match begins with a line such as "7 point match" and with "Game 1"')


def _parts(text: str, source: str) -> Iterator[_Part]:
    """Cut a file into matches, with the lines as gammonview reads them rightly."""
    part, games = _Part(), 0
    for raw in lines_of(text):
        is_short = len(raw) <= _MAX_LINE
        line = " ".join(raw.expandtabs(8).splitlines()) if is_short else raw
        if not line or line.isspace():
            continue
        game = _GAME.match(line) if is_short else None
        begins = is_short and (_LENGTH.match(line) or (game and games and int(game[1]) == 1))
        is_comment = line.lstrip().startswith(";")
        if games and (begins or (is_comment and _HEADER.match(line[:_MAX_LINE]))):
            yield part
            part, games = _Part(), 0
        if is_comment:
            header = _HEADER.match(line[:_MAX_LINE])
            if header is not None and len(part.headers) < _MAX_HEADERS:
                part.headers.setdefault(header[1].lower(), header[2])
            continue
        if game is not None:
            games += 1
            part.names.append(("", ""))
        _take(part, line, games)
        if len(part.lines) > MAX_TURNS:
            raise FormatError(
                f"{source} has more than {MAX_TURNS:,} lines of one match: give its games in several files"
            )
    if games:
        yield part


def _take(part: _Part, line: str, games: int) -> None:
    """Add a line to a match, put right."""
    if len(line) > _MAX_LINE:
        part.problems.append(Problem(games, 0, f"a line of {len(line):,} letters cannot be a turn, and is left out"))
        return
    score = _SCORE.match(line) if games and _TURN.match(line) is None and part.names[-1] == ("", "") else None
    if score is not None:
        part.names[-1] = (score[1] or "", score[3] or "")
        part.lines.append(f" {_LEFT} : {int(score[2])}          {_RIGHT} : {int(score[4])}")
        return
    turn = _TURN.match(line)
    if turn is not None:
        rest = _BEAVER.sub("Doubles ", turn[2])
        line = f"{turn[1]}){_NEXT_COLUMN.sub(' ' * 5, rest)}"
    part.lines.append(line)


def _match(part: _Part, source: str, number: int) -> Match:
    parsed = load("gvformat.mat_parser").parse_mat_file("\n".join(part.lines))
    length = int(parsed["match_length"])
    players = next((names for names in part.names if any(names)), ("", ""))
    players = part.headers.get("player 1", players[0]), part.headers.get("player 2", players[1])
    if any(part.names) and set(part.names[0]) != set(players):
        players = part.names[0]
    games = []
    problems = list(part.problems)
    for game, names in zip(parsed["games"], part.names, strict=True):
        # Some programs write the same player on the left in every game, others any of the two.
        swapped = names[0] != names[1] and names == (players[1], players[0])
        of_column = {_LEFT: int(swapped), _RIGHT: int(not swapped)}
        score = (int(game["score1_start"]), int(game["score2_start"]))
        actions, result = _actions(game["player_actions"], of_column)
        games.append(
            RecordedGame(int(game["game_number"]), score[::-1] if swapped else score, None, tuple(actions), result)
        )
    return Match(
        source,
        (players[0], players[1]),
        length,
        tuple(games),
        number,
        jacoby=not length and part.headers.get("jacoby", "").lower() == "on",
        beavers=not length and part.headers.get("beaver", "").lower() == "on",
        crawford=part.headers.get("crawford", "on").lower() != "off",
        problems=tuple(problems),
        event=part.headers.get("event", ""),
        date=part.headers.get("eventdate", part.headers.get("date", "")),
    )


def _actions(told: list[tuple[str, str]], of_column: dict[str, int]) -> tuple[list[Action], tuple[int, int] | None]:
    """A game as gammonview reads it, and who won how much."""
    actions: list[Action] = []
    result, row, before, doubled = None, 0, _RIGHT, False
    for column, text in told:
        # Rows are not told: one begins on the left, or on the right where the left is empty.
        row += column == _LEFT or before == _RIGHT
        before = column
        player = of_column[column]
        won = _WINS.match(text)
        if won is not None:
            result = player, int(won[1])
            break
        if _ENDS.match(text):
            continue  # who has won how much is told by what follows
        action = _action(player, text, row, doubled)
        doubled = action.kind in ("double", "beaver")
        actions.append(action)
    return actions, result


def _action(player: int, text: str, row: int, doubled: bool) -> Action:
    """Read what stands in one column of one row.

    Examples
    --------
    >>> action = _action(0, "13: 8/5* 6/5", 1, False)
    >>> action.kind, action.roll, action.moves
    ('play', (3, 1), ((8, 5), (6, 5)))
    >>> _action(1, "Doubles => 2", 2, False).number, _action(0, "Takes", 2, True).kind
    (2, 'take')
    """
    word = _WORD.match(text)
    if word is not None and word[1]:
        return Action("beaver" if doubled else "double", player, text=text, number=int(word[1]), move_number=row)
    if word is not None:
        return Action("take" if text[:1] in "TtAa" else "pass", player, text=text, move_number=row)
    dice = _DICE.match(text)
    if dice is None:
        return Action("lost", player, text=text, move_number=row)
    moves = read_moves(dice[3])
    roll = (max(int(dice[1]), int(dice[2])), min(int(dice[1]), int(dice[2])))
    return Action("play", player, roll, moves, dice[3].strip(), move_number=row)


def read_moves(text: str) -> tuple[Move, ...] | None:
    """Read the moves of a play, in their order; None if they are not told or cannot be read.

    Examples
    --------
    >>> read_moves("bar/20*/15 6/off(2)"), read_moves("25/20 4/0"), read_moves("Cannot Move"), read_moves("????")
    (((25, 20), (20, 15), (6, 0), (6, 0)), ((25, 20), (4, 0)), (), None)
    """
    if _NO_MOVES.fullmatch(text.strip()):
        return ()
    moves: list[Move] = []
    for token in re.split(r"[\s,]+", text.strip()):
        found = _MOVE.fullmatch(token)
        if found is None or len(moves) > 4:
            return None
        stops = [stop.rstrip("*").lower() for stop in found[1].split("/")]
        points = [_POINTS[stop] if stop in _POINTS else int(stop) for stop in stops]
        moves += list(pairwise(points)) * int(found[2] or 1)
    return tuple(moves)
