"""The page of reference positions: `bgrace report --positions`, and printed numbers beside exact ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations_with_replacement
from statistics import mean

from matplotlib.figure import Figure

import bgrace
from bgrace.answers.alone import follow_alone
from bgrace.counts import is_pippish
from bgrace_apps.studies.reference_positions import reference
from pages import ROOT, markdown, read_csv

PAGES = ("reference-positions",)
_KEYS = ("shapes", "rolls", "money")
_PRINTED = {1: 0.0, 2: -4.0, 3: -6.5, 4: -10.0}
"""By the number of stragglers: the addition to their pips and 3.5 a checker."""


def tables() -> dict[str, str]:
    """Make a table for each section, and one of printed numbers."""
    sections = reference(scores=[]).sections()
    tables = {
        key: f"{note}\n\n{markdown(heads, rows, 2)}"
        for key, (_, note, (heads, *rows)) in zip(_KEYS, sections, strict=True)
    }
    printed = [*_trice(), *_stragglers(), _peelle(), _last_takes()]
    return {**tables, "printed": markdown(["printed", "exact", ""], printed, 3)}


def pictures() -> dict[str, Figure]:
    """Return none: this page has no pictures."""
    return {}


def _epc(*counts: int) -> float:
    return follow_alone(bgrace.Position(counts)).epc


def _trice() -> list[list[str]]:
    off = [abs(_epc(2 * n) - 7 * n - 1) for n in (1, 2, 3, 7)]
    listed = ", ".join(f"{each:.3f}" for each in off[:3])
    return [
        ["*n* rolls: EPC 7 *n* + 1 (Trice)", f"off by {listed}, ... {off[3]:.6f} for 7", "holds"],
        ["five on the ace point, one on 17: 38.078 (Zare)", f"{_epc(5, *[0] * 15, 1):.3f}", "holds"],
    ]


def _stragglers() -> Iterator[list[str]]:
    for n, printed in _PRINTED.items():
        off = []
        for aces in range(5, 16 - n):
            for points in combinations_with_replacement(range(4, 7), n):
                counts = [aces, 0, 0, *(points.count(point) for point in (4, 5, 6))]
                off.append(_epc(*counts) - 3.5 * (aces + n) - sum(points))
        added = f"less {-printed:g}" if printed else "no more"
        exact = f"{mean(off):+.2f} ({min(off):+.2f} to {max(off):+.2f})"
        apart = printed - mean(off)
        says = "holds" if abs(apart) < 0.3 else f"{abs(apart):.1f} too {'high' if apart > 0 else 'low'}"
        yield [f"{n} straggler{'s' if n > 1 else ''}: {added}", exact, says]


def _peelle() -> list[str]:
    rows = [row.values() for row in read_csv(ROOT / "tests" / "golden" / "ace_point.csv")]
    off = [
        abs(float(chance) - bgrace.solve(f"1x{own}", f"1x{2 * k + 1}").win_probability)
        for own, chances in rows
        for k, chance in enumerate(chances.split())
    ]
    return [
        f"{len(off)} chances of stacks on both ace points (Peelle)",
        f"off by {max(off):.4f} at most",
        "rounding: holds",
    ]


def _last_takes() -> list[str]:
    """Compare stacks of 8 to 14 with smooth positions, either side on roll."""
    chosen, space = random.Random(1), bgrace.PositionSpace(points=6, checkers=11)
    smooth = [position for k in chosen.sample(range(len(space)), 4000) if is_pippish(position := space.position(k))]
    smooth = [position for position in smooth if position.checkers >= 5]
    wrong, n = [], 0
    for rolls in range(4, 8):
        stack = bgrace.Position([2 * rolls])
        for position in smooth:
            lead = follow_alone(position).epc - _epc(2 * rolls)
            for pair, deficit in (((stack, position), lead), ((position, stack), -lead)):
                if abs(deficit - (rolls - 3)) > 3:
                    continue
                margin = bgrace.solve(*pair, seconds=0.1).cube_action().take_margin or 0.0
                n += 1
                wrong += [abs(margin)] if (margin > 0) != (deficit <= rolls - 3) else []
    return [
        "last take: rolls less 3, in EPC, pips against rolls (Trice)",
        f"wrong in {len(wrong)} of {n} near it, {max(wrong):.3f} points at most, {mean(wrong):.3f} on average",
        "nearly",
    ]
