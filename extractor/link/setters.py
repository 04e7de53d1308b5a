"""Who else sets an option: assignments to its field, and calls that declare a value for it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extractor.link.options import Options
from extractor.link.tree import Tree
from extractor.link.words import SETTINGS_RECEIVERS, SURE_RECEIVERS, TEST_FOLDERS
from extractor.model.index import ARGUMENT_BREAK, Function
from extractor.model.linked import Input, Option, Setter

_NAMED = re.compile(r"([A-Za-z_]\w*)=(?!=)(.*)\Z", re.DOTALL)
_LISTED = 4
_DECLARING = ("declare", "override", "set_", "update", "resolv")
"""Parts of the names of functions that are handed settings and the values that fields shall have."""
_AT_RUNTIME = frozenset({"attach", "detach", "update", "reset", "release", "resume"})
"""Words in the names of functions that change settings of a running server, not those that a check at start reads."""


class Setters:
    """Writes of option fields by the program itself."""

    def __init__(self, tree: Tree, options: Options) -> None:
        """Gather the writes of all files."""
        self.tree = tree
        self.options = options
        self.by_field: dict[str, list[Setter]] = {}
        for path, file in tree.files.items():
            if not TEST_FOLDERS.isdisjoint(path.split("/")):
                continue
            for write in file.writes:
                if (
                    write.name in options.by_field
                    and write.function >= 0
                    and self._settings(path, write.receiver, write.function, options)
                ):
                    self._add(path, write.name, write.value, write.function, write.tests, write.line)
            for call in file.calls:
                if call.function < 0 or not any(word in call.callee for word in _DECLARING):
                    continue
                first, *rest = call.arguments.split(ARGUMENT_BREAK)
                if first.rpartition(".")[2] not in SURE_RECEIVERS | {"self"}:
                    continue
                for argument in rest:
                    named = _NAMED.match(argument)
                    if named is not None and named[1] in options.by_field:
                        self._add(path, named[1], named[2], call.function, call.tests, call.line)

    def _settings(self, path: str, receiver: str, function: int, options: Options) -> bool:
        root = receiver.removesuffix("[]")
        if receiver.endswith("[]"):
            return root.endswith(("overrides", "updates", "declared")) and any(
                o.namespace or o.owner for o in options.all[:1]
            )
        if root == "self":
            qualname = self.tree.files[path].functions[function].qualname
            return qualname.split(".", 1)[0] in options.whole
        return root.rpartition(".")[2] in SURE_RECEIVERS or (
            root in SETTINGS_RECEIVERS and root != "cfg" and root != "options"
        )

    def _add(self, path: str, field: str, value: str, function: int, tests: tuple[int, ...], line: int) -> None:
        file = self.tree.files[path]
        guards = tuple((file.tests[n].text, file.tests[n].holds) for n in tests)
        shown = "" if value == "…" else value
        self.by_field.setdefault(field, []).append(
            Setter(field, shown, file.functions[function].qualname, guards, (), line, path)
        )

    def of(self, inputs: Sequence[Input], function: Function | None, path: str) -> tuple[Setter, ...]:
        """Return who else sets the options among `inputs`, the function of the site itself left out."""
        found = []
        own = function.qualname if function is not None else ""
        for one in inputs:
            if isinstance(one.source, Option):
                found += [
                    setter
                    for setter in self.by_field.get(one.source.field, ())
                    if (setter.path, setter.qualname) != (path, own)
                    and self.options.find(setter.field, setter.path) is one.source
                    and f".{setter.field}" not in setter.value
                    and setter.value != setter.field
                    and _AT_RUNTIME.isdisjoint(setter.qualname.rpartition(".")[2].split("_"))
                ][:_LISTED]
        return tuple(dict.fromkeys(found))
