# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A measurement: all that the command knows about one kind, from its options to its charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from rich.console import RenderableType
from rich.text import Text

from takt_cli.analysis.virtual_time import virtual_time_label
from takt_cli.chart.chart import Chart
from takt_cli.comparison.figures import Figure
from takt_cli.options.usage import AddOption, Usage
from takt_cli.report.conditions import condition_lines
from takt_cli.report.formatting import format_verdict
from takt_cli.report.tables.rows import STYLES
from takt_cli.results.origin import Origin
from takt_cli.results.result_file import ResultFormat
from takt_cli.results.verdict import Verdict
from takt_cli.run.in_guest import THIS_KERNEL, OnKernel
from takt_cli.run.progress import Progress


class MeasurementSettings(Protocol):
    """What the settings of every measurement tell: the number of its parts and its whole duration in seconds, for the
    progress bar."""

    @property
    def parts(self) -> int: ...
    @property
    def seconds(self) -> float: ...


class MeasurementResult(Protocol):
    """What is read from every folder beside the samples: the settings and the origin in result.json."""

    @property
    def settings(self) -> Any: ...
    @property
    def origin(self) -> Origin: ...


Settings = TypeVar("Settings", bound=MeasurementSettings)
Record = TypeVar("Record")
Result = TypeVar("Result", bound=MeasurementResult)
Summary = TypeVar("Summary")


@dataclass(frozen=True, kw_only=True)
class ComparisonRules(Generic[Settings, Result, Summary]):
    """How two results of one kind are compared."""

    subject: Callable[[Settings], str]
    """Returns what was measured, in a few words."""
    may_differ: frozenset[str]
    """The fields of the settings that need not be equal."""
    figures: Callable[[Result, Summary], Mapping[str, Sequence[Figure[Any]]]]
    """Returns the figures of each variant, by its name."""


@dataclass(frozen=True, kw_only=True)
class Measurement(Generic[Settings, Record, Result, Summary]):
    """A kind of measurement. Its name is that of its format.

    `Settings` is what the user asked for; it and `Record`, what the programs reported, are in result.json. `Result` is
    what a folder holds, with its samples; `Summary`, all figures, goes into summary.json.
    """

    usage: Usage
    """Its help texts and options besides --out and --json, usually of the YAML file beside its module."""
    further_options: Sequence[AddOption] = ()
    """Its options that follow those. With `kernel_option` it can be made in a guest."""
    settings: Callable[..., Settings]
    """Returns the settings, for the values of the options by name. Raises a UsageError."""
    format: ResultFormat[Settings, Record]
    programs: Sequence[str]
    """The programs of the lab that it starts, which a guest needs."""
    run: Callable[[Settings, Path, list[str], Progress], None]
    """Makes the measurement and writes result.json and samples into the folder. It belongs to a module, since a guest
    imports it. The third argument is the command line."""
    read: Callable[[Path], Result]
    summarise: Callable[[Result], Summary]
    title: Callable[[Summary], str]
    """Returns what was measured, in a phrase: the heading of a page."""
    tables: Callable[[Summary], Sequence[RenderableType]]
    """Returns tables and remarks, for the terminal and for a page."""
    charts: Callable[[Result, Summary], Mapping[str, Chart]]
    """Returns the charts by the names of their files."""
    tools: Callable[[Settings], Sequence[str]] = lambda _: ()
    """Returns the programs of the system that it starts if they are installed, which a guest needs."""
    verdicts: Callable[[Summary], Mapping[str, Verdict]] = lambda _: {}
    """Returns the verdicts by the names of variants; a verdict on the whole has an empty name."""
    alone: bool = False
    """Whether its verb is one of `takt` itself, not of `takt measure`."""
    label: Callable[[Settings], str] = lambda _: ""
    """Returns what the name of a result's folder says instead of the kind's name, if that is not enough."""
    exit_status: Callable[[Summary], int] = lambda _: 0
    """Returns the exit status of the command."""
    comparison: ComparisonRules[Settings, Result, Summary] | None = None
    """How two results are compared; None: not at all."""

    @property
    def name(self) -> str:
        return self.format.kind

    @property
    def options(self) -> tuple[AddOption, ...]:
        return (*self.usage.all_options, *self.further_options)

    @property
    def command(self) -> str:
        """Its verb, with `takt`."""
        return f"takt {self.name}" if self.alone else f"takt measure {self.name}"

    def make(
        self,
        settings: Settings,
        folder: Path,
        command: list[str],
        progress: Progress,
        kernel: OnKernel = THIS_KERNEL,
        seconds: float | None = None,
    ) -> None:
        """Make the measurement on a kernel, and leave result.json and samples in the folder. `seconds` is its duration,
        if that differs from what the settings say."""
        kernel.measure(
            self.run,
            settings,
            folder,
            command,
            progress,
            programs=self.programs,
            seconds=settings.seconds if seconds is None else seconds,
            tools=self.tools(settings),
        )

    def report(self, summary: Summary, origin: Origin) -> list[RenderableType]:
        """Return what the terminal shows: tables, remarks, conditions, verdicts, and whether time was virtual."""
        parts = list(self.tables(summary))
        parts += condition_lines(origin.conditions) if origin.conditions is not None else []
        for name, verdict in self.verdicts(summary).items():
            reasons = format_verdict(verdict)
            parts.append(Text(f"{name}: {reasons}" if name else reasons, style=STYLES.get(verdict.outcome, "")))
        virtual = virtual_time_label(origin.virtual)
        return [*parts, Text(virtual, style="yellow")] if virtual else parts


AnyMeasurement = Measurement[Any, Any, Any, Any]
