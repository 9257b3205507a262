"""Compare with GNU Backgammon: the sums of its files, its values from our files, and its verdicts.

\b
    python scripts/check_gnubg.py sums [--one-sided 9] [--two-sided 9]
    python scripts/check_gnubg.py files [--checkers 8] [--positions 1000]
    python scripts/check_gnubg.py verdicts

`sums` makes bearoff files with the program's own arithmetic, and compares their MD5 sums with the published ones, of
up to 12 points and 10 checkers (tests/golden/gnubg_sums.csv).  13 points take 3.5 GB of disk beside the file itself,
6x11 1.2 GB and as much memory.  Files are made in the folder for temporary files, which TMPDIR names.  The exit status
is 1 if a sum differs.

`files` exports both tables of a database.  Then the program itself, Debian's package gnubg in text mode, evaluates
pairs with them: with the two-sided file the chance to win and the equities at every place of the cube, with the
one-sided file the chances to win and to win a gammon.  The program looks for two-sided files in one folder only, so it
runs in a mount namespace in which that folder has the exported file; unshare, of util-linux, must be allowed to make
one.  The exit status is 1 if an equity differs from the database's by more than four units of 1/32767.5, or a chance
by more than four units of 1/65535.

`verdicts` asks the program about data/recorded-races.txt, with its own files.  bgrace solves each race at the same
stakes within .05 seconds, then with ten times as much, up to 10 seconds, until no verdict can change within the error.
"""

from __future__ import annotations

import hashlib
import json
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
import numpy as np
import numpy.typing as npt
from pages import read_csv
from random_races import RECORDED

import bgrace
from bgrace import Board, Solution
from bgrace.interop import gnubg

ROOT: Final = Path(__file__).resolve().parent.parent
GNUBG: Final = "/usr/games/gnubg"
SHARED: Final = Path("/usr/share/gnubg")
TWO_SIDED_FOLDER: Final = "/var/lib/gnubg"
UNIT: Final = 1 / 32767.5
PART: Final = 1 / 65535
MOST: Final = 4  # units or parts
CLOSE: Final = 1e-5  # smaller losses come from rounding, as the program's numbers are floats
EQUAL: Final = 1e-9

Pairs: TypeAlias = list[tuple[list[int], list[int]]]

# GNU Backgammon runs this: `answer` for each question.  A board lists the opponent's checkers first; the player on roll
# is player 0, and -1 is nobody.
RUNS: Final = """
import gnubg, json
def side(counts):
    return tuple(counts + [0] * (25 - len(counts)))
{answer}
with open({questions!r}) as file:
    questions = json.load(file)
with open({answers!r}, "w") as file:
    json.dump([answer(*each) for each in questions], file)
"""
OF_PAIR: Final = """
context = gnubg.evalcontext({cubeful}, 0, 1, 0, 0.0)
cubes = [gnubg.cubeinfo(1, owner, 0, 0, (0, 0), 0) for owner in (-1, 0, 1)]
def answer(on_roll, opponent):
    board = (side(opponent), side(on_roll))
    chances = list(gnubg.evaluate(board, cubes[0], context)[:2])
    if not {cubeful}:
        return chances
    values = [gnubg.cfevaluate(board, cube, context) for cube in cubes]
    return chances[:1] + [value[1] for value in values] + [values[0][2]]
"""
OF_RACE: Final = """
context = gnubg.evalcontext(1, 2, 1, 0, 0.0)
def answer(on_roll, opponent, value, owner, length, score, crawford, jacoby):
    cube = gnubg.cubeinfo(value, owner, 0, length, tuple(score), crawford)
    cube["jacoby"] = jacoby
    return list(gnubg.cfevaluate((side(opponent), side(on_roll)), cube, context)[1:3])
"""


def ask_program(answer: str, questions: list[Any], before: str = "", options: str = "") -> list[list[float]]:
    """Ask the program; `before` are shell commands that run first, in a mount namespace."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "questions").write_text(json.dumps(questions), encoding="ascii")
        text = RUNS.format(answer=answer, questions=str(folder / "questions"), answers=str(folder / "answers"))
        (folder / "script.py").write_text(text, encoding="ascii")
        command = f"{before}{GNUBG} --tty --quiet --no-rc {options} --python {shlex.quote(str(folder / 'script.py'))}"
        subprocess.run(
            [*(["unshare", "--mount", "--map-root-user"] if before else []), "sh", "-c", command],
            check=True,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env={"HOME": name, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"},
        )
        answers: list[list[float]] = json.loads((folder / "answers").read_text(encoding="ascii"))
        return answers


# ---------------------------------------------------------------------- sums


@click.group(help=__doc__)
def main() -> None:
    """See the head of the file."""


@main.command()
@click.option("--one-sided", default=9)
@click.option("--two-sided", default=9)
def sums(one_sided: int, two_sided: int) -> None:
    rows = read_csv(ROOT / "tests" / "golden" / "gnubg_sums.csv")
    published = {(row["kind"], int(row["points"]), int(row["checkers"])): row["md5"] for row in rows}
    jobs: list[tuple[gnubg.Kind, int, int]] = [("one-sided", points, 15) for points in range(1, one_sided + 1)]
    jobs += [("two-sided", 6, checkers) for checkers in range(1, two_sided + 1)]
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "file.bd")
        for kind, points, checkers in jobs:
            start = time.perf_counter()
            gnubg.generate(path, kind, points, checkers, force=True)
            seconds = time.perf_counter() - start
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "md5").hexdigest()
            expected = published.get((kind, points, checkers))
            verdict = "no published sum" if expected is None else "as published" if found == expected else "WRONG"
            wrong += verdict == "WRONG"
            size = path.stat().st_size
            print(f"{kind}, {points} points, {checkers} checkers: {found} {verdict}; {size:,} bytes in {seconds:.2f} s")
    sys.exit(int(wrong > 0))


# ---------------------------------------------------------------------- files


def ask_with_file(file: Path, pairs: Pairs, *, two_sided: bool) -> npt.NDArray[np.float64]:
    """Ask the program, which has one file of ours, and no file of its own for pairs.

    With a two-sided file: win probability, no double with the cube centered, mine, theirs, and double/take, (n, 5).
    With a one-sided one: chance to win and to win a gammon, (n, 2).
    """
    with tempfile.TemporaryDirectory() as name:
        pair_folder, shared = Path(name, "pairs"), Path(name, "shared")
        pair_folder.mkdir()
        shared.mkdir()
        own = "gnubg_os0.bd"
        for entry in SHARED.iterdir():
            if two_sided or entry.name != own:
                (shared / entry.name).symlink_to(entry)
        before = f"mount --bind {shlex.quote(str(pair_folder))} {TWO_SIDED_FOLDER} && "
        if two_sided:
            (pair_folder / "gnubg_ts.bd").touch()
            before += f"mount --bind {shlex.quote(str(file.resolve()))} {TWO_SIDED_FOLDER}/gnubg_ts.bd && "
        else:
            (shared / own).symlink_to(file.resolve())
        options = f"--pkgdatadir {shlex.quote(str(shared))}"
        return np.array(ask_program(OF_PAIR.format(cubeful=int(two_sided)), pairs, before, options))


def choose_pairs(n: int, space: bgrace.PositionSpace, first: int, seed: int) -> Pairs:
    """Choose pairs of positions with indices from `first` on: the corners of the table, then random ones."""
    last = len(space) - 1
    random = np.random.default_rng(seed)
    indices = [(first, first), (first, last), (last, first), (last, last), *random.integers(first, last + 1, (n, 2))]
    return [(list(space.position(int(i))), list(space.position(int(j)))) for i, j in indices[:n]]


def of_pairs(db: bgrace.Database, pairs: Pairs) -> npt.NDArray[np.float64]:
    """Answer the questions about the two-sided file from the database."""
    on_roll, opponent = (np.array([pair[k] for pair in pairs]) for k in range(2))
    values = [db.win_probability(on_roll, opponent)]
    values += [db.cube_action(on_roll, opponent, cube).no_double for cube in ("centered", "mine", "theirs")]
    return np.stack([*values, np.asarray(db.cube_action(on_roll, opponent).double_take)], axis=1)


def of_single_positions(db: bgrace.Database, pairs: Pairs) -> npt.NDArray[np.float64]:
    """Answer the questions about the one-sided file: the chances that the opponent needs as many rolls, or more."""
    on_roll, opponent = (np.array([pair[k] for pair in pairs]) for k in range(2))
    needs = db.roll_distribution(on_roll)
    chances = []
    for other in (db.roll_distribution(opponent), db.first_checker_distribution(opponent)):
        width = max(needs.shape[1], other.shape[1])
        mine, theirs = (np.pad(rows, ((0, 0), (0, width - rows.shape[1]))) for rows in (needs, other))
        chances.append((mine * np.cumsum(theirs[:, ::-1], axis=1)[:, ::-1]).sum(axis=1))
    return np.stack(chances, axis=1)


@main.command()
@click.option("--checkers", default=8)
@click.option("--positions", default=1000)
def files(checkers: int, positions: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bgrace.build(folder / "pairs.h5", two_sided=checkers)
        with bgrace.open(folder / "pairs.h5") as db:
            gnubg.export(db, folder / "ts.bd", "two-sided", checkers=checkers)
            gnubg.export(db, folder / "os.bd", "one-sided")
            pairs = choose_pairs(positions, bgrace.PositionSpace(db.space.points, checkers), 1, 0)
            units = np.abs(ask_with_file(folder / "ts.bd", pairs, two_sided=True) - of_pairs(db, pairs)).max(axis=0)
            # A probability is half an equity, double/take is twice the value with the cube on the other side.
            units *= np.array([2, 1, 1, 1, 0.5]) / UNIT
            # Against the last position, 15 checkers on the six point, gammons are won.
            some = choose_pairs(max(positions // 20, 4), db.space, len(db.space) // 2, 0)
            some += [(on_roll, some[-1][1]) for on_roll, _ in choose_pairs(len(some), db.space, 1, 1)]
            some += [(on_roll, list(db.space.position(len(db.space) - 1))) for on_roll, _ in some]
            parts = np.abs(ask_with_file(folder / "os.bd", some, two_sided=False) - of_single_positions(db, some))
            parts = parts.max(axis=0) / PART
    print(json.dumps({"pairs": len(pairs), "units": units.round(3).tolist(), "parts": parts.round(3).tolist()}))
    sys.exit(int(max(*units, *parts) > MOST))


# ---------------------------------------------------------------------- verdicts


def question(board: Board) -> list[object]:
    owner = {"centered": -1, "mine": 0, "theirs": 1}[board.cube]
    stakes = [board.match_length, board.score, int(board.crawford), int(bool(board.jacoby))]
    return [list(board.on_roll), list(board.opponent), board.cube_value, owner, *stakes]


def equities(solution: Solution) -> tuple[float, float | None]:
    """Return the equities of rolling now and, if the player may double, of double/take; normalised at a score."""
    action = solution.cube_action()
    choices = action if solution.stakes.score is None else action.normalised
    assert choices is not None
    assert choices.no_double is not None
    return choices.no_double, choices.double_take


def verdict(no_double: float, double_take: float) -> tuple[bool, bool]:
    """Decide whether to double, and whether to take."""
    return min(double_take, 1) > no_double, double_take <= 1


@main.command()
def verdicts() -> None:
    ids = RECORDED.read_text(encoding="ascii").split()
    boards = [bgrace.parse_board(text) for text in ids]
    program = ask_program(OF_RACE, [question(board) for board in boards])
    wrong: list[tuple[float, str]] = []
    n_asked = n_close = 0
    left, seconds = list(range(len(boards))), 0.05
    while left and seconds <= 10:
        again = []
        solutions = bgrace.solve_many([boards[place] for place in left], seconds=seconds)
        for place, solution in zip(left, solutions, strict=True):
            no_double, double_take = equities(solution)
            n_asked += double_take is not None and seconds == 0.05
            if double_take is None:
                continue
            doubled = min(double_take, 1)
            margins = abs(doubled - no_double), abs(double_take - 1)
            if any(EQUAL < margin <= solution.error for margin in margins):
                again.append(place)
                continue
            theirs, ours = verdict(*program[place]), verdict(no_double, double_take)
            lost = sum(margin for margin, a, b in zip(margins, theirs, ours, strict=True) if a != b)
            n_close += 0 < lost <= CLOSE
            if lost > CLOSE:
                wrong.append((lost, f"{ids[place]} {lost:.5f} (+-{solution.error:.6f}): {theirs}, right is {ours}"))
        left, seconds = again, 10 * seconds
    print("\n".join(line for _, line in sorted(wrong, reverse=True)[:20]))
    print(
        f"{len(ids):,} races; in {n_asked:,} the player may double; undecided {len(left):,}; (double, take) is wrong in"
    )
    for least in (0, 0.001, 0.005, 0.01, 0.02):
        print(f"{sum(loss > least for loss, _ in wrong):,} that lose more than {least:g}")
    print(f"{n_close:,} that lose less than {CLOSE:g}; all lose {sum(loss for loss, _ in wrong):.3f}")


if __name__ == "__main__":
    main()
