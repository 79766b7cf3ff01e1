# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The demo's page: one self-contained HTML file for light and dark mode and for any screen size."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from markupsafe import Markup

from takt_cli.analysis.result import Result
from takt_cli.chart.style import COLOURS, DARK
from takt_cli.chart.svg import themed
from takt_cli.report.demo_summary import DemoExecutor, DemoSummary
from takt_cli.report.formatting import (
    EXECUTOR_DESCRIPTIONS,
    describe_middleware,
    format_count,
    format_number,
    format_percentile,
    format_share,
)
from takt_cli.report.grants import priorities
from takt_cli.report.html import host_facts, template
from takt_cli.report.tables.demo import demo_rows, executors_of
from takt_cli.results.json_file import plain
from takt_cli.spec.application import Application
from takt_cli.spec.units import format_duration, format_size

SIDE_BY_SIDE = ("misses", "stale", "data-age", "dispatch")


def demo_page(
    demo: DemoSummary,
    application: Application,
    plots: dict[str, str],
    runs: dict[str, Result],
    spec_text: str,
    notes: list[str],
) -> str:
    """Return the page as HTML.

    `plots` are SVG documents by name; those whose names begin with `timeline-` get a row each. `runs` are the results
    by executor.
    """
    inline = {name: Markup(themed(svg)) for name, svg in plots.items()}
    first = next(iter(runs.values()))
    origin = first.origin
    return template("demo.html.j2").render(
        demo=demo,
        executors=executors_of(demo),
        sentences=demo.sentences,
        cards=[_card(name, metrics) for name, metrics in demo.executors.items()],
        plots={name: svg for name, svg in inline.items() if name in SIDE_BY_SIDE},
        timelines={name: svg for name, svg in inline.items() if name.startswith("timeline-")},
        rows=demo_rows(demo.executors),
        light=COLOURS,
        dark=DARK,
        subtitle=_subtitle(application, first),
        facts=host_facts(first.host),
        processes=_granted(runs),
        versions=origin.versions | {"commit": origin.commit},
        middleware=plain(origin.middleware),
        middleware_words=describe_middleware(first),
        spec=spec_text,
        notes=demo.doubts + notes,
        made=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M"),
    )


def _subtitle(application: Application, run: Result) -> list[str]:
    periods = sorted({task.callback.period for task in application.tasks})
    return [
        f"{len(application.nodes)} nodes",
        f"periods {', '.join(format_duration(p) for p in periods)}",
        f"utilisation {application.utilisation:.2f}",
        f"{format_size(application.largest_message)} messages",
        f"on CPU {', '.join(map(str, run.host.used_cpus))} only",
        f"{run.settings.duration / 1e9:g} s each",
        run.record.rmw,
    ] + ([f"load {stress.asked.name} by {stress.by}"] if (stress := run.record.stress) is not None else [])


def _card(name: str, metrics: DemoExecutor) -> dict[str, Any]:
    misses = f"{format_count(metrics.deadline_misses)} of {format_count(metrics.jobs)}"
    if metrics.deadline_misses:
        misses += f", {format_count(metrics.unforced)} of them unforced"
    return {
        "name": name,
        "description": EXECUTOR_DESCRIPTIONS.get(name, ""),
        "outcome": metrics.verdict.outcome,
        "reasons": metrics.verdict.why,
        "entries": [
            ("missed deadlines", format_share(metrics.deadline_misses, metrics.jobs), misses),
            (
                "stale executions",
                format_share(metrics.stale, metrics.stale_n),
                f"{format_count(metrics.stale)} of {format_count(metrics.stale_n)}",
            ),
            (
                "data age, p99",
                format_percentile(metrics.data_age_ms, "p99", "ms"),
                f"n {format_count(metrics.data_age_ms.n)}",
            ),
            (
                "dispatch overhead per job",
                f"{format_number(metrics.dispatch_us.per_job)} us",
                f"n {format_count(metrics.dispatch_us.jobs)}",
            ),
        ],
    }


def _granted(runs: dict[str, Result]) -> list[tuple[str, str]]:
    """Return a description of each executor's thread priorities, those that were refused included."""
    return [(f"{name}, priorities", priorities(run)) for name, run in runs.items()]
