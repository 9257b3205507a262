"""Ask random races by turns, at any budget, roll, stakes and memory, and count what is refused.

    python scripts/soak_turns.py [--seed N] [--races N] [--minutes M] [--most S]

Race n is made from seed n alone, so a run goes on where another one ended with --seed, and a refused race is asked
again with --races 1.  Races are those of random_races.py.  Every refusal is printed; the last line says how many races
were asked and from which seed to go on.  Exit status 1 if any was refused.
"""

from __future__ import annotations

import argparse
import math
import sys
import time

import numpy as np
from random_races import KINDS, stakes

from bgrace.errors import BgraceError
from bgrace.solving.turns import Budget, solve_turns

LEAST_SECONDS = 0.001
MEMORY = (1 << 22, 1 << 26, 1 << 30)


def ask(seed: int, most_seconds: float) -> str:
    """Ask one race.  Gives what is wrong with the answer, or nothing."""
    rng = np.random.default_rng(seed)
    kind = list(KINDS)[int(rng.integers(len(KINDS)))]
    mine, theirs = KINDS[kind](rng)
    seconds = LEAST_SECONDS * (most_seconds / LEAST_SECONDS) ** rng.random()
    memory = int(rng.choice(MEMORY))
    roll = (int(rng.integers(1, 7)), int(rng.integers(1, 7))) if rng.integers(2) else None
    played_for = stakes(rng)
    try:
        answer = solve_turns(mine, theirs, played_for, Budget(seconds, memory), roll=roll, threads=1)
        values = answer.now()
    except BgraceError as error:
        fault = f"{type(error).__name__}: {error}"
    else:
        right = bool(np.isfinite(values).all()) and 0 <= answer.chances.win <= 1 and math.isfinite(answer.error)
        fault = "" if right else f"{values}, within {answer.error}"
    return (
        fault and f"seed {seed}, {kind}: {mine} v {theirs}, {played_for}, {seconds:.4f} s, {memory:,}, {roll}: {fault}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="of the first race")
    parser.add_argument("--races", type=int, default=1_000_000)
    parser.add_argument("--minutes", type=float, default=10.0, help="stop after so many")
    parser.add_argument("--most", type=float, default=0.3, help="seconds of the largest budget")
    chosen = parser.parse_args()
    end = time.monotonic() + 60 * chosen.minutes
    seed, refused = chosen.seed, 0
    while seed < chosen.seed + chosen.races and time.monotonic() < end:
        fault = ask(seed, chosen.most)
        if fault:
            refused += 1
            print(fault, flush=True)
        seed += 1
    print(f"{seed - chosen.seed:,} races, {refused} refused; go on with --seed {seed}")
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()
