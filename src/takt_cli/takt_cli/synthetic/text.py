# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Writes an application as the text of a spec."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import takt_cli
from takt_cli.spec.units import format_duration, format_size
from takt_cli.synthetic.exchange import Exchange
from takt_cli.synthetic.parameters import Parameters

_US = 1000


@dataclass(frozen=True)
class Timing:
    """A callback's timing: in nanoseconds, except for the WCET in microseconds."""

    period: int
    wcet: int
    deadline: int
    priority: int


def spec_text(
    name: str,
    parameters: Parameters,
    counts: Sequence[int],
    timing: Sequence[Timing],
    exchange: Exchange,
    remarks: Sequence[str],
) -> str:
    """Return the text of a spec. `counts` is the number of callbacks of each node; `remarks` become comments at the
    head."""
    lines = [f"# Made by takt generate {takt_cli.__version__}; a test case, not a design."]
    lines += [f"# {remark}" for remark in remarks if remark]
    lines.append(f"# Parameters: {parameters.text}")
    names, members = _callback_names(counts)
    topics = {i: "data_" + "".join(names[i]).replace("node", "").replace("timer", "") for i in exchange.publishes}
    callbacks = []
    for i, each in enumerate(timing):
        callback = {"name": names[i][1], "period": format_duration(each.period)}
        if each.deadline != each.period:
            callback["deadline"] = format_duration(each.deadline)
        callback |= {"wcet": format_duration(each.wcet * _US), "priority": str(each.priority)}
        if i in exchange.reads:
            callback["reads"] = f"[{', '.join(topics[t] for t in exchange.reads[i])}]"
        if i in topics:
            callback["publishes"] = f"[{topics[i]}]"
        callbacks.append(callback)
    size = format_size(parameters.message_size or 0)
    nodes = {node: [callbacks[i] for i in indices] for node, indices in members.items()}
    return "\n".join(lines) + "\n" + yaml_text(name, "fp", {topics[i]: size for i in sorted(topics)}, nodes)


def yaml_text(
    name: str, policy: str, topics: Mapping[str, str], nodes: Mapping[str, Sequence[Mapping[str, str]]]
) -> str:
    """Return a spec as YAML. `topics` are their sizes, `nodes` the callbacks of each, with values as they are
    written."""
    lines = [f"name: {name}", f"policy: {policy}"]
    if topics:
        lines += ["topics:", *(f"  - {{name: {topic}, size: {size}}}" for topic, size in topics.items())]
    lines.append("nodes:")
    for node, callbacks in nodes.items():
        lines += [f"  - name: {node}", "    callbacks:"]
        lines += [f"      - {{{', '.join(f'{k}: {v}' for k, v in each.items())}}}" for each in callbacks]
    return "\n".join(lines) + "\n"


def _callback_names(counts: Sequence[int]) -> tuple[list[tuple[str, str]], dict[str, list[int]]]:
    """Return the names of node and callback of each callback, and the callbacks of each node."""
    names: list[tuple[str, str]] = []
    nodes: dict[str, list[int]] = {}
    for n, count in enumerate(counts, 1):
        nodes[f"node{n}"] = list(range(len(names), len(names) + count))
        names += [(f"node{n}", "timer" if count == 1 else f"timer_{c}") for c in range(1, count + 1)]
    return names, nodes
