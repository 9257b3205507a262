"""Time bgrace by itself, beside GNU Backgammon's makebearoff, or beside another checkout.

\b
    python scripts/bench.py                                  # list subjects and cases
    python scripts/bench.py questions --file bearoff.h5      # what a database answers in Python
    python scripts/bench.py makebearoff races                # beside makebearoff, which takes minutes
    python scripts/bench.py all --beside OTHER               # beside a checkout, such as one of an older commit

A word selects the cases of a subject, or those whose name contains it.  Cases that take minutes or much memory are
selected by their whole name alone.  Within each of --repeats repeats the sides take turns, so that other work of the
machine slows both, and a short case runs nine times.  The tables show medians, and the least and the greatest time; a
ratio says how many times as long the other side takes.

Beside another checkout, or with --processor, times are processor times, user and system, of all threads: on a busy
machine they compare two checkouts better than the clock does.  --file is the database to ask instead of one with six
checkers a side.  Files are made in the folder for temporary files, which TMPDIR names.

A case is Python code in a process that has loaded everything, or a command whose modules are compiled, as those of an
installed one are.  OTHER is a checkout in which ``python setup.py build_clib build_ext --inplace`` has run; a case that
fails there is shown with its error.  `scripts/measure.py probe` times the C library.
"""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click
from pages import markdown

HERE = Path(__file__).resolve().parent.parent
SHORT, TIMES = 0.6, 9


@dataclass(frozen=True)
class Case:
    """Python code or a command to time, and the arguments of makebearoff for the same table, if it makes one."""

    subject: str
    what: str
    ours: str
    answers: float = 0
    theirs: str = ""
    slow: bool = False
    first: bool = False  # needs a new process


def _one_by_one(name: str, call: str, over: str = "SINGLES", n: int = 10_000) -> Case:
    return Case("questions", name, f"for x, y in {over}: {call}", n)


def _races(points: int, *, slow: bool = False) -> list[Case]:
    n, theirs = {8: 490_314, 10: 3_268_760, 13: 37_442_160, 15: 155_117_520}[points], f"-o {points}"
    return [
        Case("races", f"build, {points} points", f"bgrace build {{new}} --points {points}", n,
             theirs if points <= 10 else "", slow=slow),
        Case("races", f"verify, {points} points", "bgrace verify {new}", slow=slow),
    ]  # fmt: skip


_TRIANGLE, _SIX = "'4x3 5x5 6x7'", "'1,1,1,1,1,1'"
_GAMES = 2_000_000

CASES = [
    Case("commands", "bgrace --version", "bgrace --version"),
    Case("commands", "bgrace build", "bgrace build {new}"),
    Case("commands", "bgrace build --two-sided 6", "bgrace build {new} --two-sided 6"),
    Case("commands", "bgrace build --two-sided 8", "bgrace build {new} --two-sided 8"),
    Case("commands", "bgrace build --points 8", "bgrace build {new} --points 8"),
    Case("commands", "bgrace verify", "bgrace verify {file}"),
    Case("commands", "bgrace query", "bgrace query {file} 1,2 2,0,0,1"),
    Case("commands", "bgrace review", f"bgrace review {HERE / 'data/matches'} --workers 1"),
    # Processes of bgrace beside a process of makebearoff.
    Case("makebearoff", "one-sided, 6 points", "bgrace build {new} --two-sided 0", theirs="-o 6"),
    Case("makebearoff", "one-sided, 8 points", "bgrace build {new} --points 8 --two-sided 0", theirs="-o 8"),
    Case("makebearoff", "two-sided, 6x6", "bgrace build {new} --checkers 6 --two-sided 6", theirs="-t 6x6"),
    Case("makebearoff", "two-sided, 6x7", "bgrace build {new} --checkers 7 --two-sided 7", theirs="-t 6x7"),
    *_races(8), *_races(10, slow=True), *_races(13, slow=True), *_races(15, slow=True),
    # Arrays of a million, with plain reads of the same values for comparison, and single questions.
    Case("questions", "space.index, array", "space.index(positions)", 1e6),
    Case("questions", "space.position, array", "space.position(numbers)", 1e6),
    Case("questions", "db.epc, array", "db.epc(positions)", 1e6),
    Case("questions", "db.roll_distribution, array", "db.roll_distribution(positions)", 1e6),
    Case("questions", "bare reads of pairs, array", "table.take(places)", 1e6),
    Case("questions", "db.win_probability, arrays", "db.win_probability(mine, theirs)", 1e6),
    Case("questions", "db.equities, arrays", "db.equities(mine, theirs)", 1e6),
    Case("questions", "db.equities, arrays, Jacoby", "db.equities(mine, theirs, **JACOBY)", 1e6),
    Case("questions", "db.cube_action, arrays", "db.cube_action(mine, theirs)", 1e6),
    _one_by_one("db.epc", "db.epc(x)"),
    _one_by_one("db.mean_rolls", "db.mean_rolls(x)"),
    _one_by_one("db.variance_rolls", "db.variance_rolls(x)"),
    _one_by_one("db.roll_distribution", "db.roll_distribution(x)"),
    _one_by_one("db.epc of text", "db.epc(x)", "TEXTS"),
    _one_by_one("db.method", "db.method(x, y)", "PAIRS"),
    _one_by_one("db.win_probability", "db.win_probability(x, y)", "PAIRS"),
    _one_by_one("db.equities", "db.equities(x, y)", "PAIRS"),
    *(
        _one_by_one(f"db.cube_action, cube {cube}", f"db.cube_action(x, y, cube='{cube}')", "PAIRS")
        for cube in ("centered", "mine", "theirs", "none")
    ),
    _one_by_one("db.cube_action, Jacoby", "db.cube_action(x, y, **JACOBY)", "PAIRS"),
    _one_by_one("db.best_plays of 31", "db.best_plays(x, y, roll='31')", "PAIRS[:1000]", 1000),
    _one_by_one("db.best_plays of 11", "db.best_plays(x, y, roll='11')", "PAIRS[:500]", 500),
    _one_by_one("legal plays of 11", "bgrace.legal_plays(x, '11')", "SINGLES[:500]", 500),
    _one_by_one("text of a position", "bgrace.parse_position(x)", "TEXTS"),
    *(
        Case("pairs", f"{n} checkers, {path}, {threads} thread(s)", f"pairs({n}, '{path}', {threads})", size**2)
        for n, size in ((6, 924), (8, 3003), (10, 8008))
        for path in ("avx512", "avx2", "sse2", "neon", "scalar")
        for threads in (1, 2)
        if (path, threads, n) != ("scalar", 1, 10)  # takes a minute and shows nothing new
    ),
    *(
        Case("pairs", f"solve {a} against {b}", f"bgrace.solve('{a}', '{b}').equities")
        for a, b in (("6x6", "6x6"), ("1,1,1,1,1,1", "1,1,1,1,1,1"), ("4x3 5x3 6x4", "4x3 5x3 6x4"))
    ),
    Case("pairs", "the whole bearoff", "bgrace build {new} --two-sided 15 --memory 12G", 54_264**2, slow=True),
    *(
        Case("match", f"solve {a} against {b}{', 5 and 7 away' if match else ''}, first of a process",
             f"bgrace.solve('{a}', '{b}'{match}).equities", first=True)
        for a, b in (("6x6", "6x6"), ("6x6", "1x1 6x5"), ("1,1,1,1,1,1", "0,1,2,1,1,1"))
        for match in ("", ", match=bgrace.match.Score(5, 7)")
    ),
    *(
        Case("match", f"map of {a} against {b}, {n} points", f"bgrace.match.score_map('{a}', '{b}', {n})")
        for a, b, n in (("1,1,1,1,1,1", "1,1,1,1,1,1", 11), ("2,2,1,1", "2,2,1,1", 11), ("6x6", "6x6", 11),
                        ("1,1,1,1,1,1", "1,1,1,1,1,1", 15), ("6x6", "1x1 6x5", 11))
    ),
    Case("engine", "7 v 6 at home, prepared", "for _ in range(1000): engine()['7 v 6']()", 1000),
    Case("engine", "10 v 10 at home, prepared, in 10 ms", "engine()['10 v 10']()"),
    Case("engine", "a followed answer", "for _ in range(1000): engine()['follow']()", 1000),
    Case("engine", "an estimate", "for _ in range(1000): engine()['estimate']()", 1000),
    *(
        Case("rollout", f"{label}, {threads} thread(s)", f"rollout.{ask}, {_GAMES}, 1, threads={threads})", _GAMES)
        for label, ask in (
            ("two players, 15 checkers a side", f"two_player({_TRIANGLE}, {_TRIANGLE}"),
            ("two players, 6 checkers a side", f"two_player({_SIX}, {_SIX}"),
            ("two players, 70 against 80 pips", "two_player(base(70), base(80)"),
            ("two players, 100 against 110 pips", "two_player(base(100), base(110)"),
            ("two players, 130 against 140 pips", "two_player(base(130), base(140)"),
            ("one player, 15 checkers", f"one_player({_TRIANGLE}"),
            ("one player, 130 pips", "one_player(base(130)"),
        )
        for threads in (1, 2)
    ),
]  # fmt: skip
"""All cases, in the order in which each repeat runs them."""

WORKER = """
import resource, sys, time
from functools import cache
import numpy as np
import bgrace, bgrace.match
from bgrace import rollout
from bgrace._kernels import two_sided as kernel
from bgrace.rollout.initial_positions import base
from bgrace.tables import scale_for, two_sided_order
random = np.random.default_rng(0)
db = bgrace.open(sys.argv[1])
JACOBY = {"stakes": bgrace.Stakes.money(bgrace.Rules(jacoby=True))}
space, N = db.space, 1_000_000
numbers = random.integers(0, len(space), N)
positions = space.position(numbers)
SINGLES = [(tuple(x), 0) for x in positions[:10_000].tolist()]
TEXTS = [(str(bgrace.Position(x)), 0) for x, _ in SINGLES]
if db.two_sided_checkers:
    small = bgrace.PositionSpace(space.points, db.two_sided_checkers)
    places = random.integers(1, len(small), (2, N))
    mine, theirs = small.position(places[0]), small.position(places[1])
    PAIRS = [(tuple(x), tuple(y)) for x, y in zip(mine[:10_000].tolist(), theirs[:10_000].tolist())]
    if isinstance(table := db.stored.tables["two_sided/equities"], np.ndarray): # not an archive's
        table, rank = table.view(np.int64).reshape(-1), np.argsort(two_sided_order(small))
        places = rank[places[0]] * len(small) + rank[places[1]]
@cache
def engine():
    from bgrace._kernels.answer import Solver
    from bgrace._kernels.stakes import Stakes
    six, seven, ten = (np.array(bgrace.parse_position(x).resized(24), np.int8) for x in ("6x6", "6x7", "6x10"))
    far = [np.array(bgrace.parse_position(x).resized(24), np.int8) for x in ("4x2 5x3 6x4 8x3 13x3", "3x2 5x3 6x7 7x3")]
    prepared, money = Solver(), Stakes(True)
    prepared.prepare(money, 7)
    solved = Solver().ask(seven, six, money, seconds=1)
    return {
        "7 v 6": lambda: prepared.ask(seven, six, money),
        "10 v 10": lambda: prepared.ask(ten, ten, money, seconds=0.01),
        "follow": lambda: solved.follow(six, six, True),
        "estimate": lambda: prepared.ask(*far, money, "estimate"),
    }
@cache
def graph(checkers, threads):
    space = bgrace.PositionSpace(6, checkers)
    table = np.zeros((len(space), len(space), 4), np.int16)
    table[:] = 0  # touched before
    return kernel.Graph(space.kernel, np.arange(len(space)), threads), table, scale_for(space)
def pairs(checkers, path, threads):
    ways, table, scale = graph(checkers, threads)
    kernel.solve(ways, table, scale, path=path, n_threads=threads)
print("ready", flush=True)
for line in sys.stdin:
    program = compile(eval(line), "question", "exec")
    before, start = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    try:
        exec(program)
    except Exception as error:
        print(type(error).__name__, flush=True)
        continue
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF)
    print(clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, flush=True)
"""


@dataclass
class Times:
    """Times of one case on one side, by the clock and of the processor; its greatest memory; its error, if any."""

    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    memory: int = 0
    missing: str = ""

    def median(self, kind: str) -> float:
        """Return the median time by the clock or of the processor."""
        return statistics.median(self.processor if kind == "processor" else self.clock)

    def note(self, clock: float, processor: float) -> None:
        """Keep the two times of one run."""
        self.clock.append(clock)
        self.processor.append(processor)

    def run(self, command: list[str], folder: Path, environment: dict[str, str] | None) -> None:
        """Run a program to its end and keep its times."""
        start = time.perf_counter()
        program = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
        self.note(time.perf_counter() - start, usage.ru_utime + usage.ru_stime)
        self.memory = max(self.memory, 1024 * usage.ru_maxrss)
        if program.returncode:
            self.missing = f"exit {program.returncode}"


class Tree:
    """A checkout, and the process that runs its cases."""

    def __init__(self, path: Path, folder: Path, file: Path | None) -> None:
        self.path, self.folder, self.file = path, folder, file or folder / "six.h5"
        self.new = folder / "new"
        self.times: dict[str, Times] = {}
        self.process: subprocess.Popen[str] | None = None
        folder.mkdir()
        python = {"PYTHONPATH": str(path), "PYTHONWARNINGS": "ignore"}
        # Modules are compiled once and kept, as those of an installed package are.
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.environment = inherited | {"PYTHONPYCACHEPREFIX": str(folder / "compiled")} | python
        build = [sys.executable, "-m", "bgrace", "build", str(folder / "six.h5"), "--two-sided", "6"]
        subprocess.run(build, cwd=folder, env=self.environment, check=True, capture_output=True)

    def time(self, case: Case) -> None:
        """Run a case once."""
        times = self.times.setdefault(case.what, Times())
        if case.ours.startswith("bgrace "):
            words = case.ours.removeprefix("bgrace ").format(file=self.file, new=self.new).split()
            if words[0] != "verify":  # the case before it built the file
                self.new.unlink(missing_ok=True)
            times.run([sys.executable, "-m", "bgrace", *words], self.folder, self.environment)
            return
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, "-c", WORKER, str(self.file)],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            self.answer()
        assert self.process.stdin is not None
        self.process.stdin.write(repr(case.ours) + "\n")
        self.process.stdin.flush()
        answer = self.answer()
        if " " in answer:
            times.note(*map(float, answer.split()))
        else:
            times.missing = answer
        if case.first:
            self.process.communicate()
            self.process = None

    def answer(self) -> str:
        """Read the next line of the process."""
        assert self.process is not None
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the process of {self.path} ended")
        return line.strip()


class Peer:
    """GNU Backgammon's makebearoff."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("makebearoff") or shutil.which("makebearoff", path="/usr/games")
        if program is None:
            raise SystemExit("makebearoff is not installed: apt-get install gnubg (Debian, Ubuntu)")
        self.program, self.folder = program, folder
        self.times: dict[str, Times] = {}

    def time(self, case: Case) -> None:
        """Run it once."""
        times = self.times.setdefault(case.theirs, Times())
        times.run([self.program, *case.theirs.split(), "-f", "theirs"], self.folder, None)


def measure(cases: list[Case], sides: list[Tree], peer: Peer | None, repeats: int) -> None:
    """Run every case on every side, in turns."""
    for tree in sides:  # once in advance, to fill caches and compile modules
        for case in cases:
            if not case.slow and not case.theirs and not case.first and "{new}" not in case.ours:
                tree.time(case)
        tree.times.clear()
    for repeat in range(repeats):
        for case in cases:
            print(f"repeat {repeat + 1} of {repeats}: {case.what}", file=sys.stderr)
            for tree in sides:
                tree.time(case)
                times = tree.times[case.what]
                while not times.missing and len(times.clock) % TIMES and times.clock[-1] < SHORT and not case.first:
                    tree.time(case)
            if peer and case.theirs:
                peer.time(case)


def cell(times: Times, kind: str) -> str:
    """Write the median, the least and the greatest time."""
    if times.missing:
        return times.missing
    each, median = getattr(times, kind), times.median(kind)
    unit, scale = ("s", 1.0) if median >= 1 else ("ms", 1e3)
    return f"{scale * median:.3g} {unit} ({scale * min(each):.3g} to {scale * max(each):.3g})"


def rows(cases: list[Case], sides: list[Tree], peer: Peer | None, kind: str) -> Iterator[list[str]]:
    """Make a row for each case: this checkout, the other side, their ratio, answers a second, and the most memory."""
    for case in cases:
        ours, other = sides[-1].times[case.what], sides[0].times[case.what] if len(sides) > 1 else None
        if peer and case.theirs:
            other = peer.times[case.theirs]
        if ours.missing and not other:
            continue  # its vector instructions are of another processor
        beside = ratio = rate = ""
        if other:
            beside = cell(other, kind)
            if not ours.missing and not other.missing:
                ratio = f"{other.median(kind) / ours.median(kind):.3g}"
        if case.answers and not ours.missing:
            each = ours.median(kind) / case.answers
            rate = f"{1e-6 / each:.3g} million/s" if each < 1e-6 else f"{1e6 * each:.3g} us each"
        memory = f"{ours.memory / 2**30:.2f} GiB" if ours.memory else ""
        yield [case.what, cell(ours, kind), beside, ratio, rate, memory]


def machine() -> str:
    """Describe the machine."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")
    return (
        f"{model or platform.machine()}, {os.cpu_count()} processors, {platform.system()}, "
        f"Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} at the end"
    )


PATH = click.Path(path_type=Path)


@click.command(help=__doc__)
@click.argument("words", nargs=-1)
@click.option("--repeats", default=5)
@click.option("--beside", type=PATH)
@click.option("--file", type=PATH)
@click.option("--processor", is_flag=True)
def main(words: tuple[str, ...], repeats: int, beside: Path | None, file: Path | None, processor: bool) -> None:
    subjects = {case.subject for case in CASES}

    def selects(word: str, case: Case) -> bool:
        return word in ("all", case.subject) or (word not in subjects and word in case.what)

    cases = [
        case for case in CASES if case.what in words or (not case.slow and any(selects(word, case) for word in words))
    ]
    if not cases:
        print("\n".join(f"{case.subject:12} {case.what}" for case in CASES))
        sys.exit(2 if words else 0)
    kind = "processor" if processor or beside else "clock"
    with tempfile.TemporaryDirectory() as name:
        trees = [tree for tree in (beside, HERE) if tree]
        sides = [
            Tree(tree.resolve(), Path(name, str(number)), file and file.resolve()) for number, tree in enumerate(trees)
        ]
        wanted = not beside and any(case.theirs for case in cases)
        peer = Peer(Path(name)) if wanted else None
        measure(cases, sides, peer, repeats)
    other = str(beside) if beside else "makebearoff" if peer else ""
    print(f"{machine()}; {kind} time, medians of {repeats} repeats\n")
    table = [["", "bgrace", other, "ratio", "rate", "memory"], *rows(cases, sides, peer, kind)]
    used = [k for k in range(6) if k < 2 or any(row[k] for row in table[1:])]
    print(markdown([table[0][k] for k in used], [[row[k] for k in used] for row in table[1:]]))


if __name__ == "__main__":
    main()
