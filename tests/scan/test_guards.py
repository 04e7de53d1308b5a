"""Guards, construct by construct, as contract section 5 and 7 tell them. Bodies start on line 2."""

from __future__ import annotations

import pytest

from tests.scan.reading import facts_of, guard_rows, in_function, site_of

MUST = {
    "if body": ("if a > 1:\n    raise ValueError", ["if 2 a > 1"]),
    "else branch": ("if a:\n    pass\nelse:\n    raise ValueError", ["else 2 not a"]),
    "elif after two tests": (
        "if a:\n    pass\nelif b:\n    pass\nelif c:\n    raise ValueError",
        ["else 2 not a", "else 4 not b", "if 6 c"],
    ),
    "nested, outermost first": ("if a:\n    if b:\n        raise ValueError", ["if 2 a", "if 3 b"]),
    "early return": ("if a:\n    return\nraise ValueError", ["early-exit 2 not a"]),
    "early raise": ("if a:\n    raise KeyError\nraise ValueError", ["early-exit 2 not a"]),
    "early return from else": ("if a:\n    x = 1\nelse:\n    return\nraise ValueError", ["early-exit 2 a"]),
    "early exit in a block around": (
        "if a:\n    if b:\n        return\n    raise ValueError",
        ["if 2 a", "early-exit 3 not b"],
    ),
    "nested ways that all leave": (
        "if a:\n    if b:\n        return\n    else:\n        raise KeyError\nraise ValueError",
        ["early-exit 2 not a"],
    ),
    "sys.exit leaves": ("if a:\n    sys.exit(1)\nraise ValueError", ["early-exit 2 not a"]),
    "os.abort leaves": ("if a:\n    os.abort()\nraise ValueError", ["early-exit 2 not a"]),
    "with that leaves": ("if a:\n    with b:\n        return\nraise ValueError", ["early-exit 2 not a"]),
    "try whose ways all leave": (
        "if a:\n    try:\n        return g()\n    except E:\n        raise KeyError\nraise ValueError",
        ["early-exit 2 not a"],
    ),
    "match whose ways all leave": (
        "if a:\n    match b:\n        case 1:\n            return\n        case _:\n            return\nraise ValueError",
        ["early-exit 2 not a"],
    ),
    "continue": ("for x in xs:\n    if x:\n        continue\n    raise ValueError", ["for 2 x in xs", "early-exit 3 not x"]),
    "assert passed": ("assert a, 'no'\nraise ValueError", ["assert 2 a"]),
    "while around": ("while a:\n    raise ValueError", ["while 2 a"]),
    "while before, without break": ("while a:\n    g()\nraise ValueError", ["while 2 not a"]),
    "for around": ("for x, y in xs:\n    raise ValueError", ["for 2 x, y in xs"]),
    "for ran out without return": (
        "for x in xs:\n    if x:\n        return x\nraise ValueError",
        ["loop-exhausted 2 for x in xs"],
    ),
    "else of a for with break": (
        "for x in xs:\n    if x:\n        break\nelse:\n    raise ValueError",
        ["loop-exhausted 2 for x in xs"],
    ),
    "else of a while": (
        "while a:\n    if b:\n        break\nelse:\n    raise ValueError",
        ["loop-exhausted 2 while a"],
    ),
    "break out of an endless loop": ("while True:\n    if a:\n        break\nraise ValueError", ["early-exit 3 a"]),
    "case": (
        "match a:\n    case 1:\n        pass\n    case [x, y] if x:\n        raise ValueError",
        ["match 3 not a matches 1", "match 5 a matches [x, y] if x"],
    ),
    "case _": ("match a:\n    case 1:\n        pass\n    case _:\n        raise ValueError", ["match 3 not a matches 1"]),
    "match before whose case leaves": (
        "match a:\n    case 1:\n        return\n    case 2:\n        g()\nraise ValueError",
        ["match 3 not a matches 1"],
    ),
    "handler": ("try:\n    g()\nexcept (A, B) as e:\n    raise ValueError", ["except 4 (A, B)"]),
    "bare handler": ("try:\n    g()\nexcept:\n    raise ValueError", ["except 4 BaseException"]),
    "early exit before a try": ("if a:\n    return\ntry:\n    g()\nexcept E:\n    raise ValueError", ["early-exit 2 not a", "except 6 E"]),
    "handlers that leave keep the body's tests": (
        "try:\n    if a:\n        return\nexcept E:\n    return\nraise ValueError",
        ["early-exit 3 not a"],
    ),
    "finally that is passed on the way": (
        "try:\n    if a:\n        return\nfinally:\n    g()\nraise ValueError",
        ["early-exit 3 not a"],
    ),
    "with around is no condition": ("with a:\n    if b:\n        raise ValueError", ["if 3 b"]),
    "white space and comments folded": (
        "if (\n    a  # why\n    and   b\n):\n    raise ValueError",
        ["if 3 a and b"],
    ),
    "strings are left as they are": ("if a == 'x  y':\n    raise ValueError", ["if 2 a == 'x  y'"]),
    "redundant parentheses": ("if ((a)):\n    raise ValueError", ["if 2 a"]),
    "TYPE_CHECKING is a test like any other": ("if TYPE_CHECKING:\n    raise ValueError", ["if 2 TYPE_CHECKING"]),
}  # fmt: skip

MUST_NOT = {
    "branch that may go on": ("if a:\n    if b:\n        return\nraise ValueError", []),
    "test that is not always come to": ("if a:\n    x = 1\nelif b:\n    return\nraise ValueError", []),
    "constant test": ("while True:\n    raise ValueError", []),
    "constant if": ("if 1:\n    raise ValueError", []),
    "loop that break may have left": ("for x in xs:\n    if x:\n        break\nraise ValueError", []),
    "plain loop before": ("for x in xs:\n    g(x)\nraise ValueError", []),
    "test in a try body, seen from a handler": ("try:\n    if a:\n        return\nexcept E:\n    raise ValueError", ["except 5 E"]),
    "test in a try body whose handler goes on": (
        "try:\n    if a:\n        return\nexcept E:\n    pass\nraise ValueError",
        [],
    ),
    "test in a block whose exceptions are swallowed": (
        "with suppress(E):\n    if a:\n        return\nraise ValueError",
        [],
    ),
    "finally is come to on every way": ("try:\n    if a:\n        return\nfinally:\n    raise ValueError", []),
    "test after the site": ("raise_it = 1\nif a:\n    raise ValueError\nif b:\n    return", ["if 3 a"]),
    "guards of the function around": ("if a:\n    def g():\n        raise ValueError", []),
    "later case": ("match a:\n    case 1:\n        raise ValueError\n    case 2:\n        pass", ["match 3 a matches 1"]),
    "assert false is a constant": ("assert True\nraise ValueError", []),
}  # fmt: skip

STALE = {
    "name bound again": ("if a:\n    a = 1\n    raise ValueError", ["~if 2 a"]),
    "name deleted": ("if a:\n    del a\n    raise ValueError", ["~if 2 a"]),
    "name bound on one way": ("if a:\n    if b:\n        a = 1\n    raise ValueError", ["~if 2 a"]),
    "attribute bound": ("if self.a:\n    self.a = 1\n    raise ValueError", ["~if 2 self.a"]),
    "prefix bound": ("if self.a.b:\n    self.a = 1\n    raise ValueError", ["~if 2 self.a.b"]),
    "item bound": ("if d['k']:\n    d['k'] = 1\n    raise ValueError", ["~if 2 d['k']"]),
    "item of any index bound": ("if d['k']:\n    d[i] = 1\n    raise ValueError", ["~if 2 d['k']"]),
    "item set in a container that is read whole": ("if 'k' in d:\n    d['j'] = 1\n    raise ValueError", ["~if 2 'k' in d"]),
    "mutating method": ("if xs:\n    xs.pop()\n    raise ValueError", ["~if 2 xs"]),
    "augmented": ("if n > 1:\n    n -= 1\n    raise ValueError", ["~if 2 n > 1"]),
    "for target": ("if x:\n    for x in xs:\n        raise ValueError", ["~if 2 x", "for 3 x in xs"]),
    "with target": ("if x:\n    with g() as x:\n        raise ValueError", ["~if 2 x"]),
    "import": ("if x:\n    import x\n    raise ValueError", ["~if 2 x"]),
    "assignment expression": ("if x:\n    g(x := 1)\n    raise ValueError", ["~if 2 x"]),
    "rest of the loop's body": (
        "if a:\n    for x in xs:\n        if x:\n            raise ValueError\n        a = x",
        ["~if 2 a", "for 3 x in xs", "if 4 x"],
    ),
    "handler's name at its end": (
        "if e:\n    try:\n        g()\n    except E as e:\n        pass\n    raise ValueError",
        ["~if 2 e"],
    ),
    "capture": ("match a:\n    case [a, _]:\n        raise ValueError", ["~match 3 a matches [a, _]"]),
}  # fmt: skip

FRESH = {
    "other name bound": ("if a:\n    b = 1\n    raise ValueError", ["if 2 a"]),
    "other attribute bound": ("if self.a:\n    self.b = 1\n    raise ValueError", ["if 2 self.a"]),
    "longer path bound": ("if self.a is None:\n    self.a.b = 1\n    raise ValueError", ["if 2 self.a is None"]),
    "other constant item bound": ("if d['k']:\n    d['j'] = 1\n    raise ValueError", ["if 2 d['k']"]),
    "handed to a call": ("if xs:\n    g(xs)\n    raise ValueError", ["if 2 xs"]),
    "bound before the test": ("a = g()\nif a:\n    raise ValueError", ["if 3 a"]),
    "bound after the site": ("if a:\n    if b:\n        raise ValueError\n    a = 1", ["if 2 a", "if 3 b"]),
    "bound on a way that leaves": ("if a:\n    if b:\n        a = 1\n        return\n    raise ValueError", ["if 2 a", "early-exit 3 not b"]),
    "bound by the statement that raised": (
        "if a:\n    try:\n        a = g()\n    except E:\n        raise ValueError",
        ["if 2 a", "except 5 E"],
    ),
    "own assignment expression": ("if (n := g()) > 1:\n    raise ValueError", ["if 2 (n := g()) > 1"]),
    "comprehension variable": ("if a:\n    b = [a for a in xs]\n    raise ValueError", ["if 2 a"]),
    "variable of a comprehension bound": (
        "if not all(i > 0 for i in xs):\n    return\nfor i in xs:\n    raise ValueError",
        ["early-exit 2 not not all(i > 0 for i in xs)", "for 4 i in xs"],
    ),
    "capture of a case that did not match": (
        "match a:\n    case n if n > 3:\n        pass\n    case n:\n        raise ValueError",
        ["match 3 not a matches n if n > 3"],
    ),
    "tested again each round": ("for x in xs:\n    if x:\n        raise ValueError", ["for 2 x in xs", "if 3 x"]),
    "captures of its own case": ("match a:\n    case [x, _] if x:\n        raise ValueError", ["match 3 a matches [x, _] if x"]),
}  # fmt: skip


@pytest.mark.parametrize(
    ("body", "expected"),
    [*MUST.values(), *MUST_NOT.values(), *STALE.values(), *FRESH.values()],
    ids=[
        f"{table}: {name}"
        for table, rows in (("must", MUST), ("must not", MUST_NOT), ("stale", STALE), ("fresh", FRESH))
        for name in rows
    ],
)
def test_guards(body: str, expected: list[str]) -> None:
    assert guard_rows(site_of(in_function(body, "a"))) == expected


@pytest.mark.parametrize(
    ("helpers", "call", "leaves"),
    [
        ("def stop() -> NoReturn: ...", "stop()", True),
        ("def stop() -> 'typing.Never': ...", "stop()", True),
        ("async def stop() -> NoReturn: ...", "await stop()", True),
        ("def stop() -> None: ...", "stop()", False),
        ("", "stop()", False),
        ("import sys as s", "s.exit()", True),
        ("from sys import exit as bye", "bye()", True),
        ("def exit(): ...", "exit()", False),
        ("class stop:\n    def exit(self) -> NoReturn: ...", "exit_()", False),
    ],
)
def test_calls_of_functions_that_never_return(helpers: str, call: str, leaves: bool) -> None:
    body = in_function(f"if a:\n    {call}\nraise ValueError").replace("def f", "async def f")
    assert [guard.test for guard in site_of(f"{helpers}\n{body}").guards] == (["a"] if leaves else [])


_AFTER_WITH = in_function("with quiet():\n    if a:\n        return\nraise ValueError")


@pytest.mark.parametrize(
    ("manager", "swallows"),
    [
        ("class quiet:\n    def __exit__(self, *e):\n        return True", True),
        ("class quiet:\n    def __exit__(self, *e):\n        return self.done", True),
        ("class quiet:\n    def __exit__(self, *e):\n        return False", False),
        ("class quiet:\n    def __exit__(self, *e):\n        self.close()", False),
        ("@contextmanager\ndef quiet():\n    try:\n        yield\n    except E:\n        log()", True),
        ("@contextlib.contextmanager\ndef quiet():\n    try:\n        yield\n    except E:\n        raise", False),
        ("@contextmanager\ndef quiet():\n    try:\n        yield\n    finally:\n        log()", False),
        ("def quiet(): ...", False),
    ],
)
def test_context_managers_that_swallow(manager: str, swallows: bool) -> None:
    assert [guard.test for guard in site_of(f"{manager}\n{_AFTER_WITH}").guards] == ([] if swallows else ["a"])


@pytest.mark.parametrize(("owner", "leaves"), [("A", True), ("B", False)])
def test_a_method_that_never_returns_is_one_of_the_own_class(owner: str, leaves: bool) -> None:
    method = "    def f(self, a):\n        if a:\n            self.fail()\n        raise ValueError('x')\n"
    classes = {"A": "class A:\n    def fail(self) -> NoReturn: ...\n", "B": "class B:\n    def fail(self): ...\n"}
    classes[owner] += method
    assert [guard.test for guard in site_of("".join(classes.values())).guards] == (["a"] if leaves else [])


def test_module_level_sites_have_the_guards_of_the_module() -> None:
    site = site_of("import os\nif os.name == 'nt':\n    raise ValueError('no')\n")
    assert (site.qualname, guard_rows(site)) == ("<module>", ["if 2 os.name == 'nt'"])


def test_a_site_that_cannot_be_reached_keeps_the_conditions_around_it() -> None:
    assert guard_rows(site_of(in_function("return\nif a:\n    raise ValueError"))) == ["if 3 a"]


def test_thousands_of_checks_in_a_row_stay_linear() -> None:
    body = "\n".join(f"if a == {n}:\n    raise ValueError({n})" for n in range(1000))
    sites = facts_of(in_function(body)).sites
    assert len(sites) == 1000
    assert max(len(site.guards) for site in sites) == 128
    assert guard_rows(sites[-1])[-2:] == ["early-exit 1998 not a == 998", "if 2000 a == 999"]


def test_a_long_elif_chain_is_read() -> None:
    body = "if a == 0:\n    pass\n" + "\n".join(f"elif a == {n}:\n    raise ValueError({n})" for n in range(1, 900))
    assert len(facts_of(in_function(body)).sites) == 899
