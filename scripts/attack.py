"""Attack everything that strangers can reach, for about an hour: damaged input, changed proofs, failing calls, stops.

    python scripts/attack.py [--minutes 60] [--only PART]

\b
- readers: damaged input for every reader in Python: texts, tables, files of GNU Backgammon, databases, matches, and
  questions;
- proofs: changed proofs for scripts/check_proof.py;
- failing: system calls and allocations that fail while files are made (tests/helpers/failing_calls.py);
- stops: Ctrl-C and SIGTERM at random moments of every command.

Input must be read, or refused with an error of `bgrace.errors`, in little memory.  A stopped command must end at once.
Hypothesis makes the input and shrinks what fails; the tests use the same strategies (tests/fuzz).  The exit status is 1
if anything failed.  Needs the extras match and review, and Linux.

scripts/fuzz_c.sh attacks the C library; tests/fuzz/test_races.py solves odd races.
"""

from __future__ import annotations

import contextlib
import copy
import importlib
import io
import json
import math
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import check_proof
import click
import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import bgrace
from bgrace import Rules
from bgrace.board.dice import parse_roll
from bgrace.errors import BgraceError
from bgrace.interop import gnubg
from bgrace.match import MatchEquityTable, Score, parse_score
from bgrace.match.stakes import Stakes
from bgrace_apps.review.reading import read_bytes
from bgrace_apps.review.replay import replay
from bgrace_apps.web import read_question, read_risk_question

ROOT: Final = Path(__file__).resolve().parents[1]
MATCHES: Final = ROOT / "data" / "matches"
CORPUS: Final = ROOT / "tests" / "fuzz" / "corpus"
MAX_MEMORY: Final = 512 << 20
"""Memory that a reader may take, in bytes."""


# ---------------------------------------------------------------------- damaged input

_WORDS: Final = (b"nan", b"inf", b"-1", b"1e308", b"9" * 20, b'"', b"null", b"\xc2\xb2", b"\0", b"\xff", b"[", b"\x7f")


@st.composite
def damaged(draw: st.DrawFn, seeds: Sequence[bytes]) -> bytes:
    """Change a seed in a few places: remove, repeat or replace a piece."""
    data, other = bytearray(draw(st.sampled_from(seeds))), draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, 5))):
        heads = st.integers(0, min(len(data), 400))  # which describe the rest
        place = draw(heads | st.integers(0, len(data)))
        length = draw(st.integers(0, 8) | st.integers(0, 200))
        start = draw(st.integers(0, len(other)))
        piece = draw(
            st.sampled_from(
                (*_WORDS, b"", data[place : place + length] * 2, data[place:][:1] * 100, other[start : start + length])
            )
            | st.binary(max_size=8)
        )
        data[place : place + draw(st.sampled_from((0, len(piece), length)))] = piece
    return bytes(data)


class Target(NamedTuple):
    """A reader with inputs that it accepts, and a function that corrects the checksums of a changed input."""

    name: str
    read: Callable[[bytes], object]
    seeds: Sequence[bytes]
    mend: Callable[[bytes], bytes] = bytes


@contextmanager
def little_memory(more: int = MAX_MEMORY) -> Iterator[None]:
    """Limit this process to a little more memory than it uses now."""
    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + more, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, hard))


def check(target: Target, examples: int) -> None:
    """Give a target its seeds and damaged ones; raise any exception except errors of `bgrace.errors`."""

    @settings(max_examples=examples, deadline=30_000, database=None, suppress_health_check=list(HealthCheck))
    @given(damaged(target.seeds), st.integers(0, 4))
    def attack(data: bytes, mended: int) -> None:
        with warnings.catch_warnings(), suppress(BgraceError):
            warnings.simplefilter("error", RuntimeWarning)  # of invalid numbers
            target.read(target.mend(data) if mended else data)

    with little_memory():
        for seed in target.seeds:
            with suppress(BgraceError):
                target.read(seed)
        attack()


def read_text(data: bytes) -> None:
    """Read a position, an ID, a roll and a score."""
    text = data.decode("utf-8", "surrogateescape")
    for parse in (bgrace.parse_position, bgrace.parse_board, parse_roll, parse_score):
        with suppress(BgraceError):
            parse(text)
    board = bgrace.parse_board(text)
    for written in map(bgrace.parse_board, (board.xgid(), board.ogid())):
        assert (written.on_roll, written.opponent) == (board.on_roll, board.opponent), "an ID is not read back"
    Stakes.of(board)


def read_web(data: bytes) -> None:
    """Read a question that a program posts to the server."""
    question: Any = None
    with suppress(ValueError, RecursionError):
        question = json.loads(data)
    for read in (read_question, read_risk_question) if isinstance(question, dict) else ():
        with suppress(BgraceError):
            read(question)


def read_match(data: bytes) -> None:
    """Read and replay a match."""
    for match in read_bytes(data, "match"):
        for game in replay(match):
            tuple(game.decisions)


def read_table(path: Path) -> None:
    """Read and use a match equity table."""
    table = MatchEquityTable.load(path)
    for a, b in ((1, 1), (1, 2), (3, 5)):
        with suppress(BgraceError):
            assert 0 <= table.equity(a, b) <= 1, "not a chance"
            table.take_point(Score(a, b))


def read_gnubg(path: Path) -> None:
    """Convert a file of GNU Backgammon, and ask the database."""
    made = path.with_name("made")
    made.unlink(missing_ok=True)
    gnubg.convert([path], made)
    read_database(made)


def read_database(path: Path) -> None:
    """Ask a database every kind of question; the answers must be possible."""
    for access in ("map", "read"):
        with suppress(BgraceError), bgrace.open(path, access) as db:
            some = db.space.position(np.array([0, 1, 2, len(db.space) // 2, len(db.space) - 1]))
            with suppress(BgraceError):
                assert np.all(db.epc(some) >= 0), "an EPC is negative"
            with suppress(BgraceError):
                chances = db.win_probability(some[:, None], some[1:])
                assert np.all((chances >= 0) & (chances <= 1)), "a chance is not from 0 to 1"
            mine, theirs = some[1].tolist(), some[3].tolist()
            for question in (db.equities, db.cube_action, partial(db.best_plays, roll="21")):
                with suppress(BgraceError):
                    question(mine, theirs)
    with bgrace.open(path, verify=True) as db:
        db.info()


def put_right(data: bytes) -> bytes:
    """Correct the length and the checksums of a database file, those of its directory and of HDF5's metadata."""
    if len(data) < 4096:
        return data
    fixed = bytearray(data)
    fixed[16:24] = len(data).to_bytes(8, "little")
    ranges = []
    for k in range(int.from_bytes(data[40:44], "little") % 64):
        offset, n_bytes = (int.from_bytes(data[256 + 104 * k + at :][:8], "little") for at in (72, 80))
        ranges.append((offset, offset + n_bytes))
    place, crc = 4096, 0
    for first, past in sorted(ranges):
        crc, place = zlib.crc32(fixed[place : max(place, first)], crc), max(place, past)
    fixed[44:48] = zlib.crc32(fixed[place:], crc).to_bytes(4, "little")
    fixed[48:52] = bytes(4)
    fixed[48:52] = zlib.crc32(fixed[:4096]).to_bytes(4, "little")
    return bytes(fixed)


def databases(folder: Path) -> list[bytes]:
    """Make small files of every kind in a folder."""
    for name, sizes in {"home": (6, 3, 2), "long": (8, 3, 0), "gammons": (1, 15, 15)}.items():
        bgrace.build(folder / name, *sizes)
    bgrace.build(folder / "archive", 6, 3, 2, compress=True)
    for name in ("home", "gammons"):
        bgrace.pack(folder / name, folder / f"packed {name}")
        bgrace.pack_approximate(folder / name, folder / f"small {name}", 0.01)
    return [path.read_bytes() for path in sorted(folder.iterdir())]


def gnubg_files(folder: Path) -> list[bytes]:
    """Make small files of GNU Backgammon, some with the header of another kind."""
    gnubg.generate(folder / "one", "one-sided", points=1, checkers=15)
    gnubg.generate(folder / "two", "two-sided", points=3, checkers=2)
    one, two = ((folder / name).read_bytes() for name in ("one", "two"))
    return [one, two, *(one[:15] + flags + one[20:] for flags in (b"1-0-0", b"0-0-0", b"1-0-1", b"0-1-0"))]


def corpus(name: str) -> list[bytes]:
    """Read the seeds of a target from tests/fuzz/corpus."""
    return [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]


def targets(folder: Path) -> Iterator[Target]:
    """Make every target, with files in a folder."""
    from helpers.xg_file import xg_bytes  # noqa: PLC0415  (main puts tests on the path)

    def in_file(read: Callable[[Path], object]) -> Callable[[bytes], None]:
        def reader(data: bytes) -> None:
            path = folder / "x"
            path.write_bytes(data)
            with suppress(OSError):
                read(path)

        return reader

    yield Target("text", read_text, corpus("text"))
    yield Target("web", read_web, corpus("web"))
    for name in ("table.xml", "table.csv"):
        MatchEquityTable.from_arrays([[0.5, 0.7], [0.3, 0.5]], [0.5, 0.4]).write(folder / name)
    tables = [(folder / name).read_bytes() for name in ("table.xml", "table.csv")]
    yield Target("tables", in_file(read_table), [*tables, *corpus("tables")])
    for name in ("gnubg", "databases"):
        (folder / name).mkdir()
    yield Target("gnubg", in_file(read_gnubg), gnubg_files(folder / "gnubg"))
    yield Target("databases", in_file(read_database), databases(folder / "databases"), put_right)
    path, gvformat = MATCHES / "3-102.mat", importlib.import_module("gvformat")
    (match,) = read_bytes(path.read_bytes(), "match")
    texts = [path.read_bytes()[:1500], (MATCHES / "3-102.sgf").read_bytes()[:6000], *corpus("matches")]
    xg, ogxm = xg_bytes(match), gvformat.write_gvab(gvformat.convert_mat(path))
    smile = b'{"format":"BGF","version":"1.0","compress":false,"useSmile":true}\n:)\n\x01\xfa\xfb'
    yield Target("matches", read_match, [*texts, xg, ogxm, smile])
    head = 8232  # bytes of .xg before the packed part
    yield Target("inside xg", lambda data: read_match(xg[:head] + zlib.compress(data, 1)), [zlib.decompress(xg[head:])])


# ---------------------------------------------------------------------- changed proofs

_ODD: Final[tuple[Any, ...]] = (
    *(None, True, 0, 1, -1, 0.5, 10**30, 1e308, -1e308, math.nan, math.inf, [], {}, [[]], [0] * 24, [15] * 24),
    *("", "too good", "no double", "double/take", "double/pass", "double/beaver", "A" * 100, "eJw="),
)


def write_proofs(folder: Path) -> Iterator[dict[str, Any]]:
    """Write proofs for money and at a score, by all pairs and by shortlists."""
    for k, (seconds, solution) in enumerate(
        (
            (0.1, bgrace.solve("2x2 1x2", "3x1 1x2")),
            (0.1, bgrace.solve("4x1 3x2", "3x2 1x1", match=Score(3, 5))),
            (0.1, bgrace.solve("4x1 2x1", "1x14 2x1", stakes=bgrace.Stakes.money(Rules(jacoby=True, beavers=True)))),
            (0.01, bgrace.solve("6x2 5x2 4x1 2x1", "5x3 3x2 2x1")),
        )
    ):
        bgrace.write_proof(solution, folder / f"{k}.proof", seconds=seconds)
        yield json.loads((folder / f"{k}.proof").read_text(encoding="utf-8"))


@st.composite
def changed(draw: st.DrawFn, proofs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Change one value of a proof, and correct its SHA-256."""
    proof: dict[str, Any] = copy.deepcopy(draw(st.sampled_from(proofs)))
    inside: Any = proof
    key: Any = draw(st.sampled_from([name for name in proof if name != "sha256"]))
    while isinstance(inside[key], dict | list) and inside[key] and draw(st.booleans()):
        inside = inside[key]
        key = draw(st.sampled_from(list(inside) if isinstance(inside, dict) else range(len(inside))))
    old = inside[key]
    near = [old + 1, old - 1, -old, 2 * old, old + 1e-3, old + 1e-9] if isinstance(old, int | float) else []
    other = draw(st.sampled_from([*_ODD, *near]))
    assume(other != old or isinstance(other, bool) is not isinstance(old, bool))
    inside[key] = other
    proof.pop("sha256", None)
    proof["sha256"] = sha256(json.dumps(proof, sort_keys=True).encode()).hexdigest()
    return proof


def check_proofs(folder: Path, examples: int) -> None:
    """Check that changed proofs are refused."""
    proofs, path = list(write_proofs(folder)), folder / "changed.proof"

    @settings(max_examples=examples, deadline=30_000, database=None, suppress_health_check=list(HealthCheck))
    @given(changed(proofs))
    def attack(proof: dict[str, Any]) -> None:
        path.write_text(json.dumps(proof), encoding="utf-8")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            assert check_proof.main(str(path)) == 1
        assert ": refused: " in printed.getvalue()

    with little_memory(1 << 30):
        attack()


# ---------------------------------------------------------------------- stops

MAX_DELAY: Final = 0.5
"""Processor seconds within which a stopped command must end."""

COMMANDS: Final = """
build {0}/x --two-sided 8 --force
info {0}/all --json
pack {0}/all {0}/x --force
pack {0}/all {0}/x --force --error 0.002 --equity-error 0.01
unpack {0}/packed {0}/x --force
verify {0}/all
import {0}/gnubg_ts.bd {0}/x --force
export {0}/all {0}/gnubg_x.bd --table two-sided --force
export --exact --checkers 7 {0}/gnubg_ts0.bd --force
query {0}/all 6x2,5x2 6x3,5x1 --rolls
solve {1} {2} --seconds 20
solve {1} {2} --seconds 3 --prove
solve --batch data/recorded-races.txt --seconds 3
solve --batch data/recorded-races.txt --seconds 3 --workers 2
prove 6x4,5x3,4x3,3x1 6x4,5x3,4x2,3x1 -o {0}/x.proof
prove {1} {2} -o {0}/x.proof --seconds 30
risk 2,2,2,3,3,3 bar,bar
review data/matches --seconds 5
review data/matches --seconds 5 --workers 1
deck data/matches --seconds 5 --workers 1 -o {0}/x.apkg
board {1} {2}
match map {1} {2} --length 9
counts {1} {2} --seconds 20
referee {0}/all --games 30000
referee {0}/all --games 300 --seconds 1 --workers 2
web {0}/all --no-browser --port 0
mcp {0}/all
rollout {1} {2} --games 100000000
windows --positions {0}/all
plot race-figures {0}/figures
report --positions
"""
SIDES: Final = ("8x1,6x4,5x3,4x3,3x2", "9x1,8x1,6x4,5x4,4x2,3x1")


def used_by(session: int) -> float:
    """Add up the processor seconds of a session's processes, and of their children that have ended."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15])) if int(fields[3]) == session else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def stop(command: list[str], most: float) -> tuple[float, str]:
    """Stop a command at a random moment; return the processor seconds until it ended, and any problem."""
    send, key = random.choice(((os.killpg, signal.SIGINT), (os.kill, signal.SIGINT), (os.kill, signal.SIGTERM)))
    moment, used, end = random.uniform(0.1, most), 0.0, time.monotonic() + 15
    start = [sys.executable, "-m", "bgrace", *command]
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            start, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors, cwd=ROOT, start_new_session=True
        )
        while process.poll() is None and used < moment and time.monotonic() < end:
            time.sleep(0.01)
            used = used_by(process.pid)
        if process.poll() is not None:
            return 0, "" if process.returncode == 0 else f"status {process.returncode} by itself"
        send(process.pid, key)
        last, end = used, time.monotonic() + 60
        while process.poll() is None and time.monotonic() < end:
            last = max(last, used_by(process.pid))
            time.sleep(0.01)
        end = time.monotonic() + 5
        while (left := used_by(process.pid) > 0) and time.monotonic() < end:
            time.sleep(0.01)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        errors.seek(0)
        text = errors.read()
    wrong = "Traceback" in text or left or process.returncode not in (0, 1, -key) or last - used > MAX_DELAY
    report = f"{key.name} at {moment:.2f}: status {process.returncode}, {last - used:.2f} s, left {left}: {text[-300:]}"
    return last - used, report if wrong else ""


def check_stops(folder: Path, seconds: float) -> bool:
    """Stop every command again and again, print the greatest delays, and return whether there was no problem."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a parent may have ignored it
    bgrace.build(folder / "all", 6, 15, 6)
    bgrace.pack(folder / "all", folder / "packed")
    gnubg.generate(folder / "gnubg_ts.bd", "two-sided", points=6, checkers=6)
    commands, problems = COMMANDS.strip().splitlines(), []
    for line in commands:
        end, delays = time.monotonic() + seconds / len(commands), [0.0]
        command = line.format(folder, *SIDES).split()
        while time.monotonic() < end:
            took, problem = stop(command, 4)
            delays.append(took)
            problems += [f"{line}: {problem}"] if problem else []
        print(f"{line:70} {len(delays) - 1:4} stops, at most {max(delays):.2f} s late", flush=True)
    print(*problems, sep="\n")
    return not problems


PARTS: Final = ("readers", "proofs", "failing", "stops")


@click.command(help=__doc__)
@click.option("--minutes", default=60.0)
@click.option("--only", type=click.Choice(PARTS))
def main(minutes: float, only: str | None) -> None:
    sys.path.insert(0, str(ROOT / "tests"))
    from helpers import failing_calls  # noqa: PLC0415

    parts = [only] if only else list(PARTS)
    share, failed = 60 * minutes / len(parts), False
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top)
        attacks: list[tuple[str, float, Callable[[], None]]] = []
        if "readers" in parts:
            listed = list(targets(folder))
            attacks += [(each.name, share / len(listed), partial(check, each, 500)) for each in listed]
        if "proofs" in parts:
            attacks.append(("proofs", share, partial(check_proofs, folder, 500)))
        for name, seconds, attack in attacks:
            n_inputs, end = 0, time.monotonic() + seconds
            try:
                while not n_inputs or time.monotonic() < end:
                    attack()
                    n_inputs += 500
                print(f"{name}: {n_inputs:,} inputs", flush=True)
            except Exception as error:
                failed = True
                print(f"{name}: {type(error).__name__}: {error}\n" + "\n".join(getattr(error, "__notes__", ())))
        if "stops" in parts:
            failed |= not check_stops(folder, share)
        for name, n, problems in failing_calls.attack() if "failing" in parts else ():
            failed |= bool(problems)
            print(f"failing calls: {name}: {n:,}", *problems[:5], sep="\n")
    sys.exit(int(failed))


if __name__ == "__main__":
    main()
