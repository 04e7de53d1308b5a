"""Puts the texts of constants of other files into messages."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from extractor.model.facts import ConstantRef, FileFacts, Message, Resolution, Text

_INIT = "/__init__.py"


class Constants:
    """The string constants of the whole tree, by module."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        """Take the facts of each file, by path."""
        self._files = files

    def text(self, path: str, ref: ConstantRef) -> str | None:
        """Return the text that `ref` stands for in the file at `path`; None if it is no known constant."""
        module, name = ref.module, ref.name
        while True:
            target = self._relative(path, module) if module.startswith(".") else self._absolute(path, module)
            known = self._files[target].constants.get(name) if target is not None else None
            if known is not None or "." not in name:
                return known
            # `from package import module` names a module like any other thing.
            first, _, name = name.partition(".")
            module = module + first if module.endswith(".") else f"{module}.{first}"

    def _relative(self, path: str, module: str) -> str | None:
        package = path.split("/")[:-1]
        up = len(module) - len(module.lstrip(".")) - 1
        if up > len(package):
            return None
        return self._file("/".join([*package[: len(package) - up], *filter(None, module.lstrip(".").split("."))]))

    def _file(self, stem: str) -> str | None:
        return next((path for path in (stem + ".py", stem + _INIT) if path in self._files), None)

    def _absolute(self, path: str, module: str) -> str | None:
        """Find an absolute module below a folder around the importing file that is no package itself (PEP 420)."""
        stem = module.replace(".", "/")
        folders = path.split("/")[:-1]
        roots = ("/".join([*folders[:depth], ""]) if depth else "" for depth in range(len(folders) + 1))
        found = {self._file(root + stem) for root in roots if f"{root}__init__.py" not in self._files} - {None}
        return found.pop() if len(found) == 1 else None


def complete(message: Message, path: str, constants: Constants) -> Message:
    """Return a message with the constants of other files in place of their names."""
    if not any(each.ref for text in message.variants for each in text.placeholders):
        return message
    variants = tuple(dict.fromkeys(_completed(text, path, constants) for text in message.variants))
    cleared = tuple(dict.fromkeys(_without_refs(text) for text in message.variants))
    if variants == cleared:
        return replace(message, variants=variants)
    written = message.written or (None if cleared[0].bare else cleared[0])
    return Message(_resolution(message, cleared, variants), variants, None if written == variants[0] else written)


def _resolution(message: Message, before: tuple[Text, ...], after: tuple[Text, ...]) -> Resolution:
    bare = [text.bare for text in after]
    if any(bare):
        return "unresolved" if all(bare) else "partial"
    # Partial although every text was known: a loop built it, and that has not changed.
    inexact = message.resolution == "partial" and not any(text.bare for text in before)
    return "partial" if inexact else "resolved"


def _completed(text: Text, path: str, constants: Constants) -> Text:
    texts, placeholders = [text.texts[0]], []
    for placeholder, after in zip(text.placeholders, text.texts[1:], strict=True):
        known = constants.text(path, placeholder.ref) if placeholder.ref is not None else None
        if known is not None and placeholder.conversion in ("r", "a"):
            known = ascii(known) if placeholder.conversion == "a" else repr(known)
        if known is None or placeholder.format_spec:
            placeholders.append(replace(placeholder, ref=None))
            texts.append(after)
        else:
            texts[-1] += known + after
    return Text(tuple(texts), tuple(placeholders))


def _without_refs(text: Text) -> Text:
    return Text(text.texts, tuple(replace(each, ref=None) for each in text.placeholders))
