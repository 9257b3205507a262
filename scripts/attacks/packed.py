"""Give the readers of packed matches damaged ones: .xg, .bgf, .ogxm, in a process that may have so much more memory.

    python scripts/attacks/packed.py [ROUNDS] [SEED]

Half of the changes are made to what was packed.  Whatever is not read is refused with an error of `bgrace.errors`; what
is not, or takes more than ten seconds of the processor, is printed, and the exit status is 1.
"""

from __future__ import annotations

import gzip
import resource
import sys
import time
import zlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "scripts")]

from helpers.xg_file import xg_bytes

from attacks import readers
from bgrace.errors import BgraceError
from bgrace.review import Match, read
from bgrace.review.reading import read_bytes
from bgrace.review.replay import replay

MAX_MEMORY: Final = 512 << 20
_XG_HEADER: Final = 8232
_BGF_HEAD: Final = b'{"format":"BGF","version":"1.0","compress":true,"useSmile":true}\n'


def bgf_document(match: Match) -> dict[str, object]:
    """What BGBlitz would say of a match, without analysis."""
    points = [0] * 26
    for point, n in ((6, 5), (8, 3), (13, 5), (24, 2)):
        points[24 - point], points[point - 1] = n, -n
    games = []
    for game in match.games:
        moves: list[dict[str, object]] = []
        for action in game.actions:
            if action.kind == "play" and action.roll and action.moves:
                ends = [list(each) + [-1] * (4 - len(action.moves)) for each in zip(*action.moves, strict=True)]
                told: dict[str, object] = {
                    "player": (-1, 1)[action.player],
                    "from": ends[0],
                    "to": ends[1],
                    "equity": None,
                }
                moves.append(told | dict(zip(("red", "green"), action.roll, strict=True)))
        initial = {"cube": 1, "cubeOwner": 0, "points": points}
        green, red = game.score
        games.append({"scoreGreen": green, "scoreRed": red, "isCrawford": False, "initial": initial, "moves": moves})
    return {"nameGreen": match.players[0], "nameRed": match.players[1], "matchlen": match.length, "games": games}


def smile(value: Any) -> bytes:
    """Write a value as Smile has it, as far as `bgf_document` needs it."""
    if isinstance(value, dict):
        pairs = (bytes([0x7F + len(key)]) + key.encode() + smile(each) for key, each in value.items())
        return b"\xfa" + b"".join(pairs) + b"\xfb"
    if isinstance(value, list):
        return b"\xf8" + b"".join(map(smile, value)) + b"\xf9"
    if isinstance(value, str):
        return bytes([0x3F + len(value)]) + value.encode("ascii")
    if value is None or isinstance(value, bool):
        return {None: b"\x21", False: b"\x22", True: b"\x23"}[value]
    return bytes([0x24, 0x80 | (value << 1 ^ value >> 7)])  # from -32 to 31


def targets() -> dict[str, tuple[bytes, Callable[[bytes], bytes], Callable[[bytes], bytes]]]:
    """A file of each kind, what unpacks it, and what packs it."""
    path = ROOT / "tests" / "review" / "matches" / "3-102.mat"
    (match,) = read(path)
    gvformat = import_module("gvformat")
    xg = xg_bytes(match)
    bgf = _BGF_HEAD + gzip.compress(b":)\n\x00" + smile(bgf_document(match)))
    return {
        "xg": (
            xg,
            lambda data: zlib.decompress(data[_XG_HEADER:]),
            lambda data: xg[:_XG_HEADER] + zlib.compress(data, 1),
        ),
        "bgf": (
            bgf,
            lambda data: gzip.decompress(data[len(_BGF_HEAD) :]),
            lambda data: _BGF_HEAD + gzip.compress(data, 1),
        ),
        "ogxm": (gvformat.write_gvab(gvformat.convert_mat(path)), lambda data: data, lambda data: data),
    }


def wrong_with(data: bytes) -> str:
    """What goes wrong with a file that is neither read nor refused as it should be; empty if nothing does."""
    began = time.process_time()
    try:
        for match in read_bytes(data, "match"):
            for _ in replay(match):
                pass
    except BgraceError as error:
        if isinstance(error.__cause__, MemoryError):
            return "no memory"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    took = time.process_time() - began
    return f"{took:.1f} s" if took > 10 else ""


def main() -> int:
    """Try all of them, and print what went wrong."""
    rounds, seed = (int(word) for word in (*sys.argv[1:], "1000", "0")[:2])
    before = resource.getrlimit(resource.RLIMIT_AS)
    n_wrong = 0
    for name, (whole, unpack, pack) in targets().items():
        (match,) = read_bytes(whole, name)
        assert match.games, name
        used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MAX_MEMORY, before[1]))
        chance, inside = Random(f"{seed} {name}"), unpack(whole)
        for k in range(rounds):
            damaged = readers.changed(inside if k % 2 else whole, whole, chance)
            data = pack(bytes(damaged)) if k % 2 else bytes(damaged)
            wrong = wrong_with(data)
            if wrong:
                n_wrong += 1
                print(f"{name}, round {k}: {wrong}: {data[:60]!r}")
        resource.setrlimit(resource.RLIMIT_AS, before)
    return int(n_wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
