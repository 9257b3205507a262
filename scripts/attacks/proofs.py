"""Give scripts/check_proof.py changed certificates, each with a SHA-256 that fits: it refuses them, or they still hold.

    python scripts/attacks/proofs.py [ROUNDS] [SEED]

Printed is what ends with a traceback, takes more than a GiB or ten seconds of the processor, or holds although a bound,
a chance or the verdict is another one; the exit status is 1 then.  Sides and stakes stay: with others it would be
another proof.
"""

from __future__ import annotations

import copy
import io
import json
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final
from zlib import compress

import numpy as np

ROOT: Final = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import check_proof

import bgrace
from attacks import limit_memory
from bgrace import Rules
from bgrace.match import Score

Proof = dict[str, Any]
Place = tuple[str | int, ...]

MAX_MEMORY: Final = 1 << 30
_GIVEN: Final = ("stakes", "planes", "place", "won", "cube")
_ODD: Final[tuple[Any, ...]] = (
    *(None, True, 0, 1, -1, 0.5, 10**30, 1e308, -1e308, float("nan"), float("inf"), [], {}, [[]], [0] * 24, [15] * 24),
    *("", "too good", "no double", "double/take", "double/pass", "double/beaver", "A" * 100, "eJw="),
)


def certificates() -> Iterator[Proof]:
    """Some for money and at a score, by all pairs and by shortlists."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "race.proof")
        for solution in (
            bgrace.solve("2x2 1x2", "3x1 1x2"),
            bgrace.solve("4x1 3x2", "3x2 1x1", match=Score(3, 5)),
            bgrace.solve("4x1 2x1", "4x2 1x1", rules=Rules(jacoby=True, beavers=True)),
        ):
            path.unlink(missing_ok=True)
            bgrace.write_proof(solution, path)
            proof = json.loads(path.read_text(encoding="utf-8"))
            yield proof
            sides = (check_proof.side_of(tuple(proof[name])) for name in ("on_roll", "opponent"))
            lists = (np.array(side.positions, np.int8).tobytes() for side in sides)
            yield proof | {"shortlists": [b64encode(compress(each)).decode() for each in lists]}


def places(value: Any, above: Place = ()) -> Iterator[Place]:
    """Where every value of a document stands."""
    if above:
        yield above
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield from places(each, (*above, key))


def changed(proof: Proof, chance: Random) -> Proof:
    """A copy with one or two other values."""
    copied = copy.deepcopy(proof)
    for _ in range(chance.choice((1, 1, 2))):
        place = chance.choice([each for each in places(copied) if each[0] not in (*_GIVEN, "format", "version")])
        inside: Any = copied
        for key in place[:-1]:
            inside = inside[key]
        old = inside[place[-1]]
        new = copy.deepcopy(chance.choice(_ODD))
        whole_side = place in (("on_roll",), ("opponent",))  # others may be large
        if chance.random() < 0.5 and isinstance(old, (int, float)):
            new = chance.choice((old + 1, old - 1, -old, 2 * old, old + 1e-3, old - 1e-3, old + 1e-13))
        elif chance.random() < 0.5 and isinstance(old, str | list) and old and not whole_side:
            whole: Any = old
            k = chance.randrange(len(old))
            new = whole[:k] + chance.choice((whole[:0], whole[k + 1 :], whole[k:] + whole[k:]))
        inside[place[-1]] = new
    return copied


def wrong_with(proof: Proof, original: Proof, path: Path) -> str:
    """Anything that the checker should not say or do of a changed proof; empty if there is nothing."""
    del proof["sha256"]
    proof["sha256"] = sha256(json.dumps(proof, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps(proof), encoding="utf-8")
    said, began = io.StringIO(), time.process_time()
    try:
        with redirect_stdout(said):
            status = check_proof.main(str(path))
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    if time.process_time() - began > 10:
        return f"{time.process_time() - began:.1f} s"
    if status or any(proof[name] != original[name] for name in ("on_roll", "opponent")):
        return ""
    told, right = proof["bounds"], original["bounds"]
    verdict = said.getvalue().rpartition("; ")[2].strip()
    if verdict not in ("the verdict is not proved", f"proved: {right['verdict']}"):
        return verdict
    for name in ("win", "no_double", "double_take"):
        (low, high), (least, most) = told[name], right[name]
        if not (low <= most + 1e-9 and high >= least - 1e-9):
            return f"{name} {told[name]} holds"
    return ""


def main() -> int:
    """Try them, and print what went wrong."""
    rounds, seed = (int(word) for word in (*sys.argv[1:], "2000", "0")[:2])
    chance, originals = Random(seed), list(certificates())
    check_proof.side_of = cache(check_proof.side_of)
    limit_memory(MAX_MEMORY)
    n_wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "changed.proof")
        for original in originals:
            assert not wrong_with(copy.deepcopy(original), original, path), original
        for k in range(rounds):
            original = chance.choice(originals)
            proof = changed(original, chance)
            wrong = wrong_with(proof, original, path)
            if wrong:
                n_wrong += 1
                parts = {name: proof[name] for name in proof if proof[name] != original.get(name) and name != "sha256"}
                print(f"round {k}: {wrong}: {str(parts)[:300]}")
    return int(n_wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
