"""``bgrace counts``."""

from __future__ import annotations

from dataclasses import replace

import click
from rich.console import Console
from rich.text import Text

from bgrace._base.language import decimal, percent, say, words
from bgrace._base.limits import Limits
from bgrace.answers.alone import follow_alone
from bgrace.answers.question import Question
from bgrace.answers.reasons import closeness
from bgrace.cli.options import json_option, language_option, limits_options, pair_arguments
from bgrace.cli.output import emit
from bgrace.cli.race import read_sides
from bgrace.cli.screen import Block, columns, hanging, how_exact_text, stakes_text, verdict_text
from bgrace.counts.judged import COUNT_NAMES, CountAnalysis, judge_counts
from bgrace.cube.action import Cube, CubeAction
from bgrace.errors import PositionError
from bgrace.match.score import parse_score
from bgrace.match.stakes import Stakes

_DECISIONS = ("double", "redouble", "take")
_IN_USE = ("kleinman", "ward", "keith", "isight", "grace", "trice62")
"""The counts that are shown without --all."""


@click.command(name="counts")
@pair_arguments()
@click.option("--match", metavar="A,B", help="A match in which you need A points and the opponent B.")
@click.option("--all", "everything", is_flag=True, help="Show all counts, not only those in common use.")
@limits_options("seconds")
@language_option
@json_option
def counts_command(
    *, pos: str, opp: str | None, match: str | None, everything: bool, limits: Limits, as_json: bool
) -> None:
    """Compare the counts that players use over the board, and show which of them are wrong.

    POS is the player on roll, OPP the opponent, each counted from its own ace point, in any of the forms that bgrace
    query takes; one ID of both sides will do.  The first lines have the right decision: at --match or the score of an
    ID, else for money.  Each count then has its adjusted pips of both sides, its win probability if it gives one, and
    its advice: double with a centered cube, redouble with an own one, take.  Wrong advice is followed by its cost.

    \b
    Examples:
      bgrace counts "2,2,2,3,3,3" "1,1,2,3,4,4"
      bgrace counts "4x2 5x3 6x4 8x3 10x3" "5x4 6x5 8x3 13x3" --json
    """  # noqa: D301
    sides = read_sides(pos, opp)
    pair = sides.both()
    for side in pair:
        if not side.checkers:
            raise PositionError(f"{side} has no checker left: counts are for races that are not over")
    stakes = Stakes.money() if sides.state is None else Stakes.of(sides.state)
    if match is not None:
        stakes = Stakes.at(parse_score(match))
    judged = judge_counts(
        Question(*pair, stakes, limits=limits).solution(),
        (follow_alone(pair[0]).epc, follow_alone(pair[1]).epc),
    )
    if not (everything or as_json):
        judged = replace(
            judged,
            counts={name: counted for name, counted in judged.counts.items() if name in _IN_USE},
            culprits={name: culprits for name, culprits in judged.culprits.items() if name in _IN_USE},
        )
    notes = sides.notes
    if everything and not as_json:
        notes = [*(f"{COUNT_NAMES[name]}: {reason}" for name, reason in judged.left_out.items()), *notes]
    emit(judged, as_json, _blocks, notes)


def _blocks(judged: CountAnalysis, sink: Console) -> list[Block]:
    solution = judged.solution
    against = say("judged.against", on_roll=str(solution.on_roll), opponent=str(solution.opponent))
    blocks: list[Block] = [Text(against, style="bold")]
    cube: Cube = "centered" if solution.stakes.cube_value == 1 else "mine"
    blocks += [*([] if judged.points is None else [Text(stakes_text(solution.stakes, cube))]), ""]
    right = columns("left", "left")
    for place, action in (("middle", judged.double), ("mine", judged.redouble)):
        if action is not None:
            right.add_row(say(f"judged.{place}"), Text(verdict_text(action, solution.error), style="bold green"))
    blocks += [right, Text(how_exact_text(solution), style="dim"), *_points(judged, sink), ""]
    decisions = [each for each in _DECISIONS if each == "take" or getattr(judged, each) is not None]
    table = columns(
        *("left", "right", "right", "right", *["left"] * len(decisions)),
        heads=("", say("judged.on_roll"), *(_word("columns", name) for name in ("opponent", "wins", *decisions))),
    )
    for column in table.columns[-len(decisions) :]:
        column.no_wrap = True  # so that the cost of wrong advice stands beside it
    table.add_row(say("judged.right"), "", "", percent(solution.win_probability), *_verdicts(judged), style="bold")
    for name, counted in judged.counts.items():
        losses = judged.losses[name]
        table.add_row(
            words()["counts"][name],
            _pips(counted.on_roll),
            _pips(counted.opponent),
            "" if counted.win_probability is None else percent(counted.win_probability),
            *(_cell(getattr(counted, decision), losses.get(decision, 0.0)) for decision in decisions),
        )
    blocks.append(table)
    if any(loss for name in judged.counts for loss in judged.losses[name].values()):
        blocks += ["", Text(f"  {say('judged.remark')}", style="dim"), *_culprits(judged, sink)]
    return blocks


def _word(*path: str, **values: str) -> str:
    """A text about counts, from those of the page."""
    return say(".".join(("page.counts", *path)), **values)


def _culprits(judged: CountAnalysis, sink: Console) -> list[str]:
    """Lines about the wrong part of each wrong count, one for all counts and decisions that share it."""
    counts: dict[tuple[str, str], list[str]] = {}
    comma = say("phrases.comma")
    for name, culprits in judged.culprits.items():
        decisions: dict[str, list[str]] = {}
        for decision, culprit in culprits.items():
            decisions.setdefault(culprit.said(decision), []).append(_word("columns", decision))
        for mistake, wrong in decisions.items():
            counts.setdefault((comma.join(wrong), mistake), []).append(words()["counts"][name])
    lines: list[str] = []
    for (wrong_decisions, mistake), (first, *others) in counts.items():
        alike = say("culprit.alike", names=comma.join(others)) if others else ""
        sentence = f"{first}{comma}{wrong_decisions}{say('phrases.colon')}{mistake}{alike}{say('phrases.end')}"
        lines.append(hanging(sentence, sink.width))
    return ["", *lines] if lines else []


def _points(judged: CountAnalysis, sink: Console) -> list[Block]:
    """Lines about the least chances at which decisions at a score are right, and about counts without a rule there."""
    if judged.points is None:
        return []
    points = [
        _word("from", decision=_word("columns", name), chance=percent(point))
        for name, point in judged.points.items()
        if point is not None
    ]
    lines = [say("judged.points", listed=say("phrases.comma").join(points))] if points else []
    without = [words()["counts"][name] for name, counted in judged.counts.items() if counted.win_probability is None]
    lines.append(_word("without", names=say("phrases.comma").join(without)))
    return [Text(hanging(text, sink.width), style="dim") for text in lines]


def _verdicts(judged: CountAnalysis) -> list[str]:
    close = max(closeness(judged.solution.error), judged.solution.error)  # too close to call is "either"
    actions = [action for action in (judged.double, judged.redouble) if action is not None]
    take = actions[0].take_margin
    return [
        *(_doubles(action, close) for action in actions),
        "" if take is None else _word("either" if abs(take) <= close else "yes" if take > 0 else "no"),
    ]


def _doubles(action: CubeAction, close: float) -> str:
    margin = action.double_margin
    if margin is None:
        return ""
    if abs(margin) <= close:
        return _word("either")
    return _word("yes" if margin > 0 else "tooGood" if action.verdict == "too good" else "no")


def _cell(advised: bool | None, loss: float) -> Text:
    if advised is None:
        return Text("")
    word = _word("yes" if advised else "no")
    return Text(f"{word:<3} {decimal(-loss, 4)}", style="red") if loss else Text(word)


def _pips(value: float) -> str:
    """Write whole counts without decimals, others with two."""
    return decimal(value, 0 if value == int(value) else 2)
