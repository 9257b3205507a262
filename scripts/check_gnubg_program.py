"""Have GNU Backgammon itself evaluate pairs of positions with a bearoff file of ours, and compare.

python scripts/check_gnubg_program.py [--checkers 8] [--positions 1000] [--seed 0] [--database FILE.h5]

A database of all pairs of so many checkers a side is built (or the one that is named is taken), its two-sided table is
exported, and the program, Debian's package gnubg in text mode, is asked for the chance to win and for the equities of
every place of the cube, which takes it a hundredth of a second a question.  It knows one folder for two-sided files
only, so it runs in a mount namespace in which the exported file is in that folder: unshare, of util-linux, must be
allowed to make one.  The exit status is 1 if a value is further from the database's than four units of 1/32767.5.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import bgrace
from bgrace.interop import gnubg

GNUBG: Final = "/usr/games/gnubg"
FOLDER: Final = "/var/lib/gnubg"
UNIT: Final = 1 / 32767.5
MOST_UNITS: Final = 4

# Runs inside GNU Backgammon.  A board lists the opponent's checkers first; cube owners: nobody, the player on roll
# (who is player 0 here), the other.
QUESTIONS: Final = """
import gnubg, json
with open({pairs!r}) as file:
    pairs = json.load(file)
def side(counts):
    return tuple(counts + [0] * (25 - len(counts)))
context = gnubg.evalcontext(1, 0, 1, 0, 0.0)
answers = []
for on_roll, opponent in pairs:
    board = (side(opponent), side(on_roll))
    cubes = [gnubg.cubeinfo(1, owner, 0, 0, (0, 0), 0) for owner in (-1, 0, 1)]
    win = gnubg.evaluate(board, cubes[0], context)[0]
    values = [gnubg.cfevaluate(board, cube, context) for cube in cubes]
    answers.append([win] + [value[1] for value in values] + [values[0][2]])
with open({answers!r}, "w") as file:
    json.dump(answers, file)
"""


def ask_program(file: Path, pairs: list[tuple[list[int], list[int]]]) -> npt.NDArray[np.float64]:
    """Ask for win probability, no double with the cube centered, mine, theirs, and double/take: (n, 5)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked, answered, script = folder / "pairs.json", folder / "answers.json", folder / "questions.py"
        asked.write_text(json.dumps(pairs), encoding="ascii")
        script.write_text(QUESTIONS.format(pairs=str(asked), answers=str(answered)), encoding="ascii")
        data = folder / "data"
        data.mkdir()
        (data / "gnubg_ts.bd").touch()
        commands = (
            f"mount --bind {shlex.quote(str(data))} {FOLDER}"
            f" && mount --bind {shlex.quote(str(file.resolve()))} {FOLDER}/gnubg_ts.bd"
            f" && {GNUBG} --tty --quiet --no-rc --python {shlex.quote(str(script))}"
        )
        subprocess.run(
            ["unshare", "--mount", "--map-root-user", "sh", "-c", commands],
            check=True,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env={"HOME": name, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"},
        )
        answers: npt.NDArray[np.float64] = np.array(json.loads(answered.read_text(encoding="ascii")))
        return answers


def choose_pairs(n: int, n_positions: int, seed: int) -> list[tuple[int, int]]:
    """Indices of pairs: the corners of the table, the rest at random; nobody has finished."""
    last = n_positions - 1
    random = np.random.default_rng(seed)
    corners = [(1, 1), (1, last), (last, 1), (last, last)]
    return (corners + [(int(i), int(j)) for i, j in random.integers(1, n_positions, (n, 2))])[:n]


def our_answers(db: bgrace.Database, pairs: list[tuple[list[int], list[int]]]) -> npt.NDArray[np.float64]:
    """Give the same from the database."""
    on_roll, opponent = (np.array([pair[k] for pair in pairs]) for k in range(2))
    values = [db.win_probability(on_roll, opponent)]
    values += [db.cube_action(on_roll, opponent, cube).no_double for cube in ("centered", "mine", "theirs")]
    values.append(db.cube_action(on_roll, opponent).double_take)
    return np.stack(values, axis=1)


def compare(db: bgrace.Database, file: Path, checkers: int, n: int, seed: int) -> dict[str, Any]:
    """Export, ask, and tell the greatest differences in units."""
    gnubg.export(db, file, "two-sided", checkers=checkers, force=True)
    space = bgrace.PositionSpace(db.space.points, checkers)
    pairs = [(list(space.position(i)), list(space.position(j))) for i, j in choose_pairs(n, len(space), seed)]
    differences = np.abs(ask_program(file, pairs) - our_answers(db, pairs)).max(axis=0) / UNIT
    # A probability is half an equity, double/take is twice the value with the cube on the other side.
    differences *= [2, 1, 1, 1, 0.5]
    names = ("cubeless", "centered", "mine", "theirs", "double/take")
    return {
        "file": str(file),
        "file_size": file.stat().st_size,
        "pairs": len(pairs),
        "units": {name: round(float(value), 3) for name, value in zip(names, differences, strict=True)},
        "passed": bool((differences <= MOST_UNITS).all()),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkers", type=int, default=8, help="checkers a side, 1 to 12; 8 unless given")
    parser.add_argument("--positions", type=int, default=1000, help="how many pairs; 1000 unless given")
    parser.add_argument("--seed", type=int, default=0, help="which pairs")
    parser.add_argument("--database", type=Path, help="a database with these pairs, instead of one built now")
    parser.add_argument("--folder", type=Path, help="where the files are made; a temporary folder unless given")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        database = arguments.database
        if database is None:
            database = folder / "pairs.h5"
            bgrace.build(database, checkers=arguments.checkers, two_sided=arguments.checkers)
        with bgrace.open(database) as db:
            result = compare(db, folder / "gnubg_ts.bd", arguments.checkers, arguments.positions, arguments.seed)
    print(json.dumps(result, indent=2))
    return 0 if result["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
