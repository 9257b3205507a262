"""The class of answers about a pair, from any source."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from math import nan
from typing import ClassVar, Final

from bgrace._base.arrays import JSON
from bgrace._base.frames import Cell, Columns, Tabular
from bgrace._kernels.kinds import ChancesFound
from bgrace.answers.protocol import Bounds, Gammons, KnownAnswers, PairAnswers, Values
from bgrace.answers.reasons import NOTHING, PlayReason, Reasons, play_reason, side_of, solver
from bgrace.board import Board, Position, drawing
from bgrace.board.dice import ROLLS, WEIGHTS, parse_roll
from bgrace.board.plays import Play, RollPlays, legal_plays, rank_plays, results_of_all_rolls
from bgrace.board.position import check_not_over, counts_of, sides_as_json
from bgrace.cube.action import Cube, CubeAction, Equities
from bgrace.errors import NO_CUBE_TO_TURN, CoverageError, PositionError, RollError
from bgrace.match.stakes import Place, Stakes
from bgrace.tables import GAMMON_CHECKERS

_BACKGAMMON_POINT: Final = 19
"""The lowest of the loser's points in the winner's home board."""

MAX_REASONS: Final = 5
"""Number of the best plays of a roll that come with a reason."""


def can_be_backgammoned(loser: Position) -> bool:
    """Whether a side has a checker in its opponent's home board, and none borne off."""
    return loser.checkers == GAMMON_CHECKERS and loser.highest >= _BACKGAMMON_POINT


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """The answer about a pair of positions, for the player on roll, before the dice.

    `bgrace.solve` and `Database.solution` return it, with the same meaning.  For money, values are points per unit of
    the present cube; at a score they are chances to win the match, and ``normalised`` has them in points.

    Attributes
    ----------
    on_roll, opponent : Position
    stakes : Stakes
        The rules in force: money with its rules, or the score.
    roll : tuple of two int, or None
        The dice of the ID, or those that the race was solved with: the default of `best_plays`.
    bounds : Bounds, or None
        Proved bounds, if they were asked for and found within the budget.

    Examples
    --------
    >>> import bgrace
    >>> solution = bgrace.solve("5x1 6x1", "4x1 5x1")
    >>> solution
    <bgrace.Solution 5x1 6x1 against 4x1 5x1, money: win 68.24 %, double/take, solved>
    >>> print(solution.cube_action())
    double/take (cube centered): no double +0.4038, double/take +0.6585, double/pass +1.0000
    >>> print(solution.best_plays("21")[0])
    6/3: -0.7841
    """

    on_roll: Position
    opponent: Position
    stakes: Stakes
    _answers: PairAnswers = field(repr=False)
    _cube: Cube | None = field(default=None, repr=False)
    roll: tuple[int, int] | None = None
    bounds: Bounds | None = None
    _reasons: Mapping[Cube, Reasons | None] | None = field(default=None, repr=False)
    """Reasons by cube position; set only on unpickled solutions, which no longer have the C answer."""
    _decisions: dict[Cube, CubeAction] = field(default_factory=dict, init=False, repr=False)
    """Decisions by cube position, kept once they are computed."""

    @property
    def proved(self) -> bool:
        """Whether `bounds` prove the verdict with the cube at `cube`."""
        return self.bounds is not None and self.bounds.cube(self.cube).proved

    @property
    def cube(self) -> Cube:
        """Where the cube is, seen by the player on roll: the default of the argument `cube`.

        ``"centered"``, ``"mine"`` or ``"theirs"``: as in the ID; without an ID centered, or mine at a score with a cube
        larger than 1.
        """
        return self.stakes.default_cube if self._cube is None else self._cube

    def _place(self, cube: str | None) -> Cube:
        return self.stakes.check_cube(self.cube if cube is None else cube)

    # ------------------------------------------------------------------ source

    @cached_property
    def _now(self) -> Values:
        return self._answers.now()

    @property
    def method(self) -> str:
        """Where the values come from.

        ``"solved"`` on the spot, ``"two-sided"`` from a file: exact.
        ``"turns"``: both sides carried forward turn by turn, with nearly every play compared; `error` says how close.
        ``"estimate"``: estimated, because the seconds do not suffice for a solution; `error` says how close.
        ``"one-sided"``: an estimate of the chance to win without a cube, from each side's rolls alone.
        """
        return self._now.method

    @property
    def error(self) -> float:
        """0.0 for values that are exact but for their encoding.

        Else, in points per unit of the cube, at a score too: the errors of 99 of 100 answers were within it when they
        were compared with closer ones (docs/any-race.md, and docs/race-tables.md for the method ``"one-sided"``).
        It is a bound only with `bounds`, or from a small file, whose greatest error is known: then it holds for the
        values of no double and of a double that is taken, with the cube at `cube`.
        """
        return self._now.error

    @property
    def missing(self) -> str | None:
        """The answers that are missing, and a way to get them; None if none is missing."""
        return self._now.missing

    @cached_property
    def is_over(self) -> bool:
        """Whether a side has borne off all of its checkers."""
        return not (any(self.on_roll) and any(self.opponent))

    # ------------------------------------------------------------------ chances

    @cached_property
    def win_probability(self) -> float:
        """Chance of the player on roll to win the game without a cube, if both sides play to win."""
        return self._answers.win_probability()

    @property
    def gammon_win(self) -> float | None:
        """Chance of the player on roll to win a gammon or more.

        0.0 if gammons do not count.  If only the opponent has all 15 checkers, and all pairs were solved, it follows
        from the cubeless equity, for which each side plays: the sum of it and `backgammon_win` is
        cubeless - (2 win - 1).  An answer by turns plays for that equity, which for money changes the chance by less
        than 1e-5.  If both sides have 15, `gammon_method` says how it was found; None if it is unknown.
        """
        return self._gammons.win

    @property
    def gammon_loss(self) -> float | None:
        """Chance of the player on roll to lose a gammon or more: see `gammon_win`."""
        return self._gammons.loss

    @property
    def backgammon_win(self) -> float | None:
        """Chance of the player on roll to win a backgammon.

        0.0 if the opponent has no checker on points 19 to 24, counted from the opponent's ace point, or has borne off a
        checker; None if the source, such as a file, does not have it.
        """
        return self._gammons.backgammon_win

    @property
    def backgammon_loss(self) -> float | None:
        """Chance of the player on roll to lose a backgammon: see `backgammon_win`."""
        return self._gammons.backgammon_loss

    @property
    def gammon_method(self) -> str | None:
        """The method of the chances of gammons.

        As in `method`, or ``"certain"`` if neither side can lose a gammon; None if the chances are unknown.
        """
        return self._gammons.method

    @property
    def _gammons_possible(self) -> bool:
        full = GAMMON_CHECKERS in (self.on_roll.checkers, self.opponent.checkers)
        return full and self.stakes.rules.gammons and not self.is_over

    @cached_property
    def _gammons(self) -> Gammons:
        if self.is_over and self.stakes.rules.gammons:
            won, lost = (float(loser.checkers == GAMMON_CHECKERS) for loser in (self.opponent, self.on_roll))
            stragglers = [float(can_be_backgammoned(loser)) for loser in (self.opponent, self.on_roll)]
            return Gammons(won, lost, stragglers[0], stragglers[1], "certain")
        if not self._gammons_possible:
            return Gammons(0.0, 0.0, 0.0, 0.0, "certain")
        known = self._answers.gammons()
        return Gammons(
            known.win if self.opponent.checkers == GAMMON_CHECKERS else 0.0,
            known.loss if self.on_roll.checkers == GAMMON_CHECKERS else 0.0,
            known.backgammon_win if can_be_backgammoned(self.opponent) else 0.0,
            known.backgammon_loss if can_be_backgammoned(self.on_roll) else 0.0,
            known.method,
        )

    # ------------------------------------------------------------------ values

    @cached_property
    def equities(self) -> Equities[float]:
        """The equities of the pair by the place of the cube; centered and mine include the right to double first.

        Raises
        ------
        CoverageError
            If the answers have no values with a cube; `missing` says why.
        """
        known, now = self._now, self.stakes.kernel
        values: dict[Cube, float] = {}
        for cube in self.stakes.cubes:
            rolled, _, _, doubled, *_ = now.cube(self._checked_place(cube, known), known.rows, False)
            values[cube] = rolled if self.is_over else doubled
        normalised = None
        if self.stakes.score is not None:
            normalised = self._equities({cube: self.stakes.normalised(value) for cube, value in values.items()}, None)
        return self._equities(values, normalised)

    def _equities(self, values: Mapping[Cube, float | None], normalised: Equities[float] | None) -> Equities[float]:
        known: dict[Cube, float] = {cube: value for cube, value in values.items() if value is not None}
        centered, mine, theirs = known.get("centered", nan), known.get("mine", nan), known.get("theirs", nan)
        return Equities(known.get("none", nan), centered, mine, theirs, self._now.method, normalised)

    def cube_action(self, cube: str | None = None) -> CubeAction:
        """Whether to double, and whether to take.

        Parameters
        ----------
        cube : str, optional
            ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``, seen by the player on roll; by default `cube`.

        Returns
        -------
        CubeAction

        Raises
        ------
        ArgumentError
            If `cube` is unknown, or at a score cannot be there.
        CoverageError
            If the answers have no values with a cube there.
        PositionError
            If a side has no checker left.
        """
        place = self._place(cube)
        if self.is_over:
            raise PositionError(NO_CUBE_TO_TURN)
        if place not in self._decisions:
            now, rules = self._now, self.stakes.rules
            values = self.stakes.kernel.cube(self._checked_place(place, now), now.rows, rules.beavers)
            self._decisions[place] = self.stakes.cube_action(place, values)
        return self._decisions[place]

    @cached_property
    def reasons(self) -> Reasons | None:
        """The reasons of the cube decision with the cube at `cube`: terms that add up, and sentences.

        None if there is no cube to turn, or there are no values with a cube.

        Examples
        --------
        >>> import bgrace
        >>> print(bgrace.solve("6x2", "6x3").reasons.take.text())
        You are 6 pips behind, and the opponent is on roll. 7.2 % is under the 23.2 % that this take needs.
        """
        return self.reasons_at()

    def reasons_at(self, cube: str | None = None) -> Reasons | None:
        """`reasons` with the cube in a place.

        Parameters
        ----------
        cube : str, optional
            As for `cube_action`.

        Raises
        ------
        ArgumentError
            If `cube` is unknown, or at a score cannot be there.
        """
        place = self._place(cube)
        if self.is_over or place not in self._now.places:
            return None
        if self._reasons is not None:
            return self._reasons.get(place)
        if self._now.answer is not None:
            return Reasons.of(solver().reasons(self._now.answer, place))
        standing = self._now.places[place]
        known = self._gammons
        chances = known.win, known.backgammon_win, known.loss, known.backgammon_loss
        won, won_double, lost, lost_double = [nan if chance is None else chance for chance in chances]
        return Reasons.of(
            solver().reasons_of(
                self.stakes.kernel,
                standing,
                place == "mine",
                self._now.rows,
                (self.win_probability, won, won_double, lost, lost_double, nan),
                counts_of(self.on_roll),
                counts_of(self.opponent),
                side_of(self.on_roll),
                side_of(self.opponent),
                self._market_losers(place),
            )
        )

    def _market_losers(self, cube: Cube) -> int:
        if not self._now.of_any_roll or cube not in ("centered", "mine"):
            return -1
        plays = results_of_all_rolls(self.on_roll)
        alive = [result for results in plays for result in results if any(result)]
        if not alive:
            return sum(WEIGHTS)
        values = self._answers.after(alive, ROLLS[0])
        losers = self.stakes.kernel.loses_market(values.places[cube], values.rows)
        kept = {result for result, loses in zip(alive, losers, strict=True) if not loses}
        return sum([weight for weight, results in zip(WEIGHTS, plays, strict=True) if not kept.issuperset(results)])

    def best_plays(self, roll: str | Iterable[int] | None = None, cube: str | None = None) -> list[Play]:
        """Every play of a roll, best first.

        Parameters
        ----------
        roll : str or pair of int, optional
            By default the attribute `roll`.
        cube : str, optional
            As for `cube_action`.

        Returns
        -------
        list of Play
            In falling order of equity; equal ones by their cubeless equity, then by pips left, then by their index.

        Raises
        ------
        ArgumentError
            If `cube` is unknown, or at a score cannot be there.
        CoverageError
            If the answers have no values with a cube there.
        PositionError
            If a side has no checker left.
        RollError
            If `roll` is not a roll, or if neither the call nor the solution has one.
        """
        dice = parse_roll(roll) if roll is not None else self.roll
        if dice is None:
            raise RollError('no dice: give a roll, "31" for example; the position was given without one')
        place = self._place(cube)
        check_not_over(self.on_roll, self.opponent)
        results = legal_plays(self.on_roll, dice)
        values, cubeless = self._values_of_results(results, dice, place)
        return self._ranked(dice, results, values, cubeless)

    def play_reason(self, better: Play, other: Play) -> PlayReason:
        """The difference of a play of a roll from a better one, in numbers and in words.

        Parameters
        ----------
        better, other : Play
            Two of `best_plays`.

        Examples
        --------
        >>> import bgrace
        >>> solution = bgrace.solve("2x1 4x2 5x1 6x2", "1x1 3x2 5x1 6x3")
        >>> best, _, third = solution.best_plays("63")
        >>> print(f"{third.play}: {solution.play_reason(best, third).text()[:75]}")
        6/off 5/2: Leaves the 5 point empty, misses next time with 27 of 36 rolls (the best 15
        """
        return play_reason(self.opponent, better.position, other.position, self.chances_after([better, other]))

    def chances_after(self, plays: Sequence[Play]) -> list[ChancesFound | None]:
        """Chances of the player on roll after plays of one roll, in the order of bgr_chances; None if unknown."""
        results = [result for result in legal_plays(self.on_roll, plays[0].roll) if result.checkers] if plays else []
        chances = self._answers.after(results, plays[0].roll).chances if results else None
        return [chances(play.position) if chances else None for play in plays]

    def _plays_to_dicts(self, plays: Sequence[Play]) -> list[dict[str, JSON]]:
        """Plays of a roll, best first, as values of JSON; the next best ones have a `reason` why they are worse."""
        dicts = [play.to_dict() for play in plays]
        for play, fields in list(zip(plays, dicts, strict=True))[:MAX_REASONS]:
            if play.loss > NOTHING:
                fields["reason"] = self.play_reason(plays[0], play).to_dict()
        return dicts

    def _ranked(
        self, dice: tuple[int, int], results: list[Position], values: list[float], cubeless: list[float]
    ) -> list[Play]:
        if self.stakes.score is None:
            return rank_plays(self.on_roll, dice, results, values, cubeless=cubeless)
        won, lost = self.stakes.payoff(1), self.stakes.payoff(-1)
        # If winning and losing are worth the same, the chances to win the match still rank the plays.
        unit = won - lost if won > lost else 2.0
        points = [(2 * value - won - lost) / unit for value in values]
        return rank_plays(self.on_roll, dice, results, points, values, cubeless)

    def all_plays(self, cube: str | None = None) -> RollPlays:
        """Every play of every roll, best first: 21 lists, by the dice, larger first.

        Parameters
        ----------
        cube : str, optional
            As for `best_plays`, with the same errors.

        Returns
        -------
        RollPlays
            A mapping of (int, int) to list of Play, in the order of `bgrace.board.dice.ROLLS`, and a table.
        """
        place = self._place(cube)
        check_not_over(self.on_roll, self.opponent)
        if not self._now.of_any_roll:
            return RollPlays({roll: self.best_plays(roll, place) for roll in ROLLS})
        plays = dict(zip(ROLLS, results_of_all_rolls(self.on_roll), strict=True))
        results = list(chain.from_iterable(plays.values()))
        values, cubeless = map(iter, self._values_of_results(results, ROLLS[0], place))
        return RollPlays(
            {
                roll: self._ranked(roll, found, list(islice(values, len(found))), list(islice(cubeless, len(found))))
                for roll, found in plays.items()
            }
        )

    def _values_of_results(
        self, results: list[Position], roll: tuple[int, int], cube: Cube
    ) -> tuple[list[float], list[float]]:
        """The value of each result to the player who has moved there, with the cube in a place and without a cube."""
        points = 1
        if self.opponent.checkers == GAMMON_CHECKERS and self.stakes.gammon_counts(cube):
            points = 3 if can_be_backgammoned(self.opponent) else 2
        won = self.stakes.payoff(points)
        alive = [result for result in results if any(result)]
        if not alive:
            return [won] * len(results), [won] * len(results)
        values, kernel = self._answers.after(alive, roll), self.stakes.kernel
        places = (self._checked_place(cube, values), values.places["none"])
        columns = (kernel.worth(place, values.rows) for place in places)
        with_cube, cubeless = (dict(zip(alive, column, strict=True)) for column in columns)
        return [with_cube.get(each, won) for each in results], [cubeless.get(each, won) for each in results]

    def _checked_place(self, cube: Cube, values: Values) -> Place:
        if cube not in values.places:
            raise CoverageError(str(values.missing))
        return values.places[cube]

    # ------------------------------------------------------------------ as a whole

    def to_dict(self, roll: str | Iterable[int] | None = None, cube: str | None = None) -> dict[str, JSON]:
        """The answers by name, as values of JSON; unknown values are None.

        Parameters
        ----------
        roll : str or pair of int, optional
            List the plays of this roll; by default those of the attribute `roll`, if there is one.
        cube : str, optional
            As for `cube_action`.
        """
        place, dice = self._place(cube), self.roll if roll is None else roll
        return self._to_dict(None if dice is None else self.best_plays(dice, place), place)

    def _to_dict(self, plays: Sequence[Play] | None, place: Cube) -> dict[str, JSON]:
        """`to_dict` with plays that were compared before."""
        known = self._now.missing is None
        equities = self.equities if known else None
        answer: dict[str, JSON] = {
            **sides_as_json(self.on_roll, self.opponent),
            "win_probability": self.win_probability,
            "method": self.method,
        }
        if self.stakes.score is not None:
            answer["match"] = self.stakes.to_dict()
            answer["match_chances"] = equities.to_dict() if equities else None
            equities = equities.normalised if equities else None
        answer["equities"] = equities.to_dict() if equities else None
        answer["cube_action"] = self.cube_action(place).to_dict() if known and not self.is_over else None
        answer["plays"] = None if plays is None else self._plays_to_dicts(plays)
        answer["stakes"] = str(self.stakes)
        for name in ("gammon_win", "gammon_loss", "backgammon_win", "backgammon_loss", "error"):
            answer[name] = getattr(self, name)
        reasons = self.reasons_at(place)
        answer["reasons"] = reasons.to_dict() if reasons else None
        if self.bounds is not None:
            answer["bounds"] = self.bounds.to_dict(place)
        return answer

    def __str__(self) -> str:
        verdict = "over" if self.is_over else "no cube" if self.missing else self.cube_action().verdict
        return (
            f"{self.on_roll} against {self.opponent}, {self.stakes}: "
            f"win {100 * self.win_probability:.2f} %, {verdict}, {self.method}"
        )

    def __repr__(self) -> str:
        return f"<bgrace.Solution {self}>"

    def _repr_svg_(self) -> str:
        return Board(self.on_roll, self.opponent)._repr_svg_()

    def _repr_html_(self) -> str:
        return drawing.figure_html(self._repr_svg_(), str(self))

    def __reduce__(self) -> tuple[type[Solution], tuple[object, ...]]:
        """Pickle the answers, not the tables that they come from."""
        known = self._answers
        if not isinstance(known, KnownAnswers):
            known = KnownAnswers(known, self.on_roll if not self.is_over else Position((0,)), self._gammons_possible)
        reasons = {cube: self.reasons_at(cube) for cube in self.stakes.cubes}
        return Solution, (self.on_roll, self.opponent, self.stakes, known, self._cube, self.roll, self.bounds, reasons)


_ANSWER: Final[Columns] = {"win_probability": float, "gammon_win": float, "gammon_loss": float, "cube": str}
_ACTION: Final[Columns] = {"verdict": str | None, "no_double": float, "double_take": float, "double_pass": float}
_HOW: Final[Columns] = {"method": str, "error": float}


class Solutions(Iterator[Solution], Tabular):
    """Answers in the order of their races, solved while they are taken; as a table, those not taken yet.

    The table is kept, so that it can be made several times.  A row is a race: both positions as text, their pips, the
    stakes, chances, and the cube action with the cube at its place, in points per unit of the cube or in chances to win
    the match.  A value is None if it is unknown or if a side has no checkers.

    Parameters
    ----------
    solved : generator of Solution
    """

    __slots__ = ("_solved", "_table")

    COLUMNS: ClassVar[Columns] = {
        "on_roll": str,
        "opponent": str,
        "on_roll_pips": int,
        "opponent_pips": int,
        "stakes": str,
        **_ANSWER,
        **_ACTION,
        **_HOW,
    }

    def __init__(self, solved: Generator[Solution]) -> None:
        self._solved = solved
        self._table: list[Mapping[str, Cell]] = []

    def __next__(self) -> Solution:
        return next(self._solved)

    def close(self) -> None:
        """Cancel the races that have not begun."""
        self._solved.close()

    def _rows(self) -> list[Mapping[str, Cell]]:
        self._table += [_row(solution) for solution in self]
        return self._table


def _row(solution: Solution) -> dict[str, Cell]:
    action = None if solution.missing or solution.is_over else solution.cube_action()
    return {
        "on_roll": str(solution.on_roll),
        "opponent": str(solution.opponent),
        "on_roll_pips": solution.on_roll.pips,
        "opponent_pips": solution.opponent.pips,
        "stakes": str(solution.stakes),
        **{name: getattr(solution, name) for name in (*_ANSWER, *_HOW)},
        **{name: None if action is None else getattr(action, name) for name in _ACTION},
    }
