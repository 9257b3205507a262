"""Both sides of a race, and the game around them."""

from __future__ import annotations

from dataclasses import dataclass, fields

from bgrace._base.arrays import JSON, as_json
from bgrace.board import drawing
from bgrace.board.game_state import GameState
from bgrace.board.ids import position_id, write_match_id, write_ogid, write_xgid
from bgrace.board.position import Position, check_no_contact, shown, sides_as_json
from bgrace.errors import PositionError


@dataclass(frozen=True, repr=False)
class Board(GameState):
    """Both sides of a race, and the state of the game that an ID gives, for the player on roll.

    A position ID without a match ID has only the checkers; the other fields, which are those of `GameState` and are
    given by name, then have their defaults.  ``str(board)`` draws the board, and so does a notebook.

    Attributes
    ----------
    on_roll, opponent : Position
        The two sides, each counted from its own ace point.  On boards read from text both sides have the same number of
        points: 6 if both are home, or else as many as the checker farthest out needs.

    Raises
    ------
    PositionError
        If a side is not a `Position`, or if the sides have contact.
    ArgumentError
        If the state of the game is impossible: see `GameState`.

    Examples
    --------
    >>> board = Board(Position((0, 2)), Position((3, 0)), cube="mine", cube_value=2)
    >>> board.roll is None, board.away is None, board.position_id()
    (True, True, 'BwAAYAAAAAAAAA')
    """

    on_roll: Position
    opponent: Position

    def __post_init__(self) -> None:
        for side in (self.on_roll, self.opponent):
            if not isinstance(side, Position):
                raise PositionError(f"{shown(side)} is not a Position: read it with parse_position, or give Position()")
        check_no_contact(self.on_roll, self.opponent)
        super().__post_init__()

    @property
    def state(self) -> GameState:
        """Everything but the checkers.

        Examples
        --------
        >>> Board(Position((1,)), Position((1,)), cube="mine").state == GameState(cube="mine")
        True
        """
        return GameState(**{each.name: getattr(self, each.name) for each in fields(GameState)})

    def position_id(self) -> str:
        """GNU Backgammon position ID of the two sides: 14 characters.

        Examples
        --------
        >>> Board(Position((5, 1, 8, 1)), Position((0, 0, 0, 2))).position_id()
        'GAAA+PoXAAAAAA'
        """
        return position_id(self.on_roll, self.opponent)

    def match_id(self) -> str:
        """GNU Backgammon match ID of the game around them: 12 characters.

        A match ID always says whether the Jacoby rule is in force: if that is unknown, it says no.  It has no place for
        beavers.

        Examples
        --------
        >>> Board(Position((1,)), Position((1,)), cube="mine", cube_value=2).match_id()
        'UQkAAAAAAAAE'
        """
        return write_match_id(self)

    def gnubg_id(self) -> str:
        """Position ID and match ID, as GNU Backgammon reads them: ``parse_board`` gives the same board again.

        Examples
        --------
        >>> Board(Position((5, 1, 8, 1)), Position((0, 0, 0, 2))).gnubg_id()
        'GAAA+PoXAAAAAA:cAkAAAAAAAAE'
        """
        return f"{self.position_id()}:{self.match_id()}"

    def xgid(self) -> str:
        """ID of eXtreme Gammon, with the player on roll at the bottom: ``parse_board`` gives the same board again.

        Rules of money play that are not known are written as not in force.

        Examples
        --------
        >>> Board(Position((5, 1, 8, 1)), Position((0, 0, 0, 2))).xgid()
        'XGID=-EAHA----------------b----:0:0:1:00:0:0:0:0:10'
        """
        return write_xgid(self.on_roll, self.opponent, self)

    def ogid(self) -> str:
        """ID of OpenGammon, with the player on roll as White; it has no place for the rules of money play.

        Examples
        --------
        >>> Board(Position((5, 1, 8, 1)), Position((0, 0, 0, 2))).ogid()
        'lmmmmmmmmnooooo:44:N0N::B:C:0:0:0:0'
        """
        return write_ogid(self.on_roll, self.opponent, self)

    def to_dict(self) -> dict[str, JSON]:
        """Both sides, the state of the game and the IDs, as values of JSON.

        Examples
        --------
        >>> fields = Board(Position((0, 2)), Position((3,)), roll=(3, 1)).to_dict()
        >>> fields["on_roll"], fields["roll"], fields["cube"]
        ({'position': [0, 2], 'pips': 4}, [3, 1], 'centered')
        """
        return {
            **sides_as_json(self.on_roll, self.opponent),
            **as_json(self.state),
            "gnubg_id": self.gnubg_id(),
            "xgid": self.xgid(),
        }

    def __repr__(self) -> str:
        """Write the board as the expression that makes it.

        Examples
        --------
        >>> Board(Position((0, 2)), Position((3,)), roll=(3, 1))
        Board(Position((0, 2)), Position((3,)), roll=(3, 1))
        """
        state = vars(self.state)
        given = [f", {name}={value!r}" for name, value in state.items() if value != getattr(GameState, name)]
        return f"Board({self.on_roll!r}, {self.opponent!r}{''.join(given)})"

    def __str__(self) -> str:
        return drawing.scene_text(self._scene())

    def _repr_svg_(self) -> str:
        return drawing.scene_svg(self._scene())

    def _repr_html_(self) -> str:
        return drawing.figure_html(self._repr_svg_(), self.gnubg_id(), self.xgid(), as_code=True)

    def _scene(self) -> drawing.Scene:
        return drawing.Scene(self.on_roll, self.opponent, self.state, self.roll)
