# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Check whether two runs are comparable: whether their hosts and settings are the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from takt_cli.analysis.hosts import FACTS
from takt_cli.analysis.result_set import SetRun
from takt_cli.errors import ResultError

_MIDDLEWARE = {
    "publication mode": "publication_mode",
    "shared memory segment": "shared_memory_segment",
    "discovery": "discovery",
}
_QOS = ("topic", "task", "role", "reliability", "durability", "history", "depth")
_MAX_LENGTH = 60


def conditions(run: SetRun) -> dict[str, str]:
    """Return what must be equal for a comparison, as text by name: facts of the host, and all settings except the
    executor."""
    record = run.record
    host, middleware, processes = record["host"], record["middleware"], record["processes"]
    versions = {name: value for name, value in record["versions"].items() if name.startswith("ros")}
    built = {name: value for name, value in processes[0].get("versions", {}).items() if name != "ros"}
    facts: dict[str, Any] = {name: host.get(key) for name, key in FACTS.items()}
    facts |= {
        "spec": _digest(run),
        "policy": record["policy"],
        "duration": f"{record['duration_ns'] / 1e9:g} s",
        "warm-up": f"{record['warmup_ns'] / 1e9:g} s",
        "CPUs": sorted({cpu for p in processes[0]["processors"] for cpu in p.get("cpus") or [p["cpu"]]}),
        "real-time priorities": all((p.get("grants") or {}).get("realtime") for p in processes),
        "load beside it": ((record.get("stress") or {}).get("asked") or {}).get("name"),
        "trace": any(p.get("trace") for p in processes),
        "RMW": record["rmw"],
        "QoS": sorted({tuple(str(q.get(name)) for name in _QOS) for p in processes for q in p.get("qos", [])}),
        **{name: middleware.get(key) for name, key in _MIDDLEWARE.items()},
        **{f"version of {name}": value for name, value in versions.items()},
        **{f"build: {name}": value for name, value in built.items()},
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
    sides = [(run.record["versions"].get("takt"), run.record.get("commit")) for run in (one, other)]
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
