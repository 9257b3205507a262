"""Measure how far 16-bit tables are from a solution in double precision; fill in docs/accuracy.md and draw its picture.

    python scripts/measure_accuracy.py               tables of up to 8 checkers a side: half a minute, 1.5 GB of memory
    python scripts/measure_accuracy.py --most 10     of up to 10: 10 GB of memory
    python scripts/measure_accuracy.py --file X      only what a file for 15 checkers a side answers, 2 GB of memory
    python scripts/measure_accuracy.py --points 8    only one side's rows on so many points, for docs/race-tables.md

Every pair of every table is compared, nothing is sampled.  A table of the page stands between <!-- table: name --> and
<!-- end -->.  The picture needs matplotlib.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from options import read_options
from pages import DOCS, PICTURES, ROOT, built, fill, markdown

import bgrace
import bgrace._kernels.two_sided as kernel
from bgrace._base.limits import how_many
from bgrace._base.memory import allowed_text, memory_limit, memory_text
from bgrace._kernels.exact import solve as solve_exactly
from bgrace.plot.canvas import COLOURS, DASHES, figure, picture, save
from bgrace.tables.gammons import GAMMON_CHECKERS
from bgrace.tables.one_sided import one_sided_win, solve_one_sided
from bgrace.tables.two_sided import PLANES, Plane

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE = DOCS / "accuracy.md"
PICTURE = PICTURES / "accuracy.svg"

DECISIONS = ("double", "redouble", "take")
TIE = 1e-9
UNIT = 1e-5
"""Of the errors that are printed."""

BINS = np.linspace(-12, 12, 97)
"""Of errors, in units."""

BYTES_A_PAIR = 160
"""Two tables and two V of four float64, and two tables of four int16."""

AT_A_TIME = 1 << 20

Values = npt.NDArray[np.float64]


class Spread:
    """Errors, gathered piece by piece: by column the greatest, means, and the root mean square."""

    def __init__(self, columns: int) -> None:
        self.n = 0
        self.greatest, self._absolute, self._signed, self._squares = np.zeros((4, columns))

    def add(self, errors: Values) -> None:
        """Take more of them, shape (n, columns)."""
        self.n += len(errors)
        self.greatest = np.maximum(self.greatest, np.abs(errors).max(axis=0, initial=0))
        self._absolute += np.abs(errors).sum(axis=0)
        self._signed += errors.sum(axis=0)
        self._squares += (errors**2).sum(axis=0)

    @property
    def mean(self) -> Values:
        """Mean absolute error."""
        return self._absolute / self.n

    @property
    def bias(self) -> Values:
        """Mean signed error."""
        return self._signed / self.n

    @property
    def rms(self) -> Values:
        """Root mean square."""
        return np.asarray(np.sqrt(self._squares / self.n))


class Errors(Spread):
    """Of one table, by plane, and by entry of DECISIONS."""

    def __init__(self, label: str, scale: int) -> None:
        super().__init__(4)
        self.label, self.scale = label, scale
        self.histogram = np.zeros((4, len(BINS) - 1))
        self.wrong, self.worst_loss = np.zeros((2, 3))

    def compare(self, stored: Values, exact: Values) -> None:
        """Pairs, shape (n, 4), as the table has them and as they are."""
        errors = (stored - exact) / UNIT
        self.add(errors)
        for plane in range(4):
            self.histogram[plane] += np.histogram(errors[:, plane], BINS)[0]
        margins = _margins(exact)
        for k, (chosen, right) in enumerate(zip(_decisions(stored), _decisions(exact), strict=True)):
            differs = chosen != right
            self.wrong[k] += differs.sum()
            self.worst_loss[k] = max(self.worst_loss[k], np.abs(margins[k][differs]).max(initial=0))


State: TypeAlias = tuple[float, float, int, int, float, float, float]


def _margins(values: Values) -> list[Values]:
    """By how much each decision is right."""
    doubled = np.minimum(2 * values[:, Plane.THEIRS], 1)
    return [
        doubled - values[:, Plane.CENTERED],
        doubled - values[:, Plane.MINE],
        1 - 2 * values[:, Plane.THEIRS],
    ]


def _decisions(values: Values) -> list[npt.NDArray[np.bool_]]:
    return [margin >= -TIE for margin in _margins(values)]


def states(gammons: bool) -> list[State]:
    """The cube for money, planes in the order of the table."""
    gammon = 2.0 if gammons else 1.0
    never = -1
    return [
        (1.0, gammon, 0, never, 0.0, 0.0, 0.0),
        (1.0, gammon, 3, 3, 2.0, 0.0, 1.0),
        (1.0, gammon, 2, 3, 2.0, 0.0, 1.0),
        (1.0, gammon, 1, never, 0.0, 0.0, 0.0),
    ]


def pieces(rows: int, columns: int) -> Iterator[slice]:
    """Rows of a table, finished games left out, some million pairs at a time."""
    step = max(1, AT_A_TIME // columns)
    for start in range(1, rows, step):
        yield slice(start, min(start + step, rows))


def compare(label: str, checkers: int, other: int | None = None, gammon_checkers: int = 0, scale: int = 0) -> Errors:
    """Solve all pairs of up to `checkers` checkers a side, or against up to `other`, in both ways, and compare them."""
    scale = scale or (16380 if gammon_checkers else 32760)
    threads = how_many()
    spaces = [bgrace.PositionSpace(6, n) for n in (checkers, checkers if other is None else other)]
    needed = len(spaces[0]) * len(spaces[1]) * BYTES_A_PAIR
    if needed > memory_limit():
        raise bgrace.MemoryLimitError(
            f"{label} needs {memory_text(needed)}; {allowed_text(memory_limit())}: measure fewer checkers, with --most"
        )
    a, b = (kernel.Graph(space.kernel, np.arange(len(space)), threads) for space in spaces)
    narrow = [np.empty((len(x), len(y), 4), np.int16) for x, y in ((a, b), (b, a))]
    kernel.solve(a, b, narrow[0], narrow[1], scale, gammon_checkers=gammon_checkers, n_threads=threads)
    wide = [np.empty((len(x), len(y), 4)) for x, y in ((a, b), (b, a))]
    cube = states(gammon_checkers > 0)
    solve_exactly(a, b, cube, cube, wide[0], wide[1], gammon_checkers, n_threads=threads)
    errors = Errors(label, scale)
    for stored, exact in list(zip(narrow, wide, strict=True))[: 1 if other is None else 2]:
        for rows in pieces(*stored.shape[:2]):
            errors.compare(stored[rows, 1:].reshape(-1, 4) / scale, exact[rows, 1:].reshape(-1, 4))
    print(f"{label}: {errors.n:,} pairs, greatest {errors.greatest.max():.2f}e-5", file=sys.stderr)
    return errors


FEW: Final = 4
"""Checkers of the one side, where answers of a file are compared."""

ANSWERS: Final = ("win probability", "cubeless", "mine", "centered", "theirs", "centered, Jacoby rule")


def compare_file(path: Path) -> str:
    """Compare what a file for 15 checkers a side answers, with 15 on one side and a few on the other, either on roll.

    Equities are those of rolling now, but for what `bgrace.Database.equities` answers of a centered or own cube.
    """
    threads = how_many()
    with bgrace.open(path) as db:
        if db.two_sided_checkers < GAMMON_CHECKERS:
            raise SystemExit(f"{path} is for {db.two_sided_checkers} checkers a side: give one for {GAMMON_CHECKERS}")
        few = bgrace.PositionSpace(db.space.points, FEW)
        a, b = (kernel.Graph(space.kernel, np.arange(len(space)), threads) for space in (db.space, few))
        never = -1
        cube: list[State] = [
            *states(True),
            (1.0, 1.0, 4, never, 0.0, 0.0, 0.0),
            (1.0, 1.0, 5, Plane.THEIRS, 2.0, 0.0, 1.0),
        ]
        wide = [np.empty((len(x), len(y), len(cube))) for x, y in ((a, b), (b, a))]
        solve_exactly(a, b, cube, cube, wide[0], wide[1], GAMMON_CHECKERS, n_threads=threads)
        full = np.flatnonzero(db.space.position(a.indices()).sum(axis=1) == GAMMON_CHECKERS)
        many, others = db.space.position(a.indices()[full]), few.position(b.indices()[1:])
        errors = Spread(len(ANSWERS))
        for k in range(0, len(full), 256):
            part = full[k : k + 256]
            for mine, theirs, exact in (
                (many[k : k + 256, np.newaxis], others, wide[0][part, 1:]),
                (others, many[k : k + 256, np.newaxis], wide[1][1:, part].swapaxes(0, 1)),
            ):
                taken = np.minimum(2 * exact[..., Plane.THEIRS], 1)
                right = np.stack(
                    [
                        (1 + exact[..., 4]) / 2,
                        exact[..., 0],
                        np.maximum(exact[..., Plane.MINE], taken),
                        np.maximum(exact[..., Plane.CENTERED], taken),
                        exact[..., Plane.THEIRS],
                        np.maximum(exact[..., 5], taken),
                    ]
                )
                plain, jacoby = (db.equities(mine, theirs, jacoby=rule) for rule in (False, True))
                found = [db.win_probability(mine, theirs), plain.cubeless, plain.mine, plain.centered, plain.theirs]
                errors.add((np.stack([*found, jacoby.centered]) - right).reshape(6, -1).T / UNIT)
    rows = [
        [name, f"{most:.2f}", f"{mean:.2f}", f"{bias:+.3f}"]
        for name, most, mean, bias in zip(ANSWERS, errors.greatest, errors.mean, errors.bias, strict=True)
    ]
    return markdown([f"{errors.n:,} pairs", "greatest", "mean", "bias"], rows)


PAIRS: Final = 200_000


def compare_rows(points: int) -> str:
    """Rows of 16 bits against float64 ones, all positions of 15 checkers, and chances to win of pairs drawn at random.

    A line for each: greatest error and root mean square.  What is 0 in both does not count.
    """
    with built(points=points, two_sided=0) as db:
        return _compare_rows(db)


def _compare_rows(db: bgrace.Database) -> str:
    space = db.space
    exact = solve_one_sided(space)
    rolls, n = np.arange(exact.roll_distribution.shape[1]), len(space)
    errors: defaultdict[str, Spread] = defaultdict(lambda: Spread(1))
    for start in range(0, n, 1 << 16):
        part = np.arange(start, min(start + (1 << 16), n))
        right = exact.roll_distribution[part]
        rows = db.roll_distribution(space.position(part))
        rows = np.pad(rows, ((0, 0), (0, len(rolls) - rows.shape[1])))
        mean, at_most = rows @ rolls, (rows - right).cumsum(axis=1)
        used = (right.cumsum(axis=1) > 1e-6) & (at_most != 0)
        variance = (rows * (rolls - mean[:, np.newaxis]) ** 2).sum(axis=1)
        for name, values in (
            ("chance of exactly k rolls", (rows - right)[used]),
            ("chance of at most k rolls", at_most[used]),
            ("mean of the row", mean - exact.mean_rolls[part]),
            ("variance of the row", variance - exact.variance_rolls[part]),
        ):
            errors[name].add(values[:, np.newaxis])
    random = np.random.default_rng(0)
    mine, theirs = (np.sort(random.integers(1, n, PAIRS)) for _ in range(2))  # alike: sorted, so of like length
    wins = one_sided_win(*(db.roll_distribution(space.position(side)) for side in (mine, theirs)))
    wins = wins - one_sided_win(exact.roll_distribution[mine], exact.roll_distribution[theirs])
    errors[f"chance to win, {PAIRS:,} pairs"].add(wins[:, np.newaxis])
    found = [[name, f"{each.greatest[0]:.1e}", f"{each.rms[0]:.1e}"] for name, each in errors.items()]
    return markdown([f"{space.points} points", "greatest", "root mean square"], found)


def error_table(measured: Sequence[Errors]) -> str:
    """Greatest, mean absolute and mean signed error of each plane."""
    rows = []
    for each in measured:
        columns = zip(each.greatest, each.mean, each.bias, strict=True)
        cells = [f"{greatest:.2f}, {mean:.2f}, {bias:+.3f}" for greatest, mean, bias in columns]
        rows.append([each.label, f"{each.n:,}", each.scale, *cells])
    return markdown(["checkers", "pairs", "steps a unit", *PLANES], rows)


def decision_table(measured: Sequence[Errors]) -> str:
    """Decisions that come out differently, and what the worst of them costs."""
    rows = []
    for each in measured:
        cells = [f"{int(n)}, {loss / UNIT:.1f}" for n, loss in zip(each.wrong, each.worst_loss, strict=True)]
        rows.append([each.label, f"{each.n:,}", *cells])
    return markdown(["checkers", "pairs", *DECISIONS], rows)


@picture
def draw(measured: Sequence[Errors]) -> Figure:
    """Errors by the number of checkers, and how they are spread in the largest table."""
    drawn, (left, right) = figure(1, 2, (10, 4.2))
    checkers = np.arange(1, len(measured) + 1)
    for name, colour, dash, plane in zip(PLANES, COLOURS, DASHES, range(4), strict=True):
        greatest, mean = [each.greatest[plane] for each in measured], [each.mean[plane] for each in measured]
        left.plot(checkers, greatest, marker="o", label=name, color=colour, linestyle=dash)
        left.plot(checkers, mean, marker=".", color=colour, linestyle=dash)
        share = measured[-1].histogram[plane] / measured[-1].n
        right.step(BINS[:-1], np.where(share > 0, share, np.nan), where="post", color=colour, linestyle=dash)
    half_a_step = 0.5 / measured[-1].scale / UNIT
    left.axhline(half_a_step, color="grey", linewidth=0.8)
    left.annotate("half a step", (checkers[-1], half_a_step), (0, 3), textcoords="offset points", ha="right")
    left.set(xlabel="checkers a side, at most", ylabel="error of the equity, 1e-5", ylim=(0, None))
    left.set_title("greatest (circles) and mean absolute error (dots)", fontsize=10)
    left.legend()
    right.set(xlabel="error of the equity, 1e-5", ylabel="share of the pairs", yscale="log", xlim=(-7, 7))
    right.set_title(f"all pairs of up to {checkers[-1]} checkers a side", fontsize=10)
    return drawn


def main() -> int:
    arguments = read_options(__doc__, most=8, file=Path, points=int)
    most = arguments.most
    if arguments.points is not None:
        print(compare_rows(arguments.points))
        return 0
    if arguments.file is not None:
        print(compare_file(arguments.file))
        return 0
    if not 1 <= most <= 12:
        sys.exit(f"--most {most}: give 1 to 12")
    try:
        plain = [compare(str(n), n) for n in range(1, most + 1)]
        gammons = [
            *(compare(f"{n}, gammon if all {n} are left", n, gammon_checkers=n) for n in (4, 6, 8) if n <= most),
            compare("15 against up to 4", GAMMON_CHECKERS, 4, GAMMON_CHECKERS),
        ]
    except bgrace.MemoryLimitError as error:
        print(error, file=sys.stderr)
        return 1
    tables = {
        "errors": error_table(plain[5::2]),
        "gammons": error_table(gammons[-2:]),
        "decisions": decision_table([*plain[7::2], *gammons[-2:]]),
    }
    PAGE.write_text(fill(PAGE.read_text(encoding="utf-8"), tables), encoding="utf-8")
    print(save(draw(plain), PICTURE).relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
