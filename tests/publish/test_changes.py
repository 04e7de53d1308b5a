from __future__ import annotations

from extractor.publish.changes import changes
from extractor.publish.reading import Row
from tests.publish.test_related import row


def said(old: list[Row], new: list[Row]) -> list[tuple[str, str]]:
    return [(c.what, c.message) for c in changes("o/n", old, new)]


def test_nothing_changed() -> None:
    assert said([row("a"), row("b")], [row("b"), row("a")]) == []


def test_added_and_removed() -> None:
    assert said([row("a", "a.py")], [row("b", "b.py")]) == [("added", "b"), ("removed", "a")]


def test_another_text_in_the_same_place_is_reworded() -> None:
    [change] = changes("o/n", [row("a", "a.py", "x", name="f")], [row("b", "a.py", "x", name="f")])
    assert (change.what, change.message) == ("reworded", "b")
    assert change.place.endswith("was: a")
    assert change.url == "o/n/b/"
