"""Addresses of files on the web, where a path can stand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    _Path = Path
else:
    _Path = type(Path())  # before Python 3.12 nothing else can be derived from

_SCHEMES: Final = ("http://", "https://")


class Address(_Path):
    """The address of a file on the web."""

    _address: str

    @classmethod
    def of(cls, address: str) -> Address:
        """Take a text for an address.

        Examples
        --------
        >>> str(Address.of("https://example.org/all.h5"))
        'https://example.org/all.h5'
        """
        try:
            made = cls(urlsplit(address).path)
        except ValueError:  # what asks the host says what is wrong
            made = cls()
        made._address = address
        return made

    def __str__(self) -> str:
        return self._address

    def absolute(self) -> Address:
        """An address is."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return Address.of, (self._address,)


def is_address(path: object) -> bool:
    """Whether a file is named by an address on the web.

    Examples
    --------
    >>> is_address("https://example.org/all.h5"), is_address("all.h5")
    (True, False)
    """
    return isinstance(path, Address) or (isinstance(path, str) and path.lower().startswith(_SCHEMES))
