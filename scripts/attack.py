"""Attack everything that anybody can reach, for about an hour, and print a table of what was tried and what failed.

    python scripts/attack.py [--minutes 60] [--only PART] [--seed N]

- damaged and mutated input of every reader, in Python: texts, tables, files of GNU Backgammon, databases, matches,
  requests (attacks/readers.py); packed matches, under a limit of memory (attacks/packed.py);
- changed certificates, before scripts/check_proof.py (attacks/proofs.py);
- damaged files and hostile arguments in C, under sanitizers and, where there is clang, libFuzzer (attacks/probe.sh);
- every call of the system and for memory that fails, in the C library (tests/c/failures.c) and while files are made:
  errors, full disks, short and torn writes, kills (attacks/calls.py);
- builds that are killed at any moment;
- random races at any budget, roll, stakes and memory (measure_turns.py).

PART is damaged, packed, proofs, probe, failing, failing_in_c, killed or races.
What depends on chance is tried for its share of the time.  Needs the extras match, review and web, a C compiler, and
Linux.  The exit status is 1 if anything failed.
"""

from __future__ import annotations

import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from attacks import Tried, calls, readers
from measure_turns import ask
from options import read_options

import bgrace
from bgrace import embed

ROOT: Final = Path(__file__).resolve().parents[1]
ATTACKS: Final = ROOT / "scripts" / "attacks"
SANITIZED: Final = ("-std=gnu11", "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
ROUNDS: Final = 200  # of damaged input, between looks at the clock


def lines_of(*command: str | Path) -> tuple[str, list[str]]:
    """What a command prints, and its last lines if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return done.stdout, (done.stdout + done.stderr).strip().splitlines()[-5:] if done.returncode else []


def damaged(seconds: float, seed: int) -> Iterator[Tried]:
    """Readers in Python."""
    with tempfile.TemporaryDirectory() as folder:
        targets = list(readers.targets(Path(folder)))
        for target in targets:
            end, n, n_failed = time.monotonic() + seconds / len(targets), 0, 0
            while time.monotonic() < end:
                n_failed += readers.fuzz(target, len(target.seeds) + ROUNDS, seed + n)
                n += len(target.seeds) + ROUNDS
            yield Tried(f"damaged input: {target.name}", n, ["see above"] * n_failed)


def limited(script: str, what: str, inputs: int, seconds: float, seed: int) -> Tried:
    """Another program, under a limit of memory; each of its rounds has so many inputs."""
    end, n, failed = time.monotonic() + seconds, 0, []
    while time.monotonic() < end:
        lines = lines_of(sys.executable, ATTACKS / script, str(ROUNDS), str(seed + n))[1]
        failed += ["\n".join(lines)] * bool(lines)
        n += inputs * ROUNDS
    return Tried(what, n, failed)


def packed(seconds: float, seed: int) -> Iterator[Tried]:
    """Packed matches."""
    yield limited("packed.py", "damaged .xg, .bgf and .ogxm, 512 MiB", 5, seconds, seed)


def proofs(seconds: float, seed: int) -> Iterator[Tried]:
    """Certificates, before the program that checks them."""
    yield limited("proofs.py", "changed certificates, 1 GiB", 1, seconds, seed)


def probe(seconds: float, seed: int) -> Iterator[Tried]:
    """Files and arguments, in C."""
    rounds = round(50 * seconds)
    said, failed = lines_of("sh", ATTACKS / "probe.sh", str(rounds), str(seed), str(round(seconds / 2)))
    runs = re.search(r"runs of all targets: (\d+)", said)
    yield Tried("damaged files and arguments in C, sanitized", rounds + (int(runs[1]) if runs else 0), failed)


def failing(_seconds: float, _seed: int) -> Iterator[Tried]:
    """Calls of the system and for memory."""
    for name, n, failed in calls.attack():
        yield Tried(f"failing calls: {name}", n, failed)


def failing_in_c(seconds: float, _seed: int) -> Iterator[Tried]:
    """The same in the C library: of files all of them, of the solver as many as there is time for."""
    program = ROOT / "tests" / "c" / "failures.c"
    header, source = embed.sources()
    wrapped = sorted(set(re.findall(r"__wrap_(\w+)\(", program.read_text(encoding="utf-8"))))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        told = [
            *shlex.split(os.environ.get("CC", "cc")),
            *SANITIZED,
            *(f"-DBGR_OWN_{each.upper()}=own_{each}" for each in ("malloc", "realloc", "free")),
            f"-I{header.parent}",
            *(f"-Wl,--wrap={each}" for each in wrapped),
        ]
        subprocess.run([*told, str(program), str(source), "-lm", "-o", str(folder / "failures")], check=True)
        bgrace.build(folder / "plain.h5", 6, 3, 2)
        bgrace.pack(folder / "plain.h5", folder / "packed.h5")
        bgrace.pack_approximate(folder / "plain.h5", folder / "approximate.h5", 0.01)
        # The solver takes 6 minutes of a processor for every call.
        stride = max(1, round(360 / max(seconds, 1)))
        files = sorted(folder.glob("*.h5"))
        for what, each, some in (("files", 1, files), ("solver", stride, files[-1:])):
            said, failed = lines_of(folder / "failures", what, str(each), *some)
            n = sum(map(int, re.findall(r"(\d+) calls failed one by one", said)))
            yield Tried(f"failing calls in C: {what}", n, failed, f"one in {each}" if each > 1 else "every one")


def killed(seconds: float, seed: int) -> Iterator[Tried]:
    """Builds, killed after any time."""
    chance, n, failed = random.Random(seed), 0, []
    environment = os.environ | {"SOURCE_DATE_EPOCH": "1735689600"}
    kinds = (
        ["--two-sided", "5"],
        ["--compress"],
        ["--pack", "--two-sided", "4"],
    )
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.h5")

        def build(options: list[str]) -> subprocess.Popen[bytes]:
            command = [sys.executable, "-m", "bgrace", "build", str(path), "--checkers", "6", "--force", *options]
            return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

        expected, took = [], []
        for options in kinds:
            began = time.monotonic()
            build(options).communicate()
            took.append(time.monotonic() - began)
            expected.append(path.read_bytes())
        while time.monotonic() < end:
            k = n % len(kinds)
            n += 1
            path.write_bytes(expected[k - 1])
            process = build(kinds[k])
            try:
                process.communicate(timeout=took[k] * (0.3 + 0.8 * chance.random()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
            if path.read_bytes() not in (expected[k - 1], expected[k]):
                failed.append(f"{kinds[k]}: neither the old file nor the new one")
            said = build(kinds[k]).communicate()[1].decode()
            if path.read_bytes() != expected[k] or os.listdir(folder) != ["x.h5"]:
                failed.append(f"{kinds[k]}: not made the next time, or something is left: {said[-200:]}")
    yield Tried("killed builds", n, failed)


def races(seconds: float, seed: int) -> Iterator[Tried]:
    """Races by turns."""
    end, n, failed = time.monotonic() + seconds, 0, []
    began = time.process_time()
    while time.monotonic() < end:
        fault = ask(seed * 10_000_000 + n, 0.02)
        failed += [fault] * bool(fault)
        n += 1
    yield Tried("random races, .001 to .02 s", n, failed, f"{n / (time.process_time() - began):.0f} a processor second")


PARTS: Final[dict[Callable[[float, int], Iterator[Tried]], float]] = {
    damaged: 0.18,
    packed: 0.06,
    proofs: 0.03,
    probe: 0.14,
    failing: 0.2,
    failing_in_c: 0.11,
    killed: 0.08,
    races: 0.12,
}
"""What is tried, and its share of the time; `failing` takes as long as it does, 12 minutes of a processor."""


def main() -> int:
    asked = read_options(__doc__, minutes=60.0, only="", seed=int(time.time()) % 100_000)
    sys.path.insert(0, str(ROOT / "tests"))
    print(f"seed {asked.seed}\n\n| tried | times | failed | |\n| :--- | ---: | ---: | :--- |", flush=True)
    problems = []
    for part, share in PARTS.items():
        if asked.only in ("", part.__name__):
            for told in part(60 * asked.minutes * share, asked.seed):
                print(f"| {told.what} | {told.n:,} | {len(told.failed)} | {told.note} |", flush=True)
                problems += [f"{told.what}: {each}" for each in told.failed[:5]]
    print(*problems, sep="\n")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
