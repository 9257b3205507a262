"""Proofs of a race's bounds, in files that ``scripts/check_proof.py`` checks without bgrace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from math import ceil, floor
from pathlib import Path
from typing import Any, Final

from bgrace._base.arrays import JSON
from bgrace._base.files import write_small_file
from bgrace._base.limits import DEFAULT_SECONDS, PAIR_MEMORY, Limits, memory_text
from bgrace._kernels.lazy_numpy import np, npt
from bgrace._kernels.two_sided import count_reachable
from bgrace.answers import Bounds, Interval, Solution
from bgrace.answers.question import Question
from bgrace.board import Position
from bgrace.board.position import check_not_over, counts_of
from bgrace.errors import CoverageError
from bgrace.match.score import Score
from bgrace.match.stakes import Stakes
from bgrace.tables import GAMMON_CHECKERS

_PROOF_VERSION: Final = 2

_MAX_CHECKED: Final = 1_000_000
"""Most positions of a side for scripts/check_proof.py."""

_BOUND_STEPS: Final = 10**9
"""Bounds are rounded outward to multiples of 1 / _BOUND_STEPS."""


def write_proof(
    solution: Solution,
    path: str | Path,
    *,
    seconds: float = DEFAULT_SECONDS,
    memory_bytes: int = PAIR_MEMORY,
    threads: int | None = None,
) -> Solution:
    """Prove bounds of a race by pairs, and write a file with which they can be checked.

    The file is JSON: the question, the shortlist of either side, and the bounds with the cube in every possible place
    (docs/proofs.md).  ``scripts/check_proof.py`` computes all of it again.

    Parameters
    ----------
    solution : Solution
        From `bgrace.solve`: only its positions and stakes are used.
    path : str or Path
        The file; an existing one is replaced.
    seconds, memory_bytes, threads
        As for `bgrace.solve`.

    Returns
    -------
    Solution
        The same, with the bounds of the file as its `bounds`.

    Raises
    ------
    CoverageError
        If there are too many pairs for the budget or too many positions to check, or if a backgammon is possible and
        counts; nothing is written then.
    PositionError
        If a side has no checker left.
    OSError
        If the file cannot be written.
    """
    check_not_over(solution.on_roll, solution.opponent)
    limits = Limits(seconds, memory_bytes, threads)
    sides = (solution.on_roll, solution.opponent)
    for side in sides:
        if (n := count_reachable(counts_of(side))) > _MAX_CHECKED:
            raise CoverageError(
                f"{side} can come to {n:,} positions, and the checker of proofs takes {_MAX_CHECKED:,} of a side at "
                "most: let solve prove it (--prove, prove=True) without a file"
            )
    proof = Question(*sides, solution.stakes, limits=limits).proof()
    proof.keep_pairs()
    method = proof.info()[0]
    bounds = Bounds.of(proof, solution.stakes.cubes)
    if bounds is None or method not in ("exact", "confined"):
        raise CoverageError(
            f"{solution.on_roll} against {solution.opponent}: {seconds:g} seconds and {memory_text(memory_bytes)} are "
            "enough for a proof by clocks, which no file can hold; allow more for one by pairs (there is none where a "
            "backgammon counts and is possible, nor for 15 checkers with one on point 18 or beyond), or let solve "
            "prove it (--prove, prove=True) without a file"
        )
    stakes = _stakes(sides, solution.stakes)
    certificate: dict[str, JSON] = {
        "format": "bgrace proof",
        "version": _PROOF_VERSION,
        "question": _in_words(sides, stakes),
        "on_roll": counts_of(solution.on_roll).tolist(),
        "opponent": counts_of(solution.opponent).tolist(),
        "stakes": stakes,
        "shortlists": None
        if method == "exact"
        else [_hex_positions(proof.shortlist(k)[:, : side.highest]) for k, side in enumerate(sides)],
        "bounds": _bounds(bounds, solution.stakes, gammons="gammons" in stakes["rules"]),
    }
    from hashlib import sha256  # noqa: PLC0415  (takes a while)

    certificate["sha256"] = sha256(json.dumps(certificate, sort_keys=True).encode()).hexdigest()
    write_small_file(path, (json.dumps(certificate, indent=1) + "\n").encode())
    return replace(solution, bounds=bounds)


def cost_of_check(bounds: Bounds) -> tuple[float, int]:
    """Estimate the seconds and bytes that ``scripts/check_proof.py`` takes for a proof by pairs, on one thread."""
    (n, m), (n_kept, m_kept) = bounds.positions, bounds.kept
    pairs = [n_kept * m, n * m_kept] if bounds.method == "confined" else [n * m]
    return 1 + 6e-6 * sum(pairs), (64 << 20) + 64 * max(pairs)


def _stakes(sides: tuple[Position, Position], stakes: Stakes) -> dict[str, Any]:
    """The rules that matter and, in a match, the score with the values of the scores that it leads to."""
    loses = [stakes.rules.gammons and side.checkers == GAMMON_CHECKERS for side in sides]
    rules: list[JSON] = [*["gammons"] * any(loses), *["jacoby"] * (any(loses) and stakes.rules.jacoby)]
    if stakes.score is None or stakes.met is None:
        return {"rules": [*rules, *["beavers"] * stakes.rules.beavers]}
    cubes = {cube for place in stakes.cubes for cube in _cubes(stakes.score, stakes.cube_value, place)}
    points = {sign * cube for cube in cubes for sign in (1, -1)}
    points |= {2 * cube for cube in cubes if loses[1]} | {-2 * cube for cube in cubes if loses[0]}
    payoffs = {n: stakes.met.after(stakes.score, n) for n in sorted(points)}
    return {
        "rules": rules,
        "away": [stakes.score.on_roll_needs, stakes.score.opponent_needs],
        "crawford": stakes.score.kind == "Crawford",
        "cube_value": stakes.cube_value,
        "table": {name: payoffs[n] for n in payoffs if (name := _score_after(stakes.score, n))},
        "payoffs": {str(n): payoff for n, payoff in payoffs.items()},
    }


def _cubes(score: Score, cube: int, place: str) -> Iterator[int]:
    """Values that a cube in a place can reach in this game."""
    yield cube
    for own, other, sees in (("mine", "theirs", score), ("theirs", "mine", score.swapped)):
        if place in ("centered", own) and sees.may_double(cube):
            yield from _cubes(score, 2 * cube, other)


def _score_after(score: Score, points: int) -> str:
    """The score after a game in words; empty if the match is over."""
    mine, theirs = score.on_roll_needs - max(points, 0), score.opponent_needs - max(-points, 0)
    if mine <= 0 or theirs <= 0:
        return ""
    kind = "Crawford" if score.kind == "ordinary" else "post-Crawford"
    return f"{mine}-away, {theirs}-away" + (f", {kind}" if min(mine, theirs) == 1 < max(mine, theirs) else "")


def _in_words(sides: tuple[Position, Position], stakes: dict[str, Any]) -> str:
    words = ["money"]
    if "away" in stakes:
        mine, theirs = stakes["away"]
        words = [f"{mine}-away", f"{theirs}-away", *["Crawford"] * stakes["crawford"], f"cube {stakes['cube_value']}"]
    return f"{sides[0]} against {sides[1]}: {', '.join([*words, *stakes['rules']])}"


def _hex_positions(positions: npt.NDArray[np.int8]) -> str:
    """Positions in hexadecimal digits, one for each point."""
    return " ".join("".join(f"{n:x}" for n in counts) for counts in positions.tolist())


def _bounds(bounds: Bounds, stakes: Stakes, *, gammons: bool) -> JSON:
    names = ("win", "gammon_win", "gammon_loss") if gammons else ("win",)
    fields: dict[str, JSON] = {name: _outward(getattr(bounds, name)) for name in names}
    for place in stakes.cubes:
        known = bounds.cube(place)
        of_place: dict[str, JSON] = {"no_double": _outward(known.no_double)}
        if known.verdict != "no cube":
            of_place["double_take"] = _outward(known.double_take)
        verdict = known.verdict if known.proved or known.verdict == "no cube" else None
        fields[place] = {**of_place, "value": _outward(known.value), "verdict": verdict}
    return fields


def _outward(interval: Interval) -> list[JSON]:
    return [floor(interval.low * _BOUND_STEPS) / _BOUND_STEPS, ceil(interval.high * _BOUND_STEPS) / _BOUND_STEPS]
