# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Check whether two runs are comparable: whether their hosts and settings are the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from takt_cli.analysis.hosts import FACTS
from takt_cli.analysis.result_set import SetRun
from takt_cli.errors import ResultError

_MAX_LENGTH = 60


def conditions(run: SetRun) -> dict[str, str]:
    """Return what must be equal for a comparison, as text by name: facts of the host, and all settings except the
    executor."""
    origin, record, settings = run.envelope.origin, run.record, run.settings
    middleware, processes = origin.middleware, record.processes
    facts: dict[str, Any] = {name: getattr(run.host, key) for name, key in FACTS.items()}
    facts |= {
        "spec": _digest(run),
        "policy": settings.policy,
        "duration": f"{settings.duration / 1e9:g} s",
        "warm-up": f"{settings.warmup / 1e9:g} s",
        "CPUs": sorted({cpu for place in processes[0].processors for cpu in place.every_cpu}),
        "real-time priorities": all(each.grants is not None and each.grants.realtime for each in processes),
        "load beside it": record.stress and record.stress.asked.name,
        "trace": any(each.trace for each in processes),
        "RMW": record.rmw,
        "QoS": sorted({qos for each in processes for qos in each.qos}),
        "publication mode": middleware and middleware.publication_mode,
        "shared memory segment": middleware and middleware.shared_memory_segment,
        "discovery": middleware and middleware.discovery,
        **{f"version of {name}": value for name, value in origin.versions.items() if name.startswith("ros")},
        **{f"build: {name}": value for name, value in processes[0].versions.items() if name != "ros"},
    }
    return {name: str(value) for name, value in facts.items()}


def differing_conditions(runs: Iterable[SetRun], other_runs: Iterable[SetRun]) -> list[str]:
    """Return the conditions that differ among these runs, as texts such as `kernel (6.1 / 6.8)`, with the values of
    `runs` first."""
    conditions_a, conditions_b = [conditions(run) for run in runs], [conditions(run) for run in other_runs]
    differences = []
    for name in dict.fromkeys(name for each in (*conditions_a, *conditions_b) for name in each):
        sides = [list(dict.fromkeys(each.get(name, "none") for each in side)) for side in (conditions_a, conditions_b)]
        if len({value for side in sides for value in side}) > 1:
            differences.append(f"{name} ({' / '.join(_brief(side) for side in sides)})")
    return differences


def version_notes(one: SetRun, other: SetRun) -> list[str]:
    """Return a note if the runs were made by two versions of takt: this is a legitimate comparison, not a mistake."""
    sides = [(origin.versions.get("takt"), origin.commit) for origin in (one.envelope.origin, other.envelope.origin)]
    if sides[0] == sides[1]:
        return []
    names = [f"{version} ({str(commit)[:12]})" if commit else str(version) for version, commit in sides]
    return [f"versions of takt: {names[0]} in A, {names[1]} in B"]


def _digest(run: SetRun) -> str:
    try:
        return hashlib.sha256((run.folder / "spec.yaml").read_bytes()).hexdigest()[:12]
    except OSError as error:
        raise ResultError(f"{run.folder / 'spec.yaml'}: cannot be read: {error.strerror}") from None


def _brief(values: list[str]) -> str:
    text = " and ".join(values)
    return text if len(text) <= _MAX_LENGTH else f"{text[: _MAX_LENGTH - 3]}..."
