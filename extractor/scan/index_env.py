"""Environment variables: registry entries (descriptors of a class, tables of readers) and reads anywhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from extractor.model.index import EnvironmentUse
from extractor.scan.index_text import Source, dotted
from extractor.scan.index_words import ENVIRONMENT_ARGUMENT, ENVIRONMENT_MEMBER, ENVIRONMENT_READER

_READ = re.compile(ENVIRONMENT_ARGUMENT)
_READER = re.compile(ENVIRONMENT_READER)
_MEMBER = re.compile(ENVIRONMENT_MEMBER)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{2,}\Z")


def registry_entries(node: ast.stmt, source: Source) -> Iterator[EnvironmentUse]:
    """Yield the variables that a class body (`X = EnvBool(False)`) or a table (`"X": reader`) declares."""
    if isinstance(node, ast.ClassDef):
        for statement in node.body:
            if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(statement.value, ast.Call):
                yield from _descriptor(statement, statement.value, source)
    elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
        for key, value in zip(node.value.keys, node.value.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and _VARIABLE.match(key.value):
                yield from _table_entry(key.value, key.lineno, value, source)


def _descriptor(statement: ast.Assign | ast.AnnAssign, value: ast.Call, source: Source) -> Iterator[EnvironmentUse]:
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    via = dotted(value.func)
    if not (isinstance(target, ast.Name) and _VARIABLE.match(target.id) and "env" in via.lower()):
        return
    default = source.text(value.args[0], 120) if value.args else _keyword(value, "default", source)
    yield EnvironmentUse(target.id, False, via, default, True, source.comment_above(statement.lineno), statement.lineno)
    for keyword in value.keywords:
        # The deprecated spelling is read too, so it is declared as much as the new one.
        if keyword.arg and "deprecated" in keyword.arg and isinstance(keyword.value, ast.Constant):
            yield EnvironmentUse(
                str(keyword.value.value),
                False,
                via,
                default,
                True,
                f"deprecated spelling of {target.id}",
                statement.lineno,
            )


def _table_entry(name: str, line: int, value: ast.expr, source: Source) -> Iterator[EnvironmentUse]:
    """Yield the entry of a table whose value reads the very variable that is its key, at once or in a lambda."""
    reader = value.body if isinstance(value, ast.Lambda) else value
    for node in ast.walk(reader):
        if (
            isinstance(node, ast.Call)
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and node.args[0].value == name
        ):
            default = source.text(node.args[1], 120) if len(node.args) > 1 else ""
            yield EnvironmentUse(name, False, dotted(node.func), default, True, source.comment_above(line), line)
            return


def _keyword(call: ast.Call, name: str, source: Source) -> str:
    for keyword in call.keywords:
        if keyword.arg == name:
            return source.text(keyword.value, 120)
    return ""


def environment_reads(source: bytes) -> Iterator[EnvironmentUse]:
    """Yield each read or write by name, found by text: an expression walk of the whole tree would cost seconds."""
    if b"env" not in source:
        return
    if b"environ" in source:
        for member in _MEMBER.finditer(source):
            yield EnvironmentUse(
                member[1].decode(), False, member[2].decode(), "", False, "", source.count(b"\n", 0, member.start()) + 1
            )
    line, at = 1, 0
    for found in _READ.finditer(source):
        start = source.rfind(b"\n", 0, found.start()) + 1
        if source[start : found.start()].lstrip().startswith(b"#"):
            continue
        reader = _READER.search(source[max(start, found.start() - 80) : found.start()].rstrip())
        if reader is None:
            continue
        line += source.count(b"\n", at, found.start())
        at = found.start()
        literal, constant, default = found[1], found[2], found[3]
        text = _argument(default.decode("utf-8", "replace")) if default else ""
        name = (literal or constant).decode()
        yield EnvironmentUse(name, literal is None, reader[1].decode(), text, False, "", line)


def _argument(text: str) -> str:
    """Cut `text` at the end of its first argument; empty when that is not on the line."""
    depth, quote = 0, ""
    for position, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}" or (char == "," and not depth):
            if not depth:
                return text[:position].strip()
            depth -= 1
    return ""
