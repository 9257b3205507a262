"""Whether reasons add up, and which term decides how often: measure_reasons.py [RACES] [--every N] [--counts].

Every race of data/recorded-races.txt for money with the cube in the middle, where its sides are at home with all pairs
or by turns, within `--seconds` each.  Prints the greatest difference of the sum of terms from the margin of
`CubeAction`, a table of terms that decide, and what reasons take beside the answer.  With --counts also: for wrong
advice of players' counts, which part of the count is wrong, and in how much of it the true number repairs the advice.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

from options import read_options
from random_races import RECORDED

import bgrace
from bgrace._base.language import words
from bgrace.analysis import COUNT_NAMES, judge_counts
from bgrace.answers.alone import follow_alone
from bgrace.board import parse_board


class Measured(NamedTuple):
    """What one race says."""

    off_by: float
    decides: dict[str, str | None]
    consistent: bool
    answer_seconds: float
    reason_seconds: float
    culprits: tuple[tuple[str, str], ...] = ()  # count and the part of it that is wrong, for each wrong advice


def culprits(solution: bgrace.Solution) -> Iterator[tuple[str, str]]:
    """Each wrong advice of a count, and what is wrong with it."""
    judged = judge_counts(solution, (follow_alone(solution.on_roll).epc, follow_alone(solution.opponent).epc))
    for name, losses in judged.losses.items():
        for decision, loss in losses.items():
            if loss:
                culprit = judged.culprits.get(name, {}).get(decision)
                yield name, "none named" if culprit is None else culprit.term


def measure(race: str, seconds: float, *, counts: bool = False) -> Measured:
    """Answer a race, and hold its reasons against the answer."""
    board = parse_board(race)
    start = time.process_time()
    solution = bgrace.solve(board.on_roll, board.opponent, seconds=seconds, threads=1)
    action = solution.cube_action("centered")
    middle = time.process_time()
    reasons = solution.reasons_at("centered")
    end = time.process_time()
    assert reasons is not None
    assert action.double_margin is not None
    assert action.take_margin is not None
    margins = {"double": (reasons.double, action.double_margin), "take": (reasons.take, action.take_margin)}
    off_by = max(abs(sum(reason.terms.values()) - margin) for reason, margin in margins.values())
    consistent = all(
        reason.needed is None or (reason.chance >= reason.needed) == (reason.margin >= 0) or abs(reason.margin) < 1e-4
        for name, (reason, _) in margins.items()
        if not (name == "double" and action.verdict == "too good")
    )
    decides = {name: reason.decides for name, (reason, _) in margins.items()}
    wrong = tuple(culprits(solution)) if counts else ()
    return Measured(off_by, decides, consistent, middle - start, end - middle, wrong)


def main() -> None:
    """Measure and print."""
    options = read_options(__doc__, "races?", every=1, seconds=0.05, threads=2, counts=False)
    races = (options.races or RECORDED).read_text(encoding="utf-8").split()[:: options.every]
    with ProcessPoolExecutor(options.threads) as pool:
        ask = partial(measure, seconds=options.seconds, counts=options.counts)
        found = list(pool.map(ask, races, chunksize=16))
    tables = {name: Counter(one.decides[name] or "none alone" for one in found) for name in ("double", "take")}
    spent = [sum(seconds) for seconds in zip(*((one.answer_seconds, one.reason_seconds) for one in found), strict=True)]
    print(f"{len(races)} races: terms add up to the margin within {max(one.off_by for one in found):.1e} points")
    print(f"chance on the wrong side of the one that is needed: {sum(not one.consistent for one in found)}")
    print(f"answers {spent[0]:.1f} s, their reasons {spent[1]:.1f} s of processor time")
    texts = words()["terms"]
    print(f"\n| without which the decision would be another | {' | '.join(tables)} |\n|---|---|---|")
    for name in [*texts, "none alone"]:
        shares = [100 * table[name] / len(races) for table in tables.values()]
        if any(shares):
            print(f"| {texts.get(name, name)} | {' | '.join(f'{share:.1f} %' for share in shares)} |")
    if options.counts:
        print_counts(Counter(culprit for one in found for culprit in one.culprits))


def print_counts(wrong: Counter[tuple[str, str]]) -> None:
    """Print a table of what is wrong with each count."""
    terms = ("gammons", "wastage", "on_roll", "opponent", "limit", "both", "none named")
    print(f"\n| wrong advice of | {' | '.join(terms)} |\n|---{'|---' * len(terms)}|")
    for name in COUNT_NAMES:
        print(f"| {COUNT_NAMES[name]} | {' | '.join(str(wrong[name, term]) for term in terms)} |")
    total = {term: sum(n for (_, of), n in wrong.items() if of == term) for term in terms}
    n = sum(total.values())
    alone = n - total["both"] - total["none named"]
    played = n - total["gammons"]
    print(f"| all | {' | '.join(str(total[term]) for term in terms)} |")
    print(f"one true number repairs {100 * alone / max(n, 1):.1f} % of the advice")
    print(
        f"without gammons {100 * (alone - total['gammons']) / max(played, 1):.1f} %, two numbers "
        f"{100 * (played - total['none named']) / max(played, 1):.1f} %"
    )


if __name__ == "__main__":
    main()
