"""A pair solved on the spot, as whatever answers pairs: the C library's answer in Python's words."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Final

import numpy as np

from bgrace._base.arrays import Floats
from bgrace._base.seconds import DEFAULT_SECONDS
from bgrace._kernels import answer as kernel
from bgrace.answers import Gammons, Values
from bgrace.board import MAX_POINTS, Position
from bgrace.cube.action import Cube
from bgrace.errors import CoverageError, PositionError
from bgrace.match.cube_states import CubeState
from bgrace.match.stakes import Stakes
from bgrace.solving.alone import estimated_gammons
from bgrace.solving.solver import counts_of, solver

__all__ = ["MIN_MEMORY", "Boundary", "Question", "SolvedPair"]

Boundary = kernel.Boundary
"""A database file for money, opened for its pairs to be looked up in: ``Boundary(view, name)``, of the file's bytes."""

MIN_MEMORY: Final = 1 << 20

_CUBES: Final[tuple[Cube, ...]] = ("none", "centered", "mine", "theirs")
"""The order of the C library."""


class Question:
    """What is asked about a pair; asked again, it may ask for the plays of more rolls."""

    def __init__(
        self,
        on_roll: Position,
        opponent: Position,
        stakes: Stakes,
        *,
        way: kernel.Way = "any",
        seconds: float = DEFAULT_SECONDS,
        memory_bytes: int,
        threads: int,
        boundary: Boundary | None = None,
    ) -> None:
        self.sides: tuple[Position, Position] = (on_roll, opponent)
        self._stakes, self._way, self._boundary = stakes, way, boundary
        least = 1 if way in ("float64", "int16") else MIN_MEMORY
        self._seconds, self._memory_bytes, self._threads = seconds, max(memory_bytes, least), threads

    def ask(self, roll: tuple[int, int] | None = None, every_roll: bool = False) -> kernel.Answer | None:
        """The answer, with every play of a roll or of all; None if all pairs are to be solved, and are not few."""
        return solver().ask(
            counts_of(self.sides[0]),
            counts_of(self.sides[1]),
            self._stakes.kernel,
            self._way,
            self._seconds,
            self._memory_bytes,
            n_threads=self._threads,
            dice=(0, 0) if roll is None else (max(roll), min(roll)),
            rolls=every_roll,
            boundary=self._boundary,
        )


class SolvedPair:
    """A pair solved on the spot: a `PairAnswers`."""

    def __init__(self, question: Question, answer: kernel.Answer) -> None:
        self._question, self._answer = question, answer
        exact, _, error, *_ = answer.info()
        self.by_turns: bool = answer.way == "turns"
        self._method = "turns" if self.by_turns and not exact else "solved"
        self._error: float = 0.0 if exact else error
        self._of_roll: dict[tuple[int, int], kernel.Answer] = {}
        self._of_all_rolls: kernel.Answer | None = None

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        return self._values(self._answer, self._answer.now())

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        """See `PairAnswers.after`.

        By turns, results that are too poor to have been compared are not there: then the race is solved again with
        every play of the roll.
        """
        counts = np.array([counts_of(result) for result in results], dtype=np.int8).reshape(-1, MAX_POINTS)
        for answer in (self._answer, self._of_all_rolls):
            if answer is None:
                continue
            try:
                return self._values(answer, answer.after(counts))
            except CoverageError:
                if not self.by_turns:
                    raise
        dice = (max(roll), min(roll))
        if dice not in self._of_roll:
            # After the plays of a second roll, those of more are likely to be asked for.
            again = self._question.ask(dice, every_roll=bool(self._of_roll))
            assert again is not None
            if self._of_roll:
                self._of_all_rolls = again
                return self._values(again, again.after(counts))
            self._of_roll[dice] = again
        return self._values(self._of_roll[dice], self._of_roll[dice].after(counts))

    def win_probability(self) -> float:
        """See `PairAnswers.win_probability`."""
        return self._answer.chances()[0]

    def gammons(self) -> Gammons:
        """See `PairAnswers.gammons`."""
        _, win, backgammon_win, loss, backgammon_loss, _ = self._answer.chances()
        if isnan(win):  # 16 bits, and both sides may lose one
            return estimated_gammons(*self._question.sides)
        win_, loss_, backgammon_win_, backgammon_loss_ = (
            None if isnan(chance) else chance for chance in (win, loss, backgammon_win, backgammon_loss)
        )
        return Gammons(win_, loss_, backgammon_win_, backgammon_loss_, self._method)

    def follow(self, on_roll: Position, opponent: Position, swapped: bool) -> SolvedPair:
        """What the same solution says of a pair that the race comes to.

        Raises
        ------
        PositionError
            If it cannot come to it.
        """
        try:
            answer = self._answer.follow(counts_of(on_roll), counts_of(opponent), swapped)
        except CoverageError:
            raise PositionError(f"the race does not come to {on_roll} against {opponent}") from None
        return SolvedPair(self._question, answer)

    def _values(self, answer: kernel.Answer, rows: Floats) -> Values:
        places = {
            cube: CubeState.of(place) for cube, place in zip(_CUBES, answer.places(), strict=True) if place[0][0] >= 0
        }
        precision = "int16" if answer.way == "int16" else "float64"
        return Values(rows, places, self._method, self._error, precision, of_any_roll=not self.by_turns)
