"""Give the readers of packed matches damaged ones: .xg, .bgf, .ogxm, in a process that may have so much more memory.

    python scripts/attacks/packed.py [ROUNDS] [SEED]

So are what .xg and .bgf have packed, before it is packed again.  readers.py says what has to hold, and prints what
does not; the exit status is 1 then.
"""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "scripts")]

from helpers.xg_file import xg_bytes

from attacks import limit_memory, readers
from bgrace.review import Match, read
from bgrace.review.reading import read_bytes

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


def targets() -> Iterator[readers.Target]:
    """A file of each kind, and what is packed in it."""
    path = ROOT / "tests" / "review" / "matches" / "3-102.mat"
    (match,) = read(path)
    gvformat = import_module("gvformat")
    xg, unpacked = xg_bytes(match), b":)\n\x00" + smile(bgf_document(match))
    ogxm = gvformat.write_gvab(gvformat.convert_mat(path))

    def pack_xg(data: bytes) -> bytes:
        return xg[:_XG_HEADER] + zlib.compress(data, 1)

    def pack_bgf(data: bytes) -> bytes:
        return _BGF_HEAD + gzip.compress(data, 1)

    for name, whole in (("xg", xg), ("bgf", pack_bgf(unpacked)), ("ogxm", ogxm)):
        assert next(iter(read_bytes(whole, name))).games, name
        yield readers.Target(name, readers.read_match, (whole,))
    yield readers.Target(
        "inside xg", lambda data: readers.read_match(pack_xg(data)), (zlib.decompress(xg[_XG_HEADER:]),)
    )
    yield readers.Target("inside bgf", lambda data: readers.read_match(pack_bgf(data)), (unpacked,))


def main() -> int:
    """Try all of them, and print what went wrong."""
    rounds, seed = (int(word) for word in (*sys.argv[1:], "1000", "0")[:2])
    tried = list(targets())
    limit_memory(MAX_MEMORY)
    return int(sum(readers.fuzz(target, rounds, seed) for target in tried) > 0)


if __name__ == "__main__":
    sys.exit(main())
