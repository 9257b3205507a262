"""Kill a build at random moments, go on, and compare the bytes with those of an undisturbed one."""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def command(target: Path, checkers: int) -> list[str]:
    return [sys.executable, "-m", "bgrace", "build", str(target), "--two-sided", str(checkers)]


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkers", type=int, default=12, help="a side")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    # The time of creation is an attribute of the file.
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start = time.perf_counter()
        subprocess.run(command(folder / "whole.h5", arguments.checkers), check=True, env=environment)
        undisturbed = time.perf_counter() - start
        wanted = digest(folder / "whole.h5")
        target = folder / "killed.h5"
        kills = finished = 0
        while kills < arguments.kills:
            with subprocess.Popen(
                command(target, arguments.checkers), env=environment, stderr=subprocess.DEVNULL
            ) as build:
                try:
                    build.wait(timeout=chance.uniform(0.2, 1.0) * undisturbed)
                except subprocess.TimeoutExpired:
                    build.send_signal(signal.SIGKILL)
                    build.wait()
                    kills += 1
                    continue
            finished += 1
            if digest(target) != wanted:
                sys.exit(f"after {kills} kills the file differs from that of an undisturbed build")
            target.unlink()
        subprocess.run(command(target, arguments.checkers), check=True, env=environment, stderr=subprocess.DEVNULL)
        if digest(target) != wanted:
            sys.exit(f"after {kills} kills the file differs from that of an undisturbed build")
    print(f"{kills} kills, {finished + 1} files finished, all like an undisturbed one ({undisturbed:.1f} s)")


if __name__ == "__main__":
    main()
