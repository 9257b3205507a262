"""Give whatever reads bytes or text from anybody damaged ones: it reads them, or refuses them in one line.

Inputs are seeds, among them those of tests/fuzz/corpus, with a few changes: bits, bytes, pieces taken out, doubled,
swapped or taken from another seed.  Of a file with a checksum over its head the checksum is put right in most.  What is
not an error of `bgrace.errors` (or of the system, for files) is printed with its input, which is kept in a file; so is
what takes more than ten seconds of the processor.  The C library has probe.sh.

Needs the extras match, review and web.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import random
import tempfile
import time
import traceback
import warnings
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

import bgrace
from bgrace.board.dice import parse_roll
from bgrace.errors import BgraceError
from bgrace.interop import gnubg
from bgrace.match import MatchEquityTable, Score, parse_score
from bgrace.match.stakes import Stakes
from bgrace.review.reading import read_bytes
from bgrace.review.replay import replay
from bgrace.web import Answers, create_app, read_question

ROOT: Final = Path(__file__).resolve().parents[2]
MATCHES: Final = ROOT / "tests" / "review" / "matches"
CORPUS: Final = ROOT / "tests" / "fuzz" / "corpus"
MAX_SECONDS: Final = 10.0
MOST: Final = 1 << 20  # bytes of an input

Reader = Callable[[bytes], object]


@dataclass(frozen=True)
class Target:
    """What reads, inputs that it reads, and whether errors of the system are fine too."""

    name: str
    read: Reader
    seeds: tuple[bytes, ...]
    whole: Callable[[bytearray], None] = lambda data: None
    """Puts a checksum right."""


# ---------------------------------------------------------------------- what reads


def read_text(data: bytes) -> None:
    """Positions, IDs, rolls and scores."""
    text = data.decode("utf-8", "surrogateescape")
    for parse in (bgrace.parse_position, bgrace.parse_board, parse_roll, parse_score):
        with suppress(BgraceError):
            parse(text)
    with suppress(BgraceError):
        board = bgrace.parse_board(text)
        for written in map(bgrace.parse_board, (board.xgid(), board.ogid())):
            assert (written.on_roll, written.opponent) == (board.on_roll, board.opponent), "an ID is read back"
        Stakes.of(board)


def _in_file(read: Callable[[Path], object]) -> Reader:
    folder = Path(tempfile.mkdtemp(prefix="fuzz-readers-"))

    def reader(data: bytes) -> None:
        path = folder / "x"
        path.write_bytes(data)
        with suppress(BgraceError, OSError):
            read(path)

    return reader


def read_table(path: Path) -> None:
    """A match equity table: it is used, and written."""
    table = MatchEquityTable.load(path)
    for a, b in ((1, 1), (1, 2), (3, 5)):
        with suppress(BgraceError):
            assert 0 <= table.equity(a, b) <= 1, "a chance"
            table.take_point(Score(a, b))


def read_gnubg(path: Path) -> None:
    """A file of GNU Backgammon: made a database, which is asked everything."""
    made = path.with_name("imported.h5")
    gnubg.convert([path], made, force=True)
    with bgrace.open(made) as db:
        ask(db)


def read_database(path: Path) -> None:
    """A file of ours, mapped and read: asked everything; and whatever passes its checksums is described."""
    for access in ("map", "read"):
        with suppress(BgraceError), bgrace.open(path, access) as db:
            ask(db)
    with suppress(BgraceError), bgrace.open(path, verify=True) as db:
        db.info()


def ask(db: bgrace.Database) -> None:
    """Every kind of question; answers are numbers that can be."""
    some = db.space.position(np.array([0, 1, 2, len(db.space) // 2, len(db.space) - 1]))
    pairs = [tuple(map(int, each)) for each in some]
    with suppress(BgraceError):
        assert np.all(db.epc(some) >= 0), "no EPC is negative, or none"
    with suppress(BgraceError):
        db.roll_distribution(some)
    with suppress(BgraceError):
        chances = db.win_probability(some[:, None], some[1:])
        assert np.all((chances >= 0) & (chances <= 1)), "chances are 0 to 1"
    for on_roll in pairs[1:]:
        for opponent in pairs[1:3]:
            for question in (db.win_probability, db.equities, db.cube_action):
                with suppress(BgraceError):
                    question(on_roll, opponent)
        with suppress(BgraceError):
            db.best_plays(on_roll, pairs[1], (2, 1))
        with suppress(BgraceError):
            db.variance_rolls(on_roll)


def read_match(data: bytes) -> None:
    """A match: replayed."""
    for match in read_bytes(data, "match"):
        for game in replay(match):
            tuple(game.decisions)


class Web:
    """Bodies of requests, through the whole application; what is read is not solved."""

    def __init__(self) -> None:
        self._database = bgrace.open(bgrace.example_file())
        answers = Answers(self._database)
        self._loop = asyncio.new_event_loop()
        self._thread = ThreadPoolExecutor(1)  # in that of a test a browser may have a loop of its own
        self._app = create_app(answers)

    def __call__(self, data: bytes) -> None:
        """Post it; a question that the file does not answer at once is only read."""
        with suppress(ValueError, RecursionError, BgraceError):
            asked = json.loads(data)
            if isinstance(asked, dict):
                read_question(asked)
                question = read_question(asked)
                if not Answers(self._database).is_quick(question):
                    return
        for path in ("/api/solve", "/api/counts"):
            self._answered(path, data, "application/json")

    def review(self, data: bytes) -> None:
        """Post it as a file that was dropped on the page, under a name of its own bytes."""
        self._answered("/api/review", data, "application/octet-stream")

    def _answered(self, path: str, data: bytes, kind: str) -> None:
        status, body = self._thread.submit(self._loop.run_until_complete, self._post(path, data, kind)).result()
        assert status in (200, 400, 413, 422), f"status {status}"
        for line in body.splitlines() or [b""]:
            assert isinstance(json.loads(line), dict), "JSON comes back"

    async def _post(self, path: str, data: bytes, kind: str) -> tuple[int, bytes]:
        sent = [{"type": "http.request", "body": data, "more_body": False}]
        got: list[dict[str, Any]] = []
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"name=" + data[:50],
            "root_path": "",
            "scheme": "http",
            "server": ("127.0.0.1", 80),
            "client": ("127.0.0.1", 1),
            "headers": [(b"host", b"127.0.0.1"), (b"content-type", kind.encode())],
        }

        async def receive() -> dict[str, Any]:
            if sent:
                return sent.pop()
            await asyncio.sleep(3600)
            raise AssertionError("nobody waits for that")

        async def send(message: Any) -> None:
            got.append(dict(message))

        await self._app(scope, receive, send)
        return int(got[0]["status"]), b"".join(message.get("body", b"") for message in got[1:])


# ---------------------------------------------------------------------- seeds


def corpus(name: str) -> tuple[bytes, ...]:
    """The seeds of a target in the tree."""
    return tuple(path.read_bytes() for path in sorted((CORPUS / name).iterdir()))


def put_right(data: bytearray) -> None:
    """The length and the checksums of a database file: those of its head and of what HDF5 says."""
    if len(data) < 4096:
        return
    data[16:24] = len(data).to_bytes(8, "little")
    ranges = []
    for k in range(int.from_bytes(data[40:44], "little") % 64):
        entry = data[256 + 104 * k : 360 + 104 * k]
        offset, n_bytes = (int.from_bytes(entry[at : at + 8], "little") for at in (72, 80))
        ranges.append((offset, offset + n_bytes))
    place, crc = 4096, 0
    for first, past in sorted(ranges):
        crc = zlib.crc32(data[place : max(place, first)], crc)
        place = max(place, past)
    data[44:48] = zlib.crc32(data[place:], crc).to_bytes(4, "little")
    data[48:52] = bytes(4)
    data[48:52] = zlib.crc32(data[:4096]).to_bytes(4, "little")


def databases(folder: Path) -> tuple[bytes, ...]:
    """Small files of every kind."""
    made = {}
    for name, (points, checkers, two_sided) in {"home": (6, 3, 2), "long": (8, 3, 0), "gammons": (1, 15, 15)}.items():
        bgrace.build(folder / name, points, checkers, two_sided)
    bgrace.build(folder / "archive", 6, 3, 2, compress=True)
    bgrace.pack(folder / "home", folder / "packed")
    bgrace.pack(folder / "gammons", folder / "packed gammons")
    bgrace.pack_approximate(folder / "home", folder / "small", 0.01)
    bgrace.pack_approximate(folder / "gammons", folder / "small gammons", 0.01, 0.02)
    for path in sorted(folder.iterdir()):
        made[path.name] = path.read_bytes()
    return tuple(made.values())


def gnubg_files(folder: Path) -> tuple[bytes, ...]:
    """Small files of GNU Backgammon, and heads of other kinds."""
    made = []
    for k, (kind, points) in enumerate((("one-sided", 1), ("two-sided", 3))):
        gnubg.generate(folder / str(k), kind, points=points, checkers=15 if kind == "one-sided" else 2)  # type: ignore[arg-type]
        made.append((folder / str(k)).read_bytes())
    one = made[0]
    for flags in (b"1-0-0", b"0-0-0", b"1-0-1", b"0-1-0"):
        made.append(one[:15] + flags + one[20:])
    return tuple(made)


def matches() -> tuple[bytes, ...]:
    """A match in every format."""
    gvformat = importlib.import_module("gvformat")
    path = MATCHES / "3-102.mat"
    document = gvformat.convert_mat(path)
    from helpers.xg_file import xg_bytes  # noqa: PLC0415  (tests are on the path only when it runs)

    (match,) = read_bytes(path.read_bytes(), "match")
    short = path.read_bytes()[:1500]
    smile = b'{"format":"BGF","version":"1.0","compress":false,"useSmile":true}\n:)\n\x01\xfa\xfb'
    return (
        short,
        (MATCHES / "bare" / "1-101.sgf").read_bytes(),
        (MATCHES / "3-102.sgf").read_bytes()[:6000],
        xg_bytes(match),
        gvformat.write_gvab(document),
        smile,
        *corpus("matches"),
    )


def targets(folder: Path) -> Iterator[Target]:
    """All of them."""
    yield Target("text", read_text, corpus("text"))
    table = folder / "table.xml"
    MatchEquityTable.from_arrays([[0.5, 0.7], [0.3, 0.5]], [0.5, 0.4]).write(table)
    MatchEquityTable.from_arrays([[0.5, 0.7], [0.3, 0.5]], [0.5, 0.4]).write(folder / "table.csv")
    tables = (table.read_bytes(), (folder / "table.csv").read_bytes(), *corpus("tables"))
    yield Target("tables", _in_file(read_table), tables)
    for name, make, read, whole in (
        ("gnubg", gnubg_files, read_gnubg, None),
        ("databases", databases, read_database, put_right),
    ):
        (folder / name).mkdir()
        yield Target(name, _in_file(read), make(folder / name), whole or (lambda data: None))
    yield Target("matches", read_match, matches())
    web = Web()
    yield Target("web", web, corpus("web"))
    yield Target("reviews", web.review, matches())


# ---------------------------------------------------------------------- changes


def changed(data: bytes, other: bytes, chance: random.Random) -> bytearray:
    """A few changes."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        size = len(found)
        place = chance.randrange(size + 1)
        # Heads say what the rest is.
        place = chance.choice((place, place, min(place, chance.randrange(1, 400))))
        length = chance.choice((1, 1, 2, 4, 8, chance.randrange(1, 200)))
        kind = chance.randrange(8)
        if kind == 0 and size:
            found[min(place, size - 1)] ^= 1 << chance.randrange(8)
        elif kind == 1:
            found[place : place + length] = chance.randbytes(length)
        elif kind == 2:
            del found[place : place + length]
        elif kind == 3:
            found[place:place] = found[place : place + length] * chance.choice((1, 2, 50))
        elif kind == 4 and other:
            start = chance.randrange(len(other))
            found[place : place + length * chance.randrange(2)] = other[start : start + length]
        elif kind == 5:
            found[place : place + length] = chance.choice((b"\0", b"\xff", b"9", b"-", b"[", b"\x7f")) * length
        elif kind == 6:
            words = (
                b"nan",
                b"inf",
                b"-1",
                b"1e308",
                b"99999999999999999999",
                b'"',
                b"null",
                b"\xc2\xb2",
                b"true",
                b"0",
            )
            found[place : place + chance.choice((0, 1, 3))] = chance.choice(words)
        elif chance.random() < 0.2:
            del found[place:]
    return found[:MOST]


def tried(target: Target, data: bytes) -> str | None:
    """What went wrong, if anything did."""
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # numbers that are none
            target.read(data)
    except BgraceError as error:
        if isinstance(error.__cause__, MemoryError):
            return "no memory"
    except Exception:
        return traceback.format_exc()
    seconds = time.process_time() - start
    return f"took {seconds:.1f} s" if seconds > MAX_SECONDS else None


def fuzz(target: Target, rounds: int, seed: int) -> int:
    """Try a target; how many inputs it failed at, of which the first three are shown."""
    chance = random.Random(f"{seed} {target.name}")
    n_failed = 0
    for k in range(rounds):
        data = bytearray(target.seeds[k]) if k < len(target.seeds) else bytearray()
        if k >= len(target.seeds):
            data = changed(chance.choice(target.seeds), chance.choice(target.seeds), chance)
            if chance.random() < 0.8:
                target.whole(data)
        wrong = tried(target, bytes(data))
        if wrong is not None:
            n_failed += 1
            if n_failed <= 3:
                kept = Path(tempfile.gettempdir(), f"fuzz-{target.name}-{zlib.crc32(data):08x}")
                kept.write_bytes(data)
                print(f"{target.name}: {wrong}\n{bytes(data[:300])!r}\nkept as {kept}", flush=True)
    return n_failed
