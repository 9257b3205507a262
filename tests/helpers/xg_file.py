"""Write matches in the format of eXtreme Gammon, as far as its vendor describes it, without analysis.

A file has a header, a picture (none here), and compressed records of 2,560 bytes: of the match, and of each game,
double and play.
"""

from __future__ import annotations

import struct
import zlib

from bgrace_apps.review import Match

_RECORD = 2560
_HEADER = 8232


def xg_bytes(match: Match) -> bytes:
    """Write a match."""
    head = _record(0)
    for offset, name in ((880, match.players[0]), (1138, match.players[1])):
        coded = name.encode("utf-16-le")
        head[offset : offset + len(coded)] = coded
    for offset, number in ((92, match.length), (552, 30), (612, -1)):  # the version, and no limit of the cube
        struct.pack_into("<i", head, offset, number)
    head[100] = 1  # with a Crawford game
    records = [head]
    for game in match.games:
        start = _record(1)
        struct.pack_into("<ii", start, 12, *game.score)
        automatic = next((action.number or 1 for action in game.actions if action.kind == "cube"), 1).bit_length() - 1
        struct.pack_into("<iiiii", start, 48, game.number, 0, 0, 0, automatic)
        records.append(start)
        for k, action in enumerate(game.actions):
            side = 1 if action.player == 0 else -1
            if action.kind == "double":
                taken = int(game.actions[k + 1].kind == "take")
                records.append(_record(2, 12, (side, 1, taken)))
            elif action.kind == "play":
                records.append(_play(side, action.roll or (0, 0), action.moves or ()))
        winner, points = game.result or (0, 0)
        records.append(_record(4, 24, (1 if winner == 0 else -1, points, 0)))
    records.append(_record(5, 12, match.games[-1].final or (0, 0)))
    first = bytearray(_HEADER)
    first[:4] = b"RGMH"
    struct.pack_into("<II", first, 4, 1, _HEADER)
    return bytes(first) + zlib.compress(b"".join(records))


def _record(kind: int, offset: int = 0, numbers: tuple[int, ...] = ()) -> bytearray:
    record = bytearray(_RECORD)
    record[8] = kind
    struct.pack_into(f"<{len(numbers)}i", record, offset, *numbers)
    return record


def _play(side: int, roll: tuple[int, int], moves: tuple[tuple[int, int], ...]) -> bytearray:
    record = _record(3, 100, roll)
    places = [place - 1 for move in moves for place in move]  # counted from 0; the bar is 24, off is -1
    coded = struct.pack("<8b", *places, *[-1] * (8 - len(places)))
    struct.pack_into("<i", record, 64, side)
    struct.pack_into("<i", record, 120, 1)
    record[68:76] = record[1024:1032] = coded
    return record
