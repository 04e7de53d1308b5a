"""Feature and subsystem names of a site, from its path and message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from extractor.explain.vocabulary import FEATURES, PHRASES, PLACES

MOST_TAGS = 6
_WORDS = re.compile("[a-z0-9]+")
_TAG = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*\Z")
_BY_WORD = {word: tag for tag, words in reversed(FEATURES.items()) for word in words}


def tags(path: str, message: str, inputs: Sequence[str] = ()) -> tuple[str, ...]:
    """Return at most six tags.

    What the inputs and the message name, then the path; the file's folder if none names a feature.
    """
    found = dict.fromkeys((*(tag for name in inputs for tag in _features(name)), *_features(message), *_features(path)))
    return tuple(found)[:MOST_TAGS] or _folder(path)


@lru_cache(maxsize=2048)
def _features(text: str) -> tuple[str, ...]:
    words = _WORDS.findall(text.lower())
    joined = f" {' '.join(words)} "
    phrases = [tag for phrase, tag in PHRASES if f" {phrase} " in joined]
    return (*phrases, *(_BY_WORD[word] for word in words if word in _BY_WORD))


@lru_cache(maxsize=2048)
def _folder(path: str) -> tuple[str, ...]:
    parts = path.lower().removesuffix(".py").replace("_", "-").split("/")
    named = (part.strip("-") for part in reversed(parts) if part.strip("-") not in PLACES)
    return next(((part,) for part in named if _TAG.match(part)), ())
