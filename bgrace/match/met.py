"""Match equity tables: load, make, compare and write them.

A table has the chance to win the match at every score.  For two players of equal strength, half of it is enough; but a
table need not be symmetric, so its chances are the first player's.  Together with a `Score`, the first player is the
player on roll.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bgrace._base.arrays import Floats, ShortRepr, ToDict, as_integer, as_number
from bgrace._base.files import checked_path, opened, write_small_file
from bgrace._kernels.lazy_numpy import np, npt
from bgrace.board.game_state import check_cube_value
from bgrace.errors import ArgumentError, FormatError
from bgrace.match.score import Score, cube_points, gammon_value

if TYPE_CHECKING:
    from bgrace.match.zadeh import ZadehModel


_MAX_POINTS: Final = 256  # of a match; real ones are shorter
_MAX_BYTES: Final = 1 << 22
_ROUNDING: Final = 1.1e-3  # printed tables are rounded


@dataclass(frozen=True, slots=True, repr=False)
class TableDifference(ToDict, ShortRepr):
    """The differences of two tables, over the scores that both have.

    Attributes
    ----------
    length : int
        Most points to go that both have.
    largest : float
        Greatest absolute difference of two chances.
    largest_at : tuple of two int, and bool
        The score, and whether it is after the Crawford game.
    root_mean_square : float
        Over all scores before the match is over.
    pre_crawford : float64 ndarray, shape (length, length)
        Second less first: ``pre_crawford[x1 - 1, x2 - 1]``.
    post_crawford : float64 ndarray, shape (2, m)
        Second less first for the trailer after the Crawford game, the first or the second player, 1 .. m points away.
    """

    length: int
    largest: float
    largest_at: tuple[int, int, bool]
    root_mean_square: float
    pre_crawford: Floats
    post_crawford: Floats


class MatchEquityTable:
    """Chances of winning a match, by score.

    Made by `load`, `from_arrays`, `from_model` or `default`; never changed afterwards.

    Attributes
    ----------
    name, description : str
    length : int
        Most points that a side may need.
    pre_crawford : float64 ndarray, shape (length, length)
        ``pre_crawford[x1 - 1, x2 - 1]``: the first player's chance before a game in which they need x1 and the second
        player x2; in the first row and column that game is the Crawford game.
    post_crawford : float64 ndarray, shape (2, m), m = length or length - 1
        ``post_crawford[k, x - 1]``: the chance of a trailer who needs x after the Crawford game, the other side 1;
        k = 0 if the trailer is the first player, else 1.

    Examples
    --------
    >>> table = MatchEquityTable.default()
    >>> table.name, table.length, table.equity(3, 5), table.equity(2, 1, crawford=False)
    ('Kazaross XG2', 25, 0.64795, 0.48803)
    """

    def __init__(self, name: str, description: str, pre_crawford: Floats, post_crawford: Floats) -> None:
        self.name = name
        self.description = description
        self.pre_crawford = pre_crawford
        self.post_crawford = post_crawford
        self.length: int = len(pre_crawford)
        pre_crawford.setflags(write=False)
        post_crawford.setflags(write=False)

    def __repr__(self) -> str:
        return f"<MatchEquityTable {self.name!r}, {self.length} points>"

    # ------------------------------------------------------------------ making one

    @classmethod
    def from_arrays(
        cls,
        pre_crawford: npt.ArrayLike,
        post_crawford: npt.ArrayLike,
        name: str = "unnamed",
        description: str = "",
    ) -> MatchEquityTable:
        """Make a table from numbers.

        Parameters
        ----------
        pre_crawford : array_like of float, shape (n, n)
            The first player's chance, ``[x1 - 1, x2 - 1]``; in the first row and column at the start of the Crawford
            game.
        post_crawford : array_like of float, shape (m,) or (2, m), m = n or n - 1
            The trailer's chance, the other side needing 1, after the Crawford game: for either player, or one row for
            each.
        name, description : str

        Returns
        -------
        MatchEquityTable

        Raises
        ------
        ArgumentError
            If a shape is wrong, an entry is not a chance, a side's chance falls where the other needs more or rises
            where they do, or the two arrays differ about the score at which both sides are 1 away.

        Examples
        --------
        >>> table = MatchEquityTable.from_arrays([[0.5, 0.7], [0.3, 0.5]], [0.5, 0.48])
        >>> table.equity(1, 2), table.equity(1, 2, crawford=False), table.equity(0, 2)
        (0.7, 0.52, 1.0)
        """
        try:
            pre, post = (np.array(part, dtype=np.float64) for part in (pre_crawford, post_crawford))
        except (TypeError, ValueError) as error:
            raise ArgumentError(f"a match equity table is made of numbers, in rows of equal length: {error}") from error
        n = len(pre) if pre.ndim else 0
        if pre.shape != (n, n) or not 1 <= n <= _MAX_POINTS:
            raise ArgumentError(f"pre_crawford has shape {pre.shape}: give (n, n), n from 1 to {_MAX_POINTS}")
        if post.ndim == 1:
            post = np.stack((post, post))
        if post.shape not in ((2, n), (2, max(n - 1, 1))):
            raise ArgumentError(
                f"post_crawford has shape {post.shape}: give ({n},) or ({n - 1},), or one row for each player"
            )
        for label, part in (("pre_crawford", pre), ("post_crawford", post)):
            wrong = ~((part >= 0) & (part <= 1))  # written so that NaN is wrong
            if wrong.any():
                at = tuple(int(k) for k in np.argwhere(wrong)[0])
                raise ArgumentError(f"{label}{list(at)} is {part[at]}, which is not a chance: give 0 to 1")
        if (np.diff(pre, axis=1) < 0).any() or (np.diff(pre, axis=0) > 0).any():
            raise ArgumentError(
                "pre_crawford: a chance falls where the other side needs more, or rises where its own side does; rows "
                "are the first player's needs, columns the second's"
            )
        _check_post_crawford(pre, post)
        return cls(_printable(name), _printable(description), pre, post)

    @classmethod
    def from_model(cls, model: ZadehModel, length: int = 25, name: str = "Zadeh") -> MatchEquityTable:
        """Make a table from a `ZadehModel`.

        Parameters
        ----------
        model : ZadehModel
        length : int
        name : str

        Returns
        -------
        MatchEquityTable

        Raises
        ------
        ArgumentError
            If the length is too great for the model.

        Examples
        --------
        >>> from bgrace.match import ZadehModel
        >>> round(MatchEquityTable.from_model(ZadehModel.equal()).equity(4, 3), 6)
        0.425721
        """
        needs = range(1, length + 1)
        pre = np.array([[model.equity(a, b) for b in needs] for a in needs])
        post = np.array([[model.post_crawford(x, player) for x in needs] for player in (1, 2)])
        return cls(name, "N. Zadeh, Management Science 23, 986 (1977)", pre, post)

    @classmethod
    @cache
    def default(cls) -> MatchEquityTable:
        """The table that comes with bgrace: Kazaross XG2, 25 points.

        Neil Kazaross, 2011, from rollouts by eXtreme Gammon to 9 points and by GNU Backgammon to 15; data/SOURCES.md
        has its notice.
        """
        return cls.load(Path(__file__).with_name("tables") / "kazaross-xg2.csv")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> MatchEquityTable:
        """Read a table of GNU Backgammon (.xml) or eXtreme Gammon (.met), a grid of numbers, or a file of `write`.

        Parameters
        ----------
        path : path-like
            The format is recognised by the contents of the file, not by its name.  Parametric tables of GNU Backgammon
            (Zadeh's and Tornberg's) are computed for 64 points.  A grid has one row for each number of points, in
            fractions or in percent, and a row that begins with "post", the trailer's chances after the Crawford game.

        Returns
        -------
        MatchEquityTable

        Raises
        ------
        DependencyError
            If it is an XML file and defusedxml is not installed.
        FormatError
            If it is not an ordinary file, not a match equity table, is damaged, or has XML entities or the like, which
            tables do not need.
        OSError
            If it cannot be read.

        Notes
        -----
        XML is parsed without entities and without anything from outside the file; a file of more than 4 MiB is refused.
        """
        from bgrace.match import met_files  # noqa: PLC0415  (takes a while)

        source = checked_path(path)
        with opened(source, "a match equity table", "copy it to a file") as file:
            data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise FormatError(f"{source} has more than {_MAX_BYTES >> 20} MiB: no match equity table is that large")
        try:
            return cls.from_arrays(*met_files.read_table(data, source.name))
        except (ArgumentError, FormatError) as error:
            raise FormatError(f"{source} is not a match equity table: {error}") from error

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the table to a file.

        Parameters
        ----------
        path : path-like
            Ends in ``.csv``, or in ``.xml`` for GNU Backgammon's format, which GNU Backgammon reads too.

        Returns
        -------
        Path

        Raises
        ------
        ArgumentError
            If the name ends otherwise.
        BuildError
            If the file cannot be written; the old file is unchanged then.
        """
        target = Path(path)
        ending = target.suffix.lower()
        if ending not in (".csv", ".xml"):
            raise ArgumentError(f"{target} names no kind of table: end it in .csv or .xml")
        from bgrace.match import met_files  # noqa: PLC0415  (takes a while)

        write = met_files.write_csv if ending == ".csv" else met_files.write_xml
        text = write(self.pre_crawford, self.post_crawford, self.name, self.description)
        return write_small_file(target, text.encode())

    # ------------------------------------------------------------------ queries

    @property
    def sha256(self) -> str:
        """SHA-256 of the numbers, in hexadecimal digits: the same for the same table, whatever its name."""
        import hashlib  # noqa: PLC0415  (takes a while, and is seldom needed)

        numbers = b"".join(
            np.array(part.shape, "<i8").tobytes() + np.ascontiguousarray(part, "<f8").tobytes()
            for part in (self.pre_crawford, self.post_crawford)
        )
        return hashlib.sha256(numbers).hexdigest()

    def equity(self, x1: int, x2: int, *, crawford: bool = True) -> float:
        """The first player's chance to win the match before a game.

        Parameters
        ----------
        x1, x2 : int
            Points that the first and the second player need; with 0 or less they have won.
        crawford : bool
            If a side is 1 away: whether this is the Crawford game, as it is when the score has just been reached, or a
            later one.  Ignored at other scores.

        Returns
        -------
        float

        Raises
        ------
        ArgumentError
            If the table does not have the score, or both players have won.
        """
        x1, x2 = (as_integer(needs, f"{needs!r:.80} is not a number of points: give whole ones") for needs in (x1, x2))
        if x1 <= 0 and x2 <= 0:
            raise ArgumentError(f"x1={x1}, x2={x2}: both players cannot have won, give at least one positive number")
        if x1 <= 0:
            return 1.0
        if x2 <= 0:
            return 0.0
        self._check_reaches(x1, x2)
        if crawford or min(x1, x2) > 1 or x1 == x2:
            return float(self.pre_crawford[x1 - 1, x2 - 1])
        if max(x1, x2) > self.post_crawford.shape[1]:
            raise ArgumentError(
                f"{self.name} has nobody {max(x1, x2)} away after the Crawford game: it goes to "
                f"{self.post_crawford.shape[1]}"
            )
        return float(self.post_crawford[0, x1 - 1]) if x2 == 1 else 1 - float(self.post_crawford[1, x2 - 1])

    def after(self, score: Score, points: int) -> float:
        """Chance of the player on roll to win the match once they have won this game by some points.

        Parameters
        ----------
        score : Score
            Before the game.
        points : int
            Negative if the opponent wins them; not 0.

        Returns
        -------
        float

        Raises
        ------
        ArgumentError
            If the table does not have the score, or `points` is 0.

        Notes
        -----
        A game that began with both sides 2 or more away leads to the Crawford game if one of them is then 1 away.  Any
        game that began with a side 1 away is followed by one after the Crawford game.

        Examples
        --------
        >>> table = MatchEquityTable.default()
        >>> table.after(Score(3, 5), 2), table.after(Score(3, 5), -4), table.after(Score(3, 5), 4)
        (0.84179, 0.24924, 1.0)
        >>> table.after(Score(3, 1), 1), table.after(Score(3, 1), 2)
        (0.48803, 0.5)
        """
        points = as_integer(points, f"points={points!r:.80} is not a whole number: give points that somebody wins")
        if not points:
            raise ArgumentError("points=0: somebody wins every game, give a positive or a negative number")
        a, b = score.on_roll_needs, score.opponent_needs
        self._check_reaches(a, b)
        won, lost = max(points, 0), max(-points, 0)
        if won >= a or lost >= b:
            return 1.0 if won else 0.0
        return self.equity(a - won, b - lost, crawford=min(a, b) > 1)

    def _check_reaches(self, x1: int, x2: int) -> None:
        if max(x1, x2) > self.length:
            raise ArgumentError(
                f"{self.name} has no score of {x1} and {x2} points to go: its matches have up to {self.length} points"
            )

    def take_point(
        self,
        score: Score,
        cube_value: int = 1,
        *,
        live: bool = False,
        win_gammons: float = 0.0,
        lose_gammons: float = 0.0,
    ) -> float:
        """The opponent's least chance to win the game at which they can take if the player on roll doubles now.

        Parameters, value and errors as for `bgrace.match.cube_points`; with `live`, the point for a live cube.

        Examples
        --------
        >>> table = MatchEquityTable.default()
        >>> round(table.take_point(Score(3, 5)), 4), round(table.take_point(Score(3, 5), live=True), 4)
        (0.2873, 0.1913)
        """
        points = cube_points(self, score, cube_value, win_gammons=win_gammons, lose_gammons=lose_gammons)
        if points.take_point is None or points.live_take_point is None:
            raise ArgumentError(f"{score}, cube {cube_value}: {points.reason}, so there is no take point")
        return points.live_take_point if live else points.take_point

    def gammon_value(self, score: Score, cube_value: int = 1, *, lost: bool = False) -> float:
        """The value of a gammon beyond a single win, in units of a win against a loss; 0.5 for money.

        Parameters, value and errors as for `bgrace.match.gammon_value`.

        Examples
        --------
        >>> table = MatchEquityTable.default()
        >>> round(table.gammon_value(Score(4, 4)), 4), table.gammon_value(Score(4, 4), 4)
        (0.6797, 0.0)
        """
        return gammon_value(self, score, cube_value, lost=lost)

    @cached_property
    def mirrored(self) -> MatchEquityTable:
        """The table as seen by the second player; mirrored twice, it is the same again."""
        table = MatchEquityTable(self.name, self.description, 1 - self.pre_crawford.T, self.post_crawford[::-1])
        table.mirrored = self
        return table

    @property
    def is_symmetric(self) -> bool:
        """Whether the table is the same for both players, to within a thousandth since printed tables are rounded."""
        return self.compare(self.mirrored).largest <= _ROUNDING

    def compare(self, other: MatchEquityTable, length: int | None = None) -> TableDifference:
        """Compare another table with this one.

        Parameters
        ----------
        other : MatchEquityTable
        length : int, optional
            Most points to go to compare; by default as many as both have.

        Returns
        -------
        TableDifference

        Raises
        ------
        ArgumentError
            If one of them has fewer points than `length`.

        Examples
        --------
        >>> from bgrace.match import ZadehModel
        >>> zadeh = MatchEquityTable.from_model(ZadehModel.equal())
        >>> difference = MatchEquityTable.default().compare(zadeh, 15)
        >>> round(difference.largest, 4), difference.largest_at
        (0.012, (2, 1, True))
        """
        most = min(self.length, other.length)
        problem = f"length={length!r:.80}: {self.name} and {other.name} can be compared up to {most} points"
        n = most if length is None else as_integer(length, problem, 1, most)
        m = min(n, self.post_crawford.shape[1], other.post_crawford.shape[1])
        pre = other.pre_crawford[:n, :n] - self.pre_crawford[:n, :n]
        post = other.post_crawford[:, :m] - self.post_crawford[:, :m]
        k, x = np.unravel_index(np.abs(post).argmax(), post.shape)
        i, j = np.unravel_index(np.abs(pre).argmax(), pre.shape)
        at = (int(i) + 1, int(j) + 1, False)
        if abs(post[k, x]) > abs(pre[i, j]):
            at = (int(x) + 1, 1, True) if k == 0 else (1, int(x) + 1, True)
        every = np.concatenate((pre.ravel(), post.ravel()))
        largest = float(max(np.abs(pre).max(), np.abs(post).max()))
        return TableDifference(n, largest, at, float(np.sqrt(np.mean(every**2))), pre, post)


def _check_post_crawford(pre: Floats, post: Floats) -> None:
    if (np.diff(post, axis=1) > 0).any():
        raise ArgumentError("post_crawford: a trailer's chance rises where they need more; entry 0 is 1 point to go")
    for player, row, chance in (("first", post[0], float(pre[0, 0])), ("second", post[1], 1 - float(pre[0, 0]))):
        if abs(float(row[0]) - chance) > _ROUNDING:
            raise ArgumentError(
                f"post_crawford says {row[0]:g} for the {player} player with both sides 1 away, pre_crawford "
                f"{chance:g}: that is one score, give one chance"
            )


def _printable(text: str) -> str:
    """Make text of a file one line that is safe for a terminal, without characters that move the cursor or colour."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def checked_table(met: MatchEquityTable | None) -> MatchEquityTable:
    """Return a table, or for None the one that comes with bgrace; ArgumentError for anything else."""
    if met is None:
        return MatchEquityTable.default()
    if not isinstance(met, MatchEquityTable):
        raise ArgumentError(
            f"{met!r} is not a match equity table: read one with MatchEquityTable.load, or leave it out for the default"
        )
    return met


_SUM_ERROR = 1e-6  # rounding error of sums of chances, enough for single precision


def normalised_equity(met: MatchEquityTable, score: Score, cube_value: int, mwc: float) -> float | None:
    """A chance to win the match as points per unit of the cube: +1 is a single win, -1 a single loss.

    Parameters
    ----------
    met : MatchEquityTable
    score : Score
    cube_value : int
        Value of the cube that the game is played for.
    mwc : float
        Chance of the player on roll to win the match.

    Returns
    -------
    float, or None
        None if winning and losing are worth the same in this table.

    Raises
    ------
    ArgumentError
        If `mwc` is not from 0 to 1.

    Notes
    -----
    The straight line through R(cube) and R(-cube), as in GNU Backgammon and eXtreme Gammon.
    """
    check_cube_value(cube_value)
    problem = f"mwc={mwc!r:.80} is not a chance to win the match: give 0 to 1"
    mwc = as_number(mwc, problem, -_SUM_ERROR, 1 + _SUM_ERROR)
    won, lost = met.after(score, cube_value), met.after(score, -cube_value)
    return (2 * mwc - won - lost) / (won - lost) if won > lost else None


def mwc_of(met: MatchEquityTable, score: Score, cube_value: int, equity: float) -> float:
    """The chance to win the match that belongs to an equity: the inverse of `normalised_equity`."""
    check_cube_value(cube_value)
    equity = as_number(equity, f"equity={equity!r:.80} is not an equity: give a number")
    won, lost = met.after(score, cube_value), met.after(score, -cube_value)
    return lost + (equity + 1) * (won - lost) / 2
