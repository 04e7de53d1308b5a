from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractor.identity import Ids, Slugs


def by_the_contract(repo: str, sites: list[tuple[str, str, str]]) -> list[str]:
    """Section 4 and 7, word for word, in quadratic time and with nothing shared."""

    def hashed(text: str) -> str:
        return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]

    given: list[str] = []
    for message, path, qualname in sites:
        text = repo + "\x01" + message + "\x01" + path
        if hashed(text) in given:
            text += "\x01" + qualname
            number = 2
            longer = text
            while hashed(longer) in given:
                longer = text + "\x01" + str(number)
                number += 1
            text = longer
        given.append(hashed(text))
    return given


few = st.sampled_from(["m", "n", ""])
sites = st.lists(st.tuples(few, few, few), max_size=30)


@given(sites)
def test_ids_follow_the_contract(found: list[tuple[str, str, str]]) -> None:
    ids = Ids("owner/name")
    given_out = [ids.take(*site) for site in found]
    assert given_out == by_the_contract("owner/name", found)
    assert len(set(given_out)) == len(found)


def test_thousands_of_equal_messages_take_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    real = hashlib.sha256

    def counted(data: bytes) -> object:
        nonlocal calls
        calls += 1
        return real(data)

    monkeypatch.setattr(hashlib, "sha256", counted)
    ids = Ids("owner/name")
    assert len({ids.take("same", "a.py", "f") for _ in range(5000)}) == 5000
    assert calls < 4 * 5000


@pytest.mark.parametrize(
    ("message", "slug"),
    [
        pytest.param("Hello, World!", "hello-world", id="other characters become one hyphen"),
        pytest.param("  --x--  ", "x", id="no hyphen at either end"),
        pytest.param("!?", "error", id="nothing left"),
        pytest.param("\u00e4\u4e2d", "error", id="only a-z and 0-9"),
        pytest.param("a" * 49 + "\u4e2db", "a" * 49, id="fifty characters are counted before"),
        pytest.param("\U0001f600" * 49 + "ab", "a", id="code points are counted, not bytes"),
    ],
)
def test_slug(message: str, slug: str) -> None:
    assert Slugs().take(message, "0123456789abcdef") == slug


def test_taken_slugs_get_digits_of_the_id_until_unique() -> None:
    slugs = Slugs()
    given_out = [slugs.take("Same", record_id) for record_id in ("a" * 16, "b" * 16, "b" * 16, "b" * 16)]
    assert given_out == ["same", "same-bbbbbb", "same-bbbbbb-bbbbbb", "same-bbbbbb-bbbbbb-bbbbbb"]


@given(st.lists(st.text(max_size=60), max_size=20))
def test_slugs_are_unique_and_well_formed(messages: list[str]) -> None:
    slugs = Slugs()
    given_out = [slugs.take(message, "0123456789abcdef") for message in messages]
    assert len(set(given_out)) == len(messages)
    assert all(re.fullmatch("[a-z0-9]+(?:-[a-z0-9]+)*", slug) for slug in given_out)
