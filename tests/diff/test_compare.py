from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct, json, structs

from extractor.dataset import schema
from extractor.diff.compare import compare
from extractor.diff.inputs import names_of
from extractor.model.facts import Placeholder
from extractor.model.linked import LinkedSite
from tests.builders import guard, message, text, value
from tests.diff.sides import dataset, site

PLAIN = site(message(text("bad size ", value("size"), " given")), guards=(guard("size > 3"), guard("ready", line=12)))


def changed(**fields: object) -> LinkedSite:
    """The plain site with another fact."""
    found = PLAIN.site
    if "message" in fields:
        return structs.replace(PLAIN, message=fields["message"], site=structs.replace(found, **fields))
    if "path" in fields:
        return structs.replace(PLAIN, path=fields["path"])
    return structs.replace(PLAIN, site=structs.replace(found, **fields))


OTHER_WORDS = message(text("wrong size ", value("size"), " given"))
OTHER_VALUE = message(text("bad size ", Placeholder("size", "r"), " given"))
OTHER_GUARDS = (guard("size > 4"), guard("ready", line=12))


@pytest.mark.parametrize(
    ("new", "kinds"),
    [
        pytest.param(changed(path="pkg/other.py"), ("moved",), id="other file"),
        pytest.param(changed(qualname="g"), ("moved",), id="other function"),
        pytest.param(changed(message=OTHER_WORDS), ("reworded",), id="other words"),
        pytest.param(changed(message=OTHER_VALUE), ("revalued",), id="value printed otherwise"),
        pytest.param(changed(guards=OTHER_GUARDS), ("reguarded",), id="other guard"),
        pytest.param(changed(guards=()), ("reguarded",), id="no guard any more"),
        pytest.param(changed(exception_class="TypeError"), ("reclassed",), id="other class"),
        pytest.param(
            changed(message=OTHER_WORDS, guards=OTHER_GUARDS, qualname="g"),
            ("moved", "reworded", "reguarded"),
            id="several at once",
        ),
    ],
)
def test_kinds_of_change(new: LinkedSite, kinds: tuple[str, ...]) -> None:
    (change,) = compare(dataset(PLAIN), dataset(new)).changed
    assert change.kinds == kinds
    assert bool(change.words) == ("reworded" in kinds or "revalued" in kinds)
    assert (change.guards is not None) == ("reguarded" in kinds)


@pytest.mark.parametrize(
    "new",
    [
        pytest.param(PLAIN, id="nothing"),
        pytest.param(changed(line=25, end_line=26, column=4), id="lines above"),
        pytest.param(changed(guards=(guard("ready", line=2), guard("size > 3"))), id="order of guards"),
        pytest.param(changed(guards=(guard("not size > 3", False), guard("ready"))), id="guard turned round"),
        pytest.param(changed(guards=(guard("(size) > 3"), guard("ready", kind="assert"))), id="written otherwise"),
        pytest.param(changed(excerpt="other\nlines"), id="code around"),
    ],
)
def test_what_is_no_change(new: LinkedSite) -> None:
    found = compare(dataset(PLAIN), dataset(new))
    assert found.empty
    assert found.counts.unchanged == 1


def test_guards_tell_what_only_one_side_has() -> None:
    (change,) = compare(dataset(PLAIN), dataset(changed(guards=OTHER_GUARDS))).changed
    assert change.guards is not None
    assert (change.guards.removed, change.guards.added) == (("size > 3",), ("size > 4",))
    assert change.old.condition == "size > 3 and ready"


def test_a_stale_guard_says_nothing() -> None:
    stale = changed(guards=(guard("size > 3"), guard("ready", line=12), guard("gone", stale=True)))
    assert compare(dataset(PLAIN), dataset(stale)).empty


def test_added_and_removed_stand_in_record_order() -> None:
    more = [site(f"error of file {name}", f"pkg/{name}.py") for name in "cab"]
    found = compare(dataset(PLAIN), dataset(PLAIN, *more))
    assert [one.file_path for one in found.added] == ["pkg/a.py", "pkg/b.py", "pkg/c.py"]
    assert [one.file_path for one in compare(dataset(*more), dataset()).removed] == ["pkg/a.py", "pkg/b.py", "pkg/c.py"]


def test_empty_datasets() -> None:
    assert compare(dataset(), dataset()).empty


def test_without_inputs_options_are_not_known_rather_than_none() -> None:
    found = compare(dataset(PLAIN), dataset(PLAIN))
    if not hasattr(dataset(PLAIN).sites[0], "inputs"):
        assert (found.options, found.environment) == (None, None)


class Input(Struct):
    kind: str
    name: str


class Row(Struct):
    inputs: tuple[Input, ...]


def test_names_of_one_kind_are_those_that_some_condition_reads() -> None:
    rows: Any = [Row((Input("option", "--a"), Input("environment", "A"))), Row((Input("option", "--a"),)), Row(())]
    assert names_of(rows, "option") == {"--a"}
    assert names_of(rows, "environment") == {"A"}
    assert names_of([], "option") == set()


def test_a_difference_fits_its_schema() -> None:
    new = [changed(message=OTHER_WORDS, guards=OTHER_GUARDS), site("another one", "z.py")]
    found = compare(dataset(PLAIN, site("gone", "y.py")), dataset(*new))
    assert schema.fault("diff.v1", json.decode(json.encode(found))) is None
