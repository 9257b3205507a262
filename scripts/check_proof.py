"""Check a proof that `bgrace prove` wrote, without bgrace: with Python and numpy alone.

    python scripts/check_proof.py race.proof

This works out everything again from the question in the file: the rules of the bearoff, the positions, the payoffs,
the cube and all pairs.  If the player on roll may play to the shortlist of the proof alone, and the opponent to every
position, the values are the lower bounds; the other way round they are the upper bounds.  (A player who may play to
fewer positions never gets more.)

Every number must be the one in the file, to nine places: docs/proofs.md describes the format.  A million pairs take
some seconds.  The exit status is 0 if everything holds, else 1, with a line that says what does not.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from dataclasses import dataclass, field
from functools import cache
from math import ceil, floor, isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

Counts = tuple[int, ...]
Rows = npt.NDArray[np.float64]
Interval = tuple[float, float]

ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]
WEIGHTS = np.array([1 if a == b else 2 for a, b in ROLLS]) / 36
POINTS, CHECKERS, VERSION = 24, 15, 2
MAX_POSITIONS = 1_000_000  # of a side
MAX_AWAY, MAX_CUBE = 256, 1 << 20

PLACES = ("none", "centered", "mine", "theirs")
ROUNDING = 1e-11  # bounds are this far outside the values of pairs, in units of the cube,
BOUND_STEPS = 10**9  # and rounded outward to multiples of 1 / BOUND_STEPS
EXACT = 5e-13  # values of pairs are closer than this
TIE = 1e-9  # equities that differ by at most this are equal, in units of the cube
LEAST_UNIT = 1e-5


MALFORMED = (KeyError, TypeError, IndexError, ValueError, AttributeError, OverflowError)
"""Errors that content of another form raises."""


class BadProofError(Exception):
    """Says what does not hold."""


def require(holds: bool, what: str) -> None:
    if not holds:
        raise BadProofError(what)


# ---------------------------------------------------------------------- the rules


@cache
def play_die(position: Counts, die: int) -> frozenset[Counts]:
    """List every result of one die: a checker moves, or is borne off exactly or from the highest point."""
    highest = max((point for point in range(1, POINTS + 1) if position[point - 1]), default=0)
    results = set()
    for point in range(1, highest + 1):
        home = highest <= 6
        if not position[point - 1] or (point <= die and not (home and point in (die, highest))):
            continue
        moved = list(position)
        moved[point - 1] -= 1
        if point > die:
            moved[point - die - 1] += 1
        results.add(tuple(moved))
    return frozenset(results) or frozenset([position])


def play_roll(position: Counts, roll: tuple[int, int]) -> set[Counts]:
    larger, smaller = roll
    orders = [(larger,) * 4] if larger == smaller else [(larger, smaller), (smaller, larger)]
    results: set[Counts] = set()
    for dice in orders:
        reached = {position}
        for die in dice:
            reached = {result for before in reached for result in play_die(before, die)}
        results |= reached
    return results


# ---------------------------------------------------------------------- one side


@dataclass
class Side:
    """Positions in rising order of pips, the empty board first, and the results of each roll from each of them."""

    positions: list[Counts]
    results: list[list[list[int]]]

    @property
    def full(self) -> npt.NDArray[np.bool_]:
        """Whether each position still has all checkers, so that the side could lose a gammon."""
        return np.array([sum(position) == CHECKERS for position in self.positions])

    def confined(self, listed: list[Counts]) -> Side:
        """Return the side that plays only to listed positions."""
        kept = set(listed)
        require(len(kept) == len(listed), "a shortlist with a position twice")
        new = {k: n for n, k in enumerate(k for k, position in enumerate(self.positions) if position in kept)}
        results = [[[new[r] for r in roll if r in new] for roll in self.results[k]] for k in new]
        require(0 in new and self.positions[-1] in kept, "a shortlist without its first or last position")
        require(len(new) == len(kept), "a shortlist with positions that cannot come about")
        require(all(all(rolls) for rolls in results[1:]), "a shortlist that leaves a roll without a play")
        return Side([self.positions[k] for k in new], results)


def side_of(start: Counts) -> Side:
    """List every position that a side can reach."""
    plays: dict[Counts, list[set[Counts]]] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if position in plays:
            continue
        require(len(plays) < MAX_POSITIONS, f"a side with more than {MAX_POSITIONS:,} positions is too large to check")
        plays[position] = [play_roll(position, roll) for roll in ROLLS]
        waiting += {result for results in plays[position] for result in results if result not in plays}
    order = sorted(plays, key=lambda position: (sum(n * k for k, n in enumerate(position, 1)), position))
    number = {position: k for k, position in enumerate(order)}
    return Side(order, [[sorted(number[r] for r in roll) for roll in plays[position]] for position in order])


# ---------------------------------------------------------------------- the stakes


@dataclass
class State:
    """A state of the cube.  Entries come in pairs, for the player on roll and the opponent; the game is zero-sum."""

    wins: list[list[float]]  # payoffs of a single game, then of a gammon
    unit: float = 1.0  # times ROUNDING, the widening of bounds, within the least and the greatest payoff
    turned: list[str | None] = field(default_factory=lambda: [None, None])  # the state after double/take,
    factor: float = 1.0  # and the worth of its unit in this state


@dataclass
class Stakes:
    """The states of the cube by name, first those of PLACES that are possible; then "win", and gammons."""

    states: dict[str, State]
    places: list[str]
    gammons: bool  # whether gammons are possible and count
    beavers: bool = False
    match: bool = False
    passed: float = 1.0  # the value to the player on roll of winning a single game,
    unit: float = 1.0  # and half the difference to losing one
    payoffs: dict[str, float] = field(default_factory=dict)  # of a match, by points won

    def ends(self, name: str, rows: list[dict[str, float]], factor: float = 1.0) -> Interval:
        """Return the bounds of a state of the cube, in points or as chances to win the match."""
        low, high = ((1 + row[name]) / 2 if self.match else row[name] for row in rows)
        return factor * low, factor * high


def money(rules: list[str], gammons: bool, full: tuple[bool, bool]) -> Stakes:
    """Return the states of a money game, in points per unit of the present cube; a turned cube is worth twice that."""
    require("jacoby" not in rules or gammons, "the Jacoby rule, which changes nothing without gammons")
    points = [[1.0, 1.0], [2.0 if gammons and full[loser] else 1.0 for loser in (1, 0)]]
    centered = [[1.0, 1.0]] * 2 if "jacoby" in rules else points
    states = {
        "none": State(points),
        "centered": State(centered, turned=["theirs", "mine"], factor=2.0),
        "mine": State(points, turned=["theirs", None], factor=2.0),
        "theirs": State(points, turned=[None, "mine"], factor=2.0),
    }
    return Stakes(states, list(PLACES), gammons, "beavers" in rules)


def is_whole(n: Any, least: int, most: int) -> bool:
    return type(n) is int and least <= n <= most


@dataclass
class Match:
    """A score before a game, and the chances to win the match at the scores after it."""

    needs: tuple[int, int]
    crawford: bool
    table: dict[str, Any]
    payoffs: dict[str, float] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def after(self, points: int) -> float:
        """Return the chance of the player on roll after winning points, or losing them if they are negative."""
        mine, theirs = self.needs[0] - max(points, 0), self.needs[1] - max(-points, 0)
        if mine <= 0 or theirs <= 0:
            chance = float(mine <= 0)
        else:
            name = f"{mine}-away, {theirs}-away"
            if min(mine, theirs) == 1 < max(mine, theirs):
                name += ", Crawford" if min(self.needs) > 1 else ", post-Crawford"
            require(name in self.table, f"the table has no {name}")
            chance = self.table[name]
            require(type(chance) in (int, float) and 0 <= chance <= 1, f"{name}: {chance} is not a chance")
            self.used.add(name)
        self.payoffs[str(points)] = chance
        return chance

    def may_double(self, side: int, cube: int) -> bool:
        """Return whether a side may double, and a larger cube is of use to it."""
        return not self.crawford and self.needs[side] > cube

    def add(self, states: dict[str, State], name: str, cube: int, full: tuple[bool, bool]) -> None:
        """Add a state, and those after doubles; full: which side could lose a gammon that counts."""
        won, lost = self.after(cube), self.after(-cube)
        ends = [[won, lost], [self.after(2 * cube) if full[1] else won, self.after(-2 * cube) if full[0] else lost]]
        unit = won - lost if won - lost > 2 * LEAST_UNIT else 2.0
        state = State([[2 * mine - 1, 1 - 2 * theirs] for mine, theirs in ends], unit)
        states[name] = state
        for side, (own, other) in enumerate((("mine", "theirs"), ("theirs", "mine"))):
            if name.startswith(("centered", own)) and self.may_double(side, cube):
                state.turned[side] = turned = f"{other} {2 * cube}"
                self.add(states, turned, 2 * cube, full)


def match(stakes: dict[str, Any], gammons: bool, full: tuple[bool, bool]) -> Stakes:
    """Return the states of a match, whose values are chances to win it less chances to lose it."""
    needs, cube, crawford = tuple(stakes["away"]), stakes["cube_value"], stakes["crawford"]
    require(len(needs) == 2 and all(is_whole(n, 1, MAX_AWAY) for n in needs), f"{needs} is not a score")
    require(is_whole(cube, 1, MAX_CUBE) and not cube & (cube - 1), f"a cube of {cube}")
    require(crawford in ([False, True] if min(needs) == 1 < max(needs) else [False]), f"crawford={crawford}")
    require(type(crawford) is bool, f"crawford={crawford}")
    score = Match((needs[0], needs[1]), crawford, stakes["table"])
    places = ["none", "centered"] if cube == 1 else ["none", "mine", "theirs"]
    states: dict[str, State] = {}
    for place in places:
        score.add(states, place, cube, (full[0] and gammons, full[1] and gammons))
    require(score.used == set(score.table), "the table is not that of the scores that the game can lead to")
    unit = (score.after(cube) - score.after(-cube)) / 2
    passed = score.after(cube)
    return Stakes(states, places, gammons, False, True, passed, max(unit, LEAST_UNIT), score.payoffs)


def stakes_of(proof: dict[str, Any]) -> Stakes:
    """Read the stakes of a proof, which must have no other fields."""
    stakes, sides = proof["stakes"], [proof["on_roll"], proof["opponent"]]
    for counts in sides:
        are_counts = len(counts) == POINTS and all(is_whole(n, 0, CHECKERS) for n in counts)
        require(are_counts and 1 <= sum(counts) <= CHECKERS, f"{counts} is not a position")
    mine, theirs = (max(point for point, n in enumerate(counts, 1) if n) for counts in sides)
    require(mine + theirs <= POINTS, "the sides have contact")
    full = (sum(sides[0]) == CHECKERS, sum(sides[1]) == CHECKERS)
    for_money, rules = "away" not in stakes, stakes["rules"]
    names = ["gammons", "jacoby", "beavers"] if for_money else ["gammons"]
    require(rules == [name for name in names if name in rules], f"rules {rules}")
    gammons = "gammons" in rules
    require(not gammons or any(full), "gammons count, and nobody can lose one")
    for highest, loses in zip((mine, theirs), full, strict=True):
        require(not (gammons and loses and highest > 18), "a backgammon is possible: this cannot count it")
    keys = {"rules"} if for_money else {"rules", "away", "crawford", "cube_value", "table", "payoffs"}
    require(set(stakes) == keys, f"stakes with {', '.join(sorted(stakes))}: they have {', '.join(sorted(keys))}")
    known = money(rules, gammons, full) if for_money else match(stakes, gammons, full)
    if not for_money:
        are_numbers = all(type(payoff) in (int, float) for payoff in stakes["payoffs"].values())
        require(are_numbers and stakes["payoffs"] == known.payoffs, f"payoffs are not {known.payoffs}")
    known.states["win"] = State([[1.0, 1.0]] * 2)
    if gammons:
        known.states |= {"gammon_win": State([[1.0, 1.0], [2.0, 1.0]]), "gammon_loss": State([[1.0, 1.0], [1.0, 2.0]])}
    return known


def question_of(proof: dict[str, Any]) -> str:
    """Write the question in words."""
    sides = (
        " ".join(f"{point}x{n}" for point, n in enumerate(proof[side], 1) if n) for side in ("on_roll", "opponent")
    )
    stakes = proof["stakes"]
    words = ["money"]
    if "away" in stakes:
        mine, theirs = stakes["away"]
        words = [f"{mine}-away", f"{theirs}-away", *["Crawford"] * stakes["crawford"], f"cube {stakes['cube_value']}"]
    return f"{' against '.join(sides)}: {', '.join([*words, *stakes['rules']])}"


# ---------------------------------------------------------------------- pairs


def doubled(now: Rows, stakes: Stakes, side: int) -> Rows:
    """Add the right to double before rolling to the values of each state."""
    values, number = now.copy(), {name: k for k, name in enumerate(stakes.states)}
    for k, state in enumerate(stakes.states.values()):
        turned = state.turned[side]
        if turned is not None:
            taken = state.factor * now[number[turned]]
            if stakes.beavers:
                taken = np.minimum(taken, 2 * taken)
            values[k] = np.maximum(now[k], np.minimum(taken, state.wins[0][side]))
    return values


def payoffs(stakes: Stakes, winner: int, loser: Side) -> Rows:
    """Return what bearing off the last checker pays, by state and by position of the loser."""
    single, gammon = (np.array([state.wins[loss][winner] for state in stakes.states.values()]) for loss in (0, 1))
    return np.where(loser.full[None, :], gammon[:, None], single[:, None])


def flat_results(side: Side) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """List all results of all positions but the empty board, and where the results of each roll begin."""
    rolls = [roll for rolls in side.results[1:] for roll in rolls]
    return np.concatenate([np.array(roll) for roll in rolls]), np.cumsum([0, *(len(roll) for roll in rolls[:-1])])


def solve(first: Side, second: Side, stakes: Stakes) -> dict[str, float]:
    """Return the value of rolling now to the first side, by state, with both sides at their last position."""
    n, m, n_states = len(first.positions), len(second.positions), len(stakes.states)
    moved = np.zeros((n_states, n, m))  # values to the first side, with the second on roll
    moved[:, 0] = payoffs(stakes, 0, second)
    to_first = payoffs(stakes, 1, first)
    flat, starts = flat_results(second)
    now = moved[:, 0]
    for x in range(1, n):
        now = sum(
            (weight * moved[:, roll].max(axis=1) for weight, roll in zip(WEIGHTS, first.results[x], strict=True)),
            start=np.zeros((n_states, m)),
        )
        theirs = -doubled(now, stakes, 0)  # values to the second side, with the first on roll
        theirs[:, 0] = to_first[:, x]
        best = np.maximum.reduceat(theirs[:, flat], starts, axis=1).reshape(n_states, m - 1, len(ROLLS))
        moved[:, x, 1:] = -doubled(best @ WEIGHTS, stakes, 1)
    return dict(zip(stakes.states, now[:, -1].tolist(), strict=True))


# ---------------------------------------------------------------------- the proof


def read_number(text: str) -> float:
    require(isfinite(float(text)), f"{text} is not a number")
    return float(text)


def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    require(len(set(names)) == len(names), "a name is there twice, so that readers may see different proofs")
    return dict(pairs)


def read_proof(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            proof: dict[str, Any] = json.load(
                file, parse_float=read_number, parse_constant=read_number, object_pairs_hook=read_object
            )
    except (ValueError, RecursionError) as error:
        raise BadProofError(f"not a proof, or cut: {error}") from None
    require(isinstance(proof, dict) and proof.get("format") == "bgrace proof", "not a proof of bgrace")
    version = proof.get("version")
    why = ", which says itself what the cube and winning are worth, and so proves nothing: write it again"
    why = why if version == 1 else f": this checks version {VERSION}"
    require(type(version) is int and version == VERSION, f"version {version}{why}")
    stated = proof.pop("sha256", None)
    counted = hashlib.sha256(json.dumps(proof, sort_keys=True).encode()).hexdigest()
    require(stated == counted, "the file has been changed or cut: its SHA-256 does not fit")
    keys = {"format", "version", "question", "on_roll", "opponent", "stakes", "shortlists", "bounds"}
    require(set(proof) == keys, f"a proof has {', '.join(sorted(keys))}, not {', '.join(sorted(proof))}")
    return proof


def listed_positions(listed: str, width: int) -> list[Counts]:
    """Read a shortlist: the checkers on each point from the ace point up, in hexadecimal digits."""
    words = listed.split(" ")
    require(len(words) <= MAX_POSITIONS, f"a shortlist of more than {MAX_POSITIONS:,} positions is too large to check")
    require(all(len(word) == width and set(word) <= set("0123456789abcdef") for word in words), "not a shortlist")
    return [tuple(int(digit, 16) for digit in word.ljust(POINTS, "0")) for word in words]


def bounds_of(proof: dict[str, Any], stakes: Stakes) -> list[dict[str, float]]:
    """Work out the least and the greatest value of each state, widened for rounding."""
    starts = [tuple(proof[name]) for name in ("on_roll", "opponent")]
    sides = [side_of(start) for start in starts]
    games = [(sides[0], sides[1])]
    lists = proof["shortlists"]
    if lists is not None:
        require(len(lists) == 2, "one shortlist for each side")
        first, second = (
            side.confined(listed_positions(text, max(point for point, n in enumerate(start, 1) if n)))
            for side, text, start in zip(sides, lists, starts, strict=True)
        )
        games = [(first, sides[1]), (sides[0], second)]
    for one, other in games:
        check_memory(len(one.positions), len(other.positions), len(stakes.states))
    values = [solve(*game, stakes) for game in games]
    low, high = {}, {}
    for name, state in stakes.states.items():
        ends = [end for won, lost in state.wins for end in (won, -lost)]
        low[name] = max(values[0][name] - ROUNDING * state.unit, min(ends))
        high[name] = min(values[-1][name] + ROUNDING * state.unit, max(ends))
    return [low, high]


def check_memory(n: int, m: int, n_states: int) -> None:
    """Raise MemoryError before the work if the pairs take more memory than the machine has."""
    needed = 8 * n_states * n * m
    if hasattr(os, "sysconf") and needed > (memory := os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")):
        pairs = f"{n:,} x {m:,} pairs take {needed / 1e9:.1f} GB of memory"
        raise MemoryError(
            f"{pairs}, this machine has {memory / 1e9:.1f}: take a larger one, or prove with fewer --seconds"
        )


def decide(rolled: float, taken: float, stakes: Stakes) -> tuple[float, float, str]:
    """Return the value of a double after the better of take and beaver, that with the right to double, and the verdict.

    Equities within TIE are equal, and a tie is doubled and taken.
    """
    tie, passed = TIE * stakes.unit, stakes.passed
    beavers = stakes.beavers and taken < -tie
    answered = 2 * taken if beavers else taken
    if min(answered, passed) >= rolled - tie:
        verdict = "double/beaver" if beavers else "double/take" if taken <= passed + tie else "double/pass"
    else:
        verdict = "too good" if taken > passed + tie and rolled > passed else "no double"
    return answered, max(rolled, min(answered, passed)), verdict


def within_chances(low: float, high: float) -> Interval:
    return min(max(low, 0.0), 1.0), min(max(high, 0.0), 1.0)


def place_bounds(place: str, stakes: Stakes, rows: list[dict[str, float]]) -> dict[str, Any]:
    """Work out the bounds of a place of the cube."""
    state, rolled = stakes.states[place], stakes.ends(place, rows)
    turned = state.turned[0]
    if turned is None:
        return {"no_double": rolled, "value": rolled, "verdict": "no cube"}
    taken = stakes.ends(turned, rows, state.factor)
    answered, values, _ = zip(*(decide(rolled[k], taken[k], stakes) for k in range(2)), strict=True)
    verdicts = {decide(one, other, stakes)[2] for one in rolled for other in taken}
    return {
        "no_double": rolled,
        "double_take": answered,
        "value": values,
        "verdict": verdicts.pop() if len(verdicts) == 1 else None,
    }


def expected_bounds(stakes: Stakes, rows: list[dict[str, float]]) -> dict[str, Any]:
    """Work out the bounds that the file must have: unrounded intervals, and the proved verdicts."""
    low, high = rows
    expected: dict[str, Any] = {"win": within_chances((1 + low["win"]) / 2, (1 + high["win"]) / 2)}
    if stakes.gammons:
        won, lost = "gammon_win", "gammon_loss"
        expected[won] = within_chances(low[won] - high["win"], high[won] - low["win"])
        expected[lost] = within_chances(low["win"] - high[lost], high["win"] - low[lost])
    return expected | {place: place_bounds(place, stakes, rows) for place in stakes.places}


def check_bounds(stated: Any, expected: Any, exact: tuple[float, ...], name: str) -> None:
    """Compare bounds of the file with the expected ones; exact: values that are not computed."""
    if isinstance(expected, dict):
        require(isinstance(stated, dict) and set(stated) == set(expected), f"{name} are not of {', '.join(expected)}")
        for key, value in expected.items():
            check_bounds(stated[key], value, exact, f"{name}, {key}")
    elif isinstance(expected, tuple):
        require(isinstance(stated, list) and len(stated) == 2, f"{name}: {stated} is not an interval")
        for end, value, rounded in zip(stated, expected, (floor, ceil), strict=True):
            off = 0.0 if value in exact else EXACT
            ends = {rounded((value + sign * off) * BOUND_STEPS) / BOUND_STEPS for sign in (-1, 1)}
            fits = type(end) in (int, float) and any(abs(end - other) < EXACT for other in ends)
            require(fits, f"{name}: the bound is {end}, but proved is {ends.pop():.9f}")
    else:
        require(stated is None or type(stated) is str, f"{name} is {stated}")
        require(stated == expected, f"{name}: {stated} is not proved" if expected is None else f"{name} is {expected}")


def check(path: str) -> list[str]:
    """Check a proof, and return lines that say what it proves."""
    proof = read_proof(path)
    stakes = stakes_of(proof)
    question = question_of(proof)
    require(proof["question"] == question, f"the question is {question}")
    expected = expected_bounds(stakes, bounds_of(proof, stakes))
    check_bounds(proof["bounds"], expected, (0.0, 1.0, stakes.passed), "bounds")
    low, high = proof["bounds"]["win"]
    verdicts = [f"{place}: {expected[place]['verdict'] or 'the verdict is not proved'}" for place in stakes.places]
    table = [f"by its own match equities: {name} {chance}" for name, chance in proof["stakes"].get("table", {}).items()]
    return [f"holds: {question}: win {low:.9f} to {high:.9f}", *verdicts, *table]


def main(path: str) -> int:
    try:
        lines = check(path)
    except (BadProofError, OSError) as error:
        why = f"refused: {error}"
    except MemoryError as error:  # numpy's may have no text
        why = f"not checked: {error or 'there is not enough memory for the pairs of its positions'}"
    except MALFORMED as error:
        why = f"refused: not of the form of a proof: {error!r}"
    else:
        print(f"{path}: " + "\n  ".join(lines))
        return 0
    print(f"{path}: {why}")
    return 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
