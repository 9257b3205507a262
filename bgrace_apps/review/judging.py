"""Race decisions judged: what was right, what was done, what that cost; and the risk of bearoffs against men behind.

Values are for the player on roll.  At a match score they are chances to win the match, for money points per unit of the
cube; a loss is in chances or in points, and beside it stands the equity lost, per unit of the cube.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias, get_args

from bgrace._base.arrays import JSON, ToDict, as_json, plain
from bgrace.answers.reasons import NOTHING, Phrase, play_reason, sentence
from bgrace.board import Board
from bgrace.contact import PlayRisk, risk
from bgrace.counts.judged import Culprit
from bgrace.errors import ArgumentError, PositionError
from bgrace.match.met import MatchEquityTable
from bgrace.match.stakes import Stakes
from bgrace_apps.review.questions import Answer, Answers, Question
from bgrace_apps.review.records import Problem
from bgrace_apps.review.replay import BearoffPlay, DecisionKind, RaceDecision, ReplayedGame

ErrorClass: TypeAlias = Literal[
    "missed double", "wrong double", "wrong take", "wrong pass", "checker play", "resignation", "accepted resignation"
]

CLASSES: Final[tuple[ErrorClass, ...]] = get_args(ErrorClass)
"""The kinds of mistakes, in the order in which reports list them."""

UNSOLVED: Final = "this position could not be solved"

_CLOSE: Final = 0.2
"""A correct no-double by at least this margin (points of the cube) does not count as a decision."""

_EQUAL: Final = 1e-9
"""Values that differ by no more are equal."""

_MARKS: Final = ((0.08, "??"), (0.02, "?"))
"""Marks of mistakes, each with the least loss in points of the cube: the defaults of eXtreme Gammon."""

_ADJUSTED: Final = ("isight", "keith", "ward", "thorp", "grace")
"""Counts whose mistakes are mentioned, the first with its reason."""


@dataclass(frozen=True, slots=True)
class Choice(ToDict):
    """One of the things that could be done.

    Attributes
    ----------
    name : str
        A play, ``"no double"``, ``"double"``, ``"take"``, ``"pass"``, ...
    value : float
        To the player who chooses: a chance to win the match, or points per unit of the cube.
    equity : float, or None
        In points per unit of the cube; None where the match equity table does not tell winning from losing.
    """

    name: str
    value: float
    equity: float | None


@dataclass(frozen=True, slots=True)
class EngineOpinion(ToDict):
    """The choice of the program that wrote the file, and its cost; 0 where nothing is proved against it.

    Attributes
    ----------
    best : str
        The name of a choice; of a double that is right, ``"take"`` or ``"pass"`` if it was wrong about the answer.
    loss, equity_loss : float
        As of a `Decision`.
    level : str
        How deep it looked, as the file states it, such as ``"2-ply"``; empty if it does not.
    """

    best: str
    loss: float
    equity_loss: float | None
    level: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """A race decision, judged.

    Attributes
    ----------
    game, move : int
        Where in the match; of a file of positions, 0 and the number of the position.
    player, on_roll : int
        0 or 1: who had it, and who was on roll.
    kind : str
        ``"cube"``, ``"answer"``, ``"play"``, ``"resign"``.
    board : Board
        Seen by the player on roll, who of an answer is the one who doubled.
    done : str
        Empty for a position, where nothing has been done.
    best : str
    loss : float
        Chance to win the match, or points for money (the cube counted).
    equity_loss : float, or None
        Points per unit of the cube.
    error_class : str, or None
        What kind of mistake it is; None if the answer cannot prove one, its loss being within its error.
    choices : tuple of Choice
        Best first; of a play, all results.
    forced : bool
        Whether there was nothing to choose.
    trivial : bool
        Whether every choice was worth the same, or the right one so clear that nobody would count it.
    win_probability : float
        Of the game without a cube, for the player on roll.
    verdict : str, or None
        Of a decision about the cube: ``"double/take"``, ...
    luck : float
        Of a roll that was thrown: what it did beyond the mean of all rolls, in the unit of `loss`.
    method : str
    error : float
        As `bgrace.Solution.error`.
    rolls_after : int
        Rolls that the game went on for.
    engine : EngineOpinion, or None
    chance : float
        Worth of the position to the player on roll, before the decision: a chance to win the match, or points.
    reason : tuple of Phrase
        Of a mistake, and of a position that stands alone: why the best choice is right, or what a play lacks.
    wrong_counts : mapping of str to Culprit
        With a reason: the counts that players adjust which are wrong about the decision, and the part that is.
    proved : bool, or None
        Of a mistake whether it is proved, once `bgrace_apps.review.prove_mistakes` has tried.
    comment : str
        In the file; empty if there is none.
    """

    game: int
    move: int
    player: int
    on_roll: int
    kind: str
    board: Board
    done: str
    best: str
    loss: float
    equity_loss: float | None
    error_class: ErrorClass | None
    choices: tuple[Choice, ...]
    forced: bool
    trivial: bool
    win_probability: float
    verdict: str | None
    luck: float
    method: str
    error: float
    rolls_after: int
    engine: EngineOpinion | None
    chance: float
    reason: tuple[Phrase, ...] = ()
    wrong_counts: Mapping[str, Culprit] = field(default_factory=dict)
    proved: bool | None = None
    comment: str = ""

    @property
    def too_close(self) -> bool:
        """Whether something else looks better, by so little that the answer cannot tell."""
        told = self.equity_loss is None or self.equity_loss > NOTHING
        return bool(self.done) and self.loss > 0 and told and self.error_class is None and self.error > 0

    @property
    def as_good(self) -> tuple[str, ...]:
        """The best choice, and those that the answer cannot tell from it; never a mistake."""
        return tuple(
            each.name
            for each in self.choices
            if not _is_proved(self.choices[0].value - each.value, _equity_lost(self.choices[0], each), self.error)
            and not (self.error_class and each.name == self.done)
        )

    @property
    def unit(self) -> float:
        """What a loss of one in the values of choices costs: a match, or the points of the cube."""
        return 1.0 if self.board.away is not None else float(self.board.cube_value)

    @property
    def error_loss(self) -> float | None:
        """The `error` in the unit of `loss`; None if the choices are equal, which gives no measure."""
        if not self.error:
            return 0.0
        lost = _equity_lost(self.choices[0], self.choices[-1])
        return self.unit * self.error * (self.choices[0].value - self.choices[-1].value) / lost if lost else None

    @property
    def mark(self) -> str:
        """The mark of a mistake: "?" from 0.02 points of the cube on, "??" from 0.08 on; else empty."""
        lost = 0.0 if self.error_class is None or self.equity_loss is None else self.equity_loss
        return next((mark for least, mark in _MARKS if lost >= least), "")

    def is_open(self, part: float) -> bool:
        """Whether a closer answer may judge it otherwise, or find its cost more exactly.

        Parameters
        ----------
        part : float
            Of `error`: what differs by less will hardly be told apart.
        """
        names = {self.done, *(() if self.engine is None else (self.engine.best,))}
        if not self.done:
            return _margin(self.choices) <= self.error if len(self.choices) > 1 else False
        lost = [_equity_lost(self.choices[0], each) for each in self.choices[1:] if each.name in names]
        return any(each is not None and each > part * self.error for each in lost)

    @property
    def counts(self) -> bool:
        """Whether it was a choice that counts: neither forced nor trivial."""
        return bool(self.done) and not self.forced and not self.trivial

    def to_dict(self) -> dict[str, JSON]:
        """As the JSON of a review has it."""
        return {
            **as_json(self, "game", "move", "player", "on_roll", "kind"),
            "xgid": self.board.xgid(),
            "gnubg_id": self.board.gnubg_id(),
            "done": self.done or None,
            **as_json(self, "best", "loss", "equity_loss", "error_class", "too_close", "as_good", "mark", "proved"),
            **as_json(self, "choices", "forced", "trivial", "win_probability", "verdict", "luck", "chance"),
            **as_json(self, "method", "error", "rolls_after", "engine"),
            "reason": {"phrases": plain(self.reason), "text": sentence(self.reason)} if self.reason else None,
            "wrong_counts": plain(self.wrong_counts),
            "comment": self.comment or None,
        }


@dataclass(frozen=True, slots=True)
class GameReview:
    """One game, judged as far as it was a race.

    Attributes
    ----------
    number : int
    score : tuple of two int
    crawford : bool
    decisions : tuple of Decision
    end : str
        As of `bgrace_apps.review.replay.ReplayedGame`.
    final : tuple of two int, or None
        The score after it.
    luck : tuple of two float
        Of each player's rolls in the race, in the unit of losses.
    start, finish : float, or None
        What the race was worth to player 0 when it began, and what came of it: chances to win the match, or points.
    risks : tuple of RiskNote
        Of plays against men behind, in order.
    """

    number: int
    score: tuple[int, int]
    crawford: bool
    decisions: tuple[Decision, ...]
    end: str
    final: tuple[int, int] | None
    luck: tuple[float, float] = (0.0, 0.0)
    start: float | None = None
    finish: float | None = None
    risks: tuple[RiskNote, ...] = ()

    @property
    def without_luck(self) -> float | None:
        """The outcome of the race with average dice; None where it is not known."""
        return None if self.finish is None else self.finish - self.luck[0] + self.luck[1]

    def to_dict(self) -> dict[str, JSON]:
        """As the JSON of a review has it."""
        names = ("number", "score", "crawford", "end", "final", "luck", "start", "finish")
        return as_json(self, *names, "without_luck", "decisions", "risks")


# ---------------------------------------------------------------------- questions


def questions_of(decisions: Sequence[RaceDecision]) -> list[Question]:
    """The questions of each decision: where nothing was doubled, the question of the roll that followed."""
    questions = []
    for each in decisions:
        doubled = each.kind == "answer" or each.done == "double"
        questions.append(Question(replace(each.board, double_offered=doubled), each.on_roll, each.no_cube))
    for k, decision in enumerate(decisions[:-1]):
        if decision.kind == "cube" and decision.done == "no double" and decisions[k + 1].board.roll is not None:
            questions[k] = questions[k + 1]
    return questions


# ---------------------------------------------------------------------- judging


def judge(
    game: ReplayedGame, answers: Answers, met: MatchEquityTable | None = None, notes: tuple[RiskNote, ...] = ()
) -> tuple[GameReview, list[Problem]]:
    """Judge a game by the answers to the questions of its decisions, `questions_of`.

    A decision without an answer is left out, and becomes a problem.  Notes on risks need no answers, and are kept.
    """
    review = GameReview(game.number, game.score, game.crawford, (), game.end, game.final, risks=notes)
    questions = questions_of(game.decisions)
    try:
        at = [question.stakes(met) for question in questions]
    except ArgumentError as error:  # the table does not go to the score, which is that of the whole game
        text = f"{UNSOLVED}, nor any other of the game: {error}"
        return review, [Problem(game.number, game.decisions[0].move_number, text)]
    n_plays = sum(decision.kind == "play" for decision in game.decisions)
    judged: list[Decision] = []
    problems: list[Problem] = []
    luck = [0.0, 0.0]
    for decision, question, stakes in zip(game.decisions, questions, at, strict=True):
        n_plays -= decision.kind == "play"
        known = answers[question]
        if isinstance(known, str):
            problems.append(Problem(game.number, decision.move_number, f"{UNSOLVED}: {known}"))
            continue
        judged.append(_judged(game.number, decision, known, stakes, n_plays))
        luck[decision.on_roll] += judged[-1].luck
    start = seen_by_first(judged[0].chance, judged[0].on_roll, judged[0].board.match_length) if judged else None
    finish = None if problems else _finish(game, at)
    return replace(review, decisions=tuple(judged), luck=(luck[0], luck[1]), start=start, finish=finish), problems


def judge_board(board: Board, number: int, answers: Answers, met: MatchEquityTable | None = None) -> Decision | Problem:
    """Judge a position that stands alone: which play of its roll is right, whether to take, or whether to double."""
    kind: DecisionKind = "play" if board.roll is not None else "answer" if board.double_offered else "cube"
    question = Question(board)
    known = answers[question]
    if isinstance(known, str):
        return Problem(0, number, f"{UNSOLVED}: {known}")
    if kind == "cube" and known.double_take is None:
        return Problem(0, number, "the player on roll may not double, so that there is nothing to decide")
    decision = RaceDecision(kind, 1 if kind == "answer" else 0, 0, number, board, "")
    return _judged(0, decision, known, question.stakes(met), 0)


def seen_by_first(value: float, on_roll: int, match_length: int) -> float:
    """A value of the player on roll, as player 0 sees it."""
    return value if on_roll == 0 else (1.0 if match_length else 0.0) - value


def _finish(game: ReplayedGame, at: Sequence[Stakes]) -> float | None:
    """The result of the race, for player 0: a payoff of the stakes that it began at."""
    if game.final is None or not game.decisions or game.end == "unfinished":
        return None
    first, stakes = game.decisions[0], at[0]
    won = (game.final[0] - game.score[0]) - (game.final[1] - game.score[1])
    value = replace(stakes, cube_value=1).payoff(won if first.on_roll == 0 else -won)
    return seen_by_first(value, first.on_roll, first.board.match_length)


_Case: TypeAlias = tuple[list[Choice], str, ErrorClass, bool, int]
"""A decision, prepared for judging: its choices, best first, the one that was made, the name of its mistake, whether
it is trivial, and the player who is judged."""


def _judged(game: int, decision: RaceDecision, known: Answer, stakes: Stakes, rolls_after: int) -> Decision:
    unit = 1.0 if decision.board.away is not None else float(decision.board.cube_value)
    rolled = decision.board.roll is not None
    asked = advice_asked(decision.kind, decision.board.cube)
    choices, done, error_class, trivial, player = _CASES[decision.kind](decision, known, stakes)
    best = choices[0]
    chosen = next(choice for choice in choices if choice.name == done) if done else best
    loss, equity_loss = unit * (best.value - chosen.value), _equity_lost(best, chosen)
    is_wrong = bool(done) and _is_proved(loss, equity_loss, known.error)
    told = is_wrong or not done
    if loss <= _EQUAL:
        loss, equity_loss = 0.0, None if equity_loss is None else 0.0
    return Decision(
        game=game,
        move=decision.move_number,
        player=player,
        on_roll=decision.on_roll,
        kind=decision.kind,
        board=decision.board,
        done=done,
        best=best.name,
        loss=loss,
        equity_loss=equity_loss,
        error_class=error_class if is_wrong else None,
        choices=tuple(choices),
        forced=decision.n_choices < 2,
        trivial=trivial,
        win_probability=known.win_probability,
        verdict=known.verdict if decision.kind in ("cube", "answer") else None,
        luck=unit * (known.plays[0].value - known.no_double) if rolled else 0.0,
        method=known.method,
        error=known.error,
        rolls_after=rolls_after,
        engine=_engine(decision, known, choices, stakes),
        chance=unit * (known.no_double if rolled else _equity(known)),
        reason=_reason(decision, known, done) if told else (),
        comment=decision.comment,
        wrong_counts={
            name: known.wrong_counts[name][asked]
            for name in _ADJUSTED
            if told and asked in known.wrong_counts.get(name, ())
        },
    )


def advice_asked(kind: str, cube: str) -> str:
    """What a count advises on in a decision: double, redouble or take; empty for a play."""
    double = "redouble" if cube == "mine" else "double"
    return {"cube": double, "answer": "take"}.get(kind, "")


def _reason(decision: RaceDecision, known: Answer, done: str) -> tuple[Phrase, ...]:
    """Why the best choice is right; of a play, what the one made lacks, or else the next best."""
    if decision.kind != "play":
        return {"cube": known.double, "answer": known.take}.get(decision.kind, ())
    best = known.plays[0]
    other = next((play for play in known.plays if (play.play == done if done else play.value < best.value)), None)
    if other is None:
        return ()
    return play_reason(decision.board.opponent, best.position, other.position, (best.chances, other.chances)).phrases


def _play(decision: RaceDecision, known: Answer, stakes: Stakes) -> _Case:
    choices = [_choice(stakes, play.play, play.value) for play in known.plays]
    done = decision.done
    if decision.result is not None:
        done = next((play for play in known.plays if play.position == decision.result), known.plays[0]).play
    return choices, done, "checker play", choices[0].value - choices[-1].value <= _EQUAL, decision.player


def _cube(decision: RaceDecision, known: Answer, stakes: Stakes) -> _Case:
    choices = _sorted(_choice(stakes, "no double", known.no_double), _choice(stakes, "double", _doubled(known)))
    if decision.done != "no double":
        return choices, decision.done, "wrong double", False, decision.player
    trivial = choices[0].name == "no double" and _margin(choices) > _CLOSE
    return choices, decision.done, "missed double", trivial, decision.player


def _answer(decision: RaceDecision, known: Answer, stakes: Stakes) -> _Case:
    error_class: ErrorClass = "wrong pass" if decision.done == "pass" else "wrong take"
    return _answers(known, stakes), decision.done, error_class, False, decision.player


def _resignation(decision: RaceDecision, known: Answer, stakes: Stakes) -> _Case:
    """Charge the player who resigned too much, or accepted too little."""
    on_roll_won = decision.player != decision.on_roll
    played_on = _equity(known) if decision.board.roll is None else known.plays[0].value
    got = stakes.payoff(decision.number if on_roll_won else -decision.number)
    winner_lost = played_on - got if on_roll_won else got - played_on
    name = ("", "a single game", "a gammon", "a backgammon")[decision.number]
    accepted = winner_lost > _EQUAL
    done = f"accept {name}" if accepted else f"resign {name}"
    other = on_roll_won != accepted  # the player who was not on roll is charged
    values = (stakes.total - got, stakes.total - played_on) if other else (got, played_on)
    choices = _sorted(*(_choice(stakes, *told, other=other) for told in zip((done, "play on"), values, strict=True)))
    error_class: ErrorClass = "accepted resignation" if accepted else "resignation"
    blamed = 1 - decision.player if accepted else decision.player
    return choices, done, error_class, _margin(choices) <= _EQUAL, blamed


_CASES: Final[Mapping[DecisionKind, Callable[[RaceDecision, Answer, Stakes], _Case]]] = {
    "play": _play,
    "cube": _cube,
    "answer": _answer,
    "resign": _resignation,
}


def _choice(stakes: Stakes, name: str, value: float, *, other: bool = False) -> Choice:
    """A choice, its value given for the player who chooses; `other` if that is not the player on roll."""
    seen = stakes.total - value if other else value
    equity = stakes.normalised(seen)
    return Choice(name, value, None if equity is None else -equity if other else equity)


def _answers(known: Answer, stakes: Stakes) -> list[Choice]:
    """The answers to a double, best first."""
    total = stakes.total
    taken = known.double_take
    assert taken is not None, "known wherever a double was made"
    if stakes.rules.beavers and taken < 0:
        taken /= 2  # it has a beaver in it
    values = {"take": taken, "pass": stakes.payoff(1)}
    if stakes.rules.beavers:
        values["beaver"] = 2 * taken
    return _sorted(*(_choice(stakes, name, total - value, other=True) for name, value in values.items()))


def _sorted(*choices: Choice) -> list[Choice]:
    """Sort choices, the best first; equal ones keep their order."""
    return sorted(choices, key=lambda choice: -choice.value)


def _equity_lost(best: Choice, chosen: Choice) -> float | None:
    return None if best.equity is None or chosen.equity is None else best.equity - chosen.equity


def _is_proved(loss: float, equity_loss: float | None, error: float) -> bool:
    """Whether a loss is greater than the error of the answer, and greater than 0."""
    if equity_loss is None:  # at this score winning the game is worth no more than losing it
        return loss > _EQUAL and not error
    return loss > _EQUAL and equity_loss > max(error, NOTHING)


def _margin(choices: Sequence[Choice]) -> float:
    lost = _equity_lost(choices[0], choices[1])
    return choices[0].value - choices[1].value if lost is None else lost


def _doubled(known: Answer) -> float:
    """The value of doubling, the opponent answering well."""
    if known.double_take is None or known.double_pass is None:
        return known.no_double
    return min(known.double_take, known.double_pass)


def _equity(known: Answer) -> float:
    """The value of the position, with the right to double."""
    return max(known.no_double, _doubled(known))


def _engine(decision: RaceDecision, known: Answer, choices: Sequence[Choice], stakes: Stakes) -> EngineOpinion | None:
    """The best choice by the program of the file, its cost, and how deep it looked."""
    unit = 1.0 if stakes.score is not None else float(stakes.cube_value)

    def opinion(name: str | None, choices: Sequence[Choice]) -> EngineOpinion | None:
        """The cost of holding a choice to be best: 0 where it is not proved wrong, None without a choice."""
        chosen = next((choice for choice in choices if choice.name == name), None)
        if chosen is None:
            return None
        loss, equity_loss = choices[0].value - chosen.value, _equity_lost(choices[0], chosen)
        if not _is_proved(loss, equity_loss, known.error):
            return EngineOpinion(chosen.name, 0.0, 0.0, decision.engine_level)
        return EngineOpinion(chosen.name, unit * loss, equity_loss, decision.engine_level)

    if decision.kind == "play":
        best = next((play.play for play in known.plays if play.position == decision.engine_best), None)
        return opinion(best, choices)
    told = decision.engine_cube
    if told is None or known.double_take is None or decision.kind not in ("cube", "answer"):
        return None
    passed = stakes.payoff(1) if told.as_mwc else 1.0
    answer = "take" if told.double_take <= passed else "pass"
    if decision.kind == "answer":
        return opinion(answer, choices)
    name = "double" if min(told.double_take, passed) >= told.no_double else "no double"
    if name == choices[0].name == "double":
        wrong = opinion(answer, _answers(known, stakes))
        if wrong is not None and wrong.loss:
            return wrong
    return opinion(name, choices)


# ---------------------------------------------------------------------- risks


@dataclass(frozen=True, slots=True)
class RiskNote(ToDict):
    """The risk that a play took beside the least possible.  It is not a mistake to take more.

    Attributes
    ----------
    game, move : int
        Where in the match.
    player : int
        0 or 1: who bore off.
    roll : tuple of two int
    behind : str
        Where the men behind were, as of `bgrace.contact.Risk`.
    xgid : str
        The board, without the game around it.
    done, safest : PlayRisk
        The play that was made, and the one with the least `PlayRisk.risk`; the same if none has less.
    """

    game: int
    move: int
    player: int
    roll: tuple[int, int]
    behind: str
    xgid: str
    done: PlayRisk
    safest: PlayRisk

    @property
    def extra(self) -> float:
        """How much more risk was taken than the least."""
        return self.done.risk - self.safest.risk


def risk_notes(game: int, plays: Sequence[BearoffPlay]) -> tuple[RiskNote, ...]:
    """Note the plays of a game whose risk the tables know."""
    return tuple(note for play in plays if (note := _note(game, play)) is not None)


def _note(game: int, play: BearoffPlay) -> RiskNote | None:
    action, board, result = play
    assert action.roll is not None
    try:
        known = risk(board)
    except PositionError:
        return None
    listed = known.plays(action.roll)
    hits = result.theirs[-1] > board.theirs[-1]
    done = next(
        each
        for each in listed
        if each.position == result.mine[: len(each.position)]
        and (not each.position.checkers or ("*" in each.play) == hits)
    )
    safest = done if done.risk == listed[0].risk else listed[0]
    xgid = board.xgid(action.roll)
    return RiskNote(game, action.move_number, action.player, action.roll, known.behind, xgid, done, safest)
