"""The decisions of players' counts in a race, compared with the right ones."""

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

if TYPE_CHECKING:  # loaded only for races that are described with counts
    from bgrace.counts import CountOfPair

__all__ = ["COUNT_NAMES", "CountAnalysis", "Culprit", "judge_counts"]

COUNT_NAMES: Final[Mapping[str, str]] = words("en")["counts"]
"""Names in books of the counts of `bgrace.counts.COUNTS`."""


@dataclass(frozen=True, slots=True)
class Culprit(ToDict):
    """The part of a count that makes its advice wrong: with the true number in its place, the advice is right.

    Attributes
    ----------
    term : str
        ``"wastage"``: the pips that the count adds to both sides.  ``"limit"``: the least lead for a double, or the
        greatest for a take, with the charge for being on roll.  If neither alone repairs the advice, ``"on_roll"`` or
        ``"opponent"``: the pips that it adds to that side; else ``"both"``, wastage and limit.  ``"gammons"``: the
        position is too good to double, which the count ignores.  ``"chance"``: at a score, the chance of the player on
        roll.
    on_roll, true_on_roll, opponent, true_opponent : float, or None
        For money, pips that each side wastes: by the count, and in truth.
    limit, true_limit : float, or None
        For money, the lead in pips and wastage, before a charge for being on roll; `true_limit` is None if it is not
        within 40 pips.
    chance, true_chance : float, or None
        At a score, chances of the player on roll.
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
        """Explain the mistake in a ``"double"``, ``"redouble"`` or ``"take"``, in this thread's language."""
        texts = words()["culprit"]
        numbers = {name: value for name, value in asdict(self).items() if value is not None}
        limit = "far" if self.true_limit is None else decision
        wastage = "wastage" if self.on_roll or self.opponent else "pips_alone"
        keys = {"limit": [limit], "wastage": [wastage], "both": [wastage, limit]}.get(self.term, [self.term])
        return str(words()["phrases"]["and"]).join(fill(texts[key], numbers) for key in keys)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CountAnalysis(ShortRepr):
    """Every count of one race, compared with the answer.

    Attributes
    ----------
    solution : Solution
    double, redouble : CubeAction, or None
        The right decision with a centered cube, and with an own cube; None if the cube cannot be there, as for one of
        the two at a score.
    counts : mapping of str to CountOfPair
        Counts by their names in `bgrace.counts.COUNTS`.
    losses : mapping of str to mapping of str to float
        By count, for each decision that it makes (``"double"``, ``"redouble"``, ``"take"``): the cost of following it,
        in points per unit of the cube; 0.0 if it is right, or if the loss is within the answer's error.
    left_out : mapping of str to str
        Counts that do not apply to the race, with the reason.
    points : mapping of str to (float or None), or None
        At a score, the least chances at which doubling, redoubling and taking are right in this race; None for money.
        At a score a count decides by its win probability; a count without one has no rule.
    culprits : mapping of str to mapping of str to Culprit
        By count, for each wrong decision: the part of the count that is wrong.
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
        """The fields by name, as values of JSON."""
        described: dict[str, JSON] = {
            name: self.counts[name].to_dict()
            | {"loss": dict(self.losses[name]), "culprits": plain(self.culprits.get(name, {}))}
            if name in self.counts
            else None
            for name in kernel.NAMES
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
    """Compare every count of a race with the answer.

    Parameters
    ----------
    solution : Solution
        A solution with a cube: from `bgrace.solve`.
    epc : pair of float, optional
        Expected pip counts of the player on roll and the opponent, for the count that uses them; by default that count
        is left out if checkers are outside home.

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

    judgements = judged({})
    if any(loss for *_, losses, _ in judgements for loss in losses.values()):
        judgements = judged({place: solution.reasons_at(place) for place in places})
    left_out = {name: left_out.get(name, problem) for name, problem, *_ in judgements if problem is not None}
    reached = [each for each in judgements if each[0] not in left_out]
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
    """The numbers of a bgr_count_truth after the first two."""
    yield solution.error
    yield points is not None
    yield from next((each.waste for each in reasons.values() if each is not None), (nan, nan))
    yield solution.win_probability
    first = actions[0] or actions[1]
    for decision, action in zip(("double", "redouble", "take"), (*actions, first), strict=True):
        both = reasons.get("mine" if decision == "redouble" else "centered")
        reason = None if both is None else both.take if decision == "take" else both.double
        margin = None if action is None else action.take_margin if decision == "take" else action.double_margin
        needed = None if points is None else points.get(decision)
        pips = None if reason is None else reason.pips
        yield from (nan if number is None else number for number in (margin, needed, pips))
        yield reason is not None and decision != "take" and action is not None and action.verdict == "too good"


def _points(solution: Solution) -> dict[str, float | None] | None:
    """The least chances at which the decisions at a score are right in this race."""
    if solution.stakes.score is None:
        return None
    decision, place = ("double", "centered") if solution.stakes.cube_value == 1 else ("redouble", "mine")
    reasons = solution.reasons_at(place)
    if reasons is None:
        return {decision: None, "take": None}
    return {decision: reasons.double.needed, "take": reasons.take.needed}
