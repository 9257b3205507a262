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
"""Five units in the fifth decimal: smaller differences of points or chances are printed and treated as zero."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A part of a sentence: the key of a text in the language files, and its numbers by name."""

    key: str
    values: Mapping[str, float]

    def to_dict(self) -> dict[str, JSON]:
        """The key and the values in one dict, as values of JSON."""
        return {"key": self.key, **self.values}


def sentence(phrases: tuple[Phrase, ...]) -> str:
    """Write phrases in this thread's language.

    Examples
    --------
    >>> sentence((Phrase("pass", {"chance": 0.139, "needed": 0.218}),))
    '13.9 % is under the 21.8 % that this take needs'
    """
    texts = words()
    text = "".join([fill(texts["phrases"][phrase.key], phrase.values) for phrase in phrases]).strip()
    return text[:1].upper() + text[1:]


class _Explanation:
    """An explanation in phrases."""

    __slots__ = ()

    phrases: tuple[Phrase, ...]

    @classmethod
    def of(cls, explanation: Explanation) -> Self:
        """Wrap an explanation of the C library."""
        return cls(**{**explanation, "phrases": tuple(starmap(Phrase, explanation["phrases"]))})

    def text(self) -> str:
        """The reason in a sentence or two; "you" is the player who decides."""
        return sentence(self.phrases)

    def to_dict(self) -> dict[str, JSON]:
        """The fields by name, as values of JSON, with the text."""
        return {**as_json(self), "text": self.text()}


@dataclass(frozen=True, slots=True)
class Reason(_Explanation):
    """Why one decision is right, seen by the player who decides.

    Attributes
    ----------
    margin : float
        Equity of yes less that of no: of a double, answered best, less rolling; of a take less a pass.
    terms : mapping of str to float
        Terms whose sum is the margin, in points per unit of the cube: docs/why-a-take.md explains them.
    of_chance : float
        Points that a chance of 1 is worth with a dead cube; 0.0 if the decision does not depend on it.
    chance : float
        Chance to win the game.
    needed : float, or None
        The least chance at which yes is right in such a race; 0.0 for a double that costs nothing; None if it is never
        right.
    pips : float, or None
        Number of pips to add to one's own that would make yes and no equal; below 0 if no is right.  None beyond 40,
        if a double costs nothing, and if the position is too good to double.
    decides : str, or None
        The greatest of the terms without which the decision would be another, if there is one.
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
        """The reason without the phrases about the race, for texts that have these already."""
        stops = [at for at, phrase in enumerate(self.phrases) if phrase.key == "stop"]
        return sentence(self.phrases[stops[0] + 1 if stops else 0 :])


@dataclass(frozen=True, slots=True)
class Reasons(ToDict):
    """The reasons of a cube decision.

    Attributes
    ----------
    pips : tuple of int
        Pips of the player on roll and the opponent.
    epc, waste, usual_waste : tuple of float
        Expected pips, the wasted part of them, and the usual waste at such a pip count.
    market_losers : int, or None
        Number of rolls, of 36, of the player on roll after which a double would be a pass, before the opponent rolls;
        None if unknown.
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
    def of(cls, explanation: Explanation | None) -> Reasons | None:
        """Wrap an explanation of the C library; None if there is no cube to turn."""
        if explanation is None:
            return None
        return cls(
            **{**explanation, "double": Reason.of(explanation["double"]), "take": Reason.of(explanation["take"])}
        )

    def __str__(self) -> str:
        colon = say("phrases.colon")
        return f"{say('double')}{colon}{self.double.text()}\n{say('take')}{colon}{self.take.verdict()}"


@dataclass(frozen=True, slots=True)
class PlayReason(_Explanation):
    """The difference of a play of a roll from a better one.

    Attributes
    ----------
    checkers, pips : tuple of int
        Checkers and pips left after the better play, and after this one.
    epc : tuple of float
        Expected pips left after both plays.
    misses : tuple of int, or None
        Number of next rolls, of 36, with a die that bears off no checker; None if a play leaves checkers outside.
    win, gammon_win, gammon_loss : tuple of float, or None
        Chances after both plays; None if they are unknown.
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
    """Greatest difference at which two choices count as equal.

    Parameters
    ----------
    error : float
        Error of the answer, in points: `bgrace.Solution.error`.  A difference that a player would notice never counts
        as equal; if it is less than the error, it is too close to call.

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
    """The solver of all answers; it solves one player's home board when an answer first needs it."""
    return kernel.Solver()


def side_of(position: Position) -> SideFound:
    """One side by itself; the C library caches some, since the answer about a pair needs them several times."""
    return solver().side(counts_of(position))


def play_reason(
    opponent: Position, better: Position, other: Position, chances: Sequence[ChancesFound | None] = ()
) -> PlayReason:
    """Compare a play with a better one, by their results; `chances` are those after both, if known."""
    known = [each for each in chances if each is not None]
    return PlayReason.of(solver().play_reason(counts_of(opponent), counts_of(better), counts_of(other), known))
