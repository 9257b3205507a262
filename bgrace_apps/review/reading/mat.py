"""Matches as text, which nearly every program writes: .mat and .txt, the format of Jellyfish.

A line with a number and a bracket is a turn of both players, in two columns.  Everything that a line says is either
used, or named as a problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from bgrace.board.dice import parse_roll
from bgrace.errors import FormatError
from bgrace_apps.review.full_board import BAR, OFF, Move
from bgrace_apps.review.reading.limits import MAX_TURNS, check_variant, lines_of
from bgrace_apps.review.records import Action, Match, Problem, RecordedGame

_LENGTH: Final = re.compile(
    r"\s*(?:(\d{1,5})[\s-]{0,9}(?:points?|pts?)[\s-]{1,9}match\b|match\s+(?:of|to)\s+(\d{1,5})\b(?:\s+(?:points?|pts?))?"
    r"|(?:money|unlimited)\s+(?:game|match|session)\b)",
    re.IGNORECASE,
)
_GAME: Final = re.compile(r"^\s*game\s+(\d{1,6})\s*$", re.IGNORECASE)
GAM: Final = re.compile(r"\s*(\S[^\n]*?)[ \t]{2,}(\S[^\n]*?)[ \t\r]*\n(?=\s*1\))")
_SCORE: Final = re.compile(r"(\S.*?)?\s*:\s*(\d{1,5})\s{2,}(\S.*?)?\s*:\s*(\d{1,5})$")
_LONG_SCORE: Final = re.compile(r"(\S.{23,}?) ?: (\d{1,5}) ?(\D.*?) : (\d{1,5})$")
"""GNU Backgammon leaves no room between the columns for longer names."""

_RATING: Final = re.compile(r"\s*\([^()]*\)$")
_TURN: Final = re.compile(r"^\s*(\d{1,5})\)(.*)$")
_HEADER: Final = re.compile(r'^\s*;\s*\[(\w[\w ]*?)\s+"([^"]*)"\]')

_CUBE: Final = re.compile(
    r"((?:re)?doubles?|beavers?|raccoons?)\s*=>\s*(\d{1,5})|(takes|accepts)\b|(?:drops|rejects|passes)\b", re.IGNORECASE
)
_RESULT: Final = re.compile(r"(wins?|los(?:es|ses))\s+(\d{1,5})(?:\s+points?)?(\s+and\s+the\s+match)?", re.IGNORECASE)
_RESIGNS: Final = re.compile(r"(?:00|0-0):?\s*\?*\s*$|resign", re.IGNORECASE)
_FORFEITS: Final = re.compile(r"forfeit|los(?:t|es)\s+on\s+time", re.IGNORECASE)
_DICE: Final = re.compile(r"([1-6])-?([1-6]):?(?:\s+|$)(.*)")
_ACTIONS: Final = (_CUBE, _RESULT, _RESIGNS, _FORFEITS, _DICE)
_NEXT_COLUMN: Final = re.compile(
    r"(?<=\S) {1,2}(?=[0-6]-?[0-6]:|(?:(?:re)?doubles?|beavers|raccoons)\s*=>"
    r"|(?:takes|drops|wins|loses|losses|resigns)\b)",
    re.IGNORECASE,
)
_COLUMNS: Final = re.compile(r"\s{3,}")
_RIGHT: Final = 20
"""Blanks in front of what stands in the right column, on a line without a number."""

_MOVE: Final = re.compile(r"((?:\d{1,2}|bar)(?:/(?:\d{1,2}|off|bar)\*?)+)(?:\(([1-4])\))?\*?", re.IGNORECASE)
_NO_MOVES: Final = re.compile(r"(?:cannot move|can't move|no moves?|no play|\(?none\)?|dance|-+)?", re.IGNORECASE)
_POINTS: Final = {"bar": BAR, "off": OFF}

MAX_LINE: Final = 400
"""Letters of a line with a turn; longer ones are no turns."""

_USED: Final = ("player 1", "player 2", "jacoby", "beaver", "crawford", "cubelimit", "variation", "event", "eventdate")
_INFORMATION: Final = frozenset(
    re.findall(
        r"[^,]+",
        "date,site,match id,player 1 elo,player 2 elo,place,round,transcriber,annotator,comment,clocktype,clock type,"
        "time control,rated,unrated,eventtime,timezone,result,location",
    )
)
"""Headers that no decision depends on."""

_ON: Final = ("on", "yes", "true", "1")
_OFF: Final = ("off", "no", "false", "0")

LEAST_LIMIT: Final = 64
"""A limit of the cube that no game reaches."""


def looks_like_mat(text: str) -> bool:
    r"""Whether there is the header of a match or of a game near the beginning.

    Examples
    --------
    >>> looks_like_mat(" 7-point match\n"), looks_like_mat("4HPwATDgc/ABMA")
    (True, False)
    """
    return any(_LENGTH.match(line) or _GAME.match(line) for line in text[:20_000].split("\n") if len(line) <= MAX_LINE)


def read_gam(text: str, source: str) -> Iterator[Match]:
    """Read the game of a .gam file, which tells neither the score nor the length of its match.

    Raises
    ------
    FormatError
        As for `read_mat`.
    """
    names = GAM.match(text[:MAX_LINE])
    assert names is not None, "it looks like one"
    header = f" 0 point match\n\n Game 1\n {names[1]} : 0          {names[2]} : 0\n"
    unknown = Problem(0, 0, "a .gam file tells neither the score nor the length of the match: judged for money")
    for match in read_mat(header + text[names.end() :], source):
        yield replace(match, problems=(unknown, *match.problems))


@dataclass(slots=True)
class _Game:
    """The lines of a game: names and score, left and right, and the text of each column with its row."""

    number: int
    names: tuple[str, str] = ("", "")
    score: tuple[int, int] | None = None
    columns: list[tuple[int | None, int, str]] = field(default_factory=list)
    """0 for the left column and 1 for the right, None if its blanks are lost; row, text."""


@dataclass(slots=True)
class _Part:
    """The lines of one match."""

    headers: list[tuple[str, str]] = field(default_factory=list)
    n_own: int = 0
    """Headers that cannot be those of the next match, as a line of this one stands below them."""
    length: int | None = None
    games: list[_Game] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unread: list[tuple[int, str]] = field(default_factory=list)
    n_lines: int = 0


def read_mat(text: str, source: str) -> Iterator[Match]:
    """Read every match of a file.

    Raises
    ------
    FormatError
        If there is none, or if it is of another variant than backgammon.
    """
    found = False
    for number, part in enumerate(_parts(text, source), 1):
        if part.games or (found and part.unread):
            found = True
            yield _match(part, source, number)
    if not found:
        raise FormatError(f'{source} has no game: a match begins with a line such as "7 point match" and with "Game 1"')


def _parts(text: str, source: str) -> Iterator[_Part]:
    """Cut a file into matches, of which the last may have no game."""
    part = _Part()
    for number, raw in enumerate(lines_of(text), 1):
        is_short = len(raw) <= MAX_LINE
        line = " ".join(raw.expandtabs(8).splitlines()) if is_short else raw[:MAX_LINE]
        bare = line.strip()
        header = _HEADER.match(line)
        if header is not None:
            part.headers.append((header[1].lower(), header[2]))
        game, length = _GAME.match(line), _LENGTH.match(line)
        if part.games and (length or (game and int(game[1]) == 1)):
            ahead = _Part(part.headers[part.n_own :])
            del part.headers[part.n_own :]
            yield part
            part = ahead
        part.n_lines += 1
        if part.n_lines > MAX_TURNS:
            raise FormatError(
                f"{source} has more than {MAX_TURNS:,} lines of one match: give its games in several files"
            )
        if not bare or bare[0] == ";":
            continue
        if game is not None:
            part.games.append(_Game(int(game[1])))
        elif length is not None:
            part.length = int(length[1] or length[2] or 0)
            if line[length.end() :].strip(" .:"):
                part.unread.append((number, bare))
        elif not (is_short and part.games and _take(part.games[-1], line)):
            part.unread.append((number, bare))
            continue
        part.n_own = len(part.headers)
    cells = part.games[-1].columns if part.games else []
    if cells and text.rstrip(" \t").endswith(cells[-1][2]) and not _RESULT.match(cells[-1][2]):
        cells[-1] = None, cells[-1][1], f"{cells[-1][2]} (cut off?)"  # the end of its line is missing
    yield part


def _take(game: _Game, line: str) -> bool:
    """Add a line to a game, and say whether it is understood."""
    turn = _TURN.match(line)
    if turn is not None:
        halves = _COLUMNS.split(_NEXT_COLUMN.sub(" " * 5, turn[2]), maxsplit=1)
        game.columns += [(side, int(turn[1]), text.strip()) for side, text in enumerate(halves) if text.strip()]
        return True
    text = line.strip()
    is_head = game.score is None and not game.columns and ":" in text
    score = (_SCORE.match(text) or _LONG_SCORE.match(text)) if is_head else None
    if score is not None:
        game.names, game.score = (score[1] or "", score[3] or ""), (int(score[2]), int(score[4]))
        return True
    if text.isdecimal() or not any(pattern.match(text) for pattern in _ACTIONS):
        return False  # a number alone is one of a row that was cut off
    row = game.columns[-1][1] if game.columns else 0
    blanks = len(line) - len(line.lstrip())
    game.columns.append((int(blanks >= _RIGHT) if blanks else None, row, text))
    return True


def _match(part: _Part, source: str, number: int) -> Match:
    headers = dict(reversed(part.headers))
    check_variant(headers.get("variation", ""), source)
    length = part.length or 0
    names = next((game.names for game in part.games if any(game.names)), ("", ""))
    players = headers.get("player 1", names[0]), headers.get("player 2", names[1])
    if any(names) and set(names) != set(players):
        players = names
    games: list[RecordedGame] = []
    for game in reversed(part.games):
        swapped = _is_swapped(game.names, players)
        if swapped is None:
            text = f"it is of {game.names[0]!r} and {game.names[1]!r}: left out"
            part.problems.append(Problem(game.number, 0, text))
            continue
        if length and game.score is None:
            part.problems.append(Problem(game.number, 0, "the score before the game is not found: taken for 0 to 0"))
        score = (game.score or (0, 0))[:: -1 if swapped else 1]
        later = games[0].score if games else score
        gained = later[0] - score[0], later[1] - score[1]
        actions, result = _actions(game, swapped, (length - score[0], length - score[1]) if length else (0, 0), gained)
        games.insert(0, RecordedGame(game.number, (score[0], score[1]), None, tuple(actions), result))
    return Match(
        source,
        players,
        length,
        tuple(games),
        number,
        jacoby=not length and headers.get("jacoby", "").lower() in _ON,
        beavers=not length and headers.get("beaver", "").lower() in _ON,
        crawford=headers.get("crawford", "").lower() not in _OFF,
        no_cube=headers.get("cubelimit") == "1",
        problems=(*_not_understood(part, headers), *sorted(part.problems, key=lambda problem: problem.game)),
        event=headers.get("event", ""),
        date=headers.get("eventdate", headers.get("date", "")),
    )


def _is_swapped(names: tuple[str, str], players: tuple[str, str]) -> bool | None:
    """Whether the players of a match have changed columns in a game; None if others are there.

    Some programs write the same player on the left in every game, others either of the two, and some add ratings.

    Examples
    --------
    >>> players = ("Ann", "Bob")
    >>> _is_swapped(("Bob (1800)", "ANN"), players), _is_swapped(("", ""), players), _is_swapped(("Cy", "Di"), players)
    (True, False, None)
    """
    if not any(names) or names == players:
        return False
    left, right, first, second = (_RATING.sub("", name).casefold() for name in (*names, *players))
    straight, crossed = (left == first) + (right == second), (left == second) + (right == first)
    return None if straight == crossed == 0 else crossed > straight


def _not_understood(part: _Part, headers: dict[str, str]) -> Iterator[Problem]:
    """Headers and lines that were not understood, each kind once."""
    if part.length is None:
        yield Problem(0, 0, "match length not found: judged for money")
    limit = headers.get("cubelimit", "")
    if limit.isdecimal() and 1 < int(limit[:9]) < LEAST_LIMIT:
        yield Problem(0, 0, f"the cube goes up to {limit[:9]} only: judged as if it went on")
    odd = [] if limit.isdecimal() or not limit else ["cubelimit"]
    odd += [name for name in ("jacoby", "beaver", "crawford") if headers.get(name, "on").lower() not in _ON + _OFF]
    for name in odd:
        yield Problem(0, 0, f"the header {name} is {headers[name][:40]!r}, which is not understood, and left out")
    unknown = [name for name in headers if name not in _INFORMATION and name not in _USED]
    if unknown:
        yield Problem(0, 0, f"the header {unknown[-1][:60]!r}{_others(unknown)} is not understood, and left out")
    if part.unread:
        number, line = part.unread[0]
        yield Problem(0, 0, f"line {number}: {line[:60]!r}{_others(part.unread)} is not understood, and left out")


def _others(found: Sequence[object]) -> str:
    return f" (and {len(found) - 1:,} more)" if len(found) > 1 else ""


def _actions(
    game: _Game, swapped: bool, needed: tuple[int, int], gained: tuple[int, int]
) -> tuple[list[Action], tuple[int, int] | None]:
    """The actions of a game; the winner and the points, if the game tells them.

    `needed` are the points that either player needs to win the match, `gained` those that the score of the next game
    adds to this one's.
    """
    actions: list[Action] = []
    result, doubled, last, won = None, False, 0, False
    for k, (column, row, text) in enumerate(game.columns):
        ended = _RESULT.match(text)
        again = game.columns[k] in game.columns[max(k - 2, 0) : k]
        if not ended and (won or again or row - last not in (0, 1)):
            before = "the result" if won else f"row {last}"
            actions.append(Action("lost", 0, text=text, move_number=row, comment=f"row {row} comes after {before}"))
        if won:
            break
        last, player = row, (column or 0) ^ swapped
        by_score = ended is not None and sorted(gained) == [0, int(ended[2])]
        if column is None and not by_score:
            actions.append(Action("lost", player, text=text, move_number=row))
        elif ended is not None:
            won = ended[1].lower().startswith("w")
            points = int(ended[2])
            winner = gained.index(points) if by_score else player if won else 1 - player
            result = winner, max(points, needed[winner]) if ended[3] else points
        elif _FORFEITS.match(text):
            actions.append(Action("forfeit", player, text=text, move_number=row))
        elif not _RESIGNS.match(text):  # the lines that follow tell the winner and the points
            actions.append(_action(player, text, row, doubled))
            doubled = actions[-1].kind in ("double", "beaver")
    return actions, result


def _action(player: int, text: str, row: int, doubled: bool) -> Action:
    """Read what stands in one column of one row.

    Examples
    --------
    >>> action = _action(0, "1-3: 8/5* 6/5", 1, False)
    >>> action.kind, action.roll, action.moves
    ('play', (3, 1), ((8, 5), (6, 5)))
    >>> _action(1, "Doubles => 2", 2, False).number, _action(0, "Takes", 2, True).kind
    (2, 'take')
    """
    cube = _CUBE.match(text)
    if cube is not None and cube[1]:
        return Action("beaver" if doubled else "double", player, text=text, number=int(cube[2]), move_number=row)
    if cube is not None:
        return Action("take" if cube[3] else "pass", player, text=text, move_number=row)
    dice = _DICE.match(text)
    if dice is None:
        return Action("lost", player, text=text, move_number=row)
    roll = parse_roll(dice[1] + dice[2])
    return Action("play", player, roll, read_moves(dice[3]), dice[3].strip(), move_number=row)


def read_moves(text: str) -> tuple[Move, ...] | None:
    """Read the moves of a play, in their order; None if they are not told or cannot be read.

    Marks such as ``?!`` are left out.

    Examples
    --------
    >>> read_moves("bar/20*/15 6/off(2)"), read_moves("25/20, 4/0?!"), read_moves("Cannot Move"), read_moves("????")
    (((25, 20), (20, 15), (6, 0), (6, 0)), ((25, 20), (4, 0)), (), None)
    """
    bare = re.sub(r"(?<=[\w*)])\s*[?!]{1,2}(?=[\s,]|$)", "", text.strip())
    if _NO_MOVES.fullmatch(bare):
        return ()
    moves: list[Move] = []
    for token in re.split(r"[\s,]+", bare):
        found = _MOVE.fullmatch(token)
        if found is None or len(moves) > 4:
            return None
        stops = [stop.rstrip("*").lower() for stop in found[1].split("/")]
        points = [_POINTS[stop] if stop in _POINTS else int(stop) for stop in stops]
        moves += list(pairwise(points)) * int(found[2] or 1)
    return tuple(moves)
