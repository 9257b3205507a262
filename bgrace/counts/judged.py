"""The counts of players in a race, beside the right decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from math import nan
from typing import TYPE_CHECKING, Final

import numpy as np

from bgrace._base.arrays import JSON, ShortRepr, ToDict, as_json, plain
from bgrace._base.language import fill, words
from bgrace._kernels import counts as kernel
from bgrace._kernels.kinds import CountJudged, CulpritTerm
from bgrace.answers import Reasons, Solution
from bgrace.board.position import counts_of, sides_as_json
from bgrace.cube.action import CubeAction
from bgrace.errors import PositionError

if TYPE_CHECKING:  # who describes a race without its counts does not wait for them
    from bgrace.counts import CountOfPair

__all__ = ["COUNT_NAMES", "CountAnalysis", "Culprit", "judge_counts"]

COUNT_NAMES: Final[Mapping[str, str]] = words("en")["counts"]
"""What books call the counts of `bgrace.counts.COUNTS`."""


@dataclass(frozen=True, slots=True)
class Culprit(ToDict):
    """The part of a count that makes its advice wrong: with the true number in its place, the advice is right.

    Attributes
    ----------
    term : str
        ``"wastage"``: what the count adds to the pips of both sides.  ``"limit"``: the lead from which, or up to which,
        it decides, with its charge for being on roll.  Where neither alone repairs it, ``"on_roll"`` or ``"opponent"``:
        what it adds to the pips of that side; else ``"both"``, wastage and limit.  ``"gammons"``: the position is too
        good to double, and the count knows of none.  ``"chance"``: at a score, the chance of the player on roll.
    on_roll, true_on_roll, opponent, true_opponent : float, or None
        For money, pips that each side wastes: as the count has it, and in truth.
    limit, true_limit : float, or None
        For money, the lead in pips and wastage, before a charge for being on roll; none is true if none within 40 is.
    chance, true_chance : float, or None
        At a score, of the player on roll.
    """

    term: CulpritTerm
    on_roll: float | None
    true_on_roll: float | None
    opponent: float | None
    true_opponent: float | None
    limit: float | None
    true_limit: float | None
    chance: float | None
    true_chance: float | None

    def said(self, decision: str) -> str:
        """Say what is wrong about a ``"double"``, ``"redouble"`` or ``"take"``, in the language that is spoken."""
        texts = words()["culprit"]
        numbers = {name: value for name, value in asdict(self).items() if value is not None}
        limit = "far" if self.true_limit is None else decision
        wastage = "wastage" if self.on_roll or self.opponent else "pips_alone"
        keys = {"limit": [limit], "wastage": [wastage], "both": [wastage, limit]}.get(self.term, [self.term])
        return str(words()["phrases"]["and"]).join(fill(texts[key], numbers) for key in keys)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CountAnalysis(ShortRepr):
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
        By count, for each decision that it has wrong: the part of it that is.
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

        described: dict[str, JSON] = {
            name: self.counts[name].to_dict()
            | {"loss": dict(self.losses[name]), "culprits": plain(self.culprits.get(name, {}))}
            if name in self.counts
            else None
            for name in COUNTS
        }
        return {
            **sides_as_json(self.solution.on_roll, self.solution.opponent),
            "truth": {
                "stakes": str(self.solution.stakes),
                **as_json(self.solution, "win_probability", "method", "error"),
                **as_json(self, "double", "redouble", "points"),
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
    from bgrace.counts import Count, effective_pips  # noqa: PLC0415

    sides = (solution.on_roll, solution.opponent)
    places = [place for place in ("centered", "mine") if place in solution.stakes.cubes]
    double, redouble = (solution.cube_action(place) if place in places else None for place in ("centered", "mine"))
    left_out: dict[str, str] = {}
    try:
        by_epc = effective_pips(*sides, epc=epc)
        epc = by_epc.on_roll, by_epc.opponent
    except PositionError as error:
        left_out["effective_pips"] = str(error)
    on_roll, opponent = map(counts_of, sides)
    points = _points(solution)

    def judged(reasons: Mapping[str, Reasons | None]) -> list[CountJudged]:
        truth = _truth(solution, (double, redouble), points, reasons)
        return kernel.judge(on_roll, opponent, np.array([*(epc or (nan, nan)), *truth], dtype=np.float64))

    told = judged({})
    if any(loss for *_, losses, _ in told for loss in losses.values()):
        told = judged({place: solution.reasons_at(place) for place in places})
    left_out = {name: left_out.get(name, problem) for name, problem, *_ in told if problem is not None}
    reached = [each for each in told if each[0] not in left_out]
    return CountAnalysis(
        solution,
        double,
        redouble,
        {name: Count(name, **fields) for name, _, fields, *_ in reached},  # type: ignore[arg-type]
        {name: losses for name, _, _, losses, _ in reached},
        left_out,
        points,
        {
            name: {of: Culprit(term, *numbers) for of, (term, numbers) in wrong.items()}
            for name, *_, wrong in reached
            if wrong
        },
    )


def _truth(
    solution: Solution,
    actions: tuple[CubeAction | None, CubeAction | None],
    points: Mapping[str, float | None] | None,
    reasons: Mapping[str, Reasons | None],
) -> Iterator[float]:
    """The numbers of a bgr_count_truth, but for the first two."""
    yield solution.error
    yield points is not None
    yield from next((told.waste for told in reasons.values() if told is not None), (nan, nan))
    yield solution.win_probability
    first = actions[0] or actions[1]
    for decision, action in zip(("double", "redouble", "take"), (*actions, first), strict=True):
        told = reasons.get("mine" if decision == "redouble" else "centered")
        reason = None if told is None else told.take if decision == "take" else told.double
        margin = None if action is None else action.take_margin if decision == "take" else action.double_margin
        needed = None if points is None else points.get(decision)
        pips = None if reason is None else reason.pips
        yield from (nan if number is None else number for number in (margin, needed, pips))
        yield reason is not None and decision != "take" and action is not None and action.verdict == "too good"


def _points(solution: Solution) -> dict[str, float | None] | None:
    """The chances from which on the decisions at a score are right, for this race."""
    if solution.stakes.score is None:
        return None
    decision, place = ("double", "centered") if solution.stakes.cube_value == 1 else ("redouble", "mine")
    reasons = solution.reasons_at(place)
    if reasons is None:
        return {decision: None, "take": None}
    return {decision: reasons.double.needed, "take": reasons.take.needed}
