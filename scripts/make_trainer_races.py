"""Write bgrace/web/site/races.json: recorded positions that the trainer draws its questions from.

    python scripts/make_trainer_races.py

Taken evenly from data/recorded-races.txt (data/SOURCES.md says where that is from), each position once; half of them
with at most 8 checkers a side, which the database that `bgrace web` makes answers exactly.  So are bearoffs against men
behind from data/recorded-bearoffs.txt, with their rolls.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from bgrace.board import Board, parse_board
from bgrace.board.text import sides_of_board
from bgrace.review.full_board import FullBoard

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
    lines = (ROOT / "data" / "recorded-bearoffs.txt").read_text(encoding="utf-8").split()
    bearoffs = [_bearoff(lines[k * len(lines) // EACH]) for k in range(EACH)]
    table = {"source": "recorded races: data/SOURCES.md of bgrace", "ids": ids, "bearoffs": bearoffs}
    TARGET.write_text(json.dumps(table, indent=0) + "\n", encoding="utf-8")
    print(f"{TARGET.relative_to(ROOT)}: {len(ids)} of {len(boards):,} races ({len(short):,} short), {EACH} bearoffs")


def _bearoff(text: str) -> str:
    on_roll, opponent, state = sides_of_board(text)
    return FullBoard(tuple(on_roll), tuple(opponent)).xgid(state.roll).removeprefix("XGID=")


def _checkers(board: Board) -> int:
    return max(board.on_roll.checkers, board.opponent.checkers)


if __name__ == "__main__":
    main()
