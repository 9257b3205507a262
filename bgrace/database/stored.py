"""The tables of a database file: pairs through the C library, single positions from the file or solved again."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, NoReturn, TypeAlias, get_args

from bgrace._base.arrays import Floats, Integers, as_rows
from bgrace._kernels.kinds import FourValues
from bgrace._kernels.lazy_numpy import np, npt
from bgrace._kernels.probe import Probe
from bgrace.answers import Gammons, Values
from bgrace.board import HOME_POINTS, Position
from bgrace.board.dice import MEAN_PIPS
from bgrace.board.position import PositionArray
from bgrace.board.spaces import PositionSpace
from bgrace.database.store.format import Directory
from bgrace.database.store.reader import Access, StoredTables, read_tables
from bgrace.errors import ClosedError, CoverageError, FormatError
from bgrace.match.stakes import MONEY_PLACES, SEEN_BY_OTHER, Rules, Stakes
from bgrace.tables import (
    GAMMON_CHECKERS,
    OneSidedTable,
    Plane,
    n_fewer_checkers,
    one_sided_gammons,
    one_sided_win,
    solve_one_sided,
)

Moment: TypeAlias = Literal["epc", "mean_rolls", "variance_rolls"]

_ROWS_AT_A_TIME: Final = 1 << 16


class Source:
    """The tables of a file, by the indices of positions in `space`; planes are those of `bgrace.tables.Plane`.

    Safe to call from several threads.  Arrays of results are the caller's own.

    Attributes
    ----------
    path : Path
    stored : StoredTables
    space : PositionSpace
        All positions of the tables.
    two_sided_checkers : int
        Greatest number of checkers a side in the table of pairs; 0 without a table.
    n_pairs : int
        Number of positions a side in the table of pairs: those with the lowest indices.
    cubeful : bool
        Whether pairs have equities with a cube.
    gammons : bool
        Whether equities count gammons.
    rules : Rules
        Default rules of queries.
    error : float
        The greatest error of an equity; 0.0 if the only error is that of 16 bits.
    epc, mean_rolls, variance_rolls, rolls_of_one : callable
        Expected pip count, mean and variance of the number of rolls, and `rolls`, by the index of one position.
    win : callable
        ``win(on_roll, opponent)``: chance to win, exact within the table of pairs, else estimated from both sides'
        rolls.
    values : callable
        ``values(on_roll, opponent, jacoby, doubling)``: equities of rolling now in each plane; with `doubling`,
        centered and mine include the right to double.  Only for pairs in the table, and only for cubeless values unless
        the file is cubeful.
    move_values : callable
        ``move_values(opponent, ends, plane, jacoby, won)``: values of having moved to each of `ends`, and the same
        without a cube.  `plane` is that of the opponent, who is then on roll and may double; `won` is the value of
        having borne off the last checker.
    """

    def __init__(self, stored: StoredTables) -> None:
        directory = stored.directory
        stored.expect_random_access()
        self.stored: StoredTables = stored
        self.path: Path = stored.path
        self._absolute = self.path.absolute()  # pickles stay valid if the process changes its folder
        self.gammons: bool = directory.gammons
        self.rules: Rules = Rules(gammons=self.gammons)
        self.space: PositionSpace = PositionSpace(directory.points, directory.checkers)
        self.two_sided_checkers: int = directory.two_sided_checkers
        self.n_pairs: int = directory.n_pairs
        self.cubeful: bool = "small/planes" not in stored.tables or stored.tables["small/planes"].shape[0] > 1
        self.error: float = directory.errors[2] if directory.errors else 0.0
        self._probe = Probe(stored.file if stored.view is None else stored.view, str(stored.path))
        # These are the probe's own methods: a method around one would take a third of a query's time.
        self.epc: Callable[[int], float] = self._probe.epc
        self.mean_rolls: Callable[[int], float] = self._probe.mean_rolls
        self.variance_rolls: Callable[[int], float] = self._probe.variance_rolls
        self.rolls_of_one: Callable[[int], Floats] = self._probe.row
        self._approximate = directory.approximate
        self.win: Callable[[int, int], float] = self._probe.win_probability
        self.values: Callable[[int, int, bool, bool], FourValues] = self._probe.values
        self.move_values: Callable[[int, list[int], int, bool, float], tuple[list[float], list[float]]]
        self.move_values = self._probe.move_values
        if self._approximate:
            self.win, self.values = self._approximate_win, self._approximate_values
            self.move_values = self._approximate_move_values
            self.epc, self.mean_rolls, self.variance_rolls = map(self._solved_moment, get_args(Moment))
            self.rolls_of_one = self.rolls
        first = {"one_sided/first_checker_distribution", "one_sided/first_checker_chances"}
        self._has_first_checker = not self._approximate and not first.isdisjoint(stored.tables)

    @cached_property
    def _solution(self) -> OneSidedTable:
        """The tables of single positions, which an approximate file does not have."""
        return solve_one_sided(self.space)

    @property
    def boundary(self) -> Probe | None:
        """The pairs for the solver of longer races; None unless they are exact and on six points."""
        if self.space.points != HOME_POINTS or not self.n_pairs or self._approximate:
            return None
        return self._probe

    def __reduce__(self) -> tuple[Callable[..., Source], tuple[Path, Directory, Access, bool]]:
        """Pickle the file's name: unpickling opens the file again, if it is still the same."""
        return _reopened, (self._absolute, self.stored.directory, self.stored.access, self.stored.lazily)

    # ------------------------------------------------------------------ one position

    def _solved_moment(self, name: Moment) -> Callable[[int], float]:
        return lambda index: float(self.moments(name, np.array(index)))

    def moments(self, name: Moment, index: Integers) -> Floats:
        """Expected pip counts, means or variances of many positions."""
        if not self._approximate:
            return self._probe.moments(name, _flat(index)).reshape(index.shape)
        found: Floats = getattr(self._solution, "variance_rolls" if name == "variance_rolls" else "mean_rolls")[index]
        return found * MEAN_PIPS if name == "epc" else found

    def rolls(self, index: int | Integers) -> Floats:
        """Chances of bearing off in exactly 0, 1, ... rolls, shape (..., width)."""
        return np.array(self._solution.roll_distribution[index]) if self._approximate else self._rows(index, False)

    def first_checker_rolls(self, index: int | Integers) -> Floats:
        """Chances that the first of 15 checkers comes off on exactly roll 0, 1, ...; CoverageError if unknown."""
        if self._has_first_checker:
            return self._rows(index, True)
        first = self._solution.first_checker_distribution if self._approximate else None
        if first is None:
            problem = f"is for {self.space.checkers} checkers: the first of 15 needs a database for 15; build one"
            if self.space.checkers == GAMMON_CHECKERS:
                problem = "lacks the first checker's rolls, as its source did: build it, or export with --no-gammons"
            raise CoverageError(f"{self.path} {problem}")
        rows = np.asarray(index) - n_fewer_checkers(self.space, GAMMON_CHECKERS)
        chances: Floats = np.array(first[np.maximum(rows, 0)])
        chances[rows < 0] = np.arange(chances.shape[-1]) == 0
        return chances

    def bare_rolls(self, index: int, *, first_checker: bool = False) -> array[float] | Floats:
        """`rolls` or `first_checker_rolls` of one position, without NumPy unless the file is approximate."""
        if self._approximate or (first_checker and not self._has_first_checker):
            return self.first_checker_rolls(index) if first_checker else self.rolls(index)
        return self._probe.bare_row(index, first_checker)

    def _rows(self, index: int | Integers, first_checker: bool) -> Floats:
        if isinstance(index, int):
            return self._probe.row(index, first_checker)
        rows = self._probe.rows(_flat(index), first_checker)
        return rows.reshape(*index.shape, rows.shape[1])

    # ------------------------------------------------------------------ pairs

    def _approximate_win(self, on_roll: int, opponent: int) -> float:
        if max(on_roll, opponent) >= self.n_pairs:
            return float(self.wins(np.array(on_roll), np.array(opponent)))
        return self._probe.win_probability(on_roll, opponent)

    def wins(self, on_roll: Integers, opponent: Integers) -> Floats:
        """`win` of many pairs; both arrays have the same shape."""
        mine, theirs = _flat(on_roll), _flat(opponent)
        if not self._approximate:
            return self._probe.win_probability_batch(mine, theirs).reshape(on_roll.shape)
        covered = np.maximum(mine, theirs) < self.n_pairs
        chances = np.empty(mine.shape)
        chances[covered] = self._probe.win_probability_batch(mine[covered], theirs[covered])
        beyond = np.flatnonzero(~covered)
        for start in range(0, len(beyond), _ROWS_AT_A_TIME):
            part = beyond[start : start + _ROWS_AT_A_TIME]
            chances[part] = one_sided_win(self.rolls(mine[part]), self.rolls(theirs[part]))
        return chances.reshape(on_roll.shape)

    def wins_of_counts(self, on_roll: PositionArray, opponent: PositionArray) -> Floats | None:
        """`wins` of counts by a fast path; None if a pair has no answer, or the C library cannot take these arrays.

        `PositionSpace.index` and `wins` then give the answer or raise the error.
        """
        return self._probe.wins_of_counts(on_roll, opponent) if self._are_plain(on_roll, opponent) else None

    def _approximate_values(self, on_roll: int, opponent: int, jacoby: bool, doubling: bool) -> FourValues:
        columns = self.value_arrays(np.array(on_roll), np.array(opponent), self.planes, jacoby, doubling)
        cubeless, *others = (float(column) for column in columns)
        mine, centered, theirs = others or (np.nan,) * 3
        return cubeless, mine, centered, theirs

    @property
    def planes(self) -> tuple[int, ...]:
        """The planes of the pairs in this file."""
        return tuple(Plane) if self.cubeful else (Plane.CUBELESS,)

    def value_arrays(
        self, on_roll: Integers, opponent: Integers, planes: Sequence[int], jacoby: bool, doubling: bool
    ) -> Sequence[Floats]:
        """`values` of many pairs in the given planes; both arrays have the same shape."""
        mine, theirs = _flat(on_roll), _flat(opponent)
        if not self.cubeful:
            return [2 * self.wins(on_roll, opponent) - 1]
        if self._approximate and self.gammons and jacoby and Plane.CENTERED in planes:
            fewer = n_fewer_checkers(self.space, GAMMON_CHECKERS)
            if max(mine.max(initial=0), theirs.max(initial=0)) >= fewer:
                raise CoverageError(
                    f"{self.path} is approximate and has no equities under the Jacoby rule of pairs in which a side "
                    f"has {GAMMON_CHECKERS} checkers: ask a file that bgrace build made, or solve the pair (bgrace "
                    "solve)"
                )
        columns = self._probe.values_batch(mine, theirs, planes, jacoby, doubling)
        return [column.reshape(on_roll.shape) for column in columns]

    def value_arrays_of_counts(
        self,
        on_roll: PositionArray,
        opponent: PositionArray,
        planes: Sequence[int],
        jacoby: bool,
        doubling: bool,
        started: bool,
    ) -> Sequence[Floats] | None:
        """`value_arrays` of counts, like `wins_of_counts`; with `started`, also None if a side has no checker left."""
        if not self._are_plain(on_roll, opponent) or (self._approximate and jacoby):
            return None
        return self._probe.values_of_counts(on_roll, opponent, planes, jacoby, doubling, started)

    def _are_plain(self, on_roll: PositionArray, opponent: PositionArray) -> bool:
        """Whether the C library can take these arrays as they are."""
        return (
            on_roll.ndim == 2
            and on_roll.shape == opponent.shape
            and on_roll.shape[1] == self.space.points
            and on_roll.dtype == opponent.dtype
            and on_roll.dtype in (np.int8, np.int64)
            and on_roll.flags.c_contiguous
            and opponent.flags.c_contiguous
        )

    def _approximate_move_values(
        self, opponent: int, ends: list[int], plane: int, jacoby: bool, won: float
    ) -> tuple[list[float], list[float]]:
        left = np.array([end for end in ends if end], np.int64)
        columns = self.value_arrays(np.full(left.shape, opponent), left, sorted({Plane.CUBELESS, plane}), jacoby, True)
        values, cubeless = (iter((0.0 - column).tolist()) for column in (columns[-1], columns[0]))  # no -0.0
        return [next(values) if end else won for end in ends], [next(cubeless) if end else won for end in ends]


def _reopened(path: Path, directory: Directory, access: Access, lazily: bool) -> Source:
    """Open the file of a pickle again; FormatError if another file has its name by now."""
    stored = read_tables(path, access, "lazily" if lazily else False)
    if stored.directory != directory:
        raise FormatError(f"{path} is another file than the one that was pickled: open it by its name")
    return Source(stored)


def _flat(indices: Integers) -> npt.NDArray[np.int64]:
    return np.ascontiguousarray(indices.reshape(-1), np.int64)


class ClosedSource:
    """The source of a closed database: every use raises ClosedError."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __getattr__(self, name: str) -> NoReturn:
        raise ClosedError(f"{self.path} is closed: open it again")

    def __reduce__(self) -> NoReturn:
        self.__getattr__("__reduce__")


def no_cube(source: Source) -> str:
    """The message that tables without cubeful equities have no answer with a cube."""
    return f"{source.path} has no cubeful equities: ask it for win probabilities only"


def check_covered(
    source: Source, mine: int | Integers, theirs: int | Integers, rules: Rules, with_cube: bool = True
) -> None:
    """Raise CoverageError for pairs outside the table, or with 15 checkers if the rules differ on gammons."""
    if isinstance(mine, int) and isinstance(theirs, int):
        most = max(mine, theirs)
    else:
        most = int(max(np.max(mine, initial=0), np.max(theirs, initial=0)))
    if most >= source.n_pairs:
        checkers = source.space.position(most).checkers
        has = f"one for {source.two_sided_checkers}" if source.two_sided_checkers else "none"
        raise CoverageError(
            f"equities of {checkers} checker{'s' * (checkers != 1)} with a cube need a two-sided table "
            f"for {checkers} a side, {source.path} has {has}: build one with --two-sided "
            f"{checkers}, solve the pair (bgrace solve), or ask without a cube"
        )
    if with_cube and not source.cubeful:
        raise CoverageError(no_cube(source))
    if not agrees(source, rules) and most >= n_fewer_checkers(source.space, GAMMON_CHECKERS):
        counts = "counts" if source.gammons else "does not count"
        raise CoverageError(f"{source.path} {counts} gammons, and these rules differ: solve the pair (bgrace.solve)")


def money_rules(source: Source, stakes: Stakes | None) -> Rules:
    """Return the rules of money of a query, by default those of the file; CoverageError for a match."""
    if stakes is None:
        return source.rules
    Stakes.given(stakes)  # refuses all but stakes
    if stakes.score is not None:
        raise CoverageError(f"{source.path} is for money, not for {stakes}: solve the pair (bgrace.solve)")
    return stakes.rules


def agrees(source: Source, rules: Rules) -> bool:
    """Whether the table follows the rules on gammons, or none of its pairs depends on gammons."""
    return rules.gammons == source.gammons or source.two_sided_checkers < GAMMON_CHECKERS


class StoredPair:
    """The answers of a file about a pair: a `PairAnswers`."""

    def __init__(
        self, source: Source, sides: tuple[Position, Position], indices: tuple[int, int], rules: Rules
    ) -> None:
        self._source, self._sides, self._indices, self._rules = source, sides, indices, rules

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        values = self._source.values(*self._indices, self._rules.jacoby, False)
        return self._values(array("d", values[: len(self._source.planes)]))

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        """See `PairAnswers.after`."""
        source, opponent = self._source, self._indices[1]
        planes = SEEN_BY_OTHER if source.cubeful else (Plane.CUBELESS,)
        found = array("d")
        for result in results:
            values = source.values(opponent, source.space.index(result), self._rules.jacoby, False)
            found.extend(map(values.__getitem__, planes))
        return self._values(as_rows(found, len(planes)))

    def win_probability(self) -> float:
        """See `PairAnswers.win_probability`."""
        return self._source.win(*self._indices)

    def gammons(self) -> Gammons:
        """See `PairAnswers.gammons`."""
        if any(side.checkers < GAMMON_CHECKERS for side in self._sides):
            cubeless = self._source.values(*self._indices, False, False)[Plane.CUBELESS]
            difference = cubeless - (2 * self.win_probability() - 1)
            return Gammons(max(difference, 0.0), max(-difference, 0.0), None, None, "two-sided")
        try:
            firsts = [self._source.first_checker_rolls(k) for k in self._indices]
        except CoverageError:  # a file imported from GNU Backgammon may lack them
            return Gammons(None, None, None, None, None)
        chances = one_sided_gammons(*(self._source.rolls_of_one(k) for k in self._indices), *firsts)
        return Gammons(*chances, None, None, "one-sided")

    def _values(self, rows: array[float] | memoryview[float]) -> Values:
        source = self._source
        if not source.cubeful:
            return Values(rows, {"none": MONEY_PLACES["none"]}, "two-sided", source.error, missing=no_cube(source))
        # The table has every pair that a pair in it can come to.
        return Values(rows, MONEY_PLACES, "two-sided", source.error, of_any_roll=True)
