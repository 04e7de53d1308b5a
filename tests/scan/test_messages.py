"""Messages, form by form (contract, sections 5 and 7). Each row: what is raised, template, expressions, resolution."""

from __future__ import annotations

import pytest

from tests.scan.reading import expressions, facts_of, in_function, site_of, template

RAISED = {
    "literal": ("'plain'", "plain", [], "literal"),
    "no argument": ("", "ValueError", [], "literal"),
    "implicit concatenation": ("'a ' 'b'", "a b", [], "literal"),
    "f-string": ("f'got {x.y}'", "got {}", ["x.y"], "literal"),
    "f-string in parts": ("'got ' f'{x}' ' of ' f'{y}'", "got {} of {}", ["x", "y"], "literal"),
    "call in a field": ("f'got {len(x)}'", "got {}", ["len(x)"], "literal"),
    "same quotes folded": ("f\"got {x['k']}\"", "got {}", ["x['k']"], "literal"),
    "doubled braces": ("f'{{x}} {y}'", "{x} {}", ["y"], "literal"),
    "self-documenting": ("f'bad {x=}'", "bad x={}", ["x"], "literal"),
    "nested f-string": ("f'bad {f\"no {x}\"}'", "bad no {}", ["x"], "literal"),
    "escapes": (r"'tab\t\u00e9'", "tab\té", [], "literal"),
    "lone surrogate": (r"'\ud800x'", r"\ud800x", [], "literal"),
    "plus": ("'a ' + x + ' b'", "a {} b", ["x"], "literal"),
    "plus str": ("'a ' + str(x)", "a {}", ["str(x)"], "literal"),
    "percent": ("'a %s of %d' % (x, y)", "a {} of {}", ["x", "y"], "literal"),
    "percent single": ("'a %s' % x", "a {}", ["x"], "literal"),
    "percent dict": ("'a %(k)s' % {'k': x}", "a {}", ["x"], "literal"),
    "percent tuple": ("'a %s of %s' % m", "a {} of {}", ["m[0]", "m[1]"], "literal"),
    "percent lays out": ("'[%10s] [%-5s]' % ('abc', 'de')", "[       abc] [de   ]", [], "literal"),
    "percent mapping": ("'a %(k)s' % m", "a {}", ["m['k']"], "literal"),
    "percent percent": ("'100%% of %s' % x", "100% of {}", ["x"], "literal"),
    "format": ("'a {} b {}'.format(x, y)", "a {} b {}", ["x", "y"], "literal"),
    "format positions": ("'{1} then {0}'.format(x, y)", "{} then {}", ["y", "x"], "literal"),
    "format names": ("'got {n}'.format(n=x)", "got {}", ["x"], "literal"),
    "format attribute and index": ("'got {0.a[k]}'.format(x)", "got {}", ["x.a['k']"], "literal"),
    "format field in a field": ("'value {:>{}} of {}'.format(x, 5, y)", "value {} of {}", ["x", "y"], "literal"),
    "format attribute of a sum": ("'got {0.real}'.format(x + 1)", "got {}", ["(x + 1).real"], "literal"),
    "format braces": ("'{{}} {}'.format(x)", "{} {}", ["x"], "literal"),
    "join of constants": ("', '.join(['a', 'b'])", "a, b", [], "literal"),
    "join of values": ("'one of ' + ', '.join(xs)", "one of {}", ["', '.join(xs)"], "literal"),
    "dedent": ("textwrap.dedent('  a\\n  b')", "a\nb", [], "literal"),
    "f-string added": ("'a ' + f'{x!r:>5}'", "a {}", ["x"], "literal"),
    "strip around values": ("f' a {x} b '.strip()", "a {} b", ["x"], "literal"),
    "strip at a value": ("f'a {x}'.strip()", "{}", ["f'a {x}'.strip()"], "unresolved"),
    "dictionary with another spread": ("{'a': 'alpha', **m}['a']", "{}", ["{'a': 'alpha', **m}['a']"], "unresolved"),
    "dictionary key given twice": ("{'a': 'alpha', 'a': 'beta'}['a']", "beta", [], "literal"),
    "strip": ("' a '.strip()", "a", [], "literal"),
    "number": ("5", "5", [], "literal"),
    "repeated": ("'=' * 3", "===", [], "literal"),
    "two arguments print as a tuple": ("'bad', x", "('bad', {})", ["x"], "literal"),
    "exception object": ("e", "{}", ["e"], "unresolved"),
    "str of an exception": ("str(e)", "{}", ["str(e)"], "unresolved"),
    "values only": ("f'{x}{y}'", "{}{}", ["x", "y"], "unresolved"),
    "unknown arguments": ("*args", "{}", ["*args"], "unresolved"),
    "malformed percent": ("'50%' % x", "{}", ["'50%' % x"], "unresolved"),
}

BODIES = {
    "local name": ("msg = f'got {x}'\nraise ValueError(msg)", ["got {}"], "resolved"),
    "two assignments": ("if a:\n    m = 'one'\nelse:\n    m = 'two'\nraise ValueError(m)", ["one", "two"], "resolved"),
    "one assignment dead": ("m = 'one'\nm = 'two'\nraise ValueError(m)", ["two"], "resolved"),
    "augmented": ("m = 'a'\nm += f' {x}'\nraise ValueError(m)", ["a {}"], "resolved"),
    "augmented on one way": ("m = 'a'\nif c:\n    m += ' b'\nraise ValueError(m)", ["a", "a b"], "resolved"),
    "augmented in a loop": ("m = 'a:'\nfor x in xs:\n    m += x\nraise ValueError(m)", ["a:", "a:{}"], "partial"),
    "conditional expression": ("raise ValueError('a' if c else f'b {x}')", ["a", "b {}"], "literal"),
    "or": ("raise ValueError(x or 'nothing')", ["nothing", "{}"], "partial"),
    "conditional field": ("raise ValueError(f'no {'a' if c else 'b'}!')".replace("'a'", '"a"').replace("'b'", '"b"'), ["no a!", "no b!"], "literal"),
    "known name in a field": ("k = 'red'\nraise ValueError(f'no {k}')", ["no red"], "resolved"),
    "half-known name in a field": ("k = 'red' if c else x\nraise ValueError(f'no {k}')", ["no {}"], "literal"),
    "known name with repr": ("k = 'red'\nraise ValueError(f'no {k!r}')", ["no 'red'"], "resolved"),
    "parameter": ("raise ValueError(p)", ["{}"], "unresolved"),
    "parameter with a default set here": ("if p is None:\n    p = 'none'\nraise ValueError(p)", ["none", "{}"], "partial"),
    "for variable": ("for m in ms:\n    raise ValueError(m)", ["{}"], "unresolved"),
    "assignment expression": ("raise ValueError(m := 'x')", ["x"], "literal"),
    "tuple assignment": ("m, n = 'one', 2\nraise ValueError(m)", ["one"], "resolved"),
    "names set in the same branches": (
        "if a:\n    x, y = 'A1', 'A2'\nelse:\n    x, y = 'B1', 'B2'\nraise ValueError(f'no {x} {y}')",
        ["no {} {}"],
        "literal",
    ),
    "parts that may be empty": (
        "more = '...' if a else ''\nraise ValueError(f\"no {x}{more}{' or so' if c else ''}\")",
        ["no {}... or so", "no {}...", "no {} or so", "no {}"],
        "resolved",
    ),
    "assignment expression replaces": ("m = 'one'\nif (m := x):\n    raise ValueError(m)", ["{}"], "unresolved"),
    "assignment expression that may not happen": (
        "m = 'one'\nif a and (m := 'two'):\n    pass\nraise ValueError(m)",
        ["one", "two"],
        "resolved",
    ),
    "value with an addition": ("m = str(x)\nm += ' failed'\nraise ValueError(m)", ["{} failed"], "resolved"),
    "one name with alternatives beside a value": (
        "y = 'A' if a else 'B'\nraise ValueError(f'no {x} {y}')",
        ["no {} A", "no {} B"],
        "resolved",
    ),
    "deleted": ("m = 'one'\nif a:\n    del m\nraise ValueError(m)", ["one"], "resolved"),
}  # fmt: skip

OUTSIDE = {
    "module constant": ("M = 'text'\ndef f():\n    raise ValueError(M)", ["text"], "resolved"),
    "module constant bound twice": ("M = 'a'\nM = 'b'\ndef f():\n    raise ValueError(M)", ["{}"], "unresolved"),
    "module constant under global": (
        "M = 'a'\ndef g():\n    global M\n    M = 'b'\ndef f():\n    raise ValueError(M)",
        ["{}"],
        "unresolved",
    ),
    "class constant": ("class C:\n    MSG = 'text'\n    def f(self):\n        raise ValueError(self.MSG)", ["text"], "resolved"),
    "field with a default": ("class C:\n    MSG: str = 'a'\n    def f(self):\n        raise ValueError(f'x {self.MSG}')", ["x {}"], "literal"),
    "attribute a subclass may set": ("class C:\n    name = 'a'\n    def f(self):\n        raise ValueError(f'x {self.name}')", ["x {}"], "literal"),
    "class constant by the class": ("class C:\n    name = 'a'\ndef f():\n    raise ValueError(f'x {C.name}')", ["x a"], "resolved"),
    "member of an enumeration": ("class K(Enum):\n    A = 'a'\ndef f():\n    raise ValueError(f'only {K.A}')", ["only {}"], "literal"),
    "local of the class's name": ("class C:\n    M = 'a'\ndef f(C):\n    raise ValueError(C.M)", ["{}"], "unresolved"),
    "class constant set elsewhere": (
        "class C:\n    MSG = 'a'\n    def g(self):\n        self.MSG: str = 'b'\n    def f(self):\n        raise ValueError(self.MSG)",
        ["{}"],
        "unresolved",
    ),
    "class constant of a subclass too": (
        "class C:\n    MSG = 'a'\n    def f(self):\n        raise ValueError(self.MSG)\nclass D(C):\n    MSG = 'b'",
        ["{}"],
        "unresolved",
    ),
    "static method": ("class C:\n    MSG = 'a'\n    @staticmethod\n    def f(self):\n        raise ValueError(self.MSG)", ["{}"], "unresolved"),
    "module constant, class constant first": ("M = 'a'\nclass C:\n    M = 'b'\n    raise ValueError(M)", ["{}"], "unresolved"),
    "module constant bound again in a branch": ("M = 'a'\nif x:\n    M = 'b'\ndef f():\n    raise ValueError(M)", ["{}"], "unresolved"),
    "module constant under global on one line": ("M = 'a'\ndef g(): global M; M = 'b'\ndef f():\n    raise ValueError(M)", ["{}"], "unresolved"),
    "table that changes": ("T = {'k': 'a'}\nT['k'] = 'b'\ndef f():\n    raise ValueError(T['k'])", ["{}"], "unresolved"),
    "own function of a standard name": ("def str(x): ...\ndef f():\n    raise ValueError(str('a'))", ["{}"], "unresolved"),
    "table of messages": ("T = {'k': 'text'}\ndef f():\n    raise ValueError(T['k'])", ["text"], "resolved"),
    "join of a constant tuple": ("T = ('a', 'b')\ndef f():\n    raise ValueError('one of ' + ', '.join(T))", ["one of a, b"], "resolved"),
    "join of a list that may change": ("T = ['a', 'b']\ndef f():\n    raise ValueError('one of ' + ', '.join(T))", ["one of {}"], "literal"),
    "enclosing function": ("def g():\n    m = 'text'\n    def f():\n        raise ValueError(m)", ["text"], "resolved"),
    "enclosing function, nonlocal": (
        "def g():\n    m = 'text'\n    def h():\n        nonlocal m\n        m = 'b'\n    def f():\n        raise ValueError(m)",
        ["{}"],
        "unresolved",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("raised", "expected", "values", "resolution"), RAISED.values(), ids=RAISED)
def test_raised(raised: str, expected: str, values: list[str], resolution: str) -> None:
    message = site_of(in_function(f"raise ValueError({raised})", "x, y, xs, m, e, args")).message
    (text,) = message.variants
    assert (template(text), expressions(text), message.resolution) == (expected, values, resolution)


@pytest.mark.parametrize(("body", "templates", "resolution"), BODIES.values(), ids=BODIES)
def test_local_names(body: str, templates: list[str], resolution: str) -> None:
    message = site_of(in_function(body, "p, x, xs, c, a")).message
    assert ([template(text) for text in message.variants], message.resolution) == (templates, resolution)


@pytest.mark.parametrize(("source", "templates", "resolution"), OUTSIDE.values(), ids=OUTSIDE)
def test_names_of_other_scopes(source: str, templates: list[str], resolution: str) -> None:
    message = site_of(source).message
    assert ([template(text) for text in message.variants], message.resolution) == (templates, resolution)


@pytest.mark.parametrize(
    ("raised", "conversion", "spec"),
    [
        ("f'a {x!r}'", "r", None),
        ("f'a {x!s}'", "s", None),
        ("f'a {x:.2f}'", None, ".2f"),
        ("f'a {x!r:>10}'", "r", ">10"),
        ("f'a {x:{w}}'", None, "{w}"),
        ("f'a {x=}'", "r", None),
        ("f'a {x=:d}'", None, "d"),
        ("'a %r' % x", "r", None),
        ("'a %d' % x", None, "d"),
        ("'a %5.1f' % x", None, "5.1f"),
        ("'a {!r}'.format(x)", "r", None),
        ("'a {:d}'.format(x)", None, "d"),
        ("'a', x", "r", None),
    ],
)
def test_conversion_and_format(raised: str, conversion: str | None, spec: str | None) -> None:
    (text,) = site_of(in_function(f"raise ValueError({raised})", "x, w")).message.variants
    (placeholder,) = text.placeholders
    assert (placeholder.conversion, placeholder.format_spec) == (conversion, spec)


@pytest.mark.parametrize(
    ("wanted", "source", "expected", "resolution"),
    [
        ("KeyError", "raise KeyError('a b')", "'a b'", "literal"),
        ("KeyError", "raise KeyError(x)", "{}", "unresolved"),
        ("TypeError", "raise TypeError('a b')", "a b", "literal"),
        ("OSError", "raise OSError(2, 'a b')", "(2, 'a b')", "partial"),
        ("E", "class E(ValueError): ...\nraise E('a b')", "a b", "literal"),
        ("E", "class E(ValueError):\n    def __str__(self): ...\nraise E('a b')", "a b", "partial"),
        ("E", "from other import E\nraise E('a b')", "a b", "partial"),
    ],
)
def test_classes_that_print_their_own_way(wanted: str, source: str, expected: str, resolution: str) -> None:
    (site,) = facts_of(source, exceptions=(wanted,)).sites
    assert (template(site.message.variants[0]), site.message.resolution) == (expected, resolution)


def test_the_text_as_written_is_kept_where_constants_were_put_in() -> None:
    message = site_of("K = 'red'\ndef f(x):\n    raise ValueError(f'no {K} in {x}')").message
    assert template(message.variants[0]) == "no red in {}"
    assert message.written is not None
    assert (template(message.written), expressions(message.written)) == ("no {} in {}", ["K", "x"])


def test_too_many_combinations_become_values() -> None:
    fields = "".join(f"{{'a' if c{n} else 'b'}}" for n in range(5))
    (text,) = site_of(in_function(f'raise ValueError(f"x {fields}")')).message.variants
    assert template(text) == "x {}{}{}{}{}"


def test_a_sum_of_many_terms_is_read() -> None:
    terms = " + ".join(["'a'"] * 600)
    assert template(site_of(in_function(f"raise ValueError({terms})")).message.variants[0]) == "a" * 600
