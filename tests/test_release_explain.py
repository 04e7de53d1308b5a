"""Records of whole releases: every name declared, every code true, no two conditions told alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from extractor.explain.message import message_row
from extractor.explain.prose import explain_fields
from extractor.link import link
from extractor.link.sites import Linker
from extractor.model.facts import FileFacts, ScanOptions
from extractor.model.linked import LinkedSite
from extractor.model.record import Explanation
from extractor.scan import scan
from tests.explain.evaluation import compare
from tests.release_names import Declared, launch_flags

pytestmark = pytest.mark.release

VERSIONS = ("0.5.10", "0.5.18", "0.5.19", "0.5.23")
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
VARIABLE = re.compile(r"\bSGLANG_[A-Z0-9_]+\b")
ENVIRONMENT = re.compile(r"export ([A-Z_0-9]+)=|(?:Set|Unset|Clear|Change) `([A-Z][A-Z_0-9]+)")
REQUEST = re.compile(
    r"request field `(\w+)`|Leave `(\w+)` out of the request|Give `(\w+)` in the request|Send `(\w+)` as"
)


@cache
def facts(root: Path) -> list[tuple[str, FileFacts]]:
    found = []
    for path in sorted(root.rglob("*.py")):
        outcome = scan(path.read_bytes(), ScanOptions())
        if isinstance(outcome, FileFacts):
            found.append((f"python/{path.relative_to(root)}", outcome))
    return found


@cache
def records(root: Path) -> list[tuple[LinkedSite, Explanation]]:
    sites = link(facts(root))
    return [(site, explain_fields(site, message_row(site.message, site.site.exception_class))) for site in sites]


@pytest.fixture(params=VERSIONS)
def root(request: pytest.FixtureRequest, release: Callable[[str], Path]) -> Path:
    return release(request.param)


def texts(record: Explanation) -> Iterator[str]:
    yield from (
        record.documentation,
        record.trigger_scenarios,
        record.common_situations,
        *record.solutions,
        *record.prevention_tips,
    )
    yield from filter(None, (record.example_fix, record.validation_code, record.type_guard, record.try_catch_pattern))


def test_every_name_in_a_record_is_declared(root: Path) -> None:
    declared = Declared(root)
    strange: Counter[str] = Counter()
    for _, record in records(root):
        for text in texts(record):
            strange.update(flag for flag in FLAG.findall(text) if flag not in declared.flags)
            strange.update(name for name in VARIABLE.findall(text) if name not in declared.variables)
            strange.update(
                name for pair in ENVIRONMENT.findall(text) for name in pair if name and name not in declared.variables
            )
            strange.update(
                name for names in REQUEST.findall(text) for name in names if name and name not in declared.fields
            )
    assert not strange


def test_options_are_those_that_help_would_list(root: Path) -> None:
    table = Linker({path: one.index for path, one in facts(root)}).options
    wanted = launch_flags(root)
    found = {
        name
        for option in table.all
        if option.flag and re.search(r"/srt/(?:server_args|arg_groups/fields/\w+)\.py$", option.path)
        for name in (option.flag, *option.aliases, option.negative)
        if name.startswith("--")
    }
    assert len(wanted) > 300
    assert set(wanted - found) == set()
    assert {name for name in found - wanted if not name.startswith("--no-")} == set()


def test_options_tell_help_default_and_choices(root: Path) -> None:
    table = Linker({path: one.index for path, one in facts(root)}).options
    own = [o for o in table.all if o.flag and re.search(r"/srt/(?:server_args|arg_groups/fields/\w+)\.py$", o.path)]
    whole = [
        o for o in own if o.help and (o.default or o.flag == "--model-path") and (o.choices is not None or not o.closed)
    ]
    assert len(whole) >= 0.95 * len(own)


def test_code_compiles(root: Path) -> None:
    for _, record in records(root):
        for code in filter(None, (record.validation_code, record.type_guard, record.try_catch_pattern)):
            compile(code, "<record>", "exec")


def test_checks_agree_with_their_guards(root: Path) -> None:
    checked = told_apart = 0
    differences = []
    for site, record in records(root):
        if record.validation_code is None:
            continue
        compared, held, difference = compare(site, record.validation_code, 60, 1)
        checked += compared > 0
        told_apart += 0 < held < compared
        if difference:
            differences.append(f"{site.path}:{site.site.line}: {difference}")
    assert not differences
    assert checked > 300 and told_apart > 0.6 * checked


def test_different_conditions_are_told_differently(root: Path) -> None:
    told: dict[str, set[tuple[object, ...]]] = {}
    for site, record in records(root):
        told.setdefault(record.documentation, set()).add(site.site.guards)
    assert [text for text, conditions in told.items() if len(conditions) > 1] == []


def test_no_field_is_the_message_alone(root: Path) -> None:
    for site, record in records(root):
        message = "{}".join(site.message.variants[0].texts).strip()
        fields = (record.documentation, record.trigger_scenarios, record.common_situations, *record.solutions)
        assert message not in {field.strip() for field in fields} and all(fields)
