"""A match as a file has it, before anything is checked.

Readers of every format make these; `bgrace_apps.review.replay` plays them on a board.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from bgrace.board import Board
from bgrace_apps.review.full_board import FullBoard, Move

ActionKind: TypeAlias = Literal[
    "play", "double", "take", "pass", "beaver", "forfeit", "position", "cube", "owner", "turn", "lost"
]

MAX_NAME: Final = 80
"""Letters of a name that are kept."""

MAX_COMMENT: Final = 1000


@dataclass(frozen=True, slots=True)
class EngineCube:
    """The opinion of a file's program on a cube decision.

    Attributes
    ----------
    no_double, double_take : float
        At a match score chances to win the match if `as_mwc`, else equities per unit of the cube.
    as_mwc : bool
    level : str
        How deep it looked, as the file states it; empty if it does not.
    """

    no_double: float
    double_take: float
    as_mwc: bool
    level: str = ""


@dataclass(frozen=True, slots=True)
class EnginePlay:
    """A play that the program that wrote a file listed, and the level, if stated."""

    moves: tuple[Move, ...]
    level: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a player did, as the file has it.

    Attributes
    ----------
    kind : str
        ``"play"`` (a roll and its moves), ``"double"``, ``"take"``, ``"pass"``, ``"beaver"``, ``"forfeit"`` (the game
        is given up for another reason than its course), ``"position"``, ``"cube"``, ``"owner"`` or ``"turn"`` (the file
        sets the board, the cube, its owner or the turn by hand), or ``"lost"`` (something that cannot be read, after
        which the board is not known).
    player : int
        0 or 1: who did it; of ``"owner"`` -1 for the middle.
    roll : tuple of two int, or None
    moves : tuple of moves, or None
        In the order of the file, counted by the player who moves; None if the file does not tell.
    text : str
        As it stands in the file, to be quoted.
    number : int or None
        Of a double, a beaver or ``"cube"`` the new value of the cube; None if the file does not tell.
    board : FullBoard, or None
        Of ``"position"``, seen by `player`, who is on roll; of other kinds where the file says that the player stood
        before.
    move_number : int
        Of the turn, as the file counts; 0 if it does not.
    cube : EngineCube, or None
    plays : tuple of EnginePlay
        Best first.
    comment : str
        What somebody wrote about it, without letters that a terminal would obey; of ``"lost"`` why the board is not
        known, if its text does not say so.
    cube_before : tuple of (int, int), or None
        With a board: value and owner of the cube before it, -1 for the middle, where the file tells.
    """

    kind: ActionKind
    player: int
    roll: tuple[int, int] | None = None
    moves: tuple[Move, ...] | None = None
    text: str = ""
    number: int | None = None
    board: FullBoard | None = None
    move_number: int = 0
    cube: EngineCube | None = None
    plays: tuple[EnginePlay, ...] = ()
    comment: str = ""
    cube_before: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "comment", clean(self.comment, MAX_COMMENT))


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game of a match.

    Attributes
    ----------
    number : int
        From 1.
    score : tuple of two int
        Before it.
    crawford : bool, or None
        Whether it is the Crawford game; None if the file leaves that to the score.
    actions : tuple of Action
    result : tuple of two int, or None
        Who won how many points; None if the game is unfinished.
    resigned : bool, or None
        Whether it was resigned; None if the file does not tell.
    """

    number: int
    score: tuple[int, int]
    crawford: bool | None
    actions: tuple[Action, ...]
    result: tuple[int, int] | None = None
    resigned: bool | None = None

    @property
    def final(self) -> tuple[int, int] | None:
        """The score after it; None if it has no result."""
        if self.result is None:
            return None
        winner, points = self.result
        return self.score[0] + points * (winner == 0), self.score[1] + points * (winner == 1)


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault of a file: its place, and how it was handled.

    Attributes
    ----------
    game, move : int
        0 if it is not one game's, or not one move's; of a file of positions, 0 and the number of the position.
    text : str
    """

    game: int
    move: int
    text: str

    @property
    def kind(self) -> str:
        """How it was handled, without what differs from place to place.

        Examples
        --------
        >>> Problem(1, 2, "'4/5' is not a legal play: the rest is left out").kind
        'the rest is left out'
        """
        return re.sub(r"'[^']*'|\d[\d,]*", "…", self.text.rpartition(": ")[2])

    def __str__(self) -> str:
        places = (("game", self.game), ("move" if self.game else "position", self.move))
        where = ", ".join(f"{name} {number}" for name, number in places if number)
        return f"{where}: {self.text}" if where else self.text


@dataclass(frozen=True, slots=True)
class Match:
    """A match or a money session, as a file has it; or positions, each a question by itself.

    Attributes
    ----------
    source : str
        The name of the file.
    number : int
        Of the match within the file, from 1.
    players : tuple of two str
        Without letters that a terminal would obey.
    length : int
        Points it goes to; 0 for money.
    jacoby, beavers : bool
        Rules of money play.
    crawford : bool
        Whether the match has a Crawford game.
    no_cube : bool
        Whether it is played without a cube.
    games : tuple of RecordedGame
    boards : tuple of Board
        Of a file of positions; then there are no games.
    problems : tuple of Problem
        Found while reading.
    event, date : str
        Empty if not known.
    engine : str
        Whose analysis the file has; empty if none.
    """

    source: str
    players: tuple[str, str]
    length: int
    games: tuple[RecordedGame, ...] = ()
    number: int = 1
    jacoby: bool = False
    beavers: bool = False
    crawford: bool = True
    boards: tuple[Board, ...] = ()
    problems: tuple[Problem, ...] = ()
    event: str = ""
    date: str = ""
    engine: str = ""
    no_cube: bool = False

    def __post_init__(self) -> None:
        players = tuple(clean(name, MAX_NAME) or f"Player {k}" for k, name in enumerate(self.players, 1))
        object.__setattr__(self, "players", players)
        object.__setattr__(self, "source", clean(self.source, 4 * MAX_NAME))
        if self.games and not any(action.cube or action.plays for game in self.games for action in game.actions):
            object.__setattr__(self, "engine", "")
        for name in ("event", "date", "engine"):
            object.__setattr__(self, name, clean(getattr(self, name), MAX_NAME))


def clean(text: str, longest: int) -> str:
    r"""Text of a file without what a terminal would obey: letters of control, marks of direction, and what is too long.

    Examples
    --------
    >>> clean("A\x1b[31mnna\n Lee\u202e", 80), clean("x" * 9, 4)
    ('A[31mnna Lee', 'xxx…')
    """
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # eXtreme Gammon's halves of letters
    shown = " ".join("".join(c if c.isprintable() else " " if c.isspace() else "" for c in text).split())
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"
