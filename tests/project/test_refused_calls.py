"""Every call of tests/golden/refused_calls.csv is refused with the error and the message of its row."""

# ruff: noqa: F401  (the calls use these names)

from __future__ import annotations

import math
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from helpers.boards import Sides, check_names_what_works, full
from helpers.golden import Row, rows
from helpers.paths import GOLDEN

import bgrace
from bgrace import Position, PositionSpace, Rules, Stakes, contact, counts, parse_position, rollout, scm
from bgrace._base import files
from bgrace._base.language import words
from bgrace._kernels import one_sided
from bgrace._kernels.probe import Probe
from bgrace._kernels.two_sided import Graph
from bgrace.answers.alone import solve_alone
from bgrace.board import Board, GameState, board_css, parse_board
from bgrace.board.dice import parse_roll
from bgrace.board.play_text import format_play, parse_play
from bgrace.contact import risk
from bgrace.cube import continuous, endgame, janowski, jump, race
from bgrace.cube.action import decide
from bgrace.cube.jump.estimates import Game, outcome_volatility
from bgrace.database.verify import verify
from bgrace.interop import gnubg
from bgrace.match import (
    MatchEquityTable,
    Score,
    ZadehModel,
    cube_points,
    normalised_equity,
    parse_score,
    score_map,
    skill_from_expectation,
)
from bgrace.match.score import live_cash_point
from bgrace.rollout.initial_positions import base, extra_crossovers, gap
from bgrace.tables import solve_one_sided
from bgrace_apps import review
from bgrace_apps.plot.canvas import check_path
from bgrace_apps.review.deck import deck_bytes
from bgrace_apps.studies import jump_publications
from bgrace_apps.studies.played_races import play
from bgrace_apps.studies.race_windows import equivalent_pips, study
from bgrace_apps.studies.referee import judge
from bgrace_apps.studies.referee.sample import matched_equities, played_races

TABLE = MatchEquityTable.load(GOLDEN / "match_table.csv")
db = bgrace.open(bgrace.example_file())


@pytest.mark.parametrize("row", rows("refused_calls"), ids=lambda row: row.text("call")[:80])
def test_a_call_is_refused(row: Row) -> None:
    with pytest.raises(getattr(bgrace.errors, row.text("error")), match=row.text("message")) as caught:
        eval(row.text("call"), globals())
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 500
    if row.text("call").startswith(("parse_", "format_", "Position(")):
        check_names_what_works(caught.value)
