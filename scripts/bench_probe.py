"""How fast the C library answers: opening a file, and probes a second, on one core.

Builds scripts/bench_probe.c with the library's own source file, makes a database, and prints the best of several runs,
beside what nothing but reading the same elements takes: by their places in memory, and by the counts of checkers that
the batches are given.  Of these it prints medians of how many times as long a batch takes.  --full adds the time and
the private memory of opening a file as large as the whole bearoff's, almost all of it a hole.  --cold FILE times single
questions to a file that is not in memory, mapped and read; --file FILE those to one that is, for example
a packed one.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shlex
import subprocess
import tempfile
from pathlib import Path
from statistics import median

from sparse_file import sparse_file

import bgrace
from bgrace import embed

ROOT = Path(__file__).parents[1]


def build(folder: Path) -> Path:
    """Compile the benchmark as an engine would be."""
    header, source = embed.sources()
    program = folder / "bench_probe"
    compiler = shlex.split(os.environ.get("CC", "cc"))
    flags = ["-std=c11", "-O2", "-DNDEBUG", f"-I{header.parent}"]
    subprocess.run(
        [*compiler, *flags, str(ROOT / "scripts/bench_probe.c"), str(source), "-o", str(program), "-lm"], check=True
    )
    return program


def measure(program: Path, file: Path, access: str, checkers: int, pairs: int, repeats: int) -> dict[str, float]:
    """Run the benchmark; what it prints."""
    command = [str(program), str(file), access, str(checkers), str(pairs), str(repeats)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {name: float(value) for name, value in (line.split() for line in printed.splitlines())}


def ask_cold(program: Path, file: Path, checkers: int, pairs: int, repeats: int) -> dict[str, list[float]]:
    """Microseconds that a question takes of which nothing is in memory.

    No pair is asked about twice, and the ways take turns in being first: disks, and the hosts of virtual ones, have
    caches of their own, and the same pairs asked a second time are answered from there.
    """
    found: dict[str, list[float]] = {"map": [], "read": []}
    for k in range(repeats):
        for way in sorted(found, reverse=k % 2 == 1):
            descriptor = os.open(file, os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)
            seed = secrets.randbits(60)
            command = [str(program), str(file), way, str(checkers), str(pairs), "0", str(seed)]
            printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            found[way].append(float(printed.split("once_microseconds ")[1]))
    return found


def ask_warm(program: Path, file: Path, checkers: int, pairs: int, repeats: int) -> None:
    """Print how long single questions and batches take that find their part of a file in memory."""
    for access in ("map", "load"):
        found = measure(program, file, access, checkers, pairs, repeats)
        for what in ("equities_one_by_one", "equities_in_batches", "win_probability_one_by_one"):
            print(f"{access}: {what.replace('_', ' '):26} {1e6 / found[what]:7.3f} us", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkers", type=int, default=8)
    parser.add_argument("--pairs", type=int, default=2_000_000)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--cold", type=Path, metavar="FILE", help="time questions to this file, which is not in memory")
    parser.add_argument("--file", type=Path, metavar="FILE", help="time questions to this file, once it is in memory")
    parser.add_argument("--full", action="store_true", help="open a sparse file of 24 GB too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = build(folder)
        if options.cold:
            with bgrace.open(options.cold) as db:
                checkers = db.two_sided_checkers
            for way, times in ask_cold(program, options.cold, checkers, 4000, options.repeats).items():
                print(f"{way}: {min(times):.0f} to {max(times):.0f}, in the middle {median(times):.0f} us a question")
            return
        if options.file:
            with bgrace.open(options.file) as db:
                checkers = db.two_sided_checkers
            ask_warm(program, options.file, checkers, options.pairs, options.repeats)
            return
        file = folder / "bearoff.h5"
        bgrace.build(file, two_sided=options.checkers)
        print(f"N = {options.checkers}, {options.pairs:,} random pairs as counts, table in memory, one core, best runs")
        for access in ("map", "load", "read"):
            found = measure(program, file, access, options.checkers, options.pairs, options.repeats)
            print(f"{access}: open {1e3 * found['open_seconds']:.2f} ms, {found['private_bytes'] / 1e6:.1f} MB private")
            for what, rate in found.items():
                if "_times_" in what:
                    print(f"{access}: {what.replace('_', ' '):52} {rate:5.2f}")
                elif not what.endswith(("seconds", "bytes")):
                    print(f"{access}: {what.replace('_', ' '):26} {rate / 1e6:7.2f} million/s")
        if options.full:
            whole = folder / "whole.h5"
            sparse_file(whole)
            found = measure(program, whole, "map", 0, 1000, options.repeats)
            print(
                f"a file of {whole.stat().st_size / 1e9:.1f} GB: open {1e3 * found['open_seconds']:.2f} ms, "
                f"{found['private_bytes'] / 1e6:.2f} MB private"
            )


if __name__ == "__main__":
    main()
