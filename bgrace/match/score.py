"""Scores of a match, and cube arithmetic at a score or for money: take points, doubling windows and gammon values.

Everything follows from the values of the outcomes of a game, R(k) after winning k points, and from two models of the
cube.  A *dead* cube is not turned again, except once more at once where that costs its owner nothing.  A *live* cube is
turned with perfect efficiency in a game without jumps.  Real positions lie between the two.

Sources: Keeler and Spencer, "Optimal doubling in backgammon", Operations Research 23 (1975), for the live cube; Zadeh,
"On doubling in tournament backgammon", Management Science 23 (1977), equations (3) to (6), for gammons and for the
automatic redouble; Woolsey, *How to Play Tournament Backgammon* (1993), for the doubling window as risk against gain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from bgrace._base.arrays import ToDict, as_integer, as_json, as_number, check_flags
from bgrace.board.game_state import check_cube_value
from bgrace.errors import ArgumentError

Kind: TypeAlias = Literal["ordinary", "Crawford", "post-Crawford", "double match point"]


@dataclass(frozen=True, slots=True)
class Score:
    """The points that both sides still need, and whether this is the Crawford game.

    Parameters
    ----------
    on_roll_needs, opponent_needs : int
        Points to go, at least 1.
    crawford : bool
        Whether this game is the first one with a side 1 away, in which nobody may double.  By default a score with a
        side 1 away is that of a later game.

    Raises
    ------
    ArgumentError
        If a number is not a positive integer, or `crawford` is True and no side is 1 away.

    Examples
    --------
    >>> Score(3, 5).kind, Score(1, 4).kind, Score(1, 4, crawford=True).kind, Score(1, 1).kind
    ('ordinary', 'post-Crawford', 'Crawford', 'double match point')
    >>> print(Score(1, 4, crawford=True))
    1-away, 4-away Crawford
    """

    on_roll_needs: int
    opponent_needs: int
    crawford: bool = False

    def __post_init__(self) -> None:
        for field, name in (("on_roll_needs", "the player on roll"), ("opponent_needs", "the opponent")):
            needs = getattr(self, field)
            problem = f"{name} needs {needs!r}, which is not a number of points to go: give 1 or more"
            object.__setattr__(self, field, as_integer(needs, problem, 1))
        check_flags(crawford=self.crawford)
        if self.crawford and min(self.on_roll_needs, self.opponent_needs) > 1:
            raise ArgumentError(
                f"{self.on_roll_needs}-away, {self.opponent_needs}-away is not a Crawford game: in one, a side needs 1"
            )

    @property
    def kind(self) -> Kind:
        """The kind of score, for the rules of doubling; at double match point only winning counts."""
        if self.on_roll_needs == self.opponent_needs == 1:
            return "double match point"
        if min(self.on_roll_needs, self.opponent_needs) > 1:
            return "ordinary"
        return "Crawford" if self.crawford else "post-Crawford"

    @property
    def swapped(self) -> Score:
        """The score as seen by the other side."""
        return Score(self.opponent_needs, self.on_roll_needs, self.crawford)

    def may_double(self, cube_value: int) -> bool:
        """Whether the player on roll may turn a cube of this value that they have access to.

        They may not in the Crawford game, nor if `cube_value` already wins them the match: doubling could then only
        raise what they lose.
        """
        return self.kind != "Crawford" and bool(self.on_roll_needs > cube_value)

    def why_no_double(self, cube_value: int) -> str:
        """Why the player on roll may not turn a cube that they have access to."""
        if self.kind == "Crawford":
            return "nobody may double in the Crawford game"
        return f"a cube of {cube_value} already wins the match for the player on roll"

    def to_dict(self) -> dict[str, int]:
        """Attributes by name, as values of JSON."""
        return {**as_json(self), "crawford": self.kind == "Crawford"}

    def __str__(self) -> str:
        crawford = " Crawford" if self.kind == "Crawford" else ""
        return f"{self.on_roll_needs}-away, {self.opponent_needs}-away{crawford}"


def parse_score(text: str, crawford: bool = False) -> Score:
    """Read a score such as ``"3,5"``: the needs of the player on roll, then those of the opponent.

    Raises
    ------
    ArgumentError
        If it is not a score.

    Examples
    --------
    >>> parse_score("3,5")
    Score(on_roll_needs=3, opponent_needs=5, crawford=False)
    """
    words = [word.strip() for word in text.split(",")] if isinstance(text, str) else []
    if len(words) != 2 or not all(word.isascii() and word.isdigit() and len(word) <= 9 for word in words):
        raise ArgumentError(f"{text!r:.80} is not a score: give the points that both sides still need, such as 3,5")
    return Score(int(words[0]), int(words[1]), crawford)


def check_score(score: Score) -> Score:
    """Return a score if it is one.

    Raises
    ------
    ArgumentError
        If it is not.
    """
    if not isinstance(score, Score):
        raise ArgumentError(
            f'{score!r} is not a score: give bgrace.match.Score(3, 5), or bgrace.match.parse_score("3,5")'
        )
    return score


Payoff: TypeAlias = Callable[[int], float]


class ChancesAfter(Protocol):
    """The part of a `MatchEquityTable` that the arithmetic needs."""

    def after(self, score: Score, points: int) -> float:
        """Chance of the player on roll to win the match once they have won the game by some points."""


@dataclass(frozen=True, slots=True)
class CubePoints(ToDict):
    """Chances to win the game at which doubles and takes begin, at one score and cube.

    Attributes
    ----------
    score : Score, or None
        None for money.
    cube_value : int
        Value before the double.  At 1 the points are those of a first double, above 1 those of a redouble.
    doubling_point : float, or None
        With a dead cube: the least chance of the player on roll with which doubling is as good as rolling on.
    cash_point : float, or None
        With a dead cube: their chance at which the opponent may as well pass as take.  The doubling window is from
        `doubling_point` to `cash_point`.
    take_point : float, or None
        With a dead cube: the opponent's least chance for a take, 1 - `cash_point`.
    live_cash_point, live_take_point : float, or None
        The same with a live cube.  A perfectly efficient player doubles exactly there, so the window is a single point.
    automatic_redouble : bool
        Whether the opponent, after a take, redoubles at once because the doubled cube would win the doubler the match
        anyway; the points take it into account.
    gammon_value_won, gammon_value_lost : float
        At the present cube, for the player on roll: see `gammon_value`.
    reason : str, or None
        Why there are no points; None if there are.
    """

    score: Score | None
    cube_value: int
    doubling_point: float | None
    cash_point: float | None
    take_point: float | None
    live_cash_point: float | None
    live_take_point: float | None
    automatic_redouble: bool
    gammon_value_won: float
    gammon_value_lost: float
    reason: str | None = None


def gammon_value(
    met: ChancesAfter | None = None, score: Score | None = None, cube_value: int = 1, *, lost: bool = False
) -> float:
    """The value of a gammon beyond a single win, as a part of the difference between winning and losing.

    Parameters
    ----------
    met : MatchEquityTable, optional
    score : Score, optional
        Both, or neither for money.
    cube_value : int
        Value of the cube that the game is played for.
    lost : bool
        Whether to give the value of gammons that the player on roll loses, instead of those that they win.

    Returns
    -------
    float
        ``(R(2c) - R(c)) / (R(c) - R(-c))``, or ``(R(-c) - R(-2c)) / (R(c) - R(-c))`` for those lost; 0.5 for money.

    Raises
    ------
    ArgumentError
        If the table does not have the score, only one of table and score is given, or winning and losing are worth the
        same.

    Notes
    -----
    Woolsey, *How to Play Tournament Backgammon*.  Twice this is what GNU Backgammon calls the gammon price.

    Examples
    --------
    >>> gammon_value()
    0.5
    """
    payoff = _payoff(met, score)
    cube_value = check_cube_value(cube_value)
    won, lost_single = payoff(cube_value), payoff(-cube_value)
    if won <= lost_single:
        raise ArgumentError(f"{score}, cube {cube_value}: winning and losing are worth the same in this table")
    more = lost_single - payoff(-2 * cube_value) if lost else payoff(2 * cube_value) - won
    return more / (won - lost_single)


def cube_points(
    met: ChancesAfter | None = None,
    score: Score | None = None,
    cube_value: int = 1,
    *,
    win_gammons: float = 0.0,
    lose_gammons: float = 0.0,
) -> CubePoints:
    """Take points, doubling window and gammon values of the player on roll at one cube.

    Parameters
    ----------
    met : MatchEquityTable, optional
    score : Score, optional
        Both, or neither for money.
    cube_value : int
        Value before the double.
    win_gammons, lose_gammons : float
        Fraction of gammons, 0 to 1, among the wins of the player on roll and among the opponent's.

    Returns
    -------
    CubePoints
        Without points if the player on roll may not double, or gains nothing by it.

    Raises
    ------
    ArgumentError
        If an argument is out of range, only one of table and score is given, or the table does not have the score.

    Notes
    -----
    Dead cube: with W and L the values of winning and losing on the turned cube, W' and L' those on the present one, the
    cash point is (R(c) - L) / (W - L), Zadeh (3) to (6), and the doubling point (L' - L) / (L' - L + W - W'), the risk
    divided by the sum of risk and gain.  Live cube: see `live_cash_point`.

    Examples
    --------
    >>> money = cube_points()
    >>> money.doubling_point, money.cash_point, money.take_point, round(money.live_take_point, 9)
    (0.5, 0.75, 0.25, 0.2)
    >>> from bgrace.match.met import MatchEquityTable
    >>> points = cube_points(MatchEquityTable.default(), Score(4, 2))
    >>> round(points.take_point, 4), round(points.live_take_point, 4), points.automatic_redouble
    (0.1989, 0.1989, False)
    """
    payoff = _payoff(met, score)
    cube_value = check_cube_value(cube_value)
    for whose, rate in (("the player's own", win_gammons), ("the opponent's", lose_gammons)):
        problem = f"{rate!r:.80} is not the fraction of {whose} wins that are gammons: give 0 to 1"
        as_number(rate, problem, 0, 1)
    values = (gammon_value(met, score, cube_value), gammon_value(met, score, cube_value, lost=True))
    if score is not None and not score.may_double(cube_value):
        reason = score.why_no_double(cube_value)
        return CubePoints(score, cube_value, None, None, None, None, None, False, *values, reason)

    def outcome(stake: int) -> tuple[float, float]:
        """The values of winning and losing on a dead cube, gammons included."""
        win = win_gammons * payoff(2 * stake) + (1 - win_gammons) * payoff(stake)
        lose = lose_gammons * payoff(-2 * stake) + (1 - lose_gammons) * payoff(-stake)
        return win, lose

    automatic = score is not None and score.on_roll_needs <= 2 * cube_value < score.opponent_needs
    win_now, lose_now = outcome(cube_value)
    win, lose = outcome(4 * cube_value if automatic else 2 * cube_value)
    cash = (payoff(cube_value) - lose) / (win - lose)
    risk, gain = lose_now - lose, win - win_now
    doubling = risk / (risk + gain) if risk + gain > 0 else 0.0
    live = _money_live(win_gammons, lose_gammons)
    if score is not None:
        needs = (score.on_roll_needs, score.opponent_needs)
        live = live_cash_point(*needs, cube_value, payoff, win_gammons, lose_gammons)
    return CubePoints(score, cube_value, doubling, cash, 1 - cash, live, 1 - live, automatic, *values)


def cube_points_at_every_cube(
    met: ChancesAfter, score: Score, *, win_gammons: float = 0.0, lose_gammons: float = 0.0
) -> list[CubePoints]:
    """`cube_points` for cube values 1, 2, 4, ... up to the last at which a double is of use to one of the players.

    Parameters and errors as for `cube_points`.

    Returns
    -------
    list of CubePoints
        At least one.
    """
    rows = []
    cube_value = 1
    while True:
        rows.append(cube_points(met, score, cube_value, win_gammons=win_gammons, lose_gammons=lose_gammons))
        cube_value *= 2
        if not (score.may_double(cube_value) or score.swapped.may_double(cube_value)):
            return rows


def _payoff(met: ChancesAfter | None, score: Score | None) -> Payoff:
    if (met is None) != (score is None):
        raise ArgumentError("a match needs an equity table and a score, money neither: give both or none")
    if met is None or score is None:
        return float
    place = check_score(score)
    return lambda points: met.after(place, points)


def live_cash_point(
    own: int,
    other: int,
    cube_value: int,
    after: Callable[[int], float],
    win_gammons: float,
    lose_gammons: float,
) -> float:
    """The doubler's chance to win the game at which the other side may as well pass as take, with a live cube.

    `after` takes the points that the doubler wins, negative for a loss, and gives their chance to win the match.  The
    cash point is 1 if the cube before the double already wins the match.

    Notes
    -----
    After the take the doubler's value is a straight line in the chance to win: from the point where the taker redoubles
    and the doubler passes, at the loss of the doubled cube, to the point where the game is won.  Keeler and Spencer,
    "Optimal doubling in backgammon", Operations Research 23 (1975), for money: 4/5.  In a match the point of each cube
    follows from that of the next one, up to a cube that is dead.
    """
    if own <= cube_value:
        return 1.0
    redouble = live_cash_point(other, own, 2 * cube_value, lambda points: 1 - after(-points), lose_gammons, win_gammons)
    won = win_gammons * after(4 * cube_value) + (1 - win_gammons) * after(2 * cube_value)
    lost = after(-2 * cube_value)
    if won <= lost:
        raise ArgumentError(
            f"{own}-away, {other}-away, cube {2 * cube_value}: winning and losing are worth the same there"
        )
    return 1 - redouble * (won - after(cube_value)) / (won - lost)


def _money_live(win_gammons: float, lose_gammons: float) -> float:
    """The live cash point for money: a fixed point, since each player's point follows from the other's.

    On a cube of 2 the doubler's own cash point is 1 - t (W - 1) / (W + 2), W = 2 (1 + gammons) their average win, t the
    other's.
    """
    own, other = (1 - 3 / (2 * (1 + rate) + 2) for rate in (win_gammons, lose_gammons))
    return (1 - own) / (1 - own * other)
