"""What one file tells the link stage."""

from __future__ import annotations

import ast
import textwrap

import msgspec
import pytest

from extractor.model.index import ARGUMENT_BREAK, FileIndex
from extractor.scan.index import index


def read(source: str) -> FileIndex:
    text = textwrap.dedent(source)
    return index(ast.parse(text), text)


CONSTANTS = [
    pytest.param("X = 3", ("X", "3", (), False), id="number"),
    pytest.param("X = ['a', 'b']", ("X", "['a', 'b']", ("'a'", "'b'"), True), id="list"),
    pytest.param("X = frozenset({'a'})", ("X", "frozenset({'a'})", ("'a'",), True), id="wrapped set"),
    pytest.param("X = {'a': 1, **Y}", ("X", "{'a': 1, **Y}", ("'a'", "**"), True), id="dict's keys"),
    pytest.param("X = Literal['a', 'b']", ("X", "Literal['a', 'b']", ("'a'", "'b'"), True), id="Literal"),
    pytest.param("class C:\n    X = 3", ("C.X", "3", (), False), id="class level"),
    pytest.param("X: int = 3", ("X", "3", (), False), id="annotated"),
    pytest.param("X = [  # first\n    'a',  # 'b'\n]", ("X", "['a']", ("'a'",), True), id="comments are no members"),
]


@pytest.mark.parametrize(("source", "wanted"), CONSTANTS)
def test_constants(source: str, wanted: tuple[object, ...]) -> None:
    (found,) = read(source).constants
    assert (found.name, found.text, found.members, found.container) == wanted


@pytest.mark.parametrize("source", ["def f():\n    X = 3", "x.y = 3", "X = " + repr("a" * 400)])
def test_no_constants(source: str) -> None:
    assert read(source).constants == ()


CALLS = [
    pytest.param("f(1, b=2)", [("f", ("1", "b=2"))], id="function"),
    pytest.param("self.load(x)", [("self.load", ("x",))], id="own method of a common name"),
    pytest.param("a.b.check(x)", [("a.b.check", ("x",))], id="method"),
    pytest.param("y = f(g(1))", [("f", ("g(1)",)), ("g", ("1",))], id="call in an argument"),
    pytest.param("return await f(1)", [("f", ("1",))], id="awaited"),
    pytest.param("if not f(1) and g(2):\n    pass", [("f", ("1",)), ("g", ("2",))], id="in a test"),
    pytest.param("len(x)", [], id="builtin"),
    pytest.param("x.append(1)", [], id="container method"),
    pytest.param("torch.f(1)", [], id="foreign package"),
    pytest.param("f(" + "a" * 80 + ")", [("f", ("…",))], id="long argument"),
]


@pytest.mark.parametrize(("source", "wanted"), CALLS)
def test_calls(source: str, wanted: list[tuple[str, tuple[str, ...]]]) -> None:
    body = textwrap.indent(source, "    ")
    found = read(f"import torch\nasync def h(self, x, a):\n{body}\n").calls
    assert sorted((call.callee, tuple(call.arguments.split(ARGUMENT_BREAK))) for call in found) == sorted(wanted)


GUARDED = [
    pytest.param("if a:\n    f()", [("a", True)], id="if"),
    pytest.param("if a:\n    pass\nelse:\n    f()", [("a", False)], id="else"),
    pytest.param("if a:\n    return\nf()", [("a", False)], id="early exit"),
    pytest.param("if a:\n    a = 1\n    f()", [], id="bound again after the test"),
    pytest.param("if a.b:\n    a = 1\n    f()", [], id="what it reads from is bound again"),
    pytest.param("a = 1\nif a:\n    f()", [("a", True)], id="bound before the test"),
    pytest.param("if a:\n    pass\nf()", [], id="both ways go on"),
    pytest.param("for x in y:\n    if a:\n        continue\n    f()", [("a", False)], id="next round"),
]


@pytest.mark.parametrize(("source", "wanted"), GUARDED)
def test_tests_known_at_a_call(source: str, wanted: list[tuple[str, bool]]) -> None:
    found = read(f"def h(a, y):\n{textwrap.indent(source, '    ')}\n")
    (call,) = found.calls
    assert [(found.tests[n].text, found.tests[n].holds) for n in call.tests] == wanted


@pytest.mark.parametrize(
    ("handler", "wanted"),
    [
        pytest.param("except ValueError:\n        return 1", "handled", id="handled"),
        pytest.param("except Exception as e:\n        raise Other from e", "raised", id="raised again"),
        pytest.param("except KeyError:\n        return 1", "", id="another exception"),
    ],
)
def test_what_a_handler_around_a_call_does(handler: str, wanted: str) -> None:
    (call,) = read(f"def h():\n    try:\n        f()\n    {handler}\n").calls
    assert call.caught == wanted


def test_functions_that_raise_tell_more() -> None:
    source = """
        def quiet(a: int = 1):
            "Doc."
            b = a
        def loud(a: int = 1, *, c=None):
            "Doc of it.\\n\\nMore."
            b = a + 1
            for d in c:
                raise ValueError(b)
        def predicate(x):
            "Doc."
            return x > 1
    """
    quiet, loud, predicate = read(source).functions
    assert (quiet.raises, quiet.doc, quiet.annotated, quiet.bindings) == (False, "", (), ())
    assert (loud.doc, loud.parameters) == ("Doc of it.", "a c")
    assert [(b.name, b.text) for b in loud.bindings] == [("b", "a + 1"), ("d", "<each> c")]
    assert (predicate.value, loud.value) == ("x > 1", "")


def test_attributes_bound_once() -> None:
    source = """
        class C:
            def __init__(self, a):
                self.once = a.x
                self.twice = 1
            def f(self):
                self.twice = 2
    """
    (info,) = read(source).classes
    assert info.attributes == (("once", "a.x"),)


def test_the_index_holds_no_tree_and_survives_encoding() -> None:
    found = read("def f(x: int = 1):\n    if x:\n        g(x)\n    raise ValueError\n")
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(found), type=FileIndex) == found
