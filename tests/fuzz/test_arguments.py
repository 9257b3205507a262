"""Public functions given what is not meant for them, one argument at a time: they answer, or raise an error of ours."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np
import pytest
from helpers.paths import MATCHES, SMALL

import bgrace
from bgrace import answers, contact, counts, cube, match, rollout, scm
from bgrace.cube import continuous, endgame, janowski, jump, race
from bgrace.database.verify import verify
from bgrace.match import MatchEquityTable, Score, ZadehModel
from bgrace.match.stakes import Stakes
from bgrace_apps import review


class Endless(Sequence[int]):
    """As long as a sequence can be; whoever reads more than a little of it would read for ever."""

    def __len__(self) -> int:
        return 1 << 40

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        if isinstance(index, slice) or index > 1000:
            raise AssertionError("it is read through")
        return 1

    def __iter__(self) -> Iterator[int]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        return "Endless()"


class Odd:
    """Nothing that anybody asked for."""

    def __repr__(self) -> str:
        return "Odd()"


ODD: Mapping[str, Any] = {
    "none": None,
    "bool": True,
    "text": "1",
    "no text": "",
    "a NUL": "6x1\0",
    "a lone surrogate": "\ud800",
    "bytes": b"6x1",
    "zero": 0,
    "minus one": -1,
    "below int64": -(1 << 63) - 1,
    "above int64": 1 << 63,
    "above uint64": 1 << 64,
    "400 digits": 10**400,
    "less than all": -(10**400),
    "half": 0.5,
    "nan": float("nan"),
    "infinite": float("inf"),
    "smallest": 5e-324,
    "large": 1e150,
    "complex": 1j,
    "empty": (),
    "a list": [1, 2],
    "ragged": [[1, 2], [3]],
    "nested": [[[[1]]]],
    "of texts": ["6x1", "5x1"],
    "of huge": [10**400, 1],
    "of nan": [float("nan")],
    "of objects": [Odd()],
    "a dict": {"a": 1},
    "a set": {1, 2},
    "an object": Odd(),
    "a function": len,
    "a range": range(10**4),
    "of dates": np.array(["2026-01-01"], "M8[D]"),
    "of uint64": np.array([2**64 - 1], np.uint64),
    "of bytes": np.array([b"x"]),
    "without axes": np.array(3),
    "of no length": np.zeros((0, 6), np.int8),
}

OURS = (MatchEquityTable, Score, Stakes)
"""Whoever gives something else for one of these has Python's own word for it, or is told by a type checker."""

MATCH = MATCHES / "3-102.mat"
ON_ROLL, OPPONENT = (0, 1, 0, 0, 1), (1, 1, 0, 0, 0, 1)
PAIR = {"on_roll": ON_ROLL, "opponent": OPPONENT}
FIRST = {"position": ON_ROLL}
SAVE = {"points": 6, "checkers": 2, "two_sided": 1, "threads": 1, "memory_bytes": 1 << 30}
MET, SCORE, MODEL = MatchEquityTable.default(), Score(3, 5), ZadehModel.equal()
XY = {"x": 50, "y": 55}
GAMES = {"games": 2, "seed": 1, "threads": 1, "standard_error": None}
SPACE = bgrace.PositionSpace(6, 15)
BUDGET = {"seconds": 0.001, "memory_bytes": 1 << 28, "threads": 1}
DATABASE = bgrace.open(SMALL)
SOLVED = bgrace.solve(ON_ROLL, OPPONENT, seconds=0.01)
RACES = race.solve(50)


def ids_of(**state: Any) -> list[str]:
    """The three IDs of a board."""
    board = bgrace.Board(bgrace.Position(ON_ROLL), bgrace.Position(OPPONENT), **state)
    return [board.xgid(), board.gnubg_id(), board.ogid()]


CALLS: Mapping[str, tuple[Callable[..., Any], Mapping[str, Any]]] = {
    "GameState": (
        bgrace.board.GameState,
        {"roll": (3, 1), "cube_value": 2, "cube": "mine", "score": (1, 2), "match_length": 7, "jacoby": None},
    ),
    "Board": (ids_of, {"roll": (3, 1), "cube_value": 2, "cube": "mine", "score": (1, 2), "match_length": 7}),
    "PositionSpace": (bgrace.PositionSpace, {"points": 6, "checkers": 15}),
    "PositionSpace.index": (SPACE.index, {"pos": ON_ROLL}),
    "PositionSpace.position": (SPACE.position, {"index": 7}),
    "Position": (bgrace.Position, {"counts": ON_ROLL}),
    "Position.resized": (bgrace.Position(ON_ROLL).resized, {"points": 7}),
    "parse_position": (bgrace.parse_position, {"text": "6x1", "points": 6, "side": "opponent"}),
    "parse_board": (bgrace.parse_board, {"text": "XGID=-AA--------------------b--:0:0:1:00:0:0:0:0:10"}),
    "parse_play": (bgrace.board.play_text.parse_play, {"position": ON_ROLL, "text": "5/2 2/1", "roll": "31"}),
    "format_play": (bgrace.board.play_text.format_play, {"position": ON_ROLL, "result": (1, 1), "roll": "31"}),
    "gnubg_position_id": (bgrace.gnubg_position_id, PAIR),
    "legal_plays": (bgrace.legal_plays, {"pos": ON_ROLL, "roll": (3, 1)}),
    "board_svg": (
        bgrace.board.board_svg,
        {"board": ON_ROLL, "roll": "31", "play": None, "direction": "left", "scheme": "auto", "caption": "x"},
    ),
    "board_text": (bgrace.board.board_text, {"board": ON_ROLL, "roll": "31", "play": None, "direction": "left"}),
    "plan_build": (bgrace.plan_build, SAVE),
    "solve": (
        bgrace.solve,
        {**PAIR, **BUDGET, "stakes": None, "match": SCORE, "roll": "31"},
    ),
    "solve_many": (lambda **given: list(bgrace.solve_many([(ON_ROLL, OPPONENT)], **given)), BUDGET),
    "Solution.cube_action": (SOLVED.cube_action, {"cube": "mine"}),
    "Solution.best_plays": (SOLVED.best_plays, {"roll": "31", "cube": "mine"}),
    "closeness": (answers.closeness, {"error": 0.1}),
    "risk": (contact.risk, {"position": ON_ROLL, "behind": "bar"}),
    "Rules": (bgrace.Rules, {"gammons": True, "jacoby": False, "beavers": False}),
    "Stakes.money": (Stakes.money, {"rules": None, "cube_value": 2}),
    "Stakes.at": (Stakes.at, {"score": SCORE, "met": MET, "cube_value": 1}),
    "Score": (Score, {"on_roll_needs": 1, "opponent_needs": 4, "crawford": True}),
    "parse_score": (match.parse_score, {"text": "3,5", "crawford": False}),
    "met.equity": (MET.equity, {"x1": 3, "x2": 5}),
    "met.compare": (MET.compare, {"other": MET, "length": 3}),
    "met.after": (MET.after, {"score": SCORE, "points": 2}),
    "met.take_point": (MET.take_point, {"score": SCORE, "cube_value": 1}),
    "met.gammon_value": (MET.gammon_value, {"score": SCORE, "cube_value": 2}),
    "cube_points": (
        match.cube_points,
        {"met": MET, "score": SCORE, "cube_value": 1, "win_gammons": 0.1, "lose_gammons": 0.1},
    ),
    "gammon_value": (match.gammon_value, {"met": MET, "score": SCORE, "cube_value": 1}),
    "mwc_of": (match.mwc_of, {"met": MET, "score": SCORE, "cube_value": 1, "equity": 0.3}),
    "normalised_equity": (match.normalised_equity, {"met": MET, "score": SCORE, "cube_value": 1, "mwc": 0.3}),
    "score_map": (
        match.score_map,
        {**PAIR, "length": 2, "cube_value": 1, "cube": "centered", "met": MET},
    ),
    "skill_from_expectation": (match.skill_from_expectation, {"expectation": 0.6, "delta": 0.08, "delta_bar": 0.06}),
    "ZadehModel.equity": (MODEL.equity, {"x1": 3, "x2": 5}),
    "ZadehModel.cell": (MODEL.cell, {"x1": 3, "x2": 5}),
    "ZadehModel.table": (MODEL.table, {"limit": 3}),
    "ZadehModel.crawford": (MODEL.crawford, {"x": 3, "player": 2}),
    "ZadehModel.first_double": (MODEL.first_double, {"x1": 3, "x2": 5, "player": 2}),
    "ZadehModel.normalised": (MODEL.normalised, {"player": 1, "x1": 3, "x2": 5, "cube_value": 2}),
    "ZadehModel.unequal": (ZadehModel.unequal, {"skill": 0.5}),
    **{
        f"counts.{name}": (getattr(counts, name), PAIR)
        for name in ("eight_nine_twelve", "grace", "isight", "keith", "kleinman", "lamford", "ten_percent", "trice62")
    },
    "counts.nack57": (counts.nack57, {"on_roll": (0, 0, 3, 4, 4, 4), "opponent": (0, 0, 3, 4, 4, 4)}),
    "counts.thorp": (counts.thorp, PAIR),
    "counts.ward": (counts.ward, {**PAIR, "version": "storer"}),
    "counts.effective_by_hand": (counts.effective_by_hand, PAIR),
    "counts.effective_pips": (counts.effective_pips, {**PAIR, "epc": (20.0, 21.0), "allowance": 0.5}),
    "counts.estimate_epc": (counts.estimate_epc, {"pos": ON_ROLL}),
    "counts.is_pippish": (counts.is_pippish, {"pos": ON_ROLL}),
    "counts.flat_epc": (counts.flat_epc, {"pips": 50}),
    "counts.almost_n_roll_epc": (counts.almost_n_roll_epc, {"pips": 12, "checkers": 8}),
    "counts.low_wastage_epc": (counts.low_wastage_epc, {"pips": 80, "checkers": 12}),
    "counts.n_roll_epc": (counts.n_roll_epc, {"checkers": 8, "missing": 1}),
    "counts.stack_epc": (counts.stack_epc, {"checkers": 8, "stragglers": [4, 5]}),
    "counts.nack57_take_point": (counts.nack57_take_point, {"pips": 60}),
    "counts.ten_percent_take_point": (counts.ten_percent_take_point, {"pips": 50}),
    **{
        f"scm.{name}": (getattr(scm, name), XY)
        for name in ("above_80", "adjusted", "adjusted_unrounded", "improved", "least_squares", "normal")
    },
    "scm.kleinman": (scm.kleinman, {**XY, "sigma": 9.0}),
    "scm.kleinman_table": (scm.kleinman_table, {"probability": 0.7, "sigma": 9.0}),
    "scm.adjusted_table": (scm.adjusted_table, {"probability": 0.7}),
    "scm.mean_rolls": (scm.mean_rolls, {"x": 50}),
    "scm.variance_rolls": (scm.variance_rolls, {"x": 50}),
    "scm.roll_distribution": (scm.roll_distribution, {"x": 50}),
    "scm.win_probability": (scm.win_probability, XY),
    "scm.table": (scm.table, {"limit": 20, "method": "recursion"}),
    "scm.transition_matrix": (scm.transition_matrix, {"limit": 20}),
    "rollout.one_player": (rollout.one_player, {**FIRST, **GAMES, "policy": "hi", "points": 6}),
    "rollout.two_player": (
        rollout.two_player,
        {**PAIR, **GAMES, "policy": "hi", "opponent_policy": "hi", "points": 6},
    ),
    "rollout.play": (rollout.play, {**FIRST, "roll": "31", "policy": "hi", "opponent": OPPONENT, "points": 6}),
    "rollout.roll_distribution": (rollout.roll_distribution, {**FIRST, "policy": "hi", "points": 6, "threads": 1}),
    "cube.decide": (
        cube.action.decide,
        {"no_double": 0.5, "double_take": 0.6, "double_pass": 1.0, "cube": "mine", "tie": 1e-9},
    ),
    "race.solve": (race.solve, {"limit": 10}),
    "race.advice": (RACES.advice, {"k": 5, "s": 6}),
    "race.windows": (RACES.windows, {"limit": 5}),
    "janowski.equities": (janowski.equities, {"p": 0.5, "win": 1.2, "lose": 1.1, "x": 0.5, "form": "blend"}),
    "janowski.dead": (janowski.dead, {"p": 0.5, "win": 1.2, "lose": 1.1}),
    "janowski.decision_points": (janowski.decision_points, {"win": 1.2, "lose": 1.1, "x": 0.5, "form": "blend"}),
    "janowski.refined": (janowski.refined, {"win": 1.2, "lose": 1.1, "x1": 0.5, "x2": 0.6}),
    "janowski.race_life_index": (janowski.race_life_index, {"pips": 50}),
    "jump.linear": (jump.linear, {"win": 1.2, "lose": 1.1, "remote": 0.1, "local": 0.1, "factor": 1.0}),
    "jump.nonlinear": (
        jump.nonlinear,
        {"win": 1.2, "lose": 1.1, "remote": 0.1, "local": 0.1, "jumps": "double-exponential"},
    ),
    "jump.ramp": (jump.ramp, {"level": 0.1, "width": 0.1}),
    "jump.to_standard_deviation": (jump.to_standard_deviation, {"volatility": 0.1, "jumps": "gaussian"}),
    "endgame.one_step": (endgame.one_step, {"p": 0.5}),
    "endgame.two_step": (endgame.two_step, {"p": 0.5, "q": 0.5}),
    "endgame.chances": (endgame.chances, {"pos": (1, 1)}),
    "continuous.equity": (continuous.equity, {"x": 0.5, "cube": "mine"}),
    "continuous.hitting_probability": (continuous.hitting_probability, {"x": 0.5, "low": 0.2, "high": 0.8}),
    "continuous.cautious": (continuous.cautious, {"t": 0.1}),
    "continuous.insolent": (continuous.insolent, {"t": 0.1, "k_max": 5}),
    "continuous.simulate": (continuous.simulate, {"games": 2, "seed": 1, "start": 0.5, "low": 0.2, "high": 0.8}),
    "continuous.two_thresholds": (continuous.two_thresholds, {"k_max": 5, "start": 0.5, "low": 0.2, "high": 0.8}),
    "continuous.norming_constant": (continuous.norming_constant, {"n": 5}),
    "open": (lambda **given: bgrace.open(**given).close(), {"path": SMALL, "access": "map"}),
    "verify": (verify, {"path": SMALL, "seed": 0, "samples": 1}),
    "Database.epc": (DATABASE.epc, {"pos": ON_ROLL}),
    "Database.mean_rolls": (DATABASE.mean_rolls, {"pos": ON_ROLL}),
    "Database.variance_rolls": (DATABASE.variance_rolls, {"pos": ON_ROLL}),
    "Database.roll_distribution": (DATABASE.roll_distribution, {"pos": ON_ROLL}),
    "Database.alone": (DATABASE.alone, {"pos": ON_ROLL}),
    "Database.method": (DATABASE.method, PAIR),
    "Database.win_probability": (DATABASE.win_probability, PAIR),
    "Database.equities": (DATABASE.equities, PAIR),
    "Database.cube_action": (DATABASE.cube_action, {**PAIR, "cube": "mine"}),
    "Database.best_plays": (DATABASE.best_plays, {**PAIR, "roll": "31", "cube": "mine"}),
    "Database.solution": (DATABASE.solution, PAIR),
    "review.read": (lambda **given: list(review.read(**given)), {"path": MATCH}),
}


def refusals(function: Callable[..., Any], arguments: Mapping[str, Any]) -> list[str]:
    """What else than our own errors came of odd arguments, each in the place of a good one."""
    problems = []
    function(**arguments)
    for name, good in arguments.items():
        if isinstance(good, OURS):
            continue
        listed = {"endless": Endless()} if isinstance(good, tuple) or name == "roll" else {}
        for what, odd in {**ODD, **listed}.items():
            if isinstance(good, (str, bool)) and isinstance(odd, np.ndarray):  # neither is compared with an array
                continue
            try:
                function(**{**arguments, name: odd})
            except (bgrace.BgraceError, FileNotFoundError, IsADirectoryError):
                pass
            except Exception as error:
                problems.append(f"{name}={what}: {type(error).__name__}: {str(error)[:80]}")
    return problems


def with_numpy(given: Any) -> Any:
    """The same argument with every integer as arrays have them."""
    if type(given) is int:
        return np.int64(given)
    return tuple(map(with_numpy, given)) if type(given) is tuple else given


@pytest.mark.parametrize("name", CALLS)
def test_integers_of_numpy_are_integers(name: str) -> None:
    function, arguments = CALLS[name]
    expected, found = function(**arguments), function(**{key: with_numpy(given) for key, given in arguments.items()})
    assert repr(found) == repr(expected)
    if hasattr(found, "to_dict"):
        assert json.dumps(found.to_dict()) == json.dumps(expected.to_dict())


@pytest.mark.parametrize("name", CALLS)
def test_odd_arguments_are_answered_or_refused(name: str) -> None:
    assert refusals(*CALLS[name]) == []
