"""What a user would write with LibCST: all providers, one visitor, the innermost `if` around each raise.

Run as a program: `plain_script.py LIST` reads the files named in LIST, one a line, and prints a line for each site.
"""

from __future__ import annotations

import sys
from pathlib import Path

import libcst as cst
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider


class Finder(cst.CSTVisitor):
    """Prints each `raise ValueError(...)` with the test of the innermost `if` around it."""

    METADATA_DEPENDENCIES = (PositionProvider, ParentNodeProvider)

    def __init__(self, name: str, module: cst.Module) -> None:
        super().__init__()
        self.name = name
        self.module = module

    def visit_Raise(self, node: cst.Raise) -> None:  # noqa: N802 - LibCST's naming
        """Report one raise statement."""
        exc = node.exc
        if not (isinstance(exc, cst.Call) and isinstance(exc.func, cst.Name) and exc.func.value == "ValueError"):
            return
        position = self.get_metadata(PositionProvider, node)
        parent: cst.CSTNode = node
        test = ""
        while not isinstance(parent, cst.Module):
            parent = self.get_metadata(ParentNodeProvider, parent)
            if isinstance(parent, cst.If):
                test = self.module.code_for_node(parent.test)
                break
        sys.stdout.write(f"{self.name}:{position.start.line}: {test!r}: {self.module.code_for_node(exc)!r}\n")


def main(listing: str) -> None:
    """Read every file of a list."""
    for name in Path(listing).read_text().splitlines():
        wrapper = MetadataWrapper(cst.parse_module(Path(name).read_bytes()))
        wrapper.visit(Finder(name, wrapper.module))


if __name__ == "__main__":
    main(sys.argv[1])
