"""Let GNU Backgammon play matches against itself and save them, for the tests and measures of reviews.

    python scripts/make_matches.py FOLDER [1-101 2-108 ...] [--bare]

The name of a match is its length and the seed of its dice; without names the program plays the twelve of MATCHES, to 1
to 21 points.  Both players look 0 plies ahead, with noise on their plays so that they err.  Each match is written as
.mat and as .sgf; the latter has the program's view of each move, except with --bare.  The program is Debian's package
gnubg; the same version plays the same match from the same seed.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Final

import click

GNUBG: Final = "/usr/games/gnubg"
NAMES: Final = ("North", "East")
NOISE: Final = 0.03
SEEDS: Final = {1: 101, 2: 108, 3: 102, 4: 109, 5: 103, 7: 104, 9: 105, 11: 106, 13: 110, 15: 107, 17: 111, 21: 112}
MATCHES: Final = [f"{length}-{seed}" for length, seed in SEEDS.items()]


def commands(length: int, seed: int, stem: Path, *, bare: bool) -> str:
    """Write the commands for the program's standard input."""
    lines = ["set rng mersenne", f"set seed {seed}", "set display off", f"set defaultnames {' '.join(NAMES)}"]
    for number in range(2):
        lines += [
            f"set player {number} gnubg",
            f"set player {number} chequer evaluation plies 0",
            f"set player {number} cubedecision evaluation plies 0",
            f"set player {number} chequer evaluation noise {NOISE:.3f}",
        ]
    lines += [f"set automatic {what} on" for what in ("game", "move", "roll")]
    lines += [f"new match {length}", f"export match mat {stem}.mat"]
    lines += ["analyse clear match"] if bare else []
    return "\n".join([*lines, f"save match {stem}.sgf", ""])


def play(name: str, folder: Path, *, bare: bool) -> None:
    """Let the program play and save a match."""
    length, seed = map(int, name.split("-"))
    with tempfile.TemporaryDirectory() as home:
        subprocess.run(
            [GNUBG, "-t", "-q", "-r"],
            input=commands(length, seed, folder.resolve() / name, bare=bare),
            check=True,
            capture_output=True,
            text=True,
            env={"HOME": home, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"},
        )


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("names", nargs=-1)
@click.option("--bare", is_flag=True)
def main(folder: Path, names: tuple[str, ...], bare: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or MATCHES:
        play(name, folder, bare=bare)
        print(folder / f"{name}.sgf", flush=True)


if __name__ == "__main__":
    main()
