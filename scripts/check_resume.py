"""Disturb whatever writes database files, and hold what comes of it against files that were made in peace.

    python scripts/check_resume.py [--kills 500] [--disks 200] [--tampered 100] [--checkers 4] [--seed 0]

Every way to make a file takes its turn: tables of one side, of pairs, with gammons, for a score, archives, packed and
small files, packed files unpacked.  The tables are small, and most commands are forked from a process that has loaded
Python's modules (ready_commands.py), so that moments fall into the work and not into Python's start; every fifth killed
command is a process of its own, from Python's start to its end.  Ten minutes on one core.

kills     SIGKILL, SIGINT or SIGTERM at a moment drawn from the whole life of a command; three of four come before the
          file would have its name.  Nothing has that name then, or the right file has; run again, and perhaps killed
          again, the same command makes the right bytes.
disks     A file system that is too small from the beginning, or filled by somebody else at a random moment: the right
          bytes, or one line of refusal and nothing under the name; and with room again the right bytes.  On Linux, as
          root, for the file systems are mounted.
tampered  What a killed command left, changed: bits, pages, lengths, notes that lie under a right checksum, other files,
          links, pipes and folders in its place.  The right bytes, or one line of refusal and nothing under the name;
          and what a link leads to is as it was.

A traceback is a failure, and so is whatever takes a minute; but Ctrl-C while Python itself starts, before it has come
to bgrace, prints one that no package can change, and those are counted.  Tables at the end say how often each kind of
disturbance had which outcome.  Exit status 1 if anything failed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from ready_commands import ReadyCommands

import bgrace
from bgrace.database.store.unfinished import NOTE_HEAD, SUM_PLACE

TARGET: Final = "x.h5"
LEFT: Final = (TARGET, "x.h5.partial", "x.h5.packing", "x.h5.plain", "x.h5.plain.partial")
"""Names that a command may leave behind when it is killed."""

PACKAGE: Final = os.path.dirname(bgrace.__file__)

TIMEOUT: Final = 60.0
ROUNDS: Final = 6
"""Kills of one file, at most, before it may be finished."""

WHOLE: Final = 5
"""Of so many killed commands one is a process of its own from the beginning."""

SIGNALS: Final = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
BLOCK: Final = 4096


@dataclass(frozen=True)
class Job:
    """A way to make a file: its name, what `bgrace` is told, TARGET among it, and what comes of it in peace."""

    name: str
    arguments: tuple[str, ...]
    expected: bytes
    lives: dict[bool, Life]
    """By whether Python's start belongs to it."""


@dataclass(frozen=True)
class Life:
    """How long a command takes in peace, in seconds: till the file has its name, and till it ends."""

    named: float
    ended: float

    def moment(self, chance: random.Random) -> float:
        """Draw one: before the file has its name in three of four, from all of its life and a little more in one."""
        return chance.random() * (self.named if chance.randrange(4) else 1.05 * self.ended)


@dataclass
class Count:
    """What has been seen."""

    kinds: Counter[str] = field(default_factory=Counter)
    table: dict[str, Counter[str]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def add(self, row: str, outcome: str) -> None:
        """Count an outcome of some kind of disturbance."""
        self.table.setdefault(row, Counter())[outcome] += 1

    def fail(self, what: str, done: Done | None = None) -> None:
        """Take down a failure, and say so at once."""
        said = f"{what}: exit status {done.status}, {done.errors.strip()[-600:]!r}" if done else what
        self.failures.append(said)
        print(f"FAILED: {said}", flush=True)

    def print_table(self, title: str) -> None:
        """Print how often each kind of disturbance had each outcome."""
        outcomes = sorted({outcome for row in self.table.values() for outcome in row})
        width = max(map(len, (title, *self.table)))
        print(f"\n{title:{width}}  " + "  ".join(outcomes))
        for name, row in sorted(self.table.items()):
            print(f"{name:{width}}  " + "  ".join(f"{row[outcome] or '':>{len(outcome)}}" for outcome in outcomes))
        sums = [sum(row[outcome] for row in self.table.values()) for outcome in outcomes]
        print(
            f"{'together':{width}}  "
            + "  ".join(f"{number:>{len(outcome)}}" for number, outcome in zip(sums, outcomes, strict=True))
        )


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    status: int
    errors: str
    killed: bool
    """Whether a signal was sent: it had not ended by itself."""

    @property
    def python_s_own(self) -> bool:
        """Whether Ctrl-C came while Python itself started: before there was a handler, or in what it loads."""
        frames = [line for line in self.errors.splitlines() if line.startswith('  File "')]
        return (self.status == -signal.SIGINT and not self.errors) or (
            bool(frames) and not any(line.startswith(f'  File "{PACKAGE}') for line in frames)
        )

    @property
    def refused(self) -> bool:
        """Whether it ended with one line, after reports of its progress."""
        lines = self.errors.splitlines()
        return (
            self.status in (1, 2)
            and bool(lines)
            and lines[-1].startswith("bgrace: ")
            and sum(line.startswith("bgrace: ") for line in lines) == 1
            and "Traceback" not in self.errors
            and "Exception ignored" not in self.errors
        )


@dataclass(frozen=True)
class Kill:
    """A signal, so many seconds after a command's beginning."""

    number: signal.Signals
    after: float


class Commands:
    """Runs commands, all of them at the same time of creation, which is an attribute of files.

    Ctrl-C is as in a terminal, whatever this was started from.
    """

    def __init__(self) -> None:
        self._environment = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600", "PYTHONFAULTHANDLER": ""}
        self._ready = ReadyCommands(self._environment)

    def close(self) -> None:
        """Start no more."""
        self._ready.close()

    def run(
        self,
        arguments: tuple[str, ...],
        folder: Path,
        *,
        whole: bool = False,
        kill: Kill | None = None,
        disturb: Callable[[], None] | None = None,
    ) -> Done:
        """Run to the end, from Python's start if it is to be `whole`; kill it, or do something else meanwhile."""
        other = threading.Thread(target=disturb) if disturb else None
        with tempfile.TemporaryFile("w+", errors="replace") as errors:
            start = self._start_whole if whole else self._ready.start
            process = start(arguments, folder, errors)
            if other:
                other.start()
            status, more = None, ""
            if kill:
                with suppress(subprocess.TimeoutExpired):
                    status = process.wait(kill.after)
            killed = kill is not None and status is None
            if killed and kill:
                process.send_signal(kill.number)
            if status is None:
                try:
                    status = process.wait(TIMEOUT)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    status = process.wait()
                    more = f"\nTraceback: {'the signal was not heeded' if kill else 'not done'} in {TIMEOUT:g} seconds"
            if other:
                other.join()
            errors.seek(0)
            return Done(status, errors.read() + more, killed)

    def _start_whole(self, arguments: tuple[str, ...], folder: Path, errors: IO[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "bgrace", *arguments],
            cwd=folder,
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,  # noqa: PLW1509
        )


def jobs_of(commands: Commands, sources: Path, checkers: int) -> list[Job]:
    """Every way to make a file, made in peace once."""
    few, pairs = str(checkers + 2), str(checkers)
    full, packed = str(sources / "full.h5"), str(sources / "packed.h5")
    build = ("build", TARGET, "--checkers", few, "--two-sided", pairs)
    listed: dict[str, tuple[str, ...]] = {
        "build": build,
        "build, gammons": ("build", TARGET, "--points", "2", "--two-sided", "15"),
        "build, more points": ("build", TARGET, "--points", "8", "--checkers", few, "--two-sided", "2"),
        "build --match": ("build", TARGET, "--checkers", pairs, "--two-sided", pairs, "--match", "3,5"),
        "build --compress": (*build, "--compress"),
        "build --pack": (*build, "--pack"),
        "pack": ("pack", full, TARGET),
        "unpack": ("unpack", packed, TARGET),
        "pack --error": ("pack", "--error", "0.01", full, TARGET),
    }
    made: tuple[tuple[str, ...], ...] = (("build", full, *build[2:]), ("pack", full, packed))
    for arguments in made:
        if commands.run(arguments, sources).status:
            sys.exit(f"bgrace {' '.join(arguments)} fails without being disturbed")
    jobs = []
    for name, arguments in listed.items():
        contents, lives = set(), {}
        for whole in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                start = time.time()
                done = commands.run(arguments, Path(folder), whole=whole)
                end = time.time()
                if done.status:
                    sys.exit(f"{name} fails without being disturbed: {done.errors}")
                target = Path(folder, TARGET)
                lives[whole] = Life(target.stat().st_ctime - start, end - start)
                contents.add(target.read_bytes())
        if len(contents) > 1:
            sys.exit(f"{name} makes different bytes each time")
        jobs.append(Job(name, arguments, contents.pop(), lives))
    return jobs


def is_right(job: Job, folder: Path) -> bool:
    """Whether the file is there, and nothing else that a command leaves."""
    path = folder / TARGET
    return path.is_file() and path.read_bytes() == job.expected and not left_in(folder) - {TARGET}


def left_in(folder: Path) -> set[str]:
    """Names in a folder, but for those of this script."""
    return {name for name in os.listdir(folder) if not name.startswith("other")}


def look(count: Count, job: Job, folder: Path, with_signal: signal.Signals, done: Done) -> None:
    """See how a killed command ended, and what it left."""
    count.kinds["killed"] += 1
    count.kinds[with_signal.name] += 1
    target, names = folder / TARGET, left_in(folder)
    if not names <= {*LEFT} or (target.exists() and target.read_bytes() != job.expected):
        count.fail(f"{job.name}, {with_signal.name}: {sorted(names)} left", done)
    left = "the file" if target.exists() else "an unfinished file" if names else "nothing"
    count.add(f"{job.name}, {with_signal.name}", f"left {left}")
    if with_signal is signal.SIGINT and done.python_s_own:
        count.kinds["while Python itself started"] += 1
    elif with_signal is signal.SIGINT and done.status == -signal.SIGINT and target.exists():
        count.kinds["while Python itself ended"] += 1
    elif with_signal is signal.SIGINT and done.status != 0 and not done.refused:
        count.fail(f"{job.name}, SIGINT", done)
    elif "Traceback" in done.errors or "Exception ignored" in done.errors:
        count.fail(f"{job.name}, {with_signal.name}", done)


def kills(
    commands: Commands, jobs: list[Job], n: int, chance: random.Random, kept: list[tuple[Job, dict[str, bytes]]]
) -> Count:
    """See above; what some of the killed commands left goes to `kept`."""
    count = Count()
    for k in itertools.count():
        if count.kinds["killed"] >= n:
            return count
        job = jobs[k % len(jobs)]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            target = folder / TARGET
            for _ in range(min(chance.randint(1, ROUNDS), n - count.kinds["killed"])):
                whole = chance.randrange(WHOLE) == 0
                kill = Kill(chance.choice(SIGNALS), job.lives[whole].moment(chance))
                done = commands.run(job.arguments, folder, whole=whole, kill=kill)
                if not done.killed:
                    count.kinds["done before the kill"] += 1
                    if done.status:
                        count.fail(f"{job.name}, not killed", done)
                    break
                count.kinds["from Python's start"] += whole
                look(count, job, folder, kill.number, done)
                if target.exists():  # killed after the file had its name
                    break
                contents = {one: (folder / one).read_bytes() for one in left_in(folder)}
                if any(contents.values()):
                    kept.append((job, contents))
            if not target.exists():
                done = commands.run(job.arguments, folder)
                if done.status or not is_right(job, folder):
                    count.fail(f"{job.name}, run again: {sorted(left_in(folder))} there", done)
            elif target.read_bytes() != job.expected:
                count.fail(f"{job.name}: not the right bytes")
            count.kinds["finished"] += 1
    return count


# ---------------------------------------------------------------------- full disks


@contextmanager
def mounted(n_bytes: int) -> Iterator[Path]:
    """A file system of so many bytes."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={n_bytes},mode=700", "tmpfs", folder], check=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def fill_up(folder: Path, after: float, leave: int) -> None:
    """Take all but some bytes of a file system, in a while."""
    time.sleep(after)
    with open(folder / "other", "wb") as other:
        for _ in range(3):  # whoever writes meanwhile may be quicker
            free = shutil.disk_usage(folder).free - leave
            if free <= 0:
                return
            with suppress(OSError):
                os.posix_fallocate(other.fileno(), 0, os.fstat(other.fileno()).st_size + free)
                return


def disks(commands: Commands, jobs: list[Job], n: int, chance: random.Random) -> Count:
    """See above."""
    count = Count()
    for k in range(n):
        job = jobs[k % len(jobs)]
        size = len(job.expected)
        filled = chance.random() < 0.6
        # What a command needs is the file, and beside it what it is made from: three times as much, and some.
        most = 4 * size + (2 << 20)
        room = most + (16 << 20) if filled else chance.randrange(BLOCK, 2 * size)
        with mounted(room) as folder:
            after = job.lives[False].moment(chance)
            leave = chance.choice((0, 0, BLOCK, chance.randrange(size)))
            done = commands.run(
                job.arguments,
                folder,
                disturb=(lambda: fill_up(folder, after, leave)) if filled else None,  # noqa: B023
            )
            right = (folder / TARGET).exists() and (folder / TARGET).read_bytes() == job.expected
            row = f"{job.name}, {'filled meanwhile' if filled else 'too small'}"
            if done.status == 0 and right:
                count.add(row, "had room")
            elif done.refused and not (folder / TARGET).exists():
                count.add(row, "refused in one line")
            else:
                what = f"filled after {after:.2f} s but for {leave:,}" if filled else f"{room:,} bytes"
                count.fail(f"{job.name}, {what}, file there: {(folder / TARGET).exists()}", done)
            (folder / "other").unlink(missing_ok=True)
            if not right:
                subprocess.run(["mount", "-o", f"remount,size={most + (16 << 20)}", str(folder)], check=True)
                again = commands.run(job.arguments, folder)
                if again.status or not is_right(job, folder):
                    count.fail(f"{job.name}, with room again: {sorted(left_in(folder))}", again)
            count.kinds["disks"] += 1
    return count


# ---------------------------------------------------------------------- tampered files


def _bit(data: bytearray, chance: random.Random) -> None:
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _zeros(data: bytearray, chance: random.Random) -> None:
    place = chance.randrange(len(data))
    data[place : place + BLOCK] = bytes(len(data[place : place + BLOCK]))


def _noise(data: bytearray, chance: random.Random) -> None:
    place = chance.randrange(len(data))
    data[place : place + 64] = chance.randbytes(len(data[place : place + 64]))


def _cut(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(len(data)) :]


def _longer(data: bytearray, chance: random.Random) -> None:
    data += chance.randbytes(chance.randrange(1, 3 * BLOCK))


def _empty(data: bytearray, _chance: random.Random) -> None:
    data.clear()


def _all_noise(data: bytearray, chance: random.Random) -> None:
    data[:] = chance.randbytes(len(data))


def _lie(data: bytearray, chance: random.Random) -> None:
    """Change a note, and put its checksum right."""
    try:
        note = json.loads(data[SUM_PLACE:BLOCK])
    except ValueError:  # no note: not a file that is gone on from
        return _bit(data, chance)
    changes: list[Callable[[], object]] = [
        lambda: note.update(stage=chance.choice((note["stage"] + 1, 0, 1, -1, "abc", 1.5, 10**100, None, [[]]))),
        lambda: note.update(checksum=chance.choice((0, -1, "x", 1 << 70))),
        lambda: note.update(metadata_crc32=0),
        lambda: note.update(boot=""),
        lambda: note.update(
            tables=chance.choice(("[[[[", {}, [], {name: [0, [1 << 62], 1] for name in note["tables"]}))
        ),
        lambda: [table.__setitem__(0, chance.choice((8, 1 << 40, "a", -5))) for table in note["tables"].values()],
        lambda: [
            table.__setitem__(1, chance.choice(([], [1], [1 << 62, 4], "a"))) for table in note["tables"].values()
        ],
        lambda: note["work"].update(checkers=chance.choice((1, 99, "x"))),
        lambda: note.pop(chance.choice(sorted(note))),
    ]
    if isinstance(note.get("tables"), dict) and "stage" in note and "work" in note:  # else it has been changed before
        chance.choice(changes)()
    body = json.dumps(note).encode().ljust(BLOCK - SUM_PLACE)[: BLOCK - SUM_PLACE]
    data[:BLOCK] = NOTE_HEAD + f"{zlib.crc32(body):08x}\n".encode() + body
    return None


CHANGES: Final = (_bit, _zeros, _noise, _cut, _longer, _empty, _all_noise, _lie)
VICTIM: Final = b"somebody's letters\n" * 300


def _replace(path: Path, kind: str, other: Path) -> None:
    """Put something else in a file's place."""
    path.unlink()
    if kind == "a link":
        path.symlink_to(other)
    elif kind == "a link to nothing":
        path.symlink_to(other.with_name("other-missing"))
    elif kind == "a hard link":
        path.hardlink_to(other)
    elif kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a folder":
        path.mkdir()


REPLACED: Final = ("a link", "a link to nothing", "a hard link", "a pipe", "a folder")


def tampered(commands: Commands, kept: list[tuple[Job, dict[str, bytes]]], n: int, chance: random.Random) -> Count:
    """See above."""
    count = Count()
    by_name: dict[str, list[tuple[Job, dict[str, bytes]]]] = {}
    for job, contents in kept:
        by_name.setdefault(job.name, []).append((job, contents))
    names, kinds = sorted(by_name), (*CHANGES, *REPLACED, "of another command")
    for k in range(n):
        # In turn, both: their numbers have no common factor, so that every kind meets every command.
        kind = kinds[k % len(kinds)]
        job, contents = chance.choice(by_name[names[k % len(names)]])
        with tempfile.TemporaryDirectory() as folder_name:
            folder = Path(folder_name)
            other = folder / "other"
            other.write_bytes(VICTIM)
            for name, data in contents.items():
                (folder / name).write_bytes(data)
            path = folder / chance.choice(sorted(name for name, data in contents.items() if data))
            if kind == "of another command":
                _, others = chance.choice(kept)
                path.write_bytes(max(others.values(), key=len))
            elif isinstance(kind, str):
                _replace(path, kind, other)
            else:
                damaged = bytearray(path.read_bytes())
                for _ in range(chance.choice((1, 1, 3))):
                    if damaged:
                        kind(damaged, chance)
                path.write_bytes(damaged)
            done = commands.run(job.arguments, folder)
            told = kind if isinstance(kind, str) else kind.__name__.strip("_").replace("_", " ")
            what = f"{job.name}, {path.name}: {told}"
            target = folder / TARGET
            if done.status == 0 and target.is_file() and target.read_bytes() == job.expected:
                count.add(told, "right bytes")
            elif done.refused and not target.exists():
                count.add(told, "refused in one line")
            else:
                count.fail(f"{what}, file there: {target.exists()}", done)
            if other.read_bytes() != VICTIM or (folder / "other-missing").exists():
                count.fail(f"{what}: another file was changed")
            count.kinds["tampered"] += 1
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--disks", type=int, default=200)
    parser.add_argument("--tampered", type=int, default=100)
    parser.add_argument("--checkers", type=int, default=4, help="a side, in tables of pairs")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance, commands, start = random.Random(options.seed), Commands(), time.perf_counter()
    kept: list[tuple[Job, dict[str, bytes]]] = []
    counts: dict[str, Count] = {}

    def tell(name: str, count: Count) -> None:
        counts[name] = count
        told = ", ".join(f"{kind} {number}" for kind, number in count.kinds.items())
        print(f"{name}: {told}; failures {len(count.failures)} ({time.perf_counter() - start:.0f} s)", flush=True)

    with tempfile.TemporaryDirectory() as sources, closing(commands):
        jobs = jobs_of(commands, Path(sources), options.checkers)
        for job in jobs:
            ready, whole = job.lives[False], job.lives[True]
            print(
                f"{job.name}: {len(job.expected):,} bytes, named after {ready.named:.2f} of {ready.ended:.2f} s, "
                f"after {whole.named:.2f} of {whole.ended:.2f} s from Python's start"
            )
        # Whatever is tampered with was left by a kill.
        tell("kills", kills(commands, jobs, options.kills or min(40, 4 * options.tampered), chance, kept))
        if options.disks:
            if os.geteuid() == 0 and sys.platform == "linux":
                tell("full disks", disks(commands, jobs, options.disks, chance))
            else:
                print("full disks: left out, it takes root on Linux to mount some")
        if options.tampered and kept:
            tell("tampered files", tampered(commands, kept, options.tampered, chance))
    for name, count in counts.items():
        count.print_table(name)
    failures = sum(len(count.failures) for count in counts.values())
    print(f"\nfailures: {failures}")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
