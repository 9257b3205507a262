"""A reviewed match as OGXM, for programs that show matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bgrace._base.arrays import JSON
from bgrace._base.version import VERSION
from bgrace.errors import FormatError
from bgrace.review.full_board import BAR, START, FullBoard, Move
from bgrace.review.judging import Decision
from bgrace.review.reading.limits import load
from bgrace.review.reading.mat import read_moves
from bgrace.review.records import Action, Match, RecordedGame
from bgrace.review.replay import replay
from bgrace.review.reviewing import MatchReview

_ROLLS: Final = [(a, b) for a in range(1, 7) for b in range(a, 7)]
"""Smaller die first: the number of a roll is that of its ply."""

_PLIES: Final = {"double": 21, "take": 22, "pass": 23}
_MAX_PLAYS: Final = 255
"""Plays of a roll that are listed."""

_Key = tuple[int, int, int, str]


def review_ogxm(review: MatchReview, match: Match) -> bytes:
    """Write a match and its review as OGXM.

    Parameters
    ----------
    review : MatchReview
    match : Match
        The one that was reviewed, as `bgrace.review.read` gives it.

    Returns
    -------
    bytes
        What `bgrace.review.read_bytes` and other programs read.

    Raises
    ------
    FormatError
        If the match has something that OGXM cannot hold, such as a beaver or a position that was set up.
    DependencyError
        If ogxm is not installed.
    """
    codec = load("ogxm")
    judged = {(each.game, each.move, each.player, each.kind): each for each in review.decisions}
    crawford = [each.crawford for each in replay(match)]
    document: dict[str, Any] = {
        "player_white": match.players[0],
        "player_black": match.players[1],
        "match_length": match.length,
        "analysis_info": {"model_id": f"bgrace {VERSION}"},
        "games": [_game(game, is_crawford, judged) for game, is_crawford in zip(match.games, crawford, strict=True)],
    }
    if not match.length:
        document |= {"jacoby": match.jacoby, "beaver": match.beavers}
    problem = codec.v2_problem(document)
    if problem is None:
        data: bytes = codec.json_to_binary(document)
        if codec.binary_to_json(data).get("replay_complete"):
            return data
        problem = "its moves cannot be played"
    raise FormatError(f"{match.source} cannot be written as OGXM ({problem}): write the review as JSON or as a page")


def _game(game: RecordedGame, crawford: bool, judged: Mapping[_Key, Decision]) -> dict[str, JSON]:
    told: dict[str, JSON] = {"is_crawford": crawford, "plies": list(_plies(game, judged))}
    if game.result is not None:
        told |= {"winner": game.result[0], "points_won": game.result[1]}
    return told


def _plies(game: RecordedGame, judged: Mapping[_Key, Decision]) -> Iterator[dict[str, JSON]]:
    board, before = START, -1
    for action in game.actions:
        mine = board if before in (-1, action.player) else board.swapped
        board, before = mine, action.player
        ply: dict[str, Any] = {"color": 1 - action.player}
        key = (game.number, action.move_number, action.player)
        if action.kind == "play" and action.roll is not None and action.moves is not None:
            smaller, larger = sorted(action.roll)
            ply |= {"action_id": _ROLLS.index((smaller, larger)), "d1": smaller, "d2": larger}
            ply["moves"] = _steps(mine, action.moves, action)
            board = mine.moved(action.moves)
            cube, play = judged.get((*key, "cube")), judged.get((*key, "play"))
            analysis = {} if play is None else _of_play(mine, board, action, play)
            of_cube = _of_cube(cube, None)
            analysis |= {"cube_decision": of_cube} if of_cube else {}
            ply |= {"analysis": analysis} if analysis else {}
        elif action.kind in _PLIES:
            ply["action_id"] = _PLIES[action.kind]
            turn = (game.number, action.move_number)
            doubler = action.player if action.kind == "double" else 1 - action.player
            of_cube = _of_cube(judged.get((*turn, doubler, "cube")), judged.get((*turn, 1 - doubler, "answer")))
            ply |= {"analysis": of_cube} if of_cube else {}
        elif action.kind == "resign":
            return
        else:
            raise FormatError(f"game {game.number}, move {action.move_number}: OGXM has no {action.kind}")
        yield ply


def _steps(board: FullBoard, moves: Sequence[Move], action: Action) -> list[JSON]:
    """Moves by single dice, from points as White counts them."""
    assert action.roll is not None
    steps: list[JSON] = []
    for start, end in moves:
        larger, smaller = action.roll
        if start - end > larger != smaller and start - larger > end and board.theirs[BAR - 1 - (start - larger)] > 1:
            larger, smaller = smaller, larger  # the larger die first is blocked
        place = start
        for die in (larger, smaller, larger, smaller):
            if place > end:
                after = max(place - die, end)
                steps.append({"from": BAR - place if action.player == 0 else place, "pips": place - after})
                place = after
    return steps


def _of_play(before: FullBoard, after: FullBoard, action: Action, decision: Decision) -> dict[str, JSON]:
    listed: list[JSON] = []
    for choice in decision.choices[:_MAX_PLAYS]:
        moves = read_moves(choice.name)
        if moves and choice.equity is not None:
            done = before.moved(moves) == after
            listed.append({"move": _steps(before, moves, action), "equity": choice.equity, "is_played": done})
    return {"alternatives": listed} if listed else {}


def _of_cube(cube: Decision | None, answer: Decision | None) -> dict[str, JSON]:
    """Equities for the side that may double; nothing where the review does not say what a take is worth."""
    rolled, doubled = (_equity(cube, name) for name in ("no double", "double"))
    taken = _equity(answer, "take")
    taken = -taken if taken is not None else doubled if doubled is not None and doubled < 1 else None
    if rolled is None or taken is None:
        return {}
    return {"no_double_equity": rolled, "double_take_equity": taken, "double_pass_equity": 1.0}


def _equity(decision: Decision | None, name: str) -> float | None:
    return next((each.equity for each in decision.choices if each.name == name), None) if decision else None
