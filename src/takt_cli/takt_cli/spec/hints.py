# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Hints for keys and values that specs do not have, or have under another name or in another place: what to write
instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from takt_cli.spec.document import Path

_RELEASED = (
    "specs have timers only (a callback that messages release cannot be written until specs have chains); "
    "give it a 'period', and name under 'reads' what it takes at each release"
)
_ASKED = "specs have only timers and topics, no services or actions; write a timer with the same execution time"
_PER_TOPIC = "the QoS is the same for all topics; give it by 'qos' at the top level"
_QOS = "specs have only 'reliability' and 'depth'; all topics are volatile with the history keep-last"
_BEHIND = "is not part of a spec, which says what runs and not how; give it on the command line"
_RATE = "callbacks have a 'period': 10ms is 100 Hz"
_PROCESSOR = "callbacks have a 'processor', a place in the list that --cpu gives"
_WORK = "every job takes exactly its 'wcet' of CPU time"

# Hints by unknown keys (separated by blanks), in groups by the path of the mapping, without indices.
KEYS: dict[str, dict[str, str]] = {
    "": {
        "chains": _RELEASED,
        "services actions": _ASKED,
        "tasks callbacks timers": "callbacks are listed by node, as 'callbacks' of an entry of 'nodes'",
        "scenarios strategy": "scenarios are in a file of their own, which `takt check --strategy` reads",
        "executor executors": f"{_BEHIND}: --executor",
        "cpu cpus processors cores": f"{_BEHIND}: --cpu, or --processors where nothing runs",
        "duration warmup": f"{_BEHIND}: --{{key}}",
    },
    "qos": {"durability history lifespan liveliness deadline lease_duration": _QOS},
    "topics": {
        "qos reliability depth durability history": _PER_TOPIC,
        "type": "messages are plain bytes; give their 'size'",
        "rate frequency hz period publisher": "a topic gets its messages from the callback that 'publishes' it",
    },
    "nodes": {
        "subscriptions publishers timers": "a node's timers are its 'callbacks', which say what each 'reads' and "
        "'publishes'",
        "services service clients client servers actions action": _ASKED,
        "namespace": "nodes have no namespace; write it into 'name', with underscores",
        "executor": f"{_BEHIND}: --executor",
        "cpu cpus core affinity": "nodes have a 'processor', a place in the list that --cpu gives",
        "parameters lifecycle": "nodes in a spec have only callbacks",
    },
    "nodes.callbacks": {
        "trigger triggers triggered_by trigger_on on on_message on_data event events release releases released_by "
        "subscribes subscribe subscription subscriptions subscriber sub topic topics input inputs input_topics "
        "waits_for after follows sporadic aperiodic min_interval min_interarrival": _RELEASED,
        "service services server serves client clients calls action actions": _ASKED,
        "type kind": "all callbacks are timers; leave it out",
        "rate frequency freq hz": _RATE,
        "timer interval": "callbacks have a 'period', such as 10ms",
        "offset": "callbacks have a 'phase'",
        "jitter": "timers are released without jitter; `takt check --jitter` assumes some",
        "cpu core affinity": _PROCESSOR,
        "bcet acet execution_time execution runtime duration exec_time load": _WORK,
        "output outputs writes pub publish publisher publishers": "what each job sends is listed under 'publishes'",
        "callback_group group": "'group' is a key of the node, for all of its callbacks",
        "qos reliability depth": _PER_TOPIC,
    },
}
# Words for "nothing", and those that stand in place of a period.
_NOTHING = (None, "none", "null", "inf", ".inf", "infinity")
_NO_PERIOD = (*_NOTHING, "sporadic", "aperiodic", "event", "message", "on_message")


def hint_for_missing_period(data: Any, callback: Mapping[str, Any]) -> str | None:
    """Return the message for a callback without a period that reads topics or bounds their age; None for others."""
    reads = callback.get("reads")
    if not reads and "max_age" not in callback:
        return None
    topics = reads if isinstance(reads, list) else [reads] if reads else []
    for other in _callbacks(data):
        period, publishes = other.get("period"), other.get("publishes")
        common_topics = [topic for topic in topics if isinstance(publishes, list) and topic in publishes]
        if isinstance(period, str) and common_topics:
            return f"'period' is missing: {_RELEASED}; the publisher of {common_topics[0]!r} has 'period: {period}'"
    return f"'period' is missing: {_RELEASED}, such as 'period: 10ms'"


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
    for words, text in KEYS.get(key_path, {}).items():
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
        return _RELEASED
    if word not in _NOTHING:
        return None
    if key == "deadline":
        return (
            "every callback has a deadline, by default its period; leave it out, or give one above the "
            "period with 'overrun: queue(n)'"
        )
    optional = key in callback["properties"] and key not in callback["required"]
    return f"there is no word for none; leave out {key!r}" if optional else None
