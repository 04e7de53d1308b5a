"""Who calls a site's function, what is known there, and where a user meets the site."""

from __future__ import annotations

import pytest

from tests.trees import context, linked_sites, with_files

CHECK = """
    class Store:
        def __init__(self, size):
            if size < 1:
                raise ValueError("size")
        def put(self, key):
            if key is None:
                raise ValueError("key")

    def check(size, name="x"):
        if size < 1:
            raise ValueError("size")
"""
CALLS = """
    from pkg.check import Store, check
    from pkg import check as module

    class Special(Store):
        def fill(self, items):
            if not items:
                return
            if items.ready:
                self.put(items.first)

    def build(count, flag):
        if flag:
            count = 2
            check(count, name="y")
        if count > 3:
            count = 5
            module.check(count)
        return Store(count)

    @app.post("/v1/things")
    async def route(request):
        try:
            return build(request.n, True)
        except ValueError as error:
            return fail(error)
"""


def sites() -> dict[str, int]:
    return {
        site.site.qualname: number for number, site in enumerate(linked_sites(with_files(check=CHECK, calls=CALLS)))
    }


def callers(qualname: str) -> list[tuple[int, str, str]]:
    files = with_files(check=CHECK, calls=CALLS)
    return [(one.hop, one.qualname, one.calls) for one in context(files, sites()[qualname]).callers]


def test_constructors_methods_and_functions_are_told_apart() -> None:
    assert callers("Store.__init__")[0] == (1, "build", "Store")
    assert callers("Store.put") == [(1, "Special.fill", "self.put")]
    assert [one[2] for one in callers("check") if one[0] == 1] == ["check", "module.check"]


def test_hops_end_at_an_entry() -> None:
    found = context(with_files(check=CHECK, calls=CALLS), sites()["check"]).callers
    last = found[-1]
    assert (last.hop, last.qualname, last.entry, last.caught) == (2, "route", "http POST /v1/things", "handled")


def test_tests_at_the_call_that_may_have_changed_are_left_out() -> None:
    found = context(with_files(check=CHECK, calls=CALLS), sites()["check"]).callers
    assert found[0].guards == (("flag", True),)
    assert found[1].guards == ()  # `count` is bound again after the test
    fill = context(with_files(check=CHECK, calls=CALLS), sites()["Store.put"]).callers[0]
    assert fill.guards == (("not items", False), ("items.ready", True))


def test_arguments_feed_parameters() -> None:
    found = context(with_files(check=CHECK, calls=CALLS), sites()["check"]).callers
    assert found[0].arguments == (("size", "count"), ("name", '"y"'))


def test_no_call_is_no_guess() -> None:
    other = """
        class Other:
            def put(self, key):
                if key is None:
                    raise ValueError("key")
        def use(thing):
            thing.put(1)
    """
    files = with_files(check=CHECK, other=other)
    found = {site.path: site.context.callers for site in linked_sites(files) if site.site.qualname.endswith(".put")}
    assert found == {"python/pkg/check.py": (), "python/pkg/other.py": ()}


SURFACES = [
    pytest.param(
        {"kernels__gemm": "def f(x):\n    if x.ndim != 2:\n        raise ValueError('a')"}, "kernel", id="kernel folder"
    ),
    pytest.param(
        {"mem": "def f(x):\n    if x.ndim != 2:\n        raise ValueError('a')"}, "internal", id="nothing known"
    ),
    pytest.param(
        {"mem": "def f(server_args):\n    if server_args.cp_size > 1:\n        raise ValueError('a')"},
        "server-launch",
        id="option",
    ),
    pytest.param(
        {
            "models__net": "class N(nn.Module):\n    def __init__(self, config):\n        if config.w > 1:\n            raise ValueError('a')"
        },
        "model-loading",
        id="layer built from a config",
    ),
    pytest.param(
        {"mem": "def load_weights(x):\n    if not x:\n        raise ValueError('a')"}, "model-loading", id="loader"
    ),
    pytest.param(
        {"api": "@app.get('/x')\ndef r(q):\n    f(q)\ndef f(q):\n    if not q:\n        raise ValueError('a')"},
        "request",
        id="behind a route",
    ),
    pytest.param(
        {
            "m": "class A(BaseModel):\n    n: int = 1\n    def c(self):\n        if self.n < 1:\n            raise ValueError('a')"
        },
        "request",
        id="request model",
    ),
    pytest.param(
        {"test__kit": "def f(server_args):\n    if server_args.cp_size > 1:\n        raise ValueError('a')"},
        "internal",
        id="test",
    ),
    pytest.param(
        {"bench__run": "def main(x):\n    if x < 1:\n        raise ValueError('a')"}, "python-api", id="script"
    ),
]


@pytest.mark.parametrize(("files", "wanted"), SURFACES)
def test_surface(files: dict[str, str], wanted: str) -> None:
    (name,) = files
    path = f"python/pkg/{name.replace('__', '/')}.py"
    found = [site.context.surface for site in linked_sites(with_files(**files)) if site.path == path]
    assert found == [wanted]


def test_who_else_sets_an_option() -> None:
    setter = """
        def adapt(server_args):
            if server_args.mode == "exact":
                server_args.cp_size = 2
        def declare_all(server_args):
            declare(server_args, "why", cp_size=4)
        def read(server_args):
            print(server_args, cp_size=4)
    """
    found = next(
        s for s in linked_sites(with_files(setter=setter)) if "Fusion" in s.message.variants[0].texts[0]
    ).context.setters
    assert [(one.field, one.value, one.qualname) for one in found] == [
        ("cp_size", "2", "adapt"),
        ("cp_size", "4", "declare_all"),
    ]
    assert found[0].guards == (('server_args.mode == "exact"', True),)


def test_values_are_resolved_to_their_members() -> None:
    reader = """
        from enum import Enum
        from pkg.choices import BACKENDS_MORE
        class Kind(Enum):
            A = "a"
            B = "b"
        TABLE = {"one": 1, "two": 2}
        def f(x, y, z):
            if x not in BACKENDS_MORE:
                raise ValueError("x")
            if y not in TABLE:
                raise ValueError("y")
            if z is not Kind.A:
                raise ValueError("z")
            if x not in y:
                raise ValueError("unknown")
    """
    found = [site.context.values for site in linked_sites(with_files(reader=reader)) if site.path.endswith("reader.py")]
    known = {one.expression: one.members for values in found for one in values}
    assert known == {
        "BACKENDS_MORE": ("'plain'", "'quick'", "'odd'"),
        "TABLE": ("'one'", "'two'"),
        "Kind": ("'a'", "'b'"),
    }
