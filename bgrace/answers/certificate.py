"""A proof of a race, as a file that a checker needs nothing of bgrace for: ``scripts/check_proof.py``."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON, Floats
from bgrace._base.files import write_small_file
from bgrace._base.limits import DEFAULT_SECONDS, PAIR_MEMORY, Limits
from bgrace._kernels.stakes import CUBE_ORDER
from bgrace.answers import Bounds, Solution
from bgrace.answers.question import Question
from bgrace.answers.solver import counts_of
from bgrace.board.position import check_not_over
from bgrace.errors import CoverageError

VERSION: Final = 1


def write_proof(
    solution: Solution,
    path: str | Path,
    *,
    cube: str | None = None,
    seconds: float = DEFAULT_SECONDS,
    memory_bytes: int = PAIR_MEMORY,
    threads: int | None = None,
) -> Solution:
    """Prove bounds of a race by pairs, and write down what it takes to check them.

    The file is JSON: both sides, the planes of the cube that are played for, the shortlist of either side, and the
    bounds of each plane (docs/proofs.md).  ``scripts/check_proof.py`` works all of it out again.

    Parameters
    ----------
    solution : Solution
        What `bgrace.solve` gave: its positions and stakes count.
    path : str or Path
        A file of this name is replaced.
    cube : str, optional
        Where the cube is, for the verdict: `Solution.cube` unless given.
    seconds, memory_bytes, threads
        As for `bgrace.solve`.

    Returns
    -------
    Solution
        The same with what the file proves as its `bounds`.

    Raises
    ------
    ArgumentError
        If a cube of this value cannot be there.
    CoverageError
        If the pairs are too many for the budget, or a backgammon counts and is possible; nothing is written then.
    PositionError
        If a side has no checker left.
    OSError
        If the file cannot be written.
    """
    check_not_over(solution.on_roll, solution.opponent)
    place = solution.stakes.check_cube(solution.cube if cube is None else cube)
    limits = Limits(seconds, memory_bytes, threads)
    proof = Question(solution.on_roll, solution.opponent, solution.stakes, limits=limits).prove()
    proof.keep_pairs()
    method = proof.info()[0]
    bounds = Bounds.of(proof, solution.stakes.cubes)
    if bounds is None or method not in ("exact", "confined"):
        raise CoverageError(
            f"{solution.on_roll} against {solution.opponent}: {seconds:g} seconds and {memory_bytes} bytes are enough "
            "for a proof by clocks, which no file can hold; allow more for one by pairs (if a backgammon counts and is "
            "possible, there is none), or let solve prove it (--prove, prove=True) without a file"
        )
    low, high = proof.rows()
    certificate: dict[str, JSON] = {
        "format": "bgrace proof",
        "version": VERSION,
        "on_roll": counts_of(solution.on_roll).tolist(),
        "opponent": counts_of(solution.opponent).tolist(),
        "stakes": str(solution.stakes),
        "planes": _planes(proof.planes(), len(low)),
        "shortlists": [None if method == "exact" else _packed(proof.shortlist(side)) for side in range(2)],
        "low": low.tolist(),
        "high": high.tolist(),
        "cube": place,
        "place": proof.places()[CUBE_ORDER.index(place)].tolist(),
        "won": solution.stakes.payoff(1),
        "bounds": bounds.to_dict(place),
    }
    certificate["sha256"] = sha256(json.dumps(certificate, sort_keys=True).encode()).hexdigest()
    write_small_file(path, (json.dumps(certificate, indent=1) + "\n").encode())
    return replace(solution, bounds=bounds)


def _planes(planes: Floats, n: int) -> JSON:
    """The planes of the stakes, and with gammons the two where only those of one side count."""
    listed: list[JSON] = [
        {
            "win": plane[:, :3].T.tolist(),
            "turned": plane[:, 3].astype(int).tolist(),
            "factor": plane[:, 4].tolist(),
            "offset": plane[:, 6].tolist(),
            "passed": plane[:, 7].tolist(),
        }
        for plane in planes
    ]
    for side in range(n - len(planes)):
        gammons = [2.0, 1.0] if side == 0 else [1.0, 2.0]
        zeros: JSON = [0.0, 0.0]
        listed.append(
            {
                "win": [[1.0, 1.0], gammons, gammons],
                "turned": [-1, -1],
                **dict.fromkeys(("factor", "offset", "passed"), zeros),
            }
        )
    return listed


def _packed(positions: npt.NDArray[np.int8]) -> str:
    return b64encode(zlib.compress(positions.tobytes(), 9)).decode("ascii")
