"""Write matches in the format of BGBlitz, as far as gammonview reads it: a line of JSON, and a tree in Smile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bgrace_apps.review import Match
from bgrace_apps.review.full_board import START

_HEADER = b'{"format":"BGF","version":"1.0","compress":false,"useSmile":true}\n:)\n\x00'
_START = [START.mine[23 - k] - START.theirs[k] for k in range(24)]
"""Green's checkers are positive; the first point is Red's ace point."""


def bgf_bytes(match: Match, start: Sequence[int] = _START, **others: Any) -> bytes:
    """Write a match of Green against Red, with other fields, and games from another start."""
    games = [
        {
            "scoreGreen": game.score[0],
            "scoreRed": game.score[1],
            "isCrawford": bool(game.crawford),
            "wonPoints": game.result[1] if game.result else 0,
            "initial": {"points": [*start, 0, 0], "cube": 1, "cubeOwner": 0},
            "moves": [move for k in range(len(game.actions)) for move in _moves(game.actions, k)],
        }
        for game in match.games
    ]
    green, red = match.games[-1].final or (0, 0)
    fields = {"nameGreen": match.players[0], "nameRed": match.players[1], "matchlen": match.length, "games": games}
    return _HEADER + _smile({**fields, "finalGreen": green, "finalRed": red, **others})


def _moves(actions: Any, k: int) -> list[dict[str, Any]]:
    action, after = actions[k], [each.kind for each in actions[k + 1 : k + 2]]
    player = 1 if action.player else -1
    if action.kind == "double":
        cube = {"hasDoubled": True, **({"hasAccepted": after == ["take"]} if after else {})}
        sides = (player, -player) if after else (player,)
        return [{"player": side, "from": [-1] * 4, "equity": {"cubeDecision": cube}} for side in sides]
    if action.kind != "play":
        return []
    red, green = action.roll
    starts, ends = zip(*action.moves, strict=True) if action.moves else ((red,), (green,))
    move = {"player": player, "red": red, "green": green, "from": [*starts, -1, -1, -1], "to": [*ends, -1, -1, -1]}
    return [move if action.moves else {**move, "dancingEquity": {}}]


def _smile(value: Any) -> bytes:
    if isinstance(value, bool):
        return b"\x23" if value else b"\x22"
    if isinstance(value, int):  # zigzag encoding in 6 bits
        return bytes([0x24, 0x80 + (2 * value if value >= 0 else -2 * value - 1)])
    if isinstance(value, str):
        return b"\xe4" + value.encode() + b"\xfc"
    if isinstance(value, list):
        return b"\xf8" + b"".join(map(_smile, value)) + b"\xf9"
    items = (bytes([0x7F + len(name)]) + name.encode() + _smile(each) for name, each in value.items())
    return b"\xfa" + b"".join(items) + b"\xfb"
