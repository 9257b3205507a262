"""Search for a count that a player can do over the board, and hold it against those that players know.

    python scripts/search_count.py truths FILE.h5 TRUTHS.npz [RACES]   equities of recorded and of played races
    python scripts/search_count.py search TRUTHS.npz [--descents 40]   writes data/found-counts.json: the best by steps
    python scripts/search_count.py front TRUTHS.npz                    writes data/count-front.csv, by unseen races

FILE has a two-sided table, the larger the better (`bgrace build FILE.h5 --two-sided 15`): its pairs are looked up,
others solved or, of played races, estimated.  RACES has one GNU Backgammon ID of position and match a line, in the
order of the games.  `front` takes half of them, which `search` never looks at: races of every second match.  A match
begins where the length changes or the sum of the scores falls.  docs/better-count.md says what steps and losses are.
"""

from __future__ import annotations

import csv
import json
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from options import run_command
from random_races import RECORDED

import bgrace
from bgrace import counts
from bgrace._base.arrays import Booleans, Floats, Integers
from bgrace.answers.alone import follow_alone
from bgrace.board import parse_board, parse_position
from bgrace.board.gnubg_ids import read_match_id
from bgrace.studies.referee import SEED, Races, played_races

DATA: Final = RECORDED.parent
FOUND: Final = DATA / "found-counts.json"
FRONT: Final = DATA / "count-front.csv"
GAMES: Final = 6000
SECONDS: Final = 0.03
CLOSE: Final = 2e-4
"""Points that a wrong decision loses at least, as the referee has it."""

DECISIONS: Final = ("double", "redouble", "take")
QUESTION: Final = (0.5, 0.95)
HEAD: Final = (
    *("name", "steps", "looks", "operations", "loss", "error", "best_limits"),
    *("played_long", "played_short", "score", "chance_off", "rule"),
)

STEPS: Final = {
    # Looks at the board and operations, as docs/better-count.md counts them; pips are given.
    "eight_nine_twelve": (0, 3),
    "ten_percent": (0, 4),
    "trice62": (0, 5),
    "nack57": (0, 5),
    "kleinman": (0, 7),
    "thorp": (6, 13),
    "keith": (8, 14),
    "ward": (10, 21),
    "isight": (14, 18),
    "effective_by_hand": (6, 20),
}

# ---- truths


def matches(ids: Sequence[str]) -> Integers:
    """Number the matches; two that cannot be told apart have one number."""
    states = [read_match_id(each.split(":")[1]) for each in ids]
    begins = [new.match_length != old.match_length or sum(new.score) < sum(old.score) for old, new in pairwise(states)]
    return np.concatenate([[0], np.cumsum(begins)])


def truths(file: Path, out: Path, races: Path = RECORDED) -> None:
    """Answer every race for money and at its own stakes."""
    ids = races.read_text(encoding="utf-8").split()
    sides = np.zeros((len(ids), 2, 24), dtype=np.int8)
    money, score = np.zeros((len(ids), 4)), np.full((len(ids), 4), np.nan)
    with bgrace.open(file) as db:
        for row, each in enumerate(ids):
            board = parse_board(each)
            for place, side in enumerate((board.on_roll, board.opponent)):
                sides[row, place, : len(side)] = side
            money[row] = _money(db, board)
            score[row] = _score(board)
        made: dict[str, Any] = {"sides": sides, "money": money, "score": score, "match": matches(ids)}
        for name, seed in (("searched", SEED - GAMES), ("played", SEED)):
            made |= {f"{name}_{key}": values for key, values in _played(played_races(db, GAMES, seed)).items()}
    np.savez_compressed(out, **made)


def _money(db: bgrace.Database, board: bgrace.Board) -> tuple[float, ...]:
    """The chance, and equities without a double with the cube in the middle, with an own one, and of a take."""
    pair = board.on_roll, board.opponent
    held = all(not any(side[6:]) and side.checkers <= db.two_sided_checkers for side in pair)
    told: Any = db if held else bgrace.solve(*pair, bgrace.Rules(gammons=False), seconds=SECONDS, threads=1)
    ask = (lambda place: db.cube_action(*pair, place)) if held else told.cube_action
    centered, mine = ask("centered"), ask("mine")
    win = db.win_probability(*pair) if held else told.win_probability
    return float(win), centered.no_double, mine.no_double, centered.double_take or 0.0


def _score(board: bgrace.Board) -> tuple[float | None, ...]:
    """At its own stakes the margins of double and take, and the chances from which on they are right."""
    solution = bgrace.solve(board, seconds=SECONDS, threads=1)
    place = "centered" if solution.stakes.cube_value == 1 else "mine"
    action = solution.cube_action(place) if place in solution.stakes.cubes else None
    reasons = solution.reasons_at(place) if action is not None else None
    if action is None or reasons is None or action.verdict == "too good":
        return (None,) * 4
    return action.double_margin, action.take_margin, reasons.double.needed, reasons.take.needed


def _played(races: Races) -> dict[str, Any]:
    chosen = races.in_question
    sides = [races.space.position(side[chosen]) for side in (races.on_roll, races.opponent)]
    money = [getattr(races, name)[chosen] for name in ("win", "no_double", "no_redouble", "double_take")]
    return {"sides": np.stack(sides, axis=1).astype(np.int8), "money": np.stack(money, axis=1)}


# ---- losses


class Side:
    """One side of many races, and what a count may ask about it."""

    def __init__(self, board: Integers) -> None:
        self.board = board.astype(np.int64)
        self.pips = self.board @ np.arange(1, self.board.shape[1] + 1)
        self.checkers = self.board.sum(axis=1)

    def ask(self, term: str) -> Any:
        """`1>2`: checkers on the ace point beyond two; `c12`: checkers, 12 at most; `g45`: gaps; `cross`overs."""
        if ">" in term:
            points, free = term.split(">")
            return sum(np.maximum(self.board[:, int(point) - 1] - int(free), 0) for point in points)
        if term[0] == "c" and term[1:].isdigit():
            return np.minimum(self.checkers, int(term[1:]))
        if term[0] == "g":
            return sum((self.board[:, int(point) - 1] == 0).astype(np.int64) for point in term[1:])
        if term == "odd":
            return self.checkers % 2
        quarters = np.arange(self.board.shape[1]) // 6
        return self.board @ (quarters if term == "cross" else np.minimum(quarters, 1))


class Sample:
    """Decisions in question, and what they lose in points."""

    def __init__(self, sides: Integers, money: Floats) -> None:
        self.chosen = chosen = (money[:, 0] >= QUESTION[0]) & (money[:, 0] <= QUESTION[1])
        self.sides = sides[chosen]
        self.own, self.other = Side(self.sides[:, 0]), Side(self.sides[:, 1])
        self.win, no_double, no_redouble, double_take = money[chosen].T
        doubled = np.minimum(double_take, 1)
        self.gain = {"double": doubled - no_double, "redouble": doubled - no_redouble, "take": 1 - double_take}

    def lost(self, decision: str, says: Booleans | bool) -> Floats:
        """Points lost by saying yes or no."""
        lost = np.where(says, -1, 1) * self.gain[decision]
        return np.where(lost > CLOSE, lost, 0)

    def play(self, says: Mapping[str, Booleans]) -> Any:
        """Thousandths lost by the double, and by the take where it comes to that; mean of both places of the cube."""
        take = self.lost("take", says["take"])
        return 500 * sum(self.lost(name, says[name]) + says[name] * take for name in ("double", "redouble"))


Limits = tuple[float, float, float]


def decided(lead: Floats, limits: Limits, take_lead: Floats | None = None) -> dict[str, Booleans]:
    """What a lead says, taken or not by another one."""
    margin = lead if take_lead is None else take_lead
    return {"double": lead >= limits[0], "redouble": lead >= limits[1], "take": margin <= limits[2]}


class Fit:
    """Chooses limits: every `1 / parts` of a pip, the least loss by weights of the decisions."""

    def __init__(self, sample: Sample, weights: Floats, parts: int = 2) -> None:
        self.parts, self.low, self.n = parts, -16 * parts, 32 * parts + 1
        self.costs = {name: [weights * sample.lost(name, says) for says in (True, False)] for name in DECISIONS}

    def _best(self, margin: Floats, yes: Floats, no: Floats) -> tuple[float, float, Booleans]:
        cell = np.clip(np.floor(margin * self.parts + 1e-6).astype(np.int64) - self.low + 1, 0, self.n)
        said = np.bincount(cell, yes, self.n + 1)
        cost = np.cumsum(np.bincount(cell, no, self.n + 1))[:-1] + said.sum() - np.cumsum(said)[:-1]
        least = int(cost.argmin())
        return (self.low + least) / self.parts, float(cost[least]), cell > least

    def limits(self, lead: Floats, take_lead: Floats | None = None) -> tuple[float, Limits]:
        """The loss, and limits of double, redouble and take."""
        weight: Any = 1.0
        take = self.costs["take"]
        margin = lead if take_lead is None else take_lead
        for _ in range(2):
            bound, _, takes = self._best(-margin, weight * take[0], weight * take[1])
            then = np.where(takes, *take)
            found = [self._best(lead, self.costs[d][0] + then, self.costs[d][1]) for d in ("double", "redouble")]
            weight = sum(says.astype(np.float64) for *_, says in found) / 2
        (double, one, _), (redouble, two, _) = found
        return (one + two) / 2, (double, redouble, -bound)


# ---- counts that are searched


@dataclass(frozen=True, slots=True)
class Found:
    """A count: pips and so much for each of `terms`, at least rolls times `least[0]` and `least[1]`.

    The player on roll adds the smaller of pips / charge[0] and pips / charge[1] + charge[2].
    """

    terms: tuple[tuple[str, int], ...]
    least: tuple[int, int] | None
    charge: tuple[int, int, int]
    limits: Limits = (0, 0, 0)

    def of(self, side: Side) -> Floats:
        """Count a side of every race."""
        count = side.pips + sum(factor * side.ask(term) for term, factor in self.terms)
        if self.least is not None:
            count = np.maximum(count, self.least[0] * ((side.checkers + 1) // 2) + self.least[1])
        return np.asarray(count, dtype=np.float64)

    def lead(self, sample: Sample) -> Floats:
        """The lead of the player on roll, charged."""
        pips = sample.own.pips
        first, second, more = self.charge
        return self.of(sample.other) - self.of(sample.own) - np.minimum(pips / first, pips / second + more)

    def __str__(self) -> str:
        terms = [f"{term} {factor:+}" for term, factor in self.terms]
        least = [] if self.least is None else ["least {} {:+}".format(*self.least)]
        return ", ".join([*terms, *least, "charge 1/{} or 1/{} {:+}".format(*self.charge)])

    @property
    def steps(self) -> tuple[int, int]:
        """Looks and operations."""
        looks = sum(len(term.split(">")[0]) if ">" in term else 1 for term, _ in self.terms)
        operations = looks + sum(factor not in (1, -1) for _, factor in self.terms)
        if self.least is not None:
            looks += all(term[0] != "c" or term == "cross" for term, _ in self.terms)
            operations += 3 + (self.least[1] != 0)  # halve, times, more, compare
        return 2 * looks, 2 * operations + (4 if self.charge[0] == self.charge[1] else 6)


_TERMS: Final = [
    *((f"{point}>{free}", factor) for point in range(1, 7) for free in range(6) for factor in (1, 2)),
    *((f"{points}>{free}", 1) for points in ("12", "23") for free in range(4)),
    *((f"g{points}", 1) for points in ("1", "2", "3", "4", "5", "6", "12", "23", "45", "56", "456")),
    *((f"c{most}", factor) for most in (6, 8, 10, 12, 15) for factor in (1, 2)),
    ("cross", 1), ("out", 1), ("odd", 1), ("odd", 2), *((f"{point}>0", -1) for point in range(3, 7)),
]  # fmt: skip
_LEAST: Final = [None, *((n, k) for n, least in ((6, -1), (7, -3), (8, -5)) for k in range(least, least + 5))]
_CHARGES: Final = [
    *((5, 10, 3), (5, 10, 4), (6, 10, 3), (6, 10, 4), (6, 12, 4), (6, 12, 5), (5, 12, 5)),
    *((n, n, 0) for n in (6, 7, 8, 9)),
]
_PRICES: Final = (0.002, 0.004, 0.008, 0.012)


class Search:
    """Descends from random counts, one part at a time, on the races that may be looked at.

    The objective is the loss beside that of Isight as published: recorded races weigh 45 %, played ones of 31 pips on
    30 %, shorter ones 25 %.  A step costs one of `_PRICES`.
    """

    def __init__(self, told: Mapping[str, Any]) -> None:
        recorded = told["match"] % 2 == 0
        parts = [
            (told["sides"][recorded], told["money"][recorded]),
            (told["searched_sides"][::3], told["searched_money"][::3]),
        ]
        self.sample = sample = Sample(
            np.concatenate([_wide(sides) for sides, _ in parts]), np.concatenate([money for _, money in parts])
        )
        first = np.arange(len(sample.win)) < len(Sample(*parts[0]).win)
        long = sample.own.pips > 30
        published = sample.play(known("isight", sample)[0])
        self.weights = np.zeros(len(first))
        for part, share in ((first, 0.45), (~first & long, 0.3), (~first & ~long, 0.25)):
            self.weights[part] = 1000 * share / published[part].sum()
        self.fit = Fit(sample, self.weights)
        self.known: dict[Found, tuple[float, Limits]] = {}

    def loss(self, count: Found) -> float:
        """Beside that of Isight, with the best limits."""
        if count not in self.known:
            self.known[count] = self.fit.limits(count.lead(self.sample))
        return self.known[count][0]

    def descend(self, parts: list[Any], price: float) -> None:
        """Change one part at a time for the better, until none is."""

        def made(parts: list[Any]) -> Found:
            return Found(tuple(sorted({term for term in parts[:-2] if term})), parts[-2], parts[-1])

        def worth(parts: list[Any]) -> float:
            count = made(parts)
            return self.loss(count) + price * sum(count.steps)

        now, before = worth(parts), np.inf
        while now < before:
            before = now
            for place in random.sample(range(len(parts)), len(parts)):
                of_place: dict[int, Sequence[Any]] = {len(parts) - 1: _CHARGES, len(parts) - 2: _LEAST}
                choices = of_place.get(place, [None, *_TERMS])
                for choice in choices:
                    other = [*parts[:place], choice, *parts[place + 1 :]]
                    if (then := worth(other)) < now - 1e-9:
                        now, parts = then, other

    def front(self) -> list[Found]:
        """The best counts, each better than all of fewer steps."""
        best: list[Found] = []
        for count in sorted(self.known, key=lambda each: (sum(each.steps), self.loss(each))):
            if not best or self.loss(count) < 0.99 * self.loss(best[-1]):
                best.append(count)
        return [replace(count, limits=self.known[count][1]) for count in best]


def search(truths: Path, *, descents: int = 40, seed: int = 1) -> None:
    """Search, and write what was found."""
    random.seed(seed)
    searched = Search(dict(np.load(truths)))
    for _ in range(descents):
        parts = [random.choice([None, *_TERMS]) for _ in range(random.randint(2, 5))]
        if random.random() < 0.6:
            parts[:2] = random.choice([("1>1", 2), ("1>0", 2), ("1>2", 2)]), random.choice([("2>1", 1), ("2>2", 1)])
        searched.descend([*parts, random.choice(_LEAST), random.choice(_CHARGES)], random.choice(_PRICES))
    found = [asdict(count) for count in searched.front()]
    FOUND.write_text("[\n" + ",\n".join(map(json.dumps, found)) + "\n]\n", encoding="utf-8")
    print(FOUND.read_text(encoding="utf-8"))


# ---- what they lose where nobody looked


def known(name: str, sample: Sample) -> tuple[dict[str, Booleans], Floats | None, tuple[Floats, Floats] | None]:
    """What a count of `bgrace.counts` says, its chance, and its lead before its limits and that of takes."""
    pair = sample.sides[:, 0], sample.sides[:, 1]
    if name == "kleinman":  # it says nothing up to 4 pips of both, where the player on roll wins
        reach = sample.own.pips + sample.other.pips > 4
        count: Any = counts.kleinman(pair[0][reach], pair[1][reach])
        says = {name: np.full(len(reach), name != "take") for name in DECISIONS}
        for decision in DECISIONS:
            says[decision][reach] = getattr(count, decision)
        win = np.ones(len(reach))
        win[reach] = count.win_probability
        return says, win, None
    function: Any = counts.trice62 if name == "nack57" else counts.COUNTS[name]
    count = function(*pair)
    says = {decision: np.asarray(getattr(count, decision)) for decision in DECISIONS}
    take_to = np.asarray(count.take_to, dtype=np.float64)
    if name == "nack57":
        reach = sample.own.pips >= 55
        take_to = take_to + np.zeros(len(reach))
        take_to[reach] = counts.nack57_take_point(sample.own.pips[reach])
        says["take"] = count.lead <= take_to
    lead = np.asarray(count.lead, dtype=np.float64)
    return says, count.win_probability, (lead - np.asarray(count.redouble_from), lead - take_to)


def front(truths: Path) -> None:
    """Judge all counts by races that were not looked at; limits at their best come from those that were."""
    told = dict(np.load(truths))
    unseen = told["match"] % 2 == 1
    learn, test = (Sample(told["sides"][half], told["money"][half]) for half in (~unseen, unseen))
    played = Sample(told["played_sides"], told["played_money"])
    long = played.own.pips > 30
    score = told["score"][unseen][test.chosen]
    match = told["match"][unseen][test.chosen]
    fit = Fit(learn, np.full(len(learn.win), 1000 / len(learn.win)), 4)
    rows = []

    def add(name: str, steps: tuple[int, int], rule: str, say: Callable[[Sample], Any]) -> None:
        says, win, leads = say(test)
        losses, elsewhere = test.play(says), played.play(say(played)[0])
        best = None
        if leads is not None:
            _, limits = fit.limits(*say(learn)[2])
            best = test.play(decided(leads[0], limits, leads[1])).mean()
        at_score = _at_score(score, win)
        off = None if win is None else 100 * float(np.sqrt(np.mean((np.clip(win, 0, 1) - test.win) ** 2)))
        numbers = (losses.mean(), _error(losses, match), best, elsewhere[long].mean(), elsewhere[~long].mean())
        rows.append([name, sum(steps), *steps, *(_text(each) for each in (*numbers, at_score, off)), rule])

    for name, steps in STEPS.items():
        add(name, steps, "", partial(known, name))
    grace = Found((("1>1", 2), ("2>1", 1), ("c12", 1), ("g45", 1)), (7, 1), (5, 10, 4))
    add("grace", grace.steps, str(grace), partial(known, "grace"))
    for each in json.loads(FOUND.read_text(encoding="utf-8")):
        count = Found(
            tuple((str(term), int(factor)) for term, factor in each["terms"]),
            None if each["least"] is None else (each["least"][0], each["least"][1]),
            tuple(each["charge"]),
            tuple(each["limits"]),
        )

        def say(sample: Sample, count: Found = count) -> Any:
            lead = count.lead(sample)
            return decided(lead, count.limits), None, (lead, lead)

        add("", count.steps, str(count), say)
    with FRONT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        file.write(f"# Counts by {len(test.win)} decisions of recorded races that no search has looked at, and by ")
        file.write(f"{len(played.win)} of {GAMES} played ones: scripts/search_count.py\n")
        rule, shapes = epc_errors(told["sides"][unseen])
        file.write(f"# EPC by hand at home is off by {rule:.2f} pips, by shapes by {shapes:.2f}\n")
        writer.writerow(HEAD)
        writer.writerows(rows)
    print(FRONT.read_text(encoding="utf-8"))


def epc_errors(sides: Integers) -> list[float]:
    """Root mean square errors of EPC at home by the rule of docs/better-count.md, and by the rules for shapes."""
    board, often = np.unique(sides.reshape(-1, 24), axis=0, return_counts=True)
    inside = board[:, 6:].sum(axis=1) == 0
    home, often = Side(board[inside]), often[inside]
    more = 2 * home.ask("1>1") + home.ask("2>1") + home.ask("2>2") / 2 + home.ask("3>2")
    rule = np.maximum(home.pips + 4 + home.ask("c8") / 2 + more, 7 * ((home.checkers + 1) // 2) + 1)
    positions = [parse_position(side) for side in home.board.tolist()]
    right, shapes = (np.array([ask(each).epc for each in positions]) for ask in (follow_alone, counts.estimate_epc))
    return [float(np.sqrt(np.average((each - right) ** 2, weights=often))) for each in (rule, shapes)]


def _at_score(score: Floats, win: Any) -> float | None:
    """Thousandths lost at the races' own stakes by a chance against the points of double and take there."""
    if win is None:
        return None
    there = ~np.isnan(score).any(axis=1)
    double, take, to_double, to_take = score[there].T
    says = np.asarray(win)[there] >= to_double, 1 - np.asarray(win)[there] >= to_take
    lost = [np.where(said, -margin, margin) for said, margin in zip(says, (double, take), strict=True)]
    first, second = (np.where(each > CLOSE, each, 0) for each in lost)
    return float(1000 * np.mean(first + says[0] * second))


def _error(losses: Floats, match: Integers) -> float:
    """Standard error of the mean, matches taken as drawn independently."""
    rest = np.bincount(match, losses - losses.mean())
    return float(np.sqrt((rest**2).sum()) / len(losses))


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _wide(sides: Any) -> Any:
    return np.pad(sides, ((0, 0), (0, 0), (0, 24 - sides.shape[2])))


if __name__ == "__main__":
    sys.exit(run_command(__doc__, truths, search, front))
