"""Ask the C solver about one race, and wrap its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Final

import numpy as np

from bgrace._base.arrays import Floats
from bgrace._base.limits import DEFAULT_LIMITS, Limits
from bgrace._kernels import answer as kernel
from bgrace._kernels.stakes import CUBE_ORDER
from bgrace.answers import Bounds, Gammons, Solution, Values
from bgrace.answers.protocol import Pairs
from bgrace.answers.reasons import solver
from bgrace.board import MAX_POINTS, Position
from bgrace.board.position import check_race, counts_of
from bgrace.cube.action import Cube
from bgrace.errors import CoverageError, PositionError
from bgrace.match.maps import too_large
from bgrace.match.stakes import Stakes

MIN_MEMORY: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Question:
    """A race, what is played for, and what the answer may take; asked again, it may ask for the plays of more rolls."""

    on_roll: Position
    opponent: Position
    stakes: Stakes
    cube: Cube | None = None
    """As `bgrace.Solution.cube` has it; None where it is by default."""
    roll: tuple[int, int] | None = None
    every_roll: bool = False
    way: kernel.Way = "any"
    limits: Limits = DEFAULT_LIMITS
    database: Pairs | None = None
    """Asked first, for money, unless the way is said; longer races end in its pairs."""
    prove: bool = False
    """Whether to prove bounds as well."""

    def solution(self) -> Solution:
        """Answer the question: from the database as far as it reaches, else solved on the spot.

        Raises
        ------
        MemoryLimitError
            If all pairs are asked for, and do not fit into the memory.
        PositionError
            If a side has no checker left, or the sides still have contact.
        """
        stored = self._stored()
        if stored is not None:
            return stored
        check_race(self.on_roll, self.opponent)
        answer = self.ask(self.roll, self.every_roll)
        assert answer is not None, "only all pairs of few positions may have none"
        bounds = self._bound(answer) if self.prove else None
        answers = SolvedPair(self, answer)
        return Solution(self.on_roll, self.opponent, self.stakes, answers, self.cube, self.roll, bounds=bounds)

    def _pairs(self) -> Pairs | None:
        """The database, if it is to be asked."""
        return self.database if self.way == "any" and self.stakes.score is None else None

    def _stored(self) -> Solution | None:
        """The answer of the database; None unless it has all of it."""
        pairs = self._pairs()
        if pairs is None or self.prove:
            return None
        try:
            stored = pairs.solution(self.on_roll, self.opponent, self.stakes)
        except (CoverageError, PositionError):
            return None
        return None if stored.missing is not None else replace(stored, _cube=self.cube, roll=self.roll)

    def _bound(self, answer: kernel.Answer) -> Bounds | None:
        """Proven bounds, with the values of an answer moved into them."""
        proof = self.proof(verdict=True)
        bounds = Bounds.of(proof, self.stakes.cubes)
        if bounds is not None:
            answer.bound(proof, CUBE_ORDER.index(self.cube or self.stakes.default_cube))
        return bounds

    def ask(self, roll: tuple[int, int] | None = None, every_roll: bool = False) -> kernel.Answer | None:
        """The same as the C library gives it, with every play of a roll or of all.

        None if all pairs are to be solved, and are not few.  MemoryLimitError if they do not fit.
        """
        pairs = self._pairs()
        least = 1 if self.way == "all pairs" else MIN_MEMORY
        try:
            return solver().ask(
                counts_of(self.on_roll),
                counts_of(self.opponent),
                self.stakes.kernel,
                self.way,
                self.limits.seconds,
                max(self.limits.memory_bytes, least),
                n_threads=self.limits.n_threads,
                dice=(0, 0) if roll is None else (max(roll), min(roll)),
                rolls=every_roll,
                boundary=None if pairs is None else pairs.boundary,
            )
        except kernel.MemoryNeededError as needs:
            sides = self.on_roll, self.opponent
            raise too_large(sides, needs, self.limits.memory_bytes, "allow more, or leave out exact") from None

    def solve_few(self) -> SolvedPair | None:
        """Solve the race with all that it can come to, exactly; None if that takes more than is allowed.

        Examples
        --------
        >>> from bgrace.board import parse_position
        >>> end = Question(parse_position("5x2 6x1"), parse_position("4x2"), Stakes.money()).solve_few()
        >>> later = end.later(parse_position("4x2"), parse_position("5x1"), Stakes.money(), swapped=True)
        >>> round(later.win_probability, 4)
        0.3999
        """
        check_race(self.on_roll, self.opponent)
        answer = replace(self, way="few").ask()
        return None if answer is None else SolvedPair(self, answer)

    def proof(self, verdict: bool = False) -> kernel.Proof:
        """Bounds, as narrow as seconds and memory allow; or with `verdict` as wide as they may be to prove it."""
        counts, limits = (counts_of(self.on_roll), counts_of(self.opponent)), self.limits
        memory_bytes = max(limits.memory_bytes, MIN_MEMORY)
        place = CUBE_ORDER.index(self.cube or self.stakes.default_cube) if verdict else -1
        return solver().prove(*counts, self.stakes.kernel, limits.seconds, memory_bytes, limits.n_threads, place=place)


class SolvedPair:
    """A pair solved on the spot: a `PairAnswers`."""

    def __init__(self, question: Question, answer: kernel.Answer) -> None:
        self._question, self._answer = question, answer
        info = answer.info()
        self.by_turns: bool = answer.way == "turns"
        self._method = "solved" if info.exact else "turns" if self.by_turns else "estimate"
        self._error: float = 0.0 if info.exact else info.error
        self._of_roll: dict[tuple[int, int], kernel.Answer] = {}
        self._of_all_rolls: kernel.Answer | None = None

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        return replace(self._values(self._answer, self._answer.now()), answer=self._answer)

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
        return self._answer.chances().win

    def gammons(self) -> Gammons:
        """See `PairAnswers.gammons`."""
        _, win, backgammon_win, loss, backgammon_loss, _ = self._answer.chances()
        win_, loss_, backgammon_win_, backgammon_loss_ = (
            None if isnan(chance) else chance for chance in (win, loss, backgammon_win, backgammon_loss)
        )
        return Gammons(win_, loss_, backgammon_win_, backgammon_loss_, self._method)

    def later(self, on_roll: Position, opponent: Position, stakes: Stakes, *, swapped: bool) -> Solution:
        """The same solution for a pair that the race comes to, if all pairs were solved.

        `stakes` are those of the race, as the player on roll sees them now; `swapped` says whether that is the one who
        was not on roll when the race was solved.

        Raises
        ------
        PositionError
            If it cannot come to it.
        """
        try:
            answer = self._answer.follow(counts_of(on_roll), counts_of(opponent), swapped)
        except CoverageError:
            raise PositionError(f"the race does not come to {on_roll} against {opponent}") from None
        return Solution(on_roll, opponent, stakes, SolvedPair(self._question, answer))

    def _values(self, answer: kernel.Answer, rows: Floats) -> Values:
        return Values(
            rows,
            answer.cubes(),
            self._method,
            self._error,
            of_any_roll=not self.by_turns,
            chances=lambda result: answer.move_chances(counts_of(result)),
        )
