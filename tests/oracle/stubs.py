"""Stub values: objects that stand for anything a program may print, each with a text of its own."""

from __future__ import annotations

import builtins
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any


class Stub(str):
    """A value known only by the path it was read from; the same path always prints the same text."""

    __slots__ = ("_known", "_path")
    _path: str
    _known: Mapping[str, Any]

    def __new__(cls, path: str, known: Mapping[str, Any] | None = None) -> Stub:
        """Make the stub of a path; `known` gives real values for some dotted paths."""
        made = super().__new__(cls, f"Zq{number(path)}z")
        made._path = path
        made._known = known if known is not None else {}
        return made

    def child(self, step: str) -> Any:
        """Give what a step (attribute, item, call) leads to."""
        path = self._path + step
        if path in self._known:
            return self._known[path]
        return Stub(path, self._known)

    def __getattr__(self, name: str) -> Any:
        if (
            name.startswith("__")
            and name.endswith("__")
            and name not in {"__cause__", "__doc__", "__name__", "__qualname__"}
        ):
            raise AttributeError(name)
        return self.child("." + name)

    def __getitem__(self, key: Any) -> Any:
        return self.child(f"[{key!s}]")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.child(f"({', '.join(map(str, args))}{sorted(kwargs)})")

    def __iter__(self) -> Iterator[Any]:
        yield self.child("[i0]")
        yield self.child("[i1]")

    def __len__(self) -> int:
        return number(self._path) % 1000 + 2

    def __bool__(self) -> bool:
        return True

    def __contains__(self, _: object) -> bool:
        return True

    def __format__(self, _: str) -> str:
        return str.__str__(self)

    def __int__(self) -> int:
        return number(self._path)

    __index__ = __int__

    def __float__(self) -> float:
        return float(number(self._path))

    def __add__(self, other: Any) -> Any:
        return str.__add__(self, other) if isinstance(other, str) else self.child(f"+{other}")

    def __radd__(self, other: Any) -> Any:
        return str.__add__(other, self) if isinstance(other, str) else self.child(f"+{other}")

    def __enter__(self) -> Stub:
        return self

    def __exit__(self, *_: object) -> None:
        return None


def number(path: str) -> int:
    """Give the number that stands for a path."""
    return 100_000 + zlib.crc32(path.encode("utf-8", "surrogatepass")) % 900_000


def _operator(symbol: str) -> Callable[[Stub, Any], Any]:
    def apply(self: Stub, other: Any) -> Any:
        return self.child(f"{symbol}{other}")

    return apply


def _reflected_mod(self: Stub, other: Any) -> Any:
    return str.__mod__(other, self) if isinstance(other, str) else self.child(f"r%{other}")


def _reflected_mul(self: Stub, other: Any) -> Any:
    return str.__mul__(other, 2) if type(other) is str else self.child(f"r*{other}")


setattr(Stub, "__rmod__", _reflected_mod)  # noqa: B010 - as above
setattr(Stub, "__rmul__", _reflected_mul)  # noqa: B010 - mypy knows `str.__rmul__` and forbids another


def _always(*_: Any) -> bool:
    return True


for _name, _symbol in {
    "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "matmul": "@",
}.items():  # fmt: skip
    setattr(Stub, f"__{_name}__", _operator(_symbol))
    # A text on the left formats or repeats itself: `str` must not lose `%` to the stub because a stub is a `str` too.
    if _name not in {"mod", "mul"}:
        setattr(Stub, f"__r{_name}__", _operator("r" + _symbol))
for _name in ("lt", "le", "gt", "ge"):
    setattr(Stub, f"__{_name}__", _always)
for _name in ("neg", "abs", "invert", "pos", "round", "await"):
    setattr(Stub, f"__{_name}__", lambda self, *_: self.child("'"))
# Methods of `str` that stand for any object's methods here: they give stubs, as an unknown object's would.
for _name in (
    "strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "split", "rsplit", "replace",
    "splitlines", "count", "index", "find", "encode", "removeprefix", "removesuffix", "partition", "rpartition",
    "casefold", "swapcase", "startswith", "endswith", "join", "format", "zfill", "ljust", "rjust", "center",
    "isdigit",
):  # fmt: skip

    def _method(self: Stub, *args: Any, _n: str = _name, **_: Any) -> Any:
        return self.child(f".{_n}({', '.join(map(str, args))})")

    setattr(Stub, _name, _method)


def lenient(name: str) -> Callable[..., Any]:
    """Give a builtin that answers with a stub when it cannot handle stubs."""
    real = getattr(builtins, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            found = real(*args, **kwargs)
            return found if not isinstance(found, (list, tuple, dict, set)) or found else Stub(f"{name}()")
        except Exception:
            return Stub(f"{name}({', '.join(map(str, args))})")

    return call


def short_range(*args: Any) -> Any:
    """Count only as far as a source's own small numbers go; a stub as a bound would mean a million rounds."""
    if all(type(bound) is int and abs(bound) <= 1000 for bound in args):
        return range(*args)
    return Stub(f"range({', '.join(map(str, args))})")


REAL = ("str", "repr", "ascii", "tuple", "ValueError", "isinstance", "locals")
LENIENT = (
    "len", "sorted", "list", "set", "frozenset", "dict", "int", "float", "bool", "max", "min", "sum", "abs",
    "round", "hex", "oct", "bin", "chr", "ord", "map", "filter", "zip", "enumerate", "reversed",
    "type", "any", "all", "hash", "id", "format", "divmod", "bytes", "next", "iter", "callable",
)  # fmt: skip


class Table(dict[Any, Any]):
    """A constant dict that answers unknown keys with a stub."""

    def __missing__(self, key: Any) -> Any:
        return Stub(f"table[{key}]")


class World(dict[str, Any]):
    """The global names of evaluated code: known constants, builtins, and a stub for everything else."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        super().__init__()
        self.known = known
        self.unbound: set[str] = set()
        """Local names that have no value; no stub stands for them."""
        for name in REAL:
            self[name] = getattr(builtins, name)
        for name in LENIENT:
            self[name] = lenient(name)
        self["range"] = short_range
        self["getattr"] = lambda obj, name, *_: (
            obj.child("." + str(name)) if isinstance(obj, Stub) else Stub(f"getattr.{name}")
        )
        self["__builtins__"] = {"__build_class__": builtins.__build_class__, "AssertionError": AssertionError}
        for name, value in known.items():
            if "." not in name:
                self[name] = Table(value) if type(value) is dict else value

    def __missing__(self, name: str) -> Any:
        if name in self.unbound:
            raise NameError(name)
        if name in {"__name__", "__file__"}:
            return Stub(name)
        made = Stub(name, self.known)
        self[name] = made
        return made
