"""What decisions by approximate files cost, in pairs of races as they are played.

    python scripts/measure_small_tables.py PLAIN FILE... [--pairs 2000] [--games 2000]

PLAIN is a database with the exact pairs, each FILE what `bgrace pack --equity-error` made of it.  A loss is the exact
value of the best choice less that of the one which the file calls best, for money, in millionths of a point; every roll
counts by its chance, with the cube in the middle.
"""

from __future__ import annotations

import numpy as np
from measure_turns import draw
from options import read_options

import bgrace
from bgrace.board.dice import ROLLS, WEIGHTS
from bgrace.cube.action import Cube
from bgrace.studies.referee import played_races


def main() -> None:
    asked = read_options(__doc__, "plain", "files+", pairs=2000, games=2000)
    with bgrace.open(asked.plain) as plain:
        races = played_races(plain, asked.games)
        pairs = draw(races, plain.space.points, asked.pairs, 1, plain.two_sided_checkers)
        exact = [{p.position: p.equity for p in plain.best_plays(*pair, roll)} for pair in pairs for roll in ROLLS]
        print("| file | size | double, redouble, take | plays | worse plays |")
        print("|---|---:|---|---:|---:|")
        for path in asked.files:
            with bgrace.open(path) as db:
                verdicts = np.zeros((len(pairs), 3))
                cubes: tuple[Cube, ...] = ("centered", "mine")
                for lost, pair in zip(verdicts, pairs, strict=True):
                    for k, cube in enumerate(cubes):
                        found, right = (one.cube_action(*pair, cube) for one in (db, plain))
                        lost[k] = abs(right.double_margin or 0) if found.double != right.double else 0
                        lost[2] = abs(right.take_margin or 0) if found.take != right.take else 0
                asks = ((pair, roll) for pair in pairs for roll in ROLLS)
                chosen = (db.best_plays(*pair, roll)[0].position for pair, roll in asks)
                plays = np.array([max(all_.values()) - all_[one] for all_, one in zip(exact, chosen, strict=True)])
            plays = plays.reshape(len(pairs), len(ROLLS))
            chances = np.array(WEIGHTS) / 36
            means = ", ".join(f"{1e6 * loss:.2g}" for loss in verdicts.mean(axis=0))
            print(
                f"| {path.name} | {path.stat().st_size / 1e6:.1f} MB | {means} | "
                f"{1e6 * (plays @ chances).mean():.2g} | {100 * ((plays > 1e-12) @ chances).mean():.2f} % |",
                flush=True,
            )


if __name__ == "__main__":
    main()
