"""The stakes of a race, as options of a command and as an ID has it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import Annotated, Any, get_type_hints

import click

from bgrace.board import GameState
from bgrace.cli.met_option import met_option, read_met
from bgrace.cli.options import check_cube_option
from bgrace.cube.action import CUBES, Cube
from bgrace.match.score import Score, parse_score
from bgrace.match.stakes import Rules, Stakes


@dataclass(frozen=True, slots=True)
class StakesOptions:
    """The options, as they were given; None where an ID decides."""

    cube: Annotated[
        Cube | None,
        click.option(
            "--cube",
            type=click.Choice(CUBES),
            help="Where the cube is, seen by the player on roll.  [default: as the ID has it, or centered]",
        ),
    ] = None
    cube_value: Annotated[
        int | None,
        click.option(
            "--cube-value",
            type=int,
            callback=check_cube_option,
            help="Its value before this roll.  [default: the ID's, or 1]",
        ),
    ] = None
    match: Annotated[
        str | None, click.option("--match", metavar="A,B", help="Points that both sides still need, such as 3,5.")
    ] = None
    crawford: Annotated[
        bool, click.option("--crawford", is_flag=True, help="At a match score: this is the Crawford game.")
    ] = False
    money: Annotated[bool, click.option("--money", is_flag=True, help="Play for money, whatever the ID says.")] = False
    jacoby: Annotated[
        bool | None,
        click.option(
            "--jacoby/--no-jacoby", default=None, help="Money: gammons count once while the cube is centered."
        ),
    ] = None
    beavers: Annotated[
        bool | None,
        click.option(
            "--beavers/--no-beavers", default=None, help="Money: when doubled, redouble at once and keep the cube."
        ),
    ] = None
    gammons: Annotated[
        bool,
        click.option(
            "--gammons/--no-gammons", default=True, show_default=True, help="Whether gammons and backgammons count."
        ),
    ] = True
    met: Annotated[str | None, met_option] = None

    @property
    def given(self) -> list[str]:
        """Names of the options that were given."""
        return [
            f"--{'no-' if each.default is True else ''}{each.name.replace('_', '-')}"
            for each in fields(self)
            if getattr(self, each.name) != each.default
        ]

    def stakes(self, state: GameState | None) -> Stakes:
        """Put the options together with what an ID says."""
        if self.money and self.match is not None:
            raise click.UsageError("--money and --match contradict each other: give one of them")
        away, source = self._score(state)
        cube_value = self.cube_value
        if cube_value is None:
            cube_value = state.cube_value if state is not None else 1
        if away is None:
            for name, is_given in (("--crawford", self.crawford), ("--met", self.met is not None)):
                if is_given:
                    raise click.UsageError(f"{name} is for a match: give --match, the score, too")
            jacoby = state is not None and bool(state.jacoby) if self.jacoby is None else self.jacoby
            beavers = state is not None and bool(state.beavers) if self.beavers is None else self.beavers
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

    def placed(self, state: GameState | None) -> tuple[Stakes, Cube]:
        """The stakes, and where the cube is."""
        stakes = self.stakes(state)
        return stakes, stakes.check_cube(self.cube, None if state is None else state.cube)

    def _score(self, state: GameState | None) -> tuple[Score | None, str]:
        """The score, None for money, and who says so."""
        if self.match is not None:
            return parse_score(self.match, self.crawford), "--match is"
        if self.money:
            return None, "--money"
        if state is not None and state.away is not None:
            return Score(*state.away, state.crawford), "the ID names"
        return None, "money"


def stakes_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say what is played for; it gets them as `asked`, a `StakesOptions`."""

    @wraps(command)
    def with_stakes(**options: Any) -> None:
        asked = StakesOptions(**{each.name: options.pop(each.name) for each in fields(StakesOptions)})
        command(asked=asked, **options)

    decorated: Callable[..., None] = with_stakes
    for annotation in reversed(get_type_hints(StakesOptions, include_extras=True).values()):
        decorated = annotation.__metadata__[0](decorated)
    return decorated
