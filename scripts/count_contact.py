"""Count which recorded positions with men behind a bearoff `bgrace risk` answers, and why it refuses the others.

python scripts/count_contact.py [--losses] FILE_OR_FOLDER...

Files are matches that `bgrace review` reads, or text in which GNU Backgammon IDs stand, as its own exports have them.
Counted are decisions in which one side is all home and the other has men behind, by the number of these.  With --losses
(for exports with an analysis): what the safest play gives away, where two plays or more were looked at with 4-ply.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bgrace.board.position import Position
from bgrace.board.text import sides_of_board
from bgrace.contact import risk
from bgrace.errors import PositionError
from bgrace.review.full_board import BAR, START, FullBoard
from bgrace.review.reading import read

ID = re.compile(r"(?:Position ID: |^)([A-Za-z0-9+/]{14})(?:\s+Match ID\s*: |:)([A-Za-z0-9+/]{12})", re.MULTILINE)
LISTED = re.compile(r"^[* ]\s+\d+\. Cubeful 4-ply\s+([0-9/*() off]+?)\s+Eq\.:\s+([+-][\d.]+)", re.MULTILINE)
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


def losses(paths: Sequence[Path]) -> tuple[list[float], int, int, int]:
    """What the safest play gives away, rising, and in how many decisions the best takes at least .02 more risk.

    The last two: decisions with a play that leaves no shot, and those of them where the safest one in the long run
    leaves one.
    """
    given: list[float] = []
    n_riskier = n_safe = n_paid = 0
    for path in paths:
        texts = ID.split(path.read_text(encoding="utf-8", errors="replace"))
        for position, match, text in zip(texts[1::3], texts[2::3], texts[3::3], strict=True):
            mine, theirs, state = sides_of_board(f"{position}:{match}")
            try:
                known = risk(FullBoard(tuple(mine), tuple(theirs)))
            except PositionError:
                continue
            if not known.on_roll or state.roll is None:
                continue
            plays = known.plays(state.roll)
            if len(plays) > 1 and any(not play.shots for play in plays):
                n_safe += 1
                n_paid += plays[0].shots > 0
            equities = analysed(text, known.position)
            rated = {play: equities[key] for play in plays if (key := (play.position, "*" in play.play)) in equities}
            if plays[0] in rated and len(rated) > 1:
                best = max(rated, key=lambda play: rated[play])
                given.append(rated[best] - rated[plays[0]])
                n_riskier += best.least > plays[0].least + 0.02
    return sorted(given), n_riskier, n_safe, n_paid


def analysed(text: str, start: Position) -> dict[tuple[tuple[int, ...], bool], float]:
    """Equities at 4-ply, by what a play leaves and whether it hits."""
    equities = {}
    for moves, equity in LISTED.findall(text.partition("Move number")[0]):
        counts = list(start)
        for token in moves.replace("*", "").split():
            route, _, times = token.rstrip(")").partition("(")
            first, *_, last = route.split("/")
            counts[int(first) - 1] -= int(times or 1)
            if last != "off":
                counts[int(last) - 1] += int(times or 1)
        equities[tuple(counts), "*" in moves] = float(equity)
    return equities


def files(names: Sequence[str]) -> list[Path]:
    """Files, and those in folders."""
    listed = [sorted(Path(name).rglob("*.*")) if Path(name).is_dir() else [Path(name)] for name in names]
    return [path for paths in listed for path in paths if path.suffix != ".md"]


def main() -> None:
    start = time.perf_counter()
    if sys.argv[1] == "--losses":
        given, n_riskier, n_safe, n_paid = losses(files(sys.argv[2:]))
        n = len(given)
        print(f"{n:,} decisions: the safest play is the best in {sum(loss < 1e-9 for loss in given) / n:.1%}")
        print(f"it gives away {sum(given) / n:.4f} on average, {given[int(0.95 * n)]:.3f} in one of twenty")
        print(f"the best takes at least .02 more risk in {n_riskier / n:.1%}")
        print(f"a shot is the safest in the long run in {n_paid} of {n_safe:,} with a play that leaves none")
        return
    counts = counted(files(sys.argv[1:]))
    for (behind, answer), n in sorted(counts.items()):
        print(f"{behind} behind  {n:7,}  {answer}")
    print(f"{sum(counts.values()):,} positions in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
