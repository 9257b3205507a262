"""Output for people: positions and pairs as text, tables without lines, bars and notes, drawn with rich.

It fits the width of the output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import accumulate
from math import ceil, floor, isnan
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from bgrace._base.language import decimal, percent, say
from bgrace.answers import Interval, PositionAnswer, Reasons, Solution
from bgrace.answers.pair import PairAnalysis
from bgrace.answers.reasons import NOTHING, closeness
from bgrace.board import board_text
from bgrace.board.dice import roll_name
from bgrace.board.plays import Play
from bgrace.cube.action import Cube, CubeAction, Equities
from bgrace.match.stakes import Stakes


class Note(str):
    """A note for the reader under a result."""

    __slots__ = ()


Block: TypeAlias = str | Text | Table
"""A part of a result, which are printed one below the other: a line, which is never broken, a table, or a note."""

_MAX_WIDTH: Final = 10_000
"""Number of columns that is enough for every table."""

_MIN_WIDTH: Final = 10
"""Least number of columns of a line: some shells report 0."""

_FOLDED: Final = 20
"""Number of columns at which a word is broken, in columns that allow it."""


_HELD: Final = "\ue000"
"""Replaces a blank at which no line may be broken; it is as wide, and does not occur in texts."""

_ENDS: Final = "、。」):ーァィゥェォッャュョっゃゅょ"
_PIECE: Final = re.compile(rf"[(「]*(?:[^\s\u3000-\u9fff\uff00-\uff60]+|\S)[{_ENDS}{_HELD}]*\s*")
"""A piece in which no line is broken: a word or a Japanese letter, with its punctuation."""


def console(width: int | None = None) -> Console:
    """The console of the current standard output; 80 columns wide, unless a terminal or COLUMNS has another width."""
    made = Console(highlight=False, markup=False, emoji=False, width=width)
    made.width = max(made.width, _MIN_WIDTH)
    return made


def columns(*justify: str, heads: Iterable[str] = ()) -> Table:
    """Make a table without lines, its columns two blanks apart, that begins two blanks from the left."""
    table = Table(box=None, show_header=False, pad_edge=True, padding=(0, 0, 0, 2))
    for side in justify:
        table.add_column(justify="right" if side == "right" else "left")
    if heads:
        table.add_row(*(head and Text(head, style="dim") for head in heads))
    return table


def wrapped(text: str, width: int) -> str:
    r"""Break text into lines of `width` columns, two for a Japanese letter, but not between a number and its unit.

    Japanese may be broken between any two letters, except before closing punctuation.

    Examples
    --------
    >>> wrapped("one two, three", 8).split("\n"), wrapped("手番側の勝率、", 12).split("\n")
    (['one two,', 'three'], ['手番側の勝', '率、'])
    """
    held = text.replace(": ", f":{_HELD}").replace(" %", f"{_HELD}%").replace("\u00a0", _HELD)
    lines = [""]
    for piece in _PIECE.findall(held):
        if cell_len(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines).lstrip("\n").replace(_HELD, " ")


def hanging(text: str, width: int) -> str:
    """Break text into lines, the first indented by two blanks, the others by four."""
    return "  " + wrapped(text, width - 4).replace("\n", "\n    ")


def bar(fraction: float, width: int, ascii_only: bool) -> Text:
    """Draw a horizontal bar: a fraction of `width` columns, to an eighth of one, or to a whole one in ASCII.

    The bar is visible unless the fraction is 0.

    Examples
    --------
    >>> bar(0.5, 5, False).plain, bar(0.5, 5, True).plain, bar(0.0001, 5, False).plain
    ('██▌', '##', '▏')
    """
    if ascii_only:
        return Text("#" * int(fraction * width), style="cyan")
    eighths = max(round(fraction * width * 8), 1 if fraction > 0 else 0)
    return Text("█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip(), style="cyan")


def show(*blocks: Block) -> None:
    """Print lines, which are not broken even if the output is narrow, tables, and notes."""
    sink = console()
    for block in blocks:
        if isinstance(block, Table):
            # rich has kept only the colours that this output can show.
            sink.file.write(f"{_text_of(block, sink.width)}\n")
        elif isinstance(block, Note):
            sink.print()
            sink.print(Text(f"Note: {block}", style="yellow"), soft_wrap=not sink.is_terminal)
        else:
            sink.print(block, soft_wrap=True)


def _text_of(table: Table, width: int) -> str:
    """Draw a table without blanks at the ends of lines, wider than the output if necessary.

    If the output is too narrow, text is broken between words; numbers, which are the columns justified right, are not.
    """
    sink = console(max(width, _fit(table, width)))
    with sink.capture() as captured:
        sink.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def _fit(table: Table, width: int) -> int:
    """Set the widths of a table's columns, and return the width of the table: `width`, or more if it needs that."""
    sink = console(_MAX_WIDTH)
    _, right, _, left = table.padding
    total = (left + right) * len(table.columns)
    least, widths = [], []
    for column in table.columns:
        needs = [Measurement.get(sink, sink.options, cell) for cell in column.cells]
        most = max((need.maximum for need in needs), default=0)
        if column.width is not None:
            most = column.width
        elif column.max_width is not None:
            most = min(most, column.max_width)
        whole = column.width is not None or column.no_wrap or column.justify == "right"
        longest_word = max((need.minimum for need in needs), default=0)
        if column.overflow == "fold":  # for words of any length, such as file names
            longest_word = min(longest_word, _FOLDED)
        least.append(most if whole else min(longest_word, most))
        widths.append(most)
    while total + sum(widths) > width and widths != least:
        widest = max((k for k in range(len(widths)) if widths[k] > least[k]), key=widths.__getitem__)
        widths[widest] -= 1
    for column, its_width in zip(table.columns, widths, strict=True):
        column.width = its_width
    return total + sum(widths)


_MAX_PLAYS: Final = 10
"""Most plays in a table; JSON lists all."""

_MAX_LACKS: Final = 3
"""Most plays that a sentence compares with the best one."""

_ROUNDING: Final = 1e-9
"""Rounding error of float64, in points per unit of the cube."""

_LABELS: Final = 14
"""Number of columns for the names of values, on the left of a pair."""

_ROOMY: Final = _LABELS + 2 * 20
"""Least number of columns for the full width of a pair's tables."""

_ROLLS: Final = ("terminal.alone.rolls", "terminal.alone.chance", "terminal.alone.by")

_CHANCES: Final = ("page.counts.columns.wins", "page.chances.gammon", "page.chances.backgammon")

_NOT_EXACT: Final = {"one-sided": ("one_sided", 4), "estimate": ("rough", 2), "turns": ("turns", 4)}
"""Key of the text about each method that is not exact, and digits of its error."""

_FIRST_FACTS: Final = ("pips", "epc", "wastage")
"""Numbers of each side of a pair that are shown without --all."""


def answer_blocks(answer: PositionAnswer | PairAnalysis, sink: Console, everything: bool) -> list[Block]:
    """The parts for one position, or for two; for two, with distributions and all numbers only if `everything`."""
    return _pair(answer, sink, everything) if isinstance(answer, PairAnalysis) else _position(answer, sink)


# ---------------------------------------------------------------------- one position


def _position(answer: PositionAnswer, sink: Console) -> list[Block]:
    facts = columns("left", "left")
    for name, value in _facts(answer):
        facts.add_row(_label(name), value)
    blocks: list[Block] = [Text(str(answer.position), style="bold"), "", facts, "", _distribution(answer, sink)]
    if answer.plays is not None and answer.roll is not None:
        # Without an opponent, the equity of a play is minus the pips that it leaves.
        heads = (say("terminal.alone.left"), say("terminal.alone.lost"))
        plays = _plays(answer.plays, heads, _pips_left)
        title = say("terminal.alone.roll", roll=roll_name(answer.roll))
        blocks += ["", Text(title, style="bold"), *plays]
    if answer.rolls is not None:
        blocks += ["", Text(say("terminal.best"), style="bold"), _best_of_rolls(answer.rolls, _pips_left)]
    return blocks


def _label(fact: str) -> Text:
    return Text(say(f"terminal.facts.{fact}"), style="dim")


def _facts(answer: PositionAnswer) -> list[tuple[str, str]]:
    """Numbers of one side, with their names in this thread's language."""
    facts = [
        ("counts", ",".join(map(str, answer.position))),
        ("checkers", f"{answer.position.checkers}"),
        ("index", f"{answer.index}"),
        ("pips", f"{answer.pips}"),
        ("epc", decimal(answer.epc, 3)),
        ("wastage", decimal(answer.wastage, 3)),
        ("mean_rolls", decimal(answer.mean_rolls, 4)),
        ("sd_rolls", decimal(answer.sd_rolls, 4)),
    ]
    if answer.first_checker_distribution is not None:
        chances = [
            f"{n}: {percent(chance)}"
            for n, chance in enumerate(answer.first_checker_distribution)
            if chance >= 10 * NOTHING
        ]
        facts.append(("first_off", say("phrases.comma").join(chances)))
    return facts


def _distribution(answer: PositionAnswer, sink: Console) -> Table:
    chances = answer.roll_distribution.tolist()
    off_by = list(accumulate(chances))
    heads = [*map(say, _ROLLS)]
    table = columns("right", "right", "right", "left", heads=(*heads, ""))
    width = max(10, min(60, sink.width - sum(max(cell_len(head), 7) + 2 for head in heads) - 3))
    for n in shown_rolls(chances):
        table.add_row(
            f"{n}",
            percent_text(chances[n]),
            percent_text(min(off_by[n], 1.0)),
            bar(chances[n] / max(chances), width, sink.options.ascii_only),
        )
    return table


def shown_rolls(*distributions: Sequence[float]) -> range:
    """Numbers of rolls whose chance is large enough for a line, in any of the distributions."""
    shown = [n for chances in distributions for n, chance in enumerate(chances) if chance >= NOTHING]
    return range(min(shown), max(shown) + 1)


# ---------------------------------------------------------------------- two positions


def _pair(answer: PairAnalysis, sink: Console, everything: bool) -> list[Block]:
    """The parts for a pair, in the order of a player's interest: board, stakes, verdict, then details."""
    solution = answer.solution
    board = board_text(answer.board, ascii_only=sink.options.ascii_only)
    blocks: list[Block] = [Text(stakes_text(solution.stakes, answer.cube), style="bold"), "", *board.splitlines(), ""]
    if answer.plays is not None and answer.roll is not None:
        blocks += [
            *_plays_of_roll(answer, answer.roll, answer.plays, sink),
            "",
            Text(say("page.dice.none"), style="bold"),
        ]
    if solution.is_over:
        blocks.append(say("terminal.over"))
    elif answer.cube_action is not None:
        proved = solution.bounds is not None and solution.bounds.cube(answer.cube).proved
        blocks += [*_cube_action(answer.cube_action, 0.0 if proved else solution.error), *_reasons(answer, sink)]
    blocks.append(Text(how_exact_text(solution), style="dim"))
    if solution.method in _NOT_EXACT:  # an exact answer needs no proof
        blocks += proof_blocks(solution, answer.cube)
    if answer.equities is not None:
        blocks += ["", *_equities(answer.equities, sink)]
    if answer.rolls is not None:
        blocks += ["", Text(say("terminal.best"), style="bold"), _best_of_rolls(answer.rolls, _worth)]
    blocks += ["", _sides(answer, sink, everything), ""]
    return [*blocks, f"  GNU Backgammon  {answer.board.gnubg_id()}", f"  eXtreme Gammon  {answer.board.xgid()}"]


def _plays_of_roll(answer: PairAnalysis, roll: tuple[int, int], plays: Sequence[Play], sink: Console) -> list[Block]:
    """The best play as a headline, and the table of plays: these come first if the dice are known."""
    names = ("equity" if answer.solution.stakes.score is None else "match", "loss")
    heads = tuple(say(f"page.plays.columns.{name}") for name in names)
    best = f"{say('phrases.colon')}{plays[0].play}"
    title = Text.assemble((say("terminal.roll", roll=roll_name(roll)), "bold"), (best, "bold green"))
    return [title, *_plays(plays, heads, _worth), *_worse_plays(answer, plays, sink)]


def _worse_plays(answer: PairAnalysis, plays: Sequence[Play], sink: Console) -> list[Block]:
    """Sentences why the plays next to the best are worse."""
    worse = [play for play in plays if play.loss > NOTHING][:_MAX_LACKS]
    lines: list[Block] = []
    for play in worse:
        text = f"{play.play}{say('phrases.colon')}{answer.solution.play_reason(plays[0], play).text()}"
        lines.append(hanging(text, sink.width))
    return ["", *lines] if lines else []


def stakes_text(stakes: Stakes, cube: Cube) -> str:
    """Write the stakes in players' words."""
    score = stakes.score
    words = "page.stakes.words"
    rules = {say(f"{words}.noGammons"): not stakes.rules.gammons}
    if score is None:
        game = say(f"{words}.money")
        rules |= {say(f"{words}.jacoby"): stakes.rules.jacoby, say(f"{words}.beavers"): stakes.rules.beavers}
    else:
        game = say(f"{words}.match", mine=score.on_roll_needs, theirs=score.opponent_needs)
        kinds = {say(f"{words}.crawford"): "Crawford", say(f"{words}.afterCrawford"): "post-Crawford"}
        kinds[say(f"{words}.doubleMatchPoint")] = "double match point"
        rules = {name: score.kind == kind for name, kind in kinds.items()} | rules
    text = say("phrases.comma").join([game, *(name for name, holds in rules.items() if holds)])
    place = "terminal.cube_out" if cube == "none" else f"{words}.cube.{cube}"
    return f"{text}{say('phrases.semicolon')}{say(place, value=stakes.cube_value)}"


def how_exact_text(solution: Solution) -> str:
    """Write the error of an answer and its source."""
    if solution.method in _NOT_EXACT:
        name, digits = _NOT_EXACT[solution.method]
        return f"  {say(f'terminal.{name}', error=decimal(max(solution.error, 0.0001), digits))}"
    stored = solution.method == "two-sided"
    if solution.error > 0 and stored:
        # Rounded up, except for the rounding of float64.
        text = say("page.verdict.methods.nearFile", error=decimal(ceil(round(solution.error * 1e4, 6)) / 1e4, 4))
    else:
        text = say(f"page.verdict.methods.{'exactFile' if stored else 'exact'}")
    return f"  {text}{say('phrases.end')}"


def proof_blocks(solution: Solution, cube: Cube) -> list[Block]:
    """The proved bounds with the cube in a place; bounds of values only if they are closer than the error."""
    bounds = solution.bounds
    if bounds is None:
        return []
    known = bounds.cube(cube)
    words = "terminal.proof"
    low, high = _outward(bounds.win)
    title = f"  {say(f'{words}.win', low=decimal(100 * low, 2), high=percent_text(high))}"
    values = columns("left", "left")
    if known.verdict == "no cube":
        values.add_row(f"  {say(f'{words}.value')}", _between(known.value))
        return [title, values] if _is_closer(known.value, solution) else [title]
    for name in ("no_double", "double_take"):
        interval = getattr(known, name)
        if _is_closer(interval, solution):
            values.add_row(f"  {say(f'{words}.{name}')}", _between(interval))
    seconds = str(bounds.seconds).replace(".", say("decimal_point"))
    verdict = say(f"{words}.{'yes' if known.proved else 'no'}", seconds=seconds)
    return [title, *([values] if values.row_count else []), f"  {verdict}"]


def _is_closer(interval: Interval, solution: Solution) -> bool:
    """Whether bounds of a value are closer than the error of the answer, if it has one."""
    unit = (solution.stakes.payoff(1) - solution.stakes.payoff(-1)) / 2
    return not solution.error or interval.width <= 2 * solution.error * unit + _ROUNDING


def _outward(interval: Interval) -> tuple[float, float]:
    """Round an interval outward to four decimals."""
    return floor(1e4 * interval.low) / 1e4, ceil(1e4 * interval.high) / 1e4


def _between(interval: Interval) -> str:
    low, high = (decimal(bound, 4, "+") for bound in _outward(interval))
    return say("terminal.proof.between", low=low, high=high)


def _chances(solution: Solution) -> list[tuple[str, ...]]:
    """The chances of both sides; those of gammons and backgammons if they are above 0 or unknown."""
    pairs: list[tuple[float | None, float | None]] = [
        (solution.win_probability, 1 - solution.win_probability),
        (solution.gammon_win, solution.gammon_loss),
        (solution.backgammon_win, solution.backgammon_loss),
    ]
    return [
        (say(name), *("-" if chance is None else percent_text(chance) for chance in pair))
        for name, pair in zip(_CHANCES, pairs, strict=True)
        if any(chance is None or chance >= NOTHING for chance in pair)
    ]


def _equities(equities: Equities[float], sink: Console) -> list[Block]:
    at_score = equities.normalised is not None
    unit = say(f"terminal.{'worth_match' if at_score else 'worth_money'}")
    names = ("cubeless", "centered", "mine", "theirs")
    named = {say(f"page.equities.columns.{name}"): getattr(equities, name) for name in names}
    values = {name: value for name, value in named.items() if not isnan(value)}
    width = 9 if sink.width >= _ROOMY else 8
    table = columns(*["right"] * len(values), heads=[f"{name:>{width}}" for name in values])
    table.add_row(*(percent_text(value) if at_score else decimal(value, 4, "+") for value in values.values()))
    return [Text(unit, style="bold"), table]


def _loss_of(play: Play, best: Play) -> str:
    """The loss of a play, in the unit of its value; empty for the best."""
    if not play.loss:
        return ""
    return decimal(play.loss, 4) if play.mwc is None or best.mwc is None else percent_text(best.mwc - play.mwc)


def _pips_left(play: Play) -> str:
    """The pips that a play leaves."""
    return decimal(-play.equity, 4)


def _worth(play: Play) -> str:
    return decimal(play.equity, 4, "+") if play.mwc is None else percent_text(play.mwc)


def _best_of_rolls(rolls: Mapping[tuple[int, int], Sequence[Play]], shown: Callable[[Play], str]) -> Table:
    table = columns("left", "left", "right")
    for roll, plays in rolls.items():
        best = plays[0]
        table.add_row(Text(roll_name(roll), style="dim"), best.play, shown(best))
    return table


def _sides(answer: PairAnalysis, sink: Console, everything: bool) -> Table:
    sides = (answer.on_roll, answer.opponent)
    roomy = sink.width >= _ROOMY
    width = max(20 if roomy else 16, min(44, (sink.width - _LABELS - 2) // 2))
    table = Table(box=None, show_header=False, pad_edge=roomy, padding=(0, 0, 0, 2))
    table.add_column(width=_LABELS - 2 if roomy else max(8, min(_LABELS - 2, sink.width - 2 * width)))
    table.add_column(width=width - 2)
    table.add_column(width=width - 2)
    table.add_row("", *(Text(say(f"page.race.{name}"), style="bold") for name in ("you", "opponent")))
    for name, *both in _chances(answer.solution):
        table.add_row(Text(name, style="dim"), *both)
    mine, theirs = (dict(_facts(side)) for side in sides)
    others = [name for name in mine | theirs if name not in _FIRST_FACTS] if everything else []
    for name in [*_FIRST_FACTS, *others]:
        table.add_row(_label(name), *(wrapped(facts.get(name, ""), width - 2) for facts in (mine, theirs)))
    if not everything:
        return table
    table.add_row(_label("position"), *(str(side.position) for side in sides))
    table.add_row()
    table.add_row(_label("off"))
    chances = [side.roll_distribution.tolist() for side in sides]
    most = max(map(max, chances))
    for n in shown_rolls(*chances):
        cells = [
            Text.assemble(f"{percent_text(row[n]):>8}  ", bar(row[n] / most, width - 12, sink.options.ascii_only))
            if n < len(row) and row[n] >= NOTHING
            else Text("      -", style="dim")
            for row in chances
        ]
        table.add_row(Text(f"{n}", justify="right"), *cells)
    return table


def verdict_text(action: CubeAction, error: float = 0.0) -> str:
    """Write a cube decision in players' words.

    A choice is optional if the difference in points is smaller than can be printed, or than an error that no player
    would notice.  A greater difference that is smaller than the error is too close to call.

    Examples
    --------
    >>> from bgrace.cube.action import decide
    >>> verdict_text(decide(0.2, 0.1)), verdict_text(decide(0.8, 1.1, cube="mine")), verdict_text(decide(1.2, 1.9))
    ('No double, take', 'Redouble, pass', 'Too good to double, pass')
    >>> verdict_text(decide(0.5, 0.50001)), verdict_text(decide(0.3, 0.2, cube="theirs"))
    ('Optional double, take', 'No cube to turn')
    >>> verdict_text(decide(0.5, 0.52), 0.03)
    'Double, take, too close to call within 0.03'
    """
    double, take = action.double_margin, action.take_margin
    if double is None or take is None or action.double is None:
        if not action.reason:
            return say("terminal.no_cube")
        at_score = "crawford" if "Crawford" in action.reason else "dead"
        why = action.cube if action.cube in ("none", "theirs") else at_score
        reason = say(f"page.verdict.noCube.{why}", value=action.cube_value or 1)
        return f"{say('terminal.no_cube')}{say('phrases.colon')}{reason}"
    close = closeness(error)
    answer = "optionalTake" if abs(take) <= close else "beaver" if action.beaver else "take" if action.take else "pass"
    good = "optional" if abs(double) <= close else "yes" if action.double else "no"
    good = "good" if action.verdict == "too good" else good
    again = "redouble" if action.cube == "mine" else "double"
    parts = [say(f"page.verdict.{again}.{good}"), say(f"page.verdict.{answer}")]
    if any(close < abs(margin) <= error for margin in (double, take)):
        parts.append(say("page.verdict.tooClose", error=decimal(error, 2 if error >= 0.01 else 4)))
    return say("phrases.comma").join(parts)


def _cube_action(action: CubeAction, error: float) -> list[Block]:
    verdict = Text(verdict_text(action, error), style="bold green")
    if action.double_take is None:
        return [verdict]
    table = columns("left", "right", "left")
    again = "redouble" if action.cube == "mine" else "double"
    doubled, taken, passed = (
        say(f"report.choices.{name}") for name in (again, "beaver" if action.beaver else "take", "pass")
    )
    names = {
        "no_double": say(f"report.choices.no {again}"),
        "double_take": say("phrases.comma").join((doubled, taken)),
        "double_pass": say("phrases.comma").join((doubled, passed)),
    }
    for name, remark in _remarks(action).items():
        value = getattr(action, name)
        shown = decimal(value, 4, "+") if action.normalised is None else percent_text(value)
        table.add_row(names[name], shown, Text(remark, style="dim"))
    return [verdict, table]


def _reasons(answer: PairAnalysis, sink: Console) -> list[Block]:
    """The reasons of the double, and of the take if there is one to decide."""
    reasons = answer.solution.reasons_at(answer.cube)
    if reasons is None:
        return []
    lines = [*str(reasons).splitlines(), *_tie_text(reasons)]
    return ["", *(wrapped(line, sink.width - 2).replace("\n", "\n  ") for line in lines), ""]


def _tie_text(reasons: Reasons) -> list[str]:
    """Number of pips by which the closer of both decisions differs from a tie, if there is such a number."""
    near = min((reasons.double, reasons.take), key=lambda reason: abs(reason.margin))
    name = "double" if near is reasons.double else "take"
    return [] if near.pips is None else [say(f"turn.{name}", pips=abs(near.pips))]


def _remarks(action: CubeAction) -> dict[str, str]:
    """For each choice, the cost of a mistake."""
    remarks = dict.fromkeys(("no_double", "double_take", "double_pass"), "")
    double, take = action.double_margin, action.take_margin
    shown: Callable[[float], str] = partial(decimal, digits=4)
    taken, passed = action.double_take, action.double_pass
    if action.normalised is not None and taken is not None and passed is not None:
        shown, double, take = percent_text, min(taken, passed) - action.no_double, passed - taken
    if double is not None and take is not None:
        right, wrong = ("double_take", "double_pass") if action.take else ("double_pass", "double_take")
        # The cost of each side's wrong choice; none if both choices are equal.
        if action.double:
            remarks["no_double"] = _loss(double, shown)
        else:
            remarks[right] = say("terminal.doubling", loses=_loss(-double, shown))
        remarks[wrong] = say(f"terminal.{'passing' if action.take else 'taking'}", loses=_loss(abs(take), shown))
    return remarks


def percent_text(chance: float) -> str:
    """Write a chance in percent."""
    return percent(chance, 2)


def _loss(lost: float, shown: Callable[[float], str]) -> str:
    """Write the cost of a choice, in points or chances to win the match, or that both choices are equal."""
    if lost <= _ROUNDING:
        return say("terminal.same")
    return say("terminal.loses", loss=shown(lost)) if lost >= NOTHING else say("terminal.less", loss=shown(0.0001))


# ---------------------------------------------------------------------- plays


def _plays(plays: Sequence[Play], heads: tuple[str, ...], shown: Callable[[Play], str]) -> list[Block]:
    saving = [play.saving_rolls for play in plays[:_MAX_PLAYS]]
    with_saving = any(saving)
    # A play that bears a checker off saves the gammon; for others, the number of next rolls that do.
    saves = [say("page.counts.yes") if rolls is None else f"{rolls}/36" for rolls in saving]
    numbers = [*heads, *([say("terminal.saves")] if with_saving else [])]
    titles = ["", say("page.plays.columns.play"), *numbers, say("terminal.leaves")]
    table = columns("right", "left", *["right"] * len(numbers), "left", heads=titles)
    for k, play in enumerate(plays[:_MAX_PLAYS], 1):
        table.add_row(
            Text(f"{k}", style="dim"),
            Text(play.play, style="" if play.loss else "bold green"),
            shown(play),
            _loss_of(play, plays[0]),
            *([saves[k - 1]] if with_saving else []),
            Text(str(play.position), style="dim"),
        )
    more = len(plays) - _MAX_PLAYS
    return [table, *([Text(f"     {say('terminal.others', n=more)}", style="dim")] if more > 0 else [])]
