"""Write bgrace_apps/web/site/races.json: the recorded positions of the trainer's questions.

    python scripts/make_trainer_races.py

The positions are taken evenly from data/recorded-races.txt (data/SOURCES.md names its source), each once; half of them
have at most 8 checkers a side, which the database that `bgrace web` makes answers exactly.  Bearoffs against men
behind come from data/recorded-bearoffs.txt in the same way, with their rolls.  Traps are the positions in which
Keith's count is wrong for money: a reference player who doubles and takes by it loses most there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from random_races import recorded

from bgrace.board import Board
from bgrace.board.text import sides_of_board
from bgrace.counts import keith
from bgrace_apps.review.full_board import FullBoard
from bgrace_apps.web import cached_database

ROOT: Final = Path(__file__).resolve().parent.parent
TARGET: Final = ROOT / "bgrace_apps" / "web" / "site" / "races.json"
EACH: Final = 240
EXACT_CHECKERS: Final = 8
TRAPS: Final = 80
COSTLY: Final = 0.01
"""Least loss of a trap, in points."""


def every(boards: list[Board], n: int) -> list[Board]:
    """Take n of the boards, evenly spaced."""
    return [boards[k * len(boards) // n] for k in range(n)]


def main() -> None:
    boards: dict[object, Board] = {}
    for board in recorded():
        if min(board.on_roll.pips, board.opponent.pips) >= 10:  # below, there is little to decide
            boards.setdefault((board.on_roll, board.opponent), board)
    short = [board for board in boards.values() if _checkers(board) <= EXACT_CHECKERS]
    long = [board for board in boards.values() if _checkers(board) > EXACT_CHECKERS]
    ids = [_id(board) for board in (*every(short, EACH), *every(long, EACH))]
    lines = (ROOT / "data" / "recorded-bearoffs.txt").read_text(encoding="utf-8").split()
    bearoffs = [_bearoff(lines[k * len(lines) // EACH]) for k in range(EACH)]
    traps = {kind: [_id(board) for board in listed] for kind, listed in _traps(short).items()}
    source = "recorded races: data/SOURCES.md of bgrace"
    table = {"source": source, "ids": ids, "bearoffs": bearoffs, "traps": traps}
    TARGET.write_text(json.dumps(table, indent=0) + "\n", encoding="utf-8")
    print(f"{TARGET.relative_to(ROOT)}: {len(ids)} of {len(boards):,} races ({len(short):,} short), {EACH} bearoffs")


def _id(board: Board) -> str:
    return board.xgid().removeprefix("XGID=")


def _traps(boards: list[Board]) -> dict[str, list[Board]]:
    """Find the boards where Keith's count doubles or takes wrongly for money, with the cube in the middle."""
    traps: dict[str, list[Board]] = {"double": [], "take": []}
    with cached_database() as db:
        for board in boards:
            if max(board.on_roll.highest, board.opponent.highest) > db.space.points:
                continue
            action, count = db.cube_action(board.on_roll, board.opponent), keith(board.on_roll, board.opponent)
            for kind, margin, advised in (
                ("double", action.double_margin, count.double),
                ("take", action.take_margin, count.take),
            ):
                if margin is not None and abs(margin) > COSTLY and (margin > 0) != advised:
                    traps[kind].append(board)
    return {kind: every(listed, min(TRAPS, len(listed))) for kind, listed in traps.items()}


def _bearoff(text: str) -> str:
    on_roll, opponent, state = sides_of_board(text)
    return FullBoard(tuple(on_roll), tuple(opponent)).xgid(state.roll).removeprefix("XGID=")


def _checkers(board: Board) -> int:
    return max(board.on_roll.checkers, board.opponent.checkers)


if __name__ == "__main__":
    main()
