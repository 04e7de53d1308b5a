"""Syntax that the running Python may not know is read by LibCST, with the same facts."""

from __future__ import annotations

import pytest

from tests.scan.reading import expressions, facts_of, guard_rows, template

NEWER = {
    "same quotes inside an f-string": (
        'def f(d):\n    if d["k"]:\n        raise ValueError(f"no {d["k"]!r} é {d["j"]:>{w}}")\n',
        "no {} é {}",
        ['d["k"]', 'd["j"]'],
        ['if 2 d["k"]'],
    ),
    "comment and line breaks inside a field": (
        'def f(d):\n    raise ValueError(f"no {\n        d  # why\n    } here")\n',
        "no {} here",
        ["d"],
        [],
    ),
    "f-strings nested with the same quotes": (
        'def f(x):\n    raise ValueError(f"a {f"b {x}"}")\n',
        "a b {}",
        ["x"],
        [],
    ),
    "type parameters": ("def f[T: int](x: T):\n    raise ValueError(f'a {x}')\n", "a {}", ["x"], []),
    "type parameters over lines": ("def f[\n    T,\n](x: T):\n    raise ValueError(f'a {x}')\n", "a {}", ["x"], []),
    "type alias": ("type X[T] = list[T]\ndef f(x):\n    raise ValueError(f'a {x}')\n", "a {}", ["x"], []),
    "class with type parameters": ("class C[T](B):\n    def f(x):\n        raise ValueError(f'a {x}')\n", "a {}", ["x"], []),
    "exception types without parentheses": (
        "def f(x):\n    try:\n        g()\n    except A, B:\n        raise ValueError(f'a {x}')\n",
        "a {}",
        ["x"],
        ["except 4 A, B"],
    ),
    "template string": ("def f(x):\n    y = t'a {x}'\n    raise ValueError(f'a {x}')\n", "a {}", ["x"], []),
    "nested quotes in a test": (
        'def f(d):\n    if d[f"{d["k"]}"] > 1:\n        raise ValueError(f"a {d}")\n',
        "a {}",
        ["d"],
        ['if 2 d[f"{d["k"]}"] > 1'],
    ),
    "tuple and conversion in fields": ("def f(x):\n    raise ValueError(f'a {x, 1} {(x)!r} {x=}')\n", "a {} {} x={}", ["x, 1", "(x)", "x"], []),
    "implicit concatenation": ("def f(x):\n    raise ValueError('a ' f'{x}' r'\\d' f'{{}}')\n", "a {}\\d{}", ["x"], []),
}  # fmt: skip


@pytest.mark.parametrize(("source", "expected", "values", "guards"), NEWER.values(), ids=NEWER)
def test_facts_are_the_same_through_libcst(source: str, expected: str, values: list[str], guards: list[str]) -> None:
    facts = facts_of(source, reader="libcst")
    (site,) = facts.sites
    (text,) = site.message.variants
    assert facts.reader == "libcst"
    assert (template(text), expressions(text), guard_rows(site)) == (expected, values, guards)
    assert "\n".join(source.splitlines()[site.excerpt_start - 1 : site.excerpt_end]) == site.excerpt
