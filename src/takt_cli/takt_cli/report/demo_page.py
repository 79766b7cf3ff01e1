# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The demo's page: one self-contained HTML file for light and dark mode and for any screen size."""

from __future__ import annotations

from datetime import datetime

from markupsafe import Markup

from takt_cli.analysis.result import Result
from takt_cli.chart.style import COLOURS, DARK
from takt_cli.chart.svg import themed
from takt_cli.report.demo_summary import DemoSummary
from takt_cli.report.formatting import describe_middleware
from takt_cli.report.grants import priorities
from takt_cli.report.html import host_facts, template
from takt_cli.report.tables.demo import demo_rows, executors_of
from takt_cli.report.tables.study import executor_card
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
    """Return the page as HTML. `plots` are SVG documents by name; those whose names begin with `timeline-` get a row
    each. `runs` are the results by executor."""
    inline = {name: Markup(themed(svg)) for name, svg in plots.items()}
    first = next(iter(runs.values()))
    origin = first.origin
    return template("demo.html.j2").render(
        demo=demo,
        executors=executors_of(demo),
        sentences=demo.sentences,
        cards=[executor_card(name, [each], [each.verdict]) for name, each in demo.executors.items()],
        plots={name: svg for name, svg in inline.items() if name in SIDE_BY_SIDE},
        timelines={name: svg for name, svg in inline.items() if name.startswith("timeline-")},
        rows=demo_rows(demo.executors),
        light=COLOURS,
        dark=DARK,
        subtitle=_subtitle(application, first),
        facts=host_facts(first.host),
        processes=[(f"{name}, priorities", priorities(run)) for name, run in runs.items()],
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
