"""Proven bounds: they contain exact values, clocks agree with a slow twin, and the checker refuses false proofs."""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from hashlib import sha256
from itertools import pairwise
from math import inf, isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from unittest.mock import patch

import check_proof
import numpy as np
import numpy.typing as npt
import pytest
from check_proof import BadProofError, Side, side_of
from helpers.command import answer, call, run
from helpers.known import known

import bgrace
from bgrace._kernels.answer import Proof
from bgrace.answers.question import Question
from bgrace.answers.reasons import solver
from bgrace.board.position import counts_of
from bgrace.errors import CoverageError
from bgrace.match import MatchEquityTable, Score
from bgrace.match.stakes import Rules, Stakes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Change: TypeAlias = Callable[[dict[str, Any]], None]

CHECKER = Path(__file__).parents[2] / "scripts" / "check_proof.py"


def any_table() -> MatchEquityTable:
    """A random table, as the C library allows: at some of its scores a loss may be worth more than a win."""
    rng = np.random.default_rng(4)
    return MatchEquityTable("any", "", rng.random((5, 5)), rng.random((2, 5)))


STAKES = [
    Stakes.money(),
    Stakes.money(Rules(jacoby=True, beavers=True)),
    Stakes.money(Rules(gammons=False)),
    Stakes.at(Score(3, 4)),
    Stakes.at(Score(2, 2)),
    Stakes.at(Score(1, 5)),
    Stakes.at(Score(4, 5), any_table()),
    Stakes.at(Score(5, 3), any_table()),
]
STAKES_OF_PROOFS = [
    *STAKES,
    Stakes.at(Score(4, 1, crawford=True)),
    Stakes.at(Score(4, 1)),
    Stakes.at(Score(7, 9), cube_value=2),
    Stakes.at(Score(2, 9), cube_value=4),
]
RACE = ("6x2 5x2 4x1 2x1", "5x3 3x2 2x1")


def random_side(rng: np.random.Generator, full: bool) -> npt.NDArray[np.int8]:
    """A few checkers; or, if `full`, all 15, most of them on low points."""
    counts = np.zeros(24, dtype=np.int8)
    if full:
        counts[:3] = rng.multinomial(14, [0.6, 0.3, 0.1])
        counts[rng.integers(3, 8)] += 1
    else:
        np.add.at(counts, rng.integers(0, rng.integers(4, 10), rng.integers(1, 6)), 1)
    return counts


def prove(
    race: tuple[str, str] | list[npt.NDArray[np.int8]],
    stakes: Stakes,
    exactness: float = 0.0,
    seconds: float = 1.0,
    threads: int = 1,
) -> Proof:
    on_roll, opponent = (counts_of(bgrace.parse_position(side)) for side in race)
    return solver().prove(on_roll, opponent, stakes.kernel, seconds, 1 << 30, threads, exactness)


def intervals_of(proof: Proof, stakes: Stakes) -> npt.NDArray[np.float64]:
    """Bounds of the chances, and of the value with the cube in each place."""
    return np.array([*proof.chances(), *(proof.cube(place)[2] for place in stakes.cubes)])


@pytest.mark.parametrize("stakes", STAKES, ids=str)
@pytest.mark.parametrize("exactness", [0.0, -1.0, 0.01], ids=["clocks", "least", "0.01"])
def test_exact_values_lie_within_the_bounds(stakes: Stakes, exactness: float) -> None:
    rng = np.random.default_rng(20261124)
    for n in range(6):
        race = [random_side(rng, full) for full in (n % 3 == 1, n % 4 == 1)]
        proof = prove(race, stakes, exactness, seconds=1 if exactness else 1e-9)
        exact = known(solver().ask(race[0], race[1], stakes.kernel, "all pairs", 1.0, 1 << 30))
        if exactness:
            assert proof.info()[0] == "confined"
        for place in stakes.cubes:
            values, (rolled, doubled, best, verdict, proved) = exact.cube(place), proof.cube(place)
            for value, (low, high) in ((values[0], rolled), (values[1], doubled), (values[3], best)):
                assert isnan(value) or low <= value <= high
            assert values[7] == verdict or not proved
        win, win_gammon, _, lose_gammon, *_ = exact.chances()
        for chance, (low, high) in zip((win, win_gammon, lose_gammon), proof.chances(), strict=True):
            assert low - 1e-12 <= chance <= high + 1e-12


@pytest.mark.parametrize("stakes", [Stakes.money(), Stakes.at(Score(3, 5))], ids=str)
@pytest.mark.parametrize(("race", "points"), [(("1x2", "1x1"), 1), (("1x1", "6x15"), 2), (("17x15", "7x1"), -2)])
def test_bounds_stay_within_the_payoffs_of_the_game(race: tuple[str, str], points: int, stakes: Stakes) -> None:
    """If the result is certain, rounding alone would put a bound 1e-11 beyond its payoff."""
    seconds = 1 if points > 0 else 0.1  # in a second bounds are exact, in a tenth by clocks
    low, high = prove(race, stakes, seconds=seconds).cube("centered")[0]
    assert (high if points > 0 else low) == pytest.approx(stakes.payoff(points), abs=1e-15)


@pytest.mark.parametrize(
    ("race", "exactness", "expected"),
    [(("8x4 4x4", "8x4 3x3"), 0.02, ("confined", 0.02)), (RACE, 0.0, ("clocks", 0.0))],
)
def test_width_of_shortlists(race: tuple[str, str], exactness: float, expected: tuple[str, float]) -> None:
    """As given, whatever the seconds; 0 if the seconds suffice for no lists."""
    assert prove(race, Stakes.money(), exactness, seconds=1e-3).info()[:2] == expected


def test_wider_shortlists_prove_narrower_bounds() -> None:
    proofs = [prove(RACE, Stakes.money(), delta) for delta in (-1.0, 0.02, 0.1, 0.5, inf)]
    intervals = [proof.cube("centered")[2] for proof in proofs]
    for (low, high), (narrow_low, narrow_high) in pairwise(intervals):
        assert low <= narrow_low + 1e-10
        assert narrow_high <= high + 1e-10
    assert intervals[-1][1] - intervals[-1][0] < 1e-10
    kept = [proof.info()[3][0] for proof in proofs[:-1]]
    assert kept == sorted(kept)


@pytest.mark.parametrize(
    ("race", "stakes", "budgets", "methods"),
    [
        (("6x2 5x2 4x1 2x2", "6x1 5x3 3x2 2x1"), Stakes.at(Score(3, 4)), (0.03, 0.1, 0.3, 1), ["clocks", "exact"]),
        (("12x2 9x1 6x2", "11x2 8x1 5x2"), Stakes.money(), (0.03, 0.1, 0.2, 0.3), ["clocks", "confined"]),
        (("12x2 9x3 6x4", "11x3 8x3 5x4"), Stakes.money(Rules(gammons=False)), (0.03, 0.1, 0.3), ["clocks"]),
        (("6x6 2x9", "12x1 6x1 2x1 1x12"), Stakes.at(Score(2, 2)), (0.03, 0.1, 0.3), ["clocks"]),
    ],
    ids=["home", "few", "far", "gammons"],
)
def test_more_seconds_never_widen_bounds(
    race: tuple[str, str], stakes: Stakes, budgets: tuple[float, ...], methods: list[str]
) -> None:
    proofs = [prove(race, stakes, seconds=seconds) for seconds in budgets]
    assert sorted({proof.info()[0] for proof in proofs}) == methods
    for (low, high), (more_low, more_high) in pairwise(intervals_of(proof, stakes).T for proof in proofs):
        assert (low <= more_low + 1e-12).all()
        assert (more_high <= high + 1e-12).all()


WEIGHTS = [1 if a == b else 2 for a in range(1, 7) for b in range(1, a + 1)]


def step(side: Side, row: list[float]) -> list[float]:
    """Return the value of each position before a roll, if the best result of each roll is chosen; 0 when off."""
    best = [[max(row[r] for r in roll) for roll in results] for results in side.results[1:]]
    return [0.0, *(sum(w * b for w, b in zip(WEIGHTS, of_rolls, strict=True)) / 36 for of_rolls in best)]


def slow_clock(side: Side, n_rolls: int) -> list[float]:
    """Return the greatest chances to be off within 0, 1, .. rolls."""
    row = [1.0] + [0.0] * (len(side.positions) - 1)
    within = [row[-1]]
    for _ in range(n_rolls):
        row = [1.0, *step(side, row)[1:]]
        within.append(row[-1])
    return within


def slow_chance(side: Side, clock: list[float], rolls_first: bool) -> float:
    """Return the chance to win that a side is sure of against a clock."""
    row = [0.0] * len(side.positions)
    for turn in reversed(range(len(clock))):
        other = turn - rolls_first  # rolls of the other side before roll `turn` of this one
        row = step(side, row)
        row[0] = 1 - (clock[other] if other >= 0 else 0.0)
    return row[-1]


@pytest.mark.parametrize("race", [("6x2 5x2 4x1", "5x3 3x1 2x1"), ("8x1 2x2", "7x1 1x2"), ("1x15", "2x1")])
def test_bounds_by_clocks_are_near_those_of_the_slow_twin(race: tuple[str, str]) -> None:
    sides = [side_of(tuple(counts_of(bgrace.parse_position(side)).tolist())) for side in race]
    clocks = [slow_clock(side, 63) for side in sides]
    sure = [slow_chance(side, clocks[1 - k], rolls_first=k == 0) for k, side in enumerate(sides)]
    low, high = prove(race, Stakes.money(Rules(gammons=False)), seconds=1e-9).chances()[0]
    assert sure[0] - 5e-4 < low <= sure[0]
    assert 1 - sure[1] <= high < 1 - sure[1] + 5e-4


def test_clocks_prove_that_a_gammon_is_won() -> None:
    solution = bgrace.solve("1x5 2x3 3x1", "6x5 8x3 13x4 15x1 17x1 19x1", match=Score(2, 3), seconds=0.01, prove=True)
    bounds = known(solution.bounds)
    assert bounds.method == "clocks"
    assert bounds.gammon_win.low > 0.99
    assert solution.proved
    assert solution.cube_action().verdict == bounds.cube("centered").verdict == "too good"


def test_bounds_do_not_depend_on_threads() -> None:
    money = Stakes.money()
    one, two = (intervals_of(prove(RACE, money, 0.02, threads=n), money) for n in (1, 2))
    assert np.array_equal(one, two)


# ---------------------------------------------------------------------- bounds of solutions


@pytest.mark.parametrize(
    ("race", "seconds", "options"),
    [
        (("6x2 5x2 4x1", "5x2 3x2 2x1"), 0.002, {}),
        (("6x3 5x3 4x3", "6x2 5x4 3x3"), 0.01, {"match": Score(3, 5)}),
        (("8x3 6x4 5x3", "9x2 7x3 4x4"), 0.01, {"stakes": Stakes.money(Rules(gammons=False))}),
        (("12x5 8x3 6x4 5x3", "12x2 6x8 5x3 4x2"), 0.01, {}),
        (("8x3 6x4 5x3", "9x2 7x3 4x4"), 0.01, {"stakes": Stakes.at(Score(6, 5), cube_value=2)}),
    ],
)
def test_answers_lie_within_their_own_bounds(race: tuple[str, str], seconds: float, options: dict[str, Any]) -> None:
    alone, solution = (bgrace.solve(*race, seconds=seconds, prove=prove, **options) for prove in (False, True))
    bounds, action = known(solution.bounds), solution.cube_action()
    assert alone.bounds is None
    of_cube = bounds.cube(solution.cube)
    unit = (solution.stakes.payoff(1) - solution.stakes.payoff(-1)) / 2
    assert bounds.win.low <= solution.win_probability <= bounds.win.high
    farthest = 0.0
    taken = known(action.double_take)
    for value, (low, high) in ((action.no_double, of_cube.no_double), (taken, of_cube.double_take)):
        assert low <= value <= high
        farthest = max(farthest, value - low, high - value)
    assert 0 < solution.error <= farthest / unit * (1 + 1e-9)
    assert solution.error <= alone.error
    for place in solution.stakes.cubes:
        low, high = bounds.cube(place).value
        value = solution.equities.cubeless if place == "none" else getattr(solution.equities, place)
        assert low <= value <= high


# ---------------------------------------------------------------------- certificates


@pytest.fixture(scope="module", autouse=True)
def sides_listed_once() -> Iterator[None]:
    """Let the checker list the positions of a side once for all tests."""
    with patch.object(check_proof, "side_of", cache(side_of)):
        yield


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A proof by shortlists: its seconds do not suffice for all pairs."""
    path = tmp_path_factory.mktemp("proof") / "race.proof"
    assert answer("prove", *RACE, "-o", path, "--seconds", "0.01")["bounds"]["method"] == "confined"
    return path


def refusal(content: dict[str, Any], path: Path) -> str:
    """Return the checker's objection to a certificate with this content and the right checksum."""
    content.pop("sha256", None)
    told = sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps(content | {"sha256": told}))
    with pytest.raises((BadProofError, *check_proof.MALFORMED)) as caught:
        check_proof.check(str(path))
    return str(caught.value)


def test_the_checker_accepts_a_proof_without_importing_bgrace(proof: Path) -> None:
    told = call(sys.executable, "-I", CHECKER, proof)
    assert ": holds: 2x1 4x1 5x2 6x2 against 2x1 3x2 5x3: money: win 0.5" in told
    assert "centered: no double" in told


def test_a_repeated_name_is_refused(proof: Path, tmp_path: Path) -> None:
    """A person reads the first value; Python takes the last, and the checksum is of that one."""
    path = tmp_path / "twice.proof"
    path.write_text(proof.read_text().replace("{", '{"bounds": {"win": [0.99, 1.0]},', 1))
    with pytest.raises(BadProofError, match="a name is there twice"):
        check_proof.check(str(path))


def test_the_checker_prints_its_match_equities(tmp_path: Path) -> None:
    path = tmp_path / "match.proof"
    stakes = Stakes.at(Score(3, 5))
    bgrace.write_proof(bgrace.solve("6x1 1x1", "5x1 1x1", stakes=stakes), path, seconds=1)
    chance = stakes.payoff(1)
    assert f"by its own match equities: 2-away, 5-away {chance}" in call(sys.executable, "-I", CHECKER, path)


def small_side(rng: np.random.Generator, full: bool) -> npt.NDArray[np.int8]:
    counts = np.zeros(24, dtype=np.int8)
    np.add.at(counts, rng.integers(0, 4, rng.integers(1, 4)), 1)
    counts[0] += (15 - counts.sum()) * full
    return counts


@pytest.mark.parametrize("stakes", STAKES_OF_PROOFS, ids=str)
def test_genuine_proofs_are_accepted(stakes: Stakes, tmp_path: Path) -> None:
    rng = np.random.default_rng(20261127)
    path = tmp_path / "race.proof"
    for n in range(6):
        sides = [small_side(rng, full).tolist() for full in (n % 3 == 1, n % 4 == 1)]
        solution = Question(bgrace.parse_position(sides[0]), bgrace.parse_position(sides[1]), stakes).solution()
        bgrace.write_proof(solution, path, seconds=1)
        place = solution.stakes.default_cube
        assert f"{place}: {solution.cube_action().verdict}" in check_proof.check(str(path))


def test_a_tie_is_proved(tmp_path: Path) -> None:
    path = tmp_path / "tie.proof"
    bgrace.write_proof(bgrace.solve("2x3 1x2", "1x12 2x3"), path)
    assert "centered: double/pass" in check_proof.check(str(path))


def leaves(content: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the container and the key of every value of a certificate."""
    for key in content if isinstance(content, dict) else range(len(content)):
        yield content, key
        if isinstance(content[key], (dict, list)):
            yield from leaves(content[key])


def other_values(value: Any) -> list[Any]:
    """Return values to put in the place of a field's."""
    if isinstance(value, bool):
        return [not value, int(value), None]
    if isinstance(value, (int, float)):
        return [value + 0.03, value + 1, value - 1, value + 1e-9, nan, inf, str(value), None]
    if isinstance(value, str):
        return [f"{value} ", value[:-1], "no double", "double/take", "gammons", "beavers", "jacoby", None]
    return ["", 0, [], {}, [value], *([None] if value is not None else [])]


@pytest.mark.parametrize("name", ["money", "match", "crawford", "confined"])
def test_no_field_can_be_changed(name: str, proof: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "race.proof"
    race = ("2x1 3x1", "1x14 3x1")
    if name == "money":
        bgrace.write_proof(bgrace.solve(*race, stakes=bgrace.Stakes.money(Rules(jacoby=True, beavers=True))), path)
    elif name == "match":
        bgrace.write_proof(bgrace.solve(*race, stakes=bgrace.Stakes.at(Score(4, 3), any_table())), path)
    elif name == "crawford":
        bgrace.write_proof(bgrace.solve(*race, match=Score(4, 1, crawford=True)), path)
    else:
        path.write_bytes(proof.read_bytes())
    content = json.loads(path.read_text())
    del content["sha256"]
    solved: dict[str, list[dict[str, float]]] = {}

    def solve_once(asked: dict[str, Any], stakes: check_proof.Stakes) -> list[dict[str, float]]:
        key = json.dumps([asked[field] for field in ("on_roll", "opponent", "stakes", "shortlists")])
        if key not in solved:
            solved[key] = solve(asked, stakes)
        return solved[key]

    solve = check_proof.bounds_of
    monkeypatch.setattr(check_proof, "bounds_of", solve_once)

    check_proof.check(str(path))
    for holder, key in list(leaves(content)):
        value = holder[key]
        for other in other_values(value):
            if other == value and type(other) is type(value):
                continue
            holder[key] = other
            refusal(content, path)
            holder[key] = value
        if isinstance(holder, dict):
            del holder[key]
            refusal(content, path)
            holder[key] = value
    for holder in [content, *(held[key] for held, key in leaves(content) if isinstance(held[key], dict))]:
        holder["more"] = 1
        refusal(content, path)
        del holder["more"]


def without_position(content: dict[str, Any]) -> None:
    listed = content["shortlists"][0].split(" ")
    content["shortlists"][0] = " ".join(listed[:1] + listed[8:])


def with_position(content: dict[str, Any]) -> None:
    content["shortlists"][1] += " 00004"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (without_position, "a shortlist that leaves a roll without a play"),
        (with_position, "a shortlist with positions that cannot come about"),
        (lambda c: c.update(version=3), "version 3: this checks version 2"),
        (lambda c: c.update(version=1), "version 1, which says itself what the cube and winning are worth"),
        (lambda c: c["bounds"]["centered"].update(verdict="double/take"), "bounds, centered, verdict is no double"),
        (lambda c: c["bounds"].update(win=[0.5, 0.6]), "bounds, win: the bound is 0.5, but proved is 0.54"),
        (lambda c: c["bounds"].update(win=[nan, 0.6]), "nan is not a number"),
        (lambda c: c["on_roll"].__setitem__(23, 1e-13), "is not a position"),
        (lambda c: c.update(opponent=[15] * 24), "is not a position"),
        (lambda c: c["opponent"].__setitem__(22, 1), "the sides have contact"),
        (lambda c: c["stakes"]["rules"].append("gammons"), "gammons count, and nobody can lose one"),
        (lambda c: c["stakes"]["rules"].append("jacoby"), "the Jacoby rule, which changes nothing"),
        (lambda c: c.update(planes=[]), "a proof has bounds, format"),
    ],
)
def test_false_proofs_are_refused(proof: Path, tmp_path: Path, change: Change, message: str) -> None:
    content = json.loads(proof.read_text())
    change(content)
    assert message.lower() in refusal(content, tmp_path / "changed.proof").lower()


def test_a_race_in_which_a_backgammon_is_possible_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "race.proof"
    bgrace.write_proof(bgrace.solve("1x2", "1x14 3x1"), path)
    content = json.loads(path.read_text())
    content["opponent"][2], content["opponent"][22] = 0, 1
    assert "a backgammon is possible" in refusal(content, path)


def test_a_cut_or_edited_proof_is_refused(proof: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = proof.read_text()
    path = tmp_path / "cut.proof"
    for other, message in (
        (text.replace(": money", ": Money", 1), "the file has been changed or cut"),
        (text.replace("2x1 ", "2x2 ", 1), "the file has been changed or cut"),
        (text[: len(text) // 2], "not a proof, or cut"),
        ("", "not a proof, or cut"),
        ("[]", "not a proof of bgrace"),
    ):
        path.write_text(other)
        assert check_proof.main(str(path)) == 1
        assert f": refused: {message}" in capsys.readouterr().out


def test_a_race_too_large_for_the_budget_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "race.proof"
    with pytest.raises(CoverageError, match=r"by clocks, which no file can hold; allow more"):
        bgrace.write_proof(bgrace.solve("6x15", "6x14 5x1", seconds=0.01), path, seconds=0.01)
    with pytest.raises(
        CoverageError, match="can come to 1,145,004 positions, and the checker of proofs takes 1,000,000"
    ):
        bgrace.write_proof(bgrace.solve("12x2 8x3 7x2 6x4 5x3 4x1", "6x1", seconds=0.01), path)
    assert not path.exists()


def test_time_and_memory_of_a_check_are_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "race.proof"
    told = run("prove", *RACE, "-o", path, "--seconds", "0.01").stdout
    assert "The verdict is proved, within 0.01 seconds." in told
    assert re.search(r"race.proof: written; checking it takes about \d\.\d s and \d\d\.\d MiB of memory", told)
    monkeypatch.setattr("os.sysconf", lambda _: 100)
    assert check_proof.main(str(path)) == 1
    assert re.search(
        r"not checked: \d+ x \d+ pairs take 0.0 GB of memory, this machine has 0.0", capsys.readouterr().out
    )
