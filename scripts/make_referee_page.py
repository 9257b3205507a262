"""Judge the rules for races: the tables in docs/referee.md and its pictures.

    python scripts/make_referee_page.py            writes them
    python scripts/make_referee_page.py --check    changes nothing; exit status 1 if a table is out of date
    python scripts/make_referee_page.py --database full.h5
                                                   prints what a larger two-sided table says; changes nothing

A table stands between <!-- table: name --> and <!-- end -->.  Builds two databases of half a gigabyte in a temporary
folder, one of all pairs of at most ten checkers a side and one with checkers outside, and takes about two minutes and
3 GB of memory in all.  The sample is drawn with a fixed seed, so the tables are the same every time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
from pages import DOCS, PICTURES, ROOT, fill, markdown

import bgrace
from bgrace.board import Position
from bgrace.plot import referee as pictures
from bgrace.plot.canvas import save
from bgrace.studies.race_windows import DECISIONS
from bgrace.studies.referee import Judged, Losses, Report, even_races, judge, played_races

PAGE = DOCS / "referee.md"
CHECKERS = 10
GAMES = 20_000
PAIRS = 200_000
LONG, SHORT = (31, 150), (1, 30)
LABELS = ("1-10", "11-20", "21-30", "31-45", "46-60")
FORMULAS = ("kleinman", "kleinman_4", "adjusted", "least_squares", "single_checker", "improved", "isight", "thorp")


def counts(position: Position) -> str:
    home = position[:6] if not any(position[6:]) else position
    return ",".join(map(str, home))


def losses(found: Losses) -> str:
    return f"{100 * found.wrong:.1f} %, {found.cost:.2f}"


def shifts(rule: Judged) -> str:
    if rule.name == "never" or rule.unit == "points":
        return ""
    scale, form = (1, "{:+.1f}") if rule.unit == "pips" else (100, "{:+.1f} %")
    # Rounded first, so that there is no -0.0.
    return ", ".join(form.format(round(scale * rule.best_shift[decision], 1) + 0.0) for decision in DECISIONS)


def ranked(report: Report) -> str:
    head = ["rule", "loss", "behind", "double", "redouble", "take", "with best limits", "which are more by"]
    rows = [
        [
            f"*{rule.title}*" if rule.kind == "yardstick" else rule.title,
            f"{rule.cost:.2f} ± {rule.error:.2f}",
            f"{rule.behind:+.2f} ± {rule.behind_error:.2f}" if rule.behind else "",
            *(losses(found) for found in (rule.double, rule.redouble, rule.take)),
            "" if rule.name == "never" else f"{rule.best_cost:.2f}",
            shifts(rule),
        ]
        for rule in report.rules
    ]
    return markdown(head, rows)


def kinds(report: Report, everywhere: Report, even: Report) -> str:
    sizes = report.wastages
    head = [
        "rule",
        *(f"wastage {label} ({pairs:,})" for label, pairs in sizes.items()),
        f"all pairs ({everywhere.judged_pairs:,})",
        "chances as in real games",
        f"drawn evenly ({even.judged_pairs:,})",
    ]
    rows = [
        [
            rule.title,
            *(f"{cost:.1f}" for cost in rule.cost_by_wastage.values()),
            f"{everywhere[rule.name].cost:.1f}",
            f"{rule.cost_in_real_games:.1f}",
            f"{even[rule.name].cost:.1f}",
        ]
        for rule in report.rules
    ]
    return markdown(head, rows)


def chances(report: Report, long: Report) -> str:
    head = ["formula", "mean size", "rms", "mean", "from 31 pips: mean size", "rms", "mean", "worst of all", "where"]
    rows = []
    for rule in sorted(
        (rule for rule in report.rules if rule.chance is not None and rule.chance.rms > 0),
        key=lambda rule: long[rule.name].chance.rms,  # type: ignore[union-attr]
    ):
        here, there = rule.chance, long[rule.name].chance
        assert here is not None
        assert there is not None
        numbers = [here.mean, here.rms, here.bias, there.mean, there.rms, there.bias]
        rows.append(
            [
                rule.title,
                *(f"{100 * value:{'+' if k % 3 == 2 else ''}.2f} %" for k, value in enumerate(numbers)),
                f"{100 * here.worst:+.0f} %",
                " v ".join(counts(position) for position in here.worst_pair),
            ]
        )
    return markdown(head, rows)


def claims(report: Report) -> str:
    rows = [
        [
            claim.title,
            f"{100 * claim.claimed:.1f} %",
            f"{100 * claim.too_much:.1f} %",
            f"{100 * claim.missed:.0f} %",
            f"{100 * claim.least:.0f} %",
        ]
        for claim in report.claims
    ]
    return markdown(["rule", "claims", "wrongly", "misses", "95 % of the claims have at least"], rows)


def epc(report: Report) -> str:
    rows = [
        [
            each.title,
            f"{each.constant:+.2f}",
            f"{each.deviation:.2f}",
            f"{each.worst:+.1f}",
            counts(each.worst_position),
        ]
        for each in report.epc
    ]
    return markdown(["count", "EPC is more by", "standard deviation", "worst", "where"], rows)


def reference(report: Report, outside: Report) -> str:
    rows = []
    for title, each in (("all home, up to ten a side", report), ("some outside, six a side", outside)):
        assert each.reference is not None
        costs = each.reference.cost_by_length
        rows.append([title, *(f"{costs[label]:.3f}" if each.lengths.get(label, 0) >= 1000 else "" for label in LABELS)])
    return markdown(["loss of the stand-in, by pips", *LABELS], rows)


def sample(report: Report, long: Report, short: Report) -> str:
    rows = [
        ["pairs of positions", *(f"{each.judged_pairs:,}" for each in (report, long, short))],
        ["with exact equities", *(f"{100 * each.exact:.0f} %" for each in (report, long, short))],
        *(
            [f"{name} is right", *(f"{100 * each.right[name]:.1f} %" for each in (report, long, short))]
            for name in DECISIONS
        ),
    ]
    return markdown(
        [f"of {report.pairs:,} pairs of {report.games:,} games", "in question", "31 pips on", "to 30"], rows
    )


def judged_outside(folder: str) -> Report:
    """Six checkers a side on ten points, where everything is exact; only pairs with a checker outside."""
    path = Path(folder, "outside.h5")
    bgrace.build(path, points=10, checkers=6, two_sided=6)
    with bgrace.open(path) as db:
        races = played_races(db, GAMES)
    outside = np.add(*(races.positions(side)[:, 6:].sum(axis=1) for side in ("on_roll", "opponent"))) > 0
    chosen = {
        field.name: getattr(races, field.name)[outside]
        for field in fields(races)
        if field.name not in ("space", "mean_rolls", "variance_rolls")
    }
    return judge(replace(races, **chosen), ["keith"])


def judged(db: bgrace.Database) -> dict[str, Report]:
    races = played_races(db, GAMES)
    return {
        "in question": judge(races),
        "long": judge(races, pips=LONG),
        "short": judge(races, pips=SHORT),
        "everywhere": judge(races, everywhere=True),
        "even": judge(even_races(db, PAIRS)),
    }


def written(reports: dict[str, Report]) -> dict[str, str]:
    all_of_them, long, short = (reports[name] for name in ("in question", "long", "short"))
    return {
        "sample": sample(all_of_them, long, short),
        "long": ranked(long),
        "short": ranked(short),
        "kinds": kinds(all_of_them, reports["everywhere"], reports["even"]),
        "chances": chances(all_of_them, long),
        "claims": claims(all_of_them),
        "epc": epc(all_of_them),
        "reference": reference(all_of_them, reports["outside"]),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Judge the rules for races for docs/referee.md.")
    parser.add_argument("--check", action="store_true", help="change nothing; say whether the tables are up to date")
    parser.add_argument("--database", type=Path, help="print what this database says; change nothing")
    arguments = parser.parse_args()
    if arguments.database:
        with tempfile.TemporaryDirectory() as folder, bgrace.open(arguments.database) as db:
            for name, table in written({**judged(db), "outside": judged_outside(folder)}).items():
                print(f"\n{name}\n\n{table}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "referee.h5")
        bgrace.build(path, two_sided=CHECKERS)
        with bgrace.open(path) as db:
            reports = {**judged(db), "outside": judged_outside(folder)}
    old = PAGE.read_text(encoding="utf-8")
    new = fill(old, written(reports))
    if arguments.check:
        print("docs/referee.md is up to date" if new == old else "docs/referee.md is out of date")
        return int(new != old)
    PAGE.write_text(new, encoding="utf-8")
    PICTURES.mkdir(exist_ok=True)
    panels = {"31 pips and more": reports["long"], "up to 30 pips": reports["short"]}
    for name, drawn in (
        ("referee-ranking", pictures.ranking(panels)),
        ("referee-lengths", pictures.by_length(reports["in question"])),
        ("referee-chances", pictures.chances(reports["in question"], FORMULAS)),
    ):
        print(save(drawn, PICTURES / f"{name}.svg").relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
