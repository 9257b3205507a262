"""Texts of matches read, and the problems that were named."""

from __future__ import annotations

from bgrace_apps.review import Match, MatchReview
from bgrace_apps.review.reading import read_bytes
from bgrace_apps.review.replay import ReplayedGame


def one(text: str | bytes, name: str = "match.mat") -> Match:
    """The only match of a file."""
    (match,) = read_bytes(text if isinstance(text, bytes) else text.encode(), name)
    return match


def said(*told: Match | MatchReview | ReplayedGame) -> list[str]:
    """The problems of all of them."""
    return [str(problem) for each in told for problem in each.problems]
