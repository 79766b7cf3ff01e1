# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The demo's figures as a table, for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from takt_cli.analysis.counters import MessageTotals
from takt_cli.analysis.recording_cost import RecordingCost
from takt_cli.report.demo_summary import DemoExecutor, DemoSummary
from takt_cli.report.formatting import format_share, format_spread
from takt_cli.report.tables.rows import table_of, verdict_text, warnings
from takt_cli.report.values import NONE, Value, format_count, format_number
from takt_cli.surroundings.load import describe_load

_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}
STYLE = {"takt": "cyan", "baseline0": "dark_orange3", "baseline1": "medium_purple", "takt-rclcpp": "bright_blue"}


def demo_rows(executors: dict[str, DemoExecutor]) -> list[tuple[str, list[str]]]:
    """Return the rows of the table: the name of each figure and its cells, one for each executor in their order."""

    def row(name: str, cell: Callable[[DemoExecutor], str]) -> tuple[str, list[str]]:
        return name, [cell(e) for e in executors.values()]

    return [
        row("jobs (releases on the grid)", lambda e: format_count(e.jobs)),
        row(
            "deadline misses",
            lambda e: f"{format_count(e.deadline_misses)} ({format_share(e.deadline_misses, e.jobs)})",
        ),
        row("  late", lambda e: format_count(e.late)),
        row("  skipped", lambda e: format_count(e.skipped)),
        row("  unfinished", lambda e: format_count(e.unfinished)),
        row("  of all these, the policy would have avoided (unforced)", lambda e: format_count(e.unforced)),
        row("  the policy could not avoid either (forced)", lambda e: format_count(e.forced_misses)),
        row("  overlap a stall of the host", lambda e: format_count(e.host_misses)),
        row("stale executions", lambda e: f"{format_count(e.stale)} of {format_count(e.stale_n)}"),
        row("  share per node, mean over nodes", lambda e: _percent(e.stale_share_by_node)),
        row("data age p50 · p99 · max, ms", lambda e: format_spread(e.data_age_ms, "")),
        row("  n", lambda e: format_count(e.data_age_ms.n)),
        row("dispatch overhead per job, us", lambda e: format_number(e.dispatch_us.per_job)),
        row("  executor threads", lambda e: format_number(e.dispatch_us.executor)),
        row("  middleware threads", lambda e: format_number(e.dispatch_us.middleware)),
        row("  n", lambda e: format_count(e.dispatch_us.jobs)),
        row("  on the job's own thread p50 · p99 · max", lambda e: format_spread(e.dispatch_us, "")),
        row("  n", lambda e: format_count(e.dispatch_us.n)),
        row("decision time p50 · p99 · max, us", lambda e: format_spread(e.decision_us, "")),
        row("  n", lambda e: format_count(e.decision_us.n)),
        row("handover p50 · p99 · max, us", lambda e: format_spread(e.handover_us, "")),
        row("  n", lambda e: format_count(e.handover_us.n)),
        row("messages published, warm-up included", lambda e: format_count(e.messages.published)),
        row("  replaced by a newer one before they were read", lambda e: format_count(e.messages.replaced)),
        row("  lost, or replaced in the middleware", lambda e: format_count(_unexplained(e.messages))),
        row("release jitter p50 · p99 · max, us", lambda e: format_spread(e.release_jitter_us, "")),
        row("  n", lambda e: format_count(e.release_jitter_us.n)),
        row("response time p50 · p99 · max, ms", lambda e: format_spread(e.response_ms, "")),
        row("preemptions", lambda e: format_count(e.preemptions.total if e.preemptions else None)),
        row("CPU, s", lambda e: format_number(e.cpu_s)),
        row("  of it inside callbacks", lambda e: format_number(e.callback_cpu_s)),
        row("  of it requested by the spec (WCETs)", lambda e: format_number(e.work_cpu_s)),
        row("measurement overhead per job, us", lambda e: format_number(_measuring(e.measuring))),
        row("background load of this run (--load)", lambda e: describe_load(e.stress)),
        row("verdict", lambda e: e.verdict.outcome),
    ]


def _unexplained(messages: MessageTotals) -> int:
    return messages.missed - messages.replaced


def _percent(part: float | None) -> str:
    return NONE if part is None else f"{format_number(100 * part)} %"


def _measuring(cost: RecordingCost | None) -> float | None:
    return None if cost is None or cost.ns_per_call.p50 is None else cost.ns_per_call.p50 / 1000


def executors_of(demo: DemoSummary) -> str:
    """Return the number of executors in words: `three executors`."""
    number_of = len(demo.executors)
    return "one executor" if number_of == 1 else f"{_NUMBERS.get(number_of, str(number_of))} executors"


def demo_report(demo: DemoSummary, notes: list[str], folder: Path) -> list[RenderableType]:
    """Return the report for the terminal: the table, notes, the verdict in sentences, and the path of the page."""
    shown: list[dict[str, Value]] = [
        {"": name, **dict(zip(demo.executors, cells, strict=True))} for name, cells in demo_rows(demo.executors)
    ]
    shown[-1] |= {name: verdict_text(each.verdict) for name, each in demo.executors.items()}
    table = table_of(f"one application, {executors_of(demo)}", shown)
    for column in table.columns:
        column.style = STYLE.get(str(column.header), "")
    return [
        table,
        *warnings(notes),
        Text(demo.verdict, style="bold"),
        f"page with pictures, and definitions of all figures: {folder / 'page.html'}",
    ]
