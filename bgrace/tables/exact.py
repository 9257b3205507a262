"""Two positions with all that they can come to, solved in double precision for any list of cube planes.

Either the two sides' closed sets are solved against each other, for either side on roll; or, where that is less work,
all pairs of the union of both sets, once: a position that both sides can come to then needs no second solution, and of
two planes that are the same with the sides exchanged one is enough.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats
from bgrace._kernels.exact import Exact
from bgrace._kernels.two_sided import Graph, reachable
from bgrace.board import Position
from bgrace.board.contact import check_no_contact, check_not_over
from bgrace.board.spaces import PositionSpace, space_of
from bgrace.errors import MemoryLimitError, PositionError
from bgrace.tables.two_sided import GAMMON_CHECKERS

__all__ = ["MAX_STATES", "CubePlane", "Plan", "PositionPair", "SolvedPair", "State", "padded_columns", "see_together"]

MAX_STATES: Final = 64
"""The most states that the solver takes: planes as a side sees them.  BGR_MAX_STATES."""

_MAX_INDEX: Final = 1 << 28  # as in csrc/solve/graph.c
_POSITION_BYTES: Final = 2500  # of a graph: about 170 results, and what finds them; 5 more for each smaller index
_COLUMNS: Final = 8  # positions of equal pips are padded to multiples of this
_DIGITS: Final = 12  # to which numbers must agree for two planes to be the same

State: TypeAlias = tuple[float, float, int, int, float, float, float]  # as the kernel takes them


class CubePlane(NamedTuple):
    """The cube in one place, for the whole game until it is turned.  Each entry is a pair: on roll, opponent.

    Values of the two sides add up to 0.
    """

    win: tuple[float, float]
    """Value of bearing off the last checker, to the side that does it."""
    gammon: tuple[float, float]
    """Points won and lost if the loser has all 15 checkers."""
    turned: tuple[int, int] = (-1, -1)
    """Number of the plane after the side has doubled and been taken; negative if it may not double."""
    factor: tuple[float, float] = (0.0, 0.0)
    """What a unit of that plane is worth in units of this one,"""
    offset: tuple[float, float] = (0.0, 0.0)
    """and what its 0 is worth."""
    passed: tuple[float, float] = (0.0, 0.0)
    """What a double that is passed is worth to the doubler."""


class _Graphs:
    """The graphs that were asked for last, as many as fit into `max_bytes`, for every thread."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._known: OrderedDict[tuple[int, bool, bytes], Graph] = OrderedDict()
        self._lock = threading.Lock()

    def graph(self, space: PositionSpace, indices: npt.NDArray[np.int64], compared: bool, n_threads: int) -> Graph:
        """The graph of positions of a space, those compared that can be left out of solutions."""
        key = (space.points, compared, indices.tobytes())  # numbers are those of every space with as many points
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        graph = Graph(space.kernel, indices, n_threads)
        if compared:
            graph.compare(GAMMON_CHECKERS, n_threads)
        with self._lock:
            self._known[key] = graph
            while sum(_POSITION_BYTES * len(each) for each in self._known.values()) > self._max_bytes:
                self._known.popitem(last=False)
        return graph


_GRAPHS: Final = _Graphs(1 << 25)


@dataclass(frozen=True, slots=True)
class Plan:
    """How planes are to be solved.

    Attributes
    ----------
    together : bool
        Whether all pairs of the union are solved.
    states : tuple of list
        What the solver takes for either side; a single list if together.
    places : tuple of list of int
        For either side, the state that holds each plane.
    n_bytes : int
        What the solution takes.
    """

    together: bool
    states: tuple[list[State], ...]
    places: tuple[list[int], list[int]]
    n_bytes: int


class SolvedPair:
    """Values of a pair and of what it can come to: of rolling now, without doubling."""

    def __init__(
        self,
        exact: Exact,
        plan: Plan,
        sides: tuple[Position, Position],
        rank_of: Callable[[int, Position], int],
        on_roll: int = 0,
    ) -> None:
        self._exact, self._plan, self._rank_of, self._side = exact, plan, rank_of, on_roll
        self._start = (rank_of(on_roll, sides[0]), rank_of(1 - on_roll, sides[1]))

    def now(self) -> Floats:
        """For the player on roll, (planes,)."""
        return self._values(*self._start, self._side)

    def answers(self, result: Position) -> Floats:
        """For the opponent when the player on roll has moved to `result`, (planes,)."""
        return self._values(self._start[1], self._rank_of(self._side, result), 1 - self._side)

    def _values(self, rank: int, opponent_rank: int, side: int) -> Floats:
        row = self._exact.values(rank, opponent_rank, 0 if self._plan.together else side)
        return row[self._plan.places[side]]

    def later(self, on_roll: Position, opponent: Position, side: int) -> SolvedPair:
        """A pair that this one can come to.

        Parameters
        ----------
        on_roll, opponent : Position
        side : int
            0 if the player on roll is the same as here, 1 if it is the opponent, who sees the planes from there.

        Raises
        ------
        PositionError
            If this pair cannot come to it.
        """
        return SolvedPair(self._exact, self._plan, (on_roll, opponent), self._rank_of, self._side ^ side)


class PositionPair:
    """A pair of positions to solve.

    Parameters
    ----------
    on_roll, opponent : Position

    Raises
    ------
    MemoryLimitError
        If a position is so far up the numbers of its board that what it can come to cannot be listed.
    PositionError
        If a side has no checker left, or the sides still have contact.
    """

    def __init__(self, on_roll: Position, opponent: Position) -> None:
        self.sides: tuple[Position, Position] = (on_roll, opponent)
        check_not_over(on_roll, opponent)
        check_no_contact(on_roll, opponent, f"{on_roll} against {opponent}")
        self._spaces = [space_of(side.points, side.checkers) for side in self.sides]
        self._parts = [_reachable(space, side) for space, side in zip(self._spaces, self.sides, strict=True)]
        # A position has the same number in every space with as many points.
        comparable = on_roll.points == opponent.points
        self._larger = max(self._spaces, key=len)
        self._union = np.union1d(*self._parts) if comparable else None
        self._graphs: dict[bool, list[Graph]] = {}
        self._plans: dict[tuple[CubePlane, ...], Plan] = {}

    @property
    def reachable(self) -> tuple[int, int]:
        """How many positions the player on roll and the opponent can come to."""
        return len(self._parts[0]), len(self._parts[1])

    @property
    def has_gammons(self) -> bool:
        """Whether a side still has all of its checkers, and may lose a gammon if gammons count."""
        return any(side.checkers == GAMMON_CHECKERS for side in self.sides)

    @property
    def pairs(self) -> int:
        """How many ordered pairs there are, for either side on roll."""
        return len(self._parts[0]) * len(self._parts[1])

    @property
    def union_pairs(self) -> int | None:
        """How many ordered pairs of the union there are; None for boards of different sizes."""
        return None if self._union is None else len(self._union) ** 2

    @property
    def graph_bytes(self) -> int:
        """About what the graphs of both sides take."""
        return sum(_POSITION_BYTES * len(part) + 5 * int(part[-1]) for part in self._parts)

    def plan(self, planes: Sequence[CubePlane]) -> Plan:
        """Find the cheaper way to solve these planes."""
        key = tuple(planes)
        if key not in self._plans:
            self._plans[key] = self._plan(key)
        return self._plans[key]

    def _plan(self, planes: Sequence[CubePlane]) -> Plan:
        states, views = see_together(planes)
        pairs = list(zip(*views, strict=True))
        distinct = sorted(set(pairs))
        padded = self._padded
        apart_bytes = 8 * len(distinct) * sum(len(self._parts[k]) * padded[1 - k] for k in (0, 1))
        if self._union is not None and len(states) <= MAX_STATES:
            together_bytes = 8 * len(states) * len(self._union) * padded[2]
            if together_bytes < apart_bytes:
                return Plan(True, (states,), views, together_bytes)
        places = [distinct.index(pair) for pair in pairs]
        first = [pairs.index(pair) for pair in distinct]
        both = tuple([_state(planes, 2 * k + side, lambda other: places[other // 2]) for k in first] for side in (0, 1))
        return Plan(False, both, (places, places), apart_bytes)

    @cached_property
    def _padded(self) -> tuple[int, ...]:
        """Columns of either side's positions, and of the union."""
        both = [padded_columns(space, part) for space, part in zip(self._spaces, self._parts, strict=True)]
        return (*both, *([] if self._union is None else [padded_columns(self._larger, self._union)]))

    def graphs(self, together: bool, n_threads: int) -> list[Graph]:
        """The graph of the union, or those of both sides."""
        if together not in self._graphs:
            if together:
                assert self._union is not None
                graphs = [_GRAPHS.graph(self._larger, self._union, True, n_threads)]
            else:
                # What can be passed over of many plays is found out in less time than it saves only against many.
                few, many = sorted(len(part) for part in self._parts)
                graphs = [
                    _GRAPHS.graph(space, part, many <= 2 * few, n_threads)
                    for space, part in zip(self._spaces, self._parts, strict=True)
                ]
            self._graphs[together] = graphs
        return self._graphs[together]

    def rank(self, graphs: Sequence[Graph], side: int, position: Position) -> int:
        """Rank of a position of side 0 or 1 in its graph."""
        order, space = graphs[min(side, len(graphs) - 1)].indices(), self._spaces[side]
        places = np.flatnonzero(order == space.index(position.resized(space.points)))
        if not places.size:
            raise PositionError(f"{position} is nothing that {self.sides[side]} can come to")
        return int(places[0])

    def solve(self, plan: Plan, n_threads: int) -> SolvedPair:
        """Carry out a plan; any number of threads may do so at once.

        Raises
        ------
        MemoryLimitError
            If there is not enough memory.
        """
        graphs = self.graphs(plan.together, n_threads)
        states = (*plan.states, None)[:2]
        assert states[0] is not None
        exact = Exact(
            graphs[0],
            None if plan.together else graphs[1],
            states[0],
            states[1],
            gammon_checkers=GAMMON_CHECKERS,
            n_threads=n_threads,
        )
        return SolvedPair(exact, plan, self.sides, lambda side, position: self.rank(graphs, side, position))


def padded_columns(space: PositionSpace, indices: npt.NDArray[np.int64]) -> int:
    """How many columns the solver makes of positions: those of equal pips rounded up to eights."""
    pips = space.position(indices).astype(np.int64) @ np.arange(1, space.points + 1)
    return int((-(-np.bincount(pips) // _COLUMNS)).sum()) * _COLUMNS


def see_together(planes: Sequence[CubePlane]) -> tuple[list[State], tuple[list[int], list[int]]]:
    """Return the states that the planes make as either side sees them, each once.

    Returns
    -------
    list of tuple
        As the solver takes them for one graph.
    tuple of two list of int
        For the player on roll and for the opponent, the number of the state that each plane is to that side.
    """
    classes = _classes(planes)
    views = [classes.index(view) for view in range(max(classes) + 1)]
    return [_state(planes, view, lambda other: classes[other]) for view in views], (classes[::2], classes[1::2])


def _reachable(space: PositionSpace, side: Position) -> npt.NDArray[np.int64]:
    index = space.index(side)
    if index >= _MAX_INDEX:
        # Looking for them takes a byte for each smaller index, and they would be far too many anyway.
        raise MemoryLimitError(
            f"{side} is position {index:,} of its board, and {_MAX_INDEX:,} are allowed: pairs of fewer checkers, "
            "or nearer home, can be solved; bgrace solve --one-sided and bgrace rollout estimate the chance of any race"
        )
    return reachable(space.kernel, index)


# A plane as a side sees it is a view: 2k for plane k and the player on roll, 2k + 1 for the opponent.


def _turned(planes: Sequence[CubePlane], view: int) -> int:
    """The view after the side has doubled, or -1."""
    to = planes[view // 2].turned[view % 2]
    return 2 * to + view % 2 if to >= 0 else -1


def _state(planes: Sequence[CubePlane], view: int, place: Callable[[int], int]) -> State:
    plane, side, turned = planes[view // 2], view % 2, _turned(planes, view)
    return (
        plane.win[side],
        plane.gammon[side],
        place(view ^ 1),
        place(turned) if turned >= 0 else -1,
        plane.factor[side],
        plane.offset[side],
        plane.passed[side],
    )


def _classes(planes: Sequence[CubePlane]) -> list[int]:
    """For each view the number of its class: views of a class have the same values everywhere.

    Two views are different if their numbers are, or if what the opponent sees or a double leads to is.
    """
    views = range(2 * len(planes))

    def numbered(keys: Sequence[object]) -> list[int]:
        known: dict[object, int] = {}
        return [known.setdefault(key, len(known)) for key in keys]

    def numbers(view: int) -> tuple[float, ...]:
        plane = planes[view // 2]
        own = (plane.win, plane.gammon, plane.factor, plane.offset, plane.passed)
        return tuple(round(pair[view % 2], _DIGITS) + 0.0 for pair in own)

    classes = numbered([(numbers(view), _turned(planes, view) >= 0) for view in views])
    while True:
        finer = numbered(
            [(classes[v], classes[v ^ 1], classes[t] if (t := _turned(planes, v)) >= 0 else -1) for v in views]
        )
        if max(finer) == max(classes):
            return finer
        classes = finer
