"""How fast the C library answers: opening a file, and probes a second, on one core.

    python scripts/bench_probe.py [--file FILE] [--checkers N] [--pairs N] [--repeats N]

Compiles scripts/bench_probe.c with the library's own source file, and prints the best of several runs: of FILE, for
example a packed one, or of a database that it makes.  The file is in memory.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from options import read_options

import bgrace
from bgrace import embed

HERE = Path(__file__).resolve().parent


def main() -> None:
    options = read_options(__doc__, file=Path, checkers=8, pairs=2_000_000, repeats=9)
    with tempfile.TemporaryDirectory() as name:
        header, source = embed.sources()
        program, file = Path(name, "bench_probe"), options.file
        compiler = [*shlex.split(os.environ.get("CC", "cc")), "-std=c11", "-O2", "-DNDEBUG", f"-I{header.parent}"]
        subprocess.run([*compiler, HERE / "bench_probe.c", source, "-o", program, "-lm"], check=True)
        if file is None:
            file = Path(name, "bearoff.h5")
            bgrace.build(file, two_sided=options.checkers)
        with bgrace.open(file) as db:
            checkers = db.two_sided_checkers
        for access in ("map", "load", "read"):
            command = [program, file, access, str(checkers), str(options.pairs), str(options.repeats)]
            printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            for line in printed.splitlines():
                what, number = line.split()
                told = (
                    f"{1e3 * float(number):.2f} ms"
                    if what == "open_seconds"
                    else f"{float(number) / 1e6:.2f} million/s"
                )
                print(f"{access}: {what.replace('_', ' '):28} {told}", flush=True)


if __name__ == "__main__":
    main()
