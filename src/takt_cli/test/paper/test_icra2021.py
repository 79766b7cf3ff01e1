# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the paper on cycles: its runs, their verdicts, tables and figures."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import communication_samples as made
import pytest
from msgspec import structs

from takt_cli.chart.chart import Chart
from takt_cli.chart.marks import Line
from takt_cli.chart.page_figure import page_figure
from takt_cli.errors import ResultError
from takt_cli.paper.claims import ClaimVerdict
from takt_cli.paper.communication import (
    SECOND,
)
from takt_cli.paper.icra2021 import part as icra_part
from takt_cli.paper.icra2021.cases import OROCOS, cases, place_of_run
from takt_cli.paper.paper import Failure
from takt_cli.paper.papers import find_paper
from takt_cli.paper.report import write_paper
from takt_cli.paper.tables import goal_table
from takt_cli.results import verdict as of_run
from takt_cli.results.verdict import TOO_SHORT
from takt_cli.run.progress import Progress
from takt_cli.statistics.accumulation import NO_CONTROL

ICRA2021 = find_paper("icra2021")


def test_the_paper_has_eight_runs_of_which_four_are_not_repeated() -> None:
    assert len(cases()) == len({(case.kernel, case.stress, case.framework) for case in cases()}) == 8
    assert list(ICRA2021.parts) == ["vanilla-normal", "vanilla-stress", "preempt-rt-normal", "preempt-rt-stress"]
    assert [row.why for row in ICRA2021.verdicts({}) if row.claim == OROCOS] == ["OROCOS was not run"] * 4
    assert place_of_run("vanilla", None, "vanilla") == "here"
    assert place_of_run("PREEMPT_RT", None, "vanilla") is None
    assert place_of_run("PREEMPT_RT", "rt", "vanilla") == "guest"


def on_ros(name: str, part: icra_part.CycleFigures) -> ClaimVerdict:
    """Return the verdict on the claim on ROS 2 in a run."""
    (row,) = (row for row in ICRA2021.verdicts({name: part}) if row.part == name and row.claim != OROCOS)
    return row


@pytest.mark.parametrize(
    ("kernel", "stress", "delays", "verdict"),
    [
        ("vanilla", False, {}, "not confirmed"),
        ("vanilla", False, {"cycle": made.delay(largest=50), "request": made.delay(largest=20),
                            "response": made.delay(largest=20)}, "confirmed"),
        ("vanilla", False, {"request": made.delay(within=TOO_SHORT)}, TOO_SHORT),
        ("vanilla", True, {}, "not confirmed"),
        ("vanilla", True, {"cycle": made.delay(3e5, "outside"), "request": made.delay(3e5, "outside")}, "confirmed"),
        ("vanilla", True, {"cycle": made.delay(9e3, TOO_SHORT), "request": made.delay(9, TOO_SHORT)}, TOO_SHORT),
        ("vanilla", True, {"cycle": made.delay(9, TOO_SHORT), "request": made.delay(9, TOO_SHORT)}, "not confirmed"),
        ("PREEMPT_RT", False, {}, "inconclusive"),
        ("PREEMPT_RT", True, {}, "confirmed"),
        ("PREEMPT_RT", True, {"cycle": made.delay(5, "outside")}, "not confirmed"),
        ("PREEMPT_RT", True, {"cycle": made.delay(5, TOO_SHORT)}, TOO_SHORT),
    ],
)  # fmt: skip
def test_each_claim_on_ros_has_its_outcomes(kernel: str, stress: bool, delays: Any, verdict: str) -> None:
    name = f"{kernel.lower().replace('_', '-')}-{'stress' if stress else 'normal'}"
    part = made.cyclic_part(kernel, stress, **delays)
    assert on_ros(name, part).verdict == verdict
    # Single long delays may be caused by the host; accumulation is not.
    part.rows[1] = structs.replace(part.rows[1], verdict=of_run.Verdict(of_run.INCONCLUSIVE, ["the host stalled"]))
    disturbed = (kernel, stress) == ("vanilla", False) and verdict != TOO_SHORT
    assert on_ros(name, part).verdict == ("inconclusive" if disturbed else verdict)
    part.rows[1] = structs.replace(part.rows[1], virtual=True)
    assert on_ros(name, part).verdict == "inconclusive"


def test_the_other_kernel_is_a_guest_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(icra_part, "host_kernel", lambda: "vanilla")
    asked = made.setup(0.01, "takt", "control", kernel="rt")
    (piece,) = icra_part.RunPart(cases()[4]).pieces(asked)
    assert (piece.settings.cpus, piece.settings.conditions.load) == ((0,), None)
    (here,) = icra_part.RunPart(cases()[1]).pieces(asked)
    assert here.settings.conditions.load is not None
    # Long enough for a slope of the delays; in virtual time, where nothing is judged, it is shorter.
    assert (here.settings.duration, piece.settings.duration) == (20 * SECOND, 6 * SECOND)


def test_no_delay_of_takt_may_accumulate() -> None:
    part = made.cyclic_part()
    (goal,) = ICRA2021.goals({"vanilla-normal": part})
    assert goal.reached is True
    part.rows[0].delays["cycle"] = made.delay(0.5, TOO_SHORT)
    (goal,) = ICRA2021.goals({"vanilla-normal": part})
    assert (goal.reached, goal.too_short) == (None, True)
    assert goal_table([goal]).rows[0][1] == TOO_SHORT
    # Slight growth may be caused by the host, and cannot be judged without the control.
    grown = structs.replace(made.delay(2.0, TOO_SHORT), why=f"it grew by 50 us, and there is {NO_CONTROL}", alone=True)
    part.rows[0].delays["cycle"] = grown
    (goal,) = ICRA2021.goals({"vanilla-normal": part})
    assert (goal.reached, goal.too_short) == (None, False)
    assert "no control beside it, so the cause is unknown" in goal.why
    assert "measure longer" not in goal.why
    part.rows[1].delays["cycle"] = grown
    stress = made.cyclic_part("PREEMPT_RT", True, cycle=grown)
    row = on_ros("preempt-rt-stress", stress)
    assert (row.verdict, "measure longer" in row.why) == ("inconclusive", False)
    part.rows[0].delays["cycle"] = made.delay(2.0, "outside")
    assert ICRA2021.goals({"vanilla-normal": part})[0].reached is False


def test_the_report_of_cycles_names_what_was_not_run(tmp_path: Path) -> None:
    figures = {"vanilla-normal": made.cyclic_part(), "vanilla-stress": made.cyclic_part(stress=True)}
    write_paper(made.result_of(ICRA2021, figures, tmp_path))
    with (tmp_path / "tables" / "runs.csv").open(encoding="utf-8") as file:
        states = [row["here"].partition(":")[0].partition(",")[0] for row in csv.DictReader(file)]
    assert sorted(states) == ["not run"] * 6 + ["run on this host"] * 2
    assert len(list((tmp_path / "figures").iterdir())) == 6
    assert (tmp_path / "figures" / "vanilla-stress-drift.svg").exists()
    # On the page, as in the figure, a part of the plot is shown enlarged, and framed in the original.
    drift, delays = list(ICRA2021.charts(figures).values())[:2]
    drawn = page_figure(Chart.of(delays.panels[0])).json
    assert [trace["xaxis"] for trace in drawn["data"]] == ["x", "x2"]
    assert (drawn["layout"]["shapes"][0]["x0"], drawn["layout"]["shapes"][0]["x1"]) == (4.0, 4.2)
    assert [(line.x, line.y) for line in drift.panels[0].marks if isinstance(line, Line)] == [
        ([1.0, 8.0], [1.2, 1.3])
    ] * 2
    failed = structs.replace(made.cyclic_part(), rows=[], failed=[Failure("run", "no load")])
    states = [row[3] for row in ICRA2021.tables({"vanilla-normal": failed})["runs"].rows]
    assert states[:2] == ["failed: no load", "not run yet: --resume goes on"]
    assert states[4].endswith("a guest by --kernel rt")
    assert [row.why for row in ICRA2021.verdicts({}) if row.claim != OROCOS][1] == "vanilla-stress was not run"


def test_a_part_is_measured_once_and_shown(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(icra_part, "host_kernel", lambda: "vanilla")
    part = icra_part.RunPart(cases()[0])
    asked = made.setup(1e-6, "takt", "control")
    assert ICRA2021.parts["preempt-rt-normal"].items(asked) == 0
    monkeypatch.setenv("STAND_IN_CYCLIC", "fail")
    with Progress(1, 0) as progress:
        part.measure(asked, Path("d"), progress, False)
    figures = part.statistics(Path("d"))
    assert (figures.runs, figures.pending, len(figures.failed)) == (0, 0, 1)
    monkeypatch.delenv("STAND_IN_CYCLIC")
    with Progress(1, 0) as progress:
        part.measure(asked, Path("d"), progress, True)
    figures = part.statistics(Path("d"))
    assert (figures.runs, figures.failed, figures.rows[0].executor) == (1, [], "takt")
    assert figures.rows[0].points["cycle"].zoom
    assert figures.rows[0].points["cycle"].drift
    (Path("d") / "pieces.json").write_text("{}", "utf-8")
    with pytest.raises(ResultError, match="another --out"):
        part.statistics(Path("d"))
