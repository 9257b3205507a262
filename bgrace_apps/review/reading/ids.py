"""Files of positions: one GNU Backgammon ID or XGID a line, or a match that GNU Backgammon exported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from bgrace.board import Board, parse_board
from bgrace.board.text import sides_of_board
from bgrace.errors import ArgumentError, FormatError, PositionError
from bgrace.match.stakes import Stakes
from bgrace_apps.review.reading.limits import MAX_TURNS, lines_of
from bgrace_apps.review.records import Match, Problem

_MAX_LINE: Final = 400
_MAX_TRIED: Final = 1000
"""Lines after which a file without any position is none of these."""

_EXPORTED: Final = re.compile(
    r"Position ID:\s{0,9}(?:<tt>)?([A-Za-z0-9+/]{14})(?:</tt>)?\s{1,99}"
    r"Match ID\s{0,9}:\s{0,9}(?:<tt>)?([A-Za-z0-9+/]{12})"
)
"""A position in a match that GNU Backgammon exported as text or HTML."""

_LABELLED: Final = re.compile(r"[XO]GID=\S+")
_MEANT: Final = re.compile(r"[A-Za-z0-9+/]{12,16}(:|$)|[A-Za-z-]{26}:")
"""A word without a label that is meant as an ID."""


def read_ids(text: str, source: str) -> Match:
    r"""Read positions, each a question: which play, or whether to double or to take.

    From a match that GNU Backgammon exported as text or HTML, read the races among its positions.  In other files, skip
    blank lines, lines that begin with ``#``, the rest of a line after its ID, and the text that eXtreme Gammon copies
    around an XGID.

    Raises
    ------
    FormatError
        If there is no position.

    Examples
    --------
    >>> len(read_ids("# quiz\n4HPwATDgc/ABMA\nGAAA+PoXAAAAAA\n", "quiz").boards)
    1
    """
    exported = tuple(_races(text))
    if exported:
        return Match(source, ("On roll", "Opponent"), 0, boards=exported)
    boards: list[Board] = []
    problems: list[Problem] = []
    grouped: dict[str, list[int]] = {}
    copied = 0 < 2 * len(_LABELLED.findall(text)) < sum(bool(line.strip()) for line in lines_of(text))
    for number, line in enumerate(lines_of(text), 1):
        if number > _MAX_TRIED and not boards:
            break
        if max(len(boards), len(problems)) == MAX_TURNS:
            raise FormatError(f"{source} has more than {MAX_TURNS:,} positions: give them in several files")
        words = line[:_MAX_LINE].split()
        if not words or words[0].startswith("#"):
            continue
        label = _LABELLED.search(line[:_MAX_LINE])
        word = words[0] if label is None else label[0]
        if copied and label is None and not _MEANT.match(word):
            continue
        try:
            board = _race(word)
        except (PositionError, ArgumentError) as error:
            if _is_board(word):
                grouped.setdefault("no race", []).append(number)
            else:
                problems.append(Problem(0, 0, f"line {number}: {error}"))
            continue
        boards.append(board)
        if board.doubt:
            grouped.setdefault(board.doubt, []).append(number)
    for what, numbers in grouped.items():
        more = f" and {len(numbers) - 1:,} more" if len(numbers) > 1 else ""
        problems.append(Problem(0, 0, f"line {numbers[0]}{more}: {what}"))
    if not boards:
        raise FormatError(
            f"{source} is not a match, and no line of it is the ID of a race: give a .mat, .sgf, .xg, .bgf or .ogxm "
            "file, or IDs, one per line"
        )
    return Match(source, ("On roll", "Opponent"), 0, boards=tuple(boards), problems=tuple(problems))


def _race(word: str) -> Board:
    """The race of an ID; PositionError or ArgumentError if it is none that can be judged."""
    board = parse_board(word)
    if not (board.on_roll.checkers and board.opponent.checkers):
        raise PositionError(f"{word}: a side has no checker left: the game is over")
    Stakes.of(board)  # which knows whether there is such a score
    return board


def _is_board(word: str) -> bool:
    """Whether a word is the ID of a board, race or not."""
    try:
        sides_of_board(word)
    except (PositionError, ArgumentError):
        return False
    return True


def _races(text: str) -> Iterator[Board]:
    """The races of a match as GNU Backgammon exports it; its other positions, which have contact, are left out."""
    for found in islice(_EXPORTED.finditer(text), MAX_TURNS):
        try:
            yield _race(f"{found[1]}:{found[2]}")
        except (PositionError, ArgumentError):
            continue
