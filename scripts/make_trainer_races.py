"""Write bgrace/web/site/races.json: recorded races that the trainer draws its questions from.

    python scripts/make_trainer_races.py

Taken evenly from data/recorded-races.txt (data/SOURCES.md says where that is from), each position once; half of them
with at most 8 checkers a side, which the database that `bgrace web` makes answers exactly.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from bgrace.board import Board, parse_board

ROOT: Final = Path(__file__).resolve().parent.parent
TARGET: Final = ROOT / "bgrace" / "web" / "site" / "races.json"
EACH: Final = 240
EXACT_CHECKERS: Final = 8


def every(boards: list[Board], n: int) -> list[Board]:
    """Take so many, evenly spaced."""
    return [boards[k * len(boards) // n] for k in range(n)]


def main() -> None:
    text = (ROOT / "data" / "recorded-races.txt").read_text(encoding="utf-8")
    boards: dict[object, Board] = {}
    for line in text.splitlines():
        board = parse_board(line)
        if min(board.on_roll.pips, board.opponent.pips) >= 10:  # below, there is little to decide
            boards.setdefault((board.on_roll, board.opponent), board)
    short = [board for board in boards.values() if _checkers(board) <= EXACT_CHECKERS]
    long = [board for board in boards.values() if _checkers(board) > EXACT_CHECKERS]
    ids = [board.xgid().removeprefix("XGID=") for board in (*every(short, EACH), *every(long, EACH))]
    table = {"source": "recorded races: data/SOURCES.md of bgrace", "ids": ids}
    TARGET.write_text(json.dumps(table, indent=0) + "\n", encoding="utf-8")
    print(f"{TARGET.relative_to(ROOT)}: {len(ids)} of {len(boards):,} races ({len(short):,} short)")


def _checkers(board: Board) -> int:
    return max(board.on_roll.checkers, board.opponent.checkers)


if __name__ == "__main__":
    main()
