"""Compare GNU Backgammon that asks bgrace (examples/gnubg) with the unchanged program, and with `bgrace.solve`.

    python scripts/check_in_gnubg.py FOLDER [--plies N]

FOLDER is where examples/gnubg/build.sh has built both programs.  Each analyses the matches of the tests.  For each
match this prints the processor time of both programs; the number of contact decisions without a play to a race, and
how many of them differ in a digit (with --plies 2 the search looks further, and races change some); and how far race
cube decisions are from `bgrace.solve` within .3 seconds.

The exit status is 1 if a contact decision differs at 0 plies, if the programs decide differently where both errors
leave no doubt, or if more than 1 of 100 values differ by more than the stated error of the program.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

import bgrace
from bgrace.match.stakes import Stakes
from bgrace_apps.review import read
from bgrace_apps.review.full_board import START, FullBoard
from bgrace_apps.review.reading.gnubg import nodes
from bgrace_apps.review.records import Match, RecordedGame
from bgrace_apps.review.replay import RaceDecision, replay

MATCHES: Final = Path(__file__).parents[1] / "data/matches"
COMMANDS: Final = """
import mat {match}
set analysis chequerplay evaluation plies {plies}
set analysis cubedecision evaluation plies {plies}
analyse match
save match {saved}
"""
DATA: Final = ("-P", "/usr/share/gnubg", "-D", "/usr/share")
OWN_ERROR: Final = 0.03  # of an answer by turns within BGRACE_SECONDS, normalised


def analyse(program: Path, match: Path, saved: Path, plies: int) -> float:
    """Let a program analyse and save a match, and return its seconds of processor time."""
    commands = saved.with_suffix(".commands")
    commands.write_text(COMMANDS.format(match=match, plies=plies, saved=saved), encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [str(program), "-t", "-q", "-r", *DATA, "-c", str(commands)]
    environment = {**os.environ, "HOME": str(saved.parent)}
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def boards(game: RecordedGame) -> Iterator[tuple[FullBoard, bool]]:
    """Follow a game: the board that the player of each action sees, and whether it or a play from it is a race."""
    board, turn = START, -1
    for action in game.actions:
        mine = board if turn in (-1, action.player) else board.swapped
        after = [mine.moved(play.moves).is_race for play in action.plays]
        yield mine, mine.is_race or any(after)
        if action.kind == "play" and action.moves is not None:
            board, turn = mine.moved(action.moves).swapped, 1 - action.player


def contact(match: Match, plain: Path, other: Path) -> tuple[int, int]:
    """Count the contact decisions without a play to a race, and those of them that differ."""
    n = different = 0
    trees = zip(*(nodes(path.read_text(encoding="utf-8")) for path in (plain, other)), strict=True)
    for game, pair in zip(match.games, trees, strict=True):
        turns = [[node for node in tree if "W" in node or "B" in node] for tree in pair]
        for (_, race), *each in zip(boards(game), *turns, strict=True):
            if not race:
                n += 1
                different += any(each[0].get(name) != each[1].get(name) for name in ("A", "DA"))
    return n, different


def cube_decisions(match: Match) -> list[RaceDecision]:
    return [each for game in replay(match) for each in game.decisions if each.kind == "cube" and each.engine_cube]


def compare(decision: RaceDecision) -> tuple[float, float, bool]:
    """Return the greatest difference, normalised; the error of the solution; whether a sure decision differs."""
    stakes, theirs = Stakes.of(decision.board), decision.engine_cube
    assert theirs is not None
    solution = bgrace.solve(decision.board, seconds=0.3)
    action = solution.cube_action(decision.board.cube)
    assert action.double_take is not None
    assert action.double_pass is not None

    def points(value: float) -> float:
        normalised = stakes.normalised(value)
        return value if normalised is None else normalised

    off = max(
        abs(points(theirs.no_double) - points(action.no_double)),
        abs(points(theirs.double_take) - points(action.double_take)),
    )
    gain = abs(points(min(action.double_take, action.double_pass)) - points(action.no_double))
    doubles = min(theirs.double_take, action.double_pass) >= theirs.no_double
    return off, solution.error, gain > 2 * (solution.error + OWN_ERROR) and doubles != action.double


@click.command(help=__doc__)
@click.argument("programs", type=click.Path(path_type=Path))
@click.option("--plies", default=0)
def main(programs: Path, plies: int) -> None:
    n_wrong, offs = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for match in sorted(MATCHES.glob("*.mat")):
            saved = {kind: Path(folder, f"{match.stem}-{kind}.sgf") for kind in ("plain", "bgrace")}
            spent = {
                kind: analyse(programs / kind / "gnubg", match.resolve(), path, plies) for kind, path in saved.items()
            }
            (found,) = read(saved["bgrace"])
            n, different = contact(found, saved["plain"], saved["bgrace"])
            compared = [compare(each) for each in cube_decisions(found)]
            offs += [off for off, _, _ in compared]
            beyond = sum(off > error + OWN_ERROR for off, error, _ in compared)
            wrong = sum(other for *_, other in compared)
            n_wrong += wrong + (different if plies == 0 else 0)
            print(
                f"{match.stem}: {spent['plain']:.2f} s unchanged, {spent['bgrace']:.2f} s with bgrace; {n} contact "
                f"decisions, {different} differ; {len(compared)} race cube decisions off by at most "
                f"{max((off for off, _, _ in compared), default=0):.4f}, {beyond} beyond their error, {wrong} wrong",
                flush=True,
            )
    sys.exit(int(n_wrong > 0 or sum(off > OWN_ERROR for off in offs) > 0.01 * len(offs)))


if __name__ == "__main__":
    main()
