"""The fields of a record as a user reads them, from small trees with the shapes of real ones."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from extractor.explain.tags import tags
from extractor.explain.vocabulary import FAMILIES, FEATURES, PHRASES
from tests.builders import guard, linked, one
from tests.trees import explained, linked_sites, with_files

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "record.v2.schema.json").read_bytes())


def test_vocabulary_names_only_published_families_and_tags() -> None:
    assert {name for name, _ in FAMILIES} <= set(SCHEMA["properties"]["backgroundTag"]["enum"])
    tag = re.compile(SCHEMA["properties"]["tags"]["items"]["pattern"])
    assert all(tag.match(name) for name in (*FEATURES, *(name for _, name in PHRASES)))


def launch(body: str, message: str = "Not so.", **files: str) -> dict[str, str]:
    indented = "\n".join("        " + line for line in body.split("\n")).replace(
        "RAISE", f'raise ValueError("{message}")'
    )
    return with_files(
        aaa="def check(server_args, kind=None):\n"
        + indented.replace("        ", "    ", 1).replace("\n        ", "\n    "),
        **files,
    )


FIXES = [
    pytest.param(
        "if server_args.cp_size > 1:\n    RAISE",
        "Set `--cp-size` to 1, or leave it out (the default is `1`).",
        id="bound",
    ),
    pytest.param("if server_args.enable_fusion:\n    RAISE", "Remove `--enable-fusion`.", id="switch on"),
    pytest.param("if not server_args.enable_fusion:\n    RAISE", "Add `--enable-fusion`.", id="switch off"),
    pytest.param(
        "if server_args.backend is None:\n    RAISE", "Pass `--backend` with one of `plain` or `quick`.", id="left out"
    ),
    pytest.param("if server_args.backend is not None:\n    RAISE", "Remove `--backend`.", id="given"),
    pytest.param(
        "if server_args.mode == 'exact':\n    RAISE",
        "Set `--mode` to `fast`, or leave it out (the default is `fast`).",
        id="refused value",
    ),
    pytest.param(
        "if server_args.backend not in ('quick',):\n    RAISE", "Set `--backend` to `quick`.", id="closed set"
    ),
    pytest.param(
        "if server_args.tp_size % 8:\n    RAISE", "Choose `--tp-size` as a multiple of 8 (8, 16, 24, …).", id="multiple"
    ),
    pytest.param(
        "if server_args.cp_size != server_args.tp_size:\n    RAISE",
        "Give `--cp-size` the same value as `--tp-size`.",
        id="agreement",
    ),
]


@pytest.mark.parametrize(("body", "wanted"), FIXES)
def test_the_smallest_change_comes_first(body: str, wanted: str) -> None:
    assert explained(launch(body)).solutions[0] == wanted


def test_no_advice_that_another_check_refuses() -> None:
    body = "if server_args.mode == 'fast':\n    RAISE\nif server_args.mode == 'exact':\n    RAISE"
    assert "`exact`" not in explained(launch(body)).solutions[0]
    other = "if server_args.mode == 'fast':\n    RAISE\nif kind:\n    if server_args.mode == 'exact':\n        RAISE"
    assert "`exact`" in explained(launch(other)).solutions[0]  # refused only where `kind` is set


def test_outer_conditions_are_context_and_second_remedy() -> None:
    body = "if server_args.enable_fusion:\n    if server_args.cp_size > 1:\n        RAISE"
    record = explained(launch(body))
    assert record.documentation.startswith("When `--enable-fusion` is set, `--cp-size` must be at most 1.")
    assert "“Number of context parallel ranks” (`1` by default)" in record.documentation
    assert record.solutions[:2] == (
        "Set `--cp-size` to 1, or leave it out (the default is `1`).",
        "Remove `--enable-fusion`.",
    )
    assert record.trigger_scenarios.startswith(
        "Raised when `--enable-fusion` is set and `--cp-size` is greater than 1."
    )
    assert record.common_situations.startswith("`--cp-size` was changed from its default, `1`.")
    assert record.example_fix == "# before\n--enable-fusion --cp-size 2\n# after\n--enable-fusion"
    assert record.background_tag == "unsupported-feature-combination"


def test_an_exit_that_returns_is_context_and_one_that_raises_is_not() -> None:
    body = "if not server_args.enable_fusion:\n    return\nif server_args.tp_size < 1:\n    RAISE\nif server_args.cp_size > 1:\n    RAISE"
    record = explained(launch(body), 1)
    assert record.documentation.startswith("When `--enable-fusion` is set, `--cp-size` must be at most 1.")
    assert "Earlier checks have made sure that `--tp-size` is at least 1." in record.trigger_scenarios


def test_who_else_sets_the_value() -> None:
    setter = "def adapt(server_args):\n    if server_args.enable_fusion:\n        server_args.cp_size = 4"
    record = explained(launch("if server_args.cp_size > 1:\n    RAISE", setter=setter))
    assert (
        "`adapt` (`python/pkg/setter.py`, line 3) sets `cp_size` to `4` when `--enable-fusion` is set"
        in record.common_situations
    )


def test_a_default_that_meets_the_condition_is_told() -> None:
    record = explained(launch("if server_args.backend is None:\n    RAISE"))
    assert record.common_situations == "Not passing `--backend` is enough: it has no default."


def test_the_comment_at_the_check_is_quoted() -> None:
    body = "# The workspace is sized for one rank only.\nif server_args.cp_size > 1:\n    RAISE"
    assert (
        "The source comments on it: “The workspace is sized for one rank only.”"
        in explained(launch(body)).documentation
    )
    undeclared = "# Use --no-such-flag to size it for two.\nif server_args.cp_size > 1:\n    RAISE"
    assert "no-such-flag" not in explained(launch(undeclared)).documentation


@pytest.mark.parametrize(
    ("body", "message", "first"),
    [
        pytest.param(
            "if g(kind) < 0:\n    RAISE",
            "Too little memory, raise --cp-size above this",
            "The message itself advises: “raise --cp-size above this”.",
            id="advice inside the message",
        ),
        pytest.param(
            "if g(kind) < 0:\n    RAISE",
            "This requires --cp-size",
            "Look at `--cp-size` first: the message names it.",
            id="flag that is only named",
        ),
        pytest.param(
            "if server_args.tp_size > 1:\n    RAISE",
            "This requires --cp-size",
            "Set `--tp-size` to 1, or leave it out (the default is `1`).",
            id="a setting is known: it goes first",
        ),
        pytest.param(
            "if g(kind) < 0:\n    RAISE",
            "This requires --unheard-of",
            "Call `check` so that `g(kind)` is at least 0.",
            id="not declared",
        ),
        pytest.param(
            "if is_fancy_available() and kind:\n    RAISE",
            "No.",
            "Turn off what uses the package `fancy`.",
            id="no uninstalling",
        ),
    ],
)
def test_the_first_solution(body: str, message: str, first: str) -> None:
    assert explained(launch(body, message)).solutions[0] == first


def test_a_switch_for_the_projects_own_tests_is_no_advice() -> None:
    registry = "class Envs:\n    APP_IN_CI = EnvBool(False)\n    APP_LONG = EnvBool(False)\nenvs = Envs()"
    body = "from pkg.environ import envs\nif not envs.APP_LONG.get() and not envs.APP_IN_CI.get():\n    RAISE"
    record = explained(launch(body, environ=registry))
    assert record.solutions == ("Set `APP_LONG=1`.",)
    assert "APP_IN_CI" not in (record.example_fix or "")


def test_the_messages_own_advice_is_quoted() -> None:
    record = explained(launch("if kind:\n    RAISE", "Bad kind. Please set --cp-size to one."))
    assert "The message itself advises: “Please set --cp-size to one”." in record.solutions
    unknown = explained(launch("if kind:\n    RAISE", "Bad kind. Please set --unheard-of to one."))
    assert "unheard" not in " ".join((unknown.documentation, *unknown.solutions))


def test_a_call_and_its_condition_are_told() -> None:
    caller = "from pkg.aaa import check\ndef start(server_args):\n    if server_args.enable_fusion:\n        check(server_args)"
    record = explained(launch("if server_args.cp_size > 1:\n    RAISE", caller=caller))
    assert (
        "The one call found is in `start` (line 4 of `python/pkg/caller.py`), made when `--enable-fusion` is set."
        in record.trigger_scenarios
    )


def test_a_failed_attempt_is_named() -> None:
    body = "try:\n    size = int(kind)\nexcept TypeError:\n    RAISE"
    record = explained(launch(body))
    assert record.documentation.startswith(
        "`size = int(kind)` must succeed: `TypeError` from it is turned into this error."
    )
    assert record.handling_strategy == "try-catch" and record.background_tag == "malformed-input"


def test_what_users_cannot_reach_says_so() -> None:
    record = explained(with_files(aaa="def check(x):\n    if x.state != 3:\n        raise ValueError('bad state')"))
    assert "is internal: no option, variable or request field was found" in record.documentation
    assert "--" not in " ".join((record.documentation, record.trigger_scenarios, *record.solutions))
    kernel = explained(
        with_files(aaa__kernels__k="def f(x):\n    if x.ndim != 2:\n        raise ValueError('2-D only')")
    )
    assert "is kernel code" in kernel.documentation


FAMILY = [
    pytest.param(
        "if server_args.tp_size % 8:\n    RAISE", "must be divisible by 8", "divisibility-constraint", id="divisible"
    ),
    pytest.param("if server_args.backend is None:\n    RAISE", "set it", "missing-required-option", id="adding cures"),
    pytest.param(
        "if server_args.mode not in ('a', 'b'):\n    RAISE", "bad mode", "invalid-option-value", id="small literal set"
    ),
    pytest.param("if kind not in REGISTRY:\n    RAISE", "no kind", "unknown-name", id="open registry"),
    pytest.param("if server_args.cp_size < 1:\n    RAISE", "too low", "value-out-of-range", id="bound"),
    pytest.param("if not is_cuda():\n    RAISE", "sorry", "unsupported-hardware", id="platform"),
    pytest.param(
        "if not is_cuda() and server_args.cp_size > 1:\n    RAISE",
        "A with B does not support C",
        "unsupported-feature-combination",
        id="platform only limits",
    ),
    pytest.param("if not is_fancy_available():\n    RAISE", "sorry", "missing-dependency", id="package"),
    pytest.param("if kind.shape[0] != 3:\n    RAISE", "bad", "shape-mismatch", id="shape"),
    pytest.param("if kind.dtype != torch.int32:\n    RAISE", "bad dtype", "dtype-mismatch", id="dtype"),
    pytest.param("if not kind.is_contiguous():\n    RAISE", "bad", "device-or-layout-mismatch", id="layout"),
    pytest.param("if not isinstance(kind, str):\n    RAISE", "bad", "malformed-input", id="type"),
    pytest.param("if kind in SEEN:\n    RAISE", "already registered", "duplicate-entry", id="twice"),
    pytest.param("if kind.flags & 4:\n    RAISE", "strange", None, id="nothing to go by"),
]


@pytest.mark.parametrize(("body", "message", "wanted"), FAMILY)
def test_family(body: str, message: str, wanted: str | None) -> None:
    assert explained(launch(body, message)).background_tag == wanted


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


def test_stale_guards_are_not_stated() -> None:
    record, _ = one(linked("some text", guards=(guard("fresh > 1"), guard("cfg.rotten > 1", stale=True))))
    words = " ".join((record.documentation, record.trigger_scenarios, record.common_situations, *record.solutions))
    assert "`fresh` is greater than 1" in words
    assert "rotten" not in words


def test_without_guards_nothing_is_invented() -> None:
    record, site = one(linked("some text", qualname="<module>"))
    assert site.condition == "" and record.handling_strategy is None and record.validation_code is None
    assert "imported" in record.common_situations


def test_a_tree_without_sites_is_linked_to_nothing() -> None:
    assert linked_sites({"a.py": "x = 1\n"}) == ()


LOOKUPS = [
    pytest.param("try:\n    x = TABLE[kind]\nexcept KeyError:\n    RAISE", id="key of a table"),
    pytest.param("try:\n    x = Kind(kind)\nexcept ValueError:\n    RAISE", id="value of an enum"),
    pytest.param("x = TABLE.get(kind)\nif x is None:\n    RAISE", id="get, then None"),
    pytest.param("if kind not in TABLE:\n    RAISE", id="membership"),
]


@pytest.mark.parametrize("body", LOOKUPS)
def test_a_failed_look_up_lists_the_valid_keys(body: str) -> None:
    tables = 'from enum import Enum\nclass Kind(Enum):\n    A = "one"\n    B = "two"\nTABLE = {"one": 1, "two": 2}\n'
    files = launch(body)
    record = explained(files | {"python/pkg/aaa.py": tables + files["python/pkg/aaa.py"]})
    assert record.documentation.startswith("`kind` must be one of `'one'` or `'two'`.")
    unknown = explained(files)
    assert "`'one'`" not in unknown.documentation


def test_an_exit_that_raises_something_else_is_no_way_past() -> None:
    body = "if not server_args.enable_fusion:\n    raise TypeError('fusion')\nif server_args.cp_size > 1:\n    RAISE"
    record = explained(launch(body))
    assert record.documentation.startswith("`--cp-size` must be at most 1.")
    assert "Earlier checks have made sure that `--enable-fusion` is set." in record.trigger_scenarios
    assert "--enable-fusion" not in " ".join(record.solutions)
