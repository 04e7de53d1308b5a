"""One site explained by itself, from bytes to its prose: what a worker runs and the cache keeps.

Prose follows from a linked site and its message alone, so the same parcel always gives the same explanation.
"""

from __future__ import annotations

import msgspec

from extractor.explain.prose import explain_fields
from extractor.model.facts import ScanOptions
from extractor.model.linked import LinkedSite
from extractor.model.record import Explanation, MessageRow

Pair = tuple[LinkedSite, MessageRow]

_decode = msgspec.msgpack.Decoder(Pair).decode


def parcel(pair: Pair) -> bytes:
    """Return the bytes that stand for a site and its message."""
    return msgspec.msgpack.encode(pair)


def explain_parcel(data: bytes, options: ScanOptions) -> Explanation:
    """Return the prose of one site; `options` has the shape that workers expect."""
    del options
    return explain_fields(*_decode(data))
