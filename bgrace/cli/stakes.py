"""What a race is played for, as options of a command and as an ID has it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any

import click

from bgrace.board import GameState
from bgrace.cli.met_option import read_met
from bgrace.cli.options import check_cube_option
from bgrace.cube.action import CUBES, Cube
from bgrace.match.score import Score, parse_score
from bgrace.match.stakes import Rules, Stakes

__all__ = ["AskedStakes", "stakes_options"]

_OPTIONS = (
    click.option(
        "--cube",
        type=click.Choice(CUBES),
        help="Where the cube is, seen by the player on roll.  [default: as the ID has it, or centered]",
    ),
    click.option(
        "--cube-value",
        type=int,
        callback=check_cube_option,
        help="Its value before this roll.  [default: the ID's, or 1]",
    ),
    click.option("--match", "match_score", metavar="A,B", help="Points that both sides still need, such as 3,5."),
    click.option("--crawford", is_flag=True, help="At a match score: this is the Crawford game."),
    click.option("--money", is_flag=True, help="Play for money, whatever the ID says."),
    click.option(
        "--jacoby/--no-jacoby", default=None, help="Money: gammons count once as long as the cube is centered."
    ),
    click.option(
        "--beavers/--no-beavers", default=None, help="Money: who is doubled may turn the cube at once and keep it."
    ),
    click.option(
        "--gammons/--no-gammons", default=True, show_default=True, help="Whether gammons and backgammons count."
    ),
    click.option("--met", metavar="FILE", help="What scores are worth: a file, or zadeh.  [default: Kazaross XG2]"),
)


@dataclass(frozen=True, slots=True)
class AskedStakes:
    """The options, as they were given.

    Attributes
    ----------
    cube : str, or None
    cube_value : int, or None
    match_score : str, or None
    crawford, money : bool
    jacoby, beavers : bool, or None
    gammons : bool
    met : str, or None
    """

    cube: Cube | None
    cube_value: int | None
    match_score: str | None
    crawford: bool
    money: bool
    jacoby: bool | None
    beavers: bool | None
    gammons: bool
    met: str | None

    @property
    def given(self) -> list[str]:
        """Names of the options that were given."""
        named = {
            "--cube": self.cube is not None,
            "--cube-value": self.cube_value is not None,
            "--match": self.match_score is not None,
            "--crawford": self.crawford,
            "--money": self.money,
            "--jacoby": self.jacoby is not None,
            "--beavers": self.beavers is not None,
            "--no-gammons": not self.gammons,
            "--met": self.met is not None,
        }
        return [name for name, is_given in named.items() if is_given]

    def stakes(self, state: GameState | None, score: Score | None = None) -> Stakes:
        """Put the options together with what an ID says.

        Parameters
        ----------
        state : GameState, or None
            Of the ID, if there is one.
        score : Score, optional
            That of a file, for which it is played unless something else is said.

        Raises
        ------
        ArgumentError
            If there is no such score or cube.
        click.UsageError
            If options contradict each other or the ID.
        """
        if self.money and self.match_score is not None:
            raise click.UsageError("--money and --match contradict each other: give one of them")
        away, source = self._score(state, score)
        cube_value = self.cube_value
        if cube_value is None:
            cube_value = state.cube_value if state is not None else 1
        if away is None:
            for name, given in (("--crawford", self.crawford), ("--met", self.met is not None)):
                if given:
                    raise click.UsageError(f"{name} is for a match: give --match, the score, too")
            jacoby, beavers = (
                asked if asked is not None else bool(named)
                for asked, named in (
                    (self.jacoby, state and state.jacoby),
                    (self.beavers, state and state.beavers),
                )
            )
            return Stakes.money(Rules(self.gammons, jacoby, beavers), cube_value)
        for name, asked in (("--jacoby", self.jacoby), ("--beavers", self.beavers)):
            if asked:
                raise click.UsageError(
                    f"{name} is for money, and {source} a match, {away}: leave it out, or give --money"
                )
        if self.crawford and min(away.on_roll_needs, away.opponent_needs) > 1:
            raise click.UsageError(f"--crawford needs a side 1 away, and {source} {away}: leave it out")
        if self.crawford:
            away = Score(away.on_roll_needs, away.opponent_needs, True)
        return Stakes.at(away, read_met(self.met), cube_value, gammons=self.gammons)

    def _score(self, state: GameState | None, score: Score | None) -> tuple[Score | None, str]:
        """The score, None for money, and who says so."""
        if self.match_score is not None:
            return parse_score(self.match_score, self.crawford), "--match is"
        if self.money:
            return None, "--money"
        if state is not None and state.away is not None:
            return Score(*state.away, state.crawford), "the ID names"
        return score, "the file is for"

    def place(self, state: GameState | None, stakes: Stakes) -> Cube:
        """Where the cube is: as asked for, or as the ID has it if it can be there, or where it is by default.

        Raises
        ------
        ArgumentError
            If the cube cannot be where it was asked for.
        """
        if self.cube is None and state is not None and state.cube in stakes.cubes:
            return state.cube
        return stakes.check_cube(self.cube)


def stakes_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say what is played for; it gets them as `asked`, an `AskedStakes`."""

    @wraps(command)
    def with_stakes(**options: Any) -> None:
        asked = AskedStakes(**{field.name: options.pop(field.name) for field in fields(AskedStakes)})
        command(asked=asked, **options)

    decorated: Callable[..., None] = with_stakes
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated
