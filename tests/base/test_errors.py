"""Messages of errors are short enough to read."""

from __future__ import annotations

import pytest

from bgrace import errors


@pytest.mark.parametrize("name", errors.__all__)
def test_a_long_message_is_cut_in_the_middle(name: str) -> None:
    error = getattr(errors, name)(f"pos={'x' * 10_000!r} is not a position: give counts")
    assert len(str(error)) < 700
    assert str(error).startswith("pos='xxx")
    assert str(error).endswith("is not a position: give counts")
    assert str(getattr(errors, name)("short")) == "short"
