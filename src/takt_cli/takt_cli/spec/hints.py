# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Hints for keys and values that specs do not have, or have under another name or in another place: what to write
instead."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from takt_cli.spec.document import Path
from takt_cli.spec.packaged import packaged


class Hints(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of hints.yaml."""

    released: str
    keys: dict[str, dict[str, str]]


@cache
def hints() -> Hints:
    """Return the texts of all hints."""
    return packaged(__package__, "hints", Hints)


# Words for "nothing", and those that stand in place of a period.
_NOTHING = (None, "none", "null", "inf", ".inf", "infinity")
_NO_PERIOD = (*_NOTHING, "sporadic", "aperiodic", "event", "message", "on_message")


def did_you_mean(word: str, known_words: Iterable[str], otherwise: str) -> str:
    """Return a hint that names the known word that is similar to `word`, or `otherwise` if there is none."""
    close_matches = difflib.get_close_matches(word, list(known_words), n=1)
    return f"did you mean {close_matches[0]!r}?" if close_matches else otherwise


def hint_for_missing_period(data: Any, callback: Mapping[str, Any]) -> str | None:
    """Return the message for a callback without a period that reads topics or bounds their age; None for others."""
    reads = callback.get("reads")
    if not reads and "max_age" not in callback:
        return None
    missing = f"'period' is missing: {hints().released}"
    topics = reads if isinstance(reads, list) else [reads] if reads else []
    for other in _callbacks(data):
        period, publishes = other.get("period"), other.get("publishes")
        common_topics = [topic for topic in topics if isinstance(publishes, list) and topic in publishes]
        if isinstance(period, str) and common_topics:
            return f"{missing}; the publisher of {common_topics[0]!r} has 'period: {period}'"
    return f"{missing}, such as 'period: 10ms'"


def _callbacks(data: Any) -> Iterator[Mapping[str, Any]]:
    nodes = data.get("nodes") if isinstance(data, dict) else None
    for node in nodes if isinstance(nodes, list) else ():
        callbacks = node.get("callbacks") if isinstance(node, dict) else None
        yield from (each for each in callbacks or () if isinstance(each, dict))


def hint_for_key(path: Path, schema: Mapping[str, Any]) -> str | None:
    """Return a hint for the unknown key at the end of `path` in an application, or None."""
    *place, key = path
    key_path = ".".join(str(part) for part in place if not isinstance(part, int))
    word = str(key).lower()
    for words, text in hints().keys.get(key_path, {}).items():
        if word in words.split():
            return text.format(key=word)
    homes = [home for home, keys in places_of_keys(schema).items() if key in keys and home != key_path]
    home_names = {"": "the top level", "nodes.callbacks": "a callback"}
    return f"is a key of {home_names.get(homes[0], repr(homes[0]))}; move it there" if len(homes) == 1 else None


def places_of_keys(schema: Mapping[str, Any]) -> dict[str, set[str]]:
    """Return the keys of a spec, by the place where they belong."""
    top = schema["properties"]
    inner = {"topics": top["topics"]["items"], "nodes": top["nodes"]["items"], "qos": top["qos"]}
    inner["nodes.callbacks"] = schema["$defs"]["callback"]
    return {"": set(top)} | {home: set(part["properties"]) for home, part in inner.items()}


def hint_for_value(key: str | int, value: Any, callback: Mapping[str, Any]) -> str | None:
    """Return a hint for a value that stands for "nothing", or None; `callback` is the schema of callbacks."""
    word = value.strip().lower() if isinstance(value, str) else value
    if key == "period" and word in _NO_PERIOD:
        return hints().released
    if word not in _NOTHING:
        return None
    if key == "deadline":
        return (
            "every callback has a deadline, by default its period; leave it out, or give one above the "
            "period with 'overrun: queue(n)'"
        )
    optional = key in callback["properties"] and key not in callback["required"]
    return f"there is no word for none; leave out {key!r}" if optional else None
