"""Answer a file of races in one batch, as bgrace solve --batch does: how long, with 1 worker and with 2.

    python scripts/measure_batch.py [data/recorded-races.txt] [--every 10] [--seconds 0.03] [--workers 1 2]

Printed are, for each number of workers, the time by the clock and in seconds of processors, which count no other work
on the machine; races a second by both; how many answers are exact, and what the others state that they may be wrong by;
and whether the output is the same as before.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent


def answered(path: Path, seconds: float, workers: int) -> tuple[bytes, float, float]:
    """What the command prints, and how long it takes, by the clock and of processors."""
    command = [sys.executable, "-m", "bgrace", "solve", "--batch", str(path)]
    before, began = _child_seconds(), time.perf_counter()
    printed = subprocess.run(
        [*command, "--seconds", str(seconds), "--workers", str(workers)], check=True, capture_output=True, cwd=ROOT
    ).stdout
    return printed, time.perf_counter() - began, _child_seconds() - before


def _child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("races", nargs="?", type=Path, default=ROOT / "data" / "recorded-races.txt")
    parser.add_argument("--every", type=int, default=1, help="take one race of so many")
    parser.add_argument("--seconds", type=float, default=0.03)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    asked = parser.parse_args()
    first = b""
    with tempfile.TemporaryDirectory() as folder:
        chosen = Path(folder, "races.txt")
        lines = asked.races.read_text(encoding="ascii").splitlines()[:: asked.every]
        chosen.write_text("\n".join(lines) + "\n", encoding="ascii")
        for workers in asked.workers:
            printed, took, used = answered(chosen, asked.seconds, workers)
            errors = [line.split()[-2] for line in printed.decode().splitlines()]
            near = sorted(float(error.removeprefix("+-")) for error in errors if error != "exact")
            same = "" if not first else ", same output" if printed == first else ", OTHER OUTPUT"
            first = first or printed
            print(
                f"{workers} worker{'s' * (workers > 1)}: {len(errors):,} races in {took:.0f} s, "
                f"{len(errors) / took:.1f} a second; {used:.0f} s of processors, {len(errors) / used:.1f} a second of "
                f"one{same}",
                flush=True,
            )
            print(
                f"    exact {len(errors) - len(near):,}; of the others half state {median(near):.4f} or less, "
                f"95 % {near[len(near) * 95 // 100]:.4f}, at most {near[-1]:.4f}"
            )


if __name__ == "__main__":
    main()
