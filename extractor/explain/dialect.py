"""Vocabularies of the explanations: data only, in one place, for any Python repository."""

from __future__ import annotations

FALSE_WORDS = frozenset({"else", "early-exit", "if", "assert"})
"""Guards whose tests may form a chain on one subject."""

COMPARED = {
    "gt": "greater than",
    "ge": "at least",
    "lt": "less than",
    "le": "at most",
}

TYPE_WORDS = {
    "str": "a string",
    "int": "an integer",
    "float": "a float",
    "bool": "a boolean",
    "list": "a list",
    "dict": "a dict",
    "tuple": "a tuple",
    "bytes": "bytes",
    "set": "a set",
    "None": "None",
    "Mapping": "a mapping",
    "Sequence": "a sequence",
    "torch.Tensor": "a torch.Tensor",
    "np.ndarray": "a NumPy array",
    "numpy.ndarray": "a NumPy array",
    "Path": "a Path",
}

PROPERTIES = {
    "shape": "the shape of {}",
    "ndim": "the number of dimensions of {}",
    "dtype": "the dtype of {}",
    "device": "the device of {}",
    "dim()": "the number of dimensions of {}",
    "numel()": "the number of elements of {}",
    "is_contiguous()": "contiguity of {}",
    "device.type": "the device type of {}",
    "size()": "the shape of {}",
    "stride()": "the strides of {}",
    "layout": "the layout of {}",
}

SAFE_CALLS = frozenset(
    {
        "len",
        "isinstance",
        "any",
        "all",
        "int",
        "str",
        "float",
        "bool",
        "min",
        "max",
        "sum",
        "abs",
        "set",
        "list",
        "tuple",
        "sorted",
        "type",
        "hasattr",
        "getattr",
        "dict",
        "range",
        "frozenset",
        "round",
    }
)
"""Builtins that a pre-check may call."""

SAFE_METHODS = frozenset(
    {
        "startswith",
        "endswith",
        "lower",
        "upper",
        "strip",
        "get",
        "keys",
        "values",
        "items",
        "split",
        "isdigit",
        "numel",
        "dim",
        "size",
    }
)

BUILTIN_TYPES = frozenset(
    {"str", "int", "float", "bool", "list", "dict", "tuple", "bytes", "set", "frozenset", "bytearray", "complex"}
)

SURFACE_PHRASES = {
    "server-launch": "while the server's settings are resolved or its parts are built",
    "request": "while a request is handled",
    "model-loading": "while a model or its configuration is loaded",
    "python-api": "in a script or library call",
    "kernel": "in kernel code, on values that the program itself hands over",
    "internal": "inside the program",
}
