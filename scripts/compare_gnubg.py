"""The verdicts of GNU Backgammon in recorded races, and what each that is wrong costs.

    python scripts/compare_gnubg.py RACES [--every N] [--plies 2] [--judge S] [--list FILE]

RACES has one GNU Backgammon position ID and match ID a line.  Each is evaluated by the program, Debian's package gnubg
in text mode with its own bearoff files, and solved by `bgrace.solve`, with the same match equity table and at the
stakes that the ID names, in as small a budget as makes our verdict certain, up to --judge seconds.  What the program's
verdict costs is by the closest solution.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import bgrace
from bgrace import Board, Solution
from bgrace.board import Position

GNUBG: Final = "/usr/games/gnubg"
CLOSE: Final = 1e-5  # losses below are those of rounding, the program's numbers being floats
EQUAL: Final = 1e-9
SHORTEST: Final = 0.05  # seconds

# Runs inside GNU Backgammon.  A board lists the opponent's checkers first; the player on roll is player 0.
QUESTIONS: Final = """
import gnubg, json
with open({asked!r}) as file:
    races = json.load(file)
context = gnubg.evalcontext(1, {plies}, 1, 0, 0.0)
answers = []
for race in races:
    cube = gnubg.cubeinfo(race["value"], race["owner"], 0, race["length"], tuple(race["score"]), race["crawford"])
    cube["jacoby"] = race["jacoby"]
    board = tuple(race["opponent"]), tuple(race["on_roll"])
    answers.append(list(gnubg.cfevaluate(board, cube, context)[1:4]))
with open({answers!r}, "w") as file:
    json.dump(answers, file)
"""


def side(position: Position) -> list[int]:
    return [*position, *[0] * (25 - len(position))]


def question(board: Board) -> dict[str, object]:
    return {
        "on_roll": side(board.on_roll),
        "opponent": side(board.opponent),
        "value": board.cube_value,
        "owner": {"centered": -1, "mine": 0, "theirs": 1}[board.cube],
        "length": board.match_length,
        "score": board.score,
        "crawford": int(board.crawford),
        "jacoby": int(bool(board.jacoby)),
    }


def ask_program(boards: list[Board], plies: int) -> list[list[float]]:
    """Rolling now, double/take and double/pass of each race."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked, answered, script = folder / "asked.json", folder / "answers.json", folder / "questions.py"
        asked.write_text(json.dumps([question(board) for board in boards]), encoding="ascii")
        script.write_text(QUESTIONS.format(asked=str(asked), answers=str(answered), plies=plies), encoding="ascii")
        subprocess.run(
            [GNUBG, "--tty", "--quiet", "--no-rc", "--python", str(script)],
            check=True,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env={"HOME": name, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"},
        )
        answers: list[list[float]] = json.loads(answered.read_text(encoding="ascii"))
        return answers


def equities(solution: Solution) -> tuple[float, float | None]:
    """Rolling now, and double/take where the player may double; normalised at a score."""
    action = solution.cube_action()
    if solution.stakes.score is None:
        return action.no_double, action.double_take
    choices = action.normalised
    assert choices is not None
    assert choices.no_double is not None  # of a table that tells winning from losing
    return choices.no_double, choices.double_take


def verdict(no_double: float, double_take: float | None) -> tuple[bool, bool]:
    """Whether to double, and whether to take."""
    if double_take is None:
        return False, True
    return min(double_take, 1) > no_double, double_take <= 1


def cost(chosen: tuple[bool, bool], no_double: float, double_take: float | None) -> tuple[float, float]:
    """What a verdict costs the one who doubles or not, and the one who would take or pass."""
    if double_take is None:
        return 0.0, 0.0
    doubled = min(double_take, 1)
    first = max(doubled, no_double) - (doubled if chosen[0] else no_double)
    return first, abs(double_take - 1) if chosen[1] != (double_take <= 1) else 0.0


class Judged(NamedTuple):
    """The verdict of a race, and how far its choices are apart."""

    ours: tuple[bool, bool]
    own: tuple[float, float | None]
    error: float

    @property
    def certain(self) -> bool:
        """Whether neither choice can turn within the error; equal ones, as with a dead cube, don't count."""
        no_double, double_take = self.own
        if double_take is None:
            return True
        margins = abs(min(double_take, 1) - no_double), abs(double_take - 1)
        return all(margin > self.error or margin < EQUAL for margin in margins)


def settle(boards: list[Board], longest: float) -> Iterator[tuple[int, Judged]]:
    """Each race's place and verdict, by as small a budget as makes it certain."""
    left, seconds = list(range(len(boards))), SHORTEST
    while left:
        print(f"{len(left):,} races in {seconds:g} s each", flush=True)
        again: list[int] = []
        last = seconds >= longest
        for place, solution in zip(
            left, bgrace.solve_many([boards[place] for place in left], seconds=seconds), strict=True
        ):
            own = equities(solution)
            judged = Judged(verdict(*own), own, solution.error)
            if judged.certain or last:
                yield place, judged
            else:
                again.append(place)
        left, seconds = again, min(10 * seconds, longest)


def compare_verdicts(ids: list[str], boards: list[Board], plies: int, longest: float, path: Path | None) -> None:
    """Print how often the program's verdict is wrong, and write which to `path`."""
    program = ask_program(boards, plies)
    wrong: list[tuple[float, str]] = []
    asked = certain = small = 0
    for place, judged in settle(boards, longest):
        no_double, double_take = judged.own
        if double_take is None:
            continue
        asked += 1
        certain += judged.certain
        other = verdict(*program[place][:2])
        lost = cost(other, no_double, double_take)
        if not judged.certain or sum(lost) == 0 or not sum(lost) > CLOSE:
            small += judged.certain and sum(lost) > 0
            continue
        closest = bgrace.solve(boards[place], seconds=longest)
        lost = cost(other, *equities(closest))
        text = f"{ids[place]} {sum(lost):.5f} {name(other)}, right is {name(judged.ours)}"
        wrong.append((sum(lost), f"{text} (+-{closest.error:.6f})"))
    wrong.sort(reverse=True)
    lines = [line for _, line in wrong]
    print("\n".join(lines[:20]))
    if path is not None:
        path.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    print(
        f"{len(ids):,} races; in {asked:,} the player may double; certain {certain:,}, "
        f"not within {longest:g} s {asked - certain:,}"
    )
    for least in (0, 0.001, 0.005, 0.01, 0.02):
        print(f"the program's verdict loses more than {least:g}: {sum(loss > least for loss, _ in wrong):,}")
    print(f"and less than {CLOSE:g}: {small:,}; in all lost {sum(loss for loss, _ in wrong):.3f}")


def name(chosen: tuple[bool, bool]) -> str:
    """In words."""
    return f"{'double' if chosen[0] else 'no double'}, {'take' if chosen[1] else 'pass'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("races", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take one race in this many")
    parser.add_argument("--plies", type=int, default=2)
    parser.add_argument("--judge", type=float, default=30.0, help="the largest budget of an answer, in seconds")
    parser.add_argument("--list", type=Path, help="where to write the program's wrong verdicts")
    chosen = parser.parse_args()
    ids = chosen.races.read_text(encoding="ascii").split()[:: chosen.every]
    boards = [bgrace.parse_board(text) for text in ids]
    compare_verdicts(ids, boards, chosen.plies, chosen.judge, chosen.list)


if __name__ == "__main__":
    main()
