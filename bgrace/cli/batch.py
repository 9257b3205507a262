"""Answer many races: ``bgrace solve --batch``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from functools import partial
from typing import Final

import click
from click.core import ParameterSource
from rich.cells import set_cell_size

from bgrace._base.language import decimal, words
from bgrace._base.limits import Limits
from bgrace._base.processes import processes, thread_pool
from bgrace.answers import Solution
from bgrace.answers.question import MIN_MEMORY, solve_many, streamed
from bgrace.board import parse_board
from bgrace.cli.output import eprint
from bgrace.cli.race import StakesOptions
from bgrace.cli.screen import percent_text, verdict_text
from bgrace.errors import BgraceError, FormatError, PositionError
from bgrace.match.stakes import Rules, Stakes

_FOR_ALL = (*Limits.__slots__, "batch", "money", "jacoby", "beavers", "gammons", "workers", "language", "as_json")
"""Parameters of ``bgrace solve`` that can hold for every race."""

_WAITING: Final = 4
"""Number of waiting races for each race that is being solved."""


def answer_batch(path: str, options: StakesOptions, limits: Limits, workers: int | None, as_json: bool) -> None:
    """Answer a file of IDs, one per line, in order, and print each answer when it is ready.

    A line that is not a race is reported on standard error, with its number, and the command fails in the end.  Blank
    lines and those that begin with ``#`` are left out.  A file that is not text ends at the first line with a NUL.
    """
    bad: list[int] = []
    _refuse_options_for_one_race()
    stakes = _stakes(options)
    if workers is not None and limits.threads is not None:
        raise click.UsageError("--threads and --workers are two ways to use processors: leave one of them out")
    if path == "-" and sys.stdin is None:  # as it is for a process that was started with a closed one
        raise click.UsageError("--batch -: standard input is closed: give a file, or IDs through a pipe")
    n_at_once = limits.n_threads if workers is None else workers
    share = replace(limits, memory_bytes=max(limits.memory_bytes // n_at_once, MIN_MEMORY), threads=1)
    answer_line = partial(_answer_line, stakes, share, as_json)
    with (
        click.open_file(path, encoding="utf-8-sig", errors="replace") as lines,
        thread_pool(n_at_once) if workers is None else processes(workers) as executor,
    ):
        no_text: list[int] = []
        races = _races(_text_of(lines, no_text), options, bad)
        for line in streamed(races, answer_line, executor, _WAITING * n_at_once):
            click.echo(line)
    if no_text:
        name = "standard input" if path == "-" else path
        raise FormatError(f"{name}: line {no_text[0]:,} is not text: give a list of IDs, one per line, in UTF-8")
    if bad:
        raise click.ClickException(
            f"{len(bad):,} of the lines could not be answered, for the reasons above; all others were answered"
        )


def _refuse_options_for_one_race() -> None:
    """Raise UsageError if a parameter is given that cannot hold for every race."""
    context = click.get_current_context()
    for each in context.command.params:
        is_given = context.get_parameter_source(each.name or "") is not ParameterSource.DEFAULT
        if is_given and each.name not in _FOR_ALL:
            name = each.opts[0].replace("pos", "POS")
            raise click.UsageError(f"{name} is for one race, and --batch for many: leave one of them out")


def _stakes(options: StakesOptions) -> Stakes | None:
    """The stakes of every race; None if each has those of its ID."""
    if not options.given:
        return None
    if not options.money:
        raise click.UsageError(f"{options.given[0]} with --batch needs --money, which makes every race one for money")
    return Stakes.money(Rules(options.gammons, bool(options.jacoby), bool(options.beavers)))


def _text_of(lines: Iterable[str], no_text: list[int]) -> Iterator[str]:
    """Yield the lines up to one that is not text, whose number is noted: a binary file would give endless errors.

    Text has no NUL characters; databases, archives and UTF-16 have some near their beginning.  Bytes that are not UTF-8
    occur in some lists, in names or by mistake.
    """
    for number, line in enumerate(lines, 1):
        if "\0" in line:
            no_text.append(number)
            return
        yield line


def _races(lines: Iterable[str], options: StakesOptions, bad: list[int]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are races, with their numbers."""
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            board = parse_board(text)
            if not (board.on_roll.checkers and board.opponent.checkers):
                raise PositionError(f"{text}: a side has no checker left: the game is over")
            if not options.given:
                Stakes.of(board)  # refuses a score that the table does not have
        except BgraceError as error:
            bad.append(number)
            eprint(f"line {number}: {error}")
            continue
        yield number, text


def _answer_line(stakes: Stakes | None, limits: Limits, as_json: bool, race: tuple[int, str]) -> str:
    """The printed line of a race, made by the worker, since a solution would have to be copied as a whole."""
    number, text = race
    (solution,) = solve_many([text], stakes, **asdict(limits))
    if as_json:
        return json.dumps({"line": number, "id": text, **solution.to_dict()}, allow_nan=False)
    return _row(number, text, solution)


def _row(number: int, text: str, solution: Solution) -> str:
    verdict = verdict_text(solution.cube_action(), solution.error).split(words()["phrases"]["colon"])[0]
    error = f"+-{decimal(max(solution.error, 0.0001), 4)}"
    sure = words()["report"]["card"]["exact"] if solution.method == "solved" else error
    return f"{number:>6}  {percent_text(solution.win_probability):>8}  {set_cell_size(sure, 8)}  {text}  {verdict}"
