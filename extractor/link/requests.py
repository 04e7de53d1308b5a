"""Classes whose instances users fill: models of requests, by their bases and names."""

from __future__ import annotations

import re

from extractor.link.tree import Tree
from extractor.link.words import REQUEST_BASES, REQUEST_NAMES
from extractor.model.index import ClassInfo
from extractor.model.linked import Model

_SNAKE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Requests:
    """Request models by class name."""

    def __init__(self, tree: Tree) -> None:
        """Find the models among all classes."""
        self.tree = tree
        self.by_snake: dict[str, list[tuple[str, ClassInfo]]] = {}
        for name, found in tree.by_class.items():
            if name.endswith(REQUEST_NAMES):
                self.by_snake[_SNAKE.sub("_", name).lower()] = found
        self._known: dict[tuple[str, str], bool] = {}

    def is_model(self, path: str, info: ClassInfo) -> bool:
        """Whether instances of the class carry what a client sent."""
        key = (path, info.name)
        known = self._known.get(key)
        if known is None:
            named = info.name.rpartition(".")[2].endswith(REQUEST_NAMES) and (info.dataclass or bool(info.fields))
            known = named or any(
                base.rpartition(".")[2] in REQUEST_BASES
                for _, one in self.tree.ancestors(path, info)
                for base in one.bases
            )
            self._known[key] = known
        return known

    def named(self, reader: str, receiver: str) -> tuple[str, ClassInfo] | None:
        """Return the model that a name like `sampling_params` means in a file: the nearest class of that name."""
        found = self.by_snake.get(receiver.rpartition(".")[2], ())
        folders = reader.split("/")
        return max(found, key=lambda pair: _shared(pair[0].split("/"), folders), default=None)

    def field(self, path: str, info: ClassInfo, name: str) -> Model | None:
        """Return the field `name` of a model, inherited ones included."""
        for at, one in self.tree.ancestors(path, info):
            for declared in one.fields:
                if declared.name == name:
                    return Model(info.name, name, declared.annotation, declared.default, at, declared.line)
        return None


def _shared(first: list[str], second: list[str]) -> int:
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count
