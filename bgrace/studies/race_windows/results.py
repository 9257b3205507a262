"""The windows of groups of positions, and how good rules are in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypedDict

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, Summarised
from bgrace.studies.race_windows.advice import DECISIONS, Decision

__all__ = ["RULES", "WORTH", "Accuracy", "PositionWindow", "Rule", "Study"]

Rule = Literal["pips", "epc", "lead"]

RULES: Final[tuple[Rule, ...]] = ("pips", "epc", "lead")
"""Single-checker advice by raw pips, the same by EPC, and the best lead in EPC."""

WORTH: Final = 5e-4
"""Points that a decision must cost to be called wrong: ten times the rounding of a database's equities."""

SHAPES: Final = ("smooth", "gapped", "stacked")
"""How positions are sorted; see `Study.by_shape`."""


@dataclass(frozen=True, slots=True)
class Accuracy:
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

    def to_dict(self) -> dict[str, float]:
        """Every attribute under its name."""
        return {"wrong": self.wrong, "mean_loss": self.mean_loss, "worst_loss": self.worst_loss}


class WindowRow(TypedDict):
    """A `PositionWindow` as JSON would have it."""

    label: int | str
    pairs: int
    double: float | None
    redouble: float | None
    take: float | None
    accuracy: dict[Decision, dict[Rule, dict[str, float]]]


@dataclass(frozen=True, slots=True, repr=False)
class PositionWindow(Summarised):
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

    def to_dict(self) -> WindowRow:
        """Every attribute under its name, as JSON would have it: None for NaN."""
        return {
            "label": self.label,
            "pairs": self.pairs,
            "double": None if np.isnan(self.double) else self.double,
            "redouble": None if np.isnan(self.redouble) else self.redouble,
            "take": None if np.isnan(self.take) else self.take,
            "accuracy": {
                decision: {rule: accuracy.to_dict() for rule, accuracy in rules.items()}
                for decision, rules in self.accuracy.items()
            },
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Study(Summarised):
    """Every contested pair of a two-sided table, with what each decision gains and what the rules say.

    Attributes
    ----------
    checkers : int
        Most checkers a side.
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
        return list(self._groups(labels, least_pairs))

    def by_pips(self, least_pairs: int = 200) -> list[PositionWindow]:
        """Group by pips of the player on roll; otherwise as `by_epc`."""
        return list(self._groups(self.pips[self.on_roll], least_pairs))

    def by_wastage(self, least_pairs: int = 200) -> list[PositionWindow]:
        """Group by the greater wastage of the two positions, EPC less pips: label w has w <= wastage < w + 1.

        A single checker wastes 4.7 pips in a long race.  Otherwise as `by_epc`.
        """
        wastage = np.floor(self.epc - self.pips + 1e-9).astype(np.int64)
        return list(self._groups(np.maximum(wastage[self.on_roll], wastage[self.opponent]), least_pairs))

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
        inside = np.ones(self.on_roll.shape, dtype=np.bool_)
        if most_pips is not None:
            inside = self.pips[self.on_roll] <= most_pips
        either = self.shapes[self.on_roll] | self.shapes[self.opponent]
        groups = {"all": inside, "smooth": inside & ~either.any(axis=1)}
        groups |= {"gapped": inside & either[:, 0], "stacked": inside & either[:, 1]}
        return [self._window(label, np.flatnonzero(chosen)) for label, chosen in groups.items() if chosen.any()]

    def _groups(self, labels: npt.NDArray[np.int64], least_pairs: int) -> Iterator[PositionWindow]:
        order = np.argsort(labels, kind="stable")
        values, starts = np.unique(labels[order], return_index=True)
        for label, chosen in zip(values.tolist(), np.split(order, starts[1:]), strict=True):
            if chosen.size >= least_pairs:
                yield self._window(label, chosen)

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
    """Find the bound that loses least, if acting is right from it on.

    Parameters
    ----------
    lead, gain : float64 ndarray, shape (n,)
        What is compared with the bound, and what acting gains.

    Returns
    -------
    float
        Half way between the neighbouring leads; infinite where always or never acting is best.

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
