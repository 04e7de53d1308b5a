"""Which classes of the repository derive from the wanted ones (`--subclasses`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from extractor.model.facts import ClassFacts


def derived_from(wanted: Sequence[str], files: Iterable[ClassFacts]) -> tuple[str, ...]:
    """Return the names of all direct and indirect subclasses of the wanted classes, sorted.

    Classes of several files are told apart by their own name only; the scanner looks at the bases once more.
    """
    children: dict[str, set[str]] = {}
    for facts in files:
        for name, bases in facts.classes:
            for base in bases:
                children.setdefault(base.rpartition(".")[2], set()).add(name)
    found = {name.rpartition(".")[2] for name in wanted}
    todo = list(found)
    while todo:
        new = children.get(todo.pop(), set()) - found
        found |= new
        todo.extend(new)
    return tuple(sorted(found - {name.rpartition(".")[2] for name in wanted}))
