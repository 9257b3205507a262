"""``bgrace windows``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any, Final

import click
from rich.table import Table
from rich.text import Text

from bgrace._base.frames import csv_text
from bgrace.cli.options import NumbersCommand, check_option, json_option, refuse
from bgrace.cli.output import emit, eprint
from bgrace.cli.screen import Block, Note, columns
from bgrace.cube import race
from bgrace.database.database import open as open_database
from bgrace_apps import plot as pictures
from bgrace_apps.cli.plot import check_picture, picture_option
from bgrace_apps.studies.race_windows import DECISIONS, RULES, PositionWindow, rows_by_lead, study

_FIRST: Final = 20
"""Where the table begins: with fewer pips the position matters more than its pips."""

_LIMIT: Final = 200
"""Where it ends."""

_MIN_PAIRS: Final = 1000
"""Least number of contested pairs for a line of the table of positions."""


@click.command(cls=NumbersCommand)
@click.argument("pips", metavar="[K S]", nargs=-1, type=int)
@click.option("--limit", type=click.IntRange(1), help=f"Maximum pip count of the doubler.  [default: {_LIMIT}]")
@click.option("--from", "first", type=click.IntRange(1), help=f"Minimum pip count of the doubler.  [default: {_FIRST}]")
@click.option(
    "--positions",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The windows of real positions in expected pips (EPC), from the two-sided table of a database, and what the "
    "single-checker advice costs there.",
)
@picture_option("FILE")
@click.option("--csv", "as_csv", is_flag=True, help="Print the result as CSV.")
@check_option
@json_option
def windows(
    *,
    pips: tuple[int, ...],
    limit: int | None,
    first: int | None,
    positions: Path | None,
    plot: Path | None,
    as_csv: bool,
    checked: bool,
    as_json: bool,
) -> None:
    """Show when to double, redouble and take in a race.

    Without K and S, prints the doubling table: for each lead, the doubler's pips at which it is enough to double,
    enough to redouble, and still a take.  With them, answers for a player on roll with K pips against S.  Pip
    counts are those of the single-checker model, which wastes nothing: add to yours for gaps and stacks, and below
    about 20 pips look at the position instead.

    \b
    Examples:
      bgrace windows
      bgrace windows 58 66
      bgrace windows --limit 130 --csv
      bgrace windows --plot windows.svg
      bgrace windows --positions bearoff.h5
    """  # noqa: D301
    if len(pips) not in (0, 2):
        raise click.UsageError(f"{' '.join(map(str, pips))} is not a pair of pip counts: give two, such as 58 66")
    if as_csv and as_json:
        raise click.UsageError("--csv and --json are two answers: give one of them")
    if pips and positions:
        raise click.UsageError("--positions prints a table of all positions: leave out K and S, or ask bgrace query")
    if checked and not positions:
        raise click.UsageError("--check is for the database of --positions: leave it out")
    if pips or positions:
        given = {"--limit": limit is not None, "--from": first is not None}
        refuse(given, "{} is for the doubling table: leave {} out, or K and S, or --positions")
    first, limit = first or _FIRST, limit or _LIMIT
    if first > limit - (plot is not None):
        needed = "give from <= limit" if plot is None else "a picture needs from < limit"
        raise click.UsageError(f"--from {first} --limit {limit} leave nothing: {needed}")
    check_picture("--plot", plot, [] if positions is None else [positions])
    if positions is not None:
        draw = _positions(positions, checked, as_csv, as_json)
    elif pips:
        draw = _pair(pips[0], pips[1], as_csv, as_json)
    else:
        draw = _table(first, limit, as_csv, as_json)
    if plot is not None:
        eprint(f"picture: {pictures.canvas.save(draw(), plot)}")


# ---- the table of the single-checker model


def _table(first: int, limit: int, as_csv: bool, as_json: bool) -> Callable[[], Any]:
    records = race.solve(0).windows(limit)[first:]
    rows = [record.to_dict() for record in records]
    shown = _columns("lead", "double", "redouble", "take")
    for cells in rows_by_lead(records):
        shown.add_row(*cells)
    head = Text("Pips of the player on roll, by the lead", style="bold")
    note = Note("double and redouble with at least this lead; take against at most this lead.")
    _print({"from": first, "limit": limit, "windows": rows}, rows, [head, "", shown, note], as_csv, as_json)
    return lambda: pictures.race.windows(limit, first)


# ---- one pair


def _pair(k: int, s: int, as_csv: bool, as_json: bool) -> Callable[[], Any]:
    if not (1 <= k <= race.MAX_PIPS and 1 <= s <= race.MAX_PIPS):
        raise click.UsageError(f"{k} against {s}: give pip counts from 1 to {race.MAX_PIPS:,}")
    advice = race.solve(max(k, s)).advice(k, s)
    answer = advice.to_dict()
    rows = [{name: value for name, value in answer.items() if not isinstance(value, dict)}]
    shown = _columns("", "no double", "double/take", "double/pass")
    for label, action in (("centered cube", advice.centered), ("own cube", advice.mine)):
        shown.add_row(label, *(f"{each:+z.4f}" for each in (action.no_double, action.double_take, action.double_pass)))
    if min(k, s) < _FIRST:
        text = f"with fewer than {_FIRST} pips the position matters more than its pips: see bgrace query"
    else:
        text = (
            "pips of checkers that waste nothing; real ones waste more, and with raw counts this takes too often: "
            "ask bgrace solve with both positions"
        )
    wins = f"  wins {100 * advice.win_probability:.1f} % without a cube"
    _print(answer, rows, [Text(str(advice), style="bold"), wins, "", shown, Note(text)], as_csv, as_json)
    return lambda: pictures.race.windows(min(max(150, k), race.MAX_WINDOWS), min(_FIRST, k), (k, s))


# ---- real positions


def _positions(file: Path, checked: bool, as_csv: bool, as_json: bool) -> Callable[[], Any]:
    with open_database(file, verify=checked) as db:
        studied = study(db)
    groups = studied.by_epc(_MIN_PAIRS) or studied.by_epc(1)
    shown = _columns("EPC", "double", "redouble", "take", "wrong: pips", "SCM", "lead")
    for group in groups:
        take = group.accuracy["take"]
        shown.add_row(
            f"{group.label}",
            *("" if isnan(lead := getattr(group, name)) else f"{lead:+z.1f}" for name in DECISIONS),
            *(f"{100 * take[rule].wrong:.1f} %" for rule in RULES),
        )
    title = f"Real positions of up to {studied.checkers} checkers, by expected pips (EPC) of the player on roll"
    note = Note(
        "leads are the opponent's EPC less the player's.  Wrong takes, of contested pairs: by the single-checker "
        "table and raw pips, by that table and EPC, and by the lead given here."
    )
    answer = {
        "checkers": studied.checkers,
        "pairs": int(studied.on_roll.size),
        "by_epc": [group.to_dict() for group in groups],
        "by_shape": [group.to_dict() for group in studied.by_shape()],
    }
    rows = [_flat(group) for group in groups]
    _print(answer, rows, [Text(title, style="bold"), "", shown, note], as_csv, as_json)
    return lambda: pictures.race.positions(studied, min(group.pairs for group in groups))


def _flat(group: PositionWindow) -> dict[str, object]:
    answer = group.to_dict()
    row: dict[str, object] = {"epc": answer["label"], "pairs": group.pairs}
    row |= {decision: answer[decision] for decision in DECISIONS}
    for decision, rules in group.accuracy.items():
        for rule, accuracy in rules.items():
            row |= {f"{decision}_{rule}_{name}": value for name, value in accuracy.to_dict().items()}
    return row


# ---- output


def _columns(first: str, *others: str) -> Table:
    return columns("right" if first else "left", *["right"] * len(others), heads=(first, *others))


def _print(
    answer: Mapping[str, object],
    rows: Sequence[Mapping[str, object]],
    blocks: Sequence[Block],
    as_csv: bool,
    as_json: bool,
) -> None:
    """Print an answer; its rows, if it is wanted as CSV."""
    if as_csv:
        click.echo(csv_text([rows[0], *(row.values() for row in rows)]), nl=False)
    else:
        emit(answer, as_json, lambda *_: blocks)
