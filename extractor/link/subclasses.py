"""Which classes of the repository derive from the wanted ones (`--subclasses`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from extractor.model.facts import ClassFacts


def with_subclasses(wanted: Sequence[str], files: Iterable[ClassFacts]) -> tuple[str, ...]:
    """Return the wanted names and those of all direct and indirect subclasses, sorted behind them.

    Classes are told apart by their own name only, as a raise statement names them.
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
    return (*wanted, *sorted(found - {name.rpartition(".")[2] for name in wanted}))
