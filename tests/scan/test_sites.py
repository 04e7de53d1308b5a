"""What is a site and what is not (contract, sections 2 and 7)."""

from __future__ import annotations

import pytest

from tests.scan.reading import facts_of, in_function, template

SITES = {
    "call": "raise ValueError('x')",
    "bare": "raise ValueError",
    "builtins": "import builtins\nraise builtins.ValueError('x')",
    "builtins under another name": "import builtins as b\nraise b.ValueError('x')",
    "imported name": "from builtins import ValueError as VE\nraise VE('x')",
    "assigned name": "Err = ValueError\nraise Err('x')",
    "alias of an alias": "A = ValueError\nB = A\nraise B('x')",
    "with a cause": "raise ValueError('x') from None",
    "stored": in_function("err = ValueError('x')\nraise err"),
    "stored bare class": in_function("kind = ValueError\nraise kind('x')"),
    "stored on every way": in_function("if a:\n    e = ValueError('x')\nelse:\n    e = ValueError('y')\nraise e"),
    "conditional": "raise ValueError('x') if c else ValueError('y')",
    "with_traceback": "raise ValueError('x').with_traceback(tb)",
    "stored with_traceback": in_function("e = ValueError('x').with_traceback(tb)\nraise e"),
    "assignment expression": "raise (err := ValueError('x'))",
    "module-level instance": "ERR = ValueError('x')\n" + in_function("raise ERR"),
    "in a class body": "class C:\n    raise ValueError('x')",
    "on one line": "if a: raise ValueError('x')",
    "bound by an assignment expression": in_function("if (e := ValueError('x')):\n    raise e"),
    "imported in the function": in_function("from builtins import ValueError as VE\nraise VE('x')"),
    "module imported in the function": in_function("import builtins as b\nraise b.ValueError('x')"),
    "alias of the function around": "def f():\n    E = ValueError\n    def g():\n        raise E('x')",
    "alias in the class body": "class A:\n    Err = ValueError\n    raise Err('x')",
    "behind a semicolon": "a = 1; raise ValueError('x')",
}

NO_SITES = {
    "in a string": "s = 'raise ValueError(1)'",
    "in a docstring": 'def f():\n    """raise ValueError(1)"""',
    "in a comment": "# raise ValueError(1)",
    "re-raise": "try:\n    g()\nexcept ValueError:\n    raise",
    "caught one raised again": "try:\n    g()\nexcept ValueError as e:\n    raise e",
    "another class": "raise KeyError('ValueError')",
    "attribute of another module": "import other\nraise other.ValueError('x')",
    "name the file rebinds": "class ValueError(Exception): ...\nraise ValueError('x')",
    "imported over": "from other import ValueError\nraise ValueError('x')",
    "parameter": "def f(ValueError):\n    raise ValueError('x')",
    "local class": "def f():\n    class ValueError(Exception): ...\n    raise ValueError('x')",
    "stored on one way only": in_function("e = None\nif a:\n    e = ValueError('x')\nraise e"),
    "stored, then replaced": in_function("e = ValueError('x')\ne = KeyError('y')\nraise e"),
    "conditional with another": "raise ValueError('x') if c else KeyError('y')",
    "name bound twice": "Err = ValueError\nErr = KeyError\nraise Err('x')",
    "replaced by an assignment expression": in_function("e = ValueError('x')\nif (e := a):\n    raise e"),
    "name bound by an assignment expression": in_function("if (ValueError := a):\n    raise ValueError('x')"),
    "name the class body rebinds": "class A:\n    ValueError = KeyError\n    raise ValueError('x')",
    "name a function rebinds globally": "def g():\n    global ValueError\n    ValueError = KeyError\ndef f():\n    raise ValueError('x')",
    "parameter of the function around": "E = ValueError('x')\ndef f(E):\n    def g():\n        raise E",
    "made, not raised": "e = ValueError('x')",
    "factory": "raise make(ValueError)",
}


@pytest.mark.parametrize("source", SITES.values(), ids=SITES)
def test_must_be_one_site(source: str) -> None:
    assert [site.exception_class for site in facts_of(source).sites] == ["ValueError"]


@pytest.mark.parametrize("source", NO_SITES.values(), ids=NO_SITES)
def test_must_not_be_a_site(source: str) -> None:
    assert facts_of(source).sites == ()


def test_several_stored_values_make_one_site_with_variants() -> None:
    (site,) = facts_of(in_function("if a:\n    e = ValueError('x')\nelse:\n    e = ValueError('y')\nraise e")).sites
    assert [template(text) for text in site.message.variants] == ["x", "y"]
    assert site.message.resolution == "resolved"


def test_place_of_a_site() -> None:
    (site,) = facts_of(
        """
        class Outer:
            def method(self):
                def inner():
                    é = 1; raise ValueError(
                        "x"
                    )
        """
    ).sites
    assert (site.line, site.end_line, site.column, site.qualname) == (5, 7, 20, "Outer.method.inner")


@pytest.mark.parametrize(
    ("wanted", "statement", "expected"),
    [
        (("KeyError",), "raise KeyError('x')", ["KeyError"]),
        (("ValueError", "KeyError"), "raise KeyError('x')", ["KeyError"]),
        (("ValueError",), "raise KeyError('x')", []),
        (("MyError",), "from errors import MyError\nraise MyError('x')", ["MyError"]),
        (("MyError",), "from errors import MyError as Mine\nraise Mine('x')", ["MyError"]),
        (("errors.MyError",), "import errors\nraise errors.MyError('x')", ["MyError"]),
        (("MyError",), "class MyError(Exception): ...\nraise MyError('x')", ["MyError"]),
        (("MyError",), "raise OtherError('x')", []),
    ],
)
def test_other_classes(wanted: tuple[str, ...], statement: str, expected: list[str]) -> None:
    assert [site.exception_class for site in facts_of(statement, exceptions=wanted).sites] == expected


@pytest.mark.parametrize(
    ("lines", "at", "expected"),
    [(1, 1, (1, 1)), (37, 19, (1, 37)), (100, 50, (32, 68)), (100, 1, (1, 19)), (100, 100, (82, 100))],
)
def test_excerpt_is_cut_to_the_file(lines: int, at: int, expected: tuple[int, int]) -> None:
    source = "".join("raise ValueError\n" if n == at else f"x{n} = 1\n" for n in range(1, lines + 1))
    (site,) = facts_of(source).sites
    assert (site.excerpt_start, site.excerpt_end) == expected
    assert site.excerpt == "\n".join(source.splitlines()[expected[0] - 1 : expected[1]])
