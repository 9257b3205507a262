"""Check values: the rows of tests/golden/*.csv, whose cells are positions, rolls and numbers.

Each file opens with '#' lines that name its source and its printed precision.  A number is right when it rounds to
what is printed, so the tolerance of a cell follows from the number of its digits.
"""

import csv
from collections.abc import Mapping
from decimal import Decimal

from helpers.paths import GOLDEN

EXACT = 1e-9
"""Tolerance of a value printed without decimals, which is exact except for the rounding of floats."""


class Row:
    """One row: cells by column name."""

    def __init__(self, cells: Mapping[str, str]) -> None:
        self.cells = cells

    def __repr__(self) -> str:
        return f"Row({', '.join(f'{name}={cell!r}' for name, cell in self.cells.items() if cell)})"

    def __str__(self) -> str:
        """The first two cells: enough to tell a row in the name of a test."""
        return " ".join(list(self.cells.values())[:2])

    def __contains__(self, column: str) -> bool:
        """Return whether the cell is not empty."""
        return bool(self.cells.get(column))

    def text(self, column: str) -> str:
        """Return the cell as text."""
        return self.cells[column]

    def integer(self, column: str) -> int:
        """Read a count or an index."""
        return int(self.cells[column])

    def integers(self, column: str) -> list[int]:
        """Read integers with spaces between them."""
        return [int(word) for word in self.cells[column].split()]

    def number(self, column: str) -> float:
        """Read a real number."""
        return float(self.cells[column])

    def tolerance(self, column: str) -> float:
        """Return half a unit of the last printed decimal, and a little for the rounding of floats."""
        exponent = Decimal(self.cells[column]).as_tuple().exponent
        assert isinstance(exponent, int)
        return 0.501 * 10.0**exponent if exponent < 0 else EXACT

    def position(self, column: str) -> tuple[int, ...]:
        """Read checker counts, ace point first; none in an empty cell."""
        return tuple(int(word) for word in self.cells[column].split(",") if word)

    def roll(self, column: str = "roll") -> tuple[int, int]:
        """Read two dice, the smaller one first."""
        first, second = self.cells[column].split("-")
        return int(first), int(second)


def rows(name: str) -> list[Row]:
    """Read all rows of tests/golden/<name>.csv."""
    with open(GOLDEN / f"{name}.csv", newline="", encoding="utf-8") as lines:
        return [Row(cells) for cells in csv.DictReader(line for line in lines if not line.startswith("#"))]


def named_value(name: str, row_name: str) -> Row:
    """Find the row with this name in a file with a `name` column."""
    return next(row for row in rows(name) if row.text("name") == row_name)


def check_printed(value: float | None, row: Row, column: str) -> None:
    """Check that a value rounds to the printed one."""
    assert value is not None, column
    printed = row.number(column)
    assert abs(value - printed) <= row.tolerance(column), f"{column}: {value!r}, printed {printed!r} in {row}"
