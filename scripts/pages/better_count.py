"""The page about a better count: data/count-front.csv as a table and a picture, and a card to print."""

from __future__ import annotations

from typing import Final

from matplotlib.figure import Figure

from bgrace._base.language import words
from bgrace_apps.plot.canvas import COLOURS, figure
from pages import ROOT, markdown, read_csv

PAGES = ("better-count",)

_CARD: Final = (
    ("Each side", "pips, and"),
    ("+1", "each checker, 12 at most"),
    ("+2", "each checker but one on the ace point"),
    ("+1", "each checker but one on the deuce point"),
    ("+1", "an empty 4 point, an empty 5 point"),
    ("at least", "7 for every two checkers, rounded up, and 1"),
    ("On roll, add", "a fifth of your pips; from 40 on a tenth and 4"),
)
_LIMITS: Final = (
    ("double", "if at most 6 behind"),
    ("redouble", "if at most 5 behind"),
    ("take", "if the roller is 2 behind or more"),
)
_CHANCE: Final = "Chance of the roller: 82 %, less 2 % for each pip behind."
_EXAMPLE: Final = (
    "On roll 39 pips, ten checkers, no penalty: 49, and a fifth of 39 is 56.8.",
    "Against 44 pips, ten checkers, no penalty: 54.  2.8 behind: redouble, take, 76 %.",
)


def front() -> list[dict[str, str]]:
    """Every count, in the order of steps."""
    return sorted(read_csv(ROOT / "data" / "count-front.csv"), key=lambda row: int(row["steps"]))


def title(row: dict[str, str]) -> str:
    """The name of a count, or in short what was found."""
    return words()["counts"].get(row["name"], "found") if row["name"] else "found"


def tables() -> dict[str, str]:
    """All counts but those of pips alone."""
    shown = [
        row
        for row in front()
        if row["name"] not in ("eight_nine_twelve", "nack57", "ten_percent", "kleinman", "trice62")
    ]
    rows = [
        [
            f"**{title(row)}**" if row["name"] == "grace" else title(row),
            row["steps"],
            f"{row['loss']} ± {row['error']}",
            row["best_limits"],
            row["played_long"],
            row["played_short"],
        ]
        for row in shown
        if row["name"] or int(row["steps"]) in (20, 24, 28, 36)
    ]
    return {"front": markdown(["count", "steps", "recorded", "best limits", "31 pips on", "to 30"], rows)}


def pictures() -> dict[str, Figure]:
    """The front, and the card."""
    return {"count-front.svg": _front(), "count-card.svg": _card()}


def _front() -> Figure:
    drawn, panels = figure(1, 2, size=(10, 4.2))
    drawings = (
        ("loss", "recorded races, unseen", (12, 15, 20, 30, 40, 60)),
        ("played_long", "played races, 31 pips and more", (1.2, 1.5, 2, 3, 4, 6)),
    )
    for panel, (column, heading, ticks) in zip(panels, drawings, strict=True):
        rows = front()
        found = [row for row in rows if not row["name"] or row["name"] == "grace"]
        known = [row for row in rows if row["name"] and row["name"] != "grace"]
        best: list[dict[str, str]] = []
        for row in found:
            if not best or float(row[column]) < float(best[-1][column]):
                best.append(row)
        panel.step(*_at(best, column), where="post", color=COLOURS[1], label="best found")
        panel.plot(*_at(found, column), "o", color=COLOURS[1], markersize=4)
        panel.plot(*_at(known, column), "s", color=COLOURS[0], label="known, as published")
        if column == "loss":
            limited = [row for row in known if row["best_limits"]]
            panel.plot(
                *_at(limited, "best_limits"), "D", color="white", markeredgecolor=COLOURS[0], label="with best limits"
            )
        pips = [row for row in known if row["looks"] == "0"]
        named = [(title(row), row) for row in [*known, *found] if row["name"] and row not in pips]
        for name, row in [*named, ("pips alone", max(pips, key=lambda row: float(row[column])))]:
            place = float(row["steps"]), float(row[column])
            panel.annotate(name, place, xytext=(6, 4), textcoords="offset points", fontsize="small")
        panel.set_yscale("log")
        panel.set_yticks(ticks, [str(tick) for tick in ticks])
        panel.minorticks_off()
        panel.set_title(heading, fontsize="medium")
        panel.set_xlabel("steps")
        panel.set_ylabel("loss, thousandths of the cube")
    panels[0].legend(fontsize="small")
    return drawn


def _at(rows: list[dict[str, str]], column: str) -> tuple[list[int], list[float]]:
    return [int(row["steps"]) for row in rows], [float(row[column]) for row in rows]


def _card() -> Figure:
    drawn = Figure(figsize=(5.2, 3.35))
    drawn.patch.set_edgecolor("0.4")
    drawn.patch.set_linewidth(2)
    drawn.text(0.05, 0.9, "The Grace count", fontsize=15, weight="bold", color=COLOURS[0])
    for line, (what, rule) in enumerate(_CARD):
        drawn.text(0.05, 0.82 - 0.066 * line, what, fontsize=9.5, weight="bold")
        drawn.text(0.27, 0.82 - 0.066 * line, rule, fontsize=9.5)
    for line, (what, rule) in enumerate(_LIMITS):
        drawn.text(0.05, 0.335 - 0.062 * line, what, fontsize=9.5, weight="bold", color=COLOURS[1])
        drawn.text(0.27, 0.335 - 0.062 * line, rule, fontsize=9.5)
    for line, text in enumerate((_CHANCE, *_EXAMPLE)):
        drawn.text(0.05, 0.14 - 0.048 * line, text, fontsize=7.2, color="0.25")
    return drawn
