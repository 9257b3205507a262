"""The counts of players in a race, beside the right decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from bgrace._base.arrays import JSON, Summarised, Told, as_number
from bgrace._base.language import words
from bgrace.answers import Reasons, Solution
from bgrace.cube.action import CubeAction
from bgrace.errors import PositionError

_ROUNDED: Final = 0.00005
"""Points that would print as 0.0000."""

_NOTICED: Final = 0.002
"""Points that a player would notice."""


def closeness(error: float) -> float:
    """Greatest difference of two choices that counts as none.

    Parameters
    ----------
    error : float
        Of the answer, in points: `bgrace.Solution.error`.  Stated errors are larger than most that occur, so a
        difference that a player would notice is never taken for none.

    Returns
    -------
    float
        Points.

    Examples
    --------
    >>> closeness(0.0), closeness(0.0004), closeness(0.1)
    (5e-05, 0.0004, 0.002)
    """
    number = as_number(error, f"error={error!r:.80} is not a number of points: give that of an answer")
    return min(max(number, _ROUNDED), _NOTICED)


if TYPE_CHECKING:  # who describes a race without its counts does not wait for them
    from bgrace.counts import CountOfPair


COUNT_NAMES: Final[Mapping[str, str]] = words("en")["counts"]
"""What books call the counts of `bgrace.counts.COUNTS`."""


Term: TypeAlias = Literal["wastage", "limit", "both", "gammons"]


@dataclass(frozen=True, slots=True)
class Culprit(Told):
    """The part of a count that makes its advice wrong: with the true number in its place, the advice is right.

    Attributes
    ----------
    term : str
        ``"wastage"``: what the count adds to the pips of both sides.  ``"limit"``: the lead from which, or up to which,
        it decides, with its charge for being on roll.  ``"both"``: neither alone repairs it.
        ``"gammons"``: the position is too good to double, and the count knows of none.
    wastage, true_wastage : float
        Pips that the player on roll wastes more than the opponent: as the count has it, and in truth.
    limit, true_limit : float, or None
        Lead in pips and wastage, before a charge for being on roll; the true one is None if there is none.
    """

    term: Term
    wastage: float
    true_wastage: float
    limit: float
    true_limit: float | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CountAnalysis(Summarised):
    """Every count of one race, held against the answer.

    Attributes
    ----------
    solution : Solution
    double, redouble : CubeAction, or None
        What is right with the cube in the middle, and with an own one; None where the cube cannot be there, which at a
        score is one of them.
    counts : mapping of str to CountOfPair
        By the names of `bgrace.counts.COUNTS`.
    losses : mapping of str to mapping of str to float
        By count, for each decision that it makes (``"double"``, ``"redouble"``, ``"take"``): the cost of following it,
        in points per unit of the cube; 0.0 where it is right, or closer than the answer's error.
    left_out : mapping of str to str
        Counts that do not reach the race, and why.
    points : mapping of str to (float or None), or None
        At a score, the chance from which on doubling, redoubling and taking is right in this race; None for money.
        There a count goes by its win probability, and one without has no rule.
    culprits : mapping of str to mapping of str to Culprit
        By count, for each decision for money that it has wrong: the part of it that is.
    """

    solution: Solution
    double: CubeAction | None
    redouble: CubeAction | None
    counts: Mapping[str, CountOfPair]
    losses: Mapping[str, Mapping[str, float]]
    left_out: Mapping[str, str]
    points: Mapping[str, float | None] | None = None
    culprits: Mapping[str, Mapping[str, Culprit]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, JSON]:
        """The fields as a dict that JSON can hold."""
        from bgrace.counts import COUNTS  # noqa: PLC0415

        sides: tuple[JSON, ...] = tuple(
            {"position": list(side), "pips": side.pips} for side in (self.solution.on_roll, self.solution.opponent)
        )
        described: dict[str, JSON] = {
            name: self.counts[name].to_dict()
            | {
                "loss": dict(self.losses[name]),
                "culprits": {decision: each.to_dict() for decision, each in self.culprits.get(name, {}).items()},
            }
            if name in self.counts
            else None
            for name in COUNTS
        }
        return {
            "on_roll": sides[0],
            "opponent": sides[1],
            "truth": {
                "stakes": str(self.solution.stakes),
                "win_probability": self.solution.win_probability,
                "method": self.solution.method,
                "error": self.solution.error,
                "double": None if self.double is None else self.double.to_dict(),
                "redouble": None if self.redouble is None else self.redouble.to_dict(),
                "points": None if self.points is None else dict(self.points),
            },
            "counts": described,
            "left_out": dict(self.left_out),
        }


def judge_counts(solution: Solution, epc: tuple[float, float] | None = None) -> CountAnalysis:
    """Compare every count about a race with its answer.

    Parameters
    ----------
    solution : Solution
        With a cube: from `bgrace.solve`.
    epc : pair of float, optional
        Expected pip counts of the player on roll and the opponent, for the count that goes by them; without, it is
        left out where checkers are outside home.

    Returns
    -------
    CountAnalysis

    Raises
    ------
    CoverageError
        If the solution has no values with a cube.
    PositionError
        If a side has no checker left.

    Examples
    --------
    >>> import bgrace
    >>> judged = judge_counts(bgrace.solve("2x1 4x2 5x1 6x2", "1x1 3x2 5x1 6x3"))
    >>> judged.double.verdict, judged.counts["thorp"].verdict(), judged.losses["thorp"]["double"]
    ('double/pass', 'double/pass', 0.0)
    """
    from bgrace.counts import COUNTS, effective_pips  # noqa: PLC0415

    double, redouble = (
        solution.cube_action(place) if place in solution.stakes.cubes else None for place in ("centered", "mine")
    )
    points = _points(solution)
    counts: dict[str, CountOfPair] = {}
    left_out: dict[str, str] = {}
    for name, count in COUNTS.items():
        try:
            if name == "effective_pips" and epc is not None:
                counts[name] = effective_pips(solution.on_roll, solution.opponent, epc=epc)
            else:
                counts[name] = count(solution.on_roll, solution.opponent)
        except PositionError as error:  # a count that does not reach this pair
            left_out[name] = str(error)
    if points is not None:
        counts = {name: _at_score(counted, points) for name, counted in counts.items()}
    margins = {
        "double": None if double is None else double.double_margin,
        "redouble": None if redouble is None else redouble.double_margin,
        "take": next((action.take_margin for action in (double, redouble) if action is not None), None),
    }
    losses = {
        name: {
            decision: _loss(advised, margin, solution.error)
            for decision, margin in margins.items()
            if (advised := getattr(counted, decision)) is not None and margin is not None
        }
        for name, counted in counts.items()
    }
    return CountAnalysis(
        solution, double, redouble, counts, losses, left_out, points, _culprits(solution, counts, losses)
    )


def _culprits(
    solution: Solution, counts: Mapping[str, CountOfPair], losses: Mapping[str, Mapping[str, float]]
) -> dict[str, dict[str, Culprit]]:
    """For money, the wrong part of each wrong advice; none where the limit is more than 40 pips away."""
    if solution.stakes.score is not None:
        return {}
    places = {"double": "centered", "redouble": "mine", "take": "centered"}
    wrong = [(name, decision) for name, lost in losses.items() for decision, loss in lost.items() if loss]
    reasons = {place: solution.reasons_at(place) for place in {places[decision] for _, decision in wrong}}
    found: dict[str, dict[str, Culprit]] = {}
    for name, decision in wrong:
        told = reasons[places[decision]]
        too_good = decision != "take" and solution.cube_action(places[decision]).verdict == "too good"
        culprit = None if told is None else _culprit(counts[name], decision, told, too_good=too_good)
        if culprit is not None:
            found.setdefault(name, {})[decision] = culprit
    return found


def _culprit(counted: CountOfPair, decision: str, told: Reasons, *, too_good: bool) -> Culprit | None:
    """Exchange the count's wastage and its limit for the true ones, one at a time."""
    limit = {"double": counted.double_from, "redouble": counted.redouble_from, "take": counted.take_to}[decision]
    reason = told.take if decision == "take" else told.double
    if limit is None or (reason.pips is None and not too_good):
        return None
    sign = -1 if decision == "take" else 1  # a take is right below its limit
    limit += counted.on_roll - counted.counted
    lead = told.pips[1] - told.pips[0]
    wastage = (counted.counted - told.pips[0]) - (counted.opponent - told.pips[1])
    true_wastage = told.waste[0] - told.waste[1]
    if too_good:
        return Culprit("gammons", wastage, true_wastage, limit, None)
    true_limit = lead - true_wastage - sign * (reason.pips or 0.0)
    right = reason.margin > 0
    repairs: dict[Term, float] = {}
    if (sign * (lead - true_wastage - limit) > 0) == right:
        repairs["wastage"] = abs(true_wastage - wastage)
    if (sign * (lead - wastage - true_limit) > 0) == right:
        repairs["limit"] = abs(true_limit - limit)
    term: Term = max(repairs, key=lambda each: repairs[each]) if repairs else "both"
    return Culprit(term, wastage, true_wastage, limit, true_limit)


def _points(solution: Solution) -> dict[str, float | None] | None:
    """The chances from which on the decisions at a score are right, for this race."""
    if solution.stakes.score is None:
        return None
    decision, place = ("double", "centered") if solution.stakes.cube_value == 1 else ("redouble", "mine")
    reasons = solution.reasons_at(place)
    if reasons is None:
        return {decision: None, "take": None}
    return {decision: reasons.double.needed, "take": reasons.take.needed}


def _at_score(counted: CountOfPair, points: Mapping[str, float | None]) -> CountOfPair:
    """A count by its chance, whose limits in pips are those of money."""

    def reached(decision: str) -> bool | None:
        chance, needed = counted.win_probability, points.get(decision)
        if chance is None or needed is None:
            return None
        return (1 - chance if decision == "take" else chance) >= needed

    return replace(
        counted,
        double_from=None,
        redouble_from=None,
        take_to=None,
        double=reached("double"),
        redouble=reached("redouble"),
        take=reached("take"),
    )


def _loss(advised: bool, margin: float, error: float) -> float:
    """The cost of saying yes or no where yes is better by a margin."""
    right = advised == (margin > 0) or abs(margin) <= closeness(error)
    return 0.0 if right else abs(margin)
