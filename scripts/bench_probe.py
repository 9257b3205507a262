"""How fast the C library answers: opening a file, and probes a second, on one core.

    python scripts/bench_probe.py [--file FILE] [--checkers N] [--pairs N] [--repeats N]

Compiles scripts/bench_probe.c with the library's own source file, and prints the best of several runs: of FILE, for
example a packed one, or of a database that it makes.  The file is in memory, pairs are drawn uniformly before, and
times are of the processor, but that of opening.
"""

from __future__ import annotations

import ctypes
import os
import shlex
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from options import read_options

import bgrace
from bgrace import embed

HERE = Path(__file__).resolve().parent


def compiled(folder: Path) -> ctypes.CDLL:
    header, source = embed.sources()
    flags = ["-std=c11", "-O2", "-DNDEBUG", "-shared", "-fPIC", "-fno-semantic-interposition", f"-I{header.parent}"]
    compiler, library = shlex.split(os.environ.get("CC", "cc")), folder / "bench_probe.so"
    subprocess.run([*compiler, *flags, HERE / "bench_probe.c", source, "-o", library, "-lm"], check=True)
    return ctypes.CDLL(str(library))


def main() -> None:
    options = read_options(__doc__, file=Path, checkers=8, pairs=2_000_000, repeats=9)
    with tempfile.TemporaryDirectory() as name:
        library, file = compiled(Path(name)), options.file
        if file is None:
            file = Path(name, "bearoff.h5")
            bgrace.build(file, two_sided=options.checkers)
        with bgrace.open(file) as db:
            space = bgrace.PositionSpace(db.space.points, db.two_sided_checkers)
        drawn = np.random.default_rng(1).integers(1, len(space), (2, options.pairs))
        sides = [np.ascontiguousarray(space.position(indices), np.int8) for indices in drawn]
        equities, win, n_done = np.zeros((options.pairs, 8)), np.zeros(options.pairs), ctypes.c_int64()
        for access, handle in enumerate((ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p())):
            start = time.perf_counter()
            assert library.bgr_open(os.fsencode(file), access, ctypes.byref(handle)) == 0
            told = ("map", "load", "read")[access]
            print(f"{told}: {'open seconds':28} {1e3 * (time.perf_counter() - start):.2f} ms")
            asked = [handle, space.points, *(side.ctypes.data_as(ctypes.c_void_p) for side in sides)]
            asked.append(ctypes.c_int64(options.pairs))
            for what, function, answers in (
                ("equities one by one", library.equities_one_by_one, [equities]),
                ("equities in batches", library.bgr_probe_equities_batch, [equities, n_done]),
                ("win probability one by one", library.win_probability_one_by_one, [win]),
                ("win probability in batches", library.bgr_probe_win_probability_batch, [win, None, n_done]),
            ):
                room = [one.ctypes.data_as(ctypes.c_void_p) if isinstance(one, np.ndarray) else one for one in answers]
                times = []
                for _ in range(options.repeats + 1):
                    start = time.process_time()
                    assert function(*asked, *(ctypes.byref(one) if one is n_done else one for one in room)) == 0
                    times.append(time.process_time() - start)
                print(f"{told}: {what:28} {options.pairs / min(times[1:]) / 1e6:.2f} million/s", flush=True)


if __name__ == "__main__":
    main()
