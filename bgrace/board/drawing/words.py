"""The words beside a board, for text and SVG."""

from __future__ import annotations

from collections.abc import Sequence

from bgrace.board.game_state import GameState


def pips_words(side: Sequence[int]) -> str:
    """Write the pip count of a side.

    Examples
    --------
    >>> pips_words((1,)), pips_words((1, 2))
    ('1 pip', '5 pips')
    """
    pips = sum(point * n for point, n in enumerate(side, 1))
    return "1 pip" if pips == 1 else f"{pips} pips"


def roll_words(roll: tuple[int, int]) -> str:
    """Write a roll.

    Examples
    --------
    >>> roll_words((3, 1))
    '3-1'
    """
    return f"{roll[0]}-{roll[1]}"


def score_words(state: GameState, side: int) -> str:
    """Write the score of a side, 0 for the player on roll; empty if there is nothing to tell.

    Examples
    --------
    >>> score_words(GameState(score=(4, 2), match_length=7), 0), score_words(GameState(score=(0, 3)), 1)
    ('3-away, 4 of 7', '3 points won')
    """
    points = state.score[side]
    if state.away is not None:
        return f"{state.away[side]}-away, {points} of {state.match_length}"
    if not any(state.score):
        return ""
    return "1 point won" if points == 1 else f"{points} points won"


def stakes_words(state: GameState) -> str:
    """Write what is played for; empty if it is not known.

    Examples
    --------
    >>> stakes_words(GameState(jacoby=True, beavers=True)), stakes_words(GameState(match_length=5))
    ('money, Jacoby, beavers', 'match to 5')
    >>> stakes_words(GameState(score=(4, 0), match_length=5, crawford=True)), stakes_words(GameState())
    ('match to 5, Crawford game', '')
    """
    if state.match_length:
        return f"match to {state.match_length}" + (", Crawford game" if state.crawford else "")
    if state.jacoby is None and state.beavers is None:
        return ""
    return "money" + (", Jacoby" if state.jacoby else "") + (", beavers" if state.beavers else "")
