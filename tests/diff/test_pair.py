"""Which site is which: tables of what must and must not be taken for the same."""

from __future__ import annotations

import pytest

from extractor.diff.compare import compare
from extractor.model.change import Diff
from extractor.model.linked import LinkedSite
from tests.builders import guard, message, text, value
from tests.diff.sides import dataset, site

AROUND = "\n".join(f"    step_{number}(batch, request)" for number in range(37))
OTHER = "\n".join(f"    other_{number}(image, prompt)" for number in range(37))
SIZE = guard("tensor.size > limit")
KIND = guard("kind not in known_kinds")


def pairs(old: list[LinkedSite], new: list[LinkedSite]) -> list[tuple[int, int, str]]:
    """Lines of sites that are the same, and how that was found; lines tell the sites of a table apart."""
    found = compare(dataset(*old), dataset(*new))
    return [(change.old.line_number, change.new.line_number, change.paired_by) for change in found.changed]


ONE = site("size must not exceed the limit", path="pkg/a.py", qualname="check", guards=(SIZE,), excerpt=AROUND)

SAME = [
    pytest.param(
        site("size must not exceed the limit", "pkg/a.py", 50, qualname="verify"), "id", id="another function"
    ),
    pytest.param(
        site("size must not exceed the limit", "pkg/b.py", 50, qualname="check", guards=(SIZE,), excerpt=AROUND),
        "likeness",
        id="another file",
    ),
    pytest.param(
        site("size must stay below the limit", "pkg/a.py", 50, qualname="check", guards=(SIZE,)),
        "likeness",
        id="other words under the same guard",
    ),
    pytest.param(
        site("completely unlike this one here", "pkg/a.py", 50, qualname="check", guards=(SIZE,)),
        "likeness",
        id="other text, same function and guards",
    ),
    pytest.param(
        site("size must never exceed the limit", "pkg/b.py", 50, qualname="check", guards=(SIZE,), excerpt=AROUND),
        "likeness",
        id="other words and file, same surroundings",
    ),
]
NOT_THE_SAME = [
    pytest.param(
        site("unknown kind of request", "pkg/a.py", 50, qualname="check", guards=(KIND,)),
        id="another error of the function",
    ),
    pytest.param(
        site("size must not exceed the budget", "lib/z.py", 50, qualname="plan", guards=(KIND,), excerpt=OTHER),
        id="like words in another world",
    ),
    pytest.param(
        site("group is gone", "lib/z.py", 50, qualname="plan", guards=(SIZE,), excerpt=OTHER),
        id="the same guard somewhere else",
    ),
]


@pytest.mark.parametrize(("other", "how"), SAME)
def test_taken_for_the_same(other: LinkedSite, how: str) -> None:
    assert pairs([ONE], [other]) == [(20, 50, how)]


@pytest.mark.parametrize("other", NOT_THE_SAME)
def test_not_taken_for_the_same(other: LinkedSite) -> None:
    found = compare(dataset(ONE), dataset(other))
    assert (found.counts.added, found.counts.removed, found.changed) == (1, 1, ())


def test_an_alias_pairs_what_was_published_under_it() -> None:
    old = site(message(text("see {NAME} in ", value("where"))), "pkg/a.py", qualname="f", guards=(SIZE,))
    old_side = dataset(old)
    alias = old_side.sites[0].aliases[0]
    # A constant that is known by now: the text is another, the source of the raise statement the same.
    new_side = dataset(site(message(text("see {NAME} in {where}")), "pkg/a.py", 50, qualname="g"))
    assert alias == new_side.sites[0].id
    (change,) = compare(old_side, new_side).changed
    assert change.paired_by == "alias"


def test_a_new_neighbour_of_the_same_text_shifts_no_pair() -> None:
    def same_text(line: int, function: str, test: str) -> LinkedSite:
        return site("unsupported layout", "pkg/pool.py", line, qualname=function, guards=(guard(test),))

    old = [same_text(100, "Pool.load", "layout == 1"), same_text(200, "Pool.save", "layout == 2")]
    new = [
        same_text(50, "Pool.backup", "layout == 9"),
        same_text(110, "Pool.load", "layout == 1"),
        same_text(210, "Pool.store", "layout == 2"),
    ]
    found = compare(dataset(*old), dataset(*new))
    assert [site.line_number for site in found.added] == [50]
    assert [(change.old.line_number, change.new.line_number) for change in found.changed] == [(200, 210)]


def test_a_lost_neighbour_of_the_same_text_shifts_no_pair() -> None:
    def same_text(line: int, test: str) -> LinkedSite:
        return site("unsupported layout", "pkg/pool.py", line, qualname="load", guards=(guard(test),))

    old = [same_text(line, f"layout == {line}") for line in (10, 20, 30)]
    found = compare(dataset(*old), dataset(old[0], old[2]))
    assert [gone.line_number for gone in found.removed] == [20]
    assert found.changed == ()


def test_each_goes_to_the_one_it_is_most_like() -> None:
    old = [
        site("the width must be even", "a.py", 10, qualname="f", guards=(guard("width % 2"),)),
        site("the height must be even", "a.py", 20, qualname="f", guards=(guard("height % 2"),)),
    ]
    new = [
        site("the height has to be even", "a.py", 30, qualname="f", guards=(guard("height % 2"),)),
        site("the width has to be even", "a.py", 40, qualname="f", guards=(guard("width % 2"),)),
    ]
    assert pairs(old, new) == [(20, 30, "likeness"), (10, 40, "likeness")]


def test_many_of_one_file_and_text_are_all_paired() -> None:
    """More than are compared one with another."""
    old = [site("bad", "a.py", line, qualname=f"f{line}") for line in range(1, 151)]
    new = [site("bad", "a.py", line, qualname=f"g{line}") for line in range(1, 151)]
    found = compare(dataset(*old), dataset(*new))
    assert (found.counts.moved, found.counts.added, found.counts.removed) == (150, 0, 0)


def mirrored(found: Diff) -> tuple[set[str], set[tuple[str, str]]]:
    return {one.id for one in found.added}, {(change.old.id, change.new.id) for change in found.changed}


def test_it_is_the_same_in_every_run_and_backwards() -> None:
    old = [ONE, *(param.values[0] for param in NOT_THE_SAME)]
    new = [param.values[0] for param in SAME]
    forth = compare(dataset(*old), dataset(*new))
    assert forth == compare(dataset(*old), dataset(*new))
    back = compare(dataset(*new), dataset(*old))
    assert {(two, one) for one, two in mirrored(back)[1]} == mirrored(forth)[1]
