"""Doubling windows of real positions, in expected pips, and the value of the single-checker advice there.

Near the end of a race, and for stacks and gaps, pip counts stop telling how long a position takes.  Its expected pip
count (EPC) still does.  Here the exact decisions of a two-sided database are gathered by the EPC of the player on roll:
which lead in EPC is best to double, to redouble and to take by, and how often, and at what cost, three rules of thumb
are wrong:

pips
    the single-checker table of `bgrace.cube.race`, entered with raw pip counts;
epc
    the same table, entered with the pip counts at which a single checker has the positions' EPC, its equities
    interpolated between whole pips;
lead
    the best single lead in EPC for the group: what is lost even so is what EPCs do not tell.

Only contested pairs count: those in which the player on roll wins 50% to 90% without a cube.  Elsewhere every rule is
right, and no one asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import numpy.typing as npt

from bgrace import scm
from bgrace._base.arrays import JSON, Floats, ShortRepr, ToDict, as_floats, as_json, check_open, elementwise
from bgrace.board.dice import MEAN_PIPS
from bgrace.board.spaces import PositionSpace
from bgrace.cube import race
from bgrace.cube.action import EXACT_TIE
from bgrace.errors import ArgumentError, CoverageError

if TYPE_CHECKING:
    from bgrace.database.database import Database

__all__ = [
    "DECISIONS",
    "RULES",
    "WORTH",
    "Accuracy",
    "Decision",
    "PositionWindow",
    "Rule",
    "Study",
    "equivalent_pips",
    "interpolated",
    "single_checker_lead",
    "study",
]

# ---- the single-checker table asked with expected pips

Decision = Literal["double", "redouble", "take"]

DECISIONS: Final[tuple[Decision, ...]] = ("double", "redouble", "take")
"""Double a centered cube, redouble an own one, take."""


@elementwise
def equivalent_pips(epc: npt.ArrayLike) -> Floats:
    """Pip count at which a single checker has an expected pip count.

    Parameters
    ----------
    epc : float or array_like
        Expected pips, 49/6 to about 1800.

    Returns
    -------
    float, or float64 ndarray of the same shape
        Interpolated between whole pips; about ``epc - 4.714`` in a long race.

    Raises
    ------
    ArgumentError
        If any is less than 49/6, one roll, or too great.

    Examples
    --------
    >>> round(equivalent_pips(10.2083333), 4), round(equivalent_pips(60), 3)
    (6.0, 55.287)
    """
    # Three pips are the most that any roll brings: below, a single checker takes one roll as well.
    known = np.asarray(scm.mean_rolls(np.arange(race.MAX_WINDOWS + 1)) * MEAN_PIPS)
    problem = f"epc={epc!r} is out of range: a position takes 49/6 pips, one roll, to {known[-1]:.0f}"
    values = as_floats(epc, problem)
    if not np.all((values >= known[3] - 1e-9) & (values <= known[-1])):
        raise ArgumentError(problem)
    return np.interp(values, known[3:], np.arange(3, len(known)))


def interpolated(table: Floats, k: Floats, s: Floats) -> Floats:
    """Values of a table ``[k, s]``, as of `bgrace.cube.race.RaceTable`, between whole pips, by the four around."""
    row, column = np.floor(k).astype(np.int64), np.floor(s).astype(np.int64)
    down, right = k - row, s - column
    above = table[row, column] * (1 - right) + table[row, column + 1] * right
    below = table[row + 1, column] * (1 - right) + table[row + 1, column + 1] * right
    return np.asarray(above * (1 - down) + below * down)


def gains_of(no_double: Floats, no_redouble: Floats, double_take: Floats) -> dict[Decision, Floats]:
    """Work out what a double, a redouble and a take gain, of equities; negative where they lose."""
    doubled = np.minimum(double_take, 1)
    return {"double": doubled - no_double, "redouble": doubled - no_redouble, "take": 1 - double_take}


def equities_between(table: race.RaceTable, k: Floats, s: Floats) -> tuple[Floats, Floats, Floats]:
    """Look up what `gains_of` takes of the single-checker model, between whole pips."""
    no_double, no_redouble, double_take = table.no_double_centered, table.no_double_mine, table.double_take
    return interpolated(no_double, k, s), interpolated(no_redouble, k, s), interpolated(double_take, k, s)


def single_checker_lead(epc: float) -> dict[Decision, float]:
    """Leads in EPC at which the single-checker advice changes.

    Parameters
    ----------
    epc : float
        Expected pips of the player on roll.

    Returns
    -------
    dict
        Least lead to double and to redouble, and greatest to take, in expected pips, to 0.01; NaN where there is none.

    Raises
    ------
    ArgumentError
        If `epc` is less than 49/6.

    Examples
    --------
    >>> leads = single_checker_lead(60)
    >>> round(leads["double"], 1), round(leads["redouble"], 1), round(leads["take"], 1)
    (4.2, 5.4, 8.5)
    """
    k = equivalent_pips(epc)
    others = np.arange(max(epc - 20, MEAN_PIPS), epc + 40, 0.01)
    s = equivalent_pips(others)
    gains = gains_of(*equities_between(race.solve(int(s.max()) + 2), np.full(s.shape, k), s))
    leads: dict[Decision, float] = {}
    for decision in DECISIONS:
        yes = np.flatnonzero(gains[decision] >= -EXACT_TIE)
        at = yes[-1] if decision == "take" and yes.size else yes[0] if yes.size else None
        leads[decision] = float("nan") if at is None else float(others[at] - epc)
    return leads


def rows_by_lead(windows: Sequence[race.Window]) -> list[list[str]]:
    """Rows of Dotsenko and Marynych's Table 5: a lead, and the pips at which each of `DECISIONS` has it for a limit."""
    columns = [race.bands(windows, decision) for decision in DECISIONS]
    leads = sorted({band.lead for column in columns for band in column})
    return [
        [str(lead), *(", ".join(str(band) for band in column if band.lead == lead) for column in columns)]
        for lead in leads
    ]


# ---- the windows of groups of positions, and how good rules are in them

Rule = Literal["pips", "epc", "lead"]

RULES: Final[tuple[Rule, ...]] = ("pips", "epc", "lead")
"""Single-checker advice by raw pips, the same by EPC, and the best lead in EPC."""

WORTH: Final = 5e-4
"""Points that a decision must cost to be called wrong: ten times the rounding of a database's equities."""

SHAPES: Final = ("smooth", "gapped", "stacked")
"""How positions are sorted; see `Study.by_shape`."""


@dataclass(frozen=True, slots=True)
class Accuracy(ToDict):
    """How good a rule is at a decision, over the contested pairs of a group.

    Attributes
    ----------
    wrong : float
        Share of the pairs in which it costs more than `WORTH`.
    mean_loss, worst_loss : float
        Points, per unit of the cube before the decision.
    """

    wrong: float
    mean_loss: float
    worst_loss: float


@dataclass(frozen=True, slots=True, repr=False)
class PositionWindow(ShortRepr):
    """Exact decisions of a group of players on roll.

    Attributes
    ----------
    label : int or str
        What the group has in common: see the method of `Study` that gave it.
    pairs : int
        Contested pairs.
    double, redouble, take : float
        Lead in expected pips, opponent's less own, that decides at the least cost: double from it on, take up to it.
        NaN where all pairs of the group have the same answer, so that any bound would do.
    accuracy : dict
        ``accuracy[decision][rule]`` for `DECISIONS` and `RULES`.
    """

    label: int | str
    pairs: int
    double: float
    redouble: float
    take: float
    accuracy: dict[Decision, dict[Rule, Accuracy]]

    def to_dict(self) -> dict[str, JSON]:
        """Every attribute under its name, as JSON would have it: None for NaN."""
        named = {decision: getattr(self, decision) for decision in DECISIONS}
        return {**as_json(self), **{name: None if np.isnan(value) else value for name, value in named.items()}}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Study(ShortRepr):
    """Every contested pair of a two-sided table, with the gain of each decision and the advice of the rules.

    Attributes
    ----------
    checkers : int
        Maximum checkers per side.
    pips, epc : ndarray, shape (n_positions,)
        Of each position, in order of its index; the empty board, number 0, takes no part.
    on_roll, opponent : int32 ndarray, shape (n_pairs,)
        Numbers of the positions of a pair.
    gains : dict of float32 ndarray, shape (n_pairs,)
        Points that a double, a redouble and a take gain; negative where they lose.
    advice : dict of dict of bool ndarray, shape (n_pairs,)
        ``advice[decision][rule]`` for the two single-checker rules.
    shapes : bool ndarray, shape (n_positions, 2)
        Which positions are gapped, and which are stacked; see `by_shape`.
    """

    checkers: int
    pips: npt.NDArray[np.int64]
    epc: Floats
    on_roll: npt.NDArray[np.int32]
    opponent: npt.NDArray[np.int32]
    gains: dict[Decision, npt.NDArray[np.float32]]
    advice: dict[Decision, dict[Rule, npt.NDArray[np.bool_]]]
    shapes: npt.NDArray[np.bool_]

    def by_epc(self, least_pairs: int = 200) -> list[PositionWindow]:
        """Group by whole expected pips of the player on roll: label e has e <= EPC < e + 1.

        Parameters
        ----------
        least_pairs : int
            Smaller groups are left out.

        Returns
        -------
        list of PositionWindow
            In rising order.
        """
        labels = np.floor(self.epc + 1e-9).astype(np.int64)[self.on_roll]
        order = np.argsort(labels, kind="stable")
        values, starts = np.unique(labels[order], return_index=True)
        groups = zip(values.tolist(), np.split(order, starts[1:]), strict=True)
        return [self._window(label, chosen) for label, chosen in groups if chosen.size >= least_pairs]

    def by_shape(self, most_pips: int | None = None) -> list[PositionWindow]:
        """Group by the shape of both positions.

        A position is gapped if two points or more below its highest checker are empty, and stacked if four checkers
        or more are on one point.  A pair is gapped or stacked, or both, if either position is, and smooth if neither
        is either.

        Parameters
        ----------
        most_pips : int, optional
            Leave out pairs whose player on roll has more.

        Returns
        -------
        list of PositionWindow
            Labels ``"all"`` and `SHAPES`.
        """
        inside = self.pips[self.on_roll] <= (np.inf if most_pips is None else most_pips)
        either = self.shapes[self.on_roll] | self.shapes[self.opponent]
        groups = {"all": inside, "smooth": inside & ~either.any(axis=1)}
        groups |= {"gapped": inside & either[:, 0], "stacked": inside & either[:, 1]}
        return [self._window(label, np.flatnonzero(chosen)) for label, chosen in groups.items() if chosen.any()]

    def _window(self, label: int | str, chosen: npt.NDArray[np.int64]) -> PositionWindow:
        lead = self.epc[self.opponent[chosen]] - self.epc[self.on_roll[chosen]]
        bounds: dict[Decision, float] = {}
        accuracy: dict[Decision, dict[Rule, Accuracy]] = {}
        for decision in DECISIONS:
            gain = self.gains[decision][chosen].astype(np.float64)
            # Taking is for small leads, doubling for great ones.
            sign = -1.0 if decision == "take" else 1.0
            bound = best_bound(sign * lead, gain)
            bounds[decision] = sign * bound if np.isfinite(bound) else float("nan")
            says = {rule: self.advice[decision][rule][chosen] for rule in self.advice[decision]}
            says["lead"] = sign * lead >= bound
            accuracy[decision] = {rule: _accuracy(says[rule], gain) for rule in RULES}
        return PositionWindow(label, int(chosen.size), bounds["double"], bounds["redouble"], bounds["take"], accuracy)


def _accuracy(says: npt.NDArray[np.bool_], gain: Floats) -> Accuracy:
    loss = np.where(says, np.maximum(-gain, 0), np.maximum(gain, 0))
    return Accuracy(float((loss > WORTH).mean()), float(loss.mean()), float(loss.max()))


def best_bound(lead: Floats, gain: Floats) -> float:
    """The bound half way between two leads that loses least, if acting is right from it on; infinite beyond all leads.

    Examples
    --------
    >>> best_bound(np.array([1.0, 2.0, 3.0, 4.0]), np.array([-1.0, -0.5, 0.5, 1.0]))
    2.5
    """
    leads, inverse = np.unique(lead, return_inverse=True)
    change = np.bincount(inverse, weights=gain, minlength=leads.size)
    # Not acting on the first n leads gains minus their sum: the bound goes where that is greatest.
    kept = np.concatenate(([0.0], np.cumsum(change)))
    n = int(kept.argmin())
    if n == 0:
        return -np.inf
    return np.inf if n == leads.size else float((leads[n - 1] + leads[n]) / 2)


# ---- the exact decisions of a database, gathered

CONTESTED: Final = (0.5, 0.9)
"""Least and greatest chance of the player on roll, without a cube, in pairs that count."""


def _shapes(positions: npt.NDArray[np.int8]) -> npt.NDArray[np.bool_]:
    """Whether positions are gapped and stacked, shape (n, 2)."""
    occupied = positions > 0
    higher = np.cumsum(occupied[:, ::-1], axis=1)[:, ::-1] > 0
    gapped = (~occupied & higher).sum(axis=1) >= 2
    return np.stack([gapped, positions.max(axis=1) >= 4], axis=1)


ROWS_AT_A_TIME: Final = 1 << 19
"""Pairs that are asked for at once: enough for numpy to be fast, few enough for memory."""


def study(db: Database, checkers: int | None = None) -> Study:
    """Ask a database for every contested pair of positions.

    Parameters
    ----------
    db : Database
        Open, with two-sided tables.
    checkers : int, optional
        Maximum checkers per side; those of the two-sided table, unless given.  Eight checkers (9 million pairs) take
        about 10 seconds and 150 MB.

    Returns
    -------
    Study

    Raises
    ------
    CoverageError
        If the table does not reach so far.

    Examples
    --------
    >>> import bgrace
    >>> with bgrace.open(bgrace.example_file()) as db:
    ...     windows = study(db, checkers=2).by_epc(least_pairs=1)
    >>> windows[0].label, windows[0].pairs > 0
    (9, True)
    """
    check_open(db)
    most = db.two_sided_checkers
    checkers = most if checkers is None else checkers
    if not 1 <= checkers <= most:
        raise CoverageError(f"checkers={checkers}: the two-sided table of this database has 1 to {most} a side")
    space = PositionSpace(db.space.points, checkers)
    positions = space.position(np.arange(len(space)))
    pips = positions.astype(np.int64) @ np.arange(1, space.points + 1)
    epc = np.asarray(db.epc(positions))
    k = np.concatenate(([0.0], equivalent_pips(epc[1:])))
    table = race.solve(int(max(k.max(), pips.max())) + 2)
    rows = max(1, ROWS_AT_A_TIME // len(space))
    parts = [
        _contested(db, positions, (pips, k), table, np.arange(start, min(start + rows, len(space))))
        for start in range(1, len(space), rows)
    ]
    on_roll, opponent, gains, advice = (np.concatenate([part[n] for part in parts], axis=-1) for n in range(4))
    gained = dict(zip(DECISIONS, gains, strict=True))
    advised = {name: dict(zip(RULES, flags, strict=False)) for name, flags in zip(DECISIONS, advice, strict=True)}
    return Study(checkers, pips, epc, on_roll, opponent, gained, advised, _shapes(positions))


def _contested(
    db: Database,
    positions: npt.NDArray[np.int8],
    lengths: tuple[npt.NDArray[np.int64], Floats],
    table: race.RaceTable,
    rows: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[Any], ...]:
    """Contested pairs of some players on roll and all opponents: on roll, opponent, gains and advice, pairs last."""
    chances = db.win_probability(positions[rows, np.newaxis], positions[np.newaxis, 1:])
    row, column = np.nonzero((chances >= CONTESTED[0]) & (chances <= CONTESTED[1]))
    on_roll, opponent = rows[row], column + 1
    centered = db.cube_action(positions[on_roll], positions[opponent], cube="centered")
    mine = db.cube_action(positions[on_roll], positions[opponent], cube="mine")
    taken = centered.double_take
    assert taken is not None, "a centered cube can be turned"
    gains = gains_of(centered.no_double, mine.no_double, taken)
    pips, k = lengths
    by_epc = gains_of(*equities_between(table, k[on_roll], k[opponent]))
    by_pips = (flags[pips[on_roll], pips[opponent]] for flags in (table.double, table.redouble, table.take))
    advice = np.array(
        [(flags, by_epc[name] >= -EXACT_TIE) for name, flags in zip(DECISIONS, by_pips, strict=True)], dtype=np.bool_
    )
    return on_roll.astype(np.int32), opponent.astype(np.int32), np.array([*gains.values()], dtype=np.float32), advice
