"""Results that are tables: as lists, as data frames of pandas or polars, and for readers of Arrow's streams."""

from __future__ import annotations

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from importlib import import_module
from types import UnionType
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias, overload

from bgrace._base.arrays import as_choice
from bgrace.errors import DependencyError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

Cell: TypeAlias = bool | int | float | str | None
"""A cell of a table; None if its value is unknown or does not exist."""

Columns: TypeAlias = Mapping[str, type | UnionType]
"""The columns of a table in order, with the types of their cells whatever the values are; floats may be unknown."""


_KINDS: Final[Mapping[type | UnionType, tuple[str, str]]] = {
    str: ("string", "String"),
    str | None: ("string", "String"),
    int: ("int64", "Int64"),
    int | None: ("Int64", "Int64"),
    float: ("float64", "Float64"),
    bool: ("bool", "Boolean"),
    bool | None: ("boolean", "Boolean"),
}
"""Names of column types in pandas and in polars; an unknown float is NaN in pandas."""


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Rows of cells as lines; None is an empty cell, True and False are 1 and 0."""
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerows([int(cell) if isinstance(cell, bool) else cell for cell in row] for row in rows)
    return sink.getvalue()


class Columnar(ABC):
    """A result that has columns of equal length."""

    __slots__ = ()

    COLUMNS: ClassVar[Columns]

    def __init_subclass__(cls) -> None:
        assert set(getattr(cls, "COLUMNS", {}).values()) <= _KINDS.keys(), f"_KINDS lacks a type of {cls}.COLUMNS"

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
            The library of the data frame.  Neither comes with bgrace.

        Returns
        -------
        pandas.DataFrame, or polars.DataFrame
            With the columns of `to_columns`, in their order and always of the same types.

        Raises
        ------
        ArgumentError
            If the library is none of these.
        DependencyError
            If it is not installed.
        """
        try:
            frames = import_module(as_choice("library", library, ("pandas", "polars")))
        except ImportError as error:
            problem = f"a data frame of {library} needs {library}, which is not installed: pip install {library}"
            raise DependencyError(problem) from error
        columns = self.to_columns()
        if library == "polars":
            schema = {name: getattr(frames, _KINDS[kind][1]) for name, kind in self.COLUMNS.items()}
            table: pl.DataFrame = frames.DataFrame(columns, schema=schema, strict=False)
            return table
        dtypes = {name: _KINDS[kind][0] for name, kind in self.COLUMNS.items()}
        frame: pd.DataFrame = frames.DataFrame(
            {name: frames.Series(column, dtype=dtypes[name]) for name, column in columns.items()}
        )
        return frame

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Hand the table to DuckDB, pyarrow and others, as Arrow's C stream; needs polars."""
        return self.to_frame("polars").__arrow_c_stream__(requested_schema)


class Tabular(Columnar):
    """A result that has rows: score maps, doubling windows, the plays of all rolls, reviews, batches of answers."""

    __slots__ = ()

    @abstractmethod
    def _rows(self) -> Iterable[Mapping[str, Cell]]:
        """The rows, by the names of the columns."""

    def to_columns(self) -> dict[str, list[Cell]]:
        """The table as lists of equal length, by the name of their column; `to_frame` has the same columns."""
        rows = list(self._rows())
        return {name: [row[name] for row in rows] for name in self.COLUMNS}
