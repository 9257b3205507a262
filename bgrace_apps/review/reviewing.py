"""Whole matches judged, one or many: `review`, `review_many`, and what they give."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import ClassVar, Final, TypeAlias

from bgrace._base.arrays import JSON, as_json
from bgrace._base.files import Paths, checked_path, each_path
from bgrace._base.frames import Cell, Columns, Tabular, csv_text
from bgrace._base.limits import Limits, Progress, checked_seconds, checked_threads
from bgrace._base.processes import processes, thread_pool
from bgrace.answers import Bounds
from bgrace.answers.question import Question as Race
from bgrace.answers.question import streamed
from bgrace.errors import ArgumentError, BgraceError
from bgrace.match.met import MatchEquityTable, checked_table
from bgrace_apps.review.judging import (
    CLASSES,
    UNSOLVED,
    Decision,
    ErrorClass,
    GameReview,
    RiskNote,
    judge,
    judge_board,
    questions_of,
    risk_notes,
)
from bgrace_apps.review.questions import (
    DEFAULT_SECONDS,
    GLANCE,
    Answer,
    Answers,
    Question,
    Run,
    known_answers,
    reason,
    runs_of,
)
from bgrace_apps.review.reading import MATCH_SUFFIXES, read
from bgrace_apps.review.records import Match, Problem
from bgrace_apps.review.replay import ReplayedGame, replay

FORMAT_VERSION: Final = 1
"""Version of the JSON of a review; a new one only where an old reader would be misled."""

_Found: TypeAlias = dict[Question, Answer | str]
_Map: TypeAlias = Callable[[Callable[[Run], _Found], Iterable[Run]], Iterable[_Found]]
"""``map``, or that of a pool."""

_HOPE: Final = 0.4
"""A second look that takes n times as long hardly ever settles a loss below this, divided by n, times the error of the
first look."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The decisions of a player in the races of a match, added up.

    Attributes
    ----------
    name : str
    n_decisions : int
        All of them.
    n_counted : int
        Those that were neither forced nor trivial.
    n_errors : int
    n_too_close : int
        Those that look worse than another choice, by less than the answer can tell.
    errors : mapping of str to (int, float)
        By class: how many, and what they cost together.
    loss : float
        Chances to win the match, or points for money; mistakes only.
    equity_loss : float
        Points per unit of the cube.
    luck : float
        What the dice did beyond their mean, in the unit of `loss`.
    """

    name: str
    n_decisions: int
    n_counted: int
    n_errors: int
    n_too_close: int
    errors: Mapping[ErrorClass, tuple[int, float]]
    loss: float
    equity_loss: float
    luck: float

    @property
    def loss_a_decision(self) -> float:
        """Mean loss of the decisions that count."""
        return self.loss / self.n_counted if self.n_counted else 0.0

    @property
    def pr(self) -> float | None:
        """500 times the points of the cube that mistakes cost, over `n_counted`; None if nothing was a choice."""
        return 500 * self.equity_loss / self.n_counted if self.n_counted else None

    def to_dict(self) -> dict[str, JSON]:
        """As the JSON of a review has it."""
        return {
            **as_json(self, "name"),
            "decisions": self.n_decisions,
            "counted": self.n_counted,
            "errors": self.n_errors,
            "too_close": self.n_too_close,
            "by_class": {name: {"number": number, "loss": loss} for name, (number, loss) in self.errors.items()},
            **as_json(self, "loss", "loss_a_decision", "equity_loss", "pr", "luck"),
        }


def decision_row(match: Match, decision: Decision) -> dict[str, Cell]:
    """The row of a decision of a match, by the names of the columns; None where there is nothing to say."""
    roll, engine = decision.board.roll, decision.engine
    of_others: dict[str, Cell] = {
        "source": match.source,
        "match": match.number,
        "player": match.players[decision.player],
        "roll": None if roll is None else f"{roll[0]}{roll[1]}",
        "engine_best": None if engine is None else engine.best,
        "engine_loss": None if engine is None else engine.loss,
        "engine_level": None if engine is None else engine.level or None,
        "gnubg_id": decision.board.gnubg_id(),
        "xgid": decision.board.xgid(),
    }
    return {name: of_others[name] if name in of_others else getattr(decision, name) for name in MatchReview.COLUMNS}


@dataclass(frozen=True, slots=True)
class MatchReview(Tabular):
    """Every race decision of a match, judged; as a table, a row is a decision, as in `bgrace_apps.review.review_csv`.

    Attributes
    ----------
    match : Match
        Without its games, which `games` has.
    games : tuple of GameReview
        Those without a race as well.
    problems : tuple of Problem
        Found while reading and replaying.
    """

    match: Match
    games: tuple[GameReview, ...]
    problems: tuple[Problem, ...]

    @property
    def decisions(self) -> list[Decision]:
        """All of them, in order."""
        return [decision for game in self.games for decision in game.decisions]

    @property
    def mistakes(self) -> list[Decision]:
        """Decisions that cost something, worst first; equal ones in their order."""
        return sorted((each for each in self.decisions if each.error_class), key=lambda each: -each.loss)

    @property
    def too_close(self) -> list[Decision]:
        """Decisions that look worse than another choice, by less than the answer can tell; the worst first."""
        return sorted((each for each in self.decisions if each.too_close), key=lambda each: -each.loss)

    @property
    def risks(self) -> list[RiskNote]:
        """Notes on plays against men behind; those that took most more risk than the least first."""
        return sorted((note for game in self.games for note in game.risks), key=lambda note: -note.extra)

    @property
    def engine_errors(self) -> list[Decision]:
        """Decisions where the choice of the program of the file was wrong, worst first."""
        wrong = [each for each in self.decisions if each.engine is not None and each.engine.loss > 0]
        return sorted(wrong, key=lambda each: -each.engine.loss if each.engine else 0.0)

    @property
    def tallies(self) -> tuple[Tally, Tally]:
        """The tallies of both players."""
        return self._tally(0), self._tally(1)

    def _tally(self, player: int) -> Tally:
        own = [each for each in self.decisions if each.player == player and each.done]
        wrong = [each for each in own if each.error_class]
        losses = {name: [each.loss for each in wrong if each.error_class == name] for name in CLASSES}
        return Tally(
            self.match.players[player],
            len(own),
            sum(each.counts for each in own),
            len(wrong),
            sum(each.too_close for each in own),
            {name: (len(own_losses), sum(own_losses)) for name, own_losses in losses.items()},
            sum(each.loss for each in wrong),
            sum(each.equity_loss or 0.0 for each in wrong),
            sum(game.luck[player] for game in self.games),
        )

    COLUMNS: ClassVar[Columns] = {
        "source": str,
        "match": int,
        "game": int,
        "move": int,
        "player": str,
        "kind": str,
        "roll": str | None,
        "done": str,
        "best": str,
        "loss": float,
        "equity_loss": float,
        "error_class": str | None,
        "too_close": bool,
        "forced": bool,
        "trivial": bool,
        "win_probability": float,
        "chance": float,
        "luck": float,
        "method": str,
        "error": float,
        "rolls_after": int,
        "engine_best": str | None,
        "engine_loss": float,
        "engine_level": str | None,
        "gnubg_id": str,
        "xgid": str,
    }
    """The columns, and what is in them: the fields of the JSON, and what identifies the match."""

    def _rows(self) -> Iterator[Mapping[str, Cell]]:
        return (decision_row(self.match, each) for each in self.decisions)

    def to_dict(self) -> dict[str, JSON]:
        """As JSON has it: docs/review-json.md explains every field."""
        match = self.match
        return {
            "format": "bgrace review",
            "version": FORMAT_VERSION,
            "source": match.source,
            "match": match.number,
            **as_json(match, "players", "length", "event", "date"),
            "engine": match.engine or None,
            "summary": [tally.to_dict() for tally in self.tallies],
            "games": [game.to_dict() for game in self.games],
            "problems": [as_json(problem, "game", "move", "text") for problem in self.problems],
        }


@dataclass(frozen=True, slots=True)
class PreparedMatch:
    """A match that has been read and replayed, and not yet judged.

    `asked` is the question of each decision, in order; `runs` is what has to be known, in pieces
    that can be answered at the same time; `risks` are the notes on each game.
    """

    match: Match
    games: tuple[ReplayedGame, ...]
    asked: Run
    runs: tuple[Run, ...]
    risks: tuple[tuple[RiskNote, ...], ...]

    def judged(self, answers: Answers, met: MatchEquityTable | None = None) -> MatchReview:
        """Judge it with the answers to its questions."""
        told = [judge(game, answers, met, notes) for game, notes in zip(self.games, self.risks, strict=True)]
        games = tuple(game for game, _ in told)
        problems = [*self.match.problems, *(problem for game in self.games for problem in game.problems)]
        problems += [problem for _, unsolved in told for problem in unsolved]
        if self.match.boards:
            judged = [judge_board(board, number, answers, met) for number, board in enumerate(self.match.boards, 1)]
            decisions = tuple(each for each in judged if isinstance(each, Decision))
            games = (GameReview(0, (0, 0), False, decisions, "positions", None),)
            problems += [each for each in judged if isinstance(each, Problem)]
        return MatchReview(replace(self.match, boards=(), problems=()), games, tuple(problems))

    def left_open(self, glanced: MatchReview, answers: Answers, seconds: float) -> tuple[Run, ...]:
        """The questions that first looks leave open, and that a look of `seconds` may settle.

        Mistakes are confirmed, and so are choices that may well be mistakes.  Those that are right by far, or wrong by
        much less than the error of the answer, are left.
        """
        if seconds <= GLANCE:
            return ()
        least = _HOPE * GLANCE / seconds
        solved = [one for one in self.asked if isinstance(answers[one], Answer)]
        if self.match.boards:  # in some of them there is nothing to decide
            solved = [self.asked[decision.move - 1] for decision in glanced.decisions]
        found = dict.fromkeys(
            question
            for question, decision in zip(solved, glanced.decisions, strict=True)
            if decision.error and decision.is_open(least)
        )
        return tuple((question,) for question in found)


def prepare(match: Match) -> PreparedMatch:
    """Replay a match and find what has to be known to judge it."""
    games = tuple(replay(match))
    asked = [questions_of(game.decisions) for game in games]
    runs = [run for of_game in asked for run in runs_of(tuple(dict.fromkeys(of_game)))]
    positions = [Question(board) for board in match.boards]
    runs += [(one,) for one in positions]
    risks = tuple(risk_notes(game.number, game.bearoffs) for game in games)
    return PreparedMatch(replace(match, games=()), games, (*chain(*asked), *positions), tuple(runs), risks)


def review(
    match: Match | str | os.PathLike[str],
    *,
    met: MatchEquityTable | None = None,
    seconds: float = DEFAULT_SECONDS,
    threads: int | None = None,
) -> MatchReview:
    """Judge every race decision of a match.

    Parameters
    ----------
    match : Match or path-like
        As `read` gives it, or the name of a file; of a file with several matches, the first.
    met : MatchEquityTable, optional
        What scores are worth: the table that comes with bgrace, unless given.
    seconds : float
        About how long to compute on a position that is too large to be solved exactly in that time.
    threads : int, optional
        As many as there are processors, unless given.  The review does not depend on it.

    Returns
    -------
    MatchReview

    Raises
    ------
    ArgumentError
        If `met`, `seconds` or `threads` cannot be used.
    DependencyError
        If a package that reads such files is not installed.
    FormatError
        If the file is not a match.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> from bgrace_apps.review import review
    >>> told = review("data/matches/5-103.mat")
    >>> [tally.n_errors for tally in told.tallies]
    [2, 0]
    """
    with thread_pool(checked_threads(threads)) as pool:
        listed = match if isinstance(match, Match) else next(read(match))
        *_, told = review_in_parts(listed, met=met, seconds=seconds, mapped=pool.map)
    assert isinstance(told, MatchReview)
    return told


def review_in_parts(
    match: Match, *, met: MatchEquityTable | None = None, seconds: float = DEFAULT_SECONDS, mapped: _Map = map
) -> Iterator[tuple[int, int] | MatchReview]:
    """Judge a match a piece at a time, so that other work can come between: as `review`, with the same review.

    Parameters
    ----------
    match : Match
    met, seconds
        As for `review`.
    mapped : callable
        ``map``, or that of a pool, which answers pieces at the same time.

    Yields
    ------
    tuple of (int, int), or MatchReview
        How many pieces are done, of how many that are known; and last the review.
    """
    checked_seconds(seconds)
    checked_table(met)
    prepared = prepare(match)
    n_pieces = len(prepared.runs)
    yield 0, n_pieces
    answers: _Found = {}
    for done, found in enumerate(mapped(partial(known_answers, met=met, seconds=seconds), prepared.runs), 1):
        answers = found | answers
        yield done, n_pieces
    told = prepared.judged(answers, met)
    again = prepared.left_open(told, answers, seconds)
    closer = partial(known_answers, met=met, seconds=seconds, closer=True)
    for done, found in enumerate(mapped(closer, again), n_pieces + 1):
        answers |= found
        yield done, n_pieces + len(again)
    yield prepared.judged(answers, met) if again else told


RIGHT: Final[dict[str, tuple[str, ...]]] = {
    "no double": ("no double", "take", "beaver"),
    "double/take": ("double", "take"),
    "double/beaver": ("double", "beaver"),
    "double/pass": ("double", "pass"),
    "too good": ("no double", "pass"),
}
"""The right decisions of both sides, by verdict."""


def prove_mistakes(review: MatchReview, met: MatchEquityTable | None = None, seconds: float = 0.3) -> MatchReview:
    """Say of each mistake whether it is proved: `Decision.proved`.

    It is if all pairs were solved, or if proven bounds allow no other verdict of the cube.  Of plays of longer races
    nothing is proved.

    Parameters
    ----------
    review : MatchReview
    met : MatchEquityTable, optional
        As for `bgrace_apps.review.review`.
    seconds : float
        The budget of each proof, as of ``bgrace.solve(prove=True)``.

    Examples
    --------
    >>> from bgrace_apps.review import prove_mistakes, review
    >>> told = prove_mistakes(review("data/matches/5-103.mat"))
    >>> sum(bool(each.proved) for each in told.mistakes), len(told.mistakes)
    (2, 2)
    """
    limits = Limits(seconds=seconds, threads=1)
    checked_table(met)
    games = (
        replace(game, decisions=tuple(replace(each, proved=_is_proved(each, met, limits)) for each in game.decisions))
        for game in review.games
    )
    return replace(review, games=tuple(games))


def _is_proved(decision: Decision, met: MatchEquityTable | None, limits: Limits) -> bool | None:
    """Whether a mistake is proved; None of other decisions."""
    if not decision.error_class:
        return None
    if decision.error == 0 or decision.kind not in ("cube", "answer"):
        return decision.error == 0
    question = Question(decision.board, decision.on_roll)
    stakes = question.stakes(met)
    place = question.place(stakes)
    race = Race(decision.board.on_roll, decision.board.opponent, stakes, place, limits=limits)
    bounds = Bounds.of(race.proof(verdict=True), stakes.cubes)
    if bounds is None:
        return False
    known = bounds.cube(place)
    return known.proved and known.verdict != "no cube" and decision.done not in RIGHT[known.verdict]


# ---------------------------------------------------------------------- many matches, by several processes


@dataclass(frozen=True, slots=True)
class FileReview:
    """The outcome of a file.

    Attributes
    ----------
    path : str
    reviews : tuple of MatchReview
        Of each match in it.
    error : str
        Why it could not be reviewed, or not all of it; empty if it was.
    """

    path: str
    reviews: tuple[MatchReview, ...] = ()
    error: str = ""


def find_matches(names: Paths) -> Iterator[Path]:
    """Find files of matches.

    Parameters
    ----------
    names : path-like, or iterable of path-like
        Files, as they are; folders, for every file in them and below that has the name of a match (`.mat`, `.txt`,
        `.sgf`, `.xg`, `.xgp`, `.bgf`, `.ogxm`), and for folders that cannot be read; and patterns such as
        ``2026/*.mat``.

    Yields
    ------
    Path
        In the order of the names, and of a folder or pattern in the order of the alphabet; each once.

    Raises
    ------
    ArgumentError
        If a name matches no match file.
    """
    seen: set[Path] = set()
    for name in each_path(names):
        path = checked_path(name)
        if path.is_dir():
            closed: list[OSError] = []
            inside = [Path(folder, file) for folder, _, files in os.walk(path, onerror=closed.append) for file in files]
            listed = sorted(one for one in inside if one.suffix.lower() in MATCH_SUFFIXES and one.is_file())
            listed += [Path(error.filename) for error in closed]
        elif not path.exists() and glob.has_magic(str(name)):
            listed = sorted(map(Path, glob.glob(str(name), recursive=True)))
        else:
            listed = [path]
        if not listed:
            raise ArgumentError(f"{name}: no match there: give files, folders or patterns such as 'matches/*.mat'")
        new = [one for one in dict.fromkeys(listed) if one not in seen]
        seen.update(new)
        yield from new


def review_many(
    paths: Paths,
    *,
    met: MatchEquityTable | None = None,
    seconds: float = DEFAULT_SECONDS,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Iterator[FileReview]:
    """Judge the race decisions of many matches.

    Parameters
    ----------
    paths : path-like, or iterable of path-like
    met, seconds
        As for `review`.
    workers : int, optional
        Processes: as many as there are processors, unless given; a script starts them below
        ``if __name__ == "__main__":``.  A single file is reviewed by as many threads.
    progress : callable, optional
        Called with the number of files that are done, and of all.

    Yields
    ------
    FileReview
        In the order of the paths.  One that cannot be read, is not a match, or has a position that cannot be solved
        says so, and the others go on.

    Raises
    ------
    ArgumentError
        If `met`, `seconds` or `workers` cannot be used.
    BgraceError
        If a process is lost, as those of a script are that starts them again.

    Examples
    --------
    >>> [len(told.reviews) for told in review_many(["data/matches/5-103.mat"])]
    [1]
    """
    checked_seconds(seconds)
    checked_table(met)
    listed = [checked_path(path) for path in each_path(paths)]
    n_workers = checked_threads(workers)
    alone = n_workers == 1 or len(listed) == 1
    one = partial(_review_file, met=met, seconds=seconds, threads=n_workers if alone else 1)
    with nullcontext() if alone else processes(n_workers) as pool:
        reviewed = map(one, listed) if pool is None else streamed(listed, one, pool, 2 * n_workers)
        for done, told in enumerate(reviewed, 1):
            if progress is not None:
                progress(done, len(listed))
            yield told


def _review_file(path: Path, *, met: MatchEquityTable | None, seconds: float, threads: int) -> FileReview:
    """Review all matches of a file."""
    reviews: list[MatchReview] = []
    why = ""
    try:
        for match in read(path):
            reviews.append(review(match, met=met, seconds=seconds, threads=threads))
    except Exception as error:  # a file that its reader fails at must not end the review of the others
        why = _why(path, error)
    return FileReview(str(path), tuple(reviews), why or _unsolved(reviews))


def _unsolved(reviews: Iterable[MatchReview]) -> str:
    """How much of a file could not be reviewed, in words; empty if all of it was."""
    n = sum(problem.text.startswith(UNSOLVED) for told in reviews for problem in told.problems)
    positions = "1 position" if n == 1 else f"{n:,} positions"
    return f"{positions} could not be solved, and what was done there is left out" if n else ""


def _why(path: Path, error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return f"{path}: no such file; give one that is there"
    if isinstance(error, OSError) and not isinstance(error, BgraceError):
        return f"{path}: {error.strerror or error}; give a file that can be read"
    return reason(error)


_DIGITS: Final = {"equity_loss": 6, "win_probability": 6, "error": 6}
"""Digits after the point, of columns that have any; 8 unless listed."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")

_NAMES: Final = ("source", "player")
"""Columns with text from outside, which might be a formula to a spreadsheet."""


def review_csv(reviews: Iterable[MatchReview]) -> str:
    r"""Write every decision on a line.

    Parameters
    ----------
    reviews : iterable of MatchReview

    Returns
    -------
    str
        With a line of heads, `MatchReview.COLUMNS`.  Names that a spreadsheet would take for a formula have an
        apostrophe in front.

    Examples
    --------
    >>> from bgrace_apps.review import review
    >>> lines = review_csv([review("data/matches/5-103.mat")]).splitlines()
    >>> len(lines), lines[0].split(",")[:4]
    (14, ['source', 'match', 'game', 'move'])
    """
    rows = (decision_row(told.match, each) for told in reviews for each in told.decisions)
    return csv_text([MatchReview.COLUMNS, *((_written(name, cell) for name, cell in row.items()) for row in rows)])


def _written(name: str, cell: Cell) -> Cell:
    if isinstance(cell, float):
        return f"{cell:.{_DIGITS.get(name, 8)}f}"
    return f"'{cell}" if name in _NAMES and str(cell).startswith(_FORMULA) else cell
