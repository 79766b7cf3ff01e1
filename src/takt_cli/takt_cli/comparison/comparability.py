# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Check whether two results are comparable: whether their hosts and settings are the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from takt_cli.analysis.hosts import FACTS
from takt_cli.analysis.result_set import SetRun
from takt_cli.errors import ResultError
from takt_cli.results.origin import Host, Origin

_MAX_LENGTH = 60


def host_facts(host: Host | None) -> dict[str, str]:
    """Return what must be equal of two hosts, as text by name."""
    return {name: str(host and fact(host)) for name, fact in FACTS.items()}


def conditions(run: SetRun) -> dict[str, str]:
    """Return what must be equal for a comparison, as text by name: facts of the host, and all settings except the
    executor."""
    origin, record, settings = run.origin, run.record, run.settings
    middleware, processes = origin.middleware, record.processes
    facts: dict[str, Any] = {
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
    return host_facts(run.host) | {name: str(value) for name, value in facts.items()}


def differences(a: Sequence[Mapping[str, str]], b: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the conditions that differ among two sides, as texts such as `kernel (6.1 / 6.8)`, with the values of the
    first one first."""
    found = []
    for name in dict.fromkeys(name for each in (*a, *b) for name in each):
        sides = [list(dict.fromkeys(each.get(name, "none") for each in side)) for side in (a, b)]
        if len({value for side in sides for value in side}) > 1:
            found.append(f"{name} ({' / '.join(_brief(side) for side in sides)})")
    return found


def require_alike(a: Path, b: Path, unlike: Sequence[str], force: bool, hint: str = "") -> None:
    """Raise ResultError if conditions of two results differ, unless `force`."""
    if unlike and not force:
        raise ResultError(
            f"{a} and {b}: not of the same host and settings: {'; '.join(unlike)}; "
            f"compare other results, or give --force{hint}"
        )


def version_notes(*origins: Origin) -> list[str]:
    """Return a note if two results were made by two versions of takt: this is a legitimate comparison, not a
    mistake."""
    a, b = (_version(origin.versions.get("takt"), origin.commit) for origin in origins)
    return [] if a == b else [f"versions of takt: {a} in A, {b} in B"]


def _version(version: str | None, commit: str | None) -> str:
    return f"{version} ({commit[:12]})" if commit else str(version)


def differing_conditions(runs: Iterable[SetRun], other_runs: Iterable[SetRun]) -> list[str]:
    """Return the conditions that differ among these runs."""
    return differences([conditions(run) for run in runs], [conditions(run) for run in other_runs])


def _digest(run: SetRun) -> str:
    try:
        return hashlib.sha256((run.folder / "spec.yaml").read_bytes()).hexdigest()[:12]
    except OSError as error:
        raise ResultError(f"{run.folder / 'spec.yaml'}: cannot be read: {error.strerror}") from None


def _brief(values: list[str]) -> str:
    text = " and ".join(values)
    return text if len(text) <= _MAX_LENGTH else f"{text[: _MAX_LENGTH - 3]}..."
