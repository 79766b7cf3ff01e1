# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Descriptions of the load, traffic, link and limits of a measurement: what was requested and what was achieved."""

from __future__ import annotations

from takt_cli.report.values import format_number
from takt_cli.results.achieved import (
    Achieved,
    AchievedFlow,
    AchievedLimits,
    AchievedLink,
    AchievedLoad,
    AchievedTraffic,
)
from takt_cli.surroundings.load import LABELS


def condition_lines(conditions: Achieved | None) -> list[str]:
    """Return a line for each condition, or one line that says that there was no load and no traffic."""
    if conditions is None or conditions == Achieved():
        return ["no load and no traffic were generated"]
    return [
        *([_load(conditions.load)] if conditions.load else []),
        *([_traffic(conditions.traffic)] if conditions.traffic else []),
        *([_link(conditions.link)] if conditions.link else []),
        *([_limits(conditions.limits)] if conditions.limits else []),
    ]


def conditions_phrase(conditions: Achieved | None) -> str:
    """Return the conditions as a short phrase for a title: `idle`, `under load and traffic`."""
    achieved = conditions or Achieved()
    parts = [name for name, part in (("load", achieved.load), ("traffic", achieved.traffic)) if part is not None]
    return f"under {' and '.join(parts)}" if parts else "idle"


def _load(load: AchievedLoad) -> str:
    workers = ", ".join(f"{n} {kind}" for kind, n in load.asked.kinds.items())
    each = " on each CPU," if load.asked.on_each_cpu else ""
    used_text = ", ".join(f"{kind} {format_number(value)}" for kind, value in load.cpus_used.items())
    label = f" ({LABELS[load.asked.name]})" if load.asked.name in LABELS else ""
    settled = ""
    if load.settling is not None:
        how = "settled" if load.settling.has_settled else "had not settled"
        settled = f"; {how} after {format_number(load.settling.seconds)} s"
    return f"load: {workers} workers{each} of {load.by}{label}; CPUs used: {used_text or 'unknown'}{settled}"


def _traffic(traffic: AchievedTraffic) -> str:
    rates = ", ".join(f"{name.replace('_', ' ')} {_rate(flow)}" for name, flow in traffic.flows.items())
    return (
        f"traffic: {format_number(traffic.asked.mbit_each_way)} Mbit/s each way over {traffic.over} "
        f"by {traffic.by}; achieved: {rates or 'unknown'}"
    )


def _rate(flow: AchievedFlow) -> str:
    return "unknown" if flow.received_mbit is None else f"{format_number(flow.received_mbit)} Mbit/s"


def _link(link: AchievedLink) -> str:
    return f"link: {link.asked.mbit} Mbit/s between {link.kind}"


def _limits(limits: AchievedLimits) -> str:
    parts = []
    if limits.asked.cpu_share is not None:
        granted = f" (granted: {format_number(limits.cpus)} CPUs)" if limits.cpus is not None else ""
        parts.append(f"{100 * limits.asked.cpu_share:g} % of all CPUs' time{granted}")
    if limits.asked.mbit is not None:
        parts.append(f"{format_number(limits.asked.mbit)} Mbit/s")
    return f"limits on all other processes: {', '.join(parts)}"
