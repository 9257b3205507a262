"""Public functions answer odd arguments, one at a time, or raise an error of `bgrace.errors`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from helpers.paths import MATCHES, SMALL

import bgrace
from bgrace import answers, contact, counts, cube, match, rollout, scm
from bgrace.cube import continuous, endgame, janowski, jump, model, race
from bgrace.database.verify import verify
from bgrace.interop.gnubg import reader
from bgrace.match import MatchEquityTable, Score, ZadehModel
from bgrace.match.stakes import Stakes
from bgrace_apps import review
from bgrace_apps.studies import jump_publications


class Endless(Sequence[int]):
    """A sequence of a trillion items, which must not be read through."""

    def __len__(self) -> int:
        return 1 << 40

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice) or index > 1000:
            raise AssertionError("the sequence is read through")
        return 1

    def __repr__(self) -> str:
        return "Endless()"


class Odd:
    """An object that no function accepts."""

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
"""Types of arguments for which other types raise errors of Python; type checkers find them."""

ON_ROLL, OPPONENT = (0, 1, 0, 0, 1), (1, 1, 0, 0, 0, 1)
PAIR: dict[str, Any] = {"on_roll": ON_ROLL, "opponent": OPPONENT}
MET, SCORE, MODEL = MatchEquityTable.default(), Score(3, 5), ZadehModel.equal()
XY: dict[str, Any] = {"x": 50, "y": 55}
GAMES: dict[str, Any] = {"games": 2, "seed": 1, "threads": 1, "standard_error": None}
SPACE = bgrace.PositionSpace(6, 15)
BUDGET: dict[str, Any] = {"seconds": 0.001, "memory_bytes": 1 << 28, "threads": 1}
DATABASE = bgrace.open(SMALL)
SOLVED = bgrace.solve(ON_ROLL, OPPONENT, seconds=0.01)
RACES = race.solve(50)


def ids_of(**state: Any) -> list[str]:
    """Return the three IDs of a board."""
    board = bgrace.Board(bgrace.Position(ON_ROLL), bgrace.Position(OPPONENT), **state)
    return [board.xgid(), board.gnubg_id(), board.ogid()]


OF_A_SIDE = ("epc", "mean_rolls", "variance_rolls", "roll_distribution", "alone")
COUNTS = (
    *("eight_nine_twelve", "grace", "isight", "keith", "kleinman", "lamford", "ten_percent", "thorp", "trice62"),
    "effective_by_hand",
)
OF_PIPS = ("above_80", "adjusted", "adjusted_unrounded", "improved", "least_squares", "normal", "win_probability")

CALLS: list[partial[Any]] = [
    *(partial(getattr(DATABASE, name), pos=ON_ROLL) for name in OF_A_SIDE),
    *(partial(getattr(DATABASE, name), **PAIR) for name in ("method", "win_probability", "equities", "solution")),
    *(partial(getattr(counts, name), **PAIR) for name in COUNTS),
    *(partial(getattr(scm, name), **XY) for name in OF_PIPS),
    *(partial(getattr(scm, name), x=50) for name in ("mean_rolls", "variance_rolls", "roll_distribution")),
    *(partial(function, x1=3, x2=5) for function in (MET.equity, MODEL.equity, MODEL.cell)),
    *(partial(function, pos=ON_ROLL) for function in (SPACE.index, counts.estimate_epc, counts.is_pippish)),
    partial(bgrace.gnubg_position_id, **PAIR),
    partial(bgrace.board.GameState, roll=(3, 1), cube_value=2, cube="mine", score=(1, 2), match_length=7, jacoby=None),
    partial(ids_of, roll=(3, 1), cube_value=2, cube="mine", score=(1, 2), match_length=7),
    partial(bgrace.PositionSpace, points=6, checkers=15),
    partial(SPACE.position, index=7),
    partial(bgrace.Position, counts=ON_ROLL),
    partial(bgrace.Position(ON_ROLL).resized, points=7),
    partial(bgrace.parse_position, text="6x1", points=6, side="opponent"),
    partial(bgrace.parse_board, text="XGID=-AA--------------------b--:0:0:1:00:0:0:0:0:10"),
    partial(bgrace.board.play_text.parse_play, position=ON_ROLL, text="5/2 2/1", roll="31"),
    partial(bgrace.board.play_text.format_play, position=ON_ROLL, result=(1, 1), roll="31"),
    partial(bgrace.legal_plays, pos=ON_ROLL, roll=(3, 1)),
    partial(bgrace.board.board_svg, board=ON_ROLL, roll="31", play=None, direction="left", scheme="auto", caption="x"),
    partial(bgrace.board.board_text, board=ON_ROLL, roll="31", play=None, direction="left"),
    partial(bgrace.plan_build, points=6, checkers=2, two_sided=1, threads=1, memory_bytes=1 << 30, compress=False),
    partial(partial(reader.Header, "one-sided", 6, 15), gammons=True, compressed=True),
    partial(bgrace.solve, **PAIR, **BUDGET, stakes=None, match=SCORE, roll="31"),
    partial(lambda **given: list(bgrace.solve_many([(ON_ROLL, OPPONENT)], **given)), **BUDGET),
    partial(lambda **given: list(bgrace.solve_many(**given, **BUDGET)), races=[(ON_ROLL, OPPONENT)]),
    partial(SOLVED.cube_action, cube="mine"),
    partial(SOLVED.best_plays, roll="31", cube="mine"),
    partial(answers.closeness, error=0.1),
    partial(contact.risk, position=ON_ROLL, behind="bar"),
    partial(bgrace.Rules, gammons=True, jacoby=False, beavers=False),
    partial(Stakes.money, rules=None, cube_value=2),
    partial(Stakes.at, score=SCORE, met=MET, cube_value=1),
    partial(Score, on_roll_needs=1, opponent_needs=4, crawford=True),
    partial(match.parse_score, text="3,5", crawford=False),
    partial(MET.compare, other=MET, length=3),
    partial(MET.after, score=SCORE, points=2),
    partial(MET.take_point, score=SCORE, cube_value=1),
    partial(MET.gammon_value, score=SCORE, cube_value=2),
    partial(match.cube_points, met=MET, score=SCORE, cube_value=1, win_gammons=0.1, lose_gammons=0.1),
    partial(match.gammon_value, met=MET, score=SCORE, cube_value=1),
    partial(match.mwc_of, met=MET, score=SCORE, cube_value=1, equity=0.3),
    partial(match.normalised_equity, met=MET, score=SCORE, cube_value=1, mwc=0.3),
    partial(match.score_map, **PAIR, length=2, cube_value=1, cube="centered", met=MET),
    partial(match.skill_from_expectation, expectation=0.6, delta=0.08, delta_bar=0.06),
    partial(MODEL.table, limit=3),
    partial(MODEL.crawford, x=3, player=2),
    partial(MODEL.first_double, x1=3, x2=5, player=2),
    partial(MODEL.normalised, player=1, x1=3, x2=5, cube_value=2),
    partial(ZadehModel.unequal, skill=0.5),
    partial(counts.nack57, on_roll=(0, 0, 3, 4, 4, 4), opponent=(0, 0, 3, 4, 4, 4)),
    partial(counts.ward, **PAIR, version="storer"),
    partial(counts.effective_pips, **PAIR, epc=(20.0, 21.0), allowance=0.5),
    partial(counts.flat_epc, pips=50),
    partial(counts.almost_n_roll_epc, pips=12, checkers=8),
    partial(counts.low_wastage_epc, pips=80, checkers=12),
    partial(counts.n_roll_epc, checkers=8, missing=1),
    partial(counts.stack_epc, checkers=8, stragglers=[4, 5]),
    partial(counts.nack57_take_point, pips=60),
    partial(counts.ten_percent_take_point, pips=50),
    partial(scm.kleinman, **XY, sigma=9.0),
    partial(scm.kleinman_table, probability=0.7, sigma=9.0),
    partial(scm.adjusted_table, probability=0.7),
    partial(scm.table, limit=20, method="recursion"),
    partial(scm.transition_matrix, limit=20),
    partial(rollout.one_player, position=ON_ROLL, **GAMES, policy="hi", points=6),
    partial(rollout.two_player, **PAIR, **GAMES, policy="hi", opponent_policy="hi", points=6),
    partial(rollout.play, position=ON_ROLL, roll="31", policy="hi", opponent=OPPONENT, points=6),
    partial(rollout.roll_distribution, position=ON_ROLL, policy="hi", points=6, threads=1),
    partial(cube.action.decide, no_double=0.5, double_take=0.6, double_pass=1.0, cube="mine", tie=1e-9, beavers=True),
    partial(race.solve, limit=10),
    partial(RACES.advice, k=5, s=6),
    partial(RACES.windows, limit=5),
    partial(janowski.equities, p=0.5, win=1.2, lose=1.1, x=0.5, form="blend", jacoby=False),
    partial(janowski.dead, p=0.5, win=1.2, lose=1.1),
    partial(janowski.decision_points, win=1.2, lose=1.1, x=0.5, form="blend", jacoby=False, beavers=False),
    partial(janowski.jacoby_initial_double, win=1.2, lose=1.1, x=0.5, beavers=False),
    partial(model.win_loss_values, win=0.5, win_gammon=0.2, win_backgammon=0.01, lose_gammon=0.1, lose_backgammon=0.01),
    partial(janowski.refined, win=1.2, lose=1.1, x1=0.5, x2=0.6),
    partial(janowski.race_life_index, pips=50),
    partial(jump.linear, win=1.2, lose=1.1, remote=0.1, local=0.1, factor=1.0, jacoby=False),
    partial(jump.exact, win=1.2, lose=1.1, volatility=0.1, boundary="linear", jacoby=False),
    partial(jump.implied_life_indexes, win=1.2, lose=1.1, volatility=0.1),
    *(
        partial(partial(lambda make, p, **given: make(1.2, **given).equities(p).with_double(), make), p=0.5, **given)
        for make, given in (
            (janowski.model, {"lose": 1.1, "x": 0.5}),
            (janowski.refined, {"lose": 1.1, "x1": 0.5, "x2": 0.5}),
            (jump.linear, {"lose": 1.1, "remote": 0.1}),
            (jump_publications.first_version, {"lose": 1.1, "average": 0.1}),
        )
    ),
    partial(jump_publications.first_version, win=1.2, lose=1.1, average=0.1, local=0.1),
    partial(jump_publications.life_index_from_volatility, win=1.2, lose=1.1, volatility=0.1),
    partial(jump_publications.volatility_from_life_index, win=1.2, lose=1.1, x=0.5),
    partial(jump.nonlinear, win=1.2, lose=1.1, remote=0.1, local=0.1, jumps="double-exponential"),
    partial(jump.ramp, level=0.1, width=0.1),
    partial(jump.to_standard_deviation, volatility=0.1, jumps="gaussian"),
    partial(endgame.one_step, p=0.5),
    partial(endgame.two_step, p=0.5, q=0.5),
    partial(endgame.chances, pos=(1, 1)),
    partial(continuous.equity, x=0.5, cube="mine"),
    partial(continuous.hitting_probability, x=0.5, low=0.2, high=0.8),
    partial(continuous.cautious, t=0.1),
    partial(continuous.insolent, t=0.1, k_max=5),
    partial(continuous.simulate, games=2, seed=1, start=0.5, low=0.2, high=0.8),
    partial(continuous.two_thresholds, k_max=5, start=0.5, low=0.2, high=0.8),
    partial(continuous.norming_constant, n=5),
    partial(continuous.chance_within_norming, n=5),
    partial(lambda **given: bgrace.open(**given).close(), path=SMALL, access="map"),
    partial(verify, path=SMALL, seed=0, samples=1),
    partial(DATABASE.cube_action, **PAIR, cube="mine"),
    partial(DATABASE.best_plays, **PAIR, roll="31", cube="mine"),
    partial(lambda **given: list(review.read(**given)), path=MATCHES / "3-102.mat"),
    partial(lambda **given: list(review.find_matches(**given)), names=MATCHES / "3-102.mat"),
    partial(lambda **given: list(review.review_many(**given)), paths=MATCHES / "3-102.mat"),
]


def name_of(call: partial[Any]) -> str:
    """Name a call in the name of a test."""
    return str(getattr(call.func, "__qualname__", call.func))


def refusals(call: partial[Any]) -> list[str]:
    """List the other errors that odd arguments raise, each in the place of a good one."""
    problems = []
    call()
    for name, good in call.keywords.items():
        if isinstance(good, OURS):
            continue
        listed = {"endless": Endless()} if isinstance(good, tuple) or name == "roll" else {}
        for label, odd in {**ODD, **listed}.items():
            if isinstance(good, (str, bool)) and isinstance(odd, np.ndarray):  # which cannot be compared with an array
                continue
            try:
                call(**{name: odd})
            except (bgrace.BgraceError, FileNotFoundError, IsADirectoryError):
                pass
            except Exception as error:
                problems.append(f"{name}={label}: {type(error).__name__}: {str(error)[:80]}")
    return problems


def with_numpy(given: Any) -> Any:
    """Replace every integer of an argument by one of numpy."""
    if type(given) is int:
        return np.int64(given)
    return tuple(map(with_numpy, given)) if type(given) is tuple else given


@pytest.mark.parametrize("call", CALLS, ids=name_of)
def test_integers_of_numpy_give_the_same_answers(call: partial[Any]) -> None:
    expected, found = call(), call(**{name: with_numpy(given) for name, given in call.keywords.items()})
    assert repr(found) == repr(expected)
    if hasattr(found, "to_dict"):
        assert json.dumps(found.to_dict()) == json.dumps(expected.to_dict())


@pytest.mark.parametrize("call", CALLS, ids=name_of)
def test_odd_arguments_are_answered_or_refused(call: partial[Any]) -> None:
    assert refusals(call) == []


def several(good: Any, n: int) -> Any:
    """Repeat a number or a position `n` times in an array."""
    return np.tile(good, (n, *[1] * np.ndim(good)))


@pytest.mark.parametrize("call", CALLS, ids=name_of)
def test_shapes_that_do_not_broadcast_are_refused(call: partial[Any]) -> None:
    arrays = [name for name, good in call.keywords.items() if type(good) in (int, float, tuple)]
    for one, other in combinations(arrays, 2):
        with pytest.raises(bgrace.BgraceError):
            call(**{one: several(call.keywords[one], 2), other: several(call.keywords[other], 3)})


@pytest.mark.parametrize("call", CALLS, ids=name_of)
def test_flags_must_be_true_or_false(call: partial[Any]) -> None:
    for name in [name for name, good in call.keywords.items() if isinstance(good, bool)]:
        with pytest.raises(bgrace.ArgumentError, match=f"{name}='no' cannot be used"):
            call(**{name: "no"})
