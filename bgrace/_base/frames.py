"""Results that are tables, as data frames of pandas or polars."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias, overload

from bgrace.errors import ArgumentError, DependencyError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


Cell: TypeAlias = bool | int | float | str | None
"""What stands in a table; None where something is not known, or where there is no such thing."""

LIBRARIES: Final = ("pandas", "polars")
"""What `Tabular.to_frame` can make data frames with."""


class Tabular(ABC):
    """A result that is a table: score maps, doubling windows, the plays of all rolls, reviews, batches of answers."""

    __slots__ = ()

    FLOATS: ClassVar[tuple[str, ...]] = ()
    """Columns that are floats in a data frame, even where none of their values is known."""

    @abstractmethod
    def to_columns(self) -> dict[str, list[Cell]]:
        """The table as lists of equal length, by the name of their column; `to_frame` has the same columns."""

    @overload
    def to_frame(self, library: Literal["pandas"] = "pandas") -> pd.DataFrame: ...
    @overload
    def to_frame(self, library: Literal["polars"]) -> pl.DataFrame: ...
    def to_frame(self, library: str = "pandas") -> pd.DataFrame | pl.DataFrame:
        """The table as a data frame, one row an entry.

        Parameters
        ----------
        library : {"pandas", "polars"}
            What makes the data frame.  None of it comes with bgrace.

        Returns
        -------
        pandas.DataFrame, or polars.DataFrame
            With the columns of `to_columns`, in their order.

        Raises
        ------
        ArgumentError
            If the library is none of these.
        DependencyError
            If it is not installed.
        """
        if library not in LIBRARIES:
            raise ArgumentError(f"library={library!r} is unknown: give {' or '.join(LIBRARIES)}")
        try:
            frames = import_module(library)
        except ImportError as error:
            problem = f"a data frame of {library} needs {library}, which is not installed: pip install {library}"
            raise DependencyError(problem) from error
        # For polars all of a column tells its type: it may begin with a whole number, or with none.
        if library == "polars":
            floats = dict.fromkeys(self.FLOATS, frames.Float64)
            settings = {"infer_schema_length": None, "strict": False, "schema_overrides": floats}
            table: pl.DataFrame = frames.DataFrame(self.to_columns(), **settings)
            return table
        frame: pd.DataFrame = frames.DataFrame(self.to_columns())
        return frame.astype(dict.fromkeys(self.FLOATS, "float64"))


def columns_of(names: Iterable[str], rows: Iterable[Mapping[str, Cell]]) -> dict[str, list[Cell]]:
    """Columns of rows that all have the same names.

    Examples
    --------
    >>> columns_of(["k", "double"], [{"k": 1, "double": None}, {"k": 2, "double": 5}])
    {'k': [1, 2], 'double': [None, 5]}
    """
    columns: dict[str, list[Cell]] = {name: [] for name in names}
    for row in rows:
        for name, column in columns.items():
            column.append(row[name])
    return columns
