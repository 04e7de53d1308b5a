"""From a read of a setting to its option: which receivers hold the settings of a program."""

from __future__ import annotations

from extractor.link.options import Options
from extractor.link.scope import Scope
from extractor.link.tree import Tree
from extractor.link.words import ANY_ANNOTATIONS, SETTINGS_RECEIVERS, SURE_RECEIVERS
from extractor.model.index import Function
from extractor.model.linked import Option


class Settings:
    """Recognises settings by names, annotations, bindings and the functions that give them."""

    def __init__(self, tree: Tree, options: Options) -> None:
        """Take the tables."""
        self.tree = tree
        self.options = options

    def option(self, receiver: str, field: str, scope: Scope) -> Option | None:
        """Return the option that `receiver.field` reads; None if the receiver holds no settings."""
        options = self.options
        if field not in options.by_field:
            return None
        last = receiver.rpartition(".")[2]
        if receiver == "self":
            holder = scope.holder
            if holder is None:
                return None
            names = [info.name.rpartition(".")[2] for _, info in self.tree.ancestors(*holder)]
            own = next((name for name in names if name in options.owners or name in options.whole), "")
            return options.find(field, scope.path, own if own in options.owners else "") if own else None
        if last.removesuffix("()") in SURE_RECEIVERS:
            return options.find(field, scope.path)
        if last.endswith("()") or "()." in receiver:
            return options.find(field, scope.path) if self._gives_settings(receiver, scope) else None
        if last not in SETTINGS_RECEIVERS and scope.annotation(receiver) is None:
            bound = scope.bound(receiver)
            return options.find(field, scope.path) if bound is not None and self.made_of(bound.text) else None
        bound_here = scope.bindings.get(receiver)
        if bound_here:
            return options.find(field, scope.path) if any(self.made_of(b.text) for b in bound_here) else None
        annotation = scope.annotation(receiver)
        if annotation is None:
            return (
                options.find(field, scope.path)
                if receiver.startswith("self.") and last == "args" and options.by_field[field][0].path == scope.path
                else None
            )
        bare = (
            annotation.strip("\"'")
            .removesuffix(" | None")
            .removeprefix("Optional[")
            .removesuffix("]")
            .rpartition(".")[2]
        )
        if bare in options.owners or bare in options.whole:
            return options.find(field, scope.path)
        if last in SETTINGS_RECEIVERS and (
            annotation in ANY_ANNOTATIONS or "View" in annotation or "Namespace" in annotation
        ):
            return options.find(field, scope.path)
        return None

    def _gives_settings(self, receiver: str, scope: Scope) -> bool:
        """Whether a call gives settings.

        By the return annotation, by its name, or by the namespace that it is called after.
        """
        head = receiver.split("()", 1)[0]
        _, function = callee(self.tree, head, scope)
        last = head.rpartition(".")[2]
        if function is not None:
            returned = function.returns.strip("\"'").rpartition(".")[2]
            if returned in self.options.whole or returned in self.options.owners:
                return True
        if last.endswith("server_args"):
            return True
        return last.startswith("get_") and last.removeprefix("get_") in self.options.namespaces

    def made_of(self, text: str) -> bool:
        """Whether a value is a view of settings: made by a call that is handed them, or that gives them."""
        head, _, rest = text.partition("(")
        name = head.rpartition(".")[2]
        if not rest:
            return name in SURE_RECEIVERS
        if name.endswith(("server_args", "parse_args")) or name in self.options.whole:
            return True
        first = rest.split(",", 1)[0].rstrip(")").strip()
        view = "view" in name.lower() or name.startswith("resolv")
        return view and (first.rpartition(".")[2] in SURE_RECEIVERS or first == "self")


def callee(tree: Tree, name: str, scope: Scope) -> tuple[str | None, Function | None]:
    """Return file and function that a dotted name of a call means."""
    if not name or "()" in name:
        return None, None
    if name.startswith(("self.", "cls.")) and scope.holder is not None and name.count(".") == 1:
        for at, info in tree.ancestors(*scope.holder):
            found = tree.function(at, f"{info.name}.{name.partition('.')[2]}")
            if found is not None:
                return at, found[1]
        return None, None
    at_name = tree.resolve(scope.path, name)
    found = tree.function(*at_name) if at_name is not None else None
    return (at_name[0], found[1]) if found is not None and at_name is not None else (None, None)
