"""Zadeh's model of match play: winning chances at a score, and the points at which to double and take.

Norman Zadeh, "On doubling in tournament backgammon", Management Science 23(9), 1977, 986-993, called NZ here.  A game
is a continuous walk of p, player 1's chance to win it without a cube, corrected for the jumps of the dice, for gammons
and for a difference in skill.  Players are 1 and 2; x1 and x2 are the points that they still need; K is the value of
the cube before a double.  docs/match-mathematics.md has all formulas, and lists the errors of the printed ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from bgrace._base.arrays import JSON, as_integer, as_number
from bgrace.board.game_state import check_cube_value
from bgrace.errors import ArgumentError

__all__ = [
    "MAX_POINTS",
    "PRINTED_SKILL",
    "Cell",
    "Points",
    "ZadehModel",
    "skill_from_efforts",
    "skill_from_expectation",
]

# ---- checks of numbers

MAX_POINTS: Final = 64
"""Longest match that a model is solved for."""


def _as_pair(value: float | Sequence[float]) -> tuple[float, float]:
    """Read one number for both players, or one for each."""
    problem = f"{value!r:.80} is not a number, or a pair of them: give one for both players, or one for each"
    if isinstance(value, tuple | list) and len(value) == 2:
        return (as_number(value[0], problem), as_number(value[1], problem))
    number = as_number(value, problem)
    return (number, number)


def _check_range(name: str, value: float, high: float) -> None:
    """Raise ArgumentError unless a number lies between 0 and another."""
    as_number(value, f"{name}={value!r:.80} is out of range: give 0 to {high:g}", 0, high)


def _checked_points(needs: int) -> int:
    """Return a number of points needed; ArgumentError if a match cannot have it."""
    return as_integer(needs, f"{needs!r} points to go: give whole numbers up to {MAX_POINTS}", high=MAX_POINTS)


def _checked_doubles(x1: int, x2: int) -> tuple[int, int]:
    """Return a score at which there are take points; ArgumentError for others."""
    score = (_checked_points(x1), _checked_points(x2))
    if min(score) < 2:
        raise ArgumentError(f"x1={x1}, x2={x2}: take points are for scores at which both sides need 2 or more")
    return score


# ---- the model: equities, doubling points and the printed table

PRINTED_SKILL: Final = 0.398
"""The B that reproduces NZ's Table 2; the calibration described in the text gives 0.3936."""


class Points(NamedTuple):
    """The two take points of a player's double, at one score and cube.

    Attributes
    ----------
    dead : float
        Dbar: the doubler's actual chance to win the game just after a double at which the opponent may as well take
        as drop.
    live : float
        D: the same point in p, the chance to win without a cube.
    """

    dead: float
    live: float


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of NZ's tables.

    Attributes
    ----------
    x1, x2 : int
        Points that player 1 and player 2 need.
    equity : float
        Player 1's chance to win the match.
    take_points : tuple of two float, or None
        D' for player 1's and for player 2's first double: the chance to win in a straight race at which the other
        side may as well take as drop.  None where a side needs 1 point.
    marked : tuple of two bool
        Which of them stand for D itself, because the doubler's gammons are worth nothing (NZ's asterisk).
    """

    x1: int
    x2: int
    equity: float
    take_points: tuple[float, float] | None
    marked: tuple[bool, bool]

    def percent(self) -> tuple[int, ...]:
        """The figures as NZ rounded them: to three decimals, then to two, halves up."""
        return tuple(_twice_rounded(value) for value in (self.equity, *(self.take_points or ())))

    def to_dict(self) -> dict[str, JSON]:
        """The fields by name, as values of JSON."""
        return {
            "needs": [self.x1, self.x2],
            "equity": self.equity,
            "take_points": None if self.take_points is None else list(self.take_points),
            "marked": list(self.marked),
        }

    def __str__(self) -> str:
        equity, *points = self.percent()
        return "/".join([str(equity), *(f"{p}{'*' * m}" for p, m in zip(points, self.marked, strict=False))])


@dataclass(frozen=True)
class ZadehModel:
    """NZ's model, for any parameters.

    Parameters
    ----------
    y : float
        Player 1's chance to win one game, above 0 and below 1; used only if a side needs 1 point.
    g : float
        Fraction of wins that are gammons, for both players; used only if a side needs 1 point.
    G1, G2 : float
        Fraction of the doubler's, and of the taker's, wins that are gammons after a double that is taken.
    delta : float, or pair of float
        How far past their point, on average, a player redoubles; for player 1 and player 2.
    delta_bar : float, or pair of float
        How far past their point, on average, a player doubles first.
    skill : float
        NZ's B, at least 0: player 1 covers distance with effort divided by 1 + B.
    cap : bool
        Whether redoubling points are capped at the end of the game.  NZ's tables need it, though no formula there says
        so; GNU Backgammon's generator has no cap.
    free_drop : tuple of two float
        Cost of the leader's free drop after the Crawford game to a trailer 2 and 4 points away.  NZ leaves it out;
        GNU Backgammon uses 0.015 and 0.004.

    Raises
    ------
    ArgumentError
        If a parameter is out of range.

    Notes
    -----
    Not safe for several threads at once, since values are computed and kept when first needed.

    Examples
    --------
    >>> model = ZadehModel.equal()
    >>> round(model.equity(4, 3), 6), round(model.take_point(1, 4, 3, 1), 6)
    (0.425721, 0.669546)
    >>> print(model.cell(4, 3))
    43/73/83
    """

    y: float = 0.5
    g: float = 0.25
    G1: float = 0.25
    G2: float = 0.15
    delta: float | tuple[float, float] = 0.08
    delta_bar: float | tuple[float, float] = 0.06
    skill: float = 0.0
    cap: bool = True
    free_drop: tuple[float, float] = (0.0, 0.0)
    _equities: dict[tuple[int, int], float] = field(default_factory=dict, init=False, repr=False, compare=False)
    _points: dict[tuple[int, int, int], tuple[Points, Points]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        for name, value in (("g", self.g), ("G1", self.G1), ("G2", self.G2)):
            _check_range(name, value, 1)
        if not 0 < self.y < 1:
            raise ArgumentError(f"y={self.y!r} is not a chance to win a game: give more than 0 and less than 1")
        _check_range("skill", self.skill, 10)
        for name in ("delta", "delta_bar"):
            pair = _as_pair(getattr(self, name))
            for each in pair:
                _check_range(name, each, 0.25)
            object.__setattr__(self, name, pair)
        for value in self.free_drop:
            _check_range("free_drop", value, 0.05)

    @classmethod
    def equal(cls) -> ZadehModel:
        """NZ's parameters for players of equal skill: Table 1."""
        return cls()

    @classmethod
    def unequal(cls, skill: float = PRINTED_SKILL) -> ZadehModel:
        """NZ's parameters for a player 1 who wins 6 games of 10 without a cube: Table 2.

        Parameters
        ----------
        skill : float
            B.  The default, 0.398, reproduces NZ's Table 2; for the value described in the text give
            ``skill_from_expectation(0.4, (0.07, 0.09), (0.05, 0.07))``.
        """
        return cls(y=0.6, delta=(0.07, 0.09), delta_bar=(0.05, 0.07), skill=skill)

    @classmethod
    def gnubg(cls) -> ZadehModel:
        """The model of GNU Backgammon's generator: no cap, and the free drop subtracted."""
        return cls(cap=False, free_drop=(0.015, 0.004))

    # ------------------------------------------------------------------ match winning chances

    def equity(self, x1: int, x2: int) -> float:
        """Player 1's chance to win the match at the start of a game: A_1.

        Parameters
        ----------
        x1, x2 : int
            Points that player 1 and player 2 need; with 0 or less they have won.  If a side needs 1, this is the
            Crawford game.

        Returns
        -------
        float

        Raises
        ------
        ArgumentError
            If a number is larger than `MAX_POINTS`, or both players have won.

        Notes
        -----
        NZ (10) and (13).
        """
        x1, x2 = _checked_points(x1), _checked_points(x2)
        if x1 <= 0 and x2 <= 0:
            raise ArgumentError(f"x1={x1}, x2={x2}: both players cannot have won, give at least one positive number")
        self._solve(x1, x2)
        return self._equity(x1, x2)

    def post_crawford(self, x: int, player: int = 1) -> float:
        """A trailer's chance when they need x, the other player 1, after the Crawford game: P, NZ (1) and (2).

        Parameters
        ----------
        x : int
        player : int
            The trailer, 1 or 2.

        Returns
        -------
        float

        Raises
        ------
        ArgumentError
            If `x` is larger than `MAX_POINTS`, or the player is neither 1 nor 2.
        """
        win = self._game_chance(player)
        x = _checked_points(x)
        chances: list[float] = []  # for 1, 2, ... points to go

        def before(needs: int) -> float:
            return chances[needs - 1] if needs > 0 else 1.0

        for needs in range(1, x + 1):
            value = win if needs == 1 else win * (self.g * before(needs - 4) + (1 - self.g) * before(needs - 2))
            chances.append(value - {2: self.free_drop[0], 4: self.free_drop[1]}.get(needs, 0))
        return before(x)

    def crawford(self, x: int, player: int = 1) -> float:
        """A trailer's chance when they need x, the other player 1, in the Crawford game: C, NZ (1) and (2).

        Parameters, value and errors as for `post_crawford`.
        """
        win = self._game_chance(player)
        x = _checked_points(x)
        if x <= 1:
            return 1.0 if x <= 0 else win
        after_gammon, after_win = self.post_crawford(x - 2, player), self.post_crawford(x - 1, player)
        return win * (self.g * after_gammon + (1 - self.g) * after_win)

    def first_double(self, x1: int, x2: int, player: int = 1) -> float:
        """Chance that a player is the first to double: NZ (8) for player 1, (9) for player 2, both with (11).

        Raises
        ------
        ArgumentError
            If a side needs fewer than 2 points or more than `MAX_POINTS`, or the player is neither 1 nor 2.

        Examples
        --------
        >>> model = ZadehModel.equal()
        >>> round(model.first_double(4, 3), 6), round(model.first_double(4, 3, player=2), 6)
        (0.578923, 0.421077)
        """
        self._game_chance(player)
        x1, x2 = _checked_doubles(x1, x2)
        self._solve(x1, x2)
        first = self._first_double(x1, x2)
        return first if player == 1 else 1 - first

    # ------------------------------------------------------------------ take points

    def take_point(self, player: int, x1: int, x2: int, cube_value: int = 1, live: bool = True) -> float:
        """The point at which the opponent may as well take as drop, when a player doubles.

        Parameters
        ----------
        player : int
            The doubler, 1 or 2.
        x1, x2 : int
            Points needed, at least 2 both.
        cube_value : int
            Value of the cube before the double: 1, 2, 4, ...
        live : bool
            True for D, the doubler's chance to win without a cube; False for Dbar, their actual chance after the take.

        Returns
        -------
        float
            The doubler's chance; the opponent's least chance for a take is 1 minus this.

        Raises
        ------
        ArgumentError
            If an argument is out of range.

        Notes
        -----
        NZ (5), (6) for Dbar; (7), (15), (16) for D.
        """
        self._game_chance(player)
        x1, x2 = _checked_doubles(x1, x2)
        cube_value = check_cube_value(cube_value)
        self._solve(x1, x2)
        points = self._take_points(x1, x2, cube_value)[player - 1]
        return points.live if live else points.dead

    def normalised(self, player: int, x1: int, x2: int, cube_value: int = 1, live: bool = True) -> float:
        """The point of `take_point`, as the chance to win a race without gammons that has the same expectation: D'.

        Parameters, value and errors as for `take_point`.  If the doubler needs at most twice the cube, their gammons
        are worth nothing, and this is the point itself.

        Notes
        -----
        NZ, explanation of Table 1: D' = ((2 + G1 + G2) D - G2) / 2.
        """
        point = self.take_point(player, x1, x2, cube_value, live)
        if (x1, x2)[player - 1] <= 2 * cube_value:
            return point
        return ((2 + self.G1 + self.G2) * point - self.G2) / 2

    def cell(self, x1: int, x2: int) -> Cell:
        """One cell of the tables: the match winning chance, and the take points of the first double."""
        x1, x2 = _checked_points(x1), _checked_points(x2)
        equity = self.equity(x1, x2)
        if min(x1, x2) < 2:
            return Cell(x1, x2, equity, None, (False, False))
        points = (self.normalised(1, x1, x2), self.normalised(2, x1, x2))
        return Cell(x1, x2, equity, points, (x1 <= 2, x2 <= 2))

    def table(self, limit: int = 15) -> list[list[Cell]]:
        """NZ's table: ``table(limit)[x1 - 1][x2 - 1]`` for 1 to `limit` points.

        Raises
        ------
        ArgumentError
            If `limit` is not in 1 .. `MAX_POINTS`.

        Examples
        --------
        >>> print(*ZadehModel.unequal().table(4)[3])
        28 45/73/78* 57/76/82 65/82/74
        """
        limit = _checked_points(limit)
        if limit < 1:
            raise ArgumentError(f"limit={limit}: give 1 to {MAX_POINTS} points")
        return [[self.cell(x1, x2) for x2 in range(1, limit + 1)] for x1 in range(1, limit + 1)]

    # ------------------------------------------------------------------ solution

    def _solve(self, x1: int, x2: int) -> None:
        """Compute the values that an answer at this score needs, smaller scores first."""
        if (x1, x2) in self._equities:
            return
        for total in range(2, x1 + x2 + 1):
            for a in range(max(1, total - x2), min(x1, total - 1) + 1):
                b = total - a
                if (a, b) not in self._equities:
                    self._equities[a, b] = self._new_equity(a, b)

    def _new_equity(self, x1: int, x2: int) -> float:
        if x2 == 1:
            return self.crawford(x1, 1)
        if x1 == 1:
            return 1 - self.crawford(x2, 2)
        q = self._first_double(x1, x2)
        return q * self._equity(x1 - 1, x2) + (1 - q) * self._equity(x1, x2 - 1)

    def _first_double(self, x1: int, x2: int) -> float:
        overshoot = _as_pair(self.delta_bar)
        h1, h2 = (
            min(1.0, points.live + late) for points, late in zip(self._take_points(x1, x2, 1), overshoot, strict=True)
        )
        if min(h1, h2) <= 0.5:
            raise ArgumentError(
                f"skill={self.skill:g}, delta_bar={self.delta_bar}: at {x1}-away, {x2}-away a side would double first "
                f"with {100 * min(h1, h2):.2f} %, which is not ahead: give less skill, or later doubles"
            )
        distance = (h2 - 0.5) * (1 + self.skill)
        return distance / (distance + h1 - 0.5)

    def _take_points(self, x1: int, x2: int, cube_value: int) -> tuple[Points, Points]:
        key = (x1, x2, cube_value)
        if key not in self._points:
            e = [1.0, 1.0]
            if x1 > 2 * cube_value and x2 > 2 * cube_value:
                later, late = self._take_points(x1, x2, 2 * cube_value), _as_pair(self.delta)
                e = [later[1].live + late[1], later[0].live + late[0]]
                if self.cap:
                    e = [min(1.0, each) for each in e]
            dead1, dead2 = self._dead(1, x1, x2, cube_value), self._dead(2, x1, x2, cube_value)
            b = self.skill
            live1 = (1 - (1 - dead1) * (e[0] + b * (e[0] - 1))) / (1 + b * (1 - dead1))  # NZ (15)
            live2 = 1 - (1 - dead2) * e[1] / (1 + b * dead2)  # NZ (16)
            self._points[key] = (Points(dead1, live1), Points(dead2, live2))
        return self._points[key]

    def _dead(self, player: int, x1: int, x2: int, cube_value: int) -> float:
        """Dbar: NZ (5), (6)."""
        own, other = (x1, x2) if player == 1 else (x2, x1)
        if own <= cube_value:
            return 1.0
        # If the doubled cube would win the doubler the match, the taker redoubles at once, at no cost.
        played = 2 * cube_value if own <= 2 * cube_value < other else cube_value

        def after(won: int, lost: int) -> float:
            if player == 1:
                return self._equity(x1 - won, x2 - lost)
            return 1 - self._equity(x1 - lost, x2 - won)

        win = self.G1 * after(4 * played, 0) + (1 - self.G1) * after(2 * played, 0)
        lose = self.G2 * after(0, 4 * played) + (1 - self.G2) * after(0, 2 * played)
        return (after(cube_value, 0) - lose) / (win - lose)

    def _equity(self, x1: int, x2: int) -> float:
        if x1 <= 0:
            return 1.0
        return 0.0 if x2 <= 0 else self._equities[x1, x2]

    def _game_chance(self, player: int) -> float:
        number = as_integer(player, f"player {player!r:.80} is not in this match: give 1 or 2", 1, 2)
        return self.y if number == 1 else 1 - self.y


def _twice_rounded(value: float) -> int:
    """Percent, rounded half up to tenths and then to whole ones."""
    # A little is added before each step, since a half that is slightly too small in binary would be rounded down.
    return math.floor(math.floor(1000 * value + 0.5 + 1e-9) / 10 + 0.5 + 1e-9)


# ---- skill from results at money play


def skill_from_expectation(
    expectation: float,
    delta: float | Sequence[float] = 0.08,
    delta_bar: float | Sequence[float] = 0.06,
) -> float:
    """The B that gives player 1 an expectation in money play, with every double counted as dropped.

    Parameters
    ----------
    expectation : float
        Points per game, at least 0 and below 0.75.
    delta, delta_bar : float, or pair of float
        As for `ZadehModel`.

    Returns
    -------
    float

    Raises
    ------
    ArgumentError
        If an argument is out of range.

    Notes
    -----
    NZ, last section: (13), (15), (16) with Dbar = 3/4 for both players and every cube.  Found by bisection.

    Examples
    --------
    >>> round(skill_from_expectation(0.4, (0.07, 0.09), (0.05, 0.07)), 9)
    0.393605591
    """
    problem = f"expectation={expectation!r:.80} points a game: give at least 0 and less than 0.75"
    expectation = as_number(expectation, problem, 0, math.nextafter(0.75, 0))
    late = _as_pair(delta)
    late_first = _as_pair(delta_bar)
    low, high = 0.0, 10.0
    if money_expectation(low, late, late_first) > expectation:
        raise ArgumentError(f"expectation {expectation!r}: with these corrections it is larger even without skill")
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if money_expectation(middle, late, late_first) < expectation:
            low = middle
        else:
            high = middle


def skill_from_efforts(alpha: float) -> float:
    """The B of efforts divided by 1 + alpha for player 1 and 1 - alpha for player 2: NZ (12) in terms of (11).

    Parameters
    ----------
    alpha : float
        At least 0 and below 1.

    Returns
    -------
    float

    Raises
    ------
    ArgumentError
        If `alpha` is out of range.

    Examples
    --------
    >>> round(skill_from_efforts(0.166), 4)    # near `PRINTED_SKILL`
    0.3981
    """
    alpha = as_number(alpha, f"alpha={alpha!r:.80}: give at least 0 and less than 1", 0, math.nextafter(1, 0))
    return 2 * alpha / (1 - alpha)


def money_points(skill: float, delta: tuple[float, float]) -> tuple[float, float]:
    """D of both players in money play without gammons, where Dbar = 3/4: NZ (15), (16) as a fixed point.

    Examples
    --------
    >>> [round(point, 9) for point in money_points(0.398, (0.07, 0.09))]
    [0.700685585, 0.851620026]
    """
    late1, late2 = delta
    v, b = 0.25, skill
    w = v / (1 + b * (1 - v))
    d1 = (1 + v * b - v * (1 + b) * (1 + late2 - w * late1)) / (1 + v * b - v * w * (1 + b))
    return d1, 1 - w * (d1 + late1)


def money_expectation(skill: float, delta: tuple[float, float], delta_bar: tuple[float, float]) -> float:
    """Points per game of player 1 in money play, with every double counted as dropped.

    Examples
    --------
    >>> round(money_expectation(0.398, (0.07, 0.09), (0.05, 0.07)), 6)
    0.403208
    """
    d1, d2 = money_points(skill, delta)
    distance = (d2 + delta_bar[1] - 0.5) * (1 + skill)
    return 2 * distance / (distance + d1 + delta_bar[0] - 0.5) - 1
