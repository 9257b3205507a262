"""The page that compares cube models with the exact bearoff, all pairs of at most ten checkers a side."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

import bgrace
from bgrace.cube import janowski, jump
from bgrace.cube.action import decide
from bgrace.cube.model import CubeModel, ModelEquities
from bgrace_apps.plot import jump as plots
from bgrace_apps.plot.canvas import COLOURS, DASHES, figure, picture
from bgrace_apps.studies import jump_publications
from pages import built, markdown

PAGES = ("cube-models",)
CHECKERS = 10
SEED = 2012
A_CLASS = 2500
CLASSES = ((1, 15), (16, 25), (26, 35), (36, 60))
GAMES = 6000
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """Pairs of positions: pips and chance to win of the player on roll, exact equities, and local volatility."""

    pips: npt.NDArray[np.int64]
    p: Floats
    truth: ModelEquities[Floats]
    local: Floats


def draw(db: bgrace.Database) -> Sample:
    """Draw 2,500 pairs in each class of pips of the player on roll, among all with chances of 5 to 95 %."""
    random = np.random.default_rng(SEED)
    chosen = []
    for low, high in CLASSES:
        found: list[npt.NDArray[np.int64]] = []
        while sum(map(len, found)) < A_CLASS:
            pairs = random.integers(1, len(db.space), (20_000, 2))
            pips = db.space.position(pairs[:, 0]).astype(np.int64) @ np.arange(1, 7)
            pairs = pairs[(pips >= low) & (pips <= high)]
            p = db.win_probability(db.space.position(pairs[:, 0]), db.space.position(pairs[:, 1]))
            found.append(pairs[(p >= 0.05) & (p <= 0.95)])
        chosen.append(np.concatenate(found)[:A_CLASS])
    one, two = (db.space.position(side) for side in np.concatenate(chosen).T)
    cubes = ("none", "centered", "mine", "theirs")  # as the fields of ModelEquities
    truth = ModelEquities(*(np.asarray(db.cube_action(one, two, cube).no_double) for cube in cubes))
    local = jump.local_volatility(db, one, two)
    pips, win = one.astype(np.int64) @ np.arange(1, 7), np.asarray(db.win_probability(one, two))
    return Sample(pips, win, truth, np.asarray(local.mean_absolute_jump))


class ByLocalVolatility(CubeModel[Floats]):
    """The exact solution for a volatility that is the local one everywhere."""

    def __init__(self, local: Floats, jumps: str) -> None:
        self.local = local
        self.levels = np.linspace(0, 0.5, 101)
        self.solved = [jump.exact(1, 1, float(level), jumps) for level in self.levels]

    def _equities(self, p: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Interpolate between solutions half a percent apart."""
        place = np.clip(self.local / self.levels[1], 0, len(self.levels) - 1.001)
        below = place.astype(int)
        share = place - below
        values = {name: np.empty(p.shape) for name in ("cubeless", "centered", "mine", "theirs")}
        for k in np.unique(below):
            here = below == k
            low, high = self.solved[k].equities(p[here]), self.solved[k + 1].equities(p[here])
            for name, out in values.items():
                out[here] = (1 - share[here]) * getattr(low, name) + share[here] * getattr(high, name)
        return values["cubeless"], values["centered"], values["mine"], values["theirs"]


def rms(values: Floats) -> float:
    return float(np.sqrt(np.mean(values**2)))


def errors(model: CubeModel[Any], sample: Sample) -> Floats:
    """Return model less truth, for the equity of rolling with the cube centered, mine and theirs: shape (3, n)."""
    held = model.equities(sample.p)
    return np.array([getattr(held, name) - getattr(sample.truth, name) for name in ("centered", "mine", "theirs")])


def best(make: Callable[[float], CubeModel[Any]], sample: Sample, low: float, high: float) -> float:
    """Find the parameter with the least root mean square error over the three cubes, to three digits."""
    grid = np.round(np.arange(low, high + 1e-9, 0.005), 3)
    coarse = min(grid, key=lambda value: rms(errors(make(float(value)), sample)))
    fine = np.round(np.arange(max(low, coarse - 0.004), min(high, coarse + 0.004) + 1e-9, 0.001), 3)
    return float(min(fine, key=lambda value: rms(errors(make(float(value)), sample))))


def models(sample: Sample, remote: float, fitted: dict[str, float]) -> dict[str, CubeModel[Any]]:
    """Make the models to compare, in the order of the table."""
    x, alpha, local = fitted["x"], fitted["alpha"], sample.local
    percent = f"{100 * remote:.1f} %"
    return {
        "Janowski, x = 0.68": janowski.model(1, 1, 0.68),
        "Janowski, x by pips, 0.6 to 0.7": janowski.model(1, 1, janowski.race_life_index(sample.pips)),
        f"Janowski, best x = {x:.3f}": janowski.model(1, 1, x),
        f"first version, average {percent}, local": jump_publications.first_version(1, 1, remote, local),
        "linear, 11.3 %": jump.linear(1, 1, 0.113),
        f"linear, remote {percent}, local": jump.linear(1, 1, remote, local),
        f"nonlinear, remote {percent}, local": jump.nonlinear(1, 1, remote, local),
        f"exact, {percent}, Gaussian": jump.exact(1, 1, remote, "gaussian"),
        f"exact, best {100 * alpha:.1f} %": jump.exact(1, 1, alpha),
        "exact, local volatility everywhere": ByLocalVolatility(local, "double-exponential"),
        "exact, local everywhere, Gaussian": ByLocalVolatility(local, "gaussian"),
    }


def judge(model: CubeModel[Any], sample: Sample, cube: str) -> tuple[Floats, Floats]:
    """Return the losses of the doubling decision of the player on roll, and of the opponent's answer to a double."""
    rolled: Floats = getattr(sample.truth, cube)
    truth, chosen = decide(rolled, 2 * sample.truth.theirs, cube=cube), model.cube_action(sample.p, cube)
    assert truth.double_take is not None
    assert chosen.double is not None
    assert chosen.take is not None
    answered = np.minimum(truth.double_take, 1.0)
    lost = np.where(chosen.double, truth.no_double - answered, answered - truth.no_double)
    paid = np.where(chosen.take, truth.double_take - 1.0, 1.0 - truth.double_take)
    return np.maximum(lost, 0), np.maximum(paid, 0)


def comparison(compared: dict[str, CubeModel[Any]], sample: Sample) -> str:
    head = ["model", "centered", "mine", "theirs", "wrong double", "cost", "cost of redoubles", "of takes"]
    rows = []
    for name, model in compared.items():
        off = 1000 * errors(model, sample)
        (double, take), (redouble, _) = judge(model, sample, "centered"), judge(model, sample, "mine")
        # Losses below this come from ties and from the rounding of the table.
        wrong = f"{100 * (double > 1e-4).mean():.1f} %"
        costs = [f"{1000 * lost.mean():.2f}" for lost in (double, redouble, take)]
        rows.append([name, *(f"{rms(off[k]):.0f}" for k in range(3)), wrong, *costs])
    return markdown(head, rows)


def volatilities(games: Sequence[jump.estimates.Game]) -> tuple[list[str], list[list[str]]]:
    head = ["jumps", "number", "mean absolute jump", "standard deviation", "ratio"]
    rows = []
    for name, jumps in (
        ("remote: conditional on both windows", jump.conditional_jumps(games)),
        ("both windows", jump.window_jumps(games)),
        ("all turns", np.concatenate([later - own for game in games for own, later in game.sides()])),
    ):
        found = jump.jump_statistics(jumps)
        size, deviation = found.mean_absolute_jump, found.standard_deviation
        rows.append([name, f"{found.n}", f"{100 * size:.1f} %", f"{100 * deviation:.1f} %", f"{size / deviation:.3f}"])
    return head, rows


@picture
def life_index(sample: Sample) -> Any:
    """Draw the cube-life index of exact positions over their volatility, with the models' curves."""
    drawn, (panel,) = figure(size=(8, 5.2))
    dead, live = janowski.dead(sample.p, 1, 1), janowski.live(sample.p, 1, 1)
    # The index is well defined only where the live and the dead cube are well apart.
    apart = live.mine - dead.mine > 0.10
    index = ((sample.truth.mine - dead.mine) / (live.mine - dead.mine))[apart]
    local = sample.local[apart]
    dots = panel.scatter(100 * local, index, c=sample.pips[apart], s=4, cmap="viridis", linewidths=0, rasterized=True)
    drawn.colorbar(dots, ax=panel, label="pips of the player on roll")
    edges = np.linspace(0, 0.30, 16)
    middle = [
        np.median(index[(local >= a) & (local < b)]) if ((local >= a) & (local < b)).sum() > 20 else np.nan
        for a, b in pairwise(edges)
    ]
    panel.plot(100 * (edges[1:] + edges[:-1]) / 2, middle, color="black", label="exact bearoffs, median")
    alpha = np.linspace(0, 0.3, 31)
    panel.plot(
        100 * alpha, jump.implied_life_indexes(1, 1, alpha)[0], color=COLOURS[1], linestyle=DASHES[1], label="linear"
    )
    for jumps, colour, dash in (("double-exponential", COLOURS[0], DASHES[2]), ("gaussian", COLOURS[3], DASHES[3])):
        slopes = [2 * (0.5 / jump.exact(1, 1, float(a), jumps).take_point - 2) for a in alpha]
        panel.plot(100 * alpha, slopes, color=colour, linestyle=dash, label=f"exact, {jumps}")
    panel.axhline(0.68, color="0.4", linewidth=0.9)
    panel.text(30, 0.69, "x = 0.68", ha="right", fontsize="small")
    panel.set(xlim=(0, 30), ylim=(-0.2, 1.2))
    panel.set(xlabel="local jump volatility of the position, %", ylabel="cube-life index of the player's own cube")
    panel.legend(loc="lower left")
    return drawn


@picture
def equity_errors(compared: dict[str, CubeModel[Any]], sample: Sample) -> Any:
    """Draw the mean errors of the equities over the chance of winning."""
    names = [
        name for name in compared if re.match(r"Janowski, x = |linear, remote|nonlinear, remote|exact, local vol", name)
    ]
    drawn, panels = figure(1, 3, size=(12, 4.2))
    edges = np.linspace(0.05, 0.95, 19)
    for k, (title, panel) in enumerate(zip(plots.STATES.values(), panels, strict=True)):
        for name, colour, dash in zip(names, COLOURS, DASHES, strict=False):
            off = errors(compared[name], sample)[k]
            mean = [off[(sample.p >= a) & (sample.p < b)].mean() for a, b in pairwise(edges)]
            panel.plot((edges[1:] + edges[:-1]) / 2, mean, color=colour, linestyle=dash, label=name)
        panel.axhline(0, color="0.4", linewidth=0.9)
        panel.set_title(title, fontsize="medium")
        panel.set(xlabel="chance of winning", ylabel="mean error of the equity")
    drawn.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize="small")
    return drawn


@cache
def found() -> tuple[Sample, list[jump.estimates.Game], dict[str, CubeModel[Any]]]:
    """Return the sample, played games, and the models, some with fitted parameters."""
    with built(points=6, checkers=CHECKERS, two_sided=CHECKERS) as db:
        sample = draw(db)
        random = np.random.default_rng(SEED)
        full = np.flatnonzero(db.space.position(np.arange(len(db.space))).sum(axis=1) == CHECKERS)
        starts = [(db.space.position(int(k)),) * 2 for k in random.choice(full, 50, replace=False)]
        games = jump.play_races(db, starts, GAMES, seed=SEED)
    remote = round(jump.jump_statistics(jump.conditional_jumps(games)).mean_absolute_jump, 3)
    fitted = {
        "x": best(lambda x: janowski.model(1, 1, x), sample, 0.0, 1.0),
        "alpha": best(lambda alpha: jump.exact(1, 1, alpha), sample, 0.02, 0.3),
    }
    return sample, games, models(sample, remote, fitted)


def tables() -> dict[str, str]:
    sample, games, compared = found()
    return {"comparison": comparison(compared, sample), "volatilities": markdown(*volatilities(games))}


def pictures() -> dict[str, Figure]:
    sample, _, compared = found()
    return {
        "cube-models-life-index.png": life_index(sample),
        "cube-models-errors.svg": equity_errors(compared, sample),
        "cube-models-equities.svg": plots.equity_curves(),
        "cube-models-approximations.svg": plots.approximations(),
    }
