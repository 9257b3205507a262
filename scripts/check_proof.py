"""Check a proof that `bgrace prove` wrote, with nothing of bgrace: Python and numpy alone.

    python scripts/check_proof.py race.proof

The rules of the bearoff, the positions, and all pairs are worked out again.  With the player on roll confined to the
shortlist of the proof, and the opponent free, the values must be no less than the lower bounds; with the opponent
confined, no more than the upper ones.  (To confine a player can only lower what that player gets.)  Takes some seconds
for each million pairs.  The exit status is 0 if everything holds, else 1, with what does not.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zlib
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Counts = tuple[int, ...]
Rows = npt.NDArray[np.float64]

ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]
WEIGHTS = np.array([1 if a == b else 2 for a, b in ROLLS]) / 36
POINTS, CHECKERS, VERSION = 24, 15, 1
MAX_POSITIONS, MAX_PLANES = 1_000_000, 64  # of a side, and of a proof: so much fits a machine


class BadProofError(Exception):
    """What does not hold."""


def require(holds: bool, what: str) -> None:
    if not holds:
        raise BadProofError(what)


# ---------------------------------------------------------------------- the rules


@cache
def play_die(position: Counts, die: int) -> frozenset[Counts]:
    """Every result of one die: a checker moves, or goes off from home, exactly or from the highest point."""
    highest = max((point for point in range(1, POINTS + 1) if position[point - 1]), default=0)
    results = set()
    for point in range(1, highest + 1):
        home = highest <= 6
        if not position[point - 1] or (point <= die and not (home and point in (die, highest))):
            continue
        moved = list(position)
        moved[point - 1] -= 1
        if point > die:
            moved[point - die - 1] += 1
        results.add(tuple(moved))
    return frozenset(results) or frozenset([position])


def play_roll(position: Counts, roll: tuple[int, int]) -> set[Counts]:
    larger, smaller = roll
    orders = [(larger,) * 4] if larger == smaller else [(larger, smaller), (smaller, larger)]
    results: set[Counts] = set()
    for dice in orders:
        reached = {position}
        for die in dice:
            reached = {result for before in reached for result in play_die(before, die)}
        results |= reached
    return results


# ---------------------------------------------------------------------- one side


@dataclass
class Side:
    """Positions in rising order of pips, the empty board first, and the results of each roll of each."""

    positions: list[Counts]
    results: list[list[list[int]]]

    @property
    def full(self) -> npt.NDArray[np.bool_]:
        """Where a gammon would be lost."""
        return np.array([sum(position) == CHECKERS for position in self.positions])

    def confined(self, kept: set[Counts]) -> Side:
        """The side that plays to kept positions alone."""
        new = {k: n for n, k in enumerate(k for k, position in enumerate(self.positions) if position in kept)}
        results = [[[new[r] for r in roll if r in new] for roll in self.results[k]] for k in new]
        require(0 in new and self.positions[-1] in kept, "a shortlist without its first or last position")
        require(len(new) == len(kept), "a shortlist with positions that cannot come about")
        require(all(all(rolls) for rolls in results[1:]), "a shortlist that leaves a roll without a play")
        return Side([self.positions[k] for k in new], results)


def side_of(start: Counts) -> Side:
    """Everything that a side can come to."""
    plays: dict[Counts, list[set[Counts]]] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if position in plays:
            continue
        require(len(plays) < MAX_POSITIONS, f"a side with more than {MAX_POSITIONS:,} positions is too large to check")
        plays[position] = [play_roll(position, roll) for roll in ROLLS]
        waiting += {result for results in plays[position] for result in results if result not in plays}
    order = sorted(plays, key=lambda position: (sum(n * k for k, n in enumerate(position, 1)), position))
    number = {position: k for k, position in enumerate(order)}
    return Side(order, [[sorted(number[r] for r in roll) for roll in plays[position]] for position in order])


# ---------------------------------------------------------------------- pairs


def doubled(now: Rows, planes: list[dict[str, Any]], side: int) -> Rows:
    """Values with the right to double first, by plane."""
    values = now.copy()
    for k, plane in enumerate(planes):
        turned = plane["turned"][side]
        if turned >= 0:
            taken = plane["factor"][side] * now[turned] + plane["offset"][side]
            values[k] = np.maximum(now[k], np.minimum(taken, plane["passed"][side]))
    return values


def payoffs(planes: list[dict[str, Any]], winner: int, loser: Side) -> Rows:
    """What bearing off pays by plane, against every position of the loser."""
    single, gammon = (np.array([plane["win"][loss][winner] for plane in planes])[:, None] for loss in (0, 1))
    return np.where(loser.full[None, :], gammon, single)


def flat_results(side: Side) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """All results of all positions but the empty board, and where those of each roll begin."""
    rolls = [roll for rolls in side.results[1:] for roll in rolls]
    return np.concatenate([np.array(roll) for roll in rolls]), np.cumsum([0, *(len(roll) for roll in rolls[:-1])])


def solve(first: Side, second: Side, planes: list[dict[str, Any]]) -> Rows:
    """What rolling now is worth to the first side, by plane, both sides at their last position."""
    n, m = len(first.positions), len(second.positions)
    moved = np.empty((len(planes), n, m))  # to the first side: at a position, the second on roll
    moved[:, 0] = payoffs(planes, 0, second)
    to_first = payoffs(planes, 1, first)
    flat, starts = flat_results(second)
    now = moved[:, 0]
    for x in range(1, n):
        now = sum(
            (weight * moved[:, roll].max(axis=1) for weight, roll in zip(WEIGHTS, first.results[x], strict=True)),
            start=np.zeros((len(planes), m)),
        )
        theirs = -doubled(now, planes, 0)  # to the second side: at each position, the first on roll
        theirs[:, 0] = to_first[:, x]
        best = np.maximum.reduceat(theirs[:, flat], starts, axis=1).reshape(len(planes), m - 1, len(ROLLS))
        moved[:, x, 1:] = -doubled(best @ WEIGHTS, planes, 1)
    return now[:, -1]


# ---------------------------------------------------------------------- the proof


def read_proof(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            proof: dict[str, Any] = json.load(file)
    except ValueError as error:
        raise BadProofError(f"not a proof: {error}") from None
    require(isinstance(proof, dict) and proof.get("format") == "bgrace proof", "not a proof of bgrace")
    require(proof.get("version") == VERSION, f"version {proof.get('version')}: this checks version {VERSION}")
    told = proof.pop("sha256", None)
    counted = hashlib.sha256(json.dumps(proof, sort_keys=True).encode()).hexdigest()
    require(told == counted, "the file has been changed or cut: its SHA-256 does not fit")
    return proof


def kept_positions(packed: str) -> set[Counts]:
    unpacked = zlib.decompressobj().decompress(b64decode(packed), POINTS * MAX_POSITIONS)
    counts = np.frombuffer(unpacked, dtype=np.int8).reshape(-1, POINTS)
    return set(map(tuple, counts.tolist()))


def bounds_of(proof: dict[str, Any]) -> Iterator[tuple[str, Rows]]:
    """What the pairs say, worked out again."""
    for name in ("on_roll", "opponent"):
        are_counts = all(type(n) is int and n >= 0 for n in proof[name])
        require(are_counts and len(proof[name]) == POINTS and sum(proof[name]) <= CHECKERS, f"{name} is not a position")
    require(len(proof["planes"]) <= MAX_PLANES, f"more than {MAX_PLANES} planes")
    first, second = (side_of(tuple(proof[name])) for name in ("on_roll", "opponent"))
    planes = proof["planes"]
    if proof["shortlists"][0] is None:
        values = solve(first, second, planes)
        yield from (("low", values), ("high", values))
        return
    kept = [kept_positions(packed) for packed in proof["shortlists"]]
    yield "low", solve(first.confined(kept[0]), second, planes)
    yield "high", solve(first, second.confined(kept[1]), planes)


def verdict_of(rolled: float, taken: float, passed: float, beavers: bool) -> str:
    beavers = beavers and taken < 0
    if min(2 * taken if beavers else taken, passed) >= rolled:
        return "double/beaver" if beavers else "double/take" if taken <= passed else "double/pass"
    return "too good" if taken > passed and rolled > passed else "no double"


def check_verdict(proof: dict[str, Any]) -> str:
    """The verdict, if every value within the bounds gives it."""
    (plane, middle, scale), (turned, turned_middle, turned_scale) = proof["place"][:2]
    if turned < 0:
        return "no cube to turn"
    verdicts, values = set(), []
    for no_double in ("low", "high"):
        for double in ("low", "high"):
            rolled = middle + scale * proof[no_double][int(plane)]
            taken = turned_middle + turned_scale * proof[double if turned != plane else no_double][int(turned)]
            verdicts.add(verdict_of(rolled, taken, proof["won"], "beaver" in proof["stakes"]))
            if no_double == double:
                values.append((rolled, taken))
    told = proof["bounds"]
    rolled, taken = np.transpose(values)
    if "beaver" in proof["stakes"]:
        taken = np.where(taken < 0, 2 * taken, taken)
    for name, pair in (("no_double", rolled), ("double_take", taken)):
        is_pair = np.shape(told[name]) == (2,)
        require(is_pair and np.allclose(told[name], pair, 0, 1e-9), f"{name} is not {told[name]}")
    require(told["proved"] in (False, True), "whether the verdict is proved")
    if not told["proved"]:
        return "the verdict is not proved"
    require(len(verdicts) == 1, f"{told['verdict']} is not proved")
    require(told["verdict"] in verdicts, f"the verdict is not {told['verdict']}")
    return f"proved: {told['verdict']}"


def main(path: str) -> int:
    try:
        proof = read_proof(path)
        for name, values in bounds_of(proof):
            told = np.array(proof[name])
            require(told.shape == values.shape, f"{name}: {len(told)} bounds of {len(values)} planes")
            for k in np.flatnonzero(told > values if name == "low" else told < values)[:1]:
                raise BadProofError(f"{name}: plane {k} is bounded by {told[k]}, and worth {values[k]}")
        win = [(1 + proof[name][0]) / 2 for name in ("low", "high")]
        require(all(abs(a - b) < 1e-9 for a, b in zip(win, proof["bounds"]["win"], strict=True)), "the chance to win")
        verdict = check_verdict(proof)
    except (BadProofError, KeyError, TypeError, IndexError, ValueError, OSError, zlib.error) as error:
        print(f"{path}: refused: {error}")
        return 1
    print(f"{path}: holds: {proof['stakes']}, win {win[0]:.7f} to {win[1]:.7f}; {verdict}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
