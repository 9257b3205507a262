"""Time this tree beside another one, an older commit for example, in one run: medians, spreads and ratios.

    python scripts/bench_beside.py OTHER [--repeats 7] [--only WORD] [--json]

OTHER is a checkout in which ``python setup.py build_clib build_ext --inplace`` has run.  Each tree gets a process of
its own for questions, and both take turns within a repeat, so that whatever else the machine does hits both; what is a
command starts a process each time.  Times are of the processor, user and system, of all threads: they tell two trees
apart on a machine that is busy, where the clock tells little.  A ratio above 1 says that this tree is slower.

Python's modules are compiled before anything is timed, as those of an installed package are, whatever the environment
says of that; a checkout itself is left as it is.

What is asked has to exist in both trees; a question that one of them does not know is shown as missing.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

from timing import installed, load, spread

HERE = Path(__file__).resolve().parent.parent

QUESTIONS = {
    "epc, a million": "db.epc(positions)",
    "win probability, a million pairs": "db.win_probability(mine, theirs)",
    "equities, a million pairs": "db.equities(mine, theirs)",
    "cube action, a million pairs": "db.cube_action(mine, theirs)",
    "roll distribution, a million": "db.roll_distribution(positions)",
    "epc, 10,000 one by one": "for x in singles: db.epc(x)",
    "equities, 10,000 one by one": "for x, y in pairs: db.equities(x, y)",
    "cube action, 10,000 one by one": "for x, y in pairs: db.cube_action(x, y)",
    "best plays of 31, 1,000": "for x, y in pairs[:1000]: db.best_plays(x, y, roll='31')",
    "best plays of 11, 500": "for x, y in pairs[:500]: db.best_plays(x, y, roll='11')",
    "legal plays of 11, 500": "for x in singles[:500]: bgrace.legal_plays(x, '11')",
    "text of a position, 10,000": "for x in texts: bgrace.parse_position(x)",
    "all pairs of 8 checkers": "two_sided.solve_two_sided(bgrace.PositionSpace(6, 8))",
    "one-sided, 6 points": "one_sided.solve_one_sided(bgrace.PositionSpace(6, 15))",
    "solve 6 checkers a side": "bgrace.solve('1x2 3x2 5x2', '2x3 4x3').equities",
    "solve 9 checkers a side": "bgrace.solve('1x3 3x3 5x3', '2x4 4x2 6x3').equities",
    "score map of 6 checkers to 11": "bgrace.match.score_map((1,) * 6, (1,) * 6, 11)",
    "recurrences of races to 200": "race.solve(200)",
    "jump model, exact": "jump.exact(1.2, 1.1, .1)",
    "a million bearoffs": "rollout.one_player((2, 2, 3, 3, 3, 2), 1_000_000, 1)",
    "250,000 races": "rollout.two_player((2, 2, 3, 3, 3, 2), (3, 3, 3, 2, 2, 2), 250_000, 1)",
}
"""What is asked in a process, by name."""

COMMANDS = {
    "bgrace --version": ["--version"],
    "bgrace build": ["build", "{new}"],
    "bgrace build --two-sided 6": ["build", "{new}", "--two-sided", "6"],
    "bgrace build --two-sided 8": ["build", "{new}", "--two-sided", "8"],
    "bgrace build --points 8": ["build", "{new}", "--points", "8"],
    "bgrace verify": ["verify", "{file}"],
    "bgrace query": ["query", "{file}", "1x2 3x2", "2x2 4x1"],
}
"""What is a command: its arguments; ``{file}`` is a database of six checkers a side, ``{new}`` a name that is free."""

WORKER = """
import resource, sys
import numpy as np
import bgrace, bgrace.match
from bgrace import rollout
from bgrace.cube import jump, race
try:
    from bgrace.tables import one_sided, two_sided
except ImportError:
    from bgrace import one_sided, two_sided
random = np.random.default_rng(0)
db = bgrace.open(sys.argv[1])
space, six = bgrace.PositionSpace(6, 15), bgrace.PositionSpace(6, 6)
positions = space.position(random.integers(0, len(space), 1_000_000))
mine, theirs = (six.position(random.integers(1, len(six), 1_000_000)) for _ in range(2))
singles = [tuple(x) for x in positions[:10_000].tolist()]
pairs = [(tuple(x), tuple(y)) for x, y in zip(mine[:10_000].tolist(), theirs[:10_000].tolist())]
texts = [str(bgrace.Position(x)) for x in singles]
print("ready", flush=True)
for line in sys.stdin:
    program = compile(eval(line), "question", "exec")
    before = resource.getrusage(resource.RUSAGE_SELF)
    try:
        exec(program)
    except Exception as error:
        print(type(error).__name__, flush=True)
        continue
    after = resource.getrusage(resource.RUSAGE_SELF)
    print(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, flush=True)
"""


@dataclass
class Tree:
    """A checkout, the process that answers for it, and the times that were taken."""

    path: Path
    compiled: Path = field(init=False)
    times: dict[str, list[float]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def _environment(self) -> dict[str, str]:
        return installed(self.compiled) | {"PYTHONPATH": str(self.path), "PYTHONWARNINGS": "ignore"}

    def make(self, database: Path) -> None:
        """Build a file, and open it in a process that answers questions."""
        self.compiled = database.with_name("compiled")
        build = [sys.executable, "-m", "bgrace", "build", str(database), "--two-sided", "6"]
        subprocess.run(build, cwd=database.parent, env=self._environment(), check=True, capture_output=True)
        self.process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WORKER), str(database)],
            cwd=database.parent,
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._answer()

    def _answer(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process of {self.path} ended")
        return line.strip()

    def ask(self, name: str) -> None:
        """Time a question."""
        assert self.process.stdin is not None
        self.process.stdin.write(repr(QUESTIONS[name]) + "\n")
        self.process.stdin.flush()
        self._note(name, self._answer())

    def run(self, name: str, database: Path) -> None:
        """Time a command."""
        new = database.with_name("new.h5")
        new.unlink(missing_ok=True)
        arguments = [word.format(file=database, new=new) for word in COMMANDS[name]]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ended = subprocess.run(
            [sys.executable, "-m", "bgrace", *arguments],
            cwd=database.parent,
            env=self._environment(),
            capture_output=True,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self._note(name, str(taken) if ended.returncode == 0 else f"exit {ended.returncode}")

    def _note(self, name: str, said: str) -> None:
        try:
            self.times.setdefault(name, []).append(float(said))
        except ValueError:
            self.missing[name] = said


def measure(trees: list[Tree], names: list[str], repeats: int, folder: Path) -> None:
    for number, tree in enumerate(trees):
        database = folder / str(number) / "six.h5"
        database.parent.mkdir()
        tree.make(database)
    for repeat in range(repeats + 1):  # the first warms up
        for name in names:
            for number, tree in enumerate(trees):
                if name in QUESTIONS:
                    tree.ask(name)
                else:
                    tree.run(name, folder / str(number) / "six.h5")
        if repeat == 0:
            for tree in trees:
                tree.times.clear()


def show(here: Tree, other: Tree, names: list[str]) -> None:
    print(f"| {'processor time, milliseconds':34} | {'other tree':>24} | {'this tree':>24} | ratio |")
    print("|---|---|---|---|")
    for name in names:
        cells = []
        for tree in (other, here):
            if name in tree.missing:
                cells.append(f"{tree.missing[name]:>24}")
            else:
                found = {key: 1000 * value for key, value in spread(tree.times[name]).items()}
                cells.append(f"{found['median']:8.1f} ({found['least']:.1f} to {found['greatest']:.1f})".rjust(24))
        known = name not in here.missing and name not in other.missing
        ratio = f"{ratio_of(here, other, name):5.2f}" if known else "     "
        print(f"| {name:34} | {cells[0]} | {cells[1]} | {ratio} |")


def ratio_of(here: Tree, other: Tree, name: str) -> float:
    return spread(here.times[name])["median"] / max(spread(other.times[name])["median"], 1e-9)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, help="a built checkout to compare with")
    parser.add_argument("--repeats", type=int, default=7, help="how often everything is asked; 7 unless given")
    parser.add_argument("--only", default="", help="only what has this word in its name")
    parser.add_argument("--json", action="store_true", help="print all times, in seconds, instead of a table")
    arguments = parser.parse_args()
    if not (arguments.other / "bgrace" / "_kernels").is_dir():
        parser.error(f"{arguments.other} is not a checkout of bgrace")
    names = [name for name in (*COMMANDS, *QUESTIONS) if arguments.only in name]
    here, other = Tree(HERE), Tree(arguments.other.resolve())
    with tempfile.TemporaryDirectory() as folder:
        measure([other, here], names, arguments.repeats, Path(folder))
    if arguments.json:
        print(json.dumps({"this": here.times, "other": other.times, "load": load()}, indent=2))
    else:
        show(here, other, names)
        print(f"\nload {load()}; medians of {arguments.repeats} repeats, least and greatest in brackets")
    return 0


if __name__ == "__main__":
    sys.exit(main())
