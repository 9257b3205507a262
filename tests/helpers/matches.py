"""Read texts of matches, and list their problems."""

from __future__ import annotations

from bgrace_apps.review import Match, MatchReview
from bgrace_apps.review.reading import read_bytes
from bgrace_apps.review.replay import ReplayedGame


def one(text: str | bytes, name: str = "match.mat") -> Match:
    """Read the only match of a file."""
    (match,) = read_bytes(text if isinstance(text, bytes) else text.encode(), name)
    return match


def said(*parts: Match | MatchReview | ReplayedGame) -> list[str]:
    """List the problems of all of these."""
    return [str(problem) for part in parts for problem in part.problems]
