# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The program that stands in for every C++ program; stand_ins.py installs it under each of their names. It is started
several times for each run, so it imports only a few modules of the standard library."""

from __future__ import annotations

import itertools
import json
import os
import signal
import struct
import sys
import time
from pathlib import Path

from stand_in_application import Application, read_application
from stand_in_benchmarks import BENCHMARKS
from stand_in_rows import all_rows, save

TYPE_CHECKING = False  # The module typing takes a quarter of the start.
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

name = Path(sys.argv[0]).name
# The options with their values; of several values the first one.
args = {word: value for word, value in itertools.pairwise(sys.argv[1:]) if word.startswith("--")}
mode = os.environ.get("STAND_IN_" + name.upper(), "")
# The requests that the host refused.
REFUSED = list(filter(None, [os.environ.get("STAND_IN_REFUSED")]))
if os.environ.get("STAND_IN_LOG"):
    with Path(os.environ["STAND_IN_LOG"]).open("a", encoding="utf-8") as log:
        entry = {
            "name": name,
            "pid": os.getpid(),
            "args": args,
            "env": dict(os.environ),
            "affinity": sorted(os.sched_getaffinity(0)),
        }
        # Written at once, because other processes append to this file as well.
        log.write(json.dumps(entry) + "\n")


def wait_for_the_other() -> None:
    """Wait until the other runner has ended and its parent process has noticed that."""
    other_runners: list[dict[str, Any]] = []
    while not other_runners:
        time.sleep(0.01)
        lines = Path(os.environ["STAND_IN_LOG"]).read_text("utf-8").split("\n")[:-1]
        other_runners = [each for each in map(json.loads, lines) if each["name"] == name and each["pid"] != os.getpid()]
    while Path("/proc", str(other_runners[0]["pid"])).exists():
        time.sleep(0.01)


if mode == "fail":
    sys.exit("first line\n" + name + ": --cpu: CPU 77 does not exist")
if mode == "mute":
    sys.exit(3)
if mode == "unmatched":
    sys.exit(name + ": not ready: planner/plan on 'scan': 0 of 1 publishers")
if mode == "apart":
    # The second process fails; the first one reports that before the second one has reported its reason.
    if args["--tag"].endswith("000"):
        sys.exit(name + ": process 1 has left the barrier")
    wait_for_the_other()
    sys.exit(name + ": process 1 has a reason")
if mode == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
if mode == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if mode in ("hang", "stubborn"):
    print("ready", flush=True)
    while True:
        signal.pause()


def work(seconds: float) -> None:
    """Use this much CPU time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def grid(app: Application, t0: int, length: int) -> list[tuple[int, ...]]:
    rows: list[tuple[int, ...]] = []
    for task in app.tasks:
        c = task.callback
        for k in range(max(0, -(-(length - c.phase) // c.period))):
            release = t0 + c.phase + k * c.period
            start = release + 10_000
            rows.append((task.index, 0, k, release, start, start + c.wcet, c.wcet, -1, -1))
    return rows


def stay_ready() -> None:
    """Report to be ready, and wait to be ended."""
    ended: list[int] = []
    signal.signal(signal.SIGTERM, lambda *_: ended.append(1))
    print("ready", flush=True)
    while not ended:
        signal.pause()


def probe() -> None:
    stay_ready()
    out = Path(args["--out"])
    save(out, "STALLS", [])
    out.with_suffix(".json").write_text(json.dumps({"asked": 99, "granted": 99, "from": 0, "to": 1}))


def runner() -> None:
    if mode == "long start" or (mode == "late start" and args["--tag"].endswith("1")):
        work(2)
    app = read_application(Path(args["--spec"]))
    t0, warm, length = 10**12, int(args["--warmup-ns"]), int(args["--duration-ns"])
    node = args.get("--node")
    mine = {t.index for t in app.tasks if node is None or t.node == int(node)}
    jobs = [(*row[:7], 120, 2500) for row in grid(app, t0, warm + length) if row[0] in mine]
    jobs[0] = (*jobs[0][:8], -1)
    producer = {topic: t for t in app.tasks for topic in t.callback.publishes}
    reads: list[tuple[int, ...]] = []
    publishes: list[tuple[int, ...]] = []
    for task, _, k, _release, start, finish, *_ in jobs:
        callback = app.tasks[task].callback
        for topic in callback.reads:
            source = producer.get(topic)
            if source is None:
                reads.append((task, topic, k, start, -1, -1))
                continue
            c = source.callback
            newest = (start - 10_000 - c.wcet - t0 - c.phase) // c.period
            newest -= newest >= 0 and t0 + c.phase + newest * c.period + 10_000 + c.wcet >= start
            if os.environ.get("STAND_IN_STALE") and newest > 0:
                newest -= 1
            stamp = t0 + c.phase + newest * c.period + 10_000 if newest >= 0 else -1
            reads.append((task, topic, k, start, max(newest, -1), stamp))
        for topic in callback.publishes:
            publishes.append((topic, task, k, k, start, finish))
    out, tag = Path(args["--out"]), args["--tag"]
    save(out / (tag + ".jobs.npy"), "JOBS", jobs)
    save(out / (tag + ".reads.npy"), "READS", reads)
    save(out / (tag + ".publishes.npy"), "PUBLISHES", publishes)
    if "--gauges-ns" in args:
        looks = range(t0 + warm, t0 + warm + length, int(args["--gauges-ns"]))
        save(out / (tag + ".gauges.npy"), "GAUGES", [(at, 10**7, 10**6, 20, 9) for at in looks])
    if "--trace" in args:
        save_trace(Path(args["--trace"]), app, jobs)
    inside = [row for row in jobs if row[3] >= t0 + warm]
    used = sum(row[6] for row in inside)
    print("t0", t0, flush=True)
    process_record = report(tag, t0, t0 + warm, t0 + warm + length, len(inside), used, sorted(mine))
    (out / (tag + ".json")).write_text(json.dumps(process_record))
    if mode == "linger" and tag.endswith("1"):
        wait_for_the_other()
        print("files", flush=True)
        signal.pause()
    print("files", flush=True)
    if mode == "long end":
        work(2)
    if mode == "endless end" and tag.endswith("1"):
        work(300)


def save_trace(path: Path, app: Application, jobs: Sequence[tuple[int, ...]]) -> None:
    """Write a trace of one processor, in which each job has the times of its row."""

    def define(what: str, **facts: Any) -> bytes:
        raw = (json.dumps({"define": what, **facts}) + "\n").encode()
        parts = [raw[i : i + 24] for i in range(0, len(raw), 24)]
        return b"".join(part.ljust(24, b"\x00") + struct.pack("<I4x", len(part)) for part in parts)

    body = define("ring", first_task=0, ring=1)
    body += define("processor", first_task=0, cpu=int(args["--cpu"]), policy="fp", preempts=True)
    for task in app.tasks:
        c = task.callback
        facts = {"name": task.id, "kind": "timer", "period": c.period, "deadline": c.deadline, "priority": c.priority}
        body += define("task", task=task.index, group=None, first_task=0, **facts)
    for number, _, index, release, start, finish, *_ in jobs:
        deadline = release + app.tasks[number].callback.deadline
        events = ((release, 1, release), (start, 3, -1), (start, 4, deadline), (finish, 5, 0))
        body += b"".join(struct.pack("<qQqI4B", at, index, value, number, kind, 0, 0, 1) for at, kind, value in events)
    body += define("end", written=0, dropped=0, rings_refused=0)
    path.write_bytes(b"takttrac" + struct.pack("<II16x", 1, 32) + body)


def report(tag: str, t0: int, begin: int, end: int, jobs: int, used: int, tasks: Sequence[int] = ()) -> dict[str, Any]:
    cpus = list(map(int, args["--cpu"].split(",")))
    places: list[tuple[int, list[int], Sequence[int]]]
    places = [(cpu, [cpu], [t for t in tasks if t % len(cpus) == i]) for i, cpu in enumerate(cpus)]
    if args["--executor"] == "stock" and len(cpus) > 1:
        places = [(-1, cpus, tasks)]
    return {
        "schema_version": 4,
        "tag": tag,
        "executor": args["--executor"],
        "policy": {"asked": args["--policy"], "in_use": args["--policy"]},
        "rmw": "rmw_fastrtps_cpp",
        "t0": t0,
        "window": {"from": begin, "to": end},
        "jobs": jobs,
        "process_cpu_ns": used + 9000 * jobs,
        "callback_cpu_ns": used,
        "processors": [{"cpu": cpu, "cpus": all, "tasks": [{"task": t} for t in mine]} for cpu, all, mine in places],
        "measuring": {"calls": 100, "repeats": 3, "reads": 1, "publishes": 1, "ns_per_call": [120, 150, 90]},
        "threads": [
            {"name": "w", "class": "executor", "asked": 46, "granted": 46, "cpu_ns": used + 4000 * jobs},
            {"name": "m", "class": "middleware", "asked": 48, "granted": 48, "cpu_ns": 3000 * jobs},
        ],
        "grants": {"realtime": True, "refused": REFUSED, "threads": []},
    }


def simulate() -> None:
    app = read_application(Path(args["--spec"]))
    t0, length = 0, int(args["--duration-ns"])
    if "--replay" in args:
        task, _, index, release, *_ = all_rows(Path(args["--replay"]), "JOBS")[0]
        c = app.tasks[task].callback
        t0 = release - c.phase - index * c.period
    jobs = grid(app, t0, length)
    save(Path(args["--out"]), "JOBS", jobs)
    processors = int(args["--processors"])
    places = args.get("--placement")
    where = list(map(int, places.split(","))) if places else [t.index % processors for t in app.tasks]
    Path(args["--placed"]).write_text(json.dumps({"processor": where}), "utf-8")
    save(Path(args["--slices"]), "SLICES", [(r[0], r[2], r[4], r[5]) for r in jobs])


def timers() -> None:
    count, period, length = int(args["--callbacks"]), int(args["--period-ns"]), int(args["--duration-ns"])
    t0, each = 10**12, -(-length // period)
    rows = [
        (task, 0, k, t0 + k * period, t0 + k * period + 5000, -1, -1, -1, -1)
        for task in range(count)
        for k in range(each)
    ]
    save(Path(args["--out"]) / (args["--tag"] + ".jobs.npy"), "JOBS", rows)
    cost = {"takt": 3, "stock": 12, "floor-loop": 1, "floor-wakeup": 2}[args["--executor"]]
    data = report(args["--tag"], t0, t0, t0 + length, len(rows), 0)
    data["threads"][0]["cpu_ns"] = cost * 1000 * len(rows)
    data["process_cpu_ns"] = (cost + 1) * 1000 * len(rows)
    data |= {"releases": {"releases": len(rows), "skipped": 0, "unfinished": 0}}
    (Path(args["--out"]) / (args["--tag"] + ".json")).write_text(json.dumps(data))


def benchmark() -> None:
    if "--spin-alone-ns" in args:
        print("t0", 0, flush=True)
        return
    rounds, out = int(args["--rounds"]), Path(args["--out"])
    out.mkdir()
    variants = BENCHMARKS[name]
    rows = [
        (r, v, x, 10**9, (1 + r / 1000) * cost(x))
        for r in range(rounds)
        for v, (_, xs, cost) in enumerate(variants)
        for x in xs
        for _ in range(3)
    ]
    save(out / (name + ".samples.npy"), "SAMPLES", rows)
    data = {
        "variants": [v[0] for v in variants],
        "dropped": int(os.environ.get("STAND_IN_DROPPED", "0")),
        "grants": {"realtime": not REFUSED, "refused": REFUSED},
    }
    (out / (name + ".json")).write_text(json.dumps(data))


def cyclictest() -> None:
    out = next(each.partition("=")[2] for each in sys.argv if each.startswith("--json="))
    thread = {"cycles": 10, "max": 2_000_000, "histogram": {"3000": 6, "4000": 3}}
    Path(out).write_text(json.dumps({"thread": {"0": thread}}), "utf-8")


def interference() -> None:
    out, tag = Path(args["--out"]), args["--tag"]
    t0, period, turn = 10**12, 10**6, int(args["--turn-ns"])
    counts = ("published", "longest_job_ns")
    turns: list[dict[str, Any]] = []
    for number in range(int(args["--rounds"])):
        for on in (True, False):
            begin = t0 + len(turns) * turn
            turns.append(
                {
                    "round": number,
                    "on": on,
                    "from": begin,
                    "to": begin + turn,
                    "stopped": False,
                    "did": dict.fromkeys(counts, 3 * on),
                    "peers": {"reader": {"times": 3 * on, "bytes": 24 * on}},
                    "waits": {"deferred": 2 * on, "longest_section_ns": 9},
                }
            )
    delays = [
        20_000 + 10_000 * turns[k * period // turn]["on"] + k % 7 * 100 for k in range(len(turns) * turn // period)
    ]
    # One more job, so that the delay of the last release is known.
    starts = [t0 + k * period + delay for k, delay in enumerate([*delays, 0])]
    rows = [(0, 0, k, t0 + k * period, at, at + 10_000, -1, -1, -1) for k, at in enumerate(starts)]
    save(out / (tag + ".jobs.npy"), "JOBS", rows)
    save(out / (tag + ".publishes.npy"), "SAMPLES", [(0, 0, 0, at, 2000) for at in starts])
    save(out / (tag + ".cpu.npy"), "CPU_TURNS", [])
    record = {
        "rmw": "rmw_fastrtps_cpp",
        "policy": {"asked": "fp", "in_use": "fp"},
        "t0": t0,
        "period_ns": period,
        "turns": turns,
        "dropped": int(os.environ.get("STAND_IN_DROPPED", "0")),
        "switches": {"refused": "no rights", "lost": 0, "threads": []},
        "grants": {"realtime": not REFUSED, "refused": REFUSED},
    }
    (out / (tag + ".json")).write_text(json.dumps(record))
    print("t0", t0, flush=True)


def soak() -> None:
    out, t0, period = Path(args["--out"]), 10**12, 10**7
    begin = t0 + int(args["--warmup-ns"])
    end = begin + int(args["--duration-ns"])
    releases = [t0 + k * period for k in range((end - t0) // period)]
    rows = [(0, k, at, at + period, at + 5000 + k % 7 * 100, at + 10**6, 10**6) for k, at in enumerate(releases)]
    save(out / "soak.jobs.npy", "SOAK_JOBS", rows[::-1])
    save(out / "soak.gauges.npy", "GAUGES", [(at, 10**7, 10**6, 20, 9) for at in releases[::10]])
    save(out / "soak.events.npy", "SOAK_EVENTS", [(begin, begin + 10**6, 3, 0)])
    save(out / "soak.misses.npy", "SOAK_MISSES", [])
    save(out / "soak.cpu.npy", "CPU_TURNS", [])
    record = {
        "rmw": "rmw_fastrtps_cpp",
        "policy": {"asked": "edf", "in_use": "edf"},
        "t0": t0,
        "window": {"from": begin, "to": end},
        "tasks": [{"task": "a/a", "group": 0, "period_ns": period, "phase_ns": 0, "wcet_ns": 10**6}],
        "received": 7,
        "read_outside": {"messages": 0, "bytes": 0},
        "dropped": int(os.environ.get("STAND_IN_DROPPED", "0")),
        "switches": {"refused": "no rights", "lost": 0, "threads": []},
        "counters": {"released": len(rows), "skipped": 0, "missed": 0, "transition_misses": 0},
        "statistics": {"scenario_switches": 3, "scenario_requests_overwritten": 0, "longest_switch_ns": 5000},
        "grants": {"realtime": not REFUSED, "refused": REFUSED},
    }
    (out / "soak.json").write_text(json.dumps(record))


def replay() -> None:
    finishes = [(job[5],) for job in all_rows(Path(args["--jobs"]), "SOAK_JOBS")]
    save(Path(args["--out"]), "FINISHES", finishes)


def transport() -> None:
    if args.get("--side") == "far":
        return
    ways: dict[str, Callable[[int], float]] = {
        "middleware": lambda size: 40_000 + size,
        "stock": lambda size: 20_000,
        "takt": lambda size: 4000,
        "copy": lambda size: 100 + size / 10,
    }
    way, out = args["--way"], Path(args["--out"])
    out.mkdir()
    sizes = map(int, sys.argv[sys.argv.index("--sizes") + 1 :])
    rows = [
        (lap, list(ways).index(way), size, 10**9 + 10**6 * i, (1 + lap / 1000) * ways[way](size))
        for size in sizes
        for lap in range(int(args["--rounds"]))
        for i in range(3)
    ]
    save(out / "transport.samples.npy", "SAMPLES", rows)
    grants = {"realtime": not REFUSED, "refused": REFUSED}
    dropped = int(os.environ.get("STAND_IN_DROPPED", "0"))
    record = {"way": way, "rmw": "rmw_fastrtps_cpp", "dropped": dropped, "grants": grants}
    (out / "transport.json").write_text(json.dumps(record))


def side_record(side: str, t0: int, rows: int) -> dict[str, Any]:
    begin = t0 + int(args["--warmup-ns"])
    return {
        "side": side,
        "transport": args["--transport"],
        "t0": t0,
        "window": {"from": begin, "to": begin + int(args["--duration-ns"])},
        "counts": {"sent": rows},
        "grants": {"realtime": not REFUSED, "refused": REFUSED},
        "threads": [],
        "allocator": {"name": args.get("--allocator", "malloc")},
        "versions": {},
    }


def list_transports() -> bool:
    if "--transports" in sys.argv:
        lacks = os.environ.get("STAND_IN_LACKS")
        names = ("takt", "stock", "rclcpp-events", "fastdds", "cyclonedds", "udp", "syscalls")
        why = "there is no rclcpp" if lacks == "rclcpp-events" else "Cyclone DDS was not found"
        print(
            json.dumps(
                [
                    {"name": n, "raw": n not in names[:3], "available": n != lacks, "why": why if n == lacks else ""}
                    for n in names
                ]
            )
        )
        return True
    return False


TIMES = {"takt": 110, "stock": 150, "fastdds": 100, "cyclonedds": 100, "udp": 50, "syscalls": 20}


def one_way() -> None:
    if list_transports():
        return
    side, out, tag = args["--side"], Path(args["--out"]), args["--tag"]
    first = sys.argv.index("--payload") + 1
    sizes = [int(word) for word in itertools.takewhile(str.isdecimal, sys.argv[first:])]
    t0, period, turn = 10**12, int(args["--period-ns"]), int(args["--turn"])
    count = (int(args["--warmup-ns"]) + int(args["--duration-ns"])) // period
    receivers = range(int(args["--receivers"]))
    if side == "receiver":
        receivers = range(int(args["--receiver"]) - 1, int(args["--receiver"]))
        stay_ready()
    ideal = [t0 + k * period for k in range(count)]
    size = [sizes[k // turn % len(sizes)] for k in range(count)]
    # In one process a message takes a tenth of the time; the second receiver is later than the first one.
    took = TIMES[args["--transport"]] * (100 if side == "both" else 1000)
    lost = int(os.environ.get("STAND_IN_LOST", "0"))
    notes = [(k // turn, ideal[k], 50_000 * k) for k in range(0, count, turn)]
    if side != "receiver":
        save(out / (tag + ".sent.npy"), "SENT", [(k, size[k], at, at + 5000, at + 8000) for k, at in enumerate(ideal)])
        save(out / (tag + ".sender-cpu.npy"), "CPU_NOTES", notes)
    if side != "sender":
        rows = [
            (k, r, size[k], at + 5000 + took + size[k] + 1000 * r + k % 7 * 100)
            for k, at in enumerate(ideal[: count - lost])
            for r in receivers
        ]
        save(out / (tag + ".received.npy"), "RECEIVED", rows)
        save(out / (tag + ".receiver-cpu.npy"), "CPU_NOTES", notes)
    if side == "sender":
        print("ready", flush=True)
    print("t0", t0, flush=True)
    (out / (tag + ".json")).write_text(json.dumps(side_record(side, t0, count)))
    print("files", flush=True)


def trips() -> None:
    if list_transports():
        return
    side, out, tag = args["--side"], Path(args["--out"]), args["--tag"]
    t0, period = 10**12, int(args["--period-ns"])
    length = int(args["--warmup-ns"]) + int(args["--duration-ns"])
    cycles = range(length // period)
    took = [TIMES[args["--transport"]] * 1000 + k % 7 * 100 for k in cycles]
    ideal = [t0 + k * period for k in cycles]
    received = [at + length // 2 for at, length in zip(ideal, took, strict=False)]
    if side in ("server", "responder"):
        stay_ready()
    if side == "responder":
        save(out / (tag + ".responses.npy"), "RESPONSES", [(k, received[k], received[k] + 500) for k in cycles])
    elif name == "cyclic":
        drift = int(os.environ.get("STAND_IN_DRIFT", "0"))
        rows: list[tuple[int, ...]] = []
        for k in cycles:
            start = ideal[k] + 3000 + k % 5 * 100 + drift * k * period // (60 * 10**9)
            answered = (received[k], received[k] + 500) if side == "both" else (0, 0)
            rows.append((k, ideal[k], start, start + 500, *answered, start + took[k]))
        save(out / (tag + ".cycles.npy"), "CYCLES", rows)
    elif side != "server":
        lost = int(os.environ.get("STAND_IN_LOST", "0"))
        kept = [k < len(cycles) - lost - 1 or k == len(cycles) - 1 or not lost for k in cycles]
        rows = [(k, ideal[k], ideal[k] + 5000, (ideal[k] + 5000 + took[k]) * kept[k]) for k in cycles]
        save(out / (tag + ".trips.npy"), "TRIPS", rows)
        print("ready", flush=True)
    print("t0", t0, flush=True)
    (out / (tag + ".json")).write_text(json.dumps(side_record(side, t0, len(cycles))))
    print("files", flush=True)


programs = {
    "cyclictest": cyclictest,
    "round_trip": trips,
    "cyclic": trips,
    "one_way": one_way,
    "probe": probe,
    "runner": runner,
    "simulate": simulate,
    "timers": timers,
    "transport": transport,
    "interference": interference,
    "soak": soak,
    "replay": replay,
}
programs.get(name, benchmark)()
