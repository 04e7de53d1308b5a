from __future__ import annotations

import pytest

from extractor.link.options import Options
from extractor.model.linked import Option
from tests.trees import linker, with_files

PARSER = """
    import argparse
    from dataclasses import dataclass
    from pkg.choices import BACKENDS_MORE

    class Color:
        pass

    @dataclass
    class ToolArgs:
        rate: float = 0.5
        verbose: bool = False

        @staticmethod
        def add_cli_args(parser):
            parser.add_argument("--rate", "-r", type=float, default=ToolArgs.rate, help="How fast, " "in Hz.")
            parser.add_argument("--verbose", action="store_true", help="Say more.")
            parser.add_argument("--no-cache", dest="cache", action="store_false", help="Keep nothing.")
            parser.add_argument("--kind", choices=BACKENDS_MORE, required=True, help=f"Which of {BACKENDS_MORE}.")
            parser.add_argument("--shiny", action=argparse.BooleanOptionalAction, default=True, help="Polish.")
            parser.add_argument("position", help="No flag at all.")
            parser.add_argument(*names, help="Names that only the run knows.")
"""


def options(**files: str) -> Options:
    return linker(with_files(**files)).options


def one(found: Options, flag: str) -> Option:
    return found.flags[flag]


FORMS = [
    pytest.param(
        "--tp-size", {"field": "tp_size", "aliases": ("--tensor-parallel-size",), "default": "1"}, id="field with Arg"
    ),
    pytest.param("--tensor-parallel-size", {"field": "tp_size"}, id="found by its alias"),
    pytest.param("--cp-size", {"help": "Number of context parallel ranks.", "type": "int"}, id="field with bare help"),
    pytest.param(
        "--backend", {"choices": ("'plain'", "'quick'"), "type": "str", "default": "None"}, id="imported choices"
    ),
    pytest.param("--mode", {"choices": ("'fast'", "'exact'"), "closed": True}, id="choices of a Literal"),
    pytest.param("--enable-fusion", {"switch": True, "default": "False", "negative": ""}, id="bool is a switch"),
    pytest.param("--old-size", {"deprecated": True, "replacement": "--cp-size"}, id="deprecated names its replacement"),
    pytest.param("--gemm-backend", {"field": "gemm"}, id="flag is not the field's name"),
    pytest.param(
        "--rate", {"aliases": ("-r",), "default": "0.5", "help": "How fast, in Hz."}, id="argument, class default"
    ),
    pytest.param("--verbose", {"switch": True, "default": "False"}, id="store_true"),
    pytest.param("--no-cache", {"field": "cache", "default": "True"}, id="store_false, dest"),
    pytest.param("--kind", {"choices": ("'plain'", "'quick'", "'odd'"), "default": ""}, id="sum of lists; required"),
    pytest.param("--kind", {"help": "Which of …."}, id="runtime part of a help"),
    pytest.param("--shiny", {"negative": "--no-shiny", "default": "True"}, id="boolean optional action"),
    pytest.param("--no-shiny", {"field": "shiny"}, id="negative form is a spelling"),
]


@pytest.mark.parametrize(("flag", "wanted"), FORMS)
def test_forms_of_declaration(flag: str, wanted: dict[str, object]) -> None:
    found = one(options(tool=PARSER), flag)
    assert {name: getattr(found, name) for name in wanted} == wanted


@pytest.mark.parametrize("flag", ["--hidden", "--position", "--gemm", "--names", "--no-enable-fusion"])
def test_what_is_no_flag(flag: str) -> None:
    assert flag not in options(tool=PARSER).flags


def test_namespaces_of_structs() -> None:
    fields = """
        import msgspec
        class Parallel(msgspec.Struct):
            _NS_PATH = "parallel"
            dp_size: A[int, "Replicas."] = 1
    """
    found = one(options(fields__parallel=fields), "--dp-size")
    assert (found.namespace, found.owner, found.default) == ("parallel", "Parallel", "1")


def test_metadata_that_validates_declares_no_option() -> None:
    request = """
        from typing import Annotated
        class Request:
            ids: Annotated[list, BeforeValidator(check)] = None
            size: Annotated[int, Field(gt=0)] = 1
    """
    assert {"--ids", "--size"}.isdisjoint(options(request=request).flags)


OTHER = """
    import dataclasses
    @dataclasses.dataclass
    class ServerArgs:
        tp_size: int = 4
        @staticmethod
        def add_cli_args(parser):
            {arguments}
"""


def test_of_two_programs_the_nearer_settings_are_meant() -> None:
    arguments = "\n            ".join(f'parser.add_argument("--x{n}", help="x")' for n in range(25))
    other = OTHER.format(arguments='parser.add_argument("--tp-size", help="Other.")\n            ' + arguments)
    home = "\n".join(f'    y{n}: A[int, "y"] = 1' for n in range(25))
    files = with_files(gen__server_args=other, srt__reader="", srt__more=f"class More:\n{home}")
    table = linker(files).options
    near = table.find("tp_size", "python/pkg/gen/stages.py")
    far = table.find("tp_size", "python/pkg/server_args_reader.py")
    assert near is not None and near.path == "python/pkg/gen/server_args.py"
    assert far is not None and far.path == "python/pkg/server_args.py"


def test_a_scripts_options_are_its_own() -> None:
    script = """
        parser.add_argument("--warmup", type=int, help="Rounds.")
    """
    table = options(script=script)
    assert table.find("warmup", "python/pkg/script.py") is not None
    assert table.find("warmup", "python/pkg/other.py") is None
