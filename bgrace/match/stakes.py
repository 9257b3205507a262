"""The stakes: the rules in force, for money or at a score of a match.

Money is a match whose payoff is the points themselves.  This module has all differences between the two: solvers take
the planes of the cube from it, and decisions the values of winning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isnan
from typing import TYPE_CHECKING, Final

import bgrace._kernels.stakes as kernel
from bgrace._base.arrays import JSON, as_choice, as_json, check_flags
from bgrace.board import GameState
from bgrace.board.game_state import check_cube_value
from bgrace.cube.action import CUBES, Choices, Cube, CubeAction
from bgrace.errors import ArgumentError
from bgrace.match.met import MatchEquityTable, checked_table, normalised_equity
from bgrace.match.score import Score, check_score
from bgrace.tables import Plane

if TYPE_CHECKING:
    from bgrace._kernels.kinds import CubeValues


_MAX_KERNEL_STAKES: Final = 64

Place = kernel.Place
"""A place of the cube: the planes of its value, now and after either side has doubled."""

NO_CUBE: Final[Mapping[str, str]] = {"none": "played without a cube", "theirs": "the cube is the opponent's"}
"""Why there is no cube to turn, by its place."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of a game for money.

    A rule is True or False; `ArgumentError` for anything else.

    Attributes
    ----------
    gammons : bool
        Whether a loser who still has all 15 checkers loses double.
    jacoby : bool
        Whether gammons count once as long as the cube is centered.
    beavers : bool
        Whether a player who is doubled may redouble at once and keep the cube.  No value depends on it: in a
        race, a double is never right if the opponent should beaver it (tests/answers).

    Examples
    --------
    >>> print(Rules(jacoby=True)), print(Rules(gammons=False))
    Jacoby rule
    no gammons
    (None, None)
    """

    gammons: bool = True
    jacoby: bool = False
    beavers: bool = False

    def __post_init__(self) -> None:
        check_flags(gammons=self.gammons, jacoby=self.jacoby, beavers=self.beavers)

    def __str__(self) -> str:
        named = (("no gammons", not self.gammons), ("Jacoby rule", self.jacoby), ("beavers", self.beavers))
        return ", ".join(name for name, holds in named if holds)


_THEIRS_TURNED, _MINE_TURNED = ((plane.value, 0.0, 2.0) for plane in (Plane.THEIRS, Plane.MINE))

MONEY_PLACES: Final[Mapping[Cube, kernel.Place]] = {
    "none": kernel.Place((Plane.CUBELESS, 0.0, 1.0)),
    "centered": kernel.Place((Plane.CENTERED, 0.0, 1.0), _THEIRS_TURNED, _MINE_TURNED),
    "mine": kernel.Place((Plane.MINE, 0.0, 1.0), _THEIRS_TURNED),
    "theirs": kernel.Place((Plane.THEIRS, 0.0, 1.0), None, _MINE_TURNED),
}
"""The planes of values for money in rows of four: cubeless, mine, centered, theirs (`bgrace.tables.Plane`)."""

SEEN_BY_OTHER: Final = (Plane.CUBELESS, Plane.THEIRS, Plane.CENTERED, Plane.MINE)
"""The planes as seen by the other side: mine becomes theirs."""


@dataclass(frozen=True, slots=True, repr=False)
class Stakes:
    """The rules in force: money with its rules, or a score of a match with an equity table and a cube.

    Make them with `money`, `at` or `of`.  Values for money are points per unit of the present cube; at a score they are
    chances to win the match.

    Attributes
    ----------
    rules : Rules
        At a score only `Rules.gammons` is used.
    score : Score, or None
        None for money.
    met : MatchEquityTable, or None
        The table of the match; None for money.
    cube_value : int
        Value of the cube before this roll.

    Raises
    ------
    ArgumentError
        If they contradict each other, or one of them is not valid.

    Examples
    --------
    >>> from bgrace.match import Score
    >>> print(Stakes.money(), Stakes.money(Rules(jacoby=True)), sep="; ")
    money; money, Jacoby rule
    >>> print(Stakes.at(Score(3, 5)), Stakes.at(Score(1, 4, crawford=True)), sep="; ")
    3-away, 5-away, cube 1; 1-away, 4-away, Crawford, cube 1
    >>> Stakes.money().payoff(2), round(Stakes.at(Score(3, 5)).payoff(2), 4)
    (2.0, 0.8418)
    """

    rules: Rules = Rules()
    score: Score | None = None
    met: MatchEquityTable | None = None
    cube_value: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.rules, Rules):
            raise ArgumentError(f"rules={self.rules!r} cannot be used: give bgrace.Rules(gammons=..., jacoby=...)")
        object.__setattr__(self, "cube_value", check_cube_value(self.cube_value))
        if self.score is None:
            if self.met is not None:
                raise ArgumentError("met= is for a match: give match=, the score, too")
            return
        if self.rules.jacoby or self.rules.beavers:
            name, rule = ("jacoby", "Jacoby's rule is") if self.rules.jacoby else ("beavers", "beavers are")
            raise ArgumentError(f"{name}=True: {rule} for money, leave it out at a match score")
        object.__setattr__(self, "met", checked_table(self.met))
        check_score(self.score)
        self.payoff(1)  # refuses a score that the table does not have

    @classmethod
    def money(cls, rules: Rules | None = None, cube_value: int = 1) -> Stakes:
        """Money play; by default gammons count and the Jacoby rule is not in force."""
        return cls(Rules() if rules is None else rules, cube_value=cube_value)

    @classmethod
    def at(
        cls, score: Score, met: MatchEquityTable | None = None, cube_value: int = 1, *, gammons: bool = True
    ) -> Stakes:
        """A score of a match, seen by the player on roll; the default table is the one that comes with bgrace."""
        return cls(Rules(gammons=gammons), check_score(score), checked_table(met), cube_value)

    @classmethod
    def given(cls, stakes: Stakes | None, match: Score | None = None) -> Stakes | None:
        """Read the arguments `stakes` and `match` of a call; None if both are None."""
        if stakes is not None and not isinstance(stakes, Stakes):
            raise ArgumentError(
                f"stakes={stakes!r:.80} cannot be used: give bgrace.Stakes.money(...) or bgrace.Stakes.at(...)"
            )
        if match is None:
            return stakes
        if stakes is not None:
            raise ArgumentError("stakes= and match= are two ways to say the same: give one of them")
        return cls.at(match)

    @classmethod
    def of(cls, board: GameState, met: MatchEquityTable | None = None) -> Stakes:
        """The stakes of an ID: a score, the Crawford game and the cube, or money with its rules.

        Examples
        --------
        >>> import bgrace
        >>> print(Stakes.of(bgrace.parse_board("XGID=-----AA-------------aa----:0:0:1:00:0:0:0:5:10")))
        5-away, 5-away, cube 1
        """
        return stakes_of(board, met=met if board.match_length else None)

    @property
    def cubes(self) -> tuple[Cube, ...]:
        """Possible places of the cube: all for money; in a match a cube of 1 is centered, and a larger one is not."""
        if self.score is None:
            return CUBES
        return ("centered", "none") if self.cube_value == 1 else ("mine", "theirs", "none")

    @property
    def default_cube(self) -> Cube:
        """The default place of the cube: centered, or on the side of the player on roll if it cannot be centered."""
        return self.cubes[0]

    def check_cube(self, cube: str | None, of_id: Cube | None = None) -> Cube:
        """Return a place if the cube can be there; None means that of an ID if it is possible, else `default_cube`.

        Raises
        ------
        ArgumentError
            If `cube` is unknown, or a cube of this value cannot be there.
        """
        possible = self.cubes
        if cube is None:
            return of_id if of_id in possible else possible[0]
        place = as_choice("cube", cube, CUBES)
        if place in possible:
            return place
        places = "in the middle (centered)" if self.cube_value == 1 else "on a side (mine or theirs)"
        raise ArgumentError(f"a cube of {self.cube_value} cannot be {place}: it is {places}")

    @property
    def swapped(self) -> Stakes:
        """The stakes as seen by the other side."""
        if self.score is None or self.met is None:
            return self
        return replace(self, score=self.score.swapped, met=self.met.mirrored)

    @property
    def total(self) -> float:
        """The sum of the values of both sides: 0 points for money, 1 for chances to win a match."""
        return 0.0 if self.score is None else 1.0

    def payoff(self, points: int) -> float:
        """The value of winning the game to the player on roll.

        Parameters
        ----------
        points : int
            Points won, in units of the present cube; lost if negative.

        Returns
        -------
        float
            `points`, or the chance to win the match after winning them.
        """
        if self.score is None or self.met is None:
            return float(points)
        return self.met.after(self.score, points * self.cube_value)

    def normalised(self, value: float) -> float | None:
        """A value in points per unit of the present cube: +1 is winning it, -1 losing it.

        None if winning and losing are worth the same in the match equity table.
        """
        if self.score is None or self.met is None:
            return value
        return normalised_equity(self.met, self.score, self.cube_value, value)

    def gammon_counts(self, cube: Cube) -> bool:
        """Whether winning a gammon pays double, with the cube in a place."""
        return self.rules.gammons and not (self.rules.jacoby and cube == "centered")

    @property
    def kernel(self) -> kernel.Stakes:
        """The stakes as an object of the C library."""
        return _kernel_stakes(self)

    def cube_action(self, cube: Cube, values: CubeValues) -> CubeAction:
        """The decision of the player on roll, with the cube in a place, from the values of the C library."""
        no_double, taken, passed, _, double, take, beaver, verdict = values
        chosen: tuple[float | None, float | None, bool | None, bool | None] = (taken, passed, double, take)
        if isnan(taken):
            chosen = (None, None, None, None)
        beavers = beaver if self.rules.beavers and chosen[0] is not None else None
        reason = self._why_no_cube(cube) if chosen[0] is None else None
        if self.score is None:
            return CubeAction(cube, no_double, *chosen, verdict, beavers, reason)
        points = Choices(*(None if each is None else self.normalised(each) for each in (no_double, *chosen[:2])))
        return CubeAction(cube, no_double, *chosen, verdict, beavers, reason, str(self.score), self.cube_value, points)

    def _why_no_cube(self, cube: Cube) -> str:
        score = None if cube == "none" else self.score
        if score is not None and (score.kind == "Crawford" or cube != "theirs"):
            return score.why_no_double(self.cube_value)
        return NO_CUBE[cube]

    def to_dict(self) -> dict[str, JSON]:
        """The rules of money, or the score, the cube and the name of the table, by name as values of JSON."""
        if self.score is None or self.met is None:
            return as_json(self.rules)
        return {**self.score.to_dict(), "cube_value": self.cube_value, "table": self.met.name}

    def __str__(self) -> str:
        rules = str(self.rules)
        if self.score is None:
            cube = f"cube {self.cube_value}" if self.cube_value > 1 else ""
            return ", ".join(filter(None, ("money", rules, cube)))
        kind = self.score.kind if self.score.kind in ("Crawford", "post-Crawford") else ""
        away = f"{self.score.on_roll_needs}-away, {self.score.opponent_needs}-away"
        return ", ".join(filter(None, (away, kind, f"cube {self.cube_value}", rules)))

    def __repr__(self) -> str:
        return f"<bgrace.Stakes: {self}>"


def stakes_of(
    state: GameState,
    *,
    match: Score | None = None,
    money: bool = False,
    crawford: bool | None = None,
    jacoby: bool | None = None,
    beavers: bool | None = None,
    gammons: bool = True,
    met: MatchEquityTable | None = None,
    cube_value: int | None = None,
) -> Stakes:
    """Stakes from arguments, or from an ID for those that are None; ArgumentError if they contradict each other."""
    if money and match is not None:
        raise ArgumentError("money= and match= contradict each other: give one of them")
    score, source = match, "match= is"
    if match is None and state.away is not None and not money:
        score, source = Score(*state.away, state.crawford), "the ID names"
    cube_value = state.cube_value if cube_value is None else cube_value
    if score is None:
        if crawford or met is not None:
            raise ArgumentError(f"{'crawford' if crawford else 'met'}= is for a match: give match=, the score, too")
        jacoby = bool(state.jacoby if jacoby is None else jacoby)
        beavers = bool(state.beavers if beavers is None else beavers)
        return Stakes.money(Rules(gammons, jacoby, beavers), cube_value)
    if jacoby or beavers:
        name = "jacoby" if jacoby else "beavers"
        raise ArgumentError(f"{name}= is for money, and {source} a match, {score}: leave it out, or give money=")
    if crawford is not None:
        score = replace(score, crawford=crawford)
    return Stakes.at(score, met, cube_value, gammons=gammons)


@lru_cache(maxsize=_MAX_KERNEL_STAKES)
def _kernel_stakes(stakes: Stakes) -> kernel.Stakes:
    rules, score, table = stakes.rules, stakes.score, stakes.met
    if score is None or table is None:
        return kernel.Stakes(rules.gammons, rules.jacoby, rules.beavers)
    return kernel.Stakes(
        rules.gammons,
        on_roll_needs=score.on_roll_needs,
        opponent_needs=score.opponent_needs,
        crawford=score.crawford,
        cube_value=stakes.cube_value,
        pre_crawford=table.pre_crawford,
        post_crawford=table.post_crawford,
    )
