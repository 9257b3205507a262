"""A race as arguments of a command: POS and OPP, the options of its stakes, and the match equity table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

import bgrace.match
from bgrace._base.limits import Limits
from bgrace.answers.question import Question
from bgrace.board import Board, GameState, Position
from bgrace.board.position import HOME_POINTS, check_no_contact
from bgrace.board.text import read_text, xgids_of
from bgrace.cli.options import Decorator, cube_value_option_of, options_as
from bgrace.cube.action import CUBES, Cube
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import parse_score
from bgrace.match.stakes import Stakes, stakes_of


@dataclass(frozen=True, slots=True)
class Sides:
    """POS and OPP.

    Attributes
    ----------
    on_roll : Position
    opponent : Position, or None
        None if there is no OPP, and POS is not an ID of both sides.
    roll : tuple of two int, or None
    state : GameState, or None
        The state of the game, if POS is an ID of both sides.
    notes : list of str
        Parts of the text that the answer ignores.
    """

    on_roll: Position
    opponent: Position | None
    roll: tuple[int, int] | None
    state: GameState | None
    notes: list[str]

    def both(self) -> tuple[Position, Position]:
        """Both sides; UsageError if there is only one."""
        if self.opponent is None:
            raise click.UsageError("OPP is missing: give both sides, or an ID of both")
        return self.on_roll, self.opponent

    def notes_without_score(self) -> list[str]:
        """The notes of an answer that ignores the score of an ID."""
        away = None if self.state is None else self.state.away
        if away is None:
            return self.notes
        instead = "equities and cube action are those of money play"
        return [*self.notes, f"the ID is of a match, {away[0]} away against {away[1]} away; {instead}"]


def read_sides(pos: str, opp: str | None, *, race: bool = True) -> Sides:
    """Read the arguments POS and OPP; in a race the sides must have passed each other."""
    read = read_text(pos)
    if isinstance(read, Board) and opp is None:
        return _sides_of_id(pos, read)
    others = [] if opp is None else [read_text(opp)]
    ids = [text for text, side in zip((pos, opp), [read, *others], strict=False) if isinstance(side, Board)]
    on_roll, *rest = [_trimmed(side.on_roll) if isinstance(side, Board) else side for side in (read, *others)]
    opponent = rest[0] if rest else None
    if opponent is not None and race:
        check_no_contact(on_roll, opponent)
    return Sides(on_roll, opponent, None, None, [f"of {text}, only the player on roll counts" for text in ids])


def _sides_of_id(pos: str, board: Board) -> Sides:
    notes = [f"the ID has {board.doubt}"] if board.doubt else []
    n_ids = len(xgids_of(pos))
    if n_ids > 1:
        notes.append(f"the text has {n_ids} XGIDs: the first is the position")
    left = [side for side in (board.on_roll, board.opponent) if side.checkers]
    if len(left) == 1:
        notes.append("one side of the ID has no checker left: the other is taken by itself")
        return Sides(_trimmed(left[0]), None, None, None, notes)
    return Sides(_trimmed(board.on_roll), board.opponent, board.roll, board, notes)


def _trimmed(side: Position) -> Position:
    """A side of a board, on only as many points as its own checkers need."""
    return side.resized(max(HOME_POINTS, side.highest))


# ---------------------------------------------------------------------- match equity tables


met_option: Final[Decorator] = click.option(
    "--met", metavar="FILE", help="Match equity table: a file, or zadeh.  [default: Kazaross XG2]"
)
"""The ``--met`` of the commands about matches."""


def read_met(name: str | None) -> MatchEquityTable:
    """Read the table of a ``--met``: ``default``, ``zadeh``, or a file."""
    if name in (None, "default"):
        return MatchEquityTable.default()
    if name == "zadeh":
        return MatchEquityTable.from_model(bgrace.match.ZadehModel.equal())  # imported here, since that takes a while
    return MatchEquityTable.load(Path(str(name)))


def met_files(name: str | None) -> list[Path]:
    """The file of a ``--met``, if it names one."""
    return [] if name in (None, "default", "zadeh") else [Path(str(name))]


# ---------------------------------------------------------------------- stakes


_NO_STATE: Final = GameState()


@dataclass(frozen=True, slots=True)
class StakesOptions:
    """The options of the stakes; None for those that are taken from an ID."""

    cube: Cube | None = None
    cube_value: int | None = None
    match: str | None = None
    crawford: bool = False
    money: bool = False
    jacoby: bool | None = None
    beavers: bool | None = None
    gammons: bool = True
    met: str | None = None

    @property
    def given(self) -> list[str]:
        """Names of the options that were given."""
        default = StakesOptions()
        names = [name for name in self.__slots__ if getattr(self, name) != getattr(default, name)]
        return [f"--{'no-' * (getattr(self, name) is False)}{name.replace('_', '-')}" for name in names]

    def stakes(self, state: GameState | None) -> Stakes:
        """Combine the options with the stakes of an ID."""
        return stakes_of(
            state or _NO_STATE,
            match=None if self.match is None else parse_score(self.match),
            money=self.money,
            crawford=self.crawford or None,
            jacoby=self.jacoby,
            beavers=self.beavers,
            gammons=self.gammons,
            met=None if self.met is None else read_met(self.met),
            cube_value=self.cube_value,
        )

    def question(self, sides: Sides, limits: Limits) -> Question:
        """Make the question about both sides."""
        both, state, stakes = sides.both(), sides.state, self.stakes(sides.state)
        cube = stakes.check_cube(self.cube, None if state is None else state.cube)
        return Question(*both, stakes, cube, limits=limits)


_OPTIONS: Final[tuple[Decorator, ...]] = (
    click.option(
        "--cube",
        type=click.Choice(CUBES),
        help="Where the cube is, seen by the player on roll.  [default: as the ID has it, or centered]",
    ),
    cube_value_option_of(None, "Its value before this roll.  [default: the ID's, or 1]"),
    click.option("--match", metavar="A,B", help="Points that both sides still need, such as 3,5."),
    click.option("--crawford", is_flag=True, help="At a match score: this is the Crawford game."),
    click.option("--money", is_flag=True, help="Play for money, whatever the ID says."),
    click.option("--jacoby/--no-jacoby", default=None, help="Money: gammons count once while the cube is centered."),
    click.option(
        "--beavers/--no-beavers", default=None, help="Money: when doubled, redouble at once and keep the cube."
    ),
    click.option(
        "--gammons/--no-gammons", default=True, show_default=True, help="Whether gammons and backgammons count."
    ),
    met_option,
)

stakes_options: Final = options_as("options", StakesOptions, dict(zip(StakesOptions.__slots__, _OPTIONS, strict=True)))
"""Gives a command the options of the stakes; it gets them as `options`, a `StakesOptions`."""
