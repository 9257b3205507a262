"""How many rolls races on the board take, by pip count: the played races of Ross, Benjamin and Munson.

"Estimating Winning Probabilities in Backgammon Races" (below RBM), section 3, plays positions of every pip count from
60 to 160 by strategy H and I, and fits lines to the mean and the variance of the number of rolls, (17) and (18).  Their
initial boards exist as drawings only; `bgrace.rollout.initial_positions` has a set that keeps their rules.  Numbers
here are of that set, so what depends on the boards agrees with the print only so far.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, Final, Literal, overload

import numpy as np
import numpy.typing as npt

from bgrace import rollout, scm
from bgrace._base.arrays import Floats, Integers, ShortRepr, as_integer, scalar
from bgrace._base.limits import Progress
from bgrace.board import Position
from bgrace.board.dice import MEAN_PIPS
from bgrace.errors import ArgumentError
from bgrace.rollout import initial_positions
from bgrace.scm import RACE_MEAN_OFFSET, RACE_MEAN_SLOPE, RACE_VARIANCE_OFFSET, RACE_VARIANCE_SLOPE
from bgrace.tables import one_sided_win

__all__ = [
    "GAMES",
    "LEADS",
    "PAIRS",
    "PIPS",
    "PRINTED",
    "SEED",
    "SHAPES",
    "BoardRaces",
    "Chances",
    "Fit",
    "Played",
    "markdown",
    "play",
    "table_1",
]

# ---- results of the games, and the tables of the paper made of them

_LAST: Final = initial_positions.PIPS[-1]

PIPS: Final = tuple(range(60, 131, 10))
"""Pip counts of the players on roll whose chances are compared."""

LEADS: Final = tuple(range(-10, 31))
"""Opponent's pips less those of the player on roll, where chances are compared."""

SHAPES: Final = ("base", "extra crossover", "two extra crossovers", "gap")
"""The sets that are played alone: smooth positions, with one or two crossovers more, or with a gap on the 5 point."""

PAIRS: Final = (("base", "base"), ("gap", "gap"), ("gap", "base"), ("base", "gap"))
"""Shapes that are played against each other, the player on roll first."""

FORMULAS: Final[dict[str, Callable[[Integers, Integers], npt.ArrayLike]]] = {
    "single checkers, exact": scm.win_probability,
    "D^2/S (7)": scm.kleinman,
    "D^2/S, sigma 4": lambda x, y: scm.kleinman(x, y, sigma=4),
    "Kleinman's count": scm.gnubg_kleinman,
    "improved (13)": scm.improved,
    "adjusted, unrounded (20)": scm.adjusted_unrounded,
    "adjusted (26)": scm.adjusted,
}
"""Chances of winning by pips."""

GAMES: Final = 80_000
"""Games of each position and pair: enough for standard errors of 0.001, for which RBM played 250,000."""

SEED: Final = 1995
"""Unless another is given: the year of RBM's rollouts."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A line fitted by least squares to values by pip count.

    Attributes
    ----------
    intercept, slope : float
    correlation : float
        Between the values and the pips.
    """

    intercept: float
    slope: float
    correlation: float

    @overload
    def at(self, pips: float) -> float: ...
    @overload
    def at(self, pips: npt.ArrayLike) -> Floats: ...
    def at(self, pips: npt.ArrayLike) -> Any:
        """Height of the line at pip counts."""
        return scalar(self.intercept + self.slope * np.asarray(pips, dtype=np.float64))


PRINTED: Final = {
    "mean": Fit(RACE_MEAN_OFFSET, RACE_MEAN_SLOPE, 0.999959),
    "variance": Fit(RACE_VARIANCE_OFFSET, RACE_VARIANCE_SLOPE, 0.998989),
}
"""RBM (17) and (18)."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Played(ShortRepr):
    """One position for each pip count, played alone many times.

    Attributes
    ----------
    pips : int64 ndarray, shape (n,)
        In rising order, without gaps.
    games : int
        Of each position.
    mean, mean_error : float64 ndarray, shape (n,)
        Mean number of rolls, the luck of the dice taken out as far as single checkers on the same dice tell it, and its
        standard error.
    variance, variance_error : float64 ndarray, shape (n,)
        Variance of the number of rolls, and its standard error.
    distribution : float64 ndarray, shape (n, width)
        Share of the games that took 0, 1, 2, ... rolls.
    """

    pips: npt.NDArray[np.int64]
    games: int
    mean: Floats
    mean_error: Floats
    variance: Floats
    variance_error: Floats
    distribution: Floats

    def fit(self, quantity: Literal["mean", "variance"], first: int, last: int = _LAST) -> Fit:
        """Fit a line.

        Parameters
        ----------
        quantity : {"mean", "variance"}
        first, last : int
            Least and greatest pip count.

        Returns
        -------
        Fit

        Raises
        ------
        ArgumentError
            If fewer than two pip counts are within.
        """
        chosen = (self.pips >= first) & (self.pips <= last)
        if chosen.sum() < 2:
            raise ArgumentError(
                f"first={first}, last={last}: give two pip counts from {self.pips[0]} to {self.pips[-1]}"
            )
        x, y = self.pips[chosen], getattr(self, quantity)[chosen]
        slope, intercept = np.polyfit(x, y, 1)
        return Fit(float(intercept), float(slope), float(np.corrcoef(x, y)[0, 1]))

    def rows(self, pips: npt.ArrayLike) -> Floats:
        """Distributions at pip counts; NaN at those that were not played."""
        place = np.asarray(pips) - self.pips[0]
        played = (place >= 0) & (place < len(self.pips))
        return np.where(played[..., np.newaxis], self.distribution[np.where(played, place, 0)], np.nan)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Chances(ShortRepr):
    """Games of two players, for each of `PIPS` and `LEADS`.

    Attributes
    ----------
    win, error : float64 ndarray, shape (len(PIPS), len(LEADS))
        Chance that the player on roll wins by the games, the luck of the dice taken out as far as single checkers on
        the same dice tell it, and its standard error; NaN where a side has no such position.
    apart : float64 ndarray, shape (len(PIPS), len(LEADS))
        The chance by the rolls that either side takes alone, as if nobody were ever in the other's way.
    """

    win: Floats
    error: Floats
    apart: Floats


Table = list[list[str]]
"""Rows of cells, the head first."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BoardRaces(ShortRepr):
    """The played races.

    Attributes
    ----------
    games, seed : int
        Games of each position and of each pair, and what their dice come from.
    alone : dict of Played
        One player, by the shape of the positions: an entry of `SHAPES`.
    chances : dict of Chances
        Two players, by the shapes of the player on roll and of the opponent: an entry of `PAIRS`.
    """

    games: int
    seed: int
    alone: dict[str, Played]
    chances: dict[tuple[str, str], Chances]

    @property
    def base(self) -> Chances:
        """Games of two players with positions as they are."""
        return self.chances["base", "base"]

    def fits(self) -> Table:
        """Lines through mean and variance, beside the printed ones."""
        rows = [["positions", "mean", "slope", "r", "variance", "slope", "r"]]
        base = self.alone["base"]
        lines = {"printed, (17) and (18)": (PRINTED["mean"], PRINTED["variance"])}
        for first, last in ((60, 160), (65, 160), (70, 160), (60, 130)):
            lines[f"{first} to {last} pips"] = base.fit("mean", first, last), base.fit("variance", first, last)
        for title, fits in lines.items():
            cells = ((f"{fit.intercept:.5f}", f"{fit.slope:.6f}", f"{fit.correlation:.6f}") for fit in fits)
            rows.append([title, *chain.from_iterable(cells)])
        return rows

    def means(self) -> Table:
        """Mean and variance at every tenth pip count, of all shapes."""
        rows = [["X", "mean", "more than X / (49/6)", "(17)", "variance", "(18)", *(f"mean, {s}" for s in SHAPES[1:])]]
        base = self.alone["base"]
        for pips in range(60, _LAST + 1, 10):
            k = pips - int(base.pips[0])
            cells = [
                f"{base.mean[k]:.3f}",
                f"{base.mean[k] - pips / MEAN_PIPS:.3f}",
                f"{PRINTED['mean'].at(pips):.3f}",
                f"{base.variance[k]:.3f}",
                f"{PRINTED['variance'].at(pips):.3f}",
            ]
            others = (self.alone[shape] for shape in SHAPES[1:])
            rows.append([str(pips), *cells, *(f"{each.mean[pips - int(each.pips[0])]:.3f}" for each in others)])
        return rows

    def formulas(self) -> Table:
        """How far formulas are from the played chances: all pairs, and those of 70 pips and more on both sides."""
        x = np.array(PIPS)[:, np.newaxis]
        y = x + np.array(LEADS)
        long = np.broadcast_to((x >= 70) & (y >= 70), y.shape)
        heads = ["worst", "mean", "rms"]
        rows = [["formula less played", *heads, *(f"{head}, 70 pips on" for head in heads), "within 0.01"]]
        for title, formula in FORMULAS.items():
            off = np.asarray(formula(np.broadcast_to(x, y.shape), y)) - self.base.win
            cells = []
            for part in (off.ravel(), off[long]):
                worst = part[np.argmax(np.abs(part))]
                cells += [f"{worst:+.4f}", f"{part.mean():+.4f}", f"{np.sqrt((part**2).mean()):.4f}"]
            rows.append([title, *cells, f"{100 * (np.abs(off[long]) <= 0.01).mean():.0f} %"])
        return rows

    def simple_rules(self) -> Table:
        """Least pips of the opponent at which the player on roll wins 80 and 90 %, and the two rules."""
        rows = [["X", *(f"{name}, {level}" for level in ("80 %", "90 %") for name in ("rule", "played", "single"))]]
        for k, x in enumerate(PIPS):
            y = x + np.array(LEADS)
            cells = []
            for level, extra in ((0.8, 4), (0.9, 12)):
                cells.append(f"{1.1 * x + extra:.0f}")
                for chance in (self.base.win[k], scm.win_probability(x, y)):
                    above = np.flatnonzero(np.asarray(chance) >= level)
                    cells.append(str(y[above[0]]) if above.size else f"above {y[-1]}")
            rows.append([str(x), *cells])
        return rows

    def gaps(self) -> Table:
        """The effect of gaps on the 5 point on the chance of the player on roll, averaged over the opponent's pips."""
        named = {("gap", "gap"): "both", ("gap", "base"): "player on roll", ("base", "gap"): "opponent"}
        rows = [["X", *named.values()]]
        for k, x in enumerate(PIPS):
            differences = (np.nanmean(self.chances[pair].win[k] - self.base.win[k]) for pair in named)
            rows.append([str(x), *(f"{difference:+.4f}" for difference in differences)])
        return rows

    def interference(self) -> Table:
        """The effect of players in each other's way: games of two minus the chance by the rolls of either alone."""
        rows = [["shapes", "mean difference", "standard deviation", "greatest"]]
        for (own, other), chances in self.chances.items():
            off = (chances.win - chances.apart)[~np.isnan(chances.win)]
            greatest = off[np.argmax(np.abs(off))]
            rows.append([f"{own} against {other}", f"{off.mean():+.5f}", f"{off.std():.5f}", f"{greatest:+.4f}"])
        return rows

    def positions(self) -> Table:
        """Mean and variance of every position that was played alone, with their standard errors."""
        rows = [["shape", "pips", "mean", "mean_error", "variance", "variance_error"]]
        for shape, each in self.alone.items():
            columns = (each.pips, each.mean, each.mean_error, each.variance, each.variance_error)
            rows += [
                [shape, str(n), *(f"{value:.6f}" for value in values)] for n, *values in zip(*columns, strict=True)
            ]
        return rows

    def to_markdown(self) -> str:
        """Return everything but the distributions as a Markdown page."""
        tables = {
            "Lines through the number of rolls": self.fits(),
            "Number of rolls": self.means(),
            "Formulas": self.formulas(),
            "80 and 90 %": self.simple_rules(),
            "Gaps": self.gaps(),
            "Interference": self.interference(),
        }
        head = f"# Played races\n\n{self.games:,} games of each position and of each pair, seed {self.seed}."
        return "\n\n".join([head, *(f"## {title}\n\n{markdown(table)}" for title, table in tables.items())]) + "\n"


def table_1() -> Table:
    """RBM's Table 1: the ratio (26) at which the favourite of a played race has a chance of 50 to 99 %.

    Examples
    --------
    >>> table_1()[:3]
    [['chance', 'ratio'], ['0.50', '0.00000'], ['0.51', '0.00137882']]
    """
    chances = np.arange(50, 100) / 100
    # As printed: six significant digits, trailing zeros kept.
    ratios = (f"{value:#.6g}" if value else "0.00000" for value in scm.adjusted_table(chances))
    return [["chance", "ratio"], *([f"{chance:.2f}", ratio] for chance, ratio in zip(chances, ratios, strict=True))]


def markdown(table: Table) -> str:
    """Write a table in Markdown."""
    head, *rows = table
    lines = [head, [":---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


# ---- playing the games


def play(
    games: int = GAMES, seed: int = SEED, threads: int | None = None, progress: Progress | None = None
) -> BoardRaces:
    """Play the races.

    Parameters
    ----------
    games : int
        Of each position and of each pair, 2 or more; in all about 1700 times as many.
    seed : int
        0 or more; it and the next ones are used, each for one position or pair.
    threads : int, optional
        As many as there are processors, unless given.  The result does not depend on it.
    progress : callable, optional
        Called with the positions and pairs that are done, and with their number.

    Returns
    -------
    BoardRaces

    Raises
    ------
    ArgumentError
        If `games` or `seed` cannot be used.

    Notes
    -----
    RBM, sections 3.2 and 3.3: positions of each pip count alone; and in pairs the player on roll with 60, 70, ..., 130
    pips against 10 fewer to 30 more.

    Examples
    --------
    >>> from bgrace_apps.studies.played_races import PRINTED
    >>> races = play(games=100)
    >>> bool(abs(races.alone["base"].fit("mean", 70).slope - PRINTED["mean"].slope) < 0.003)
    True
    """
    as_integer(games, f"games={games!r} cannot be used: give a whole number of at least 2", 2)
    boards = {shape: {pips: make(pips) for pips in _PIPS[shape]} for shape, make in _MAKERS.items()}
    total = sum(map(len, boards.values())) + len(PAIRS) * len(PIPS) * len(LEADS)
    seeds = count(seed)  # dice of its own for each, so that errors are independent

    def next_seed() -> int:
        own_seed = next(seeds)
        if progress is not None and own_seed > seed:
            progress(own_seed - seed, total)
        return own_seed

    alone = {}
    for shape, positions in boards.items():
        rolled = [rollout.one_player(each, games, next_seed(), threads=threads) for each in positions.values()]
        columns = ("adjusted_mean", "adjusted_standard_error", "variance", "variance_standard_error")
        moments = np.array([[getattr(each, name) for name in columns] for each in rolled]).T
        width = max(len(each.distribution) for each in rolled)
        distribution = np.array([np.pad(each.distribution, (0, width - len(each.distribution))) for each in rolled])
        mean, mean_error, variance, variance_error = moments
        alone[shape] = Played(
            np.array(list(positions)), games, mean, mean_error, variance, variance_error, distribution
        )
    chances = {}
    x, y = np.array(PIPS)[:, np.newaxis], np.array(PIPS)[:, np.newaxis] + np.array(LEADS)
    for own, other in PAIRS:
        win, error = np.full((2, *y.shape), np.nan)
        for cell in np.ndindex(y.shape):
            own_seed, pair = next_seed(), (boards[own].get(PIPS[cell[0]]), boards[other].get(int(y[cell])))
            if pair[0] is not None and pair[1] is not None:
                played = rollout.two_player(pair[0], pair[1], games, own_seed, threads=threads)
                win[cell], error[cell] = played.adjusted_win_probability, played.adjusted_standard_error
        rolls = alone[own].rows(x), alone[other].rows(y)
        chances[own, other] = Chances(win, error, one_sided_win(*rolls))
    if progress is not None:
        progress(total, total)
    return BoardRaces(games, seed, alone, chances)


_MAKERS: Final[dict[str, Callable[[int], Position]]] = {
    "base": initial_positions.base,
    "extra crossover": initial_positions.extra_crossovers,
    "two extra crossovers": lambda pips: initial_positions.extra_crossovers(pips, 2),
    "gap": initial_positions.gap,
}

_PIPS: Final = {
    shape: initial_positions.PIPS if shape == "base" else initial_positions.VARIANT_PIPS for shape in SHAPES
}
