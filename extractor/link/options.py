"""The table of command-line options, from every form in which a file declares one."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from extractor.expression import literal, parse, path_of
from extractor.link.constants import members
from extractor.link.tree import Tree
from extractor.model.index import OptionDecl
from extractor.model.linked import Option

_FLAG = re.compile(r"--[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_DEPRECATED = re.compile(r"\bdeprecated\b", re.IGNORECASE)
_HOME = 20
"""Options in one file from which on it is the settings of a program, not of a helper."""
_SWITCHES = ("store_true", "store_false", "StoreTrue", "StoreConst", "store_const")


class Options:
    """All options of the tree, by field, by spelling and by owner."""

    def __init__(self, tree: Tree) -> None:
        """Read every declaration of every file."""
        self.tree = tree
        self.all: list[Option] = []
        self.by_field: dict[str, list[Option]] = {}
        self.owners: dict[str, set[str]] = {}
        for path, file in tree.files.items():
            for declared in file.options:
                option = self._option(path, declared)
                self.all.append(option)
                self.by_field.setdefault(option.field, []).append(option)
                if declared.form == "argument":
                    # Settings are often kept under another of the spellings than the one that argparse takes.
                    for name in {n.lstrip("-").replace("-", "_") for n in declared.names if n.startswith("--")}:
                        if name != option.field:
                            self.by_field.setdefault(name, []).append(option)
                if declared.form == "field":
                    self.owners.setdefault(option.owner.rpartition(".")[2], set()).add(path)
                elif "." in declared.owner:
                    holder = declared.owner.rpartition(".")[0]
                    if tree.class_of(path, holder) is not None:
                        self.owners.setdefault(holder.rpartition(".")[2], set()).add(path)
        self.flags: dict[str, Option] = {}
        for option in self.all:
            for name in (option.flag, *option.aliases, option.negative):
                if name:
                    self.flags.setdefault(name, option)
        counts = Counter(o.path for o in self.all if o.owner.split(".")[0] in self.owners)
        self.homes = [path for path, count in counts.items() if count >= _HOME]
        self.namespaces = {o.namespace.split(".", 1)[0] for o in self.all if o.namespace}
        self._collectors()

    def find(self, field: str, reader: str, holder: str = "") -> Option | None:
        """Return the option that a read of `field` in the file `reader` means, the nearest of several."""
        candidates = [o for o in self.by_field.get(field, ()) if self._visible(o, reader)]
        if holder:
            held = [o for o in candidates if o.owner.split(".")[0] == holder]
            candidates = held or candidates
        if not candidates:
            return None
        return max(candidates, key=lambda o: _fitness(o, reader))

    def _visible(self, option: Option, reader: str) -> bool:
        """Tell whether an option may be meant: a script's in that script, a settings class's all over its package."""
        if option.path == reader:
            return True
        holder = option.owner.split(".")[0]
        if holder not in self.owners:
            return False
        shared = _shared(option.path, reader)
        # Two programs of one repository may each have their settings: the nearer ones are meant.
        return shared == option.path.count("/") or all(_shared(home, reader) <= shared for home in self.homes)

    def _collectors(self) -> None:
        """Name classes that gather the fields of others as owners too: a namespace's fields are read on the whole."""
        spaces = {o.path.rpartition("/")[0] for o in self.all if o.namespace}
        self.whole: set[str] = set()
        for path, file in self.tree.files.items():
            folder = path.rpartition("/")[0]
            for name in [i.name for i in file.classes if any(i.name.rpartition(".")[2] == o for o in self.owners)]:
                self.whole.add(name.rpartition(".")[2])
            if any(f.qualname.endswith(".add_cli_args") for f in file.functions) and any(
                s.startswith(folder) for s in spaces
            ):
                self.whole.update(
                    i.name for i in file.classes if any(f.qualname == f"{i.name}.add_cli_args" for f in file.functions)
                )

    def _option(self, path: str, declared: OptionDecl) -> Option:
        settings = dict(declared.settings)
        return (
            _field(self.tree, path, declared, settings)
            if declared.form == "field"
            else _argument(self.tree, path, declared, settings)
        )


def _fitness(option: Option, reader: str) -> tuple[int, bool, bool, bool, int]:
    """Rank candidates: nearest, in a folder around the reader, not deprecated, with a flag, declared first."""
    shared = _shared(option.path, reader)
    return shared, shared == option.path.count("/"), not option.deprecated, bool(option.flag), -option.line


def _shared(first: str, second: str) -> int:
    """Count the leading folders that two paths share."""
    count = 0
    for one, other in zip(first.split("/")[:-1], second.split("/")[:-1], strict=False):
        if one != other:
            break
        count += 1
    return count


def _field(tree: Tree, path: str, declared: OptionDecl, settings: dict[str, str]) -> Option:
    silent = settings.get("no_cli") == "True"
    own = "--" + declared.field.replace("_", "-")
    flag = _string(settings.get("cli_name", "")) or own
    kind = settings.get("type", "")
    action = settings.get("action", "")
    switch = (not action and _bare(kind) == "bool") or any(word in action for word in _SWITCHES)
    choices_text = settings.get("choices", "") or (kind if "Literal[" in kind else "")
    return Option(
        field=declared.field,
        flag="" if silent else flag,
        aliases=() if silent else _strings(tree, path, settings.get("aliases", "")),
        negative="" if silent or "BooleanOptional" not in action else "--no-" + flag[2:],
        type=_bare(kind),
        switch=switch,
        default=_default(tree, path, settings.get("default"), ""),
        choices=_choices(tree, path, choices_text),
        closed=bool(choices_text),
        help=declared.help,
        deprecated=_is_deprecated(declared.help, action),
        replacement=_replacement(declared.help, settings, flag),
        owner=declared.owner,
        namespace=settings.get("namespace", "") or _class_namespace(tree, path, declared.owner),
        path=path,
        line=declared.line,
    )


def _argument(tree: Tree, path: str, declared: OptionDecl, settings: dict[str, str]) -> Option:
    long = [name for name in declared.names if name.startswith("--")] or list(declared.names)
    flag = long[0]
    field = declared.field or flag.lstrip("-").replace("-", "_")
    action = settings.get("action", "")
    switch = any(word in action for word in _SWITCHES)
    fallback = (
        "True"
        if "store_false" in action
        else "False"
        if switch
        else ""
        if settings.get("required") == "True"
        else "None"
    )
    if "default" not in settings and settings.get("required") != "True":
        holder = declared.owner.rpartition(".")[0]
        fallback = _class_default(tree, path, f"{holder}.{field}") or fallback
    return Option(
        field=field,
        flag=flag,
        aliases=tuple(name for name in declared.names if name != flag),
        negative="--no-" + flag[2:] if "BooleanOptional" in action else "",
        type=settings.get("type", "bool" if switch else "str" if not action else ""),
        switch=switch,
        default=_default(tree, path, settings.get("default"), fallback),
        choices=_choices(tree, path, settings.get("choices", "")),
        closed="choices" in settings,
        help=declared.help,
        deprecated=_is_deprecated(declared.help, action),
        replacement=_replacement(declared.help, settings, flag),
        owner=declared.owner,
        namespace="",
        path=path,
        line=declared.line,
    )


def _bare(kind: str) -> str:
    """Return a type without `Optional[…]` or `| None`."""
    kind = kind.removesuffix(" | None").removeprefix("None | ")
    if kind.startswith(("Optional[", "typing.Optional[")) and kind.endswith("]"):
        return kind[kind.index("[") + 1 : -1]
    return kind


def _string(text: str) -> str:
    known, value = literal(parse(text)) if text else (False, None)
    return value if known and isinstance(value, str) else ""


def _strings(tree: Tree, path: str, text: str) -> tuple[str, ...]:
    found = members(tree, path, text) if text else None
    return tuple(filter(None, map(_string, found[0]))) if found is not None else ()


def _choices(tree: Tree, path: str, text: str) -> tuple[str, ...] | None:
    found = members(tree, path, text) if text else None
    return found[0] if found is not None else None


def _default(tree: Tree, path: str, text: str | None, fallback: str) -> str:
    """Return the default as a literal where it can be found, else as written."""
    if text is None:
        return fallback
    node = parse(text) if text else None
    if isinstance(node, ast.Attribute):
        return _class_default(tree, path, text) or text
    if isinstance(node, ast.Name):
        at = tree.resolve(path, text)
        constant = tree.constants(at[0]).get(at[1]) if at is not None else None
        return constant.text or text if constant is not None else text
    if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
        return _declared_default(tree, path, str(node.args[0].value)) or text
    if isinstance(node, ast.Call) and path_of(node.func).rpartition(".")[2] == "field":
        for keyword in node.keywords:
            if keyword.arg == "default":
                return ast.unparse(keyword.value)
            if keyword.arg == "default_factory":
                made = path_of(keyword.value)
                return {"list": "[]", "dict": "{}", "set": "set()", "tuple": "()"}.get(made, text)
    return text


def _class_default(tree: Tree, path: str, name: str) -> str:
    """Return the default of a class field written `Class.field`, also of one declared by `A[…]`."""
    owner, _, field = name.rpartition(".")
    found = tree.find_class(path, owner) if owner else None
    if found is None:
        return ""
    for at, info in tree.ancestors(*found):
        for declared in info.fields:
            if declared.name == field:
                return _default(tree, at, declared.default, "") if declared.default else ""
    return ""


def _declared_default(tree: Tree, path: str, field: str) -> str:
    """Return the default of the namespace field of that name: a call hands its name on to look it up."""
    for at, file in tree.files.items():
        if _shared(at, path) < 2 or not any(o.form == "field" for o in file.options):
            continue
        for info in file.classes:
            for declared in info.fields:
                if declared.name == field and declared.default:
                    return declared.default
    return ""


def _class_namespace(tree: Tree, path: str, owner: str) -> str:
    constant = tree.constants(path).get(f"{owner}._NS_PATH")
    return _string(constant.text) if constant is not None else ""


def _is_deprecated(help_text: str, action: str) -> bool:
    head = help_text[:60]
    return "Deprecated" in action or bool(_DEPRECATED.search(head))


def _replacement(help_text: str, settings: dict[str, str], own: str) -> str:
    """Return the flag that a deprecated one names in its place."""
    texts = [help_text, settings.get("new_flag", ""), settings.get("action_kwargs", "")]
    if not (_DEPRECATED.search(" ".join(texts)) or settings.get("new_flag")):
        return ""
    return next((flag for flag in _flags(texts) if flag != own), "")


def _flags(texts: list[str]) -> Iterator[str]:
    for text in texts:
        yield from _FLAG.findall(text)
