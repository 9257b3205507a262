"""Positions and pairs as tables for a reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from textwrap import wrap
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bgrace.analysis import PairAnalysis
from bgrace.answers import PositionAnswer
from bgrace.board import gnubg_position_id
from bgrace.board.plays import Play
from bgrace.cli.output import bar, columns, print_lines, print_table
from bgrace.cube.action import CubeAction
from bgrace.errors import PositionError

__all__ = ["loss_text", "percent_text", "print_pair", "print_position", "shown_rolls"]

_MAX_PLAYS: Final = 10
"""Plays that a table lists; JSON lists all."""

_SHOWN_CHANCE: Final = 0.00005
"""Smaller chances would print as 0.00 %."""

_ROUNDING: Final = 1e-9
"""Points per unit of the cube that float64 may be off by."""

_LABELS: Final = 14
"""Columns that the names of values take, on the left of a pair."""

_ROOMY: Final = _LABELS + 2 * 20
"""Columns from which the tables of a pair need not be squeezed."""

_CHOICES: Final = {"no_double": "no double", "double_take": "double/take", "double_pass": "double/pass"}

_VERDICTS: Final = {
    "no double": "no double",
    "double/take": "double, take",
    "double/pass": "double, pass",
    "too good": "too good to double",
    "no cube": "no cube to turn",
}


# ---------------------------------------------------------------------- one position


def print_position(sink: Console, answer: PositionAnswer) -> None:
    """Print what is known about one position."""
    print_lines(Text(str(answer.position), style="bold"), "")
    facts = columns("left", "left")
    for label, value in _facts(answer):
        facts.add_row(Text(label, style="dim"), value)
    print_table(facts)
    sink.print()
    print_table(_distribution(sink, answer))
    if answer.plays is not None and answer.roll is not None:
        sink.print()
        print_lines(Text(f"Roll {answer.roll[0]}-{answer.roll[1]}, by the EPC left", style="bold"))
        # Without an opponent a play is worth minus the pips that it leaves.
        print_table(_plays(answer.plays, ("EPC left", "pips lost"), lambda value: f"{-value:.4f}"))
        _print_rest(answer.plays)


def _facts(answer: PositionAnswer) -> list[tuple[str, str]]:
    facts = [
        ("counts", ",".join(map(str, answer.position))),
        ("checkers", f"{answer.position.checkers}"),
        ("index", f"{answer.index}"),
        ("pips", f"{answer.pips}"),
        ("EPC", f"{answer.epc:.3f}"),
        ("wastage", f"{answer.wastage:.3f}"),
        ("mean rolls", f"{answer.mean_rolls:.4f}"),
        ("sd of rolls", f"{answer.sd_rolls:.4f}"),
    ]
    if answer.first_checker_distribution is not None:
        chances = [
            f"{n}: {100 * chance:.1f} %"
            for n, chance in enumerate(answer.first_checker_distribution)
            if chance >= 10 * _SHOWN_CHANCE
        ]
        facts.append(("first off in", ", ".join(chances)))
    return facts


def _distribution(sink: Console, answer: PositionAnswer) -> Table:
    chances = answer.roll_distribution.tolist()
    off_by = list(accumulate(chances))
    table = columns("right", "right", "right", "left")
    heads = ("rolls", "chance", "off by then", "")
    table.add_row(*(Text(head, style="dim") for head in heads))
    width = max(10, min(60, sink.width - 34))
    for n in shown_rolls(chances):
        table.add_row(
            f"{n}",
            f"{100 * chances[n]:.2f} %",
            f"{100 * min(off_by[n], 1.0):.2f} %",
            bar(chances[n] / max(chances), width, sink.options.ascii_only),
        )
    return table


def shown_rolls(*distributions: Sequence[float]) -> range:
    """Numbers of rolls whose chance is worth a line, in any of the distributions."""
    shown = [n for chances in distributions for n, chance in enumerate(chances) if chance >= _SHOWN_CHANCE]
    return range(min(shown), max(shown) + 1)


def _wrapped(text: str, width: int) -> str:
    """Break a list of chances into lines, each between two of them."""
    return "\n".join(wrap(text.replace(": ", ":\0").replace(" %", "\0%"), width)).replace("\0", " ")


# ---------------------------------------------------------------------- two positions


def print_pair(sink: Console, answer: PairAnalysis) -> None:
    """Print what is known about two positions."""
    solution = answer.solution
    print_table(_sides(sink, answer))
    sink.print()
    source = Text("estimate, one-sided", style="yellow")
    if solution.method == "turns":
        source = Text(f"turn by turn, equities within {max(solution.error, 1e-4):.4f}", style="yellow")
    elif solution.method != "one-sided":
        source = Text(f"exact, {solution.method}", style="green")
    chance = Text(f"{100 * solution.win_probability:.2f} %", style="bold")
    print_lines(Text.assemble(("Win probability", "bold"), "  ", chance, "  ", source))
    if answer.equities is not None and solution.stakes.score is None:
        sink.print()
        print_lines(Text.assemble(("Equity", "bold"), ("  points per unit of the cube, before the roll", "dim")))
        table = columns("right", "right", "right", "right")
        values = answer.equities.to_dict()
        width = 9 if sink.width >= _ROOMY else 8
        table.add_row(*(Text(f"{name:>{width}}", style="dim") for name in values))
        table.add_row(*(f"{value:+.4f}" for value in values.values()))
        print_table(table)
    if answer.cube_action is not None and (answer.cube != "none" or solution.stakes.score is not None):
        sink.print()
        _print_cube_action(answer, answer.cube_action)
    if solution.is_over:
        sink.print()
        print_lines("The game is over.")
    if answer.plays is not None and answer.roll is not None:
        sink.print()
        print_lines(Text.assemble((f"Roll {answer.roll[0]}-{answer.roll[1]}", "bold"), _how(answer)))
        if solution.stakes.score is None:
            print_table(_plays(answer.plays, ("equity", "loss"), lambda value: f"{value:+.4f}"))
        else:
            print_table(_plays(answer.plays, ("match", "equity", "loss"), lambda value: f"{value:+.4f}"))
        _print_rest(answer.plays)


def _how(answer: PairAnalysis) -> str:
    if answer.solution.stakes.score is not None:
        return ""
    if answer.plays_method == "one-sided":
        return ", estimates, one-sided, without a cube"
    return ", without a cube" if answer.plays_cube == "none" else f", cube {answer.plays_cube}"


def _sides(sink: Console, answer: PairAnalysis) -> Table:
    sides = (answer.on_roll, answer.opponent)
    roomy = sink.width >= _ROOMY
    width = max(20 if roomy else 16, min(44, (sink.width - _LABELS - 2) // 2))
    table = Table(box=None, show_header=False, pad_edge=roomy, padding=(0, 0, 0, 2))
    table.add_column(width=_LABELS - 2 if roomy else max(8, min(_LABELS - 2, sink.width - 2 * width)))
    table.add_column(width=width - 2)
    table.add_column(width=width - 2)
    table.add_row("", *(Text(name, style="bold") for name in ("on roll", "opponent")))
    table.add_row(Text("position", style="dim"), *(Text(str(side.position), style="bold") for side in sides))
    mine, theirs = (dict(_facts(side)) for side in sides)
    for label in mine | theirs:  # a side of 15 checkers has one more
        values = (_wrapped(facts.get(label, ""), width - 2) for facts in (mine, theirs))
        table.add_row(Text(label, style="dim"), *values)
    identifier = _gnubg_id(answer)
    if identifier:
        table.add_row(Text("GNU ID", style="dim"), identifier)
    table.add_row()
    table.add_row(Text("off in rolls", style="dim"))
    chances = [side.roll_distribution.tolist() for side in sides]
    most = max(map(max, chances))
    for n in shown_rolls(*chances):
        cells = [
            Text.assemble(f"{100 * row[n]:6.2f} %  ", bar(row[n] / most, width - 12, sink.options.ascii_only))
            if n < len(row) and row[n] >= _SHOWN_CHANCE
            else Text("      -", style="dim")
            for row in chances
        ]
        table.add_row(Text(f"{n}", justify="right"), *cells)
    return table


def _gnubg_id(answer: PairAnalysis) -> str | None:
    try:
        return gnubg_position_id(answer.on_roll.position, answer.opponent.position)
    except PositionError:  # on many points the sides may not have passed each other
        return None


def _print_cube_action(answer: PairAnalysis, action: CubeAction) -> None:
    stakes, verdict = answer.solution.stakes, (_VERDICTS[action.verdict], "bold green")
    at_score = stakes.score is not None and stakes.met is not None
    if stakes.met is None:
        print_lines(Text.assemble((f"Cube action, cube {action.cube}", "bold"), "  ", verdict))
    else:
        print_lines(
            Text.assemble(
                (f"Match, {action.score}", "bold"),
                (f"  cube {action.cube_value} {action.cube}, table {stakes.met.name}", "dim"),
            ),
            Text.assemble(
                ("Cube action", "bold"),
                "  ",
                (action.verdict.replace("/", ", "), "bold green"),
                (f"  {action.reason}" if action.reason else "", "dim"),
            ),
        )
    table = columns("left", "right", "right", "left") if at_score else columns("left", "right", "left")
    if at_score:
        table.add_row("", Text("match", style="dim"), Text("equity", style="dim"), "")
    for name, remark in _remarks(action).items():
        value = getattr(action, name)
        shown = [f"{value:+.4f}"]
        if action.normalised is not None:
            equity = getattr(action.normalised, name)
            shown = [percent_text(value), "" if equity is None else f"{equity:+.4f}"]
        table.add_row(_CHOICES[name], *shown, Text(remark, style="dim"))
    print_table(table)


def _remarks(action: CubeAction) -> dict[str, str]:
    """For each choice that there is, what it costs whoever makes it wrongly."""
    if action.double_take is None:
        return {"no_double": ""}
    remarks: dict[str, list[str]] = {"no_double": [], "double_take": [], "double_pass": []}
    double, take = action.double_margin, action.take_margin
    if double is not None and take is not None:
        right, wrong = ("double_take", "double_pass") if action.take else ("double_pass", "double_take")
        # What each side gives up by the choice that is not its best one; where two are equal, either will do.
        if action.double:
            remarks["no_double"].append(loss_text(double))
        else:
            remarks[right].append(f"doubling {loss_text(-double)}")
        remarks[wrong].append(f"{'passing' if action.take else 'taking'} {loss_text(abs(take))}")
    return {name: ", ".join(said) for name, said in remarks.items()}


def percent_text(chance: float) -> str:
    """Write a chance in percent."""
    return f"{100 * chance:.2f} %"


def loss_text(equity: float) -> str:
    """Tell what a choice gives up, in points per unit of the cube; where two are equal, either will do."""
    if equity <= _ROUNDING:
        return "is just as good"
    return f"loses {equity:.4f}" if equity >= 0.00005 else "loses less than 0.0001"


# ---------------------------------------------------------------------- plays


def _plays(plays: Sequence[Play], heads: tuple[str, ...], shown: Callable[[float], str]) -> Table:
    table = columns("right", "left", *["right"] * len(heads), "left")
    table.add_row("", *(Text(head, style="dim") for head in ("play", *heads, "leaves")))
    for k, play in enumerate(plays[:_MAX_PLAYS], 1):
        table.add_row(
            Text(f"{k}", style="dim"),
            Text(play.play, style="" if play.loss else "bold green"),
            *([] if play.mwc is None else [percent_text(play.mwc)]),
            shown(play.equity),
            f"{play.loss:.4f}" if play.loss else "",
            Text(str(play.position), style="dim"),
        )
    return table


def _print_rest(plays: Sequence[Play]) -> None:
    more = len(plays) - _MAX_PLAYS
    if more > 0:
        print_lines(Text(f"     and {more} more, which --json lists", style="dim"))
