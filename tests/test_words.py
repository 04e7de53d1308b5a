"""The word index of a dataset, against counting words anew in another way."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractor.explain.pattern import derive
from extractor.words import build, fixed_parts, lower, words


@given(st.lists(st.text(max_size=12), min_size=1, max_size=4))
def test_the_fixed_texts_of_a_pattern_come_back(texts: list[str]) -> None:
    pattern = derive(texts, "a template of its own, long enough")
    if sum(map(len, texts)) >= 6:
        assert fixed_parts(pattern) == tuple(texts)


@given(st.text())
def test_lower_case_keeps_the_length(text: str) -> None:
    assert len(lower(text)) == len(text)


def test_words_of_texts_not_of_values() -> None:
    assert words(("Bad `Clay_Body` 3: ", " é")) == {"bad", "clay_body", "3", "é"}


@given(
    st.lists(st.lists(st.sampled_from(["bad clay (.+?)", "Bad kiln", "a\\.b", "(.+?) clay"]), min_size=1, max_size=2))
)
def test_each_word_lists_its_rows(rows: list[list[str]]) -> None:
    index = build(rows)
    for number, patterns in enumerate(rows):
        for pattern in patterns:
            for word in re.findall("[a-z]+", pattern.lower().replace("(.+?)", " ")):
                assert str(number) in index[word].split(" ")
    for listed in index.values():
        places = [int(place) for place in listed.split(" ")]
        assert places == sorted(set(places))
        assert places[-1] < len(rows)
    assert list(index) == sorted(index)


@pytest.mark.parametrize(("pattern", "parts"), [(r"a \\\(b", (r"a \(b",)), (r"\\(.+?)\\\\", ("\\", r"\\"))])
def test_backslashes(pattern: str, parts: tuple[str, ...]) -> None:
    assert fixed_parts(pattern) == parts
