"""Answers to questions, as JSON has them: from a file where it reaches, else solved on the spot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from bgrace._base.arrays import JSON, as_json
from bgrace._base.files import cache_folder
from bgrace.answers import PositionAnswer
from bgrace.answers.alone import follow_alone
from bgrace.answers.pair import describe
from bgrace.board import Position
from bgrace.board.position import check_race
from bgrace.contact import risk
from bgrace.counts.judged import COUNT_NAMES, judge_counts
from bgrace.database.building import build
from bgrace.database.money import Database
from bgrace.database.money import open as open_database
from bgrace.errors import CoverageError, FormatError, PositionError
from bgrace.match import Score
from bgrace.match.maps import map_scores
from bgrace.match.stakes import Stakes
from bgrace_apps.review import MatchReview, read_bytes, review_html, review_in_parts
from bgrace_apps.web.questions import RiskQuestion, WebQuestion

_KEPT_SIDES: Final = 4096
"""Sides that the file does not have, by themselves; a kilobyte each."""

_WORST: Final = 100
"""Mistakes that a report shows of a match."""


class Answers:
    """The answers to questions of the page; any number of threads may ask.

    Parameters
    ----------
    database : Database
        Asked where it reaches.

    Examples
    --------
    >>> import bgrace
    >>> from bgrace_apps.web import read_question
    >>> with bgrace.open(bgrace.example_file()) as db:
    ...     told = Answers(db).solve(read_question({"on_roll": "6x1", "opponent": "1x1"}))
    >>> told["win_probability"], told["cube_action"]["verdict"]
    (0.75, 'double/take')
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        # A game goes on, and a position is edited, one side at a time: the other one is known from before.
        self._follow = lru_cache(maxsize=_KEPT_SIDES)(follow_alone)

    def solve(self, question: WebQuestion) -> dict[str, JSON]:
        """Everything known about a pair, as ``bgrace solve --json`` prints it.

        Raises
        ------
        BgraceError
            As for `bgrace.solve`.
        """
        race = question.race
        on_roll, opponent = self._alone(race.on_roll), self._alone(race.opponent)
        solution = replace(race, database=self._database).solution()
        answer = describe(
            solution, on_roll, opponent, race.roll, cube=race.cube, all_rolls=race.every_roll, state=question.state
        )
        return answer.to_dict()

    def counts(self, question: WebQuestion) -> dict[str, JSON]:
        """The counts of players about a race, beside the right decision; with the names that books use.

        Raises
        ------
        BgraceError
            As for `bgrace.counts.judge_counts`.
        """
        race = question.race
        solution = replace(race, database=self._database, prove=False).solution()
        judged = judge_counts(solution, (self._alone(race.on_roll).epc, self._alone(race.opponent).epc))
        return judged.to_dict() | {"names": dict(COUNT_NAMES)}

    def scores(self, question: WebQuestion) -> list[Score]:
        """Scores of a match of ``question.length`` points, for a map: those 1 away both in the Crawford game and after.

        Raises
        ------
        PositionError
            If the sides still have contact, or one has no checker left.
        """
        race = question.race
        check_race(race.on_roll, race.opponent)
        return map_scores(question.length, race.stakes.cube_value, None, race.stakes.met)[-1]

    def at_score(self, question: WebQuestion, score: Score) -> dict[str, JSON]:
        """The right action at one score of a map, with the cube of the question where it can be there.

        Raises
        ------
        BgraceError
            As for `bgrace.solve`.
        """
        race, asked = question.race, question.race.stakes
        stakes = Stakes.at(score, asked.met, asked.cube_value, gammons=asked.rules.gammons)
        cube = race.cube if race.cube != "none" and race.cube in stakes.cubes else None
        solution = replace(race, stakes=stakes, cube=cube, roll=None, every_roll=False, prove=False).solution()
        return {
            **score.to_dict(),
            "cube_action": solution.cube_action(cube).to_dict(),
            **as_json(solution, "method", "error"),
        }

    def risk(self, question: RiskQuestion) -> dict[str, JSON]:
        """The risk of being hit, and the plays of rolls, as ``bgrace risk --json`` prints it.

        Raises
        ------
        BgraceError
            As for `bgrace.contact.risk`.
        """
        known = risk(question.board)
        roll = question.roll or known.roll
        return known.to_dict(roll if known.on_roll else None, all_rolls=question.all_rolls and known.on_roll is True)

    def review(self, file: bytes, name: str, language: str) -> Iterator[dict[str, JSON]]:
        """Review every match of a file: ``done`` and ``of`` as it goes on, each ``review``, and its report as ``html``.

        Raises
        ------
        BgraceError
            As for `bgrace_apps.review.read` and `bgrace_apps.review.review_html`.
        """
        for match in read_bytes(file, name):
            for part in review_in_parts(match):
                if isinstance(part, MatchReview):
                    report = review_html([part], explorer="", worst=_WORST, language=language)
                    yield {"review": part.to_dict(), "html": report}
                else:
                    yield {"done": part[0], "of": part[1]}

    def about(self) -> dict[str, JSON]:
        """The file that answers."""
        database = self._database
        return {
            "file": database.path.name,
            "points": database.space.points,
            "checkers": database.space.checkers,
            "two_sided_checkers": database.two_sided_checkers,
        }

    def _alone(self, side: Position) -> PositionAnswer:
        """One side from the file, or solved where the file does not have it."""
        with suppress(CoverageError, PositionError):
            return self._database.alone(side)
        return self._follow(side)


CHECKERS: Final = 8
"""A side: half a second to make, 85 MB."""


def cached_database(folder: Path | None = None, *, say: Callable[[str], None] = lambda line: None) -> Database:
    """Open the database of 8 checkers a side that is kept for this user, and make it if it is not there.

    Parameters
    ----------
    folder : Path, optional
        Where it is kept: the user's cache folder, unless given.
    say : callable, optional
        Told in one line when it has to be made.

    Returns
    -------
    Database

    Raises
    ------
    BuildError
        If it cannot be written.
    """
    path = (cache_folder() if folder is None else folder) / f"races-{CHECKERS}.h5"
    with suppress(FileNotFoundError, FormatError):  # an older bgrace may have made it
        return open_database(path)
    say(f"making {path}, once: all races of up to {CHECKERS} checkers a side")
    path.parent.mkdir(parents=True, exist_ok=True)
    build(path, two_sided=CHECKERS, force=True)
    return open_database(path)
