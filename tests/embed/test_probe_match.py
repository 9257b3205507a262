"""Files for a match score through the C library: the same answers as Python's, and clear statuses."""

from __future__ import annotations

import itertools
import struct
from pathlib import Path

import pytest
from helpers.files import resealed
from helpers.match_cases import TABLE
from helpers.paths import SMALL
from helpers.probe_library import LOAD, MAP, READ, Probe, ProbeError

import bgrace
from bgrace.database.store import read_tables
from bgrace.match import Score

CUBES = ("none", "centered", "mine", "theirs")
PAIRS = (((0, 0, 0, 0, 1, 1), (0, 0, 0, 1, 1, 0)), ((1, 1, 0, 0, 0, 0), (0, 0, 0, 0, 0, 2)), ((1,), (2,)))
SCORES = [Score(3, 5), Score(2, 1), Score(4, 1, crawford=True), Score(1, 1), Score(1, 3), Score(5, 5)]


def built(path: Path, score: Score, points: int = 6, checkers: int = 2) -> Path:
    bgrace.build(path, points, checkers, checkers, match=score, met=TABLE, threads=1)
    return path


@pytest.fixture(scope="module")
def three_five(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("match") / "3-5.h5", Score(3, 5))


def compare(path: Path, score: Score, pairs: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...], access: int) -> None:
    """Every state of the cube, for either player on roll, against Python's reader."""
    with Probe(path, access) as probe, bgrace.open(path) as db:
        for (on_roll, opponent), first in itertools.product(pairs, (True, False)):
            seen = score if first else score.swapped
            values = probe.match_values(first, on_roll, opponent)
            assert {(value.cube_value, CUBES[value.cube]) for value in values} >= {(1, "none"), (1, "centered")}
            for value in values:
                solution = db.solution(on_roll, opponent, match=seen, cube_value=value.cube_value)
                action = solution.cube_action(CUBES[value.cube])
                assert value.no_double == pytest.approx(action.no_double, abs=1e-12)
                assert value.may_double == (action.double_take is not None)
                if value.may_double:
                    assert value.double_take == pytest.approx(action.double_take, abs=1e-12)
                    assert value.double_pass == pytest.approx(action.double_pass, abs=1e-12)
                assert action.normalised is not None
                if action.normalised.no_double is not None:
                    assert value.equity == pytest.approx(action.normalised.no_double, abs=1e-9)
            won, method = probe.win_probability(on_roll, opponent)
            assert won == pytest.approx(db.win_probability(on_roll, opponent), abs=1e-15)
            assert method == "two-sided"


@pytest.mark.parametrize("score", SCORES, ids=str)
def test_values_are_python_s(tmp_path: Path, score: Score) -> None:
    path = built(tmp_path / "x.h5", score)
    for access in (MAP, LOAD, READ):
        compare(path, score, PAIRS, access)


def test_values_with_gammons(tmp_path: Path) -> None:
    path = built(tmp_path / "x.h5", Score(3, 4), 2, 15)
    compare(path, Score(3, 4), (((2, 2), (15, 0)), ((8, 7), (0, 15)), ((15, 0), (1, 1))), MAP)


def test_the_head(three_five: Path) -> None:
    with Probe(three_five) as probe:
        match, info = probe.match(), probe.info()
        assert (match.first_needs, match.second_needs, match.crawford) == (3, 5, 0)
        assert match.met_name.decode() == TABLE.name
        # Not at all and in the middle at 1; not at all and on either side at 2, 4 and 8, which wins either the match.
        assert match.n_states == 2 + 3 * 3
        assert (info.points, info.checkers, info.two_sided_checkers) == (6, 2, 2)
        probe.verify()


def test_one_player_is_answered_as_in_any_file(three_five: Path) -> None:
    with Probe(three_five) as probe, Probe(SMALL) as money:
        assert probe.epc((0, 0, 0, 0, 1, 1)) == money.epc((0, 0, 0, 0, 1, 1))


def test_finished_games(three_five: Path) -> None:
    with Probe(three_five) as probe:
        won, lost = (probe.match_values(True, *pair)[0] for pair in (((0,), (1,)), ((1,), (0,))))
        assert won.no_double == pytest.approx(TABLE.after(Score(3, 5), 1))
        assert lost.no_double == pytest.approx(TABLE.after(Score(3, 5), -1))


def test_questions_of_the_other_kind(three_five: Path) -> None:
    with Probe(three_five) as probe:
        with pytest.raises(ProbeError, match="SCORE"):
            probe.equities((1,), (1,))
        for wanted, arguments in (
            ("COVERAGE", {"on_roll": (3,), "opponent": (1,)}),
            ("POSITION", {"on_roll": (0,), "opponent": (0,)}),
            ("INDEX", {"on_roll": (1,), "opponent": (1,), "file": 1}),
            ("SIZE", {"on_roll": (1,), "opponent": (1,), "room": 10}),
        ):
            with pytest.raises(ProbeError, match=wanted):
                probe.match_values(True, **arguments)
    with Probe(SMALL) as probe:
        for ask in (probe.match, lambda: probe.match_values(True, (1,), (1,))):
            with pytest.raises(ProbeError, match="SCORE"):
                ask()


def test_money_and_a_score_together(three_five: Path) -> None:
    with Probe([SMALL, three_five]) as probe:
        assert probe.equities((1,), (1,))[0] == 1
        assert probe.match_values(True, (1,), (1,), file=1)[0].no_double == pytest.approx(TABLE.after(Score(3, 5), 1))
        with pytest.raises(ProbeError, match="SCORE"):
            probe.match()


def test_damaged_files(three_five: Path) -> None:
    """Bits of the head and of the small tables, each with a head whose checksum is right."""
    whole, stored = three_five.read_bytes(), read_tables(three_five)
    for place, value in ((36, 8), (52, 0), (52, 9), (56, 400), (60, 1), (60, 99), (64, 1), (64, 65), (32, 0)):
        data = bytearray(whole)
        struct.pack_into("<I", data, place, value)
        with pytest.raises(ProbeError, match="DAMAGED"):
            Probe(resealed(data))
    for name, form, filling in (
        ("match/planes", "<d", 0.5),
        ("match/planes", "<d", float("nan")),
        ("match/columns", "<i", 99),
        ("match/columns", "<i", -1),
    ):
        data = bytearray(whole)
        struct.pack_into(form, data, stored.entry(name).offset, filling)
        with pytest.raises(ProbeError, match="DAMAGED"):
            Probe(bytes(data))
    data = bytearray(whole)
    entry = stored.entry("match/values")
    data[entry.offset : entry.offset + entry.n_bytes] = struct.pack("<d", 7.0) * (entry.n_bytes // 8)
    with Probe(bytes(data)) as probe, pytest.raises(ProbeError, match="DAMAGED"):
        probe.match_values(True, (1,), (1,))
