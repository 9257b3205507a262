"""The risk that players took when they bore off against men behind: notes, for which play was best is not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bgrace._base.arrays import Told
from bgrace.contact import PlayRisk, risk
from bgrace.errors import PositionError
from bgrace_apps.review.replay import BearoffPlay


@dataclass(frozen=True, slots=True)
class RiskNote(Told):
    """The risk that a play took beside the least possible.  It is not a mistake to take more.

    Attributes
    ----------
    game, move : int
        Where in the match.
    player : int
        0 or 1: who bore off.
    roll : tuple of two int
    behind : str
        Where the men behind were, as of `bgrace.contact.Risk`.
    xgid : str
        The board, without the game around it.
    done, safest : PlayRisk
        The play that was made, and the one with the least `PlayRisk.risk`; the same if none has less.
    """

    game: int
    move: int
    player: int
    roll: tuple[int, int]
    behind: str
    xgid: str
    done: PlayRisk
    safest: PlayRisk

    @property
    def extra(self) -> float:
        """How much more risk was taken than the least."""
        return self.done.risk - self.safest.risk


def risk_notes(game: int, plays: Sequence[BearoffPlay]) -> tuple[RiskNote, ...]:
    """Note the plays of a game whose men behind the tables know."""
    return tuple(note for play in plays if (note := _note(game, play)) is not None)


def _note(game: int, play: BearoffPlay) -> RiskNote | None:
    try:
        known = risk(play.board)
    except PositionError:
        return None
    listed = known.plays(play.roll)
    hits = play.result.theirs[-1] > play.board.theirs[-1]
    done = next(
        each
        for each in listed
        if each.position == play.result.mine[: len(each.position)]
        and (not each.position.checkers or ("*" in each.play) == hits)
    )
    safest = done if done.risk == listed[0].risk else listed[0]
    xgid = play.board.xgid(play.roll)
    return RiskNote(game, play.move_number, play.player, play.roll, known.behind, xgid, done, safest)
