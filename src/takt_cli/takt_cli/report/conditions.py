# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Descriptions of the load, traffic, link and limits of a measurement: what was requested and what was achieved."""

from __future__ import annotations

from typing import Any

from takt_cli.report.formatting import format_number


def condition_lines(conditions: dict[str, Any] | None) -> list[str]:
    """Return a line for each condition, or one line that says that there was no load and no traffic."""
    known_conditions = conditions or {}
    lines = [
        line
        for name, make in (("load", _load), ("traffic", _traffic), ("link", _link), ("limits", _limits))
        if known_conditions.get(name) is not None
        for line in [make(known_conditions[name])]
    ]
    return lines or ["no load and no traffic were generated"]


def conditions_phrase(conditions: dict[str, Any] | None) -> str:
    """Return the conditions as a short phrase for a title: `idle`, `under load and traffic`."""
    known_conditions = conditions or {}
    parts = [name for name in ("load", "traffic") if known_conditions.get(name) is not None]
    return f"under {' and '.join(parts)}" if parts else "idle"


def _load(load: dict[str, Any]) -> str:
    requested = load["asked"]
    workers = ", ".join(f"{n} {kind}" for kind, n in requested["workers"].items())
    each = " on each CPU," if requested["on_each_cpu"] else ""
    used_text = ", ".join(f"{kind} {format_number(value)}" for kind, value in load.get("cpus_used", {}).items())
    label = f" ({requested['label']})" if requested.get("label") else ""
    settled = ""
    if "settled" in load:
        settling_time = f"{format_number(load['settled_after_seconds'])} s"
        settled = f"; settled after {settling_time}" if load["settled"] else f"; had not settled after {settling_time}"
    return f"load: {workers} workers{each} of {load['by']}{label}; CPUs used: {used_text or 'unknown'}{settled}"


def _traffic(traffic: dict[str, Any]) -> str:
    flows = {name: flow for name, flow in traffic.items() if isinstance(flow, dict) and name != "asked"}
    rates = ", ".join(f"{name.replace('_', ' ')} {_rate(flow)}" for name, flow in flows.items())
    return (
        f"traffic: {format_number(traffic['asked']['mbit_each_way'])} Mbit/s each way over {traffic['over']} "
        f"by {traffic['by']}; achieved: {rates or 'unknown'}"
    )


def _rate(flow: dict[str, Any]) -> str:
    return f"{format_number(flow['received_mbit'])} Mbit/s" if flow.get("received_mbit") is not None else "unknown"


def _link(link: dict[str, Any]) -> str:
    requested = link["asked"]
    return f"link: {requested['mbit']} Mbit/s between {requested['kind']}"


def _limits(limits: dict[str, Any]) -> str:
    requested = limits["asked"]
    parts = []
    if requested["cpu_share"] is not None:
        granted = f" (granted: {format_number(limits['cpus'])} CPUs)" if limits.get("cpus") is not None else ""
        parts.append(f"{100 * requested['cpu_share']:g} % of all CPUs' time{granted}")
    if requested["mbit"] is not None:
        parts.append(f"{format_number(requested['mbit'])} Mbit/s")
    return f"limits on all other processes: {', '.join(parts)}"
