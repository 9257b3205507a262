"""Questions as they come over the wire, read and checked; and their answers as JSON has them.

The fields are those of the command line: an ID or two positions, the stakes, the roll.  The same fields come from the
address of a GET, where everything is text, and from the JSON of a POST.  Answers come from a file where it
reaches, else races are solved on the spot.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias, cast

from bgrace._base.arrays import JSON, as_choice, as_json
from bgrace._base.files import cache_folder
from bgrace._base.language import words
from bgrace._base.limits import Limits
from bgrace.answers.alone import follow_alone, known_alone
from bgrace.answers.pair import describe
from bgrace.answers.question import Question
from bgrace.board import GameState, Position, parse_board, parse_position
from bgrace.board.dice import parse_roll
from bgrace.board.position import check_race
from bgrace.board.text import check_sides
from bgrace.contact import risk
from bgrace.counts.judged import COUNT_NAMES, judge_counts
from bgrace.cube.action import CUBES, Cube
from bgrace.database.building import build
from bgrace.database.database import Database
from bgrace.database.database import open as open_database
from bgrace.errors import ArgumentError, BuildError, FormatError
from bgrace.match import MatchEquityTable, Score, ZadehModel, parse_score
from bgrace.match.maps import unsolved_map
from bgrace.match.stakes import Stakes, stakes_of
from bgrace_apps.review import MatchReview, read_bytes, review_html, review_in_parts

Asked: TypeAlias = Mapping[str, object]
"""Fields by name: text, or values of JSON."""

MAX_SECONDS: Final = 10.0
"""The longest that a question may ask to be computed for."""

MEMORY: Final = 1 << 30
"""Bytes that one answer may use."""

MAX_LENGTH: Final = 15
"""Greatest length of a match that a map of scores is drawn for."""

METS: Final = ("kazaross-xg2", "zadeh")
"""Match equity tables that a question may name."""

_DEFAULT_SECONDS: Final = 1.0
_DEFAULT_LENGTH: Final = 7
_STAKES: Final = ("match", "money", "crawford", "jacoby", "beavers", "gammons", "met", "cube_value")
_OF_THE_CUBE: Final = {"cube", "cube_value", "match", "crawford", "money"}  # which change the cube of an ID


@dataclass(frozen=True, slots=True)
class WebQuestion:
    """A question, and the parts that only the page has.

    Attributes
    ----------
    race : Question
    length : int
        Points of the match that a map of scores is drawn for.
    state : GameState, or None
        The game around the race, as an ID has it.
    notes : tuple of str
        Impossible statements of the ID, and how they are taken.
    """

    race: Question
    length: int = _DEFAULT_LENGTH
    state: GameState | None = None
    notes: tuple[str, ...] = ()

    def noted(self, answer: dict[str, JSON]) -> dict[str, JSON]:
        """Return an answer with the notes in it, if there are any."""
        return {**answer, "notes": list(self.notes)} if self.notes else answer


def read_question(asked: Asked) -> WebQuestion:
    """Read a question.

    Parameters
    ----------
    asked : mapping
        ``xgid`` (or any ID of both sides), or ``on_roll`` and ``opponent``; what else `FIELDS` lists.  The stakes of an
        ID hold unless another field says otherwise.

    Returns
    -------
    WebQuestion

    Raises
    ------
    ArgumentError
        If a field is unknown, missing, of the wrong kind or out of range, or if two contradict each other.
    PositionError
        If a position cannot be read, or the sides still have contact.
    RollError
        If ``roll`` is not a roll.

    Examples
    --------
    >>> question = read_question({"on_roll": "5x1 6x1", "opponent": [0, 0, 0, 1, 1], "match": "3,5", "roll": "21"})
    >>> print(question.race.stakes, question.race.roll, question.race.cube)
    3-away, 5-away, cube 1 (2, 1) centered
    """
    fields = _read(asked, FIELDS, "a question")
    state = None
    if "xgid" in fields:
        both = next((name for name in ("on_roll", "opponent") if name in fields), None)
        if both is not None:
            raise ArgumentError(f"xgid has both sides: leave out {both}, or give on_roll and opponent without xgid")
        board = parse_board(cast(str, fields["xgid"]))
        on_roll, opponent, state = board.on_roll, board.opponent, board.state
    else:
        missing = next((name for name in ("on_roll", "opponent") if name not in fields), None)
        if missing is not None:
            raise ArgumentError(f"{missing} is missing: give xgid, an ID of both sides, or on_roll and opponent")
        on_roll, opponent = cast(Position, fields["on_roll"]), cast(Position, fields["opponent"])
    given: dict[str, Any] = {name: fields[name] for name in _STAKES if name in fields}
    stakes = stakes_of(state or GameState(), **given)
    race = Question(
        on_roll,
        opponent,
        stakes,
        stakes.check_cube(cast("Cube | None", fields.get("cube")), None if state is None else state.cube),
        cast("tuple[int, int] | None", fields.get("roll", None if state is None else state.roll)),
        bool(fields.get("rolls", False)),
        limits=Limits(cast(float, fields.get("seconds", _DEFAULT_SECONDS)), MEMORY),
        prove=bool(fields.get("prove", False)),
    )
    doubt = "" if state is None or fields.keys() & _OF_THE_CUBE else state.doubt
    notes = (f"the ID has {doubt}",) if doubt else ()
    return WebQuestion(race, cast(int, fields.get("length", _DEFAULT_LENGTH)), state, notes)


@dataclass(frozen=True, slots=True)
class RiskQuestion:
    """A bearoff against men behind, and the plays that are wanted of it.

    Attributes
    ----------
    board : str
        An ID of both sides.
    roll : tuple of two int, or None
        List its plays, where the side that bears off is on roll.
    all_rolls : bool
        List the plays of all 21 rolls.
    """

    board: str
    roll: tuple[int, int] | None = None
    all_rolls: bool = False


def read_risk_question(asked: Asked) -> RiskQuestion:
    """Read a question about men behind: ``xgid``, and ``roll`` and ``rolls`` as `read_question` has them.

    Raises
    ------
    ArgumentError
        If a field is unknown or of the wrong kind, or ``xgid`` is missing.
    RollError
        If ``roll`` is not a roll.

    Examples
    --------
    >>> read_risk_question({"xgid": "u3sDAED3AAAAAA", "roll": "21"})
    RiskQuestion(board='u3sDAED3AAAAAA', roll=(2, 1), all_rolls=False)
    """
    fields = _read(asked, RISK_FIELDS, "this question")
    if "xgid" not in fields:
        raise ArgumentError("xgid is missing: give an ID of both sides")
    roll = cast("tuple[int, int] | None", fields.get("roll"))
    return RiskQuestion(cast(str, fields["xgid"]), roll, bool(fields.get("rolls", False)))


def check_fields(asked: Asked, known: Collection[str], question: str) -> None:
    """Raise ArgumentError unless each field that is given is one of those that are known."""
    unknown = next((name for name in asked if name not in known), None)
    if unknown is not None:
        raise ArgumentError(f"{unknown!r:.80} is not a field of {question}: use {', '.join(known)}")


def _read(asked: Asked, known: Collection[str], question: str) -> dict[str, object]:
    """Read the fields that are given."""
    check_fields(asked, known, question)
    return {name: FIELDS[name](name, value) for name, value in asked.items() if value is not None and value != ""}


# ---------------------------------------------------------------------- one field each


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise ArgumentError(f"{name}={value!r:.80} is not text: give an ID of both sides, such as an XGID")
    return value


def _position(name: str, value: object) -> Position:
    if isinstance(value, str) or (isinstance(value, list) and all(type(n) is int for n in value)):
        check_sides(value)
        return parse_position(value)
    raise ArgumentError(f'{name}={value!r:.80} is not a position: give counts, ace point first, or "6x2 5x1"')


def _flag(name: str, value: object) -> bool:
    known = {"true": True, "1": True, "false": False, "0": False}
    said = str(value).lower() if isinstance(value, (bool, str)) else ""
    if said not in known:
        raise ArgumentError(f"{name}={value!r:.80} is neither true nor false: give one of them")
    return known[said]


def _whole(low: int, high: int) -> Callable[[str, object], int]:
    def read(name: str, value: object) -> int:
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(high)):
            value = int(value)
        if type(value) is not int or not low <= value <= high:
            raise ArgumentError(f"{name}={value!r:.80} cannot be used: give {low} to {high}")
        return value

    return read


def _seconds(name: str, value: object) -> float:
    try:
        number = float(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else None
    except (ValueError, OverflowError):
        number = None
    if number is None or not 0 < number <= MAX_SECONDS:
        raise ArgumentError(f"{name}={value!r:.80} cannot be used: give more than 0, {MAX_SECONDS:g} at most")
    return number


def _roll(name: str, value: object) -> tuple[int, int]:
    if isinstance(value, str) or (isinstance(value, list) and all(type(n) is int for n in value)):
        return parse_roll(value)
    raise ArgumentError(f'{name}={value!r:.80} is not a roll: give "31", or two numbers from 1 to 6')


def _score(name: str, value: object) -> Score:
    if isinstance(value, list) and len(value) == 2:
        needs = [_whole(1, 99)(name, each) for each in value]
        return Score(needs[0], needs[1])
    return parse_score(cast(str, value))  # which refuses anything else


def _met(name: str, value: object) -> MatchEquityTable:
    as_choice(name, value, METS)
    return MatchEquityTable.default() if value == METS[0] else MatchEquityTable.from_model(ZadehModel.equal())


FIELDS: Final[Mapping[str, Callable[[str, object], object]]] = {
    "xgid": _text,
    "on_roll": _position,
    "opponent": _position,
    "roll": _roll,
    "rolls": _flag,
    "cube": partial(as_choice, known=CUBES),
    "cube_value": _whole(1, 1 << 15),
    "match": _score,
    "crawford": _flag,
    "met": _met,
    "money": _flag,
    "jacoby": _flag,
    "beavers": _flag,
    "gammons": _flag,
    "prove": _flag,
    "seconds": _seconds,
    "length": _whole(1, MAX_LENGTH),
}
"""Every field of a question, and what reads it."""

RISK_FIELDS: Final = ("xgid", "roll", "rolls")
"""Fields of a question about men behind."""


# ---------------------------------------------------------------------- answers

_KEPT_SIDES: Final = 4096
"""Most sides kept, of those that the file does not have; a kilobyte each."""

_WORST: Final = 100
"""Most mistakes that a report shows of a match."""


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
        follow = lru_cache(maxsize=_KEPT_SIDES)(follow_alone)
        self._alone = partial(known_alone, database.alone, follow=follow)

    def solve(self, question: WebQuestion) -> dict[str, JSON]:
        """Everything known about a pair, as ``bgrace solve --json`` prints it, and ``notes`` on the ID.

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
        return question.noted(answer.to_dict())

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
        return question.noted(judged.to_dict() | {"names": dict(COUNT_NAMES)})

    def scores(self, question: WebQuestion) -> list[Score]:
        """Scores of a match of ``question.length`` points, for a map: those 1 away both in the Crawford game and after.

        Raises
        ------
        PositionError
            If the sides still have contact, or one has no checker left.
        """
        sides, stakes = (question.race.on_roll, question.race.opponent), question.race.stakes
        check_race(*sides)
        return list(unsolved_map(*sides, question.length, stakes.cube_value, None, stakes.met, stakes.rules.gammons)[1])

    def at_score(self, question: WebQuestion, score: Score) -> dict[str, JSON]:
        """The right action at one score of a map, with the cube of the question where it can be there; ``notes``, too.

        Raises
        ------
        BgraceError
            As for `bgrace.solve`.
        """
        race, asked = question.race, question.race.stakes
        stakes = Stakes.at(score, asked.met, asked.cube_value, gammons=asked.rules.gammons)
        cube = race.cube if race.cube != "none" and race.cube in stakes.cubes else None
        solution = replace(race, stakes=stakes, cube=cube, roll=None, every_roll=False, prove=False).solution()
        answer = {
            **score.to_dict(),
            "cube_action": solution.cube_action(cube).to_dict(),
            **as_json(solution, "method", "error"),
        }
        return question.noted(answer)

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
        words(language)  # an unknown one is refused before anything is reviewed
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


CHECKERS: Final = 8
"""Checkers a side of the database that is made: half a second, 85 MB."""


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
    try:
        with suppress(FileNotFoundError, FormatError):  # an older bgrace may have made it
            return open_database(path)
        say(f"making {path}, once: all races of up to {CHECKERS} checkers a side")
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=path.parent) as own:  # another process may be making it, too
            made = Path(own, path.name)
            build(made, two_sided=CHECKERS)
            made.replace(path)
        return open_database(path)
    except (BuildError, OSError) as error:
        # Nobody has asked for a size, so nobody can ask for a smaller one.
        reason = getattr(error, "strerror", None) or str(error).partition(": make room")[0]
        raise BuildError(
            f"{path} cannot be kept ({reason}): give a FILE of your own, or set XDG_CACHE_HOME to a folder that can be "
            "written and has room"
        ) from error
