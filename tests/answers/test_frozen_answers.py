"""Answers stay the same to the last bit.  This checks one frozen answer in sixteen, scripts/frozen_answers.py all."""

from __future__ import annotations

import pytest
from check_page_engine import answer_json, ask, for_page, node
from frozen_answers import digest, read_questions
from helpers.compilers import skip_without_zig


def test_answers_are_the_frozen_ones() -> None:
    changed = [row for row, question in read_questions(16) if digest(answer_json(question)) != row["digest"]]
    assert not changed, "python scripts/frozen_answers.py says what has changed; with --make they are frozen anew"


@pytest.mark.skipif(node() is None, reason="needs node: the Debian package nodejs")
def test_the_page_gives_the_frozen_answers() -> None:
    skip_without_zig()
    rows, questions = zip(*read_questions(40), strict=True)
    said = ask([for_page(question) for question in questions])
    assert [digest(one) for one in said] == [row["digest"] for row in rows]
