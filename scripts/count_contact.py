"""Count which recorded positions with men behind a bearoff `bgrace risk` answers, and why it refuses the others.

python scripts/count_contact.py FILE...

Files are matches that `bgrace review` reads, or text in which GNU Backgammon IDs stand, as its own exports have them.
Counted are decisions in which one side is all home and the other has men behind, by the number of these.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bgrace.board.text import sides_of_board
from bgrace.contact import risk
from bgrace.errors import PositionError
from bgrace.review.full_board import BAR, START, FullBoard
from bgrace.review.reading import read

ID = re.compile(r"(?:Position ID: |^)([A-Za-z0-9+/]{14})(?:\s+Match ID\s*: |:)([A-Za-z0-9+/]{12})", re.MULTILINE)
REASONS = ("the men behind are in different places", "no checkers but those behind", "men are behind")


def boards(path: Path) -> Iterator[FullBoard]:
    """Every board before a play, or of an ID, seen by the player on roll."""
    if path.suffix == ".txt":
        for found in ID.finditer(path.read_text(encoding="utf-8", errors="replace")):
            mine, theirs, _ = sides_of_board(":".join(found.groups()))
            yield FullBoard(tuple(mine), tuple(theirs))
        return
    for match in read(path):
        for game in match.games:
            board = START
            for action in game.actions:
                board = action.board or board
                if action.kind == "play" and action.moves is not None:
                    yield board
                    try:
                        board = board.moved(action.moves).swapped
                    except PositionError:
                        break  # the file is wrong, and the rest of the game cannot be followed


def n_behind(board: FullBoard) -> int:
    """How many men are behind the side that is all home; 0 if neither is, or in a race."""
    for home, other in ((board.mine, board.theirs), (board.theirs, board.mine)):
        highest = max((point for point, n in enumerate(home, 1) if n), default=BAR)
        if highest <= 6:
            return sum(other[BAR - highest :])
    return 0


def counted(paths: Sequence[Path]) -> Counter[tuple[int, str]]:
    """Positions by the number of men behind and by the answer."""
    counts: Counter[tuple[int, str]] = Counter()
    for path in paths:
        for board in boards(path):
            behind = n_behind(board)
            if not behind:
                continue
            try:
                risk(board)
                answer = "answered"
            except PositionError as error:
                answer = next((reason for reason in REASONS if reason in str(error)), str(error))
            counts[behind, answer] += 1
    return counts


def main() -> None:
    start = time.perf_counter()
    counts = counted([Path(name) for name in sys.argv[1:]])
    for (behind, answer), n in sorted(counts.items()):
        print(f"{behind} behind  {n:7,}  {answer}")
    print(f"{sum(counts.values()):,} positions in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
