from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractor.diff.words import word_diff

TEXT = st.text(st.sampled_from("ab {}\n-ä"), max_size=30)


@given(TEXT, TEXT)
def test_both_texts_can_be_read_from_it(old: str, new: str) -> None:
    words = word_diff(old, new)
    assert "".join(word.text for word in words if word.kind != "added") == old
    assert "".join(word.text for word in words if word.kind != "removed") == new
    assert all(word.text for word in words)
    assert all(one.kind != other.kind for one, other in pairwise(words))


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        pytest.param("a b c", "a b c", "a b c", id="the same"),
        pytest.param("must be set", "must be given", "must be [-set-]{+given+}", id="one word, not its letters"),
        pytest.param("at most 3", "no more than 3", "[-at most-]{+no more than+} 3", id="one run, not word by word"),
        pytest.param("x", "", "[-x-]", id="all gone"),
        pytest.param("is {x}", "is {x!r}", "is {x{+!r+}}", id="a value printed otherwise"),
    ],
)
def test_what_is_shown(old: str, new: str, shown: str) -> None:
    marks = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
    assert "".join(marks[word.kind].format(word.text) for word in word_diff(old, new)) == shown


def test_long_texts_are_replaced_whole() -> None:
    old, new = "a " * 3000, "b " * 3000
    assert [(word.kind, word.text) for word in word_diff(old, new)] == [("removed", old), ("added", new)]
