"""Reading a hostile file takes at most ten times its bytes of memory."""

from __future__ import annotations

import tracemalloc
from contextlib import suppress

import pytest

from bgrace.errors import FormatError
from bgrace_apps.review.reading import documents, gnubg, mat, read_bytes

SGF = "(;FF[4]GM[6]"
GAME = " 5 point match\n\n Game 1\n Ann : 0                        Bob : 0\n"
ID = "GgAAIAUAAAAAAA\n"
N_BYTES, MAX_TURNS = 150_000, 2_500  # a twentieth of the limits of the readers

FILES: dict[str, tuple[str, str]] = {
    "sgf: a comment": (SGF + "C[", "a"),
    "sgf: escapes": (SGF + "C[", "\\a"),
    "sgf: values": (SGF + "A", "[ab]"),
    "sgf: turns": (SGF, ";W[31abcd]"),
    "sgf: nodes": (SGF, ";"),
    "sgf: variations": (SGF, "("),
    "mat: turns": (GAME, "  1) 31: 8/5 6/5         52: 13/8 24/22\n"),
    "mat: short lines": (GAME, "ab\n"),
    "mat: tabs": (GAME, "\t"),
    "mat: games": (GAME, "Game 2\n"),
    "mat: wide letters": (GAME + "\U0001f600\n", "\r\n"),
    "mat: other breaks of lines": (GAME, "1) 31:\x0b\x0c\x1c 42:\x85\n"),
    "positions": ("", ID),
    "no positions": (ID, "x\n"),
}


@pytest.mark.parametrize("name", FILES)
def test_reading_takes_at_most_ten_times_the_bytes_of_the_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for reader in (documents, gnubg, mat):
        monkeypatch.setattr(reader, "MAX_TURNS", MAX_TURNS)
    head, repeated = FILES[name]
    data = (head + repeated * ((N_BYTES - len(head)) // len(repeated))).encode()
    for _ in read_bytes((GAME + "  1) 31: 8/5 6/5\n").encode(), "first"):  # so that imports do not count
        pass
    tracemalloc.start()
    with suppress(FormatError):
        for _ in read_bytes(data, "file"):
            pass
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10 * len(data)
