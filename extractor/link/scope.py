"""Where an expression stands: its file, the function and class around it, and what names are bound to there."""

from __future__ import annotations

from extractor.model.index import Binding, ClassInfo, Function


class Scope:
    """Where an expression stands."""

    __slots__ = ("_bindings", "function", "holder", "line", "parameters", "path")

    def __init__(self, path: str, function: Function | None, holder: tuple[str, ClassInfo] | None, line: int) -> None:
        """Take the file.

        The function around the site, the class around that, and the line up to which bindings count.
        """
        self.path = path
        self.function = function
        self.holder = holder
        self.line = line
        self.parameters = set(function.parameters.split()) if function is not None else set()
        self._bindings: dict[str, list[Binding]] | None = None

    @property
    def bindings(self) -> dict[str, list[Binding]]:
        """What the function binds, by name."""
        if self._bindings is None:
            self._bindings = {}
            for binding in self.function.bindings if self.function is not None else ():
                self._bindings.setdefault(binding.name, []).append(binding)
        return self._bindings

    def bound(self, name: str) -> Binding | None:
        """Return the one binding of a name in the function, None if there are several or it is a parameter too."""
        found = self.bindings.get(name, ())
        if len(found) != 1 or name in self.parameters or found[0].line > self.line:
            return None
        return found[0]

    def annotation(self, name: str) -> str | None:
        """Return a parameter's annotation; None if it is no parameter."""
        if name not in self.parameters or self.function is None:
            return None
        return next((p.annotation for p in self.function.annotated if p.name == name), "")
