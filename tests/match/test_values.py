"""Values are cut out exactly as printed wherever the text leaves only one reading."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractor.explain.pattern import derive
from extractor.match import values
from extractor.match.align import Message
from extractor.match.catalog import Catalog, _Index
from tests.match.kiln import VERSION, row

WORDS = ("glaze", "kiln", "needs", "between", "ceiling", "shelf", "width", "expected", "allowed", "found", "range")
fixed = st.lists(st.sampled_from(WORDS), min_size=2, max_size=4).map(lambda found: f" {' '.join(found)} ")
numbers = st.integers(-999, 99_999).map(str)
names = st.sampled_from(["cobalt", "fp8", "'ash'", "/var/log/k.txt", "torch.float16", "None", "a-b", "x_y", "3.5"])
lists = st.lists(st.one_of(numbers, st.sampled_from(["'a'", "'b'"])), max_size=5).map(
    lambda found: f"[{', '.join(found)}]"
)
objects = st.sampled_from(
    ["dict_keys(['a', 'b'])", "Oven(id=3, zones=[1, 2])", "<class 'int'>", "{'a': 1, 'b': (2, 3)}"]
)
any_value = st.one_of(numbers, names, lists, objects)


def cut(message: str, text: str, stops: tuple[int, ...] = ()) -> tuple[str | None, ...]:
    catalog = Catalog(_Index("o/n", "0" * 40, VERSION, (row("a", "pkg/a.py", 1, "f", message),)))
    found = Message(text)
    reading = values.read(found.squashed, found.lay(catalog.targets(0)[0]), stops, opened=True)
    assert reading is not None
    return reading.values


@st.composite
def messages(draw: st.DrawFn) -> tuple[str, list[str]]:
    count = draw(st.integers(1, 4))
    return "".join(draw(fixed) + "{}" for _ in range(count)) + draw(fixed), [draw(any_value) for _ in range(count)]


@given(messages())
@settings(max_examples=150, deadline=None)
def test_values_between_words_come_back(made: tuple[str, list[str]]) -> None:
    message, printed = made
    assert cut(message.strip(), message.format(*printed).strip()) == tuple(printed)


@given(messages(), st.data())
@settings(max_examples=150, deadline=None)
def test_a_wrap_at_a_blank_of_the_fixed_text_changes_nothing(made: tuple[str, list[str]], data: Any) -> None:
    message, printed = made
    parts = message.strip().split("{}")
    number = data.draw(st.integers(0, len(parts) - 1))
    inside = [place for place, mark in enumerate(parts[number]) if mark == " " and 0 < place < len(parts[number]) - 1]
    place = data.draw(st.sampled_from(inside)) if inside else None
    if place is not None:
        parts[number] = (
            parts[number][:place] + data.draw(st.sampled_from(["\n", "\n    ", " \n"])) + parts[number][place + 1 :]
        )
    wrapped = "".join(part + value for part, value in zip(parts, [*printed, ""], strict=True))
    assert cut(message.strip(), wrapped) == tuple(printed)


@pytest.mark.parametrize(
    ("message", "text", "found"),
    [
        ("Size ({}, {}) is odd", "Size (1, 2) is odd", ("1", "2")),
        ("Mixed {}, {} within {}", "Mixed [1, 2], (3, 4) within {5, 6}", ("[1, 2]", "(3, 4)", "{5, 6}")),
        ("Oven {} is cold.", "Oven 3.5 is cold.", ("3.5",)),
        ("Temperature is {}.", "Temperature is 3.5.", ("3.5",)),
        ("Temperature is {}.", "Temperature is 3.5", ("3.5",)),
        ("Temperature is {}. Wait", "Temperature is 3.5. Wait", ("3.5",)),
        ("Known '{}' here", "Known here' here", ("here",)),
        ("Known bodies: {}", "Known bodies: ['a', 'b']\n\nnext line", ("['a', 'b']",)),
        ("Known bodies: {}", "Known bodies: ['a',\n 'b']", ("['a', 'b']",)),
        ("Known bodies: {}", "Known bodies: ['mar\nlin', 'b']", ("['marlin', 'b']",)),
        ("Known bodies: {}", "Known bodies:", ("",)),
        ("Tile width={} depth={}", "Tile width=1 depth=2", ("1", "2")),
        ("Expected {} tiles to fit", "Expected to tiles to fit", ("to",)),
        ("Expected {} tokens of {}", "Expected torch.Size([1]) tokens of torch.Size([2])", ("torch.Size([1])", "torch.Size([2])")),
        ("Bad clay {}", "**Bad clay marl**", ("marl",)),
        ("Bad clay {}.", "**Bad clay marl.**", ("marl",)),
        ("{} is no glaze", "cobalt is no glaze", ("cobalt",)),
        ("{}: {} is no glaze", "a.py: cobalt is no glaze", ("a.py", "cobalt")),
        ("Kiln said: {}", "Kiln said: No such file: 'a b'", ("No such file: 'a b'",)),
    ],
)  # fmt: skip
def test_marks_between_values(message: str, text: str, found: tuple[str, ...]) -> None:
    assert derive(message.split("{}"), message)
    assert cut(message, text) == found


@pytest.mark.parametrize(
    ("message", "text", "found"),
    [
        ("Glaze pigment {} needs at least {} grams", "Glaze pigment cobalt needs at le", ("cobalt", None)),
        ("Glaze pigment {} needs at least {} grams", "Glaze pigment cob", ("cob", None)),
        ("Glaze pigment {} needs at least {} grams", "Glaze pigment co...", ("co", None)),
        ("Glaze pigment {} needs at least {} grams", "needs at least 5 grams", (None, "5")),
    ],
)
def test_what_is_cut_off_is_not_made_up(message: str, text: str, found: tuple[str | None, ...]) -> None:
    assert cut(message, text) in (found, ("", *found[1:]))
