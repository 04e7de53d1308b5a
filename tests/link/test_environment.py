from __future__ import annotations

import pytest

from extractor.model.linked import Variable
from tests.trees import linker, with_files

REGISTRY = """
    class Envs:
        # How often
        # to look.
        APP_ROUNDS = EnvInt(3)
        APP_FAST = EnvBool(False)
        APP_NEW = EnvStrWithAlias("a", deprecated_name="APP_OLD")
        LIMIT = make(5)
    envs = Envs()
"""
TABLE = """
    TABLE: dict = {
        # Where to keep things.
        "APP_ROOT": lambda: os.getenv("APP_ROOT", "/tmp"),
        "APP_LAZY": _lazy_bool("APP_LAZY", "true"),
        "APP_WRONG": lambda: os.getenv("APP_OTHER"),
    }
"""
READS = """
    NAME_ENV = "APP_NAMED"
    a = os.environ.get("APP_READ", "x")
    b = os.environ["APP_ITEM"]
    c = get_bool_env_var("APP_FLAG", "false")
    d = os.getenv(NAME_ENV)
    # os.getenv("APP_COMMENTED")
    e = table.get("APP_TABLE")
    if "APP_PRESENT" not in os.environ:
        pass
"""
KNOWN = [
    pytest.param("APP_ROUNDS", ("int", "3", "How often to look.", True), id="descriptor with comment"),
    pytest.param("APP_FAST", ("bool", "False", "", True), id="descriptor"),
    pytest.param("APP_OLD", ("str", '"a"', "deprecated spelling of APP_NEW", True), id="deprecated spelling"),
    pytest.param("APP_ROOT", (None, '"/tmp"', "Where to keep things.", True), id="table with lambdas"),
    pytest.param("APP_LAZY", ("bool", '"true"', "", True), id="table with helper"),
    pytest.param("APP_READ", ("str", '"x"', "", False), id="environ.get"),
    pytest.param("APP_ITEM", ("str", "", "", False), id="environ item"),
    pytest.param("APP_FLAG", ("bool", '"false"', "", False), id="helper"),
    pytest.param("APP_NAMED", ("str", "", "", False), id="name in a constant"),
    pytest.param("APP_PRESENT", ("str", "", "", False), id="membership"),
]


def table() -> dict[str, Variable]:
    return linker(with_files(registry=REGISTRY, table=TABLE, reads=READS)).environment.by_name


@pytest.mark.parametrize(("name", "wanted"), KNOWN)
def test_variables(name: str, wanted: tuple[str | None, str, str, bool]) -> None:
    found = table()[name]
    kind, default, comment, registered = wanted
    assert (found.default, found.comment, found.registered) == (default, comment, registered)
    assert kind is None or found.type == kind


@pytest.mark.parametrize("name", ["APP_COMMENTED", "APP_TABLE", "LIMIT", "APP_WRONG", "NAME_ENV"])
def test_no_variables(name: str) -> None:
    assert name not in table()
