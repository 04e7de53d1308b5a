from __future__ import annotations

import pytest

from extractor.publish.reading import MessageFacts, PlaceholderFacts
from extractor.publish.search_data import parts


def message(template: str, source: str, *values: str) -> MessageFacts:
    return MessageFacts(template, "literal", source, tuple(PlaceholderFacts(v) for v in values))


@pytest.mark.parametrize(
    ("facts", "fixed"),
    [
        pytest.param(message("no value", "no value"), ["no value"], id="no value"),
        pytest.param(message("size {} of {}.", "size {a} of {b!r}.", "a", "b"), ["size ", " of ", "."], id="values"),
        pytest.param(message("an empty {} stays", "an empty {} stays"), ["an empty {} stays"], id="braces of the text"),
        pytest.param(message("a {} b {} c", "a {} b {x} c", "x"), ["a {} b ", " c"], id="one of two is a value"),
        pytest.param(message("{}: {}", "{a}: {b}", "a", "b"), ["{}: {}"], id="too little to be found by"),
    ],
)
def test_fixed_parts(facts: MessageFacts, fixed: list[str]) -> None:
    assert parts(facts) == fixed
