"""Database files as xarray reads them: labelled, in units, and read from the file as far as they are used.

`xarray.open_dataset` finds `BgraceBackend` by itself where both are installed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Set
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt
import xarray as xr
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from bgrace.board.spaces import PositionSpace
from bgrace.database.store import StoredTables, read_tables
from bgrace.database.store.archive import Table
from bgrace.database.store.directory import MAGIC, Directory
from bgrace.database.store.schema import DATASETS, PAIRS_TABLE
from bgrace.database.stored import checked_order, same_tables
from bgrace.errors import ArgumentError, ClosedError
from bgrace.tables.one_sided import GAMMON_CHECKERS, SINGLE_PLANES, n_fewer_checkers
from bgrace.tables.two_sided import PLANES

__all__ = ["BgraceBackend"]

_MAX_LABELS: Final = 100_000
"""Of positions: as text they take more memory than their tables."""

_FULL: Final = "position_with_15"


class BgraceBackend(BackendEntrypoint):
    """xarray's way into a database file: ``xarray.open_dataset("bearoff.h5", group="two_sided")``.

    A group's tables become variables, as float64 in their units unless ``mask_and_scale=False`` leaves the stored
    integers, with the attributes ``units``, ``long_name`` and, then, ``scale_factor``.  Positions are labelled by their
    counts, ace point first, as ``"2,2,2,1,0,0"``, if there are at most 100,000; planes by their names.  Packed and
    small files have pairs under the same name; a small file with gammons has a fifth plane, ``"win"``: twice the chance
    to win, less one.

    Examples
    --------
    >>> import bgrace
    >>> import xarray
    >>> with xarray.open_dataset(bgrace.example_file(), group="two_sided") as pairs:
    ...     equity = pairs.equities.sel(on_roll="0,0,0,0,0,1", opponent="1,0,0,0,0,0")
    ...     print({str(plane): round(float(equity.sel(plane=plane)), 3) for plane in pairs.plane.values})
    {'cubeless': 0.5, 'mine': 0.5, 'centered': 0.5, 'theirs': 0.5}
    """

    description: ClassVar[str] = "Open database files of bgrace"
    supports_groups: ClassVar[bool] = True
    open_dataset_parameters: ClassVar[tuple[str, ...]] = (
        "filename_or_obj",
        "mask_and_scale",
        "drop_variables",
        "group",
    )

    def guess_can_open(self, filename_or_obj: object) -> bool:
        """Whether this is the name of a file that begins as a database does."""
        if not isinstance(filename_or_obj, str | os.PathLike):
            return False
        with suppress(OSError, ValueError), Path(filename_or_obj).open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
        return False

    def open_dataset(  # type: ignore[override]  # backends have options of their own
        self,
        filename_or_obj: str | os.PathLike[str],
        *,
        mask_and_scale: bool = True,
        drop_variables: str | Iterable[str] | None = None,
        group: str | None = None,
    ) -> xr.Dataset:
        """Open one group of a file.

        Parameters
        ----------
        filename_or_obj : path-like
        mask_and_scale : bool
            Whether to give values in their units, as float64, in the place of scaled integers.
        drop_variables : str or iterable of str, optional
            Tables to leave out.
        group : str, optional
            ``"one_sided"``, ``"two_sided"``, ...: those that the file has.  Without one there are the
            file's attributes alone; ``xarray.open_datatree`` opens all of them.

        Returns
        -------
        xarray.Dataset
            What is not used is not read.  Closed with it, the file is let go; pickled, it is opened anew.

        Raises
        ------
        ArgumentError
            If the file has no such group.
        FormatError
            If it is not a bgrace database, or is damaged.
        OSError
            If it cannot be read.
        """
        stored = read_tables(filename_or_obj)
        dropped = {drop_variables} if isinstance(drop_variables, str) else set(drop_variables or ())
        groups = sorted({name.partition("/")[0] for name in stored.tables})
        if group is None:
            return xr.Dataset(attrs=dict(stored.attributes))
        if group not in groups:
            raise ArgumentError(f"{stored.path} has no group {group!r}: give one of {', '.join(groups)}")
        file = _File(stored)
        names = [name for name in stored.tables if name.startswith(f"{group}/")]
        variables = {
            name.partition("/")[2]: _variable(stored, file, name, mask_and_scale)
            for name in names
            if name.partition("/")[2] not in dropped
        }
        used = {dimension for variable in variables.values() for dimension in variable.dims}
        dataset = xr.Dataset(variables, _labels(stored, used), dict(stored.attributes))
        dataset.set_close(file.close)
        return dataset

    def open_groups_as_dict(  # type: ignore[override]  # as `open_dataset`
        self,
        filename_or_obj: str | os.PathLike[str],
        *,
        mask_and_scale: bool = True,
        drop_variables: str | Iterable[str] | None = None,
    ) -> dict[str, xr.Dataset]:
        """Open all groups of a file, by their paths; the root has the file's attributes.  Options as `open_dataset`."""
        stored = read_tables(filename_or_obj)
        names = sorted({name.partition("/")[0] for name in stored.tables})
        return {"/": xr.Dataset(attrs=dict(stored.attributes))} | {
            f"/{name}": self.open_dataset(
                filename_or_obj, mask_and_scale=mask_and_scale, drop_variables=drop_variables, group=name
            )
            for name in names
        }

    def open_datatree(  # type: ignore[override]  # as `open_dataset`
        self,
        filename_or_obj: str | os.PathLike[str],
        *,
        mask_and_scale: bool = True,
        drop_variables: str | Iterable[str] | None = None,
    ) -> xr.DataTree:
        """Open all groups of a file as a tree: ``xarray.open_datatree("bearoff.h5")``.  Options as `open_dataset`."""
        return xr.DataTree.from_dict(
            self.open_groups_as_dict(filename_or_obj, mask_and_scale=mask_and_scale, drop_variables=drop_variables)
        )


class _File:
    """A file, until it is closed; unpickling opens it anew, if it is still the same."""

    def __init__(self, stored: StoredTables) -> None:
        self._stored: StoredTables | None = stored
        self._name, self._directory = stored.path.absolute(), stored.directory

    def __reduce__(self) -> tuple[Callable[..., _File], tuple[object, ...]]:
        return _reopened, (self._name, self._directory)

    def table(self, name: str) -> Table:
        if self._stored is None:
            raise ClosedError(f"{self._name} is closed: open it again")
        return self._stored.tables[name]

    def close(self) -> None:
        self._stored = None


def _reopened(path: Path, directory: Directory) -> _File:
    return _File(same_tables(path, directory, "map"))


class _StoredArray(BackendArray):
    """A table, or its values in their unit, read where it is indexed."""

    def __init__(self, file: _File, name: str, scale: float | None) -> None:
        self._file, self._name, self._scale = file, name, scale
        table = file.table(name)
        self.shape: tuple[int, ...] = table.shape
        self.dtype: np.dtype[Any] = np.dtype(table.dtype if scale is None else np.float64)

    def __getitem__(self, key: indexing.ExplicitIndexer) -> npt.NDArray[Any]:
        found: npt.NDArray[Any] = indexing.explicit_indexing_adapter(
            key, self.shape, indexing.IndexingSupport.BASIC, self._part
        )
        return found

    def _part(self, key: tuple[int | slice, ...]) -> npt.NDArray[Any]:
        part = np.array(self._file.table(self._name)[key])  # a copy: a file may be let go
        return part if self._scale is None else part / self._scale


def _variable(stored: StoredTables, file: _File, name: str, scaled: bool) -> xr.Variable:
    kind, scale = DATASETS[name], stored.entry(name).scale
    attributes = kind.attributes(scale)
    if scaled:
        attributes.pop("scale_factor", None)
    data = indexing.LazilyIndexedArray(_StoredArray(file, name, scale if kind.is_scaled and scaled else None))
    return xr.Variable(DATASETS[name].axes, data, attributes)


def _labels(stored: StoredTables, used: Set[Hashable]) -> dict[str, npt.NDArray[Any]]:
    """The labels of the axes."""
    directory = stored.directory
    space = PositionSpace(directory.points, directory.checkers)
    labels: dict[str, npt.NDArray[Any]] = {}
    if len(space) <= _MAX_LABELS and used & {"position", _FULL, "on_roll", "opponent"}:
        positions = np.array([",".join(map(str, space.position(k))) for k in range(len(space))])
        labels["position"] = positions
        labels[_FULL] = positions[n_fewer_checkers(space, GAMMON_CHECKERS) :]
        if used & {"on_roll", "opponent"}:
            labels["on_roll"] = labels["opponent"] = positions[checked_order(stored)]
    if "single_plane" in used:
        labels["single_plane"] = np.array(SINGLE_PLANES)
    if "plane" in used and PAIRS_TABLE in stored.tables:
        labels["plane"] = np.array((*PLANES, "win")[: stored.tables[PAIRS_TABLE].shape[-1]])
    return {name: label for name, label in labels.items() if name in used}
