"""The solver of the C library: options and structs, its example, any input, and one answer about other questions."""

from __future__ import annotations

import ctypes
import json
import math
import os
import random
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.by_turns import Budget, solve_turns
from helpers.command import call, complaint
from helpers.compilers import CC, SANITIZED, WARNINGS, skip_without_zig
from helpers.golden import Row, rows
from helpers.once import Made, library_object, with_library
from helpers.paths import ROOT
from helpers.probe_library import Probe, check, counts_of, library, refused
from helpers.solver_library import Answer, LongerStakes, MapCase, Options, Progress, Solver, decide, stakes_of

import bgrace
from bgrace import embed
from bgrace.answers import Solution
from bgrace.answers.question import Question, SolvedPair
from bgrace.board import Position
from bgrace.match import Score
from bgrace.match.met import MatchEquityTable
from bgrace.match.stakes import Rules, Stakes


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver()


def test_options_that_end_within_a_member_are_refused(solver: Solver) -> None:
    """The library would follow a part of a pointer."""
    race = ((2, 1), (0, 0, 3))
    for size in range(ctypes.sizeof(Options) + 1):
        if size and size % ctypes.alignment(Options) == 0:
            solver.solve(*race, Stakes.money(), size=size)
        else:
            refused("ARGUMENT", solver.solve, *race, Stakes.money(), size=size)


@pytest.mark.parametrize("row", rows("refused_options"), ids=str)
def test_options_out_of_range_and_impossible_stakes_are_refused(solver: Solver, row: Row) -> None:
    stakes, options = stakes_of(Stakes.money()), json.loads(row.text("options"))
    solver.solve(*LATE, stakes)
    for name, value in json.loads(row.text("stakes")).items():
        setattr(stakes, name, value)
    if "dice" in options:
        options["dice"] = tuple(options["dice"])
    refused(row.text("status"), solver.solve, *LATE, stakes, **options)


def test_stakes_must_be_given(solver: Solver) -> None:
    refused("ARGUMENT", solver.solve, *LATE, None)


def test_structs_of_a_later_header_are_accepted(solver: Solver) -> None:
    """A new member must be 0 in an argument, and the library clears it in a result."""
    longer = LongerStakes(known=stakes_of(Stakes.money()))
    longer.known.size = ctypes.sizeof(longer)
    solver.solve(*LATE, longer)
    longer.later = 1
    refused("ARGUMENT", solver.solve, *LATE, longer)
    answer = solver.solve(*LATE, Stakes.money())
    info = (ctypes.c_size_t * 40)(*[1 << 40] * 40)
    for size in (8, 24, 40 * 8):
        info[0] = size
        check(library.bgr_answer_describe(answer.handle, info))
        assert list(info)[size // 8 :] == [1 << 40] * (40 - size // 8)
    assert info[39] == 0
    info[0] = 0
    refused("ARGUMENT", check, library.bgr_answer_describe(answer.handle, info))


def test_a_solver_uses_a_database(solver: Solver, database_path: Path) -> None:
    race = ((2, 2, 2, 2, 2, 2), (3, 3, 3, 2, 1, 1))
    probe = Probe(database_path)
    stored = solver.solve(*race, Stakes.money(), exactness=0.02, database=probe.handle)
    alone = solver.solve(*race, Stakes.money(), exactness=0.02)
    assert stored.cube(1)[:4] == pytest.approx(alone.cube(1)[:4], abs=5e-3)
    assert stored.cube(1) != alone.cube(1)


@pytest.mark.parametrize("asked", [{"exactness": 0.02}, {"least_gain": 1e-12}])
def test_pairs_take_no_more_than_the_memory(solver: Solver, asked: dict[str, float]) -> None:
    """Whatever plays are to be compared."""
    race = ((0, 0, 0, 0, 0, 3, 0, 0, 0, 5), (0, 0, 0, 0, 4, 0, 0, 0, 5, 0))
    refused("MEMORY", solver.solve, *race, Stakes.money(), memory_bytes=1 << 24, **asked)


def test_options_without_effect_are_not_checked(solver: Solver, made: Made) -> None:
    """Maps and proofs ignore a database, dice and a way; answers at a score ignore a database."""
    probe, stakes = Probe(made(6, 3, 0)), Stakes(score=Score(3, 5))
    solver.solve(*LATE, stakes, database=probe.handle)
    refused("COVERAGE", solver.solve, *LATE, Stakes.money(), database=probe.handle)
    sides, proof, case = [counts_of(side) for side in LATE], ctypes.c_void_p(), MapCase(stakes_of(stakes), CENTERED)
    options = Options(size=ctypes.sizeof(Options), database=probe.handle, dice=(0, 7), way=9, least_gain=-1)
    check(library.bgr_ask_map(6, *sides, ctypes.byref(case), 1, ctypes.byref(options)))
    check(library.bgr_prove(6, *sides, ctypes.byref(case.stakes), ctypes.byref(options), ctypes.byref(proof)))
    library.bgr_proof_free(proof)


def test_plays_that_were_not_compared_are_refused(solver: Solver) -> None:
    race = ((1, 1, 1, 1, 1, 1, 1), (2, 1, 2, 1, 1, 1))
    refused("NOT_COMPARED", solver.solve(*race, Stakes.money(), exactness=-1).plays, 6, 5, 1)
    n_plays = len(bgrace.legal_plays(race[0], (6, 5)))
    every = solver.solve(*race, Stakes.money(), exactness=-1, rolls=1).plays(6, 5, 1)
    assert len(every) == n_plays
    named = solver.solve(*race, Stakes.money(), exactness=-1, dice=(5, 6)).plays(6, 5, 1)
    assert [play[1] for play in named] == pytest.approx([play[1] for play in every], abs=1e-6)


@pytest.mark.parametrize(("name", "rounds", "least"), [("turns_fuzz", 75, 25), ("contact_fuzz", 5000, 125)])
def test_any_input_is_answered_or_refused(
    once: Path, tmp_path: Path, database_path: Path, name: str, rounds: int, least: int
) -> None:
    fuzzer = with_library(once, SANITIZED, ROOT / f"tests/c/{name}.c", tmp_path / name)
    kept = sorted((ROOT / "tests/fuzz/corpus/stakes").iterdir())
    more = [database_path, *kept] if name == "turns_fuzz" else []
    n_answers, n_refused = map(int, call(fuzzer, str(rounds), "1", *more).split())
    assert n_answers > least
    assert n_refused > least


def test_answers_outlive_their_solver_cache_and_database(once: Path, database_path: Path, tmp_path: Path) -> None:
    program = with_library(once, SANITIZED, ROOT / "tests/c/lifetimes.c", tmp_path / "lifetimes")
    assert call(program, database_path) == "7\n"


def test_the_workers_of_the_caller_run_every_loop(once: Path, tmp_path: Path) -> None:
    """A proof is the same with 1 and with 16 of them."""
    program = with_library(once, SANITIZED, ROOT / "tests/c/parallel.c", tmp_path / "parallel")
    *loops, same = map(int, call(program).split())
    assert min(loops) > 5
    assert same == 1


@pytest.mark.parametrize("name", ["c/answer_threads", "c/solver_threads", "fuzz/blocks", "fuzz/ids"])
def test_programs_that_only_scripts_run_compile(name: str) -> None:
    call("cc", "-std=c11", *WARNINGS[:3], "-Werror", f"-I{ROOT / 'csrc'}", "-fsyntax-only", ROOT / f"tests/{name}.c")


class MallInfo(ctypes.Structure):
    """`struct mallinfo2` of Linux."""

    _fields_ = [(f"field_{k}", ctypes.c_size_t) for k in range(10)]


def memory_taken() -> float:
    """Return the megabytes of the allocator: mapped (`hblkhd`), and in use otherwise (`uordblks`)."""
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = MallInfo
    now = mallinfo2()
    return float(now.field_4 + now.field_7) / 1e6


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs mallinfo2 of glibc")
def test_a_solver_takes_as_much_memory_as_the_header_says() -> None:
    header = (embed.include_dir() / "bgrace.h").read_text(encoding="utf-8")
    stated = re.search(r"Make one: some 50 ms and (\d+) MB", header)
    assert stated is not None
    before = memory_taken()
    solver = Solver()
    assert memory_taken() - before == pytest.approx(float(stated[1]), abs=0.6)
    del solver


@pytest.mark.skipif(os.name == "nt", reason="needs threads of POSIX")
def test_a_thread_that_waits_for_a_lock_sleeps(tmp_path: Path) -> None:
    program, sources = tmp_path / "locks", [ROOT / "tests/c/locks.c", ROOT / "csrc/base/lock.c"]
    call("cc", "-std=gnu11", "-pthread", f"-I{ROOT / 'csrc'}", *sources, "-o", program)
    call(program)


@pytest.mark.parametrize("compiler", ["gcc-11", "clang"])
def test_other_compilers_compile_the_library(compiler: str, once: Path) -> None:
    """GCC 11 is the oldest that docs/installing.md names."""
    if shutil.which(compiler) is None:
        pytest.skip(f"needs {compiler}")
    library_object(once, [compiler, "-std=c11", "-O0", "-ffp-contract=off"])


@pytest.mark.platforms
def test_files_with_code_for_windows_compile_for_it(tmp_path: Path) -> None:
    skip_without_zig()
    target = ["-target", "x86_64-windows-gnu", "-std=c11", *WARNINGS, "-DBGR_THREADS", f"-I{ROOT / 'csrc'}"]
    sources = [file for file in sorted((ROOT / "csrc").rglob("*.c")) if "_WIN32" in file.read_text(encoding="utf-8")]
    assert len(sources) >= 3
    for source in sources:
        call(sys.executable, "-m", "ziglang", "cc", *target, "-c", source, "-o", tmp_path / "windows.o")


# ---------------------------------------------------------------------- the example

EXAMPLE = ("0,2,2,1,1,1", "1,1,2,2,1,0,1", "31")


def table_of_the_example() -> MatchEquityTable:
    text = (ROOT / "examples/race.c").read_text(encoding="utf-8")
    rows = [
        [float(number) for number in re.findall(r"\d\.\d+", array)]
        for array in re.findall(r"_crawford\[.*?\] = \{(.*?)\};", text, re.DOTALL)
    ]
    return MatchEquityTable.from_arrays([rows[0][k : k + 5] for k in range(0, 25, 5)], [rows[1][:5], rows[1][5:]])


def expected_of_the_example(stakes: Stakes) -> list[str]:
    """Write the output that the example must have for a race, without its last line."""
    mine, theirs = (Position(tuple(map(int, side.split(",")))) for side in EXAMPLE[:2])
    answer = solve_turns(mine, theirs, stakes, Budget(boundary_checkers=6), rolls=True)
    win, *chances, _ = answer.chances()
    gammon_win, backgammon_win, gammon_loss, backgammon_loss = chances
    lines = [
        f"win {win:.6f}, gammon {gammon_win:.6f}, backgammon {backgammon_win:.6f}; "
        f"lose a gammon {gammon_loss:.6f}, a backgammon {backgammon_loss:.6f}"
    ]
    for name in ("centered", "mine", "theirs"):
        if name in answer.cubes():
            no_double, take, drop, *_, verdict = answer.cube(name)
            line = f"; no double {no_double:+.6f}"
            if verdict != "no cube":
                line += f", double/take {take:+.6f}, double/pass {drop:+.6f}"
            lines.append(f"{name}: {verdict.replace('/', ', ')}{line}")
    pair = SolvedPair(Question(mine, theirs, stakes), answer)
    plays = Solution(mine, theirs, stakes, pair).best_plays((3, 1), "centered")
    values = [play.equity if play.mwc is None else play.mwc for play in plays]
    for k in range(3):
        position = re.sub(r"(,0)+$", "", ",".join(map(str, plays[k].position)))
        lines.append(f"play {k + 1} of {len(plays)}: {position} {values[k]:+.6f} ({values[k] - values[0]:+.6f})")
    return lines


@pytest.fixture(scope="module")
def example(once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the example with the two files."""
    return with_library(once, CC, ROOT / "examples/race.c", tmp_path_factory.mktemp("race") / "race")


@pytest.mark.parametrize("score", [None, Score(3, 5), Score(2, 2), Score(4, 1, crawford=True)])
def test_the_example_answers_as_python_does(example: Path, score: Score | None) -> None:
    stakes, words = Stakes.money(), []
    if score is not None:
        stakes = Stakes(score=score, met=table_of_the_example())
        words = [f"{score.on_roll_needs},{score.opponent_needs}{',crawford' * score.crawford}"]
    assert call(example, *EXAMPLE, *words).splitlines()[:-1] == expected_of_the_example(stakes)


def test_the_example_reports_errors(example: Path) -> None:
    for words, text in (
        (("1,2,x", "1", "31"), "1,2,x: a count is negative"),
        (("0", "0", "31"), "race: a count is negative"),
        (("0,0,0,0,0,0,0,0,0,0,0,0,1", "0,0,0,0,0,0,0,0,0,0,0,0,1", "31"), "race: "),
        (("1", "1", "37"), "race: "),
        (("1", "1", "31", "9,9"), "solver: "),
    ):
        assert complaint(example, *words).startswith(text)


@pytest.mark.parametrize("second", [0, 1])
def test_a_prepared_table_answers_as_its_arrays_do(solver: Solver, second: int) -> None:
    """With either player of the table on roll."""
    rng = random.Random(3)
    length = 5
    before = [rng.random() for _ in range(length**2)]
    after = [rng.random() for _ in range(2 * length)]
    met = ctypes.c_void_p()
    arrays = [(ctypes.c_double * len(each))(*each) for each in (before, after)]
    check(library.bgr_met_new(length, arrays[0], length, arrays[1], ctypes.byref(met)))
    if second:
        before = [1 - before[j * length + i] for i in range(length) for j in range(length)]
        after = after[length:] + after[:length]
    table = MatchEquityTable("", "", np.reshape(before, (length, length)), np.reshape(after, (2, length)))
    stakes = Stakes(score=Score(4, 3), met=table)
    expected = solver.solve(*LATE, stakes)
    held = stakes_of(stakes)
    for wrong in ({"met": met}, {"met": None, "second_on_roll": 1}):  # two tables; a second player without a table
        for name, value in wrong.items():
            setattr(held, name, value)
        refused("ARGUMENT", solver.solve, *LATE, held)
    held.met_length = held.post_length = 0
    held.pre_crawford = held.post_crawford = None
    held.met, held.second_on_roll = met, second
    answer = solver.solve(*LATE, held)
    library.bgr_met_free(met)
    assert answer.cube(CENTERED) == expected.cube(CENTERED)
    arrays[0][0] = math.nan
    refused("STAKES", check, library.bgr_met_new(length, arrays[0], length, arrays[1], ctypes.byref(met)))
    assert not met


def test_another_thread_can_stop_an_answer(solver: Solver) -> None:
    """Before it begins and on the way; here the progress function plays the other thread."""
    stop = ctypes.c_int(1)
    refused("STOPPED", solver.solve, *EARLY, Stakes.money(), stop=ctypes.pointer(stop))
    stop.value, heard = 0, []

    def listen(_context: int | None, done: float) -> int:
        heard.append(done)
        stop.value = 1
        return 0

    refused("STOPPED", solver.solve, *EARLY, Stakes.money(), stop=ctypes.pointer(stop), progress=Progress(listen))
    assert heard


def test_a_race_without_enough_time_is_estimated(solver: Solver) -> None:
    far = ((2, 2, 3, 0, 0, 3, 0, 3, 0, 0, 0, 0, 2), (2, 2, 3, 0, 0, 3, 0, 3, 0, 0, 2))
    answer, estimate = solver.solve(*far, Stakes.money(), seconds=0.001), solver.estimate(*far, Stakes.money())
    assert answer.chances() == estimate.chances()
    assert answer.cube(CENTERED) == estimate.cube(CENTERED)
    assert solver.solve(*far, Stakes.money(), seconds=0.001, way=4).chances() != estimate.chances()


# ---------------------------------------------------------------------- other questions to one answer

LATE = (0, 1, 1, 0, 0, 1), (1, 1, 1, 0, 0, 0)
EARLY = (2, 2, 2, 1, 1, 1, 1), (2, 1, 2, 2, 1, 1)
WAYS = {"by pairs": {}, "by turns": {"seconds": 0.001, "rolls": 1, "least_gain": 1e-4}, "estimated": None}
CENTERED, THEIRS = 1, 3


def answered(solver: Solver, way: str, sides: tuple[tuple[int, ...], tuple[int, ...]], stakes: Stakes) -> Answer:
    options = WAYS[way]
    return solver.estimate(*sides, stakes) if options is None else solver.solve(*sides, stakes, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("way", WAYS)
def test_the_chance_to_win_is_the_mean_over_the_best_plays_of_all_rolls(solver: Solver, way: str) -> None:
    answer = answered(solver, way, LATE, Stakes.money())
    mean = 0.0
    # No roll bears off all of these checkers.
    refused("NOT_COMPARED", answered(solver, way, EARLY, Stakes.money()).move_chances, (0,))
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            plays = [answer.move_chances(result)[0] for result, *_ in answer.plays(larger, smaller, CENTERED)]
            mean += max(plays) * (1 if larger == smaller else 2) / 36
    assert mean == pytest.approx(answer.chances()[0], abs=0.01 if way == "estimated" else 1e-6)


@pytest.mark.parametrize("way", WAYS)
def test_an_answer_at_a_score_answers_for_doubled_cubes(solver: Solver, way: str) -> None:
    score = Score(5, 4)
    doubled = Stakes(score=score, met=MatchEquityTable.default(), cube_value=2)
    answer = answered(solver, way, EARLY if way == "by turns" else LATE, Stakes(score=score, met=doubled.met))
    other = answer.at_cube(doubled)
    assert other.cube(THEIRS)[0] == answer.cube(CENTERED)[1]
    assert other.cube(2)[3] >= other.cube(2)[0]
    refused("STAKES", other.cube, CENTERED)
    refused("COVERAGE", answer.at_cube, Stakes(score=Score(9, 8), met=doubled.met, cube_value=2))
    refused("STAKES", answer.at_cube, Stakes.money())


def test_a_finished_game_is_answered(solver: Solver) -> None:
    far = (*[0] * 5, 14, *[0] * 15, 1)
    for sides, worth, chances in [
        (((), LATE[1]), 1, (1, 0, 0, 0, 0, 1)),
        (((0, 15), ()), -2, (0, 0, 0, 1, 0, 0)),
        (((), far), 3, (1, 1, 1, 0, 0, 1)),
    ]:
        answer = solver.solve(*sides, Stakes.money())
        assert answer.chances() == chances
        assert answer.cube(2)[0] == answer.cube(2)[3] == worth
        assert answer.cube(CENTERED)[-1] == "no cube"
        refused("COVERAGE", answer.plays, 3, 1, CENTERED)
    assert solver.solve((), (15,), Stakes.money(Rules(jacoby=True))).cube(CENTERED)[0] == 1
    followed = solver.solve(*LATE, Stakes.money()).follow(LATE[1], (), swapped=True)
    assert followed.cube(CENTERED)[0] == -1
    refused("POSITION", solver.solve, (0,), (0,), Stakes.money())


def test_gammons_that_do_not_count_have_no_chance(solver: Solver) -> None:
    """By every way, after a move, and at the end of the game."""
    sides, single = ((1, 0, 0, 0, 0, 1), (13, 2)), Stakes.money(Rules(gammons=False))
    for way in WAYS:
        assert answered(solver, way, sides, Stakes.money()).chances()[1] == pytest.approx(5 / 12, abs=0.01)
        answer = answered(solver, way, sides, single)
        for result in ((), (0, 0, 0, 1)):
            win, *gammons, cubeless_win = answer.move_chances((*result, *[0] * (6 - len(result))))
            assert gammons == [0] * 4
            assert cubeless_win == pytest.approx(win)
        win, *gammons, cubeless_win = answer.chances()
        assert gammons == [0] * 4
        assert cubeless_win == pytest.approx(win)
    assert solver.solve((), sides[1], single).chances() == (1, 0, 0, 0, 0, 1)


def test_values_have_a_verdict() -> None:
    assert decide(0.5, 0.6 + 1e-10, 0.6) == (0.6, "double/take")
    assert decide(0.9, 1.2, 1) == (1, "double/pass")
    assert decide(-0.5, -0.4, 1, beavers=True) == (-0.5, "no double")
    refused("ARGUMENT", decide, math.nan, 0, 1)
