"""Recorded games played on a board by the rules, and the race decisions that come up.

Nothing in a file is trusted: a play that the roll does not allow, a double by a player who may not, or a turn that
is left out becomes a problem with a name and a place, and the game goes on where the file next gives a position, or not
at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from bgrace.board import Board, GameState, Position
from bgrace.board.game_state import MAX_CUBE_VALUE, MAX_MATCH_LENGTH
from bgrace.board.position import HOME_POINTS, MAX_CHECKERS, MAX_POINTS
from bgrace.errors import BgraceError, PositionError
from bgrace.match.score import Score
from bgrace_apps.review.full_board import START, FullBoard, Move
from bgrace_apps.review.records import Action, EngineCube, EnginePlay, Match, Problem, RecordedGame, clean

DecisionKind: TypeAlias = Literal["cube", "answer", "play", "resign"]


@dataclass(frozen=True, slots=True)
class RaceDecision:
    """A choice that a player had in a race, and what they chose.

    Attributes
    ----------
    kind : str
        ``"cube"`` (to double before the roll, or not), ``"answer"`` (to a double), ``"play"`` (of a roll) or
        ``"resign"``.
    player, on_roll : int
        The player who decided, and the player on roll.
    move_number : int
        Of the turn.
    board : Board
        Seen by the player on roll, who of an ``"answer"`` is the opponent of `player`.  Has the roll of a play, and of
        a resignation after it was thrown.
    done : str
        ``"double"``, ``"no double"``, ``"take"``, ``"pass"``, ``"beaver"`` or ``"resign"``; empty of a play, and of a
        position without a match, where nothing has been done.
    result : Position, or None
        What a play left.
    n_choices : int
        Different results of the roll; 2 or more of other kinds.
    number : int
        Points of a resignation, in units of the cube.
    engine_cube : EngineCube, or None
    engine_best : Position, or None
        What the best play by the program leaves.
    engine_level : str
        How deep the program looked, if the file states it.
    no_cube : bool
        Whether the game is played without a cube.
    comment : str
        On it, or on the roll after it.
    """

    kind: DecisionKind
    player: int
    on_roll: int
    move_number: int
    board: Board
    done: str
    result: Position | None = None
    n_choices: int = 2
    number: int = 0
    engine_cube: EngineCube | None = None
    engine_best: Position | None = None
    engine_level: str = ""
    no_cube: bool = False
    comment: str = ""


BearoffPlay: TypeAlias = tuple[Action, FullBoard, FullBoard]
"""A play of a player who has all checkers home, while the sides still have contact: the boards before and after it are
seen by the player."""


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A game as far as it could be replayed.

    Attributes
    ----------
    number : int
    score : tuple of two int
    crawford : bool
    decisions : tuple of RaceDecision
        In order.
    problems : tuple of Problem
    final : tuple of two int, or None
        The score after it, if it has a result.
    end : str
        ``"borne off"``, ``"passed"``, ``"resigned"``, or ``"unfinished"``.
    bearoffs : tuple of BearoffPlay
        Those that were a choice, in order.
    """

    number: int
    score: tuple[int, int]
    crawford: bool
    decisions: tuple[RaceDecision, ...]
    problems: tuple[Problem, ...]
    final: tuple[int, int] | None
    end: str
    bearoffs: tuple[BearoffPlay, ...] = ()


class _WrongError(Exception):
    """A fault in an action; the board after it is not known."""


def replay(match: Match) -> Iterator[ReplayedGame]:
    """Replay the games of a match, one after another.

    Parameters
    ----------
    match : Match

    Yields
    ------
    ReplayedGame
    """
    before_crawford = True
    told = bool(match.beavers or match.length)
    assumed = [game for game in match.games if not told and any(each.kind == "beaver" for each in game.actions)]
    match = replace(match, beavers=match.beavers or bool(assumed))
    for k, game in enumerate(match.games):
        # The Crawford game is the first in which exactly one side is a point short of winning.
        short = match.length > 1 and max(game.score) == match.length - 1 != min(game.score)
        is_crawford = match.crawford and short and before_crawford if game.crawford is None else game.crawford and short
        guessed = is_crawford and game.crawford is None and game is match.games[0]
        if guessed and any(action.kind == "double" for action in game.actions):
            guessed = is_crawford = False
        before_crawford = before_crawford and not short
        table = _Replay(match, game, is_crawford, game.result or _won_by_next_score(match, k))
        if guessed:
            table.note(0, f"the file begins at {game.score[0]} to {game.score[1]}: taken for the Crawford game")
        if game in assumed[:1]:
            table.note(0, "the file does not say that beavers are allowed, and one was played: judged with beavers")
        doubt, left_out = _doubt_of_score(match, k, short and match.crawford and game.crawford is None)
        if doubt:
            table.note(0, doubt)
        no_met = match.length > 0 and not match.crawford and max(game.score) < match.length - 1
        if no_met and k == 0:
            text = "the match is without the Crawford rule, as is every .sgf without RU[Crawford], and tables have it"
            table.note(0, f"{text}: games are left out until a side needs 1 point")
        yield table.finished() if left_out or no_met else table.played()


def _doubt_of_score(match: Match, k: int, told_by_score: bool) -> tuple[str, bool]:
    """What is wrong with a game's score, and whether the game is left out for it, since its decisions depend on it.

    `told_by_score`: only the score says that it is the Crawford game.
    """
    game, led_to = match.games[k], _led_to_score(match, k)
    if k > 0 and (game.number, game.actions) == (match.games[k - 1].number, match.games[k - 1].actions):
        return "the game is there twice: left out", True
    last, follows = match.games[k - 1].number if k > 0 else 0, led_to in (None, game.score)
    shown = [f"{score[0]} to {score[1]}" for score in (game.score, led_to) if score]
    wrong = "" if follows else f"the score is {shown[0]}, and the game before leads to {shown[1]}"
    if game.number != last + 1 and len(match.games) > 1:
        before = f"it comes after game {last}" if k else "no game comes before it"
        wrong = f"{before}, so that games are missing or out of order"
    # What the next game confirms is right, but a game that is missing may have been the Crawford game.
    confirmed = k + 1 < len(match.games) and _led_to_score(match, k + 1) == match.games[k + 1].score
    left_out = not follows and (told_by_score or not confirmed)
    return wrong and f"{wrong}: the {'game is left out' if left_out else 'score is taken as it is'}", left_out


def _led_to_score(match: Match, k: int) -> tuple[int, int] | None:
    """The score that the game before leads to; None if that is not known, or without meaning as for money."""
    return match.games[k - 1].final if match.length and k > 0 else None


def _won_by_next_score(match: Match, k: int) -> tuple[int, int] | None:
    """Who won how many points by the score of the next game; None if it does not tell."""
    game, after = match.games[k], match.games[k + 1 : k + 2]
    gained = [after[0].score[player] - game.score[player] for player in (0, 1)] if after else [0, 0]
    return (gained.index(max(gained)), max(gained)) if min(gained) == 0 < max(gained) else None


class _Replay:
    """A board, a cube, and whose turn it is."""

    def __init__(self, match: Match, game: RecordedGame, crawford: bool, outcome: tuple[int, int] | None) -> None:
        self._match, self._game, self._crawford = match, game, crawford
        self._board: FullBoard | None = START
        """Seen by the player whose turn it is; None where it is not known."""
        self._turn: int | None = None
        self._cube_value, self._owner = 1, -1
        self._doubler: int | None = None
        """The player who has offered a double that is not answered."""
        self._beavered = False
        self._engine_cube: EngineCube | None = None
        """The opinion of the file's program on the double."""
        self._over = ""
        self._outcome = outcome
        self._passed: tuple[int, int] | None = None
        """The player who won by a pass, and the points."""
        self._rolled: tuple[int, int] | None = None
        """The roll whose play is not told, because the game ends with it."""
        self._decisions: list[RaceDecision] = []
        self._bearoffs: list[BearoffPlay] = []
        self._problems: dict[str, Problem] = {}

    def played(self) -> ReplayedGame:
        """Play all actions, and return the game."""
        game = self._game
        if self._match.length > MAX_MATCH_LENGTH or (self._match.length and max(game.score) >= self._match.length):
            text = f"a score of {game.score[0]} to {game.score[1]} cannot be in a match to {self._match.length}"
            self.note(0, f"{text}: the game is left out")
            return self.finished()
        for k, action in enumerate(game.actions):
            if self._over and action.kind == "forfeit":
                continue
            if self._over:
                self._note_at(action, f"{action.text!r} comes after the end of the game, and is left out")
                break
            try:
                self._carry_out(action, is_last=k == len(game.actions) - 1)
            except _WrongError as error:
                goes_on = any(later.board is not None for later in game.actions[k + 1 :])
                then = "the game goes on where the file next gives a position" if goes_on else "the rest is left out"
                self._note_at(action, f"{error}: {then}")
                self._board = None
                if not goes_on:
                    break
        try:
            self._end()
        except _WrongError as error:
            self.note(self._last_move, f"{error}: the rest is left out")
        return self.finished()

    def finished(self) -> ReplayedGame:
        """The game as far as it has been replayed."""
        game, final, end = self._game, replace(self._game, result=self._outcome).final, self._over or "unfinished"
        made, problems, bearoffs = tuple(self._decisions), tuple(self._problems.values()), tuple(self._bearoffs)
        return ReplayedGame(game.number, game.score, self._crawford, made, problems, final, end, bearoffs)

    def note(self, move_number: int, text: str) -> None:
        """Add a problem, once."""
        self._problems.setdefault(text, Problem(self._game.number, move_number, text))

    def _note_at(self, action: Action, text: str) -> None:
        self.note(action.move_number, text)

    # ------------------------------------------------------------------ actions

    def _carry_out(self, action: Action, is_last: bool) -> None:
        if action.board is not None:
            self._restart(action, action.board)
        if action.kind == "cube":
            self._put_cube(action.number or 1, self._owner)
        elif action.kind == "owner":
            self._owner = action.player
        elif action.kind == "turn":
            self._turn = action.player
        board = self._board
        if board is None:  # until the file gives a position
            if action.kind == "take":
                self._put_cube(2 * self._cube_value, action.player)
            return
        if action.kind == "lost":
            raise _WrongError(action.comment or f"{action.text!r} cannot be read")
        if action.kind == "play":
            self._play(action, board, is_last)
        elif action.kind == "double":
            self._double(action, board)
        elif action.kind in ("take", "pass", "beaver"):
            self._answer(action, board)
        elif action.kind == "forfeit":
            self._over = "unfinished"
            self._note_at(action, f"{action.text!r}: how the game ends is not judged")

    def _restart(self, action: Action, board: FullBoard) -> None:
        """Go on from where the file says that the player stood, and with its cube."""
        known = self._board is not None and self._turn is not None
        if action.cube_before not in (None, (self._cube_value, self._owner)):
            if known:
                self._note_at(action, "the file gives another cube than the moves before lead to; the file's is taken")
            self._put_cube(*action.cube_before)
        answers = action.kind in ("take", "pass", "beaver")
        seen = board.swapped if answers else board
        turn = 1 - action.player if answers else action.player
        if self._board is not None and self._turn in (None, turn) and self._board == seen:
            return
        try:
            seen.checked()
        except PositionError as error:
            raise _WrongError(f"the file gives a position that cannot be ({error})") from error
        if action.kind != "position" and known:
            self._note_at(action, "the file gives another position than the moves before lead to; the file's is taken")
        self._board, self._turn, self._doubler = seen, turn, self._doubler if answers else None

    def _check_turn(self, action: Action) -> None:
        if self._turn is not None and action.player != self._turn:
            raise _WrongError(f"it is {self._name(self._turn)}'s turn, and {self._name(action.player)} goes on")
        if self._doubler is not None and not self._beavered:
            raise _WrongError("the double before was neither taken nor passed")
        self._doubler, self._beavered = None, False

    def _name(self, player: int) -> str:
        return self._match.players[player]

    def _double(self, action: Action, board: FullBoard) -> None:
        self._check_turn(action)
        if self._turn is None:
            raise _WrongError("a double before the first roll")
        if not self._has_cube(action.player):
            why = "in the Crawford game" if self._crawford else "the cube is the opponent's"
            why = "the match is played without a cube" if self._match.no_cube or self._match.length == 1 else why
            raise _WrongError(f"{self._name(action.player)} may not double: {why}")
        self._check_cube(action, 2 * self._cube_value)
        if board.is_race:
            self._add("cube", action, board, "double")
        self._doubler, self._engine_cube = action.player, action.cube

    def _answer(self, action: Action, board: FullBoard) -> None:
        if self._doubler is None:
            raise _WrongError(f"{action.text!r} where nothing was doubled")
        # A beaver turns the cube at once, a double when it is taken; more beavers leave it with who had the first.
        offered, owner = 2 * self._cube_value, action.player
        if self._beavered:
            offered, owner = self._cube_value, self._owner
            if board.is_race:
                self._note_at(action, "the answer to a beaver is not judged, and what it cost is missing in the sums")
        elif action.player == self._doubler:
            raise _WrongError(f"{self._name(action.player)} answers their own double")
        elif action.kind == "beaver" and self._match.length:
            raise _WrongError("a beaver in a match")
        beavers = action.kind == "beaver"
        if beavers:
            self._check_cube(action, 2 * offered)
        if board.is_race and not self._beavered:
            self._add("answer", action, board, action.kind)
        if action.kind == "pass":
            self._over, self._passed = "passed", (1 - action.player, offered // 2)
            return
        self._put_cube(2 * offered if beavers else offered, owner)
        self._doubler, self._beavered = self._doubler if beavers else None, beavers

    def _put_cube(self, value: int, owner: int) -> None:
        if not 0 < value <= MAX_CUBE_VALUE or value & (value - 1):
            raise _WrongError(f"a cube of {value}, where it goes up to {MAX_CUBE_VALUE} in powers of 2")
        self._cube_value, self._owner = value, owner

    def _check_cube(self, action: Action, value: int) -> None:
        if action.number not in (None, value):
            raise _WrongError(f"a {action.kind} to {action.number}, where the cube is at {self._cube_value}")

    def _has_cube(self, player: int) -> bool:
        without = self._crawford or self._match.no_cube or self._match.length == 1
        return not without and self._owner in (-1, player)

    def _play(self, action: Action, board: FullBoard, is_last: bool) -> None:
        self._check_turn(action)
        assert action.roll is not None
        self._turn = action.player
        race = board.is_race
        legal = race and self._has_cube(action.player)
        if legal and (not self._match.length or Score(*self._away(action.player)).may_double(self._cube_value)):
            self._add("cube", action, board, "no double")
        result, n_choices = self._result(board, action, is_last and self._game.result is not None)
        if result is None:
            self._rolled = action.roll
            return
        if race:
            self._add("play", action, board, "", result, n_choices)
        elif n_choices > 1 and not any(board.mine[HOME_POINTS:]):
            self._bearoffs.append((action, board, result))
        self._board, self._turn = result.swapped, 1 - action.player
        if not any(result.mine):
            self._over = "borne off"

    def _away(self, player: int) -> tuple[int, int]:
        length, score = self._match.length, self._game.score
        return length - score[player], length - score[1 - player]

    def _result(self, board: FullBoard, action: Action, may_be_left_out: bool) -> tuple[FullBoard | None, int]:
        """The result of the play, and how many plays there were; None where the game ends before it is told."""
        assert action.roll is not None
        plays = board.plays(action.roll)
        if action.moves:
            return _led_to(board, action.moves, plays, self._shown(action)), len(plays)
        if len(plays) == 1:
            return next(iter(plays)), 1  # nothing can be moved, or in one way only, which some files leave out
        if may_be_left_out and "/" not in action.text:
            return None, len(plays)
        if action.moves is None and action.text:
            raise _WrongError(f"{self._shown(action)} cannot be read")
        raise _WrongError(f"no moves of {action.roll[0]}{action.roll[1]}, which can be played")

    def _shown(self, action: Action) -> str:
        return repr(clean(action.text, 61))

    # ------------------------------------------------------------------ the end

    def _end(self) -> None:
        """A game that the file ends before the board does, and of which it tells the result, was passed or resigned."""
        if self._board is None and not self._over:
            return
        untold = self._game.result is None and not self._over
        if untold:
            self.note(self._last_move, "the file does not tell how the game ends (cut off?): no end is assumed")
        # Of a game that is given up any result may be; and where the answer to a double is missing, nothing is known.
        if self._outcome is None or self._over == "unfinished" or (untold and self._doubler is not None):
            return
        winner, points = self._outcome
        wrong, then = self._wrong(winner, points), "the result is left out"
        if not wrong and not self._may_pay(winner, points, 1):
            wrong = f"{self._name(winner)} wins {points}, with the cube at {self._cube_value}"
            if any(self._may_pay(winner, points, 2**doubles) for doubles in (1, 2, 3)):
                then = "a double is missing, and nothing in the game is judged"
                self._decisions.clear()
                self._bearoffs.clear()
        if wrong:
            self.note(self._last_move, f"{wrong}: {then}")
            self._outcome = None
        if wrong or self._over or untold:
            return
        assert self._board is not None
        if self._doubler is not None:
            if winner == self._doubler and not self._beavered:
                row = self._last_move + winner  # player 0 begins a row
                self._answer(Action("pass", 1 - winner, text="pass", move_number=row), self._board)
            return
        if self._turn is not None:
            self._over = "resigned"
            if self._board.is_race:
                action = Action("forfeit", 1 - winner, self._rolled, move_number=self._last_move)
                self._add("resign", action, self._board, "resign", number=-(-points // self._cube_value))

    def _wrong(self, winner: int, points: int) -> str:
        """Why this player cannot have won these points; empty if that is possible."""
        name = f"{self._name(winner)} wins {points}"
        if self._over == "borne off" and self._turn == winner:
            return f"{name}, and has not borne off"
        if not self._over and self._game.resigned is False:
            return f"{name}, and the file ends before the game does"
        won_by_pass = self._won_by_pass
        if won_by_pass is not None and winner != won_by_pass[0]:
            return f"{name}, and has passed a double" if self._passed else f"{name}, and the double is not answered"
        return ""

    @property
    def _won_by_pass(self) -> tuple[int, int] | None:
        """The player who won by a pass, and the points; some files leave out the pass itself."""
        if self._passed is None and self._doubler is not None and not self._beavered:
            return self._doubler, self._cube_value
        return self._passed

    def _may_pay(self, winner: int, points: int, raised: int) -> bool:
        """Whether a game can have been won with these points if the cube was `raised` times as large.

        Some files count no more points than the match needs.
        """
        cube, kinds = raised * self._cube_value, {1, 2, 3}
        if self._won_by_pass is not None:
            cube, kinds = raised * self._won_by_pass[1], {1}
        elif self._board is not None and self._turn is not None:
            loser = self._board.mine if self._turn != winner else self._board.theirs
            if sum(loser) < MAX_CHECKERS:
                kinds = {1}
            elif self._over == "borne off":  # a gammon that counts once is one by the Jacoby rule
                kinds = {2, 3} if self._match.length or self._owner >= 0 else {1, 2, 3}
        needed = self._away(winner)[0] if self._match.length else 0
        return any(points == kind * cube or points == needed < kind * cube for kind in kinds)

    @property
    def _last_move(self) -> int:
        return self._game.actions[-1].move_number if self._game.actions else 0

    # ------------------------------------------------------------------ decisions

    def _add(
        self,
        kind: DecisionKind,
        action: Action,
        board: FullBoard,
        done: str,
        result: FullBoard | None = None,
        n_choices: int = 2,
        number: int = 0,
    ) -> None:
        assert self._turn is not None
        try:
            before = board.board(self._state(kind, self._turn, action.roll))
        except BgraceError as error:
            raise _WrongError(f"the recorded game is impossible ({error})") from error
        if before.doubt:
            self._note_at(action, before.doubt)
        left = None if result is None else _side(result, before)
        cube = self._engine_cube if kind == "answer" and action.cube is None else action.cube
        self._decisions.append(
            RaceDecision(
                kind,
                action.player,
                self._turn,
                action.move_number,
                before,
                done,
                left,
                n_choices,
                number,
                cube,
                _engine_best(board, action.plays, before) if kind == "play" else None,
                action.plays[0].level if kind == "play" and action.plays else cube.level if cube else "",
                self._match.no_cube,
                action.comment,
            )
        )

    def _state(self, kind: DecisionKind, player: int, roll: tuple[int, int] | None) -> GameState:
        money = not self._match.length
        score = self._game.score
        return GameState(
            roll=roll if kind in ("play", "resign") else None,
            cube_value=self._cube_value,
            cube="centered" if self._owner < 0 else "mine" if self._owner == player else "theirs",
            double_offered=kind == "answer",
            score=(score[player], score[1 - player]),
            match_length=self._match.length,
            crawford=self._crawford,
            jacoby=self._match.jacoby if money else None,
            beavers=self._match.beavers if money else None,
        )


def _side(board: FullBoard, before: Board) -> Position:
    return Position(board.mine[:MAX_POINTS]).resized(before.on_roll.points)


def _led_to(board: FullBoard, moves: tuple[Move, ...], plays: set[FullBoard], shown: str) -> FullBoard:
    """The legal play that moves of a file mean: as they stand, or else whichever leaves the same checkers."""
    with suppress(PositionError):
        straight = board.moved(moves)
        if straight in plays:
            return straight
    counts = [0, *board.mine]
    for start, end in moves:
        if not (0 < start < len(counts) and 0 <= end < start):
            raise _WrongError(f"{shown} is not a legal play")
        counts[start] -= 1
        counts[end] += 1
    wanted = tuple(counts[1:])
    # Of plays that differ in what they hit on the way, the one that hits least: a hit would have been written.
    meant = sorted((play for play in plays if play.mine == wanted), key=lambda play: (play.theirs[-1], play.theirs))
    if not meant:
        raise _WrongError(f"{shown} is not a legal play")
    return meant[0]


def _engine_best(board: FullBoard, plays: tuple[EnginePlay, ...], before: Board) -> Position | None:
    """The result of the program's best play; those that cannot be carried out are left out."""
    for play in plays:
        with suppress(PositionError):
            return _side(board.moved(play.moves), before)
    return None
