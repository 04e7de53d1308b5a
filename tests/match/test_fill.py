from __future__ import annotations

import pytest

from extractor.match import fill


@pytest.mark.parametrize(
    ("condition", "expression", "value", "filled"),
    [
        ("cfg.size > 1", "cfg.size", "4", "4 > 1"),
        ("cfg.size > 1", "size", "4", "cfg.size > 1"),
        ("size > max_size", "size", "4", "4 > max_size"),
        ("sizes and size", "size", "4", "sizes and 4"),
        ("mode not in MODES", "mode", "fast", "'fast' not in MODES"),
        ("mode not in MODES", "mode", "'fast'", "'fast' not in MODES"),
        ("x is None", "x", "None", "None is None"),
        ("x.dtype != a", "x.dtype", "torch.int8", "torch.int8 != a"),
        ("len(xs) == 0", "len(xs)", "0", "0 == 0"),
        ("xs[0] > 1", "xs[0]", "7", "7 > 1"),
        ("xs[0] > 1", "xs", "[7]", "xs[0] > 1"),
        ("f(x) > 1", "f", "2", "f(x) > 1"),
        ("x.y > 1", "x", "2", "x.y > 1"),
        ("a + b > 1", "a + b", "2", "a + b > 1"),
        ("x", "x", "y" * 500, "x"),
        ("<for x in xs> and x > 1", "x", "2", "<for x in xs> and 2 > 1"),
        ("<for x in xs> and x > 1", "xs", "[2]", "<for x in [2]> and x > 1"),
    ],
)
def test_values_stand_for_whole_names_only(condition: str, expression: str, value: str, filled: str) -> None:
    assert fill.condition(condition, [expression], [value]) == filled


def test_a_value_is_not_filled_in_again() -> None:
    assert fill.condition("a == b", ["a", "b"], ["[b]", "[a]"]) == "[b] == [a]"


def test_the_message_shows_where_a_value_is_missing() -> None:
    assert fill.message(("a ", " b ", ""), ("1", None)) == "a 1 b {}"
    assert fill.message(("a ", " b"), ()) == "a {} b"
