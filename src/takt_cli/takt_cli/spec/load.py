# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Reads specs: parses a file and checks it completely. All specs are read here."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec import UNSET

from takt_cli.spec.application import LOWEST_PRIORITY, Application, Callback, Node, Overload, Qos, Topic
from takt_cli.spec.checks import Checks
from takt_cli.spec.document import parse, read_file
from takt_cli.spec.schema import validate


@dataclass(frozen=True)
class Spec:
    """An application with the text that it was read from, which is stored with results."""

    file: str
    text: bytes
    application: Application


def read_spec(path: Path, policy: str | None = None) -> Spec:
    """Read and check a file. Raises a SpecError. `policy`, if given, replaces the spec's own."""
    text = read_file(path, "a spec (YAML)")
    return Spec(str(path), text, parse_spec(text, str(path), policy))


def built_in_spec(name: str, policy: str | None = None) -> Spec:
    """Return one of the command's own applications."""
    text = files("takt_cli").joinpath(f"applications/{name}").read_bytes()
    return Spec(name, text, parse_spec(text, name, policy))


def parse_spec(text: bytes, file: str, policy: str | None = None) -> Application:
    """Return the application that `text` describes. A SpecError names `file` and the line."""
    document = parse(text, file)
    validate(document)
    data = document.data
    assert isinstance(data, dict)
    checks = Checks(document)
    application = _build(data, checks, policy)
    checks.application(application)
    return application


def _build(data: dict[str, Any], checks: Checks, policy: str | None) -> Application:
    topics = tuple(
        Topic(t["name"], checks.size(t["size"], ("topics", i, "size")), t.get("external", False))
        for i, t in enumerate(data.get("topics", []))
    )
    checks.unique([t.name for t in topics], ("topics",), "topic")
    index = {topic.name: i for i, topic in enumerate(topics)}
    effective = policy or data.get("policy", "rm")
    nodes = []
    for n, node in enumerate(data["nodes"]):
        callbacks = []
        for c, raw in enumerate(node["callbacks"]):
            callback_path = ("nodes", n, "callbacks", c)
            place = raw.get("processor", node.get("processor", UNSET))
            callbacks.append(_callback(raw | {"processor": place}, checks, callback_path, index, effective))
        checks.unique([c.name for c in callbacks], ("nodes", n, "callbacks"), "callback of this node")
        nodes.append(Node(node["name"], node.get("group", "exclusive"), tuple(callbacks)))
    checks.unique([n.name for n in nodes], ("nodes",), "node")
    qos = data.get("qos", {})
    return Application(
        name=data.get("name", Path(checks.document.file).stem[:100] or "application"),
        policy=effective,
        qos=Qos(qos.get("reliability", "reliable"), qos.get("depth", 1)),
        topics=topics,
        nodes=tuple(nodes),
        overload=_overload(data["overload"], checks) if "overload" in data else None,
    )


def _overload(raw: dict[str, Any], checks: Checks) -> Overload:
    begin = checks.duration(raw.get("from", "0ms"), ("overload", "from"))
    end = checks.duration(raw["to"], ("overload", "to"))
    if end <= begin:
        checks.fail(("overload", "to"), "the overload ends before it begins; give a 'to' after its 'from'")
    return Overload(begin, end, float(raw["factor"]))


def _callback(
    raw: dict[str, Any], checks: Checks, callback_path: tuple[str | int, ...], topics: dict[str, int], policy: str
) -> Callback:
    def time(key: str, default: int = 0) -> int:
        return checks.duration(raw[key], (*callback_path, key)) if key in raw else default

    period = time("period")
    if policy in {"fp", "np-fp"} and "priority" not in raw:
        checks.fail(
            (*callback_path, "priority"),
            f"'priority' is missing, which the policy {policy} needs; add one from 1 to 98, or let "
            "`takt check SPEC --policy dm --assign` find them",
        )
    if "on_budget" in raw and "budget" not in raw:
        checks.fail(
            (*callback_path, "on_budget"), "there is no 'budget' that could be exhausted; add one, or remove this"
        )
    if "budget" in raw and time("budget") == 0:
        checks.fail((*callback_path, "budget"), "a budget of 0 is always exhausted; give more, or remove it")
    overrun = str(raw.get("overrun", "skip"))
    reads = checks.topics(raw.get("reads", []), (*callback_path, "reads"), topics)
    return Callback(
        name=raw["name"],
        period=period,
        phase=time("phase"),
        deadline=time("deadline", period),
        priority=raw.get("priority", LOWEST_PRIORITY),
        wcet=time("wcet"),
        queue=0 if overrun == "skip" else int(overrun[len("queue(") : -1]),
        reads=reads,
        publishes=checks.topics(raw.get("publishes", []), (*callback_path, "publishes"), topics),
        max_ages=_max_ages(raw, checks, callback_path, topics, reads),
        on_stale=raw.get("on_stale"),
        extra_releases=raw.get("extra_releases", False),
        processor=raw["processor"],
        budget=time("budget"),
        on_budget=raw.get("on_budget", "report"),
    )


def _max_ages(
    raw: dict[str, Any],
    checks: Checks,
    callback_path: tuple[str | int, ...],
    topics: dict[str, int],
    reads: tuple[int, ...],
) -> tuple[int, ...]:
    ages = {}
    for name, text in raw.get("max_age", {}).items():
        path = (*callback_path, "max_age", name)
        if topics.get(name) not in reads:
            checks.fail(path, f"{name!r} is not among the topics that the callback reads; add it to 'reads'")
        ages[topics[name]] = checks.duration(text, path)
    return tuple(ages.get(topic, 0) for topic in reads) if ages else ()
