# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the papers on round trips and on cycles: their tests and printed values, verdicts, tables and figures."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import communication_samples as made
import numpy as np
import pytest
from click.testing import CliRunner
from msgspec import structs

from takt_cli.analysis.grid import Window
from takt_cli.analysis.trips import Timing, Trips
from takt_cli.cli.main import cli
from takt_cli.errors import HostError, Interrupted
from takt_cli.host.programs import find_program
from takt_cli.paper.communication import (
    SECOND,
    PartMeasurement,
    describe_traffic,
    make_measurements,
    name_without_settings,
    part_state,
    thin_points,
)
from takt_cli.paper.gutierrez2018 import printed
from takt_cli.paper.gutierrez2018.cases import NO_RT, PLAN, RT, TESTS, parts
from takt_cli.paper.gutierrez2018.part import FULL, RoundTripPart
from takt_cli.paper.gutierrez2018.rows import RoundTripFigures, effect, failed_share, part_figures
from takt_cli.paper.icra2021 import part as icra_part
from takt_cli.paper.page import paper_page
from takt_cli.paper.papers import find_paper
from takt_cli.paper.report import paper_report, write_paper
from takt_cli.paper.result import read_paper_result
from takt_cli.results.achieved import AchievedFlow, AchievedTraffic
from takt_cli.results.communication import (
    PROCESS,
    ROUND_TRIP_FORMAT,
    InterleavedRecord,
    PeerPlacement,
    RoundTripSettings,
)
from takt_cli.results.conditions import RATES, Conditions, Traffic
from takt_cli.results.origin import Origin
from takt_cli.results.sample_files import STALLS, TRIPS
from takt_cli.results.verdict import INCONCLUSIVE, TOO_SHORT, Verdict
from takt_cli.run.progress import Progress
from takt_cli.run.round_trip import run_round_trip

GUTIERREZ2018, ICRA2021 = find_paper("gutierrez2018"), find_paper("icra2021")
verdicts, goals = GUTIERREZ2018.verdicts, GUTIERREZ2018.goals


def test_every_printed_table_is_of_a_test_and_says_the_same_of_it() -> None:
    assert [row.table for row in printed.all_rows()[::3]] == [
        "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV"
    ]  # fmt: skip
    for row in printed.all_rows():
        test = TESTS[row.test]
        assert test.rt == ("RT settings" in row.title)
        assert test.load == ("under load" in row.title)
        assert (f"{test.mbit:g} Mbps" in row.title) if test.mbit else ("Mbps" not in row.title)
        assert (f"{test.payload // 1024} KB" in row.title) == (test.payload != 500)
        assert ("12h" in row.title) == (test.length > 600 * SECOND)
        assert (test.profile is not None) == ("ksoftirqd" in row.title)
    assert [name for name in TESTS if not printed.rows_of_test(name)] == ["5.A"]
    assert [test.name for test in TESTS.values() if not test.panel] == ["3.C"]


def test_each_rate_of_a_link_can_be_chosen() -> None:
    (link,) = (option for option in GUTIERREZ2018.file.options if option.sets == "link_mbit")
    assert link.choices == tuple(map(str, RATES))


def test_periods_of_large_messages_are_those_of_the_sent_counts() -> None:
    assert [round(row.period_ms) for row in printed.rows_of_test("3.A")] == [10, 20, 20]
    assert [round(row.period_ms) for row in printed.rows_of_test("3.C")] == [20, 33, 40]
    assert [round(row.period_ms) for row in printed.rows_of_test("5.B")] == [10, 10, 10]


def test_long_tests_are_capped_where_they_are_scaled() -> None:
    assert TESTS["1.A"].duration(1.0) == 600 * SECOND
    assert TESTS["1.A"].duration(0.01) == 6 * SECOND
    assert TESTS["5.A"].duration(1.0) == 12 * 3600 * SECOND
    assert TESTS["5.A"].duration(0.01) == 60 * SECOND
    assert TESTS["5.A"].duration(1e-6) == TESTS["1.A"].duration(1e-6) == SECOND


def test_what_is_compared_is_measured_in_turns() -> None:
    assert list(parts())[:2] == ["1.A-1.C", "1.B-1.D"]
    assert [test.name for tests in parts().values() for test in tests if test.name in ("2.F", "4.A")] == ["2.F", "4.A"]
    (one,) = RoundTripPart("1.B-1.D", parts()["1.B-1.D"]).pieces(made.setup())
    assert {each.real_time for each in one.settings.variants} == {NO_RT, RT}
    assert one.settings.conditions.load is not None
    pieces = RoundTripPart("2.F-4.A", parts()["2.F-4.A"]).pieces(made.setup())
    assert [piece.name for piece in pieces[:4]] == ["2.F-1", "4.A-1", "4.A-2", "2.F-2"]
    assert len(pieces) == 4
    assert len(RoundTripPart("2.F-4.A", parts()["2.F-4.A"]).pieces(made.setup(0.1))) == 24
    # Both variants use the same priorities for takt; only those of the kernel's threads differ.
    assert all(piece.settings == pieces[0].settings for piece in pieces)
    assert all(each.real_time.plan == PLAN for each in pieces[0].settings.variants)
    assert str(PLAN) == "timer=80,middleware=79,workers=77"


def test_at_full_scale_every_transport_runs_ten_minutes() -> None:
    (piece,) = RoundTripPart("2.A", parts()["2.A"]).pieces(made.setup(1.0, *FULL))
    assert piece.settings.duration * piece.settings.rounds == 600 * SECOND
    long = RoundTripPart("5.B", parts()["5.B"]).pieces(made.setup(1.0, *FULL))
    assert [each.settings.variants[0].transport.name for each in long] == list(FULL)
    assert {(each.settings.rounds, each.settings.checkpoint) for each in long} == {(1, 60 * SECOND)}
    assert {each.settings.duration for each in long} == {12 * 3600 * SECOND}


def test_at_a_hundredth_each_paper_is_planned_to_end_within_ten_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(icra_part, "host_kernel", lambda: "vanilla")
    asked = made.setup(transports=None, rmws=("rmw_fastrtps_cpp",))
    for paper in (GUTIERREZ2018, ICRA2021):
        assert sum(part.seconds(asked) for part in paper.parts.values()) < 600


def test_a_transport_that_this_build_lacks_is_reported_and_the_others_are_measured(tmp_path: Path) -> None:
    missing = {"fastdds": "built without Fast DDS"}
    asked = replace(made.setup(0.01, "udp", "fastdds"), missing_transports=missing)
    part = RoundTripPart("1.A-1.C", parts()["1.A-1.C"])
    with pytest.raises(HostError, match="fastdds: built without"):
        part.pieces(asked)
    asked = made.setup(transports=None, rmws=("rmw_fastrtps_cpp",))
    (piece,) = part.pieces(replace(asked, missing_transports=missing))
    assert {each.transport.name for each in piece.settings.variants} == {"takt", "baseline1"}
    assert piece.settings.absent == ("fastdds: built without Fast DDS",)
    figures = made.gutierrez_parts()
    figures["1.A-1.C"] = structs.replace(figures["1.A-1.C"], absent=list(piece.settings.absent))
    write_paper(made.result_of(GUTIERREZ2018, figures, tmp_path))
    assert "fastdds: built without Fast DDS" in (tmp_path / "page.html").read_text("utf-8")


def test_the_files_of_an_interrupted_measurement_are_set_aside(tmp_path: Path) -> None:
    """An interrupted measurement is renamed and made again; complete ones are kept."""
    runs: list[str] = []
    cut = True
    (one,) = RoundTripPart("1.A-1.C", parts()["1.A-1.C"]).pieces(made.setup())
    settings = one.settings
    assert isinstance(settings, RoundTripSettings)

    def run(folder: Path, _: list[str], __: Progress) -> None:
        runs.append(folder.name)
        (folder / "rows.npy").write_text(str(len(runs)), "utf-8")
        if cut and folder.name == "b":
            raise Interrupted("stop")
        origin = Origin(command=[], began="", versions={}, commit=None, host=None)
        record = InterleavedRecord(warmed_up=0, preloaded={}, processes={}, probes={})
        ROUND_TRIP_FORMAT.write(folder, origin, settings, record)

    pieces = [PartMeasurement(name, settings, run) for name in "ab"]
    with Progress(1, 0) as progress:
        with pytest.raises(Interrupted):
            make_measurements(pieces, tmp_path / "d", [], progress, False)
        cut = False
        make_measurements(pieces, tmp_path / "d", [], progress, True)
    assert runs == ["a", "b", "b"]
    assert (tmp_path / "d" / "b.cut-1" / "rows.npy").read_text("utf-8") == "2"
    assert part_state(tmp_path / "d", ROUND_TRIP_FORMAT).figures.runs == 2


def verdict_of(claim: str, figures: dict[str, RoundTripFigures]) -> str:
    return next(row.verdict for row in verdicts(figures) if row.claim.startswith(claim))


def with_rows(figures: dict[str, RoundTripFigures], change: Any, test: str = "") -> dict[str, RoundTripFigures]:
    """Return the parts with other values in the rows of a test, or in all rows."""
    return {
        name: structs.replace(
            part, rows=[structs.replace(row, **change) if test in ("", row.test) else row for row in part.rows]
        )
        for name, part in figures.items()
    }


def test_what_is_as_printed_is_confirmed() -> None:
    assert {row.verdict for row in verdicts(made.gutierrez_parts())} == {"confirmed"}
    assert [goal.reached for goal in goals(made.gutierrez_parts())] == [True, True]
    assert {row.verdict for row in verdicts({})} == {"inconclusive"}
    assert [goal.reached for goal in goals({})] == [None, None]


def test_differences_from_the_printed_results_are_reported() -> None:
    figures = made.gutierrez_parts(t2D={"missed": 3}, t1B={})
    assert verdict_of("1 and 40 Mbit/s of traffic under load", figures) == "not confirmed"
    assert verdict_of("under load without RT", figures) == "not confirmed"
    assert goals(figures)[1].reached is False
    # Misses that the host caused decide nothing.
    assert verdict_of("under load with RT", made.gutierrez_parts(t1D={"host": 3})) == "inconclusive"
    assert verdict_of("1, 40 and 80 Mbit/s", made.gutierrez_parts(t2E={"p50": 140.0})) == "confirmed"
    assert verdict_of("1, 40 and 80 Mbit/s", made.gutierrez_parts(t2E={"p50": 200.0})) == "not confirmed"
    assert verdict_of("1, 40 and 80 Mbit/s", made.gutierrez_parts(t2E={"p50": None})) == "inconclusive"
    assert (
        verdict_of("40 Mbit/s of traffic under load for 12 h", made.gutierrez_parts(t5B={"lost": 99}))
        == "not confirmed"
    )
    for tuning, outcome in (
        (made.effect(-1.0, 1.0), "inconclusive"),
        (made.effect(1.0, 2.0, median=1.5), "not confirmed"),
        (made.effect(None, None), TOO_SHORT),
    ):
        figures["2.F-4.A"] = structs.replace(figures["2.F-4.A"], effects=[tuning])
        assert verdict_of("priorities", figures) == outcome


def test_unobserved_or_too_short_measurements_give_no_verdict() -> None:
    claims = {"1.A": "idle without RT", "2.D": "1 and 40 Mbit/s", "3.A": "32 KB", "3.C": "128 KB", "5.A": "1 Mbit/s of"}
    doubtful = {"verdict": Verdict(INCONCLUSIVE, ["the probe was blind"])}
    too_few = {"sent": 600} | {kind: made.counted(0) for kind in ("missed", "lost")}
    passed = {"skipped": structs.replace(made.NONE_SKIPPED, n=7, other=7)}
    for change, reason, outcome, decided in (
        (doubtful, "the probe was blind", "inconclusive", ""),
        (too_few, "none of 600 failed, but up to 0.5 % of all may", TOO_SHORT, ""),
        # For tests whose period is not known, only losses are judged.
        (passed, "7 cycles were skipped", "inconclusive", "3.A 3.C"),
    ):
        for test, claim in claims.items():
            figures = with_rows(made.gutierrez_parts(), change, test)
            (found,) = (each for each in verdicts(figures) if each.claim.startswith(claim) and test in each.why)
            assert found.verdict == ("confirmed" if test in decided else outcome), (reason, test)
            assert test in decided or reason in found.why
    figures = with_rows(made.gutierrez_parts(), {"sent": 600})
    assert (goals(figures)[1].reached, goals(figures)[1].too_short) == (None, True)
    ratio = figures["1.A-1.C"].rows[3].ratio
    assert ratio is not None
    figures = with_rows(figures, {"ratio": structs.replace(ratio, over="samples")})
    assert (goals(figures)[0].reached, goals(figures)[0].too_short) == (None, True)


def test_a_claim_of_many_misses_needs_more_than_some() -> None:
    assert verdict_of("under load without RT", made.gutierrez_parts(t1B={"missed": 1})) == "not confirmed"
    assert verdict_of("80 Mbit/s of traffic under load", made.gutierrez_parts(t2F={"missed": 99})) == "not confirmed"
    assert verdict_of("1 Mbit/s of traffic under load", made.gutierrez_parts(t5A={"missed": 1})) == "confirmed"
    assert verdict_of("1 Mbit/s of traffic under load", made.gutierrez_parts(t5A={"lost": 1})) == "not confirmed"


def test_takt_is_judged_where_the_baseline_was_left_out() -> None:
    parts = made.gutierrez_parts()
    figures = {
        name: structs.replace(part, rows=[row for row in part.rows if row.transport == "takt"])
        for name, part in parts.items()
    }
    rows = verdicts(figures)
    assert {row.verdict for row in rows} == {"confirmed"}
    assert all("takt (rmw_fastrtps_cpp) in" in row.why for row in rows if not row.claim.startswith("priorities"))
    none: dict[str, RoundTripFigures] = {name: structs.replace(part, rows=[]) for name, part in figures.items()}
    assert {row.verdict for row in verdicts(none)} == {"inconclusive"}


def test_results_in_virtual_time_decide_nothing() -> None:
    figures = with_rows(made.gutierrez_parts(), {"virtual": True})
    assert {row.verdict for row in verdicts(figures)} == {"inconclusive"}
    assert [goal.reached for goal in goals(figures)] == [None, None]


def trips(took: int, lost: int = 0) -> Trips:
    rows = np.zeros(100, TRIPS)
    rows["intended"] = np.arange(100) * 10_000_000
    rows["sent"] = rows["intended"] + 1000
    rows["received"] = rows["sent"] + took
    rows["received"][10 : 10 + lost] = 0
    return Trips(rows, Window(0, 0, 10**9), Timing(10_000_000, 10_000_000, 500_000_000), np.empty(0, STALLS))


def test_the_effect_of_tuning_has_a_sign_and_an_interval() -> None:
    figures = effect("takt", [[trips(2000, lost=4)]] * 6, [[trips(1000)]] * 6)
    assert failed_share(trips(1000, lost=4)) == pytest.approx(0.04)
    assert figures.points is not None
    assert figures.ratio is not None
    assert figures.points.median == pytest.approx(-4)
    assert (figures.points.high or 0) < 0
    assert figures.ratio.median == pytest.approx(0.5)
    few = effect("takt", [[trips(2000, lost=4)]] * 5, [[trips(1000)]] * 5)
    assert few.points is not None
    assert (few.points.low, few.points.too_short) == (None, True)
    assert effect("takt", [], []).points is None


def test_thinned_plots_keep_what_sticks_out() -> None:
    values = np.ones(10_000)
    values[4321], values[17] = 99.0, np.inf
    points = thin_points(np.arange(10_000) * 1_000_000, values)
    assert len(points) <= 400
    assert (4.321, 99.0) in points


def test_traffic_is_shown_as_achieved() -> None:
    flows = {"client_to_server": AchievedFlow(1.0, 38.16), "server_to_client": AchievedFlow()}
    traffic = AchievedTraffic(Traffic(40.0), "x", "loopback", flows)
    assert describe_traffic(traffic) == "40 asked; 38.2 client to server"
    assert describe_traffic(None) == "none"


def test_names_of_variants_say_if_they_were_measured_in_a_guest() -> None:
    assert name_without_settings("takt (rmw), no rt", virtual=False) == "takt (rmw)"
    assert name_without_settings("takt (rmw), no rt", virtual=True) == "takt (rmw), virtual"


def test_the_report_has_every_table_and_figure(tmp_path: Path) -> None:
    result = made.result_of(GUTIERREZ2018, made.gutierrez_parts(), tmp_path)
    write_paper(result)
    assert {path.stem for path in (tmp_path / "figures").iterdir()} == {f"figure-{n}" for n in range(4, 10)}
    tables = {path.stem for path in (tmp_path / "tables").iterdir()}
    numbers = {row.table for row in printed.all_rows()}
    assert tables == {f"table-{n}" for n in numbers} | {"test-5.A", "effect", "claims", "goals"}
    with (tmp_path / "tables" / "table-VIII.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["row"] for row in rows] == [
        "DDS1, printed", "DDS2, printed", "DDS3, printed", "takt (rmw_fastrtps_cpp)", "baseline1 (rmw_fastrtps_cpp)",
        "fastdds (raw)",
    ]  # fmt: skip
    assert (rows[0]["missed"], rows[0]["lost"], rows[0]["sent"]) == ("240", "1230", "36315")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "Table XV" in page
    assert "test 5.A: 1 Mbit/s of traffic, under load, 12 h; measured for 60 s each" in page
    pages = paper_page(read_paper_result(tmp_path)), page
    again, first = (re.sub(r"[0-9-]{10} [0-9:]{5}", "", text) for text in pages)
    assert again == first, "but for the minute in which it was made"
    assert paper_report(result)


def test_a_test_of_hours_has_a_row_of_each_measurement(stand_ins: Path) -> None:
    pieces = []
    for each in RoundTripPart("5.A", parts()["5.A"]).pieces(made.setup(1e-6, "udp", "fastdds")):
        assert isinstance(each.settings, RoundTripSettings)
        # no link, which needs rights
        here = replace(each.settings, server=PeerPlacement(PROCESS), conditions=Conditions())
        pieces.append(PartMeasurement(each.name, here, partial(run_round_trip, here)))
    with Progress(1, 0) as progress:
        make_measurements(pieces, Path("d"), [], progress, False)
    figures = part_figures((TESTS["5.A"],), Path("d"))
    assert figures.failed == []
    assert [row.transport for row in figures.rows] == ["udp", "fastdds"]


@pytest.mark.rights
@pytest.mark.programs
def test_a_test_of_the_paper_with_the_real_programs(tmp_path: Path) -> None:
    """The test is measured over a real link; where no link can be made, the command says so."""
    for program in ("round_trip", "probe"):
        try:
            find_program(program)
        except HostError:
            pytest.skip(f"{program} is not built")
    arguments = [
        "paper",
        "gutierrez2018",
        "1.A",
        "--transport",
        "udp",
        "--scale",
        "0.001",
        "--out",
        str(tmp_path / "d"),
    ]
    result = CliRunner().invoke(cli, [*arguments, "--json"])
    summary = json.loads((tmp_path / "d" / "summary.json").read_text("utf-8"))
    assert (tmp_path / "d" / "page.html").exists()
    rows = summary["parts"]["1.A-1.C"]["rows"]
    if result.exit_code == 0:
        assert {row["test"] for row in rows} == {"1.A", "1.C"}
        assert all(row["sent"] > 0 for row in rows)
        assert all("share its CPUs" in row["labels"][0] for row in rows)
    else:
        assert rows == []
        assert "--resume" in result.output


@pytest.mark.parametrize(("paper", "option"), [("gutierrez2018", "--transport"), ("icra2021", "--executor")])
def test_an_unknown_name_is_refused_by_the_option_of_the_paper(paper: str, option: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["paper", paper, option, "nonsense", "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert f"{option} nonsense: not known; choose from takt, " in result.stderr
    assert len(result.stderr.splitlines()) == 1
