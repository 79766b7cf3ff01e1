# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Figures of empty timers: CPU time per callback compared with the floors, release jitter, drift."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.analysis.dispatch import cpu_by_class
from takt_cli.errors import ResultError
from takt_cli.results.probe import probes_saw_stalls
from takt_cli.results.sample_files import JOBS, STALLS, read_rows
from takt_cli.statistics.percentiles import percentiles
from takt_cli.statistics.slope import DRIFT_FROM, Slope, slope

SCHEMA_VERSION = 1


def timers_summary(folder: Path) -> dict[str, Any]:
    """Return all figures of a result of `takt measure timers`. Raises ResultError if `folder` has none."""
    try:
        record = json.loads((folder / "run.json").read_text("utf-8"))
        variants = record["variants"]
        costs = {v["name"]: [_cost(p) for p in record["processes"][v["name"]]] for v in variants}
    except FileNotFoundError:
        raise ResultError(f"{folder}: has no run.json; name the folder of a finished run") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ResultError(f"{folder}: is not the result of takt measure timers: {error!r}") from None
    metrics = {v["name"]: _variant(v, costs, record, folder) for v in variants}
    executors = [v["name"] for v in variants if v["name"] != v["floor"]]
    return {
        "schema_version": SCHEMA_VERSION,
        "callbacks": record["callbacks"],
        "nodes": record["nodes"],
        "period_ms": record["period_ns"] / 1e6,
        "phases": record["phases"],
        "duration_s": record["duration_ns"] / 1e9,
        "rounds": record["rounds"],
        "rmw": next((p["rmw"] for n in executors for p in record["processes"][n] if p.get("rmw")), None),
        "executors": {name: metrics[name] for name in executors},
        "floors": {v["name"]: metrics[v["name"]] for v in variants if v["name"] == v["floor"]},
        "host": record["host"],
        "virtual": record.get("virtual"),
    }


def _cost(process: dict[str, Any]) -> dict[str, float]:
    """Return the CPU time in us per callback that ran: of the executor's own threads, and of the whole process."""
    run = int(process["jobs"])
    if run == 0:
        raise ValueError("a run in which no callback ran")
    executor_cpu = cpu_by_class([process]).executor
    return {"own": executor_cpu / run / 1000, "process": int(process["process_cpu_ns"]) / run / 1000}


def _variant(
    variant: dict[str, Any], costs: dict[str, list[dict[str, float]]], record: dict[str, Any], folder: Path
) -> dict[str, Any]:
    costs_of_variant, floor = costs[variant["name"]], costs[variant["floor"]]
    processes = record["processes"][variant["name"]]
    places = [folder / f"round-{n + 1}" for n in range(record["rounds"])]
    samples = [
        _delays(place / f"{variant['tag']}.jobs.npy", process["window"])
        for place, process in zip(places, processes, strict=True)
    ]
    result = {
        "policy": variant["policy"] if variant["executor"] == "takt" else None,
        "cpu_us_per_callback": {kind: _over_rounds([c[kind] for c in costs_of_variant]) for kind in ("own", "process")},
        "jobs": _counts(processes),
        "release_jitter_us": percentiles(np.concatenate([delay for _, delay in samples]) / 1000),
        # Each round has a grid of its own, so drift is computed from the longest round.
        "drift_us_per_min": _drift(samples),
        "stalls": _stalls(places, variant["tag"]),
        "refused": sorted({line for p in processes for line in (p.get("grants") or {}).get("refused", [])}),
    }
    if variant["name"] != variant["floor"]:
        result["floor"] = variant["floor"]
        for kind in ("own", "process"):
            ratios = [c[kind] / f[kind] for c, f in zip(costs_of_variant, floor, strict=True)]
            result[f"ratio_to_floor{'' if kind == 'own' else '_process'}"] = _over_rounds(ratios)
    return result


def _counts(processes: list[dict[str, Any]]) -> dict[str, int]:
    """Return the number of releases on the grid within the windows, and their outcomes."""
    return {
        "released": sum(int(p["releases"]["releases"]) for p in processes),
        "run": sum(int(p["jobs"]) for p in processes),
        "skipped": sum(int(p["releases"]["skipped"]) for p in processes),
        "unfinished": sum(int(p["releases"]["unfinished"]) for p in processes),
    }


def _over_rounds(values: list[float]) -> dict[str, float | int]:
    return {"median": float(np.median(values)), "min": min(values), "max": max(values), "n": len(values)}


def _drift(samples: list[tuple[Any, Any]]) -> Slope:
    releases, delays = max(samples, key=lambda pair: len(pair[0]))
    return slope([(releases, delays)], DRIFT_FROM)


def _delays(path: Path, window: dict[str, int]) -> tuple[Any, Any]:
    """Return the releases of the jobs that started within the window, and start minus release; in ns."""
    rows = read_rows(path, JOBS)
    rows = rows[(rows["start"] >= 0) & (rows["release"] >= window["from"]) & (rows["release"] < window["to"])]
    return np.asarray(rows["release"]), (rows["start"] - rows["release"]).astype(np.float64)


def _stalls(places: list[Path], tag: str) -> dict[str, Any]:
    rows = [read_rows(place / f"{tag}.stalls.npy", STALLS) for place in places]
    probes = [json.loads((place / f"{tag}.stalls.json").read_text("utf-8")) for place in places]
    length = np.concatenate([(r["to"] - r["from"]).astype(np.float64) for r in rows])
    return {"seen": probes_saw_stalls(probes), "length_us": percentiles(length / 1000)}
