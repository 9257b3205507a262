"""The result of a verification."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bgrace._base.arrays import JSON, Summarised
from bgrace.errors import VerificationError

_WITHOUT_ENTRIES: Final = 2
"""Checks that are made of any file: of its tables, and their checksums."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    name : str
        What must hold.
    passed : bool
    detail : str
        How much was compared and how well it agreed, or the first place where it doesn't.
    """

    name: str
    passed: bool
    detail: str

    def to_dict(self) -> dict[str, JSON]:
        """Every attribute under its name, as JSON would have it."""
        return {"name": self.name, "passed": self.passed, "detail": self.detail}

    def __str__(self) -> str:
        return f"{'ok    ' if self.passed else 'FAILED'}  {self.name}: {self.detail}"


@dataclass(frozen=True, slots=True, repr=False)
class VerificationReport(Summarised):
    """The result of a verification.

    Attributes
    ----------
    path : Path
    full : bool
        Whether everything was recomputed, not a sample.  Nothing was if tables are missing or have wrong shapes.
    seed, samples : int
        Which sample, and how large.
    checks : tuple of Check
        In the order in which they were made.
    """

    path: Path
    full: bool
    seed: int
    samples: int
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that didn't pass."""
        return tuple(check for check in self.checks if not check.passed)

    @property
    def recomputed(self) -> bool:
        """Whether the tables were such that entries of them could be recomputed."""
        return len(self.checks) > _WITHOUT_ENTRIES

    def raise_if_failed(self) -> None:
        """Do nothing if every check passed.

        Raises
        ------
        VerificationError
            Otherwise; the message names every check that failed.
        """
        if not self.passed:
            outcome = "; ".join(f"{check.name}: {check.detail}" for check in self.failures)
            raise VerificationError(f"{self.path} is wrong: {outcome}; build it again")

    def to_dict(self) -> dict[str, JSON]:
        """Every attribute under its name, as JSON would have it."""
        return {
            "path": str(self.path),
            "passed": self.passed,
            "full": self.full,
            "seed": self.seed,
            "samples": self.samples,
            "checks": [check.to_dict() for check in self.checks],
        }

    def __str__(self) -> str:
        how = "everything" if self.full else f"a sample of {self.samples}, seed {self.seed}"
        how = how if self.recomputed else "nothing"
        verdict = "passes" if self.passed else f"FAILS {len(self.failures)} of {len(self.checks)} checks"
        return "\n".join([f"{self.path} {verdict} ({how} recomputed)", *map(str, self.checks)])
