from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from extractor.explain.family import family
from extractor.explain.origin import tests_input as reads_input
from extractor.explain.tags import tags
from extractor.explain.vocabulary import FAMILIES, FEATURES, PHRASES
from tests.builders import guard, linked, message, one, text, value

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "record.v2.schema.json").read_bytes())


def test_vocabulary_names_only_published_families_and_tags() -> None:
    assert {name for name, _ in FAMILIES} <= set(SCHEMA["properties"]["backgroundTag"]["enum"])
    tag = re.compile(SCHEMA["properties"]["tags"]["items"]["pattern"])
    assert all(tag.match(name) for name in (*FEATURES, *(name for _, name in PHRASES)))


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        pytest.param("hidden size must be divisible by 8", "divisibility-constraint", id="divisible"),
        pytest.param("hidden size is divided", None, id="not merely divided"),
        pytest.param("A with B does not support C", "unsupported-feature-combination", id="with … does not support"),
        pytest.param("this does not support C", None, id="one feature alone is no combination"),
        pytest.param("x must be > 0", "value-out-of-range", id="range"),
        pytest.param("x must be nice", None, id="no range"),
        pytest.param("mode must be one of {}", "invalid-option-value", id="closed set"),
        pytest.param("Unknown backend {}", "unknown-name", id="unknown"),
        pytest.param("the unknowns of {}", None, id="a longer word"),
    ],
)
def test_family(words: str, wanted: str | None) -> None:
    assert family(words) == wanted


@pytest.mark.parametrize(
    ("path", "words", "wanted"),
    [
        pytest.param("pkg/x.py", "LoRA rank", ("lora",), id="message"),
        pytest.param("pkg/lora/x.py", "rank", ("lora",), id="path"),
        pytest.param("pkg/x.py", "dp attention", ("dp-attention", "attention"), id="phrase"),
        pytest.param("pkg/flora_x.py", "rank", ("flora-x",), id="part of a word is no feature: the file's name"),
        pytest.param("python/srt/utils/common.py", "rank", (), id="nothing to say"),
        pytest.param("9lives/\u4e2d.py", "rank", (), id="no kebab case"),
    ],
)
def test_tags(path: str, words: str, wanted: tuple[str, ...]) -> None:
    assert tags(path, words) == wanted


@pytest.mark.parametrize(
    ("test", "excerpt", "wanted"),
    [
        pytest.param("cfg.size > 1", "", True, id="configuration"),
        pytest.param("self.server_args.size > 1", "", True, id="arguments kept on self"),
        pytest.param("self.size > 1", "", False, id="own state"),
        pytest.param("size > 1", "def f(size: int = 3):", True, id="parameter"),
        pytest.param("size > 1", "def g(size: int = 3):", False, id="parameter of another function"),
        pytest.param("size > 1", "def f(a: dict[str, size], b=(1, size)):", False, id="type or default"),
        pytest.param("b > 1", "def f(a: dict[str, int], *, b=(1, 2)):", True, id="keyword-only parameter"),
        pytest.param("kind == 'cfg'", "", False, id="text is no name"),
        pytest.param("os.environ.get('X') == '1'", "", True, id="environment"),
        pytest.param("x.config_name == 1", "", False, id="longer name"),
    ],
)
def test_what_reads_input(test: str, excerpt: str, wanted: bool) -> None:
    assert reads_input([guard(test)], "f", excerpt) is wanted
    assert reads_input([guard(test, kind="for")], "f", excerpt) is False


def test_stale_guards_are_not_stated() -> None:
    record, _ = one(linked("some text", guards=(guard("fresh > 1"), guard("cfg.rotten > 1", stale=True))))
    words = " ".join((record.documentation, record.trigger_scenarios, record.common_situations, *record.solutions))
    assert "fresh > 1" in words
    assert "rotten" not in words
    assert record.error_type == "exception"


def test_conditions_and_values_are_named() -> None:
    found = message(text("bad ", value("size"), " of ", value("name", "r")))
    record, _ = one(linked(found, qualname="C.load", guards=(guard("cfg.a"), guard("cfg.b == 1", holds=False))))
    assert "`C.load`" in record.documentation and "`size`, `name`" in record.documentation
    assert record.trigger_scenarios.index("cfg.a") < record.trigger_scenarios.index("cfg.b != 1")
    assert "cfg.b != 1" in record.solutions[0]
    assert (record.error_type, record.handling_strategy) == ("validation", "validation")


def test_without_guards_nothing_is_invented() -> None:
    record, site = one(linked("some text", qualname="<module>"))
    assert record.solutions == () and record.handling_strategy is None and site.condition == ""
    assert "imported" in record.common_situations
