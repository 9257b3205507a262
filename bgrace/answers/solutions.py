"""Many answers, one after another, and as a table."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import ClassVar, Final

from bgrace._base.frames import Cell, Columns, Tabular
from bgrace.answers.solution import Solution
from bgrace.cube.action import CubeAction

_ACTION: Final = ("verdict", "no_double", "double_take", "double_pass")


class Solutions(Iterator[Solution], Tabular):
    """Answers in the order of their races, solved while they are taken; as a table, all that have not been taken.

    A row is a race: both positions as text, their pips, the stakes, chances, and the cube action where the cube is, in
    its unit: points per unit of the cube, or chances to win the match.  A value that is not known, or of a side without
    checkers, is None.

    Parameters
    ----------
    solved : generator of Solution
    """

    __slots__ = ("_solved",)

    COLUMNS: ClassVar[Columns] = {
        "on_roll": str,
        "opponent": str,
        "on_roll_pips": int,
        "opponent_pips": int,
        "stakes": str,
        "win_probability": float,
        "gammon_win": float,
        "gammon_loss": float,
        "cube": str,
        "verdict": str | None,
        "no_double": float,
        "double_take": float,
        "double_pass": float,
        "method": str,
        "error": float,
    }

    def __init__(self, solved: Generator[Solution]) -> None:
        self._solved = solved

    def __next__(self) -> Solution:
        return next(self._solved)

    def close(self) -> None:
        """Want no more: races that have not begun are not solved."""
        self._solved.close()

    def _rows(self) -> Iterator[Mapping[str, Cell]]:
        return map(_row, self)


def _row(solution: Solution) -> dict[str, Cell]:
    action: CubeAction | None = None
    if solution.missing is None and not solution.is_over:
        action = solution.cube_action()
    return {
        "on_roll": str(solution.on_roll),
        "opponent": str(solution.opponent),
        "on_roll_pips": solution.on_roll.pips,
        "opponent_pips": solution.opponent.pips,
        "stakes": str(solution.stakes),
        "win_probability": solution.win_probability,
        "gammon_win": solution.gammon_win,
        "gammon_loss": solution.gammon_loss,
        "cube": solution.cube,
        **{name: None if action is None else getattr(action, name) for name in _ACTION},
        "method": solution.method,
        "error": solution.error,
    }
