# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Descriptions of granted rights, policies in use and thread priorities."""

from __future__ import annotations

from takt_cli.analysis.grants import PriorityRequests, ordinary_thread_count, priority_requests, uses_other_policy
from takt_cli.analysis.result import Result
from takt_cli.analysis.result_set import SetRun
from takt_cli.analysis.run_summary import RunSummary
from takt_cli.spec.executors import schedules


def policy_label(summary: RunSummary) -> str:
    """Return the policy of a run, for the brackets after the executor's name in a heading."""
    policy, in_use = summary.policy, summary.policy_in_use
    if not schedules(summary.executor):
        return f"replayed as {policy}"
    if uses_other_policy(summary.executor, policy, in_use):
        # Without real-time rights takt falls back to the non-preemptive form of the policy.
        return f"{in_use}, without preemption, instead of {policy}" if _not_preemptive(in_use) else in_use
    return policy


def describe_downgrade(name: str, summary: RunSummary) -> str | None:
    """Return a sentence on how refused rights affected a run, or None if nothing was refused."""
    if not summary.refused:
        return None
    policy, in_use = summary.policy, summary.policy_in_use
    if uses_other_policy(name, policy, in_use):
        manner = "without preemption, " if _not_preemptive(in_use) else ""
        return f"{name} ran {manner}as {in_use} instead of {policy}: rights were refused."
    return f"{name} ran without some of the rights it asked for."


def refusal_line(runs: dict[str, RunSummary]) -> str | None:
    """Return one line about refused rights in all runs, or None. It is for standard error when the output is JSON."""
    downgrades = [sentence for name, summary in runs.items() if (sentence := describe_downgrade(name, summary))]
    if not downgrades:
        return None
    lines = dict.fromkeys(line for summary in runs.values() for line in summary.refused)
    return f"takt: {' '.join(downgrades)} Not granted: {'; '.join(lines)}"


def priorities(run: Result | SetRun) -> str:
    """Describe the real-time priorities of a run's threads and their CPUs. For example `takt.timer 49, takt.w1..w3
    44..46, middleware 48 (7 threads); all on CPU 1`."""
    request_texts = [_describe_requests(group) for group in priority_requests(run.record)]
    parts = [", ".join(request_texts) or "no real-time priorities"]
    if ordinary_count := ordinary_thread_count(run.record):
        parts.append(f"{ordinary_count} threads asked for no real-time priority")
    cpus = run.host.used_cpus
    parts.append(f"all on CPU {cpus[0]}" if len(cpus) == 1 else f"on CPUs {', '.join(map(str, cpus))}")
    return "; ".join(parts)


def _describe_requests(group: PriorityRequests) -> str:
    threads = len(group.names)
    name = group.role
    several_names = len(set(group.names)) > 1
    if group.role in ("timer", "worker", "handler"):
        name = group.names[0] + (f"..{group.names[-1].removeprefix('takt.')}" if several_names else "")
    text = f"{name} {_range(group.requested)}"
    if threads > 1 and (name == group.role or not several_names):
        text += f" ({threads} threads)"
    if group.all_granted:
        return text
    return f"{text} refused" if not any(group.granted) else f"{text} granted as {_range(group.granted)}"


def _range(priorities_: tuple[int, ...]) -> str:
    low, high = min(priorities_), max(priorities_)
    return str(low) if low == high else f"{low}..{high}"


def _not_preemptive(policy: str) -> bool:
    return policy.startswith("np-") or policy in ("fifo", "ros")
