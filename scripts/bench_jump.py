"""Show how the jump model's numerical solution converges, and time the cube models.

    python scripts/bench_jump.py [--repeats 7]

Prints the greatest error in equity of the mesh and of the published grid at 100, 200, 400 and 800 buckets, medians of
the time that a default solution takes, errors and times for volatilities from 1e-6 to 1, and the time of a million
parameter sets in closed form.  Exit status 1 if the default is off by more than its documentation states or
takes more than 100 ms, or a million sets take more than a second.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from typing import get_args

import numpy as np
import numpy.typing as npt
from published_grid import PublishedGrid, published_grid
from timing import check, failures, median

from bgrace.cube import janowski, jump
from bgrace.cube.jump.numerical import Boundary, NumericalSolution
from bgrace.studies import jump_publications

P = np.linspace(0, 1, 2001)
BOUNDARIES = get_args(Boundary)
CASES = ((1.2, 1.1, 0.08), (1.4, 1.0, 0.20), (1.0, 1.0, 0.05))


def curves(model: jump.ExactModel | PublishedGrid, p: npt.NDArray[np.float64] = P) -> npt.NDArray[np.float64]:
    values = model.equities(p)
    return np.array([values.centered, values.mine, values.theirs])


def convergence(repeats: int) -> None:
    for jumps in jump.DISTRIBUTIONS:
        for win, lose, alpha in CASES:
            exact = jumps == "double-exponential"
            truth = curves(jump.exact(win, lose, alpha) if exact else jump.exact(win, lose, alpha, jumps, 1000))
            against = "the closed form" if exact else "1000 buckets"
            print(f"\nW = {win:g}, L = {lose:g}, volatility {alpha:g}, {jumps}: greatest error against {against}")
            print(f"  {'buckets':>8}  {'mesh':>8}  {'ms':>7}  {'published grid':>14}  {'ms':>7}")
            for buckets in (100, 200, 400, 800):
                line = [f"{buckets:>8}"]
                for scheme, width in (("mesh", 8), ("published", 14)):
                    start = time.perf_counter()
                    solve = jump.exact if scheme == "mesh" else published_grid
                    model = solve(win, lose, alpha, jumps, buckets)
                    seconds = time.perf_counter() - start
                    line += [f"{np.abs(curves(model) - truth).max():>{width}.1e}", f"{1000 * seconds:>7.0f}"]
                print("  " + "  ".join(line))
            model = jump.exact(win, lose, alpha, jumps, scheme="mesh")
            error = np.abs(curves(model) - truth).max()
            seconds = median(lambda: jump.exact(win, lose, alpha, jumps, scheme="mesh"), repeats)  # noqa: B023
            check(f"default, {model.buckets} buckets: error {error:.1e}, {1000 * seconds:.0f} ms", error <= 1e-6)
            check("default within 100 ms", seconds <= 0.1)
    print("\nvolatility falling to zero at the ends (W = 1.2, L = 1.1, 8 % inside)")
    for jumps in jump.DISTRIBUTIONS:
        truth = curves(jump.exact(1.2, 1.1, jump.ramp(0.08), jumps, 500))
        found = curves(jump.exact(1.2, 1.1, jump.ramp(0.08), jumps))
        seconds = median(lambda: jump.exact(1.2, 1.1, jump.ramp(0.08), jumps), repeats)  # noqa: B023
        error = np.abs(found - truth).max()
        check(f"{jumps}: error {error:.1e} against 500 buckets, {1000 * seconds:.0f} ms", error <= 1e-6)


VOLATILITIES = (1e-6, 1e-5, 1e-4, 1e-3, 0.002, 0.005, 0.01, 0.02, 0.04, 0.1, 0.2, 0.5, 1.0)


def volatilities(repeats: int) -> None:
    """Defaults against the closed form, or where there is none against a mesh twice as fine, near the kinks too."""
    for jumps, boundary in (("double-exponential", "linear"), *(("gaussian", end) for end in BOUNDARIES)):
        most = 1e-5 if boundary == "inside" else 1e-6
        against = "the closed form" if jumps == "double-exponential" else "twice the buckets"
        print(
            f"\n{jumps}, {boundary}, W = 1.2, L = 1.1: greatest error of the mesh against {against}, {most:g} stated"
            + (" up to 0.2, 1e-4 up to 0.5, 2e-3 beyond" if boundary == "inside" else "")
        )
        for alpha in VOLATILITIES:

            def solve(buckets: int | None = None, alpha: float = alpha) -> jump.ExactModel:
                return jump.exact(1.2, 1.1, alpha, jumps, buckets, boundary=boundary, scheme="mesh")  # noqa: B023

            model = solve()
            assert model.buckets is not None, "a mesh"
            truth = jump.exact(1.2, 1.1, alpha) if jumps == "double-exponential" else solve(2 * model.buckets)
            places = [place + alpha * np.linspace(-10, 10, 81) for place in model.points().values()]
            p = np.unique(np.clip(np.concatenate([P, *places]), 0, 1))
            error = np.abs(curves(model, p) - curves(truth, p)).max()
            taken = median(solve, min(repeats, 3))
            stated = most if boundary != "inside" or alpha <= 0.2 else 1e-4 if alpha <= 0.5 else 2e-3
            nodes = len(model.solution.mine.mesh.nodes) if isinstance(model.solution, NumericalSolution) else 0
            check(f"volatility {alpha:<7g} error {error:.1e}, {1000 * taken:>5.0f} ms, {nodes} nodes", error <= stated)


def timings(repeats: int) -> None:
    print("\nclosed forms")
    seconds = median(lambda: jump.exact(1.2, 1.1, 0.08), repeats)
    check(f"exact, double-exponential, constant: {1000 * seconds:.1f} ms", seconds <= 0.1)
    random = np.random.default_rng(0)
    n = 1_000_000
    win, lose = 1 + random.random((2, n))
    alpha, local, p = 0.2 * random.random(n), 0.2 * random.random(n), random.random(n)
    for name, work in (
        ("Janowski, points", lambda: janowski.decision_points(win, lose, local)),
        ("Janowski, equities", lambda: janowski.equities(p, win, lose, local)),
        ("Janowski, two indexes, points", lambda: janowski.refined(win, lose, alpha, local)),
        (
            "first version, points and equities",
            lambda: jump_publications.first_version(win, lose, alpha, local).equities(p),
        ),
        ("linear, points and equities", lambda: jump.linear(win, lose, alpha, local).equities(p)),
        ("implied life indexes", lambda: jump.implied_life_indexes(win, lose, alpha)),
        ("linear, cube actions", lambda: jump.linear(win, lose, alpha, local).cube_action(p)),
    ):
        seconds = median(work, min(repeats, 5))
        check(f"{name}, a million sets: {seconds:.2f} s", seconds <= 1)
    some = slice(0, 10_000)
    seconds = median(lambda: jump.nonlinear(win[some], lose[some], alpha[some] / 2, local[some] / 2), 3)
    print(f"        nonlinear, all points, ten thousand sets: {seconds:.2f} s")
    seconds = median(lambda: jump.nonlinear(1.2, 1.1, 0.08), repeats)
    print(f"        nonlinear, all points, one set: {1000 * seconds:.0f} ms")


def main() -> int:
    parser = argparse.ArgumentParser(description="Convergence and timings of the cube models.")
    parser.add_argument("--repeats", type=int, default=7)
    repeats = parser.parse_args().repeats
    print(f"{platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}, ", end="")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; medians of {repeats} runs")
    convergence(repeats)
    volatilities(repeats)
    timings(repeats)
    print(f"\n{len(failures)} missed" if failures else "\nall met")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
