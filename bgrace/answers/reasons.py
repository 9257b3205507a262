"""Why a decision is right: terms that add up, made in C (csrc/answer/reasons.c), and sentences from a language file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import starmap
from typing import Final, Self

from bgrace._base.arrays import JSON, ToDict, as_json, as_number
from bgrace._base.language import fill, say, words
from bgrace._kernels import answer as kernel
from bgrace._kernels.counts import closeness as closeness_of
from bgrace._kernels.kinds import ChancesFound, Explanation, SideFound
from bgrace.board import Position
from bgrace.board.position import counts_of

NOTHING: Final = closeness_of(0.0)
"""Five units in the fifth decimal: differences of points or chances below this print as zero, and count as none."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A part of a sentence: the key of a text in the language files, and its numbers by name."""

    key: str
    values: Mapping[str, float]

    def to_dict(self) -> dict[str, JSON]:
        """The key and the values in one dict that JSON can hold."""
        return {"key": self.key, **self.values}


def sentence(phrases: tuple[Phrase, ...]) -> str:
    """Phrases in words of the language that is spoken.

    Examples
    --------
    >>> sentence((Phrase("pass", {"chance": 0.139, "needed": 0.218}),))
    '13.9 % is under the 21.8 % that this take needs'
    """
    texts = words()
    text = "".join([fill(texts["phrases"][phrase.key], phrase.values) for phrase in phrases]).strip()
    return text[:1].upper() + text[1:]


class _Explanation:
    """What is told in phrases."""

    __slots__ = ()

    phrases: tuple[Phrase, ...]

    @classmethod
    def of(cls, told: Explanation) -> Self:
        """Wrap what the C library returns."""
        return cls(**{**told, "phrases": tuple(starmap(Phrase, told["phrases"]))})

    def text(self) -> str:
        """The reason in a sentence or two; "you" is who decides."""
        return sentence(self.phrases)

    def to_dict(self) -> dict[str, JSON]:
        """The fields as a dict that JSON can hold, with the text."""
        return {**as_json(self), "text": self.text()}


@dataclass(frozen=True, slots=True)
class Reason(_Explanation):
    """Why one decision is right, seen by the player who decides.

    Attributes
    ----------
    margin : float
        By how many points yes beats no: a double, answered well, against rolling; a take against a pass.
    terms : mapping of str to float
        What adds up to the margin, in points per unit of the cube: docs/why-a-take.md says what each means.
    of_chance : float
        Points that a chance of 1 is worth with a dead cube; 0.0 where nothing hangs on it.
    chance : float
        To win the game.
    needed : float, or None
        The chance from which on yes is right in such a race; 0.0 for a double that costs nothing; None where there is
        none.
    pips : float, or None
        How many pips more of one's own would make no as good; below 0 where no is right already.  None beyond 40,
        where a double costs nothing, and where one is too good to double.
    decides : str, or None
        The greatest of the terms without which the decision would be another one, if there is such a term.
    phrases : tuple of Phrase
    """

    margin: float
    terms: Mapping[str, float]
    of_chance: float
    chance: float
    needed: float | None
    pips: float | None
    decides: str | None
    phrases: tuple[Phrase, ...]

    def verdict(self) -> str:
        """The same without the race, for a place where that has been told."""
        stops = [at for at, phrase in enumerate(self.phrases) if phrase.key == "stop"]
        return sentence(self.phrases[stops[0] + 1 if stops else 0 :])


@dataclass(frozen=True, slots=True)
class Reasons(ToDict):
    """Why a cube decision is as it is.

    Attributes
    ----------
    pips : tuple of int
        Of the player on roll and the opponent.
    epc, waste, usual_waste : tuple of float
        Expected pips, those of them that are wasted, and the waste that is usual at such a count.
    market_losers : int, or None
        Rolls, of 36, of the player on roll after which the opponent had better have passed, before rolling in
        reply; None where that is not known.
    double, take : Reason
        The decision of the player on roll, and that of the opponent.
    """

    pips: tuple[int, int]
    epc: tuple[float, float]
    waste: tuple[float, float]
    usual_waste: tuple[float, float]
    market_losers: int | None
    double: Reason
    take: Reason

    @classmethod
    def of(cls, told: Explanation | None) -> Reasons | None:
        """Wrap what the C library returns; None where there is no cube to turn."""
        if told is None:
            return None
        return cls(**{**told, "double": Reason.of(told["double"]), "take": Reason.of(told["take"])})

    def __str__(self) -> str:
        colon = say("phrases.colon")
        return f"{say('double')}{colon}{self.double.text()}\n{say('take')}{colon}{self.take.verdict()}"


@dataclass(frozen=True, slots=True)
class PlayReason(_Explanation):
    """The difference of a play of a roll from a better one.

    Attributes
    ----------
    checkers, pips : tuple of int
        What is left after the better play, and after this one.
    epc : tuple of float
        Expected pips, likewise.
    misses : tuple of int, or None
        Rolls, of 36, with which a die bears nothing off next time; None where a play leaves checkers outside.
    win, gammon_win, gammon_loss : tuple of float, or None
        Chances after both plays; None where they are not known.
    phrases : tuple of Phrase
    """

    checkers: tuple[int, int]
    pips: tuple[int, int]
    epc: tuple[float, float]
    misses: tuple[int, int] | None
    win: tuple[float, float] | None
    gammon_win: tuple[float, float] | None
    gammon_loss: tuple[float, float] | None
    phrases: tuple[Phrase, ...]


def closeness(error: float) -> float:
    """Greatest difference of two choices that counts as none.

    Parameters
    ----------
    error : float
        Of the answer, in points: `bgrace.Solution.error`.  A difference that a player would notice is never taken for
        none; if it is less than the error, it is too close to call.

    Returns
    -------
    float
        Points.

    Examples
    --------
    >>> closeness(0.0), closeness(0.0004), closeness(0.1)
    (5e-05, 0.0004, 0.002)
    """
    return closeness_of(as_number(error, f"error={error!r:.80} is not a number of points: give that of an answer"))


@lru_cache(maxsize=1)
def solver() -> kernel.Solver:
    """The solver of every answer: one player's home board is solved when the first one needs it."""
    return kernel.Solver()


def side_of(position: Position) -> SideFound:
    """One side by itself, as the C library has it, which keeps some: a pair asks for them several times."""
    return solver().side(counts_of(position))


def play_reason(
    opponent: Position, better: Position, other: Position, chances: Sequence[ChancesFound | None] = ()
) -> PlayReason:
    """The difference of what a play leaves from what a better one does; chances after both, if they are known."""
    known = [each for each in chances if each is not None]
    return PlayReason.of(solver().play_reason(counts_of(opponent), counts_of(better), counts_of(other), known))
