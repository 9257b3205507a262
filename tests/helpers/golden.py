"""Check values: the rows of tests/golden/*.csv with their cells read as positions, rolls and numbers.

Each file opens with '#' lines that name its source and its printed precision.  A number is right when it rounds to
what is printed, so the tolerance of a cell follows from the number of its digits.
"""

import csv
from collections.abc import Mapping
from decimal import Decimal

from helpers.paths import GOLDEN

EXACT = 1e-9
"""Tolerance of a value printed without decimals: it is exact, but may have been computed in floating point."""


class Row:
    """One row: cells by column name, as text or read as what the caller says they are."""

    def __init__(self, cells: Mapping[str, str]) -> None:
        self.cells = cells

    def __repr__(self) -> str:
        return f"Row({', '.join(f'{name}={cell!r}' for name, cell in self.cells.items() if cell)})"

    def __str__(self) -> str:
        """The first two cells: enough to tell a row in the name of a test."""
        return " ".join(list(self.cells.values())[:2])

    def __contains__(self, column: str) -> bool:
        """Whether the cell is filled."""
        return bool(self.cells.get(column))

    def text(self, column: str) -> str:
        """The cell as it stands."""
        return self.cells[column]

    def integer(self, column: str) -> int:
        """A count or an index."""
        return int(self.cells[column])

    def integers(self, column: str) -> list[int]:
        """Integers with spaces between them."""
        return [int(word) for word in self.cells[column].split()]

    def number(self, column: str) -> float:
        """A real number."""
        return float(self.cells[column])

    def tolerance(self, column: str) -> float:
        """Half a unit of the last printed decimal, and a little for the floating point."""
        exponent = Decimal(self.cells[column]).as_tuple().exponent
        assert isinstance(exponent, int)
        return 0.501 * 10.0**exponent if exponent < 0 else EXACT

    def position(self, column: str) -> tuple[int, ...]:
        """Checker counts, ace point first; none in an empty cell."""
        return tuple(int(word) for word in self.cells[column].split(",") if word)

    def roll(self, column: str = "roll") -> tuple[int, int]:
        """Two dice, the smaller one first."""
        first, second = self.cells[column].split("-")
        return int(first), int(second)


def rows(name: str) -> list[Row]:
    """All rows of tests/golden/<name>.csv."""
    with open(GOLDEN / f"{name}.csv", newline="", encoding="utf-8") as lines:
        return [Row(cells) for cells in csv.DictReader(line for line in lines if not line.startswith("#"))]


def named_value(name: str, row_name: str) -> Row:
    """The row of a file with a `name` column that has this name."""
    return next(row for row in rows(name) if row.text("name") == row_name)


def check_printed(value: float | None, row: Row, column: str) -> None:
    """Assert that a value is there and rounds to the printed one."""
    assert value is not None, column
    printed = row.number(column)
    assert abs(value - printed) <= row.tolerance(column), f"{column}: {value!r}, printed {printed!r} in {row}"
