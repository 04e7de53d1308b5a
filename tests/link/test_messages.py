"""Constants of other files in messages, and subclasses of the wanted classes."""

from __future__ import annotations

import pytest

from extractor.link import link
from extractor.link.subclasses import derived_from
from extractor.model.facts import ClassFacts, FileFacts, ScanOptions
from extractor.scan import scan
from extractor.scan.classes import find_classes
from tests.scan.reading import template

RAISE = "def f(x):\n    raise ValueError(M)\n"


def linked(files: dict[str, str]) -> list[tuple[list[str], str]]:
    facts = []
    for path, source in files.items():
        outcome = scan(source.encode(), ScanOptions())
        assert isinstance(outcome, FileFacts)
        facts.append((path, outcome))
    return [([template(t) for t in each.message.variants], each.message.resolution) for each in link(facts)]


FOUND = {
    "absolute import": {"src/pkg/a.py": "from pkg.texts import M\n" + RAISE, "src/pkg/texts.py": "M = 'text'"},
    "relative import": {"pkg/a.py": "from .texts import M\n" + RAISE, "pkg/texts.py": "M = 'text'"},
    "two dots": {"pkg/sub/a.py": "from ..texts import M\n" + RAISE, "pkg/texts.py": "M = 'text'"},
    "package": {"pkg/a.py": "from pkg.texts import M\n" + RAISE, "pkg/texts/__init__.py": "M = 'text'"},
    "module attribute": {"pkg/a.py": "from pkg import texts\n" + RAISE.replace("M", "texts.M"), "pkg/texts.py": "M = 'text'"},
    "class attribute": {"pkg/a.py": "from pkg.texts import C\n" + RAISE.replace("M", "C.M"), "pkg/texts.py": "class C:\n    M = 'text'"},
    "import in the function": {"pkg/a.py": "def f():\n    from pkg.texts import M\n    raise ValueError(M)", "pkg/texts.py": "M = 'text'"},
    "in an f-string": {"pkg/a.py": "from pkg.texts import M\n" + RAISE.replace("(M)", "(f'{M}')"), "pkg/texts.py": "M = 'text'"},
}  # fmt: skip

NOT_FOUND = {
    "not a text": {"pkg/a.py": "from pkg.texts import M\n" + RAISE, "pkg/texts.py": "M = 1"},
    "bound twice": {"pkg/a.py": "from pkg.texts import M\n" + RAISE, "pkg/texts.py": "M = 'a'\nM = 'b'"},
    "no such file": {"pkg/a.py": "from other.texts import M\n" + RAISE},
    "two files may be meant": {
        "pkg/a.py": "from texts import M\n" + RAISE,
        "one/texts.py": "M = 'text'",
        "two/texts.py": "M = 'text'",
    },
    "changed by a function": {
        "pkg/a.py": "from pkg.texts import M\n" + RAISE,
        "pkg/texts.py": "M = 'a'\ndef g():\n    global M\n    M = 'b'",
    },
    "bound again in a branch": {
        "pkg/a.py": "from pkg.texts import M\n" + RAISE,
        "pkg/texts.py": "M = 'a'\nif x:\n    M = 'b'",
    },
    "member of an enumeration": {
        "pkg/a.py": "from pkg.texts import C\n" + RAISE.replace("M", "C.M"),
        "pkg/texts.py": "class C(Enum):\n    M = 'text'",
    },
    "module of another root": {
        "pkg/a.py": "from texts import M\n" + RAISE,
        "pkg/__init__.py": "",
        "pkg/texts.py": "M = 'text'",
        "x/texts.py": "M = 'text'",
    },
    "beyond the repository": {"a.py": "from ..texts import M\n" + RAISE, "texts.py": "M = 'text'"},
}


@pytest.mark.parametrize("files", FOUND.values(), ids=FOUND)
def test_constant_is_put_in(files: dict[str, str]) -> None:
    assert linked(files) == [(["text"], "resolved")]


@pytest.mark.parametrize("files", NOT_FOUND.values(), ids=NOT_FOUND)
def test_value_stays_unknown(files: dict[str, str]) -> None:
    assert linked(files) == [(["{}"], "unresolved")]


def test_repr_of_a_constant() -> None:
    files = {"pkg/a.py": "from pkg.t import M\ndef f():\n    raise ValueError(f'no {M!r}')", "pkg/t.py": "M = 'red'"}
    assert linked(files) == [(["no 'red'"], "resolved")]


def test_subclasses_are_followed_across_files() -> None:
    files = [
        "class A(ValueError): ...",
        "from a import A as Base\nErr = Base\nclass B(Err, Mixin): ...\nclass C(b.B): ...",
        "class D(KeyError): ...",
    ]
    facts = [find_classes(source.encode(), ScanOptions()) for source in files]
    assert derived_from(("ValueError",), [each for each in facts if isinstance(each, ClassFacts)]) == ("A", "B", "C")


@pytest.mark.parametrize(
    ("source", "sites"),
    [
        ("class Clash(ValueError): ...\nraise Clash('x')", 1),
        ("class Clash(KeyError): ...\nraise Clash('x')", 0),
        ("class Base(ValueError): ...\nclass Clash(Base): ...\nraise Clash('x')", 1),
        ("from b import Clash\nraise Clash('x')", 1),
    ],
)
def test_a_class_of_the_same_name_must_derive_itself(source: str, sites: int) -> None:
    outcome = scan(source.encode(), ScanOptions(("ValueError",), ("Base", "Clash")))
    assert isinstance(outcome, FileFacts)
    assert len(outcome.sites) == sites
