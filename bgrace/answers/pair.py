"""Answers about one side of a race, and about both together."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import sqrt

from bgrace._base.arrays import JSON, Floats, ShortRepr, as_json
from bgrace._kernels.lazy_numpy import np
from bgrace.answers.solution import Solution
from bgrace.board import Board, GameState, Position, drawing
from bgrace.board.dice import MEAN_PIPS, parse_roll
from bgrace.board.game_state import CubePlace
from bgrace.board.plays import Play, RollPlays
from bgrace.board.spaces import space_of
from bgrace.cube.action import Cube, CubeAction, Equities
from bgrace.errors import CoverageError


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PositionAnswer(ShortRepr):
    """The answer about one side of a race, if each roll is played to the least mean number of rolls.

    Attributes
    ----------
    position : Position
    mean_rolls, variance_rolls : float
        Mean and variance of the number of rolls until the last checker is off.
    roll : tuple of two int, or None
        The dice that `plays` are for.
    plays : tuple of Play, or None
        Every play of `roll`, in order of the expected pip count left, best first; None without a roll.
    positions_solved : int, or None
        Number of positions solved for it; None for an answer from a file.
    rolls : RollPlays, or None
        The plays of every roll, ordered like `plays`, if they were asked for.
    """

    position: Position
    mean_rolls: float
    variance_rolls: float
    _chances: array[float] | Floats = field(repr=False)
    _first_checker_chances: array[float] | Floats | None = field(default=None, repr=False)
    roll: tuple[int, int] | None = None
    plays: tuple[Play, ...] | None = None
    positions_solved: int | None = None
    rolls: RollPlays | None = None

    @property
    def roll_distribution(self) -> Floats:
        """Chances of bearing off in exactly 0, 1, ..., width - 1 rolls, shape (width,)."""
        return np.asarray(self._chances)

    @property
    def first_checker_distribution(self) -> Floats | None:
        """Chances that the first checker comes off on exactly roll 0, 1, ..., if each roll is played to the least mean.

        None unless there are 15 checkers and the source has these chances.
        """
        return None if self._first_checker_chances is None else np.asarray(self._first_checker_chances)

    @property
    def index(self) -> int:
        """Index of the position, on the number of points that it is given on."""
        return space_of(self.position.points, max(self.position.checkers, 1)).index(self.position)

    @property
    def pips(self) -> int:
        """Pip count."""
        return self.position.pips

    @property
    def epc(self) -> float:
        """Expected pip count: mean rolls times 49/6."""
        return self.mean_rolls * MEAN_PIPS

    @property
    def wastage(self) -> float:
        """Mean number of wasted pips: expected pip count less pip count."""
        return self.epc - self.pips

    @property
    def sd_rolls(self) -> float:
        """Standard deviation of the number of rolls."""
        return sqrt(self.variance_rolls)

    def to_dict(self) -> dict[str, JSON]:
        """The fields by name, as values of JSON; ``"plays"`` only if there is a roll."""
        answer = as_json(self, "position", "index", "pips", "epc", "mean_rolls", "variance_rolls")
        answer["roll_distribution"] = self._chances.tolist()
        if self.plays is not None:
            answer |= as_json(self, "plays")
        return answer if self.rolls is None else answer | {"rolls": _rolls_to_dicts(self.rolls)}

    def _repr_svg_(self) -> str:
        return self.position._repr_svg_()

    def _repr_html_(self) -> str:
        caption = f"{self.position}: expected pip count {self.epc:.3f}, {self.pips} pips"
        return drawing.figure_html(self._repr_svg_(), caption)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairAnalysis(ShortRepr):
    """Everything known about both sides of a race.  Missing answers are None; `Solution.missing` says why.

    Attributes
    ----------
    solution : Solution
    on_roll, opponent : PositionAnswer
        Each side by itself.
    cube : str
        Where the cube is, for `cube_action` and `plays`.
    equities : Equities, or None
    cube_action : CubeAction, or None
        None where the game is over, too.
    roll : tuple of two int, or None
        The dice of `plays`.
    plays : tuple of Play, or None
        Every play of `roll`, best first; None without a roll.
    plays_cube : str
        Where the cube is in their equities: `cube`, or ``"none"`` if they are estimates without a cube.
    rolls : mapping of (int, int) to sequence of Play, or None
        Plays of every roll, by the dice, if they were asked for.
    state : GameState, or None
        The state of the game in the ID, if the race was one.
    """

    solution: Solution
    on_roll: PositionAnswer
    opponent: PositionAnswer
    cube: Cube
    equities: Equities[float] | None = None
    cube_action: CubeAction | None = None
    roll: tuple[int, int] | None = None
    plays: tuple[Play, ...] | None = None
    plays_cube: Cube = "none"
    rolls: Mapping[tuple[int, int], Sequence[Play]] | None = None
    state: GameState | None = None

    @property
    def board(self) -> Board:
        """Both sides with the cube, the dice and the score of the answer.

        In a game without a cube, it is drawn in the middle.

        If the score is that of an ID, its points and the length of the match are kept.

        Examples
        --------
        >>> import bgrace
        >>> from bgrace.answers.alone import solve_alone
        >>> from bgrace.match import Score
        >>> sides = solve_alone("6x1"), solve_alone("5x1")
        >>> describe(bgrace.solve("6x1", "5x1", match=Score(3, 5)), *sides).board.score
        (2, 0)
        """
        stakes, state = self.solution.stakes, self.state
        place: CubePlace = "centered" if self.cube == "none" else self.cube
        sides = self.solution.on_roll, self.solution.opponent
        board = partial(Board, *sides, roll=self.roll, cube=place, cube_value=stakes.cube_value)
        if stakes.score is None:
            return board(jacoby=stakes.rules.jacoby, beavers=stakes.rules.beavers)
        needs = (stakes.score.on_roll_needs, stakes.score.opponent_needs)
        length, score = max(needs), (max(needs) - needs[0], max(needs) - needs[1])
        if state is not None and state.away == needs:
            length, score = state.match_length, state.score
        return board(score=score, match_length=length, crawford=stakes.score.kind == "Crawford")

    def to_dict(self) -> dict[str, JSON]:
        """The fields by name, as values of JSON."""
        answer = self.solution._to_dict(self.plays, self.cube)
        answer |= {"on_roll": self.on_roll.to_dict(), "opponent": self.opponent.to_dict()}
        board = self.board
        answer |= {"xgid": board.xgid(), "ogid": board.ogid()}
        if self.rolls is not None:
            answer["rolls"] = _rolls_to_dicts(self.rolls)
        return answer


def _rolls_to_dicts(rolls: Mapping[tuple[int, int], Sequence[Play]]) -> list[JSON]:
    return [{"roll": list(roll), "plays": [play.to_dict() for play in plays]} for roll, plays in rolls.items()]


def describe(
    solution: Solution,
    on_roll: PositionAnswer,
    opponent: PositionAnswer,
    roll: str | Iterable[int] | None = None,
    *,
    cube: str | None = None,
    all_rolls: bool = False,
    state: GameState | None = None,
) -> PairAnalysis:
    """Gather everything known about two positions.

    Parameters
    ----------
    solution : Solution
    on_roll, opponent : PositionAnswer
        Each side by itself, from a file or solved.
    roll : str or pair of int, optional
        Dice to play; by default those of the solution.
    cube : str, optional
        As for `bgrace.Solution.cube_action`.
    all_rolls : bool
        Whether to list the plays of all 21 rolls, too.
    state : GameState, optional
        The state of the game in an ID, for drawing the board.

    Returns
    -------
    PairAnalysis

    Raises
    ------
    ArgumentError
        If `cube` is unknown, or at a score cannot be there.
    PositionError
        If a side has no checker left and there is a roll.
    RollError
        If `roll` is not a roll.

    Examples
    --------
    >>> import bgrace
    >>> with bgrace.open(bgrace.example_file()) as db:
    ...     answer = describe(db.solution("6x1", "1x1"), db.alone("6x1"), db.alone("1x1"), "61")
    >>> answer.solution.win_probability, answer.cube_action.verdict, str(answer.plays[0])
    (0.75, 'double/take', '6/off: +1.0000')
    """
    place = solution.stakes.check_cube(solution.cube if cube is None else cube)
    dice = solution.roll if roll is None else parse_roll(roll)
    known = solution.missing is None
    plays, plays_cube = None, place
    if dice is not None:
        try:
            plays = tuple(solution.best_plays(dice, place))
        except CoverageError:
            plays, plays_cube = tuple(solution.best_plays(dice, "none")), "none"
    return PairAnalysis(
        solution,
        on_roll,
        opponent,
        place,
        solution.equities if known else None,
        solution.cube_action(place) if known and not solution.is_over else None,
        dice,
        plays,
        plays_cube,
        solution.all_plays(place) if all_rolls else None,
        state,
    )
