"""From a read in a guard back to what it reads, by every route."""

from __future__ import annotations

import pytest

from extractor.model.linked import Option
from tests.trees import context, explained, inputs, with_files

ENVIRON = """
    class Envs:
        APP_MODE = EnvStr("plain")
    envs = Envs()
"""
HELPERS = """
    import fancy
    from pkg.environ import envs
    def wide(args):
        return args.cp_size > 1
    def read_mode():
        return envs.APP_MODE.get()
    def is_cuda():
        return probe()
    is_new_gpu = lru_cache(maxsize=1)(partial(check, majors=[10, 12], version=(12, 8)))
"""
CONTEXT = """
    from pkg.server_args import ServerArgs
    def get_settings() -> ServerArgs:
        return CURRENT
    def get_parallel():
        return BAG
    def resolving_view(server_args):
        return server_args
"""
READER = """
    import os
    from pkg.environ import envs
    from pkg.helpers import wide, read_mode, is_cuda, is_new_gpu
    from pkg.context import get_settings, get_parallel, resolving_view
    from pkg.server_args import ServerArgs
    MODE = envs.APP_MODE.get()
    _is_cuda = is_cuda()

    class Holder:
        def __init__(self, server_args, config):
            self.server_args = server_args
            self.size = server_args.cp_size
            self.width = config.width
            self.heads = config.heads["count"]

        def f(self, server_args, args: ServerArgs, config, x: int = 3, tensor=None, view=None):
            cfg = resolving_view(server_args)
            other = config.get("depth")
            twice = x * 2
            twice = x * 3
            local = cfg.cp_size
            if {test}:
                raise ValueError("no")
"""


def read(test: str) -> tuple[str, str, str]:
    """Return kind, name and expression of the first input of a guard."""
    files = with_files(environ=ENVIRON, helpers=HELPERS, context=CONTEXT, reader=READER.replace("{test}", test))
    found = list(context(files).inputs)
    return (found[0].kind, found[0].name, found[0].expression) if found else ("", "", "")


ROUTES = [
    pytest.param(
        "server_args.cp_size > 1", ("option", "--cp-size", "server_args.cp_size"), id="parameter of the usual name"
    ),
    pytest.param("args.cp_size > 1", ("option", "--cp-size", "args.cp_size"), id="annotated parameter"),
    pytest.param(
        "self.server_args.cp_size > 1", ("option", "--cp-size", "self.server_args.cp_size"), id="kept on self"
    ),
    pytest.param("cfg.cp_size > 1", ("option", "--cp-size", "cfg.cp_size"), id="view of the settings"),
    pytest.param("view.cp_size > 1", ("option", "--cp-size", "view.cp_size"), id="view handed to a pass"),
    pytest.param(
        "get_settings().cp_size > 1", ("option", "--cp-size", "get_settings().cp_size"), id="by return annotation"
    ),
    pytest.param(
        "resolving_view(server_args).cp_size > 1",
        ("option", "--cp-size", "resolving_view(server_args).cp_size"),
        id="view read at once",
    ),
    pytest.param("self.size > 1", ("option", "--cp-size", "self.size"), id="attribute bound once"),
    pytest.param("local > 1", ("option", "--cp-size", "local"), id="local bound once"),
    pytest.param("wide(server_args)", ("option", "--cp-size", "server_args.cp_size"), id="helper of one expression"),
    pytest.param(
        "server_args.gemm == 'a'", ("option", "--gemm-backend", "server_args.gemm"), id="flag of another name"
    ),
    pytest.param("server_args.hidden", ("option", "hidden", "server_args.hidden"), id="setting without a flag"),
    pytest.param(
        "getattr(server_args, 'cp_size', 1) > 1",
        ("option", "--cp-size", "getattr(server_args, 'cp_size', 1)"),
        id="getattr",
    ),
    pytest.param("envs.APP_MODE.get() == 'x'", ("environment", "APP_MODE", "envs.APP_MODE.get()"), id="descriptor"),
    pytest.param("MODE == 'x'", ("environment", "APP_MODE", "MODE"), id="module constant"),
    pytest.param("read_mode() == 'x'", ("environment", "APP_MODE", "read_mode()"), id="helper without arguments"),
    pytest.param(
        "os.environ.get('APP_MODE') == 'x'", ("environment", "APP_MODE", "os.environ.get('APP_MODE')"), id="environ.get"
    ),
    pytest.param(
        "'APP_MODE' in os.environ", ("environment", "APP_MODE", "os.environ.get('APP_MODE')"), id="membership"
    ),
    pytest.param("config.width > 1", ("config-field", "width", "config.width"), id="model config"),
    pytest.param("self.width > 1", ("config-field", "width", "self.width"), id="model config through self"),
    pytest.param("self.heads > 1", ("config-field", "count", "self.heads"), id="entry of a model config"),
    pytest.param("x > 1", ("parameter", "x", "x"), id="parameter"),
    pytest.param("tensor.shape[0] > 1", ("tensor-property", "tensor", "tensor.shape"), id="tensor property"),
    pytest.param("is_cuda()", ("platform", "NVIDIA CUDA", "is_cuda()"), id="platform predicate"),
    pytest.param("_is_cuda", ("platform", "NVIDIA CUDA", "_is_cuda"), id="platform constant"),
    pytest.param("is_fancy_available()", ("package", "fancy", "is_fancy_available()"), id="package predicate"),
    pytest.param(
        "is_pinning_available()", ("local", "is_pinning_available()", "is_pinning_available()"), id="no package"
    ),
]


@pytest.mark.parametrize(("test", "wanted"), ROUTES)
def test_routes(test: str, wanted: tuple[str, str, str]) -> None:
    assert read(test) == wanted


@pytest.mark.parametrize(
    ("test", "kind"),
    [
        pytest.param("config.cp_size > 1", "config-field", id="the same name on a model config"),
        pytest.param("self.cp_size > 1", "attribute", id="the same name on another class"),
        pytest.param("twice > 1", "local", id="bound twice: either value may be meant"),
        pytest.param("tensor.is_cuda", "tensor-property", id="where a tensor is, not what the machine is"),
        pytest.param("x.cp_size > 1", "attribute", id="a parameter of another type"),
    ],
)
def test_no_option_where_another_thing_is_read(test: str, kind: str) -> None:
    assert read(test)[0] == kind


def test_self_inside_the_settings() -> None:
    found = inputs(with_files())
    assert {one.name for one in found.values()} == {"--enable-fusion", "--cp-size"}
    source = found["self.cp_size"].source
    assert isinstance(source, Option) and (source.path, source.default) == ("python/pkg/server_args.py", "1")


def test_what_every_call_passes_is_the_parameters_source() -> None:
    callee = """
        def check(rank):
            if rank < 1:
                raise ValueError("rank")
    """
    caller = """
        from pkg.callee import check
        def f(server_args):
            check(server_args.tp_size)
        def g(server_args):
            check(rank=server_args.tp_size)
    """
    one = inputs(with_files(callee=callee, caller=caller))["rank"]
    assert (one.kind, one.name, one.fed) == ("option", "--tp-size", True)
    mixed = caller + "\n        def h(server_args):\n            check(server_args.cp_size)\n"
    assert inputs(with_files(callee=callee, caller=mixed))["rank"].kind == "parameter"


def test_request_fields() -> None:
    model = """
        from pydantic import BaseModel, field_validator
        class Base(BaseModel):
            top: int = 1
        class Chat(Base):
            stop: list | None = None
            @field_validator("stop")
            def _check(cls, v):
                if v is None:
                    raise ValueError("none")
            def verify(self):
                if self.top < 1:
                    raise ValueError("top")
        def handle(request: Chat):
            if request.stop:
                raise ValueError("stop")
        def plain(request):
            if request.stop:
                raise ValueError("unknown")
    """
    files = with_files(model=model)
    found = [context(files, number).inputs[0] for number in range(4)]
    assert [(one.kind, one.name) for one in found[:3]] == [
        ("request-field", "stop"),
        ("request-field", "top"),
        ("request-field", "stop"),
    ]
    assert found[3].kind == "attribute"


def test_hardware_is_told_in_compute_capabilities() -> None:
    files = with_files(
        environ=ENVIRON, helpers=HELPERS, context=CONTEXT, reader=READER.replace("{test}", "is_new_gpu()")
    )
    assert context(files).inputs == () or context(files).inputs[0].kind != "platform"  # its name speaks of no hardware
    named = HELPERS.replace("is_new_gpu", "is_blackwell")
    files = with_files(
        environ=ENVIRON,
        helpers=named,
        context=CONTEXT,
        reader=READER.replace("is_new_gpu", "is_blackwell").replace("{test}", "is_blackwell()"),
    )
    assert context(files).inputs[0].type == "a GPU of compute capability 10.x or 12.x with CUDA 12.8 or later"


def test_a_short_function_that_reads_a_variable_stands_for_it() -> None:
    reader = """
        from enum import Enum
        from pkg.environ import envs
        class Mode(str, Enum):
            PLAIN = "plain"
            QUICK = "quick"
        def read_mode():
            value = envs.APP_MODE.get()
            for mode in Mode:
                if value == mode.value:
                    return mode
        def check():
            mode = read_mode()
            if mode is not Mode.PLAIN:
                raise ValueError("m")
    """
    files = with_files(environ=ENVIRON, aaa=reader)
    first = context(files).inputs[0]
    assert (first.kind, first.name) == ("environment", "APP_MODE")
    record = explained(files)
    assert record.documentation.startswith("`APP_MODE` must be `plain`.")
    assert record.solutions[0] == 'Set `APP_MODE` to `plain`, or unset it (the default is `"plain"`).'


@pytest.mark.parametrize(
    ("value", "known"),
    [("set()", False), ("[]", False), ("{}", False), ("defaultdict(list)", True), ("sorted(server_args.names)", True)],
)
def test_an_empty_container_is_not_what_a_name_stands_for(value: str, known: bool) -> None:
    body = f"""
        def f(server_args, xs):
            seen = {value}
            for x in xs:
                seen.add(x)
            if len(seen) > 1:
                raise ValueError("no")
    """
    meanings = context(with_files(aaa=body)).meanings
    assert any(one.expression == "seen" for one in meanings) == known
