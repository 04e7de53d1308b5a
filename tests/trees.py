"""Small made-up trees for tests of what needs more than one file: sources in, linked sites out."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from extractor.explain.message import message_row
from extractor.explain.prose import explain_fields
from extractor.link import link
from extractor.link.sites import Linker
from extractor.model.facts import FileFacts, ScanOptions
from extractor.model.linked import Context, Input, LinkedSite
from extractor.model.record import Explanation
from extractor.scan import scan


def facts(files: Mapping[str, str]) -> list[tuple[str, FileFacts]]:
    found = []
    for path, source in files.items():
        outcome = scan(textwrap.dedent(source).encode(), ScanOptions())
        assert isinstance(outcome, FileFacts), outcome
        found.append((path, outcome))
    return found


def linked_sites(files: Mapping[str, str]) -> tuple[LinkedSite, ...]:
    return link(facts(files))


def linker(files: Mapping[str, str]) -> Linker:
    return Linker({path: one.index for path, one in facts(files)})


def context(files: Mapping[str, str], number: int = 0) -> Context:
    return linked_sites(files)[number].context


def inputs(files: Mapping[str, str], number: int = 0) -> dict[str, Input]:
    return {one.expression: one for one in context(files, number).inputs}


def explained(files: Mapping[str, str], number: int = 0) -> Explanation:
    site = linked_sites(files)[number]
    return explain_fields(site, message_row(site.message, site.site.exception_class))


SETTINGS = """
    import dataclasses
    from typing import Annotated as A, Literal, Optional
    import fancy
    from pkg.choices import BACKENDS

    @dataclasses.dataclass
    class ServerArgs:
        "All settings."
        tp_size: A[int, Arg(help="Number of tensor parallel ranks.", aliases=["--tensor-parallel-size"])] = 1
        cp_size: A[int, "Number of context parallel ranks."] = 1
        backend: A[Optional[str], Arg(help="Which backend to use.", choices=BACKENDS)] = None
        mode: A[Literal["fast", "exact"], "How to compute."] = "fast"
        enable_fusion: A[bool, "Fuse the kernels of a layer."] = False
        hidden: A[bool, Arg(no_cli=True)] = False
        old_size: A[int, Arg(help="Deprecated: use --cp-size instead.")] = 0
        gemm: A[str, Arg(help="The GEMM kernel to use.", cli_name="--gemm-backend")] = "auto"

        def _check(self):
            if self.enable_fusion and self.cp_size > 1:
                raise ValueError("Fusion does not support context parallelism.")

        def __post_init__(self):
            self._check()
"""
CHOICES = """
    BACKENDS = ["plain", "quick"]
    BACKENDS_MORE = BACKENDS + ["odd"]
"""
TREE = {"python/pkg/__init__.py": "", "python/pkg/server_args.py": SETTINGS, "python/pkg/choices.py": CHOICES}


def with_files(**files: str) -> dict[str, str]:
    """Return the tree above with more files: `a__b=source` stands at `python/pkg/a/b.py`."""
    return TREE | {f"python/pkg/{name.replace('__', '/')}.py": source for name, source in files.items()}
