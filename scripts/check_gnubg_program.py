"""Have GNU Backgammon itself evaluate pairs of positions with bearoff files of ours, and compare.

python scripts/check_gnubg_program.py [--checkers 8] [--positions 1000] [--seed 0] [--database FILE.h5]

A database with all pairs of a number of checkers is built (or the one that is named is taken) and both its tables
are exported.  The program, Debian's package gnubg in text mode, is asked for the chance to win and the equities of
every place of the cube of pairs that the two-sided file covers; and, for a fifth as many of any pairs, for the chances
to win and to win a gammon, with the one-sided file.  Each question takes it a hundredth of a second.

It knows one folder for two-sided files only, so it runs in a mount namespace in which the exported file is in that
folder: unshare, of util-linux, must be allowed to make one.  The exit status is 1 if an equity is further from the
database's than four units of 1/32767.5, or a chance further than four parts of 65535.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

import bgrace
from bgrace.interop import gnubg

GNUBG: Final = "/usr/games/gnubg"
SHARED: Final = Path("/usr/share/gnubg")
TWO_SIDED_FOLDER: Final = "/var/lib/gnubg"
UNIT: Final = 1 / 32767.5
PART: Final = 1 / 65535
MOST: Final = 4  # units or parts

Pairs: TypeAlias = list[tuple[list[int], list[int]]]

# Runs inside GNU Backgammon.  A board lists the opponent's checkers first; cube owners: nobody, the player on roll
# (who is player 0 here), the other.
QUESTIONS: Final = """
import gnubg, json
with open({pairs!r}) as file:
    pairs = json.load(file)
def side(counts):
    return tuple(counts + [0] * (25 - len(counts)))
context = gnubg.evalcontext({cubeful}, 0, 1, 0, 0.0)
cubes = [gnubg.cubeinfo(1, owner, 0, 0, (0, 0), 0) for owner in (-1, 0, 1)]
answers = []
for on_roll, opponent in pairs:
    board = (side(opponent), side(on_roll))
    answer = list(gnubg.evaluate(board, cubes[0], context)[:2])
    if {cubeful}:
        values = [gnubg.cfevaluate(board, cube, context) for cube in cubes]
        answer = answer[:1] + [value[1] for value in values] + [values[0][2]]
    answers.append(answer)
with open({answers!r}, "w") as file:
    json.dump(answers, file)
"""


def ask_program(file: Path, pairs: Pairs, *, two_sided: bool) -> npt.NDArray[np.float64]:
    """Ask the program, with one file of ours and, of its own, no file for pairs.

    With a two-sided file: win probability, no double with the cube centered, mine, theirs, and double/take, (n, 5).
    With a one-sided one: chance to win and to win a gammon, (n, 2).
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked, answered, script = folder / "pairs.json", folder / "answers.json", folder / "questions.py"
        asked.write_text(json.dumps(pairs), encoding="ascii")
        text = QUESTIONS.format(pairs=str(asked), answers=str(answered), cubeful=int(two_sided))
        script.write_text(text, encoding="ascii")
        pair_folder, shared = folder / "pairs", folder / "shared"
        pair_folder.mkdir()
        shared.mkdir()
        own = "gnubg_os0.bd"
        for entry in SHARED.iterdir():
            if two_sided or entry.name != own:
                (shared / entry.name).symlink_to(entry)
        commands = [f"mount --bind {shlex.quote(str(pair_folder))} {TWO_SIDED_FOLDER}"]
        if two_sided:
            (pair_folder / "gnubg_ts.bd").touch()
            commands.append(f"mount --bind {shlex.quote(str(file.resolve()))} {TWO_SIDED_FOLDER}/gnubg_ts.bd")
        else:
            (shared / own).symlink_to(file.resolve())
        options = f"--tty --quiet --no-rc --pkgdatadir {shlex.quote(str(shared))} --python {shlex.quote(str(script))}"
        commands.append(f"{GNUBG} {options}")
        subprocess.run(
            ["unshare", "--mount", "--map-root-user", "sh", "-c", " && ".join(commands)],
            check=True,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env={"HOME": name, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"},
        )
        answers: npt.NDArray[np.float64] = np.array(json.loads(answered.read_text(encoding="ascii")))
        return answers


def choose_pairs(n: int, space: bgrace.PositionSpace, first: int, seed: int) -> Pairs:
    """Pairs of positions with indices from `first` on: the corners of the table, the rest at random."""
    last = len(space) - 1
    random = np.random.default_rng(seed)
    indices = [(first, first), (first, last), (last, first), (last, last), *random.integers(first, last + 1, (n, 2))]
    return [(list(space.position(int(i))), list(space.position(int(j)))) for i, j in indices[:n]]


def of_pairs(db: bgrace.Database, pairs: Pairs) -> npt.NDArray[np.float64]:
    """Tell from the database what the program is asked with a two-sided file."""
    on_roll, opponent = (np.array([pair[k] for pair in pairs]) for k in range(2))
    values = [db.win_probability(on_roll, opponent)]
    values += [db.cube_action(on_roll, opponent, cube).no_double for cube in ("centered", "mine", "theirs")]
    values.append(np.asarray(db.cube_action(on_roll, opponent).double_take))
    return np.stack(values, axis=1)


def of_single_positions(db: bgrace.Database, pairs: Pairs) -> npt.NDArray[np.float64]:
    """Tell from the one-sided tables: the opponent needs at least as many rolls as the player on roll."""
    on_roll, opponent = (np.array([pair[k] for pair in pairs]) for k in range(2))
    needs = db.roll_distribution(on_roll)
    chances = []
    for other in (db.roll_distribution(opponent), db.first_checker_distribution(opponent)):
        width = max(needs.shape[1], other.shape[1])
        mine, theirs = (np.pad(rows, ((0, 0), (0, width - rows.shape[1]))) for rows in (needs, other))
        at_least = np.cumsum(theirs[:, ::-1], axis=1)[:, ::-1]
        chances.append((mine * at_least).sum(axis=1))
    return np.stack(chances, axis=1)


def compare_pairs(db: bgrace.Database, folder: Path, checkers: int, n: int, seed: int) -> dict[str, Any]:
    """Export the two-sided table, ask, and tell the greatest differences in units."""
    file = folder / "gnubg_ts.bd"
    gnubg.export(db, file, "two-sided", checkers=checkers)
    pairs = choose_pairs(n, bgrace.PositionSpace(db.space.points, checkers), 1, seed)
    differences = np.abs(ask_program(file, pairs, two_sided=True) - of_pairs(db, pairs)).max(axis=0) / UNIT
    # A probability is half an equity, double/take is twice the value with the cube on the other side.
    differences *= [2, 1, 1, 1, 0.5]
    names = ("cubeless", "centered", "mine", "theirs", "double/take")
    size = file.stat().st_size
    file.unlink()
    return {"file_size": size, "pairs": len(pairs), "units": _rounded(names, differences)}


def compare_single_positions(db: bgrace.Database, folder: Path, n: int, seed: int) -> dict[str, Any]:
    """Export the one-sided table, ask, and tell the greatest differences in parts of 65535."""
    file = folder / "gnubg_os0.bd"
    gnubg.export(db, file, "one-sided")
    # Against the last position, 15 checkers on the six point, gammons are won.
    everywhere = choose_pairs(n, db.space, len(db.space) // 2, seed)
    pairs = everywhere + [(on_roll, everywhere[-1][1]) for on_roll, _ in choose_pairs(n, db.space, 1, seed + 1)]
    pairs += [(on_roll, list(db.space.position(len(db.space) - 1))) for on_roll, _ in pairs]
    differences = np.abs(ask_program(file, pairs, two_sided=False) - of_single_positions(db, pairs)).max(axis=0) / PART
    size = file.stat().st_size
    file.unlink()
    return {"file_size": size, "pairs": len(pairs), "parts": _rounded(("win", "win gammon"), differences)}


def _rounded(names: tuple[str, ...], values: npt.NDArray[np.float64]) -> dict[str, float]:
    return {name: round(float(value), 3) for name, value in zip(names, values, strict=True)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkers", type=int, default=8, help="checkers a side, 1 to 12; 8 unless given")
    parser.add_argument("--positions", type=int, default=1000, help="how many pairs; 1000 unless given")
    parser.add_argument("--seed", type=int, default=0, help="which pairs")
    parser.add_argument("--database", type=Path, help="a database with these pairs, instead of one built now")
    parser.add_argument("--folder", type=Path, help="where the files are made; a temporary folder unless given")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder, database = Path(name), arguments.database
        if database is None:
            database = folder / "pairs.h5"
            bgrace.build(database, two_sided=arguments.checkers)
        n, seed = arguments.positions, arguments.seed
        with bgrace.open(database) as db:
            two_sided = compare_pairs(db, folder, arguments.checkers, n, seed)
            one_sided = compare_single_positions(db, folder, max(n // 20, 4), seed)
    passed = max([*two_sided["units"].values(), *one_sided["parts"].values()]) <= MOST
    print(json.dumps({"two-sided": two_sided, "one-sided": one_sided, "passed": passed}, indent=2))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
