"""Whether a database file is right: checksums, invariants, and entries worked out a second time.

The plays, the numbering and the recurrences are written here once more, in plain Python and from the rules, so that
nothing of what computed the tables vouches for them.  Vectorised numpy compares whole tables; plain Python recomputes
entries from the entries that they depend on, which by induction from the empty board proves a table if it is done for
all of them.

Exact values are compared exactly.  Every two-sided value is the mean of 36 stored values, rounded once, so it must be
equal to the step; rounding keeps order, so the order of the four planes must hold to the step as well.  A rule that
holds for exact values only has a tolerance in steps, and what is summed in floating point has one in units of the last
place, stated with each check.  Values of an approximate file may differ by what the errors that it states add up to:
the value's own, and that of its successors.
"""

from __future__ import annotations

import os
from typing import Final

import numpy as np

from bgrace._base.arrays import as_integer
from bgrace._base.progress import Progress
from bgrace.database.store import read_tables
from bgrace.errors import ArgumentError, FormatError
from bgrace.verify.factored import APPROXIMATE, check_blocks, is_recomputed_whole, n_sampled
from bgrace.verify.gammons import GAMMONS
from bgrace.verify.job import BrokenError, Check, Job, Step, VerificationReport
from bgrace.verify.layout import check_checksums, check_layout, is_packed, layout_complaint
from bgrace.verify.one_sided import FIRST_CHECKER, ONE_SIDED
from bgrace.verify.packed import PACKED, PACKED_FIRST_CHECKER
from bgrace.verify.rules import GAMMON_CHECKERS
from bgrace.verify.statistics import check_statistics, has_published_statistics
from bgrace.verify.sums import is_published
from bgrace.verify.two_sided import TWO_SIDED

__all__ = ["Check", "VerificationReport", "verify"]

_TICKS: Final = 100


def verify(
    path: str | os.PathLike[str],
    full: bool = False,
    *,
    seed: int = 0,
    samples: int = 300,
    progress: Progress | None = None,
) -> VerificationReport:
    """Check the contents of a database file.

    Parameters
    ----------
    path : path-like
        A file that ``bgrace build`` or `bgrace.build` made.
    full : bool
        Recompute every entry, and look at every pair for the invariants.  Otherwise a sample is recomputed, and large
        two-sided tables are looked at in a sample of rows.  Checksums cover everything in either case.  Of an
        approximate file with more than 2^24 pairs a hundred times the sample is recomputed: the report's `full` is then
        false.
    seed : int
        Of the sample: the same seed looks at the same entries.
    samples : int
        How many positions, and how many pairs, are recomputed unless `full`.
    progress : callable, optional
        Called now and then with the work done and the work to do; may raise to stop.

    Returns
    -------
    VerificationReport

    Raises
    ------
    FormatError
        If the file is not a bgrace database, is of a version that this bgrace does not know, or its head is damaged.
    OSError
        If it cannot be read.

    Notes
    -----
    One-sided values: Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 3.
    Two-sided: Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 4.

    Examples
    --------
    >>> import bgrace
    >>> report = verify(bgrace.example_file())
    >>> report.passed, len(report.failures)
    (True, 0)
    """
    stored = read_tables(path)
    stored.read_attributes()  # FormatError if HDF5 says something else than the directory
    seed = as_integer(seed, f"seed={seed!r:.80} is not a seed: give a whole number of 0 or more")
    if seed < 0:
        raise ArgumentError(f"seed={seed}: give 0 or more")
    job = Job(stored, full, seed, samples)
    steps: list[Step] = [("tables", check_layout), ("checksums", check_checksums)]
    if not layout_complaint(stored):
        packed, approximate = is_packed(stored), stored.directory.approximate
        if not approximate:
            steps += PACKED if packed else ONE_SIDED
        if stored.directory.checkers == GAMMON_CHECKERS and not approximate:
            steps += PACKED_FIRST_CHECKER if packed else FIRST_CHECKER
        if approximate:
            steps += APPROXIMATE
        elif stored.directory.two_sided_checkers:
            if stored.directory.packed:
                steps.append(("packed blocks", check_blocks))
            steps += TWO_SIDED + (GAMMONS if stored.directory.gammons else [])
        if full and has_published_statistics(stored):
            steps.append(("statistics", check_statistics))
    checks = []
    for k, (name, look) in enumerate(steps):

        def tick(share: float, k: int = k) -> None:
            if progress is not None:
                progress(round((k + share) * _TICKS), len(steps) * _TICKS)

        job.begin(k, tick)
        # Damaged tables may hold anything, infinities included; comparisons must then fail without a warning.
        with np.errstate(all="ignore"):
            try:
                checks.append(Check(name, True, look(job)))
            except (BrokenError, FormatError) as broken:  # packed pairs that cannot be unpacked
                checks.append(Check(name, False, str(broken)))
        tick(1.0)
    if APPROXIMATE[-1] in steps:
        full, samples = is_recomputed_whole(job), n_sampled(job)
    published = is_published(stored) if not layout_complaint(stored) and all(check.passed for check in checks) else None
    return VerificationReport(stored.path, full, seed, samples, tuple(checks), published)
