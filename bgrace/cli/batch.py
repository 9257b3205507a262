"""Many races at once, as ``bgrace solve --batch`` answers them."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import nullcontext

import click

from bgrace.answers import Solution
from bgrace.board import Board, parse_board
from bgrace.cli.output import print_lines, say
from bgrace.cli.processes import processes
from bgrace.cli.stakes import AskedStakes
from bgrace.cli.tables import percent_text, verdict_text
from bgrace.errors import BgraceError, PositionError
from bgrace.match.stakes import Rules, Stakes
from bgrace.solving.pairs import solve_many

__all__ = ["print_batch"]

_FOR_ALL = ("--money", "--jacoby", "--beavers", "--no-gammons")
"""Options that can be meant for every race."""

_VERDICT = len("Too good to redouble, optional take")


def print_batch(
    path: str,
    asked: AskedStakes,
    seconds: float,
    memory_bytes: int,
    threads: int | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Answer a file of IDs, one a line, in order and as they are ready.

    Lines that are no race are named on standard error, with their number.  Blank ones and those that begin with ``#``
    are left out.

    Raises
    ------
    click.ClickException
        At the end, if there were such lines.
    click.UsageError
        If an option is for one race alone.
    OSError
        If the file cannot be read.
    """
    stakes = _stakes(asked)
    bad: list[int] = []
    waiting: deque[tuple[int, str]] = deque()
    if workers is not None and threads is not None:
        raise click.UsageError("--threads and --workers are two ways to use processors: leave one of them out")
    with (
        click.open_file(path, encoding="utf-8", errors="replace") as lines,
        nullcontext() if workers is None else processes(workers) as executor,
    ):
        races = _races(lines, stakes, waiting, bad)
        share = memory_bytes if workers is None else memory_bytes // workers
        solutions = solve_many(races, stakes, seconds=seconds, memory_bytes=share, threads=threads, executor=executor)
        for solution in solutions:
            number, text = waiting.popleft()
            if as_json:
                answer = {"line": number, "id": text, **solution.to_dict()}
                click.echo(json.dumps(answer, allow_nan=False))
            else:
                print_lines(_row(number, text, solution))
    if bad:
        raise click.ClickException(
            f"{len(bad):,} of the lines could not be answered, as said above; all others have been"
        )


def _stakes(asked: AskedStakes) -> Stakes | None:
    """What every race is for, None for what its ID says."""
    alone = [name for name in asked.given if name not in _FOR_ALL]
    if alone:
        raise click.UsageError(f"{alone[0]} is for one race, and --batch for many: leave one of them out")
    if not asked.given:
        return None
    if not asked.money:
        raise click.UsageError(f"{asked.given[0]} with --batch needs --money, which makes every race one for money")
    return Stakes.money(Rules(asked.gammons, bool(asked.jacoby), bool(asked.beavers)))


def _races(
    lines: Iterable[str], stakes: Stakes | None, waiting: deque[tuple[int, str]], bad: list[int]
) -> Iterator[Board]:
    """Boards as they are asked for; what is known of each waits until it is answered."""
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            board = parse_board(text)
            if not (board.on_roll.checkers and board.opponent.checkers):
                raise PositionError(f"{text}: a side has no checker left: the game is over")
            if stakes is None:
                Stakes.of(board)  # which knows whether there is such a score
        except BgraceError as error:
            bad.append(number)
            say(f"line {number}: {error}")
            continue
        waiting.append((number, text))
        yield board


def _row(number: int, text: str, solution: Solution) -> str:
    verdict = verdict_text(solution.cube_action(), solution.error).split(":")[0]
    exact = "exact" if solution.method == "solved" else f"+-{max(solution.error, 0.0001):.4f}"
    return f"{number:>6}  {percent_text(solution.win_probability):>8}  {verdict:<{_VERDICT}}  {exact:<8}  {text}"
