"""What a release declares, read independently of the extractor: names and options straight from the source by `ast` and text."""

from __future__ import annotations

import ast
import re
import warnings
from pathlib import Path

_UPPER = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\Z")


def parse(path: Path) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes of the source read
        return ast.parse(path.read_bytes())


class Declared:
    """Names that a tree declares to users."""

    def __init__(self, root: Path) -> None:
        """Read every file below `root`."""
        self.flags: set[str] = set()
        self.variables: set[str] = set()
        self.fields: set[str] = set()
        for path in sorted(root.rglob("*.py")):
            self._read(parse(path))

    def _read(self, tree: ast.Module) -> None:
        names = {
            node.targets[0].id: node.value.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                self._call(node, names)
            elif isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("environ"):
                self._variable(node.slice, names)
            elif isinstance(node, ast.Compare) and ast.unparse(node.comparators[0]).endswith("environ"):
                self._variable(node.left, names)
            elif isinstance(node, ast.ClassDef):
                self._class(node)
            elif isinstance(node, ast.Dict):
                for key, value in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and _is_upper(key.value) and repr(key.value) in ast.unparse(value):
                        self.variables.add(str(key.value))

    def _call(self, node: ast.Call, names: dict[str, str]) -> None:
        function = ast.unparse(node.func)
        if function.endswith("add_argument"):
            spelled = [str(a.value) for a in node.args if isinstance(a, ast.Constant) and str(a.value).startswith("--")]
            self.flags.update(spelled)
            if any("BooleanOptionalAction" in ast.unparse(k.value) for k in node.keywords):
                self.flags.update("--no-" + name[2:] for name in spelled)
        elif "env" in function.lower() and node.args:
            self._variable(node.args[0], names)

    def _variable(self, node: ast.expr, names: dict[str, str]) -> None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.variables.add(node.value)
        elif isinstance(node, ast.Name) and node.id in names:
            self.variables.add(names[node.id])

    def _class(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                self.fields.add(statement.target.id)
                self.flags.update(field_flags(statement))
            if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
                continue
            if isinstance(statement.targets[0], ast.Name) and "Env" in ast.unparse(statement.value.func):
                self.variables.add(statement.targets[0].id)
                self.variables.update(
                    str(k.value.value)
                    for k in statement.value.keywords
                    if k.arg == "deprecated_name" and isinstance(k.value, ast.Constant)
                )


def _is_upper(value: object) -> bool:
    return isinstance(value, str) and bool(_UPPER.match(value))


def field_flags(statement: ast.AnnAssign) -> set[str]:
    """Return the spellings that a field `x: A[T, "help"]` or `x: A[T, Arg(...)]` gives; empty for other fields."""
    annotation = statement.annotation
    if not isinstance(annotation, ast.Subscript) or ast.unparse(annotation.value) not in ("A", "Annotated"):
        return set()
    if not isinstance(annotation.slice, ast.Tuple) or not isinstance(statement.target, ast.Name):
        return set()
    own = "--" + statement.target.id.replace("_", "-")
    for extra in annotation.slice.elts[1:]:
        if isinstance(extra, ast.Call) and ast.unparse(extra.func) == "Arg":
            given = {k.arg: k.value for k in extra.keywords}
            if "no_cli" in given and ast.unparse(given["no_cli"]) == "True":
                return set()
            first = str(ast.literal_eval(given["cli_name"])) if "cli_name" in given else own
            spellings = {first, *(ast.literal_eval(given["aliases"]) if "aliases" in given else [])}
            if "action" in given and "BooleanOptionalAction" in ast.unparse(given["action"]):
                spellings.add("--no-" + first[2:])
            return spellings
        if isinstance(extra, ast.Constant | ast.JoinedStr | ast.BinOp):
            return {own}
    return set()


def launch_flags(root: Path) -> set[str]:
    """Return the flags of `python -m sglang.launch_server --help`: fields with metadata, and `add_cli_args` of the settings."""
    folder = root / "sglang" / "srt"
    found: set[str] = set()
    for path in [folder / "server_args.py", *sorted((folder / "arg_groups" / "fields").glob("*.py"))]:
        tree = parse(path)
        for node in ast.walk(tree):
            if isinstance(node, ast.AnnAssign):
                found |= field_flags(node)
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "parser.add_argument":
                found |= {
                    str(a.value) for a in node.args if isinstance(a, ast.Constant) and str(a.value).startswith("--")
                }
    return found
