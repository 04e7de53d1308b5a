from __future__ import annotations

from pathlib import Path

from extractor.dataset.read import read
from extractor.diff.compare import compare
from extractor.model.linked import LinkedSite
from extractor.publish.changes import Change, changes
from tests.builders import guard, linked
from tests.publish.datasets import dataset


def found(folder: Path, old: list[LinkedSite], new: list[LinkedSite]) -> tuple[Change, ...]:
    diff = compare(read(dataset(folder / "old", *old)), read(dataset(folder / "new", *new)))
    return changes(diff, {row.id: f"to/{row.id}/" for row in read(folder / "new").sites})


def test_nothing_changed(tmp_path: Path) -> None:
    assert found(tmp_path, [linked("a text of words")], [linked("a text of words", line=300)]) == ()


def test_added_and_removed(tmp_path: Path) -> None:
    come, gone = found(tmp_path, [linked("entirely gone now")], [linked("something new came", path="other/place.py")])
    assert (come.what, come.message, come.place) == ("added", "something new came", "other/place.py:20")
    assert come.url.startswith("to/")
    assert (gone.what, gone.message, gone.url) == ("removed", "entirely gone now", "")


def test_what_became_of_an_error_is_told(tmp_path: Path) -> None:
    [change] = found(
        tmp_path,
        [linked("the size of the page is bad", guards=(guard("size > 1"),))],
        [linked("the size of the page is wrong", guards=(guard("size > 2"),))],
    )
    assert change.what == "reworded, other conditions"
    assert "was: the size of the page is bad" in change.place
    assert "now size > 2" in change.place
